//! `knowing-eval scale`: what repositories of different sizes cost several systems.

use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::cross::{Bar, Chosen, RunArguments, absolute, run_record};
use crate::cross::folder::RunFolder;
use crate::cross::record::{ScaleRecord, file};
use crate::cross::report::format::{bytes, number};
use crate::cross::runner::Plan;
use crate::cross::scale;
use crate::render::json;
use knowing::cli::Format;
use knowing::cli::exit::{CliError, Status};
use knowing::cli::output::{Align, Table, stdout};
use knowing::cli::session::Session;

/// Measure what indexing, updates and answers cost in repositories of different sizes
///
/// Each system works in a copy of the repository: it indexes, answers five questions, updates its index when nothing
/// changed, and again after a function was added to one file. A run that was interrupted is resumed by the same command.
///
/// For example: knowing-eval scale flask linux --corpus ~/corpus --only knowing,codegraph-context --out run --install
#[derive(Debug, Args)]
pub struct ScaleArguments {
    /// Folders of the repositories in the corpora
    #[arg(required = true, value_name = "REPOSITORY")]
    pub repositories: Vec<String>,
    /// Folder that contains the repositories; can be repeated
    #[arg(long, value_name = "DIR", required = true)]
    pub corpus: Vec<PathBuf>,
    /// Folder of the run, for report
    #[arg(long, value_name = "RUN")]
    pub out: PathBuf,
    #[command(flatten)]
    pub run: RunArguments,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

/// Measures what is not recorded yet, and prints all that is recorded in the run's folder.
///
/// # Errors
/// When a repository is in no corpus, or a folder can't be used.
pub fn run(session: &Session, arguments: &ScaleArguments) -> Result<Status, CliError> {
    let unusable = |error: &dyn Display| CliError::Unusable(anyhow::anyhow!("{error}"));
    let Chosen { usable, rows, cache, programs } = Chosen::new(session, &arguments.run)?;
    let work = tempfile::tempdir().map_err(|error| unusable(&error))?;
    let plan = Plan {
        systems: usable,
        tasks: Vec::new(),
        corpora: absolute(&arguments.corpus)?,
        budgets: Vec::new(),
        repeats: 0,
        cache,
        work: work.path().to_owned(),
        programs,
        timeout: Duration::from_secs(arguments.run.timeout),
    };
    let folder = RunFolder::open(&arguments.out).map_err(|error| unusable(&error))?;
    let before = folder.run().map_err(|error| unusable(&error))?;
    folder.write_run(&run_record(&plan, rows, &arguments.run.note, before)).map_err(|error| unusable(&error))?;
    let progress = Bar::new(session.colors.stderr);
    let measured = scale::run(&plan, &arguments.repositories, &folder, &|name| progress.0.set_message(name.to_owned()));
    progress.0.finish_and_clear();
    measured.map_err(|error| unusable(&error))?;
    let mut records: Vec<ScaleRecord> = folder.read(file::SCALE).map_err(|error| unusable(&error))?;
    records.sort_by(|one, other| (one.source_bytes, &one.system).cmp(&(other.source_bytes, &other.system)));
    print(session, &records, arguments.format)?;
    Ok(Status::for_count(records.len()))
}

/// Prints a row a record.
fn print(session: &Session, records: &[ScaleRecord], format: Format) -> Result<(), CliError> {
    let mut out = stdout();
    match format {
        Format::Json => out.write_all(json::list(records.iter()).as_bytes())?,
        Format::Text => {
            let (left, right) = (|heading| (heading, Align::Left), |heading| (heading, Align::Right));
            let mut table = Table::new(&[
                left("repository"),
                right("files"),
                right("source"),
                left("system"),
                right("index s"),
                right("CPU s"),
                right("peak memory"),
                right("database"),
                right("answer s"),
                right("its memory"),
                right("unchanged s"),
                right("edit s"),
                left("error"),
            ]);
            let seconds = |seconds: Option<f64>| seconds.map_or("-".to_owned(), number);
            for it in records {
                table.row([
                    it.repository.as_str(),
                    &it.files.to_string(),
                    &bytes(it.source_bytes),
                    &it.system,
                    &number(it.index_seconds),
                    &seconds(it.index_cpu_seconds),
                    &bytes(it.peak_memory_bytes),
                    &bytes(it.database_bytes),
                    &number(it.query_seconds),
                    &it.query_memory_bytes.map_or("-".to_owned(), bytes),
                    &seconds(it.unchanged_seconds),
                    &seconds(it.edit_seconds),
                    it.error.as_deref().unwrap_or_default(),
                ]);
            }
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    out.flush()?;
    Ok(())
}
