//! Deterministic random numbers: xorshift64.

pub struct Random {
    state: u64,
}

impl Random {
    /// Returns a generator; `seed` must not be 0.
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// Returns a number below `limit`, which must not be 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        ((self.state >> 11) % limit as u64) as usize
    }

    /// Returns true with probability 1 / `times`.
    pub fn chance(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn pick<'all, T>(&mut self, all: &'all [T]) -> &'all T {
        &all[self.below(all.len())]
    }

    /// Returns a number from 0 to 1.
    pub fn share(&mut self) -> f64 {
        self.below(10_001) as f64 / 10_000.0
    }

    /// Returns up to `most` distinct elements in random order.
    pub fn some<T: Clone>(&mut self, all: &[T], most: usize) -> Vec<T> {
        let mut all = all.to_vec();
        let count = self.below(most.min(all.len()) + 1);
        for index in 0..count {
            let other = index + self.below(all.len() - index);
            all.swap(index, other);
        }
        all.truncate(count);
        all
    }
}
