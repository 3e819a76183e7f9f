//! BM25 over files, folders and types, each a document of all its definitions. The terms of a query often occur
//! together in one file without occurring together in one symbol.

use std::collections::HashMap;

use super::Graph;
use crate::model::{FileId, NodeId, SymbolKind};
use crate::rank::bm25f::{QueryTerm, best, idf};
use crate::rank::node_set::NodeSet;
use crate::store::{SEARCH_COLUMNS, SearchColumn};
use crate::text::parent_dir;

/// Weights of the columns of the search index in a group's document. Paths have none: only a file's own terms count.
const WEIGHTS: [f64; SEARCH_COLUMNS] = [2.0, 0.0, 0.0, 0.7, 0.0, 1.0, 0.7, 0.0];
/// Columns whose terms count in the length of a group's document.
const LENGTH_COLUMNS: [usize; 4] = [0, 3, 5, 6];
/// BM25's parameters: length normalization and term frequency saturation.
const B: f64 = 0.6;
const K1: f64 = 1.5;
/// Number of a file, folder or type as a group: a file id, a folder's number or a type's index.
type GroupId = u32;
/// The group of a node without one.
const NO_GROUP: GroupId = u32::MAX;

/// The file, folder and type of every symbol, with the lengths of their documents. Built once for a graph.
#[derive(Debug, Default)]
pub struct Groups {
    file: Grouping,
    folder: Grouping,
    owner: Grouping,
    /// Number of each file's folder, by the file's id.
    folders: Vec<GroupId>,
    /// Every type.
    types: NodeSet,
    files_with_history: usize,
}

/// Scores of a query for files, folders and types, by group number; the best of each is 1.
#[derive(Debug, Default)]
pub struct GroupScores {
    file: Vec<f64>,
    folder: Vec<f64>,
    owner: Vec<f64>,
}

/// The documents of one partition of the symbols into groups.
#[derive(Debug, Default)]
struct Grouping {
    lengths: Vec<f64>,
    mean_length: f64,
    groups: usize,
}

impl Groups {
    /// Groups the symbols of a graph. Linear in their number.
    pub fn new(graph: &Graph) -> Groups {
        let ((files_with_history, file), (types, owner)) = rayon::join(|| of_files(graph), || of_types(graph));
        let folders = folders(graph);
        let mut folder = Vec::new();
        for (group, length) in folders.iter().zip(&file) {
            add_length(&mut folder, *group, *length);
        }
        let [file, folder, owner] = [file, folder, owner].map(Grouping::new);
        Groups { file, folder, owner, folders, types, files_with_history }
    }

    /// Returns the BM25 scores of every file, folder and type.
    pub fn scores(&self, graph: &Graph, terms: &[QueryTerm]) -> GroupScores {
        let file = || self.file.scores(graph, terms, |node| self.file_of(graph, node));
        let folder = || self.folder.scores(graph, terms, |node| self.folder_of(graph, node));
        let owner = || self.owner.scores(graph, terms, |node| self.owner_of(graph, node));
        let (file, (folder, owner)) = rayon::join(file, || rayon::join(folder, owner));
        GroupScores { file, folder, owner }
    }

    /// Returns the number of files with commits.
    pub fn files_with_history(&self) -> usize {
        self.files_with_history
    }

    fn file_of(&self, graph: &Graph, node: NodeId) -> GroupId {
        graph.meta(node).and_then(|meta| meta.file).map_or(NO_GROUP, FileId::get)
    }

    fn folder_of(&self, graph: &Graph, node: NodeId) -> GroupId {
        graph.meta(node).and_then(|meta| meta.file).map_or(NO_GROUP, |file| self.folder(file))
    }

    fn folder(&self, file: FileId) -> GroupId {
        self.folders.get(file.index()).copied().unwrap_or(NO_GROUP)
    }

    fn owner_of(&self, graph: &Graph, node: NodeId) -> GroupId {
        owner_among(&self.types, graph, node)
    }
}

