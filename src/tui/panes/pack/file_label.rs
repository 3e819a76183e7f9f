//! The part of a path that distinguishes a file from the others of the list.

use std::collections::{HashMap, HashSet};

use crate::model::PackedSymbol;
use crate::text::display::safe;
use crate::text::file_name;
use crate::tui::view::text;

/// A file as the list shows it: its name and the folder that distinguishes it, such as `sqlite3/base.py`. Leading
/// folders, those of all files, and the one with most of the files are left out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileLabel {
    name: String,
    /// The folder, empty for a file of the root.
    folder: String,
    /// Whether there are further folders between the folder and the file.
    has_gap: bool,
    /// Whether another file of the list has the same name.
    is_ambiguous: bool,
    /// The path without the folders of all files, for a list with room.
    whole: String,
}

impl FileLabel {
    /// Returns the label of each symbol's file. With symbols of several repositories each has the name of its repository.
    pub fn all(symbols: &[PackedSymbol]) -> Vec<FileLabel> {
        if has_several_repositories(symbols) {
            return Self::with_repositories(symbols);
        }
        let mut by_name: HashMap<&str, HashSet<&str>> = HashMap::new();
        for packed in symbols {
            let (folder, name) = split(&packed.symbol.file);
            by_name.entry(name).or_default().insert(folder);
        }
        let (common, main) = (common_folders(symbols), main_folder(symbols));
        let usual = usual_folder(by_name.values());
        let repeated = repeated_folders(by_name.values());
        let mut known: HashMap<&str, FileLabel> = HashMap::new();
        let mut labels = Vec::with_capacity(symbols.len());
        for packed in symbols {
            let file = packed.symbol.file.as_str();
            let label = known.entry(file).or_insert_with(|| {
                let label = FileLabel::new(file, &by_name[split(file).1], (common, main), &repeated);
                let is_usual = usual == Some(split(file).0) && !label.is_ambiguous;
                if is_usual { FileLabel { folder: String::new(), ..label } } else { label }
            });
            labels.push(label.clone());
        }
        labels
    }

    /// Returns the labels of files whose first folder is the name of their repository.
    fn with_repositories(symbols: &[PackedSymbol]) -> Vec<FileLabel> {
        let mut known: HashMap<(&str, &str), HashSet<&str>> = HashMap::new();
        for packed in symbols {
            let (repository, folder, name) = parts(packed);
            known.entry((repository, name)).or_default().insert(folder);
        }
        let label = |packed| {
            let (repository, folder, name) = parts(packed);
            let is_shared = known[&(repository, name)].len() > 1;
            let own = if is_shared { file_name(folder) } else { "" };
            let shown = if own.is_empty() { repository.to_owned() } else { format!("{repository}/{own}") };
            let has_gap = own.is_empty() && !folder.is_empty();
            FileLabel {
                name: safe(name).into_owned(),
                folder: safe(&shown).into_owned(),
                has_gap,
                is_ambiguous: true,
                whole: safe(&packed.symbol.file).into_owned(),
            }
        };
        symbols.iter().map(label).collect()
    }

    /// Returns the label of a file; `folders` are those with a file of this name, the first `common` folders are those
    /// of all files, and `main` is the folder of the root with most of them. Several folders have a `repeated` name.
    fn new(file: &str, folders: &HashSet<&str>, (common, main): (usize, &str), repeated: &HashSet<&str>) -> FileLabel {
        let (folder, name) = split(file);
        let parts: Vec<&str> = folder.rsplit('/').filter(|part| !part.is_empty()).collect();
        let others: Vec<Vec<&str>> =
            folders.iter().filter(|other| **other != folder).map(|other| other.rsplit('/').collect()).collect();
        // From the file upwards, the first folder that no other file has at this depth, or that all of them together
        // need.
        let shares = |depth: usize| others.iter().any(|other| other.iter().take(depth).eq(parts.iter().take(depth)));
        let depth = (1..=parts.len()).find(|depth| !shares(*depth)).unwrap_or(parts.len()).max(1);
        // A name that folders of other packages have too, such as `src`, tells less than that of the package.
        let is_telling = |depth: &usize| parts.get(depth - 1).is_some_and(|part| !repeated.contains(part));
        let above = if others.is_empty() { parts.len().saturating_sub(common) } else { depth };
        let depth = (depth..=above).find(is_telling).unwrap_or(depth);
        // The main folder is not shown: the files outside it show theirs.
        let depth = if parts.get(depth - 1) == Some(&main) && depth == parts.len() { 1 } else { depth };
        let is_common = depth > parts.len().saturating_sub(common);
        let own = if is_common { None } else { parts.get(depth - 1).copied() };
        let whole: Vec<&str> = parts.iter().rev().skip(common).copied().chain([name]).collect();
        FileLabel {
            name: safe(name).into_owned(),
            folder: safe(own.unwrap_or_default()).into_owned(),
            has_gap: depth > 1,
            is_ambiguous: !others.is_empty(),
            whole: safe(&whole.join("/")).into_owned(),
        }
    }

