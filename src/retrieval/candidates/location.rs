//! The `location` channel: the definitions at the paths and lines that a task names, such as the frames of a trace.

use std::collections::HashMap;
use std::path::Path;

use super::{IndexView, is_definition};
use crate::model::{NodeId, Symbol, SymbolKind};
use crate::query::Location;
use crate::rank::tuning;
use crate::scan::exclude::is_vendored_folder;
use crate::store::StoreError;

/// System folders of installed programs and libraries.
const SYSTEM_FOLDERS: [&str; 7] = ["/lib", "/Library", "/nix", "/opt", "/rustc", "/System", "/usr"];
/// The folder within [`SYSTEM_FOLDERS`] that has sources.
const SYSTEM_SOURCES: &str = "/usr/src";

/// Returns the innermost definition at each location in a file of the repository: 1 for the first definition, less for
/// each next one.
///
/// # Errors
/// When the store can't be read.
pub fn located(index: IndexView<'_>, locations: &[Location]) -> Result<Vec<(NodeId, f64)>, StoreError> {
    let mut found: Vec<(NodeId, f64)> = Vec::new();
    let files = indexed_files(index, locations);
    for (location, file) in locations.iter().zip(files).filter_map(|(location, file)| Some((location, file?))) {
        let symbols = index.reader.symbols_of_file(file)?;
        let Some(node) = definition(&symbols, Some(location.line), &location.function) else { continue };
        if found.iter().all(|(known, _)| *known != node) {
            let value = match found.len() {
                0 => 1.0,
                rank => tuning::LOCATION_NEXT * tuning::LOCATION_DECAY.powi(rank as i32 - 1),
            };
            found.push((node, value));
        }
    }
    Ok(found)
}

/// Returns the definition of a frame: the nearest of its function's name, or else the innermost at its line. The trace
/// can be of another version, where the lines differ.
pub(super) fn definition(symbols: &[Symbol], line: Option<u32>, function: &str) -> Option<NodeId> {
    let named = symbols.iter().filter(|symbol| is_definition(symbol.kind) && symbol.name == function);
    let distance = |symbol: &&Symbol| line.map_or(0, |line| symbol.span.start_line.abs_diff(line));
    let nearest = named.filter(|_| !function.is_empty()).min_by_key(distance).map(|symbol| symbol.node);
    nearest.or_else(|| innermost(symbols, line?))
}

/// Returns the smallest function that contains a line, or else the smallest definition. A frame of a
/// trace refers to a function, not to a field that it assigns.
fn innermost(symbols: &[Symbol], line: u32) -> Option<NodeId> {
    let contains = |symbol: &&Symbol| symbol.span.start_line <= line && line <= symbol.span.end_line;
    let is_function = |symbol: &Symbol| matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method);
    let containing = symbols.iter().filter(|symbol| is_definition(symbol.kind)).filter(contains);
    let size = |symbol: &Symbol| symbol.span.end_byte.saturating_sub(symbol.span.start_byte);
    containing.min_by_key(|symbol| (!is_function(symbol), size(symbol))).map(|symbol| symbol.node)
}

/// Returns the file of each location, if it is exactly one file of the repository. Linear in files and locations.
fn indexed_files<'a>(index: IndexView<'a>, locations: &[Location]) -> Vec<Option<&'a str>> {
    let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
    let mut by_name: HashMap<String, Vec<&str>> =
        locations.iter().map(|location| (name(&location.path), Vec::new())).collect();
    if by_name.is_empty() {
        return Vec::new();
    }
    for (_, path) in index.graph.files() {
        if let Some(files) = by_name.get_mut(path.rsplit('/').next().unwrap_or(path)) {
            files.push(path);
        }
    }
    locations.iter().map(|location| indexed_file(&by_name[&name(&location.path)], &location.path, index.root)).collect()
}

