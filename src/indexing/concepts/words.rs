//! The word lists of query analysis: stop words, action verbs, abbreviations, words about tests.

use std::collections::{HashMap, HashSet};

use crate::concepts::word_file::WordsFile;

/// Lists of English and programming words, from `seeds/words.toml` and the files of users.
#[derive(Debug, Clone, Default)]
pub struct WordLists {
    /// Words without information: articles, pronouns, `code`, `please`.
    pub stop_words: HashSet<String>,
    /// Action verbs that begin a task: add, fix, refactor.
    pub verbs: HashSet<String>,
    /// Long forms by short form and short forms by long form.
    pub abbreviations: HashMap<String, Vec<String>>,
    /// Words that make a task one about tests.
    pub test_words: HashSet<String>,
    /// Words of reports of problems, which say nothing about the code outside a subject: version, expected, output.
    pub filler_words: HashSet<String>,
}

impl WordsFile {
    /// Adds another file's words.
    pub(super) fn extend(&mut self, other: WordsFile) {
        self.stop_words.extend(other.stop_words);
        self.verbs.extend(other.verbs);
        self.test_words.extend(other.test_words);
        self.filler_words.extend(other.filler_words);
        for (short, longs) in other.abbreviations {
            self.abbreviations.entry(short).or_default().extend(longs);
        }
    }
}

/// Returns the lists in lower case, with abbreviations in both directions.
pub(super) fn lists(file: &WordsFile) -> WordLists {
    let lower = |words: &[String]| words.iter().map(|word| word.to_lowercase()).collect();
    let mut lists = WordLists {
        stop_words: lower(&file.stop_words),
        verbs: lower(&file.verbs),
        test_words: lower(&file.test_words),
        filler_words: lower(&file.filler_words),
        ..WordLists::default()
    };
    let pairs = || file.abbreviations.iter().flat_map(|(short, longs)| longs.iter().map(move |long| (short, long)));
    let pairs = || pairs().map(|(short, long)| (short.to_lowercase(), long.to_lowercase()));
    let both_ways = pairs().chain(pairs().map(|(short, long)| (long, short)));
    for (from, to) in both_ways {
        let known = lists.abbreviations.entry(from).or_default();
        if !known.contains(&to) {
            known.push(to);
        }
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::concepts::Vocabulary;

    #[test]
    fn words_are_lower_case() {
        let list = |word: &str| vec![word.to_owned()];
        let abbreviations = [("Sess".to_owned(), list("Session"))].into();
        let file = WordsFile { stop_words: list("Frob"), abbreviations, ..WordsFile::default() };
        let lists = lists(&file);
        assert!(lists.stop_words.contains("frob"));
        assert_eq!((&lists.abbreviations["sess"], &lists.abbreviations["session"]), (&list("session"), &list("sess")));
    }

    #[test]
    fn abbreviations_are_bidirectional() {
        let vocabulary = Vocabulary::embedded();
        let lists = vocabulary.words();
        assert_eq!(lists.abbreviations["ctx"], ["context"]);
        assert_eq!(lists.abbreviations["context"], ["ctx"]);
        assert!(lists.stop_words.contains("the") && lists.verbs.contains("refactor"));
    }
}
