//! The files of single words as they are written: `words.toml` and `thesaurus.toml`. The build script reads them with this
//! code too, so it knows no other room.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Words that are no names, and how code shortens words. Lists that a file does not have add nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WordsFile {
    pub stop_words: Vec<String>,
    pub verbs: Vec<String>,
    pub test_words: Vec<String>,
    pub abbreviations: BTreeMap<String, Vec<String>>,
}

/// Clusters of words that mean the same.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ThesaurusFile {
    pub clusters: Vec<Vec<String>>,
}
