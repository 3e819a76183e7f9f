//! Reads `workspace.toml`, which names the repositories of a workspace; every error has its line.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{MemberSource, WorkspaceError};
use crate::atomic_file;

/// The name of the file.
pub const FILE_NAME: &str = "workspace.toml";

/// Limit of the file's size in bytes.
const MAX_BYTES: u64 = 1 << 20;
/// Limit of the repositories of a workspace.
pub(super) const MAX_MEMBERS: usize = 1_000;

const KEYS: &str = "path, name or db";

/// Returns the nearest file above `start`, or in it.
pub fn find_file(start: &Path) -> Option<PathBuf> {
    let start = start.canonicalize().ok()?;
    start.ancestors().map(|folder| folder.join(FILE_NAME)).find(|file| file.is_file())
}

impl MemberSource {
    /// Reads a file such as:
    ///
    /// ```toml
    /// [[repository]]
    /// path = "../api"      # relative to the file's folder
    /// name = "api"         # optional
    /// ```
    ///
    /// # Errors
    /// When the file can't be read, is not valid, or has an unknown key.
    pub fn read_file(path: &Path) -> Result<Vec<MemberSource>, WorkspaceError> {
        let unreadable = |cause| WorkspaceError::Unreadable { path: path.to_owned(), cause };
        let size = fs::metadata(path).map_err(unreadable)?;
        if !size.is_file() || size.len() > MAX_BYTES {
            let text = format!("not a file of at most {MAX_BYTES} bytes");
            return Err(WorkspaceError::File { path: path.to_owned(), line: 1, text });
        }
        let text = fs::read_to_string(path).map_err(unreadable)?;
        let folder = atomic_file::folder(path);
        parse(&text, folder)
            .map_err(|error| {
                let line = 1 + text[..error.at.min(text.len())].matches('\n').count();
                WorkspaceError::File { path: path.to_owned(), line, text: error.text }
            })
            .map(|entries| {
                let line = |at: usize| 1 + text[..at.min(text.len())].matches('\n').count();
                let origin = |at| Some((path.to_owned(), line(at)));
                entries.into_iter().map(|(source, at)| MemberSource { origin: origin(at), ..source }).collect()
            })
    }
}

/// An error at a byte of the text.
#[derive(Debug)]
struct ParseError {
    at: usize,
    text: String,
}

fn error(span: Range<usize>, text: impl Into<String>) -> ParseError {
    ParseError { at: span.start, text: text.into() }
}

/// Returns the repositories, each with the byte at which its table begins.
fn parse(text: &str, folder: &Path) -> Result<Vec<(MemberSource, usize)>, ParseError> {
    let table = DeTable::parse(text)
        .map_err(|problem| error(problem.span().unwrap_or_default(), problem.message().to_owned()))?;
    let mut entries = Vec::new();
    for (key, value) in table.get_ref() {
        let DeValue::Array(tables) = value.get_ref() else {
            return Err(error(key.span(), unknown_key(key.get_ref())));
        };
        if key.get_ref() != "repository" {
            return Err(error(key.span(), unknown_key(key.get_ref())));
        }
        for entry in tables.iter() {
            entries.push((member(entry, folder)?, entry.span().start));
        }
    }
    match entries.len() {
        0 => Err(error(0..0, "no repository; add [[repository]] with a path")),
        count if count > MAX_MEMBERS => Err(error(0..0, format!("more than {MAX_MEMBERS} repositories"))),
        _ => Ok(entries),
    }
}

fn unknown_key(key: &str) -> String {
    let key = key.escape_debug();
    if key.to_string() == "repository" {
        return "write [[repository]], in double brackets".to_owned();
    }
    format!("unknown key {key}; a workspace has [[repository]] only")
}

fn member(entry: &Spanned<DeValue<'_>>, folder: &Path) -> Result<MemberSource, ParseError> {
    let DeValue::Table(table) = entry.get_ref() else {
        return Err(error(entry.span(), "a repository is a table with a path"));
    };
    let mut source = MemberSource::default();
    for (key, value) in table {
        let name = key.get_ref().as_ref();
        if !["path", "name", "db"].contains(&name) {
            let text = format!("unknown key {}; a repository has {KEYS}", name.escape_debug());
            return Err(error(key.span(), text));
        }
        let DeValue::String(text) = value.get_ref() else {
            return Err(error(value.span(), format!("{} must be a string", key.get_ref().escape_debug())));
        };
        match name {
            _ if text.is_empty() => return Err(error(value.span(), format!("{name} is empty"))),
            "path" => source.folder = folder.join(&**text),
            "name" => source.label = Some(text.to_string()),
            _ => source.database = Some(folder.join(&**text)),
        }
    }
    if source.folder.as_os_str().is_empty() {
        return Err(error(entry.span(), "the repository has no path"));
    }
    Ok(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(text: &str) -> Result<Vec<MemberSource>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(FILE_NAME);
        fs::write(&path, text).unwrap();
        let strip = |text: String| text.replace(&format!("{}/", folder.path().display()), "");
        let read = MemberSource::read_file(&path).map_err(|error| strip(error.to_string()))?;
        assert!(read.iter().all(|source| source.origin.as_ref().unwrap().0 == path));
        Ok(read)
    }

    #[test]
    fn repositories_are_read_with_their_lines() {
        let text =
            "# ours\n[[repository]]\npath = \"../api\"\nname = \"backend\"\n\n[[repository]]\npath = \"/srv/web\"\n";
        let read = sources(text).unwrap();
        assert!(read[0].folder.ends_with("../api") && read[1].folder == Path::new("/srv/web"));
        assert_eq!(read[0].label.as_deref(), Some("backend"));
        let lines: Vec<usize> = read.iter().map(|source| source.origin.as_ref().unwrap().1).collect();
        assert_eq!(lines, [2, 6]);
    }

    #[test]
    fn errors_name_file_and_line() {
        for (text, message) in [
            ("", "workspace.toml:1: no repository; add [[repository]] with a path"),
            ("[[repository]]\nname = \"a\"\n", "workspace.toml:1: the repository has no path"),
            ("\n[[repository]]\npath = 3\n", "workspace.toml:3: path must be a string"),
            (
                "[[repository]]\npath = \"a\"\ncolor = \"red\"\n",
                "workspace.toml:3: unknown key color; a repository has path, name or db",
            ),
            (
                "\n\n[[member]]\npath = \"a\"\n",
                "workspace.toml:3: unknown key member; a workspace has [[repository]] only",
            ),
            ("[repository]\npath = \"a\"\n", "workspace.toml:1: write [[repository]], in double brackets"),
        ] {
            assert_eq!(sources(text).unwrap_err(), message);
        }
        assert!(sources("a = \n").unwrap_err().starts_with("workspace.toml:1: "));
        assert!(MemberSource::read_file(Path::new("/nowhere/workspace.toml")).is_err());
    }
}
