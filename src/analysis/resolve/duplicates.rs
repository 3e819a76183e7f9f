//! Duplicates: definitions of one full name in several folders, such as the classes of two services that are in one
//! repository.
//!
//! Each is meant in its own part of the repository, which is the one that has most folders in common with the file that
//! names it. Where that does not decide, an edge to one of them is a guess.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use xxhash_rust::xxh3::Xxh3;

use super::input::{FactSource, FileIndex, FileInput, each_outline};
use super::modules::{BindingRef, Modules};
use super::open_types::OpenTypes;
use super::rules::Rules;
use super::value::SymbolRef;
use crate::facts::{BindingKind, Container, Definition, Outline};
use crate::model::SymbolKind;
use crate::text::{common_folders, parent_dir};

/// The definitions that have duplicates.
#[derive(Default)]
pub struct Duplicates {
    of: HashMap<SymbolRef, Arc<[Twin]>>,
}

/// One of several definitions of one full name.
#[derive(Debug, Clone, Copy)]
struct Twin {
    symbol: SymbolRef,
    is_test: bool,
}

/// A binding of a name that other folders bind, too: the number of the name, and the place among its bindings.
type Shared = (BindingRef, u32, u32);

/// A definition with such a name: number of the name, hash of the full name, place, and definition.
type Found = (u32, u64, u32, Twin);

/// A file as the one that means a definition: its number, and whether it is a test.
pub type User = (FileIndex, bool);

impl Duplicates {
    /// Collects the duplicates among the module-level definitions of all files.
    pub fn collect(
        files: &[FileInput<'_>],
        modules: &Modules,
        (rules, open_types): (&[&dyn Rules], &OpenTypes<'_>),
        facts: &dyn FactSource,
    ) -> Duplicates {
        let shared = shared_bindings(files, modules);
        let mut users: Vec<FileIndex> = shared.iter().map(|((file, _), ..)| *file).collect();
        users.dedup();
        let mut rest = &shared[..];
        let mut found: Vec<Found> = Vec::new();
        each_outline(facts, users.into_iter(), |file, outline| {
            let (own, others) = rest.split_at(rest.partition_point(|((other, _), ..)| *other <= file));
            rest = others;
            for &((_, index), name, place) in own {
                let BindingKind::Definition(definition) = outline.bindings[index as usize].kind else { continue };
                let known = &outline.definitions[definition.index()];
                let symbol = SymbolRef { file, definition };
                let is_part = open_types.parts(symbol).len() > 1;
                if !is_part && can_have_twins(known, rules[file.index()]) {
                    let twin = Twin { symbol, is_test: known.flags.is_test };
                    found.push((name, full_name(outline, known), place, twin));
                }
            }
        });
        found.sort_unstable_by_key(|&(name, full, place, _)| (name, full, place));
        let mut duplicates = Duplicates::default();
        found
            .chunk_by(|one, other| (one.0, one.1) == (other.0, other.1))
            .for_each(|group| duplicates.add(files, group));
        duplicates
    }

    fn add(&mut self, files: &[FileInput<'_>], group: &[Found]) {
        let mut seen = HashSet::new();
        let group: Arc<[Twin]> = group.iter().map(|(.., twin)| *twin).filter(|twin| seen.insert(twin.symbol)).collect();
        let folder = |twin: &Twin| parent_dir(files[twin.symbol.file.index()].path);
        if group.iter().any(|one| folder(one) != folder(&group[0])) {
            self.of.extend(group.iter().map(|one| (one.symbol, Arc::clone(&group))));
        }
    }

    /// Returns the duplicate of a definition that a file means: the nearest one. Product code never means one in a test.
    pub fn nearest(&self, files: &[FileInput<'_>], from: User, symbol: SymbolRef) -> SymbolRef {
        let Some(duplicates) = self.of.get(&symbol) else { return symbol };
        let nearest = duplicates.iter().rev().max_by_key(|one| nearness(files, from, one));
        nearest.map_or(symbol, |nearest| nearest.symbol)
    }

    /// Returns whether another definition is as near to a file as this one, so that nothing tells which is meant.
    pub fn is_ambiguous(&self, files: &[FileInput<'_>], from: User, symbol: SymbolRef) -> bool {
        let Some(duplicates) = self.of.get(&symbol) else { return false };
        let Some(own) = duplicates.iter().find(|one| one.symbol == symbol) else { return false };
        let folder = |one: &Twin| parent_dir(files[one.symbol.file.index()].path);
        let nearest = nearness(files, from, own);
        duplicates.iter().any(|one| folder(one) != folder(own) && nearness(files, from, one) >= nearest)
    }
}

/// Returns the bindings of names that several folders bind in one module, sorted by file.
fn shared_bindings(files: &[FileInput<'_>], modules: &Modules) -> Vec<Shared> {
    let mut shared = Vec::new();
    let folder = |(file, _): &BindingRef| parent_dir(files[file.index()].path);
    for (name, bound) in (0_u32..).zip(modules.shared_names()) {
        if bound.iter().any(|one| folder(one) != folder(&bound[0])) {
            shared.extend((0_u32..).zip(bound).map(|(place, one)| (*one, name, place)));
        }
    }
    shared.sort_unstable();
    shared
}

/// Returns a hash of the full name of a definition; types have other ones than functions.
fn full_name(outline: &Outline, definition: &Definition) -> u64 {
    let mut hash = Xxh3::new();
    for name in &definition.scope_names {
        hash.update(&outline.names.key(*name).0.to_le_bytes());
    }
    hash.update(&[u8::from(definition.kind.is_type())]);
    hash.digest()
}

/// Returns whether a definition can have duplicates: a type or a function with a body that others see.
fn can_have_twins(definition: &Definition, rules: &dyn Rules) -> bool {
    let is_declared = definition.flags.is_abstract && rules.traits().defines_apart;
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
fn nearness(files: &[FileInput<'_>], (from, is_test): User, twin: &Twin) -> (bool, usize) {
    let is_own = twin.is_test <= is_test;
    (is_own, common_folders(files[from.index()].path, files[twin.symbol.file.index()].path))
}
