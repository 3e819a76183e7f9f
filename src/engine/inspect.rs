//! Looking into an index without a task: symbols by name, everything as rows.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use nucleo::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo::{Config, Matcher, Utf32Str};

use crate::model::{Edge, Symbol, SymbolKind};
use crate::store::{Degree, NodeSummary, Reader, StoreError};

/// A symbol and how connected it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub symbol: Symbol,
    pub incoming: u32,
    pub outgoing: u32,
    /// True when the name is the one asked for, not one like it.
    pub exact: bool,
}

/// What a search by name gives.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NameSearch {
    /// Exact matches, then similar names, best first.
    pub found: Vec<Found>,
    /// When nothing was found: names that differ by a typing error or two.
    pub near: Vec<String>,
}

/// How alike two names must be (Jaro-Winkler) for one to be suggested in place of the other.
const NEAR: f64 = 0.85;
const NEAR_COUNT: usize = 5;
/// Exact matches are looked for among at most this many namesakes.
const NAMESAKES: usize = 10_000;
/// Longer questions are no names.
const MAX_QUESTION: usize = 300;

/// Symbols called `question`, which may be qualified (`Flask.route`, `Flask::route`, a path before it), then symbols whose
/// names contain its letters in order.
///
/// # Errors
/// When the database can't be read; likewise for every function here.
pub fn find(reader: &Reader, question: &str, limit: usize) -> Result<NameSearch, StoreError> {
    let question = question.trim().replace("::", ".");
    if question.is_empty() || question.len() > MAX_QUESTION || limit == 0 {
        return Ok(NameSearch::default());
    }
    let last = last_part(&question);
    let mut exact = exact(reader, &question)?;
    exact.truncate(limit);

    let heads = reader.node_summaries()?;
    let degrees = reader.degrees()?;
    let connected = |symbol: Symbol, exact: bool| {
        let Degree { incoming, outgoing } = degrees.get(symbol.node as usize).copied().unwrap_or_default();
        Found { symbol, incoming, outgoing, exact }
    };
    let known: HashSet<u32> = exact.iter().map(|symbol| symbol.node).collect();
    let named = || heads.iter().filter(|head| head.kind != SymbolKind::External && !known.contains(&head.node));
    let similar = similar(last, named(), limit - exact.len());
    let mut found: Vec<Found> = exact.into_iter().map(|symbol| connected(symbol, true)).collect();
    found.extend(reader.symbols(&similar)?.into_iter().map(|symbol| connected(symbol, false)));
    let near = if found.is_empty() { near(last, named().map(|head| head.name.as_str())) } else { Vec::new() };
    Ok(NameSearch { found, near })
}

/// Which symbol a name means.
#[derive(Debug, Clone, PartialEq)]
pub enum Meant {
    One(Box<Symbol>),
    /// The name fits all of these; each comes with a name that fits only it.
    Several(Vec<(String, Symbol)>),
    /// The name fits none; these are like it.
    Unknown {
        near: Vec<String>,
    },
}

/// The one symbol that `question` means: a name as for [`find`], with `#2` behind it for the second definition of that
/// name. Where several fit, those with the same capitals come before others, and a whole name before the end of one.
pub fn meant(reader: &Reader, question: &str) -> Result<Meant, StoreError> {
    let question = question.trim().replace("::", ".");
    let (name, number) = match question.rsplit_once('#').map(|(name, number)| (name, number.parse::<u32>())) {
        Some((name, Ok(number))) => (name, Some(number)),
        _ => (question.as_str(), None),
    };
    if name.is_empty() || name.len() > MAX_QUESTION {
        return Ok(Meant::Unknown { near: Vec::new() });
    }
    let mut fitting = exact(reader, name)?;
    fitting.retain(|symbol| number.is_none_or(|number| symbol.ordinal + 1 == number));
    keep_if_any(&mut fitting, |symbol| symbol.short_name().ends_with(name));
    keep_if_any(&mut fitting, |symbol| symbol.short_name() == name);
    match fitting.len() {
        0 => {
            let search = find(reader, name, NEAR_COUNT)?;
            let similar = search.found.iter().map(|found| found.symbol.short_name().to_owned());
            Ok(Meant::Unknown { near: similar.chain(search.near).take(NEAR_COUNT).collect() })
        }
        1 => Ok(Meant::One(Box::new(fitting.swap_remove(0)))),
        _ => Ok(Meant::Several(told_apart(fitting))),
    }
}

fn told_apart(symbols: Vec<Symbol>) -> Vec<(String, Symbol)> {
    let mut bearers: HashMap<String, usize> = HashMap::new();
    for symbol in &symbols {
        *bearers.entry(symbol.short_name().to_owned()).or_default() += 1;
    }
    let named = |symbol: Symbol| match bearers.get(symbol.short_name()) {
        Some(1) => (symbol.short_name().to_owned(), symbol),
        _ => (format!("{}#{}", symbol.short_name(), symbol.ordinal + 1), symbol),
    };
    symbols.into_iter().map(named).collect()
}

fn keep_if_any(symbols: &mut Vec<Symbol>, keep: impl Fn(&Symbol) -> bool) {
    if symbols.iter().any(&keep) {
        symbols.retain(keep);
    }
}

