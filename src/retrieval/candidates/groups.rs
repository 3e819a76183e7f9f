//! BM25 over files, folders and types, each a document of all its definitions. The terms of a query often occur
//! together in one file without occurring together in one symbol.

use std::collections::HashMap;

use super::Graph;
use crate::model::{FileId, NodeId, SymbolKind};
use crate::rank::bm25f::{QueryTerm, best, idf};
use crate::store::{SEARCH_COLUMNS, SearchColumn};
use crate::text::parent_dir;

/// Weights of the columns of the search index in a group's document. Paths have none: only a file's own terms count.
const WEIGHTS: [f64; SEARCH_COLUMNS] = [2.0, 0.0, 0.0, 0.7, 0.0, 1.0, 0.7, 0.0];
/// Columns whose terms count in the length of a group's document.
const LENGTH_COLUMNS: [usize; 4] = [0, 3, 5, 6];
/// BM25's parameters: length normalization and term frequency saturation.
const B: f64 = 0.6;
const K1: f64 = 1.5;
/// Number of a file, folder or type as a group: a file id, a folder's number or a type's node.
type GroupId = u32;
/// The group of a node without one.
const NO_GROUP: GroupId = u32::MAX;

/// The file, folder and type of every symbol, with the lengths of their documents. Built once for a graph.
#[derive(Debug, Default)]
pub struct Groups {
    file: Grouping,
    folder: Grouping,
    owner: Grouping,
    files_with_history: usize,
}

/// Scores of a query for files, folders and types, by group number; the best of each is 1.
#[derive(Debug, Default)]
pub struct GroupScores {
    file: Vec<f64>,
    folder: Vec<f64>,
    owner: Vec<f64>,
}

/// One partition of the symbols into groups.
#[derive(Debug, Default)]
struct Grouping {
    /// Group of each node, or [`NO_GROUP`].
    of_node: Vec<GroupId>,
    lengths: Vec<f64>,
    mean_length: f64,
    groups: usize,
}

impl Groups {
    /// Groups the symbols of a graph. Linear in their number.
    pub fn new(graph: &Graph) -> Groups {
        let nodes = NodeId::sequence().take(graph.nodes());
        let folders = folders(graph);
        let folder_of = |node: NodeId| folders.get(graph.meta(node)?.file?.index()).copied().flatten();
        let owner_of = |node: NodeId| {
            let is_type = graph.meta(node)?.kind.is_type();
            graph.container(node).or(is_type.then_some(node)).map(NodeId::get)
        };
        let history = SearchColumn::History as usize;
        let lengths: Vec<Option<u32>> = nodes.clone().map(|node| text_length(graph, node)).collect();
        Groups {
            file: Grouping::new(&lengths, nodes.clone().map(|node| graph.meta(node)?.file.map(FileId::get))),
            folder: Grouping::new(&lengths, nodes.clone().map(folder_of)),
            owner: Grouping::new(&lengths, nodes.map(owner_of)),
            files_with_history: graph.lengths().iter().filter(|lengths| lengths[history] > 0).count(),
        }
    }

    /// Returns the BM25 scores of every file, folder and type.
    pub fn scores(&self, graph: &Graph, terms: &[QueryTerm]) -> GroupScores {
        let scores = |groups: &Grouping| groups.scores(graph, terms);
        let (file, (folder, owner)) =
            rayon::join(|| scores(&self.file), || rayon::join(|| scores(&self.folder), || scores(&self.owner)));
        GroupScores { file, folder, owner }
    }

    /// Returns the number of files with commits.
    pub fn files_with_history(&self) -> usize {
        self.files_with_history
    }
}

