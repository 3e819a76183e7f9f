//! Links of locations in the tables of the command line: a terminal opens the file with a click (OSC 8).

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::session::Session;

/// Links to files of one repository; none where the output is no terminal.
pub struct Links {
    root: Option<PathBuf>,
}

impl Links {
    /// Creates links into a checkout, if standard output is a terminal with colors on this machine.
    /// `KNOWING_LINKS=off` switches them off.
    pub fn new(session: &Session, root: &Path) -> Links {
        let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_off = std::env::var_os("KNOWING_LINKS").is_some_and(|value| value == "off");
        // The path of a remote machine means nothing to the terminal.
        let is_wanted = session.colors.stdout && !is_off && !set("SSH_CONNECTION");
        Links { root: is_wanted.then(|| std::path::absolute(root).ok()).flatten() }
    }

    /// Returns a text in which `path:line` is a link, for paths that are among `files` and lead to nothing outside the
    /// repository.
    pub fn apply<'a>(&self, text: String, files: impl IntoIterator<Item = &'a str>) -> String {
        let Some(root) = &self.root else { return text };
        let files: BTreeSet<&str> = files.into_iter().filter(|file| is_plain(file)).collect();
        let mut linked = String::with_capacity(text.len() * 2);
        for word in text.split_inclusive(char::is_whitespace) {
            let bare = word.trim_end();
            let location = bare.trim_start_matches('(').trim_end_matches([',', ')', ':', ';']);
            match target(location).filter(|(file, _)| files.contains(file)) {
                Some((file, line)) => {
                    let (before, after) = word.split_once(location).unwrap_or((word, ""));
                    let url = url(&root.join(file), line);
                    linked.push_str(&format!("{before}\x1b]8;;{url}\x1b\\{location}\x1b]8;;\x1b\\{after}"));
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

/// Returns whether a path leads to nothing outside its root.
fn is_plain(file: &str) -> bool {
    !file.is_empty() && Path::new(file).components().all(|part| matches!(part, std::path::Component::Normal(_)))
}

/// Returns the URL of a file, with the line as its fragment, which kitty and others pass to the editor.
fn url(path: &Path, line: u32) -> String {
    let mut url = String::from("file://");
    for byte in path.to_string_lossy().bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => url.push(char::from(byte)),
            _ => url.push_str(&format!("%{byte:02X}")),
        }
    }
    format!("{url}#{line}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_in_the_repository_are_links() {
        let links = Links { root: Some("/r x".into()) };
        let files = ["src/a.py", "../out.py", "/etc/passwd"];
        let text = "run  (src/a.py:12-14), calls\nsrc/b.py:3 ../out.py:1 /etc/passwd:1 src/a.py\n";
        let expected = "run  (\x1b]8;;file:///r%20x/src/a.py#12\x1b\\src/a.py:12-14\x1b]8;;\x1b\\), calls\n\
                        src/b.py:3 ../out.py:1 /etc/passwd:1 src/a.py\n";
        assert_eq!(links.apply(text.to_owned(), files), expected);
        assert_eq!(Links { root: None }.apply(text.to_owned(), files), text);
    }

    #[test]
    fn urls_have_no_control_characters() {
        assert_eq!(url(Path::new("/r/a\u{1b}\\é.py"), 1), "file:///r/a%1B%5C%C3%A9.py#1");
    }
}
