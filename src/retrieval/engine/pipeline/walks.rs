//! A cache of walks. A vote, a muted concept or a counterfactual rarely changes the seeds, and the walk is the most
//! expensive stage.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use parking_lot::{Mutex, MutexGuard};

use crate::model::NodeId;
use crate::rank::hits::HubAuthority;
use crate::rank::walk::Walk;

/// Limit of cached walks: the last query's and its counterfactuals'. A walk takes 16 bytes per reached node.
const MAX_CACHED: usize = 4;

/// A walk with the hubs and authorities among its best nodes.
#[derive(Debug, Default)]
pub struct SeededWalk {
    pub walk: Arc<Walk>,
    pub hits: Arc<HashMap<NodeId, HubAuthority>>,
}

/// Nodes with the bits of their restart weights.
type Seeds = Vec<(NodeId, u64)>;

/// A cache of walks over one state of the graph, by seeds. The least recently used one is evicted.
#[derive(Debug, Default)]
pub struct WalkCache {
    /// The most recently used last.
    cached: Mutex<VecDeque<(Seeds, Arc<SeededWalk>)>>,
}

impl WalkCache {
    /// Returns the walk from these seeds; calls `walk` if it is not cached.
    pub fn get(&self, seeds: &[(NodeId, f64)], walk: impl FnOnce() -> SeededWalk) -> Arc<SeededWalk> {
        let key: Seeds = seeds.iter().map(|(node, weight)| (*node, weight.to_bits())).collect();
        // The lock is not held during the walk, whose jobs run on threads that may wait for the lock.
        let known = {
            let mut cached = self.cached();
            let index = cached.iter().position(|(seeds, _)| *seeds == key);
            index.and_then(|index| cached.remove(index))
        };
        let (key, walk) = known.unwrap_or_else(|| (key, Arc::new(walk())));
        let mut cached = self.cached();
        let surplus = (cached.len() + 1).saturating_sub(MAX_CACHED);
        cached.drain(..surplus);
        cached.push_back((key, Arc::clone(&walk)));
        walk
    }

    /// Removes every entry.
    pub fn clear(&self) {
        self.cached().clear();
    }

    fn cached(&self) -> MutexGuard<'_, VecDeque<(Seeds, Arc<SeededWalk>)>> {
        self.cached.lock()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_recently_used_walk_is_evicted() {
        let walks = WalkCache::default();
        let made = std::cell::Cell::new(0);
        let is_new = |seeds: &[(u32, f64)]| {
            let seeds: Vec<(NodeId, f64)> = seeds.iter().map(|&(node, weight)| (NodeId::new(node), weight)).collect();
            let before = made.get();
            walks.get(&seeds, || {
                made.set(before + 1);
                SeededWalk::default()
            });
            made.get() > before
        };
        assert!(is_new(&[(1, 0.5)]) && !is_new(&[(1, 0.5)]));
        assert!(is_new(&[(1, 0.5_f64.next_up())]) && is_new(&[(2, 0.5)]) && is_new(&[]), "other seeds, another walk");
        assert!(!is_new(&[(1, 0.5)]), "cached");
        for node in 3..6 {
            assert!(is_new(&[(node, 1.0)]));
        }
        assert!(!is_new(&[(1, 0.5)]) && is_new(&[(2, 0.5)]), "the least recently used is evicted");
        walks.clear();
        assert!(is_new(&[(1, 0.5)]));
    }
}