    /// Returns the label, with the line unless it is 0, in at most `columns`: whole if it fits. The folder is left out where
    /// it does not fit and distinguishes nothing; else the folder is cut, then the end of the name, so that something of
    /// both stays.
    pub fn fit(&self, line: u32, columns: usize, ellipsis: &str) -> String {
        let line = if line == 0 { String::new() } else { format!(":{line}") };
        let full = format!("{}{line}", self.path(ellipsis));
        let short = format!("{}{line}", self.name);
        let whole = format!("{}{line}", self.whole());
        if text::width(&whole) <= columns {
            whole
        } else if text::width(&full) <= columns {
            full
        } else if !self.is_ambiguous && text::width(&short) <= columns {
            short
        } else {
            let room = columns.saturating_sub(text::width(&line));
            let path = if self.is_ambiguous { self.short_path(room, ellipsis) } else { self.name.clone() };
            let cut = format!("{}{line}", text::fit(&path, room, ellipsis));
            text::fit(&cut, columns, "").into_owned()
        }
    }

    /// Returns the path with the folder cut, where the name would be cut otherwise.
    fn short_path(&self, room: usize, ellipsis: &str) -> String {
        let folder_room = room.saturating_sub(1 + text::width(&self.name)).max(MIN_FOLDER);
        if room < MIN_ROOM_TO_CUT_FOLDER || text::width(&self.folder) <= folder_room {
            return self.path(ellipsis);
        }
        format!("{}/{}", text::fit(&self.folder, folder_room, ellipsis), self.name)
    }

    /// Returns the columns of the label with every folder, with the distinguishing one, and without one that distinguishes
    /// nothing.
    pub fn widths(&self, ellipsis: &str) -> [usize; 3] {
        let full = text::width(&self.path(ellipsis));
        [text::width(self.whole()), full, if self.is_ambiguous { full } else { text::width(&self.name) }]
    }

    fn whole(&self) -> &str {
        if self.name.is_empty() { "external" } else { &self.whole }
    }

    fn path(&self, ellipsis: &str) -> String {
        match (self.name.as_str(), self.folder.as_str()) {
            ("", _) => "external".to_owned(),
            (name, "") => name.to_owned(),
            (name, folder) if self.has_gap => format!("{folder}/{ellipsis}/{name}"),
            (name, folder) => format!("{folder}/{name}"),
        }
    }
}

/// Columns that a folder keeps.
const MIN_FOLDER: usize = 6;

/// The room from which a folder is cut for the sake of the name; with less, neither would be recognizable.
const MIN_ROOM_TO_CUT_FOLDER: usize = 16;

/// Returns the number of leading folders that all files have in common.
fn common_folders(symbols: &[PackedSymbol]) -> usize {
    let files = symbols.iter().map(|packed| packed.symbol.file.as_str()).filter(|file| !file.is_empty());
    let mut folders = files.map(|file| split(file).0.split('/').filter(|part| !part.is_empty()).collect::<Vec<&str>>());
    let Some(first) = folders.next() else { return 0 };
    let shared = |other: Vec<&str>| first.iter().zip(&other).take_while(|(one, two)| one == two).count();
    folders.map(shared).fold(first.len(), usize::min)
}

