//! `knowing-eval baseline`: the baselines of `knowing-eval cross`, each a command that is measured like other systems.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::cross::baseline::{BaselineError, bm25f, ripgrep, scip};
use knowing::cli::exit::{CliError, Status};
use knowing::cli::output::stdout;

/// Run a baseline of the benchmark
#[derive(Debug, Args)]
pub struct BaselineArguments {
    /// The baseline
    #[arg(value_enum)]
    pub baseline: Baseline,
    /// Root of the repository
    #[arg(long, value_name = "DIR")]
    pub root: PathBuf,
    /// Folder of the baseline's index
    #[arg(long, value_name = "DIR")]
    pub state: PathBuf,
    /// Main language of the repository, for the files that are searched [default: all]
    #[arg(long, value_name = "LANGUAGE", default_value = "")]
    pub language: String,
    /// The task [default: build the index]
    #[arg(long, value_name = "TASK", allow_hyphen_values = true)]
    pub task: Option<String>,
}

/// A baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Baseline {
    /// Search each word with ripgrep, read the best files around the hits
    Ripgrep,
    /// BM25F over definitions
    Bm25f,
    /// Look the identifiers of the task up in a SCIP index
    Scip,
}

/// Builds the baseline's index, or prints its answer.
///
/// # Errors
/// When the repository or the index can't be used.
pub fn run(arguments: &BaselineArguments) -> Result<Status, CliError> {
    let BaselineArguments { baseline, root, state, language, task } = arguments;
    let answer = match (baseline, task) {
        (Baseline::Ripgrep, Some(task)) => ripgrep::answer(root, language, task),
        (Baseline::Bm25f, Some(task)) => bm25f::answer(state, task),
        (Baseline::Scip, Some(task)) => scip::answer(state, task),
        (Baseline::Bm25f, None) => bm25f::build(root, state).map(|()| String::new()),
        (Baseline::Ripgrep | Baseline::Scip, None) => Ok(String::new()),
    };
    let answer = answer.map_err(|error: BaselineError| CliError::Unusable(error.into()))?;
    let mut out = stdout();
    out.write_all(answer.as_bytes())?;
    out.flush()?;
    Ok(Status::Success)
}
