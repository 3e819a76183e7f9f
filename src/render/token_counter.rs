//! Token counts of symbols that were rendered before. A vote or another budget leaves most lines of a pack as they were, and
//! counting their tokens costs more than writing them.

use std::cell::RefCell;
use std::collections::HashMap;

use super::Tokens;
use crate::model::{ContextPack, PackEdge, PackedSymbol};
use crate::rank::pack::Measure;
use crate::text::tokens::Counter;

/// Texts that are kept: those of a few packs.
const MOST_KEPT: usize = 4_000;
/// Longer texts, those with bodies, are counted each time.
const LONGEST_BYTES: usize = 1_000;

/// Token counts by text, of whatever format.
#[derive(Default)]
pub struct Counts(RefCell<Known>);

#[derive(Default)]
struct Known {
    symbols: HashMap<String, usize>,
    counter: Counter,
}

impl Counts {
    /// Keeps nothing any more.
    pub fn forget(&self) {
        *self.0.borrow_mut() = Known::default();
    }

    fn of(&self, text: &str) -> usize {
        self.0.borrow_mut().counter.count(text)
    }

    fn of_symbol(&self, text: String) -> usize {
        let Known { symbols, counter } = &mut *self.0.borrow_mut();
        if let Some(count) = symbols.get(&text) {
            return *count;
        }
        let count = counter.count(&text);
        if text.len() <= LONGEST_BYTES {
            if symbols.len() >= MOST_KEPT {
                symbols.clear();
            }
            symbols.insert(text, count);
        }
        count
    }
}

/// Measures as [`Tokens`] does, and remembers what symbols and words cost.
pub struct Counted<'a> {
    pub tokens: Tokens<'a>,
    pub counts: &'a Counts,
}

impl Measure for Counted<'_> {
    fn frame(&self, pack: &ContextPack) -> usize {
        self.tokens.frame(pack)
    }

    fn symbol(&self, pack: &ContextPack, symbol: &PackedSymbol) -> usize {
        self.counts.of_symbol(self.tokens.0.symbol(pack, symbol))
    }

    fn edge(&self, pack: &ContextPack, edge: &PackEdge) -> usize {
        self.counts.of(&self.tokens.0.edge(pack, edge))
    }

    fn whole(&self, pack: &ContextPack) -> usize {
        self.counts.of(&self.tokens.0.render(pack))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens;

    #[test]
    fn what_is_kept_is_what_counting_gives() {
        let counts = Counts::default();
        let long = "a word ".repeat(LONGEST_BYTES);
        for text in ["@0 fn a.f 0.91 walk\n", "", &long, "@0 fn a.f 0.91 walk\n", &long] {
            assert_eq!(counts.of_symbol(text.to_owned()), tokens::count(text));
        }
        for number in 0..=MOST_KEPT {
            counts.of_symbol(number.to_string());
        }
        assert!((1..=MOST_KEPT).contains(&counts.0.borrow().symbols.len()));
    }
}
