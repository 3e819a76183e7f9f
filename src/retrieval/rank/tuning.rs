//! The tunable parameters of the pipeline. They were chosen on the development tasks over all repositories
//! (tests/eval/EXPERIMENTS.md, entries 3, 9 and 12). [`Tuning`] has those that leaving out a component changes.

use crate::rank::bm25f::{Bm25fConfig, FIELDS, FieldConfig};
use crate::rank::walk::WalkConfig;

/// The constant k of reciprocal rank fusion, as in the paper.
pub const FUSION_K: f64 = 60.0;
/// Limit of the fused candidates, which may become seeds.
pub const FUSED_CANDIDATES: usize = 40;
/// Limit of the symbols of the lexical channel.
pub const LEXICAL_CHANNEL: usize = 30;
/// Limit of the symbols of the path channel.
pub const PATH_CHANNEL: usize = 30;
/// Limit of the files whose symbols are in the history channel.
pub const HISTORY_FILES: usize = 10;
/// Limit of the symbols of the history channel.
pub const HISTORY_CHANNEL: usize = 30;

// The name tiers: a tier searches the next word while fewer than `…_WHILE` symbols are found by all tiers together, and
// adds symbols until these are `…_CAP`.

/// Limit of the symbols after the tier of exact names, and of the symbols of one name.
pub const EXACT_CAP: usize = 60;
/// Limit of the definitions of a task's only name that are read.
pub const SOLE_CAP: usize = 1_000;
/// Limit of those that come first.
pub const SOLE_FIRST: usize = 10;
/// Number of symbols at which the prefix tier ends.
pub const PREFIX_WHILE: usize = 15;
/// Limit of the symbols after the prefix tier.
pub const PREFIX_CAP: usize = 30;
/// Number of symbols from which single words are not searched as names and prefixes.
pub const COMPONENTS_WHILE: usize = 5;
/// Number of symbols at which the substring tier ends.
pub const SUBSTRING_WHILE: usize = 5;
/// Limit of the symbols after the substring tier.
pub const SUBSTRING_CAP: usize = 20;
/// Minimum length of a word that is searched as a substring.
pub const SUBSTRING_MIN_LEN: usize = 4;
/// Limit of the words that are searched as substrings; each search scans all names.
pub const SUBSTRING_WORDS: usize = 100;
/// Number of symbols at which the tier of path segments ends.
pub const SEGMENT_WHILE: usize = 30;
/// Limit of the symbols after the tier of path segments.
pub const SEGMENT_CAP: usize = 40;
/// Minimum length of a word that is searched as a path segment.
pub const SEGMENT_MIN_LEN: usize = 3;

/// Number of seeds by size of the graph: maximum number of symbols, number of seeds.
pub const SEED_COUNTS: [(usize, usize); 3] = [(10_000, 15), (40_000, 20), (usize::MAX, 25)];
/// The restart weight of the seed at 0-based `rank` is `1 / (1 + slope * rank)`.
pub const SEED_SLOPE: f64 = 0.1;

/// Parameters of the walk. The push threshold is a thousandth of the convergence limit: it saves nine tenths of the
/// work on Django and changes no measure of the 174 development tasks.
pub const WALK: WalkConfig = WalkConfig {
    restart: 0.2,
    max_iterations: 20,
    convergence: 1e-3,
    stable_top: 10,
    max_hops: 4,
    push_threshold: 1e-6,
};
/// Minimum score in the walk for a candidate that only the walk found.
pub const WALK_FLOOR: f64 = 0.02;
/// The same for pull requests.
pub const PULL_REQUEST_WALK_FLOOR: f64 = 0.05;
/// Number of the walk's best nodes among which HITS runs.
pub const HITS_NODES: usize = 200;
/// Number of iterations of HITS.
pub const HITS_ITERATIONS: usize = 10;

/// Limit of the definitions that are candidates because of their file.
pub const FILE_DEFINITIONS: usize = 200;

