//! The model and the tuning of a ranking, without the components that a task's options leave out.

use std::collections::BTreeSet;

use crate::model::Options;
use crate::rank::scoring::Model;
use crate::rank::tuning::{self, Tuning};

/// The parameters and the model of a ranking.
#[derive(Debug, Clone)]
pub struct Setup {
    pub(super) tuning: Tuning,
    pub(super) model: Model,
}

/// Names of the channels that can be left out.
const CHANNELS: [&str; 6] =
    ["channel:location", "channel:tiered", "channel:bm25", "channel:path", "channel:equivalence", "channel:history"];
/// The component that reduces the score of tests.
const TEST: &str = "test";

/// A component that the ranking does not have.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the ranking has no component `{component}`; it has {}", .known.join(", "))]
pub struct UnknownComponent {
    component: String,
    known: Vec<String>,
}

impl Setup {
    /// Returns the parameters and the model without the components that `options` leave out.
    ///
    /// # Errors
    /// When `options` leave out a component of an unknown name.
    pub fn new(options: &Options) -> Result<Setup, UnknownComponent> {
        let whole = || Setup { tuning: tuning::DEFAULT, model: Model::embedded() };
        let mut setup = whole();
        match options.without.iter().find(|component| !setup.leave_out(component)) {
            None => Ok(setup),
            Some(component) => Err(UnknownComponent { component: component.clone(), known: whole().components() }),
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

    /// Returns the names of everything that can be left out.
    fn components(&self) -> Vec<String> {
        let names: BTreeSet<&str> = self.model.names().chain([TEST]).collect();
        names.into_iter().chain(CHANNELS).map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap, HashSet};

    use super::*;
    use crate::candidates::{FeedbackByNode, Graph, GroupScores, Groups, Mentioned};
    use crate::features::{FEATURE_GROUPS, FeatureContext, features};
    use crate::query::Keywords;
    use crate::rank::bm25f::Scores;
    use crate::rank::walk::Walk;

    fn setup(without: &[String]) -> Result<Setup, UnknownComponent> {
        Setup::new(&Options { without: without.iter().cloned().collect(), ..Options::default() })
    }

    #[test]
    fn components_are_left_out_by_name() {
        let some = ["body".to_owned(), "channel:bm25".to_owned(), "test".to_owned()];
        let left = setup(&some).unwrap();
        assert!(!left.model.has("body") && left.model.has("named"));
        assert_eq!((left.tuning.lexical_weight, left.tuning.test_factor), (0.0, 1.0));
        let nothing = setup(&setup(&[]).unwrap().components()).unwrap();
        assert_eq!(nothing.model.names().count(), 0);
        let unknown = setup(&["nonsense".to_owned()]).unwrap_err();
        assert!(unknown.to_string().contains("no component `nonsense`; it has area, "), "{unknown}");
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
            cited: &HashMap::new(),
            past: &HashMap::new(),
            printed: &HashMap::new(),
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
            changed: &HashMap::new(),
            test_factor: 1.0,
        };
        let model = Model::embedded();
        let mut named = BTreeSet::new();
        for group in FEATURE_GROUPS {
            let computed: Vec<&str> = (group.compute)(&context, &[]).iter().map(|feature| feature.name).collect();
            assert_eq!(computed, group.names);
            named.extend(computed);
        }
        let features = features(&context, &[], &|name: &str| model.has(name));
        let names: BTreeSet<&str> = features.iter().map(|feature| feature.name).collect();
        assert_eq!(names, model.names().collect::<BTreeSet<&str>>(), "every shape and weight has a feature");
        assert!(names.is_subset(&named));
    }
}
