//! `knowing feedback`: what was useful for a task and what was not.

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde::Serialize;

use super::Format;
use super::exit::{CliError, Status};
use super::output::{Align, Table, stdout};
use super::session::Session;
use super::{symbol, task};
use crate::engine::{Act, ActKind, Engine, Learner, Ranker, Vote};
use crate::model::{Symbol, Task};
use crate::render::json;

/// Say which symbols were useful for a task, and which were not
///
/// A vote counts from the next answer on, for this task and, in proportion, for tasks that share at least half of its words;
/// it stops counting while the symbol's file (in Go, its folder) is not as it was. Every act is an entry of a journal that
/// can be listed, undone and done again, and so is what was seen of use in the explorer.
///
/// For example: knowing feedback --task "sessions expire too early" --useful Session.is_expired --not-useful Cart
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct FeedbackArguments {
    #[command(subcommand)]
    pub action: Option<JournalAction>,
    /// The task, in plain words; `-` reads it from standard input
    #[arg(long, value_name = "TASK", required = true)]
    pub task: Option<String>,
    /// Symbols that were useful
    #[arg(long, value_name = "SYMBOL", num_args = 1..)]
    pub useful: Vec<String>,
    /// Symbols that were not
    #[arg(long, value_name = "SYMBOL", num_args = 1..)]
    pub not_useful: Vec<String>,
    /// Symbols whose votes are taken back, those of earlier sessions too
    #[arg(long, value_name = "SYMBOL", num_args = 1..)]
    pub clear: Vec<String>,
    /// A name for whose use this is; the last vote of a session on a symbol and task is the one that counts
    #[arg(long, value_name = "NAME")]
    pub session: Option<String>,
    /// How the result is printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

/// What can be done with the journal of everything that was taught.
#[derive(Debug, Subcommand)]
pub enum JournalAction {
    /// List what was taught: votes, use that was seen, and whether it stands
    List {
        /// How the result is printed
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
    #[command(flatten)]
    Step(Step),
    /// Print the entries that stand, as JSON lines
    Export,
    /// Add entries that were exported, as one act; those that are there already are left out
    Import {
        /// File to read; `-` is standard input
        file: PathBuf,
    },
}

/// Entries of one act that are told of one by one.
const MAX_LISTED: usize = 10;

/// Back and forth in the journal.
#[derive(Debug, Subcommand)]
pub enum Step {
    /// Take back what was voted, forgotten or imported last, or an entry, with all that was done together with it
    Undo {
        /// Number of an entry, as `knowing feedback list` shows it
        entry: Option<i64>,
    },
    /// Do again what was undone last, or an entry
    Redo {
        /// Number of an entry, as `knowing feedback list` shows it
        entry: Option<i64>,
    },
}

pub fn run(session: &Session, arguments: &FeedbackArguments) -> Result<Status, CliError> {
    let engine = session.indexed()?;
    let mut learner = engine.learner(arguments.session.as_deref())?;
    match &arguments.action {
        None => vote(session, &engine, &mut learner, arguments),
        Some(JournalAction::List { format }) => list(session, &learner, *format),
        Some(JournalAction::Step(way)) => step(session, &mut learner, way),
        Some(JournalAction::Export) => lines(&learner.export()?),
        Some(JournalAction::Import { file }) => {
            let acts = learner.import(&text(file)?)?;
            imported(session, &learner, &acts)
        }
    }
}

/// Lines on standard output.
///
/// # Errors
/// When it can't be written.
pub fn lines(lines: &[String]) -> Result<Status, CliError> {
    let mut out = stdout();
    lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
    out.flush()?;
    Ok(Status::for_count(lines.len()))
}

/// The text of a file, or with `-` of standard input.
///
/// # Errors
/// When it can't be read.
pub fn text(file: &Path) -> Result<String, CliError> {
    let failed = |error| CliError::Usage(format!("can't read {}: {error}", file.display()));
    if file != Path::new("-") {
        return fs::read_to_string(file).map_err(failed);
    }
    let mut text = String::new();
    std::io::stdin().lock().read_to_string(&mut text).map_err(failed)?;
    Ok(text)
}

/// Tells what was brought in.
///
/// # Errors
/// When the store can't be read.
pub fn imported(session: &Session, learner: &Learner, acts: &[Act]) -> Result<Status, CliError> {
    let Some(first) = acts.first() else {
        session.note("nothing was added: all of it is there already");
        return Ok(Status::NothingFound);
    };
    let expired = learner.expired()?;
    let of_act = |act: &Act| act.judgements.iter().map(|judgement| judgement.subject.clone()).collect::<Vec<_>>();
    let of_words = first.words.iter().map(|word| vec![word.subject.clone()]);
    let subjects: Vec<_> = if first.words.is_empty() { acts.iter().map(of_act).collect() } else { of_words.collect() };
    let what = if first.words.is_empty() { "entries" } else { "words" };
    session.note(&format!("{} {what} added; `knowing feedback undo {}` takes them back", subjects.len(), first.id));
    let idle = subjects.iter().filter(|subjects| subjects.iter().all(|subject| expired.contains(subject))).count();
    if idle > 0 {
        session.note(&format!("{idle} of them do not count at present: their files are not here as they were then"));
    }
    Ok(Status::Success)
}

/// Takes an entry back or does it again, or the last one.
///
/// # Errors
/// When the store can't be written.
pub fn step(session: &Session, learner: &mut Learner, step: &Step) -> Result<Status, CliError> {
    let (what, entry, acts) = match *step {
        Step::Undo { entry: None } => ("undone", None, learner.undo()?),
        Step::Redo { entry: None } => ("done again", None, learner.redo()?),
        Step::Undo { entry: Some(entry) } => ("undone", Some(entry), learner.set_undone_entry(entry, true)?),
        Step::Redo { entry: Some(entry) } => ("done again", Some(entry), learner.set_undone_entry(entry, false)?),
    };
    Ok(tell(session, what, entry, &acts))
}

fn tell(session: &Session, what: &str, entry: Option<i64>, acts: &[Act]) -> Status {
    for act in acts.iter().take(MAX_LISTED) {
        session.note(&format!("{what}: entry {}, {}", act.id, describe(act)));
    }
    match (acts.len().checked_sub(MAX_LISTED), entry) {
        (Some(more @ 1..), _) => session.note(&format!("{what}: {more} entries more")),
        (None, Some(entry)) if acts.is_empty() => {
            session.note(&format!("there is no entry {entry} to be {what}; `knowing feedback list` shows the entries"));
        }
        (None, None) if acts.is_empty() => {
            session.note(&format!("there is nothing to be {what}; `knowing feedback list` shows the entries"));
        }
        _ => (),
    }
    Status::for_count(acts.len())
}

/// An entry in words.
fn describe(act: &Act) -> String {
    let mut said: Vec<String> = act
        .judgements
        .iter()
        .map(|judgement| {
            let sign = match judgement.vote {
                Vote::Useful => '+',
                Vote::NotUseful => '-',
                Vote::Clear => '·',
            };
            format!("{sign}{}", judgement.subject.short_name())
        })
        .collect();
    said.extend(act.words.iter().map(|word| format!("{} -> {}", word.keyword, word.subject.short_name())));
    let of_task = if act.task.is_empty() { String::new() } else { format!(" for \"{}\"", act.task) };
    format!("{} {}{of_task}", act.kind.name(), said.join(" "))
}

/// What a vote did.
#[derive(Serialize)]
struct Voted {
    symbol: String,
    vote: &'static str,
    /// Places in the ranking, from 1.
    before: Option<usize>,
    after: Option<usize>,
}

fn vote(
    session: &Session,
    engine: &Engine,
    learner: &mut Learner,
    arguments: &FeedbackArguments,
) -> Result<Status, CliError> {
    let words = task::words(session, arguments.task.as_deref().unwrap_or_default())?;
    let options =
        [("--useful", &arguments.useful), ("--not-useful", &arguments.not_useful), ("--clear", &arguments.clear)];
    let ranker = engine.ranker()?;
    let mut votes: Vec<(Symbol, Vote)> = Vec::new();
    for ((option, names), vote) in options.into_iter().zip([Vote::Useful, Vote::NotUseful, Vote::Clear]) {
        for name in names {
            let Some(symbol) = symbol::named(session, ranker.reader(), option, name)? else {
                return Ok(Status::NothingFound);
            };
            if votes.iter().any(|(known, _)| known.id == symbol.id) {
                return Err(CliError::Usage(format!("`{name}` is named twice; one vote a symbol")));
            }
            votes.push((symbol, vote));
        }
    }
    if votes.is_empty() {
        return Err(CliError::Usage("say which symbols: --useful, --not-useful or --clear".to_owned()));
    }
    let before = places(&ranker, &words, &votes)?;
    let named: Vec<(&Symbol, Vote)> = votes.iter().map(|(symbol, vote)| (symbol, *vote)).collect();
    let act = learner.votes(&words, &named)?;
    let after = places(&ranker, &words, &votes)?;
    let voted = votes.iter().zip(before.into_iter().zip(after)).map(|((symbol, vote), (before, after))| Voted {
        symbol: symbol.short_name().to_owned(),
        vote: vote.name(),
        before,
        after,
    });
    let voted: Vec<Voted> = voted.collect();
    print(session, &voted, arguments.format)?;
    session.note(&format!("entry {}; `knowing feedback undo` takes it back", act.id));
    Ok(Status::Success)
}

/// Where the symbols stand in the task's ranking, from 1.
fn places(ranker: &Ranker, words: &str, votes: &[(Symbol, Vote)]) -> Result<Vec<Option<usize>>, CliError> {
    let ranking = ranker.rank(&Task::words(words), &|| false)?.unwrap_or_default();
    let place = |node: u32| Some(ranking.symbols.iter().position(|ranked| ranked.node == node)? + 1);
    Ok(votes.iter().map(|(symbol, _)| place(symbol.node)).collect())
}

fn print(session: &Session, voted: &[Voted], format: Format) -> Result<(), CliError> {
    let mut out = stdout();
    match format {
        Format::Json => out.write_all(json::list(voted.iter()).as_bytes())?,
        Format::Text => {
            let shown = |place: Option<usize>| place.map_or("-".to_owned(), |place| place.to_string());
            let mut table = Table::new(&[
                ("vote", Align::Left),
                ("symbol", Align::Left),
                ("before", Align::Right),
                ("after", Align::Right),
            ]);
            for Voted { symbol, vote, before, after } in voted {
                table.row([vote, symbol, &shown(*before), &shown(*after)]);
            }
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    Ok(out.flush()?)
}

/// A symbol of an entry.
#[derive(Serialize)]
struct Listed<'a> {
    entry: i64,
    act: &'static str,
    /// Seconds since 1970.
    at: i64,
    session: &'a str,
    task: &'a str,
    vote: &'static str,
    /// Of learned words: which one was brought in or forgotten.
    word: Option<&'a str>,
    symbol: &'a str,
    /// `counts`, `undone`, or `expired`: the symbol's package is not what it was.
    state: &'static str,
}

fn list(session: &Session, learner: &Learner, format: Format) -> Result<Status, CliError> {
    let acts = learner.acts()?;
    let expired = learner.expired()?;
    let mut listed = Vec::new();
    for act in &acts {
        let of_votes = act.judgements.iter().map(|judgement| (&judgement.subject, judgement.vote.name(), None));
        let of_words = act.words.iter().map(|word| (&word.subject, act.kind.name(), Some(word.keyword.as_str())));
        for (subject, vote, word) in of_votes.chain(of_words) {
            let state = match act.undone {
                true => "undone",
                // What is forgotten stays so.
                false if act.kind != ActKind::Forget && expired.contains(subject) => "expired",
                false => "counts",
            };
            listed.push(Listed {
                entry: act.id,
                act: act.kind.name(),
                at: act.at,
                session: &act.session,
                task: &act.task,
                vote,
                word,
                symbol: subject.short_name(),
                state,
            });
        }
    }
    let mut out = stdout();
    match format {
        Format::Json => out.write_all(json::list(listed.iter()).as_bytes())?,
        Format::Text if listed.is_empty() => session.note("nothing was taught yet"),
        Format::Text => {
            let left = |heading| (heading, Align::Left);
            let headings = ["act", "vote or word", "symbol", "task", "state"].map(left);
            let mut table = Table::new(&[&[("entry", Align::Right)], &headings[..]].concat());
            for line in &listed {
                let said = line.word.unwrap_or(line.vote);
                table.row([&line.entry.to_string(), line.act, said, line.symbol, line.task, line.state]);
            }
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    out.flush()?;
    Ok(Status::for_count(listed.len()))
}
