//! The selection of a preset, and of components to leave out for ablation. The only file that imports the reference
//! preset.

use std::collections::BTreeSet;

use super::reference;
use crate::candidates::walk_seeds::SeedOrder;
use crate::concepts::Vocabulary;
use crate::features::FeatureGroup;
use crate::model::{Options, Preset};
use crate::query::Keywords;
use crate::rank::scoring::Model;
use crate::rank::tuning::{self, Tuning};

/// The parameters, model and rules of a preset.
#[derive(Debug, Clone)]
pub struct Setup {
    pub preset: Preset,
    pub(super) tuning: Tuning,
    pub(super) model: Model,
    pub(super) rules: &'static PresetRules,
}

/// Rules of a preset that are not numbers.
#[derive(Debug)]
pub(super) struct PresetRules {
    /// Groups of features in addition to those of every preset.
    pub feature_groups: &'static [FeatureGroup],
    pub reorder_seeds: SeedOrder,
    /// Returns the terms to search in addition to those of the query.
    pub synonyms: fn(&Vocabulary, &Keywords) -> Vec<String>,
}

/// The rules of the default preset, which has none beyond the pipeline's.
static DEFAULT_RULES: PresetRules =
    PresetRules { feature_groups: &[], reorder_seeds: |_, _| (), synonyms: |_, _| Vec::new() };

/// Names of the channels that can be left out.
const CHANNELS: [&str; 6] =
    ["channel:location", "channel:tiered", "channel:bm25", "channel:path", "channel:equivalence", "channel:history"];
/// The component that reduces the score of tests.
const TEST: &str = "test";

/// A component that a preset does not have.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {preset} preset has no component `{component}`; it has {}", .known.join(", "))]
pub struct UnknownComponent {
    component: String,
    preset: Preset,
    known: Vec<String>,
}

impl Setup {
    /// Prepares the preset of `options`.
    ///
    /// # Errors
    /// When `options` leave out a component that the preset does not have.
    pub fn new(options: &Options) -> Result<Setup, UnknownComponent> {
        let preset = options.preset;
        let mut setup = match preset {
            Preset::Default => {
                Setup { preset, tuning: tuning::DEFAULT, model: Model::default_preset(), rules: &DEFAULT_RULES }
            }
            Preset::Reference => Setup {
                preset,
                tuning: reference::TUNING,
                model: Model::linear(reference::weights()),
                rules: &reference::RULES,
            },
        };
        match options.without.iter().find(|component| !setup.leave_out(component)) {
            None => Ok(setup),
            Some(component) => {
                Err(UnknownComponent { component: component.clone(), preset, known: components(preset)? })
            }
        }
    }

    /// Leaves a component out; returns whether there is one of this name.
    fn leave_out(&mut self, component: &str) -> bool {
        let tuning = &mut self.tuning;
        match component {
            "channel:location" => tuning.location_weight = 0.0,
            "channel:tiered" => tuning.tiered_weight = 0.0,
            "channel:bm25" => tuning.lexical_weight = 0.0,
            "channel:path" => (tuning.path_weight, tuning.path_restart) = (0.0, 0.0),
            "channel:equivalence" => tuning.concept_weight = 0.0,
            "channel:history" => tuning.history_weight = 0.0,
            TEST => {
                tuning.test_factor = 1.0;
                self.model.remove(TEST);
            }
            feature => return self.model.remove(feature),
        }
        true
    }
}

/// Returns the names of everything that can be left out of a preset.
fn components(preset: Preset) -> Result<Vec<String>, UnknownComponent> {
    let setup = Setup::new(&Options { preset, ..Options::default() })?;
    let names: BTreeSet<&str> = setup.model.names().chain([TEST]).collect();
    Ok(names.into_iter().chain(CHANNELS).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap, HashSet};

    use super::*;
    use crate::candidates::{FeedbackByNode, Graph, GroupScores, Groups, Mentioned};
    use crate::features::{FEATURE_GROUPS, FeatureContext, features};
    use crate::rank::bm25f::Scores;
    use crate::rank::walk::Walk;

    fn setup(preset: Preset, without: &[String]) -> Result<Setup, UnknownComponent> {
        Setup::new(&Options { preset, without: without.iter().cloned().collect(), ..Options::default() })
    }

    #[test]
    fn components_are_left_out_by_name() {
        let some = ["body".to_owned(), "channel:bm25".to_owned(), "test".to_owned()];
        let left = setup(Preset::Default, &some).unwrap();
        assert!(!left.model.has("body") && left.model.has("name"));
        assert_eq!((left.tuning.lexical_weight, left.tuning.test_factor), (0.0, 1.0));
        for preset in Preset::ALL {
            let nothing = setup(preset, &components(preset).unwrap()).unwrap();
            assert_eq!(nothing.model.names().count(), 0);
        }
        let unknown = setup(Preset::Reference, &some).unwrap_err();
        assert!(unknown.to_string().contains("no component `body`; it has blast_radius, "), "{unknown}");
    }

    #[test]
    fn every_feature_is_named_and_what_contributes_has_a_feature() {
        let context = FeatureContext {
            graph: &Graph::default(),
            groups: &Groups::default(),
            keywords: &Keywords::default(),
            terms: &[],
            lexical: &Scores::default(),
            subject: None,
            histories: &HashMap::new(),
            group_scores: &GroupScores::default(),
            names: &HashMap::new(),
            named: &HashMap::new(),
            exact: &HashSet::new(),
            located: &HashMap::new(),
            mentioned: &Mentioned::default(),
            concepts: &HashMap::new(),
            own_concepts: &HashMap::new(),
            leads: &HashMap::new(),
            feedback: &FeedbackByNode::default(),
            walk: &Walk::default(),
            hits: &HashMap::new(),
            by_words: &[],
            best_score: 1.0,
            seeds: &[],
            ages: &HashMap::new(),
            changed: &HashMap::new(),
            counts_callers: false,
            test_factor: 1.0,
        };
        for preset in Preset::ALL {
            let Setup { model, rules, .. } = setup(preset, &[]).unwrap();
            let mut named = BTreeSet::new();
            for group in FEATURE_GROUPS.iter().chain(rules.feature_groups) {
                let computed: Vec<&str> = (group.compute)(&context, &[]).iter().map(|feature| feature.name).collect();
                assert_eq!(computed, group.names);
                named.extend(computed);
            }
            let features = features(&context, &[], rules.feature_groups, &|name: &str| model.has(name));
            let names: BTreeSet<&str> = features.iter().map(|feature| feature.name).collect();
            assert_eq!(
                names,
                model.names().collect::<BTreeSet<&str>>(),
                "{preset}: every shape and weight has a feature"
            );
            assert!(names.is_subset(&named));
        }
    }
}