/// Returns the number of each file's folder, by the file's id.
fn folders(graph: &Graph) -> Vec<Option<GroupId>> {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut folders = Vec::new();
    for (file, path) in graph.files() {
        let folder = parent_dir(path);
        let next = numbers.len() as u32;
        folders.resize(file.index() + 1, None);
        folders[file.index()] = Some(*numbers.entry(folder).or_insert(next));
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
    pub fn best_types(&self, graph: &Graph, count: usize) -> Vec<NodeId> {
        let types = NodeId::sequence().zip(&self.owner).filter(|(_, score)| **score > 0.0);
        best(types.map(|(node, score)| (*score, graph.id_prefix(node), node)).collect(), count)
    }

    /// Returns the types that are used most in the folders with the best scores: `each` of a folder, `count` in all.
    pub fn types_of_folders(&self, graph: &Graph, groups: &Groups, each: usize, count: usize) -> Vec<NodeId> {
        let is_public = |node: NodeId| graph.meta(node).is_some_and(|meta| meta.kind.is_type() && !meta.is_test);
        let of_folder = |node: NodeId| self.folder(groups, node);
        let types = NodeId::sequence().take(graph.nodes()).filter(|node| is_public(*node));
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
            let found = folders.entry(groups.folder.of_node[node.index()]).or_default();
            *found += 1;
            *found <= each
        });
        types.into_iter().take(count).map(|(.., node)| node).collect()
    }

    /// Returns the score of a symbol's file.
    pub fn file(&self, groups: &Groups, node: NodeId) -> f64 {
        groups.file.score(&self.file, node)
    }

    /// Returns the score of a symbol's folder.
    pub fn folder(&self, groups: &Groups, node: NodeId) -> f64 {
        groups.folder.score(&self.folder, node)
    }

    /// Returns the score of a type, or of a member's type.
    pub fn owner(&self, groups: &Groups, node: NodeId) -> f64 {
        groups.owner.score(&self.owner, node)
    }
}

impl Grouping {
    fn score(&self, scores: &[f64], node: NodeId) -> f64 {
        let group = self.of_node.get(node.index()).copied().unwrap_or(NO_GROUP);
        scores.get(group as usize).copied().unwrap_or(0.0)
    }

    fn new(text_lengths: &[Option<u32>], groups: impl Iterator<Item = Option<GroupId>>) -> Grouping {
        let of_node: Vec<GroupId> = groups.map(|group| group.unwrap_or(NO_GROUP)).collect();
        let mut lengths = Vec::new();
        for (&group, length) in of_node.iter().zip(text_lengths) {
            let Some(length) = length.filter(|_| group != NO_GROUP) else { continue };
            if lengths.len() <= group as usize {
                lengths.resize(group as usize + 1, 0.0);
            }
            lengths[group as usize] += f64::from(length);
        }
        let groups = lengths.iter().filter(|length| **length > 0.0).count();
        let mean_length = lengths.iter().sum::<f64>() / groups.max(1) as f64;
        Grouping { of_node, lengths, mean_length, groups }
    }

    /// Returns the BM25 score of every group, scaled so that the best is 1.
    fn scores(&self, graph: &Graph, terms: &[QueryTerm]) -> Vec<f64> {
        let mut scores = vec![0.0; self.lengths.len()];
        let mut frequencies = vec![0.0; self.lengths.len()];
        for term in terms {
            let mut touched: Vec<GroupId> = Vec::new();
            for posting in term.postings.iter() {
                let group = self.of_node.get(posting.document.index()).copied().unwrap_or(NO_GROUP);
                let frequency: f64 =
                    WEIGHTS.iter().zip(posting.frequencies).map(|(weight, count)| weight * f64::from(count)).sum();
                if group == NO_GROUP || frequency <= 0.0 || text_length(graph, posting.document).is_none() {
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

/// Returns the number of a symbol's terms in its groups' documents; `None` for tests and for symbols without a
/// definition.
fn text_length(graph: &Graph, node: NodeId) -> Option<u32> {
    let meta = graph.meta(node).filter(|meta| !meta.is_test && meta.file.is_some())?;
    if matches!(meta.kind, SymbolKind::External | SymbolKind::Package) {
        return None;
    }
    let lengths = graph.lengths().get(node);
    Some(LENGTH_COLUMNS.iter().fold(0, |sum: u32, column| sum.saturating_add(lengths[*column])))
}
