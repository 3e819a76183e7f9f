//! Crates and their modules: finds the crate roots of each Cargo package and the files that `mod x;` declares.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::builtins::PATH_ATTRIBUTE_PREFIX;
use crate::facts::{Definition, Import, ImportName, NameKey, Outline, ScopeId};
use crate::model::{DefId, FileIndex, SymbolKind};
use crate::resolve::input::{LanguageFiles, Manifest};
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::value::SymbolRef;
use crate::text;

/// The language's name in [`Modules`].
pub const RUST: &str = "rust";

/// Crates of the repository and indexes that the rules need, computed once for all files.
#[derive(Default)]
pub struct CrateIndex {
    /// Library crates of the repository by the names under which other crates use them.
    pub libraries: HashMap<String, ModuleId>,
    /// Names of crates that the manifests depend on.
    pub dependencies: HashSet<String>,
    /// The module that each `mod x;` declares, by file and byte position.
    pub mod_targets: HashMap<(FileIndex, u32), ModuleId>,
    /// Macro definitions by name.
    pub macros: HashMap<String, Vec<SymbolRef>>,
    /// Macros that declare modules, and whether they reexport the names of these.
    pub declaring_macros: HashMap<String, bool>,
    /// Index of the first import of each name in each file.
    pub first_imports: HashMap<(FileIndex, NameKey), u32>,
}

/// Adds the modules of all crates to `modules`, and a [`CrateIndex`] as their state.
pub fn add_crates(files: LanguageFiles<'_>, manifests: &[Manifest], modules: &mut Modules) {
    let mut builder = CrateBuilder {
        packages: HashMap::new(),
        dependency_renames: Vec::new(),
        by_path: files.files.iter().enumerate().map(|(index, (_, file))| (file.path, index)).collect(),
        files,
        module_of_file: vec![None; files.files.len()],
        modules,
        index: CrateIndex::default(),
    };
    builder.add_macros_and_imports();
    for manifest in manifests {
        builder.add_package(manifest);
    }
    builder.add_dependency_renames();
    builder.add_unreached_files();
    let index = builder.index;
    modules.set_state(RUST, index);
}

struct CrateBuilder<'a> {
    files: LanguageFiles<'a>,
    by_path: HashMap<&'a str, usize>,
    /// Library crates by package name.
    packages: HashMap<String, ModuleId>,
    /// Renamed dependencies: the name in the manifest and the package.
    dependency_renames: Vec<(String, String)>,
    module_of_file: Vec<Option<ModuleId>>,
    modules: &'a mut Modules,
    index: CrateIndex,
}

