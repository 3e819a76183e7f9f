//! Reads the task from an argument or from standard input.

use std::io::Read;
use std::path::Path;

use super::exit::CliError;
use super::session::Session;
use crate::model::{Options, Task};
use crate::text::display::without_escapes;
use crate::workspace::{Member, Workspace};

/// Limit of a task read from standard input, in bytes.
const MAX_TASK_BYTES: u64 = 1 << 20;

const EMPTY: &str = "the task is empty; describe in a few words what you want to do, \
                     for example: knowing context \"sessions expire too early\"";

/// Returns the task's text. The argument `-` reads standard input, as `rg --color=always PATTERN | knowing context -` does:
/// it has no escape sequences.
///
/// # Errors
/// When it is empty or can't be read.
pub fn words(session: &Session, argument: &str) -> Result<String, CliError> {
    match argument {
        "-" => non_empty(&without_escapes(&from_standard_input(session)?), EMPTY),
        task => non_empty(&without_escapes(task), EMPTY),
    }
}

/// Returns the paths that are given to `--files`. An argument of several is split at commas, unless it is the name of a file;
/// `-` reads a list from standard input, with a path a line or NUL behind each.
///
/// # Errors
/// When a path is empty, there is none, or standard input can't be read.
pub fn files(session: &Session, arguments: &[String]) -> Result<Vec<String>, CliError> {
    let mut files = Vec::new();
    for argument in arguments {
        match argument.as_str() {
            "-" => {
                let text = from_standard_input(session)?;
                let mark = if text.contains('\0') { '\0' } else { '\n' };
                let lines = text.split(mark).map(|line| line.trim_end_matches('\r')).filter(|line| !line.is_empty());
                files.extend(lines.map(str::to_owned));
            }
            file if Path::new(file).exists() => files.push(file.to_owned()),
            list => {
                let paths: Result<Vec<String>, CliError> =
                    list.split(',').map(|path| non_empty(path, EMPTY_FILE)).collect();
                files.extend(paths?);
            }
        }
    }
    if files.is_empty() { Err(CliError::Usage("--files has no path".to_owned())) } else { Ok(files) }
}

const EMPTY_FILE: &str = "--files has an empty path; separate paths by single commas";

/// Returns `text` without surrounding whitespace.
///
/// # Errors
/// When nothing remains; `message` is the error.
pub fn non_empty(text: &str, message: &str) -> Result<String, CliError> {
    match text.trim() {
        "" => Err(CliError::Usage(message.to_owned())),
        text => Ok(text.to_owned()),
    }
}

/// Returns the ranking options for `--mute`.
pub fn options(mute: &[String]) -> Options {
    Options { muted_concepts: mute.iter().cloned().collect(), ..Options::default() }
}

/// Prints notes on unusable seeds, and checks that the names in `--mute` mute something.
///
/// # Errors
/// When a name is neither a concept nor a layer nor a seed file, or the store can't be read.
pub fn check_vocabulary(session: &Session, workspace: &Workspace, task: &Task) -> Result<(), CliError> {
    let rankers = workspace.members().iter().filter_map(Member::ranker);
    session.note_seeds(rankers.map(|ranker| ranker.vocabulary()));
    match workspace.unknown_mute(task)? {
        Some(unknown) => Err(CliError::Usage(unknown.to_string())),
        None => Ok(()),
    }
}

pub(super) fn from_standard_input(session: &Session) -> Result<String, CliError> {
    let failed = |error| CliError::Usage(format!("can't read standard input: {error}"));
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(MAX_TASK_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_TASK_BYTES {
        bytes.truncate(MAX_TASK_BYTES as usize);
        session.note(&format!("standard input truncated to its first {MAX_TASK_BYTES} bytes"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
