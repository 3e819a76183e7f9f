//! The import of votes and learned terms: from exported lines, or from another database after a question.

use std::fs;
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use super::consent::is_agreed;
use super::exit::{CliError, Status};
use super::feedback::{MAX_LISTED, describe};
use super::session::Session;
use crate::engine::{FeedbackEvent, FeedbackRecorder};
use crate::text::display::thousands;

/// Shows the entries of a database that the journal does not have, and imports them if the user agrees.
///
/// # Errors
/// When it is not a database of this version, the user can't be asked, or the journal can't be written.
pub fn import_database(session: &Session, recorder: &mut FeedbackRecorder, file: &Path) -> Result<Status, CliError> {
    let events = recorder.events_of_database(file)?;
    let count = match events.len() {
        0 => return note_imported(session, recorder, &events),
        1 => "1 entry".to_owned(),
        count => format!("{} entries", thousands(count)),
    };
    session.note(&format!("{} has {count} to import:", file.display()));
    events.iter().take(MAX_LISTED).for_each(|event| session.note(&describe(event)));
    if events.len() > MAX_LISTED {
        session.note(&format!("and {} more", thousands(events.len() - MAX_LISTED)));
    }
    if !session.yes {
        if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
            return Err(CliError::Usage("nothing was imported; to import these entries, add --yes".to_owned()));
        }
        let question = "Import them? They count as yours. [y/N] ";
        if !is_agreed(question).map_err(|error| CliError::Unusable(error.into()))? {
            session.note("nothing was imported");
            return Ok(Status::NothingFound);
        }
    }
    let events = recorder.import_events(events)?;
    note_imported(session, recorder, &events)
}

/// Reads the lines of an export from a file, or from standard input for `-`.
///
/// # Errors
/// When it can't be read, is no regular file, which could have no end, or has no lines.
pub fn read_input(file: &Path) -> Result<String, CliError> {
    let failed = |error: io::Error| CliError::Usage(format!("can't read {}: {error}", file.display()));
    let mut text = String::new();
    if file == Path::new("-") {
        io::stdin().lock().read_to_string(&mut text).map_err(failed)?;
    } else if fs::metadata(file).map_err(failed)?.is_file() {
        text = fs::read_to_string(file).map_err(failed)?;
    } else {
        let problem = "is not a regular file; with `-` instead, standard input is read";
        return Err(CliError::Usage(format!("{} {problem}", file.display())));
    }
    if text.trim().is_empty() {
        return Err(CliError::Usage(format!("{} has no lines to import", file.display())));
    }
    Ok(text)
}

/// Prints the numbers of imported and of expired entries or terms.
///
/// # Errors
/// When the store can't be read.
pub fn note_imported(
    session: &Session,
    recorder: &FeedbackRecorder,
    events: &[FeedbackEvent],
) -> Result<Status, CliError> {
    let Some(first) = events.first() else {
        session.note("nothing imported: everything is known already");
        return Ok(Status::NothingFound);
    };
    let expired = recorder.expired()?;
    let voted =
        |event: &FeedbackEvent| event.votes.iter().map(|symbol_vote| symbol_vote.subject.clone()).collect::<Vec<_>>();
    let of_terms = first.terms.iter().map(|term| vec![term.subject.clone()]);
    let subjects: Vec<_> = if first.terms.is_empty() { events.iter().map(voted).collect() } else { of_terms.collect() };
    let noun = match (first.terms.is_empty(), subjects.len()) {
        (true, 1) => "entry",
        (true, _) => "entries",
        (false, 1) => "term",
        (false, _) => "terms",
    };
    session.note(&format!("imported {} {noun}; `knowing feedback undo {}` reverts this", subjects.len(), first.id));
    let count = subjects.iter().filter(|subjects| subjects.iter().all(|subject| expired.contains(subject))).count();
    if count > 0 {
        session.note(&format!("{count} of them expired: their files have changed or are missing"));
    }
    Ok(Status::Success)
}
