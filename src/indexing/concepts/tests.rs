//! Tests of the embedded vocabulary, the files of users and repositories, and matching.

use super::files::SeedText;
use super::matching::stems;
use super::*;

fn texts(files: &[(&str, &str)]) -> Vec<SeedText> {
    files.iter().map(|(path, text)| SeedText { path: (*path).to_owned(), text: (*text).to_owned() }).collect()
}

fn set(items: &[&str]) -> std::collections::BTreeSet<String> {
    items.iter().map(|item| (*item).to_owned()).collect()
}

fn concept(name: &str, phrases: &str) -> String {
    format!("[[class]]\nconcept = \"{name}\"\nphrases = [{phrases}]\ntargets = [\"Target\"]\n")
}

/// Returns `concept: phrase, phrase` for each match of a task, with an exclamation mark after strong ones.
fn matches(vocabulary: &Vocabulary, task: &str, profile: &Profile) -> Vec<String> {
    let line = |(matched, _): &(ConceptMatch<'_>, FrameworkUse)| {
        let phrases: Vec<&str> = matched.phrases.iter().map(|phrase| &task[phrase.span.clone()]).collect();
        let mark = if matched.strength == MatchStrength::Strong { "!" } else { "" };
        format!("{}{mark}: {}", matched.concept.entry.concept, phrases.join(", "))
    };
    vocabulary.matches(task, profile).iter().map(line).collect()
}

#[track_caller]
fn check(seeds: &str, task: &str, expected: &[&str]) {
    let own = texts(&[("s/a.toml", &format!("disable = [{}]\n{seeds}", everything()))]);
    let vocabulary = Vocabulary::with_files(Vec::new(), own);
    assert_eq!(vocabulary.problems(), []);
    assert_eq!(matches(&vocabulary, task, &Profile::default()), expected, "{task}");
}

/// Returns every embedded concept, to disable them.
fn everything() -> String {
    let vocabulary = Vocabulary::embedded();
    let quoted: Vec<String> =
        vocabulary.concepts().iter().map(|concept| format!("\"{}\"", concept.entry.concept)).collect();
    quoted.join(", ")
}

#[test]
fn layers_have_their_minimum_size() {
    let vocabulary = Vocabulary::embedded();
    let count = |layer: Layer| vocabulary.concepts().iter().filter(|concept| concept.layer == layer).count();
    assert!(count(Layer::Universal) >= 63, "{}", count(Layer::Universal));
    assert!(count(Layer::Domain) >= 60, "{}", count(Layer::Domain));
    assert!(count(Layer::Language) >= 31, "{}", count(Layer::Language));
    assert!(vocabulary.words().abbreviations.len() >= 60);
}

#[test]
fn concepts_are_unique_and_complete() {
    let vocabulary = Vocabulary::embedded();
    let mut concepts = std::collections::BTreeSet::new();
    for concept in vocabulary.concepts() {
        let entry = &concept.entry;
        assert!(concepts.insert(entry.concept.as_str()), "{} occurs twice", entry.concept);
        assert!(!entry.reference.is_empty(), "{} has no reference", entry.concept);
        assert!(entry.targets.iter().all(|target| !is_generic(target)), "{} has generic targets", entry.concept);
    }
}

#[test]
fn embedded_stems_equal_computed_ones() {
    for concept in Vocabulary::embedded().concepts() {
        for phrase in &concept.entry.phrases {
            let words: Vec<String> =
                stems(&phrase.text).into_iter().filter(|word| !seed_file::is_article(word)).collect();
            assert_eq!(phrase.stems, format!(" {} ", words.join(" ")));
        }
    }
}

#[test]
fn phrases_match_whole_words_in_any_form() {
    let seeds = concept("UPLOAD", "\"upload a file\", \"attachment\"");
    check(&seeds, "Uploading files is slow", &["UPLOAD!: Uploading files"]);
    check(&seeds, "upload the file's name", &["UPLOAD!: upload the file"]);
    check(&seeds, "an attachments table", &["UPLOAD: attachments"]);
    check(&seeds, "reattachment of uploadfile", &[]);
    check(&seeds, "file upload", &[]);
    check(&seeds, "", &[]);
}

