//! The languages of files by their names.
//!
//! # Why tables
//!
//! A walk of a checkout asks for each of its files, before every question, and comparing a name with those of all languages takes
//! longer than to read the folder.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::{LANGUAGES, Language, own};
use crate::text::{file_name, parent_dir};

/// Indexes in [`LANGUAGES`] of the first language that has each name.
struct Names {
    file_names: HashMap<&'static str, usize>,
    extensions: HashMap<&'static str, usize>,
    /// Folders in which a language reads files of an extension.
    folders: Vec<(usize, &'static str, &'static str)>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    let mut names = Names { file_names: HashMap::new(), extensions: HashMap::new(), folders: Vec::new() };
    for (index, language) in LANGUAGES.iter().enumerate() {
        for name in language.file_names {
            names.file_names.entry(name).or_insert(index);
        }
        for extension in language.extensions {
            names.extensions.entry(extension).or_insert(index);
        }
        names.folders.extend(language.folders.iter().map(|(folder, extension)| (index, *folder, *extension)));
    }
    names
});

/// Files of which there are several, one a purpose: `Dockerfile.dev`, `Dockerfile-workers`.
const WITH_PURPOSES: &[&str] = &["Containerfile", "Dockerfile"];
/// Purposes that are endings of other files.
const NO_PURPOSES: &[&str] = &["dockerignore", "md", "rst", "txt"];

/// Returns the name of a file without its purpose; `None` if it has none.
fn without_purpose(name: &str) -> Option<&'static str> {
    let plain = WITH_PURPOSES.iter().find(|plain| name.starts_with(*plain))?;
    let purpose = name[plain.len()..].strip_prefix(['.', '-'])?;
    (!purpose.is_empty() && !NO_PURPOSES.contains(&purpose)).then_some(*plain)
}

/// Returns the language of a file by its name; that of the user's settings wins. An extension in capitals, as old systems wrote
/// them, is read as one in small letters unless it is known.
pub fn language_of(path: &str) -> Option<&'static Language> {
    let (names, name) = (&*NAMES, file_name(path));
    if let Some(index) = names.file_names.get(name) {
        return Some(LANGUAGES[*index]);
    }
    if let Some(plain) = without_purpose(name) {
        return language_of(plain);
    }
    let (_, extension) = name.rsplit_once('.')?;
    if let Some(own) = own::of_extension(extension) {
        return Some(own.language);
    }
    let is_in = |(_, folder, ending): &&(usize, &str, &str)| *ending == extension && parent_dir(path).ends_with(folder);
    let by_folder = names.folders.iter().find(is_in).map(|(index, ..)| *index);
    let by_extension = names.extensions.get(extension).copied();
    let found = by_folder.into_iter().chain(by_extension).min().map(|index| LANGUAGES[index]);
    let is_in_capitals = || extension.contains(|letter: char| letter.is_ascii_uppercase());
    found.or_else(|| is_in_capitals().then(|| language_of(&path.to_ascii_lowercase())).flatten())
}

/// Returns whether a language reads files of this extension.
pub(super) fn is_registered(extension: &str) -> bool {
    NAMES.extensions.contains_key(extension) || own::of_extension(extension).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_language_with_a_name_is_that_of_the_file() {
        let by_lists = |path: &str| {
            let name = file_name(path);
            let named = LANGUAGES.iter().copied().find(|language| language.file_names.contains(&name));
            let (_, extension) = name.rsplit_once('.').unwrap_or_default();
            let is_in = |(folder, ending): &(&str, &str)| *ending == extension && parent_dir(path).ends_with(folder);
            named.or_else(|| {
                let reads = |language: &&Language| {
                    language.extensions.contains(&extension) || language.folders.iter().any(is_in)
                };
                LANGUAGES.iter().copied().find(reads)
            })
        };
        let mut paths = vec!["a/README".to_owned(), "a.unknown".to_owned(), "Makefile".to_owned(), ".".to_owned()];
        for language in LANGUAGES {
            paths.extend(language.file_names.iter().map(|name| format!("a/{name}")));
            paths.extend(language.extensions.iter().map(|extension| format!("a/b.{extension}")));
            for (folder, extension) in language.folders {
                paths.extend([format!("{folder}/b.{extension}"), format!("x/{folder}/b.{extension}")]);
            }
        }
        for (path, name) in [("OLD.PY", "python"), ("a/B.Js", "typescript"), ("X.GO", "go"), ("gui.pyw", "python")] {
            assert_eq!(language_of(path).map(|language| language.name), Some(name), "{path}");
        }
        assert_eq!(language_of("a.UNKNOWN").map(|language| language.name), None);
        for path in paths {
            assert_eq!(language_of(&path).map(|language| language.name), by_lists(&path).map(|one| one.name), "{path}");
        }
    }
}
