//! Selects the files to resolve again after a change.
//!
//! Resolving a file depends on the meaning of the names that it mentions, and of the names that are looked up for it in
//! other files: members of their expressions, `default`, a macro, a constructor. The evaluator records each lookup,
//! successful or not. A change of the meaning of a name affects every file that mentions it or looked it up. A change
//! of module resolution (the set of files, manifests that name modules, declarations of modules, extension blocks) affects
//! every file of a language. Where files include the texts of others (C), what a file reaches counts as a name, too, and a
//! field is found only through its type: it affects files that also mention or looked up the type.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::file_set::{Entry, FileSet};
use super::lazy_facts::LazyFacts;
use super::node_ids::NodeChanges;
use crate::facts::{Atom, Container, Definition, Interface, NameKey, Outline, member_key, name_key};
use crate::lang::packages::has_services;
use crate::lang::{Language, language_named};
use crate::model::{FileId, FileIndex, NodeId, SymbolKind};
use crate::resolve::input::{FactSource, FileInput, LanguageFiles};
use crate::resolve::modules::Modules;
use crate::resolve::named;
use crate::resolve::output::{FileResolution, Unresolved, UnresolvedReference};
use crate::store::{Blob, DEFINED, FileName, FileRow, Finding, LOOKED_UP, MENTIONED, NameLists, Reader, StoreError};

/// A reference by its index in the references of a file's code, and a symbol that it means; `None` for nothing that is known.
pub(super) type Untold = (u32, Option<NodeId>);

/// The dependencies of a file's resolution, and its unresolved references.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Dependencies {
    /// Differences between the hashes of the names that were looked up and that the file does not mention, sorted.
    looked_up: Vec<u32>,
    /// Hash of the files that the file reaches, 0 in a language without.
    reached: u64,
    pub(super) unresolved: Vec<(Unresolved, u32)>,
    /// The references by name without an edge, sorted by the hash of the name: the difference between the hashes, and
    /// the index of the reference.
    unresolved_references: Vec<(u32, u32)>,
    /// Meanings of references whose name does not tell.
    untold: Vec<Untold>,
    /// The differences between the hashes of the words on lines of which the grammar made nothing, sorted.
    unparsed_names: Vec<u32>,
}

impl Dependencies {
    /// Creates the dependencies of a resolved file from the hash of what it reaches.
    pub(super) fn new(resolution: &FileResolution, untold: Vec<Untold>, reached: u64) -> Dependencies {
        let looked_up = differences(&hashes(resolution.looked_up.iter().copied()));
        let mut before = 0;
        let difference = |UnresolvedReference { name, reference }: &UnresolvedReference| {
            let hash = short_hash(*name);
            (hash - std::mem::replace(&mut before, hash), *reference)
        };
        let unresolved_references = resolution.unresolved_references.iter().map(difference).collect();
        let hashes: Vec<u32> = resolution.unparsed_names.iter().map(|name| short_hash(*name)).collect();
        let (unresolved, unparsed_names) = (resolution.unresolved.clone(), differences(&hashes));
        Dependencies { looked_up, reached, unresolved, unresolved_references, untold, unparsed_names }
    }

    /// Returns whether a line of which the grammar made nothing has a word of this hash.
    fn has_unparsed(&self, hash: u32) -> bool {
        sums(self.unparsed_names.iter().copied()).any(|other| other == hash)
    }

    /// Returns the indexes of the references without an edge whose name has this hash.
    fn unresolved_references_named(&self, hash: u32) -> Vec<u32> {
        let mut at = 0;
        let mut found = Vec::new();
        for &(difference, reference) in &self.unresolved_references {
            at = u32::wrapping_add(at, difference);
            if at > hash {
                break;
            }
            found.extend((at == hash).then_some(reference));
        }
        found
    }

    /// Returns the names that are used and not known, by hash, each with its count: the references without an edge, and 1 for
    /// lines of which the grammar made nothing.
    pub(super) fn unresolved_names(&self) -> BTreeMap<u32, u32> {
        let references = sums(self.unresolved_references.iter().map(|(difference, _)| *difference));
        let mut names = BTreeMap::new();
        for hash in references.chain(sums(self.unparsed_names.iter().copied())) {
            *names.entry(hash).or_insert(0) += 1;
        }
        names
    }