impl CrateBuilder<'_> {
    /// Adds the crates of one `Cargo.toml`.
    fn add_package(&mut self, manifest: &Manifest) {
        let Some((folder, "Cargo.toml")) = split_path(&manifest.path) else { return };
        let Ok(table) = manifest.text.parse::<toml::Table>() else { return };
        self.add_dependencies(&table);
        let Some(package) = table.get("package").and_then(|value| value.as_table()) else { return };
        let text = |table: &toml::Table, key: &str| table.get(key).and_then(|v| v.as_str()).map(str::to_owned);
        let name = text(package, "name").unwrap_or_default();
        let library = table.get("lib").and_then(|value| value.as_table());
        let library_name = library.and_then(|table| text(table, "name")).unwrap_or(name.clone()).replace('-', "_");
        let library_path = library.and_then(|table| text(table, "path")).unwrap_or_else(|| "src/lib.rs".into());
        if let Some(root) = self.add_root(&join(folder, &library_path)) {
            self.index.libraries.entry(library_name).or_insert(root);
            self.packages.entry(name).or_insert(root);
        }
        for kind in ["bin", "example", "test", "bench"] {
            let targets = table.get(kind).and_then(|value| value.as_array()).map_or(&[][..], Vec::as_slice);
            for path in targets.iter().filter_map(|target| target.get("path").and_then(|path| path.as_str())) {
                self.add_root(&join(folder, path));
            }
        }
        for path in self.conventional_roots(folder) {
            self.add_root(&path);
        }
    }

    fn add_dependencies(&mut self, table: &toml::Table) {
        for (key, value) in table {
            let Some(inner) = value.as_table() else { continue };
            if key.ends_with("dependencies") {
                for (name, dependency) in inner {
                    let name = name.replace('-', "_");
                    if let Some(package) = dependency.get("package").and_then(|package| package.as_str()) {
                        self.dependency_renames.push((name.clone(), package.to_owned()));
                    }
                    self.index.dependencies.insert(name);
                }
            } else if matches!(key.as_str(), "target" | "workspace") {
                self.add_dependencies(inner);
                inner.values().filter_map(|value| value.as_table()).for_each(|deeper| self.add_dependencies(deeper));
            }
        }
    }

    /// Adds libraries under the names that dependents give them. A library's own name and the first rename take
    /// precedence.
    fn add_dependency_renames(&mut self) {
        for (name, package) in std::mem::take(&mut self.dependency_renames) {
            if let Some(root) = self.packages.get(&package) {
                self.index.libraries.entry(name).or_insert(*root);
            }
        }
    }

    /// Returns the files that Cargo discovers as crate roots without an entry in the manifest.
    fn conventional_roots(&self, folder: &str) -> Vec<String> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut roots: BTreeSet<String> = BTreeSet::new();
        for (_, file) in self.files.files {
            let Some(rest) = file.path.strip_prefix(prefix.as_str()) else { continue };
            let parts: Vec<&str> = rest.split('/').collect();
            let is_root = matches!(
                parts.as_slice(),
                ["build.rs"]
                    | ["src", "main.rs"]
                    | ["src", "bin", _]
                    | ["src", "bin", _, "main.rs"]
                    | ["tests" | "examples" | "benches", _]
                    | ["tests" | "examples" | "benches", _, "main.rs"]
            );
            if is_root {
                roots.insert(file.path.to_owned());
            }
        }
        roots.into_iter().collect()
    }

    fn add_root(&mut self, path: &str) -> Option<ModuleId> {
        let index = *self.by_path.get(path)?;
        if let Some(module) = self.module_of_file[index] {
            return Some(module);
        }
        let module = self.modules.add(RUST, path, None);
        self.assign_module(index, module, true);
        Some(module)
    }

    /// Assigns a file to a module, and the files that it declares with `mod x;` to child modules.
    fn assign_module(&mut self, index: usize, module: ModuleId, is_root: bool) {
        let mut stack = vec![(index, module, is_root)];
        while let Some((index, module, is_root)) = stack.pop() {
            if self.module_of_file[index].is_some() {
                continue;
            }
            self.module_of_file[index] = Some(module);
            let (file_index, file) = self.files.files[index];
            let outline = self.files.facts.outline(file_index);
            self.modules.add_file(module, file_index);
            let (folder, name) = split_path(file.path).unwrap_or(("", file.path));
            let own_folder = match name.strip_suffix(".rs") {
                Some(stem) if !is_root && stem != "mod" => join(folder, stem),
                _ => folder.to_owned(),
            };
            for import in &outline.imports {
                let listed = self.listed_module(outline, import);
                let is_glob = listed.is_none_or(|(_, reexports)| reexports);
                let Some(declared) = declared_module(outline, import).or(listed.map(|(name, _)| name)) else {
                    continue;
                };
                let inner = inline_path(outline, import.scope);
                let base = inner.iter().fold(own_folder.clone(), |path, part| join(&path, part));
                let target = match declared.strip_prefix(PATH_ATTRIBUTE_PREFIX) {
                    Some(path) if inner.is_empty() => vec![join(folder, path)],
                    Some(path) => vec![join(&base, path)],
                    None => vec![join(&base, &format!("{declared}.rs")), join(&base, &format!("{declared}/mod.rs"))],
                };
                let found = target.iter().find_map(|path| self.by_path.get(path.as_str()).copied());
                let Some(child_index) = found else { continue };
                let around = self.inline_module(module, &inner);
                let child = match self.module_of_file[child_index] {
                    Some(module) => module,
                    None => {
                        let path = self.files.files[child_index].1.path;
                        let child = self.modules.add(RUST, path, Some(around));
                        stack.push((child_index, child, false));
                        child
                    }
                };
                if !declared.starts_with(PATH_ATTRIBUTE_PREFIX) {
                    self.modules.nest(around, declared, child);
                }
                if is_glob {
                    self.index.mod_targets.insert((file_index, import.position), child);
                }
            }
        }
    }

    /// Returns the name of the module that the call of a macro declares, and whether the macro reexports the module's names.
    fn listed_module<'o>(&self, outline: &'o Outline, import: &Import) -> Option<(&'o str, bool)> {
        let (of, name) = listed_name(outline, import)?;
        self.index.declaring_macros.get(of).map(|reexports| (name, *reexports))
    }

    /// Returns the module of inline modules in each other, added before what they declare in other files.
    fn inline_module(&mut self, outer: ModuleId, names: &[&str]) -> ModuleId {
        names.iter().fold(outer, |outer, name| {
            let path = format!("{}::{name}", self.modules.get(outer).path);
            let inner = self.modules.add(RUST, &path, Some(outer));
            self.modules.nest(outer, name, inner);
            inner
        })
    }

    /// Adds each file that no crate reaches as a crate root of its own. Likely roots come first, so that they can
    /// declare the others.
    fn add_unreached_files(&mut self) {
        let mut order: BTreeMap<(bool, usize, &str), usize> = BTreeMap::new();
        for (index, (_, file)) in self.files.files.iter().enumerate() {
            let name = split_path(file.path).map_or(file.path, |(_, name)| name);
            let is_unlikely_root = !matches!(name, "lib.rs" | "main.rs" | "mod.rs");
            order.insert((is_unlikely_root, file.path.matches('/').count(), file.path), index);
        }
        for index in order.into_values() {
            if self.module_of_file[index].is_none() {
                let path = self.files.files[index].1.path;
                let module = self.modules.add(RUST, path, None);
                self.assign_module(index, module, true);
            }
        }
    }

    fn add_macros_and_imports(&mut self) {
        let CrateIndex { macros, declaring_macros, first_imports, .. } = &mut self.index;
        self.files.each_outline(|file, _, outline| {
            for (definition, declaration) in DefId::sequence().zip(&outline.definitions) {
                if declaration.kind == SymbolKind::Macro {
                    let name = outline.names.get(declaration.name).to_owned();
                    if declaration.flags.declares_modules {
                        *declaring_macros.entry(name.clone()).or_default() |= declaration.flags.has_generated_members;
                    }
                    macros.entry(name).or_default().push(SymbolRef { file, definition });
                }
            }
            for (import, position) in outline.imports.iter().zip(0u32..) {
                if let ImportName::Named(name) = import.name {
                    first_imports.entry((file, outline.names.key(name))).or_insert(position);
                }
            }
        });
    }
}

