//! Definitions that BM25F over the whole text ranks too low: those with the best name, body or match of the subject, and
//! those of the best files. They add candidates, and no channel to the fusion.

use super::{Graph, GroupScores, Groups, Lexical, select};
use crate::model::NodeId;
use crate::rank::bm25f::{QueryTerm, best, field_scores};
use crate::rank::tuning::{self, Tuning};
use crate::store::SearchColumn;

/// Returns further candidates of a query; a definition may occur more than once. Linear in the postings.
pub fn further_candidates(
    graph: &Graph,
    lexical: &Lexical,
    groups: &GroupScores,
    tuning: &Tuning,
    test_factor: f64,
) -> Vec<NodeId> {
    let mut found = Vec::new();
    let best = |field| best_by_field(graph, &lexical.terms, field, tuning.by_field, test_factor);
    let (names, bodies) = rayon::join(|| best(SearchColumn::SymbolName), || best(SearchColumn::Body));
    found.extend(names.into_iter().chain(bodies));
    if let Some(subject) = &lexical.subject {
        found.extend(select::by_words(graph, subject, tuning.by_subject, test_factor));
    }
    let files = groups.best_files(graph, tuning.scored_files);
    let of_files = files.iter().flat_map(|file| graph.nodes_in_file(*file)).copied();
    let mut of_files: Vec<NodeId> = of_files.filter(|node| select::is_candidate(graph, *node)).collect();
    let score = |node: NodeId| lexical.scores.get(node).score;
    let tie = |node: NodeId| (graph.id_prefix(node), node);
    of_files.sort_unstable_by(|one, two| score(*two).total_cmp(&score(*one)).then(tie(*one).cmp(&tie(*two))));
    found.extend(of_files.into_iter().take(tuning::FILE_DEFINITIONS));
    found
}

/// Limits of the candidates of a question by each kind of evidence.
const TYPES: usize = 60;
const OF_FOLDERS: usize = 60;
const OF_FOLDER: usize = 12;

/// Returns more candidates for a question, whose words are often not those of the code: the types that match with their
/// members, and those that are used most in the folders that match.
pub fn of_question(graph: &Graph, groups: &Groups, scores: &GroupScores) -> Vec<NodeId> {
    let mut found = scores.best_types(graph, groups, TYPES);
    found.extend(scores.types_of_folders(graph, groups, OF_FOLDER, OF_FOLDERS));
    found
}

/// Returns the `count` definitions whose field has the best score alone; the scores of tests are multiplied by
/// `test_factor`.
fn best_by_field(
    graph: &Graph,
    terms: &[QueryTerm],
    field: SearchColumn,
    count: usize,
    test_factor: f64,
) -> Vec<NodeId> {
    if count == 0 {
        return Vec::new();
    }
    let lengths = |node: NodeId| graph.lengths().get(node);
    let scores =
        field_scores(terms, graph.symbols(), &tuning::DEFAULT.lexical, &tuning::FIELD_K1, field as usize, lengths);
    let candidates = scores.into_iter().filter(|(node, _)| select::is_candidate(graph, *node));
    let scored = candidates.map(|(node, score)| (score * graph.factor(node, test_factor), graph.id_prefix(node), node));
    best(scored.collect(), count)
}