    /// Returns the hashes of the names that were looked up and that the file does not mention, with what it has to do with them.
    pub(super) fn looked_up_names(&self) -> BTreeMap<u32, u32> {
        // Where resolution broke off, its lookups are incomplete, so that every change matters.
        let has_panicked = self.unresolved.iter().any(|(reason, _)| *reason == Unresolved::ResolverPanicked);
        let any = has_panicked.then(|| short_hash(any_name()));
        sums(self.looked_up.iter().copied()).chain(any).map(|hash| (hash, LOOKED_UP)).collect()
    }
}

/// Returns the name that stands for every name: what has none is not found by one.
pub(super) fn any_name() -> NameKey {
    name_key("")
}

/// Returns the hashes of names other than [`any_name`], sorted.
fn hashes(names: impl Iterator<Item = NameKey>) -> Vec<u32> {
    let any = any_name();
    let mut hashes: Vec<u32> = names.filter(|name| *name != any).map(short_hash).collect();
    hashes.sort_unstable();
    hashes.dedup();
    hashes
}

/// Returns what the facts of a file have to do with names, by their hash.
pub(super) fn names_of_facts(language: &Language, outline: &Outline) -> BTreeMap<u32, u32> {
    let mut names: BTreeMap<u32, u32> =
        hashes(outline.names.iter().map(name_key)).into_iter().map(|hash| (hash, MENTIONED)).collect();
    let defined = match defined_names(language, outline) {
        Some(names) => hashes(names.into_iter()),
        None if outline.extensions.is_empty() => Vec::new(),
        None => vec![short_hash(any_name())],
    };
    defined.into_iter().for_each(|hash| *names.entry(hash).or_insert(0) |= DEFINED);
    names
}

/// The hashes of changed names and fields.
#[derive(Default)]
struct ChangedNames {
    names: HashSet<u32>,
    /// Fields by their type.
    fields: HashMap<u32, Vec<u32>>,
}

impl ChangedNames {
    fn new(names: impl Iterator<Item = NameKey>, fields: &HashSet<(NameKey, NameKey)>) -> ChangedNames {
        let names = names.chain([any_name()]).map(short_hash).collect();
        let mut changed = ChangedNames { names, ..ChangedNames::default() };
        for (owner, field) in fields {
            changed.fields.entry(short_hash(*owner)).or_default().push(short_hash(*field));
        }
        changed
    }

    /// Returns the hashes of all names, fields and types of fields.
    fn all(&self) -> BTreeSet<u32> {
        let of_fields = self.fields.iter().flat_map(|(owner, fields)| fields.iter().chain([owner]));
        self.names.iter().chain(of_fields).copied().collect()
    }

    /// Returns whether a file is affected that mentions or looked up these of the changed names.
    fn affect(&self, found: &[u32]) -> bool {
        let has_field =
            |owner| self.fields.get(owner).is_some_and(|fields| fields.iter().any(|one| found.contains(one)));
        found.iter().any(|name| self.names.contains(name) || has_field(name))
    }
}

/// Returns the differences between numbers, which are sorted.
pub(super) fn differences(sorted: &[u32]) -> Vec<u32> {
    let before = std::iter::once(0).chain(sorted.iter().copied());
    sorted.iter().zip(before).map(|(number, before)| number - before).collect()
}

/// Returns the numbers that have these differences.
pub(super) fn sums(differences: impl Iterator<Item = u32>) -> impl Iterator<Item = u32> {
    differences.scan(0, |sum, difference| {
        *sum = u32::wrapping_add(*sum, difference);
        Some(*sum)
    })
}

/// Returns the first half of a name's key. Two names of equal hashes cost a needless resolution, and readers compare the names
/// themselves.
pub(super) fn short_hash(name: NameKey) -> u32 {
    (name.0 >> 32) as u32
}

/// A file of which something is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownInFile {
    pub file: FileId,
    /// The references without an edge: their indexes in the references of the file's code.
    pub references: Vec<u32>,
    /// Whether the name is on a line of which the grammar made nothing.
    pub is_unparsed: bool,
}

