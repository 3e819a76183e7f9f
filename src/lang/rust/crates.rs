//! Crates and their modules: which files are crate roots, and which modules `mod x;` hangs below them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::facts::{Import, ImportName, NameKey, ScopeId};
use crate::model::SymbolKind;
use crate::resolve::input::{FileInput, Manifest};
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::value::SymbolRef;

/// The language under which modules are registered.
pub const RUST: &str = "rust";

/// What the rules need to know of the whole repository.
#[derive(Default)]
pub struct Project {
    /// Library crates of the repository by the name under which others use them.
    pub libraries: HashMap<String, ModuleId>,
    /// Names of crates that manifests depend on.
    pub dependencies: HashSet<String>,
    /// Where each `mod x;` leads, by its file and byte.
    pub declared: HashMap<(u32, u32), ModuleId>,
    /// Macros by name.
    pub macros: HashMap<String, Vec<SymbolRef>>,
    /// The first import of each name in each file.
    pub imported: HashMap<(u32, NameKey), u32>,
}

/// Registers the modules of every crate.
pub fn add_crates(files: &[(u32, FileInput<'_>)], manifests: &[Manifest], modules: &mut Modules) {
    let mut layout = Layout {
        packages: HashMap::new(),
        renamed: Vec::new(),
        by_path: files.iter().enumerate().map(|(index, (_, file))| (file.path, index)).collect(),
        files,
        placed: vec![None; files.len()],
        modules,
        project: Project::default(),
    };
    for manifest in manifests {
        layout.add_package(manifest);
    }
    layout.add_renamed();
    layout.add_orphans();
    layout.add_macros();
    layout.add_imported();
    let project = layout.project;
    modules.set_state(RUST, project);
}

struct Layout<'a, 'f> {
    files: &'a [(u32, FileInput<'f>)],
    by_path: HashMap<&'a str, usize>,
    /// Library crates by the names of their packages.
    packages: HashMap<String, ModuleId>,
    /// Names that manifests give to packages they depend on, and the packages.
    renamed: Vec<(String, String)>,
    placed: Vec<Option<ModuleId>>,
    modules: &'a mut Modules,
    project: Project,
}

