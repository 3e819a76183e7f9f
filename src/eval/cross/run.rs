//! Reads the files of a run, and joins several runs.

use std::collections::BTreeMap;
use std::io;

use serde::de::DeserializeOwned;

use super::record::{
    AnswerRecord, FORMAT, IndexRecord, LearningRecord, RunRecord, ScaleRecord, StalenessRecord, SystemRecord,
    SystemStatus, file,
};

/// A run, or several joined ones.
#[derive(Debug, Clone, PartialEq)]
pub struct CrossRun {
    /// The heads of the runs, from the earliest to the latest. Never empty.
    pub runs: Vec<RunRecord>,
    /// Each system once, in the order of the runs.
    pub systems: Vec<SystemRecord>,
    pub answers: Vec<AnswerRecord>,
    pub indexes: Vec<IndexRecord>,
    pub learning: Vec<LearningRecord>,
    pub staleness: Vec<StalenessRecord>,
    pub scale: Vec<ScaleRecord>,
    /// Of joined runs, each with its answers, from the earliest to the latest.
    pub history: Vec<(RunRecord, Vec<AnswerRecord>)>,
}

/// A run that can't be read.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("{0} is missing; make a run with `knowing-eval cross` or `knowing-eval scale`")]
    Missing(&'static str),
    #[error("can't read {0}: {1}")]
    Unreadable(&'static str, io::Error),
    #[error("{file}, line {line}: {reason}")]
    Malformed { file: &'static str, line: usize, reason: String },
    #[error("the run has format {0}; this program reads format {FORMAT}")]
    Format(u32),
    #[error("the run has no records yet; continue it with the command that started it")]
    Empty,
}

impl CrossRun {
    /// Parses the files of a run; `read` returns the text of a file by its name, and `None` if there is no such file.
    /// Only `run.json` and one record are required. A last line without an end is what an interrupted run left, and is
    /// ignored. A line replaces an earlier one about the same thing.
    ///
    /// # Errors
    /// When `run.json` is missing, a file is malformed, the run has another format, or there are no records.
    pub fn read(read: &dyn Fn(&str) -> io::Result<Option<String>>) -> Result<CrossRun, RunError> {
        let read = |name| read(name).map_err(|error| RunError::Unreadable(name, error));
        let text = read(file::RUN)?.ok_or(RunError::Missing(file::RUN))?;
        let malformed = |error: serde_json::Error| {
            let (line, reason) = (error.line(), error.to_string());
            RunError::Malformed { file: file::RUN, line, reason }
        };
        let run: RunRecord = serde_json::from_str(&text).map_err(malformed)?;
        if run.format != FORMAT {
            return Err(RunError::Format(run.format));
        }
        let lines = |name| Ok::<String, RunError>(read(name)?.unwrap_or_default());
        let mut joined = CrossRun {
            systems: run.systems.clone(),
            runs: vec![run],
            answers: parse(file::ANSWERS, &lines(file::ANSWERS)?)?,
            indexes: parse(file::INDEXES, &lines(file::INDEXES)?)?,
            learning: parse(file::LEARNING, &lines(file::LEARNING)?)?,
            staleness: parse(file::STALENESS, &lines(file::STALENESS)?)?,
            scale: parse(file::SCALE, &lines(file::SCALE)?)?,
            history: Vec::new(),
        };
        if joined.is_empty() {
            return Err(RunError::Empty);
        }
        joined.replace_earlier();
        Ok(joined)
    }

    /// Joins runs, such as of different systems. What a later run measured again replaces the earlier record.
    pub fn join(runs: impl IntoIterator<Item = CrossRun>) -> Option<CrossRun> {
        let mut runs: Vec<CrossRun> = runs.into_iter().collect();
        runs.sort_by(|one, two| one.runs[0].started.cmp(&two.runs[0].started));
        let history = |run: &CrossRun| run.runs.iter().cloned().map(|it| (it, run.answers.clone())).collect::<Vec<_>>();
        let history = if runs.len() > 1 { runs.iter().flat_map(history).collect() } else { Vec::new() };
        let mut runs = runs.into_iter();
        let mut joined = runs.next()?;
        joined.history = history;
        for run in runs {
            joined.runs.extend(run.runs);
            for system in run.systems {
                match joined.systems.iter_mut().find(|other| other.name == system.name) {
                    Some(other) if system.status == SystemStatus::Ran || other.status == SystemStatus::Absent => {
                        *other = system;
                    }
                    Some(_) => {}
                    None => joined.systems.push(system),
                }
            }
            joined.answers.extend(run.answers);
            joined.indexes.extend(run.indexes);
            joined.learning.extend(run.learning);
            joined.staleness.extend(run.staleness);
            joined.scale.extend(run.scale);
        }
        joined.replace_earlier();
        Some(joined)
    }

    fn is_empty(&self) -> bool {
        let quality = self.answers.is_empty() && self.learning.is_empty() && self.staleness.is_empty();
        quality && self.indexes.is_empty() && self.scale.is_empty()
    }

    /// Keeps the last record about each thing, sorted by it, so that reports don't depend on the order of work.
    fn replace_earlier(&mut self) {
        keep_last(&mut self.answers, |it| {
            let names = [&it.system, &it.set, &it.repository, &it.task].map(String::clone);
            (names, it.label, it.budget)
        });
        keep_last(&mut self.indexes, |it| (it.system.clone(), it.repository.clone()));
        keep_last(&mut self.learning, |it| (it.system.clone(), it.repository.clone(), it.group, it.round));
        keep_last(&mut self.staleness, |it| (it.system.clone(), it.repository.clone(), it.change, it.update));
        keep_last(&mut self.scale, |it| (it.system.clone(), it.files, it.repository.clone()));
    }
}

fn keep_last<T, K: Ord>(records: &mut Vec<T>, key: impl Fn(&T) -> K) {
    let last: BTreeMap<K, T> = std::mem::take(records).into_iter().map(|record| (key(&record), record)).collect();
    records.extend(last.into_values());
}

fn parse<T: DeserializeOwned>(file: &'static str, text: &str) -> Result<Vec<T>, RunError> {
    let complete = text.rfind('\n').map_or("", |end| &text[..end]);
    let lines = (1..).zip(complete.lines()).filter(|(_, line)| !line.trim().is_empty());
    let parse = |(line, text)| {
        serde_json::from_str(text).map_err(|error: serde_json::Error| {
            let reason = error.to_string();
            RunError::Malformed { file, line, reason }
        })
    };
    lines.map(parse).collect()
}
