//! What of the list is shown, and in which order.

use std::cmp::Ordering;

use crate::model::{PackedSymbol, SymbolKind};

/// Which kinds of symbols are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Facet {
    #[default]
    All,
    Functions,
    Types,
    Modules,
    Tests,
}

/// What the list is ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sort {
    #[default]
    Rank,
    Name,
    Place,
    Tokens,
}

/// What of the list is shown, and in which order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Arrangement {
    /// Words that a symbol's name, container or path must have, all of them.
    pub filter: String,
    pub facet: Facet,
    pub sort: Sort,
    pub reversed: bool,
    /// True when omitted symbols are left out.
    pub only_packed: bool,
}

impl Facet {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Facet::All => "all",
            Facet::Functions => "functions",
            Facet::Types => "types",
            Facet::Modules => "modules",
            Facet::Tests => "tests",
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
            Facet::Types => matches!(kind, Kind::Type | Kind::Interface),
        }
    }
}

impl Sort {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Sort::Rank => "rank",
            Sort::Name => "name",
            Sort::Place => "place",
            Sort::Tokens => "tokens",
        }
    }

    /// The order that `s` turns to.
    pub fn next(self) -> Sort {
        match self {
            Sort::Rank => Sort::Name,
            Sort::Name => Sort::Place,
            Sort::Place => Sort::Tokens,
            Sort::Tokens => Sort::Rank,
        }
    }

    fn compare(self, one: &PackedSymbol, two: &PackedSymbol) -> Ordering {
        let (first, second) = (&one.symbol, &two.symbol);
        match self {
            Sort::Rank => Ordering::Equal,
            Sort::Name => first.name.to_lowercase().cmp(&second.name.to_lowercase()),
            Sort::Place => (&first.file, first.span.start_line).cmp(&(&second.file, second.span.start_line)),
            Sort::Tokens => two.tokens.cmp(&one.tokens),
        }
    }
}

impl Arrangement {
    /// True when the list stands in the order of the ranking.
    pub fn keeps_ranks(&self) -> bool {
        self.sort == Sort::Rank && !self.reversed
    }

    /// Words for whatever is not as it was at first.
    pub fn words(&self) -> Vec<String> {
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
        if !self.keeps_ranks() {
            let reversed = if self.reversed { " reversed" } else { "" };
            words.push(format!("by {}{reversed}", self.sort.name()));
        }
        words
    }

    /// The places of the symbols that are listed, in their order. By rank the pack stays apart from what it omits.
    pub fn places(&self, symbols: &[PackedSymbol], ranks: &[usize], packed: usize) -> Vec<usize> {
        let words: Vec<String> = self.filter.split_whitespace().map(str::to_lowercase).collect();
        let listed = |place: &usize| {
            let one = &symbols[*place];
            (!self.only_packed || *place < packed) && self.facet.has(one) && words.iter().all(|word| has(one, word))
        };
        let mut places: Vec<usize> = (0..symbols.len()).filter(listed).collect();
        if self.sort != Sort::Rank {
            places.sort_by(|one, two| {
                self.sort.compare(&symbols[*one], &symbols[*two]).then(ranks[*one].cmp(&ranks[*two]))
            });
        }
        if self.reversed {
            places.reverse();
        }
        places
    }
}

fn has(packed: &PackedSymbol, word: &str) -> bool {
    let symbol = &packed.symbol;
    [&symbol.name, &symbol.scope, &symbol.file].into_iter().any(|text| text.to_lowercase().contains(word))
}
