//! Near-synonyms of the query's words as additional search terms.

use std::collections::{BTreeSet, HashMap};

use crate::concepts::Vocabulary;
use crate::query::Keywords;
use crate::text::stem;

/// Returns the synonyms of the query's words, those of each word in the order of the clusters.
pub fn synonyms(vocabulary: &Vocabulary, keywords: &Keywords) -> Vec<String> {
    let thesaurus = Thesaurus::new(vocabulary.synonyms());
    keywords.words().flat_map(|word| thesaurus.synonyms(&word.text)).collect()
}

/// Clusters of near-synonyms, indexed by the stems of their words.
struct Thesaurus {
    /// Stems of the words of each cluster.
    clusters: Vec<Vec<String>>,
    by_stem: HashMap<String, Vec<usize>>,
}

impl Thesaurus {
    fn new(clusters: &[Vec<String>]) -> Thesaurus {
        let stemmed = |word: &String| stem(&word.to_lowercase()).into_owned();
        let clusters: Vec<Vec<String>> = clusters.iter().map(|cluster| cluster.iter().map(stemmed).collect()).collect();
        let mut by_stem: HashMap<String, Vec<usize>> = HashMap::new();
        for (index, cluster) in clusters.iter().enumerate() {
            let stems: BTreeSet<&String> = cluster.iter().collect();
            stems.into_iter().for_each(|stem| by_stem.entry(stem.clone()).or_default().push(index));
        }
        Thesaurus { clusters, by_stem }
    }

    /// Returns the stems of the synonyms of a word, in the order of the clusters, without its own.
    fn synonyms(&self, word: &str) -> Vec<String> {
        let own = stem(word);
        let mut found: Vec<String> = Vec::new();
        for index in self.by_stem.get(own.as_ref()).into_iter().flatten() {
            for other in &self.clusters[*index] {
                if **other != *own && !found.contains(other) {
                    found.push(other.clone());
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn synonyms_are_found_by_stem() {
        let cluster = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let thesaurus = Thesaurus::new(&[cluster(&["Delete", "remove", "erase"]), cluster(&["remove", "evict"])]);
        assert_eq!(thesaurus.synonyms("deleting"), ["remov", "eras"]);
        assert_eq!(thesaurus.synonyms("removed"), ["delet", "eras", "evict"]);
        assert_eq!(thesaurus.synonyms("keep"), Vec::<String>::new());
    }
}
