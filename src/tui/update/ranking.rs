//! Requests rankings: lexical matches at once, the full ranking when typing pauses; and the token budget.

use std::time::{Duration, Instant};

use super::{navigation, reports};
use crate::tui::effect::{Depth, Effect, SearchRequest};
use crate::tui::model::Model;
use crate::tui::panes::pack::{self, Stage};

/// The budgets of `<` and `>`, in tokens.
const BUDGETS: &[usize] =
    &[500, 1_000, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000, 16_000, 24_000, 32_000, 50_000, 64_000, 100_000, 200_000];

/// After a ranking that was at most this slow, no lexical matches are shown before the next one.
const QUICK: Duration = Duration::from_millis(30);

/// Outdated rows are dimmed after this time.
const DIM_AFTER: Duration = Duration::from_millis(100);

/// Updates the index and ranks again.
pub fn refresh(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    effects.push(Effect::Index);
    model.changed = "checked".to_owned();
    start_full(model, now, effects);
}

/// Requests rankings for a changed task: lexical matches now, the full ranking after the debounce.
pub fn task_changed(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    model.search.generation += 1;
    model.search.ranking = false;
    model.search.is_submitted = false;
    model.search.due = None;
    if model.task.is_empty() {
        model.panes.pack.clear();
        model.concepts.forget();
        effects.push(Effect::StopSearch { generation: model.search.generation });
        reports::request_examples(model, effects);
        return;
    }
    mark_stale(model, now);
    if !model.usable() {
        model.search.due = model.can_rank().then(|| now + model.settings.debounce);
        return;
    }
    let quick = !model.search.last_full.is_zero() && model.search.last_full <= QUICK;
    if quick && model.panes.pack.stage != Stage::Empty {
        start_full(model, now, effects);
    } else {
        model.search.due = Some(now + model.settings.debounce.min(model.search.last_full / 2));
        effects.push(request(model, Depth::Lexical));
    }
}

/// Requests a ranking of the same task with other options.
pub fn rerank(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    model.search.generation += 1;
    start_full(model, now, effects);
}

/// Requests the full ranking now.
pub fn start_full(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    model.search.due = None;
    if model.task.is_empty() || !model.can_rank() {
        return;
    }
    mark_stale(model, now);
    model.search.ranking = true;
    effects.push(request(model, Depth::Full));
}

fn mark_stale(model: &mut Model, now: Instant) {
    if model.panes.pack.stage != Stage::Empty && !model.panes.pack.stale {
        model.panes.pack.stale = true;
        model.search.dim_at = Some(now + DIM_AFTER);
    }
}

/// Dims outdated rows and starts the full ranking when they are due. Returns whether anything changed.
pub fn time_passed(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> bool {
    let overdue = model.search.dim_at.take_if(|at| *at <= now).is_some();
    let dims = overdue && model.panes.pack.stale;
    let starts = model.search.due.is_some_and(|at| at <= now);
    if dims {
        model.panes.pack.dimmed = true;
    }
    if starts {
        start_full(model, now, effects);
    }
    dims || starts
}

/// Starts the full ranking if it is waiting; else moves the focus to the list.
pub fn submit(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    let answered = model.panes.pack.stage == Stage::Full && !model.panes.pack.stale;
    if answered || model.search.ranking {
        navigation::focus_pane(model, pack::ID);
    } else if model.task.is_empty() {
        model.show_message("type a task first");
    } else {
        model.search.is_submitted = true;
        start_full(model, now, effects);
    }
}

/// Cancels the running search.
pub fn cancel(model: &mut Model, effects: &mut Vec<Effect>) {
    model.search.generation += 1;
    model.search.due = None;
    model.search.ranking = false;
    effects.push(Effect::StopSearch { generation: model.search.generation });
}

/// Changes the budget by a step and ranks again.
pub fn step_budget(model: &mut Model, more: bool, now: Instant, effects: &mut Vec<Effect>) {
    let current = model.task.budget_tokens;
    let next = match more {
        true => BUDGETS.iter().copied().find(|budget| *budget > current),
        false => BUDGETS.iter().copied().rev().find(|budget| *budget < current),
    };
    let Some(next) = next else {
        model.show_message(if more { "largest budget" } else { "smallest budget" });
        return;
    };
    set_budget(model, next, now, effects);
}

/// Sets the budget and ranks again.
pub fn set_budget(model: &mut Model, tokens: usize, now: Instant, effects: &mut Vec<Effect>) {
    model.task.budget_tokens = tokens;
    pack::make_pack(model);
    rerank(model, now, effects);
}

fn request(model: &Model, depth: Depth) -> Effect {
    Effect::Search(SearchRequest {
        generation: model.search.generation,
        index_version: model.index_version,
        task: model.task.task(),
        depth,
    })
}
