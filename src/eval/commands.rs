//! `knowing-eval`: measures rankings against tasks with known relevant symbols.

mod agents;
mod baseline;
mod changes;
mod check;
mod concepts;
mod corpus;
mod cross;
mod features;
mod feedback;
mod fit;
mod kappa;
mod replacement;
mod report;
mod routing;
mod scale;
mod scores;
mod timings;
mod trial;

use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Subcommand};
use serde::Serialize;

use crate::engine::Setup;
use crate::engine::concepts::{UnknownConcept, Vocabulary};
use crate::model::Options;
use crate::render::json;
use crate::text;
use crate::{
    EvalError, Job, NoIndex, Results, Run, TaskFile, compare, concept_tallies, evaluate, missing_ground_truth,
};
use corpus::CorpusArguments;
use knowing::cli::Format;
use knowing::cli::budget::budget;
use knowing::cli::exit::{CliError, Status};
use knowing::cli::output::{Align, Table, stdout};
use knowing::cli::session::Session;

/// Measure rankings against tasks with known relevant symbols
///
/// A task file is YAML, named after its repository: `flask.yaml` or `flask-commits.yaml`. Its `tasks:` have id, tier,
/// task and ground_truth. A task that can't be ranked counts as zero. Exits with 1 if there is such a task, or if
/// --verify or --check finds a problem.
///
/// `dotted` and `strict` are two rules for a correct result: by dotted a type matches its members and vice versa;
/// strict requires the symbol itself. `distinct` is R@10 where a result matches one relevant symbol at most. `explore`
/// tasks are questions, `locate` tasks are commit messages.
///
/// For example: knowing-eval tasks/*.yaml --corpus ~/corpus --save after.json --against before.json
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true, subcommand_value_name = "COMMAND")]
pub struct EvalArguments {
    #[command(subcommand)]
    pub action: Option<EvalAction>,
    /// Task files
    #[arg(required = true, value_name = "TASKFILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub corpus: CorpusArguments,
    /// Measure the symbols packed into this many tokens
    #[arg(long, value_name = "TOKENS", default_value_t = 5_000, value_parser = budget)]
    pub budget: u32,
    /// Measure the whole ranking instead of a pack
    #[arg(long, conflicts_with = "budget")]
    pub whole: bool,
    /// Ignore a concept, or all concepts of a layer or seed file; can be repeated
    #[arg(long, value_name = "CONCEPT")]
    pub mute: Vec<String>,
    /// Exclude components by name, or channels as channel:NAME, separated by commas
    #[arg(long, value_name = "PARTS", value_delimiter = ',')]
    pub without: Vec<String>,
    /// Compare with a saved run, with 95% confidence intervals
    #[arg(long, value_name = "RUN")]
    pub against: Option<PathBuf>,
    /// Save the run as JSON, for --against and compare
    #[arg(long, value_name = "FILE")]
    pub save: Option<PathBuf>,
    /// Measure the precision of concepts, by layer, in their framework's repository and elsewhere
    #[arg(long, alias = "classes", conflicts_with_all = ["budget", "whole", "against", "save"])]
    pub concepts: bool,
    /// Only check that every symbol of the ground truth exists
    #[arg(long, conflicts_with_all = ["budget", "whole", "against", "save", "concepts"])]
    pub verify: bool,
    /// Simulate rounds of votes on the top ten of half of the tasks, and measure the other half
    #[arg(long, value_name = "ROUNDS", conflicts_with_all = ["budget", "whole", "against", "save", "verify", "concepts", "mute"],
          value_parser = clap::value_parser!(u32).range(1..=20))]
    pub learn: Option<u32>,
    /// Only check invariants: scores are the sums of their components, and answers are the same with any number of
    /// threads and with a warm cache
    #[arg(long, conflicts_with_all = ["budget", "whole", "against", "save", "verify", "concepts"])]
    pub check: bool,
    /// Measure latency by stage, with the index loaded
    #[arg(long, conflicts_with_all = ["budget", "whole", "against", "save", "verify", "concepts", "check"])]
    pub timings: bool,
    /// Output format; JSON is the run, or with --against the comparison
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

