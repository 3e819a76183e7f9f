//! Which module each file is, and what an import's path leads to.

use std::collections::{BTreeMap, BTreeSet};

use super::standard;
use crate::facts::{Import, name_key};
use crate::resolve::eval::Evaluator;
use crate::resolve::input::FileInput;
use crate::resolve::modules::{ModuleId, Modules};
use crate::resolve::rules::UseSite;
use crate::resolve::value::Value;

const LANGUAGE: &str = "python";

/// Modules that an absolute import can begin with, by name: the folder that would have to be on the path, and the module.
struct TopLevel(BTreeMap<String, Vec<(String, ModuleId)>>);

/// Makes a module of each file, named by its path without the extension, and of each folder.
pub(super) fn add_all(files: &[(u32, FileInput<'_>)], modules: &mut Modules) {
    let packages: BTreeSet<&str> =
        files.iter().filter(|(_, file)| is_package_file(file.path)).map(|(_, file)| folder_of(file.path)).collect();
    let mut top: BTreeMap<String, Vec<(String, ModuleId)>> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    // Sources before stubs, so that a stub beside its source does not stand for the module.
    let mut ordered: Vec<&(u32, FileInput<'_>)> = files.iter().collect();
    ordered.sort_by_key(|(number, file)| (file.path.ends_with(".pyi"), *number));
    for (number, file) in ordered {
        let path = module_path(file.path);
        let module = add(modules, path, &packages, &mut top, &mut seen);
        if modules.get(module).file.is_none() {
            modules.add_file(module, *number);
        }
    }
    modules.set_state(LANGUAGE, TopLevel(top));
}

/// The module at a path, with the folders around it.
fn add<'a>(
    modules: &mut Modules,
    path: &'a str,
    packages: &BTreeSet<&str>,
    top: &mut BTreeMap<String, Vec<(String, ModuleId)>>,
    seen: &mut BTreeSet<&'a str>,
) -> ModuleId {
    let module = modules.add(LANGUAGE, path, None);
    if path.is_empty() || !seen.insert(path) {
        return module;
    }
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let parent = add(modules, folder, packages, top, seen);
    modules.nest(parent, name, module);
    if !packages.contains(folder) {
        top.entry(name.to_owned()).or_default().push((folder.to_owned(), module));
    }
    module
}

fn is_package_file(path: &str) -> bool {
    let name = path.rsplit_once('/').map_or(path, |(_, name)| name);
    matches!(name, "__init__.py" | "__init__.pyi")
}

fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn module_path(path: &str) -> &str {
    if is_package_file(path) { folder_of(path) } else { path.rsplit_once('.').map_or(path, |(stem, _)| stem) }
}

/// What an import's path leads to, and how many of its segments that took.
pub(super) fn import(eval: &mut Evaluator<'_>, place: UseSite, import: &Import) -> (Value, usize) {
    let outline = eval.world.outline(place.file);
    let path: Vec<&str> = import.path.iter().map(|segment| outline.names.get(*segment)).collect();
    let start = if import.level > 0 {
        package_above(eval, place.file, import.level)
    } else {
        path.first().and_then(|first| top_level(eval, place.file, first))
    };
    match start {
        Some(start) => {
            let (module, taken) = descend(&eval.world.modules, start, &path[usize::from(import.level == 0)..]);
            (Value::Module(module), taken + usize::from(import.level == 0))
        }
        None if import.level > 0 => (Value::Unknown, path.len()),
        None => (Value::external(&path.join(".")), path.len()),
    }
}

/// The function that gives a test's parameter: of the test's own file, else of the nearest `conftest.py`.
pub(super) fn fixture(eval: &mut Evaluator<'_>, file: u32, name: &str) -> Value {
    let path = eval.world.files[file as usize].path;
    let mut candidates = vec![module_path(path).to_owned()];
    let mut folder = folder_of(path);
    loop {
        candidates.push(if folder.is_empty() { "conftest".to_owned() } else { format!("{folder}/conftest") });
        if folder.is_empty() {
            break;
        }
        folder = folder_of(folder);
    }
    for candidate in candidates {
        let Some(module) = eval.world.modules.find(LANGUAGE, &candidate) else { continue };
        let value = eval.module_member(module, name);
        if matches!(&value, Value::Symbol { symbol, .. } if eval.world.definition(*symbol).kind.is_callable()) {
            return value;
        }
    }
    Value::Unknown
}

/// Follows submodules as far as there are any; what remains are names in the last one.
fn descend(modules: &Modules, start: ModuleId, path: &[&str]) -> (ModuleId, usize) {
    let mut module = start;
    for (taken, segment) in path.iter().enumerate() {
        match modules.get(module).children.get(&name_key(segment)) {
            Some(&child) => module = child,
            None => return (module, taken),
        }
    }
    (module, path.len())
}

/// The package that `level` dots mean in a file.
fn package_above(eval: &Evaluator<'_>, file: u32, level: u8) -> Option<ModuleId> {
    let mut folder = folder_of(eval.world.files[file as usize].path);
    for _ in 1..level {
        if folder.is_empty() {
            return None;
        }
        folder = folder_of(folder);
    }
    eval.world.modules.find(LANGUAGE, folder)
}

/// The module that an absolute import's first name means in a file: of several, the one whose folder is nearest.
fn top_level(eval: &Evaluator<'_>, file: u32, name: &str) -> Option<ModuleId> {
    let TopLevel(top) = eval.world.modules.state::<TopLevel>(LANGUAGE)?;
    let folder = folder_of(eval.world.files[file as usize].path);
    let mut best: Option<((bool, usize, bool, usize), ModuleId)> = None;
    for (root, module) in top.get(name)? {
        let is_above = is_at_or_above(root, folder);
        let data = eval.world.modules.get(*module);
        let is_plain_folder = data.file.is_none();
        let is_source_root = root.is_empty() || matches!(last_segment(root), "src" | "lib" | "python" | "tests");
        // A folder without `__init__` counts as a package only from where it must be: the root, or right beside.
        if is_plain_folder && !is_source_root && !(is_above && root == folder) {
            continue;
        }
        let is_package = !data.children.is_empty();
        if !is_above && !is_source_root && (!is_package || standard::is_standard_module(name)) {
            continue;
        }
        if standard::is_standard_module(name) && root != folder {
            continue;
        }
        let common = common_segments(root, folder);
        let rank = (is_above, common, !is_plain_folder, usize::MAX - root.len());
        if best.is_none_or(|(known, _)| rank > known) {
            best = Some((rank, *module));
        }
    }
    best.map(|(_, module)| module)
}

fn last_segment(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

fn is_at_or_above(root: &str, folder: &str) -> bool {
    root.is_empty() || folder == root || folder.strip_prefix(root).is_some_and(|rest| rest.starts_with('/'))
}

fn common_segments(left: &str, right: &str) -> usize {
    left.split('/').zip(right.split('/')).take_while(|(a, b)| a == b && !a.is_empty()).count()
}