impl Layout<'_, '_> {
    /// The crates of one `Cargo.toml`.
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
            self.project.libraries.entry(library_name).or_insert(root);
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
                        self.renamed.push((name.clone(), package.to_owned()));
                    }
                    self.project.dependencies.insert(name);
                }
            } else if matches!(key.as_str(), "target" | "workspace") {
                self.add_dependencies(inner);
                inner.values().filter_map(|value| value.as_table()).for_each(|deeper| self.add_dependencies(deeper));
            }
        }
    }

    /// Makes libraries known by the names that their dependents give them. The first wins, and a library's own name.
    fn add_renamed(&mut self) {
        for (name, package) in std::mem::take(&mut self.renamed) {
            if let Some(root) = self.packages.get(&package) {
                self.project.libraries.entry(name).or_insert(*root);
            }
        }
    }

    /// Files that Cargo takes for crate roots without being told.
    fn conventional_roots(&self, folder: &str) -> Vec<String> {
        let prefix = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut roots: BTreeSet<String> = BTreeSet::new();
        for (_, file) in self.files {
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
        if let Some(known) = self.placed[index] {
            return Some(known);
        }
        let module = self.modules.add(RUST, path, None);
        self.place(index, module, true);
        Some(module)
    }

    /// Makes a file a module, and the files that it declares modules below it.
    fn place(&mut self, index: usize, module: ModuleId, is_root: bool) {
        let mut waiting = vec![(index, module, is_root)];
        while let Some((index, module, is_root)) = waiting.pop() {
            if self.placed[index].is_some() {
                continue;
            }
            self.placed[index] = Some(module);
            let (number, file) = self.files[index];
            self.modules.add_file(module, number);
            let (folder, name) = split_path(file.path).unwrap_or(("", file.path));
            let own_folder = match name.strip_suffix(".rs") {
                Some(stem) if !is_root && stem != "mod" => join(folder, stem),
                _ => folder.to_owned(),
            };
            for import in &file.outline.imports {
                let Some(declared) = declared_module(&file, import) else { continue };
                let inner = inline_path(&file, import.scope);
                let target = match declared.strip_prefix('=') {
                    Some(path) => vec![join(folder, path)],
                    None => {
                        let base = inner.iter().fold(own_folder.clone(), |path, part| join(&path, part));
                        vec![join(&base, &format!("{declared}.rs")), join(&base, &format!("{declared}/mod.rs"))]
                    }
                };
                let found = target.iter().find_map(|path| self.by_path.get(path.as_str()).copied());
                let Some(child_index) = found else { continue };
                let child = match self.placed[child_index] {
                    Some(known) => known,
                    None => {
                        let path = self.files[child_index].1.path;
                        let child = self.modules.add(RUST, path, Some(module));
                        waiting.push((child_index, child, false));
                        child
                    }
                };
                if inner.is_empty() && !declared.starts_with('=') {
                    self.modules.nest(module, declared, child);
                }
                self.project.declared.insert((number, import.position), child);
            }
        }
    }

    /// Files that no crate reaches: each becomes a crate of its own, likely roots first.
    fn add_orphans(&mut self) {
        let mut order: BTreeMap<(bool, usize, &str), usize> = BTreeMap::new();
        for (index, (_, file)) in self.files.iter().enumerate() {
            let name = split_path(file.path).map_or(file.path, |(_, name)| name);
            let unlikely = !matches!(name, "lib.rs" | "main.rs" | "mod.rs");
            order.insert((unlikely, file.path.matches('/').count(), file.path), index);
        }
        for index in order.into_values() {
            if self.placed[index].is_none() {
                let path = self.files[index].1.path;
                let module = self.modules.add(RUST, path, None);
                self.place(index, module, true);
            }
        }
    }

    fn add_macros(&mut self) {
        for (number, file) in self.files {
            for (definition, place) in file.outline.definitions.iter().zip(0u32..) {
                if definition.kind == SymbolKind::Macro {
                    let name = file.outline.names.get(definition.name).to_owned();
                    let symbol = SymbolRef { file: *number, definition: place };
                    self.project.macros.entry(name).or_default().push(symbol);
                }
            }
        }
    }

    fn add_imported(&mut self) {
        for (number, file) in self.files {
            for (import, place) in file.outline.imports.iter().zip(0u32..) {
                if let ImportName::Named(name) = import.name {
                    self.project.imported.entry((*number, file.outline.names.key(name))).or_insert(place);
                }
            }
        }
    }
}

/// The name that `mod x;` declares, if the import stands for one.
fn declared_module<'o>(file: &FileInput<'o>, import: &Import) -> Option<&'o str> {
    let names = &file.outline.names;
    match import.path.as_slice() {
        [own, name] if import.name == ImportName::Module && names.get(*own) == "self" => Some(names.get(*name)),
        _ => None,
    }
}

/// Names of the inline modules around a scope, outermost first.
fn inline_path<'o>(file: &FileInput<'o>, scope: ScopeId) -> Vec<&'o str> {
    if scope == ScopeId(0) {
        return Vec::new();
    }
    let names = &file.outline.names;
    let is_own =
        |definition: &&crate::facts::Definition| definition.kind == SymbolKind::Package && definition.scope == scope;
    let Some(own) = file.outline.definitions.iter().find(is_own) else { return Vec::new() };
    own.scope_names.iter().chain([&own.name]).map(|name| names.get(*name)).collect()
}

fn split_path(path: &str) -> Option<(&str, &str)> {
    if path.is_empty() { None } else { Some(path.rsplit_once('/').unwrap_or(("", path))) }
}

/// Joins a folder and a relative path, taking `.` and `..` away.
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
