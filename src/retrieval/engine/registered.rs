//! Registrations of siblings: for a task that adds a command, a format or a rule, the table, match, list or constructor that
//! names several of those that exist.
//!
//! Siblings are the subtypes or members of a type that a word of the task names, or definitions of one folder whose names begin
//! or end with such a word. A definition that refers to at least three of them, and to a good part of all, is a registration.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::packing::PackPart;
use super::{EngineError, Ranker};
use crate::model::{EdgeType, NodeId, Request, SymbolKind, Task};
use crate::text::{identifier_parts, stem};

/// First words of a task that adds something.
const ADDING: [&str; 10] =
    ["add", "adds", "added", "allow", "implement", "implements", "introduce", "new", "support", "supports"];
/// Words of the beginning of a task among which one of these is.
const BEGINNING: usize = 4;
/// Ranked symbols among which siblings and their types are looked for.
const RANKED: usize = 200;
/// Siblings that a registration names at least, and their share of all.
const LEAST: usize = 3;
const SHARE: f64 = 0.3;
/// Limits of the siblings of a group, more of which are no kind of thing, and of the registrations.
const MAX_SIBLINGS: usize = 80;
const MAX_FOUND: usize = 3;

/// A definition that names siblings.
pub(super) struct Registration {
    pub(super) node: NodeId,
    /// Such as `names 5 of 6 siblings: bash, zsh`.
    pub(super) reason: String,
    named: usize,
}

/// Returns the registrations of what a task adds, those that name most siblings first; none for another task.
///
/// # Errors
/// When the store can't be read.
pub(super) fn registrations(task: &Task, part: &PackPart<'_>) -> Result<Vec<Registration>, EngineError> {
    let Request::Task(text) = &task.request else { return Ok(Vec::new()) };
    if !adds(text) || part.ranking.answer.is_some() {
        return Ok(Vec::new());
    }
    let mut found: BTreeMap<NodeId, Registration> = BTreeMap::new();
    for siblings in groups(part)? {
        for registration in registrations_of(part.ranker, &siblings)? {
            let known = found.get(&registration.node).map_or(0, |known| known.named);
            if registration.named > known {
                found.insert(registration.node, registration);
            }
        }
    }
    let mut found: Vec<Registration> = found.into_values().collect();
    let prefix = |node| part.ranker.graph().id_prefix(node);
    found.sort_by_key(|one| (usize::MAX - one.named, prefix(one.node)));
    found.truncate(MAX_FOUND);
    Ok(found)
}

/// Returns whether a task adds something: `add …`, `cli: support …`, `new command …`.
fn adds(text: &str) -> bool {
    let words_of = |text: &'_ str| -> Vec<String> {
        let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
        words.take(BEGINNING).map(str::to_lowercase).collect()
    };
    // `support` is a noun, too, but not where a sentence begins.
    let sentence = text.split_once(": ").map_or(text, |(_, sentence)| sentence);
    let begins = words_of(sentence).first().is_some_and(|word| ADDING.contains(&word.as_str()));
    begins || words_of(text).iter().any(|word| word != "support" && ADDING.contains(&word.as_str()))
}

