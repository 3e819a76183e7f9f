//! Symbols that past commits with messages like the task changed.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use parking_lot::Mutex;
use rayon::prelude::*;

use super::lexical::Term;
use super::select::is_candidate;
use super::{Graph, IndexView};
use crate::model::{FileId, NodeId};
use crate::rank::tuning;
use crate::store::{Reader, StoreError};
use crate::text::terms::terms;

/// The evidence of past commits for a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PastChange {
    /// Likeness of the best commits that changed it, from 0 to about 1: a commit of many symbols says little of each.
    pub value: f64,
    /// Number of commits like the task that changed it.
    pub commits: usize,
}

/// Returns the symbols that the commits most like the task changed. Empty without a history.
///
/// # Errors
/// When the store can't be read.
pub fn past_changes(index: IndexView<'_>, query: &[Term]) -> Result<HashMap<NodeId, PastChange>, StoreError> {
    let IndexView { reader, graph, postings, .. } = index;
    let subjects = postings.subjects(reader)?;
    let alike = subjects.alike(query);
    let mut changed: HashMap<i64, Vec<NodeId>> = HashMap::new();
    let mut known: HashSet<FileId> = HashSet::new();
    for (commit, _) in &alike {
        for file in subjects.changes.files_of(*commit, reader)?.iter() {
            if known.insert(*file) {
                let of_file = subjects.changes.of_file(*file, reader)?;
                of_file.iter().for_each(|(commit, node)| changed.entry(*commit).or_default().push(*node));
            }
        }
    }
    let mut found: HashMap<NodeId, PastChange> = HashMap::new();
    // The best first, so that each symbol has its best commits.
    for (commit, likeness) in alike {
        let Some(nodes) = changed.get(&commit) else { continue };
        let value = likeness * likeness / (nodes.len() as f64).sqrt();
        for node in nodes.iter().filter(|node| is_candidate(graph, **node)) {
            let past = found.entry(*node).or_default();
            if past.commits < tuning::PAST_OF_SYMBOL {
                *past = PastChange { value: past.value + value, commits: past.commits + 1 };
            }
        }
    }
    Ok(found)
}

/// Returns the symbols with the best values, which are candidates.
pub fn best(graph: &Graph, past: &HashMap<NodeId, PastChange>) -> Vec<NodeId> {
    let mut best: Vec<NodeId> = past.keys().copied().collect();
    let tie = |node: NodeId| (graph.id_prefix(node), node);
    best.sort_by(|one, two| past[two].value.total_cmp(&past[one].value).then_with(|| tie(*one).cmp(&tie(*two))));
    best.truncate(tuning::PAST_CANDIDATES);
    best
}

/// The subjects of the newest commits as bags of terms.
#[derive(Debug, Default)]
pub struct Subjects {
    commits: Vec<SubjectTerms>,
    /// Number of the commits with each term.
    counts: HashMap<String, usize>,
    changes: Changes,
}

/// Files and symbols that commits changed, as far as tasks needed them: similar tasks, such as those of one that is being typed,
/// read the same commits.
#[derive(Debug, Default)]
struct Changes {
    files: Mutex<HashMap<i64, Arc<[FileId]>>>,
    symbols: Mutex<HashMap<FileId, OwnChanges>>,
}

/// The commits of a file with the symbols whose own lines they changed.
type OwnChanges = Arc<[(i64, NodeId)]>;

impl Changes {
    fn files_of(&self, commit: i64, reader: &Reader) -> Result<Arc<[FileId]>, StoreError> {
        let mut files = self.files.lock();
        if let Some(known) = files.get(&commit) {
            return Ok(Arc::clone(known));
        }
        let read: Arc<[FileId]> = reader.files_of_commit(commit)?.into();
        Ok(Arc::clone(files.entry(commit).or_insert(read)))
    }

