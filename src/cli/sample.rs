//! The sample repository of the demonstration, which is part of the program.

use std::fs;
use std::io;
use std::path::PathBuf;

use crate::engine::TemporaryFolder;

macro_rules! files {
    ($($path:literal),* $(,)?) => { &[$(($path, include_str!(concat!("../../assets/sample/", $path)))),*] };
}

const FILES: &[(&str, &str)] = files![
    "README.md",
    "lending/__init__.py",
    "lending/catalog.py",
    "lending/clock.py",
    "lending/config.py",
    "lending/cookies.py",
    "lending/fines.py",
    "lending/jobs.py",
    "lending/loans.py",
    "lending/mail.py",
    "lending/readers.py",
    "lending/session.py",
    "lending/storage.py",
    "lending/web.py",
    "pyproject.toml",
    "tests/test_loans.py",
    "tests/test_session.py",
    "web/desk.ts",
];

/// The sample in a temporary folder, which is removed with this value.
pub struct Sample {
    folder: TemporaryFolder,
}

impl Sample {
    /// Writes the sample.
    ///
    /// # Errors
    /// When the temporary folder can't be written.
    pub fn write() -> io::Result<Sample> {
        let sample = Sample { folder: TemporaryFolder::new("sample")? };
        // A repository of its own, wherever temporary folders are.
        for folder in ["objects", "refs"] {
            fs::create_dir_all(sample.root().join(".git").join(folder))?;
        }
        fs::write(sample.root().join(".git/HEAD"), "ref: refs/heads/main\n")?;
        for (path, text) in FILES {
            let path = sample.root().join(path);
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(path, text)?;
        }
        Ok(sample)
    }

    /// Returns the folder of the repository.
    pub fn root(&self) -> PathBuf {
        self.folder.path().join("sample")
    }

    /// Returns the database, which is temporary too.
    pub fn database(&self) -> PathBuf {
        self.folder.path().join("graph.db")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_sample_is_whole_and_removed_in_the_end() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/sample");
        let mut found = BTreeSet::new();
        let mut folders = vec![folder.clone()];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
                match entry.is_dir() {
                    true => folders.push(entry),
                    false => drop(found.insert(entry.strip_prefix(&folder).unwrap().to_str().unwrap().to_owned())),
                }
            }
        }
        assert_eq!(found, FILES.iter().map(|(path, _)| (*path).to_owned()).collect());
        let sample = Sample::write().unwrap();
        let root = sample.root();
        assert!(root.join("lending/session.py").is_file());
        drop(sample);
        assert!(!root.exists());
    }
}
