//! The why pane: explains the rank of the selected symbol, or of one that the user chose.

mod explanation;
mod state;
mod view;
pub mod waterfall;

use std::time::Instant;

use ratatui::layout::Rect;

pub use state::{ComponentPair, Counterfactual, Explained, WhyView, compare_components};
pub use view::{explained_symbol, last_commit, sentence};

use super::pack::Stage;
use super::{Pane, PaneId, source};
use crate::model::{Request, Symbol};
use crate::tui::backend::{Answer, Response};
use crate::tui::command::{Command, CommandSpec, Context};
use crate::tui::effect::{Effect, Node, Topic};
use crate::tui::model::task::EntryPoint;
use crate::tui::model::{Focus, Model};
use crate::tui::overlay::finder::{self, Purpose};
use crate::tui::update::{ask, task};
use crate::tui::view::Canvas;

/// The id of the pane.
pub const ID: PaneId = PaneId("why");

const COMPARE: &str = "why.compare";
const WHY_NOT: &str = "why.not";
const COMMIT: &str = "why.commit";
const NUMBERS: &str = "why.numbers";

const HERE: Context = Context::Pane(ID);

static COMMANDS: &[CommandSpec] = &[
    CommandSpec::focus_pane(ID, "pane.why", "why this symbol", "", &[(Context::Normal, "K"), (Context::Normal, "4")]),
    CommandSpec::pane(COMPARE, "compare this symbol with another", "compare", &[(HERE, "c")]),
    CommandSpec::pane(WHY_NOT, "explain a symbol that is not listed", "why not", &[(HERE, "w")]),
    CommandSpec::pane(COMMIT, "rank for what the last commit changed", "its commit", &[(HERE, "Enter")])
        .unless(without_commit),
    CommandSpec::pane(NUMBERS, "the numbers behind the rank, or not", "numbers", &[(HERE, "n")]),
];

/// Concepts whose counterfactuals are requested.
const MAX_CONCEPTS: usize = 3;

/// The explanation of a rank.
pub struct WhyPane;

impl Pane for WhyPane {
    fn id(&self) -> PaneId {
        ID
    }