/// Returns the groups of siblings that words of the task name.
fn groups(part: &PackPart<'_>) -> Result<Vec<BTreeSet<NodeId>>, EngineError> {
    let (graph, reader) = (part.ranker.graph(), part.ranker.reader());
    let words: HashSet<String> = part.ranking.keywords.words().map(|word| stem(&word.text).into_owned()).collect();
    let mut of_types: Vec<BTreeSet<NodeId>> = Vec::new();
    let mut by_name: BTreeMap<(String, SymbolKind, String), BTreeSet<NodeId>> = BTreeMap::new();
    for ranked in part.ranking.symbols.iter().take(RANKED) {
        let Some(symbol) = reader.symbol(ranked.node)?.filter(|symbol| !symbol.is_test && !symbol.file.is_empty())
        else {
            continue;
        };
        let parts: Vec<String> =
            identifier_parts(&symbol.name).map(|part| stem(&part.to_lowercase()).into_owned()).collect();
        let ends: BTreeSet<&String> = [parts.first(), parts.last()].into_iter().flatten().collect();
        for word in ends.into_iter().filter(|word| words.contains(*word)) {
            if symbol.kind.is_type() {
                of_types.push(subtypes(part.ranker, symbol.node));
                of_types.push(graph.members(symbol.node).filter(|node| is_constant(part.ranker, *node)).collect());
            }
            if !is_registered(symbol.kind) {
                continue;
            }
            let folder = symbol.file.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
            by_name.entry((folder, symbol.kind, word.clone())).or_default().insert(symbol.node);
        }
    }
    let all = of_types.into_iter().chain(by_name.into_values());
    Ok(all.filter(|siblings| (LEAST..=MAX_SIBLINGS).contains(&siblings.len())).collect())
}

fn subtypes(ranker: &Ranker, node: NodeId) -> BTreeSet<NodeId> {
    let edges = ranker.graph().incoming(node).iter();
    edges
        .filter(|edge| matches!(edge.edge_type, EdgeType::Extends | EdgeType::Implements))
        .map(|edge| edge.node)
        .collect()
}

/// Returns whether something of this kind may be an entry of a table: a method or a field is a part of something else.
fn is_registered(kind: SymbolKind) -> bool {
    kind.is_type() || matches!(kind, SymbolKind::Function | SymbolKind::Const)
}

fn is_constant(ranker: &Ranker, node: NodeId) -> bool {
    ranker.graph().meta(node).is_some_and(|meta| matches!(meta.kind, SymbolKind::Const))
}

/// Returns the definitions that name several of the siblings and are none of them.
fn registrations_of(ranker: &Ranker, siblings: &BTreeSet<NodeId>) -> Result<Vec<Registration>, EngineError> {
    let graph = ranker.graph();
    let mut named: BTreeMap<NodeId, BTreeSet<NodeId>> = BTreeMap::new();
    for sibling in siblings {
        let is_type = graph.meta(*sibling).is_some_and(|meta| meta.kind.is_type());
        for edge in graph.incoming(*sibling) {
            use EdgeType::{AccessesField, Calls, References};
            // Who calls a function works with it, who names it registers it; a type is called to make an entry.
            let is_use = matches!(edge.edge_type, AccessesField | References) || edge.edge_type == Calls && is_type;
            let is_own =
                siblings.contains(&edge.node) || graph.container(edge.node).is_some_and(|of| siblings.contains(&of));
            if is_use && !is_own {
                named.entry(edge.node).or_default().insert(*sibling);
            }
        }
    }
    let mut found = Vec::new();
    for (node, names) in named {
        let is_enough = names.len() >= LEAST && names.len() as f64 >= SHARE * siblings.len() as f64;
        if !is_enough {
            continue;
        }
        let Some(symbol) = ranker.reader().symbol(node)?.filter(|symbol| !symbol.is_test) else {
            continue;
        };
        if symbol.file.is_empty() || symbol.kind == SymbolKind::Package {
            continue;
        }
        let mut shown = Vec::new();
        for name in names.iter().take(2) {
            shown.extend(ranker.reader().symbol(*name)?.map(|symbol| symbol.name));
        }
        let reason = format!("names {} of {} siblings: {}", names.len(), siblings.len(), shown.join(", "));
        found.push(Registration { node, reason, named: names.len() });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_task_that_adds_something_is_about_siblings() {
        for text in
            ["Add fish completion", "cli: support zip archives", "feat(shell): add elvish", "New command `list`"]
        {
            assert!(adds(text), "{text}");
        }
        for text in ["Fix the address of an order", "additional checks fail", "Rename the support desk of the new shop"]
        {
            assert!(!adds(text), "{text}");
        }
    }
}
