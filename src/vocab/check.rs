//! What is questionable about classes, beyond what makes a class unusable.

use std::collections::BTreeMap;

use crate::vocab::class::{Class, Layer, is_generic};
use crate::vocab::seed_file::Problem;
use crate::vocab::{Standing, Vocabulary};

/// A kind of finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A file or class that can't be used.
    Unusable,
    /// No reference tells where the phrases mean the targets.
    Reference,
    /// The same phrase, or the same target, twice.
    Duplicate,
    /// A phrase that contains another of its class: it fires whenever that one does.
    Nested,
    /// A target that names nothing in particular.
    Generic,
    /// A target of this repository's own classes that it does not have.
    Dead,
}

impl Rule {
    /// The name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Unusable => "unusable",
            Rule::Reference => "reference",
            Rule::Duplicate => "duplicate",
            Rule::Nested => "nested",
            Rule::Generic => "generic",
            Rule::Dead => "dead",
        }
    }
}

/// A finding at a place of a seed file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Flaw {
    pub problem: Problem,
    pub rule: Rule,
}

/// A target that more symbols than this bear says little.
const TOO_MANY: usize = 200;

/// Every flaw of a vocabulary's text, by file and line.
pub fn check(vocabulary: &Vocabulary) -> Vec<Flaw> {
    let unusable = vocabulary.problems().iter().cloned().map(|problem| Flaw { problem, rule: Rule::Unusable });
    let mut flaws: Vec<Flaw> = unusable.collect();
    for class in vocabulary.classes() {
        check_class(class, &mut flaws);
    }
    check_phrases_between(vocabulary, &mut flaws);
    flaws.sort();
    flaws
}

/// Flaws of targets against an index: `definitions` tells how many symbols a target resolves to. Only classes of this very
/// repository, or of the framework that it is, must resolve.
///
/// # Errors
/// Those of `definitions`.
pub fn check_targets<E>(
    vocabulary: &Vocabulary,
    standing: &dyn Fn(&Class) -> Option<Standing>,
    definitions: &mut dyn FnMut(&Class, &str) -> Result<usize, E>,
) -> Result<Vec<Flaw>, E> {
    let mut flaws = Vec::new();
    for class in vocabulary.classes() {
        let Some(standing) = standing(class) else { continue };
        let is_own = class.layer == Layer::Repository || standing == Standing::Own;
        for target in class.entry.targets.iter().filter(|target| !is_generic(target)) {
            let count = if is_own { definitions(class, target)? } else { continue };
            if count == 0 {
                flaws.push(flaw(class, Rule::Dead, format!("`{target}` is no symbol of this repository")));
            } else if count > TOO_MANY {
                flaws.push(flaw(class, Rule::Generic, format!("`{target}` names {count} symbols of this repository")));
            }
        }
    }
    flaws.sort();
    Ok(flaws)
}

fn flaw(class: &Class, rule: Rule, message: String) -> Flaw {
    let message = format!("{}: {message}", class.entry.concept);
    Flaw { problem: Problem { path: class.path.clone(), line: class.entry.line, message }, rule }
}

fn check_class(class: &Class, flaws: &mut Vec<Flaw>) {
    let entry = &class.entry;
    if entry.reference.trim().is_empty() {
        flaws.push(flaw(class, Rule::Reference, "no `ref` says where a reader finds this".to_owned()));
    }
    for (place, phrase) in entry.phrases.iter().enumerate() {
        for (other_place, other) in entry.phrases.iter().enumerate() {
            let (text, other_text) = (&phrase.text, &other.text);
            if place < other_place && phrase.stems == other.stems {
                flaws.push(flaw(class, Rule::Duplicate, format!("\"{text}\" and \"{other_text}\" are one phrase")));
            } else if phrase.stems != other.stems && phrase.stems.contains(&other.stems) {
                flaws.push(flaw(class, Rule::Nested, format!("\"{text}\" contains \"{other_text}\"")));
            }
        }
    }
    for (place, target) in entry.targets.iter().enumerate() {
        if entry.targets[..place].contains(target) {
            flaws.push(flaw(class, Rule::Duplicate, format!("the target `{target}` stands twice")));
        }
        if is_generic(target) {
            flaws.push(flaw(class, Rule::Generic, format!("`{target}` is too short or too common to mean anything")));
        }
    }
}

