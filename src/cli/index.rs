//! `knowing index`: builds or updates the index.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use bytesize::ByteSize;
use clap::{Args, Subcommand};
use serde::Serialize;

use super::Format;
use super::consent;
use super::exit::{CliError, Status};
use super::output::stdout;
use super::progress::Progress;
use super::published;
use super::session::Session;
use super::shared_feedback::sync_if_configured;
use super::summary::{Summary, summaries};
use super::{cache, share, watch};
use crate::engine::{IndexOptions, IndexReport};
use crate::render::json;
use crate::workspace::MemberReport;

/// Build or update the index; publish, share, cache and watch it
///
/// Only the files that changed are read again. A folder that has the name of a subcommand is written with a path: ./cache
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct IndexArguments {
    #[command(subcommand)]
    pub action: Option<IndexAction>,
    /// Repository [default: the one that contains the current folder]
    pub dir: Option<PathBuf>,
    /// Rebuild from scratch; keeps your feedback
    #[arg(long)]
    pub force: bool,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Keep the memory of the run near this size, such as 2GB; it takes longer. A repository needs at least about two and a half
    /// times the bytes of its source; if the size is less, a note says so
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<ByteSize>,
    /// Import an index that a compiler wrote in the SCIP format; its edges replace guesses. May be given several times, for
    /// the parts of a repository. A file `index.scip` in the root is used only if you agree, or name it here once; then it is
    /// read again whenever it changes. An imported index is not combined with --from
    #[arg(long, value_name = "FILE")]
    pub scip: Vec<PathBuf>,
    /// If there is no current index, start from the nearest one published at URL: a folder, s3://, gs://, az:// or https://
    /// [default: KNOWING_SHARE, or `[share] url` in config.toml]
    #[arg(long, value_name = "URL")]
    pub from: Option<String>,
    /// Publish the index of the checked-out commit to URL (a folder, s3://, gs:// or az://), without feedback and names of
    /// authors
    #[arg(long, value_name = "URL")]
    pub publish: Option<String>,
    /// With --publish: list what would be published, and publish nothing
    #[arg(long, requires = "publish")]
    pub dry_run: bool,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

/// Subcommands of `index`.
#[derive(Debug, Subcommand)]
pub enum IndexAction {
    Watch(watch::WatchArguments),
    Share(share::ShareArguments),
    Cache(cache::CacheArguments),
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

/// Builds or updates the index and prints its statistics, or runs the subcommand.
///
/// # Errors
/// When the repository or the store can't be used.
pub fn run(session: &Session, arguments: &IndexArguments) -> Result<Status, CliError> {
    match &arguments.action {
        None => build(session, arguments),
        Some(IndexAction::Watch(arguments)) => watch::run(session, arguments),
        Some(IndexAction::Share(arguments)) => share::run(session, arguments),
        Some(IndexAction::Cache(arguments)) => cache::run(session, arguments),
    }
}

fn build(session: &Session, arguments: &IndexArguments) -> Result<Status, CliError> {
    if session.has_workspace() {
        return index_several(session, arguments);
    }
    let mut engine = session.engine(arguments.dir.as_deref())?;
    consent::require(session, &engine)?;
    if arguments.scip.is_empty() {
        consent::ask_for_scip(session, &engine);
    }
    session.missing_folder().iter().for_each(|folder| session.note(&format!("makes the folder {}", folder.display())));
    let progress = Progress::new(session.colors.stderr);
    let IndexArguments { force, memory, .. } = *arguments;
    let (jobs, scip) = (arguments.jobs.map(usize::from), arguments.scip.clone());
    if arguments.from.is_some() {
        engine.set_share(arguments.from.clone());
    }
    let memory = memory.map(|size| size.as_u64());
    let options = IndexOptions { force, jobs, memory, scip, ..IndexOptions::default() };
    let report = engine.index_with(options, &|step| progress.show(step));
    progress.finish();
    let report = report?;
    report.notes.iter().for_each(|note| session.note(note));
    report.scip.line().iter().for_each(|line| session.note(line));
    let summary = Summary::from_engine(&engine)?;
    let mut out = stdout();
    match arguments.format {
        Format::Json => out.write_all(json::line(&record(summary, &report)).as_bytes())?,
        Format::Text => {
            summary.write(&mut out, session.colors.stdout)?;
            writeln!(out, "\n{}", describe(&report))?;
        }
    }
    out.flush()?;
    if let Some(url) = &arguments.publish {
        published::publish(session, &engine, url, arguments.dry_run)?;
    }
    sync_if_configured(session, &engine);
    let is_empty = session.note_without_files(&engine.reader()?)?;
    Ok(if is_empty { Status::NothingFound } else { Status::Success })
}

/// Builds or updates several indexes and prints one line for each.
fn index_several(session: &Session, arguments: &IndexArguments) -> Result<Status, CliError> {
    if arguments.dir.is_some() || !arguments.scip.is_empty() || arguments.publish.is_some() {
        let text = "DIR, --scip and --publish are for one repository; name each with --repo, or publish each by itself";
        return Err(CliError::Usage(text.to_owned()));
    }
    let prepared = session.prepare()?;
    let prepare = |engine| {
        let mut engine = prepared(engine);
        if arguments.from.is_some() {
            engine.set_share(arguments.from.clone());
        }
        engine
    };
    let mut workspace = session.workspace_with(&[], &prepare)?;
    let jobs = arguments.jobs.map(usize::from);
    let IndexArguments { force, memory, .. } = *arguments;
    let memory = memory.map(|size| size.as_u64());
    let options = IndexOptions { force, jobs, memory, ..IndexOptions::default() };
    let reports = session.update(&mut workspace, &|workspace, listener| workspace.index(&options, listener))?;
    for MemberReport { label, report } in &reports {
        report.iter().flat_map(|report| &report.notes).for_each(|note| session.note(&format!("{label}: {note}")));
    }
    summaries(session, &workspace, arguments.format)
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

fn describe(report: &IndexReport) -> String {
    let total: f64 = report.timings.iter().map(|(_, time)| time.as_secs_f64() * 1e3).sum();
    let what = match report.is_unchanged {
        true => "up to date, nothing changed,".to_owned(),
        false => format!("{} files parsed, {} resolved", report.parsed_files, report.resolved_files),
    };
    let phases: Vec<String> = (report.timings.iter())
        .map(|(phase, time)| format!("{} {:.0}", phase.name(), time.as_secs_f64() * 1e3))
        .collect();
    format!("{what} in {total:.0} ms ({})", phases.join(", "))
}
