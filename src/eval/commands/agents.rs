//! `knowing-eval agents`: how much of what matters an agent has read after so many tokens.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::CorpusArguments;
use super::features::read_tasks;
use crate::agents::{LIMITS, Reader, read};
use crate::render::json;
use knowing::cli::Format;
use knowing::cli::budget::budget;
use knowing::cli::exit::{CliError, Status};
use knowing::cli::output::{Align, Table, stdout};
use knowing::cli::session::Session;

/// Titles of the columns of [`LIMITS`].
const TITLES: [&str; LIMITS.len()] = ["500", "1000", "2000", "4000"];

/// Arguments of `knowing-eval agents`.
#[derive(Debug, Args)]
pub struct AgentsArguments {
    /// Task files: YAML as for `eval`, or JSON lines (.jsonl, .jsonl.gz) of commits or issues
    #[arg(required = true, value_name = "TASKFILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub corpus: CorpusArguments,
    /// Limit of an answer in tokens
    #[arg(long, value_name = "TOKENS", default_value_t = 6_000, value_parser = budget)]
    pub budget: u32,
    /// Take every n-th task of each repository
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub every: u16,
    /// Output format; JSON has the numbers of each task
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

/// Lets every reader work on every task and prints a line per reader.
///
/// # Errors
/// When an argument or task file is invalid, or a repository or the output can't be used.
pub fn run(session: &Session, arguments: &AgentsArguments) -> Result<Status, CliError> {
    arguments.corpus.check(session)?;
    let mut readers: Vec<Reader> = Vec::new();
    for tasks in read_tasks(&arguments.files)? {
        let engine = arguments.corpus.engine(session, &tasks.repository)?;
        let chosen: Vec<_> = tasks.tasks.into_iter().step_by(usize::from(arguments.every)).collect();
        for (index, reader) in read(&engine, &chosen, arguments.budget as usize)?.into_iter().enumerate() {
            match readers.get_mut(index) {
                Some(known) => known.tasks.extend(reader.tasks),
                None => readers.push(reader),
            }
        }
    }
    let mut out = stdout();
    match arguments.format {
        Format::Json => out.write_all(json::list(readers.iter()).as_bytes())?,
        Format::Text => table(&readers).write(&mut out, session.colors.stdout)?,
    }
    out.flush()?;
    Ok(Status::for_count(readers.first().map_or(0, |reader| reader.tasks.len())))
}

fn table(readers: &[Reader]) -> Table {
    let right = |heading| (heading, Align::Right);
    let [one, two, three, four] = TITLES.map(right);
    let counts = [("reader", Align::Left), right("tasks"), right("calls"), right("tokens")];
    let mut table = Table::new(&[counts.as_slice(), &[one, two, three, four, right("all")]].concat());
    for reader in readers {
        let mut cells = vec![
            reader.name.clone(),
            reader.tasks.len().to_string(),
            format!("{:.1}", reader.mean(|seen| seen.calls as f64)),
            format!("{:.0}", reader.mean(|seen| seen.tokens as f64)),
        ];
        cells.extend((0..LIMITS.len()).map(|index| format!("{:.3}", reader.mean(|seen| seen.within[index]))));
        cells.push(format!("{:.3}", reader.mean(|seen| seen.all)));
        table.row_of(&cells);
    }
    table
}
