//! A small pseudorandom generator with the same numbers on every machine and in every version.

/// The SplitMix64 generator (Steele, Lea and Flood, 2014).
pub(super) struct SplitMix64(pub u64);

impl SplitMix64 {
    /// Returns the next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    /// Returns a number below `limit`: the high half of a product. The bias is below `limit` / 2^64.
    pub fn below(&mut self, limit: usize) -> usize {
        ((u128::from(self.next()) * limit as u128) >> 64) as usize
    }

    /// Returns `count` of the elements, or all if there are fewer, in ascending order.
    pub fn choose(&mut self, mut elements: Vec<usize>, count: usize) -> Vec<usize> {
        let count = count.min(elements.len());
        for index in 0..count {
            let other = index + self.below(elements.len() - index);
            elements.swap(index, other);
        }
        elements.truncate(count);
        elements.sort_unstable();
        elements
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generator_matches_published_values() {
        let mut random = SplitMix64(1_234_567);
        assert_eq!([random.next(), random.next()], [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]);
    }

    #[test]
    fn chosen_elements_are_different_and_cover_all() {
        let mut seen = [0; 6];
        for seed in 0..300 {
            let chosen = SplitMix64(seed).choose((0..6).collect(), 2);
            assert!(chosen.len() == 2 && chosen[0] < chosen[1]);
            chosen.iter().for_each(|element| seen[*element] += 1);
        }
        assert!(seen.iter().all(|count| (70..130).contains(count)), "{seen:?}");
        assert_eq!(SplitMix64(1).choose(vec![4, 2], 5), [2, 4]);
    }
}
