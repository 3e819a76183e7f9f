//! Counts the tokens of packs in one format, with a cache of the counts of rendered symbols.
//!
//! After a vote or a change of the budget most lines of a pack are unchanged, and counting their tokens takes longer
//! than rendering them.

use std::cell::RefCell;
use std::collections::HashMap;

use rayon::prelude::*;

use super::Renderer;
use crate::model::{ContextPack, PackEdge, PackedSymbol};
use crate::rank::pack::TokenMeasure;
use crate::text::tokens::Counter;

/// Limit of the cached texts: those of a few packs.
const MAX_ENTRIES: usize = 4_000;
/// Longer texts, those with bodies, are not cached.
const MAX_TEXT_BYTES: usize = 1_000;
/// Tokens by which a pack root can exceed that of an empty pack.
const ROOT_SLACK: usize = 24;

/// A cache of token counts by text, for all formats.
#[derive(Default)]
pub struct TokenCache {
    // `TokenMeasure` counts through shared references.
    counts: RefCell<Counts>,
}

#[derive(Default)]
struct Counts {
    symbols: HashMap<String, usize>,
    counter: Counter,
}

impl TokenCache {
    /// Removes all entries.
    pub fn clear(&self) {
        self.counts.take();
    }

    fn count(&self, text: &str) -> usize {
        self.counts.borrow_mut().counter.count(text)
    }

    fn count_symbol(&self, text: String) -> usize {
        let known = self.counts.borrow().symbols.get(&text).copied();
        known.unwrap_or_else(|| {
            let count = self.count(&text);
            self.keep(text, count);
            count
        })
    }

    /// Returns the counts of many symbols; counts on all cores.
    fn count_symbols(&self, texts: Vec<String>) -> Vec<usize> {
        let known: Vec<Option<usize>> = {
            let counts = self.counts.borrow();
            texts.iter().map(|text| counts.symbols.get(text).copied()).collect()
        };
        let counter = Counter::default;
        let count = |counter: &mut Counter, (text, known): (&String, &Option<usize>)| {
            known.unwrap_or_else(|| counter.count(text))
        };
        let counts: Vec<usize> = texts.par_iter().zip(&known).map_init(counter, count).collect();
        let new = texts.into_iter().zip(&counts).zip(known).filter(|(_, known)| known.is_none());
        new.for_each(|((text, count), _)| self.keep(text, *count));
        counts
    }

    fn keep(&self, text: String, count: usize) {
        let symbols = &mut self.counts.borrow_mut().symbols;
        if text.len() <= MAX_TEXT_BYTES {
            if symbols.len() >= MAX_ENTRIES {
                symbols.clear();
            }
            symbols.insert(text, count);
        }
    }
}

/// Counts the cl100k_base tokens of a format. Every fragment ends with a line break, so the counts of fragments add up.
pub struct TokenCounter<'a> {
    renderer: &'a dyn Renderer,
    cache: &'a TokenCache,
}

impl<'a> TokenCounter<'a> {
    /// Creates a counter for `renderer`'s format.
    pub fn new(renderer: &'a dyn Renderer, cache: &'a TokenCache) -> TokenCounter<'a> {
        TokenCounter { renderer, cache }
    }
}

impl TokenMeasure for TokenCounter<'_> {
    fn frame(&self, pack: &ContextPack) -> usize {
        let empty = ContextPack {
            task: pack.task.clone(),
            repository: pack.repository.clone(),
            repositories: pack.repositories.clone(),
            budget_tokens: pack.budget_tokens,
            tokens_used: pack.budget_tokens,
            left_tokens: pack.budget_tokens,
            // The JSON format contains the name of one omitted symbol; that of the best-ranked symbol is counted.
            omitted: pack.symbols.first().cloned().into_iter().collect(),
            ..ContextPack::default()
        };
        self.cache.count(&self.renderer.render(&empty)) + ROOT_SLACK
    }

    fn symbol(&self, pack: &ContextPack, symbol: &PackedSymbol) -> usize {
        self.cache.count_symbol(self.renderer.symbol(pack, symbol))
    }

    fn symbols(&self, pack: &ContextPack) -> Vec<usize> {
        let renderer = self.renderer;
        self.cache.count_symbols(pack.symbols.par_iter().map(|symbol| renderer.symbol(pack, symbol)).collect())
    }

    fn edge(&self, pack: &ContextPack, edge: &PackEdge) -> usize {
        self.cache.count(&self.renderer.edge(pack, edge))
    }

    fn whole(&self, pack: &ContextPack) -> usize {
        self.cache.count(&self.renderer.render(pack))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens;

    #[test]
    fn cached_counts_equal_uncached_ones() {
        let cache = TokenCache::default();
        let long = "a word ".repeat(MAX_TEXT_BYTES);
        for text in ["@0 fn a.f 0.91 walk\n", "", &long, "@0 fn a.f 0.91 walk\n", &long] {
            assert_eq!(cache.count_symbol(text.to_owned()), tokens::count(text));
        }
        let texts: Vec<String> = ["@1 fn b.g 0.5 walk\n", &long, "", "@1 fn b.g 0.5 walk\n"].map(str::to_owned).into();
        let counts: Vec<usize> = texts.iter().map(|text| tokens::count(text)).collect();
        assert_eq!((cache.count_symbols(texts.clone()), cache.count_symbols(texts)), (counts.clone(), counts));
        for number in 0..=MAX_ENTRIES {
            cache.count_symbol(number.to_string());
        }
        assert!((1..=MAX_ENTRIES).contains(&cache.counts.borrow().symbols.len()));
    }
}
