//! The folder of a run: appends lines, and knows which are there, so that an interrupted run resumes.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::record::{AnswerRecord, FORMAT, IndexRecord, Label, RunRecord, file};

/// An error in a run's folder.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    #[error("can't use {path}: {cause}")]
    Io { path: PathBuf, cause: std::io::Error },
    #[error("{path}:{line}: {cause}")]
    Malformed { path: PathBuf, line: usize, cause: serde_json::Error },
    #[error("{path} has the format {found}; this program reads {FORMAT}")]
    Format { path: PathBuf, found: u32 },
}

/// The key of an answer.
type AnswerKey = (String, Label, String, String, String, usize);

/// Returns the key of an answer.
pub fn answer_key(record: &AnswerRecord) -> AnswerKey {
    let AnswerRecord { system, label, set, repository, task, budget, .. } = record;
    (system.clone(), *label, set.clone(), repository.clone(), task.clone(), *budget)
}

/// The folder of a run.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    answers: HashSet<AnswerKey>,
    indexes: HashSet<(String, String)>,
}

impl RunFolder {
    /// Creates the folder, or opens one of an earlier run. A line that a crash left incomplete is removed.
    ///
    /// # Errors
    /// When the folder can't be written, or has lines that this program can't read.
    pub fn open(path: &Path) -> Result<RunFolder, FolderError> {
        fs::create_dir_all(path).map_err(|cause| FolderError::Io { path: path.to_owned(), cause })?;
        for name in [file::ANSWERS, file::INDEXES, file::LEARNING, file::STALENESS, file::SCALE] {
            remove_incomplete_line(&path.join(name))?;
        }
        let mut folder = RunFolder { path: path.to_owned(), answers: HashSet::new(), indexes: HashSet::new() };
        folder.answers = folder.read::<AnswerRecord>(file::ANSWERS)?.iter().map(answer_key).collect();
        let indexes = folder.read::<IndexRecord>(file::INDEXES)?;
        folder.indexes = indexes.into_iter().map(|record| (record.system, record.repository)).collect();
        Ok(folder)
    }

    /// Returns the folder's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether the answer is recorded.
    pub fn has_answer(&self, key: &AnswerKey) -> bool {
        self.answers.contains(key)
    }

    /// Returns whether the index of a system and repository is recorded.
    pub fn has_index(&self, system: &str, repository: &str) -> bool {
        self.indexes.contains(&(system.to_owned(), repository.to_owned()))
    }

    /// Appends an answer.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn add_answer(&mut self, record: &AnswerRecord) -> Result<(), FolderError> {
        self.append(file::ANSWERS, record)?;
        self.answers.insert(answer_key(record));
        Ok(())
    }

    /// Appends the record of an index.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn add_index(&mut self, record: &IndexRecord) -> Result<(), FolderError> {
        self.append(file::INDEXES, record)?;
        self.indexes.insert((record.system.clone(), record.repository.clone()));
        Ok(())
    }

    /// Appends a line to a file of the run.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn append(&self, name: &str, record: &impl Serialize) -> Result<(), FolderError> {
        let path = self.path.join(name);
        let failed = |cause| FolderError::Io { path: path.clone(), cause };
        let mut line = serde_json::to_vec(record).map_err(|error| failed(error.into()))?;
        line.push(b'\n');
        let mut file = OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
        file.write_all(&line).map_err(failed)
    }

    /// Returns the records of a file; none if there is no such file.
    ///
    /// # Errors
    /// When the file can't be read or a line is malformed.
    pub fn read<T: DeserializeOwned>(&self, name: &str) -> Result<Vec<T>, FolderError> {
        let path = self.path.join(name);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(cause) => return Err(FolderError::Io { path, cause }),
        };
        let record = |(index, line): (usize, &str)| {
            let malformed = |cause| FolderError::Malformed { path: path.clone(), line: index + 1, cause };
            serde_json::from_str(line).map_err(malformed)
        };
        text.lines().enumerate().map(record).collect()
    }

    /// Returns the description of the run; `None` for a new one.
    ///
    /// # Errors
    /// When it can't be read, or has another format.
    pub fn run(&self) -> Result<Option<RunRecord>, FolderError> {
        let path = self.path.join(file::RUN);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(cause) => return Err(FolderError::Io { path, cause }),
        };
        let malformed = |cause| FolderError::Malformed { path: path.clone(), line: 1, cause };
        let record: RunRecord = serde_json::from_str(&text).map_err(malformed)?;
        match record.format {
            FORMAT => Ok(Some(record)),
            found => Err(FolderError::Format { path, found }),
        }
    }

    /// Writes the description of the run.
    ///
    /// # Errors
    /// When the file can't be written.
    pub fn write_run(&self, record: &RunRecord) -> Result<(), FolderError> {
        let path = self.path.join(file::RUN);
        let failed = |cause| FolderError::Io { path: path.clone(), cause };
        let text = serde_json::to_vec_pretty(record).map_err(|error| failed(error.into()))?;
        fs::write(&path, text).map_err(failed)
    }
}

fn remove_incomplete_line(path: &Path) -> Result<(), FolderError> {
    let failed = |cause| FolderError::Io { path: path.to_owned(), cause };
    let mut file = match File::options().read(true).write(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
        Err(cause) => return Err(failed(cause)),
    };
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(failed)?;
    let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |index| index + 1);
    if end < bytes.len() {
        file.set_len(end as u64).map_err(failed)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(task: &str) -> AnswerRecord {
        AnswerRecord {
            system: "rg".to_owned(),
            label: Label::Cold,
            set: "orientation".to_owned(),
            repository: "shop".to_owned(),
            language: "python".to_owned(),
            kind: "explore".to_owned(),
            tier: "easy".to_owned(),
            task: task.to_owned(),
            budget: 2_000,
            home: false,
            ranked: vec!["a.py.Cart".to_owned()],
            gold: vec!["Cart".to_owned()],
            ranks: vec![Some(1)],
            strict_ranks: vec![Some(1)],
            tokens: 10,
            seconds: 0.5,
            error: None,
            misses: Vec::new(),
        }
    }

    #[test]
    fn interrupted_run_resumes_after_the_last_complete_line() {
        let temporary = tempfile::tempdir().unwrap();
        let mut folder = RunFolder::open(temporary.path()).unwrap();
        folder.add_answer(&answer("one")).unwrap();
        folder.add_answer(&answer("two")).unwrap();
        let path = temporary.path().join(file::ANSWERS);
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
        let mut folder = RunFolder::open(temporary.path()).unwrap();
        assert!(folder.has_answer(&answer_key(&answer("one"))));
        assert!(!folder.has_answer(&answer_key(&answer("two"))));
        folder.add_answer(&answer("two")).unwrap();
        assert_eq!(folder.read::<AnswerRecord>(file::ANSWERS).unwrap(), [answer("one"), answer("two")]);
    }

    #[test]
    fn malformed_lines_are_reported_with_their_number() {
        let temporary = tempfile::tempdir().unwrap();
        fs::write(temporary.path().join(file::INDEXES), "{}\n").unwrap();
        let error = RunFolder::open(temporary.path()).unwrap_err().to_string();
        assert!(error.contains("indexes.jsonl:1: "), "{error}");
    }
}
