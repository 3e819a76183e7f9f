//! The word lists: stop words, verbs of action, abbreviations, words about tests.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::rank::keywords::WordLists;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WordsFile {
    stop_words: Vec<String>,
    verbs: Vec<String>,
    test_words: Vec<String>,
    abbreviations: HashMap<String, Vec<String>>,
}

/// The embedded word lists; abbreviations lead both ways.
pub fn word_lists() -> &'static WordLists {
    static LISTS: LazyLock<WordLists> = LazyLock::new(|| {
        let file: WordsFile = toml::from_str(include_str!("../../seeds/words.toml"))
            .expect("the embedded word lists are valid: a test loads them");
        let mut abbreviations = file.abbreviations.clone();
        let mut short_forms: Vec<(&String, &String)> =
            file.abbreviations.iter().flat_map(|(short, longs)| longs.iter().map(move |long| (long, short))).collect();
        short_forms.sort_unstable();
        for (long, short) in short_forms {
            abbreviations.entry(long.clone()).or_default().push(short.clone());
        }
        WordLists {
            stop_words: file.stop_words.into_iter().collect(),
            verbs: file.verbs.into_iter().collect(),
            test_words: file.test_words.into_iter().collect(),
            abbreviations,
        }
    });
    &LISTS
}

#[cfg(test)]
mod tests {
    use super::word_lists;

    #[test]
    fn abbreviations_lead_both_ways() {
        let lists = word_lists();
        assert_eq!(lists.abbreviations["ctx"], ["context"]);
        assert_eq!(lists.abbreviations["context"], ["ctx"]);
        assert!(lists.stop_words.contains("the") && lists.verbs.contains("refactor"));
    }
}