/// A phrase that two classes of one file have means neither.
fn check_phrases_between(vocabulary: &Vocabulary, flaws: &mut Vec<Flaw>) {
    let mut owners: BTreeMap<(&str, &str), &Class> = BTreeMap::new();
    for class in vocabulary.classes() {
        for phrase in &class.entry.phrases {
            let known = *owners.entry((&class.path, &phrase.stems)).or_insert(class);
            if known.entry.concept != class.entry.concept {
                let message = format!("\"{}\" is a phrase of {} too", phrase.text, known.entry.concept);
                flaws.push(flaw(class, Rule::Duplicate, message));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocab::files::SeedText;

    fn with(text: &str) -> std::sync::Arc<Vocabulary> {
        let own = vec![SeedText { path: "r/ours.toml".to_owned(), text: text.to_owned() }];
        Vocabulary::with_files(Vec::new(), own)
    }

    fn lines(flaws: &[Flaw]) -> Vec<String> {
        let line = |flaw: &Flaw| format!("{} {}", flaw.rule.name(), flaw.problem);
        flaws.iter().filter(|flaw| flaw.problem.path.starts_with("r/")).map(line).collect()
    }

    #[test]
    fn the_embedded_vocabulary_is_clean() {
        let flaws = check(&Vocabulary::embedded());
        let lines: Vec<String> = flaws.iter().map(|flaw| format!("{} {}", flaw.rule.name(), flaw.problem)).collect();
        assert!(lines.is_empty(), "{} flaws:\n{}", lines.len(), lines.join("\n"));
    }

    #[test]
    fn every_rule_finds_its_flaw() {
        let text = "[[class]]\nconcept = \"A\"\nphrases = [\"cache\", \"cache key\", \"caches\"]\ntargets = [\"Cache\", \
                    \"Cache\", \"get\"]\n[[class]]\nconcept = \"B\"\nphrases = [\"caching\"]\ntargets = [\"Cached\"]\nref \
                    = \"x\"\n[[class]]\nconcept = \"C\"\nphrases = []\ntargets = []\n";
        assert_eq!(
            lines(&check(&with(text))),
            [
                "nested r/ours.toml:2: A: \"cache key\" contains \"cache\"",
                "nested r/ours.toml:2: A: \"cache key\" contains \"caches\"",
                "duplicate r/ours.toml:2: A: \"cache\" and \"caches\" are one phrase",
                "generic r/ours.toml:2: A: `get` is too short or too common to mean anything",
                "reference r/ours.toml:2: A: no `ref` says where a reader finds this",
                "duplicate r/ours.toml:2: A: the target `Cache` stands twice",
                "duplicate r/ours.toml:6: B: \"caching\" is a phrase of A too",
                "unusable r/ours.toml:11: C has no phrases",
            ]
        );
    }

    #[test]
    fn only_own_targets_must_resolve() {
        let text = "[[class]]\nconcept = \"A\"\nphrases = [\"say\"]\ntargets = [\"Here\", \"Gone\", \"Everywhere\"]\nref = \"x\"\n";
        let vocabulary = with(text);
        let mut definitions = |_: &Class, target: &str| -> Result<usize, std::convert::Infallible> {
            Ok(match target {
                "Gone" => 0,
                "Everywhere" => 1_000,
                _ => 1,
            })
        };
        let Ok(flaws) = check_targets(&vocabulary, &|_| Some(Standing::General), &mut definitions);
        assert_eq!(
            lines(&flaws),
            [
                "generic r/ours.toml:2: A: `Everywhere` names 1000 symbols of this repository",
                "dead r/ours.toml:2: A: `Gone` is no symbol of this repository",
            ]
        );
        assert_eq!(flaws.len(), 2);
    }
}
