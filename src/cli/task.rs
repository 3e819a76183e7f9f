//! The task as the command line gives it: in an argument, or on standard input.

use std::io::Read;

use super::failure::Failure;
use super::session::Session;
use crate::engine::concepts::{Layer, Vocabulary};
use crate::model::{Options, Preset};

/// Longest task that is read from standard input, in bytes; far more than words that tell anything.
const LONGEST_TASK: u64 = 1 << 20;

const EMPTY: &str = "the task is empty; say in a few words what you want to do, \
                     for example: knowing context --task \"sessions expire too early\"";

/// The task in words; `-` stands for standard input.
///
/// # Errors
/// When it is empty or can't be read.
pub fn words(session: &Session, argument: &str) -> Result<String, Failure> {
    match argument {
        "-" => said(&from_standard_input(session)?, EMPTY),
        task => said(task, EMPTY),
    }
}

/// `text` without blanks around it.
///
/// # Errors
/// When nothing is left, with `otherwise` as the message.
pub fn said(text: &str, otherwise: &str) -> Result<String, Failure> {
    match text.trim() {
        "" => Err(Failure::Usage(otherwise.to_owned())),
        text => Ok(text.to_owned()),
    }
}

/// How a ranking is to be made, as `--preset` and `--mute` have it.
pub fn options(preset: Preset, mute: &[String]) -> Options {
    Options { preset, muted_classes: mute.iter().cloned().collect(), ..Options::default() }
}

/// Tells of what is wrong with the seeds, and of names to be muted that no class of a file bears: such a name may be that of
/// a class made for the task, or a mistake.
pub fn note_vocabulary(session: &Session, vocabulary: &Vocabulary, mute: &[String]) {
    session.note_seeds(vocabulary);
    let is_known = |name: &str| {
        Layer::ALL.iter().any(|layer| layer.name() == name)
            || vocabulary.concepts().iter().any(|class| class.names().contains(&name))
    };
    for name in mute.iter().filter(|name| !is_known(name)) {
        session.note(&format!("no class, layer or seed file is called `{name}`; `knowing seeds list` shows them"));
    }
}

fn from_standard_input(session: &Session) -> Result<String, Failure> {
    let failed = |error| Failure::Usage(format!("the task can't be read from standard input: {error}"));
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(LONGEST_TASK + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > LONGEST_TASK {
        bytes.truncate(LONGEST_TASK as usize);
        session.note(&format!("only the first {LONGEST_TASK} bytes of the task were read"));
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
