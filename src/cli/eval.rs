//! `knowing eval`: how well tasks with known answers are answered.

mod changes;
mod check;
mod classes;
mod learning;
mod scores;
mod timings;

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Subcommand};
use serde::Serialize;

use super::Format;
use super::exit::{CliError, Status};
use super::output::{Align, Table, stdout};
use super::preset::presets;
use super::session::Session;
use crate::engine::{Engine, Setup};
use crate::eval::{Job, Results, Run, TaskFile, class_tallies, compare, evaluate, missing};
use crate::model::{Options, Preset};
use crate::render::json;

/// Measure how well tasks with known answers are answered
///
/// A task file is YAML, named after its repository: `flask.yaml` or `flask-commits.yaml`. Under `tasks:` it lists id, tier,
/// task and ground_truth. A task that can't be answered counts as zero. Ends with 1 when there was such a task, or when
/// --verify or --check finds something wrong.
///
/// For example: knowing eval tasks/*.yaml --corpus ~/corpus --save after.json --against before.json
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, subcommand_value_name = "compare")]
pub struct EvalArguments {
    #[command(subcommand)]
    pub action: Option<EvalAction>,
    /// Task files
    #[arg(required = true, value_name = "TASKFILE")]
    pub files: Vec<PathBuf>,
    /// Folder with one folder for each repository [default: all tasks are about the one repository of --repo]
    #[arg(long, value_name = "DIR")]
    pub corpus: Option<PathBuf>,
    /// Folder for one database for each repository [default: in each repository]
    #[arg(long, value_name = "DIR")]
    pub databases: Option<PathBuf>,
    /// Measure the pack of this many tokens
    #[arg(long, value_name = "TOKENS", default_value_t = 5_000, value_parser = clap::value_parser!(u32).range(1..))]
    pub budget: u32,
    /// Measure the whole ranking instead of a pack
    #[arg(long, conflicts_with = "budget")]
    pub whole: bool,
    /// Measure without a class: its concept, or a layer or seed file for all of its classes; may be given several times
    #[arg(long, value_name = "CLASS")]
    pub mute: Vec<String>,
    /// By which numbers symbols are ranked: the best that were found, or those of the earlier system's documents
    #[arg(long, value_name = "PRESET", default_value_t, value_parser = presets())]
    pub preset: Preset,
    /// Leave parts out of the preset: components by their names, channels as channel:NAME, separated by commas
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    pub without: Vec<String>,
    /// A saved run: show by how much this one differs, with 95% intervals
    #[arg(long, value_name = "RUN")]
    pub against: Option<PathBuf>,
    /// Save the run as JSON, for --against and compare
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Measure the classes instead: how much of what they lead to is right, by layer, at home and away
    #[arg(long, conflicts_with_all = ["budget", "whole", "against", "save"])]
    pub classes: bool,
    /// Rank nothing; check that every symbol of the ground truth exists
    #[arg(long, conflicts_with_all = ["budget", "whole", "against", "save", "classes"])]
    pub verify: bool,
    /// Simulate learning instead: so many rounds of marking what the top ten shows for half of the tasks, measured on the others
    #[arg(long, value_name = "ROUNDS", conflicts_with_all = ["budget", "whole", "against", "save", "verify", "classes", "mute"],
          value_parser = clap::value_parser!(u32).range(1..=20))]
    pub learn: Option<u32>,
    /// Measure nothing; check that scores are the sums of their components, and that answers are the same in every run, with
    /// any number of threads, and when asked again
    #[arg(long, conflicts_with_all = ["budget", "whole", "against", "save", "verify", "classes"])]
    pub check: bool,
    /// Measure what answers cost, stage by stage, with the index loaded
    #[arg(long, conflicts_with_all = ["budget", "whole", "against", "save", "verify", "classes", "check"])]
    pub timings: bool,
    /// How the result is printed; as JSON it is the run, or with --against the differences
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

