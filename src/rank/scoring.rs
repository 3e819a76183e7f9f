//! The linear scoring model: a score is the sum of its components, each a feature times its weight. Score and
//! components are computed together.

use std::sync::LazyLock;

use serde::Deserialize;

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
    weight: f64,
    /// Added in proportion to the query's identifier density.
    #[serde(default)]
    identifiers: f64,
    /// Added for queries whose intent is [`Intent::Locate`].
    #[serde(default)]
    locate: f64,
    /// Replaces `weight` when hubs and authorities are not computed.
    without_hits: Option<f64>,
}

/// Properties of a query that the weights depend on.
#[derive(Debug, Clone, Copy)]
pub struct WeightContext {
    /// From 0 to 1.
    pub identifier_density: f64,
    /// `None` for requests without a text.
    pub intent: Option<Intent>,
    /// Whether hubs and authorities are computed.
    pub has_hits: bool,
}

/// The weights of a preset's features, in the order of its file.
#[derive(Debug, Clone)]
pub struct Weights {
    components: Vec<ComponentWeight>,
}

impl Weights {
    /// Parses an embedded weights file.
    ///
    /// # Panics
    /// When `text` is not valid; a test parses every embedded file.
    pub fn parse_embedded(text: &str) -> Weights {
        let file: WeightsFile = toml::from_str(text).expect("the embedded weights are valid: a test parses them");
        Weights { components: file.component }
    }

    /// Returns the weights of the default preset.
    pub fn default_preset() -> &'static Weights {
        static WEIGHTS: LazyLock<Weights> =
            LazyLock::new(|| Weights::parse_embedded(include_str!("../../seeds/weights.toml")));
        &WEIGHTS
    }

    /// Returns the weight of a feature, 0 for one without a line.
    pub fn get(&self, name: &str, context: WeightContext) -> f64 {
        let component = self.components.iter().find(|component| component.name == name);
        component.map_or(0.0, |component| match component.without_hits {
            Some(weight) if !context.has_hits => weight,
            _ => {
                let locate = if context.intent == Some(Intent::Locate) { component.locate } else { 0.0 };
                component.weight + context.identifier_density * component.identifiers + locate
            }
        })
    }

    /// Returns whether a feature has a line.
    pub fn has(&self, name: &str) -> bool {
        self.components.iter().any(|component| component.name == name)
    }

    /// Removes the line of a feature; returns whether there was one.
    pub fn remove(&mut self, name: &str) -> bool {
        let before = self.components.len();
        self.components.retain(|component| component.name != name);
        self.components.len() < before
    }

    /// Returns the names of the features with a line.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.components.iter().map(|component| component.name.as_str())
    }
}

/// A feature of one symbol: name, weight and value.
pub type WeightedFeature = (&'static str, f64, f64);

/// Returns the score and its components. With `test_factor`, a negative component `test` reduces a positive sum of
/// `features` to that share; `feedback` is not reduced. Components of value 0 are kept for explanations.
pub fn score(
    features: &[WeightedFeature],
    feedback: &[WeightedFeature],
    test_factor: Option<f64>,
) -> (f64, Vec<Component>) {
    let component =
        |&(name, weight, value): &WeightedFeature| Component { name, value, weight, contribution: weight * value };
    let mut components: Vec<Component> = features.iter().map(component).collect();
    let sum: f64 = components.iter().map(|component| component.contribution).sum();
    components.extend(feedback.iter().map(component));
    if let Some(factor) = test_factor {
        let value = -sum.max(0.0);
        let weight = 1.0 - factor;
        components.push(Component { name: "test", value, weight, contribution: value * weight });
    }
    (components.iter().map(|component| component.contribution).sum(), components)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_depend_on_the_query() {
        let text = r#"component = [
            { name = "a", weight = 0.35, without_hits = 0.4 },
            { name = "b", weight = 0.5, identifiers = -0.2, locate = 0.25 },
        ]"#;
        let mut weights = Weights::parse_embedded(text);
        let prose = WeightContext { identifier_density: 0.0, intent: Some(Intent::Explore), has_hits: true };
        assert_eq!([weights.get("a", prose), weights.get("b", prose), weights.get("c", prose)], [0.35, 0.5, 0.0]);
        assert_eq!(weights.get("b", WeightContext { identifier_density: 0.5, ..prose }), 0.4);
        assert_eq!(weights.get("b", WeightContext { intent: Some(Intent::Locate), ..prose }), 0.75);
        assert_eq!(weights.get("a", WeightContext { has_hits: false, ..prose }), 0.4);
        assert!(weights.remove("a") && !weights.remove("a") && weights.has("b"));
    }

    #[test]
    fn components_sum_to_the_score() {
        let (score, components) =
            score(&[("lexical", 1.0, 0.8), ("kind", 0.2, -1.0)], &[("feedback", 0.2, 0.5)], Some(0.3));
        assert!((score - 0.28).abs() < 1e-12); // (0.8 - 0.2) * 0.3 + 0.2 * 0.5
        assert!((components.iter().map(|component| component.contribution).sum::<f64>() - score).abs() < 1e-12);
    }

    #[test]
    fn test_factor_keeps_negative_scores() {
        let (total, _) = score(&[("kind", 1.0, -0.5)], &[], Some(0.3));
        assert_eq!(total, -0.5);
    }
}
