//! `knowing-eval cross`: runs several systems on the same tasks.

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::features::text;
use crate::cross::folder::RunFolder;
use crate::cross::install::{Cache, State};
use crate::cross::machine::{machine, now};
use crate::cross::record::{FORMAT, Group, LearningRecord, RunRecord, SystemRecord, SystemStatus, file};
use crate::cross::runner::{self, Plan};
use crate::cross::sets::{CrossTask, SETS, sample, tasks};
use crate::cross::subject::{Programs, values};
use crate::cross::system::{System, systems};
use crate::cross::{learning, staleness};
use crate::engine::Engine;
use crate::model::Intent;
use crate::training::TrainingTasks;
use crate::user_dirs;
use crate::{EvalTask, Job, TaskFile, simulate};
use knowing::cli::budget::budget;
use knowing::cli::exit::{CliError, Status};
use knowing::cli::output::{Align, Table, stdout};
use knowing::cli::session::Session;

/// Run several systems on the same tasks, and record what each answers and costs
///
/// Systems are installed into a cache folder with --install; one that can't run here is recorded with the reason. A run
/// that was interrupted is resumed by the same command. Task files are YAML as for `eval`, or JSON lines (.jsonl,
/// .jsonl.gz) of commits or issues.
///
/// For example: knowing-eval cross tasks/*.yaml --corpus ~/corpus --out run --install
#[derive(Debug, Args)]
pub struct CrossArguments {
    /// Task files
    #[arg(required_unless_present = "systems", value_name = "TASKFILE")]
    pub files: Vec<PathBuf>,
    /// Folder that contains the repositories; can be repeated
    #[arg(long, value_name = "DIR", required_unless_present = "systems")]
    pub corpus: Vec<PathBuf>,
    /// Folder of the run
    #[arg(long, value_name = "RUN", required_unless_present = "systems")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub run: RunArguments,
    /// Task sets, separated by commas
    #[arg(long, value_name = "SET", value_delimiter = ',', value_parser = SETS)]
    pub sets: Vec<String>,
    /// At most so many tasks of each set, evenly over its repositories
    #[arg(long, value_name = "N")]
    pub sample: Option<usize>,
    /// Budgets in tokens, separated by commas
    #[arg(long, value_name = "TOKENS", value_delimiter = ',', default_values_t = [2_000, 5_000, 10_000], value_parser = budget)]
    pub budgets: Vec<u32>,
    /// Number of warm answers, of which the median time counts; 0 asks each task once
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub repeat: usize,
    /// Measure the time until answers are right after changes of the Python and TypeScript repositories, too
    #[arg(long)]
    pub staleness: bool,
    /// Measure systems that learn after rounds of votes, too, on the tasks of the run
    #[arg(long, value_name = "ROUNDS", value_parser = clap::value_parser!(u32).range(1..=20))]
    pub learning: Option<u32>,
    /// List the systems and whether they run here
    #[arg(long)]
    pub systems: bool,
}

/// Options of every run of systems.
#[derive(Debug, Args)]
pub struct RunArguments {
    /// Run these systems only, separated by commas
    #[arg(long, value_name = "SYSTEM", value_delimiter = ',')]
    pub only: Vec<String>,
    /// Time that one command may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub timeout: u64,
    /// Install the systems from their package registries first
    #[arg(long)]
    pub install: bool,
    /// Folder with installed systems [default: in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Executable of this program to measure, such as of another build [default: the running one]
    #[arg(long, value_name = "FILE")]
    pub program: Option<PathBuf>,
    /// A remark on the run for its report, such as on the load of the machine; can be repeated
    #[arg(long, value_name = "TEXT")]
    pub note: Vec<String>,
}

/// The systems of a run and where they are.
pub struct Chosen {
    pub usable: Vec<System>,
    /// All that were chosen, with the reason why one can't run here.
    pub rows: Vec<SystemRecord>,
    pub cache: Cache,
    pub programs: Programs,
}

impl Chosen {
    /// Chooses the systems, and installs them if asked to.
    ///
    /// # Errors
    /// When a system's name is unknown, or there is no cache folder.
    pub fn new(session: &Session, arguments: &RunArguments) -> Result<Chosen, CliError> {
        let cache = Cache::new(cache_folder(arguments)?);
        let running = std::env::current_exe().map_err(|error| CliError::Unusable(error.into()))?;
        let measured = match &arguments.program {
            Some(program) => std::path::absolute(program).map_err(|error| CliError::Unusable(error.into()))?,
            None => running.clone(),
        };
        let programs = Programs { measured, running };
        let (mut rows, mut usable) = (Vec::new(), Vec::new());
        for system in chosen(&arguments.only)? {
            let installed = if arguments.install { install(session, &cache, &system) } else { Ok(()) };
            let state = match installed {
                Ok(()) => cache.state(&system, &values(&system, &cache, &programs)),
                Err(reason) => State::Absent { reason },
            };
            match state {
                State::Usable { hash } => {
                    rows.push(system.record(hash, None));
                    usable.push(system);
                }
                State::Absent { reason } => rows.push(system.record(None, Some(reason))),
            }
        }
        Ok(Chosen { usable, rows, cache, programs })
    }
}

