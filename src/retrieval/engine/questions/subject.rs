//! The symbols that a question is about.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::mentions::{StillNamed, still_named};
use super::{Member, Questions};
use crate::engine::inspect::{NameError, named, names_one, unique_names};
use crate::engine::removed::{BaseComparison, Leavings};
use crate::engine::unread::{skipped_files, skipped_reason};
use crate::engine::{EngineError, changes};
use crate::graph::adjacency::{Neighbor, Neighborhoods};
use crate::lang::language_of;
use crate::model::{EdgeType, NodeId, Provenance, Subject, Symbol, SymbolKind};
use crate::scan::changes::changed_among;
use crate::text::{count, listed};

/// The symbols that a question is about, and where the search for an answer begins.
#[derive(Debug, Default, Clone)]
pub(super) struct Roots {
    pub subjects: Vec<Symbol>,
    /// The subjects, and the members of those that were named.
    pub nodes: Vec<NodeId>,
    /// The symbols that still name what a change removed, with the lines.
    pub by_name: BTreeMap<NodeId, BTreeSet<u32>>,
    pub notes: Vec<String>,
}

impl Questions<'_> {
    /// Returns the roots of a subject.
    pub(super) fn roots(&self, subject: &Subject) -> Result<Roots, EngineError> {
        match subject {
            Subject::Symbol(name) => {
                let Asked { symbol, nodes, note } = self.asked(name)?;
                let (nodes, notes) = (self.with_members(nodes), Vec::from_iter(note));
                Ok(Roots { nodes, subjects: vec![symbol], notes, ..Roots::default() })
            }
            Subject::Diff(base) => self.changed(base),
        }
    }

    /// Returns the symbol that a name asks about, with its overloads unless the name is that of one.
    pub(super) fn asked(&self, name: &str) -> Result<Asked, EngineError> {
        let symbol = self.named(name)?;
        let are_one = language_of(&symbol.file).is_some_and(|language| language.traits().overloads_are_one);
        let is_one = names_one(name) && !are_one;
        let nodes = if is_one { vec![self.node_of(&symbol)] } else { self.overloads(&symbol)? };
        let count = if nodes.len() > 1 { self.different_overloads(&nodes)? } else { 1 };
        let note = (count > 1).then(|| {
            let place = symbol.place();
            let way_out = format!("; a place such as `{place}` names one of them");
            let way_out = if are_one { "" } else { &way_out };
            format!("{count} overloads are asked about together{way_out}")
        });
        Ok(Asked { symbol, nodes, note })
    }

    /// Returns the symbol that a name asks about as [`Questions::asked`]; of several that of the only one of the first kinds that any
    /// of them is.
    pub(super) fn asked_as(&self, name: &str, kinds: &[fn(SymbolKind) -> bool]) -> Result<Asked, EngineError> {
        let mut error = match self.asked(name) {
            Err(EngineError::Name(error)) if error.choices.len() > 1 => error,
            asked => return asked,
        };
        let number = error.choices.len();
        if let Some(is_kind) = kinds.iter().find(|is_kind| error.choices.iter().any(|(_, one)| is_kind(one.kind))) {
            error.choices.retain(|(_, symbol)| is_kind(symbol.kind));
        }
        let [(unique, _)] = error.choices.as_slice() else { return Err(EngineError::Name(error)) };
        let asked = self.asked(unique)?;
        let others = format!("{} of another kind", count(number - 1, "symbol"));
        let note = format!("{others} {} called `{}`", if number == 2 { "is" } else { "are" }, error.name);
        Ok(Asked { note: asked.note.or(Some(note)), ..asked })
    }

    /// Returns the number of functions that symbols of one name are: a declaration is the same as what it declares, and so are
    /// two parts with one signature.
    fn different_overloads(&self, nodes: &[NodeId]) -> Result<usize, EngineError> {
        let declares_another = |node: NodeId| {
            let edges = self.joined.outgoing(node).iter();
            edges.into_iter().any(|edge| edge.edge_type == EdgeType::Declares && nodes.contains(&edge.node))
        };
        let mut signatures = HashSet::new();
        for node in nodes.iter().filter(|node| !declares_another(**node)) {
            signatures.extend(self.symbol(*node)?.map(|symbol| symbol.signature));
        }
        Ok(signatures.len())
    }

    /// Returns the symbol of a name; the first of several overloads. A type has the members that it inherits.
    ///
    /// # Errors
    /// When there is none or more than one, or the store can't be read.
    pub fn named(&self, name: &str) -> Result<Symbol, EngineError> {
        match self.find(name, named_in) {
            Err(EngineError::Name(error)) if error.choices.is_empty() => {
                self.inherited(name)?.ok_or(EngineError::Name(error))
            }
            found => found,
        }
    }

    /// Returns the member that a type has from its bases, of a name such as `Shop.open`. A class goes before the interfaces that its
    /// subclass implements.
    ///
    /// # Errors
    /// When unrelated bases have it, as languages differ in which of them is meant; or when the store can't be read.
    fn inherited(&self, name: &str) -> Result<Option<Symbol>, EngineError> {
        let separators = ['.', ':', '#'];
        let Some((owner, member)) = name.trim().rsplit_once(separators) else { return Ok(None) };
        let owner = match self.find(owner.trim_end_matches(separators), named_in) {
            Ok(owner) if owner.kind.is_type() => self.node_of(&owner),
            Err(error) if !matches!(error, EngineError::Name(_)) => return Err(error),
            _ => return Ok(None),
        };
        for is_base in [is_class, is_declared_base] {
            let found = self.members_of_bases(owner, member, is_base)?;
            let Some((first, others)) = found.split_first() else { continue };
            if others.iter().all(|other| is_overload(first, other)) {
                return Ok(Some(first.clone()));
            }
            let choices = match self.repositories.is_empty() {
                true => unique_names(found),
                false => found.into_iter().map(|symbol| (self.qualified(&symbol), symbol)).collect(),
            };
            return Err(NameError { name: name.trim().to_owned(), choices, ..NameError::default() }.into());
        }
        Ok(None)
    }

    /// Returns the members of a name that the bases of a type have, by place; none that another of them overrides.
    fn members_of_bases(
        &self,
        owner: NodeId,
        name: &str,
        is_base: fn(&Neighbor) -> bool,
    ) -> Result<Vec<Symbol>, EngineError> {
        let bases = |node| self.joined.outgoing(node).iter().filter(|edge| is_base(edge)).map(|edge| edge.node);
        let (mut types, mut known) = (vec![owner], HashSet::from([owner]));
        let mut holders: Vec<(NodeId, Vec<Symbol>)> = Vec::new();
        while let Some(node) = types.pop() {
            let mut members = Vec::new();
            for edge in self.joined.outgoing(node).iter().filter(|edge| edge.edge_type == EdgeType::Contains) {
                members.extend(self.symbol(edge.node)?.filter(|symbol| symbol.name == name));
            }
            match members.is_empty() {
                true => types.extend(bases(node).filter(|base| known.insert(*base))),
                false => holders.push((node, members)),
            }
        }
        let (mut types, mut above) =
            (holders.iter().flat_map(|(node, _)| bases(*node)).collect::<Vec<_>>(), HashSet::new());
        while let Some(node) = types.pop() {
            if above.insert(node) {
                types.extend(bases(node));
            }
        }
        holders.retain(|(node, _)| !above.contains(node));
        let mut found: Vec<Symbol> = holders.into_iter().flat_map(|(_, members)| members).collect();
        found.sort_by(|one, other| (&one.file, one.span.start_line).cmp(&(&other.file, other.span.start_line)));
        Ok(found)
    }

    /// Returns the name of a symbol with the label of its repository.
    fn qualified(&self, symbol: &Symbol) -> String {
        self.repositories.qualified_name(symbol).into_owned()
    }

    /// Returns the symbol of a name, which must be unique.
    ///
    /// # Errors
    /// When there is none or more than one, or the store can't be read.
    pub fn symbol_named(&self, name: &str) -> Result<Symbol, EngineError> {
        self.find(name, |member, name| named(member.reader, member.root, name))
    }

    /// Returns the symbol that `find_in` finds in one of the repositories.
    fn find(
        &self,
        name: &str,
        find_in: impl Fn(Member<'_>, &str) -> Result<Symbol, EngineError>,
    ) -> Result<Symbol, EngineError> {
        if let [Some(only)] = self.members.as_slice() {
            return find_in(*only, name);
        }
        let mut found = Vec::new();
        let mut missing = NameError { name: name.trim().to_owned(), ..NameError::default() };
        for (_, member) in self.loaded() {
            let own = match self.repositories.split_label(name) {
                Some((repository, _)) if repository != member.reader.repository() => continue,
                Some((_, rest)) => rest,
                None => name,
            };
            match find_in(member, own) {
                Ok(symbol) => found.push(symbol),
                Err(EngineError::Name(error)) => {
                    found.extend(error.choices.into_iter().map(|(_, symbol)| symbol));
                    missing.suggestions.extend(error.suggestions);
                    missing.file_lines = missing.file_lines.or(error.file_lines);
                    missing.missing_file = missing.missing_file.or(error.missing_file);
                    missing.unread = missing.unread.or(error.unread);
                }
                Err(error) => return Err(error),
            }
        }
        if found.len() == 1 {
            return Ok(found.remove(0));
        }
        let qualified = |symbol: Symbol| (self.qualified(&symbol), symbol);
        if !found.is_empty() {
            let choices = found.into_iter().map(qualified).collect();
            missing = NameError { name: missing.name, choices, ..NameError::default() };
        }
        Err(missing.into())
    }

    /// Returns the nodes of a symbol and of its overloads, the symbol first.
    pub(super) fn overloads(&self, symbol: &Symbol) -> Result<Vec<NodeId>, EngineError> {
        let Some((position, Member { reader, graph, .. })) = self.member_of(symbol) else { return Ok(Vec::new()) };
        let mut nodes = vec![symbol.node];
        if symbol.kind.is_callable() && has_overloads(symbol) {
            let namesakes = reader.nodes_named_exactly(&symbol.name, MAX_NAMESAKES)?;
            let namesakes = namesakes.into_iter().filter(|node| graph.path(*node) == Some(symbol.file.as_str()));
            for node in namesakes.filter(|node| *node != symbol.node).collect::<Vec<NodeId>>() {
                nodes.extend(reader.symbol(node)?.filter(|other| is_overload(symbol, other)).map(|_| node));
            }
        }
        nodes.iter_mut().for_each(|node| *node = self.number(position, *node));
        Ok(nodes)
    }

    /// Returns symbols and everything that is defined in them.
    pub(super) fn with_members(&self, mut nodes: Vec<NodeId>) -> Vec<NodeId> {
        let mut known: HashSet<NodeId> = nodes.iter().copied().collect();
        let mut next = 0;
        while let Some(&node) = nodes.get(next) {
            let contained = self.joined.outgoing(node).iter();
            let contained = contained.filter(|edge| edge.edge_type == EdgeType::Contains).map(|edge| edge.node);
            nodes.extend(contained.filter(|node| known.insert(*node)));
            next += 1;
        }
        nodes
    }

    /// Returns the symbols that differ between a revision and the working trees. A repository that does not have the
    /// revision is a note, if another one has it.
    fn changed(&self, base: &str) -> Result<Roots, EngineError> {
        let (mut roots, mut failure, mut is_known) = (Roots::default(), None, false);
        for (position, member) in self.loaded() {
            let label = self.repositories.label_of(member.reader.repository());
            let labeled = |text: String| label.map_or_else(|| text.clone(), |label| format!("{label}: {text}"));
            match self.changed_in(position, member, base) {
                Ok(Roots { subjects, nodes, by_name, notes }) => {
                    roots.subjects.extend(subjects);
                    roots.nodes.extend(nodes);
                    roots.by_name.extend(by_name);
                    roots.notes.extend(notes.into_iter().map(labeled));
                    is_known = true;
                }
                Err(EngineError::Changes(error)) => {
                    roots.notes.push(labeled(error.to_string()));
                    failure = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        match failure.filter(|_| !is_known) {
            Some(error) => Err(error.into()),
            None => Ok(roots),
        }
    }

    /// Returns the symbols of one repository that differ between a revision and the working tree.
    fn changed_in(&self, position: usize, member: Member<'_>, base: &str) -> Result<Roots, EngineError> {
        let Member { reader, root, .. } = member;
        let mut roots = Roots::default();
        let (mut outside, mut unindexed) = (0, BTreeSet::new());
        let compared = BaseComparison::new(root, reader, base, |file, symbols, lines| {
            let touched = changes::touched(symbols, lines);
            unindexed.extend(symbols.is_empty().then_some(file.path));
            let code = touched.into_iter().filter(|symbol| changes::is_code(symbol.kind));
            roots.subjects.extend(code.cloned());
            // Removed lines that were no definition, such as imports, are outside of those that there are.
            if is_changed_outside(symbols, lines) {
                outside += 1;
                // Tests without names are code of their file.
                let file = symbols.iter().find(|symbol| symbol.kind == SymbolKind::File);
                roots.nodes.extend(file.filter(|file| file.is_test).map(|file| file.node));
            }
            Ok(())
        })?;
        let BaseComparison { deleted, leavings, is_cut, unknown, .. } = compared;
        roots.nodes.extend(roots.subjects.iter().map(|symbol| symbol.node));
        roots.nodes.iter_mut().for_each(|node| *node = self.number(position, *node));
        self.add_leavings(position, member, leavings, &mut roots)?;
        if outside > 0 {
            roots.notes.push(format!("{} changed outside definitions, such as imports", count(outside, "file")));
        }
        let sources: Vec<String> = deleted.into_iter().filter(|path| language_of(path).is_some()).collect();
        roots.notes.extend(note_on("deleted", &sources));
        roots.notes.extend(unknown);
        if is_cut {
            roots.notes.push("the revision has too many files to find all that were deleted".to_owned());
        }
        let skipped: HashMap<String, String> =
            skipped_files(reader)?.into_iter().map(|skip| (skip.path, skip.reason)).collect();
        if !skipped.is_empty() {
            unindexed.extend(changed_among(root, base, skipped.keys().cloned().collect())?);
        }
        if !unindexed.is_empty() {
            let reason = |path: &String| {
                let reason = skipped.get(path).map(|reason| format!(" {}", skipped_reason(reason)));
                format!("{path}{}", reason.unwrap_or_default())
            };
            let named: Vec<String> = unindexed.iter().map(reason).collect();
            let (files, names) = (count(named.len(), "file"), listed(&named, MAX_NAMED));
            roots.notes.push(format!("{files} changed but not indexed ({names})"));
        }
        Ok(roots)
    }

    /// Adds notes on what the changes of a repository leave behind, and the symbols that still name what was removed.
    fn add_leavings(
        &self,
        position: usize,
        member: Member<'_>,
        leavings: Leavings,
        roots: &mut Roots,
    ) -> Result<(), EngineError> {
        let Leavings { removed, conflicts, renamed } = leavings;
        roots.notes.extend(conflicts.iter().map(|path| changes::in_conflict(path)));
        let renamed: Vec<String> = renamed.into_iter().map(|(from, to)| format!("{from} → {to}")).collect();
        roots.notes.extend(note_on("renamed", &renamed));
        let StillNamed { notes, places } = still_named(member, &removed)?;
        roots.notes.extend(notes);
        let changed: HashSet<NodeId> = roots.nodes.iter().copied().collect();
        let mut by_file: BTreeMap<&str, Vec<u32>> = BTreeMap::new();
        places.iter().for_each(|(file, line)| by_file.entry(file).or_default().push(*line));
        for (file, lines) in by_file {
            let symbols = member.reader.symbols_of_file(file)?;
            for line in lines {
                let around = changes::touched(&symbols, &[(line, line)]).into_iter();
                let around = around.map(|symbol| self.number(position, symbol.node));
                for node in around.filter(|node| !changed.contains(node)) {
                    roots.by_name.entry(node).or_default().insert(line);
                }
            }
        }
        Ok(())
    }
}

/// Returns the note on files that were deleted or renamed, with the first of them; `None` if there are none.
fn note_on(what: &str, names: &[String]) -> Option<String> {
    (!names.is_empty()).then(|| format!("{} {what} ({})", count(names.len(), "file"), listed(names, MAX_NAMED)))
}

/// A symbol that was asked about.
#[derive(Clone)]
pub(super) struct Asked {
    pub symbol: Symbol,
    /// The symbol and its overloads.
    pub nodes: Vec<NodeId>,
    /// That there are overloads.
    pub note: Option<String>,
}

/// Limit of the deleted files, and of those that are not indexed, that a note names.
const MAX_NAMED: usize = 5;

/// Limit of the symbols of one name that are read.
const MAX_NAMESAKES: usize = 10_000;

/// Returns the symbol of a name in one repository; the first of several overloads.
fn named_in(member: Member<'_>, name: &str) -> Result<Symbol, EngineError> {
    match named(member.reader, member.root, name) {
        Err(EngineError::Name(error)) => match error.choices.split_first() {
            Some(((_, first), others)) if others.iter().all(|(_, other)| is_overload(first, other)) => {
                Ok(first.clone())
            }
            _ => Err(EngineError::Name(error)),
        },
        found => found,
    }
}

fn is_class(edge: &Neighbor) -> bool {
    edge.edge_type == EdgeType::Extends
}

/// Returns whether an edge leads to a class or an interface that a type declares as its base.
fn is_declared_base(edge: &Neighbor) -> bool {
    is_class(edge) || edge.edge_type == EdgeType::Implements && edge.provenance != Provenance::AstInferred
}

fn has_overloads(symbol: &Symbol) -> bool {
    language_of(&symbol.file).is_some_and(|language| language.traits().has_overloads)
}

/// Returns whether two symbols are overloads of each other.
fn is_overload(one: &Symbol, other: &Symbol) -> bool {
    let key = |symbol: &Symbol| (symbol.kind, symbol.file.clone(), symbol.scope.clone(), symbol.name.clone());
    key(one) == key(other) && has_overloads(one)
}

/// Returns whether a changed range touches no definition.
fn is_changed_outside(symbols: &[Symbol], lines: &[(u32, u32)]) -> bool {
    let definitions = || symbols.iter().filter(|symbol| changes::is_code(symbol.kind)).map(|symbol| symbol.span);
    lines.iter().any(|(first, last)| definitions().all(|span| *last < span.start_line || span.end_line < *first))
}
