//! Keyword extraction on single sentences.

use super::*;
use crate::concepts::WordLists;

fn lists() -> WordLists {
    let set = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    WordLists {
        stop_words: set(&["a", "the", "for", "in", "of", "to", "is", "not", "new", "how", "does", "e", "g", "i"]),
        verbs: set(&["add", "fix", "refactor", "trace"]),
        abbreviations: [("ctx".to_owned(), vec!["context".to_owned()])].into(),
        test_words: set(&["test", "tests", "pytest"]),
        filler_words: set(&["version", "expected", "com"]),
    }
}

fn texts(task: &str, form: Form) -> Vec<String> {
    keywords(task).with_form(form).map(|keyword| keyword.text.clone()).collect()
}

/// Returns the part and the weight of a keyword.
fn weight(task: &str, form: Form, text: &str) -> Option<(Part, f64)> {
    let found = keywords(task);
    let keyword = found.with_form(form).find(|keyword| keyword.text == text)?;
    Some((keyword.part, keyword.weight()))
}

fn keywords(task: &str) -> Keywords {
    extract(task, &lists())
}

#[test]
fn backticks_are_exact() {
    assert_eq!(texts("fix `Before_Request` in x", Form::Quoted), ["Before_Request", "before_request"]);
    assert!(texts("see `not an identifier`", Form::Quoted).is_empty());
    assert_eq!(texts("`App.run()`", Form::Quoted), ["App.run", "app.run", "run"]);
}

#[test]
fn quotes_are_exact_and_apostrophes_are_not() {
    assert_eq!(texts("the 'resolve' function", Form::Quoted), ["resolve"]);
    assert_eq!(texts("(\"Session.save\"), twice", Form::Quoted), ["Session.save", "session.save", "save"]);
    assert_eq!(texts("‘Before_Request’", Form::Quoted), ["Before_Request", "before_request"]);
    for prose in ["don't and can't", "the users' names", "'field required' error", "a 'setup.py' file", "rock'n'roll"] {
        assert!(texts(prose, Form::Quoted).is_empty(), "{prose}");
    }
}

#[test]
fn word_before_a_kind_is_called() {
    assert_eq!(texts("fix the Resolve function, not the session classes", Form::Called), ["resolve", "session"]);
    assert!(texts("the function is a type of the class", Form::Called).is_empty());
    assert!(texts("refactor function signatures", Form::Called).is_empty());
}

#[test]
fn calls_and_dotted_paths_are_compounds() {
    let found = texts("QuerySet.annotate() and .delete() with django.utils.html_safe", Form::Identifier);
    for name in ["QuerySet.annotate", "annotate", "delete", "django.utils.html_safe", "html_safe"] {
        assert!(found.contains(&name.to_owned()), "{name} in {found:?}");
    }
}

#[test]
fn prose_and_versions_are_not_code() {
    let found = texts("e.g. version 3.9 or i.e. 2.0 of foo.bar", Form::Identifier);
    assert!(found.iter().all(|name| !name.contains('.')), "{found:?}");
}

#[test]
fn adjacent_words_are_joined() {
    let found = keywords("compute the blast radius");
    let joined = texts("compute the blast radius", Form::Joined);
    assert!(joined.contains(&"BlastRadius".to_owned()) && joined.contains(&"blast_radius".to_owned()));
    assert!(found.phrases.contains(&("blast".to_owned(), "radius".to_owned())));
}

#[test]
fn the_noun_after_a_leading_verb_comes_first() {
    let found = texts("add a new snapshot for diffing machinery", Form::Word);
    assert_eq!(found[..2], ["snapshot", "machinery"]);
}

#[test]
fn abbreviations_expand() {
    let found: Vec<(Form, String)> =
        keywords("ctx").words().map(|keyword| (keyword.form, keyword.text.clone())).collect();
    assert_eq!(found, [(Form::Word, "ctx".to_owned()), (Form::Related, "context".to_owned())]);
}

