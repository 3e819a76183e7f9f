//! The text of an explanation: the sentence with the words behind it, and around the waterfall the rest.

use ratatui::text::Line;

use super::view;
use crate::engine::{
    ConceptContribution, LastCommit, ListRank, MissingReason, PackStatus, Why, WordMatch, channel_title,
    feedback_lines, headline, intent_line, matches, route,
};
use crate::text::display::{decimal, safe, signed};
use crate::tui::panes::pack;
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text};

/// Words of the task without a match that are named.
const MAX_MISSING: usize = 3;

/// Returns the sentence, the matched words with a few that nothing matches, feedback, and the concepts of the task. Until
/// the explanation is received the lines are empty, so that nothing jumps.
pub fn head(canvas: &Canvas<'_>, why: Option<&Why>, width: usize) -> Vec<Line<'static>> {
    let separator = format!(" {} ", canvas.model.appearance.glyphs.dot);
    let Some(why) = why else { return vec![Line::default(); 3] };
    let mut lines = wrapped(canvas, Slot::Name, &safe(&why.reason.sentence), width);
    let missing = why.words.iter().filter(|word| word.found_in.is_none()).take(MAX_MISSING);
    let words: Vec<WordMatch> =
        why.words.iter().filter(|word| word.found_in.is_some()).chain(missing).cloned().collect();
    lines.extend(wrapped(canvas, Slot::Dim, &matches(&words, &separator), width));
    let is_dropped = is_dropped(canvas);
    if is_dropped {
        lines.push(plain(canvas, Slot::Negative, "- you left it out of what agents get", width));
    }
    // The words above say that there are none, and for a dropped symbol the budget is not the reason.
    let is_reason = |missing: &&MissingReason| match missing {
        MissingReason::NoTaskWord => false,
        MissingReason::OverBudget { .. } => !is_dropped,
        _ => true,
    };
    if why.rank.is_none() || canvas.model.panes.why.has_numbers {
        for missing in why.missing.iter().filter(is_reason) {
            lines.extend(wrapped(canvas, Slot::Negative, &format!("- {missing}"), width));
        }
    }
    lines.extend(feedback(canvas, why, width));
    lines.extend(concepts(canvas, why, width));
    if let Some(commit) = view::last_commit(canvas.model) {
        lines.extend(wrapped(canvas, Slot::Dim, &changed(commit), width));
    }
    lines.push(Line::default());
    lines
}

/// Returns when, by whom and why the symbol was last changed.
fn changed(commit: &LastCommit) -> String {
    if !commit.is_committed() {
        return commit.subject.clone();
    }
    format!("changed {} by {}: {}", commit.day(), safe(&commit.author), safe(&commit.subject))
}

/// Returns whether the user dropped the explained symbol.
fn is_dropped(canvas: &Canvas<'_>) -> bool {
    let model = canvas.model;
    model.panes.why.answer.as_ref().is_some_and(|answer| model.task.options.dropped.contains(&answer.symbol.id))
}

/// Returns the lines below the waterfall.
pub fn details(canvas: &Canvas<'_>, why: &Why, width: usize) -> Vec<Line<'static>> {
    let separator = format!(" {} ", canvas.model.appearance.glyphs.dot);
    let headline = match (is_dropped(canvas), &why.rank) {
        (true, Some(rank)) => format!("rank {} of {}{separator}dropped", rank.rank, rank.of),
        _ => headline(why, &separator),
    };
    let mut lines = wrapped(canvas, Slot::Heading, &headline, width);
    if let Some(intent) = why.intent {
        lines.extend(wrapped(canvas, Slot::Dim, intent_line(intent), width));
    }
    if let Some(words) = value(canvas, why).filter(|_| why.missing.is_empty()) {
        lines.extend(wrapped(canvas, Slot::Dim, &words, width));
    }
    lines.push(Line::default());
    lines.extend(wrapped(canvas, Slot::Dim, &route(why), width));
    lines.extend(channels(canvas, why, width));
    if let Some(words) = walk(canvas, why) {
        lines.extend(wrapped(canvas, Slot::Dim, &words, width));
    }
    lines
}

fn plain(canvas: &Canvas<'_>, slot: Slot, words: &str, width: usize) -> Line<'static> {
    let fitted = text::fit(words, width.saturating_sub(1), canvas.model.appearance.glyphs.ellipsis).into_owned();
    Line::from(canvas.span(slot, format!(" {fitted}")))
}

/// Returns lines of whole words. A longer word, such as a qualified name, keeps its end.
fn wrapped(canvas: &Canvas<'_>, slot: Slot, words: &str, width: usize) -> Vec<Line<'static>> {
    let room = width.saturating_sub(2);
    let fitted = |line: String| text::fit_end(&line, room, canvas.model.appearance.glyphs.ellipsis).into_owned();
    let lines = text::wrap(&safe(words), room).into_iter().map(fitted);
    lines.map(|line| plain(canvas, slot, &line, width)).collect()
}

/// Returns the score per 1,000 tokens, and how many packed symbols have a higher one.
fn value(canvas: &Canvas<'_>, why: &Why) -> Option<String> {
    let (rank, list) = (why.rank.as_ref()?, &canvas.model.panes.pack);
    let PackStatus::Packed { tokens, .. } = why.pack else { return None };
    let worth = |score: f64, tokens: usize| score * 1_000.0 / tokens.max(1) as f64;
    let own = worth(rank.score, tokens);
    let packed = list.symbols.iter().take(list.packed);
    let better = packed.filter(|packed| worth(packed.score, packed.tokens) > own).count();
    Some(format!("score per 1,000 tokens {}, rank {} in the pack", pack::score(own), better + 1))
}

/// Returns a line for each vote and learned term that counts, and for what has expired.
fn feedback(canvas: &Canvas<'_>, why: &Why, width: usize) -> Vec<Line<'static>> {
    feedback_lines(why).iter().map(|line| plain(canvas, Slot::Text, &safe(line), width)).collect()
}

/// Returns walk score, hops, hub and authority of the symbol.
fn walk(canvas: &Canvas<'_>, why: &Why) -> Option<String> {
    let walk = why.walk.as_ref()?;
    let dot = canvas.model.appearance.glyphs.dot;
    let mut words =
        format!("graph {} {dot} {} from a match", decimal(walk.score, 3), text::count(walk.hops as usize, "hop"));
    if let (Some(hub), Some(authority)) = (why.hub, why.authority) {
        words.push_str(&format!(" {dot} hub {hub:.3} {dot} authority {authority:.3}"));
    }
    Some(words)
}

fn concepts(canvas: &Canvas<'_>, why: &Why, width: usize) -> Vec<Line<'static>> {
    let arrow = canvas.model.appearance.glyphs.arrow_out;
    let line = |found: &ConceptContribution| {
        let (concept, phrase, target) = (safe(&found.concept), safe(&found.phrase), safe(&found.target));
        let has_gain = canvas.model.panes.why.has_numbers && found.contribution != 0.0;
        let gain = if has_gain { format!(" {}", signed(found.contribution, 3)) } else { String::new() };
        let words = format!("concept {concept}: \"{phrase}\" {arrow} {target}{gain}");
        plain(canvas, Slot::Text, &words, width)
    };
    why.concepts.iter().map(line).collect()
}

/// Returns a line for each channel that found the symbol, and one with the others.
fn channels(canvas: &Canvas<'_>, why: &Why, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    let line = |name: &str, found: Option<ListRank>| {
        let found = found?;
        let rank = format!("{} of {}", text::thousands(found.rank), text::thousands(found.of));
        let words = format!("found by {} {rank}", text::pad(name, 14));
        Some(plain(canvas, Slot::Text, &words, width))
    };
    for channel in &why.channels {
        lines.extend(line(channel_title(channel.channel), channel.found));
    }
    if lines.is_empty() {
        lines.push(plain(canvas, Slot::Dim, "no channel found it directly", width));
    }
    lines
}
