//! A small source of numbers that are the same on every machine: xorshift64.

pub struct Random {
    state: u64,
}

impl Random {
    /// The seed is not zero.
    pub fn new(seed: u64) -> Random {
        Random { state: seed }
    }

    /// Below `limit`, which is not zero.
    pub fn below(&mut self, limit: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        ((self.state >> 11) % limit as u64) as usize
    }

    /// True once in so many times.
    pub fn chance(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn pick<'all, T>(&mut self, all: &'all [T]) -> &'all T {
        &all[self.below(all.len())]
    }

    /// From 0 to 1.
    pub fn share(&mut self) -> f64 {
        self.below(10_001) as f64 / 10_000.0
    }

    /// Some of them, each at most once, in any order.
    pub fn some<T: Clone>(&mut self, all: &[T], most: usize) -> Vec<T> {
        let mut all = all.to_vec();
        let count = self.below(most.min(all.len()) + 1);
        for place in 0..count {
            let other = place + self.below(all.len() - place);
            all.swap(place, other);
        }
        all.truncate(count);
        all
    }
}
