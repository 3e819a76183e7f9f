//! Example tasks from the repository's commits and comments whose ranking finds the code that they are about.

mod phrasing;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use super::{EngineError, Ranker};
use crate::features::PAST_FEATURES;
use crate::model::{FileId, NodeId, Options, Symbol, SymbolKind, Task};
use crate::query::question;
use crate::render::scoped_name;

/// Number of examples.
const EXAMPLES: usize = 3;
/// Number of the newest commits considered.
const COMMITS: usize = 400;
/// Number of the most used symbols whose comments are considered.
const SYMBOLS: usize = 60;
/// Limit of the files of a commit. Larger commits change more than their subject names.
const MAX_FILES: usize = 4;
/// Number of the callers that the function of an example question has.
const CALLERS: std::ops::RangeInclusive<usize> = 2..=30;
/// Limit of the tasks that are ranked.
const MAX_RANKED: usize = 24;
/// A ranking finds the code of an example if one of its files is among the first `FIRST` symbols, and half of them are
/// among the first `TOP`.
const FIRST: usize = 3;
const TOP: usize = 12;

/// A text that reads as a task, and the files with its code.
#[derive(Debug, Clone, PartialEq)]
struct Candidate {
    task: String,
    files: Vec<FileId>,
}

/// A search for example tasks, one ranking a step, so that other requests need not wait for all of them.
#[derive(Debug, Default)]
pub struct ExampleSearch {
    /// Candidates, the next one last; `None` before the first step.
    candidates: Option<Vec<Candidate>>,
    found: Vec<Candidate>,
    /// A question that the graph answers.
    question: Option<String>,
    ranked: usize,
}

impl ExampleSearch {
    /// Ranks the next candidate and keeps it if its ranking finds the code. Returns whether the search has ended.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn step(&mut self, ranker: &Ranker) -> Result<bool, EngineError> {
        let candidates = match &mut self.candidates {
            Some(candidates) => candidates,
            empty => {
                self.question = ranker.example_question()?;
                empty.insert(ranker.example_candidates()?)
            }
        };
        let is_other = |candidate: &Candidate| {
            let known = |found: &Candidate| found.files.iter().any(|file| candidate.files.contains(file));
            !self.found.iter().any(known)
        };
        let next = std::iter::from_fn(|| candidates.pop()).find(is_other);
        if let Some(candidate) = next {
            self.ranked += 1;
            if ranker.finds(&candidate)? {
                self.found.push(candidate);
            }
        } else {
            return Ok(true);
        }
        let wanted = EXAMPLES - usize::from(self.question.is_some());
        Ok(self.found.len() == wanted || self.ranked == MAX_RANKED)
    }

    /// Returns the tasks found so far, a question last.
    pub fn tasks(&self) -> Vec<String> {
        self.found.iter().map(|candidate| candidate.task.clone()).chain(self.question.clone()).collect()
    }
}

impl Ranker {
    /// Returns texts that read as tasks, best last: commit subjects, newest first, after comments of much used symbols.
    fn example_candidates(&self) -> Result<Vec<Candidate>, EngineError> {
        let ids: HashMap<&str, FileId> = self.graph.files().iter().map(|(id, path)| (path.as_str(), *id)).collect();
        let mut candidates = Vec::new();
        for commit in self.reader.recent_commits(COMMITS)? {
            let Some(task) = phrasing::subject(&commit.subject) else { continue };
            let paths = self.reader.commit_paths(&commit.hash)?;
            let files = paths.iter().filter_map(|path| ids.get(path.as_str()).copied());
            let files: Vec<FileId> = files.filter(|file| !self.is_test_file(*file)).collect();
            if (1..=MAX_FILES).contains(&files.len()) {
                candidates.push(Candidate { task, files });
            }
        }
        candidates.extend(self.commented()?);
        let mut known = HashSet::new();
        candidates.retain(|candidate| known.insert(candidate.task.clone()));
        candidates.reverse();
        Ok(candidates)
    }

