//! Commands of the concepts: the window, stepping through symbols, muting.

use std::time::Instant;

use super::{ask, feedback, navigation};
use crate::tui::backend::{Answer, Response};
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::Model;
use crate::tui::overlay::{Overlay, concepts::Concepts};

/// Mutes the concept, or unmutes it.
pub fn mute(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    match model.concepts.current() {
        Some(current) => {
            let concept = current.concept.clone();
            feedback::mute(model, concept, now, effects);
        }
        None => model.show_message("the task matches no concept"),
    }
}

/// Opens the window at a concept of the current symbol, if there is one.
pub fn open(model: &mut Model) {
    model.concepts.filter.clear();
    let current = navigation::current_symbol(model).map(|symbol| symbol.id);
    let position = |symbols: &[crate::engine::concepts::ConceptSymbol]| {
        symbols.iter().position(|found| Some(found.symbol.id) == current)
    };
    let mut concepts = model.concepts.concepts().iter().enumerate();
    if let Some((concept, symbol)) = concepts.find_map(|(index, concept)| Some((index, position(&concept.symbols)?))) {
        (model.concepts.concept, model.concepts.symbol) = (concept, Some(symbol));
    }
    model.overlays.push(Overlay::Concepts(Concepts::default()));
}

/// Goes to another concept.
pub fn cycle(model: &mut Model, by: isize) {
    model.concepts.cycle(by);
    step(model, 1);
}

/// Goes to another symbol of the concept.
pub fn step(model: &mut Model, by: isize) {
    model.concepts.step(by);
    visit_selected(model);
}

/// Selects the symbol in this row, or the last one, and visits it.
pub fn go_to(model: &mut Model, row: usize) {
    model.concepts.go_to(row);
    visit_selected(model);
}

/// Selects another concept by its index.
pub fn turn_to(model: &mut Model, index: usize) {
    cycle(model, index as isize - model.concepts.concept as isize);
}

/// Visits the selected symbol, ranked or not.
fn visit_selected(model: &mut Model) {
    let Some(symbol) = model.concepts.selected().map(|found| found.symbol.clone()) else {
        let filter = &model.concepts.filter;
        model.show_message(match filter.is_empty() {
            true => "no concept has a symbol here".to_owned(),
            false => format!("no symbol of this concept matches {filter}"),
        });
        return;
    };
    navigation::visit(model, symbol);
    let (Some(current), Some(row)) = (model.concepts.current(), model.concepts.row()) else { return };
    model.show_message(format!("{}: match {}/{}", current.concept, row + 1, model.concepts.shown().len()));
}

/// Asks for the concepts of the task.
pub fn refresh(model: &mut Model, effects: &mut Vec<Effect>) {
    let task = model.task.task();
    model.concepts.question = ask(model, Topic::Concepts { task }, effects);
}

/// Clears the filter of the window once it is closed.
pub fn follow(model: &mut Model) {
    if !model.overlays.iter().any(|overlay| matches!(overlay, Overlay::Concepts(_))) {
        model.concepts.filter.clear();
    }
}

/// Applies an answer. Returns false for the answer to another question.
pub fn answered(model: &mut Model, number: u64, response: &Answer<Response>) -> bool {
    if number != model.concepts.question {
        return false;
    }
    match response {
        Ok(Response::Concepts(concepts)) => {
            model.concepts.set_answer(Ok(concepts.clone()));
            // The mark stays, so list and source stay with it: the new ranking may list the symbol elsewhere.
            let is_open = model.overlays.iter().any(|overlay| matches!(overlay, Overlay::Concepts(_)));
            if let Some(found) = model.concepts.selected().filter(|_| is_open) {
                navigation::visit(model, found.symbol.clone());
            }
        }
        Err(error) => model.concepts.set_answer(Err(error.clone())),
        Ok(_) => return false,
    }
    true
}
