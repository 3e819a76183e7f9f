//! `knowing index share`: lists the published indexes of a share, deletes old ones, and finds the repositories of a task.

use std::io::Write;
use std::num::NonZeroU32;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use clap::{Args, Subcommand};
use serde::Serialize;

use super::Format;
use super::exit::{CliError, Status};
use super::output::{Align, Table, stdout};
use super::session::Session;
use super::task::words;
use crate::engine::{
    Cache, EngineError, PublishedIndex, Route, RouteMatch, Router, Share, ShareError, collect, configured_share,
    published_indexes, shared_catalogs,
};
use crate::render::json;
use crate::text::display::{bytes, thousands};

/// Manage the indexes that `knowing index --publish` wrote
#[derive(Debug, Args)]
pub struct ShareArguments {
    #[command(subcommand)]
    pub action: ShareAction,
}

/// Subcommands of `index share`.
#[derive(Debug, Subcommand)]
pub enum ShareAction {
    /// List the published indexes, the newest of each repository first
    List {
        /// Share: a folder, s3://, gs:// or az:// [default: KNOWING_SHARE, or `[share] url` in config.toml]
        url: Option<String>,
        /// Output format
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
    /// List the repositories that a task concerns, by their catalogs in a share
    Route {
        /// Task in plain words; `-` reads standard input
        #[arg(long, value_name = "TEXT")]
        task: String,
        /// Share: a folder, s3://, gs:// or az:// [default: KNOWING_SHARE, or `[share] url` in config.toml]
        #[arg(long, value_name = "URL")]
        from: Option<String>,
        /// Maximum number of repositories
        #[arg(long, short = 'n', value_name = "N", default_value = "5")]
        limit: NonZeroU32,
        /// Output format
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
    /// Delete all but the last published indexes of each repository
    Gc {
        /// Share: a folder, s3://, gs:// or az:// [default: KNOWING_SHARE, or `[share] url` in config.toml]
        url: Option<String>,
        /// Number of indexes to keep of each repository and version of the program
        #[arg(long, value_name = "N")]
        keep: NonZeroU32,
        /// Count what would be deleted, and delete nothing
        #[arg(long)]
        dry_run: bool,
    },
}

#[derive(Serialize)]
struct Record<'a> {
    repository: Option<&'a str>,
    commit: &'a str,
    compressed_bytes: u64,
    published_at: i64,
    usable: bool,
}

/// Lists or deletes published indexes.
///
/// # Errors
/// When the share can't be read or written.
pub fn run(session: &Session, arguments: &ShareArguments) -> Result<Status, CliError> {
    match &arguments.action {
        ShareAction::List { url, format } => list(session, &chosen(url.as_deref())?, *format),
        ShareAction::Route { task, from, limit, format } => {
            route(session, &words(session, task)?, &chosen(from.as_deref())?, *limit, *format)
        }
        ShareAction::Gc { url, keep, dry_run } => {
            let share = Share::open(&chosen(url.as_deref())?)?;
            let collected = collect(&share, usize::try_from(keep.get()).unwrap_or(usize::MAX), *dry_run)?;
            share.note().iter().for_each(|note| session.note(note));
            let verb = if *dry_run { "would delete" } else { "deleted" };
            let [deleted, kept] = [collected.deleted, collected.kept].map(thousands);
            session.note(&format!("{verb} {deleted} published indexes ({}), kept {kept}", bytes(collected.bytes)));
            if collected.catalogs > 0 {
                session.note(&format!("{verb} {} catalogs without an index", thousands(collected.catalogs)));
            }
            Ok(Status::Success)
        }
    }
}

/// Returns the share of the command line, else the configured one.
///
/// # Errors
/// When there is none, or the settings can't be read.
pub fn chosen(url: Option<&str>) -> Result<String, CliError> {
    let url = match url {
        Some(url) => Some(url.to_owned()),
        None => configured_share().map_err(|error| CliError::Usage(error.to_string()))?,
    };
    url.ok_or_else(|| {
        CliError::Usage("no share given; name one, or set KNOWING_SHARE or `[share] url` in config.toml".to_owned())
    })
}

fn list(session: &Session, url: &str, format: Format) -> Result<Status, CliError> {
    let share = Share::open(url)?;
    let indexes = published_indexes(&share)?;
    share.note().iter().for_each(|note| session.note(note));
    let mut out = stdout();
    match format {
        Format::Json => out.write_all(json::list(indexes.iter().map(record)).as_bytes())?,
        Format::Text if indexes.is_empty() => session.note("no index is published there"),
        Format::Text => {
            let [repository, commit, note] = ["repository", "commit", "note"].map(|heading| (heading, Align::Left));
            let mut table = Table::new(&[repository, commit, ("size", Align::Right), ("age", Align::Right), note]);
            for index in &indexes {
                let note = match (&index.repository, index.is_usable) {
                    (None, _) => "damaged",
                    (_, false) => "for another version of knowing",
                    _ => "",
                };
                let repository = index.repository.as_deref().unwrap_or("?");
                let commit = index.commit.get(..12).unwrap_or_default();
                table.row([repository, commit, &bytes(index.compressed_bytes), &age(index.modified), note]);
            }
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    out.flush()?;
    Ok(Status::for_count(indexes.len()))
}

#[derive(Serialize)]
struct RouteRecord<'a> {
    repository: &'a str,
    score: f64,
    matches: Vec<MatchRecord<'a>>,
}

#[derive(Serialize)]
struct MatchRecord<'a> {
    word: &'a str,
    contribution: f64,
    fields: Vec<&'static str>,
}

/// Number of words that the table has for a repository.
const MAX_REASONS: usize = 5;

fn route(session: &Session, task: &str, url: &str, limit: NonZeroU32, format: Format) -> Result<Status, CliError> {
    let found = shared_catalogs(&Share::open(url)?, Cache::of_user()?.as_ref())?;
    found.problems.iter().for_each(|problem| session.note(problem));
    let router = Router::new(&found.catalogs);
    let routes = router.route(task, usize::try_from(limit.get()).unwrap_or(usize::MAX));
    let mut out = stdout();
    match format {
        Format::Json => out.write_all(json::list(routes.iter().map(route_record)).as_bytes())?,
        Format::Text if router.repository_count() == 0 => session.note("no catalog is published there"),
        Format::Text if routes.is_empty() => {
            session.note(&format!("no word of the task is in {} catalogs", thousands(router.repository_count())));
        }
        Format::Text => {
            let columns = [("repository", Align::Left), ("score", Align::Right), ("words", Align::Left)];
            let mut table = Table::new(&columns);
            for route in &routes {
                let score = format!("{:.2}", route.score);
                table.row([route.repository.as_str(), &score, &reasons(route)]);
            }
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    out.flush()?;
    Ok(Status::for_count(routes.len()))
}

/// Lists the words that contribute most, each with the most specific place where the repository has it.
fn reasons(route: &Route) -> String {
    let reason = |found: &RouteMatch| match found.fields.first() {
        Some(field) => format!("{} ({})", found.word, field.name()),
        None => found.word.clone(),
    };
    route.matches.iter().take(MAX_REASONS).map(reason).collect::<Vec<String>>().join(", ")
}

fn match_record(found: &RouteMatch) -> MatchRecord<'_> {
    let fields = found.fields.iter().map(|field| field.name()).collect();
    MatchRecord { word: &found.word, contribution: found.contribution, fields }
}

fn route_record(route: &Route) -> RouteRecord<'_> {
    RouteRecord {
        repository: &route.repository,
        score: route.score,
        matches: route.matches.iter().map(match_record).collect(),
    }
}

fn record(index: &PublishedIndex) -> Record<'_> {
    Record {
        repository: index.repository.as_deref(),
        commit: &index.commit,
        compressed_bytes: index.compressed_bytes,
        published_at: index.modified / 1_000,
        usable: index.is_usable,
    }
}

/// Formats the time since a moment, in milliseconds since 1970, in the largest unit in which it is at least one.
pub fn age(modified: i64) -> String {
    let modified = UNIX_EPOCH + Duration::from_millis(u64::try_from(modified).unwrap_or_default());
    // The store's clock may be ahead.
    let seconds = SystemTime::now().duration_since(modified).unwrap_or_default().as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..86_400 => format!("{} h", seconds / 3_600),
        _ => format!("{} d", seconds / 86_400),
    }
}

impl From<ShareError> for CliError {
    fn from(error: ShareError) -> CliError {
        EngineError::Share(error).into()
    }
}
