//! What speaks for a candidate: one column of values for each component of the score, every value about 0 to 1. A new
//! kind of evidence is one more column, and one more line in the weights of a preset.

mod groups;
mod history;
mod names;
mod neighbors;
mod reference;
mod shape;
mod words;

use std::collections::HashMap;

use crate::rank::bm25f::{QueryTerm, Scores};
use crate::rank::hits::HubAuthority;
use crate::rank::keywords::Keywords;
use crate::rank::walk::Walk;
use crate::retrieve::graph::Graph;
use crate::retrieve::lessons::{Lesson, Lessons};
use crate::retrieve::weights::Weights;

pub use groups::{GroupScores, Groups};
pub use history::histories;
pub use names::Name;

/// One component's values, in the order of the candidates.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub name: &'static str,
    pub values: Vec<f64>,
}

/// All that the columns are made from.
pub struct Sources<'a> {
    pub graph: &'a Graph,
    pub groups: &'a Groups,
    pub keywords: &'a Keywords,
    pub terms: &'a [QueryTerm],
    pub lexical: &'a Scores,
    /// What the commit subjects of each file say of the task, from 0 to 1.
    pub histories: &'a HashMap<u32, f64>,
    /// What the words say of each file, folder and type.
    pub group_scores: &'a GroupScores,
    /// Candidates' names and scopes, by node.
    pub names: &'a HashMap<u32, Name>,
    /// Symbols whose name the task writes or spells out, and how much that says, from 0 to 1.
    pub named: &'a HashMap<u32, f64>,
    /// What the vocabulary says of symbols, from 0 to 1.
    pub classes: &'a HashMap<u32, f64>,
    /// Symbols of strong framework classes, the first with 1, the others with less in their order.
    pub leads: &'a HashMap<u32, f64>,
    /// What was taught.
    pub lessons: &'a Lessons,
    pub walk: &'a Walk,
    pub hits: &'a HashMap<u32, HubAuthority>,
    /// The candidates that words found best, best first.
    pub by_words: &'a [u32],
    /// Best lexical score of all symbols, or 1 where none has any.
    pub best: f64,
    /// Restart weights of the walk's seeds.
    pub seeds: &'a [(u32, f64)],
    /// Seconds between a symbol's last commit and the newest one, where that is known and wanted.
    pub ages: &'a HashMap<u32, i64>,
    /// A symbol's reach is the number of its callers, not its share of the walk.
    pub counts_callers: bool,
    /// What counts of a test.
    pub test_factor: f64,
}

impl Sources<'_> {
    /// A symbol's lexical score, between 0 and 1.
    fn own(&self, node: u32) -> f64 {
        self.lexical.get(node).score / self.best
    }

    /// The same, less for test code where that counts less, and nothing for what is no definition.
    fn fair(&self, node: u32) -> f64 {
        let Some(head) = self.graph.head(node).filter(|head| super::candidates::is_definition(head.kind)) else {
            return 0.0;
        };
        let factor = if head.is_test { self.test_factor } else { 1.0 };
        factor * self.own(node)
    }
}

