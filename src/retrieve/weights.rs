//! What each component of a score weighs, by preset: data, in `seeds/weights.toml` and `seeds/weights-reference.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::model::Intent;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WeightsFile {
    component: Vec<ComponentWeight>,
}

/// A component's weight.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ComponentWeight {
    name: String,
    weight: f64,
    /// Added in proportion to how far the task names code.
    #[serde(default)]
    identifiers: f64,
    /// Added when the task is one of localization.
    #[serde(default)]
    localization: f64,
    /// In place of `weight` where there are no hubs and authorities.
    without_hits: Option<f64>,
}

/// What a component's weight depends on.
#[derive(Debug, Clone, Copy)]
pub struct Circumstances {
    /// How far the task names code, from 0 to 1.
    pub names_code: f64,
    /// What kind of task it is, where it has words.
    pub kind: Option<Intent>,
    /// Whether hubs and authorities are known.
    pub has_hits: bool,
}

/// The weights of a preset's components, in the order of its file.
#[derive(Debug, Clone)]
pub struct Weights {
    components: Vec<ComponentWeight>,
}

impl Weights {
    /// Those of the default preset.
    pub(super) fn of_default() -> &'static Weights {
        static WEIGHTS: LazyLock<Weights> =
            LazyLock::new(|| Weights::embedded(include_str!("../../seeds/weights.toml")));
        &WEIGHTS
    }

    /// Those of the reference preset.
    pub(super) fn of_reference() -> &'static Weights {
        static WEIGHTS: LazyLock<Weights> =
            LazyLock::new(|| Weights::embedded(include_str!("../../seeds/weights-reference.toml")));
        &WEIGHTS
    }

    fn embedded(text: &str) -> Weights {
        let file: WeightsFile = toml::from_str(text).expect("the embedded weights are valid: a test loads them");
        Weights { components: file.component }
    }

    /// A component's weight; 0 for one that has none.
    pub fn of(&self, component: &str, circumstances: Circumstances) -> f64 {
        let known = self.components.iter().find(|known| known.name == component);
        known.map_or(0.0, |known| match known.without_hits {
            Some(weight) if !circumstances.has_hits => weight,
            _ => {
                let place = if circumstances.kind == Some(Intent::Locate) { known.localization } else { 0.0 };
                known.weight + circumstances.names_code * known.identifiers + place
            }
        })
    }

    /// Whether a component has a line.
    pub fn has(&self, component: &str) -> bool {
        self.components.iter().any(|known| known.name == component)
    }

    /// Takes a component's line out; false where there is none.
    pub(super) fn remove(&mut self, component: &str) -> bool {
        let before = self.components.len();
        self.components.retain(|known| known.name != component);
        self.components.len() < before
    }

    /// The components with a line.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.components.iter().map(|known| known.name.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_follow_the_circumstances() {
        let text = r#"component = [
            { name = "a", weight = 0.35, without_hits = 0.4 },
            { name = "b", weight = 0.5, identifiers = -0.2, localization = 0.25 },
        ]"#;
        let mut weights = Weights::embedded(text);
        let (plain, named) = (Circumstances { names_code: 0.0, kind: Some(Intent::Explore), has_hits: true }, 0.5);
        assert_eq!([weights.of("a", plain), weights.of("b", plain), weights.of("c", plain)], [0.35, 0.5, 0.0]);
        assert_eq!(weights.of("b", Circumstances { names_code: named, ..plain }), 0.4);
        assert_eq!(weights.of("b", Circumstances { kind: Some(Intent::Locate), ..plain }), 0.75);
        assert_eq!(weights.of("a", Circumstances { has_hits: false, ..plain }), 0.4);
        assert!(weights.remove("a") && !weights.remove("a") && weights.has("b"));
    }
}
