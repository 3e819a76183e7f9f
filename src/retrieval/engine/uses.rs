//! Lines of uses, and of references whose target is unknown. The graph has only the edges, so the lines are computed from the references in the facts of a file.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use super::inspect::NameError;
use super::questions::shown;
use super::{EngineError, Reader, source};
use crate::facts::{
    Atom, Code, Definition, Description, Expr, ExprId, Import, ImportName, Outline, Reference, Role, Signal, SignalKind,
};
use crate::index::{self, UnknownInFile};
use crate::model::{Access, DefId, Edge, EdgeType, FieldAccess, FileId, Meaning, Mention, NodeId, Symbol, SymbolKind};
use crate::text::lines::LineStarts;

/// A use whose line is wanted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Use<'a> {
    pub user: &'a Symbol,
    pub edge_type: EdgeType,
    pub used: &'a Symbol,
}

/// Returns the lines of each use, sorted. There are none for a file that has changed since it was indexed.
///
/// # Errors
/// When the store can't be read.
pub(super) fn lines_of_uses(reader: &Reader, root: &Path, uses: &[Use<'_>]) -> Result<Vec<Vec<u32>>, EngineError> {
    in_files(reader, root, uses, |facts, _, starts, Use { user, edge_type, used }| {
        let references = facts.uses(user, *edge_type, used).into_iter();
        let position = |index: u32| facts.code.references.get(index as usize).map(|reference| reference.position);
        let lines = references.filter_map(|index| Some(starts.line(position(index)? as usize)));
        // One user can read and set the same variable: each line counts, whichever edge the row shows.
        let source = facts.source_of(user);
        let signals = facts.signals(&used.name).filter(|(other, _)| Some(*other) == source);
        lines.chain(signals.map(|(_, line)| line)).collect::<BTreeSet<u32>>().into_iter().collect()
    })
}

/// Returns every line of each use of a field, with what it does.
///
/// # Errors
/// When the store can't be read.
pub(super) fn accesses_of_fields(
    reader: &Reader,
    root: &Path,
    uses: &[Use<'_>],
) -> Result<Vec<Vec<FieldAccess>>, EngineError> {
    in_files(reader, root, uses, |facts, text, starts, Use { user, used, .. }| {
        let accesses = facts.accesses(user, used, text).into_iter();
        let lines = accesses.map(|(position, access)| FieldAccess { access, line: starts.line(position as usize) });
        lines.collect::<BTreeSet<FieldAccess>>().into_iter().collect()
    })
}

/// Finds something in the file of each user, as it was indexed.
fn in_files<T: Default + Clone>(
    reader: &Reader,
    root: &Path,
    uses: &[Use<'_>],
    find: impl Fn(&IndexedFile, &str, &LineStarts, &Use<'_>) -> T,
) -> Result<Vec<T>, EngineError> {
    let mut all = vec![T::default(); uses.len()];
    let mut by_file: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (index, Use { user, .. }) in uses.iter().enumerate() {
        by_file.entry(user.file.as_str()).or_default().push(index);
    }
    for (path, indexes) in by_file {
        let Some(id) = reader.file_id(path)? else { continue };
        let Some(text) = as_indexed(reader, root, path)? else { continue };
        let Some(facts) = IndexedFile::read(reader, id)? else { continue };
        let starts = LineStarts::new(&text);
        for index in indexes {
            all[index] = find(&facts, &text, &starts, &uses[index]);
        }
    }
    Ok(all)
}

/// Returns the lines with a reference by this name that has no edge, and those with the name of which the grammar made
/// nothing, sorted by file and line. Files that have changed since they were indexed are left out.
///
/// # Errors
/// When the store can't be read.
pub(super) fn unresolved_lines(reader: &Reader, root: &Path, name: &str) -> Result<Vec<Mention>, EngineError> {
    let mut lines = Vec::new();
    for UnknownInFile { file, references, is_unparsed } in index::unknown_in_files(reader, name)? {
        let Some(path) = reader.file_path(file)? else { continue };
        let Some(text) = as_indexed(reader, root, &path)? else { continue };
        let Some(facts) = IndexedFile::read(reader, file)? else { continue };
        let starts = LineStarts::new(&text);
        let mut numbers: BTreeSet<u32> =
            facts.named(&references, name).map(|position| starts.line(position as usize)).collect();
        let texts: Vec<&str> = text.lines().collect();
        let unparsed = facts.outline.unparsed_lines(&text).filter(|_| is_unparsed);
        numbers.extend(unparsed.filter(|line| texts.get(*line as usize - 1).is_some_and(|text| has_word(text, name))));
        lines.extend(numbers.into_iter().map(|line| {
            let text = shown(texts.get(line as usize - 1).copied().unwrap_or_default());
            Mention { meaning: Meaning::Unresolved, file: path.clone(), line, text, is_test: false, is_foreign: false }
        }));
    }
    lines.sort();
    Ok(lines)
}

/// Returns the number of calls in a symbol of which it is not known what they call, without those of the symbols in it.
///
/// # Errors
/// When the store can't be read.
pub(super) fn unresolved_calls(reader: &Reader, symbol: &Symbol) -> Result<usize, EngineError> {
    let Some(file) = reader.file_id(&symbol.file)? else { return Ok(0) };
    let unresolved = index::unresolved_of_file(reader, file)?;
    let Some(facts) = IndexedFile::read(reader, file)?.filter(|_| !unresolved.is_empty()) else { return Ok(0) };
    let references = unresolved.iter().filter_map(|index| facts.code.references.get(*index as usize));
    Ok(references.filter(|one| one.role == Role::Call && facts.is_source(symbol, one)).count())
}

/// Returns what extraction read in a file, as text; `None` if it is not indexed or has changed since.
///
/// # Errors
/// When the store can't be read.
pub fn facts_of_file(reader: &Reader, root: &Path, path: &str) -> Result<Option<String>, EngineError> {
    let Some((text, facts, _)) = indexed_file(reader, root, path)? else { return Ok(None) };
    let starts = LineStarts::new(&text);
    let line_of = |position| starts.line(position as usize);
    Ok(Some(Description { outline: &facts.outline, code: &facts.code, line_of: &line_of }.text()))
}

/// Returns the references on a line of a file, each with the edges that come of it, as text; `None` if the file is not indexed
/// or has changed since.
///
/// # Errors
/// When the file has no such line, or the store can't be read.
pub fn edges_on_line(reader: &Reader, root: &Path, path: &str, line: u32) -> Result<Option<String>, EngineError> {
    let Some((text, facts, id)) = indexed_file(reader, root, path)? else { return Ok(None) };
    let count = text.lines().count() as u32;
    if !(1..=count).contains(&line) {
        let name = format!("{path}:{line}");
        return Err(NameError { name, file_lines: Some(count), ..NameError::default() }.into());
    }
    let starts = LineStarts::new(&text);
    let line_at = |position| starts.line(position as usize);
    let description = Description { outline: &facts.outline, code: &facts.code, line_of: &line_at };
    let all = (0_u32..).zip(&facts.code.references);
    let on_line: Vec<(u32, &Reference)> = all.filter(|(_, other)| line_at(other.position) == line).collect();
    let mut edges: BTreeMap<u32, String> = BTreeMap::new();
    let symbols = reader.symbols_of_file(path)?;
    let is_user = |symbol: &&Symbol| on_line.iter().any(|(_, reference)| facts.is_source(symbol, reference));
    let users: BTreeMap<NodeId, &Symbol> = symbols.iter().filter(is_user).map(|symbol| (symbol.node, symbol)).collect();
    for packed in reader.packed_edges_of_file(id)? {
        for edge in reader.unpack(&packed)?.into_iter().map(Edge::from) {
            let Some(user) = users.get(&edge.source).filter(|_| edge.edge_type.is_use()) else { continue };
            let Some(target) = reader.symbol(edge.target)? else { continue };
            let (edge_type, provenance) = (edge.edge_type.name(), edge.provenance.name());
            let place = if target.file.is_empty() { "external".to_owned() } else { location(&target) };
            let short = target.short_name();
            let text = format!("    {edge_type} {short} ({place}), {provenance} {:.2}\n", edge.confidence);
            for reference in facts.uses(user, edge.edge_type, &target) {
                edges.entry(reference).or_default().push_str(&text);
            }
        }
    }
    let mut lines = String::new();
    for (index, reference) in on_line {
        lines.extend([&description.reference(reference), "\n"]);
        let Some(name) = facts.last_name(reference) else { continue };
        match edges.get(&index) {
            Some(edges) => lines.push_str(edges),
            None => {
                let unknown = index::unknown_in_files(reader, name)?.into_iter().find(|unknown| unknown.file == id);
                let is_unresolved = unknown.is_some_and(|unknown| unknown.references.contains(&index));
                lines.push_str(if is_unresolved { NOT_RESOLVED } else { NO_EDGE });
            }
        }
    }
    Ok(Some(lines))
}

/// The line below a reference whose meaning is not known.
const NOT_RESOLVED: &str = "    not resolved: no definition, import or type of the receiver is known for it\n";
/// The line below a reference that means a name of its own function, a built-in, or the source itself.
const NO_EDGE: &str = "    no edge: a name of the function itself, of the language, or an edge under another name\n";

fn location(symbol: &Symbol) -> String {
    symbol.place()
}

/// Returns the text and the facts of a file; `None` if it is not indexed or has changed since.
///
/// # Errors
/// When the store can't be read.
pub(super) fn indexed_file(
    reader: &Reader,
    root: &Path,
    path: &str,
) -> Result<Option<(String, IndexedFile, FileId)>, EngineError> {
    let Some(id) = reader.file_id(path)? else { return Ok(None) };
    let Some(text) = as_indexed(reader, root, path)? else { return Ok(None) };
    Ok(IndexedFile::read(reader, id)?.map(|facts| (text, facts, id)))
}

/// Returns whether a line has a name that is not part of a longer one.
pub(super) fn has_word(line: &str, name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    !name.is_empty()
        && line
            .match_indices(name)
            .any(|(at, _)| !line[..at].ends_with(is_part) && !line[at + name.len()..].starts_with(is_part))
}

/// Reads a file; `None` if it has changed since it was indexed.
fn as_indexed(reader: &Reader, root: &Path, path: &str) -> Result<Option<String>, EngineError> {
    let Ok(content) = source::read(root, path) else { return Ok(None) };
    Ok((reader.content_hash(path)? == Some(content.hash)).then_some(content.text))
}

/// The facts of a file.
pub(super) struct IndexedFile {
    repository: String,
    /// Meanings of references whose name does not tell, see [`index::untold_of_file`].
    untold: Vec<(u32, Option<NodeId>)>,
    /// The definitions that begin at each byte.
    definitions_at: HashMap<u32, Vec<DefId>>,
    /// The numbers of the references of each source.
    references_of: HashMap<Option<DefId>, Vec<u32>>,
    pub outline: Outline,
    pub code: Code,
}

impl IndexedFile {
    /// Reads the facts of a file. With corrupt facts only lines are missing; `knowing status --verify` reports such facts.
    pub fn read(reader: &Reader, id: FileId) -> Result<Option<IndexedFile>, EngineError> {
        let (Some(outline), Some(code)) = (reader.outline_blob(id)?, reader.code_blob(id)?) else { return Ok(None) };
        let Ok((outline, bounds)) = outline.outline() else { return Ok(None) };
        let (repository, untold) = (reader.repository().to_owned(), index::untold_of_file(reader, id)?);
        let Ok(code) = code.code(&bounds) else { return Ok(None) };
        let mut definitions_at: HashMap<u32, Vec<DefId>> = HashMap::new();
        for (number, definition) in outline.definitions.iter().enumerate() {
            definitions_at.entry(definition.span.start_byte).or_default().push(DefId::from_index(number));
        }
        let mut references_of: HashMap<Option<DefId>, Vec<u32>> = HashMap::new();
        for (number, reference) in (0..).zip(&code.references) {
            references_of.entry(reference.source).or_default().push(number);
        }
        Ok(Some(IndexedFile { repository, untold, definitions_at, references_of, outline, code }))
    }

    /// Returns the symbols of the file by the source that each is; `None` for the file itself.
    pub fn by_source<'s>(&self, symbols: &'s [Symbol]) -> HashMap<Option<DefId>, &'s Symbol> {
        symbols.iter().rev().filter_map(|symbol| Some((self.source_of(symbol)?, symbol))).collect()
    }

    /// Returns whether a symbol of the file is the source of a reference.
    pub fn is_source(&self, symbol: &Symbol, reference: &Reference) -> bool {
        match reference.source.and_then(|id| self.outline.definitions.get(id.index())) {
            None => symbol.kind == SymbolKind::File,
            Some(definition) => self.is_definition(definition, symbol),
        }
    }

    /// Returns whether a definition is that of a symbol of the file. Those of `const { a, b } = …` begin at the same byte.
    pub fn is_definition(&self, definition: &Definition, symbol: &Symbol) -> bool {
        definition.kind == symbol.kind
            && definition.span.start_byte == symbol.span.start_byte
            && self.outline.names.get(definition.name) == symbol.name
    }

    /// Returns the definition of a symbol of the file, `None` for the file itself; nothing if it is not there.
    fn source_of(&self, user: &Symbol) -> Option<Option<DefId>> {
        let is_user = |id: &&DefId| self.is_definition(&self.outline.definitions[id.index()], user);
        match user.kind {
            SymbolKind::File => Some(None),
            _ => self.definitions_at.get(&user.span.start_byte)?.iter().find(is_user).map(|id| Some(*id)),
        }
    }

    /// Returns the references of a source with their numbers.
    fn references_of(&self, source: Option<DefId>) -> impl Iterator<Item = (u32, &Reference)> {
        let numbers = self.references_of.get(&source).into_iter().flatten();
        numbers.map(|number| (*number, &self.code.references[*number as usize]))
    }

    /// Returns the bytes of `user`'s references to a field, and what each does.
    fn accesses(&self, user: &Symbol, used: &Symbol, text: &str) -> Vec<(u32, Access)> {
        let Some(source) = self.source_of(user) else { return Vec::new() };
        let expressions = &self.code.expressions;
        let get = |expr: ExprId| &expressions[expr.0 as usize];
        let mut found = Vec::new();
        for (index, reference) in self.references_of(source) {
            let is_named = self.last_name(reference) == Some(used.name.as_str());
            let access = match reference.role {
                // A value of a type whose field is named without the value: it is being made.
                Role::Write => match get(reference.expr) {
                    Expr::Member { base, .. }
                        if matches!(get(*base), Expr::Instance(_) | Expr::Apply { .. } | Expr::Name(_))
                            && !is_behind_value(text, reference.position) =>
                    {
                        Access::Construction
                    }
                    _ => Access::Write,
                },
                Role::Document => continue,
                _ => Access::Read,
            };
            if self.means(index, used).unwrap_or(is_named) {
                found.push((reference.position, access));
            }
        }
        found
    }

    /// Returns what a reference means; `None` if its name tells.
    pub fn meant(&self, reference: u32) -> Option<Vec<Option<NodeId>>> {
        let start = self.untold.partition_point(|(other, _)| *other < reference);
        let meant = self.untold[start..].iter().take_while(|(other, _)| *other == reference);
        let meant: Vec<Option<NodeId>> = meant.map(|(_, node)| *node).collect();
        (!meant.is_empty()).then_some(meant)
    }

    /// Returns whether a reference means a symbol; `None` if its name tells.
    fn means(&self, reference: u32, symbol: &Symbol) -> Option<bool> {
        // In another repository its node has another number.
        let is_own = symbol.repository() == self.repository;
        self.meant(reference).filter(|_| is_own).map(|meant| meant.contains(&Some(symbol.node)))
    }

    /// Returns the numbers of `user`'s references to `used`, in the role of the edge if there are such.
    fn uses(&self, user: &Symbol, edge_type: EdgeType, used: &Symbol) -> Vec<u32> {
        let Some(source) = self.source_of(user) else { return Vec::new() };
        if edge_type == EdgeType::Imports {
            return self.imports_of(used);
        }
        // A call of a class uses its constructor, whose name is not in the source.
        let class = used.scope.rsplit('.').next().unwrap_or_default();
        let names = [used.name.as_str(), class];
        let is_document = edge_type == EdgeType::Documents;
        let uses =
            self.references_of(source).filter(|(_, reference)| (reference.role == Role::Document) == is_document);
        let found: Vec<_> = uses
            .filter_map(|(index, reference)| {
                let other_role = (edge_type == EdgeType::Calls) != (reference.role == Role::Call);
                let name = self.last_name(reference)?;
                let likeness = names.iter().position(|known| *known == name);
                let order = match (self.means(index, used), likeness) {
                    (Some(true), _) => (0, 0, other_role),
                    (None, Some(likeness)) => (0, likeness, other_role),
                    // The edge is of something that follows from the reference, such as an override.
                    (Some(false), Some(likeness)) => (1, likeness, other_role),
                    (_, None) => return None,
                };
                Some((order, index))
            })
            .collect();
        let best = found.iter().map(|(order, _)| *order).min();
        found.into_iter().filter(|(order, _)| Some(*order) == best).map(|(_, index)| index).collect()
    }

    /// Returns the bytes of the imports of a symbol by its name, and of a file by the last part of its path.
    fn imports_of(&self, used: &Symbol) -> Vec<u32> {
        let name_of = |atom: Atom| self.outline.names.get(atom);
        let stem = used.name.split('.').next().unwrap_or_default();
        let is_of = |import: &&Import| match import.name {
            ImportName::Named(name) if name_of(name) == used.name => true,
            _ if used.kind != SymbolKind::File => false,
            ImportName::Named(name) if name_of(name) == stem => true,
            _ => import.path.last().is_some_and(|last| {
                let last = name_of(*last).rsplit('/').next().unwrap_or_default();
                last == used.name || last == stem || last.split('.').next() == Some(stem)
            }),
        };
        self.outline.imports.iter().filter(is_of).map(|import| import.position).collect()
    }

    /// Returns the sources and lines that name a file or target by a text, or read or set a variable of the environment.
    pub fn signals(&self, named: &str) -> impl Iterator<Item = (Option<DefId>, u32)> {
        let is_named = move |signal: &&Signal| {
            let name = match signal.kind {
                SignalKind::ReadsEnv(name) | SignalKind::SetsEnv(name) | SignalKind::Names { name, .. } => name,
                _ => return false,
            };
            let name = self.outline.names.get(name);
            let last = name.rsplit(['/', ' ']).next().unwrap_or(name);
            let is_view = last.strip_suffix(".*").is_some_and(|stem| named.split('.').next() == Some(stem));
            last == named || is_view
        };
        self.code.signals.iter().filter(is_named).map(|signal| (signal.source, signal.line))
    }

    /// Returns the bytes of the references among those at `indexes` whose last name is `name`.
    fn named<'f>(&'f self, indexes: &'f [u32], name: &'f str) -> impl Iterator<Item = u32> + 'f {
        let references = indexes.iter().filter_map(|index| self.code.references.get(*index as usize));
        references.filter(|reference| self.last_name(reference) == Some(name)).map(|reference| reference.position)
    }

    /// Returns the last name of a reference, without the mark of a callee.
    pub fn last_name(&self, reference: &Reference) -> Option<&str> {
        let name = self.outline.names.get(self.code.last_name(reference.expr)?);
        Some(name.strip_suffix("()").unwrap_or(name))
    }
}

/// Returns whether the name at a byte follows a value and a sign that leads to its member: `a.b`, `a->b`.
fn is_behind_value(text: &str, position: u32) -> bool {
    let before = text.get(..position as usize).unwrap_or_default().trim_end();
    let value = before.strip_suffix("->").or_else(|| before.strip_suffix('.')).map(str::trim_end);
    let is_end = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | ')' | ']' | '?' | '!');
    value.is_some_and(|value| value.ends_with(is_end))
}
