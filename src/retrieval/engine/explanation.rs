//! The sentences of an explanation that all clients share: rank, matched words, path in the graph, order of components.

use super::missing;
use super::why::{PackStatus, PathStep, WalkReach, Why};
use super::words::WordMatch;
use crate::features::texts::component_sentence;
use crate::model::{Component, Intent};
use crate::rank::scoring::BASE;
use crate::text::display::{self, thousands};
use crate::text::listed;

/// The largest components with this share of the sum of all absolute values are not small, but no more than
/// [`MAX_LARGE`].
const LARGE_SHARE: f64 = 0.85;
const MAX_LARGE: usize = 12;

/// A score's components by size.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shares {
    /// The largest first.
    pub large: Vec<Component>,
    /// Too small to matter alone, the largest first; never a single one.
    pub small: Vec<Component>,
    /// The part of the sum that is the same for every symbol, and explains nothing.
    pub common: f64,
}

/// Orders the components that contribute something by size, and separates the small ones, and what every symbol has.
pub fn shares(components: &[Component]) -> Shares {
    let mut sorted: Vec<Component> =
        components.iter().filter(|component| component.contribution != 0.0).cloned().collect();
    sorted.sort_by(|one, other| other.contribution.abs().total_cmp(&one.contribution.abs()));
    let base = sorted.iter().position(|component| component.name == BASE).map(|index| sorted.remove(index));
    let common = base.map_or(0.0, |base| base.contribution);
    let sum: f64 = sorted.iter().map(|component| component.contribution.abs()).sum();
    let mut before = 0.0;
    let mut large = 0;
    while large < sorted.len().min(MAX_LARGE) && before < LARGE_SHARE * sum {
        before += sorted[large].contribution.abs();
        large += 1;
    }
    if large + 1 >= sorted.len() {
        large = sorted.len();
    }
    let small = sorted.split_off(large);
    Shares { large: sorted, small, common }
}

/// Returns a sentence about a component: its value, and that it lowers the score if it does. A value lowers the score
/// where its shape or its weight makes the contribution negative.
pub fn component_meaning(component: &Component) -> String {
    let sentence = component_sentence(component);
    let mut letters = sentence.chars();
    match letters.next() {
        Some(first) if component.contribution < 0.0 => {
            format!("Lowers the score: {}{}", first.to_lowercase(), letters.as_str())
        }
        _ => sentence,
    }
}

/// Returns rank, rank in the pack and tokens: `rank 1 of 335 · packed 1st of 196 · 35 tokens`.
pub fn headline(why: &Why, separator: &str) -> String {
    let rank = match &why.rank {
        Some(rank) => format!("rank {} of {}", thousands(rank.rank), thousands(rank.of)),
        None => "not ranked".to_owned(),
    };
    let pack = match &why.pack {
        PackStatus::Packed { rank, of, tokens, .. } => {
            format!("packed {} of {}{separator}{} tokens", ordinal(*rank), thousands(*of), thousands(*tokens))
        }
        PackStatus::Omitted { reason, tokens, .. } => {
            format!("not packed: {}{separator}{} tokens", missing::omission(*reason), thousands(*tokens))
        }
        PackStatus::NotOffered => "not packed".to_owned(),
    };
    format!("{rank}{separator}{pack}")
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (1, tens) if tens != 11 => "st",
        (2, tens) if tens != 12 => "nd",
        (3, tens) if tens != 13 => "rd",
        _ => "th",
    };
    format!("{}{ending}", thousands(number))
}

/// Returns the words of the task by the part that they match, the most specific first: `matches transform, key (name) ·
/// cache (body) · no match: wrong`. Empty for a request without words.
pub fn matches(words: &[WordMatch], separator: &str) -> String {
    let mut parts: Vec<(&str, Vec<&str>)> = Vec::new();
    for word in words {
        let Some(part) = word.found_in else { continue };
        match parts.iter_mut().find(|(known, _)| *known == part) {
            Some((_, list)) => list.push(&word.word),
            None => parts.push((part, vec![&word.word])),
        }
    }
    let order = ["name", "container", "signature", "comment", "body", "path", "commits"];
    parts.sort_by_key(|(part, _)| order.iter().position(|known| known == part));
    let mut found: Vec<String> = parts.iter().map(|(part, list)| format!("{} ({part})", list.join(", "))).collect();
    let absent: Vec<&str> =
        words.iter().filter(|word| word.found_in.is_none()).map(|word| word.word.as_str()).collect();
    match (found.is_empty(), absent.is_empty()) {
        (true, true) => return String::new(),
        (true, false) => {
            return format!("its names and documentation have no word of the task: {}", listed(&absent, MAX_ABSENT));
        }
        (false, false) => found.push(format!("no match: {}", listed(&absent, MAX_ABSENT))),
        (false, true) => (),
    }
    format!("matches {}", found.join(separator))
}

/// Limit of the words that are listed as not found: of a pasted report most are.
const MAX_ABSENT: usize = 3;
/// The channel of the symbols of changed files.
const CHANGED: &str = "changed";

/// Returns the route to the symbol: a channel, or a path in the graph from the symbol back to the match at which the
/// walk began: `called by b, contained in a (found directly)`.
pub fn route(why: &Why) -> String {
    if let Some(answer) = &why.answer {
        return format!("answered: {answer}");
    }
    match &why.walk {
        Some(walk) if walk.path.is_empty() => {
            let best = why.channels.iter().filter_map(|channel| Some((channel, channel.found?)));
            let best = best.max_by(|one, other| one.0.fusion.total_cmp(&other.0.fusion));
            best.map_or("found directly".to_owned(), |(channel, found)| {
                // The order of their symbols says nothing.
                if channel.channel == CHANGED {
                    return "in a changed file".to_owned();
                }
                let (title, rank, of) = (channel_title(channel.channel), ordinal(found.rank), thousands(found.of));
                format!("found directly by {title}, {rank} of {of}")
            })
        }
        walk => through_graph(walk.as_ref()),
    }
}

