//! The reference preset (`--preset reference`): the ranking that the published documents of an earlier system describe,
//! for comparison. It has its own features, tuning and order of the seeds, and searches near-synonyms from a thesaurus.
//! Everything that only this preset uses is in this folder; only `setup` imports it.

mod features;
mod seed_order;
mod thesaurus;

use std::sync::LazyLock;

use super::setup::PresetRules;
use crate::features::FeatureGroup;
use crate::rank::bm25f::{Bm25fConfig, FieldConfig};
use crate::rank::scoring::Weights;
use crate::rank::tuning::{TEST_FACTOR, Tuning};

/// The parameters of the documents. Their full-text search has six columns with a common average length; here each
/// column has its own, with the same `b`.
pub const TUNING: Tuning = Tuning {
    location_weight: 0.0,
    tiered_weight: 2.0,
    lexical_weight: 2.0,
    concept_weight: 2.0,
    path_weight: 1.5,
    history_weight: 0.0,
    synonym_weight: 0.3,
    lexical: Bm25fConfig {
        fields: [
            FieldConfig { weight: 10.0, b: 0.75, avg_len: 3.0 },
            FieldConfig { weight: 5.0, b: 0.75, avg_len: 4.0 },
            FieldConfig { weight: 3.0, b: 0.75, avg_len: 3.0 },
            FieldConfig { weight: 1.0, b: 0.75, avg_len: 10.0 },
            FieldConfig { weight: 4.0, b: 0.75, avg_len: 8.0 },
            FieldConfig { weight: 3.0, b: 0.75, avg_len: 20.0 },
            FieldConfig { weight: 0.0, b: 0.0, avg_len: 1.0 },
            FieldConfig { weight: 0.0, b: 0.0, avg_len: 1.0 },
        ],
        k1: 1.2,
    },
    path_restart: 0.3,
    only_walked: true,
    scored: 0,
    by_field: 0,
    by_subject: 0,
    scored_files: 0,
    walked: usize::MAX,
    hits_for_changes: false,
    test_factor: TEST_FACTOR,
};

/// The rules of the preset that are not numbers.
pub static RULES: PresetRules = PresetRules {
    feature_groups: &[FeatureGroup { names: &features::NAMES, compute: features::features }],
    reorder_seeds: seed_order::reorder,
    synonyms: thesaurus::synonyms,
};

/// Returns the weights of the documents.
pub fn weights() -> &'static Weights {
    static WEIGHTS: LazyLock<Weights> =
        LazyLock::new(|| Weights::parse_embedded(include_str!("../../../../../seeds/weights-reference.toml")));
    &WEIGHTS
}
