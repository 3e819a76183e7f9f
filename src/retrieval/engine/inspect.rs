//! Look-ups in an index without a task: symbols by name, and the whole graph.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt;
use std::path::Path;

use super::names::MAX_SUGGESTIONS;
use super::notation::{indexed_path, path_below, written};
use super::questions::METHODS;
use super::unread::skipped_with;
use super::uses::unresolved_lines;
use super::{EngineError, names, source, unread_code};
use crate::candidates::files::SourceFiles;
use crate::features::shape::is_example;
use crate::graph::derive::typings::is_declaration_file;
use crate::lang::language_of;
use crate::model::{Edge, EdgeType, NodeId, Symbol, SymbolKind};
use crate::query::is_source_path;
use crate::store::{Degree, Reader, StoreError};
use crate::text::display::{excerpt, safe, thousands};
use crate::text::{composed, count, route_form};

/// A symbol that matches a name, with its degrees.
#[derive(Debug, Clone, PartialEq)]
pub struct NameMatch {
    pub symbol: Symbol,
    pub incoming: u32,
    pub outgoing: u32,
    /// Whether the name equals the query; otherwise it is similar.
    pub exact: bool,
}

/// The result of a search by name.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NameSearch {
    /// Exact matches, then similar names, best first.
    pub found: Vec<NameMatch>,
    /// Names with a small edit distance, if nothing that was found has the name in its own.
    pub suggestions: Vec<String>,
}

/// Limit of the symbols of one name that are read.
pub(super) const MAX_NAMESAKES: usize = 10_000;
/// Limit of a query in bytes.
const MAX_QUERY_LEN: usize = 300;

/// Returns the symbols named `query`, which may be qualified as its language writes it (`Flask.route`, `Flask::route`,
/// `Flask#route`, a path, module or package before it), then those with similar names.
///
/// # Errors
/// When the database can't be read; likewise for every function here.
pub fn find(reader: &Reader, query: &str, limit: usize) -> Result<NameSearch, StoreError> {
    let query = query.trim();
    if query.is_empty() || query.len() > MAX_QUERY_LEN || limit == 0 {
        return Ok(NameSearch::default());
    }
    let mut exact = exact(reader, query)?;
    let dotted = dotted(query);
    let last = last_part(&dotted);
    likeliest_first(reader, &mut exact, |symbol| (symbol.name != last, symbol.is_test, is_example(&symbol.file)))?;
    exact.truncate(limit);

    let known: HashSet<NodeId> = exact.iter().map(|symbol| symbol.node).collect();
    let similar = names::similar(reader, last, &known, limit - exact.len())?;
    let similar = reader.symbols(&similar)?.into_iter().map(|symbol| (symbol, false));
    let found: Vec<(Symbol, bool)> = exact.into_iter().map(|symbol| (symbol, true)).chain(similar).collect();
    let nodes: Vec<NodeId> = found.iter().map(|(symbol, _)| symbol.node).collect();
    let degrees = reader.degrees_of(&nodes)?;
    let found: Vec<NameMatch> = (found.into_iter())
        .map(|(symbol, exact)| {
            let Degree { incoming, outgoing } = degrees.get(&symbol.node).copied().unwrap_or_default();
            NameMatch { symbol, incoming, outgoing, exact }
        })
        .collect();
    let suggestions = match found.iter().any(|found| has_name(&found.symbol, last)) {
        true => Vec::new(),
        false => names::suggested(reader, last)?,
    };
    Ok(NameSearch { found, suggestions })
}

/// Limit of the symbols of one name whose users are counted.
const MAX_COUNTED: usize = 500;