/// Runs the benchmark, or lists its systems.
///
/// # Errors
/// When an argument or task file is invalid, or a folder can't be used.
pub fn run(session: &Session, arguments: &CrossArguments) -> Result<Status, CliError> {
    let Chosen { usable, rows, cache, programs } = Chosen::new(session, &arguments.run)?;
    if arguments.systems {
        return list(session, &rows);
    }
    let out = arguments.out.as_ref().ok_or_else(|| CliError::Usage("--out is missing".to_owned()))?;
    let unusable = |error: &dyn std::fmt::Display| CliError::Unusable(anyhow::anyhow!("{error}"));
    let work = tempfile::tempdir().map_err(|error| unusable(&error))?;
    fs::create_dir_all(work.path().join("definitions")).map_err(|error| unusable(&error))?;
    let plan = Plan {
        systems: usable,
        tasks: cross_tasks(arguments)?,
        corpora: absolute(&arguments.corpus)?,
        budgets: arguments.budgets.iter().map(|budget| *budget as usize).collect(),
        repeats: arguments.repeat,
        cache,
        work: work.path().to_owned(),
        programs,
        timeout: Duration::from_secs(arguments.run.timeout),
    };
    let mut folder = RunFolder::open(out).map_err(|error| unusable(&error))?;
    let before = folder.run().map_err(|error| unusable(&error))?;
    folder.write_run(&run_record(&plan, rows, &arguments.run.note, before)).map_err(|error| unusable(&error))?;
    let progress = Bar::new(session.colors.stderr);
    let result = measure(&plan, &mut folder, arguments, &progress);
    progress.0.finish_and_clear();
    result.map_err(|error| unusable(&error))?.iter().for_each(|failure| session.note(failure));
    if let Some(rounds) = arguments.learning {
        control(&plan, &folder, rounds as usize)?;
    }
    session.note(&format!("the run is in {}", out.display()));
    Ok(Status::for_count(plan.tasks.len()))
}

/// Runs the protocol and the measurements that were asked for. Returns the failures of votes.
fn measure(
    plan: &Plan,
    folder: &mut RunFolder,
    arguments: &CrossArguments,
    progress: &Bar,
) -> Result<Vec<String>, runner::RunError> {
    runner::run(plan, folder, progress)?;
    let mut failures = Vec::new();
    if let Some(rounds) = arguments.learning {
        let step = |name: &str| progress.0.set_message(format!("learning of {name}"));
        failures = learning::run(plan, folder, rounds as usize, &step)?;
    }
    if arguments.staleness {
        staleness::run(plan, folder, &|name| progress.0.set_message(format!("staleness of {name}")))?;
    }
    Ok(failures)
}

/// Simulates rounds of votes in the run's repositories and records this program's quality in each after votes in the
/// others, unless it is recorded. Without another repository there is nothing to record.
fn control(plan: &Plan, folder: &RunFolder, rounds: usize) -> Result<(), CliError> {
    let unusable = |error: &dyn std::fmt::Display| CliError::Unusable(anyhow::anyhow!("{error}"));
    let known: Vec<LearningRecord> = folder.read(file::LEARNING).map_err(|error| unusable(&error))?;
    let mut jobs = Vec::new();
    for repository in plan.repositories() {
        if known.iter().any(|record| record.repository == repository && record.group == Group::VotedElsewhere) {
            continue;
        }
        let Some(source) = plan.folder(repository) else { continue };
        let database = plan.work.join("definitions").join(format!("{repository}.db"));
        let mut engine = Engine::open(&source, Some(&database))?;
        engine.index(false, None, &|_| {})?;
        let tasks = plan.tasks.iter().filter(|task| task.repository == repository);
        let task = |task: &CrossTask| EvalTask {
            id: task.id.clone(),
            intent: if task.kind == "explore" { Intent::Explore } else { Intent::Locate },
            tier: task.tier.clone(),
            task: task.text.clone(),
            ground_truth: task.gold.iter().map(|gold| gold.symbol.clone()).collect(),
        };
        jobs.push(Job { repository: repository.to_owned(), engine: Ok(engine), tasks: tasks.map(task).collect() });
    }
    if jobs.len() < 2 {
        return Ok(());
    }
    for simulation in simulate(&jobs, rounds, learning::RULE)? {
        let record = learning::control("knowing", &simulation);
        folder.append(file::LEARNING, &record).map_err(|error| unusable(&error))?;
    }
    Ok(())
}

