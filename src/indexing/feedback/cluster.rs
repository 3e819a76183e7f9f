//! Clusters of tasks with the same primary keywords, in any order and inflected form.

use std::collections::BTreeSet;

/// Minimum overlap at which the feedback of one cluster applies to another.
const MIN_OVERLAP: f64 = 0.5;

/// The primary keywords of a task: stems, sorted, each once.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Cluster(Vec<String>);

impl Cluster {
    /// Creates the cluster of these stems, in any order.
    pub fn new(stems: impl Iterator<Item = String>) -> Cluster {
        Cluster(stems.collect::<BTreeSet<String>>().into_iter().collect())
    }

    /// Returns the primary keywords, sorted.
    pub fn words(&self) -> &[String] {
        &self.0
    }

    /// Returns a hash of the keywords as 32 hexadecimal digits.
    pub fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for word in &self.0 {
            hasher.update(&(word.len() as u64).to_le_bytes());
            hasher.update(word.as_bytes());
        }
        hasher.finalize().to_hex()[..32].to_owned()
    }

    /// Returns the number of shared keywords divided by that of the longer cluster, from 0 to 1; 0 below
    /// [`MIN_OVERLAP`] and for a cluster without keywords.
    pub fn overlap(&self, other: &Cluster) -> f64 {
        let longer = self.0.len().max(other.0.len());
        let shared = self.0.iter().filter(|word| other.0.binary_search(word).is_ok()).count();
        let share = shared as f64 / longer.max(1) as f64;
        if share >= MIN_OVERLAP { share } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster(words: &str) -> Cluster {
        Cluster::new(words.split(' ').filter(|word| !word.is_empty()).map(str::to_owned))
    }

    #[test]
    fn hash_separates_words() {
        assert_eq!(cluster("b a a").hash(), cluster("a b").hash());
        assert_ne!(cluster("ab c").hash(), cluster("a bc").hash());
    }

    #[test]
    fn overlap_is_zero_below_one_half() {
        assert_eq!(cluster("a b c d").overlap(&cluster("a b")), 0.5);
        assert_eq!(cluster("a b c").overlap(&cluster("a b c")), 1.0);
        assert_eq!(cluster("a b c").overlap(&cluster("a d e")), 0.0);
        assert_eq!(cluster("").overlap(&cluster("")), 0.0);
    }
}
