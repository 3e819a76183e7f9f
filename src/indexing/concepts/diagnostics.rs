//! Diagnostics of seed files: unusable concepts, and violated rules of usable ones.

use std::collections::BTreeMap;

use super::seed_file::Problem;
use super::{Concept, FrameworkUse, Layer, Vocabulary, is_generic};

/// The rule that a diagnostic reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A file or concept can't be used.
    Unusable,
    /// No reference documents that the phrases mean the targets.
    Reference,
    /// A phrase or target occurs twice.
    Duplicate,
    /// A phrase is redundant, because it contains another one of its concept.
    Nested,
    /// A target is too common to identify a symbol.
    Generic,
    /// A target of this repository's own concepts is not a symbol of it.
    Dead,
}

impl Rule {
    /// Returns the name used in output.
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

/// A problem of a seed file, with its rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    pub problem: Problem,
    pub rule: Rule,
}

/// Number of symbols above which a target is generic.
const MAX_SYMBOLS: usize = 200;

/// Checks a vocabulary without an index; returns the diagnostics by file and line.
pub fn check(vocabulary: &Vocabulary) -> Vec<Diagnostic> {
    let unusable = vocabulary.problems().iter().cloned().map(|problem| Diagnostic { problem, rule: Rule::Unusable });
    let mut diagnostics: Vec<Diagnostic> = unusable.collect();
    for concept in vocabulary.concepts() {
        check_concept(concept, &mut diagnostics);
    }
    check_phrases_between(vocabulary, &mut diagnostics);
    diagnostics.sort();
    diagnostics
}

/// Checks the targets against an index; `definitions` returns the number of symbols of a target. Only the targets of
/// concepts of this repository, or of the framework that it is, must resolve.
///
/// # Errors
/// Those of `definitions`.
pub fn check_targets<E>(
    vocabulary: &Vocabulary,
    framework_use: &dyn Fn(&Concept) -> Option<FrameworkUse>,
    definitions: &mut dyn FnMut(&Concept, &str) -> Result<usize, E>,
) -> Result<Vec<Diagnostic>, E> {
    let mut diagnostics = Vec::new();
    for concept in vocabulary.concepts() {
        let Some(framework_use) = framework_use(concept) else { continue };
        let is_own = concept.layer == Layer::Repository || framework_use == FrameworkUse::Itself;
        for target in concept.entry.targets.iter().filter(|target| !is_generic(target)) {
            let count = if is_own { definitions(concept, target)? } else { continue };
            if count == 0 {
                diagnostics.push(diagnostic(
                    concept,
                    Rule::Dead,
                    format!("`{target}` is not a symbol of this repository"),
                ));
            } else if count > MAX_SYMBOLS {
                diagnostics.push(diagnostic(
                    concept,
                    Rule::Generic,
                    format!("`{target}` names {count} symbols of this repository"),
                ));
            }
        }
    }
    diagnostics.sort();
    Ok(diagnostics)
}

fn diagnostic(concept: &Concept, rule: Rule, message: String) -> Diagnostic {
    let message = format!("{}: {message}", concept.entry.concept);
    Diagnostic { problem: Problem { path: concept.path.clone(), line: concept.entry.line, message }, rule }
}

fn check_concept(concept: &Concept, diagnostics: &mut Vec<Diagnostic>) {
    let entry = &concept.entry;
    if entry.reference.trim().is_empty() {
        diagnostics.push(diagnostic(
            concept,
            Rule::Reference,
            "no `ref`: cite where this meaning is documented".to_owned(),
        ));
    }
    for (i, phrase) in entry.phrases.iter().enumerate() {
        for (j, other) in entry.phrases.iter().enumerate() {
            let (text, other_text) = (&phrase.text, &other.text);
            if i < j && phrase.stems == other.stems {
                diagnostics.push(diagnostic(
                    concept,
                    Rule::Duplicate,
                    format!("\"{text}\" and \"{other_text}\" are one phrase"),
                ));
            } else if phrase.stems != other.stems && phrase.stems.contains(&other.stems) {
                diagnostics.push(diagnostic(concept, Rule::Nested, format!("\"{text}\" contains \"{other_text}\"")));
            }
        }
    }
    for (i, target) in entry.targets.iter().enumerate() {
        if entry.targets[..i].contains(target) {
            diagnostics.push(diagnostic(concept, Rule::Duplicate, format!("the target `{target}` occurs twice")));
        }
        if is_generic(target) {
            diagnostics.push(diagnostic(
                concept,
                Rule::Generic,
                format!("`{target}` is too short or too common to mean anything"),
            ));
        }
    }
}

/// Reports phrases that several concepts of one file have.
fn check_phrases_between(vocabulary: &Vocabulary, diagnostics: &mut Vec<Diagnostic>) {
    let mut owners: BTreeMap<(&str, &str), &Concept> = BTreeMap::new();
    for concept in vocabulary.concepts() {
        for phrase in &concept.entry.phrases {
            let known = *owners.entry((&concept.path, &phrase.stems)).or_insert(concept);
            if known.entry.concept != concept.entry.concept {
                let message = format!("\"{}\" is a phrase of {} too", phrase.text, known.entry.concept);
                diagnostics.push(diagnostic(concept, Rule::Duplicate, message));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::concepts::files::SeedText;

    fn with(text: &str) -> std::sync::Arc<Vocabulary> {
        let own = vec![SeedText { path: "r/ours.toml".to_owned(), text: text.to_owned() }];
        Vocabulary::with_files(Vec::new(), own)
    }

    fn lines(diagnostics: &[Diagnostic]) -> Vec<String> {
        let line = |diagnostic: &Diagnostic| format!("{} {}", diagnostic.rule.name(), diagnostic.problem);
        diagnostics.iter().filter(|diagnostic| diagnostic.problem.path.starts_with("r/")).map(line).collect()
    }

    #[test]
    fn embedded_vocabulary_has_no_diagnostics() {
        let diagnostics = check(&Vocabulary::embedded());
        let lines: Vec<String> =
            diagnostics.iter().map(|diagnostic| format!("{} {}", diagnostic.rule.name(), diagnostic.problem)).collect();
        assert!(lines.is_empty(), "{} diagnostics:\n{}", lines.len(), lines.join("\n"));
    }

    #[test]
    fn every_rule_has_a_diagnostic() {
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
                "reference r/ours.toml:2: A: no `ref`: cite where this meaning is documented",
                "duplicate r/ours.toml:2: A: the target `Cache` occurs twice",
                "duplicate r/ours.toml:6: B: \"caching\" is a phrase of A too",
                "unusable r/ours.toml:11: C has no phrases",
            ]
        );
    }

    #[test]
    fn only_own_targets_must_resolve() {
        let text = "[[class]]\nconcept = \"A\"\nphrases = [\"say\"]\ntargets = [\"Here\", \"Gone\", \"Everywhere\"]\nref = \"x\"\n";
        let vocabulary = with(text);
        let mut definitions = |_: &Concept, target: &str| -> Result<usize, std::convert::Infallible> {
            Ok(match target {
                "Gone" => 0,
                "Everywhere" => 1_000,
                _ => 1,
            })
        };
        let Ok(diagnostics) = check_targets(&vocabulary, &|_| Some(FrameworkUse::Any), &mut definitions);
        assert_eq!(
            lines(&diagnostics),
            [
                "generic r/ours.toml:2: A: `Everywhere` names 1000 symbols of this repository",
                "dead r/ours.toml:2: A: `Gone` is not a symbol of this repository",
            ]
        );
        assert_eq!(diagnostics.len(), 2);
    }
}
