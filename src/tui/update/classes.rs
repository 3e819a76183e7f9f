//! Walking through what classes lead to, with list and source following.

use std::time::Instant;

use super::super::command::Command;
use super::super::effect::{Effect, Topic};
use super::super::model::Model;
use super::super::overlay::{Overlay, classes::Classes};
use super::super::workspace::{Answer, Finding};
use super::{ask, judge, source};

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
    let subject = source::subject(model).map(|symbol| symbol.id);
    let leads = |symbols: &[crate::engine::classes::ClassSymbol]| {
        symbols.iter().position(|found| Some(found.symbol.id) == subject)
    };
    let at =
        model.classes.classes().iter().enumerate().find_map(|(class, fired)| Some((class, leads(&fired.symbols)?)));
    if let Some((class, place)) = at {
        (model.classes.class, model.classes.place) = (class, Some(place));
    }
    model.overlays.push(Overlay::Classes(Classes));
}

fn turn(model: &mut Model, by: isize) {
    model.classes.turn(by);
    step(model, 1);
}

fn step(model: &mut Model, by: isize) {
    model.classes.step(by);
    let Some(symbol) = model.classes.symbol().map(|found| found.symbol.clone()) else {
        model.say("no class leads to a symbol here");
        return;
    };
    // What is not ranked can be looked at all the same.
    source::visit(model, symbol);
    let (Some(class), Some(place)) = (model.classes.current(), model.classes.place) else { return };
    model.say(format!("{}: match {}/{}", class.concept, place + 1, class.symbols.len()));
}

/// Asks which classes the task fires.
pub fn refresh(model: &mut Model, effects: &mut Vec<Effect>) {
    let task = model.task.task();
    model.classes.asked = ask(model, Topic::Classes { task }, effects);
}

/// Takes in the answer; false when it is another question's.
pub fn found(model: &mut Model, number: u64, finding: &Answer<Finding>) -> bool {
    if number != model.classes.asked {
        return false;
    }
    match finding {
        Ok(Finding::Classes(classes)) => model.classes.fill(Ok(classes.clone())),
        Err(error) => model.classes.fill(Err(error.clone())),
        Ok(_) => return false,
    }
    true
}