    fn of_file(&self, file: FileId, reader: &Reader) -> Result<OwnChanges, StoreError> {
        let mut symbols = self.symbols.lock();
        if let Some(known) = symbols.get(&file) {
            return Ok(Arc::clone(known));
        }
        let commits = reader.commits_of_file(file, u64::BITS as usize)?;
        let mut read = Vec::new();
        for (node, bits) in reader.own_commits_of_file(file)? {
            let own = commits.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1);
            read.extend(own.map(|(_, commit)| (*commit, node)));
        }
        Ok(Arc::clone(symbols.entry(file).or_insert(read.into())))
    }
}

/// The terms of one subject.
#[derive(Debug)]
struct SubjectTerms {
    /// Row of the commit.
    commit: i64,
    /// Ascending, each once.
    terms: Vec<String>,
    length: f64,
}

impl Subjects {
    /// Splits the subjects of the newest commits into terms.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn read(reader: &Reader) -> Result<Subjects, StoreError> {
        Ok(Subjects::new(&reader.commit_subjects(tuning::PAST_COMMITS)?))
    }

    fn new(subjects: &[(i64, String)]) -> Subjects {
        let split = |(commit, subject): &(i64, String)| {
            let mut terms = terms(subject);
            terms.sort_unstable();
            terms.dedup();
            SubjectTerms { commit: *commit, terms, length: 0.0 }
        };
        let commits = subjects.par_iter().map(split).collect();
        let mut read = Subjects { commits, ..Subjects::default() };
        for term in read.commits.iter().flat_map(|commit| &commit.terms) {
            *read.counts.entry(term.clone()).or_default() += 1;
        }
        let length = |commit: &SubjectTerms| commit.terms.iter().map(|term| read.idf(term).powi(2)).sum::<f64>().sqrt();
        let lengths: Vec<f64> = read.commits.iter().map(length).collect();
        read.commits.iter_mut().zip(lengths).for_each(|(commit, length)| commit.length = length);
        read
    }

    fn idf(&self, term: &str) -> f64 {
        (self.commits.len() as f64 / self.counts.get(term).copied().unwrap_or(1) as f64).ln_1p()
    }

    /// Returns the commits whose subjects are most like the query with the cosine of their terms, best first.
    fn alike(&self, query: &[Term]) -> Vec<(i64, f64)> {
        let weights: HashMap<&str, f64> =
            query.iter().map(|term| (term.text.as_str(), term.weight * self.idf(&term.text))).collect();
        let norm = query.iter().map(|term| weights[term.text.as_str()].powi(2)).sum::<f64>().sqrt();
        let mut alike: Vec<(usize, f64)> = (self.commits.iter().enumerate())
            .filter_map(|(at, commit)| {
                let common = commit.terms.iter().filter_map(|term| Some(weights.get(term.as_str())? * self.idf(term)));
                let product: f64 = common.sum();
                (product > 0.0).then(|| (at, product / (norm * commit.length)))
            })
            .collect();
        alike.sort_by(|one, two| two.1.total_cmp(&one.1).then(one.0.cmp(&two.0)));
        alike.truncate(tuning::PAST_ALIKE);
        alike.into_iter().map(|(at, likeness)| (self.commits[at].commit, likeness)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Part;

    #[test]
    fn commits_with_the_rarer_words_of_the_task_are_the_most_alike() {
        let subjects = ["Open the till", "Count the till's surcharge", "Open the door", "Paint it"];
        let subjects: Vec<(i64, String)> = (7..).zip(subjects.map(str::to_owned)).collect();
        let term = |text: &str| Term { text: text.to_owned(), weight: 1.0, part: Part::Subject, symbols: 1 };
        let read = Subjects::new(&subjects);
        let found = read.alike(&["till", "surcharg"].map(term));
        assert_eq!(found.iter().map(|(commit, _)| *commit).collect::<Vec<i64>>(), [8, 7]);
        assert!(found[0].1 > found[1].1 && found[0].1 <= 1.0);
        assert!(read.alike(&[term("zeppelin")]).is_empty() && Subjects::new(&[]).alike(&[term("till")]).is_empty());
    }
}