/// Returns the files that have references without an edge that may have this last name, or lines with it of which the grammar
/// made nothing. A few references can have another name, whose hash is the same.
///
/// # Errors
/// When the store can't be read.
pub fn unknown_in_files(reader: &Reader, name: &str) -> Result<Vec<UnknownInFile>, StoreError> {
    let hash = short_hash(name_key(name));
    let of_file = |file: FileId| {
        let Some(blob) = reader.resolution_blob(file)? else {
            let detail = format!("table resolutions has no row {}", file.get());
            return Err(StoreError::Damaged { path: reader.path().to_owned(), detail });
        };
        let dependencies: Dependencies = blob.unpack()?;
        let references = dependencies.unresolved_references_named(hash);
        Ok(UnknownInFile { file, references, is_unparsed: dependencies.has_unparsed(hash) })
    };
    reader.files_with_unresolved(hash)?.into_iter().map(of_file).collect()
}

/// Returns what the references of a file mean whose name does not tell, sorted by the index of the reference in the file's code:
/// those of a definition by one name that don't mean the same, or that mean something of another name. One that means
/// several symbols is listed for each, one that means nothing that is known without a symbol.
///
/// # Errors
/// When the store can't be read.
pub fn untold_of_file(reader: &Reader, file: FileId) -> Result<Vec<(u32, Option<NodeId>)>, StoreError> {
    let Some(blob) = reader.resolution_blob(file)? else { return Ok(Vec::new()) };
    Ok(blob.unpack::<Dependencies>()?.untold)
}

/// Returns the indexes of the references in a file's code whose meaning is not known.
///
/// # Errors
/// When the store can't be read.
pub fn unresolved_of_file(reader: &Reader, file: FileId) -> Result<Vec<u32>, StoreError> {
    let Some(blob) = reader.resolution_blob(file)? else { return Ok(Vec::new()) };
    let references = blob.unpack::<Dependencies>()?.unresolved_references;
    Ok(references.into_iter().map(|(_, reference)| reference).collect())
}

/// Returns the numbers of references without an edge, and of files with lines of which the grammar made nothing, by the hash
/// of the name.
///
/// # Errors
/// When the store can't be read.
pub fn unresolved_names(reader: &Reader) -> Result<HashMap<u32, u32>, StoreError> {
    let mut counts: HashMap<u32, u32> = HashMap::new();
    for name in reader.unresolved_names()? {
        *counts.entry(name.hash).or_default() += name.value;
    }
    Ok(counts)
}

/// Returns the hash of a name by which [`unresolved_names`] counts.
pub fn name_hash(name: NameKey) -> u32 {
    short_hash(name)
}

/// Compares the names that are stored by their hash with those of the files' resolutions.
///
/// # Errors
/// When the store can't be opened or read.
pub fn check_unresolved_names(database: &Path) -> Result<Finding, StoreError> {
    let reader = Reader::open(database)?;
    let mut names = Vec::new();
    for blob in reader.resolution_blobs()? {
        let of_file = blob.unpack::<Dependencies>()?.unresolved_names();
        names.extend(of_file.into_iter().map(|(hash, value)| FileName { hash, file: blob.file, value }));
    }
    names.sort_unstable();
    let is_equal = reader.unresolved_names()? == names;
    let problems = if is_equal {
        Vec::new()
    } else {
        vec!["names that are not resolved differ from those in the facts of files".to_owned()]
    };
    Ok(Finding { check: "unresolved names", problems })
}

/// Compares what files have to do with names with their facts and resolutions.
///
/// # Errors
/// When the store can't be opened or read.
pub fn check_file_names(database: &Path) -> Result<Finding, StoreError> {
    let reader = Reader::open(database)?;
    let mut lists = NameLists::default();
    for row in reader.files()? {
        let language = language_named(&row.language);
        if let Some((language, blob)) = language.zip(reader.outline_blob(row.id)?) {
            lists.add(row.id, names_of_facts(language, &blob.outline()?.0));
        }
        if let Some(blob) = reader.resolution_blob(row.id)? {
            lists.add(row.id, blob.unpack::<Dependencies>()?.looked_up_names());
        }
    }
    let problems = if reader.has_only_names(lists)? {
        Vec::new()
    } else {
        vec!["names of files differ from those in their facts".to_owned()]
    };
    Ok(Finding { check: "names of files", problems })
}

