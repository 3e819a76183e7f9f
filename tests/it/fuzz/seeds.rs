//! Seeds of the fuzz tests: real source code.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use knowing_analysis::lang::{LANGUAGES, Language, language_of};

/// A piece of source code and its file extension.
pub struct Seed {
    /// As [`extensions`] returns it.
    pub extension: String,
    pub text: String,
}

/// Maximum length of a seed in bytes; longer seeds only slow the tests down.
const MAX_SEED_BYTES: usize = 12_000;
/// Maximum number of seeds of a language.
const MAX_SEEDS: usize = 3_000;

/// Returns the extensions of a language, with the dot; the names of its files, with a slash, if it has none.
pub fn extensions(language: &Language) -> Vec<String> {
    match language.extensions {
        [] => language.file_names.iter().map(|name| format!("/{name}")).collect(),
        extensions => extensions.iter().map(|extension| format!(".{extension}")).collect(),
    }
}

/// Returns the seeds of a language: the fixtures, and files of the folder named by `KNOWING_FUZZ_SOURCES`.
pub fn seeds(language: &Language) -> &'static [Seed] {
    static SEEDS: OnceLock<Vec<(&'static str, Vec<Seed>)>> = OnceLock::new();
    let all = SEEDS.get_or_init(|| LANGUAGES.iter().map(|language| (language.name, collect(language.name))).collect());
    all.iter().find(|(name, _)| *name == language.name).map_or(&[], |(_, seeds)| seeds)
}

fn collect(language: &str) -> Vec<Seed> {
    let mut folders = vec![PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures")];
    folders.extend(std::env::var_os("KNOWING_FUZZ_SOURCES").map(PathBuf::from));
    let mut seeds = Vec::new();
    while let Some(folder) = folders.pop() {
        let mut entries: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        for path in entries {
            let metadata = fs::symlink_metadata(&path).unwrap();
            if metadata.is_dir() {
                folders.push(path);
            } else if metadata.is_file() && seeds.len() < MAX_SEEDS {
                seeds.extend(seed(&path, language));
            }
        }
    }
    seeds
}

fn seed(path: &Path, language: &str) -> Option<Seed> {
    let name = path.to_str()?;
    let found = language_of(name).filter(|found| found.name == language)?;
    let mut text = fs::read_to_string(path).ok()?;
    let end = (0..=MAX_SEED_BYTES.min(text.len())).rev().find(|index| text.is_char_boundary(*index))?;
    text.truncate(end);
    let extension = match path.extension() {
        Some(extension) if !found.extensions.is_empty() => format!(".{}", extension.to_str()?),
        _ => format!("/{}", path.file_name()?.to_str()?),
    };
    Some(Seed { extension, text })
}