/// Orders symbols of one name: types first, then functions, then values, each the more used first. What differs by `key` is
/// told apart by it before.
pub(super) fn likeliest_first<K: Ord>(
    reader: &Reader,
    symbols: &mut [Symbol],
    key: impl Fn(&Symbol) -> K,
) -> Result<(), StoreError> {
    let class = |symbol: &Symbol| (!symbol.kind.is_type(), !symbol.kind.is_callable());
    symbols.sort_by_key(|symbol| (key(symbol), class(symbol)));
    let counted = symbols.len().min(MAX_COUNTED);
    let counted = &mut symbols[..counted];
    let nodes: Vec<NodeId> = counted.iter().map(|symbol| symbol.node).collect();
    let degrees = reader.degrees_of(&nodes)?;
    let users = |symbol: &Symbol| degrees.get(&symbol.node).map_or(0, |degree| degree.incoming);
    counted.sort_by_key(|symbol| (key(symbol), class(symbol), Reverse(users(symbol))));
    Ok(())
}

/// The symbols that a name refers to.
#[derive(Debug, Clone, PartialEq)]
pub enum NameLookup {
    /// The name is unique.
    One(Box<Symbol>),
    /// Several symbols have the name; each with a name that is unique.
    Ambiguous(Vec<(String, Symbol)>),
    /// No symbol has the name; with similar names.
    Unknown { suggestions: Vec<String> },
}

/// A name that does not refer to exactly one symbol.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NameError {
    pub name: String,
    /// Symbols with the name, each with a name that is unique; empty if the name is unknown.
    pub choices: Vec<(String, Symbol)>,
    /// Similar names, if the name is unknown.
    pub suggestions: Vec<String>,
    /// The number of lines of the file, if the name is a line outside it.
    pub file_lines: Option<u32>,
    /// The path, if the name is a line of a file that is not indexed, and whether there is such a file.
    pub missing_file: Option<(String, bool)>,
    /// The places where an unknown name may be: code that no grammar reads, and lines that name it.
    pub unread: Option<String>,
}

impl NameError {
    /// Returns whether no symbol has the name or a similar one.
    pub fn is_unlike_all(&self) -> bool {
        let is_place = self.file_lines.is_some() || self.missing_file.is_some();
        self.choices.is_empty() && self.suggestions.is_empty() && !is_place
    }

    /// Returns whether the name is that of no symbol and no place, so that it may be a text that lines have.
    pub fn may_be_text(&self) -> bool {
        self.choices.is_empty() && self.file_lines.is_none()
    }
}

/// Limit of the symbols listed for an ambiguous name.
const MAX_CHOICES: usize = 20;

impl fmt::Display for NameError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NameError { name, choices, suggestions, file_lines, missing_file, unread } = self;
        let name = excerpt(name);
        if let Some(lines) = file_lines {
            return write!(out, "there is no line `{name}`: the file has {}", count(*lines as usize, "line"));
        }
        match missing_file {
            Some((path, true)) => return write!(out, "{} is not an indexed file", excerpt(path)),
            Some((path, false)) => return write!(out, "there is no file {}", excerpt(path)),
            None => {}
        }
        if choices.is_empty() {
            write!(out, "no symbol is called `{name}`")?;
            if !suggestions.is_empty() {
                write!(out, "; did you mean {}?", safe(&suggestions.join(", ")))?;
            }
            return unread.as_ref().map_or(Ok(()), |unread| write!(out, "; {unread}"));
        }
        write!(out, "`{name}` is ambiguous, {} symbols match; use one of these names:", choices.len())?;
        for (name, symbol) in choices.iter().take(MAX_CHOICES) {
            write!(out, "\n  {}  ({} {})", safe(name), symbol.kind.name(), safe(&symbol.place()))?;
        }
        match choices.len().saturating_sub(MAX_CHOICES) {
            0 => Ok(()),
            more => write!(out, "\n  and {more} more"),
        }
    }
}

impl std::error::Error for NameError {}

