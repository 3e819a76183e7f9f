//! Finds the symbols that the model refers to again after the index has changed: their lines and node ids may differ,
//! or they may be gone, and then they are forgotten.

use std::collections::HashMap;

use super::ask;
use crate::model::{Symbol, SymbolId};
use crate::tui::backend::{Answer, Response};
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::Model;
use crate::tui::panes::PANES;

/// Asks for every symbol that panes and jump list refer to.
pub fn request(model: &mut Model, effects: &mut Vec<Effect>) {
    // Lines may have moved.
    model.panes.source.use_line = None;
    let mut symbols: Vec<Symbol> = Vec::new();
    retain_symbols(model, &mut |symbol| {
        if symbols.iter().all(|known| key(known) != key(symbol)) {
            symbols.push(symbol.clone());
        }
        true
    });
    model.relocation.symbols = symbols.iter().map(key).collect();
    if !symbols.is_empty() {
        model.relocation.question = ask(model, Topic::Relocate(symbols), effects);
    }
}

/// Applies the answer. Returns false for the answer to another question.
pub fn answered(model: &mut Model, number: u64, response: &Answer<Response>) -> bool {
    if number != model.relocation.question {
        return false;
    }
    // After an error nothing changes: every later request checks its symbol itself.
    let Ok(Response::Relocated(symbols)) = response else { return true };
    let known: HashMap<(SymbolId, String), &Option<Symbol>> =
        std::mem::take(&mut model.relocation.symbols).into_iter().zip(symbols).collect();
    let visited = model.panes.source.chosen.as_ref().map(|symbol| symbol.name.clone());
    retain_symbols(model, &mut |symbol| match known.get(&key(symbol)) {
        Some(Some(now)) => {
            *symbol = now.clone();
            true
        }
        // A symbol that was added since the question is of the new index.
        other => other.is_none(),
    });
    if let (Some(name), None) = (visited, &model.panes.source.chosen) {
        model.show_message(format!("{name} is gone"));
    }
    model.panes.graph.asked_about = None;
    true
}

/// Returns what distinguishes symbols: while the index is partial, equal names of one Go package have one identity.
fn key(symbol: &Symbol) -> (SymbolId, String) {
    (symbol.id, symbol.file.clone())
}

/// Calls `keep`, which may change it, with every symbol that panes and jump list refer to, and forgets those for which
/// it returns false.
fn retain_symbols(model: &mut Model, keep: &mut dyn FnMut(&mut Symbol) -> bool) {
    for pane in PANES {
        pane.retain_symbols(model, keep);
    }
    model.jump_list.retain(|jump| {
        jump.line = None;
        keep(&mut jump.symbol)
    });
}
