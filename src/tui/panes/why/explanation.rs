//! The text of an explanation: the sentence with the words behind it, and around the waterfall the rest; or two symbols
//! compared.

use ratatui::text::Line;

use super::waterfall::SCORE_TITLE;
use super::{Explained, compare_components, sentence};
use crate::engine::{
    ConceptContribution, ListRank, MAX_TITLE, MissingReason, PackStatus, Why, WordMatch, channel_title,
    component_title, feedback_lines, headline, intent_line, matches,
};
use crate::model::{Component, Symbol};
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
    let mut lines = wrapped(canvas, Slot::Name, &sentence::evidence(why), width);
    let missing = why.words.iter().filter(|word| word.found_in.is_none()).take(MAX_MISSING);
    let words: Vec<WordMatch> =
        why.words.iter().filter(|word| word.found_in.is_some()).chain(missing).cloned().collect();
    lines.extend(wrapped(canvas, Slot::Dim, &matches(&words, &separator), width));
    let is_dropped = is_dropped(canvas);
    if is_dropped {
        lines.push(plain(canvas, Slot::Negative, "- you dropped it from the pack", width));
    }
    // For a dropped symbol the budget is not the reason.
    let is_reason = |missing: &&MissingReason| !is_dropped || !matches!(missing, MissingReason::OverBudget { .. });
    if why.rank.is_none() || canvas.model.panes.why.has_numbers {
        for missing in why.missing.iter().filter(is_reason) {
            lines.extend(wrapped(canvas, Slot::Negative, &format!("- {missing}"), width));
        }
    }
    lines.extend(feedback(canvas, why, width));
    lines.extend(concepts(canvas, why, width));
    lines.push(Line::default());
    lines
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
    let mut lines: Vec<Line<'static>> = why.concepts.iter().map(line).collect();
    let now = why.rank.as_ref().map(|rank| rank.rank);
    for counterfactual in &canvas.model.panes.why.counterfactuals {
        let rank = match (counterfactual.rank, now) {
            (None, _) => "not ranked".to_owned(),
            (Some(rank), Some(now)) if rank == now => format!("#{rank} as now"),
            (Some(rank), Some(now)) => format!("#{rank} ({:+})", now as i64 - rank as i64),
            (Some(rank), None) => format!("#{rank}"),
        };
        let words = format!("{} {arrow} {rank}", safe(&counterfactual.change));
        lines.push(plain(canvas, Slot::Heading, &words, width));
    }
    lines
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

type Scored<'a> = Option<(f64, &'a [Component])>;

/// Returns the components of two symbols side by side, the largest difference first.
pub fn versus(
    canvas: &Canvas<'_>,
    (symbol, scored): (&Symbol, Scored<'_>),
    other: Option<(&Explained, Scored<'_>)>,
    width: usize,
) -> Vec<Line<'static>> {
    let Some((other, other_scored)) = other else {
        let words = format!("{}: select the symbol to compare it with", safe(&symbol.name));
        return wrapped(canvas, Slot::Dim, &words, width);
    };
    let (Some((one, components)), Some((two, other_components))) = (scored, other_scored) else {
        let unranked = if scored.is_none() { symbol } else { &other.symbol };
        return wrapped(
            canvas,
            Slot::Dim,
            &format!("{} is not ranked: there is no score to compare", safe(&unranked.name)),
            width,
        );
    };
    let ellipsis = canvas.model.appearance.glyphs.ellipsis;
    let full_names = distinct_names(symbol, &other.symbol).map(|name| safe(&name).into_owned());
    let titles = MAX_TITLE + 1;
    let column = (width.saturating_sub(titles + 13) / 2).min(22);
    // Names that do not fit above their columns have lines of their own.
    let are_heads = full_names.iter().all(|name| text::width(name) < column);
    let (heads, column, difference, last) = match are_heads {
        true => (full_names.clone(), column, "difference", 11),
        false => (["A", "B"].map(str::to_owned), 7, "A - B", 8),
    };
    let names = width.saturating_sub(2 * column + last + 1).clamp(14, titles);
    let line = |slot, name: &str, figures: [String; 2], difference: f64| {
        let figures = figures.map(|figure| text::pad_start(&figure, column)).concat();
        Line::from(vec![
            canvas.span(Slot::Text, format!(" {}", text::pad(&text::fit(name, names - 1, ellipsis), names))),
            canvas.span(Slot::Dim, figures),
            canvas.span(slot, text::pad_start(&signed(difference, 3), last)),
        ])
    };
    let mut lines = Vec::new();
    if !are_heads {
        for (letter, name) in heads.iter().zip(&full_names) {
            lines.push(plain(canvas, Slot::Name, &format!("{letter} = {name}"), width));
        }
    }
    let heads = heads.map(|head| text::pad_start(&head, column)).concat();
    let title = format!(" {}{heads}{}", text::pad("", names), text::pad_start(difference, last));
    lines.push(Line::from(canvas.span(Slot::Heading, title)));
    for pair in compare_components(components, other_components) {
        let slot = if pair.difference() < 0.0 { Slot::Negative } else { Slot::Positive };
        let figures = [pair.one, pair.other].map(|value| decimal(value, 3));
        lines.push(line(slot, component_title(pair.name), figures, pair.difference()));
    }
    lines.push(line(Slot::Heading, SCORE_TITLE, [one, two].map(pack::score), one - two));
    lines
}

/// Returns the names of two symbols; if they are equal, with their containers, or else their files and lines.
fn distinct_names(one: &Symbol, other: &Symbol) -> [String; 2] {
    let full = |symbol: &Symbol| match symbol.scope.as_str() {
        "" => symbol.name.clone(),
        scope => format!("{scope}.{}", symbol.name),
    };
    let location = |symbol: &Symbol| {
        let name = symbol.file.rsplit('/').next().unwrap_or_default();
        format!("{name}:{}", symbol.span.name_line)
    };
    let both = [one, other];
    match () {
        () if one.name != other.name => both.map(|symbol| symbol.name.clone()),
        () if one.scope != other.scope => both.map(full),
        () => both.map(location),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    #[test]
    fn symbols_of_one_name_have_different_heads() {
        let symbol = |name: &str, scope: &str, line: u32| {
            let mut symbol = fixture::pack().symbols.remove(0).symbol;
            (symbol.name, symbol.scope, symbol.file) = (name.to_owned(), scope.to_owned(), "src/retry.ts".to_owned());
            symbol.span.name_line = line;
            symbol
        };
        let heads = |one: &Symbol, other: &Symbol| distinct_names(one, other).join(" ");
        let own = symbol("unsubscribe", "Subscription", 9);
        assert_eq!(heads(&own, &symbol("next", "Subscriber", 3)), "unsubscribe next");
        assert_eq!(
            heads(&own, &symbol("unsubscribe", "Subscriber", 3)),
            "Subscription.unsubscribe Subscriber.unsubscribe"
        );
        assert_eq!(heads(&own, &symbol("unsubscribe", "", 3)), "Subscription.unsubscribe unsubscribe");
        assert_eq!(heads(&symbol("retry", "", 34), &symbol("retry", "", 83)), "retry.ts:34 retry.ts:83");
    }
}