fn cache_folder(arguments: &RunArguments) -> Result<PathBuf, CliError> {
    let folder = match &arguments.cache {
        Some(folder) => folder.clone(),
        None => {
            let cache =
                user_dirs::cache().ok_or_else(|| CliError::Unusable(anyhow::anyhow!("there is no home folder")))?;
            cache.join("systems")
        }
    };
    std::path::absolute(folder).map_err(|error| CliError::Unusable(error.into()))
}

/// Returns absolute paths of folders.
///
/// # Errors
/// When one is empty.
pub fn absolute(folders: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    folders.iter().map(|folder| std::path::absolute(folder).map_err(|error| CliError::Unusable(error.into()))).collect()
}

fn chosen(only: &[String]) -> Result<Vec<System>, CliError> {
    let all = systems().map_err(|error| CliError::Unusable(error.into()))?;
    if let Some(unknown) = only.iter().find(|name| !all.iter().any(|system| system.name == **name)) {
        let names: Vec<&str> = all.iter().map(|system| system.name.as_str()).collect();
        return Err(CliError::Usage(format!("there is no system `{unknown}`; there are {}", names.join(", "))));
    }
    Ok(all.into_iter().filter(|system| only.is_empty() || only.contains(&system.name)).collect())
}

fn install(session: &Session, cache: &Cache, system: &System) -> Result<(), String> {
    if cache.installed(system).is_none() && !system.install.packages.is_empty() {
        session.note(&format!("installing {} ({})", system.name, system.install.packages.join(", ")));
    }
    cache.install(system)
}

fn cross_tasks(arguments: &CrossArguments) -> Result<Vec<CrossTask>, CliError> {
    let mut all = Vec::new();
    for path in &arguments.files {
        let text = text(path)?;
        let usage = |error: &dyn std::fmt::Display| CliError::Usage(error.to_string());
        // Only YAML has tiers.
        let tiers = TaskFile::read(path, &text).map(|file| file.tasks).unwrap_or_default();
        let tier = |id: &str| tiers.iter().find(|task| task.id == id).map(|task| task.tier.clone()).unwrap_or_default();
        for file in TrainingTasks::read(path, &text).map_err(|error| usage(&error))? {
            all.extend(tasks(file, tier));
        }
    }
    all.retain(|task| arguments.sets.is_empty() || arguments.sets.iter().any(|set| set == task.set));
    Ok(match arguments.sample {
        Some(count) => sample(all, count),
        None => all,
    })
}

/// Returns the description of the run: that of an earlier start, with the systems and sets of this one added.
pub fn run_record(plan: &Plan, rows: Vec<SystemRecord>, notes: &[String], before: Option<RunRecord>) -> RunRecord {
    let command = std::env::args().collect::<Vec<_>>();
    let mut record = before.unwrap_or_else(|| RunRecord {
        format: FORMAT,
        started: now(),
        machine: machine(),
        command: String::new(),
        program_version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: option_env!("KNOWING_COMMIT").map(str::to_owned),
        notes: Vec::new(),
        sets: Vec::new(),
        systems: Vec::new(),
    });
    record.command = shlex::try_join(command.iter().map(String::as_str)).unwrap_or_default();
    for note in notes {
        if !record.notes.contains(note) {
            record.notes.push(note.clone());
        }
    }
    for task in &plan.tasks {
        if !record.sets.iter().any(|set| set == task.set) {
            record.sets.push(task.set.to_owned());
        }
    }
    for row in rows {
        match record.systems.iter_mut().find(|known| known.name == row.name) {
            Some(known) => *known = row,
            None => record.systems.push(row),
        }
    }
    record
}

fn list(session: &Session, rows: &[SystemRecord]) -> Result<Status, CliError> {
    let mut table = Table::new(&["system", "version", "license", "state"].map(|heading| (heading, Align::Left)));
    for row in rows {
        let state = match (row.status, &row.reason) {
            (SystemStatus::Absent, Some(reason)) => format!("absent: {reason}"),
            _ => "usable".to_owned(),
        };
        table.row([row.name.as_str(), &row.version, &row.license, &state]);
    }
    let mut out = stdout();
    table.write(&mut out, session.colors.stdout)?;
    out.flush()?;
    Ok(Status::for_count(rows.len()))
}

/// A progress bar on a terminal, hidden elsewhere.
pub struct Bar(pub ProgressBar);

impl Bar {
    /// Creates the bar.
    pub fn new(is_colored: bool) -> Bar {
        if !std::io::stderr().is_terminal() {
            return Bar(ProgressBar::hidden());
        }
        let template = match is_colored {
            true => "{elapsed:>4} {bar:30.cyan} {pos}/{len} {msg}",
            false => "{elapsed:>4} {bar:30} {pos}/{len} {msg}",
        };
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        Bar(ProgressBar::new(0).with_style(style))
    }
}

impl runner::Progress for Bar {
    fn begin(&self, steps: usize) {
        self.0.set_length(steps as u64);
    }

    fn step(&self, done: usize, next: &str) {
        self.0.set_position(done as u64);
        self.0.set_message(next.to_owned());
    }
}
