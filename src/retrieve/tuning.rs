//! Every number of the pipeline that someone would tune, each with its reason. Most values are those of SPEC §6 or of the plain
//! baseline that the benchmark's README describes. The default preset's channel weights and how much support a class needs
//! were chosen on the development tasks, over all of their repositories: tests/eval/EXPERIMENTS.md, 3, 9 and 12. What the
//! presets set apart is a [`Tuning`]; all else is the same for both.

use crate::rank::bm25f::{Bm25fConfig, FieldConfig};
use crate::rank::walk::WalkConfig;

/// Reciprocal-rank fusion's constant (SPEC §6.2).
pub const FUSION_K: f64 = 60.0;
/// Candidates that fusion hands on to seeding.
pub const FUSED_CANDIDATES: usize = 40;
/// Symbols that the lexical channel contributes to fusion.
pub const LEXICAL_CHANNEL: usize = 30;
/// Symbols that the path channel contributes.
pub const PATH_CHANNEL: usize = 30;

/// Files whose history leads somewhere, and symbols that the history channel contributes.
pub const HISTORY_FILES: usize = 10;
pub const HISTORY_CHANNEL: usize = 30;

/// The tiered channel's caps (SPEC §6.2).
pub const EXACT_CAP: usize = 60;
pub const PREFIX_WHILE: usize = 15;
pub const PREFIX_CAP: usize = 30;
pub const COMPONENTS_WHILE: usize = 5;
pub const SUBSTRING_WHILE: usize = 5;
pub const SUBSTRING_CAP: usize = 20;
pub const SUBSTRING_SHORTEST: usize = 4;
/// Each look at a part of a name reads all names, so only this many of a long task's words are looked for.
pub const SUBSTRING_WORDS: usize = 100;
pub const SEGMENT_WHILE: usize = 30;
pub const SEGMENT_CAP: usize = 40;
pub const SEGMENT_SHORTEST: usize = 3;

/// Seeds by the number of symbols: at most this many symbols, this many seeds (SPEC §6.3).
pub const SEED_COUNTS: [(usize, usize); 3] = [(10_000, 15), (40_000, 20), (usize::MAX, 25)];
/// A seed at a 0-based rank restarts with `1 / (1 + slope * rank)`.
pub const SEED_SLOPE: f64 = 0.1;

/// The least flow is a thousandth of what ends the walk. It takes nine tenths of the work on Django, and changed no measure of
/// the 174 development tasks.
pub const WALK: WalkConfig =
    WalkConfig { restart: 0.2, most_iterations: 20, convergence: 1e-3, stable_top: 10, most_hops: 4, least_flow: 1e-6 };
/// What the walk reached less than this is no candidate.
pub const WALK_FLOOR: f64 = 0.02;
pub const PULL_REQUEST_WALK_FLOOR: f64 = 0.05;
/// HITS over this many of the walk's best nodes, this many rounds (SPEC §6.4).
pub const HITS_NODES: usize = 200;
pub const HITS_ITERATIONS: usize = 10;

/// Ranked symbols that are offered to a pack: far beyond what any reader looks at.
pub const OFFERED: usize = 400;

/// How soon more occurrences stop to matter where a field stands alone: a name says a word once.
pub const FIELD_SATURATION: [f64; crate::rank::bm25f::FIELDS] = [0.4, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2];
/// A word as the task has it.
pub const WORD_WEIGHT: f64 = 1.0;
/// Neighboring words joined into an identifier: two words meant as one name.
pub const COMPOUND_WEIGHT: f64 = 0.6;
/// An identifier that the task itself writes, and one in backticks.
pub const IDENTIFIER_WEIGHT: f64 = 1.2;
pub const QUOTED_WEIGHT: f64 = 2.0;
/// How much bearing a name says: one in backticks or quotes, one that the task writes, a plain word that it calls a function
/// or the like, two of its words joined.
pub const NAMED_QUOTED: f64 = 1.0;
pub const NAMED_WRITTEN: f64 = 0.9;
pub const NAMED_CALLED: f64 = 0.7;
pub const NAMED_JOINED: f64 = 0.7;
/// Identifiers in a task at which it surely names code.
pub const IDENTIFIERS_FULL: f64 = 2.0;
/// Terms that more symbols than this share of all have say nothing, and cost most to read.
pub const COMMON_SHARE: f64 = 0.25;
/// So many symbols may have any term.
pub const COMMON_LEAST: usize = 200;

/// The least that the channels of classes together may contribute (SPEC §6.2).
pub const CLASS_CHANNEL_LEAST: usize = 10;
/// Of the symbols that one target of a class names, this many count.
pub const CLASS_DEFINITIONS: usize = 4;
/// The least share of a task's words that a symbol must have for what a class says to count, unless the class is about this
/// very repository.
pub const CLASS_SUPPORT: f64 = 0.125;
/// What remains of a class that only one plain word fires.
pub const CLASS_PLAIN_WORD: f64 = 0.5;
/// How much less each next symbol of strong framework classes leads.
pub const LEAD_SLOPE: f64 = 0.1;
/// For this many of the tiers' best, the names of this many callers and callees are read.
pub const ALIAS_HITS: usize = 10;
pub const ALIAS_NEIGHBORS: usize = 8;

