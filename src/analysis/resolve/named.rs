//! Files and targets that a text names in a file of any language: `scripts/deploy.sh`, `make test`, `mail/welcome.html`.
//!
//! A path is looked for in the folder of the file that names it and in the root, then in the folders above; else it is the
//! end of another path. A target, such as that of a Makefile, binds the two words by which commands run it, and the nearest
//! folder above that has one is meant. Both are looked up by name, so that a file that appears or disappears affects those
//! that name it.

use std::collections::BTreeSet;

use super::edges::{FileEdges, definition_endpoint};
use super::input::FileIndex;
use super::output::EdgeEndpoint;
use super::value::SymbolRef;
use crate::facts::{BindingKind, NameKey, name_key};
use crate::model::{EdgeType, Provenance};
use crate::text::{file_name, parent_dir};

/// Folders whose files frameworks render.
const VIEW_FOLDERS: [&str; 6] = ["Pages", "Views", "jsp", "pages", "templates", "views"];

/// Endings of files that frameworks render from other folders, beside the code that does.
const VIEW_ENDINGS: [&str; 6] = ["builder", "erb", "haml", "heex", "html", "slim"];

/// Returns the path of a file up to the first dot of its name, by which frameworks render it; `None` if none would.
fn view_stem(path: &str) -> Option<&str> {
    let (_, extension) = file_name(path).rsplit_once('.')?;
    let start = path.len() - file_name(path).len();
    let end = start + path[start..].find('.').filter(|length| *length > 0)?;
    let is_view = path.split('/').any(|folder| VIEW_FOLDERS.contains(&folder)) || VIEW_ENDINGS.contains(&extension);
    is_view.then(|| &path[..end])
}

/// Returns the names by which a file is looked up: its own, without folders, and that of a view without an ending.
pub fn file_keys(path: &str) -> impl Iterator<Item = NameKey> {
    [Some(file_key(path)), view_stem(path).map(stem_key)].into_iter().flatten()
}

/// Returns the name by which a file is looked up without folders.
pub fn file_key(path: &str) -> NameKey {
    name_key(&format!("file {}", file_name(path)))
}

/// Returns the name under which a resolution depends on the files whose texts a file has.
pub fn text_key(path: &str) -> NameKey {
    name_key(&format!("text of {path}"))
}

fn stem_key(stem: &str) -> NameKey {
    name_key(&format!("view {}", file_name(stem)))
}

/// Returns the path that `path` is in a folder, without `.` and `..`; `None` if it leads out of the repository.
pub fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop()?,
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns the name of the style that a text names, and whether a style sheet has to set it.
fn style_named(text: &str) -> Option<(&str, bool)> {
    let own = text.strip_prefix("own style ").map(|name| (name, false));
    own.or_else(|| text.strip_prefix("style ").map(|name| (name, true)))
}

/// Returns the number of folders that two paths have in common.
fn folders_in_common(one: &str, other: &str) -> usize {
    let folders = |path| parent_dir(path).split('/').filter(|folder| !folder.is_empty());
    folders(one).zip(folders(other)).take_while(|(one, other)| one == other).count()
}

