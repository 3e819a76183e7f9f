//! `--preset`: by which numbers a command ranks.

use clap::builder::{PossibleValuesParser, TypedValueParser};

use crate::model::Preset;

/// Reads the name of a preset.
pub fn presets() -> impl TypedValueParser<Value = Preset> {
    PossibleValuesParser::new(Preset::ALL.map(Preset::name))
        .map(|name| Preset::ALL.into_iter().find(|preset| preset.name() == name).unwrap_or_default())
}