    /// Returns the comments of the most used functions and types that read as tasks.
    fn commented(&self) -> Result<Vec<Candidate>, EngineError> {
        let kinds = [SymbolKind::Function, SymbolKind::Method, SymbolKind::Type, SymbolKind::Interface];
        let symbols = self.most_used(&kinds)?;
        let file = |node: NodeId| self.graph.meta(node).and_then(|meta| meta.file);
        Ok((symbols.iter())
            .filter_map(|symbol| {
                Some(Candidate {
                    task: phrasing::sentence(&symbol.name, &symbol.doc)?,
                    files: vec![file(symbol.node)?],
                })
            })
            .collect())
    }

    /// Returns a question about the most used function that has a unique name and a few callers.
    fn example_question(&self) -> Result<Option<String>, EngineError> {
        let questions = self.questions()?;
        for symbol in self.most_used(&[SymbolKind::Function, SymbolKind::Method])? {
            let of = scoped_name(&symbol);
            let task = format!("who calls {of}?");
            // The name must be one that a task can have.
            if question(&task).is_none_or(|asked| asked.title() != format!("callers of {of}")) {
                continue;
            }
            // What else is known of the callers takes a search of the checkout.
            let calls = self.graph.incoming(symbol.node).iter().filter(|edge| edge.edge_type.is_call());
            let callers: HashSet<NodeId> = calls.map(|edge| edge.node).collect();
            if !CALLERS.contains(&callers.len()) {
                continue;
            }
            match questions.symbol_named(&of) {
                Ok(_) => return Ok(Some(task)),
                Err(EngineError::Name(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Returns the most used symbols of these kinds outside tests, most used first.
    fn most_used(&self, kinds: &[SymbolKind]) -> Result<Vec<Symbol>, EngineError> {
        self.graph.load()?;
        let nodes = NodeId::sequence().take(self.graph.nodes());
        let fits = |node: &NodeId| {
            let meta = self.graph.meta(*node);
            meta.is_some_and(|meta| kinds.contains(&meta.kind) && !meta.is_test && meta.file.is_some())
        };
        let mut nodes: Vec<NodeId> = nodes.filter(fits).collect();
        nodes.sort_by_cached_key(|node| (Reverse(self.graph.popularity(*node)), self.graph.id_prefix(*node)));
        nodes.truncate(SYMBOLS);
        let mut symbols = self.reader.symbols(&nodes)?;
        symbols.sort_by_key(|symbol| nodes.iter().position(|node| *node == symbol.node));
        Ok(symbols)
    }

    fn is_test_file(&self, file: FileId) -> bool {
        let metas = self.graph.nodes_in_file(file).iter().filter_map(|node| self.graph.meta(*node));
        metas.clone().count() == 0 || metas.clone().all(|meta| meta.is_test)
    }

    /// Returns whether the ranking of a candidate finds the files that it touched.
    fn finds(&self, candidate: &Candidate) -> Result<bool, EngineError> {
        // The commit itself would lead to what it changed.
        let without = PAST_FEATURES.map(str::to_owned).into();
        let options = Options { without, ..Options::default() };
        let task = Task { options, ..Task::from_text(candidate.task.as_str()) };
        let Some(ranking) = self.rank(&task, &|| false)? else { return Ok(false) };
        let file = |node: NodeId| self.graph.meta(node).and_then(|meta| meta.file);
        let found: Vec<Option<FileId>> = ranking.symbols.iter().take(TOP).map(|ranked| file(ranked.node)).collect();
        let touched = |found: &Option<FileId>| found.is_some_and(|file| candidate.files.contains(&file));
        let files = candidate.files.iter().filter(|file| found.contains(&Some(**file))).count();
        Ok(found.iter().take(FIRST).any(touched) && 2 * files >= candidate.files.len())
    }
}
