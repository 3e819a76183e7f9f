//! Meanings of references whose name does not tell.
//!
//! # Why
//!
//! An edge says that a function uses a method, not where: the lines come from the function's references with the method's name.
//! If it also calls other methods of that name, or the method under another name, the references themselves must be told apart.

use std::collections::BTreeMap;

use super::edges::FileEdges;
use super::eval::plain_name;
use super::output::EdgeEndpoint;
use crate::facts::{Container, DefId, Role};

/// A reference, and something that it means.
pub(super) type Meant = (u32, EdgeEndpoint);

impl FileEdges<'_> {
    /// Returns what references mean, given all that each means: only those whose name does not tell, sorted. `None` is
    /// a reference that means nothing that is known.
    pub(super) fn untold(&self, mut meant: Vec<Meant>) -> Vec<(u32, Option<EdgeEndpoint>)> {
        meant.sort_unstable();
        meant.dedup();
        let meant_by = |reference: u32| {
            let start = meant.partition_point(|(other, _)| *other < reference);
            &meant[start..meant.partition_point(|(other, _)| *other <= reference)]
        };
        let targets = |reference: u32| meant_by(reference).iter().map(|(_, target)| target);
        let mut untold = Vec::new();
        for (name, references) in self.references_by_name() {
            let first = references[0];
            let is_told = targets(first).all(|target| self.is_named(target, name))
                && references.iter().all(|reference| targets(*reference).eq(targets(first)));
            for reference in references.into_iter().filter(|_| !is_told) {
                let before = untold.len();
                untold.extend(targets(reference).map(|target| (reference, Some(target.clone()))));
                if untold.len() == before {
                    untold.push((reference, None));
                }
            }
        }
        untold.sort_unstable();
        untold
    }

    /// Returns the references of each definition by their last names.
    fn references_by_name(&self) -> Vec<(&str, Vec<u32>)> {
        let world = self.world();
        let (code, names) = (world.code(self.file), &world.outline(self.file).names);
        let mut groups: BTreeMap<(Option<DefId>, &str), Vec<u32>> = BTreeMap::new();
        let references = (0_u32..).zip(&code.references);
        for (index, reference) in references.filter(|(_, reference)| reference.role != Role::Document) {
            if let Some(name) = code.last_name(reference.expr) {
                groups.entry((reference.source, plain_name(names.get(name)))).or_default().push(index);
            }
        }
        groups.into_iter().map(|((_, name), references)| (name, references)).collect()
    }

    /// Returns whether a symbol has a name, or its type has, as for a constructor.
    fn is_named(&self, target: &EdgeEndpoint, name: &str) -> bool {
        let world = self.world();
        match target {
            EdgeEndpoint::Definition { file, definition } => {
                let outline = world.outline(*file);
                let name_of = |id: DefId| plain_name(outline.names.get(outline.definitions[id.index()].name));
                let owner = match outline.definitions[definition.index()].container {
                    Container::Definition(owner) => Some(owner),
                    _ => None,
                };
                name_of(*definition) == name || owner.is_some_and(|owner| name_of(owner) == name)
            }
            EdgeEndpoint::External(full) => {
                full.strip_suffix(name).is_some_and(|before| before.is_empty() || before.ends_with(['.', '/']))
            }
            _ => true,
        }
    }
}
