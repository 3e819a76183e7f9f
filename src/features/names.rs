//! Features of the overlap between the query and a symbol's name and scope.

use std::collections::{HashMap, HashSet};

use super::{Feature, FeatureContext, feature};
use crate::model::NodeId;
use crate::text::{split_identifier, stem};

/// Words of a name at which the `name_length` feature is 1.
const LONG_NAME: f64 = 6.0;
/// Words of a run at which the features of runs are 1.
const LONG_RUN: f64 = 4.0;

/// Names of the features, in the order of their computation.
pub(super) const NAMES: [&str; 7] =
    ["named", "name_overlap", "scope_overlap", "name_length", "run", "scoped_run", "scoped_overlap"];

/// The words of a symbol's name and scope as stems.
struct Words {
    name: Vec<String>,
    scope: Vec<String>,
    /// The last part of the scope, and the name.
    scoped: Vec<String>,
}

/// Computes the features of the candidates.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let keywords = context.keywords;
    let stems = keywords.stems();
    let stem_of = |word: &str| stem(word).into_owned();
    let pairs: HashSet<(String, String)> =
        keywords.phrases.iter().map(|(first, second)| (stem_of(first), stem_of(second))).collect();
    let words: Vec<Words> = candidates.iter().map(|node| words(context, *node)).collect();
    let of =
        |name: &'static str, value: &dyn Fn(&Words) -> f64| Feature { name, values: words.iter().map(value).collect() };
    vec![
        feature("named", candidates, |node| context.named.get(&node).copied().unwrap_or(0.0)),
        of("name_overlap", &|words| overlap(&words.name, &stems)),
        of("scope_overlap", &|words| overlap(&words.scope, &stems)),
        of("name_length", &|words| words.name.len() as f64 / LONG_NAME),
        of("run", &|words| run(&words.name, &stems, &pairs)),
        of("scoped_run", &|words| if words.scoped.len() > 1 { run(&words.scoped, &stems, &pairs) } else { 0.0 }),
        of("scoped_overlap", &|words| overlap(&words.scoped, &stems)),
    ]
}

fn words(context: &FeatureContext<'_>, node: NodeId) -> Words {
    let (name, scope) = context.names.get(&node).map_or(("", ""), |name| (name.name.as_str(), name.scope.as_str()));
    let last = scope.rsplit('.').next().unwrap_or(scope);
    let name = stems_of(name);
    Words { scoped: stems_of(last).into_iter().chain(name.iter().cloned()).collect(), scope: stems_of(scope), name }
}

fn stems_of(identifier: &str) -> Vec<String> {
    split_identifier(identifier).iter().map(|word| stem(word).into_owned()).collect()
}

/// Returns the share of words that are in `stems`, each times its worth, from 0 to 1.
fn overlap(words: &[String], stems: &HashMap<String, f64>) -> f64 {
    words.iter().filter_map(|word| stems.get(word)).sum::<f64>() / words.len().max(1) as f64
}

/// Returns the length of the longest run of words that are adjacent in the query, in this order, as a share of
/// [`LONG_RUN`]; one word of the query is a run.
fn run(words: &[String], stems: &HashMap<String, f64>, pairs: &HashSet<(String, String)>) -> f64 {
    let (mut longest, mut length) = (0, 0);
    for (index, word) in words.iter().enumerate() {
        let continues = length > 0 && pairs.contains(&(words[index - 1].clone(), word.clone()));
        length = if continues { length + 1 } else { usize::from(stems.contains_key(word)) };
        longest = longest.max(length);
    }
    (longest as f64 / LONG_RUN).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems() -> HashMap<String, f64> {
        [("valid", 1.0), ("email", 1.0), ("entri", 1.0), ("log", 0.5)]
            .map(|(stem, worth)| (stem.to_owned(), worth))
            .into()
    }

    #[test]
    fn words_are_compared_by_their_stems() {
        assert_eq!(overlap(&stems_of("EmailValidator"), &stems()), 1.0);
        assert_eq!(overlap(&stems_of("validate_email_now"), &stems()), 2.0 / 3.0);
        assert_eq!(overlap(&stems_of("validate_log"), &stems()), 0.75);
        assert_eq!(overlap(&[], &stems()), 0.0);
    }

    #[test]
    fn a_run_keeps_the_order_of_the_query() {
        let pairs = HashSet::from([("log".to_owned(), "entri".to_owned())]);
        let run = |name: &str| run(&stems_of(name), &stems(), &pairs);
        assert_eq!([run("LogEntryAdmin"), run("EntryLog"), run("Admin")], [0.5, 0.25, 0.0]);
    }
}
