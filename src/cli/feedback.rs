//! `knowing feedback`: records votes on symbols, and lists, undoes, exports and imports journal entries.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde::Serialize;

use super::Format;
use super::exit::{CliError, Status};
use super::feedback_import::{import_database, note_imported, read_input};
use super::output::{Align, Table, stdout};
use super::session::Session;
use super::shared_feedback::{self, SharedAction, sync_if_configured};
use super::{lookup, task, terms};
use crate::engine::{EventKind, FeedbackEvent, FeedbackRecorder, Vote, is_database};
use crate::model::{Symbol, Task};
use crate::render::json;
use crate::workspace::Workspace;

/// Vote on symbols: useful or not useful for a task
///
/// A vote applies from the next answer on: to this task and, scaled down, to tasks that share at least half of its
/// words; one against a symbol to this task alone. It is suspended while the symbol's file (in Go: its folder) differs
/// from what was voted on. Votes, and use observed in the explorer, are entries of a journal that can be listed, undone
/// and redone.
///
/// For example: knowing feedback --task "sessions expire too early" --useful Session.is_expired --not-useful Cart
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct FeedbackArguments {
    #[command(subcommand)]
    pub action: Option<JournalAction>,
    /// The task, in plain words; `-` reads it from standard input
    #[arg(long, value_name = "TASK", required = true, allow_hyphen_values = true)]
    pub task: Option<String>,
    /// Useful symbols
    #[arg(long, value_name = "SYMBOL", num_args = 1..)]
    pub useful: Vec<String>,
    /// Symbols that were not useful
    #[arg(long, value_name = "SYMBOL", num_args = 1..)]
    pub not_useful: Vec<String>,
    /// Symbols whose votes to clear, including those of earlier sessions
    #[arg(long, value_name = "SYMBOL", num_args = 1..)]
    pub clear: Vec<String>,
    /// Name of the session; its latest vote on a symbol and task counts
    #[arg(long, value_name = "NAME")]
    pub session: Option<String>,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

/// Operations on the feedback journal.
#[derive(Debug, Subcommand)]
pub enum JournalAction {
    /// List the journal: votes and observed use, each with its state
    List {
        /// Output format
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
    #[command(flatten)]
    History(HistoryStep),
    /// Print the entries that are not undone as JSON lines
    Export,
    /// Import exported entries in one step; known ones are skipped
    ///
    /// The entries of another database are imported after a question, or with --yes.
    Import {
        /// Exported lines, or a database; `-` reads lines from standard input
        file: PathBuf,
    },
    Terms(terms::TermsArguments),
    #[command(flatten)]
    Shared(SharedAction),
}

/// Limit of the entries that one message lists.
pub const MAX_LISTED: usize = 10;

/// Undo and redo in the journal.
#[derive(Debug, Subcommand)]
pub enum HistoryStep {
    /// Undo the last vote, forgotten term or import, or one entry and those recorded together with it
    Undo {
        /// Number of an entry in `knowing feedback list`
        entry: Option<i64>,
    },
    /// Redo what was undone last, or one entry
    Redo {
        /// Number of an entry in `knowing feedback list`
        entry: Option<i64>,
    },
}

/// Records votes, or runs the operation on the journal.
///
/// # Errors
/// When a symbol is ambiguous, an operation is about one journal and several repositories are named, or an index or a
/// journal can't be used.
pub fn run(session: &Session, arguments: &FeedbackArguments) -> Result<Status, CliError> {
    let engine = || session.refreshed(session.engine(None)?);
    let recorder = || Ok::<_, CliError>(engine()?.feedback_recorder(None)?);
    match &arguments.action {
        None => record_votes(session, arguments),
        Some(JournalAction::List { format }) => {
            let workspace = session.indexed()?;
            let statuses = session.each(&workspace, *format, |member, out| {
                list(session, &member.engine().feedback_recorder(None)?, *format, out)
            })?;
            Ok(Status::any(&statuses))
        }
        Some(JournalAction::Terms(arguments)) => terms::run(session, arguments),
        Some(JournalAction::Shared(action)) => shared_feedback::run(session, &engine()?, action),
        Some(JournalAction::History(step)) => undo_or_redo(session, &mut recorder()?, step),
        Some(JournalAction::Export) => print_lines(&recorder()?.export()?),
        Some(JournalAction::Import { file }) => {
            let mut recorder = recorder()?;
            if is_database(file).unwrap_or(false) {
                return import_database(session, &mut recorder, file);
            }
            let events = recorder.import(&read_input(file)?)?;
            note_imported(session, &recorder, &events)
        }
    }
}

/// Prints lines to standard output.
///
/// # Errors
/// When it can't be written.
pub fn print_lines(lines: &[String]) -> Result<Status, CliError> {
    let mut out = stdout();
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    out.flush()?;
    Ok(Status::for_count(lines.len()))
}

/// Undoes or redoes one entry, or the last one, and prints the changed entries.
///
/// # Errors
/// When the store can't be written.
fn undo_or_redo(session: &Session, recorder: &mut FeedbackRecorder, step: &HistoryStep) -> Result<Status, CliError> {
    let (verb, entry, events) = match *step {
        HistoryStep::Undo { entry: None } => ("undo", None, recorder.undo()?),
        HistoryStep::Redo { entry: None } => ("redo", None, recorder.redo()?),
        HistoryStep::Undo { entry: Some(entry) } => ("undo", Some(entry), recorder.set_undone(entry, true)?),
        HistoryStep::Redo { entry: Some(entry) } => ("redo", Some(entry), recorder.set_undone(entry, false)?),
    };
    let done = if verb == "undo" { "undone" } else { "redone" };
    for event in events.iter().take(MAX_LISTED) {
        session.note(&format!("{done}: entry {}, {}", event.id, describe(event)));
    }
    match (events.len().checked_sub(MAX_LISTED), entry) {
        (Some(more @ 1..), _) => session.note(&format!("{done}: {more} more entries")),
        (None, Some(entry)) if events.is_empty() => {
            session.note(&format!("no entry {entry} to {verb}; `knowing feedback list` shows the entries"));
        }
        (None, None) if events.is_empty() => session.note(&format!("nothing to {verb}")),
        _ => (),
    }
    Ok(Status::for_count(events.len()))
}

/// Returns one line that describes a journal entry.
pub fn describe(event: &FeedbackEvent) -> String {
    let mut parts: Vec<String> = event
        .votes
        .iter()
        .map(|symbol_vote| {
            let sign = match symbol_vote.vote {
                Vote::Useful => '+',
                Vote::NotUseful => '-',
                Vote::Clear => '·',
            };
            format!("{sign}{}", symbol_vote.subject.short_name())
        })
        .collect();
    parts.extend(event.terms.iter().map(|term| format!("{} -> {}", term.keyword, term.subject.short_name())));
    let for_task = if event.task.is_empty() { String::new() } else { format!(" for \"{}\"", event.task) };
    format!("{} {}{for_task}", event.kind.name(), parts.join(" "))
}

/// A vote and its effect on the symbol's rank.
#[derive(Serialize)]
struct VoteRecord {
    symbol: String,
    vote: &'static str,
    /// Ranks from 1.
    before: Option<usize>,
    after: Option<usize>,
}

/// Records each vote in the journal of its symbol's repository, and prints the ranks before and after.
fn record_votes(session: &Session, arguments: &FeedbackArguments) -> Result<Status, CliError> {
    let text = task::words(session, arguments.task.as_deref().unwrap_or_default())?;
    let task = Task::from_text(text.as_str());
    let mut workspace = session.loaded(Some(&task))?;
    let Some(votes) = votes(session, &mut workspace, arguments)? else { return Ok(Status::NothingFound) };
    let before = ranks(&mut workspace, &task, &votes)?;
    for member in workspace.members() {
        let is_own = |symbol: &Symbol| workspace.member_of(symbol).is_some_and(|own| own.label() == member.label());
        let own = votes.iter().filter(|(symbol, _)| is_own(symbol));
        let cast: Vec<(&Symbol, Vote)> = own.map(|(symbol, vote)| (symbol, *vote)).collect();
        if cast.is_empty() {
            continue;
        }
        let event = member.engine().feedback_recorder(arguments.session.as_deref())?.votes(&text, &cast)?;
        let undo = match workspace.is_single() {
            true => "knowing feedback undo".to_owned(),
            false => format!("knowing --repo {} feedback undo", member.root().display()),
        };
        session.note(&format!("recorded as entry {}; `{undo}` reverts it", event.id));
    }
    let after = ranks(&mut workspace, &task, &votes)?;
    let names = workspace.repositories();
    let records: Vec<VoteRecord> = (votes.iter().zip(before.into_iter().zip(after)))
        .map(|((symbol, vote), (before, after))| VoteRecord {
            symbol: names.qualified_name(symbol).into_owned(),
            vote: vote.name(),
            before,
            after,
        })
        .collect();
    print_votes(session, &records, arguments.format)?;
    workspace.members().iter().for_each(|member| sync_if_configured(session, member.engine()));
    Ok(Status::Success)
}

/// Returns the symbols of the arguments with their votes; `None`, with a note, if there is no symbol of a name.
fn votes(
    session: &Session,
    workspace: &mut Workspace,
    arguments: &FeedbackArguments,
) -> Result<Option<Vec<(Symbol, Vote)>>, CliError> {
    let options =
        [("--useful", &arguments.useful), ("--not-useful", &arguments.not_useful), ("--clear", &arguments.clear)];
    let mut votes: Vec<(Symbol, Vote)> = Vec::new();
    for ((option, names), vote) in options.into_iter().zip([Vote::Useful, Vote::NotUseful, Vote::Clear]) {
        for name in names {
            let Some(symbol) = lookup::by_name(session, workspace, option, name)? else { return Ok(None) };
            if votes.iter().any(|(other, _)| other.id == symbol.id) {
                return Err(CliError::Usage(format!("`{name}` is given twice; a symbol takes one vote")));
            }
            votes.push((symbol, vote));
        }
    }
    if votes.is_empty() {
        return Err(CliError::Usage("no symbol given; use --useful, --not-useful or --clear".to_owned()));
    }
    Ok(Some(votes))
}

/// Returns the ranks of the symbols for a task, from 1.
fn ranks(workspace: &mut Workspace, task: &Task, votes: &[(Symbol, Vote)]) -> Result<Vec<Option<usize>>, CliError> {
    let ranking = workspace.rank(task, &|| false)?.unwrap_or_default();
    Ok(votes.iter().map(|(symbol, _)| workspace.rank_of(&ranking, symbol)).collect())
}

/// Prints votes.
///
/// # Errors
/// When standard output can't be written.
fn print_votes(session: &Session, records: &[VoteRecord], format: Format) -> Result<(), CliError> {
    let mut out = stdout();
    match format {
        Format::Json => out.write_all(json::list(records.iter()).as_bytes())?,
        Format::Text => {
            let shown = |rank: Option<usize>| rank.map_or("-".to_owned(), |rank| rank.to_string());
            let mut table = Table::new(&[
                ("vote", Align::Left),
                ("symbol", Align::Left),
                ("before", Align::Right),
                ("after", Align::Right),
            ]);
            for VoteRecord { symbol, vote, before, after } in records {
                table.row([vote, symbol, &shown(*before), &shown(*after)]);
            }
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    Ok(out.flush()?)
}

/// One symbol of a journal entry.
#[derive(Serialize)]
struct EntryRecord<'a> {
    entry: i64,
    event: &'static str,
    /// Seconds since 1970.
    at: i64,
    session: &'a str,
    task: &'a str,
    vote: &'static str,
    /// The learned term that was imported or forgotten.
    term: Option<&'a str>,
    symbol: &'a str,
    /// `active`, `undone`, or `expired` because the symbol's package has changed.
    state: &'static str,
}

fn list(
    session: &Session,
    recorder: &FeedbackRecorder,
    format: Format,
    mut out: &mut dyn Write,
) -> Result<Status, CliError> {
    let events = recorder.events()?;
    let expired = recorder.expired()?;
    let mut records = Vec::new();
    for event in &events {
        let votes = event.votes.iter().map(|symbol_vote| (&symbol_vote.subject, symbol_vote.vote.name(), None));
        let terms = event.terms.iter().map(|term| (&term.subject, event.kind.name(), Some(term.keyword.as_str())));
        for (subject, vote, term) in votes.chain(terms) {
            let state = match event.undone {
                true => "undone",
                // Forgetting a term does not expire.
                false if event.kind != EventKind::ForgetTerms && expired.contains(subject) => "expired",
                false => "active",
            };
            records.push(EntryRecord {
                entry: event.id,
                event: event.kind.name(),
                at: event.at,
                session: &event.session,
                task: &event.task,
                vote,
                term,
                symbol: subject.short_name(),
                state,
            });
        }
    }
    match format {
        Format::Json => out.write_all(json::list(records.iter()).as_bytes())?,
        Format::Text if records.is_empty() => session.note("no feedback recorded"),
        Format::Text => {
            let left = |heading| (heading, Align::Left);
            let headings = ["event", "vote or term", "symbol", "task", "state"].map(left);
            let mut table = Table::new(&[&[("entry", Align::Right)], &headings[..]].concat());
            for record in &records {
                let vote = record.term.unwrap_or(record.vote);
                let entry = record.entry.to_string();
                table.row([&entry, record.event, vote, record.symbol, record.task, record.state]);
            }
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    Ok(Status::for_count(records.len()))
}
