//! `knowing-eval --timings`: measures the latency of answers by stage.

use std::io::Write;
use std::time::Duration;

use serde::Serialize;

use crate::Job;
use crate::model::Options;
use crate::render::json;
use crate::timing::timings;
use knowing::cli::Format;
use knowing::cli::exit::{CliError, Status};
use knowing::cli::output::{Align, Table, stdout};
use knowing::cli::session::Session;

/// The times of one stage in one repository.
#[derive(Serialize)]
struct Line<'a> {
    repository: &'a str,
    stage: &'static str,
    times: usize,
    p50_ms: f64,
    p95_ms: f64,
    max_ms: f64,
}

/// Measures the tasks of every repository and prints a line per stage.
///
/// # Errors
/// When a repository can't be used or the output can't be written.
pub fn run(session: &Session, jobs: &[Job], options: &Options, format: Format) -> Result<Status, CliError> {
    let mut lines = Vec::new();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    for job in jobs {
        lines.extend(timings(job.engine()?, &job.tasks, options)?.into_iter().map(|timing| Line {
            repository: &job.repository,
            stage: timing.stage,
            times: timing.times.len(),
            p50_ms: milliseconds(timing.percentile(0.5)),
            p95_ms: milliseconds(timing.percentile(0.95)),
            max_ms: milliseconds(timing.percentile(1.0)),
        }));
    }
    let mut out = stdout();
    match format {
        Format::Json => out.write_all(json::list(lines.iter()).as_bytes())?,
        Format::Text => {
            let right = |heading| (heading, Align::Right);
            let (repository, stage) = (("repository", Align::Left), ("stage", Align::Left));
            let columns = [repository, stage, right("times"), right("p50 ms"), right("p95 ms"), right("max ms")];
            let mut table = Table::new(&columns);
            for line in &lines {
                let [p50, p95, max] = [line.p50_ms, line.p95_ms, line.max_ms].map(|time| format!("{time:.2}"));
                table.row([line.repository, line.stage, &line.times.to_string(), &p50, &p95, &max]);
            }
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    out.flush()?;
    Ok(Status::for_count(lines.len()))
}