/// A file that was parsed in part.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PartlyParsed {
    pub path: String,
    /// Number of the lines of which the grammar made nothing.
    pub lines: u32,
    /// Whether nothing in it is a definition.
    pub is_without_definitions: bool,
}

/// Returns the files that were parsed in part, sorted by path.
///
/// # Errors
/// When the store can't be read.
pub fn partly_parsed(reader: &Reader) -> Result<Vec<PartlyParsed>, StoreError> {
    let mut paths: HashMap<FileId, String> = reader.file_paths()?.into_iter().collect();
    let mut files = Vec::new();
    for blob in reader.resolution_blobs()? {
        let dependencies: Dependencies = blob.unpack()?;
        let unparsed = dependencies.unresolved.iter().find(|(reason, _)| *reason == Unresolved::UnparsedLine);
        let (file, lines) = (blob.file, unparsed.map_or(0, |(_, lines)| *lines));
        let Some(path) = paths.remove(&file).filter(|_| lines > 0) else { continue };
        let outline = reader.outline_blob(file)?.map(|blob| blob.outline()).transpose()?;
        let is_without_definitions = outline.is_none_or(|(outline, _)| outline.definitions.is_empty());
        files.push(PartlyParsed { path, lines, is_without_definitions });
    }
    files.sort();
    Ok(files)
}

/// The files that a change affects.
#[derive(Default)]
pub(super) struct Affected {
    /// The files to resolve, sorted.
    pub(super) files: Vec<FileIndex>,
    /// Stored hashes of what the blocks and globs of each file that has any lead to; `None` if none can have changed.
    pub(super) targets: Option<HashMap<FileId, u64>>,
}

impl Affected {
    /// Adds every file of the languages in which a block extends another type than before, or a glob leads elsewhere, and returns
    /// whether there is one. `targets` are the hashes by the index in the set, of those that are selected.
    pub(super) fn add_moved_targets(&mut self, (file_set, facts): (&FileSet, &LazyFacts<'_>), targets: &[u64]) -> bool {
        let Some(before) = &self.targets else { return false };
        let is_moved = |(file, entry): &(FileIndex, &Entry)| {
            let known = before.get(&entry.row.id).copied().unwrap_or(0);
            !entry.is_new && facts.is_selected(*file) && known != targets[file.index()]
        };
        let moved = FileIndex::sequence().zip(&file_set.entries).filter(is_moved);
        let languages: BTreeSet<&str> = moved.map(|(_, entry)| entry.language.name).collect();
        if languages.is_empty() {
            return false;
        }
        let entries = FileIndex::sequence().zip(&file_set.entries);
        let added = entries.filter(|(_, entry)| is_of(entry.language, &languages)).map(|(file, _)| file);
        self.files = added.chain(self.files.iter().copied()).collect::<BTreeSet<_>>().into_iter().collect();
        true
    }
}

/// Returns whether a language is one of these, or shares its modules with one. Code of every language uses services.
fn is_of(language: &Language, languages: &BTreeSet<&str>) -> bool {
    shares_modules(language, languages) || languages.iter().any(|name| has_services(name))
}

/// Returns whether a language is one of these, or shares its modules with one.
pub(super) fn shares_modules(language: &Language, languages: &BTreeSet<&str>) -> bool {
    let shared = language.rules.traits().shared_modules;
    let shares = |name: &&str| language_named(name).is_some_and(|other| other.rules.traits().shared_modules == shared);
    languages.contains(language.name) || (!shared.is_empty() && languages.iter().any(shares))
}

/// Changes that are visible to other files.
#[derive(Default)]
pub(super) struct Changes {
    names: HashSet<NameKey>,
    /// Fields that are found only through their type, which is in the index before and after: its name and their own.
    fields: HashSet<(NameKey, NameKey)>,
    /// Languages of which every file is affected.
    pub(super) languages: BTreeSet<&'static str>,
    /// Languages of which files may reach others than before.
    including: BTreeSet<&'static str>,
}

impl Changes {
    /// Compares the parsed files with their stored facts.
    pub(super) fn between(
        file_set: &FileSet,
        facts: &LazyFacts<'_>,
        node_changes: &NodeChanges,
        reader: &Reader,
    ) -> Result<Changes, StoreError> {
        let mut changes = Changes::default();
        for (file, entry) in FileIndex::sequence().zip(&file_set.entries).filter(|(_, entry)| entry.is_parsed()) {
            if entry.is_new {
                changes.add_file(entry.language, &entry.row.path, &*entry.outline()?);
            } else if let Some(before) = entry.stored_language().filter(|before| before.name != entry.language.name) {
                changes.languages.extend([before.name, entry.language.name]);
            } else if !changes.languages.contains(entry.language.name) {
                let outline = entry.outline()?;
                let interface = Interface::from_facts(&outline, facts.code(file));
                changes.add_changes_of(entry, (&outline, &interface), reader)?;
            }
        }
        for &(file, index) in &node_changes.moved {
            let entry = &file_set.entries[file.index()];
            let outline = entry.outline()?;
            if let Some(definition) = index.checked_sub(1).and_then(|index| outline.definitions.get(index as usize)) {
                changes.names.insert(outline.names.key(definition.name));
            }
        }
        Ok(changes)
    }

