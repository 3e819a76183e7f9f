//! Words that programmers use for the same thing.

use std::collections::{BTreeSet, HashMap};

use crate::text::stem;

/// Clusters of near-synonyms, found by the stem of any of their words.
#[derive(Debug, Clone, Default)]
pub struct Thesaurus {
    clusters: Vec<Vec<String>>,
    of_stem: HashMap<String, Vec<usize>>,
}

impl Thesaurus {
    pub(super) fn new(mut clusters: Vec<Vec<String>>) -> Thesaurus {
        clusters.iter_mut().flatten().for_each(|word| *word = word.to_lowercase());
        let mut of_stem: HashMap<String, Vec<usize>> = HashMap::new();
        for (place, cluster) in clusters.iter().enumerate() {
            let stems: BTreeSet<String> = cluster.iter().map(|word| stem(word).into_owned()).collect();
            stems.into_iter().for_each(|stem| of_stem.entry(stem).or_default().push(place));
        }
        Thesaurus { clusters, of_stem }
    }

    /// How many clusters there are.
    pub fn clusters(&self) -> usize {
        self.clusters.len()
    }

    /// The stems of the words that may stand for `word`, in the order of the clusters, without its own.
    pub fn synonyms(&self, word: &str) -> Vec<String> {
        let own = stem(word);
        let mut found: Vec<String> = Vec::new();
        for place in self.of_stem.get(own.as_ref()).into_iter().flatten() {
            for other in &self.clusters[*place] {
                let other = stem(other);
                if other != own && !found.iter().any(|known| *known == other) {
                    found.push(other.into_owned());
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
    fn synonyms_meet_through_stems() {
        let cluster = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let thesaurus = Thesaurus::new(vec![cluster(&["delete", "remove", "erase"]), cluster(&["remove", "evict"])]);
        assert_eq!(thesaurus.synonyms("deleting"), ["remov", "eras"]);
        assert_eq!(thesaurus.synonyms("removed"), ["delet", "eras", "evict"]);
        assert_eq!(thesaurus.synonyms("keep"), Vec::<String>::new());
    }
}
