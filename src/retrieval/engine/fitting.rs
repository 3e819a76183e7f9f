//! Source text that is added to a pack after its symbols are chosen, as far as it fits the budget.

use super::EngineError;
use super::bodies::Bodies;
use crate::model::{ContextPack, Span, SymbolKind};
use crate::rank::pack::TokenMeasure;

/// Share of the budget for the list of symbols; the rest is for source. With the whole budget for the list a pack has
/// a hundred signatures and no line of code.
const LIST_SHARE: f64 = 0.3;
/// Minimum budget of the list, which a small budget is used for as a whole.
const MIN_LIST_TOKENS: usize = 400;
/// Share of the budget that the source of one symbol may have.
const MAX_SOURCE_SHARE: f64 = 0.25;
/// Tokens by which the text can grow beside the source: the number of its tokens is part of it.
const SLACK: usize = 8;

/// The repository and the path of a symbol's file.
type SymbolFile = (String, String);

/// Returns the part of a budget for the list of symbols.
pub(super) fn list_budget(budget_tokens: usize) -> usize {
    ((budget_tokens as f64 * LIST_SHARE) as usize).max(MIN_LIST_TOKENS.min(budget_tokens))
}

/// Adds source to the symbols of a pack in the order of their rank, each whole or not at all; not inside source that
/// the pack already has.
///
/// # Errors
/// When the store can't be read.
pub(super) fn add_sources(
    pack: &mut ContextPack,
    sources: &mut Bodies<'_>,
    budget_tokens: usize,
    measure: &dyn TokenMeasure,
) -> Result<(), EngineError> {
    pack.budget_tokens = budget_tokens;
    let largest = (budget_tokens as f64 * MAX_SOURCE_SHARE) as usize;
    let mut used = measure.whole(pack) + SLACK;
    let mut shown: Vec<(SymbolFile, Span)> = Vec::new();
    for index in 0..pack.symbols.len() {
        let packed = &pack.symbols[index];
        let (symbol, before) = (packed.symbol.clone(), packed.tokens);
        let file = (symbol.repository().to_owned(), symbol.file.clone());
        let overlaps = |(other, span): &(SymbolFile, Span)| {
            *other == file && span.start_byte < symbol.span.end_byte && symbol.span.start_byte < span.end_byte
        };
        let is_whole_file = matches!(symbol.kind, SymbolKind::File | SymbolKind::Package);
        if is_whole_file || shown.iter().any(overlaps) {
            continue;
        }
        let Some(body) = sources.indented_body(&symbol)?.filter(|body| !body.trim().is_empty()) else { continue };
        pack.symbols[index].body = Some(body);
        let tokens = measure.symbol(pack, &pack.symbols[index]);
        let added = tokens.saturating_sub(before);
        if tokens > largest || used + added > budget_tokens {
            pack.symbols[index].body = None;
            continue;
        }
        used += added;
        pack.symbols[index].tokens = tokens;
        shown.push((file, symbol.span));
    }
    trim(pack, measure);
    Ok(())
}

/// Counts the whole text, and removes source from the end until it fits.
fn trim(pack: &mut ContextPack, measure: &dyn TokenMeasure) {
    loop {
        pack.tokens_used = 0;
        // The count is part of the text. Terminates because the count increases.
        loop {
            let tokens = measure.whole(pack);
            if tokens <= pack.tokens_used {
                break;
            }
            pack.tokens_used = tokens;
        }
        let last = pack.symbols.iter().rposition(|packed| packed.body.is_some());
        let Some(last) = last.filter(|_| pack.tokens_used > pack.budget_tokens) else { return };
        pack.symbols[last].body = None;
        pack.symbols[last].tokens = measure.symbol(pack, &pack.symbols[last]);
    }
}
