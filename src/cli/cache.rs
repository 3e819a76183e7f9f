//! `knowing cache`: the indexes that are kept for further checkouts of a repository.

use std::io::Write;

use clap::{Args, Subcommand};
use serde::Serialize;

use super::Format;
use super::exit::{CliError, Status};
use super::output::{Align, Table, stdout};
use super::session::Session;
use super::share::age;
use crate::engine::{Cache, MAX_CACHE_BYTES};
use crate::render::json;
use crate::text::display::{bytes, thousands};

/// Manage the indexes that further checkouts of a repository start from
///
/// The index of a repository that took longer than a second to build is kept for its next clone. The cache holds at most
/// 2 GiB; what was not used for longest goes first. KNOWING_CACHE=off switches it off, another value names its folder.
#[derive(Debug, Args)]
pub struct CacheArguments {
    #[command(subcommand)]
    pub action: CacheAction,
}

/// Subcommands of `cache`.
#[derive(Debug, Subcommand)]
pub enum CacheAction {
    /// List the cached indexes, the most recently used first
    List {
        /// Output format
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
    /// Print the size of the cache and where it is
    Size,
    /// Delete the cached indexes, and the catalogs of shares
    Clear {
        /// Only that of this repository, such as github.com/pallets/flask
        repository: Option<String>,
    },
}

#[derive(Serialize)]
struct Record<'a> {
    repository: &'a str,
    bytes: u64,
    used_at: u64,
}

/// Lists, measures or deletes cached indexes.
///
/// # Errors
/// When the cache is switched off, or can't be read or written.
pub fn run(session: &Session, arguments: &CacheArguments) -> Result<Status, CliError> {
    let cache =
        Cache::of_user().ok_or_else(|| CliError::Usage("the cache is switched off by KNOWING_CACHE".to_owned()))?;
    let entries = cache.entries()?;
    match &arguments.action {
        CacheAction::List { format } => {
            let mut out = stdout();
            match format {
                Format::Json => {
                    let records = entries.iter().map(|entry| Record {
                        repository: &entry.repository,
                        bytes: entry.bytes,
                        used_at: entry.used,
                    });
                    out.write_all(json::list(records).as_bytes())?;
                }
                Format::Text if entries.is_empty() => session.note("the cache is empty"),
                Format::Text => {
                    let columns = [("repository", Align::Left), ("size", Align::Right), ("used", Align::Right)];
                    let mut table = Table::new(&columns);
                    for entry in &entries {
                        let used = i64::try_from(entry.used * 1_000).unwrap_or(i64::MAX);
                        table.row([&entry.repository, &bytes(entry.bytes), &age(used)]);
                    }
                    table.write(&mut out, session.colors.stdout)?;
                }
            }
            out.flush()?;
            Ok(Status::for_count(entries.len()))
        }
        CacheAction::Size => {
            let total = entries.iter().map(|entry| entry.bytes).sum();
            let (folder, count) = (cache.folder().display(), thousands(entries.len()));
            let mut out = stdout();
            writeln!(out, "{} of {} in {count} indexes in {folder}", bytes(total), bytes(MAX_CACHE_BYTES))?;
            out.flush()?;
            Ok(Status::Success)
        }
        CacheAction::Clear { repository } => {
            let is_chosen = |name: &str| repository.as_ref().is_none_or(|chosen| chosen == name);
            let chosen: Vec<_> = entries.iter().filter(|entry| is_chosen(&entry.repository)).collect();
            chosen.iter().try_for_each(|entry| entry.remove())?;
            if repository.is_none() {
                cache.remove_catalogs()?;
            }
            let freed = chosen.iter().map(|entry| entry.bytes).sum();
            session.note(&format!("deleted {} cached indexes ({})", thousands(chosen.len()), bytes(freed)));
            Ok(Status::for_count(chosen.len()))
        }
    }
}