/// Returns the folder that more than half of the files are in, by the folders of each file name.
fn usual_folder<'a>(folders: impl Iterator<Item = &'a HashSet<&'a str>> + Clone) -> Option<&'a str> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    folders.clone().flatten().for_each(|folder| *counts.entry(folder).or_default() += 1);
    let files: usize = counts.values().sum();
    counts.into_iter().find(|(_, count)| count * 2 > files).map(|(folder, _)| folder)
}

/// Returns the names that folders in several others have.
fn repeated_folders<'a>(folders: impl Iterator<Item = &'a HashSet<&'a str>>) -> HashSet<&'a str> {
    let folders: HashSet<&str> = folders.flatten().copied().collect();
    let mut parents: HashMap<&str, &str> = HashMap::new();
    let mut repeated = HashSet::new();
    for folder in folders {
        let ends = folder.match_indices('/').map(|(at, _)| at).chain([folder.len()]);
        for (parent, name) in ends.map(|end| split(&folder[..end])) {
            if *parents.entry(name).or_insert(parent) != parent {
                repeated.insert(name);
            }
        }
    }
    repeated
}

/// Returns the folder of the root that has most of the files.
fn main_folder(symbols: &[PackedSymbol]) -> &str {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for packed in symbols {
        if let Some((root, _)) = packed.symbol.file.split_once('/') {
            *counts.entry(root).or_default() += 1;
        }
    }
    counts.into_iter().max_by_key(|(root, count)| (*count, std::cmp::Reverse(*root))).map_or("", |(root, _)| root)
}

/// Returns the repository, the folder within it and the name of a symbol's file.
fn parts(packed: &PackedSymbol) -> (&str, &str, &str) {
    let (folder, name) = split(&packed.symbol.file);
    let (repository, folder) = folder.split_once('/').unwrap_or((folder, ""));
    (repository, folder, name)
}

/// Returns whether the symbols with files are of several repositories.
fn has_several_repositories(symbols: &[PackedSymbol]) -> bool {
    let mut ids =
        symbols.iter().filter(|packed| !packed.symbol.file.is_empty()).map(|packed| packed.symbol.repository());
    let first = ids.next();
    ids.any(|id| Some(id) != first)
}

