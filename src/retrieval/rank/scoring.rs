//! The scoring models: a score is the sum of its components, each the contribution of a feature. Score and components are
//! computed together.
//!
//! A feature contributes by its learned [`Shape`], or by a constant weight where there is nothing to learn from: votes,
//! use, named locations, and requests without a text.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde::Deserialize;

use super::additive::{RankingModel, Shape};
use crate::model::{Component, Intent};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WeightsFile {
    component: Vec<ComponentWeight>,
}

/// The weight of a feature.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ComponentWeight {
    name: String,
    /// For tasks, and without `changes` for every request.
    weight: f64,
    /// For requests that name changed files or a revision instead of a task.
    changes: Option<f64>,
}

/// The constant weights of features, in the order of their file.
#[derive(Debug, Clone)]
pub struct Weights {
    components: Vec<ComponentWeight>,
}

impl Weights {
    /// Parses an embedded weights file.
    ///
    /// # Panics
    /// When `text` is not valid; a test parses every embedded file.
    fn parse_embedded(text: &str) -> Weights {
        let file: WeightsFile = toml::from_str(text).expect("the embedded weights are valid: a test parses them");
        Weights { components: file.component }
    }
}

/// The contribution of a feature as a function of its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Contribution<'a> {
    Weight(f64),
    Shape(&'a Shape),
}

impl Contribution<'_> {
    /// Returns the component of a feature with this value.
    pub fn component(self, name: &'static str, value: f64) -> Component {
        let contribution = match self {
            Contribution::Weight(weight) => weight * value,
            Contribution::Shape(shape) => shape.at(value),
        };
        Component { name, value, contribution }
    }
}

/// Name of the component that is the same for every symbol: [`super::additive::Shapes::base`].
pub const BASE: &str = "base";

/// The scoring model, without the features that a request leaves out.
#[derive(Debug, Clone)]
pub struct Model {
    weights: &'static Weights,
    shapes: &'static RankingModel,
    without: BTreeSet<String>,
}

impl Model {
    /// Returns the embedded model.
    pub fn embedded() -> Model {
        static WEIGHTS: LazyLock<Weights> =
            LazyLock::new(|| Weights::parse_embedded(include_str!("../../../seeds/weights.toml")));
        Model { weights: &WEIGHTS, shapes: RankingModel::embedded(), without: BTreeSet::new() }
    }

    /// Returns the contribution of a feature; `None` for one that the model lacks. Without an intent, the request has no
    /// text.
    pub fn get(&self, name: &str, intent: Option<Intent>) -> Option<Contribution<'_>> {
        if self.without.contains(name) {
            return None;
        }
        let shapes = intent.map(|intent| self.shapes.shapes(intent));
        if let Some(shape) = shapes.and_then(|shapes| shapes.features.get(name)) {
            return Some(Contribution::Shape(shape));
        }
        let component = self.weights.components.iter().find(|component| component.name == name)?;
        let weight = component.changes.filter(|_| intent.is_none()).unwrap_or(component.weight);
        Some(Contribution::Weight(weight))
    }

    /// Returns the contribution that every symbol has; `None` without an intent.
    pub fn base(&self, intent: Option<Intent>) -> Option<f64> {
        intent.map(|intent| self.shapes.shapes(intent).base)
    }

    /// Returns whether a feature contributes to any request.
    pub fn has(&self, name: &str) -> bool {
        let is_weighed = || self.weights.components.iter().any(|component| component.name == name);
        let is_shaped =
            |model: &RankingModel| Intent::ALL.iter().any(|intent| model.shapes(*intent).features.contains_key(name));
        !self.without.contains(name) && (is_weighed() || is_shaped(self.shapes))
    }

    /// Leaves a feature out; returns whether the model had it.
    pub fn remove(&mut self, name: &str) -> bool {
        self.has(name) && self.without.insert(name.to_owned())
    }

    /// Returns the names of the features, each once.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let shapes = Intent::ALL.map(|intent| self.shapes.shapes(intent));
        let shaped = shapes.into_iter().flat_map(|shapes| shapes.features.keys().map(String::as_str));
        let weighed = self.weights.components.iter().map(|component| component.name.as_str());
        let names: BTreeSet<&str> = shaped.chain(weighed).filter(|name| !self.without.contains(*name)).collect();
        names.into_iter()
    }
}

/// Returns the score and its components. With `test_factor`, a negative component `test` reduces a positive sum of
/// `components` to that share; `feedback` is not reduced. Components of value 0 are kept for explanations.
pub fn score(
    mut components: Vec<Component>,
    feedback: Vec<Component>,
    test_factor: Option<f64>,
) -> (f64, Vec<Component>) {
    let sum: f64 = components.iter().map(|component| component.contribution).sum();
    components.extend(feedback);
    if let Some(factor) = test_factor {
        let value = -sum.max(0.0);
        components.push(Component { name: "test", value, contribution: value * (1.0 - factor) });
    }
    (components.iter().map(|component| component.contribution).sum(), components)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_depend_on_the_request() {
        static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
            let text = r#"component = [{ name = "a", weight = 0.35, changes = 0.4 }, { name = "b", weight = 0.5 }]"#;
            Weights::parse_embedded(text)
        });
        let mut model = Model { weights: &WEIGHTS, ..Model::embedded() };
        let task = Some(Intent::Explore);
        assert_eq!(model.get("a", task), Some(Contribution::Weight(0.35)));
        assert_eq!(model.get("a", None), Some(Contribution::Weight(0.4)));
        assert_eq!((model.get("b", None), model.get("c", task)), (Some(Contribution::Weight(0.5)), None));
        assert!(model.remove("a") && !model.remove("a") && model.has("b") && model.get("a", task).is_none());
        assert!(model.names().any(|name| name == "b") && model.names().all(|name| name != "a"));
    }

    #[test]
    fn a_shape_or_a_weight_turns_a_value_into_a_contribution() {
        let shape = Shape { knots: vec![0.0, 0.5, 1.0], values: vec![0.0, 0.4, 0.5] };
        let of = |contribution: Contribution<'_>| contribution.component("lexical", 0.25).contribution;
        assert_eq!((of(Contribution::Shape(&shape)), of(Contribution::Weight(2.0))), (0.2, 0.5));
    }

    #[test]
    fn components_sum_to_the_score() {
        let of = |name, weight, value| Contribution::Weight(weight).component(name, value);
        let (score, components) =
            score(vec![of("lexical", 1.0, 0.8), of("kind", 0.2, -1.0)], vec![of("feedback", 0.2, 0.5)], Some(0.3));
        assert!((score - 0.28).abs() < 1e-12); // (0.8 - 0.2) * 0.3 + 0.2 * 0.5
        assert!((components.iter().map(|component| component.contribution).sum::<f64>() - score).abs() < 1e-12);
    }

    #[test]
    fn test_factor_keeps_negative_scores() {
        let kind = Contribution::Weight(1.0).component("kind", -0.5);
        assert_eq!(score(vec![kind], Vec::new(), Some(0.3)).0, -0.5);
    }
}
