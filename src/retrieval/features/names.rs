//! Features of the overlap between the query and a symbol's name and scope.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use super::{Feature, FeatureContext, feature};
use crate::model::NodeId;
use crate::text::{identifier_parts, stem};

/// Words of a name at which the `name_length` feature is 1.
const LONG_NAME: f64 = 6.0;
/// Words of a run at which the features of runs are 1.
const LONG_RUN: f64 = 4.0;

/// Names of the features, in the order of their computation.
pub(super) const NAMES: [&str; 8] =
    ["named", "exact", "name_overlap", "scope_overlap", "name_length", "run", "scoped_run", "scoped_overlap"];

/// The stems of a symbol's name and scope, as numbers.
struct Words {
    name: Vec<usize>,
    scope: Rc<[usize]>,
    /// The last part of the scope, and the name.
    scoped: Vec<usize>,
}

/// Name of the feature of a definition that alone has a name which the task writes.
pub const EXACT: &str = NAMES[1];

/// Computes the features of the candidates.
pub(super) fn features(context: &FeatureContext<'_>, candidates: &[NodeId]) -> Vec<Feature> {
    let keywords = context.keywords;
    let mut stems = Stems::new(keywords.stems());
    let pairs: HashSet<(usize, usize)> =
        keywords.phrases.iter().map(|(first, second)| (stems.of_word(first), stems.of_word(second))).collect();
    let mut scopes: HashMap<&str, Rc<[usize]>> = HashMap::new();
    let words: Vec<Words> = candidates.iter().map(|node| words(context, *node, &mut stems, &mut scopes)).collect();
    let of =
        |name: &'static str, value: &dyn Fn(&Words) -> f64| Feature { name, values: words.iter().map(value).collect() };
    vec![
        feature("named", candidates, |node| context.named.get(&node).copied().unwrap_or(0.0)),
        feature(EXACT, candidates, |node| f64::from(u8::from(context.exact.contains(&node)))),
        of("name_overlap", &|words| stems.overlap(&words.name)),
        of("scope_overlap", &|words| stems.overlap(&words.scope)),
        of("name_length", &|words| words.name.len() as f64 / LONG_NAME),
        of("run", &|words| stems.run(&words.name, &pairs)),
        of("scoped_run", &|words| if words.scoped.len() > 1 { stems.run(&words.scoped, &pairs) } else { 0.0 }),
        of("scoped_overlap", &|words| stems.overlap(&words.scoped)),
    ]
}

fn words<'a>(
    context: &FeatureContext<'a>,
    node: NodeId,
    stems: &mut Stems,
    scopes: &mut HashMap<&'a str, Rc<[usize]>>,
) -> Words {
    let (name, scope) = context.names.get(&node).map_or(("", ""), |name| (name.name.as_str(), name.scope.as_str()));
    let last = scope.rsplit('.').next().unwrap_or(scope);
    let mut of = |scope: &'a str| Rc::clone(scopes.entry(scope).or_insert_with(|| stems.of_identifier(scope).into()));
    let (last, scope) = (of(last), of(scope));
    let name = stems.of_identifier(name);
    Words { scoped: last.iter().chain(&name).copied().collect(), scope, name }
}

/// Stems as numbers. The names of the candidates repeat few words, and stemming one costs more than finding its number.
struct Stems {
    /// The number of each word's stem.
    words: HashMap<String, usize>,
    numbers: HashMap<String, usize>,
    /// The worth of each stem in the query.
    worths: Vec<Option<f64>>,
}

impl Stems {
    fn new(query: HashMap<String, f64>) -> Stems {
        let mut stems = Stems { words: HashMap::new(), numbers: HashMap::new(), worths: Vec::new() };
        for (stem, worth) in query {
            stems.numbers.insert(stem, stems.worths.len());
            stems.worths.push(Some(worth));
        }
        stems
    }

    /// Returns the stems of the words of an identifier.
    fn of_identifier(&mut self, identifier: &str) -> Vec<usize> {
        identifier_parts(identifier).map(|part| self.of_word(&part.to_lowercase())).collect()
    }

    fn of_word(&mut self, word: &str) -> usize {
        if let Some(number) = self.words.get(word) {
            return *number;
        }
        let next = self.worths.len();
        let number = *self.numbers.entry(stem(word).into_owned()).or_insert(next);
        if number == next {
            self.worths.push(None);
        }
        self.words.insert(word.to_owned(), number);
        number
    }

    /// Returns the share of words that are in the query, each times its worth, from 0 to 1.
    fn overlap(&self, words: &[usize]) -> f64 {
        words.iter().filter_map(|word| self.worths[*word]).sum::<f64>() / words.len().max(1) as f64
    }

    /// Returns the length of the longest run of words that are adjacent in the query, in this order, as a share of
    /// [`LONG_RUN`]; one word of the query is a run.
    fn run(&self, words: &[usize], pairs: &HashSet<(usize, usize)>) -> f64 {
        let (mut longest, mut length) = (0, 0);
        for (index, word) in words.iter().enumerate() {
            let continues = length > 0 && pairs.contains(&(words[index - 1], *word));
            length = if continues { length + 1 } else { usize::from(self.worths[*word].is_some()) };
            longest = longest.max(length);
        }
        (longest as f64 / LONG_RUN).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stems() -> Stems {
        let query = [("valid", 1.0), ("email", 1.0), ("entri", 1.0), ("log", 0.5)];
        Stems::new(query.map(|(stem, worth)| (stem.to_owned(), worth)).into())
    }

    #[test]
    fn words_are_compared_by_their_stems() {
        let mut stems = stems();
        let mut overlap = |name: &str| {
            let words = stems.of_identifier(name);
            stems.overlap(&words)
        };
        assert_eq!(overlap("EmailValidator"), 1.0);
        assert_eq!(overlap("validate_email_now"), 2.0 / 3.0);
        assert_eq!(overlap("validate_log"), 0.75);
        assert_eq!(overlap(""), 0.0);
    }

    #[test]
    fn a_run_keeps_the_order_of_the_query() {
        let mut stems = stems();
        let pairs = HashSet::from([(stems.of_word("log"), stems.of_word("entry"))]);
        let mut run = |name: &str| {
            let words = stems.of_identifier(name);
            stems.run(&words, &pairs)
        };
        assert_eq!([run("LogEntryAdmin"), run("EntryLog"), run("Admin")], [0.5, 0.25, 0.0]);
    }
}
