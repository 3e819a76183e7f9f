//! The clipboard of the desktop, and that of tmux.

use std::io::{self, Write};
use std::process::{Command, ExitStatus, Stdio};

use arboard::Clipboard;
use thiserror::Error;

/// An error of a copy to a clipboard.
#[derive(Debug, Error)]
pub enum CopyError {
    #[error("cannot use the clipboard: {0}")]
    Clipboard(#[from] arboard::Error),
    #[error("cannot run {program}: {error}")]
    Run { program: String, error: io::Error },
    #[error("cannot write to {program}: {error}")]
    Write { program: String, error: io::Error },
    #[error("{program} failed: {status}")]
    Failed { program: String, status: ExitStatus },
}

/// The connection to the clipboard, opened at the first copy. On X11 the contents of a clipboard live as long as their
/// owner, so it must be kept.
#[derive(Default)]
pub struct SystemClipboard {
    clipboard: Option<Clipboard>,
}

impl SystemClipboard {
    /// Copies a text to the clipboard of the desktop.
    ///
    /// # Errors
    /// When there is no display; the next copy connects again.
    pub fn copy(&mut self, text: String) -> Result<(), CopyError> {
        let clipboard = match &mut self.clipboard {
            Some(clipboard) => clipboard,
            empty => empty.insert(Clipboard::new()?),
        };
        let copied = clipboard.set_text(text);
        if copied.is_err() {
            self.clipboard = None;
        }
        Ok(copied?)
    }
}

/// Copies a text to tmux's buffer and the clipboard of the terminal around it.
///
/// # Errors
/// When tmux cannot be run or fails.
pub fn copy_to_tmux(text: &str) -> Result<(), CopyError> {
    pipe("tmux", &["load-buffer", "-w", "-"], text)
}

fn pipe(program: &str, arguments: &[&str], text: &str) -> Result<(), CopyError> {
    let run_error = |error| CopyError::Run { program: program.to_owned(), error };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(run_error)?;
    let written = child.stdin.take().map_or(Ok(()), |mut input| input.write_all(text.as_bytes()));
    let status = child.wait().map_err(run_error)?;
    match (status.success(), written) {
        (true, Ok(())) => Ok(()),
        (true, Err(error)) => Err(CopyError::Write { program: program.to_owned(), error }),
        (false, _) => Err(CopyError::Failed { program: program.to_owned(), status }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipe_reports_failure_of_program() {
        assert!(pipe("cat", &[], "text").is_ok());
        assert!(pipe("false", &[], "").unwrap_err().to_string().contains("false failed: exit status: 1"));
        assert!(pipe("no-such-program-here", &[], "").unwrap_err().to_string().contains("cannot run"));
    }
}
