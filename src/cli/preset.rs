//! `--preset`: the weights that a command ranks with.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::model::Preset;

/// Returns the parser of a preset's name.
pub fn presets() -> impl TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::ALL.map(Preset::name))
        .map(|name| Preset::ALL.into_iter().find(|preset| preset.name() == name).unwrap_or_default())
}
