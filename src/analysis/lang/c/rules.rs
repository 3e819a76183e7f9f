//! Rules by which names resolve across files of C: one namespace of all files, and includes.

use std::collections::BTreeSet;
use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use xxhash_rust::xxh3::Xxh3;

use super::cpp::WHOLE;
use super::includes::{FileBits, Includes};
use super::library;
use super::primitives;
use super::{NAME, TRAITS};
use crate::facts::reach::{Graph, reachable_hashes};
use crate::facts::{Container, Import, NameKey, Outline, ScopeId, name_key};
use crate::lang::common::modules::joined;
use crate::model::FileIndex;
use crate::resolve::eval::Evaluator;
use crate::resolve::input::{FileInput, LanguageFiles, Manifest};
use crate::resolve::modules::Modules;
use crate::resolve::named::{file_key, text_key};
use crate::resolve::rules::{ExternalCallee, Rules, Traits, UseSite};
use crate::resolve::value::{SymbolRef, Value};
use crate::text::{file_name, parent_dir};

use super::scopes;

/// The operator by which a type has the members of another one.
const ARROW: &str = "operator->";

/// Maximum number of definitions of a name in one file among which that outside of all namespaces is looked for.
const MAX_OWN: usize = 64;

/// C's resolution rules.
pub struct CRules;

/// The files of a project.
struct Files {
    paths: Paths,
    includes: Includes,
    /// All files, with the keys of their texts.
    keys: Vec<(FileIndex, NameKey)>,
}

impl Rules for CRules {
    fn traits(&self) -> &Traits {
        &TRAITS
    }

    fn is_public(&self, modifiers: &[&str], _names: &[&str], is_member: bool) -> Option<bool> {
        (!is_member && modifiers.contains(&"static")).then_some(false)
    }

    /// All files are one module; besides, each is one by its path, for includes.
    fn modules(&self, files: LanguageFiles<'_>, _manifests: &[Manifest], modules: &mut Modules) {
        let whole = modules.add(NAME, "", None);
        for (number, file) in files.files {
            let own = modules.add(NAME, file.path, None);
            modules.add_file(own, *number);
            modules.add_file(whole, *number);
        }
        let (paths, by_index) = (Paths::new(files.files), paths_by_index(files.files));
        let path_of = |file: FileIndex| by_index[file.index()];
        let mut of_file = vec![Vec::new(); by_index.len()];
        files.each_outline(|number, file, outline| {
            of_file[number.index()] = paths.included(file.path, outline, &path_of);
        });
        let keys = files.files.iter().map(|(number, file)| (*number, text_key(file.path))).collect();
        modules.set_state(NAME, Files { paths, includes: Includes::new(of_file), keys });
    }

    fn import(&self, eval: &mut Evaluator<'_>, site: UseSite, import: &Import) -> (Value, usize) {
        let outline = eval.world.outline(site.file);
        let [quote, path] = import.path[..] else { return (Value::Unknown, import.path.len()) };
        let (quote, path) = (outline.names.get(quote), outline.names.get(path));
        let from = eval.world.files[site.file.index()].path;
        let files = eval.world.modules.state::<Files>(NAME);
        if quote == WHOLE {
            let whole = eval.world.modules.find(NAME, "");
            return (whole.map_or(Value::Unknown, Value::Module), 2);
        }
        // A file of that name that appears or disappears can change what is included.
        eval.record_lookup(file_key(path));
        let path_of = |file: FileIndex| eval.world.files[file.index()].path;
        let found = files.and_then(|files| files.paths.find(from, (quote == "\"", path), &path_of));
        let module = found.and_then(|file| eval.world.modules.find(NAME, eval.world.files[file.index()].path));
        (module.map_or_else(|| Value::external(path), Value::Module), 2)
    }

    /// Returns a hash of what a file includes, by which macros and functions are told apart in all files that include it.
    fn layout(&self, outline: &Outline) -> u64 {
        let mut hash = Xxh3::new();
        for (quote, path) in includes(outline) {
            hash.update(quote.as_bytes());
            hash.update(path.as_bytes());
        }
        hash.digest()
    }

    fn declaration_name(&self, name: &str) -> String {
        scopes::prototype(name)
    }

