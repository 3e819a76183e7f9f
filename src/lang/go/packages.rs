//! Which directories are which packages: `go.mod` files and package clauses.

use std::collections::BTreeMap;

use crate::resolve::input::{FileInput, Manifest};
use crate::resolve::modules::Modules;

/// Go modules of the repository, the innermost directories first.
struct Roots {
    /// Directory and module path.
    modules: Vec<(String, String)>,
    /// Module path and the local directory that replaces it.
    replacements: Vec<(String, String)>,
}

/// Makes a module of each package: the files of one directory with the same package clause. A directory's main package
/// is known by its import path; others in it (`foo_test`, programs that the build ignores) by the path and their name.
pub(super) fn add(files: &[(u32, FileInput<'_>)], manifests: &[Manifest], modules: &mut Modules) {
    let roots = Roots::read(manifests);
    let mut directories: BTreeMap<&str, Vec<(u32, FileInput<'_>)>> = BTreeMap::new();
    for (number, file) in files {
        directories.entry(directory(file.path)).or_default().push((*number, *file));
    }
    for (path, mut members) in directories {
        let import_path = roots.import_path(path);
        let main = main_package(&members);
        // The first file stands for the package: one that bears its name, never a test.
        let own_name = format!("{}.go", path.rsplit('/').next().unwrap_or(path));
        members.sort_by_key(|(_, file)| (file.outline.is_test, !file.path.ends_with(&own_name), file.path));
        for (number, file) in &members {
            let package = package_name(file);
            let module = if package == main {
                modules.add("go", &import_path, None)
            } else {
                modules.add("go", &format!("{import_path}#{package}"), None)
            };
            modules.add_file(module, *number);
        }
        if let Some(module) = modules.find("go", &import_path) {
            for replaced in roots.replaced_paths(path) {
                modules.alias("go", &replaced, module);
            }
        }
    }
}

fn directory(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(directory, _)| directory)
}

fn package_name<'a>(file: &FileInput<'a>) -> &'a str {
    file.outline.package.map_or("", |package| file.outline.names.get(package))
}

/// The package that an import of the directory means: the one with most files, leaving out external tests, and
/// programs where there is something else.
fn main_package<'a>(files: &[(u32, FileInput<'a>)]) -> &'a str {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, file) in files {
        *counts.entry(package_name(file)).or_default() += 1;
    }
    let rank = |(name, count): &(&'a str, usize)| (!name.ends_with("_test"), *name != "main", *count);
    // The last of equals wins: go through the names backwards, so that it is the first by name.
    counts.into_iter().rev().max_by_key(rank).map_or("", |(name, _)| name)
}

impl Roots {
    fn read(manifests: &[Manifest]) -> Roots {
        let mut roots = Roots { modules: Vec::new(), replacements: Vec::new() };
        for manifest in manifests {
            if manifest.path.rsplit('/').next() != Some("go.mod") {
                continue;
            }
            let home = directory(&manifest.path);
            let mut in_replace = false;
            for line in manifest.text.lines() {
                let line = line.split("//").next().unwrap_or_default().trim();
                if let Some(path) = line.strip_prefix("module ") {
                    roots.modules.push((home.to_owned(), unquoted(path).to_owned()));
                } else if line.starts_with("replace (") {
                    in_replace = true;
                } else if line == ")" {
                    in_replace = false;
                } else if let Some(rule) = line.strip_prefix("replace ").or(in_replace.then_some(line)) {
                    roots.replacements.extend(replacement(home, rule));
                }
            }
        }
        roots.modules.sort_by(|left, right| right.0.len().cmp(&left.0.len()).then(left.0.cmp(&right.0)));
        roots
    }

    /// The import path of a directory: below its module, or just itself where there is none.
    fn import_path(&self, path: &str) -> String {
        for (home, module) in &self.modules {
            if let Some(rest) = below(path, home) {
                return join(module, rest);
            }
        }
        path.to_owned()
    }

    fn replaced_paths(&self, path: &str) -> Vec<String> {
        let replaced = self.replacements.iter();
        replaced.filter_map(|(module, home)| Some(join(module, below(path, home)?))).collect()
    }
}

/// `old [v1] => ./folder`.
fn replacement(home: &str, rule: &str) -> Option<(String, String)> {
    let (old, new) = rule.split_once("=>")?;
    let new = unquoted(new.trim());
    if !new.starts_with('.') {
        return None;
    }
    let mut parts: Vec<&str> = home.split('/').filter(|part| !part.is_empty()).collect();
    for part in new.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some((unquoted(old.split_whitespace().next()?).to_owned(), parts.join("/")))
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['"', '`'])
}

/// The rest of `path` below `home`, if it is there.
fn below<'p>(path: &'p str, home: &str) -> Option<&'p str> {
    if home.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(home)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

fn join(module: &str, rest: &str) -> String {
    if rest.is_empty() { module.to_owned() } else { format!("{module}/{rest}") }
}
