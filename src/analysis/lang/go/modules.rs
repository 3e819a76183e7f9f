//! Modules of a repository: one for each package, named by its import path from `go.mod` and its directory.

use std::collections::BTreeMap;

use super::NAME;
use crate::lang::common::modules::joined_inside;
use crate::lang::manifest::Packages;
use crate::model::FileIndex;
use crate::resolve::eval::Evaluator;
use crate::resolve::input::{LanguageFiles, Manifest};
use crate::resolve::modules::{ModuleId, Modules};
use crate::text::parent_dir;

/// The `go.mod` files of a repository.
struct GoMods {
    /// Directory and module path of each, longest directory first.
    modules: Vec<(String, String)>,
    /// `replace` directives to local directories: module path and directory.
    replacements: Vec<(String, String)>,
}

/// Adds a module for each package: the files of one directory with the same package clause. The importable package of a
/// directory is named by its import path, others in it (`foo_test`, ignored programs) by `path#name`.
pub fn add_modules(files: LanguageFiles<'_>, manifests: &[Manifest], modules: &mut Modules) {
    let go_mods = GoMods::parse(manifests);
    let mut directories: BTreeMap<&str, Vec<GoFile<'_>>> = BTreeMap::new();
    files.each_outline(|index, file, outline| {
        let package = outline.package.map_or("", |package| outline.names.get(package)).to_owned();
        let file = GoFile { index, path: file.path, is_test: outline.is_test, package };
        directories.entry(parent_dir(file.path)).or_default().push(file);
    });
    for (path, mut members) in directories {
        let import_path = go_mods.import_path(path);
        let importable = importable_package(&members).to_owned();
        // The first file represents the package: preferably the one with its name, and no test if there is another.
        let own_name = format!("{}.go", path.rsplit('/').next().unwrap_or(path));
        members.sort_by_key(|file| (file.is_test, !file.path.ends_with(&own_name), file.path));
        for GoFile { index, package, .. } in &members {
            let module = if *package == importable {
                modules.add(NAME, &import_path, None)
            } else {
                modules.add(NAME, &format!("{import_path}#{package}"), None)
            };
            modules.add_file(module, *index);
        }
        if let Some(module) = modules.find(NAME, &import_path) {
            for replaced in go_mods.replaced_paths(path) {
                modules.alias(NAME, &replaced, module);
            }
        }
    }
}

/// Returns the package with this import path. Without a `go.mod`, packages are found by the part of the path after
/// host, owner and repository.
pub fn find_package(modules: &Modules, path: &str) -> Option<ModuleId> {
    if let Some(module) = modules.find(NAME, path) {
        return Some(module);
    }
    let (host, _) = path.split_once('/')?;
    if !host.contains('.') {
        return None;
    }
    modules.find(NAME, path.splitn(4, '/').nth(3)?)
}

/// Returns the name in a package's clause.
pub fn clause_name<'w>(eval: &Evaluator<'w>, module: ModuleId) -> Option<&'w str> {
    let outline = eval.world.outline(eval.world.modules.get(module).file?);
    outline.package.map(|package| outline.names.get(package))
}

/// A file of a directory.
struct GoFile<'a> {
    index: FileIndex,
    path: &'a str,
    is_test: bool,
    /// The name in its package clause.
    package: String,
}

/// Returns the name of the package that an import of the directory refers to. Packages that are neither external tests
/// nor programs are preferred, then those with more files.
fn importable_package<'a>(files: &'a [GoFile<'_>]) -> &'a str {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for file in files {
        *counts.entry(&file.package).or_default() += 1;
    }
    let preference = |(name, count): &(&'a str, usize)| (!name.ends_with("_test"), *name != "main", *count);
    // `max_by_key` returns the last maximum: reversed, that is the first by name.
    counts.into_iter().rev().max_by_key(preference).map_or("", |(name, _)| name)
}

impl GoMods {
    /// Parses the `module` and `replace` directives of all `go.mod` files.
    fn parse(manifests: &[Manifest]) -> GoMods {
        let mut go_mods = GoMods { modules: Vec::new(), replacements: Vec::new() };
        for manifest in manifests {
            if manifest.path.rsplit('/').next() != Some("go.mod") {
                continue;
            }
            let dir = parent_dir(&manifest.path);
            for (directive, rest) in directives(&manifest.text) {
                match directive {
                    "module" => go_mods.modules.push((dir.to_owned(), unquoted(rest).to_owned())),
                    "replace" => go_mods.replacements.extend(parse_replace(dir, rest)),
                    _ => {}
                }
            }
        }
        go_mods.modules.sort_by(|left, right| right.0.len().cmp(&left.0.len()).then(left.0.cmp(&right.0)));
        go_mods
    }

    /// Returns the import path of a directory: its module's path and its path in the module. Without a module it is the
    /// directory's own path.
    fn import_path(&self, path: &str) -> String {
        for (dir, module) in &self.modules {
            if let Some(rest) = strip_dir(path, dir) {
                return join(module, rest);
            }
        }
        path.to_owned()
    }

    /// Returns the import paths that `replace` directives map to a directory.
    fn replaced_paths(&self, path: &str) -> Vec<String> {
        let replacements = self.replacements.iter();
        replacements.filter_map(|(module, dir)| Some(join(module, strip_dir(path, dir)?))).collect()
    }
}

/// Returns the directives of a `go.mod` with their arguments, those in parentheses one by one.
fn directives(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut block = "";
    text.lines().filter_map(move |line| {
        let line = line.split("//").next().unwrap_or_default().trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if line == ")" {
            block = "";
        } else if rest.trim() == "(" {
            block = word;
        } else if !line.is_empty() {
            return Some(if block.is_empty() { (word, rest.trim()) } else { (block, line) });
        }
        None
    })
}

/// Adds the module that a `go.mod` defines and those that it requires.
pub fn read_packages(manifest: &Manifest, packages: &mut Packages) {
    for (directive, rest) in directives(&manifest.text) {
        match (directive, rest.split_whitespace().next()) {
            ("module", Some(path)) => packages.define(path),
            ("require", Some(path)) => packages.require(path),
            _ => {}
        }
    }
}

/// Parses `old [v1] => ./folder`. Returns the module path and the directory, or `None` for a remote replacement.
fn parse_replace(dir: &str, rule: &str) -> Option<(String, String)> {
    let (old, new) = rule.split_once("=>")?;
    let new = unquoted(new.trim());
    let dir = joined_inside(dir, new).filter(|_| new.starts_with('.'))?;
    Some((unquoted(old.split_whitespace().next()?).to_owned(), dir))
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '`'])
}

/// Returns the part of `path` after the directory `dir`, if it is in it.
fn strip_dir<'p>(path: &'p str, dir: &str) -> Option<&'p str> {
    if dir.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(dir)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

fn join(module: &str, rest: &str) -> String {
    if rest.is_empty() { module.to_owned() } else { format!("{module}/{rest}") }
}