    fn other_names(&self, name: &str) -> Vec<String> {
        other_names(name).to_vec()
    }

    fn reached_texts(&self, modules: &Modules) -> Vec<(FileIndex, u64)> {
        let Some(files) = modules.state::<Files>(NAME) else { return Vec::new() };
        let of_files = files.includes.of_files();
        let mut own = vec![0; of_files.len()];
        files.keys.iter().for_each(|(file, key)| own[file.index()] = key.0);
        let mut graph = Graph::default();
        for (own, included) in own.into_iter().zip(of_files) {
            graph.node(own, included.iter().map(|file| file.get()));
        }
        let hashes = reachable_hashes(&graph);
        files.keys.iter().map(|(file, _)| (*file, hashes[file.index()])).collect()
    }

    fn texts_of(&self, files: LanguageFiles<'_>, from: &[FileIndex]) -> Vec<FileIndex> {
        if from.is_empty() {
            return Vec::new();
        }
        let (paths, by_index) = (Paths::new(files.files), paths_by_index(files.files));
        let path_of = |file: FileIndex| by_index[file.index()];
        let is_known = |file: &FileIndex| by_index.get(file.index()).is_some_and(|path| !path.is_empty());
        let mut reached: BTreeSet<FileIndex> = from.iter().copied().filter(is_known).collect();
        let mut open: Vec<FileIndex> = reached.iter().copied().collect();
        while !open.is_empty() {
            let included = |file: &FileIndex| paths.included(path_of(*file), files.facts.outline(*file), &path_of);
            let found: Vec<Vec<FileIndex>> = open.par_iter().map(included).collect();
            open = found.into_iter().flatten().filter(|file| reached.insert(*file)).collect();
        }
        reached.into_iter().collect()
    }

    fn reaches(&self, eval: &mut Evaluator<'_>, from: FileIndex, file: FileIndex) -> bool {
        let world = eval.world;
        let Some(files) = world.modules.state::<Files>(NAME) else { return false };
        // Asked for each definition of a name, so the file's number takes the place of a name.
        let reached: Arc<FileBits> = eval.memoized(NameKey(u64::from(from.get())), |eval| {
            eval.record_lookup(text_key(world.files[from.index()].path));
            files.includes.reached(from)
        });
        reached.contains(file)
    }

    /// A name that nothing defines can be a tag, or have a prototype.
    fn resolve_unbound(&self, eval: &mut Evaluator<'_>, site: UseSite, name: &str) -> Option<Value> {
        let mut module = eval.module_at(site);
        while let Some(id) = module {
            if let Some(resolved) = eval.nearest_of_names(site, id, &other_names(name)) {
                return Some(eval.denoted(resolved));
            }
            // A namespace that another file opens.
            if let value @ Value::Module(_) = eval.module_member(id, name) {
                return Some(value);
            }
            module = eval.world.modules.get(id).parent;
        }
        self.name_around(eval, site.file, name)
    }

