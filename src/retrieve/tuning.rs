//! Every number of the pipeline that someone would tune, each with its reason. Nothing here was fitted to a task of the
//! benchmark: the values are those of SPEC §6 or of the plain baseline that the benchmark's README describes.

use crate::rank::bm25f::{Bm25fConfig, FieldConfig};
use crate::rank::walk::WalkConfig;

/// Reciprocal-rank fusion's constant (SPEC §6.2).
pub const FUSION_K: f64 = 60.0;
/// Weights of the channels (SPEC §6.2).
pub const TIERED_WEIGHT: f64 = 2.0;
pub const LEXICAL_WEIGHT: f64 = 2.0;
pub const PATH_WEIGHT: f64 = 1.5;
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

/// Ranked symbols that are scored in full: far beyond what any reader looks at.
pub const SCORED: usize = 400;

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
/// A word as the task has it.
pub const WORD_WEIGHT: f64 = 1.0;
/// Neighbouring words joined into an identifier: two words meant as one name.
pub const COMPOUND_WEIGHT: f64 = 0.6;
/// An identifier that the task itself writes.
pub const IDENTIFIER_WEIGHT: f64 = 1.5;
/// Terms that more symbols than this share of all have say nothing, and cost most to read.
pub const COMMON_SHARE: f64 = 0.25;

/// Weights of the default preset's components. Each value lies between 0 and 1 (or -1 and 0), so a weight is the most a
/// component can add.
pub const WEIGHT_LEXICAL: f64 = 1.0;
pub const WEIGHT_COVERAGE: f64 = 0.25;
pub const WEIGHT_NAMED: f64 = 0.5;
pub const WEIGHT_MEMBERS: f64 = 0.15;
pub const WEIGHT_CONTAINER: f64 = 0.2;
pub const WEIGHT_WALK: f64 = 0.1;
pub const WEIGHT_AUTHORITY: f64 = 0.03;
pub const WEIGHT_POPULARITY: f64 = 0.12;
pub const WEIGHT_COHESION: f64 = 0.06;
pub const WEIGHT_KIND: f64 = 0.15;
/// How many of a type's members count, best first.
pub const MEMBERS_COUNTED: usize = 3;
/// In-degree at which popularity is full.
pub const POPULARITY_FULL: f64 = 1_000.0;
/// What remains of a test symbol's score when the task is not about tests (SPEC §6.5).
pub const TEST_FACTOR: f64 = 0.3;