    /// Adds what files that are removed change.
    pub(super) fn add_removed(&mut self, removed: &[FileRow], reader: &Reader) -> Result<(), StoreError> {
        for row in removed {
            let Some(language) = language_named(&row.language) else { continue };
            match reader.outline_blob(row.id)? {
                Some(blob) => self.add_file(language, &row.path, &blob.outline()?.0),
                None => _ = self.languages.insert(language.name),
            }
        }
        Ok(())
    }

    /// Adds what a file changes that appears or disappears: the names by which other files name it and what it defines, and
    /// the files of its language, unless names and includes are all by which it is found.
    fn add_file(&mut self, language: &'static Language, path: &str, outline: &Outline) {
        self.names.extend(named::file_keys(path));
        if let Some(names) = defined_names(language, outline) {
            self.including.insert(language.name);
            self.names.extend(names);
            return;
        }
        self.languages.insert(language.name);
        let bound = outline.bindings.iter().map(|binding| binding.name);
        let is_for_all = |name: &Atom| outline.names.get(*name).contains(' ');
        self.names.extend(bound.filter(is_for_all).map(|name| outline.names.key(name)));
    }

    fn add_changes_of(
        &mut self,
        entry: &Entry,
        (new_outline, now): (&Outline, &Interface),
        reader: &Reader,
    ) -> Result<(), StoreError> {
        let id = entry.row.id;
        let (Some(outline), Some(code), Some(nodes_blob)) =
            (reader.outline_blob(id)?, reader.code_blob(id)?, reader.file_nodes_blob(id)?)
        else {
            self.languages.insert(entry.language.name);
            return Ok(());
        };
        let (outline, bounds) = outline.outline()?;
        let before = Interface::from_facts(&outline, &code.code(&bounds)?);
        let nodes = crate::store::unpack_node_ids(&nodes_blob)?;
        let rules = entry.language.rules;
        let is_layout_changed = rules.layout(&outline) != rules.layout(new_outline);
        if is_layout_changed && rules.traits().includes_texts {
            self.including.insert(entry.language.name);
        }
        if before.headers != now.headers || is_layout_changed && !rules.traits().includes_texts {
            self.languages.insert(entry.language.name);
        }
        let old = facts_by_node(entry.language, &nodes, &outline, &before);
        let new = facts_by_node(entry.language, &entry.nodes, new_outline, now);
        for (one, other) in [(&old, &new), (&new, &old)] {
            for (_, fact) in one.iter().filter(|(node, fact)| other.get(*node) != Some(*fact)) {
                match fact.owner {
                    Some(owner) => {
                        self.fields.insert((owner, fact.name));
                        self.names.insert(member_key(fact.name));
                    }
                    None => _ = self.names.insert(fact.name),
                }
            }
        }
        let (old, new): (BTreeSet<_>, BTreeSet<_>) =
            (before.bindings.iter().copied().collect(), now.bindings.iter().copied().collect());
        self.names.extend(old.symmetric_difference(&new).map(|(name, _)| *name));
        Ok(())
    }