#[test]
fn equal_stems_of_unlike_lengths_do_not_match() {
    check(&concept("AUTH", "\"authorization\""), "the author of a post", &[]);
    check(&concept("AUTH", "\"authorization\""), "authorizations", &["AUTH: authorizations"]);
}

#[test]
fn two_separate_phrases_are_strong_nested_ones_are_not() {
    let seeds = concept("CACHE", "\"cache\", \"redis\"");
    check(&seeds, "clear the cache", &["CACHE: cache"]);
    check(&seeds, "clear the cache in redis", &["CACHE!: cache, redis"]);
    check(&concept("URL", "\"url\", \"urls\""), "the url", &["URL: url"]);
}

#[test]
fn spans_are_bytes_in_any_script() {
    check(&concept("CACHE", "\"cache key\""), "größe — Cache-Keys ändern", &["CACHE!: Cache-Keys"]);
}

#[test]
fn concepts_match_only_in_their_scope() {
    let framework = format!("language = \"python\"\npackages = [\"django\"]\n{}", concept("DJ", "\"cache backend\""));
    let own = texts(&[("s/a.toml", &framework), ("s/b.toml", &format!("disable = [{}]", everything()))]);
    let vocabulary = Vocabulary::with_files(own, Vec::new());
    let profile = |own: &[&str], used: &[&str]| Profile { languages: set(&["python"]), own: set(own), used: set(used) };
    let task = "which cache backend is used";
    assert_eq!(matches(&vocabulary, task, &profile(&[], &["django"])), ["DJ!: cache backend"]);
    assert_eq!(matches(&vocabulary, task, &profile(&["Django"], &[])), ["DJ!: cache backend"]);
    assert_eq!(matches(&vocabulary, task, &profile(&["flask"], &["jinja2"])), Vec::<String>::new());
}

#[test]
fn repository_files_replace_and_disable() {
    let user = texts(&[("u/mine.toml", &concept("ROUTING", "\"wayfinding\""))]);
    let own =
        texts(&[("r/ours.toml", &format!("disable = [\"CACHING\"]\n{}", concept("OURS", "\"the frobnicator\"")))]);
    let vocabulary = Vocabulary::with_files(user, own);
    let find = |name: &str| vocabulary.concepts().iter().filter(|concept| concept.entry.concept == name).count();
    assert_eq!((find("ROUTING"), find("CACHING"), find("OURS")), (1, 0, 1));
    let found = vocabulary.matches("wayfinding in the frobnicator", &Profile::default());
    let layers: Vec<Layer> = found.iter().map(|(matched, _)| matched.concept.layer).collect();
    assert_eq!(layers, [Layer::Repository, Layer::Universal]);
}

#[test]
fn invalid_files_are_reported_and_others_loaded() {
    let user = texts(&[
        ("u/bad.toml", "[[class]]\nconcept = "),
        ("u/words.toml", "stop_words = [\"frob\"]\nverbs = \"no list\""),
        ("u/good.toml", &concept("GOOD", "\"good\"")),
    ]);
    let vocabulary = Vocabulary::with_files(user, Vec::new());
    let problems: Vec<String> = vocabulary.problems().iter().map(|problem| problem.to_string()).collect();
    assert_eq!(problems.len(), 2);
    assert!(problems[0].starts_with("u/bad.toml:2: ") && problems[1].starts_with("u/words.toml:2: "), "{problems:?}");
    assert!(vocabulary.concepts().iter().any(|concept| concept.entry.concept == "GOOD"));
}

#[test]
fn matches_are_limited() {
    let own: String = (0..1_000).map(|number| concept(&format!("C{number}"), "\"frob\"")).collect();
    let vocabulary = Vocabulary::with_files(Vec::new(), texts(&[("r/a.toml", &own)]));
    assert_eq!(vocabulary.matches("frob", &Profile::default()).len(), 100);
}

#[test]
fn long_tasks_are_matched() {
    let vocabulary = Vocabulary::embedded();
    let task = "cache the routing middleware \u{202e}'\"--; ".repeat(5_000);
    let found = vocabulary.matches(&task, &Profile::default());
    assert!(
        found.iter().all(|(matched, _)| matched.phrases.iter().all(|phrase| task.get(phrase.span.clone()).is_some()))
    );
    assert!(found.iter().any(|(matched, _)| matched.concept.entry.concept == "CACHING"));
}