/// Returns the folder and the name of a file.
fn split(file: &str) -> (&str, &str) {
    file.rsplit_once('/').unwrap_or(("", file))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    fn labels(files: &[&str]) -> Vec<FileLabel> {
        let mut symbols = fixture::pack().symbols;
        symbols.truncate(files.len());
        for (packed, file) in symbols.iter_mut().zip(files) {
            packed.symbol.file = (*file).to_owned();
        }
        FileLabel::all(&symbols)
    }

    #[test]
    fn folders_distinguish_files_of_one_name() {
        let files =
            ["django/db/backends/sqlite3/base.py", "django/db/backends/mysql/base.py", "django/db/models/query.py"];
        let shown: Vec<String> = labels(&files).iter().map(|label| label.fit(9, 17, "…")).collect();
        assert_eq!(shown, ["sqlite3/base.py:9", "mysql/base.py:9", "models/query.py:9"]);
        let short: Vec<String> = labels(&files).iter().map(|label| label.fit(9, 13, "…")).collect();
        assert_eq!(short, ["sqlite3/ba…:9", "mysql/base…:9", "query.py:9"]);
    }

    #[test]
    fn files_of_several_repositories_have_their_names() {
        let mut symbols = fixture::pack().symbols;
        let files = ["shop/src/web/cart.py", "shop/src/cart.py", "till/main.py"];
        symbols.truncate(files.len());
        for (packed, file) in symbols.iter_mut().zip(files) {
            let (repository, rest) = file.split_once('/').unwrap();
            packed.symbol.file = file.to_owned();
            packed.symbol.qualified_name = format!("example.com/{repository}://{rest}.pay");
        }
        let shown =
            |columns| FileLabel::all(&symbols).iter().map(|label| label.fit(9, columns, "…")).collect::<Vec<String>>();
        assert_eq!(shown(18), ["shop/web/cart.py:9", "shop/src/cart.py:9", "till/main.py:9"]);
        assert_eq!(
            shown(40),
            ["shop/src/web/cart.py:9", "shop/src/cart.py:9", "till/main.py:9"],
            "whole where there is room"
        );
    }

    #[test]
    fn a_long_folder_leaves_room_for_the_name() {
        let files = ["docs/background_tasks/tutorial001_py310.py", "docs/dependencies/tutorial001_py310.py"];
        let shown = |columns| labels(&files).iter().map(|label| label.fit(0, columns, "…")).collect::<Vec<String>>();
        assert_eq!(shown(20), ["backg…/tutorial001_…", "depen…/tutorial001_…"]);
        assert_eq!(shown(30), ["backgrou…/tutorial001_py310.py", "dependen…/tutorial001_py310.py"]);
        assert_eq!(shown(40)[0], "background_tasks/tutorial001_py310.py");
    }

    #[test]
    fn a_folder_that_each_package_has_is_not_the_telling_one() {
        let files =
            ["yazi-emulator/src/probe.rs", "yazi-actor/src/app/stop.rs", "yazi-proxy/src/app.rs", "yazi-fm/main.rs"];
        let shown = |columns| labels(&files).iter().map(|label| label.fit(9, columns, "…")).collect::<Vec<String>>();
        assert_eq!(
            shown(26),
            ["yazi-emulator/…/probe.rs:9", "app/stop.rs:9", "yazi-proxy/src/app.rs:9", "yazi-fm/main.rs:9"]
        );
        assert_eq!(shown(40)[..2], ["yazi-emulator/src/probe.rs:9", "yazi-actor/src/app/stop.rs:9"]);
        assert_eq!(shown(20)[0], "probe.rs:9");
    }

    #[test]
    fn the_distinguishing_folder_is_not_always_the_last() {
        let files = ["packages/client/src/index.ts", "packages/server/src/index.ts", "index.ts", "src/main.rs"];
        let shown = |columns| labels(&files).iter().map(|label| label.fit(0, columns, "…")).collect::<Vec<String>>();
        assert_eq!(shown(17), ["client/…/index.ts", "server/…/index.ts", "index.ts", "src/main.rs"]);
        assert_eq!(shown(40)[..2], ["packages/client/src/index.ts", "packages/server/src/index.ts"]);
    }

    #[test]
    fn the_main_folder_distinguishes_nothing() {
        let files = ["lib/db/base/ops.py", "lib/gis/db/base/ops.py", "lib/db/a.py", "tests/base/ops.py"];
        let shown: Vec<String> = labels(&files).iter().map(|label| label.fit(0, 14, "…")).collect();
        assert_eq!(shown, ["base/ops.py", "gis/…/ops.py", "lib/db/a.py", "tests/…/ops.py"]);
    }

    #[test]
    fn the_folder_of_most_files_is_left_out() {
        let files = ["src/flask/app.py", "src/flask/sessions.py", "src/flask/cli.py", "tests/test_cli.py"];
        let shown: Vec<String> = labels(&files).iter().map(|label| label.fit(0, 15, "…")).collect();
        assert_eq!(shown, ["app.py", "sessions.py", "cli.py", "test_cli.py"]);
        assert_eq!(labels(&files)[3].fit(0, 17, "…"), "tests/test_cli.py");
        let files = ["src/flask/app.py", "src/flask/cli.py", "tests/app.py"];
        let shown: Vec<String> = labels(&files).iter().map(|label| label.fit(0, 12, "…")).collect();
        assert_eq!(shown, ["flask/app.py", "cli.py", "tests/app.py"], "a name that another file has keeps it");
    }

    #[test]
    fn folders_of_all_files_are_left_out() {
        let shown = |files: &[&str]| labels(files).iter().map(|label| label.fit(0, 40, "…")).collect::<Vec<String>>();
        assert_eq!(shown(&["src/flask/app.py", "src/flask/json/tag.py"]), ["app.py", "json/tag.py"]);
        assert_eq!(shown(&["a/index.ts", "a/b/index.ts"]), ["index.ts", "b/index.ts"]);
        assert_eq!(shown(&["a/b/c.rs", "a/b/c.rs"]), ["c.rs", "c.rs"]);
    }
}