/// A component that comes from what was taught, and what it is of a lesson.
type TaughtComponent = (&'static str, fn(&Lesson) -> f64);

/// The components that come from what was taught.
pub const TAUGHT: [TaughtComponent; 3] = [
    ("feedback", |lesson| lesson.feedback),
    ("learned", |lesson| lesson.learned),
    ("session", |lesson| lesson.session),
];

/// Columns that are made together, and their names.
struct Family {
    names: &'static [&'static str],
    columns: fn(&Sources<'_>, &[u32]) -> Vec<Column>,
}

const FAMILIES: [Family; 9] = [
    Family { names: &words::NAMES, columns: words::columns },
    Family { names: &names::NAMES, columns: names::columns },
    Family { names: &neighbors::NAMES, columns: neighbors::columns },
    Family { names: &groups::NAMES, columns: groups::columns },
    Family { names: &["history"], columns: |sources, candidates| vec![history::column(sources, candidates)] },
    Family { names: &["class", "framework"], columns: vocabulary },
    Family { names: &["feedback", "learned", "session"], columns: taught },
    Family { names: &shape::NAMES, columns: shape::columns },
    Family { names: &reference::NAMES, columns: reference::columns },
];

/// True when what the words say of files, folders or types has a weight.
pub fn weighs_groups(weights: &Weights) -> bool {
    groups::NAMES.iter().any(|name| weights.has(name))
}

/// The columns that have a weight, for these candidates.
pub fn columns(sources: &Sources<'_>, candidates: &[u32], weights: &Weights) -> Vec<Column> {
    let wanted = FAMILIES.iter().filter(|family| family.names.iter().any(|name| weights.has(name)));
    let columns = wanted.flat_map(|family| (family.columns)(sources, candidates));
    columns.filter(|column| weights.has(column.name)).collect()
}

/// What the vocabulary says.
fn vocabulary(sources: &Sources<'_>, candidates: &[u32]) -> Vec<Column> {
    vec![
        column("class", candidates, |node| sources.classes.get(&node).copied().unwrap_or(0.0)),
        column("framework", candidates, |node| sources.leads.get(&node).copied().unwrap_or(0.0)),
    ]
}

/// What was taught.
fn taught(sources: &Sources<'_>, candidates: &[u32]) -> Vec<Column> {
    let of = |(name, value): TaughtComponent| column(name, candidates, |node| sources.lessons.value(node, value));
    TAUGHT.map(of).to_vec()
}

/// A column from a function of the candidate.
fn column(name: &'static str, candidates: &[u32], value: impl Fn(u32) -> f64) -> Column {
    Column { name, values: candidates.iter().map(|node| value(*node)).collect() }
}

/// The largest values' sum over `count`: their mean, where the missing ones count as nothing.
fn mean_of_best(values: impl Iterator<Item = f64>, count: usize) -> f64 {
    let mut best: Vec<f64> = Vec::with_capacity(count + 1);
    for value in values.filter(|value| *value > 0.0) {
        let at = best.partition_point(|other| *other >= value);
        if at < count {
            best.insert(at, value);
            best.truncate(count);
        }
    }
    best.iter().sum::<f64>() / count as f64
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::model::{Options, Preset};
    use crate::retrieve::setup::Setup;

    #[test]
    fn every_column_has_a_name_in_its_family_and_every_weight_a_column() {
        let sources = Sources {
            graph: &Graph::default(),
            groups: &Groups::default(),
            keywords: &Keywords::default(),
            terms: &[],
            lexical: &Scores::default(),
            histories: &HashMap::new(),
            group_scores: &GroupScores::default(),
            names: &HashMap::new(),
            named: &HashMap::new(),
            classes: &HashMap::new(),
            leads: &HashMap::new(),
            lessons: &Lessons::default(),
            walk: &Walk::default(),
            hits: &HashMap::new(),
            by_words: &[],
            best: 1.0,
            seeds: &[],
            ages: &HashMap::new(),
            counts_callers: false,
            test_factor: 1.0,
        };
        let mut known = BTreeSet::new();
        for family in FAMILIES {
            let made: Vec<&str> = (family.columns)(&sources, &[]).iter().map(|column| column.name).collect();
            assert_eq!(made, family.names);
            known.extend(made);
        }
        let mut weighed = BTreeSet::new();
        for preset in Preset::ALL {
            let weights = Setup::new(&Options { preset, ..Options::default() }).unwrap().weights;
            let columns = columns(&sources, &[], &weights);
            let names: BTreeSet<&str> = columns.iter().map(|column| column.name).collect();
            assert_eq!(names, weights.names().collect::<BTreeSet<&str>>(), "{preset}");
            weighed.extend(names);
        }
        assert_eq!(known, weighed);
    }

    #[test]
    fn missing_values_count_as_nothing() {
        assert_eq!(mean_of_best([0.9].into_iter(), 3), 0.3);
        assert_eq!(mean_of_best([0.1, 0.4, 0.2, 0.3].into_iter(), 2), 0.35);
        assert_eq!(mean_of_best(std::iter::empty(), 3), 0.0);
    }
}