/// Returns the symbol of a name as [`lookup_name`]; `root` is the checkout.
///
/// # Errors
/// When there is none or more than one, the name is a line that its file does not have, or the database can't be read.
pub fn named(reader: &Reader, root: &Path, name: &str) -> Result<Symbol, EngineError> {
    let unknown = || NameError { name: name.trim().to_owned(), ..NameError::default() };
    let place = place_below(root, name.trim());
    let mut found = lookup_name(reader, place.as_deref().unwrap_or(name))?;
    if matches!(found, NameLookup::Unknown { .. })
        && let Some(place) = written_place(reader, root, name.trim())?
    {
        found = lookup_name(reader, &place)?;
    }
    match found {
        NameLookup::One(symbol) => match missing_line(root, &symbol, name.trim()) {
            Some(lines) => Err(NameError { file_lines: Some(lines), ..unknown() }.into()),
            None => Ok(*symbol),
        },
        NameLookup::Ambiguous(choices) => Err(NameError { choices, ..unknown() }.into()),
        NameLookup::Unknown { suggestions } => {
            let place = place.as_deref().unwrap_or(name).trim();
            let (path, lines) = path_and_lines(place);
            if let Some(path) = indexed_path(reader, root, path)?.filter(|indexed| indexed != path) {
                return named(reader, root, &at_lines(path, lines));
            }
            if lines.is_some() {
                let missing_file = Some((path.to_owned(), root.join(path).is_file()));
                return Err(NameError { missing_file, ..unknown() }.into());
            }
            let unread = unread_places(reader, root, name)?.join("; ");
            let unread = Some(unread).filter(|text| !text.is_empty());
            Err(NameError { suggestions, unread, ..unknown() }.into())
        }
    }
}

/// Returns where an unknown name may be, a clause each: code that no grammar reads, files that were skipped, and lines that name
/// it.
///
/// # Errors
/// When the database can't be read.
pub fn unread_places(reader: &Reader, root: &Path, name: &str) -> Result<Vec<String>, EngineError> {
    let places = [unread_code(reader)?, skipped_with(reader, root, name)?, mentions(reader, root, name)?];
    Ok(places.into_iter().flatten().collect())
}

/// Returns the number of lines that name a symbol and were not resolved.
///
/// # Errors
/// When the database can't be read.
pub fn unresolved_count(reader: &Reader, root: &Path, symbol: &Symbol) -> Result<usize, EngineError> {
    Ok(unresolved_lines(reader, root, &symbol.name)?.len())
}

/// Returns where an unknown name is used although nothing that is indexed defines it, as a clause.
fn mentions(reader: &Reader, root: &Path, name: &str) -> Result<Option<String>, EngineError> {
    let dotted = dotted(name.trim());
    let lines = unresolved_lines(reader, root, last_part(&dotted))?;
    Ok(lines.first().map(|first| {
        let place = format!("{}:{}", first.file, first.line);
        match lines.len() {
            1 => format!("1 line names it, {place}"),
            count => format!("{} lines name it, the first is {place}", thousands(count)),
        }
    }))
}

/// Returns the number of lines of a file if `name` is a line after them, or the line 0.
fn missing_line(root: &Path, symbol: &Symbol, name: &str) -> Option<u32> {
    let (line, _) = path_and_lines(name).1.filter(|_| symbol.kind == SymbolKind::File)?;
    let text = source::read(root, &symbol.file).ok()?.text;
    let ends = text.matches('\n').count();
    let lines = ends + usize::from(!text.is_empty() && !text.ends_with('\n'));
    let lines = u32::try_from(lines).unwrap_or(u32::MAX);
    (!(1..=lines.max(1)).contains(&line)).then_some(lines)
}

/// Returns a place with an absolute path, such as `/home/me/app/src/app.py:12`, as one below the root.
fn place_below(root: &Path, name: &str) -> Option<String> {
    let (path, lines) = path_and_lines(name);
    let below = Path::new(path).is_absolute().then(|| path_below(root, path))?;
    Some(at_lines(below, lines))
}

/// Returns a place in the form that [`path_and_lines`] splits.
fn at_lines(path: String, lines: Option<(u32, u32)>) -> String {
    match lines {
        Some((first, last)) => format!("{path}:{first}-{last}"),
        None => path,
    }
}