#[derive(Debug, Subcommand)]
pub enum EvalAction {
    /// Compare two saved runs task by task: which rose, which fell, and why
    Compare {
        /// The run before
        before: PathBuf,
        /// The run after
        after: PathBuf,
        /// How the result is printed
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
}

pub fn run(session: &Session, arguments: &EvalArguments) -> Result<Status, CliError> {
    if let Some(EvalAction::Compare { before, after, format }) = &arguments.action {
        let comparison = compare::compare(&saved(before)?, &saved(after)?);
        changes::warn(session, &comparison);
        let mut out = stdout();
        match format {
            Format::Json => out.write_all(json::line(&comparison).as_bytes())?,
            Format::Text => {
                changes::groups(&mut out, session.colors.stdout, &comparison)?;
                changes::tasks(&mut out, session.colors.stdout, &comparison)?;
            }
        }
        out.flush()?;
        return Ok(Status::for_count(comparison.common));
    }
    let options = Options {
        preset: arguments.preset,
        without: arguments.without.iter().cloned().collect(),
        muted_classes: arguments.mute.iter().cloned().collect(),
        ..Options::default()
    };
    Setup::new(&options).map_err(|error| CliError::Usage(error.to_string()))?;
    let before = arguments.against.as_deref().map(saved).transpose()?;
    let files = task_files(&arguments.files)?;
    let started = Instant::now();
    let jobs = jobs(session, arguments, files)?;
    if arguments.verify {
        return verify(session, &jobs, arguments.format);
    }
    if let Some(rounds) = arguments.learn {
        return learning::run(session, &jobs, rounds as usize, arguments.format);
    }
    if arguments.check {
        return check::run(session, &jobs, &options, arguments.format);
    }
    if arguments.timings {
        return timings::run(session, &jobs, &options, arguments.format);
    }
    if arguments.classes {
        return classes(session, &jobs, &options, arguments.format);
    }
    let indexed = started.elapsed();
    let results = match arguments.whole {
        true => Results::Ranked,
        false => Results::Packed { budget_tokens: arguments.budget as usize },
    };
    let tasks = evaluate(&jobs, results, &options);
    session.note(&format!(
        "{} tasks, {} repositories: indexed in {:.1} s, ranked in {:.1} s",
        tasks.len(),
        jobs.len(),
        indexed.as_secs_f64(),
        (started.elapsed() - indexed).as_secs_f64()
    ));
    let run = Run { version: env!("CARGO_PKG_VERSION").to_owned(), results, ranked_by: ranked_by(arguments), tasks };
    if let Some(file) = &arguments.save {
        let written = fs::write(file, run.to_json());
        written.map_err(|error| CliError::Unusable(anyhow::anyhow!("can't write {}: {error}", file.display())))?;
    }
    print(session, &run, before.as_ref(), arguments.format)?;
    Ok(if scores::list_errors(session, &run) == 0 { Status::Success } else { Status::NothingFound })
}

/// What ranked, in words.
fn ranked_by(arguments: &EvalArguments) -> String {
    let left_out: Vec<&str> = arguments.without.iter().chain(&arguments.mute).map(String::as_str).collect();
    match left_out.as_slice() {
        [] => arguments.preset.to_string(),
        parts => format!("{} without {}", arguments.preset, parts.join(", ")),
    }
}

fn print(session: &Session, run: &Run, before: Option<&Run>, format: Format) -> Result<(), CliError> {
    let comparison = before.map(|before| compare::compare(before, run));
    if let Some(comparison) = &comparison {
        changes::warn(session, comparison);
    }
    let mut out = stdout();
    match (format, &comparison) {
        (Format::Json, Some(comparison)) => out.write_all(json::line(comparison).as_bytes())?,
        (Format::Json, None) => out.write_all(run.to_json().as_bytes())?,
        (Format::Text, comparison) => {
            scores::write(&mut out, session.colors.stdout, run)?;
            if let Some(comparison) = comparison {
                writeln!(out)?;
                changes::groups(&mut out, session.colors.stdout, comparison)?;
            }
        }
    }
    Ok(out.flush()?)
}

fn read(file: &Path) -> Result<String, CliError> {
    fs::read_to_string(file).map_err(|error| CliError::Usage(format!("can't read {}: {error}", file.display())))
}

fn saved(file: &Path) -> Result<Run, CliError> {
    Run::read(&read(file)?).map_err(|error| CliError::Usage(format!("{} is no saved run: {error}", file.display())))
}

/// The task files, those about one repository together, in the order in which repositories first appear.
fn task_files(paths: &[PathBuf]) -> Result<Vec<TaskFile>, CliError> {
    let mut files: Vec<TaskFile> = Vec::new();
    let mut ids = HashSet::new();
    for path in paths {
        let file = TaskFile::read(path, &read(path)?).map_err(|error| CliError::Usage(error.to_string()))?;
        for task in &file.tasks {
            if !ids.insert((file.repository.clone(), task.id.clone())) {
                let problem = format!("{} has the task `{}`, which another file has too", path.display(), task.id);
                return Err(CliError::Usage(problem));
            }
        }
        match files.iter_mut().find(|known| known.repository == file.repository) {
            Some(known) => known.tasks.extend(file.tasks),
            None => files.push(file),
        }
    }
    Ok(files)
}

/// Indexes every repository, or brings its index up to date.
fn jobs(session: &Session, arguments: &EvalArguments, files: Vec<TaskFile>) -> Result<Vec<Job>, CliError> {
    if session.db().is_some() && (arguments.corpus.is_some() || arguments.databases.is_some()) {
        return Err(CliError::Usage("--db names one database; --databases names a folder for several".to_owned()));
    }
    if let Some(corpus) = arguments.corpus.as_deref().filter(|corpus| !corpus.is_dir()) {
        let problem = anyhow::anyhow!("{} is no folder; --corpus names one that holds repositories", corpus.display());
        return Err(CliError::Unusable(problem));
    }
    let job = |TaskFile { repository, tasks }| {
        let folder = arguments.corpus.as_ref().map(|corpus| corpus.join(&repository));
        let database = arguments.databases.as_ref().map(|folder| folder.join(format!("{repository}.db")));
        let engine = indexed(session, folder.as_deref(), database.as_deref());
        Job { repository, engine: engine.map_err(|failure| failure.to_string()), tasks }
    };
    Ok(files.into_iter().map(job).collect())
}

fn indexed(session: &Session, folder: Option<&Path>, database: Option<&Path>) -> Result<Engine, CliError> {
    let engine = match database {
        Some(database) => Engine::open(&session.folder(folder)?, Some(database))?,
        None => session.engine(folder)?,
    };
    session.refreshed(engine)
}

fn classes(session: &Session, jobs: &[Job], options: &Options, format: Format) -> Result<Status, CliError> {
    let (tallies, errors) = class_tallies(jobs, options);
    errors.iter().for_each(|error| session.note(&format!("left out: {error}")));
    let mut out = stdout();
    match format {
        Format::Json => out.write_all(json::list(tallies.iter()).as_bytes())?,
        Format::Text => classes::write(&mut out, session.colors.stdout, &tallies)?,
    }
    out.flush()?;
    Ok(if errors.is_empty() { Status::Success } else { Status::NothingFound })
}

#[derive(Serialize)]
struct Missing<'a> {
    repository: &'a str,
    task: &'a str,
    symbol: &'a str,
}

fn verify(session: &Session, jobs: &[Job], format: Format) -> Result<Status, CliError> {
    let mut all = Vec::new();
    for job in jobs {
        let engine = match &job.engine {
            Ok(engine) => engine,
            Err(error) => return Err(CliError::Unusable(anyhow::anyhow!("{}: {error}", job.repository))),
        };
        let missing = missing(&engine.reader()?, &job.tasks)?;
        all.extend(missing.into_iter().map(|(task, symbol)| Missing { repository: &job.repository, task, symbol }));
    }
    let mut out = stdout();
    match format {
        Format::Json => out.write_all(json::list(all.iter()).as_bytes())?,
        Format::Text if all.is_empty() => (),
        Format::Text => {
            let columns = ["repository", "task", "missing symbol"].map(|heading| (heading, Align::Left));
            let mut table = Table::new(&columns);
            all.iter().for_each(|missing| table.row([missing.repository, missing.task, missing.symbol]));
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    out.flush()?;
    let count: usize = jobs.iter().flat_map(|job| &job.tasks).map(|task| task.ground_truth.len()).sum();
    session.note(&format!("{} of {count} symbols exist", count - all.len()));
    Ok(if all.is_empty() { Status::Success } else { Status::NothingFound })
}