    /// Returns whether no file but the parsed ones can be affected.
    pub(super) fn is_local(&self) -> bool {
        // Each field has a name of its own among them.
        self.names.is_empty() && self.languages.is_empty() && self.including.is_empty()
    }

    /// Returns whether files may reach others than before.
    pub(super) fn may_change_includes(&self) -> bool {
        !self.including.is_empty()
    }

    /// Returns the files to resolve, and what the blocks and globs of all files led to.
    pub(super) fn affected(
        &self,
        (file_set, facts): (&FileSet, &LazyFacts<'_>),
        node_changes: &NodeChanges,
        reader: &Reader,
        pool: &rayon::ThreadPool,
    ) -> Result<Affected, StoreError> {
        let mut affected: BTreeSet<FileIndex> = node_changes.identities.keys().copied().collect();
        if self.is_local() {
            return Ok(Affected { files: affected.into_iter().collect(), targets: None });
        }
        let blobs = if self.including.is_empty() { Vec::new() } else { reader.resolution_blobs()? };
        let reaching_others = pool.install(|| self.reaching_others((file_set, facts), &blobs))?;
        let text_key = |file: &FileIndex| named::text_key(&file_set.entries[file.index()].row.path);
        let names = self.names.iter().copied().chain(reaching_others.iter().map(text_key));
        let changed = ChangedNames::new(names, &self.fields);
        // Their own hashes are stored with their resolutions.
        affected.extend(reaching_others);
        let mut found: HashMap<FileId, Vec<u32>> = HashMap::new();
        let hashes: Vec<u32> = changed.all().into_iter().collect();
        for name in reader.files_with_names(&hashes)? {
            if name.value & (MENTIONED | LOOKED_UP) != 0 {
                found.entry(name.file).or_default().push(name.hash);
            }
        }
        for (file, entry) in FileIndex::sequence().zip(&file_set.entries) {
            let is_affected = found.get(&entry.row.id).is_some_and(|found| changed.affect(found));
            if is_affected || is_of(entry.language, &self.languages) {
                affected.insert(file);
            }
        }
        Ok(Affected { files: affected.into_iter().collect(), targets: Some(reader.targets()?) })
    }

    /// Returns the files that reach others than when they were resolved.
    fn reaching_others(
        &self,
        (file_set, facts): (&FileSet, &LazyFacts<'_>),
        blobs: &[Blob],
    ) -> Result<Vec<FileIndex>, StoreError> {
        if self.including.is_empty() {
            return Ok(Vec::new());
        }
        let of_blob = |blob: &Blob| Ok((blob.file, blob.unpack::<Dependencies>()?.reached));
        let before: HashMap<FileId, u64> = blobs.par_iter().map(of_blob).collect::<Result<_, StoreError>>()?;
        let inputs = file_set.inputs();
        let mut files = Vec::new();
        for language in self.including.iter().filter_map(|name| language_named(name)) {
            let numbered = FileIndex::sequence().zip(inputs.iter().copied());
            let own: Vec<(FileIndex, FileInput<'_>)> =
                numbered.filter(|(_, file)| file.language == language.name).collect();
            let mut modules = Modules::default();
            language.rules.modules(LanguageFiles { files: &own, facts }, &[], &mut modules);
            for (file, reached) in language.rules.reached_texts(&modules) {
                let row = &file_set.entries[file.index()].row;
                if before.get(&row.id) != Some(&reached) {
                    files.push(file);
                }
            }
        }
        Ok(files)
    }
}

/// Returns the names by which other files can find what a file defines; `None` if names are not all by which it is found.
pub(super) fn defined_names(language: &Language, outline: &Outline) -> Option<Vec<NameKey>> {
    if !language.rules.traits().includes_texts || !outline.extensions.is_empty() {
        return None;
    }
    let mut names: Vec<NameKey> = outline.bindings.iter().map(|binding| outline.names.key(binding.name)).collect();
    names.extend(outline.definitions.iter().map(|definition| {
        let name = outline.names.key(definition.name);
        // Whoever finds a field looked up its type, which is among the definitions.
        if field_owner(language, outline, definition).is_some() { member_key(name) } else { name }
    }));
    Some(names)
}

/// Returns the hashes of the names that the stored resolution of a file looked up and that it does not mention.
pub(super) fn looked_up(reader: &Reader, file: FileId) -> Result<Vec<u32>, StoreError> {
    let dependencies: Option<Dependencies> = reader.resolution_blob(file)?.map(|blob| blob.unpack()).transpose()?;
    Ok(dependencies.map_or_else(Vec::new, |dependencies| sums(dependencies.looked_up.into_iter()).collect()))
}

/// Returns the name of the type through which alone a definition is found, if it is a field of such a language.
fn field_owner(language: &Language, outline: &Outline, definition: &Definition) -> Option<NameKey> {
    let Container::Definition(owner) = definition.container else { return None };
    let owner = outline.definitions[owner.index()].name;
    let is_found_by_type = definition.kind == SymbolKind::Field && language.rules.traits().includes_texts;
    (is_found_by_type && !outline.names.get(owner).is_empty()).then(|| outline.names.key(owner))
}

/// The part of a definition that other files can depend on.
#[derive(PartialEq)]
struct Fact {
    name: NameKey,
    /// The name of the type through which alone it is found.
    owner: Option<NameKey>,
    fingerprint: u64,
}

/// Returns what other files can depend on of each definition, by node.
fn facts_by_node(
    language: &Language,
    nodes: &[NodeId],
    outline: &Outline,
    interface: &Interface,
) -> HashMap<NodeId, Fact> {
    let definitions = outline.definitions.iter().zip(&interface.definitions);
    let facts = definitions.map(|(definition, &fingerprint)| Fact {
        name: outline.names.key(definition.name),
        owner: field_owner(language, outline, definition),
        fingerprint,
    });
    nodes.iter().skip(1).copied().zip(facts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn asked_names_are_found_among_changed_ones() {
        let looked_up = ["default", "load", "__init__"].map(name_key).to_vec();
        let dependencies = Dependencies::new(&FileResolution { looked_up, ..FileResolution::default() }, Vec::new(), 0);
        let looked_up = dependencies.looked_up_names();
        let is_affected = |names: &[&str], fields: &[(&str, &str)]| {
            let fields = fields.iter().map(|(owner, field)| (name_key(owner), name_key(field))).collect();
            let changed = ChangedNames::new(names.iter().map(|name| name_key(name)), &fields);
            let found: Vec<u32> = changed.all().into_iter().filter(|hash| looked_up.contains_key(hash)).collect();
            changed.affect(&found)
        };
        for names in [&["load"][..], &["a", "default"], &["__init__", "z"], &["a", "b", "c", "load"]] {
            assert!(is_affected(names, &[]), "{names:?}");
        }
        assert!(!is_affected(&["run", "a", "b"], &[]) && !is_affected(&[], &[]));
        assert!(is_affected(&[], &[("default", "a"), ("default", "load")]));
        assert!(!is_affected(&[], &[("default", "a"), ("b", "load")]));
    }

    #[test]
    fn unresolved_references_are_found_by_name() {
        let mut unresolved_references: Vec<UnresolvedReference> = [("load", 7), ("run", 1), ("load", 2), ("save", 3)]
            .map(|(name, reference)| UnresolvedReference { name: name_key(name), reference })
            .into();
        unresolved_references.sort_unstable();
        let resolution = FileResolution { unresolved_references, ..FileResolution::default() };
        let dependencies = Dependencies::new(&resolution, Vec::new(), 0);
        let named = |name: &str| dependencies.unresolved_references_named(short_hash(name_key(name)));
        assert_eq!([named("load"), named("run"), named("save"), named("stop")], [vec![2, 7], vec![1], vec![3], vec![]]);
    }
}
