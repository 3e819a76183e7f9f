//! Build step: parses `seeds/` and writes it in the binary form that the program embeds. Parsing several hundred
//! concepts as TOML at start would exceed the time budget of a query.

use std::error::Error;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

#[path = "../analysis/text/identifier.rs"]
mod identifier;
#[path = "concepts/seed_file.rs"]
mod seed_file;
#[path = "../analysis/text/stem.rs"]
mod stem;
#[path = "concepts/word_file.rs"]
mod word_file;

use seed_file::SeedFile;
use word_file::WordsFile;

const FOLDER: &str = "../../seeds";
/// Files and folders of concepts.
const CONCEPTS: [&str; 4] = ["domains", "frameworks", "languages", "universal.toml"];
const WORDS: &str = "words.toml";

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    println!("cargo::rerun-if-changed={FOLDER}");
    for code in [
        "build.rs",
        "concepts/seed_file.rs",
        "concepts/word_file.rs",
        "../analysis/text/identifier.rs",
        "../analysis/text/stem.rs",
    ] {
        println!("cargo::rerun-if-changed={code}");
    }
    let mut files = Vec::new();
    for name in CONCEPTS {
        let mut paths = Vec::new();
        collect(Path::new(FOLDER).join(name), &mut paths)?;
        paths.sort();
        for path in paths {
            let inside = path.strip_prefix(FOLDER)?.to_str().ok_or("a seed file's name is not UTF-8")?;
            files.push(concepts(&inside.replace('\\', "/"), &std::fs::read_to_string(&path)?)?);
        }
    }
    let words: WordsFile = read(WORDS)?;
    std::fs::write(folder.join("seeds.bin"), postcard::to_stdvec(&(files, words))?)?;
    Ok(())
}

/// Collects the TOML files at or below `path`.
fn collect(path: PathBuf, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if path.is_dir() {
        for entry in std::fs::read_dir(path)? {
            collect(entry?.path(), paths)?;
        }
    } else if path.extension().is_some_and(|extension| extension == "toml") {
        paths.push(path);
    }
    Ok(())
}

fn concepts(path: &str, text: &str) -> Result<SeedFile, Box<dyn Error>> {
    let stems =
        |text: &str| identifier::split_identifier(text).iter().map(|word| stem::stem(word).into_owned()).collect();
    let (file, problems) = seed_file::parse(path, text, &stems);
    match problems.first() {
        Some(problem) => Err(format!("{FOLDER}/{problem}").into()),
        None => Ok(file),
    }
}

fn read<T: DeserializeOwned>(name: &str) -> Result<T, Box<dyn Error>> {
    let text = std::fs::read_to_string(Path::new(FOLDER).join(name))?;
    toml::from_str(&text).map_err(|error| format!("{FOLDER}/{name}: {error}").into())
}
