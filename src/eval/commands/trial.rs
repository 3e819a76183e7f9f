//! `knowing-eval trial`: prepares a live trial of coding agents, and scores it.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::CorpusArguments;
use super::features::read_tasks;
use crate::render::json;
use crate::trial::{Extent, Outcome, Scores, TrialError, TrialTask, prepare, score};
use knowing::cli::Format;
use knowing::cli::exit::{CliError, Status};
use knowing::cli::output::{Align, Table, stdout};
use knowing::cli::session::Session;

/// Arguments of `knowing-eval trial`.
#[derive(Debug, Args)]
pub struct TrialArguments {
    #[command(subcommand)]
    pub action: TrialAction,
}

/// The steps of a trial.
#[derive(Debug, Subcommand)]
pub enum TrialAction {
    /// Write the prompts, the wrappers for commands and the protocol into a folder, and index the repositories
    Prepare {
        /// Task files: YAML as for `eval`, or JSON lines (.jsonl, .jsonl.gz) of commits or issues
        #[arg(required = true, value_name = "TASKFILE")]
        files: Vec<PathBuf>,
        #[command(flatten)]
        corpus: CorpusArguments,
        /// The folder of the trial
        #[arg(long, short, value_name = "DIR")]
        output: PathBuf,
        /// The program that is tried
        #[arg(long, value_name = "FILE")]
        program: PathBuf,
        /// Tasks that an agent has in one context
        #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..))]
        group: u16,
        /// Commands that an agent may run for a task
        #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
        calls: u16,
    },
    /// Compare the arms of a trial by their answers and logs
    Score {
        /// The folder of the trial
        folder: PathBuf,
        /// Output format
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
}

/// Prepares or scores a trial.
///
/// # Errors
/// When a task file is invalid, or a repository or a file of the trial can't be used.
pub fn run(session: &Session, arguments: &TrialArguments) -> Result<Status, CliError> {
    let failed = |error: TrialError| CliError::Unusable(error.into());
    match &arguments.action {
        TrialAction::Prepare { files, corpus, output, program, group, calls } => {
            corpus.check(session)?;
            let mut all = Vec::new();
            for tasks in read_tasks(files)? {
                let folder = absolute(&corpus.folder(session, &tasks.repository)?)?;
                all.extend(tasks.tasks.into_iter().map(|task| TrialTask::new(task, folder.clone())));
            }
            let extent = Extent { group: usize::from(*group), calls: usize::from(*calls) };
            let prompts = prepare(&absolute(output)?, &all, &absolute(program)?, extent).map_err(failed)?;
            let protocol = output.join("protocol.md");
            session.note(&format!("{} tasks, {prompts} prompts; {} says how to go on", all.len(), protocol.display()));
            Ok(Status::for_count(all.len()))
        }
        TrialAction::Score { folder, format } => {
            let arms = score(folder).map_err(failed)?;
            let mut out = stdout();
            match format {
                Format::Json => out.write_all(json::list(arms.iter()).as_bytes())?,
                Format::Text => table(&arms).write(&mut out, session.colors.stdout)?,
            }
            out.flush()?;
            Ok(Status::for_count(arms.len()))
        }
    }
}

fn absolute(path: &Path) -> Result<PathBuf, CliError> {
    std::path::absolute(path).map_err(|error| CliError::Unusable(error.into()))
}

fn table(arms: &[Scores]) -> Table {
    let right = |heading| (heading, Align::Right);
    let mut table = Table::new(&[
        ("arm", Align::Left),
        right("tasks"),
        right("found"),
        right("first right"),
        right("all found"),
        right("calls"),
        right("tokens"),
        right("seconds"),
    ]);
    for arm in arms {
        let mut cells = vec![arm.name.to_owned(), arm.tasks.to_string()];
        cells.extend(shown(&arm.mean));
        table.row_of(&cells);
        if let Some(bounds) = &arm.difference {
            let [mean, low, high] = bounds.each_ref().map(shown);
            let mut cells = vec!["  difference".to_owned(), String::new()];
            cells.extend((0..mean.len()).map(|column| format!("{} [{} {}]", mean[column], low[column], high[column])));
            table.row_of(&cells);
        }
    }
    table
}

fn shown(outcome: &Outcome) -> [String; 6] {
    let Outcome { found, first_right, all_found, calls, tokens, seconds } = outcome;
    [
        format!("{found:.3}"),
        format!("{first_right:.3}"),
        format!("{all_found:.3}"),
        format!("{calls:.1}"),
        format!("{tokens:.0}"),
        format!("{seconds:.1}"),
    ]
}
