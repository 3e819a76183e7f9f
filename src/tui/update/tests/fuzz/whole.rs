//! What must be true of the model whatever has happened.

use std::collections::HashSet;
use std::mem::discriminant;

use ratatui::buffer::Buffer;

use super::*;
use crate::model::SymbolId;
use crate::text::display::is_unsafe;
use crate::tui::panes::pack;
use crate::tui::panes::why::waterfall::{RESIDUAL, ROUNDING, Waterfall};

/// What a late answer must not change of the list.
pub fn list(model: &Model) -> (Vec<SymbolId>, usize, Stage, usize, usize) {
    let pack = &model.panes.pack;
    let ids = pack.symbols.iter().map(|packed| packed.symbol.id).collect();
    (ids, pack.selected, pack.stage, pack.packed, pack.tokens_used)
}

/// Checks everything that does not need a screen.
pub fn check(model: &Model) {
    check_list(model);
    check_score(model);
    check_layers(model);
    let areas = model.areas();
    // A window that has the keys may show the source in place of the pane.
    if model.size.width > 0 && model.size.height >= 10 && model.overlays.is_empty() {
        assert!(!areas.focused(model.focus).is_empty(), "{:?} has the keys and no place on the screen", model.focus);
    }
    let runs = &model.panes.runs;
    assert!(runs.selected < runs.list.len().max(1), "the selected run is none of the list");
    let nodes = model.panes.graph.shown.nodes.len();
    assert!(
        nodes == 0 || model.panes.graph.selected_symbol().is_some(),
        "the neighborhood selects none of its symbols"
    );
    let stepper = &model.concepts;
    assert!(stepper.concept < stepper.concepts().len().max(1), "the class is none of those that fired");
    assert!(stepper.symbol.is_none() || stepper.selected().is_some(), "the stepper stands on no match");
}

fn check_list(model: &Model) {
    let pack = &model.panes.pack;
    let count = pack.symbols.len();
    assert!(pack.packed <= count && pack.ranks.len() == count && pack.deltas.len() == count);
    assert!(pack.shown.iter().all(|place| *place < count), "a row lists no symbol");
    assert_eq!(pack.shown.iter().collect::<HashSet<_>>().len(), pack.shown.len(), "a symbol is listed twice");
    match pack.shown.is_empty() {
        true => assert!(pack.selected_symbol().is_none(), "nothing is listed and something is selected"),
        false => assert!(pack.shown.contains(&pack.selected), "the selection is not in the list"),
    }
    assert!(pack.tokens_used <= pack.budget_tokens, "{} of {} tokens", pack.tokens_used, pack.budget_tokens);
    let (_, list) = pack::list_areas(&model.areas());
    if list.height > 0 && model.overlays.is_empty() && !pack.shown.is_empty() {
        let line = pack.selected_line();
        assert!((pack.offset..pack.offset + list.height as usize).contains(&line), "the selection is out of sight");
    }
}

/// The bars of the selected score end where the score does, and what the parts leave is said.
fn check_score(model: &Model) {
    let Some(packed) = model.panes.pack.selected_symbol().filter(|_| model.panes.pack.stage == Stage::Full) else {
        return;
    };
    let waterfall = Waterfall::new(packed.score, &packed.components);
    assert!((waterfall.reached() - packed.score).abs() < 2.0 * ROUNDING, "{waterfall:?}");
    let sum: f64 = packed.components.iter().map(|part| part.contribution).sum();
    let told = waterfall.bars.iter().any(|bar| bar.name == RESIDUAL);
    assert_eq!(told, (packed.score - sum).abs() >= ROUNDING, "{waterfall:?}");
}

/// No window lies on the stack twice, and the one on top has the keys.
fn check_layers(model: &Model) {
    let kinds: HashSet<_> = model.overlays.iter().map(discriminant).collect();
    assert_eq!(kinds.len(), model.overlays.len(), "a window lies above itself: {} in all", model.overlays.len());
    let contexts = action::contexts(model);
    assert_eq!(contexts.last(), Some(&Context::Global));
    let of_overlay = contexts.contains(&Context::Overlay);
    assert_eq!(of_overlay, !model.overlays.is_empty(), "{contexts:?}");
    assert!(!of_overlay || !contexts.contains(&Context::Normal), "{contexts:?}");
}

/// What is asked for is asked in the name of the present.
pub fn check_effects(model: &Model, effects: &[Effect]) {
    for effect in effects {
        match effect {
            Effect::Search(request) => {
                assert!(request.generation <= model.search.generation);
                assert!(model.usable(), "ranked without an index");
            }
            Effect::Preview(request) => assert!(request.generation <= model.panes.source.generation),
            Effect::Ask(question) => assert!(question.number <= model.asked),
            _ => {}
        }
    }
    let searches: Vec<u64> = effects.iter().filter_map(generation).collect();
    assert!(searches.last().is_none_or(|last| *last == model.search.generation), "the last search is an old one");
}

fn generation(effect: &Effect) -> Option<u64> {
    match effect {
        Effect::Search(request) => Some(request.generation),
        _ => None,
    }
}

/// Nothing on the screen has power over a terminal.
pub fn check_screen(buffer: &Buffer) {
    for row in buffer.content().chunks(buffer.area.width.max(1) as usize) {
        let text: String = row.iter().map(ratatui::buffer::Cell::symbol).collect();
        assert!(!text.chars().any(is_unsafe), "on the screen: {text:?}");
    }
}
