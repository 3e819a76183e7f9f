//! Invariants of the model.

use std::collections::HashSet;
use std::mem::discriminant;

use ratatui::buffer::Buffer;

use super::*;
use crate::model::SymbolId;
use crate::text::display::is_unsafe;
use crate::tui::panes::pack;
use crate::tui::panes::why::waterfall::{RESIDUAL, ROUNDING, Waterfall};

/// Returns the parts of the list that a late answer must not change.
pub fn list(model: &Model) -> (Vec<SymbolId>, usize, Stage, usize, usize) {
    let pack = &model.panes.pack;
    let ids = pack.symbols.iter().map(|packed| packed.symbol.id).collect();
    (ids, pack.selected, pack.stage, pack.packed, pack.tokens_used)
}

/// Checks the model.
pub fn check(model: &Model) {
    check_list(model);
    check_score(model);
    check_layers(model);
    let areas = model.areas();
    // A window may preview the source instead of the pane.
    if model.size.width > 0 && model.size.height >= 10 && model.overlays.is_empty() {
        assert!(!areas.focused(model.focus).is_empty(), "{:?} has the focus and no area", model.focus);
    }
    let nodes = model.panes.graph.shown.nodes.len();
    assert!(nodes == 0 || model.panes.graph.selected_symbol().is_some(), "the graph has no selection");
    let concepts = &model.concepts;
    assert!(concepts.concept < concepts.concepts().len().max(1), "the selected concept does not exist");
    assert!(concepts.symbol.is_none() || concepts.selected().is_some(), "the selected symbol does not exist");
}

fn check_list(model: &Model) {
    let pack = &model.panes.pack;
    let count = pack.symbols.len();
    assert!(pack.packed <= count && pack.ranks.len() == count && pack.deltas.len() == count);
    assert!(pack.shown.iter().all(|index| *index < count), "a row has no symbol");
    assert_eq!(pack.shown.iter().collect::<HashSet<_>>().len(), pack.shown.len(), "a symbol is listed twice");
    match pack.shown.is_empty() {
        true => assert!(pack.selected_symbol().is_none(), "the list is empty and has a selection"),
        false => assert!(pack.shown.contains(&pack.selected), "the selection is not in the list"),
    }
    assert!(pack.tokens_used <= pack.budget_tokens, "{} of {} tokens", pack.tokens_used, pack.budget_tokens);
    let list = model.areas().content(pack::ID);
    if list.height > 0 && model.overlays.is_empty() && !pack.shown.is_empty() {
        let line = pack.selected_line();
        assert!((pack.offset..pack.offset + list.height as usize).contains(&line), "the selection is not visible");
    }
}

/// Checks that the bars of the selected score end at the score, with a residual if needed.
fn check_score(model: &Model) {
    let Some(packed) = model.panes.pack.selected_symbol().filter(|_| model.panes.pack.stage == Stage::Full) else {
        return;
    };
    let waterfall = Waterfall::new(packed.score, &packed.components, model.panes.why.unfolded);
    assert!((waterfall.reached() - packed.score).abs() < 2.0 * ROUNDING, "{waterfall:?}");
    let sum: f64 = packed.components.iter().map(|component| component.contribution).sum();
    let has_residual = waterfall.bars.iter().any(|bar| bar.name == RESIDUAL);
    assert_eq!(has_residual, (packed.score - sum).abs() >= ROUNDING, "{waterfall:?}");
}

/// Checks that no window is on the stack twice, and that the one on top has the focus.
fn check_layers(model: &Model) {
    let kinds: HashSet<_> = model.overlays.iter().map(discriminant).collect();
    assert_eq!(kinds.len(), model.overlays.len(), "a window is on the stack twice: {} in all", model.overlays.len());
    let contexts = action::contexts(model);
    assert_eq!(contexts.last(), Some(&Context::Global));
    let of_overlay = contexts.contains(&Context::Overlay);
    assert_eq!(of_overlay, !model.overlays.is_empty(), "{contexts:?}");
    assert!(!of_overlay || !contexts.contains(&Context::Normal), "{contexts:?}");
}

/// Checks that requests have current numbers.
pub fn check_effects(model: &Model, effects: &[Effect]) {
    for effect in effects {
        match effect {
            Effect::Search(request) => {
                assert!(request.generation <= model.search.generation);
                assert!(model.can_rank(), "ranked without an index");
            }
            Effect::Preview(request) => assert!(request.generation <= model.panes.source.generation),
            Effect::Ask(question) => assert!(question.number <= model.last_question),
            _ => {}
        }
    }
    let searches: Vec<u64> = effects.iter().filter_map(generation).collect();
    assert!(searches.last().is_none_or(|last| *last == model.search.generation), "the last search is outdated");
}

fn generation(effect: &Effect) -> Option<u64> {
    match effect {
        Effect::Search(request) => Some(request.generation),
        _ => None,
    }
}

/// Checks that no control characters are on the screen.
pub fn check_screen(buffer: &Buffer) {
    for row in buffer.content().chunks(buffer.area.width.max(1) as usize) {
        let text: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
        assert!(!text.chars().any(is_unsafe), "on the screen: {text:?}");
    }
}
