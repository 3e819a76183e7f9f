//! The word lists: stop words, verbs of action, abbreviations, words about tests.

use crate::rank::keywords::WordLists;
use crate::vocab::word_file::WordsFile;

impl WordsFile {
    /// Adds another file's words.
    pub(super) fn extend(&mut self, other: WordsFile) {
        self.stop_words.extend(other.stop_words);
        self.verbs.extend(other.verbs);
        self.test_words.extend(other.test_words);
        for (short, longs) in other.abbreviations {
            self.abbreviations.entry(short).or_default().extend(longs);
        }
    }
}

/// The lists as keywords read them; abbreviations lead both ways.
pub(super) fn lists(file: &WordsFile) -> WordLists {
    let mut lists = WordLists {
        stop_words: file.stop_words.iter().cloned().collect(),
        verbs: file.verbs.iter().cloned().collect(),
        test_words: file.test_words.iter().cloned().collect(),
        ..WordLists::default()
    };
    let pairs = || file.abbreviations.iter().flat_map(|(short, longs)| longs.iter().map(move |long| (short, long)));
    let both_ways = pairs().chain(pairs().map(|(short, long)| (long, short)));
    for (from, to) in both_ways {
        let known = lists.abbreviations.entry(from.clone()).or_default();
        if !known.contains(to) {
            known.push(to.clone());
        }
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::super::Vocabulary;

    #[test]
    fn abbreviations_lead_both_ways() {
        let vocabulary = Vocabulary::embedded();
        let lists = vocabulary.words();
        assert_eq!(lists.abbreviations["ctx"], ["context"]);
        assert_eq!(lists.abbreviations["context"], ["ctx"]);
        assert!(lists.stop_words.contains("the") && lists.verbs.contains("refactor"));
    }
}
