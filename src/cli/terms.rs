//! `knowing feedback terms`: lists, forgets, exports and imports the terms learned from feedback.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::Format;
use super::exit::{CliError, Status};
use super::feedback::print_lines;
use super::feedback_import::{note_imported, read_input};
use super::output::{Align, Table};
use super::session::Session;
use crate::engine::FeedbackRecorder;
use crate::render::json;

/// Manage the terms learned from feedback [default: list]
///
/// A term of a task and a symbol that was useful for it are one observation. From the second observation on the term is
/// an alias of the symbol in every task, as long as the symbol's file (in Go: its folder) is unchanged.
#[derive(Debug, Args)]
pub struct TermsArguments {
    #[command(subcommand)]
    pub action: Option<TermsAction>,
}

/// Subcommands of `feedback terms`.
#[derive(Debug, Subcommand)]
pub enum TermsAction {
    /// List the learned terms, including those with too few observations and expired ones
    List {
        /// Output format
        #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
        format: Format,
    },
    /// Forget a term
    Forget {
        /// The term, in any inflected form
        term: String,
        /// Forget it for this symbol only
        #[arg(long, value_name = "SYMBOL")]
        symbol: Option<String>,
    },
    /// Print the active terms as JSON lines
    Export,
    /// Import exported terms as one journal entry; known ones are skipped
    Import {
        /// File to read; `-` reads standard input
        file: PathBuf,
    },
}

/// Lists, forgets, exports or imports terms.
///
/// # Errors
/// When several repositories are named for a change, or an index or the journal can't be used.
pub fn run(session: &Session, arguments: &TermsArguments) -> Result<Status, CliError> {
    match &arguments.action {
        None => list_each(session, Format::default()),
        Some(TermsAction::List { format }) => list_each(session, *format),
        Some(TermsAction::Forget { term, symbol }) => {
            let count = recorder(session)?.forget_term(term, symbol.as_deref())?;
            session.note(&match count {
                0 => format!("`{term}` is not a learned term; `knowing feedback terms` lists them"),
                1 => format!("forgot `{term}` for 1 symbol; `knowing feedback undo` reverts this"),
                count => format!("forgot `{term}` for {count} symbols; `knowing feedback undo` reverts this"),
            });
            Ok(Status::for_count(count))
        }
        Some(TermsAction::Export) => print_lines(&recorder(session)?.export_terms()?),
        Some(TermsAction::Import { file }) => {
            let mut recorder = recorder(session)?;
            let events = recorder.import_terms(&read_input(file)?)?;
            note_imported(session, &recorder, &events)
        }
    }
}

/// Opens the journal of a single repository, with an up-to-date index.
fn recorder(session: &Session) -> Result<FeedbackRecorder, CliError> {
    Ok(session.refreshed(session.engine(None)?)?.feedback_recorder(None)?)
}

/// Lists the terms of each repository.
fn list_each(session: &Session, format: Format) -> Result<Status, CliError> {
    let workspace = session.indexed()?;
    let statuses = session.each(&workspace, format, |member, out| {
        list(session, &member.engine().feedback_recorder(None)?, format, out)
    })?;
    Ok(Status::any(&statuses))
}

fn list(
    session: &Session,
    recorder: &FeedbackRecorder,
    format: Format,
    mut out: &mut dyn Write,
) -> Result<Status, CliError> {
    let terms = recorder.terms()?;
    match format {
        Format::Json => out.write_all(json::list(terms.iter()).as_bytes())?,
        Format::Text if terms.is_empty() => session.note("no terms learned"),
        Format::Text => {
            let right = |heading| (heading, Align::Right);
            let [term, symbol] = ["term", "symbol"].map(|heading| (heading, Align::Left));
            let headings = [term, symbol, right("observations"), right("weight"), right("expired")];
            let mut table = Table::new(&headings);
            for term in &terms {
                let [observations, expired] = [term.observations, term.expired].map(|count| count.to_string());
                let weight = format!("{:.2}", term.weight);
                table.row([&term.keyword, &term.symbol, &observations, &weight, &expired]);
            }
            table.write(&mut out, session.colors.stdout)?;
        }
    }
    Ok(Status::for_count(terms.len()))
}