    fn commands(&self) -> &'static [CommandSpec] {
        COMMANDS
    }

    fn run(&self, model: &mut Model, command: Command, now: Instant, effects: &mut Vec<Effect>) -> bool {
        match command {
            Command::Pane(COMPARE) if model.panes.pack.selected_symbol().is_none() => {
                model.show_error("no symbol is selected");
            }
            Command::Pane(COMPARE) => finder::open(model, Purpose::Compare),
            Command::Pane(WHY_NOT) => finder::open(model, Purpose::WhyNot),
            Command::Pane(COMMIT) => rank_commit(model, now, effects),
            Command::Pane(NUMBERS) => model.panes.why.has_numbers = !model.panes.why.has_numbers,
            Command::Fold if model.focus == Focus::Pane(ID) => model.panes.why.unfolded = !model.panes.why.unfolded,
            Command::Back if model.focus == Focus::Pane(ID) && !model.zoomed && model.panes.why.follow_list() => {}
            _ => return false,
        }
        true
    }

    fn follow(&self, model: &mut Model, effects: &mut Vec<Effect>) {
        if model.panes.pack.stage != Stage::Full || model.panes.pack.stale {
            return;
        }
        let wanted = view::explained_symbol(model).map(Node::from);
        let version = (model.search.generation, model.index_version);
        if let Some(node) = wanted.filter(|node| model.panes.why.asked_about[0] != Some((version, *node))) {
            if model.panes.why.asked_about[0].is_some_and(|(_, known)| known != node) {
                model.panes.why.scroll = 0;
            }
            model.panes.why.asked_about[0] = Some((version, node));
            model.panes.why.questions[0] = ask(model, Topic::Why(node), effects);
        }
        let versus = model.panes.why.versus.as_ref().map(|versus| Node::from(&versus.symbol));
        if let Some(node) = versus.filter(|node| model.panes.why.asked_about[1] != Some((version, *node))) {
            model.panes.why.asked_about[1] = Some((version, node));
            model.panes.why.questions[1] = ask(model, Topic::Versus(node), effects);
        }
        if model.panes.why.answer.as_ref().map(|answer| answer.symbol.id) == wanted.map(|node| node.id) {
            ask_commit(model, effects);
            ask_details(model, effects);
        }
    }

    fn answered(&self, model: &mut Model, number: u64, response: &Answer<Response>) {
        let why = &mut model.panes.why;
        match response {
            Ok(Response::Why(explained)) if number == why.questions[0] => {
                why.answer = Some((**explained).clone());
                why.counterfactuals.clear();
                (why.last_commit, why.commit_question, why.commit_about) = (None, 0, None);
                why.counterfactuals_about = None;
                why.error = None;
            }
            Ok(Response::Counterfactuals(counterfactuals)) if number == why.counterfactuals_question => {
                why.counterfactuals.clone_from(counterfactuals);
            }
            Ok(Response::Compared(explained)) if number == why.questions[1] => {
                if let Some(versus) = why.versus.as_mut().filter(|versus| versus.symbol.id == explained.symbol.id) {
                    versus.why.clone_from(&explained.why);
                }
            }
            Ok(Response::LastCommit(commit)) if number == why.commit_question => why.last_commit.clone_from(commit),
            Err(error) if why.questions.contains(&number) => why.error = Some(error.clone()),
            _ => (),
        }
    }

    fn retain_symbols(&self, model: &mut Model, keep: &mut dyn FnMut(&mut Symbol) -> bool) {
        let why = &mut model.panes.why;
        why.chosen.take_if(|symbol| !keep(symbol));
        why.versus.take_if(|versus| !keep(&mut versus.symbol));
    }

    fn scroll(&self, model: &mut Model, by: isize) {
        model.panes.why.scroll = model.panes.why.scroll.saturating_add_signed(by);
    }

    fn title(&self, model: &Model, columns: usize) -> String {
        let room = columns.saturating_sub(ID.label().len() + 3);
        match view::title(model, room) {
            Some(title) => format!("{} {} {title}", ID.label(), model.appearance.glyphs.dot),
            None => ID.label(),
        }
    }

    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect) {
        view::draw(canvas, area);
    }
}

/// Asks for the last commit of the symbol where it is shown, here or above the source. It may read much of git's history,
/// which would delay the rows while the task is typed.
fn ask_commit(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(Explained { symbol, .. }) = &model.panes.why.answer else { return };
    let about = Some(((model.search.generation, model.index_version), symbol.id));
    let is_shown = model.focus == Focus::Pane(ID) || source::has_sentence_row(model);
    if is_shown && model.focus != Focus::Task && model.panes.why.commit_about != about {
        let node = Node::from(symbol);
        model.panes.why.commit_about = about;
        model.panes.why.commit_question = ask(model, Topic::LastCommit(node), effects);
    }
}

/// Asks for the symbol's rank without each of its concepts and after a vote. Each costs a ranking, so only the pane in focus
/// asks.
fn ask_details(model: &mut Model, effects: &mut Vec<Effect>) {
    let version = (model.search.generation, model.index_version);
    let Some(Explained { symbol, why: Some(why) }) = &model.panes.why.answer else { return };
    let about = Some((version, symbol.id));
    if model.focus != Focus::Pane(ID) || model.panes.why.counterfactuals_about == about {
        return;
    }
    let node = Node::from(symbol);
    let mut concepts: Vec<String> = Vec::new();
    for found in &why.concepts {
        if concepts.len() < MAX_CONCEPTS && !concepts.contains(&found.concept) {
            concepts.push(found.concept.clone());
        }
    }
    let topic = Topic::Counterfactuals { task: model.task.task(), node, concepts };
    model.panes.why.counterfactuals_about = about;
    model.panes.why.counterfactuals_question = ask(model, topic, effects);
}

/// Ranks for the changes of the commit that last changed the explained symbol.
fn rank_commit(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    let Some(commit) = view::last_commit(model) else { return };
    let Request::PullRequest(revision) = commit.task().request else { return };
    let input = model.task.input.clone();
    task::begin(model, EntryPoint::Changes(revision), input, now, effects);
}

fn without_commit(model: &Model) -> Option<&'static str> {
    view::last_commit(model).is_none().then_some("no commit of these lines is known")
}