/// Returns the file that a path refers to, among those of its name. A relative path may be the end of a file's path,
/// and a file's path the end of a path that was written on another machine.
fn indexed_file<'a>(files: &[&'a str], path: &str, root: &Path) -> Option<&'a str> {
    let same = |path: &str| files.iter().copied().find(|file| *file == path);
    if let Some(below) = Path::new(path).strip_prefix(root).ok().and_then(Path::to_str) {
        return same(below);
    }
    let is_absolute = path.starts_with('/') || path.get(1..3) == Some(":/");
    if is_installed(path, is_absolute) {
        return None;
    }
    let path = without_dots(path);
    if let Some(file) = same(path) {
        return Some(file);
    }
    let is_end = |whole: &str, end: &str| whole.strip_suffix(end).is_some_and(|before| before.ends_with('/'));
    let mut longer = files.iter().copied().filter(|file| !is_absolute && is_end(file, path));
    match (longer.next(), longer.next()) {
        (Some(file), None) => Some(file),
        (Some(_), Some(_)) => None,
        (None, _) => files.iter().copied().filter(|file| is_end(path, file)).max_by_key(|file| file.len()),
    }
}

/// Removes `./` and `../` from the beginning of a path.
fn without_dots(mut path: &str) -> &str {
    while let Some(rest) = path.strip_prefix("./").or_else(|| path.strip_prefix("../")) {
        path = rest;
    }
    path
}

/// Returns whether a path is one of an installed library: of the system, vendored, in a hidden folder, or in a folder
/// with a version.
pub(super) fn is_installed(path: &str, is_absolute: bool) -> bool {
    let whole = Path::new(path);
    let of_system = SYSTEM_FOLDERS.iter().any(|folder| whole.starts_with(folder)) && !whole.starts_with(SYSTEM_SOURCES);
    let is_library = |folder: &str| {
        let is_hidden = folder.starts_with('.') && folder != "." && folder != "..";
        is_vendored_folder(folder) || is_hidden && is_absolute || folder.contains("@v")
    };
    of_system || path.split('/').rev().skip(1).any(is_library)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: [&str; 4] = ["main.go", "cmd/main.go", "resources/page/main.go", "page/main.go"];

    fn file(path: &str) -> Option<&'static str> {
        indexed_file(&FILES, path, Path::new("/home/me/site"))
    }

    #[test]
    fn paths_of_the_repository() {
        assert_eq!(file("main.go"), Some("main.go"));
        assert_eq!(file("./cmd/main.go"), Some("cmd/main.go"));
        assert_eq!(file("../cmd/main.go"), Some("cmd/main.go"));
        assert_eq!(file("/home/me/site/cmd/main.go"), Some("cmd/main.go"));
        assert_eq!(file("/home/me/site/other/main.go"), None, "it is below the root and not indexed");
    }

    #[test]
    fn paths_of_other_machines() {
        assert_eq!(file("/builds/team/site/resources/page/main.go"), Some("resources/page/main.go"));
        assert_eq!(file("example.org/team/site/page/main.go"), Some("page/main.go"));
        assert_eq!(file("/app/main.go"), Some("main.go"));
        assert_eq!(file("/usr/src/app/main.go"), Some("main.go"));
        assert_eq!(file("C:/projects/site/cmd/main.go"), Some("cmd/main.go"));
    }

    #[test]
    fn end_of_several_paths_is_ambiguous() {
        assert_eq!(indexed_file(&FILES[1..], "main.go", Path::new("/")), None);
        assert_eq!(indexed_file(&FILES[1..2], "main.go", Path::new("/")), Some("cmd/main.go"));
        assert_eq!(indexed_file(&[], "main.go", Path::new("/")), None);
    }

    #[test]
    fn files_of_installed_libraries_are_not_of_the_repository() {
        for path in [
            "/usr/local/go/src/cmd/main.go",
            "/rustc/abc/cmd/main.go",
            "/home/me/.cache/x/cmd/main.go",
            "/home/me/go/pkg/mod/example.org/x@v1.2.0/cmd/main.go",
            "vendor/x/cmd/main.go",
        ] {
            assert_eq!(file(path), None, "{path}");
        }
    }
}
