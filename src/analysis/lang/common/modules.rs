//! Modules from the packages that files declare, and paths of modules.

use crate::facts::{ImportName, Outline};
use crate::resolve::input::LanguageFiles;
use crate::resolve::modules::Modules;

/// Adds a module for each package: the files that declare it. Files without a package share one without a name.
pub fn add_packages(language: &'static str, files: LanguageFiles<'_>, modules: &mut Modules) {
    files.each_outline(|number, _, outline| {
        let package = outline.package.map_or("", |package| outline.names.get(package));
        let module = modules.add(language, package, None);
        modules.add_file(module, number);
    });
}

/// Returns the paths of the modules whose names a file imports all.
pub fn globs(outline: &Outline) -> impl Iterator<Item = String> {
    outline.imports.iter().filter(|import| import.name == ImportName::All).map(|import| {
        let segments: Vec<&str> = import.path.iter().map(|segment| outline.names.get(*segment)).collect();
        segments.join(".")
    })
}

/// Returns a path relative to a folder, without `.` and `..`. What is outside of the repository is taken as inside.
pub fn joined(folder: &str, path: &str) -> String {
    join(folder, path).0
}

/// Returns a path relative to a folder, without `.` and `..`; `None` if it is outside of the repository.
pub fn joined_inside(folder: &str, path: &str) -> Option<String> {
    let (path, is_inside) = join(folder, path);
    is_inside.then_some(path)
}

fn join(folder: &str, path: &str) -> (String, bool) {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let mut is_inside = true;
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => is_inside &= parts.pop().is_some(),
            other => parts.push(other),
        }
    }
    (parts.join("/"), is_inside)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_relative_to_a_folder() {
        assert_eq!(joined("a/b", "./../c//d"), "a/c/d");
        assert_eq!(joined("a", "../../c"), "c");
        assert_eq!(joined_inside("a", "../c").as_deref(), Some("c"));
        assert_eq!(joined_inside("a", "../../c"), None);
    }
}
