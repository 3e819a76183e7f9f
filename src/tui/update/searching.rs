//! When to ask for which ranking.

use std::time::{Duration, Instant};

use crate::tui::effect::{Depth, Effect, SearchRequest};
use crate::tui::model::pack::Stage;
use crate::tui::model::{Focus, Model};

/// The budgets that `<` and `>` step through, in tokens.
const BUDGETS: &[usize] =
    &[500, 1_000, 2_000, 3_000, 4_000, 6_000, 8_000, 12_000, 16_000, 24_000, 32_000, 50_000, 64_000, 100_000, 200_000];

/// A rank this fast needs no words before it: the list would only flicker.
const QUICK: Duration = Duration::from_millis(30);

/// Old rows are dimmed only when the new ones take longer than this.
const DIM_AFTER: Duration = Duration::from_millis(100);

/// The task reads differently now: words at once, everything once the typing rests.
pub fn task_changed(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    model.search.generation += 1;
    model.search.ranking = false;
    model.search.due = None;
    if model.task.is_empty() {
        model.pack.clear();
        effects.push(Effect::StopSearch { generation: model.search.generation });
        return;
    }
    mark_stale(model, now);
    if !model.usable() {
        return;
    }
    let quick = !model.search.last_full.is_zero() && model.search.last_full <= QUICK;
    if quick && model.pack.stage != Stage::Empty {
        start_full(model, now, effects);
    } else {
        model.search.due = Some(now + model.settings.debounce.min(model.search.last_full / 2));
        effects.push(request(model, Depth::Lexical));
    }
}

/// Ranks the same task anew, because something else about it changed.
pub fn again(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    model.search.generation += 1;
    start_full(model, now, effects);
}

/// Asks for the whole ranking now.
pub fn start_full(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    model.search.due = None;
    if model.task.is_empty() || !model.usable() {
        return;
    }
    mark_stale(model, now);
    model.search.ranking = true;
    effects.push(request(model, Depth::Full));
}

fn mark_stale(model: &mut Model, now: Instant) {
    if model.pack.stage != Stage::Empty && !model.pack.stale {
        model.pack.stale = true;
        model.search.dim_at = Some(now + DIM_AFTER);
    }
}

/// Does what was due by now; false when nothing changed by it.
pub fn time_passed(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) -> bool {
    let overdue = model.search.dim_at.take_if(|at| *at <= now).is_some();
    // Mostly the answer came in time.
    let dims = overdue && model.pack.stale;
    let starts = model.search.due.is_some_and(|at| at <= now);
    if dims {
        model.pack.dimmed = true;
    }
    if starts {
        start_full(model, now, effects);
    }
    dims || starts
}

/// Enter in the task line: run what is waiting; when nothing is, go to the list.
pub fn submit(model: &mut Model, now: Instant, effects: &mut Vec<Effect>) {
    let answered = model.pack.stage == Stage::Full && !model.pack.stale;
    if answered || model.search.ranking {
        model.focus = Focus::Pack;
    } else if model.task.is_empty() {
        model.say("type what you want to do, in plain words");
    } else {
        start_full(model, now, effects);
    }
}

/// Gives the running search up; its answer will be dropped.
pub fn stop(model: &mut Model, effects: &mut Vec<Effect>) {
    model.search.generation += 1;
    model.search.due = None;
    model.search.ranking = false;
    effects.push(Effect::StopSearch { generation: model.search.generation });
}

/// Steps the budget and packs anew.
pub fn change_budget(model: &mut Model, more: bool, now: Instant, effects: &mut Vec<Effect>) {
    let current = model.task.budget_tokens;
    let next = match more {
        true => BUDGETS.iter().copied().find(|budget| *budget > current),
        false => BUDGETS.iter().copied().rev().find(|budget| *budget < current),
    };
    let Some(next) = next else {
        model.say(if more { "this is the largest budget" } else { "this is the smallest budget" });
        return;
    };
    set_budget(model, next, now, effects);
}

/// Packs anew within this many tokens.
pub fn set_budget(model: &mut Model, tokens: usize, now: Instant, effects: &mut Vec<Effect>) {
    model.task.budget_tokens = tokens;
    again(model, now, effects);
}

fn request(model: &Model, depth: Depth) -> Effect {
    Effect::Search(SearchRequest {
        generation: model.search.generation,
        index_version: model.index_version,
        task: model.task.task(),
        depth,
    })
}
