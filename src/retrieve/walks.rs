//! The last walks. A vote, a muted class or a supposed vote mostly leaves the seeds as they were, and then walking again
//! would take more time than all the rest and find the same.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::rank::hits::HubAuthority;
use crate::rank::walk::Walk;

/// Walks that are kept: what was asked last, and what would be otherwise. Each takes 16 bytes for a node that it reached.
const MOST_KEPT: usize = 4;

/// Where a walk led, with hubs and authorities among its best nodes.
#[derive(Debug, Default)]
pub struct Walked {
    pub walk: Arc<Walk>,
    pub hits: Arc<HashMap<u32, HubAuthority>>,
}

/// Nodes and their restart weights, bit by bit.
type Seeds = Vec<(u32, u64)>;

/// Walks over one state of the graph, which seeds alone decide: what is kept is what walking again would give.
#[derive(Debug, Default)]
pub struct Walks {
    /// The one that was asked for last at the end.
    kept: Mutex<VecDeque<(Seeds, Arc<Walked>)>>,
}

impl Walks {
    /// The walk from these seeds, which `walk` makes where it is not kept.
    pub fn of(&self, seeds: &[(u32, f64)], walk: impl FnOnce() -> Walked) -> Arc<Walked> {
        let key: Seeds = seeds.iter().map(|(node, weight)| (*node, weight.to_bits())).collect();
        // The walk itself holds no lock: its threads may come to wait for one another.
        let known = {
            let mut kept = self.kept();
            let place = kept.iter().position(|(seeds, _)| *seeds == key);
            place.and_then(|place| kept.remove(place))
        };
        let (key, walked) = known.unwrap_or_else(|| (key, Arc::new(walk())));
        let mut kept = self.kept();
        let surplus = (kept.len() + 1).saturating_sub(MOST_KEPT);
        kept.drain(..surplus);
        kept.push_back((key, Arc::clone(&walked)));
        walked
    }

    /// Keeps nothing any more.
    pub fn forget(&self) {
        self.kept().clear();
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<(Seeds, Arc<Walked>)>> {
        // One that panicked while it held the lock left whole entries, or none.
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_seeds_get_the_same_walk() {
        let walks = Walks::default();
        let made = std::cell::Cell::new(0);
        let ask = |seeds: &[(u32, f64)]| {
            let before = made.get();
            walks.of(seeds, || {
                made.set(before + 1);
                Walked::default()
            });
            made.get() > before
        };
        assert!(ask(&[(1, 0.5)]) && !ask(&[(1, 0.5)]));
        assert!(ask(&[(1, 0.5_f64.next_up())]) && ask(&[(2, 0.5)]) && ask(&[]), "other seeds, another walk");
        assert!(!ask(&[(1, 0.5)]), "the last few are kept");
        for node in 3..6 {
            assert!(ask(&[(node, 1.0)]));
        }
        assert!(!ask(&[(1, 0.5)]) && ask(&[(2, 0.5)]), "the one that was asked for longest ago goes first");
        walks.forget();
        assert!(ask(&[(1, 0.5)]));
    }
}