/// Returns the name that `mod x;` declares, if the import was extracted from one.
fn declared_module<'o>(outline: &'o Outline, import: &Import) -> Option<&'o str> {
    let names = &outline.names;
    match import.path.as_slice() {
        [own, name] if import.name == ImportName::Module && names.get(*own) == "self" => Some(names.get(*name)),
        _ => None,
    }
}

/// Returns the macro and the name if the import was extracted from a call that may declare a module.
fn listed_name<'o>(outline: &'o Outline, import: &Import) -> Option<(&'o str, &'o str)> {
    match import.path.as_slice() {
        [of, name] if import.level == 1 => Some((outline.names.get(*of), outline.names.get(*name))),
        _ => None,
    }
}

/// Returns the names of the inline modules around a scope, outermost first.
fn inline_path(outline: &Outline, scope: ScopeId) -> Vec<&str> {
    if scope == ScopeId(0) {
        return Vec::new();
    }
    let is_own = |definition: &&Definition| definition.kind == SymbolKind::Package && definition.scope == scope;
    outline.definitions.iter().find(is_own).map(|own| full_path(outline, own)).unwrap_or_default()
}

fn full_path<'o>(outline: &'o Outline, definition: &Definition) -> Vec<&'o str> {
    definition.scope_names.iter().chain([&definition.name]).map(|name| outline.names.get(*name)).collect()
}

/// Returns a hash of a file's `mod x;` declarations, of inline modules that share a name with one, and of the macros that
/// declare modules.
pub fn layout(outline: &Outline) -> u64 {
    let mut declared: Vec<Vec<&str>> = Vec::new();
    for import in &outline.imports {
        let listed = listed_name(outline, import);
        if let Some(name) = declared_module(outline, import).or(listed.map(|(_, name)| name)) {
            let of = listed.map(|(of, _)| of);
            declared.push(inline_path(outline, import.scope).into_iter().chain([name]).chain(of).collect());
        }
    }
    for declaring in outline.definitions.iter().filter(|definition| definition.flags.declares_modules) {
        let reexports = if declaring.flags.has_generated_members { "*" } else { "" };
        declared.push(vec![outline.names.get(declaring.name), reexports]);
    }
    if declared.is_empty() {
        return 0;
    }
    let is_inline = |definition: &&Definition| definition.kind == SymbolKind::Package && definition.scope != ScopeId(0);
    let inline = outline.definitions.iter().filter(is_inline).map(|definition| full_path(outline, definition));
    let shared: Vec<Vec<&str>> = inline.filter(|path| declared.contains(path)).collect();
    xxhash_rust::xxh3::xxh3_64(format!("{declared:?}{shared:?}").as_bytes())
}

fn split_path(path: &str) -> Option<(&str, &str)> {
    if path.is_empty() { None } else { Some(text::split_path(path)) }
}

/// Joins a folder and a relative path and normalizes `.` and `..`.
fn join(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            other => parts.push(other),
        }
    }
    parts.join("/")
}
