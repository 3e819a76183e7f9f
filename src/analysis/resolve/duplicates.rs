//! Duplicates: definitions of one full name in several folders, such as the classes of two services that are in one
//! repository.
//!
//! Each is meant in its own part of the repository, which is the one that has most folders in common with the file that
//! names it. Where that does not decide, an edge to one of them is a guess.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::input::{FileIndex, FileInput};
use super::modules::{BindingRef, Modules};
use super::open_types::OpenTypes;
use super::rules::Rules;
use super::value::SymbolRef;
use crate::facts::{BindingKind, Container, Definition};
use crate::model::SymbolKind;
use crate::text::{common_folders, parent_dir};

/// The definitions that have duplicates.
#[derive(Default)]
pub struct Duplicates {
    of: HashMap<SymbolRef, Arc<[SymbolRef]>>,
}

impl Duplicates {
    /// Collects the duplicates among the module-level definitions of all files.
    pub fn collect(
        files: &[FileInput<'_>],
        modules: &Modules,
        (rules, open_types): (&[&dyn Rules], &OpenTypes<'_>),
    ) -> Duplicates {
        let mut duplicates = Duplicates::default();
        for bound in modules.shared_names() {
            duplicates.add(files, bound, (rules, open_types));
        }
        duplicates
    }

    fn add(
        &mut self,
        files: &[FileInput<'_>],
        bound: &[BindingRef],
        (rules, open_types): (&[&dyn Rules], &OpenTypes<'_>),
    ) {
        let first = bound.first().map(|(file, _)| *file);
        let is_in_other_folder = |(file, _): &BindingRef| {
            first.is_some_and(|first| parent_dir(files[first.index()].path) != parent_dir(files[file.index()].path))
        };
        if !bound.iter().any(is_in_other_folder) {
            return;
        }
        let mut groups: HashMap<Vec<&str>, Vec<SymbolRef>> = HashMap::new();
        let mut seen = HashSet::new();
        for &(file, index) in bound {
            let outline = files[file.index()].outline;
            let BindingKind::Definition(definition) = outline.bindings[index as usize].kind else { continue };
            let known = &outline.definitions[definition.index()];
            let symbol = SymbolRef { file, definition };
            let is_part = open_types.parts(symbol).len() > 1;
            if !is_part && can_have_twins(known, rules[file.index()]) && seen.insert(symbol) {
                let names = known.scope_names.iter().map(|name| outline.names.get(*name));
                let kind = if known.kind.is_type() { "type" } else { "" };
                groups.entry(names.chain([kind]).collect()).or_default().push(symbol);
            }
        }
        for group in groups.into_values() {
            let folder = |symbol: &SymbolRef| parent_dir(files[symbol.file.index()].path);
            if group.iter().any(|one| folder(one) != folder(&group[0])) {
                let group: Arc<[SymbolRef]> = group.into();
                self.of.extend(group.iter().map(|one| (*one, Arc::clone(&group))));
            }
        }
    }

    /// Returns the duplicate of a definition that a file means: the nearest one. Product code never means one in a test.
    pub fn nearest(&self, files: &[FileInput<'_>], from: FileIndex, symbol: SymbolRef) -> SymbolRef {
        let Some(duplicates) = self.of.get(&symbol) else { return symbol };
        let nearness = |one: &SymbolRef| nearness(files, from, *one);
        duplicates.iter().copied().rev().max_by_key(nearness).unwrap_or(symbol)
    }

    /// Returns whether another definition is as near to a file as this one, so that nothing tells which is meant.
    pub fn is_ambiguous(&self, files: &[FileInput<'_>], from: FileIndex, symbol: SymbolRef) -> bool {
        let Some(duplicates) = self.of.get(&symbol) else { return false };
        let folder = |one: SymbolRef| parent_dir(files[one.file.index()].path);
        let own = nearness(files, from, symbol);
        duplicates.iter().any(|one| folder(*one) != folder(symbol) && nearness(files, from, *one) >= own)
    }

    /// Returns whether no definition has duplicates.
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }
}

/// Returns whether a definition can have duplicates: a type or a function with a body that others see.
fn can_have_twins(definition: &Definition, rules: &dyn Rules) -> bool {
    let is_declared = definition.flags.is_abstract && rules.traits().links_files;
    let is_meant = definition.kind.is_type() || matches!(definition.kind, SymbolKind::Function | SymbolKind::Method);
    let is_of_platform = rules.traits().expectation.is_some_and(|(_, actual)| {
        !definition.kind.is_type() && definition.signature.split_whitespace().any(|word| word == actual)
    });
    is_meant
        && !is_declared
        && !is_of_platform
        && !definition.flags.is_local
        && definition.container == Container::Module
}

/// Returns how near a definition is to a file: test code is far from what is not a test.
fn nearness(files: &[FileInput<'_>], from: FileIndex, symbol: SymbolRef) -> (bool, usize) {
    let input = &files[symbol.file.index()];
    let is_test = input.outline.definitions[symbol.definition.index()].flags.is_test;
    let is_own = is_test <= files[from.index()].outline.is_test;
    (is_own, common_folders(files[from.index()].path, input.path))
}
