//! How tasks are ranked: a preset, as it is or with parts left out to measure their worth. A preset is data, a [`Tuning`] and
//! [`Weights`]; the pipeline is one.

use super::tuning::{self, Tuning};
use super::weights::Weights;
use crate::model::{Options, Preset};

/// A preset made ready for ranking.
#[derive(Debug, Clone)]
pub struct Setup {
    pub preset: Preset,
    pub(super) tuning: Tuning,
    pub(super) weights: Weights,
}

/// Parts of a preset that are no components.
const CHANNELS: [&str; 5] =
    ["channel:tiered", "channel:bm25", "channel:path", "channel:equivalence", "channel:history"];
/// The component that takes tests down.
const TEST: &str = "test";

/// A part that a preset does not have.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {preset} preset has no part `{part}`; it has {}", .known.join(", "))]
pub struct UnknownPart {
    part: String,
    preset: Preset,
    known: Vec<String>,
}

impl Setup {
    /// What a ranking with these options goes by.
    ///
    /// # Errors
    /// When something is to be left out that the preset does not have.
    pub fn new(options: &Options) -> Result<Setup, UnknownPart> {
        let (tuning, weights) = match options.preset {
            Preset::Default => (tuning::DEFAULT, Weights::of_default().clone()),
            Preset::Reference => (tuning::REFERENCE, Weights::of_reference().clone()),
        };
        let mut setup = Setup { preset: options.preset, tuning, weights };
        match options.without.iter().find(|part| !setup.leave_out(part)) {
            None => Ok(setup),
            Some(part) => {
                Err(UnknownPart { part: part.clone(), preset: options.preset, known: parts(options.preset)? })
            }
        }
    }

    /// False when there is no such part.
    fn leave_out(&mut self, part: &str) -> bool {
        let tuning = &mut self.tuning;
        match part {
            "channel:tiered" => tuning.tiered_weight = 0.0,
            "channel:bm25" => tuning.lexical_weight = 0.0,
            "channel:path" => (tuning.path_weight, tuning.path_restart) = (0.0, 0.0),
            "channel:equivalence" => tuning.class_weight = 0.0,
            "channel:history" => tuning.history_weight = 0.0,
            TEST => tuning.test_factor = 1.0,
            component => return self.weights.remove(component),
        }
        true
    }
}

/// Everything that a preset can do without.
fn parts(preset: Preset) -> Result<Vec<String>, UnknownPart> {
    let setup = Setup::new(&Options { preset, ..Options::default() })?;
    Ok(setup.weights.names().chain([TEST]).chain(CHANNELS).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(preset: Preset, without: &[String]) -> Result<Setup, UnknownPart> {
        Setup::new(&Options { preset, without: without.iter().cloned().collect(), ..Options::default() })
    }

    #[test]
    fn parts_can_be_left_out_by_name() {
        let some = ["body".to_owned(), "channel:bm25".to_owned(), "test".to_owned()];
        let left = setup(Preset::Default, &some).unwrap();
        assert!(!left.weights.has("body") && left.weights.has("doc"));
        assert_eq!((left.tuning.lexical_weight, left.tuning.test_factor), (0.0, 1.0));
        for preset in Preset::ALL {
            let nothing = setup(preset, &parts(preset).unwrap()).unwrap();
            assert_eq!(nothing.weights.names().count(), 0);
        }
        let unknown = setup(Preset::Reference, &some).unwrap_err();
        assert!(unknown.to_string().contains("no part `body`; it has blast_radius, "), "{unknown}");
    }
}