/// Returns the number of files with commits, and the length of each file's document, by its id.
fn of_files(graph: &Graph) -> (usize, Vec<f64>) {
    let history = [SearchColumn::History as usize];
    let (mut with_history, mut files) = (0, Vec::new());
    for node in NodeId::sequence().take(graph.nodes()) {
        with_history += usize::from(graph.lengths().sum(node, &history) > 0.0);
        if let Some(file) = text_file(graph, node) {
            add_length(&mut files, file.get(), text_length(graph, node));
        }
    }
    (with_history, files)
}

/// Returns the types, and the length of each one's document, by its index.
fn of_types(graph: &Graph) -> (NodeSet, Vec<f64>) {
    let is_type = |node: &NodeId| graph.meta(*node).is_some_and(|meta| meta.kind.is_type());
    let types: NodeSet = NodeId::sequence().take(graph.nodes()).filter(is_type).collect();
    let mut owners = Vec::new();
    for node in NodeId::sequence().take(graph.nodes()) {
        let owner = owner_among(&types, graph, node);
        if owner != NO_GROUP && text_file(graph, node).is_some() {
            add_length(&mut owners, owner, text_length(graph, node));
        }
    }
    (types, owners)
}

/// Returns the index of a symbol among the types, or of the type that it is a member of.
fn owner_among(types: &NodeSet, graph: &Graph, node: NodeId) -> GroupId {
    let owner = graph.container(node).unwrap_or(node);
    types.index_of(owner).map_or(NO_GROUP, |index| index as GroupId)
}

/// Adds the length of a text to that of its group. Sums are exact, in any order: they are whole numbers below 2^53.
fn add_length(lengths: &mut Vec<f64>, group: GroupId, length: f64) {
    if group == NO_GROUP {
        return;
    }
    if lengths.len() <= group as usize {
        lengths.resize(group as usize + 1, 0.0);
    }
    lengths[group as usize] += length;
}

/// Returns the number of each file's folder, by the file's id.
fn folders(graph: &Graph) -> Vec<GroupId> {
    let mut numbers: HashMap<&str, GroupId> = HashMap::new();
    let mut folders = Vec::new();
    for (file, path) in graph.files() {
        let folder = parent_dir(path);
        let next = numbers.len() as u32;
        folders.resize(file.index() + 1, NO_GROUP);
        folders[file.index()] = *numbers.entry(folder).or_insert(next);
    }
    folders
}

impl GroupScores {
    /// Returns the `count` files with the best scores, best first.
    pub fn best_files(&self, graph: &Graph, count: usize) -> Vec<FileId> {
        let mut files: Vec<(f64, &str, FileId)> = (graph.files().iter())
            .filter_map(|(file, path)| Some((*self.file.get(file.index())?, path.as_str(), *file)))
            .filter(|(score, ..)| *score > 0.0)
            .collect();
        files.sort_unstable_by(|one, two| two.0.total_cmp(&one.0).then(one.1.cmp(two.1)));
        files.into_iter().take(count).map(|(.., file)| file).collect()
    }

    /// Returns the `count` types that with their members have the best scores, best first.
    pub fn best_types(&self, graph: &Graph, groups: &Groups, count: usize) -> Vec<NodeId> {
        let types = groups.types.iter().zip(&self.owner).filter(|(_, score)| **score > 0.0);
        best(types.map(|(node, score)| (*score, graph.id_prefix(node), node)).collect(), count)
    }

