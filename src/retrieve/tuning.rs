//! Every number of the pipeline that someone would tune, each with its reason. Nothing here was fitted to a task of the
//! benchmark: the values are those of SPEC §6 or of the plain baseline that the benchmark's README describes.

use crate::rank::bm25f::{Bm25fConfig, FieldConfig};
use crate::rank::walk::WalkConfig;

/// Reciprocal-rank fusion's constant (SPEC §6.2).
pub const FUSION_K: f64 = 60.0;
/// Weights of the channels. Those of SPEC §6.2 (2.0, 2.0, 1.5) start the walk at what merely bears a common word in its
/// name; where words decide, the walk's own component finds more (tests/eval/EXPERIMENTS.md).
pub const TIERED_WEIGHT: f64 = 0.25;
pub const LEXICAL_WEIGHT: f64 = 6.0;
pub const PATH_WEIGHT: f64 = 0.1;
/// Candidates that fusion hands on to seeding.
pub const FUSED_CANDIDATES: usize = 40;
/// Symbols that the lexical channel contributes to fusion.
pub const LEXICAL_CHANNEL: usize = 30;
/// Symbols that the path channel contributes.
pub const PATH_CHANNEL: usize = 30;

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

pub const WALK: WalkConfig =
    WalkConfig { restart: 0.2, most_iterations: 20, convergence: 1e-3, stable_top: 10, most_hops: 4 };
/// What the walk reached less than this is no candidate.
pub const WALK_FLOOR: f64 = 0.02;
pub const PULL_REQUEST_WALK_FLOOR: f64 = 0.05;
/// HITS over this many of the walk's best nodes, this many rounds (SPEC §6.4).
pub const HITS_NODES: usize = 200;
pub const HITS_ITERATIONS: usize = 10;

/// Symbols that words find and that are scored in full, and ranked ones that are offered to a pack: far beyond what any
/// reader looks at.
pub const SCORED: usize = 300;
pub const OFFERED: usize = 400;
/// Of what the walk alone reached, this many are scored.
pub const WALKED: usize = 60;

/// How the lexical score weighs the columns of the search index, in the order of the columns: symbol name, concepts
/// (file and folder names), qualified name (scope), signature, file path (only files have one; the concepts bear its
/// weight for definitions), doc, body, history. Usual lengths are those of ordinary code, in terms.
pub const LEXICAL: Bm25fConfig = Bm25fConfig {
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
};
/// How soon more occurrences stop to matter where a field stands alone: a name says a word once.
pub const FIELD_SATURATION: [f64; crate::rank::bm25f::FIELDS] = [0.4, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2];
/// A word as the task has it.
pub const WORD_WEIGHT: f64 = 1.0;
/// Neighbouring words joined into an identifier: two words meant as one name.
pub const COMPOUND_WEIGHT: f64 = 0.6;
/// An identifier that the task itself writes, and one in backticks.
pub const IDENTIFIER_WEIGHT: f64 = 1.2;
pub const QUOTED_WEIGHT: f64 = 2.0;
/// How much bearing a name says: one in backticks, one that the task writes, two of its words joined.
pub const NAMED_QUOTED: f64 = 1.0;
pub const NAMED_WRITTEN: f64 = 0.9;
pub const NAMED_JOINED: f64 = 0.7;
/// Identifiers in a task at which it surely names code.
pub const IDENTIFIERS_FULL: f64 = 2.0;
/// Terms that more symbols than this share of all have say nothing, and cost most to read.
pub const COMMON_SHARE: f64 = 0.25;

/// The weight in the fusion of what classes lead to, times the weight of their layer, and the least that their channels
/// together may contribute (SPEC §6.2).
pub const CLASS_WEIGHT: f64 = 0.0;
pub const CLASS_CHANNEL_LEAST: usize = 10;
/// Of the symbols that one target of a class names, this many count.
pub const CLASS_DEFINITIONS: usize = 4;
/// What remains of a class that only one plain word fires.
pub const CLASS_PLAIN_WORD: f64 = 0.5;
/// How much less each next symbol of strong framework classes leads.
pub const LEAD_SLOPE: f64 = 0.1;
/// For this many of the tiers' best, the names of this many callers and callees are read.
pub const ALIAS_HITS: usize = 10;
pub const ALIAS_NEIGHBOURS: usize = 8;
/// A near-synonym of a word of the task.
pub const SYNONYM_WEIGHT: f64 = 0.0;

/// The weight in the fusion of what learned words lead to, times the best of their values, and how many symbols count.
pub const LEARNED_WEIGHT: f64 = 2.0;
pub const LEARNED_CHANNEL: usize = 30;

/// How many matching members of a type count in the path channel.
pub const MEMBERS_COUNTED: usize = 3;
/// In-degree at which popularity is full.
pub const POPULARITY_FULL: f64 = 1_000.0;
/// What remains of a test symbol's score when the task is not about tests (SPEC §6.5).
pub const TEST_FACTOR: f64 = 0.3;