    /// `namespace::name`, where the name is a tag or has a prototype.
    fn undeclared_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        match receiver {
            Value::Module(module) => {
                let values = other_names(name).map(|other| eval.module_member(*module, &other));
                values.into_iter().find(|value| !value.is_unknown())
            }
            // A type in a type, whose body is outside of it.
            Value::Symbol { symbol, .. } | Value::Instance { symbol, .. } => {
                let world = eval.world;
                let tag = scopes::nested_tag(world.name(*symbol), name);
                let module = world.modules.find(NAME, "")?;
                let site = UseSite { file: symbol.file, scope: world.definition(*symbol).scope };
                let found = eval.nearest_definition(site, module, name_key(&tag))?;
                Some(eval.denoted(found))
            }
            _ => None,
        }
    }

    fn resolve_builtin(&self, name: &str) -> Option<Value> {
        library::is_standard(name).then(|| Value::external(name))
    }

    /// A smart pointer has the members of what it points to, which a pointer of the repository says by its operator.
    fn deref_target(&self, eval: &mut Evaluator<'_>, value: &Value) -> Option<Value> {
        match value {
            Value::ExternalInstance { name, args } if library::is_pointer(name) => args.first().cloned(),
            Value::Instance { .. } if eval.any_has_member(name_key(ARROW)) => {
                let arrow = eval.declared_members(value, ARROW).into_iter().next()?;
                let content = eval.result_of(arrow.symbol).substitute(&arrow.bound);
                Some(content).filter(|content| !content.is_unknown())
            }
            _ => None,
        }
    }

    /// Returns the element of a container of the library.
    fn element(&self, _eval: &mut Evaluator<'_>, value: &Value) -> Value {
        match value {
            Value::ExternalInstance { name, args } if args.is_empty() => {
                primitives::member(name, primitives::CONTENT).unwrap_or_default()
            }
            Value::ExternalInstance { name, args } => library::element(name, args),
            other => other.argument(0),
        }
    }

    /// Returns a part of a pair; the fields of a type of the repository have no order here.
    fn item(&self, _eval: &mut Evaluator<'_>, value: &Value, index: usize) -> Value {
        match value {
            Value::ExternalInstance { name, args } => library::part(name, args, index),
            _ => Value::Unknown,
        }
    }

    fn external_member(&self, eval: &mut Evaluator<'_>, receiver: &Value, name: &str) -> Option<Value> {
        let Value::ExternalInstance { name: known, args } = receiver else {
            // What an iterator points to is known of its value.
            let is_iterator = |container: &str| library::is_container(container) && name.ends_with("iterator");
            return matches!(receiver, Value::External { name, .. } if is_iterator(name)).then_some(Value::Unknown);
        };
        if args.is_empty() {
            return primitives::member(known, name);
        }
        library::member(known, args, name).or_else(|| {
            let content = args.first().filter(|_| library::is_pointer(known) && !library::is_of_pointer(name))?;
            Some(eval.follow(|eval| eval.member_denoted(content, name))).filter(|member| !member.is_unknown())
        })
    }

    fn external_call(&self, _eval: &mut Evaluator<'_>, callee: ExternalCallee<'_>, _args: &[Value]) -> Value {
        match callee {
            ExternalCallee::Method(Value::ExternalInstance { name: known, args }, name) => {
                library::result(known, args, name).unwrap_or_else(|| primitives::method_result(name))
            }
            _ => Value::Unknown,
        }
    }

    /// An unknown value is not the list of a function's variable arguments.
    fn takes_only_itself(&self, expected: &str) -> bool {
        expected == "va_list"
    }

    fn external_fit(&self, actual: &Value, expected: &Value) -> Option<u32> {
        match (actual, expected) {
            (Value::ExternalInstance { name, args }, Value::ExternalInstance { name: other, args: wanted })
                if args.is_empty() && wanted.is_empty() =>
            {
                primitives::fit(name, other)
            }
            _ => Some(if actual == expected { 4 } else { 1 }),
        }
    }

    /// Resolves `::name`, which is in no namespace, or in one that a macro opens unseen: that of the file itself, or one of any
    /// file.
    fn root(&self, eval: &mut Evaluator<'_>, site: UseSite, name: &str) -> Value {
        let world = eval.world;
        let key = name_key(name);
        eval.record_lookup(key);
        let named = world.named(NAME, key);
        let own = named.partition_point(|one| one.file < site.file);
        let is_own = |one: &&SymbolRef| {
            let definition = world.definition(**one);
            let is_global = definition.container == Container::Module && definition.scope_names.is_empty();
            is_global && !definition.flags.is_abstract
        };
        let own = named[own..].iter().take_while(|one| one.file == site.file).take(MAX_OWN).find(is_own);
        if let Some(own) = own {
            eval.consult(*own);
            return Value::symbol(*own);
        }
        let top = UseSite { file: site.file, scope: ScopeId(0) };
        let Some(module) = world.modules.find(NAME, "") else { return Value::Unknown };
        for name in std::iter::once(name.to_owned()).chain(other_names(name)) {
            let Some(found) = eval.nearest_definition(top, module, name_key(&name)) else { continue };
            let value = eval.denoted(found);
            if let Value::Symbol { symbol, .. } = value
                && world.definition(symbol).scope_names.is_empty()
            {
                return value;
            }
        }
        self.resolve_builtin(name).unwrap_or_default()
    }

    fn is_included(&self, path: &str) -> bool {
        super::is_header(path)
    }

    /// Pointers and arrays have the type of what they point to.
    fn index(&self, _eval: &mut Evaluator<'_>, value: &Value) -> Value {
        match value {
            Value::Instance { .. } => value.clone(),
            Value::ExternalInstance { name, args } if args.is_empty() => {
                primitives::member(name, primitives::CONTENT).unwrap_or_default()
            }
            Value::ExternalInstance { name, args } => library::indexed(name, args),
            other => other.argument(0),
        }
    }

    fn is_ubiquitous(&self, _name: &str) -> bool {
        false
    }
}

