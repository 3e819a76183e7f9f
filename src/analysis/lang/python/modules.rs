//! Modules of a repository (one for each file and directory), and the resolution of imports and fixtures.

use std::collections::{BTreeMap, BTreeSet};

use super::{NAME, stdlib};
use crate::facts::{Import, ImportName, NameKey, Outline, name_key};
use crate::model::FileIndex;
use crate::resolve::eval::Evaluator;
use crate::resolve::input::{FileInput, LanguageFiles};
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::rules::UseSite;
use crate::resolve::value::Value;
use crate::text::{file_name, parent_dir, split_path};

/// Modules that an absolute import can start with, by name. The directory is the one that must be on `sys.path`.
struct TopLevelModules(BTreeMap<String, Vec<(String, ModuleId)>>);

/// Adds a module for each file, named by its path without the extension, and for each directory.
pub(super) fn add_modules(files: LanguageFiles<'_>, modules: &mut Modules) {
    let files = files.files;
    let packages: BTreeSet<&str> =
        files.iter().filter(|(_, file)| is_init_file(file.path)).map(|(_, file)| parent_dir(file.path)).collect();
    let mut top: BTreeMap<String, Vec<(String, ModuleId)>> = BTreeMap::new();
    let mut added = BTreeSet::new();
    // Sources before stubs and notebooks: a module's file is its source if it has both.
    let mut ordered: Vec<&(FileIndex, FileInput<'_>)> = files.iter().collect();
    ordered.sort_by_key(|(file_index, file)| (!file.path.ends_with(".py"), *file_index));
    for (file_index, file) in ordered {
        let path = module_path(file.path);
        let module = add_with_parents(modules, path, &packages, &mut top, &mut added);
        if modules.get(module).file.is_none() {
            modules.add_file(module, *file_index);
        }
    }
    modules.set_state(NAME, TopLevelModules(top));
}

/// Adds the module at a path and those of its parent directories.
fn add_with_parents<'a>(
    modules: &mut Modules,
    path: &'a str,
    packages: &BTreeSet<&str>,
    top: &mut BTreeMap<String, Vec<(String, ModuleId)>>,
    added: &mut BTreeSet<&'a str>,
) -> ModuleId {
    let module = modules.add(NAME, path, None);
    if path.is_empty() || !added.insert(path) {
        return module;
    }
    let (dir, name) = split_path(path);
    let parent = add_with_parents(modules, dir, packages, top, added);
    modules.nest(parent, name, module);
    if !packages.contains(dir) {
        top.entry(name.to_owned()).or_default().push((dir.to_owned(), module));
    }
    module
}

fn is_init_file(path: &str) -> bool {
    let name = file_name(path);
    matches!(name, "__init__.py" | "__init__.pyi")
}

/// Returns the path of a file's module: its directory for `__init__.py`, else the path without the extension.
fn module_path(path: &str) -> &str {
    if is_init_file(path) { parent_dir(path) } else { path.rsplit_once('.').map_or(path, |(stem, _)| stem) }
}

/// Returns the value of an import's path and the number of segments resolved; the others are members of the value.
pub(super) fn resolve_import(eval: &mut Evaluator<'_>, site: UseSite, import: &Import) -> (Value, usize) {
    let outline = eval.world.outline(site.file);
    let path: Vec<&str> = import.path.iter().map(|segment| outline.names.get(*segment)).collect();
    let start = if import.level > 0 {
        relative_package(eval, site.file, import.level)
    } else {
        let next = next_segment(outline, import);
        next.into_iter().for_each(|next| eval.record_lookup(next));
        path.first().and_then(|first| top_level_module(eval, site.file, first, next))
    };
    match start {
        Some(start) => {
            let (module, resolved) =
                resolve_submodules(&eval.world.modules, start, &path[usize::from(import.level == 0)..]);
            (Value::Module(module), resolved + usize::from(import.level == 0))
        }
        None if import.level > 0 => (Value::Unknown, path.len()),
        None => (Value::external(&path.join(".")), path.len()),
    }
}

/// Folders from which projects install packages.
const SOURCE_ROOTS: [&str; 4] = ["", "lib", "python", "src"];
/// Top-level modules of projects that are not installed.
const NOT_INSTALLED: [&str; 9] =
    ["benchmarks", "conftest", "docs", "examples", "noxfile", "scripts", "setup", "test", "tests"];

/// Returns the top-level module that other projects import under the first segment of a name.
pub(super) fn exported(modules: &Modules, name: &str) -> Option<(ModuleId, usize)> {
    let first = name.split('.').next().unwrap_or_default();
    let TopLevelModules(top) = modules.state::<TopLevelModules>(NAME)?;
    let is_installed = |(root, _): &&(String, ModuleId)| SOURCE_ROOTS.contains(&root.as_str());
    let (_, module) = top.get(first)?.iter().find(is_installed).filter(|_| !NOT_INSTALLED.contains(&first))?;
    Some((*module, first.len()))
}

