//! `knowing index`: builds or refreshes the index.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::Format;
use super::failure::{Ending, Failure};
use super::output::stdout;
use super::progress::Progress;
use super::session::Session;
use super::summary::Summary;
use crate::engine::IndexReport;
use crate::render::json;

/// Build the index, or refresh it with what changed
#[derive(Debug, Args)]
pub struct IndexArguments {
    /// Repository [default: the one around the current folder]
    pub dir: Option<PathBuf>,
    /// Build from nothing; what you taught is kept
    #[arg(long)]
    pub force: bool,
    /// Threads to use [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// How the result is printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

#[derive(Serialize)]
struct Record {
    #[serde(flatten)]
    summary: Summary,
    changed: bool,
    parsed_files: usize,
    resolved_files: usize,
    removed_files: usize,
    milliseconds: BTreeMap<&'static str, f64>,
}

pub fn run(session: &Session, arguments: &IndexArguments) -> Result<Ending, Failure> {
    let mut engine = session.engine(arguments.dir.as_deref())?;
    let progress = Progress::new(session.colors.stderr);
    let report = engine.index(arguments.force, arguments.jobs.map(usize::from), &|step| progress.show(step));
    progress.finish();
    let report = report?;
    report.notes.iter().for_each(|remark| session.note(remark));
    let summary = Summary::of(&engine)?;
    let mut out = stdout();
    match arguments.format {
        Format::Json => out.write_all(json::line(&record(summary, &report)).as_bytes())?,
        Format::Text => {
            summary.write(&mut out, session.colors.stdout)?;
            writeln!(out, "\n{}", done(&report))?;
        }
    }
    out.flush()?;
    Ok(Ending::Fine)
}

fn record(summary: Summary, report: &IndexReport) -> Record {
    let mut milliseconds = BTreeMap::new();
    for (phase, time) in &report.timings {
        *milliseconds.entry(phase.name()).or_insert(0.0) += (time.as_secs_f64() * 1e4).round() / 10.0;
    }
    Record {
        summary,
        changed: !report.is_unchanged,
        parsed_files: report.parsed_files,
        resolved_files: report.resolved_files,
        removed_files: report.removed_files,
        milliseconds,
    }
}

fn done(report: &IndexReport) -> String {
    let total: f64 = report.timings.iter().map(|(_, time)| time.as_secs_f64() * 1e3).sum();
    let what = match report.is_unchanged {
        true => "nothing had changed".to_owned(),
        false => format!("{} files parsed, {} resolved", report.parsed_files, report.resolved_files),
    };
    let phases: Vec<String> = (report.timings.iter())
        .map(|(phase, time)| format!("{} {:.0}", phase.name(), time.as_secs_f64() * 1e3))
        .collect();
    format!("{what} in {total:.0} ms ({})", phases.join(", "))
}
