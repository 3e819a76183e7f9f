//! The pane of reasons: it explains the selected symbol, or the one that the user chose.

use std::time::Instant;

use super::ask;
use crate::tui::command::Command;
use crate::tui::effect::{Effect, Node, Topic};
use crate::tui::model::pack::Stage;
use crate::tui::model::why::Explained;
use crate::tui::model::{Focus, Model};
use crate::tui::overlay::finder::{self, Purpose};
use crate::tui::workspace::{Answer, Response};

/// The commands of the pane.
pub fn run(model: &mut Model, command: Command, _now: Instant, _effects: &mut Vec<Effect>) -> bool {
    match command {
        Command::WhyCompare if model.pack.selected_symbol().is_none() => {
            model.complain("there is no symbol to compare yet");
        }
        Command::WhyCompare => finder::open(model, Purpose::Compare),
        Command::WhyNot => finder::open(model, Purpose::WhyNot),
        Command::FindSymbol => finder::open(model, Purpose::Visit),
        Command::GraphFind => finder::open(model, Purpose::Root),
        Command::Back if model.focus == Focus::Why && !model.zoomed && model.why.leave() => {}
        _ => return false,
    }
    true
}

/// Scrolls by some lines.
pub fn step(model: &mut Model, by: isize) {
    model.why.scroll = model.why.scroll.saturating_add_signed(by);
}

/// Asks for what is to be shown and has not come or been asked for.
pub fn follow(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.pack.stage != Stage::Full || model.pack.stale {
        return;
    }
    let selection = model.pack.selected_symbol().map(|packed| &packed.symbol);
    let wanted = model.why.subject(selection).map(Node::from);
    let version = (model.search.generation, model.index_version);
    if let Some(node) = wanted.filter(|node| model.why.awaited[0] != Some((version, *node))) {
        if model.why.awaited[0].is_some_and(|(_, known)| known != node) {
            model.why.scroll = 0;
        }
        model.why.awaited[0] = Some((version, node));
        model.why.asked[0] = ask(model, Topic::Why(node), effects);
    }
    let versus = model.why.versus.as_ref().map(|versus| Node::from(&versus.symbol));
    if let Some(node) = versus.filter(|node| model.why.awaited[1] != Some((version, *node))) {
        model.why.awaited[1] = Some((version, node));
        model.why.asked[1] = ask(model, Topic::Versus(node), effects);
    }
    if model.why.answer.as_ref().map(|answer| answer.symbol.id) == wanted.map(|node| node.id) {
        ask_otherwise(model, effects);
    }
}

/// Takes an answer in, if it is one to the last questions.
pub fn found(model: &mut Model, number: u64, finding: &Answer<Response>) {
    match finding {
        Ok(Response::Why(explained)) if number == model.why.asked[0] => {
            model.why.answer = Some((**explained).clone());
            model.why.otherwise.clear();
            model.why.awaited_otherwise = None;
            model.why.trouble = None;
        }
        Ok(Response::Counterfactuals(places)) if number == model.why.asked_otherwise => {
            model.why.otherwise.clone_from(places)
        }
        Ok(Response::Compared(explained)) if number == model.why.asked[1] => {
            if let Some(versus) = model.why.versus.as_mut().filter(|versus| versus.symbol.id == explained.symbol.id) {
                versus.why.clone_from(&explained.why);
            }
        }
        Err(error) if model.why.asked.contains(&number) => model.why.trouble = Some(error.clone()),
        _ => (),
    }
}

/// Asks where the symbol would stand without its classes, and with a vote. That costs a ranking for each, so only once somebody is at
/// the reasons.
fn ask_otherwise(model: &mut Model, effects: &mut Vec<Effect>) {
    let version = (model.search.generation, model.index_version);
    let Some(Explained { symbol, why: Some(why) }) = &model.why.answer else { return };
    let about = Some((version, symbol.id));
    if model.focus != Focus::Why || model.why.awaited_otherwise == about {
        return;
    }
    let mut concepts: Vec<String> = Vec::new();
    for class in &why.classes {
        if concepts.len() < MOST_CLASSES && !concepts.contains(&class.concept) {
            concepts.push(class.concept.clone());
        }
    }
    let topic = Topic::Otherwise { task: model.task.task(), node: Node::from(symbol), concepts };
    model.why.awaited_otherwise = about;
    model.why.asked_otherwise = ask(model, topic, effects);
}

/// Classes whose absence is tried out.
const MOST_CLASSES: usize = 3;
