//! `knowing-eval features`: writes the feature values of training tasks.

use std::collections::HashSet;
use std::fs;
use std::io::{BufWriter, Read};
use std::path::{Path, PathBuf};

use clap::Args;

use super::CorpusArguments;
use super::replacement::{Replacement, unwritable};
use crate::text;
use crate::training::{FeatureWriter, TrainingTasks, collect};
use knowing::cli::exit::{CliError, Status};
use knowing::cli::session::Session;

/// Arguments of `eval features`.
#[derive(Debug, Args)]
pub struct FeaturesArguments {
    /// Task files: YAML as for `eval`, or JSON lines (.jsonl, .jsonl.gz) of commits or issues
    #[arg(required = true, value_name = "TASKFILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub corpus: CorpusArguments,
    /// Write the values to this file
    #[arg(long, short, value_name = "FILE")]
    pub output: PathBuf,
}

/// Ranks every task and writes the values of its candidates.
///
/// # Errors
/// When an argument or task file is invalid, or a repository or the output can't be used.
pub fn run(session: &Session, arguments: &FeaturesArguments) -> Result<Status, CliError> {
    arguments.corpus.check(session)?;
    let all = read_tasks(&arguments.files)?;
    let output = Replacement::create(&arguments.output)?;
    let writing = |error: &dyn std::fmt::Display| unwritable(&arguments.output, error);
    let mut writer = FeatureWriter::new(BufWriter::new(output)).map_err(|error| writing(&error))?;
    let (mut count, mut candidates, mut gold, mut found) = (0, 0, 0, 0);
    for tasks in &all {
        let engine = arguments.corpus.engine(session, &tasks.repository)?;
        let of_repository = |error| anyhow::anyhow!("{}: {error}", tasks.repository);
        let (features, samples) = collect(&engine, tasks).map_err(|error| CliError::Unusable(of_repository(error)))?;
        for sample in &samples {
            writer.write(&features, sample).map_err(|error| writing(&error))?;
            candidates += sample.candidates;
            gold += sample.gold;
            found += sample.strict.iter().map(|(_, entry)| entry).collect::<HashSet<_>>().len();
        }
        count += samples.len();
        session.note(&format!("{}: {}", tasks.repository, text::count(samples.len(), "task")));
    }
    let output = writer.finish().map_err(|error| writing(&error))?;
    output.into_inner().map_err(|error| writing(error.error()))?.finish()?;
    session.note(&format!(
        "{}, {} candidates each, {found} of {gold} relevant symbols among them",
        text::count(count, "task"),
        candidates / count.max(1)
    ));
    Ok(Status::for_count(count))
}

/// Reads the task files. A repository whose tasks are in several files is ranked for each file.
pub(super) fn read_tasks(paths: &[PathBuf]) -> Result<Vec<TrainingTasks>, CliError> {
    let mut all = Vec::new();
    let mut ids = HashSet::new();
    for path in paths {
        let tasks = TrainingTasks::read(path, &text(path)?).map_err(|error| CliError::Usage(error.to_string()))?;
        for of_repository in tasks {
            for task in &of_repository.tasks {
                if !ids.insert((of_repository.set, of_repository.repository.clone(), task.id.clone())) {
                    let problem = format!("{}: another file has the task `{}` too", path.display(), task.id);
                    return Err(CliError::Usage(problem));
                }
            }
            all.push(of_repository);
        }
    }
    Ok(all)
}

/// Reads a text file, unpacked if its name ends with `.gz`.
pub(super) fn text(path: &Path) -> Result<String, CliError> {
    let unreadable = |error| CliError::Usage(format!("can't read {}: {error}", path.display()));
    let file = fs::File::open(path).map_err(unreadable)?;
    let mut text = String::new();
    let read = match path.extension().is_some_and(|extension| extension == "gz") {
        true => flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text),
        false => (&file).read_to_string(&mut text),
    };
    read.map_err(unreadable)?;
    Ok(text)
}
