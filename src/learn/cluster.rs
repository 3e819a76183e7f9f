//! Tasks that ask for the same thing: those with the same primary keywords, whatever their order and form.

use std::collections::BTreeSet;

use crate::rank::keywords::Keywords;
use crate::text::stem;

/// Primary keywords of one task, at most: those that say most come first in a task's keywords.
const MOST_KEYWORDS: usize = 24;
/// A cluster speaks for a task when it shares at least this much of its keywords.
const LEAST_OVERLAP: f64 = 0.5;

/// The primary keywords of a task: stems of its telling words, sorted, each once.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Cluster(Vec<String>);

impl Cluster {
    /// The cluster of a task with these keywords.
    pub fn of(keywords: &Keywords) -> Cluster {
        Cluster::new(keywords.components.iter().take(MOST_KEYWORDS).map(|word| stem(word).into_owned()))
    }

    /// The cluster of these primary keywords, in any order.
    pub fn new(words: impl Iterator<Item = String>) -> Cluster {
        Cluster(words.collect::<BTreeSet<String>>().into_iter().collect())
    }

    /// The primary keywords, sorted.
    pub fn words(&self) -> &[String] {
        &self.0
    }

    /// The cluster's name: a hash of its keywords, as 32 hexadecimal digits.
    pub fn hash(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        for word in &self.0 {
            hasher.update(&(word.len() as u64).to_le_bytes());
            hasher.update(word.as_bytes());
        }
        hasher.finalize().to_hex()[..32].to_owned()
    }

    /// How far this cluster and another ask for the same, from 0 to 1: the keywords that they share, over those of the
    /// longer; nothing below a half. A task without keywords is like no other.
    pub fn overlap(&self, other: &Cluster) -> f64 {
        let longer = self.0.len().max(other.0.len());
        let shared = self.0.iter().filter(|word| other.0.binary_search(word).is_ok()).count();
        let share = shared as f64 / longer.max(1) as f64;
        if share >= LEAST_OVERLAP { share } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cluster(words: &str) -> Cluster {
        Cluster::new(words.split(' ').filter(|word| !word.is_empty()).map(str::to_owned))
    }

    #[test]
    fn order_and_form_make_no_difference() {
        let of = |words: &[&str]| {
            let components = words.iter().map(|word| (*word).to_owned()).collect();
            Cluster::of(&Keywords { components, ..Keywords::default() })
        };
        let (one, two) = (of(&["session", "expires"]), of(&["expire", "sessions", "session"]));
        assert_eq!((&one, one.hash()), (&two, two.hash()));
        assert_ne!(cluster("ab c").hash(), cluster("a bc").hash());
    }

    #[test]
    fn half_of_the_words_is_the_least() {
        assert_eq!(cluster("a b c d").overlap(&cluster("a b")), 0.5);
        assert_eq!(cluster("a b c").overlap(&cluster("a b c")), 1.0);
        assert_eq!(cluster("a b c").overlap(&cluster("a d e")), 0.0);
        assert_eq!(cluster("").overlap(&cluster("")), 0.0);
    }
}
