//! `knowing feedback sync`, `sources` and `weigh`: votes of other people.

use std::io::Write;

use clap::Subcommand;
use serde::Serialize;

use super::Format;
use super::exit::{CliError, Status};
use super::output::{Align, Table, stdout};
use super::session::Session;
use super::share::{age, chosen};
use crate::engine::{Engine, Experience, SyncOptions, WriterSummary, configured_sync};
use crate::render::json;
use crate::text::display::thousands;

/// Number of letters of a key that are shown; enough to choose it.
const KEY_LETTERS: usize = 12;

/// Operations on the votes of other people.
#[derive(Debug, Subcommand)]
pub enum SharedAction {
    /// Publish your votes on this repository to a share, and receive those of others
    ///
    /// Publishes the symbols, your votes, when you gave them, and hashes of the task's keywords, which hide a task from
    /// readers but not from a dictionary attack. The texts of tasks stay here unless --texts is given. With
    /// `sync = true` under `[feedback]` in config.toml it happens after `knowing index` and after each vote; `name` and
    /// `texts` are set there too.
    Sync {
        /// Share: a folder, s3://, gs:// or az:// [default: KNOWING_SHARE, or `[share] url` in config.toml]
        url: Option<String>,
        /// The name that others see; without one, the beginning of your key
        #[arg(long)]
        name: Option<String>,
        /// Publish the texts of tasks too
        #[arg(long)]
        texts: bool,
    },
    /// List whose votes were received, and their weights
    Sources {
        /// Output format
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
    /// Set the weight of a person's votes: 0 mutes them, 0.5 is the default, 1 is as much as your own
    Weigh {
        /// A name, or the beginning of a key, in `knowing feedback sources`
        source: String,
        /// From 0 to 1
        #[arg(value_parser = weight)]
        weight: f64,
    },
}

fn weight(text: &str) -> Result<f64, String> {
    let weight = text.parse().ok().filter(|weight| (0.0..=1.0).contains(weight));
    weight.ok_or_else(|| "a weight is a number from 0 to 1".to_owned())
}

/// A person whose votes were received.
#[derive(Serialize)]
struct Record<'a> {
    writer: &'a str,
    name: &'a str,
    events: usize,
    last_at: i64,
    weight: f64,
    own: bool,
}

/// Exchanges votes, lists people, or weighs one.
///
/// # Errors
/// When the share or the copies can't be used, or no or several people have that name.
pub fn run(session: &Session, engine: &Engine, action: &SharedAction) -> Result<Status, CliError> {
    let experience = Experience::of_user(engine.repository())
        .ok_or_else(|| CliError::Usage("there is no home folder for the votes of others".to_owned()))?;
    match action {
        SharedAction::Sync { url, name, texts } => {
            let configured = SyncOptions::configured().map_err(|error| CliError::Usage(error.to_string()))?;
            let name = name.clone().unwrap_or(configured.name);
            let options = SyncOptions { name, shares_texts: *texts || configured.shares_texts };
            note(session, engine, &chosen(url.as_deref())?, &options)
        }
        SharedAction::Sources { format } => list(session, &experience.writers()?, *format),
        SharedAction::Weigh { source, weight } => {
            let writers = experience.writers()?;
            let named = |writer: &&WriterSummary| {
                !writer.is_own && (writer.name == *source || writer.writer.starts_with(source.as_str()))
            };
            let [writer] = writers.iter().filter(named).collect::<Vec<_>>()[..] else {
                let problem = format!("no or several sources are called `{source}`; give the beginning of a key");
                return Err(CliError::Usage(problem));
            };
            experience.set_weight(&writer.writer, *weight)?;
            session.note(&format!("the votes of {} now have the weight {weight}", shown(writer)));
            Ok(Status::Success)
        }
    }
}

/// Exchanges votes if the settings say so. A failure is a note.
pub fn sync_if_configured(session: &Session, engine: &Engine) {
    let problem = match configured_sync() {
        Ok(Some((url, options))) => engine.sync_feedback(&url, &options).err().map(|error| error.to_string()),
        Ok(None) => None,
        Err(error) => Some(error.to_string()),
    };
    problem.iter().for_each(|problem| session.note(&format!("votes were not exchanged: {problem}")));
}

fn note(session: &Session, engine: &Engine, url: &str, options: &SyncOptions) -> Result<Status, CliError> {
    let report = engine.sync_feedback(url, options)?;
    let [sent, received, invalid] = [report.sent, report.received, report.invalid].map(thousands);
    session.note(&format!("sent {sent} batches of votes, received {received}"));
    if report.invalid > 0 {
        session.note(&format!("{invalid} objects are not batches of votes signed by their writer, and were left out"));
    }
    if report.beyond_limit > 0 {
        let beyond = thousands(report.beyond_limit);
        session.note(&format!("{beyond} batches of votes were not received: there are more than 20,000"));
    }
    if report.unnamed > 0 {
        let count = thousands(report.unnamed);
        session.note(&format!("skipped {count} files whose names have control characters or are not UTF-8"));
    }
    Ok(Status::Success)
}

fn shown(writer: &WriterSummary) -> &str {
    if writer.name.is_empty() { writer.writer.get(..KEY_LETTERS).unwrap_or_default() } else { &writer.name }
}

fn list(session: &Session, writers: &[WriterSummary], format: Format) -> Result<Status, CliError> {
    let mut out = stdout();
    match format {
        Format::Json => {
            let records = writers.iter().map(|writer| Record {
                writer: &writer.writer,
                name: &writer.name,
                events: writer.events,
                last_at: writer.last,
                weight: writer.weight,
                own: writer.is_own,
            });
            out.write_all(json::list(records).as_bytes())?;
        }
        Format::Text if writers.is_empty() => session.note("no votes of others; `knowing feedback sync` receives them"),
        Format::Text => {
            let [name, key] = ["source", "key"].map(|heading| (heading, Align::Left));
            let [votes, last, weight] = ["votes", "last", "weight"].map(|heading| (heading, Align::Right));
            let mut table = Table::new(&[name, key, votes, last, weight]);
            for writer in writers {
                let weight = if writer.is_own { "you".to_owned() } else { writer.weight.to_string() };
                let key = writer.writer.get(..KEY_LETTERS).unwrap_or_default();
                let last = age(writer.last.saturating_mul(1_000));
                table.row([shown(writer), key, &thousands(writer.events), &last, &weight]);
            }
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    out.flush()?;
    Ok(Status::for_count(writers.len()))
}
