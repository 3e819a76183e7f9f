//! The weights of the default preset: data, in `seeds/weights.toml`.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

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
    identifiers: f64,
}

/// The weights of every component, by name.
#[derive(Debug)]
pub struct Weights {
    components: HashMap<String, ComponentWeight>,
}

impl Weights {
    /// The embedded weights.
    pub fn embedded() -> &'static Weights {
        static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| {
            let file: WeightsFile = toml::from_str(include_str!("../../seeds/weights.toml"))
                .expect("the embedded weights are valid: a test loads them");
            Weights { components: file.component.into_iter().map(|weight| (weight.name.clone(), weight)).collect() }
        });
        &WEIGHTS
    }

    /// A component's weight for a task that names code this much, from 0 to 1; 0 for one that has none.
    pub fn of(&self, component: &str, names_code: f64) -> f64 {
        self.components.get(component).map_or(0.0, |weight| weight.weight + names_code * weight.identifiers)
    }

    /// The components with a weight.
    #[cfg(test)]
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.components.keys().map(String::as_str)
    }
}