/// The weight in the fusion of what learned words lead to, times the best of their values, and how many symbols count.
pub const LEARNED_WEIGHT: f64 = 2.0;
pub const LEARNED_CHANNEL: usize = 30;

/// How many matching members of a type count in the path channel.
pub const MEMBERS_COUNTED: usize = 3;
/// In-degree at which popularity is full.
pub const POPULARITY_FULL: f64 = 1_000.0;
/// What remains of a test symbol's score when the task is not about tests (SPEC §6.5).
const TEST_FACTOR: f64 = 0.3;

/// So many better ones halve what a place by words is worth (EXPERIMENTS.md, entry 14).
pub const PLACE_K: f64 = 5.0;

/// What the presets set apart.
#[derive(Debug, Clone, Copy)]
pub struct Tuning {
    /// Weights of the channels in the fusion. That of the classes is scaled by the weight of their layer. A channel
    /// without weight takes no part.
    pub tiered_weight: f64,
    pub lexical_weight: f64,
    pub class_weight: f64,
    pub path_weight: f64,
    pub history_weight: f64,
    /// A near-synonym of a word of the task, in the search by words.
    pub synonym_weight: f64,
    /// How the lexical score weighs the columns of the search index, in the order of the columns: symbol name, concepts
    /// (file and folder names), qualified name (scope), signature, file path (only files have one; the concepts bear its
    /// weight for definitions), doc, body, history. Usual lengths are those of ordinary code, in terms.
    pub lexical: Bm25fConfig,
    /// The largest group of candidates in one folder moves to the front of the seeds.
    pub largest_group_first: bool,
    /// In graphs with more symbols than this, types come first among the seeds.
    pub types_first_above: usize,
    /// Restart weight of what the path channel found beyond the seeds; with 0 that starts no walk.
    pub path_restart: f64,
    /// Only what the walk reached, and what strong framework classes lead to, is scored.
    pub walk_decides: bool,
    /// Symbols that words find and that are scored in full.
    pub scored: usize,
    /// Of what the walk alone reached, this many are scored.
    pub walked: usize,
    /// Hubs and authorities count for changed files and pull requests too.
    pub hits_for_changes: bool,
    /// What remains of a test symbol's score when the task is not about tests (SPEC §6.5).
    pub test_factor: f64,
}

/// The best that was found (tests/eval/EXPERIMENTS.md). The fusion weights of SPEC §6.2 start the walk at what merely bears a
/// common word in its name; where words decide, the walk's own component finds more.
pub const DEFAULT: Tuning = Tuning {
    tiered_weight: 0.25,
    lexical_weight: 6.0,
    class_weight: 0.0,
    path_weight: 0.1,
    history_weight: 1.0,
    synonym_weight: 0.0,
    lexical: Bm25fConfig {
        fields: [
            FieldConfig { weight: 5.0, length_penalty: 0.3, usual_length: 3.0 },
            FieldConfig { weight: 1.75, length_penalty: 0.3, usual_length: 4.0 },
            FieldConfig { weight: 2.0, length_penalty: 0.3, usual_length: 3.0 },
            FieldConfig { weight: 1.0, length_penalty: 0.5, usual_length: 10.0 },
            FieldConfig { weight: 0.25, length_penalty: 0.3, usual_length: 8.0 },
            FieldConfig { weight: 2.0, length_penalty: 0.6, usual_length: 20.0 },
            FieldConfig { weight: 0.7, length_penalty: 0.6, usual_length: 60.0 },
            FieldConfig { weight: 0.3, length_penalty: 0.6, usual_length: 100.0 },
        ],
        saturation: 1.2,
    },
    largest_group_first: false,
    types_first_above: usize::MAX,
    path_restart: 0.0,
    walk_decides: false,
    scored: 300,
    walked: 60,
    hits_for_changes: true,
    test_factor: TEST_FACTOR,
};

/// As the documents of the earlier system describe it (SPEC §6.2 to §6.5). Its full-text search knew six columns and one
/// length for all of them; here each has its own, with the same strength of the penalty.
pub const REFERENCE: Tuning = Tuning {
    tiered_weight: 2.0,
    lexical_weight: 2.0,
    class_weight: 2.0,
    path_weight: 1.5,
    history_weight: 0.0,
    synonym_weight: 0.3,
    lexical: Bm25fConfig {
        fields: [
            FieldConfig { weight: 10.0, length_penalty: 0.75, usual_length: 3.0 },
            FieldConfig { weight: 5.0, length_penalty: 0.75, usual_length: 4.0 },
            FieldConfig { weight: 3.0, length_penalty: 0.75, usual_length: 3.0 },
            FieldConfig { weight: 1.0, length_penalty: 0.75, usual_length: 10.0 },
            FieldConfig { weight: 4.0, length_penalty: 0.75, usual_length: 8.0 },
            FieldConfig { weight: 3.0, length_penalty: 0.75, usual_length: 20.0 },
            FieldConfig { weight: 0.0, length_penalty: 0.0, usual_length: 1.0 },
            FieldConfig { weight: 0.0, length_penalty: 0.0, usual_length: 1.0 },
        ],
        saturation: 1.2,
    },
    largest_group_first: true,
    types_first_above: 40_000,
    path_restart: 0.3,
    walk_decides: true,
    scored: 0,
    walked: usize::MAX,
    hits_for_changes: false,
    test_factor: TEST_FACTOR,
};
