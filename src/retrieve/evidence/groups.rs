//! Files, folders and types as documents of all their definitions: a task's words often meet in a file, where no single
//! symbol has them all.

use std::collections::HashMap;

use super::{Column, Sources};
use crate::model::SymbolKind;
use crate::rank::bm25f::{QueryTerm, rarity};
use crate::retrieve::graph::Graph;
use crate::store::SEARCH_COLUMNS;

/// How the columns of the search index count in a group's text. Paths are left out: a file's own words decide.
const WEIGHTS: [f64; SEARCH_COLUMNS] = [2.0, 0.0, 0.0, 0.7, 0.0, 1.0, 0.7, 0.0];
/// Columns that make up a group's length.
const COUNTED: [usize; 4] = [0, 3, 5, 6];
const LENGTH_PENALTY: f64 = 0.6;
const SATURATION: f64 = 1.5;
const NONE: u32 = u32::MAX;

/// Which file, folder and type every symbol belongs to, and how long their texts are. Made once for a graph.
#[derive(Debug, Default)]
pub struct Groups {
    file: Grouping,
    folder: Grouping,
    owner: Grouping,
    files_with_history: usize,
}

/// What a task's words say of groups, by the groups' numbers.
#[derive(Debug, Default)]
pub struct GroupScores {
    file: Vec<f64>,
    folder: Vec<f64>,
    owner: Vec<f64>,
}

/// One way to put symbols into groups.
#[derive(Debug, Default)]
struct Grouping {
    /// Group of each node; [`NONE`] where it has none.
    of_node: Vec<u32>,
    lengths: Vec<f64>,
    mean_length: f64,
    groups: usize,
}

impl Groups {
    /// Linear in the graph's symbols.
    pub fn new(graph: &Graph) -> Groups {
        let nodes = graph.adjacency.nodes() as u32;
        let folders = folders(graph);
        let folder_of = |node: u32| folders.get(graph.head(node)?.file? as usize).copied().flatten();
        let owner_of = |node: u32| {
            let is_type = graph.head(node)?.kind.is_type();
            graph.container(node).or(is_type.then_some(node))
        };
        let history = crate::store::SearchColumn::History as usize;
        let lengths: Vec<Option<u32>> = (0..nodes).map(|node| text_length(graph, node)).collect();
        Groups {
            file: Grouping::new(&lengths, (0..nodes).map(|node| graph.head(node)?.file)),
            folder: Grouping::new(&lengths, (0..nodes).map(folder_of)),
            owner: Grouping::new(&lengths, (0..nodes).map(owner_of)),
            files_with_history: graph.lengths.iter().filter(|lengths| lengths[history] > 0).count(),
        }
    }

    /// What the terms say of each file, folder and type.
    pub fn scores(&self, graph: &Graph, terms: &[QueryTerm]) -> GroupScores {
        let [file, folder, owner] = [&self.file, &self.folder, &self.owner].map(|groups| groups.scores(graph, terms));
        GroupScores { file, folder, owner }
    }

    /// Files that some commit touched.
    pub fn files_with_history(&self) -> usize {
        self.files_with_history
    }
}

/// The number of each file's folder, by the file's id.
fn folders(graph: &Graph) -> Vec<Option<u32>> {
    let mut numbers: HashMap<&str, u32> = HashMap::new();
    let mut folders = Vec::new();
    for (file, path) in graph.files() {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let next = numbers.len() as u32;
        folders.resize(*file as usize + 1, None);
        folders[*file as usize] = Some(*numbers.entry(folder).or_insert(next));
    }
    folders
}

impl Grouping {
    fn new(text_lengths: &[Option<u32>], groups: impl Iterator<Item = Option<u32>>) -> Grouping {
        let of_node: Vec<u32> = groups.map(|group| group.unwrap_or(NONE)).collect();
        let mut lengths = Vec::new();
        for (&group, length) in of_node.iter().zip(text_lengths) {
            let Some(length) = length.filter(|_| group != NONE) else { continue };
            if lengths.len() <= group as usize {
                lengths.resize(group as usize + 1, 0.0);
            }
            lengths[group as usize] += f64::from(length);
        }
        let groups = lengths.iter().filter(|length| **length > 0.0).count();
        let mean_length = lengths.iter().sum::<f64>() / groups.max(1) as f64;
        Grouping { of_node, lengths, mean_length, groups }
    }

    /// BM25 of every group, the best one being 1.
    fn scores(&self, graph: &Graph, terms: &[QueryTerm]) -> Vec<f64> {
        let mut scores = vec![0.0; self.lengths.len()];
        let mut frequencies = vec![0.0; self.lengths.len()];
        for term in terms {
            let mut touched: Vec<u32> = Vec::new();
            for posting in term.postings.iter() {
                let group = self.of_node.get(posting.document as usize).copied().unwrap_or(NONE);
                let frequency: f64 =
                    WEIGHTS.iter().zip(posting.frequencies).map(|(weight, count)| weight * f64::from(count)).sum();
                if group == NONE || frequency <= 0.0 || text_length(graph, posting.document).is_none() {
                    continue;
                }
                if frequencies[group as usize] == 0.0 {
                    touched.push(group);
                }
                frequencies[group as usize] += frequency;
            }
            let importance = term.weight * rarity(self.groups, touched.len());
            for group in touched {
                let length = self.lengths[group as usize] / self.mean_length.max(1.0);
                let frequency =
                    std::mem::take(&mut frequencies[group as usize]) / (1.0 - LENGTH_PENALTY + LENGTH_PENALTY * length);
                scores[group as usize] += importance * frequency / (SATURATION + frequency);
            }
        }
        let best = scores.iter().copied().fold(0.0, f64::max);
        scores.iter_mut().filter(|score| **score > 0.0).for_each(|score| *score /= best);
        scores
    }

    fn column(&self, name: &'static str, scores: &[f64], candidates: &[u32]) -> Column {
        let group = |node: u32| self.of_node.get(node as usize).copied().unwrap_or(NONE);
        super::column(name, candidates, |node| scores.get(group(node) as usize).copied().unwrap_or(0.0))
    }
}

/// Terms of a symbol that count in its groups; none for tests and for what is no definition.
fn text_length(graph: &Graph, node: u32) -> Option<u32> {
    let head = graph.head(node).filter(|head| !head.is_test && head.file.is_some())?;
    if matches!(head.kind, SymbolKind::External | SymbolKind::Package) {
        return None;
    }
    let lengths = graph.lengths.get(node as usize)?;
    Some(COUNTED.iter().fold(0, |sum: u32, column| sum.saturating_add(lengths[*column])))
}

pub(super) const NAMES: [&str; 3] = ["file", "folder", "type_text"];

pub(super) fn columns(sources: &Sources<'_>, candidates: &[u32]) -> Vec<Column> {
    let (groups, scores) = (sources.groups, sources.group_scores);
    let mut type_text = groups.owner.column("type_text", &scores.owner, candidates);
    for (value, node) in type_text.values.iter_mut().zip(candidates) {
        if !sources.graph.head(*node).is_some_and(|head| head.kind.is_type()) {
            *value = 0.0;
        }
    }
    vec![
        groups.file.column("file", &scores.file, candidates),
        groups.folder.column("folder", &scores.folder, candidates),
        type_text,
    ]
}