    /// Returns the types that are used most in the folders with the best scores: `each` of a folder, `count` in all.
    pub fn types_of_folders(&self, graph: &Graph, groups: &Groups, each: usize, count: usize) -> Vec<NodeId> {
        let is_public = |node: NodeId| graph.meta(node).is_some_and(|meta| !meta.is_test);
        let of_folder = |node: NodeId| self.folder(graph, groups, node);
        let types = groups.types.iter().filter(|node| is_public(*node));
        let mut types: Vec<(f64, usize, NodeId)> = types
            .map(|node| (of_folder(node), graph.popularity(node), node))
            .filter(|(score, used, _)| *score > 0.0 && *used > 0)
            .collect();
        types.sort_unstable_by(|one, two| {
            let by_id = || graph.id_prefix(one.2).cmp(&graph.id_prefix(two.2));
            two.0.total_cmp(&one.0).then(two.1.cmp(&one.1)).then_with(by_id)
        });
        let mut folders: HashMap<GroupId, usize> = HashMap::new();
        types.retain(|(.., node)| {
            let found = folders.entry(groups.folder_of(graph, *node)).or_default();
            *found += 1;
            *found <= each
        });
        types.into_iter().take(count).map(|(.., node)| node).collect()
    }

    /// Returns the score of a symbol's file.
    pub fn file(&self, graph: &Graph, groups: &Groups, node: NodeId) -> f64 {
        score(&self.file, groups.file_of(graph, node))
    }

    /// Returns the score of a symbol's folder.
    pub fn folder(&self, graph: &Graph, groups: &Groups, node: NodeId) -> f64 {
        score(&self.folder, groups.folder_of(graph, node))
    }

    /// Returns the score of a type, or of a member's type.
    pub fn owner(&self, graph: &Graph, groups: &Groups, node: NodeId) -> f64 {
        score(&self.owner, groups.owner_of(graph, node))
    }
}

/// Returns the score of a group, 0 for none.
fn score(scores: &[f64], group: GroupId) -> f64 {
    scores.get(group as usize).copied().unwrap_or(0.0)
}

impl Grouping {
    fn new(lengths: Vec<f64>) -> Grouping {
        let groups = lengths.iter().filter(|length| **length > 0.0).count();
        let mean_length = lengths.iter().sum::<f64>() / groups.max(1) as f64;
        Grouping { lengths, mean_length, groups }
    }

    /// Returns the BM25 score of every group, scaled so that the best is 1.
    fn scores(&self, graph: &Graph, terms: &[QueryTerm], group_of: impl Fn(NodeId) -> GroupId) -> Vec<f64> {
        let mut scores = vec![0.0; self.lengths.len()];
        let mut frequencies = vec![0.0; self.lengths.len()];
        for term in terms {
            let mut touched: Vec<GroupId> = Vec::new();
            for posting in term.postings.iter() {
                let group = group_of(posting.document);
                let frequency: f64 =
                    WEIGHTS.iter().zip(posting.frequencies).map(|(weight, count)| weight * f64::from(count)).sum();
                if group == NO_GROUP || frequency <= 0.0 || text_file(graph, posting.document).is_none() {
                    continue;
                }
                if frequencies[group as usize] == 0.0 {
                    touched.push(group);
                }
                frequencies[group as usize] += frequency;
            }
            let importance = term.weight * idf(self.groups, touched.len());
            for group in touched {
                let length = self.lengths[group as usize] / self.mean_length.max(1.0);
                let frequency = std::mem::take(&mut frequencies[group as usize]) / (1.0 - B + B * length);
                scores[group as usize] += importance * frequency / (K1 + frequency);
            }
        }
        let best = scores.iter().copied().fold(0.0, f64::max);
        scores.iter_mut().filter(|score| **score > 0.0).for_each(|score| *score /= best);
        scores
    }
}

/// Returns the file of a symbol whose terms are in its groups' documents; `None` for tests and for symbols without a
/// definition.
fn text_file(graph: &Graph, node: NodeId) -> Option<FileId> {
    let meta = graph.meta(node).filter(|meta| !meta.is_test)?;
    meta.file.filter(|_| !matches!(meta.kind, SymbolKind::External | SymbolKind::Package))
}

/// Returns the number of a symbol's terms in its groups' documents.
fn text_length(graph: &Graph, node: NodeId) -> f64 {
    graph.lengths().sum(node, &LENGTH_COLUMNS)
}
