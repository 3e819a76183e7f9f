//! `knowing-eval trial`: prepares a live trial of coding agents, and scores it.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::CorpusArguments;
use super::features::read_tasks;
use crate::render::json;
use crate::trial::{Arm, Outcome, TrialError, TrialTask, prepare, score};
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
    /// Write the tasks, the wrapper for commands and the protocol into a folder, and index the repositories
    Prepare {
        /// Task files: YAML as for `eval`, or JSON lines (.jsonl, .jsonl.gz) of commits or issues
        #[arg(required = true, value_name = "TASKFILE")]
        files: Vec<PathBuf>,
        #[command(flatten)]
        corpus: CorpusArguments,
        /// The folder of the trial
        #[arg(long, short, value_name = "DIR")]
        output: PathBuf,
        /// Take every n-th task of each repository
        #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
        every: u16,
    },
    /// Compare the arms of a trial by their answers and logs
    Score {
        /// The folder of the trial
        folder: PathBuf,
        /// The arm that the others are compared with
        #[arg(long, value_name = "ARM", default_value = "search")]
        first: String,
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
        TrialAction::Prepare { files, corpus, output, every } => {
            corpus.check(session)?;
            let mut all = Vec::new();
            for tasks in read_tasks(files)? {
                let engine = corpus.engine(session, &tasks.repository)?;
                let chosen = tasks.tasks.into_iter().step_by(usize::from(*every));
                all.extend(chosen.map(|task| TrialTask::new(task, engine.root().to_owned())));
            }
            prepare(output, &all).map_err(failed)?;
            session.note(&format!("{} tasks; {} says how to go on", all.len(), output.join("protocol.md").display()));
            Ok(Status::for_count(all.len()))
        }
        TrialAction::Score { folder, first, format } => {
            let arms = score(folder, first).map_err(failed)?;
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

fn table(arms: &[Arm]) -> Table {
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
        let mut cells = vec![arm.name.clone(), arm.tasks.to_string()];
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
