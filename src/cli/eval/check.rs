//! `knowing eval --check`: what must hold of every answer.

use std::io::Write;

use serde::Serialize;

use crate::cli::Format;
use crate::cli::exit::{CliError, Status};
use crate::cli::output::{Align, Table, stdout};
use crate::cli::session::Session;
use crate::eval::Job;
use crate::eval::check::{EXACT, SUMMED, THREADS, check};
use crate::model::Options;
use crate::render::json;
use crate::text::display::safe;

/// One repository's line.
#[derive(Serialize)]
struct Line<'a> {
    repository: &'a str,
    tasks: usize,
    scores: usize,
    largest_error: f64,
    broken: Vec<String>,
}

/// Checks every task's answer and prints what was found, with a line for each repository.
///
/// # Errors
/// When a repository can't be used or the output can't be written.
pub fn run(session: &Session, jobs: &[Job], options: &Options, format: Format) -> Result<Status, CliError> {
    let mut lines = Vec::new();
    for job in jobs {
        let engine = match &job.engine {
            Ok(engine) => engine,
            Err(error) => return Err(CliError::Unusable(anyhow::anyhow!("{}: {error}", job.repository))),
        };
        let checked = check(engine, &job.tasks, options)?;
        let broken = checked.broken.iter().map(|broken| format!("{}: {}", broken.task, broken.problem)).collect();
        let (tasks, scores, largest_error) = (job.tasks.len(), checked.scores, checked.largest_error);
        lines.push(Line { repository: &job.repository, tasks, scores, largest_error, broken });
    }
    let broken: usize = lines.iter().map(|line| line.broken.len()).sum();
    let mut out = stdout();
    match format {
        Format::Json => out.write_all(json::list(lines.iter()).as_bytes())?,
        Format::Text => {
            let right = |heading| (heading, Align::Right);
            let columns = [("repository", Align::Left), right("tasks"), right("scores"), right("largest error")];
            let mut table = Table::new(&columns);
            for Line { repository, tasks, scores, largest_error, .. } in &lines {
                table.row([repository, &tasks.to_string(), &scores.to_string(), &format!("{largest_error:.1e}")]);
            }
            table.write(&mut out, session.colors.stdout)?;
            for line in &lines {
                for problem in &line.broken {
                    writeln!(out, "{}: {}", safe(line.repository), safe(problem))?;
                }
            }
        }
    }
    out.flush()?;
    let threads = THREADS.map(|threads| threads.to_string()).join(", ");
    session.note(&match broken {
        0 => format!(
            "the first {SUMMED} scores of every task are the sums of their components to {EXACT:e}; answers have the same \
             bytes with {threads} threads, and when asked again, after a vote too"
        ),
        count => format!("{count} problems"),
    });
    Ok(if broken == 0 { Status::Success } else { Status::NothingFound })
}
