//! The text of an explanation: verdict, path of the walk, concepts, channels and terms; or two symbols compared.

use ratatui::text::Line;

use super::{Explained, compare_components};
use crate::engine::{ConceptContribution, PackStatus, PathStep, Why};
use crate::model::{Component, Symbol};
use crate::text::display::safe;
use crate::tui::panes::pack;
use crate::tui::theme::Slot;
use crate::tui::view::{Canvas, text};

/// Returns everything but the score.
pub fn lines(canvas: &Canvas<'_>, why: &Why, width: usize) -> Vec<Line<'static>> {
    let mut lines = verdict(canvas, why, width);
    for missing in &why.missing {
        lines.extend(wrapped(canvas, Slot::Negative, &format!("- {missing}"), width));
    }
    if why.missing.is_empty() {
        lines.extend(value(canvas, why, width));
    }
    lines.push(Line::default());
    lines.extend(path(canvas, why, width));
    lines.push(Line::default());
    lines.extend(concepts(canvas, why, width));
    lines.extend(channels(canvas, why, width));
    lines.push(Line::default());
    lines.extend(terms(canvas, why, width));
    lines
}

fn plain(canvas: &Canvas<'_>, slot: Slot, words: &str, width: usize) -> Line<'static> {
    let fitted = text::fit(words, width.saturating_sub(1), canvas.model.appearance.glyphs.ellipsis).into_owned();
    Line::from(canvas.span(slot, format!(" {fitted}")))
}

fn wrapped(canvas: &Canvas<'_>, slot: Slot, words: &str, width: usize) -> Vec<Line<'static>> {
    let lines = text::wrap(&safe(words), width.saturating_sub(2));
    lines.into_iter().map(|line| plain(canvas, slot, &line, width)).collect()
}

/// Returns rank, provenance and whether the symbol is packed.
fn verdict(canvas: &Canvas<'_>, why: &Why, width: usize) -> Vec<Line<'static>> {
    let rank = match &why.rank {
        Some(rank) => format!("rank {} of {}, found by {}", rank.rank, rank.of, rank.provenance),
        None => "not ranked".to_owned(),
    };
    let dot = canvas.model.appearance.glyphs.dot;
    let pack = match &why.pack {
        PackStatus::Packed { rank, of, tokens, .. } => {
            format!("packed {rank} of {of}, {}", text::count(*tokens, "token"))
        }
        PackStatus::Omitted { reason, tokens, .. } => {
            format!("left out at {}: {reason}", text::count(*tokens, "token"))
        }
        PackStatus::NotOffered => "not offered to the pack".to_owned(),
    };
    wrapped(canvas, Slot::Heading, &format!("{rank} {dot} {pack}"), width)
}

/// Returns the score per 1,000 tokens, and how many packed symbols have a higher one.
fn value(canvas: &Canvas<'_>, why: &Why, width: usize) -> Option<Line<'static>> {
    let (rank, list) = (why.rank.as_ref()?, &canvas.model.panes.pack);
    let PackStatus::Packed { tokens, .. } = why.pack else { return None };
    let worth = |score: f64, tokens: usize| score * 1_000.0 / tokens.max(1) as f64;
    let own = worth(rank.score, tokens);
    let packed = list.symbols.iter().take(list.packed);
    let better = packed.filter(|packed| worth(packed.score, packed.tokens) > own).count();
    let words = format!("{} score per 1,000 tokens: {} in the pack have more", pack::score(own), better);
    Some(plain(canvas, Slot::Dim, &words, width))
}

fn path(canvas: &Canvas<'_>, why: &Why, width: usize) -> Vec<Line<'static>> {
    let Some(walk) = &why.walk else { return vec![plain(canvas, Slot::Dim, "not reached by the walk", width)] };
    let hops = match walk.hops {
        0 => "it is a seed".to_owned(),
        hops => format!("{} from a seed", text::count(hops as usize, "hop")),
    };
    let dot = canvas.model.appearance.glyphs.dot;
    let mut words = format!("walk {:.3} {dot} {hops}", walk.score);
    if let (Some(hub), Some(authority)) = (why.hub, why.authority) {
        words.push_str(&format!(" {dot} hub {hub:.3} {dot} authority {authority:.3}"));
    }
    let mut lines = vec![plain(canvas, Slot::Text, &words, width)];
    for (number, step) in walk.path.iter().enumerate() {
        if number == 0 {
            lines.push(plain(canvas, Slot::Name, &format!("  {}", short(&step.from)), width));
        }
        lines.push(step_line(canvas, step, width));
    }
    lines
}

fn step_line(canvas: &Canvas<'_>, step: &PathStep, width: usize) -> Line<'static> {
    let glyphs = &canvas.model.appearance.glyphs;
    let arrow = if step.forward { glyphs.arrow_out } else { glyphs.arrow_in };
    let kind = text::pad(&step.edge_type.replace('_', " "), 12);
    let name = short(&step.to);
    let name = text::fit(&name, width.saturating_sub(20), glyphs.ellipsis).into_owned();
    Line::from(vec![canvas.span(Slot::Dim, format!("   {arrow} {kind} ")), canvas.span(Slot::Name, name)])
}

/// Returns the end of a qualified name: the file and the symbol in it.
fn short(name: &str) -> String {
    safe(name.rsplit('/').next().unwrap_or(name)).into_owned()
}

fn concepts(canvas: &Canvas<'_>, why: &Why, width: usize) -> Vec<Line<'static>> {
    let arrow = canvas.model.appearance.glyphs.arrow_out;
    let line = |found: &ConceptContribution| {
        let (concept, phrase, target) = (safe(&found.concept), safe(&found.phrase), safe(&found.target));
        let words = format!("concept {concept}: {phrase} {arrow} {target} {:+.3}", found.contribution);
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

fn channels(canvas: &Canvas<'_>, why: &Why, width: usize) -> Vec<Line<'static>> {
    let mut lines = vec![plain(canvas, Slot::Dim, "channel          rank         fusion", width)];
    for channel in why.channels.iter().filter(|channel| channel.found.is_some()) {
        let rank = channel.found.map_or(String::new(), |found| format!("{} of {}", found.rank, found.of));
        let name = text::pad(&channel.channel.replace('_', " "), 16);
        let words = format!("{name} {} {:.4}", text::pad(&rank, 12), channel.fusion);
        lines.push(plain(canvas, Slot::Text, &words, width));
    }
    let without: Vec<&str> =
        why.channels.iter().filter(|channel| channel.found.is_none()).map(|channel| channel.channel).collect();
    if !without.is_empty() {
        lines.push(plain(canvas, Slot::Dim, &format!("not by {}", without.join(", ").replace('_', " ")), width));
    }
    for (name, list_rank) in [("fused", why.fused), ("seed", why.seed)] {
        if let Some(list_rank) = list_rank {
            let words = format!(
                "{} {} {:.4}",
                text::pad(name, 16),
                text::pad(&format!("{} of {}", list_rank.rank, list_rank.of), 12),
                list_rank.value
            );
            lines.push(plain(canvas, Slot::Text, &words, width));
        }
    }
    lines
}

fn terms(canvas: &Canvas<'_>, why: &Why, width: usize) -> Vec<Line<'static>> {
    let (found, absent): (Vec<_>, Vec<_>) = why.terms.iter().partition(|term| !term.found_in.is_empty());
    let mut lines = Vec::new();
    for term in found {
        let words = format!("{} in {}", safe(&term.term), term.found_in.join(", ").replace('_', " "));
        lines.push(plain(canvas, Slot::Text, &words, width));
    }
    if !absent.is_empty() {
        let names: Vec<String> = absent.iter().map(|term| safe(&term.term).into_owned()).collect();
        lines.extend(wrapped(canvas, Slot::Dim, &format!("not found: {}", names.join(", ")), width));
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
    let column = (width.saturating_sub(28) / 2).clamp(8, 22);
    let head = |symbol: &Symbol| text::pad_start(&text::fit(&safe(&symbol.name), column - 1, ellipsis), column);
    let line = |slot, name: &str, one: f64, two: f64| {
        let figure = |value: f64| text::pad_start(&format!("{value:.3}"), column);
        Line::from(vec![
            canvas.span(Slot::Text, format!(" {}", text::pad(&text::fit(name, 13, ellipsis), 14))),
            canvas.span(Slot::Dim, format!("{}{}", figure(one), figure(two))),
            canvas.span(slot, text::pad_start(&format!("{:+.3}", one - two), 11)),
        ])
    };
    let title =
        format!(" {}{}{}{}", text::pad("", 14), head(symbol), head(&other.symbol), text::pad_start("difference", 11));
    let mut lines = vec![Line::from(canvas.span(Slot::Heading, title))];
    for pair in compare_components(components, other_components) {
        let slot = if pair.difference() < 0.0 { Slot::Negative } else { Slot::Positive };
        lines.push(line(slot, &pair.name.replace('_', " "), pair.one, pair.other));
    }
    lines.push(line(Slot::Heading, "= score", one, two));
    lines
}