impl CRules {
    /// Returns the function of its own that a file has which includes another one in the middle of its text.
    fn name_around(&self, eval: &mut Evaluator<'_>, file: FileIndex, name: &str) -> Option<Value> {
        let world = eval.world;
        if !super::is_text_of_others(world.files[file.index()].path) {
            return None;
        }
        let key = name_key(name);
        eval.record_lookup(key);
        let around = world.named(NAME, key).iter().copied().find(|one| self.reaches(eval, one.file, file))?;
        eval.consult(around);
        Some(Value::symbol(around))
    }
}

/// Returns the names that a tag and a prototype of this name are bound by.
fn other_names(name: &str) -> [String; 2] {
    let tag = name.strip_prefix("struct ").map_or_else(|| scopes::tag(name), str::to_owned);
    [tag, scopes::prototype(name)]
}

/// Returns the paths that a file includes, with the first characters of their quotes.
fn includes(outline: &Outline) -> impl Iterator<Item = (&str, &str)> {
    outline.imports.iter().filter_map(|import| match import.path[..] {
        [quote, path] => Some((outline.names.get(quote), outline.names.get(path))).filter(|(quote, _)| *quote != WHOLE),
        _ => None,
    })
}

/// The files of a project by their names.
struct Paths {
    by_name: FxHashMap<NameKey, SmallVec<[FileIndex; 1]>>,
}

impl Paths {
    fn new(files: &[(FileIndex, FileInput<'_>)]) -> Paths {
        let mut by_name: FxHashMap<NameKey, SmallVec<[FileIndex; 1]>> = FxHashMap::default();
        for (number, file) in files {
            by_name.entry(name_key(file_name(file.path))).or_default().push(*number);
        }
        Paths { by_name }
    }

    /// Returns the files that a file includes. `path_of` returns the path of a file.
    fn included<'p>(&self, from: &str, outline: &Outline, path_of: &impl Fn(FileIndex) -> &'p str) -> Vec<FileIndex> {
        includes(outline).filter_map(|(quote, path)| self.find(from, (quote == "\"", path), path_of)).collect()
    }

    /// Returns the file of an include: beside the including file, otherwise the one whose path ends with it and has
    /// most folders in common with the including file.
    fn find<'p>(
        &self,
        from: &str,
        (is_quoted, path): (bool, &str),
        path_of: &impl Fn(FileIndex) -> &'p str,
    ) -> Option<FileIndex> {
        let folder = parent_dir(from);
        let named = self.by_name.get(&name_key(file_name(path)))?;
        let beside = joined(folder, path);
        if let Some(file) = named.iter().find(|file| is_quoted && path_of(**file) == beside) {
            return Some(*file);
        }
        let plain = path.trim_start_matches("../").trim_start_matches("./");
        let ends = |known: &str| known.strip_suffix(plain).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
        let common = |known: &str| known.bytes().zip(from.bytes()).take_while(|(a, b)| a == b).count();
        let fitting = named.iter().map(|file| (path_of(*file), *file)).filter(|(known, _)| ends(known));
        fitting.max_by_key(|(known, _)| (common(known), std::cmp::Reverse(known.len()))).map(|(_, file)| file)
    }
}

/// Returns the paths of files by their index; empty between them.
fn paths_by_index<'p>(files: &[(FileIndex, FileInput<'p>)]) -> Vec<&'p str> {
    let mut paths = vec![""; files.last().map_or(0, |(last, _)| last.index() + 1)];
    files.iter().for_each(|(file, input)| paths[file.index()] = input.path);
    paths
}