/// Subcommands of `eval`.
#[derive(Debug, Subcommand)]
pub enum EvalAction {
    /// Compare two saved runs task by task
    Compare {
        /// The run before
        before: PathBuf,
        /// The run after
        after: PathBuf,
        /// Output format
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
    /// Write the feature values of training tasks, for fit
    Features(features::FeaturesArguments),
    /// Fit the ranking model to feature values, and measure it on projects that were left out
    Fit(fit::FitArguments),
    /// Write the report on runs of several systems, as HTML, Markdown and JSON with plots
    Report(report::ReportArguments),
    /// Measure the choice of repositories for tasks by their catalogs
    Routing(routing::RoutingArguments),
    /// Measure how much of what matters an agent has read after so many tokens of answers and of searches
    Agents(agents::AgentsArguments),
    /// Prepare and score a live trial of coding agents
    Trial(trial::TrialArguments),
    /// Compare a second labeling of tasks with their ground truth: Cohen's kappa and the disagreements
    Kappa(kappa::KappaArguments),
    Cross(cross::CrossArguments),
    Scale(scale::ScaleArguments),
    #[command(hide = true)]
    Baseline(baseline::BaselineArguments),
}

/// Runs the evaluation, check or comparison that the arguments select.
///
/// # Errors
/// When an argument or task file is invalid, or a repository or the output can't be used.
pub fn run(session: &Session, arguments: &EvalArguments) -> Result<Status, CliError> {
    match &arguments.action {
        Some(EvalAction::Compare { before, after, format }) => return compare_runs(session, before, after, *format),
        Some(EvalAction::Features(arguments)) => return features::run(session, arguments),
        Some(EvalAction::Fit(arguments)) => return fit::run(session, arguments),
        Some(EvalAction::Report(arguments)) => return report::run(session, arguments),
        Some(EvalAction::Routing(arguments)) => return routing::run(session, arguments),
        Some(EvalAction::Agents(arguments)) => return agents::run(session, arguments),
        Some(EvalAction::Trial(arguments)) => return trial::run(session, arguments),
        Some(EvalAction::Kappa(arguments)) => return kappa::run(arguments, session.colors.stdout),
        Some(EvalAction::Cross(arguments)) => return cross::run(session, arguments),
        Some(EvalAction::Scale(arguments)) => return scale::run(session, arguments),
        Some(EvalAction::Baseline(arguments)) => return baseline::run(arguments),
        None => {}
    }
    let options = Options {
        without: arguments.without.iter().cloned().collect(),
        muted_concepts: arguments.mute.iter().cloned().collect(),
        ..Options::default()
    };
    Setup::new(&options).map_err(|error| CliError::Usage(error.to_string()))?;
    let before = arguments.against.as_deref().map(read_run).transpose()?;
    let files = task_files(&arguments.files)?;
    let started = Instant::now();
    let jobs = jobs(session, arguments, files)?;
    check_muted(&jobs, &options)?;
    if arguments.verify {
        return verify(session, &jobs, arguments.format);
    }
    if let Some(rounds) = arguments.learn {
        return feedback::run(session, &jobs, rounds as usize, arguments.format);
    }
    if arguments.check {
        return check::run(session, &jobs, &options, arguments.format);
    }
    if arguments.timings {
        return timings::run(session, &jobs, &options, arguments.format);
    }
    if arguments.concepts {
        return measure_concepts(session, &jobs, &options, arguments.format);
    }
    let indexed = started.elapsed();
    let results = match arguments.whole {
        true => Results::Ranked,
        false => Results::Packed { budget_tokens: arguments.budget as usize },
    };
    let tasks = evaluate(&jobs, results, &options);
    session.note(&format!(
        "{} in {}: indexed in {:.1} s, ranked in {:.1} s",
        text::count(tasks.len(), "task"),
        text::count(jobs.len(), "repository"),
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

fn compare_runs(session: &Session, before: &Path, after: &Path, format: Format) -> Result<Status, CliError> {
    let comparison = compare::compare(&read_run(before)?, &read_run(after)?);
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
    Ok(Status::for_count(comparison.common))
}

/// Checks that each muted concept, layer or seed file is one of a measured repository.
fn check_muted(jobs: &[Job], options: &Options) -> Result<(), CliError> {
    let vocabularies: Vec<_> = jobs.iter().filter_map(|job| Some(job.engine.as_ref().ok()?.vocabulary())).collect();
    let vocabularies: Vec<&Vocabulary> = vocabularies.iter().map(|vocabulary| &**vocabulary).collect();
    match UnknownConcept::find(&options.muted_concepts, &vocabularies, &[]) {
        // The reason for a missing index is reported with the tasks.
        Some(unknown) if !vocabularies.is_empty() => Err(CliError::Usage(unknown.to_string())),
        _ => Ok(()),
    }
}

/// Returns how the symbols were ranked, with the components and concepts that were left out.
fn ranked_by(arguments: &EvalArguments) -> String {
    let excluded: Vec<&str> = arguments.without.iter().chain(&arguments.mute).map(String::as_str).collect();
    match excluded.as_slice() {
        [] => "default".to_owned(),
        parts => format!("default without {}", parts.join(", ")),
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

fn read_run(file: &Path) -> Result<Run, CliError> {
    Run::read(&read(file)?).map_err(|error| CliError::Usage(format!("{} is not a saved run: {error}", file.display())))
}

/// Reads the task files and merges those about the same repository. Repositories are in the order of first appearance.
fn task_files(paths: &[PathBuf]) -> Result<Vec<TaskFile>, CliError> {
    let mut files: Vec<TaskFile> = Vec::new();
    let mut ids = HashSet::new();
    for path in paths {
        let file = TaskFile::read(path, &read(path)?).map_err(|error| CliError::Usage(error.to_string()))?;
        for task in &file.tasks {
            if !ids.insert((file.repository.clone(), task.id.clone())) {
                let problem = format!("{}: another file has the task `{}` too", path.display(), task.id);
                return Err(CliError::Usage(problem));
            }
        }
        match files.iter_mut().find(|other| other.repository == file.repository) {
            Some(other) => other.tasks.extend(file.tasks),
            None => files.push(file),
        }
    }
    Ok(files)
}

/// Builds or updates the index of every repository.
fn jobs(session: &Session, arguments: &EvalArguments, files: Vec<TaskFile>) -> Result<Vec<Job>, CliError> {
    arguments.corpus.check(session)?;
    let job = |TaskFile { repository, tasks }| {
        let engine = arguments.corpus.engine(session, &repository);
        Job { repository, engine: engine.map_err(|error| NoIndex(error.to_string())), tasks }
    };
    Ok(files.into_iter().map(job).collect())
}

fn measure_concepts(session: &Session, jobs: &[Job], options: &Options, format: Format) -> Result<Status, CliError> {
    let (tallies, errors) = concept_tallies(jobs, options);
    errors.iter().for_each(|error| session.note(&format!("skipped: {error}")));
    let mut out = stdout();
    match format {
        Format::Json => out.write_all(json::list(tallies.iter()).as_bytes())?,
        Format::Text => concepts::write(&mut out, session.colors.stdout, &tallies)?,
    }
    out.flush()?;
    Ok(if errors.is_empty() { Status::Success } else { Status::NothingFound })
}

impl From<EvalError> for CliError {
    fn from(error: EvalError) -> CliError {
        match error {
            EvalError::Engine(error) => error.into(),
            error => CliError::Unusable(error.into()),
        }
    }
}

#[derive(Serialize)]
struct MissingRecord<'a> {
    repository: &'a str,
    task: &'a str,
    symbol: &'a str,
}

fn verify(session: &Session, jobs: &[Job], format: Format) -> Result<Status, CliError> {
    let mut all = Vec::new();
    for job in jobs {
        let missing = missing_ground_truth(&job.engine()?.reader()?, &job.tasks)?;
        let records = missing.into_iter();
        all.extend(records.map(|(task, symbol)| MissingRecord { repository: &job.repository, task, symbol }));
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
