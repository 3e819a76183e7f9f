//! The digest of a ranking for coding agents: places first, then source of the first few, and only as much as is likely to
//! matter.
//!
//! A score is nearly a log-odds of being changed: of the symbols that score a fifth of the best one, one in two hundred
//! is. So the places end there, and a budget is a limit and no aim. Sources are for symbols that score about as much as
//! the best one.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use xxhash_rust::xxh3::xxh3_64;

use super::also::also;
use super::bodies::Bodies;
use super::documents::documents;
use super::excerpt::excerpt;
use super::packing::{PackPart, answer, describe, notes_of_answer, unknown_name, unmatched_words};
use super::reason::FirstRanks;
use super::{EngineError, unread_beside};
use crate::model::{
    ContextPack, Detail, Digest, Options, PackedSymbol, Request, SourceLines, Symbol, SymbolId, SymbolKind, Task,
    UnmatchedWord,
};
use crate::rank::pack::{BudgetTooSmall, PackInput, TokenMeasure, ordered, select};
use crate::render::text;
use crate::text::tokens::count;
use crate::text::{identifier_parts, stem};

/// The limits of one level of detail.
struct Extent {
    /// Tokens that are aimed at, within the budget.
    tokens: usize,
    /// Symbols that have a line of their own.
    places: usize,
    /// Symbols that are listed whatever their score.
    least: usize,
    /// Share of the best score that a listed symbol has at least.
    relevant: f64,
    /// Share of the tokens for the list.
    list_share: f64,
    /// Symbols that likely change with the first, and their share of the tokens.
    also: usize,
    also_share: f64,
    /// Symbols whose source is shown, and the share of the best score that each has at least.
    sources: usize,
    sure: f64,
}

impl Extent {
    fn for_detail(detail: Detail, budget_tokens: usize) -> Extent {
        match detail {
            Detail::Short => Extent {
                tokens: budget_tokens.min(SHORT_TOKENS),
                places: 8,
                least: 64,
                relevant: 0.2,
                list_share: 0.7,
                also: 8,
                also_share: 0.15,
                sources: 4,
                sure: 0.6,
            },
            Detail::More => Extent {
                tokens: budget_tokens,
                places: 40,
                least: usize::MAX,
                relevant: 0.0,
                list_share: 0.5,
                also: 20,
                also_share: 0.15,
                sources: usize::MAX,
                sure: 0.0,
            },
        }
    }
}

/// Tokens of a short digest.
const SHORT_TOKENS: usize = 1_900;
/// Share of the tokens for sections of documents: as a rule, and where they are asked for.
const DOCUMENT_SHARE: f64 = 0.1;
const ASKED_SHARE: f64 = 0.4;
/// Limits of the lines of one source that are tried, and the share of the tokens that it may have.
const SOURCE_LINES: [usize; 4] = [30, 16, 8, 4];
const SOURCE_SHARE: f64 = 0.25;
/// Tokens for the edges of the pack, which the text does not list.
const EDGE_TOKENS: usize = 1_000;
/// Limits of the words in the head, and of the notes on an answer.
const MAX_WORDS: usize = 8;
const MAX_NOTES: usize = 8;
/// Scores that say that nothing stands out: a low best one, or a tenth that is nearly as good.
const LOW_SCORE: f64 = 0.9;
const FLAT: (f64, f64) = (1.0, 0.75);