fn through_graph(walk: Option<&WalkReach>) -> String {
    match walk {
        None => "no path in the graph from a match".to_owned(),
        Some(walk) => {
            let steps: Vec<String> = walk.path.iter().rev().map(step).collect();
            format!("{} (found directly)", steps.join(", "))
        }
    }
}

/// Returns a step as a description of its target: `called by Server.run`.
fn step(step: &PathStep) -> String {
    let (active, passive) = step.edge.phrases();
    format!("{} {}", if step.forward { passive } else { active }, step.names[0])
}

/// Returns a line on the intent of the task, on which the weights depend.
pub fn intent_line(intent: Intent) -> &'static str {
    match intent {
        Intent::Explore => "task read as a question",
        Intent::Locate => "task read as a commit message",
    }
}

/// Returns a line for each vote and learned term that counts for the task, and for those that have expired.
pub fn feedback_lines(why: &Why) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(applied) = &why.feedback {
        for source in &applied.sources {
            let vote = if source.useful { "useful" } else { "not useful" };
            let by = source.by.as_ref().map_or_else(String::new, |name| format!(" of {}", display::safe(name)));
            // Others' tasks may be known by their keywords' hashes only.
            let task =
                if source.task.is_empty() { "a similar task".to_owned() } else { format!("\"{}\"", source.task) };
            lines.push(format!("{}{by}: {vote} for {task}", source.kind.name()));
        }
        for learned in &applied.terms {
            lines.push(format!("learned: \"{}\" led to it {} times", learned.keyword, learned.observations));
        }
    }
    if why.expired > 0 {
        lines.push(format!("{} votes and learned terms expired: their files have changed", why.expired));
    }
    lines
}

/// Returns the title of a channel.
pub fn channel_title(channel: &str) -> &str {
    match channel {
        "tiered" => "names",
        "bm25" => "text",
        "equivalence" => "concepts",
        "path" => "paths",
        "history" => "commits",
        "learned" => "learned terms",
        CHANGED => "changed files",
        "feedback" => "votes",
        "walk" => "the graph",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::EdgeType;

    fn component(name: &'static str, contribution: f64) -> Component {
        Component { name, value: contribution, contribution }
    }

    #[test]
    fn small_components_are_separated_and_nothing_is_lost() {
        let components = [
            component("tiny", 0.001),
            component("big", 0.5),
            component("zero", 0.0),
            component("minus", -0.2),
            component("small", 0.02),
        ];
        let Shares { large, small, .. } = shares(&components);
        assert_eq!(large.iter().map(|one| one.name).collect::<Vec<_>>(), ["big", "minus"]);
        assert_eq!(small.iter().map(|one| one.name).collect::<Vec<_>>(), ["small", "tiny"]);
        let sum: f64 = large.iter().chain(&small).map(|one| one.contribution).sum();
        assert!((sum - 0.321).abs() < 1e-12);
        assert!(shares(&[component("big", 0.9), component("small", 0.01)]).small.is_empty(), "one line is no fold");
        assert_eq!(shares(&[]), Shares::default());
        let with_base = shares(&[component(BASE, -0.9), component("big", 0.5), component("minus", -0.2)]);
        assert_eq!(with_base.large.iter().map(|one| one.name).collect::<Vec<_>>(), ["big", "minus"]);
        assert_eq!(with_base.common, -0.9);
    }

    #[test]
    fn a_negative_contribution_lowers_the_score() {
        let folder = |contribution| Component { name: "folder", value: 1.0, contribution };
        let meaning = |contribution| component_meaning(&folder(contribution));
        assert_eq!(meaning(-0.087), "Lowers the score: its whole folder scores 100% of the best folder.");
        assert_eq!(meaning(0.087), "Its whole folder scores 100% of the best folder.");
        assert_eq!(component_meaning(&component("unknown", -1.0)), "");
    }

    #[test]
    fn words_are_grouped_by_the_most_specific_part() {
        let word = |word: &str, found_in| WordMatch { word: word.into(), found_in, is_related: false };
        let words = [word("cache", Some("body")), word("transform", Some("name")), word("wrong", None)];
        assert_eq!(matches(&words, " · "), "matches transform (name) · cache (body) · no match: wrong");
        assert_eq!(matches(&words[2..], " · "), "its names and documentation have no word of the task: wrong");
        assert_eq!(matches(&[], " · "), "");
        let absent = ["a", "b", "c", "d", "e"].map(|absent| word(absent, None));
        assert_eq!(matches(&absent, " · "), "its names and documentation have no word of the task: a, b, c and 2 more");
    }

    #[test]
    fn the_route_is_read_from_the_symbol() {
        let step = |from: &str, edge: EdgeType, forward, to: &str| PathStep {
            from: from.into(),
            edge_type: edge.name(),
            forward,
            to: to.into(),
            names: [from.into(), to.into()],
            edge,
        };
        let path = vec![step("a", EdgeType::Contains, true, "b"), step("b", EdgeType::Calls, false, "c")];
        let walk = WalkReach { score: 0.1, floor: 0.02, hops: 2, path };
        assert_eq!(through_graph(Some(&walk)), "calls b, contained in a (found directly)");
    }

    #[test]
    fn ordinals_have_their_ending() {
        assert_eq!(
            [1, 2, 3, 4, 11, 12, 21, 113].map(ordinal),
            ["1st", "2nd", "3rd", "4th", "11th", "12th", "21st", "113th"]
        );
    }
}
