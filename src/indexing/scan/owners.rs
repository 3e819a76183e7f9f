//! CODEOWNERS: the owners of files.

use std::collections::HashMap;
use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::read::read_text_inside;

/// Possible locations of the file; the first one that exists is used, as on GitHub.
pub(super) const LOCATIONS: [&str; 3] = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];
/// Maximum size of the file; GitHub has the same limit.
const MAX_BYTES: u64 = 3 * 1024 * 1024;
const MAX_RULES: usize = 5_000;
const MAX_OWNERS_PER_RULE: usize = 50;

/// The rules of a CODEOWNERS file.
pub struct Owners {
    matcher: Gitignore,
    /// The rules that match a whole folder. `docs/*` matches only the files directly in docs, unlike in .gitignore, so
    /// it must not hide an earlier rule for a folder in docs.
    folders: Gitignore,
    /// The owners of each rule, in the order of the file.
    owners: Vec<Vec<String>>,
    /// The last rule with each pattern.
    rules: HashMap<String, usize>,
}

impl Owners {
    /// Reads the CODEOWNERS file of the repository at `root`; `None` if it has no readable one.
    pub fn read(root: &Path) -> Option<Owners> {
        Owners::parse(&String::from_utf8_lossy(&text(root)?))
    }

    /// Parses rules: a pattern, then its owners; `#` starts a comment. `None` without any rule.
    pub fn parse(text: &str) -> Option<Owners> {
        let (mut all_owners, mut rules) = (Vec::new(), HashMap::new());
        // Patterns are those of .gitignore files, except for a leading `!` and brackets, which have no meaning here.
        let (mut builder, mut folders) = (GitignoreBuilder::new(""), GitignoreBuilder::new(""));
        for line in text.lines() {
            let line = line.split(" #").next().unwrap_or_default().trim();
            let mut words = line.split_whitespace();
            let Some(pattern) = words.next() else { continue };
            // The heading of a section in GitLab's dialect.
            if pattern.starts_with(['#', '[', '^', '!']) || all_owners.len() >= MAX_RULES {
                continue;
            }
            let owners = words.filter(|word| word.contains('@')).take(MAX_OWNERS_PER_RULE).map(str::to_owned).collect();
            let is_for_folders = !pattern.ends_with("/*");
            if builder.add_line(None, pattern).is_ok() && (!is_for_folders || folders.add_line(None, pattern).is_ok()) {
                rules.insert(pattern.to_owned(), all_owners.len());
                all_owners.push(owners);
            }
        }
        let (matcher, folders) = (builder.build().ok()?, folders.build().ok()?);
        (!rules.is_empty()).then_some(Owners { matcher, folders, owners: all_owners, rules })
    }

    /// Returns the owners of a file: those of the last rule that matches it, which can have none.
    pub fn for_path(&self, path: &str) -> &[String] {
        let parts = path.match_indices('/').map(|(end, _)| (&path[..end], true)).chain([(path, false)]);
        // A rule for a folder applies to everything in it. The last matching rule wins, at whatever level it matches.
        let last = parts.filter_map(|(part, is_folder)| self.rule(part, is_folder, part.len() == path.len())).max();
        last.map_or(&[], |index| &self.owners[index])
    }

    fn rule(&self, part: &str, is_folder: bool, is_whole: bool) -> Option<usize> {
        let matcher = if is_whole { &self.matcher } else { &self.folders };
        let matched = matcher.matched(part, is_folder);
        self.rules.get(matched.inner()?.original()).copied()
    }
}

/// Returns the text of the CODEOWNERS file of the repository at `root`; `None` if it has no readable one.
pub(super) fn text(root: &Path) -> Option<Vec<u8>> {
    LOCATIONS.iter().find_map(|location| read_text_inside(root, location, MAX_BYTES).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = "\
# Everyone
*           @all
*.js        @web   # with a comment
/build/     @build someone@example.org
docs/*      @docs
apps/       @apps
/src/parse.rs
[Section]
";

    fn owners(path: &str) -> String {
        Owners::parse(RULES).unwrap().for_path(path).join(" ")
    }

    #[test]
    fn the_last_matching_rule_wins() {
        assert_eq!(owners("main.go"), "@all");
        assert_eq!(owners("web/x.js"), "@web");
        assert_eq!(owners("build/logs/x.js"), "@build someone@example.org");
        assert_eq!(owners("deep/apps/x/y.js"), "@apps");
    }

    #[test]
    fn folder_star_does_not_match_subfolders() {
        assert_eq!(owners("docs/x.md"), "@docs");
        assert_eq!(owners("docs/deeper/x.md"), "@all");
    }

    #[test]
    fn folder_star_does_not_hide_subfolder_rule() {
        let owners = Owners::parse("/docs/deeper/ @deep\ndocs/* @docs\n").unwrap();
        assert_eq!(owners.for_path("docs/deeper/x.md"), ["@deep"]);
        assert_eq!(owners.for_path("docs/x.md"), ["@docs"]);
    }

    #[test]
    fn rule_without_owners_clears_owners() {
        assert_eq!(owners("src/parse.rs"), "");
        assert_eq!(owners("src/other.rs"), "@all");
    }

    #[test]
    fn empty_files_and_missing_files_have_no_rules() {
        assert!(Owners::parse("# nothing\n\n").is_none());
        assert!(Owners::read(Path::new("/nowhere")).is_none());
    }

    #[test]
    fn locations_are_tried_in_order() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("docs")).unwrap();
        std::fs::write(folder.path().join("docs/CODEOWNERS"), "* @docs\n").unwrap();
        assert_eq!(Owners::read(folder.path()).unwrap().for_path("a.py"), ["@docs"]);
        std::fs::write(folder.path().join("CODEOWNERS"), "* @root\n").unwrap();
        assert_eq!(Owners::read(folder.path()).unwrap().for_path("a.py"), ["@root"]);
    }
}
