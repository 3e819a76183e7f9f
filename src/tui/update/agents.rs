//! Coding agents: their requests, as rows of the runs pane.

use std::time::Instant;

use crate::tui::model::{Focus, Model};
use crate::tui::panes::{page_rows, runs};
use crate::tui::view::text;
use crate::tui::workspace::AgentNews;

/// Adds new requests to the runs pane, and shows what can't be read.
pub fn apply(model: &mut Model, news: AgentNews, now: Instant) {
    let height = page_rows(model, runs::ID);
    let is_focused = model.focus == Focus::Pane(runs::ID);
    model.panes.runs.add_requests(news.requests, now, is_focused, height);
    if news.damaged_lines > 0 {
        let lines = text::count(news.damaged_lines, "request");
        model.show_error(format!("{lines} of agents can't be read: damaged in the journal"));
    }
    if let Some(error) = news.error {
        model.show_error(format!("agents: {error}"));
    }
}
