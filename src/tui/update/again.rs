//! Symbols that the explorer remembers are found again when the index has changed: their lines and numbers are others then,
//! or they are gone, and then they are forgotten.

use std::collections::HashMap;

use super::ask;
use crate::model::{Symbol, SymbolId};
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::Model;
use crate::tui::workspace::{Answer, Response};

/// Asks for every symbol that is remembered by more than its place in the list.
pub fn ask_again(model: &mut Model, effects: &mut Vec<Effect>) {
    // Lines may have moved.
    model.source.at = None;
    let mut symbols: Vec<Symbol> = Vec::new();
    remembered(model, &mut |symbol| {
        if symbols.iter().all(|known| place(known) != place(symbol)) {
            symbols.push(symbol.clone());
        }
        true
    });
    model.remembered = symbols.iter().map(place).collect();
    if !symbols.is_empty() {
        model.asked_again = ask(model, Topic::Again(symbols), effects);
    }
}

/// Takes the answer in; false when it is another question's.
pub fn found(model: &mut Model, number: u64, finding: &Answer<Response>) -> bool {
    if number != model.asked_again {
        return false;
    }
    // Without an answer everything stays as it is: each question about a symbol is checked for itself.
    let Ok(Response::Relocated(symbols)) = finding else { return true };
    let known: HashMap<(SymbolId, String), &Option<Symbol>> =
        std::mem::take(&mut model.remembered).into_iter().zip(symbols).collect();
    let visited = model.source.chosen.as_ref().map(|symbol| symbol.name.clone());
    remembered(model, &mut |symbol| match known.get(&place(symbol)) {
        Some(Some(now)) => {
            *symbol = now.clone();
            true
        }
        // What came to be remembered meanwhile is as new as the answer.
        other => other.is_none(),
    });
    if let (Some(name), None) = (visited, &model.source.chosen) {
        model.say(format!("{name} is gone"));
    }
    model.graph.awaited_root = None;
    true
}

/// What tells a symbol from others: before the index is whole, equal names of one Go package have one identity.
fn place(symbol: &Symbol) -> (SymbolId, String) {
    (symbol.id, symbol.file.clone())
}

/// Shows every remembered symbol to `keep`, which may change it, and forgets those for which it is false.
fn remembered(model: &mut Model, keep: &mut dyn FnMut(&mut Symbol) -> bool) {
    for one in [&mut model.source.chosen, &mut model.why.chosen, &mut model.graph.chosen] {
        if one.as_mut().is_some_and(|symbol| !keep(symbol)) {
            *one = None;
        }
    }
    if model.why.versus.as_mut().is_some_and(|versus| !keep(&mut versus.symbol)) {
        model.why.versus = None;
    }
    model.graph.retain_roots(keep);
    model.trail.retain(|spot| {
        spot.line = None;
        keep(&mut spot.symbol)
    });
}
