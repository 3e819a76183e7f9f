//! Context packs: the symbols chosen for a task within a token budget.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{EdgeType, Provenance, Repositories, Request, Seen, Span, Symbol, SymbolId};

/// A named, signed component of a score. A score is the sum of its components.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Component {
    pub name: &'static str,
    /// The value of the feature.
    pub value: f64,
    /// The summand of the score.
    pub contribution: f64,
}

/// Limit of the files whose missing source is reported one by one.
const MAX_MISSING_LISTED: usize = 5;

/// Components from users: votes and use, learned terms and the repository's concepts. With a contribution above this, a
/// symbol is packed even if its score is negative. Use without a vote contributes less.
const FROM_USERS: [(&str, f64); 3] = [("feedback", 0.05), ("learned", 0.0), ("own_concept", 0.0)];

/// Why a symbol is in a ranking, in the words of a reader. Both texts can have names of the repository, so that they are
/// made safe before they are shown.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Reason {
    /// A sentence without a full stop.
    pub sentence: String,
    /// The same in at most eight words.
    pub short: String,
}

/// A symbol with its score and the score's components.
#[derive(Debug, Clone, PartialEq)]
pub struct PackedSymbol {
    pub symbol: Symbol,
    pub score: f64,
    pub components: Vec<Component>,
    /// Number of edges from the nearest seed; 0 for a seed, one more than the walk's maximum if it is not reached.
    pub distance: u32,
    /// The first channel that found the symbol, or else `bm25`, `feedback`, `walk` or `pinned`.
    pub provenance: &'static str,
    /// Tokens of its rendered text, which count against the budget.
    pub tokens: usize,
    /// The definition's source text, if bodies were requested.
    pub body: Option<String>,
    /// Why it is ranked, if the format has reasons.
    pub reason: Option<Reason>,
}

/// An edge between two packed symbols, by their indices in the pack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PackEdge {
    pub source: usize,
    pub target: usize,
    pub edge_type: EdgeType,
    pub provenance: Provenance,
    pub confidence: f32,
}

/// A word of a task that no symbol contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmatchedWord {
    pub word: String,
    /// Words in names of symbols that it may be a misspelling of, the nearest first.
    pub nearest: Vec<String>,
}

/// The context pack of a task.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ContextPack {
    pub task: String,
    /// The id of the repository; empty if there are several.
    pub repository: String,
    /// The repositories, if there are several.
    pub repositories: Repositories,
    /// In rank order, best first.
    pub symbols: Vec<PackedSymbol>,
    /// Most useful first.
    pub edges: Vec<PackEdge>,
    /// Ranked symbols that are not packed, best first. The `tokens` of each exceed `left_tokens`, unless the task drops
    /// the symbol or its score is negative.
    pub omitted: Vec<PackedSymbol>,
    /// Whether negative scores are packed as well: those of a task without words, such as changed files, are evidence
    /// of an order only.
    pub packs_negative: bool,
    pub budget_tokens: usize,
    /// Tokens of the whole rendered text.
    pub tokens_used: usize,
    /// Remaining tokens when no further symbol fit: a little less than the budget minus `tokens_used`, because the
    /// frame of the text has a reserve.
    pub left_tokens: usize,
    /// Columns of the names, in bytes from 1, for the formats that have them.
    pub columns: BTreeMap<SymbolId, u32>,
    /// Words of the task that no symbol contains, in the task's order.
    pub unmatched_words: Vec<UnmatchedWord>,
    /// The reason why a question is ranked by its words: nothing has the name that it asks about.
    pub unknown_name: Option<String>,
    /// The question and the counts of its answer, for a task that the graph answers; `symbols` are the answer's.
    pub answer: Option<String>,
    /// The relation of each symbol to the subject of the question, in a few letters.
    pub relations: BTreeMap<SymbolId, String>,
    /// The first line of each symbol that uses the subject of the question.
    pub use_lines: BTreeMap<SymbolId, u32>,
    /// The tasks that ask about one symbol each, for a question with a name that several have.
    pub choices: BTreeMap<SymbolId, String>,
    /// Files whose source was requested but cannot be shown, by name.
    pub missing_sources: Vec<MissingSource>,
    /// Symbols that likely change with the first ones, if the format lists them.
    pub also: Vec<Also>,
    /// Sections of documents that answer the task, each with what it says, if the format lists them.
    pub documents: Vec<Also>,
    /// Whether documents were asked for.
    pub asks_for_documents: bool,
    /// The rest of the text for agents; `None` in the other formats.
    pub digest: Option<Digest>,
}

/// The parts of the text for agents: the engine has the files and the graph that they are from.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Digest {
    /// Lines on what was understood of the task, and on what is not here.
    pub head: Vec<String>,
    /// The packed symbols that have a line each, with the reason in a few words; the others are listed by their files.
    pub places: Vec<(usize, String)>,
    pub sources: Vec<SourceLines>,
    /// Packed symbols whose places the reader has seen: at most their source is shown.
    pub seen: BTreeSet<usize>,
    /// Number of further symbols that more detail shows.
    pub left_out: usize,
}

/// The lines of one symbol's source that are shown.
#[derive(Debug, Clone, PartialEq)]
pub struct SourceLines {
    /// Index of the packed symbol.
    pub symbol: usize,
    /// Lines with their numbers; where a number is missing, lines are left out.
    pub lines: Vec<(u32, String)>,
    /// A hash of the whole definition.
    pub hash: u64,
}

/// A symbol beside the first places: one that likely changes with one of them, or a section of a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Also {
    pub symbol: Symbol,
    /// The edge that leads there, such as `caller of #1`; what the section says.
    pub reason: String,
}

