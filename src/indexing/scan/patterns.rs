//! Patterns in the syntax of `.gitignore`, with the lines that they are on.

use std::path::Path;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder, Glob};

use super::skip::Rule;
use crate::text::display::safe;

/// Letters of a pattern that are shown.
const MAX_SHOWN: usize = 80;

/// The patterns of a file.
#[derive(Debug, Clone)]
pub struct Patterns {
    matcher: Gitignore,
    /// The name of the file in messages.
    file: String,
    /// Each pattern and its line, from 1.
    lines: Vec<(String, usize)>,
}

impl Patterns {
    /// Compiles patterns, each with its line. Paths are matched relative to `folder`. Invalid patterns match nothing, as
    /// in git; they are returned.
    ///
    /// # Errors
    /// When the patterns can't be compiled together.
    pub fn new<'text>(
        folder: &Path,
        file: String,
        lines: impl Iterator<Item = (usize, &'text str)>,
    ) -> Result<(Patterns, Vec<Rule>), ignore::Error> {
        let mut builder = GitignoreBuilder::new(folder);
        let (mut valid, mut invalid) = (Vec::new(), Vec::new());
        for (line, pattern) in lines {
            match builder.add_line(None, pattern) {
                Ok(_) => valid.push((pattern.trim_end().to_owned(), line)),
                Err(_) => invalid.push(Rule { file: file.clone(), line, pattern: pattern.to_owned() }),
            }
        }
        let matcher = builder.build()?;
        Ok((Patterns { matcher, file, lines: valid }, invalid))
    }

    /// Returns whether the last pattern that matches a path selects it; `None` if none matches.
    pub fn selects(&self, path: &Path, is_folder: bool) -> Option<bool> {
        selection(self.matcher.matched(path, is_folder))
    }

    /// Returns whether a path, which must be relative, or else a folder around it is selected; `None` if none matches.
    pub fn selects_within(&self, path: &str, is_folder: bool) -> Option<bool> {
        selection(self.matcher.matched_path_or_any_parents(path, is_folder))
    }

    /// Returns the pattern that decides about a path.
    pub fn rule(&self, path: &Path, is_folder: bool) -> Option<Rule> {
        self.matcher.matched(path, is_folder).inner().map(|glob| self.rule_of(glob))
    }

    /// Returns the pattern that decides about a relative path or the folders around it.
    pub fn rule_within(&self, path: &str, is_folder: bool) -> Option<Rule> {
        self.matcher.matched_path_or_any_parents(path, is_folder).inner().map(|glob| self.rule_of(glob))
    }

    /// Returns the patterns in the order of the file.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|(pattern, _)| pattern.as_str())
    }

    fn rule_of(&self, glob: &Glob) -> Rule {
        let line = self.lines.iter().rfind(|(pattern, _)| pattern == glob.original().trim_end());
        // The pattern is text of a repository that is shown to users and agents.
        let start: String = glob.original().chars().take(MAX_SHOWN).collect();
        let pattern = safe(&start).into_owned();
        Rule { file: self.file.clone(), line: line.map_or(1, |(_, line)| *line), pattern }
    }
}

fn selection(found: Match<&Glob>) -> Option<bool> {
    (!found.is_none()).then(|| found.is_ignore())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_pattern_decides_and_is_named_with_its_line() {
        let lines = ["# all", "*.py", "", "!keep.py", "[z-a]", "*.py  ", "/gen/"];
        let (patterns, invalid) = Patterns::new(Path::new("/r"), ".gitignore".to_owned(), (1..).zip(lines)).unwrap();
        let rule = patterns.rule(Path::new("/r/deep/a.py"), false).unwrap();
        assert_eq!(rule.to_string(), "`.gitignore` line 6 (`*.py`)");
        assert_eq!(patterns.selects(Path::new("/r/keep.py"), false), Some(true));
        assert_eq!(patterns.selects(Path::new("/r/a.rs"), false), None);
        assert_eq!(patterns.rule(Path::new("/r/gen"), true).unwrap().line, 7);
        assert_eq!(invalid.iter().map(|rule| rule.line).collect::<Vec<_>>(), [5]);
        let long = "x".repeat(9_000) + "*";
        let (patterns, _) = Patterns::new(Path::new("/r"), "x".to_owned(), [(1, long.as_str())].into_iter()).unwrap();
        assert_eq!(patterns.rule(&Path::new("/r").join(&long), false).unwrap().pattern, "x".repeat(80));
        let (relative, _) = Patterns::new(Path::new(""), "x".to_owned(), [(3, "gen/")].into_iter()).unwrap();
        assert_eq!(relative.selects_within("gen/deep/a.py", false), Some(true));
        assert_eq!(relative.rule_within("gen/deep/a.py", false).unwrap().line, 3);
    }
}