/// A whole graph in an order that depends only on the repository's content.
#[derive(Debug, Clone, Default)]
pub struct WholeGraph {
    pub symbols: Vec<Symbol>,
    /// Places of source and target in `symbols`, and the edge.
    pub edges: Vec<(usize, usize, Edge)>,
}

/// Every symbol and every edge.
pub fn whole_graph(reader: &Reader) -> Result<WholeGraph, StoreError> {
    let symbols = reader.all_symbols()?;
    let mut places = vec![None; reader.node_capacity()? as usize];
    for (place, symbol) in symbols.iter().enumerate() {
        if let Some(known) = places.get_mut(symbol.node as usize) {
            *known = Some(place);
        }
    }
    let place = |node: u32| places.get(node as usize).copied().flatten();
    let edges = reader.all_edges()?.into_iter();
    let mut edges: Vec<(usize, usize, Edge)> =
        edges.filter_map(|edge| Some((place(edge.source)?, place(edge.target)?, edge))).collect();
    edges.sort_by_key(|(source, target, edge)| (*source, *target, edge.edge_type));
    Ok(WholeGraph { symbols, edges })
}

/// Symbols called `question`: those with the same capitals first, tests last.
fn exact(reader: &Reader, question: &str) -> Result<Vec<Symbol>, StoreError> {
    let last = last_part(question);
    let mut exact = reader.symbols_named(last, NAMESAKES)?;
    exact.retain(|symbol| ends_with_name(symbol.short_name(), question));
    exact.sort_by_cached_key(|symbol| (symbol.name != last, symbol.is_test, symbol.qualified_name.clone(), symbol.id));
    Ok(exact)
}

fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// True when `name` is `question`, or ends with it after a dot or slash, in any case.
fn ends_with_name(name: &str, question: &str) -> bool {
    let (name, question) = (name.to_lowercase(), question.to_lowercase());
    name.strip_suffix(&question).is_some_and(|before| before.is_empty() || before.ends_with(['.', '/']))
}

/// Nodes whose names contain the letters of `question` in order, best first.
fn similar<'a>(question: &str, heads: impl Iterator<Item = &'a NodeSummary>, limit: usize) -> Vec<u32> {
    let mut matcher = Matcher::new(Config::DEFAULT);
    let pattern = Pattern::new(question, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy);
    let mut buffer = Vec::new();
    let mut score = |head: &NodeSummary| pattern.score(Utf32Str::new(&head.name, &mut buffer), &mut matcher);
    let mut scored: Vec<(u32, &NodeSummary)> = heads.filter_map(|head| Some((score(head)?, head))).collect();
    let key =
        |(score, head): &(u32, &'a NodeSummary)| (Reverse(*score), head.name.len(), head.name.as_str(), head.identity);
    scored.sort_unstable_by(|one, two| key(one).cmp(&key(two)));
    scored.into_iter().take(limit).map(|(_, head)| head.node).collect()
}

/// Names that a typing error away might have been meant.
fn near<'a>(question: &str, names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let question = question.to_lowercase();
    let mut scored: Vec<(f64, &str)> = names
        .map(|name| (strsim::jaro_winkler(&question, &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness >= NEAR)
        .collect();
    scored.sort_by(|one, two| two.0.total_cmp(&one.0).then(one.1.cmp(two.1)));
    scored.dedup_by_key(|(_, name)| *name);
    scored.into_iter().take(NEAR_COUNT).map(|(_, name)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::SymbolId;

    fn head(node: u32, name: &str, identity: u8) -> NodeSummary {
        let (kind, identity) = (SymbolKind::Function, SymbolId([identity; 16]));
        NodeSummary { node, identity, kind, file: Some(1), is_test: false, name: name.to_owned() }
    }

    #[test]
    fn qualified_questions_match_at_boundaries() {
        let name = "src/flask/sansio/scaffold.py.Scaffold.route";
        for yes in ["route", "Scaffold.route", "scaffold.route", "scaffold.py.Scaffold.route", name] {
            assert!(ends_with_name(name, yes), "{yes}");
        }
        assert!(!ends_with_name(name, "affold.route"));
    }

    #[test]
    fn typing_errors_find_the_name() {
        assert_eq!(near("befroe_request", ["before_request", "after_request", "run"].into_iter()), ["before_request"]);
    }

    #[test]
    fn letters_in_order_are_similar() {
        let heads = [head(1, "dispatch_request", 1), head(2, "full_dispatch_request", 2), head(3, "run", 3)];
        assert_eq!(similar("dsprq", heads.iter(), 5), [1, 2]);
    }

    #[test]
    fn no_letter_of_a_question_is_an_operator() {
        let heads = [head(1, "run", 1), head(2, "stop", 2)];
        for question in ["!run", "^run", "run$", "'run"] {
            assert_eq!(similar(question, heads.iter(), 5), [] as [u32; 0], "{question}");
        }
    }

    #[test]
    fn namesakes_come_in_an_order_that_numbers_do_not_decide() {
        let heads = [head(1, "run", 9), head(2, "run", 8), head(3, "run", 7)];
        assert_eq!(similar("rn", heads.iter(), 2), [3, 2]);
    }
}
