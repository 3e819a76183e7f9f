//! Adds the edges that a SCIP index has for a file, and replaces those that were found otherwise at the same positions.
//!
//! A SCIP index is made by a compiler or type checker, so it is right where the evaluator has to guess. It has no roles:
//! the type of an edge follows from the reference at the same position, if extraction recorded one.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};
use std::iter::Peekable;

use super::edges::{FileEdges, Target, definition_endpoint};
use super::input::FileIndex;
use super::output::EdgeEndpoint;
use super::value::SymbolRef;
use crate::facts::{Container, DefId, Definition, Reference, Role};
use crate::model::{EdgeType, Provenance, SymbolKind};

/// The target of an occurrence in a SCIP index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScipTarget {
    Symbol(SymbolRef),
    /// Outside the repository.
    External,
}

/// An occurrence of a symbol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScipOccurrence {
    pub target: ScipTarget,
    /// Whether an argument list follows.
    pub is_call: bool,
}

/// The statements of a SCIP index about one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScipFile {
    /// References by the first byte of the name.
    pub occurrences: BTreeMap<u32, ScipOccurrence>,
    /// Definitions and those that they implement or override.
    pub implementations: Vec<(DefId, SymbolRef)>,
    /// Definitions and their types.
    pub types: Vec<(DefId, SymbolRef)>,
}

/// The statements of SCIP indexes about files of the repository.
pub type ScipFiles = HashMap<FileIndex, ScipFile>;

/// The outcome at a reference that a SCIP index also has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScipOutcome {
    /// Both have the same target.
    Same,
    /// Only the SCIP index has a target, or extraction recorded no reference.
    Added,
    /// A target that was guessed from its name is replaced or dropped.
    GuessReplaced,
    /// Another symbol of the repository.
    Different,
    /// The target is outside the repository, but a symbol of the repository was found. It is kept: a checker that has not
    /// found a package takes its names for external ones.
    OutsideKept,
}

impl ScipOutcome {
    /// Returns the name used in output.
    pub fn name(self) -> &'static str {
        match self {
            ScipOutcome::Same => "the same",
            ScipOutcome::Added => "added",
            ScipOutcome::GuessReplaced => "instead of guesses",
            ScipOutcome::Different => "to another symbol",
            ScipOutcome::OutsideKept => "kept although external there",
        }
    }
}

