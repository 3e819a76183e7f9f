//! Walking through what classes lead to, with list and source following.

use std::time::Instant;

use super::{ask, judge, source};
use crate::tui::command::Command;
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::Model;
use crate::tui::model::pack::Stage;
use crate::tui::overlay::{Overlay, concepts::Concepts};
use crate::tui::workspace::{Answer, Response};

/// The commands of the walk.
pub fn run(model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) -> bool {
    match command {
        Command::Classes => open(model),
        Command::NextMatch => step(model, 1),
        Command::PreviousMatch => step(model, -1),
        Command::NextClass => turn(model, 1),
        Command::PreviousClass => turn(model, -1),
        Command::MuteClass => match model.classes.current() {
            Some(class) => {
                let concept = class.concept.clone();
                judge::mute(model, concept, now, effects);
            }
            None => model.say("the task fires no class"),
        },
        _ => return false,
    }
    true
}

/// Opens the window at a class that leads to the selected symbol, if there is one.
fn open(model: &mut Model) {
    // The new window's filter is empty.
    model.classes.filter.clear();
    let subject = source::subject(model).map(|symbol| symbol.id);
    let leads = |symbols: &[crate::engine::classes::ClassSymbol]| {
        symbols.iter().position(|found| Some(found.symbol.id) == subject)
    };
    let at =
        model.classes.classes().iter().enumerate().find_map(|(class, fired)| Some((class, leads(&fired.symbols)?)));
    if let Some((class, place)) = at {
        (model.classes.class, model.classes.place) = (class, Some(place));
    }
    model.overlays.push(Overlay::Concepts(Concepts::default()));
}

fn turn(model: &mut Model, by: isize) {
    model.classes.turn(by);
    step(model, 1);
}

fn step(model: &mut Model, by: isize) {
    model.classes.step(by);
    look(model);
}

/// Goes to the match in this row, or to the last.
pub fn go_to(model: &mut Model, row: usize) {
    model.classes.go_to(row);
    look(model);
}

/// Goes to another class, by its place.
pub fn turn_to(model: &mut Model, class: usize) {
    turn(model, class as isize - model.classes.class as isize);
}

/// List and source show the match last stepped to.
fn look(model: &mut Model) {
    let Some(symbol) = model.classes.symbol().map(|found| found.symbol.clone()) else {
        let filter = &model.classes.filter;
        model.say(match filter.is_empty() {
            true => "no class leads to a symbol here".to_owned(),
            false => format!("no match of this class has the letters {filter}"),
        });
        return;
    };
    // What is not ranked can be looked at all the same.
    source::visit(model, symbol);
    let (Some(class), Some(row)) = (model.classes.current(), model.classes.row()) else { return };
    model.say(format!("{}: match {}/{}", class.concept, row + 1, model.classes.shown().len()));
}

/// Asks which classes the task fires.
pub fn refresh(model: &mut Model, effects: &mut Vec<Effect>) {
    let task = model.task.task();
    model.classes.asked = ask(model, Topic::Classes { task }, effects);
}

/// While the window is open, asks what the ranking would be without its class. That costs a ranking, so it is asked only
/// for the class that one looks at; a muted one is without effect already.
pub fn follow(model: &mut Model, effects: &mut Vec<Effect>) {
    if !model.overlays.iter().any(|overlay| matches!(overlay, Overlay::Concepts(_))) {
        model.classes.filter.clear();
        return;
    }
    let Some(class) = model.classes.current().filter(|class| !class.muted && !class.symbols.is_empty()) else { return };
    let about = ((model.search.generation, model.index_version), class.concept.clone());
    let is_old = model.pack.stage != Stage::Full || model.pack.stale;
    if is_old || model.classes.without().is_some() || model.classes.awaited_without.as_ref() == Some(&about) {
        return;
    }
    let topic = Topic::Without { task: model.task.task(), concept: about.1.clone() };
    model.classes.awaited_without = Some(about);
    model.classes.asked_without = ask(model, topic, effects);
}

/// Takes in the answer; false when it is another question's.
pub fn found(model: &mut Model, number: u64, finding: &Answer<Response>) -> bool {
    if number == model.classes.asked_without {
        // Without an answer the line stays out; nothing else depends on it.
        if let Ok(Response::MuteEffect(without)) = finding {
            model.classes.without.push(without.clone());
        }
        return true;
    }
    if number != model.classes.asked {
        return false;
    }
    match finding {
        Ok(Response::Concepts(classes)) => model.classes.fill(Ok(classes.clone())),
        Err(error) => model.classes.fill(Err(error.clone())),
        Ok(_) => return false,
    }
    true
}