/// Returns the pytest fixture with this name: of the test's file, else of the nearest `conftest.py`.
pub(super) fn resolve_fixture(eval: &mut Evaluator<'_>, file: FileIndex, name: &str) -> Value {
    let path = eval.world.files[file.index()].path;
    let mut candidates = vec![module_path(path).to_owned()];
    let mut dir = parent_dir(path);
    loop {
        candidates.push(if dir.is_empty() { "conftest".to_owned() } else { format!("{dir}/conftest") });
        if dir.is_empty() {
            break;
        }
        dir = parent_dir(dir);
    }
    for candidate in candidates {
        let Some(module) = eval.world.modules.find(NAME, &candidate) else { continue };
        let value = eval.module_member(module, name);
        if matches!(&value, Value::Symbol { symbol, .. } if eval.world.definition(*symbol).kind.is_callable()) {
            return value;
        }
    }
    Value::Unknown
}

/// Returns the innermost submodule on a path and the number of segments that are submodules.
fn resolve_submodules(modules: &Modules, start: ModuleId, path: &[&str]) -> (ModuleId, usize) {
    let mut module = start;
    for (resolved, segment) in path.iter().enumerate() {
        match modules.get(module).children.get(&name_key(segment)) {
            Some(&child) => module = child,
            None => return (module, resolved),
        }
    }
    (module, path.len())
}

/// Returns the package that a relative import with `level` dots starts at.
fn relative_package(eval: &Evaluator<'_>, file: FileIndex, level: u8) -> Option<ModuleId> {
    let mut dir = parent_dir(eval.world.files[file.index()].path);
    for _ in 1..level {
        if dir.is_empty() {
            return None;
        }
        dir = parent_dir(dir);
    }
    eval.world.modules.find(NAME, dir)
}

/// Returns the name behind the first segment of an absolute import: the next segment or the imported name. `import a.b`
/// also has an import of `a` at its place, for the name that it binds.
fn next_segment(outline: &Outline, import: &Import) -> Option<NameKey> {
    let key = |import: &Import| match import.name {
        _ if import.path.len() > 1 => Some(outline.names.key(import.path[1])),
        ImportName::Named(name) => Some(outline.names.key(name)),
        _ => None,
    };
    key(import).or_else(|| {
        let same = outline.imports.partition_point(|other| other.position < import.position);
        let beside = outline.imports[same..].iter().take_while(|other| other.position == import.position);
        beside.filter(|other| other.path.first() == import.path.first()).find_map(key)
    })
}

/// Returns whether a module can have a submodule or a name.
fn may_have(eval: &Evaluator<'_>, module: ModuleId, name: NameKey) -> bool {
    let data = eval.world.modules.get(module);
    let has = |name: NameKey| !eval.world.modules.bindings(module, name).is_empty();
    let is_open = has(name_key("__getattr__")) || !eval.world.globs.reexporting(module).is_empty();
    data.children.contains_key(&name) || has(name) || is_open
}

/// The rank of a module: whether its folder is around the file, whether it has the next name, the segments of paths in common,
/// whether it has a file, and how near the root it is. The greatest is meant.
type Preference = (bool, bool, usize, bool, usize);

/// Returns the module that the first segment of an absolute import refers to: of several, one that has the name behind it,
/// and of these the nearest to the file. In `app/`, a package without `__init__.py`, `import app.web` does not mean
/// `app/app.py`.
fn top_level_module(eval: &Evaluator<'_>, file: FileIndex, name: &str, next: Option<NameKey>) -> Option<ModuleId> {
    let TopLevelModules(top) = eval.world.modules.state::<TopLevelModules>(NAME)?;
    let dir = parent_dir(eval.world.files[file.index()].path);
    let mut best: Option<(Preference, ModuleId)> = None;
    for (root, module) in top.get(name)? {
        let is_above = is_at_or_above(root, dir);
        let data = eval.world.modules.get(*module);
        let is_namespace_package = data.file.is_none();
        let is_source_root = root.is_empty() || matches!(file_name(root), "src" | "lib" | "python" | "tests");
        // A directory without `__init__.py` counts as a package only at a source root or next to the file.
        if is_namespace_package && !is_source_root && !(is_above && root == dir) {
            continue;
        }
        let has_submodules = !data.children.is_empty();
        if !is_above && !is_source_root && (!has_submodules || stdlib::is_stdlib_module(name)) {
            continue;
        }
        if stdlib::is_stdlib_module(name) && root != dir {
            continue;
        }
        let common = common_segments(root, dir);
        let has_next = next.is_none_or(|next| may_have(eval, *module, next));
        let preference = (is_above, has_next, common, !is_namespace_package, usize::MAX - root.len());
        if best.is_none_or(|(highest, _)| preference > highest) {
            best = Some((preference, *module));
        }
    }
    best.map(|(_, module)| module)
}

/// Returns whether `root` is `dir` or an ancestor of it.
fn is_at_or_above(root: &str, dir: &str) -> bool {
    root.is_empty() || dir == root || dir.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'))
}

/// Returns the number of leading path segments that two paths share.
fn common_segments(left: &str, right: &str) -> usize {
    left.split('/').zip(right.split('/')).take_while(|(a, b)| a == b && !a.is_empty()).count()
}