impl<'w> FileEdges<'w> {
    fn scip_file(&self) -> Option<&'w ScipFile> {
        self.world().scip.get(&self.file)
    }

    /// Replaces the target of a reference by that of the SCIP index, if it has one. Returns the target to add, and
    /// whether the SCIP index confirms it.
    pub(super) fn apply_scip(&mut self, reference: &Reference, target: Target) -> (Target, bool) {
        let occurrence = self.scip_file().and_then(|file| file.occurrences.get(&reference.position));
        let Some(occurrence) = occurrence else { return (target, false) };
        let (target, outcome) = match (occurrence.target, target) {
            (ScipTarget::Symbol(known), Target::Symbols(found))
                if found.iter().any(|&one| self.is_same(known, one)) =>
            {
                (Target::Symbols(found), ScipOutcome::Same)
            }
            (
                ScipTarget::Symbol(known),
                Target::Symbols(_) | Target::OneOf(_) | Target::External(_) | Target::File(_),
            ) => (Target::Symbols(vec![known]), ScipOutcome::Different),
            (ScipTarget::Symbol(known), Target::Nothing) => (Target::Symbols(vec![known]), ScipOutcome::Added),
            (ScipTarget::Symbol(known), Target::Unresolved(reason)) => {
                let outcome = match self.guessed(reference, reason) {
                    Ok(guess) if self.is_same(known, guess) => ScipOutcome::Same,
                    Ok(_) => ScipOutcome::GuessReplaced,
                    Err(_) => ScipOutcome::Added,
                };
                (Target::Symbols(vec![known]), outcome)
            }
            (ScipTarget::External, Target::Unresolved(reason)) => match self.guessed(reference, reason) {
                Ok(_) => (Target::Nothing, ScipOutcome::GuessReplaced),
                Err(_) => return (Target::Unresolved(reason), false),
            },
            (ScipTarget::External, target) => {
                if matches!(target, Target::Symbols(_) | Target::OneOf(_)) {
                    *self.scip_outcomes.entry(ScipOutcome::OutsideKept).or_default() += 1;
                }
                return (target, false);
            }
        };
        *self.scip_outcomes.entry(outcome).or_default() += 1;
        let is_confirmed = matches!(target, Target::Symbols(_));
        (target, is_confirmed)
    }

    /// Returns whether both are one symbol for a reader: a type and its constructor are.
    fn is_same(&self, one: SymbolRef, other: SymbolRef) -> bool {
        let is_member = |member: SymbolRef, owner: SymbolRef| {
            member.file == owner.file
                && self.world().definition(member).container == Container::Definition(owner.definition)
                && self.world().definition(member).kind == SymbolKind::Method
        };
        one == other || is_member(one, other) || is_member(other, one)
    }

    /// Adds the occurrences at which extraction recorded no reference, unless another edge connects the symbols, and the
    /// relationships of definitions.
    pub(super) fn add_scip(&mut self) {
        let Some(file) = self.scip_file() else { return };
        let code = self.world().code(self.file);
        let recorded: std::collections::HashSet<u32> =
            code.references.iter().map(|reference| reference.position).collect();
        let mut enclosing = Enclosing::new(&self.world().outline(self.file).definitions);
        for (&position, occurrence) in &file.occurrences {
            let ScipTarget::Symbol(symbol) = occurrence.target else { continue };
            let (source, target) = (self.source(enclosing.at(position)), definition_endpoint(symbol));
            if recorded.contains(&position) || self.is_connected(&source, &target) {
                continue;
            }
            let definition = self.world().definition(symbol);
            let role = match occurrence.is_call && definition.kind.is_callable() {
                true => Role::Call,
                false => Role::Read,
            };
            self.add_from_scip(source, symbol, super::roles::edge_type(role, definition));
            *self.scip_outcomes.entry(ScipOutcome::Added).or_default() += 1;
        }
        for &(definition, base) in &file.implementations {
            let own = self.world().definition(SymbolRef { file: self.file, definition });
            let edge_type = match (own.kind, self.world().definition(base).kind) {
                (SymbolKind::Method, SymbolKind::Method) => EdgeType::Overrides,
                (kind, SymbolKind::Interface) if kind.is_type() => EdgeType::Implements,
                (kind, SymbolKind::Type) if kind.is_type() => EdgeType::Extends,
                _ => continue,
            };
            self.add_from_scip(self.source(Some(definition)), base, edge_type);
        }
        for &(definition, of_type) in &file.types {
            if self.world().definition(of_type).kind.is_type() {
                self.add_from_scip(self.source(Some(definition)), of_type, EdgeType::TypeHintOf);
            }
        }
    }

    fn add_from_scip(&mut self, source: EdgeEndpoint, symbol: SymbolRef, edge_type: EdgeType) {
        let provenance = Provenance::Scip;
        self.add(source, definition_endpoint(symbol), edge_type, provenance, provenance.confidence());
    }
}

/// The functions, methods and types around bytes that ascend.
struct Enclosing<'d> {
    /// Those that begin later, by their start.
    waiting: Peekable<std::vec::IntoIter<(DefId, &'d Definition)>>,
    /// Those that have begun; the innermost is last.
    begun: BTreeSet<DefId>,
    /// Their ends, the nearest first.
    ends: BinaryHeap<Reverse<(u32, DefId)>>,
}

impl<'d> Enclosing<'d> {
    fn new(definitions: &'d [Definition]) -> Enclosing<'d> {
        let is_around = |definition: &Definition| definition.kind.is_callable() || definition.kind.is_type();
        let all = DefId::sequence().zip(definitions).filter(|(_, definition)| is_around(definition));
        let mut waiting: Vec<(DefId, &Definition)> = all.collect();
        waiting.sort_by_key(|(_, definition)| definition.span.start_byte);
        Enclosing { waiting: waiting.into_iter().peekable(), begun: BTreeSet::new(), ends: BinaryHeap::new() }
    }

    /// Returns the innermost definition around a byte, which is not before that of the last call.
    fn at(&mut self, position: u32) -> Option<DefId> {
        while let Some((id, definition)) = self.waiting.next_if(|(_, next)| next.span.start_byte <= position) {
            self.begun.insert(id);
            self.ends.push(Reverse((definition.span.end_byte, id)));
        }
        while let Some(&Reverse((_, id))) = self.ends.peek().filter(|Reverse((end, _))| *end <= position) {
            self.begun.remove(&id);
            self.ends.pop();
        }
        self.begun.last().copied()
    }
}
