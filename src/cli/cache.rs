//! `knowing index cache`: the indexes of checkouts in the data folder, and those that are kept for further checkouts.

use std::io::Write;
use std::path::Path;

use clap::{Args, Subcommand};
use serde::Serialize;

use super::Format;
use super::exit::{CliError, Status};
use super::output::{Align, Table, stdout};
use super::session::Session;
use super::share::age;
use crate::engine::{Cache, CachedIndex, CheckoutFolder, DataFolder, MAX_CACHE_BYTES};
use crate::render::json;
use crate::text::count;
use crate::text::display::{bytes, thousands};

/// Manage the indexes on this machine
///
/// The index of each checkout is in the data folder, with its votes and the records of agents. It moves with the checkout;
/// when the checkout is deleted, it stays until it is cleared.
///
/// The index of a repository that took longer than a second to build is also kept for its next clone. This cache holds at
/// most 2 GiB; what was not used for longest goes first. KNOWING_CACHE=off switches it off, another value names its folder.
#[derive(Debug, Args)]
pub struct CacheArguments {
    #[command(subcommand)]
    pub action: CacheAction,
}

/// Subcommands of `index cache`.
#[derive(Debug, Subcommand)]
pub enum CacheAction {
    /// List the indexes of checkouts, by path, and the cached ones, the most recently used first
    List {
        /// Output format
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
    /// Print the sizes of all indexes and where they are
    Size,
    /// Delete the indexes of checkouts that are gone, the cached indexes, and the catalogs of shares. Votes are kept as a
    /// file for `knowing feedback import`
    Clear {
        /// Only those of this repository, such as github.com/pallets/flask
        repository: Option<String>,
    },
}

/// An index on this machine.
#[derive(Serialize)]
struct Record {
    repository: String,
    /// The root of the checkout; none for a cached index.
    checkout: Option<String>,
    /// Whether the checkout does not exist any more.
    gone: bool,
    bytes: u64,
    used_at: u64,
}

/// All indexes on this machine.
struct Indexes {
    data: DataFolder,
    checkouts: Vec<(CheckoutFolder, Record)>,
    cache: Option<Cache>,
    cached: Vec<CachedIndex>,
}

impl Indexes {
    fn read() -> Result<Indexes, CliError> {
        let data = DataFolder::of_user()?;
        let mut checkouts = Vec::new();
        for folder in data.checkouts()? {
            let record = Record {
                repository: folder.repository().unwrap_or_default(),
                checkout: Some(folder.checkout.display().to_string()),
                gone: folder.is_gone,
                bytes: folder.bytes()?,
                used_at: folder.used(),
            };
            checkouts.push((folder, record));
        }
        let cache = Cache::of_user()?;
        let cached = cache.as_ref().map(Cache::entries).transpose()?.unwrap_or_default();
        Ok(Indexes { data, checkouts, cache, cached })
    }

    fn gone(&self) -> impl Iterator<Item = &(CheckoutFolder, Record)> {
        self.checkouts.iter().filter(|(folder, _)| folder.is_gone)
    }

    fn into_records(self) -> Vec<Record> {
        let cached = self.cached.into_iter().map(|entry| Record {
            repository: entry.repository.clone(),
            checkout: None,
            gone: false,
            bytes: entry.bytes,
            used_at: entry.used,
        });
        self.checkouts.into_iter().map(|(_, record)| record).chain(cached).collect()
    }
}

/// Lists, measures or deletes indexes.
///
/// # Errors
/// When a folder can't be read or written.
pub fn run(session: &Session, arguments: &CacheArguments) -> Result<Status, CliError> {
    let indexes = Indexes::read()?;
    match &arguments.action {
        CacheAction::List { format } => list(session, indexes, *format),
        CacheAction::Size => size(&indexes),
        CacheAction::Clear { repository } => clear(session, &indexes, repository.as_deref()),
    }
}

fn list(session: &Session, indexes: Indexes, format: Format) -> Result<Status, CliError> {
    let records = indexes.into_records();
    let mut out = stdout();
    match format {
        Format::Json => out.write_all(json::list(records.iter()).as_bytes())?,
        Format::Text if records.is_empty() => session.note("there is no index"),
        Format::Text => {
            let columns = [
                ("repository", Align::Left),
                ("checkout", Align::Left),
                ("size", Align::Right),
                ("used", Align::Right),
                ("state", Align::Left),
            ];
            let mut table = Table::new(&columns);
            for record in &records {
                let used = i64::try_from(record.used_at * 1_000).unwrap_or(i64::MAX);
                let state = match (&record.checkout, record.gone) {
                    (None, _) => "cached",
                    (Some(_), true) => "gone",
                    (Some(_), false) => "",
                };
                let checkout = record.checkout.as_deref().unwrap_or_default();
                table.row([&record.repository, checkout, &bytes(record.bytes), &age(used), state]);
            }
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    out.flush()?;
    Ok(Status::for_count(records.len()))
}

fn size(indexes: &Indexes) -> Result<Status, CliError> {
    let mut out = stdout();
    let total = indexes.checkouts.iter().map(|(_, record)| record.bytes).sum();
    let gone = indexes.gone().map(|(_, record)| record.bytes).sum();
    writeln!(
        out,
        "{} in {} in {}; {} of {} that are gone",
        bytes(total),
        count(indexes.checkouts.len(), "checkout"),
        indexes.data.folder().display(),
        bytes(gone),
        thousands(indexes.gone().count()),
    )?;
    if let Some(cache) = &indexes.cache {
        let total = indexes.cached.iter().map(|entry| entry.bytes).sum();
        let (folder, cached) = (cache.folder().display(), thousands(indexes.cached.len()));
        writeln!(out, "{} of {} in {cached} indexes in {folder}", bytes(total), bytes(MAX_CACHE_BYTES))?;
    }
    out.flush()?;
    Ok(Status::Success)
}

fn clear(session: &Session, indexes: &Indexes, repository: Option<&str>) -> Result<Status, CliError> {
    let is_chosen = |name: &str| repository.is_none_or(|chosen| chosen == name);
    let (mut deleted, mut kept) = (Vec::new(), 0);
    for (folder, record) in indexes.gone().filter(|(_, record)| is_chosen(&record.repository)) {
        match folder.remove(&indexes.data.kept()) {
            Ok(files) => {
                deleted.push(record.bytes);
                files.iter().for_each(|file| note_kept(session, &folder.checkout, file));
            }
            Err(error) => {
                kept += 1;
                session.note(&format!("the index of {} is not deleted: {error}", folder.checkout.display()));
            }
        }
    }
    let checkouts = deleted.len();
    for entry in indexes.cached.iter().filter(|entry| is_chosen(&entry.repository)) {
        entry.remove()?;
        deleted.push(entry.bytes);
    }
    if let (Some(cache), None) = (&indexes.cache, repository) {
        cache.remove_catalogs()?;
    }
    let cached = deleted.len() - checkouts;
    session.note(&format!(
        "deleted {} cached indexes and {} of checkouts that are gone ({})",
        thousands(cached),
        thousands(checkouts),
        bytes(deleted.iter().sum()),
    ));
    Ok(if kept > 0 { Status::NothingFound } else { Status::for_count(deleted.len()) })
}

fn note_kept(session: &Session, checkout: &Path, file: &Path) {
    let command = if file.to_string_lossy().ends_with(".terms.jsonl") { "feedback terms" } else { "feedback" };
    session.note(&format!(
        "the votes of {} are kept: `knowing {command} import {}` in another checkout brings them back",
        checkout.display(),
        file.display()
    ));
}