/// Limit of the ranked symbols that are candidates for a pack.
pub const PACK_CANDIDATES: usize = 400;

/// k1 of single fields. A name contains a term at most once, so its k1 is lower.
pub const FIELD_K1: [f64; FIELDS] = [0.4, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2, 1.2];
/// Weight of a word of the query.
pub const WORD_WEIGHT: f64 = 1.0;
/// Weight of adjacent words joined into an identifier.
pub const COMPOUND_WEIGHT: f64 = 0.6;
/// Weight of an identifier in the query.
pub const IDENTIFIER_WEIGHT: f64 = 1.2;
/// Weight of an identifier in backticks or quotes.
pub const QUOTED_WEIGHT: f64 = 2.0;
/// Weight of the long or short form of a word of the query.
pub const RELATED_WEIGHT: f64 = 0.5;
/// Added to the worth of a part for the confidence in the names in it; the sum is at most 1.
pub const NAMED_WORTH: f64 = 0.25;
/// Value of the `named` feature of a symbol whose name is in the query in backticks or quotes.
pub const NAMED_QUOTED: f64 = 1.0;
/// Value of `named` for an identifier without quotes.
pub const NAMED_WRITTEN: f64 = 0.9;
/// Value of `named` for a plain word followed by a kind of symbol.
pub const NAMED_CALLED: f64 = 0.7;
/// Value of `named` for two adjacent words joined into an identifier.
pub const NAMED_JOINED: f64 = 0.7;
/// Value of `location` for the second definition at a location of the task; the first has 1. With the weight of the
/// feature, no other evidence outweighs the difference.
pub const LOCATION_NEXT: f64 = 0.4;
/// Factor on `location` from one definition to the next.
pub const LOCATION_DECAY: f64 = 0.85;
/// Number of the newest commits that are compared with a task.
pub const PAST_COMMITS: usize = 2_500;
/// Number of the commits most like the task whose symbols are evidence.
pub const PAST_ALIKE: usize = 40;
/// Number of commits that are evidence for one symbol.
pub const PAST_OF_SYMBOL: usize = 5;
/// Limit of the candidates that past commits changed.
pub const PAST_CANDIDATES: usize = 40;
/// Limit of the candidates in frames of a task's traces.
pub const FRAME_CANDIDATES: usize = 60;
/// Limit of the candidates in files that a task mentions.
pub const PATH_CANDIDATES: usize = 80;
/// Limit of the candidates in files with the name of a tag.
pub const TAG_CANDIDATES: usize = 80;
/// Limit of the candidates in the area of a subject.
pub const AREA_CANDIDATES: usize = 80;
/// Limit of the candidates with the name of a command.
pub const COMMAND_CANDIDATES: usize = 20;
/// Limit of the candidates with a dotted name of the task.
pub const DOTTED_CANDIDATES: usize = 60;
/// Added to the lexical score of mentioned symbols, so that those without a word of the task are ordered, too.
pub const MENTION_FLOOR: f64 = 0.05;
/// Number of packages up to which the name of each counts as that of the repository.
pub const OWN_NAMES: usize = 3;
/// Share of all symbols above which a term is not searched: it discriminates little, and its posting list is long.
pub const COMMON_SHARE: f64 = 0.25;
/// Number of symbols up to which a term is searched whatever its share.
pub const COMMON_MIN: usize = 200;

/// Minimum cap of the symbols of all concept channels together.
pub const CONCEPT_CHANNEL_MIN: usize = 10;
/// Limit of the symbols of one target of a concept.
pub const CONCEPT_DEFINITIONS: usize = 4;
/// Minimum share of the query's terms in a symbol for a hit of a concept that is not specific to this repository.
pub const CONCEPT_SUPPORT: f64 = 0.125;
/// Factor on concepts that match by one plain word.
pub const CONCEPT_PLAIN_WORD: f64 = 0.5;
/// Decrease of the `framework` feature from one leading symbol to the next.
pub const LEAD_SLOPE: f64 = 0.1;
/// Number of symbols of the name tiers whose callers and callees are read for aliases.
pub const ALIAS_HITS: usize = 10;
/// Limit of the callers and callees that are read for each.
pub const ALIAS_NEIGHBORS: usize = 8;

