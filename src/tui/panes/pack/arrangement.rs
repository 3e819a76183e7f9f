//! Filter, facet and order of the list.

use std::cmp::Ordering;
use std::collections::HashMap;

use crate::model::{PackedSymbol, SymbolKind};

/// The kinds of symbols that are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Facet {
    #[default]
    All,
    Functions,
    Types,
    Modules,
    Tests,
    NoTests,
}

/// The order of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    #[default]
    Rank,
    Name,
    Location,
    Tokens,
}

/// Filter, facet and order of the list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Arrangement {
    /// Words that each must be in a symbol's name, container or path.
    pub filter: String,
    pub facet: Facet,
    pub sort: Sort,
    pub reversed: bool,
    /// Whether only packed symbols are listed.
    pub only_packed: bool,
    /// Whether a pack is made: packed symbols come first, with their tokens, and a line where the budget ends.
    pub is_packing: bool,
    /// Whether the symbols of a file are listed together below its name, the file of the first symbol first.
    pub by_file: bool,
}

impl Facet {
    /// Returns the label of the facet.
    pub fn name(self) -> &'static str {
        match self {
            Facet::All => "all",
            Facet::Functions => "functions",
            Facet::Types => "types",
            Facet::Modules => "modules",
            Facet::Tests => "tests",
            Facet::NoTests => "no tests",
        }
    }

    fn has(self, packed: &PackedSymbol) -> bool {
        use SymbolKind as Kind;
        let kind = packed.symbol.kind;
        match self {
            Facet::All => true,
            Facet::Functions => matches!(kind, Kind::Function | Kind::Method | Kind::RouteHandler | Kind::Macro),
            Facet::Modules => matches!(kind, Kind::Package | Kind::File),
            Facet::Tests => packed.symbol.is_test,
            Facet::NoTests => !packed.symbol.is_test,
            Facet::Types => matches!(kind, Kind::Type | Kind::Interface),
        }
    }
}

impl Sort {
    /// Returns the label of the order.
    pub fn name(self) -> &'static str {
        match self {
            Sort::Rank => "rank",
            Sort::Name => "name",
            Sort::Location => "location",
            Sort::Tokens => "tokens",
        }
    }

    /// Returns the order after this one.
    pub fn next(self) -> Sort {
        match self {
            Sort::Rank => Sort::Name,
            Sort::Name => Sort::Location,
            Sort::Location => Sort::Tokens,
            Sort::Tokens => Sort::Rank,
        }
    }

    fn compare(self, one: &PackedSymbol, two: &PackedSymbol) -> Ordering {
        let (first, second) = (&one.symbol, &two.symbol);
        match self {
            Sort::Rank => Ordering::Equal,
            Sort::Name => first.name.to_lowercase().cmp(&second.name.to_lowercase()),
            Sort::Location => (&first.file, first.span.start_line).cmp(&(&second.file, second.span.start_line)),
            Sort::Tokens => two.tokens.cmp(&one.tokens),
        }
    }
}

impl Arrangement {
    /// Returns whether the list is in the order of the ranking.
    pub fn is_by_rank(&self) -> bool {
        self.sort == Sort::Rank && !self.reversed
    }

    /// Returns whether a filter or a facet leaves out symbols.
    pub fn is_filtered(&self) -> bool {
        !self.filter.trim().is_empty() || self.facet != Facet::All || self.only_packed
    }

    /// Describes everything that is not the default.
    pub fn labels(&self) -> Vec<String> {
        let mut words = Vec::new();
        if !self.filter.trim().is_empty() {
            words.push(format!("/{}", self.filter.trim()));
        }
        if self.facet != Facet::All {
            words.push(self.facet.name().to_owned());
        }
        if self.only_packed {
            words.push("packed only".to_owned());
        }
        if !self.is_by_rank() {
            let reversed = if self.reversed { " reversed" } else { "" };
            words.push(format!("by {}{reversed}", self.sort.name()));
        }
        if self.by_file {
            words.push("by file".to_owned());
        }
        words
    }

    /// Returns the indexes of the listed symbols in their order. While a pack is made, packed symbols come before omitted
    /// ones.
    pub fn indexes(&self, symbols: &[PackedSymbol], ranks: &[usize], packed: usize) -> Vec<usize> {
        let words: Vec<String> = self.filter.split_whitespace().map(str::to_lowercase).collect();
        let listed = |index: &usize| {
            let one = &symbols[*index];
            (!self.only_packed || *index < packed)
                && self.facet.has(one)
                && words.iter().all(|word| has_word(one, word))
        };
        let mut indexes: Vec<usize> = (0..symbols.len()).filter(listed).collect();
        if self.sort != Sort::Rank || !self.is_packing {
            indexes.sort_by(|one, two| {
                self.sort.compare(&symbols[*one], &symbols[*two]).then(ranks[*one].cmp(&ranks[*two]))
            });
        }
        if self.reversed {
            indexes.reverse();
        }
        if self.by_file {
            let mut first: HashMap<&str, usize> = HashMap::new();
            for (row, index) in indexes.iter().enumerate() {
                first.entry(&symbols[*index].symbol.file).or_insert(row);
            }
            indexes.sort_by_key(|index| first[symbols[*index].symbol.file.as_str()]);
        }
        indexes
    }
}

fn has_word(packed: &PackedSymbol, word: &str) -> bool {
    let symbol = &packed.symbol;
    [&symbol.name, &symbol.scope, &symbol.file].into_iter().any(|text| text.to_lowercase().contains(word))
}
