//! The definitions of a file by their names and the names around them, found in time linear in the number of names.

use std::cell::Cell;
use std::collections::HashMap;

use crate::facts::{Definition, Outline};
use crate::model::{DefId, SymbolKind};

/// The kind of definition that a symbol names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Type,
    Callable,
    Macro,
    Value,
}

impl Kind {
    const ALL: [Kind; 4] = [Kind::Type, Kind::Callable, Kind::Macro, Kind::Value];

    fn includes(self, kind: SymbolKind) -> bool {
        match self {
            Kind::Type => kind.is_type(),
            Kind::Callable => kind.is_callable(),
            Kind::Macro => kind == SymbolKind::Macro,
            Kind::Value => !kind.is_type(),
        }
    }
}

/// The first definition of a group, and the first of each kind.
#[derive(Debug, Clone, Copy, Default)]
struct First {
    any: Option<DefId>,
    by_kind: [Option<DefId>; Kind::ALL.len()],
}

impl First {
    fn add(&mut self, id: DefId, kind: SymbolKind) {
        self.any = self.any.or(Some(id));
        for (first, of_kind) in self.by_kind.iter_mut().zip(Kind::ALL) {
            *first = first.or(Some(id).filter(|_| of_kind.includes(kind)));
        }
    }

    /// Adds the definitions of another group, of which any can come first.
    fn join(&mut self, other: First) {
        let earlier = |one: Option<DefId>, other: Option<DefId>| one.into_iter().chain(other).min();
        self.any = earlier(self.any, other.any);
        for (first, other) in self.by_kind.iter_mut().zip(other.by_kind) {
            *first = earlier(*first, other);
        }
    }
}

/// A node of a tree of names: the definition's own, then those around it, from the inside outwards.
#[derive(Debug, Default)]
struct Level {
    /// The definitions with no other names around them.
    complete: First,
    /// The definitions with these names, and any around them.
    within: First,
}

/// The definitions of a file.
#[derive(Debug)]
pub(super) struct Names<'o> {
    /// The first one is the root.
    levels: Vec<Level>,
    next: HashMap<(usize, &'o str), usize>,
    /// Number of names that were looked up.
    steps: Cell<u64>,
}

impl<'o> Names<'o> {
    /// Collects the definitions of an outline.
    pub(super) fn new(outline: &'o Outline) -> Names<'o> {
        let mut names = Names { levels: vec![Level::default()], next: HashMap::new(), steps: Cell::new(0) };
        for (id, definition) in DefId::sequence().zip(&outline.definitions) {
            names.add(id, definition, outline);
        }
        names
    }

    fn add(&mut self, id: DefId, definition: &Definition, outline: &'o Outline) {
        let mut level = 0;
        for &name in std::iter::once(&definition.name).chain(definition.scope_names.iter().rev()) {
            let new = self.levels.len();
            level = *self.next.entry((level, outline.names.get(name))).or_insert(new);
            if level == new {
                self.levels.push(Level::default());
            }
            self.levels[level].within.add(id, definition.kind);
        }
        self.levels[level].complete.add(id, definition.kind);
    }

    /// Returns the first definition of a name within others, innermost first, preferably one of a kind. The indexes have
    /// no names for inline modules, and those of functions around a definition may be left out: as long as both have
    /// names they must be equal, but a definition without any around it matches only a symbol without.
    pub(super) fn find<'s>(&self, name: &str, around: impl Iterator<Item = &'s str>, kind: Kind) -> Option<DefId> {
        let mut level = *self.next.get(&(0, name))?;
        let mut around = around.peekable();
        let mut found = First::default();
        if around.peek().is_none() {
            found = self.levels[level].complete;
        }
        while let Some(name) = around.next() {
            self.steps.set(self.steps.get() + 1);
            let Some(&next) = self.next.get(&(level, name)) else { break };
            level = next;
            let Level { complete, within } = &self.levels[level];
            found.join(if around.peek().is_some() { *complete } else { *within });
        }
        let of_kind = Kind::ALL.iter().zip(found.by_kind).find(|(of_kind, _)| **of_kind == kind);
        of_kind.and_then(|(_, first)| first).or(found.any)
    }
    /// Returns the number of names around definitions that were looked up, a measure of the work.
    pub(super) fn steps(&self) -> u64 {
        self.steps.get()
    }
}
