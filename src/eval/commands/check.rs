//! `knowing-eval --check`: checks invariants of rankings.

use std::io::Write;

use serde::Serialize;

use crate::Job;
use crate::check::{CHECKED_SCORES, MAX_ERROR, THREADS, check};
use crate::model::Options;
use crate::render::json;
use crate::text::display::safe;
use knowing::cli::Format;
use knowing::cli::exit::{CliError, Status};
use knowing::cli::output::{Align, Table, stdout};
use knowing::cli::session::Session;

/// The result for one repository.
#[derive(Serialize)]
struct Line<'a> {
    repository: &'a str,
    tasks: usize,
    scores: usize,
    largest_error: f64,
    violations: Vec<String>,
}

/// Checks the invariants for every task and prints a line per repository.
///
/// # Errors
/// When a repository can't be used or the output can't be written.
pub fn run(session: &Session, jobs: &[Job], options: &Options, format: Format) -> Result<Status, CliError> {
    let mut lines = Vec::new();
    for job in jobs {
        let report = check(job.engine()?, &job.tasks, options)?;
        let violations =
            report.violations.iter().map(|violations| format!("{}: {}", violations.task, violations.problem)).collect();
        let (tasks, scores, largest_error) = (job.tasks.len(), report.scores, report.largest_error);
        lines.push(Line { repository: &job.repository, tasks, scores, largest_error, violations });
    }
    let violations: usize = lines.iter().map(|line| line.violations.len()).sum();
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
                for problem in &line.violations {
                    writeln!(out, "{}: {}", safe(line.repository), safe(problem))?;
                }
            }
        }
    }
    out.flush()?;
    let threads = THREADS.map(|threads| threads.to_string()).join(", ");
    session.note(&match violations {
        0 => format!(
            "ok: the first {CHECKED_SCORES} scores of every task are the sums of their components within {MAX_ERROR:e}; \
             answers are the same bytes with {threads} threads, with a warm cache and after a hypothetical vote"
        ),
        count => format!("{count} problems"),
    });
    Ok(if violations == 0 { Status::Success } else { Status::NothingFound })
}
