//! Candidate generation: the channels that find symbols for a query, their fusion, and the seeds of the walk.
//!
//! One channel per file: [`location`] by path and line, [`tiered`] by name, [`lexical`] by BM25F, [`path`] by folder
//! and file, [`history`] by commit subject, [`concepts`] by concept with [`graph_aliases`], and [`feedback`] by learned
//! term. [`files`] finds the files of paths. [`sole`] (a task that is a name), [`mentions`] (frames, files, tags, commands), [`printed`] (messages), [`past`] (commits), [`cited`] (comments) and [`further`] add candidates without a channel. They read one loaded state of the index: [`graph`], [`groups`] and [`postings`]. Independent of features and their
//! weights.

pub mod cited;
pub mod concepts;
pub mod feedback;
pub mod files;
mod fuse;
pub mod graph;
mod graph_aliases;
pub mod groups;
pub mod history;
mod lengths;
pub mod lexical;
mod literals;
pub mod location;
mod mentions;
pub mod past;
mod path;
mod postings;
mod printed;
pub mod select;
mod sole;
mod targets;
mod further;
mod tiered;
pub mod walk_seeds;

pub use cited::Cited;
pub use concepts::ConceptHit;
pub use feedback::{FeedbackByNode, FeedbackContext};
pub use fuse::{RankedList, fuse};
pub use graph::Graph;
pub use groups::{GroupScores, Groups};
pub use lexical::{Lexical, Term};
pub use mentions::{FramePlace, Mentioned};
pub use past::PastChange;
pub use postings::PostingCache;
pub use select::is_definition;
pub use targets::definitions;
pub use tiered::Tiered;

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use crate::model::NodeId;
use crate::query::{Keywords, Location, Mentions, Message};
use crate::rank::tuning::{self, Tuning};
use crate::store::{Reader, StoreError};

/// Results of one channel.
#[derive(Debug, Clone, PartialEq)]
pub struct Channel {
    pub name: &'static str,
    /// Weight of the channel in the fusion.
    pub weight: f64,
    /// Symbols with the channel's own scores, best first.
    pub found: Vec<(NodeId, f64)>,
}

/// One state of the index, as the channels read it.
#[derive(Clone, Copy)]
pub struct IndexView<'a> {
    pub reader: &'a Reader,
    pub graph: &'a Graph,
    pub groups: &'a Groups,
    pub postings: &'a PostingCache,
    /// The repository's root, for absolute paths in a task.
    pub root: &'a Path,
    /// The packages that its manifests define, for paths of installed copies.
    pub packages: &'a BTreeSet<String>,
}

/// Inputs of candidate generation that depend on the task and its options.
pub struct GenerationOptions<'a> {
    /// The locations that the task names.
    pub locations: &'a [Location],
    /// Mentions of code other than words and locations.
    pub mentions: &'a Mentions,
    pub tuning: &'a Tuning,
    /// Whether files, folders and types are scored as documents, too.
    pub scores_groups: bool,
    /// Whether the task is a question, which gets more candidates.
    pub is_question: bool,
    /// Whether the commits that are like the task are searched.
    pub reads_commits: bool,
    /// Whether the comments that have the words of a question are read.
    pub reads_comments: bool,
    /// The texts of the task that a program may have printed.
    pub printed: &'a [Message],
    /// The name that is all of the task.
    pub sole_name: Option<&'a str>,
}

/// Candidates that depend on the query text only; cached across re-rankings.
#[derive(Default)]
pub struct CandidateSets {
    pub keywords: Keywords,
    pub lexical: Lexical,
    /// Scores of files, folders and types; empty without [`GenerationOptions::scores_groups`].
    pub group_scores: GroupScores,
    /// Definitions with the best lexical scores, best first.
    pub by_words: Vec<NodeId>,
    /// Definitions that are candidates for a single field or for their file; some more than once.
    pub further: Vec<NodeId>,
    pub tiered: Tiered,
    pub path: Vec<NodeId>,
    /// Definitions at the locations of the task, with values from 0 to 1; the most important first.
    pub located: Vec<(NodeId, f64)>,
    pub mentioned: Mentioned,
    /// Definitions that comments with the words of a question cite.
    pub cited: Cited,
    /// Symbols that past commits like the task changed.
    pub past: HashMap<NodeId, PastChange>,
    /// Definitions that print a message of the task, with values from 0 to 1.
    pub printed: HashMap<NodeId, f64>,
    /// Definitions of exactly the name that is all of the task, likeliest first.
    pub sole: Vec<NodeId>,
}

/// Generates the candidates of a query; `None` if `cancelled` returned true.
///
/// # Errors
/// When the store can't be read.
pub fn generate_candidates(
    index: IndexView<'_>,
    keywords: Keywords,
    options: &GenerationOptions<'_>,
    cancelled: &dyn Fn() -> bool,
) -> Result<Option<CandidateSets>, StoreError> {
    let IndexView { reader, graph, groups, .. } = index;
    let tuning = options.tuning;
    let mut lexical = lexical::lexical(index, &keywords, tuning)?;
    let (histories, group_scores) = rayon::join(
        || history::file_scores(graph, groups, &lexical.terms),
        || if options.scores_groups { groups.scores(graph, &lexical.terms) } else { GroupScores::default() },
    );
    lexical.histories = histories;
    if cancelled() {
        return Ok(None);
    }
    let count = tuning.scored.max(tuning::LEXICAL_CHANNEL);
    let test_factor = test_factor(&keywords, tuning);
    let by_words = select::by_words(graph, &lexical.scores, count, test_factor);
    let mut further = further::further_candidates(graph, &lexical, &group_scores, tuning, test_factor);
    if options.is_question {
        further.extend(further::of_question(graph, groups, &group_scores));
    }
    let cited = match options.reads_comments {
        true => cited::cited(reader, graph, &lexical)?,
        false => Cited::default(),
    };
    further.extend(&cited.candidates);
    let past = match options.reads_commits {
        true => past::past_changes(index, &lexical.searched)?,
        false => HashMap::new(),
    };
    further.extend(past::best(graph, &past));
    let printed = printed::printed(index, options.printed, &lexical, keywords.about_tests)?;
    let tiered = tiered::tiered(reader, graph, &keywords)?;
    let matches = |node: NodeId| lexical.scores.get(node).coverage > 0.0;
    let path = path::path(graph, &keywords, &matches);
    let located = location::located(index, options.locations)?;
    let max_score = lexical.scores.importance().max(f64::MIN_POSITIVE);
    let score = |node: NodeId| graph.factor(node, test_factor) * lexical.scores.get(node).score / max_score;
    let mentioned = mentions::mentioned(index, options.mentions, &score)?;
    let sole = options.sole_name.map_or(Ok(Vec::new()), |name| sole::named(reader, graph, name))?;
    Ok(Some(CandidateSets {
        keywords,
        lexical,
        group_scores,
        by_words,
        further,
        tiered,
        path,
        located,
        mentioned,
        cited,
        past,
        printed,
        sole,
    }))
}

/// Returns the factor on the scores of test symbols: 1 for a query about tests.
pub fn test_factor(keywords: &Keywords, tuning: &Tuning) -> f64 {
    if keywords.about_tests { 1.0 } else { tuning.test_factor }
}