impl FileEdges<'_> {
    /// Adds the edge to what a text names, if the repository has it.
    pub(super) fn add_named(&mut self, source: EdgeEndpoint, name: &str, folder: &str, edge_type: EdgeType) {
        if let Some((style, is_looked_up)) = style_named(name) {
            let key = name_key(name);
            if is_looked_up {
                self.eval.record_lookup(key);
            }
            if !is_looked_up || !self.world().modules.binding_modules(key).is_empty() {
                self.add_resolved(source, EdgeEndpoint::Style(style.to_owned()), edge_type);
            }
            return;
        }
        let (targets, is_certain) = match name.contains(' ') {
            true => match self.target_named(name, folder) {
                Some((symbol, is_certain)) => (vec![definition_endpoint(symbol)], is_certain),
                None => return,
            },
            false => {
                let (files, is_certain) = self.files_named(name, folder);
                (files.into_iter().map(EdgeEndpoint::File).collect(), is_certain)
            }
        };
        let provenance = if is_certain { Provenance::AstResolved } else { Provenance::AstInferred };
        // A file that names itself has no edge to itself.
        let own = EdgeEndpoint::File(self.file);
        for target in targets.into_iter().filter(|target| *target != own) {
            self.add(source.clone(), target, edge_type, provenance, provenance.confidence());
        }
    }

    /// Returns the files that a path means, several only if it has no ending, and whether it is their path.
    fn files_named(&mut self, path: &str, folder: &str) -> (Vec<FileIndex>, bool) {
        let stem = path.strip_suffix(".*");
        let (key, path) = stem.map_or((file_key(path), path), |stem| (stem_key(stem), stem));
        self.eval.record_lookup(key);
        let world = self.world();
        let (named, own) = (world.files_named(key), world.files[self.file.index()].path);
        let path_of = |file: FileIndex| {
            let path = world.files[file.index()].path;
            if stem.is_some() { view_stem(path).unwrap_or(path) } else { path }
        };
        let at = |whole: Option<String>| -> Vec<FileIndex> {
            named.iter().copied().filter(|file| Some(path_of(*file)) == whole.as_deref()).collect()
        };
        let starts = [joined(parent_dir(own), folder), joined("", folder), Some(String::new())];
        let near = starts.into_iter().flatten().map(|start| (joined(&start, path), true));
        let above =
            std::iter::successors(Some(parent_dir(own)), |folder| (!folder.is_empty()).then(|| parent_dir(folder)));
        for (whole, is_certain) in near.chain(above.map(|folder| (joined(folder, path), false))) {
            let found = at(whole);
            if !found.is_empty() {
                return (found, is_certain);
            }
        }
        let end = path.trim_start_matches(['.', '/']);
        let has_end = |file: &FileIndex| {
            path_of(*file).strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        // A name without a folder is that of many files.
        let fitting: Vec<FileIndex> = named.iter().filter(|file| has_end(file)).copied().collect();
        let paths: BTreeSet<&str> = fitting.iter().map(|file| path_of(*file)).collect();
        let common = |path: &&&str| folders_in_common(path, own);
        let Some(nearest) = paths.iter().map(|path| common(&path)).max() else { return (Vec::new(), false) };
        let mut best = paths.iter().filter(|path| end.contains('/') && common(path) == nearest || paths.len() == 1);
        match (best.next(), best.next()) {
            (Some(path), None) => (at(Some((*path).to_owned())), false),
            _ => (Vec::new(), false),
        }
    }

    /// Returns the definition that binds a name for files of all languages, and whether it is in the folder that is named.
    fn target_named(&mut self, name: &str, folder: &str) -> Option<(SymbolRef, bool)> {
        let key = name_key(name);
        self.eval.record_lookup(key);
        let world = self.world();
        let own = parent_dir(world.files[self.file.index()].path);
        let mut found: Vec<(SymbolRef, &str)> = Vec::new();
        for &module in world.modules.binding_modules(key) {
            let Some(&(file, index)) = world.modules.bindings(module, key).first() else { continue };
            if let BindingKind::Definition(definition) = world.outline(file).bindings[index as usize].kind {
                found.push((SymbolRef { file, definition }, parent_dir(world.files[file.index()].path)));
            }
        }
        found.sort_unstable_by_key(|(symbol, _)| *symbol);
        let within = |folder: Option<String>| found.iter().find(|(_, other)| Some(*other) == folder.as_deref());
        let named = within(joined(own, folder)).or_else(|| within(joined("", folder)));
        if let Some((symbol, _)) = named {
            return Some((*symbol, true));
        }
        let is_above = |other: &str| {
            own.strip_prefix(other).is_some_and(|rest| other.is_empty() || rest.is_empty() || rest.starts_with('/'))
        };
        let above = found.iter().filter(|(_, other)| is_above(other));
        let nearest = above.max_by_key(|(symbol, other)| (other.len(), std::cmp::Reverse(*symbol)));
        let only = || found.first().filter(|_| found.len() == 1);
        nearest.or_else(only).map(|(symbol, _)| (*symbol, false))
    }
}

#[cfg(test)]
mod tests {
    use super::{joined, view_stem};
    use crate::resolve::tests::edges;

    #[track_caller]
    fn check(sources: &[(&str, &str)], expected: &[&str]) {
        let runs = edges(sources).into_iter().filter(|edge| edge.edge_type == "executes_process");
        let found: Vec<String> =
            runs.map(|edge| format!("{} {} ({})", edge.source, edge.target, edge.target_file)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_job_runs_scripts_and_targets() {
        let job = "jobs:\n  test:\n    steps:\n      - run: |\n          make check\n          ./ci/run.sh\n      - run: npm test\n\
            \x20       working-directory: web\n";
        check(
            &[
                (".github/workflows/ci.yml", job),
                ("Makefile", "check:\n\techo 1\n"),
                ("docs/Makefile", "check:\n\techo 2\n"),
                ("ci/run.sh", "echo 3\n"),
                ("package.json", "{\"scripts\": {\"test\": \"jest\"}}"),
                ("web/package.json", "{\"scripts\": {\"test\": \"npm run lint\", \"lint\": \"eslint\"}}"),
            ],
            &[
                "test check (Makefile)",
                "test test (web/package.json)",
                "test ci/run.sh (ci/run.sh)",
                "test lint (web/package.json)",
            ],
        );
    }

    #[test]
    fn what_several_paths_end_with_is_not_known() {
        let twice = [("a/x/run.sh", "echo"), ("b/x/run.sh", "echo"), ("c/Makefile", "go:\n\tx/run.sh\n\tmissing.sh\n")];
        check(&twice, &[]);
        check(&[twice[0], twice[2]], &["go a/x/run.sh (a/x/run.sh)"]);
        check(&[("a/run.sh", "echo"), ("b/run.sh", "echo"), ("c/Makefile", "go:\n\t./run.sh\n")], &[]);
        check(
            &[("a/Makefile", "x:\n"), ("b/Makefile", "x:\n"), ("c/Makefile", "go:\n\tmake -C ../b x\n\tmake x\n")],
            &["go x (b/Makefile)"],
        );
    }

    #[test]
    fn paths_are_joined_within_the_repository() {
        assert_eq!(joined("a/b", "../c/./d.sh").as_deref(), Some("a/c/d.sh"));
        assert_eq!(joined("a", "../../x"), None);
        assert_eq!(joined("", "x/../..//y"), None);
        assert_eq!((view_stem(".erb"), view_stem("a/b.c.erb")), (None, Some("a/b")));
    }
}