/// Packs candidates with a digest.
///
/// # Errors
/// When a store can't be read.
pub(super) fn digest(
    input: PackInput,
    task: &Task,
    parts: &[PackPart<'_>],
    sources: &mut Bodies<'_>,
    measure: &dyn TokenMeasure,
) -> Result<ContextPack, EngineError> {
    let extent = Extent::for_detail(task.options.detail, task.budget_tokens);
    let (pinned, dropped, repositories) = (input.pinned.clone(), input.dropped.clone(), input.repositories.clone());
    let mut all = ordered(input, measure);
    all.unmatched_words = unmatched_words(task, parts)?;
    all.unknown_name = unknown_name(parts);
    all.answer = answer(parts, &repositories);
    let mut listed = listed(&all, &extent, &pinned, &dropped);
    let head = head(&all, task, parts, &listed)?;
    let known = known(task, &all, sources)?;
    listed.retain(|index| known.get(&all.symbols[*index].symbol.id) != Some(&Known::Source));
    let mut chosen = vec![false; all.symbols.len()];
    listed.iter().for_each(|index| chosen[*index] = true);
    let mut pack = select(all, &chosen, EDGE_TOKENS, measure);
    let is_seen = |index: &usize| known.contains_key(&pack.symbols[*index].symbol.id);
    let seen: BTreeSet<usize> = (0..pack.symbols.len()).filter(is_seen).collect();
    let composer = Composer { task, parts, extent: &extent };
    let places = composer.places(&pack, &pinned, &seen)?;
    pack.digest = Some(Digest { head, places, seen, ..Digest::default() });
    composer.shorten_list(&mut pack, &pinned);
    // Reading them tells which have changed since they were indexed.
    for (index, _) in pack.digest.iter().flat_map(|digest| &digest.places) {
        sources.body(&pack.symbols[*index].symbol)?;
    }
    composer.add_also(&mut pack)?;
    composer.add_documents(&mut pack)?;
    composer.add_sources(&mut pack, sources)?;
    let could_have = |packed: &&PackedSymbol| {
        let id = &packed.symbol.id;
        !pack.excludes(packed) && !dropped.contains(id) && !known.contains_key(id)
    };
    let left_out = pack.omitted.iter().filter(could_have).count();
    if let Some(digest) = &mut pack.digest {
        digest.left_out = left_out;
    }
    fit(pack, measure)
}

/// Returns the indexes of the symbols that are listed, best first.
fn listed(all: &ContextPack, extent: &Extent, pinned: &BTreeSet<SymbolId>, dropped: &BTreeSet<SymbolId>) -> Vec<usize> {
    let best = all.symbols.first().map_or(0.0, |packed| packed.score);
    // The order of what has no words, or is an answer, is not evidence of a lack of relevance.
    let is_graded = !all.packs_negative && all.answer.is_none();
    let mut rank = 0;
    let mut is_listed = |packed: &PackedSymbol| {
        let id = packed.symbol.id;
        let is_candidate = !all.excludes(packed) && !dropped.contains(&id);
        rank += usize::from(is_candidate);
        let is_relevant = rank <= extent.least || !is_graded || packed.score >= extent.relevant * best;
        is_candidate && is_relevant || pinned.contains(&id)
    };
    let indexes = all.symbols.iter().enumerate().filter(|(_, packed)| is_listed(packed)).map(|(index, _)| index);
    indexes.collect()
}

/// The knowledge that the reader has of a symbol that has not changed since.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Place,
    Source,
}

/// Returns what the reader knows of each symbol.
fn known(task: &Task, all: &ContextPack, sources: &mut Bodies<'_>) -> Result<HashMap<SymbolId, Known>, EngineError> {
    let mut known = HashMap::new();
    for PackedSymbol { symbol, .. } in &all.symbols {
        let Some(seen) = task.options.seen.get(&symbol.id) else { continue };
        if (seen.start_line, seen.end_line) != (symbol.span.start_line, symbol.span.end_line) {
            continue;
        }
        match seen.source {
            None => known.insert(symbol.id, Known::Place),
            Some(hash) if sources.indented_body(symbol)?.is_some_and(|body| hash_of(&body) == hash) => {
                known.insert(symbol.id, Known::Source)
            }
            // It was edited.
            Some(_) => None,
        };
    }
    Ok(known)
}

fn hash_of(source: &str) -> u64 {
    xxh3_64(source.as_bytes())
}

