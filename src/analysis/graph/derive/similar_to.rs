//! similar_to: functions of one package whose bodies have mostly the same words.
//!
//! Prefix filtering (Chaudhuri, Ganti and Kaushik 2006; Bayardo, Ma and Srikant 2007): two sets with a Jaccard index
//! above t share one of their rarest words, so only such functions are compared. Nearly linear in the number of words
//! on real code; in all cases a function is compared with at most `MAX_CANDIDATES` others.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use crate::facts::name_key;
use crate::model::{Edge, EdgeType, NodeId, Provenance};

/// Minimum number of distinct words; the similarity of shorter bodies is not significant.
const MIN_WORDS: usize = 5;
/// Maximum number of words read of a body.
const MAX_WORDS: usize = 2_000;
/// Maximum number of edges of one function.
const MAX_PARTNERS: usize = 5;
/// Maximum number of functions that one is compared with.
const MAX_CANDIDATES: usize = 200;

/// The words of a function's body, separated by spaces.
#[derive(Debug, Clone, Copy)]
pub struct Body<'a> {
    pub node: NodeId,
    pub words: &'a str,
}

/// Returns edges among the functions of one package, which are given in canonical order. Each edge starts at the
/// earlier function; a function has at most `MAX_PARTNERS` edges, the most similar first.
pub fn edges(bodies: &[Body<'_>]) -> Vec<Edge> {
    let sets = ranked_sets(bodies);
    let mut pairs = similar_pairs(&sets);
    pairs.sort_by(|one, two| two.2.total_cmp(&one.2).then((one.0, one.1).cmp(&(two.0, two.1))));
    let mut partners = vec![0; sets.len()];
    let mut edges = Vec::new();
    for (first, second, similarity) in pairs {
        if partners[first] < MAX_PARTNERS && partners[second] < MAX_PARTNERS {
            partners[first] += 1;
            partners[second] += 1;
            let (one, two) = (sets[first].node, sets[second].node);
            edges.push(Edge {
                source: one,
                target: two,
                edge_type: EdgeType::SimilarTo,
                provenance: Provenance::Structural,
                confidence: similarity,
            });
        }
    }
    edges.sort_unstable_by_key(|edge| (edge.source, edge.target));
    edges
}

/// Word keys are hashes already.
type IdentityBuildHasher = BuildHasherDefault<IdentityHasher>;

#[derive(Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// The distinct words of a body as ranks by rarity in the package, rarest first.
struct WordSet {
    node: NodeId,
    ranks: Vec<u32>,
}

fn ranked_sets(bodies: &[Body<'_>]) -> Vec<WordSet> {
    let mut keyed: Vec<(NodeId, Vec<u64>)> = Vec::new();
    let mut counts: HashMap<u64, u32, IdentityBuildHasher> = HashMap::default();
    for body in bodies {
        let mut keys: Vec<u64> =
            body.words.split_ascii_whitespace().take(MAX_WORDS).map(|word| name_key(word).0).collect();
        keys.sort_unstable();
        keys.dedup();
        if keys.len() >= MIN_WORDS {
            keys.iter().for_each(|key| *counts.entry(*key).or_default() += 1);
            keyed.push((body.node, keys));
        }
    }
    let mut order: Vec<(u32, u64)> = counts.into_iter().map(|(key, count)| (count, key)).collect();
    order.sort_unstable();
    let ranks: HashMap<u64, u32, IdentityBuildHasher> = order.into_iter().map(|(_, key)| key).zip(0..).collect();
    let rank_all = |keys: Vec<u64>| {
        let mut list: Vec<u32> = keys.iter().map(|key| ranks[key]).collect();
        list.sort_unstable();
        list
    };
    keyed.into_iter().map(|(node, keys)| WordSet { node, ranks: rank_all(keys) }).collect()
}

/// Returns pairs of indices into `sets`, the lower first, with their Jaccard index if it is above one half.
fn similar_pairs(sets: &[WordSet]) -> Vec<(usize, usize, f32)> {
    let ranks = sets.iter().filter_map(|set| set.ranks.last()).max().map_or(0, |&rank| rank as usize + 1);
    let mut postings: Vec<Vec<usize>> = vec![Vec::new(); ranks];
    let mut seen_for = vec![usize::MAX; sets.len()];
    let mut pairs = Vec::new();
    for (current, set) in sets.iter().enumerate() {
        // More than half of the words are shared, so at least one of the rarest half is.
        let prefix = &set.ranks[..set.ranks.len() - set.ranks.len() / 2];
        let mut candidates = 0;
        for rank in prefix {
            let list = &mut postings[*rank as usize];
            for &other in list.iter().rev() {
                if candidates >= MAX_CANDIDATES {
                    break;
                }
                if seen_for[other] != current {
                    seen_for[other] = current;
                    candidates += 1;
                    if let Some(similarity) = similarity(&sets[other].ranks, &set.ranks) {
                        pairs.push((other, current, similarity));
                    }
                }
            }
            list.push(current);
        }
    }
    pairs
}

/// Returns the Jaccard index of two sorted sets if it is above one half.
fn similarity(one: &[u32], two: &[u32]) -> Option<f32> {
    if one.len() * 2 < two.len() || two.len() * 2 < one.len() {
        return None;
    }
    let (mut left, mut right, mut shared) = (0, 0, 0usize);
    while left < one.len() && right < two.len() {
        match one[left].cmp(&two[right]) {
            std::cmp::Ordering::Less => left += 1,
            std::cmp::Ordering::Greater => right += 1,
            std::cmp::Ordering::Equal => {
                shared += 1;
                left += 1;
                right += 1;
            }
        }
    }
    let all = one.len() + two.len() - shared;
    (shared * 2 > all).then_some(shared as f32 / all as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(bodies: &[&str]) -> Vec<(u32, u32, f32)> {
        let bodies: Vec<Body<'_>> =
            NodeId::sequence().zip(bodies.iter().copied()).map(|(node, words)| Body { node, words }).collect();
        edges(&bodies).into_iter().map(|edge| (edge.source.get(), edge.target.get(), edge.confidence)).collect()
    }

    #[test]
    fn similar_bodies_are_paired_unless_short() {
        assert_eq!(pairs(&["a b c d e f", "a b c d e g", "u v w x y z", "a b"]), [(0, 1, 5.0 / 7.0)]);
    }

    #[test]
    fn jaccard_index_of_one_half_is_not_similar() {
        // Four of eight words are shared.
        assert_eq!(pairs(&["a b c d e f", "a b c d g h"]), []);
    }

    #[test]
    fn repeated_words_count_once() {
        assert_eq!(pairs(&["a a a b c d e", "e d c b a"]), [(0, 1, 1.0)]);
    }

    #[test]
    fn edges_per_function_are_limited() {
        let found = pairs(&["a b c d e f"; 30]);
        for node in 0..30 {
            assert!(found.iter().filter(|pair| pair.0 == node || pair.1 == node).count() <= MAX_PARTNERS);
        }
    }

    #[test]
    fn prefix_filter_equals_exhaustive_comparison() {
        // Compares with the exhaustive comparison on generated bodies.
        let words: Vec<String> = (0..60u64)
            .map(|body| {
                let picked = (0..12u64).map(|word| (body * 7919 + word * word * 31 + body / 3 * word) % 23);
                picked.map(|word| format!("w{word}")).collect::<Vec<_>>().join(" ")
            })
            .collect();
        let bodies: Vec<Body<'_>> = NodeId::sequence().zip(&words).map(|(node, words)| Body { node, words }).collect();
        let sets = ranked_sets(&bodies);
        let mut expected = Vec::new();
        for second in 0..sets.len() {
            for first in 0..second {
                if let Some(similarity) = similarity(&sets[first].ranks, &sets[second].ranks) {
                    expected.push((first, second, similarity));
                }
            }
        }
        let mut found = similar_pairs(&sets);
        found.sort_by_key(|pair| (pair.1, pair.0));
        assert!(!expected.is_empty());
        assert_eq!(found, expected);
    }
}