/// Weight of the learned channel in the fusion, which is multiplied by the best of its values.
pub const LEARNED_WEIGHT: f64 = 2.0;
/// Limit of the symbols of the learned channel.
pub const LEARNED_CHANNEL: usize = 30;

/// Limit of the matching members of a type that its rank in the path channel depends on.
pub const MEMBERS_COUNTED: usize = 3;
/// Users of a symbol at which the `popularity` feature is 1.
pub const POPULARITY_FULL: f64 = 1_000.0;
/// Factor on the score of a test when the query is not about tests.
pub const TEST_FACTOR: f64 = 0.3;

/// The constant k of the reciprocal rank features: the 0-based rank at which they are one half (EXPERIMENTS.md, entry
/// 14).
pub const RECIPROCAL_RANK_K: f64 = 5.0;

/// The parameters that change when a component is left out, and those that go with them.
#[derive(Debug, Clone, Copy)]
pub struct Tuning {
    /// Weights of the channels in the fusion; 0 disables a channel. That of the concepts is multiplied by the weight of
    /// their layer.
    pub location_weight: f64,
    pub tiered_weight: f64,
    pub lexical_weight: f64,
    pub concept_weight: f64,
    pub path_weight: f64,
    pub history_weight: f64,
    /// Parameters of BM25F. The fields are in the order of the search index: symbol name, concepts (file and folder
    /// names), qualified name (scope), signature, file path (files only), doc, body, history. Average lengths are those
    /// of ordinary code, in terms.
    pub lexical: Bm25fConfig,
    /// Restart weight of symbols of the path channel that are not among the seeds otherwise; 0 to leave them out.
    pub path_restart: f64,
    /// Limit of the symbols that are candidates because of their lexical score.
    pub scored: usize,
    /// Limits of the symbols that are candidates because of their name alone, their body alone, and the subject alone.
    pub by_field: usize,
    pub by_subject: usize,
    /// Number of the files with the best scores whose definitions are candidates.
    pub scored_files: usize,
    /// Limit of the symbols that are candidates because of the walk.
    pub walked: usize,
    /// Factor on the score of a test when the query is not about tests.
    pub test_factor: f64,
}

/// The best configuration found (tests/eval/EXPERIMENTS.md). The lexical channel dominates the
/// fusion: high weights for the name tiers start the walk at symbols that merely have a common word in their name.
pub const DEFAULT: Tuning = Tuning {
    location_weight: 12.0,
    tiered_weight: 0.25,
    lexical_weight: 6.0,
    concept_weight: 0.0,
    path_weight: 0.1,
    history_weight: 1.0,
    lexical: Bm25fConfig {
        fields: [
            FieldConfig { weight: 5.0, b: 0.3, avg_len: 3.0 },
            FieldConfig { weight: 1.75, b: 0.3, avg_len: 4.0 },
            FieldConfig { weight: 2.0, b: 0.3, avg_len: 3.0 },
            FieldConfig { weight: 1.0, b: 0.5, avg_len: 10.0 },
            FieldConfig { weight: 0.25, b: 0.3, avg_len: 8.0 },
            FieldConfig { weight: 2.0, b: 0.6, avg_len: 20.0 },
            FieldConfig { weight: 0.7, b: 0.6, avg_len: 60.0 },
            FieldConfig { weight: 0.3, b: 0.6, avg_len: 100.0 },
        ],
        k1: 1.2,
    },
    path_restart: 0.0,
    scored: 400,
    by_field: 80,
    by_subject: 100,
    scored_files: 5,
    walked: 60,
    test_factor: TEST_FACTOR,
};