/// Returns the lines at the top: what was understood, and what is not here.
fn head(all: &ContextPack, task: &Task, parts: &[PackPart<'_>], listed: &[usize]) -> Result<Vec<String>, EngineError> {
    let mut lines = vec![understood(all, task, parts)];
    let is_flat = match (all.symbols.first(), listed.get(9).map(|index| &all.symbols[*index])) {
        _ if all.packs_negative || all.answer.is_some() => false,
        (Some(best), tenth) => {
            let is_near = tenth.is_some_and(|tenth| tenth.score >= FLAT.1 * best.score);
            best.score < LOW_SCORE || best.score < FLAT.0 && is_near
        }
        (None, _) => false,
    };
    if is_flat {
        lines[0].push_str("; nothing stands out, so search as well");
    }
    let mut missing: Vec<String> = all.unmatched_notice().into_iter().collect();
    for part in parts {
        missing.extend(unread_beside(part.ranker.reader(), all)?);
    }
    if !missing.is_empty() {
        lines.push(missing.join("; "));
    }
    lines.extend(notes_of_answer(parts, &all.repositories).into_iter().take(MAX_NOTES));
    Ok(lines)
}

/// Returns the words that were looked for, or the kind of request.
fn understood(all: &ContextPack, task: &Task, parts: &[PackPart<'_>]) -> String {
    if let Some(answer) = &all.answer {
        return answer.clone();
    }
    let Request::Task(_) = &task.request else { return describe(&task.request) };
    let mut words: Vec<&str> = Vec::new();
    for keyword in parts.iter().flat_map(|part| part.ranking.keywords.words()) {
        let is_unknown = all.unmatched_words.iter().any(|unmatched| is_unmatched(unmatched, &keyword.text, parts));
        let is_form = |known: &&str| stem(known) == stem(&keyword.text);
        if !is_unknown && !words.iter().any(is_form) && words.len() < MAX_WORDS {
            words.push(&keyword.text);
        }
    }
    match words.is_empty() {
        true => "no word of the task is in this code".to_owned(),
        false => format!("places for {}", words.join(", ")),
    }
}

/// Returns whether a word is one that nothing has, or a part of a name that nothing has either.
fn is_unmatched(unmatched: &UnmatchedWord, word: &str, parts: &[PackPart<'_>]) -> bool {
    let is_part = || identifier_parts(&unmatched.word).any(|part| part.to_lowercase() == word);
    let term = stem(word);
    let is_found = |part: &PackPart<'_>| part.ranking.terms.iter().any(|one| one.symbols > 0 && one.text == term);
    unmatched.word == word || is_part() && !parts.iter().any(is_found)
}

struct Composer<'a> {
    task: &'a Task,
    parts: &'a [PackPart<'a>],
    extent: &'a Extent,
}

impl Composer<'_> {
    /// Returns the symbols that have a line each, with the reasons.
    fn places(
        &self,
        pack: &ContextPack,
        pinned: &BTreeSet<SymbolId>,
        seen: &BTreeSet<usize>,
    ) -> Result<Vec<(usize, String)>, EngineError> {
        let unseen = pack.symbols.iter().enumerate().filter(|(index, _)| !seen.contains(index));
        let is_place = |(rank, (_, packed)): &(usize, (usize, &PackedSymbol))| {
            *rank < self.extent.places || pinned.contains(&packed.symbol.id)
        };
        let places: Vec<(usize, &Symbol)> =
            unseen.enumerate().filter(is_place).map(|(_, (index, packed))| (index, &packed.symbol)).collect();
        let text = if let Request::Task(text) = &self.task.request { text.as_str() } else { "" };
        let mut reasons = BTreeMap::new();
        for part in self.parts {
            let own = || places.iter().enumerate().filter(|(_, (_, symbol))| self.is_of(part, symbol));
            // A reason refers to other places by their numbers.
            let first = FirstRanks::new(own().map(|(rank, (_, symbol))| (symbol.node, rank + 1)));
            let of_part = part.ranker.reasons(part.ranking, text, first);
            for (_, (index, symbol)) in own() {
                reasons.insert(*index, of_part.reason(symbol)?.short);
            }
        }
        Ok(places.into_iter().map(|(index, _)| (index, reasons.remove(&index).unwrap_or_default())).collect())
    }

    /// Returns whether a symbol is of the repository of a part.
    fn is_of(&self, part: &PackPart<'_>, symbol: &Symbol) -> bool {
        self.parts.len() == 1 || part.ranker.reader().repository() == symbol.repository()
    }

    /// Returns the stems of the task's words with their worth.
    fn words(&self) -> HashMap<String, f64> {
        self.parts.iter().flat_map(|part| part.ranking.keywords.stems()).collect()
    }

    /// Leaves out the last symbols until the list has its share of the tokens.
    fn shorten_list(&self, pack: &mut ContextPack, pinned: &BTreeSet<SymbolId>) {
        let limit = (self.extent.tokens as f64 * self.extent.list_share) as usize;
        loop {
            let tokens = list_tokens(pack);
            let Some(excess) = tokens.checked_sub(limit).filter(|excess| *excess > 0) else { return };
            let each = tokens.div_ceil(pack.symbols.len().max(1)).max(1);
            if !leave_out_last(pack, excess.div_ceil(each).div_ceil(2), pinned) {
                return;
            }
        }
    }

    /// Adds the sources of the first symbols that are short of nothing: no tests, no whole files, none inside another.
    fn add_sources(&self, pack: &mut ContextPack, sources: &mut Bodies<'_>) -> Result<(), EngineError> {
        let words = self.words();
        let best = pack.symbols.first().map_or(0.0, |packed| packed.score);
        let is_sure = |packed: &PackedSymbol| pack.packs_negative || packed.score >= self.extent.sure * best;
        let candidates: Vec<usize> = (0..pack.symbols.len())
            .filter(|index| is_sure(&pack.symbols[*index]) && has_source(&pack.symbols[*index]))
            .collect();
        let mut left = self.extent.tokens.saturating_sub(list_tokens(pack));
        let largest = (self.extent.tokens as f64 * SOURCE_SHARE) as usize;
        let mut shown: Vec<usize> = Vec::new();
        for index in candidates {
            if shown.len() >= self.extent.sources {
                break;
            }
            let symbol = pack.symbols[index].symbol.clone();
            if shown.iter().any(|other| overlap(&pack.symbols[*other].symbol, &symbol)) {
                continue;
            }
            let Some(body) = sources.indented_body(&symbol)?.filter(|body| !body.trim().is_empty()) else { continue };
            for limit in SOURCE_LINES {
                let lines = excerpt(&body, symbol.span.start_line, &words, limit);
                let source = SourceLines { symbol: index, lines, hash: hash_of(&body) };
                let tokens = count(&text::source_lines(pack, &source));
                if tokens <= left.min(largest) {
                    left -= tokens;
                    let numbered = source.lines.iter().map(|(_, line)| format!("{line}\n"));
                    pack.symbols[index].body = Some(numbered.collect());
                    if let Some(digest) = &mut pack.digest {
                        digest.sources.push(source);
                    }
                    shown.push(index);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Adds what likely changes with the first places, as far as there is room for it.
    fn add_also(&self, pack: &mut ContextPack) -> Result<(), EngineError> {
        if pack.packs_negative || pack.answer.is_some() {
            return Ok(());
        }
        let Some(digest) = &pack.digest else { return Ok(()) };
        let first: Vec<(usize, &Symbol)> =
            (1..).zip(&digest.places).map(|(rank, (index, _))| (rank, &pack.symbols[*index].symbol)).collect();
        let mut known: HashSet<SymbolId> = pack.symbols.iter().map(|packed| packed.symbol.id).collect();
        known.extend(self.task.options.dropped.iter().chain(self.task.options.seen.keys()));
        let limit = (self.extent.tokens as f64 * self.extent.also_share) as usize;
        let mut left = limit.min(self.extent.tokens.saturating_sub(list_tokens(pack)));
        let mut also = also(self.task, self.parts, &first, &known, self.extent.also)?;
        also.retain(|one| {
            let tokens = count(&text::place(pack, &one.symbol, &one.reason));
            let fits = tokens <= left;
            left -= if fits { tokens } else { 0 };
            fits
        });
        pack.also = also;
        Ok(())
    }

    /// Adds the sections of documents that answer the task, as far as there is room for them.
    fn add_documents(&self, pack: &mut ContextPack) -> Result<(), EngineError> {
        let Options { documents: asked, seen, .. } = &self.task.options;
        if pack.packs_negative || pack.answer.is_some() {
            return Ok(());
        }
        pack.asks_for_documents = *asked;
        let share = if *asked { ASKED_SHARE } else { DOCUMENT_SHARE };
        let limit = (self.extent.tokens as f64 * share) as usize;
        let mut left = limit.min(self.extent.tokens.saturating_sub(list_tokens(pack)));
        let mut documents = documents(self.parts, *asked)?;
        documents.retain(|one| {
            let tokens = count(&text::place(pack, &one.symbol, &one.reason));
            let fits = tokens <= left && !seen.contains_key(&one.symbol.id);
            left -= if fits { tokens } else { 0 };
            fits
        });
        pack.documents = documents;
        Ok(())
    }
}

fn has_source(packed: &PackedSymbol) -> bool {
    let symbol = &packed.symbol;
    !symbol.is_test && !symbol.file.is_empty() && !matches!(symbol.kind, SymbolKind::File | SymbolKind::Package)
}

fn overlap(one: &Symbol, other: &Symbol) -> bool {
    one.file == other.file
        && one.repository() == other.repository()
        && one.span.start_byte < other.span.end_byte
        && other.span.start_byte < one.span.end_byte
}

/// Returns the tokens of the head and the list.
fn list_tokens(pack: &ContextPack) -> usize {
    let Some(digest) = &pack.digest else { return 0 };
    let places: usize = digest
        .places
        .iter()
        .map(|(index, reason)| count(&text::place(pack, &pack.symbols[*index].symbol, reason)))
        .sum();
    let rest: usize = text::by_file(pack, digest).iter().map(|line| count(line)).sum();
    count(&text::head(&digest.head)) + places + rest + count(&text::also(pack)) + count(&text::documents(pack))
}

/// Leaves out the last symbols of the list, pinned ones last; returns whether there was one.
fn leave_out_last(pack: &mut ContextPack, number: usize, pinned: &BTreeSet<SymbolId>) -> bool {
    for _ in 0..number.max(1) {
        let free = pack.symbols.iter().rposition(|packed| !pinned.contains(&packed.symbol.id));
        let Some(last) = free.or(pack.symbols.len().checked_sub(1)) else { return false };
        let symbol = pack.symbols.remove(last);
        pack.edges.retain(|edge| edge.source != last && edge.target != last);
        for edge in &mut pack.edges {
            edge.source -= usize::from(edge.source > last);
            edge.target -= usize::from(edge.target > last);
        }
        if let Some(digest) = &mut pack.digest {
            digest.places.retain(|(index, _)| *index != last);
            digest.places.iter_mut().for_each(|(index, _)| *index -= usize::from(*index > last));
            let seen = digest.seen.iter().filter(|index| **index != last);
            digest.seen = seen.map(|index| index - usize::from(*index > last)).collect();
        }
        let at = pack.omitted.partition_point(|other| other.score > symbol.score);
        pack.omitted.insert(at, symbol);
    }
    true
}

/// Counts the whole text, and leaves out sources from the end, then symbols, then the head until it fits.
fn fit(mut pack: ContextPack, measure: &dyn TokenMeasure) -> Result<ContextPack, EngineError> {
    loop {
        pack.tokens_used = measure.whole(&pack);
        if pack.tokens_used <= pack.budget_tokens {
            return Ok(pack);
        }
        let source = pack.digest.as_mut().and_then(|digest| digest.sources.pop());
        if let Some(source) = source {
            pack.symbols[source.symbol].body = None;
        } else if pack.documents.pop().is_some() || pack.also.pop().is_some() {
        } else if !leave_out_last(&mut pack, 1, &BTreeSet::new()) {
            match &mut pack.digest {
                Some(digest) if !digest.head.is_empty() || digest.left_out > 0 => {
                    (digest.left_out, digest.head) = (0, Vec::new());
                }
                _ => {
                    let (budget_tokens, smallest_tokens) = (pack.budget_tokens, pack.tokens_used);
                    return Err(BudgetTooSmall { budget_tokens, smallest_tokens }.into());
                }
            }
        }
    }
}
