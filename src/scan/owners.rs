//! CODEOWNERS: who answers for which files.

use std::collections::HashMap;
use std::path::Path;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::read::read_inside;

/// Where the file may lie; the first one there counts, as on the hosts that read it.
const LOCATIONS: [&str; 3] = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];
/// Hosts refuse larger files, too.
const MAX_BYTES: u64 = 3 * 1024 * 1024;
const MAX_RULES: usize = 5_000;
const MAX_OWNERS_PER_RULE: usize = 50;

/// The rules of a repository's CODEOWNERS file.
pub struct Owners {
    matcher: Gitignore,
    /// The rules that hold for all in a folder: `docs/*` means the files in docs and not those further down, unlike in
    /// .gitignore, and may not hide an earlier rule for a folder in docs.
    folders: Gitignore,
    /// The owners of each rule, in the order of the file.
    owners: Vec<Vec<String>>,
    /// The last rule with each pattern.
    rules: HashMap<String, usize>,
}

impl Owners {
    /// Reads the rules of the repository at `root`; nothing when it has no such file that can be read.
    pub fn read(root: &Path) -> Option<Owners> {
        let text = LOCATIONS.iter().find_map(|location| read_inside(root, location, MAX_BYTES).ok())?;
        Owners::parse(&String::from_utf8_lossy(&text))
    }

    /// Reads rules: a pattern, then its owners; `#` begins a comment.
    pub fn parse(text: &str) -> Option<Owners> {
        let (mut all_owners, mut rules) = (Vec::new(), HashMap::new());
        // Patterns are those of .gitignore files but for a leading `!` and brackets, which mean nothing here.
        let (mut builder, mut folders) = (GitignoreBuilder::new(""), GitignoreBuilder::new(""));
        for line in text.lines() {
            let line = line.split(" #").next().unwrap_or_default().trim();
            let mut words = line.split_whitespace();
            let Some(pattern) = words.next() else { continue };
            // A section's heading in the dialect of GitLab.
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

    /// The owners of a file: those of the last rule that matches it, which may name none.
    pub fn for_path(&self, path: &str) -> &[String] {
        let parts = path.match_indices('/').map(|(end, _)| (&path[..end], true)).chain([(path, false)]);
        // A rule for a folder holds for all in it; the last rule wins wherever on the way it matches.
        let last = parts.filter_map(|(part, is_folder)| self.rule(part, is_folder, part.len() == path.len())).max();
        last.map_or(&[], |index| &self.owners[index])
    }

    fn rule(&self, part: &str, is_folder: bool, is_whole: bool) -> Option<usize> {
        let matcher = if is_whole { &self.matcher } else { &self.folders };
        let matched = matcher.matched(part, is_folder);
        self.rules.get(matched.inner()?.original()).copied()
    }
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
    fn a_star_after_a_folder_stays_in_that_folder() {
        assert_eq!(owners("docs/x.md"), "@docs");
        assert_eq!(owners("docs/deeper/x.md"), "@all");
    }

    #[test]
    fn a_star_after_a_folder_hides_no_rule_for_a_folder_in_it() {
        let owners = Owners::parse("/docs/deeper/ @deep\ndocs/* @docs\n").unwrap();
        assert_eq!(owners.for_path("docs/deeper/x.md"), ["@deep"]);
        assert_eq!(owners.for_path("docs/x.md"), ["@docs"]);
    }

    #[test]
    fn a_rule_without_owners_takes_them_away() {
        assert_eq!(owners("src/parse.rs"), "");
        assert_eq!(owners("src/other.rs"), "@all");
    }

    #[test]
    fn empty_files_and_missing_files_have_no_rules() {
        assert!(Owners::parse("# nothing\n\n").is_none());
        assert!(Owners::read(Path::new("/nowhere")).is_none());
    }

    #[test]
    fn the_places_are_tried_in_order() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("docs")).unwrap();
        std::fs::write(folder.path().join("docs/CODEOWNERS"), "* @docs\n").unwrap();
        assert_eq!(Owners::read(folder.path()).unwrap().for_path("a.py"), ["@docs"]);
        std::fs::write(folder.path().join("CODEOWNERS"), "* @root\n").unwrap();
        assert_eq!(Owners::read(folder.path()).unwrap().for_path("a.py"), ["@root"]);
    }
}