#[test]
fn only_whole_words_make_a_task_about_tests() {
    assert!(!keywords("specific protest latest").about_tests);
    assert!(keywords("fix the flaky tests").about_tests);
}

#[test]
fn acronyms_stay_whole() {
    assert!(texts("HTTPServer", Form::Word).contains(&"http".to_owned()));
}

#[test]
fn extract_does_not_panic() {
    for task in ["", "   ", "\"'`)(*^:-", "日本語 のタスク", "a\u{0}b", &"x ".repeat(100_000), &"A".repeat(100_000)]
    {
        keywords(task);
    }
}

#[test]
fn extract_with_verbs_keeps_verbs() {
    assert!(keywords("add, fix").is_empty());
    let found: Vec<String> = extract_with_verbs("add, fix", &lists()).words().map(|word| word.text.clone()).collect();
    assert_eq!(found, ["add", "fix"]);
}

#[test]
fn a_keyword_has_its_most_worthy_part() {
    let report = "Cart loses lines\n\nThe discount is lost: `Cart.total`\n```\ncoupon = discount(cart)\n```\n";
    assert_eq!(weight(report, Form::Word, "cart"), Some((Part::Subject, 1.0)));
    assert_eq!(weight(report, Form::Word, "discount"), Some((Part::Prose, 0.7)));
    assert_eq!(weight(report, Form::Word, "coupon"), Some((Part::Code, 0.45)));
    assert_eq!(weight(report, Form::Quoted, "Cart.total"), Some((Part::Prose, 1.4)));
    let named = keywords(report).with_form(Form::Quoted).next().and_then(Keyword::named).unwrap();
    assert!((named - 0.95).abs() < 1e-9, "{named}");
}

#[test]
fn filler_words_count_in_subjects_only() {
    let report = "parse the version\n\nexpected another version";
    assert_eq!(weight(report, Form::Word, "version"), Some((Part::Subject, 1.0)));
    assert_eq!(weight(report, Form::Word, "expected"), None);
    assert!(weight("the expected version", Form::Word, "expected").is_some(), "a task of one part has no filler");
}

#[test]
fn urls_outside_the_subject_are_their_hosts() {
    let report = "Cart fails\nSee https://www.video-shop.com/watch/me?x=1 and https://github.com/team/repo/issues/3.";
    let found: Vec<String> = keywords(report).with_form(Form::Word).map(|word| word.text.clone()).collect();
    assert!(["video", "shop"].iter().all(|word| found.contains(&(*word).to_owned())), "{found:?}");
    assert!(!["watch", "github", "team", "com"].iter().any(|word| found.contains(&(*word).to_owned())), "{found:?}");
    assert_eq!(weight(report, Form::Word, "shop"), Some((Part::Url, 0.5)));
}

#[test]
fn options_are_identifiers() {
    let found = texts("--keep-lines=3 is ignored", Form::Identifier);
    assert!(found.contains(&"keep_lines".to_owned()), "{found:?}");
    assert!(texts("--keep-lines", Form::Joined).contains(&"keeplines".to_owned()));
}

#[test]
fn keywords_of_a_long_text_are_kept_by_worth() {
    let log: String = (0..3_000).map(|number| format!("[cart] entry{number}\n")).collect();
    let mut found = keywords(&format!("Cart loses lines\n{log}\nThe coupon is lost, and discount_of_cart."));
    found.limit(|keyword| Ok::<bool, ()>(keyword.text != "loses")).unwrap();
    assert_eq!(found.keywords.len(), MAX_KEYWORDS);
    for word in ["cart", "lines", "coupon", "discount"] {
        assert!(found.with_form(Form::Word).any(|keyword| keyword.text == word), "{word}");
    }
    assert!(found.with_form(Form::Word).all(|keyword| keyword.text != "loses"), "the index does not have it");
    let mut short = keywords("Cart loses lines");
    short.limit(|_| Ok::<bool, ()>(false)).unwrap();
    assert!(!short.is_empty(), "nothing is dropped from a short text");
}