/// Returns a place as this index names it, of one that was written elsewhere: in a container, on another machine or a forge,
/// with a part of its path only, or with a name after the path instead of a line.
fn written_place(reader: &Reader, root: &Path, name: &str) -> Result<Option<String>, StoreError> {
    let (path, lines) = path_and_lines(name);
    let path = path.rsplit_once("://").map_or(path, |(_, path)| path);
    let mut ends = path.match_indices(':').map(|(at, _)| at).filter(|at| is_source_path(&path[..*at]));
    let (path, symbol) = match ends.next().filter(|_| lines.is_none()) {
        Some(end) => (&path[..end], path[end..].trim_start_matches(':')),
        None => (path, ""),
    };
    if !is_source_path(path) {
        return Ok(None);
    }
    let (path, files, packages) = (path_below(root, path), reader.file_paths()?, BTreeSet::new());
    let files = SourceFiles::among(&files, &path, &packages, reader.repository(), root);
    let Some((_, file)) = files.only(&path, false) else { return Ok(None) };
    Ok(Some(match lines {
        None if !symbol.is_empty() => format!("{file}.{symbol}"),
        lines => at_lines(file.to_owned(), lines),
    }))
}

/// Splits a location into path, first and last line; anything else is a path. The forms are those that this program, compilers
/// and forges print: `src/app.py:12`, `src/app.py:12:5`, `src/app.py:12-40`, `src/app.py#L12`, `src/app.py#L12-L40`.
fn path_and_lines(query: &str) -> (&str, Option<(u32, u32)>) {
    let number = |text: &str| text.strip_prefix('L').unwrap_or(text).parse::<u32>().ok();
    let lines = |text: &str| match text.split_once('-') {
        Some((first, last)) => number(first).zip(number(last)),
        None => number(text).map(|line| (line, line)),
    };
    let lines_and_column = |text: &str| match text.split_once(':') {
        Some((line, column)) => lines(line).filter(|_| column.parse::<u32>().is_ok()),
        None => lines(text),
    };
    let mut ends =
        query.match_indices(':').chain(query.match_indices('#').filter(|(at, _)| query[*at..].starts_with("#L")));
    let found = ends.find_map(|(at, sign)| Some((at, lines_and_column(&query[at + sign.len()..])?)));
    found.map_or((query, None), |(at, lines)| (&query[..at], Some(lines)))
}

/// Returns the innermost definition at a location such as `src/app.py:12`, or else the file at the path; `None` for
/// anything else.
fn at_location(reader: &Reader, query: &str) -> Result<Option<Symbol>, StoreError> {
    let (path, lines) = path_and_lines(query);
    let path = path.strip_prefix("./").unwrap_or(path).replace('\\', "/");
    let symbols = reader.symbols_of_file(&path)?;
    let innermost = |first: u32, last: u32| {
        let is_around = |symbol: &&Symbol| {
            let is_definition = !matches!(symbol.kind, SymbolKind::File | SymbolKind::RouteHandler);
            is_definition && symbol.span.start_line <= first && last <= symbol.span.end_line
        };
        symbols.iter().filter(is_around).min_by_key(|symbol| symbol.span.end_line - symbol.span.start_line)
    };
    let found = lines.and_then(|(first, last)| innermost(first, last).or_else(|| innermost(first, first)));
    // A line outside definitions is code of the file.
    Ok(found.or_else(|| symbols.iter().find(|symbol| symbol.kind == SymbolKind::File)).cloned())
}

