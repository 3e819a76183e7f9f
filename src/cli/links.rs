//! Links of locations in the tables of the command line: a terminal opens the file with a click (OSC 8).

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::session::Session;
use crate::model::below_root;
use crate::text::link;
use crate::workspace::Workspace;

/// Links to files of one repository; none where the output is not a terminal.
pub struct Links {
    root: Option<PathBuf>,
    /// The folder below the root to which the paths in texts are relative.
    folder: String,
}

impl Links {
    /// Creates links into the checkout of a single repository, if standard output is a terminal with colors that
    /// supports them.
    pub fn new(session: &Session, workspace: &Workspace) -> Links {
        let is_wanted = session.colors.stdout && link::is_supported(&|name| std::env::var(name).ok());
        let single = workspace.members().first().filter(|_| is_wanted && workspace.is_single());
        let root = single.and_then(|member| std::path::absolute(member.root()).ok());
        Links { root, folder: workspace.folder().to_owned() }
    }

    /// Returns a text in which `path:line` is a link, for paths relative to the current folder that are among `files` and
    /// lead to nothing outside the repository.
    pub fn apply<'a>(&self, text: String, files: impl IntoIterator<Item = &'a str>) -> String {
        let Some(root) = &self.root else { return text };
        let files: BTreeSet<&str> = files.into_iter().collect();
        let mut linked = String::with_capacity(text.len() * 2);
        for word in text.split_inclusive(char::is_whitespace) {
            let bare = word.trim_end();
            let location = bare.trim_start_matches('(').trim_end_matches([',', ')', ':', ';']);
            let target = target(location).and_then(|(file, line)| Some((below_root(&self.folder, file)?, line)));
            let target = target.filter(|(file, _)| files.contains(file.as_str()));
            match target.and_then(|(file, line)| link::open(root, &file, line)) {
                Some(open) => {
                    let (before, after) = word.split_once(location).unwrap_or((word, ""));
                    linked.push_str(&format!("{before}{open}{location}{}{after}", link::CLOSE));
                }
                None => linked.push_str(word),
            }
        }
        linked
    }
}

/// Splits `src/app.py:12` or `src/app.py:12-30` into path and first line.
fn target(location: &str) -> Option<(&str, u32)> {
    let (file, lines) = location.rsplit_once(':')?;
    let first = lines.split_once('-').map_or(lines, |(first, _)| first);
    Some((file, first.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_in_the_repository_are_links() {
        let links = Links { root: Some("/r x".into()), folder: String::new() };
        let files = ["src/a.py", "../out.py", "/etc/passwd"];
        let text = "run  (src/a.py:12-14), calls\nsrc/b.py:3 ../out.py:1 /etc/passwd:1 src/a.py\n";
        let expected = "run  (\x1b]8;;file:///r%20x/src/a.py#12\x1b\\src/a.py:12-14\x1b]8;;\x1b\\), calls\n\
                        src/b.py:3 ../out.py:1 /etc/passwd:1 src/a.py\n";
        assert_eq!(links.apply(text.to_owned(), files), expected);
        let below = Links { folder: "src".to_owned(), ..links };
        let expected = "\x1b]8;;file:///r%20x/src/a.py#12\x1b\\a.py:12\x1b]8;;\x1b\\ src/a.py:12";
        assert_eq!(below.apply("a.py:12 src/a.py:12".to_owned(), files), expected);
        assert_eq!(Links { root: None, ..below }.apply(text.to_owned(), files), text);
    }
}
