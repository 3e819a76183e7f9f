//! The why pane: explains the rank of the selected symbol, or of one that the user chose.

mod explanation;
mod state;
mod view;
pub mod waterfall;

use std::time::Instant;

use ratatui::layout::Rect;

pub use state::{Explained, WhyView};
pub use view::{explained_symbol, last_commit, sentence};

use super::pack::Stage;
use super::{Pane, PaneId, source};
use crate::model::{Request, Symbol};
use crate::tui::backend::{Answer, Response};
use crate::tui::command::{CommandSpec, Context, without_definition};
use crate::tui::effect::{Effect, Node, Topic};
use crate::tui::model::task::EntryPoint;
use crate::tui::model::{Focus, Model};
use crate::tui::overlay::finder::{self, Purpose};
use crate::tui::update::{ask, task};
use crate::tui::view::Canvas;

/// The id of the pane.
pub const ID: PaneId = PaneId("why");

const NUMBERS: &str = "why.numbers";

const HERE: Context = Context::Pane(ID);

static COMMANDS: &[CommandSpec] = &[
    CommandSpec::focus_pane(ID, "pane.why", "why this symbol", "", &[(Context::Normal, "K"), (Context::Normal, "4")])
        .unless(without_definition),
    CommandSpec::pane("why.not", "explain a symbol that is not listed", "why not", &[(HERE, "w")])
        .does(|model, _, _| finder::open(model, Purpose::WhyNot)),
    CommandSpec::pane("why.commit", "rank what the last commit changed", "its commit", &[(HERE, "Enter")])
        .does(rank_commit)
        .unless(without_commit),
    CommandSpec::pane(NUMBERS, "show or hide the numbers of the rank", "numbers", &[(HERE, "n")])
        .does(|model, _, _| model.panes.why.has_numbers = !model.panes.why.has_numbers)
        .unless(without_definition),
];

/// The explanation of a rank.
pub struct WhyPane;

impl Pane for WhyPane {
    fn id(&self) -> PaneId {
        ID
    }

    fn commands(&self) -> &'static [CommandSpec] {
        COMMANDS
    }

    fn fold(&self, model: &mut Model, _effects: &mut Vec<Effect>) -> bool {
        model.panes.why.unfolded = !model.panes.why.unfolded;
        true
    }

    fn clear(&self, model: &mut Model) -> bool {
        !model.zoomed && model.panes.why.follow_list()
    }

    fn follow(&self, model: &mut Model, effects: &mut Vec<Effect>) {
        if model.panes.pack.stage != Stage::Full || model.panes.pack.stale {
            return;
        }
        let wanted = view::explained_symbol(model).filter(|symbol| !symbol.is_section()).map(Node::from);
        let version = (model.search.generation, model.index_version);
        if let Some(node) = wanted.filter(|node| model.panes.why.asked_about != Some((version, *node))) {
            if model.panes.why.asked_about.is_some_and(|(_, known)| known != node) {
                model.panes.why.scroll = 0;
            }
            model.panes.why.asked_about = Some((version, node));
            model.panes.why.question = ask(model, Topic::Why(node), effects);
        }
        if model.panes.why.answer.as_ref().map(|answer| answer.symbol.id) == wanted.map(|node| node.id) {
            ask_commit(model, effects);
        }
    }

    fn answered(&self, model: &mut Model, number: u64, response: &Answer<Response>) {
        let why = &mut model.panes.why;
        match response {
            Ok(Response::Why(explained)) if number == why.question => {
                why.answer = Some((**explained).clone());
                (why.last_commit, why.commit_question, why.commit_about) = (None, 0, None);
                why.error = None;
            }
            Ok(Response::LastCommit(commit)) if number == why.commit_question => why.last_commit.clone_from(commit),
            Err(error) if number == why.question => why.error = Some(error.clone()),
            _ => (),
        }
    }

    fn retain_symbols(&self, model: &mut Model, keep: &mut dyn FnMut(&mut Symbol) -> bool) {
        model.panes.why.chosen.take_if(|symbol| !keep(symbol));
    }

    fn scroll(&self, model: &mut Model, by: isize) {
        model.panes.why.scroll = model.panes.why.scroll.saturating_add_signed(by);
    }

    fn title(&self, model: &Model, _columns: usize) -> String {
        match view::title(model) {
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

/// Ranks for the changes of the commit that last changed the explained symbol.
fn rank_commit(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    if let Some(reason) = without_commit(model) {
        return model.show_message(reason);
    }
    let Some(commit) = view::last_commit(model) else { return };
    let Request::PullRequest(revision) = commit.task().request else { return };
    let input = model.task.input.clone();
    task::begin(model, EntryPoint::Changes(revision), input, now, effects);
}

fn without_commit(model: &Model) -> Option<&'static str> {
    match view::last_commit(model) {
        Some(commit) if commit.is_committed() => None,
        Some(_) => Some("not committed yet"),
        None => Some("no commit of these lines is known"),
    }
}