/// Looks up the symbol of a name as for [`find`]; a suffix `#2` selects the second definition of that name. Names of
/// the same case are preferred to others, whole names to suffixes, and the product's to those of tests. A path with a line
/// refers to the innermost definition there, a path alone to the file.
pub fn lookup_name(reader: &Reader, query: &str) -> Result<NameLookup, StoreError> {
    if let Some(found) = at_location(reader, query.trim())? {
        return Ok(NameLookup::One(Box::new(found)));
    }
    if let Some(outside) = outside(reader, query.trim())? {
        return Ok(NameLookup::One(Box::new(outside)));
    }
    let query = query.trim();
    let (name, number) = match query.rsplit_once('#').map(|(name, number)| (name, number.parse::<u32>())) {
        Some((name, Ok(number))) => (name, Some(number)),
        _ => (query, None),
    };
    if name.is_empty() || name.len() > MAX_QUERY_LEN {
        return Ok(NameLookup::Unknown { suggestions: Vec::new() });
    }
    let mut matching = exact(reader, name)?;
    if let Some(found) = meant_without_file(reader, name, &matching)? {
        return Ok(NameLookup::One(Box::new(found)));
    }
    matching.retain(|symbol| number.is_none_or(|number| symbol.ordinal + 1 == number));
    let dotted = dotted(name);
    keep_if_any(&mut matching, |symbol| symbol.short_name().ends_with(&*dotted));
    keep_if_any(&mut matching, |symbol| symbol.short_name() == dotted);
    keep_if_any(&mut matching, |symbol| symbol.name == last_part(&dotted));
    // A class of a test that has the name of the product's is not what is asked about; its answer counts the other.
    keep_if_any(&mut matching, |symbol| !symbol.is_test);
    drop_declarations(reader, &mut matching)?;
    drop_constructors(&mut matching);
    match matching.len() {
        0 => {
            if let Some(found) = without_file(reader, name)? {
                return Ok(NameLookup::One(Box::new(found)));
            }
            let mut routes = routes_like(reader, name)?;
            if let (1, Some(found)) = (routes.len(), routes.pop()) {
                return Ok(NameLookup::One(Box::new(found)));
            }
            if let Some(found) = external(reader, &dotted)? {
                return Ok(NameLookup::One(Box::new(found)));
            }
            // Names that only have the letters in this order, as a search finds them, are not meant.
            let search = find(reader, name, MAX_SUGGESTIONS)?;
            // No name of code means a route, which has the slashes of a path.
            let is_meant = |symbol: &Symbol| symbol.kind != SymbolKind::RouteHandler || name.contains('/');
            let having = (search.found.iter())
                .filter(|found| has_name(&found.symbol, last_part(&dotted)) && is_meant(&found.symbol));
            let having = having.map(|found| found.symbol.short_name().to_owned());
            Ok(NameLookup::Unknown { suggestions: having.chain(search.suggestions).take(MAX_SUGGESTIONS).collect() })
        }
        1 => Ok(NameLookup::One(Box::new(matching.swap_remove(0)))),
        _ => Ok(NameLookup::Ambiguous(unique_names(matching))),
    }
}

/// Removes the constructors of the only type among symbols of one name: `Pool` is the class, `Pool.Pool` its constructor.
fn drop_constructors(matching: &mut Vec<Symbol>) {
    let mut types = matching.iter().filter(|symbol| symbol.kind.is_type());
    let (Some(only), None) = (types.next(), types.next()) else { return };
    let own = format!("{}.{}", only.short_name(), only.name);
    let (only, name) = (only.id, format!(".{0}.{0}", only.name));
    let is_constructor = |symbol: &Symbol| symbol.short_name() == own || symbol.short_name().ends_with(&name);
    matching.retain(|symbol| symbol.id == only || !(symbol.kind.is_callable() && is_constructor(symbol)));
}

/// Returns whether the name of a symbol has this one in it, in any case.
fn has_name(symbol: &Symbol, name: &str) -> bool {
    symbol.name.to_lowercase().contains(&name.to_lowercase())
}

/// Returns the symbol without a file that a query such as `flag:pcre2` or `env_var:HOME` names.
fn outside(reader: &Reader, query: &str) -> Result<Option<Symbol>, StoreError> {
    let Some((prefix, name)) = query.split_once(':') else { return Ok(None) };
    let Some(kind) = SymbolKind::ALL.into_iter().find(|kind| kind.name() == prefix) else { return Ok(None) };
    Ok(reader.symbols_outside(kind, name)?.into_iter().next())
}