/// A file whose source is missing or differs from the indexed one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingSource {
    pub file: String,
    pub reason: String,
}

/// The reason why a ranked symbol is not in the pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Omission {
    /// It ranks above symbols of the pack, but exceeded the remaining tokens at its turn.
    TooLarge,
    /// It ranks below every symbol of the pack.
    Below,
    /// Its score is negative, so it would not be packed with any budget.
    Negative,
}

/// The rank at which the budget ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CutLine<'a> {
    /// The best omitted symbol whose score is not negative; its `tokens` are its cost.
    pub next: &'a PackedSymbol,
    /// Remaining tokens at its turn.
    pub left_tokens: usize,
    /// Numbers of omitted symbols by reason. Those with negative scores are not counted.
    pub too_large: usize,
    pub below: usize,
}

impl PackedSymbol {
    /// Returns whether the evidence against the symbol outweighs the evidence for it.
    pub fn is_negative(&self) -> bool {
        self.score < 0.0
    }

    /// Returns whether the symbol's score is negative, and no vote, learned term or concept of the repository leads to it.
    pub fn is_excluded(&self) -> bool {
        let is_from_users = |component: &Component| {
            FROM_USERS.iter().any(|(name, above)| component.name == *name && component.contribution > *above)
        };
        self.is_negative() && !self.components.iter().any(is_from_users)
    }
}

impl ContextPack {
    /// Returns the notice for the name that nothing has, or for the words that no symbol contains; `None` without such a name
    /// or word, and for an empty pack where no word is near one of them.
    pub fn unmatched_notice(&self) -> Option<String> {
        if let Some(unknown) = &self.unknown_name {
            return Some(unknown.clone());
        }
        let words = &self.unmatched_words;
        let is_news = !self.symbols.is_empty() || words.iter().any(|unmatched| !unmatched.nearest.is_empty());
        let listed = words.iter().map(|UnmatchedWord { word, nearest }| match nearest.is_empty() {
            true => word.clone(),
            false => format!("{word} (nearest: {})", nearest.join(", ")),
        });
        let listed: Vec<String> = listed.collect();
        (is_news && !words.is_empty()).then(|| format!("no symbol matches {}", listed.join(", ")))
    }

    /// Returns notices of the source that is missing, one a file up to a few.
    pub fn missing_notices(&self) -> Vec<String> {
        let missing = self.missing_sources.iter().take(MAX_MISSING_LISTED);
        let mut notices: Vec<String> = missing.map(|missing| format!("source omitted: {}", missing.reason)).collect();
        if let more @ 1.. = self.missing_sources.len().saturating_sub(MAX_MISSING_LISTED) {
            notices.push(format!("source of {more} more files omitted; `knowing index` updates the index"));
        }
        notices
    }

    /// Returns why the pack is empty; `None` if it is not. `budget` is the client's name of the budget.
    pub fn empty_notice(&self, request: &Request, budget: &str) -> Option<String> {
        let notice = match request {
            _ if !self.symbols.is_empty() => return None,
            _ if self.cut().is_some() => format!("no symbol fits the budget; raise {budget}"),
            _ if !self.omitted.is_empty() => {
                "every match has a negative score; try other words, or names from the code".to_owned()
            }
            Request::Task(_) => "nothing matches the task; try other words, or names from the code".to_owned(),
            Request::Files(_) => "these files have no symbols; check the paths, or describe a task".to_owned(),
            Request::PullRequest(base) => {
                format!("no indexed file changed since {base}; try an earlier commit, such as HEAD~5")
            }
        };
        Some(notice)
    }

    /// Returns whether the sections of documents come before the symbols: where they were asked for, or nothing else answers.
    pub fn leads_with_documents(&self) -> bool {
        self.asks_for_documents || self.symbols.is_empty()
    }

    /// Returns what the reader of the digest has seen.
    pub fn seen(&self) -> BTreeMap<SymbolId, Seen> {
        let Some(digest) = &self.digest else { return BTreeMap::new() };
        let seen = |symbol: &Symbol, source| {
            let Span { start_line, end_line, .. } = symbol.span;
            (symbol.id, Seen { start_line, end_line, source })
        };
        let also = self.also.iter().chain(&self.documents).map(|one| seen(&one.symbol, None));
        let packed = self.symbols.iter().enumerate().map(|(index, packed)| {
            let source = digest.sources.iter().find(|source| source.symbol == index).map(|source| source.hash);
            seen(&packed.symbol, source)
        });
        also.chain(packed).collect()
    }

    /// Returns whether the symbol is left out of the pack, whatever the budget, unless it is pinned.
    pub fn excludes(&self, symbol: &PackedSymbol) -> bool {
        symbol.is_excluded() && !self.packs_negative
    }

    /// Returns why an omitted symbol is not in the pack.
    pub fn omission(&self, symbol: &PackedSymbol) -> Omission {
        match self.symbols.last() {
            _ if self.excludes(symbol) => Omission::Negative,
            Some(last) if symbol.score > last.score => Omission::TooLarge,
            // An empty pack has no rank to be below.
            None => Omission::TooLarge,
            Some(_) => Omission::Below,
        }
    }

    /// Returns the cut line, or `None` if a larger budget would not change the pack.
    pub fn cut(&self) -> Option<CutLine<'_>> {
        let next = self.omitted.first().filter(|symbol| !self.excludes(symbol))?;
        let count = |reason| self.omitted.iter().filter(|symbol| self.omission(symbol) == reason).count();
        let [too_large, below] = [Omission::TooLarge, Omission::Below].map(count);
        Some(CutLine { next, left_tokens: self.left_tokens, too_large, below })
    }
}
