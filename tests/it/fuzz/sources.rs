//! Pieces of real code to begin with.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use knowing::lang::{LANGUAGES, Language, language_of};

/// A piece of code and the kind of file that it is from.
pub struct Seed {
    /// With its dot.
    pub extension: String,
    pub text: String,
}

/// Long files only make the cases fewer.
const SEED_BYTES: usize = 12_000;
/// Enough to choose from.
const MAX_SEEDS: usize = 3_000;

/// The extensions of a language, with their dots.
pub fn extensions(language: &Language) -> Vec<String> {
    language.extensions.iter().map(|extension| format!(".{extension}")).collect()
}

/// Pieces of code in a language: our fixtures, and whatever lies in the folder that `KNOWING_FUZZ_SOURCES` names.
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
    language_of(name).filter(|found| found.name == language)?;
    let mut text = fs::read_to_string(path).ok()?;
    let end = (0..=SEED_BYTES.min(text.len())).rev().find(|place| text.is_char_boundary(*place))?;
    text.truncate(end);
    let extension = format!(".{}", path.extension()?.to_str()?);
    Some(Seed { extension, text })
}