/// Returns the routes that differ from a name at most by how their parameters are written; of a path alone, such as `/users`,
/// those of every method.
fn routes_like(reader: &Reader, name: &str) -> Result<Vec<Symbol>, StoreError> {
    let (methods, path) = match name.find(" /") {
        Some(at) => (vec![&name[..at]], &name[at + 1..]),
        None if name.starts_with('/') => (METHODS.to_vec(), name),
        None => return Ok(Vec::new()),
    };
    let form = route_form(path);
    let mut alike = Vec::new();
    for method in methods {
        let nodes = reader.nodes_with_prefix(&format!("{method} /"), MAX_NAMESAKES)?;
        let is_alike = |symbol: &Symbol| symbol.name.split_once(' ').is_some_and(|(_, own)| route_form(own) == form);
        alike.extend(reader.symbols(&nodes)?.into_iter().filter(is_alike));
    }
    if alike.is_empty() && path.len() < name.len() {
        // One that is registered without a method answers each.
        let nodes = reader.nodes_with_prefix("/", MAX_NAMESAKES)?;
        let is_alike = |symbol: &Symbol| symbol.kind == SymbolKind::RouteHandler && route_form(&symbol.name) == form;
        alike.extend(reader.symbols(&nodes)?.into_iter().filter(is_alike));
    }
    Ok(alike)
}

