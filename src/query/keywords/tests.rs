//! Keyword extraction on single sentences.

use super::*;

fn lists() -> WordLists {
    let set = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    WordLists {
        stop_words: set(&["a", "the", "for", "in", "of", "to", "is", "not", "new", "how", "does", "e", "g", "i"]),
        verbs: set(&["add", "fix", "refactor", "trace"]),
        abbreviations: [("ctx".to_owned(), vec!["context".to_owned()])].into(),
        test_words: set(&["test", "tests", "pytest"]),
    }
}

fn keywords(task: &str) -> Keywords {
    extract(task, &lists())
}

#[test]
fn backticks_are_exact() {
    assert_eq!(keywords("fix `Before_Request` in x").exact, ["Before_Request", "before_request"]);
    assert!(keywords("see `not an identifier`").exact.is_empty());
    assert_eq!(keywords("`App.run()`").exact, ["App.run", "app.run", "run"]);
}

#[test]
fn quotes_are_exact_and_apostrophes_are_not() {
    assert_eq!(keywords("the 'resolve' function").exact, ["resolve"]);
    assert_eq!(keywords("(\"Session.save\"), twice").exact, ["Session.save", "session.save", "save"]);
    assert_eq!(keywords("‘Before_Request’").exact, ["Before_Request", "before_request"]);
    for prose in ["don't and can't", "the users' names", "'field required' error", "a 'setup.py' file", "rock'n'roll"] {
        assert!(keywords(prose).exact.is_empty(), "{prose}");
    }
}

#[test]
fn word_before_a_kind_is_called() {
    assert_eq!(keywords("fix the Resolve function, not the session classes").called, ["resolve", "session"]);
    assert!(keywords("the function is a type of the class").called.is_empty());
    assert!(keywords("refactor function signatures").called.is_empty());
}

#[test]
fn calls_and_dotted_paths_are_compounds() {
    let found = keywords("QuerySet.annotate() and .delete() with django.utils.html_safe");
    for name in ["QuerySet.annotate", "annotate", "delete", "django.utils.html_safe", "html_safe"] {
        assert!(found.compounds.contains(&name.to_owned()), "{name} in {:?}", found.compounds);
    }
}

#[test]
fn prose_and_versions_are_not_code() {
    let found = keywords("e.g. version 3.9 or i.e. 2.0 of foo.bar");
    assert!(found.compounds.iter().all(|name| !name.contains('.')), "{:?}", found.compounds);
}

#[test]
fn adjacent_words_are_joined() {
    let found = keywords("compute the blast radius");
    assert!(found.compounds.contains(&"BlastRadius".to_owned()));
    assert!(found.compounds.contains(&"blast_radius".to_owned()));
    assert!(found.phrases.contains(&("blast".to_owned(), "radius".to_owned())));
}

#[test]
fn the_noun_after_a_leading_verb_comes_first() {
    let found = keywords("add a new snapshot for diffing machinery");
    assert_eq!(found.components[0], "snapshot");
    assert_eq!(found.components[1], "machinery");
}

#[test]
fn abbreviations_expand() {
    assert_eq!(keywords("ctx").components, ["ctx", "context"]);
}

#[test]
fn only_whole_words_make_a_task_about_tests() {
    assert!(!keywords("specific protest latest").about_tests);
    assert!(keywords("fix the flaky tests").about_tests);
}

#[test]
fn acronyms_stay_whole() {
    assert!(keywords("HTTPServer").components.contains(&"http".to_owned()));
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
    assert_eq!(extract_with_verbs("add, fix", &lists()).components, ["add", "fix"]);
}
