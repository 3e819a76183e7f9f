//! The TOML format of `words.toml`. The build script uses this code too, so it uses no other module.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Word lists of query analysis. Missing lists are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WordsFile {
    pub stop_words: Vec<String>,
    pub verbs: Vec<String>,
    pub test_words: Vec<String>,
    pub filler_words: Vec<String>,
    pub abbreviations: BTreeMap<String, Vec<String>>,
}