/// Returns the flag, the variable of the environment or the style of a name.
fn without_file(reader: &Reader, name: &str) -> Result<Option<Symbol>, StoreError> {
    let class = format!(".{name}");
    for (kind, name) in [
        (SymbolKind::Flag, name),
        (SymbolKind::EnvVar, name),
        (SymbolKind::Style, name),
        (SymbolKind::Style, class.as_str()),
    ] {
        if let Some(found) = reader.symbols_outside(kind, name)?.into_iter().next() {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Returns the symbol without a file that a name means rather than these: `API_KEY` is the variable of the environment rather than
/// a field `api_key`, or a line of a build that sets it.
fn meant_without_file(reader: &Reader, name: &str, others: &[Symbol]) -> Result<Option<Symbol>, StoreError> {
    let has_case = |symbol: &Symbol| symbol.name == last_part(&dotted(name));
    let is_program = |symbol: &Symbol| language_of(&symbol.file).is_none_or(|language| language.is_program);
    if others.iter().any(|symbol| has_case(symbol) && is_program(symbol)) {
        return Ok(None);
    }
    let is_in_build = others.iter().any(has_case);
    let found = without_file(reader, name)?.filter(|found| found.name == name);
    Ok(found.filter(|found| !is_in_build || found.kind == SymbolKind::EnvVar))
}

/// Returns the symbol of code outside with a whole name, such as `threading.Thread`: its users are known.
fn external(reader: &Reader, dotted: &str) -> Result<Option<Symbol>, StoreError> {
    let (scope, name) = dotted.rsplit_once('.').unwrap_or(("", dotted));
    // The requests of clients are code outside, too, and are asked about as routes.
    if dotted.contains('/') {
        return Ok(None);
    }
    let found = reader.symbols_outside(SymbolKind::External, name)?;
    Ok(found.into_iter().find(|found| found.name == name && found.scope == scope))
}

/// Removes the declarations whose definitions are among the symbols: they are one subject.
fn drop_declarations(reader: &Reader, symbols: &mut Vec<Symbol>) -> Result<(), StoreError> {
    let is_declaring = |file: &str| {
        let traits = language_of(file).map(|language| language.rules.traits());
        traits.is_some_and(|traits| traits.defines_apart || traits.separates_types) || is_declaration_file(file)
    };
    if symbols.len() < 2 || !symbols.iter().any(|symbol| is_declaring(&symbol.file)) {
        return Ok(());
    }
    let nodes: HashSet<NodeId> = symbols.iter().map(|symbol| symbol.node).collect();
    let mut declarations = HashSet::new();
    let files: BTreeSet<&str> =
        symbols.iter().map(|symbol| symbol.file.as_str()).filter(|file| is_declaring(file)).collect();
    for path in files {
        let Some(file) = reader.file_id(path)? else { continue };
        for packed in reader.packed_edges_of_file(file)? {
            let edges = reader.unpack(&packed)?.into_iter();
            let declaring = edges.filter(|edge| edge.edge_type == EdgeType::Declares);
            let among = declaring.filter(|edge| nodes.contains(&edge.source) && nodes.contains(&edge.target));
            declarations.extend(among.map(|edge| edge.source));
        }
    }
    symbols.retain(|symbol| !declarations.contains(&symbol.node));
    Ok(())
}

/// Returns each symbol with a name that is its own: the number of overloads and the like where the name is not, and the
/// place where symbols of different kinds have the same number.
pub(super) fn unique_names(symbols: Vec<Symbol>) -> Vec<(String, Symbol)> {
    let numbered = |symbol: &Symbol| format!("{}#{}", symbol.short_name(), symbol.ordinal + 1);
    let mut counts: HashMap<String, usize> = HashMap::new();
    for name in symbols.iter().flat_map(|symbol| [symbol.short_name().to_owned(), numbered(symbol)]) {
        *counts.entry(name).or_default() += 1;
    }
    let is_own = |name: &String| counts.get(name) == Some(&1);
    let named = |symbol: Symbol| {
        let names = [symbol.short_name().to_owned(), numbered(&symbol)];
        let place = || symbol.place();
        (names.into_iter().find(is_own).unwrap_or_else(place), symbol)
    };
    symbols.into_iter().map(named).collect()
}

/// Returns whether a name is that of one symbol among several: a place, or a name with a number.
pub fn names_one(name: &str) -> bool {
    let number = |after: &str| after.parse::<u32>().is_ok();
    path_and_lines(name.trim()).1.is_some() || name.rsplit_once('#').is_some_and(|(_, after)| number(after))
}

fn keep_if_any(symbols: &mut Vec<Symbol>, keep: impl Fn(&Symbol) -> bool) {
    if symbols.iter().any(&keep) {
        symbols.retain(keep);
    }
}

/// The whole graph, in an order that depends only on the repository's content.
#[derive(Debug, Clone, Default)]
pub struct WholeGraph {
    pub symbols: Vec<Symbol>,
    /// Indexes of source and target in `symbols`, and the edge.
    pub edges: Vec<(usize, usize, Edge)>,
}

/// Returns every symbol and every edge.
pub fn whole_graph(reader: &Reader) -> Result<WholeGraph, StoreError> {
    let symbols = reader.all_symbols()?;
    let mut indexes = vec![None; reader.node_capacity()? as usize];
    for (index, symbol) in symbols.iter().enumerate() {
        if let Some(known) = indexes.get_mut(symbol.node.index()) {
            *known = Some(index);
        }
    }
    let index = |node: NodeId| indexes.get(node.index()).copied().flatten();
    let edges = reader.all_edges()?.into_iter();
    let mut edges: Vec<(usize, usize, Edge)> =
        edges.filter_map(|edge| Some((index(edge.source)?, index(edge.target)?, edge))).collect();
    edges.sort_by_key(|(source, target, edge)| (*source, *target, edge.edge_type));
    Ok(WholeGraph { symbols, edges })
}

/// Returns the symbols named `query`, those of the same case first, tests last. Where none has the name as it is shown, the
/// notations of the languages are tried.
fn exact(reader: &Reader, query: &str) -> Result<Vec<Symbol>, StoreError> {
    let dotted = dotted(query);
    let last = last_part(&dotted);
    let mut exact = if query.starts_with('/') { routes_like(reader, query)? } else { Vec::new() };
    if exact.is_empty() {
        exact = reader.symbols_named(last, MAX_NAMESAKES)?;
        exact.retain(|symbol| ends_with_name(symbol.short_name(), &dotted));
    }
    if exact.is_empty() {
        exact = files_at(reader, query)?;
    }
    if exact.is_empty() {
        exact = written(reader, query)?;
    }
    if exact.is_empty() {
        exact = inherited(reader, &dotted)?;
    }
    exact.sort_by_cached_key(|symbol| {
        let is_other = (symbol.name != last, symbol.is_test, is_example(&symbol.file));
        (is_other, symbol.qualified_name.clone(), symbol.span.start_byte, symbol.id)
    });
    Ok(exact)
}

/// Returns the files whose paths are `path` or end with it after a slash.
fn files_at(reader: &Reader, path: &str) -> Result<Vec<Symbol>, StoreError> {
    let (path, name) = (path.strip_prefix("./").unwrap_or(path), path.rsplit('/').next().unwrap_or(path));
    let mut files = reader.symbols_named(name, MAX_NAMESAKES)?;
    files.retain(|symbol| {
        let before = symbol.file.strip_suffix(path);
        symbol.kind == SymbolKind::File && before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    });
    Ok(files)
}

/// Returns the members that types inherit: `Session.save`, which a base class of `Session` defines.
fn inherited(reader: &Reader, dotted: &str) -> Result<Vec<Symbol>, StoreError> {
    let Some((owner, member)) = dotted.rsplit_once('.') else { return Ok(Vec::new()) };
    let mut owners = reader.symbols_named(last_part(owner), MAX_NAMESAKES)?;
    owners.retain(|symbol| symbol.kind.is_type() && ends_with_name(symbol.short_name(), owner));
    let mut members: Vec<Symbol> = Vec::new();
    for owner in owners {
        let Some(file) = reader.file_of_node(owner.node)? else { continue };
        for packed in reader.packed_edges_of_file(file)? {
            let edges = reader.unpack(&packed)?.into_iter();
            let inherits = edges.filter(|edge| edge.source == owner.node && edge.edge_type == EdgeType::Inherits);
            for edge in inherits {
                members.extend(reader.symbol(edge.target)?.filter(|symbol| symbol.name == member));
            }
        }
    }
    members.sort_by_key(|symbol| symbol.node);
    members.dedup_by_key(|symbol| symbol.node);
    Ok(members)
}

/// Returns a name as it is shown: with dots, its letters composed.
fn dotted(name: &str) -> String {
    composed(name).replace("::", ".")
}

fn last_part(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

/// Returns whether `name` is `query` or ends with it after a dot or slash, in any case.
fn ends_with_name(name: &str, query: &str) -> bool {
    let (name, query) = (name.to_lowercase(), query.to_lowercase());
    name.strip_suffix(&query).is_some_and(|before| before.is_empty() || before.ends_with(['.', '/']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_have_the_forms_that_programs_print() {
        for (place, expected) in [
            ("a/b.py:12", ("a/b.py", Some((12, 12)))),
            ("a/b.py:12:5", ("a/b.py", Some((12, 12)))),
            ("a/b.py:12-40", ("a/b.py", Some((12, 40)))),
            ("a/b.py:L12", ("a/b.py", Some((12, 12)))),
            ("a/b.py#L12", ("a/b.py", Some((12, 12)))),
            ("a/b.py#L12-L40", ("a/b.py", Some((12, 40)))),
            ("C:\\b.py:7", ("C:\\b.py", Some((7, 7)))),
            ("f#2", ("f#2", None)),
            ("a::b", ("a::b", None)),
            ("a.py:12:x", ("a.py:12:x", None)),
        ] {
            assert_eq!(path_and_lines(place), expected, "{place}");
        }
    }

    #[test]
    fn qualified_queries_match_at_boundaries() {
        let name = "src/flask/sansio/scaffold.py.Scaffold.route";
        for yes in ["route", "Scaffold.route", "scaffold.route", "scaffold.py.Scaffold.route", name] {
            assert!(ends_with_name(name, yes), "{yes}");
        }
        assert!(!ends_with_name(name, "affold.route"));
    }
}
