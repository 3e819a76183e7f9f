//! Clipboards. The route depends on the session, not on which tool succeeds.
//!
//! On a remote machine a clipboard tool can succeed, but it sets the clipboard of the wrong machine. Over SSH the text
//! therefore goes to the terminal (OSC 52), inside tmux to tmux, and only a session with its own display uses the
//! clipboard of the system. Terminals do not acknowledge OSC 52, so whether the text arrived is unknown.

use std::io;
use std::io::Write;
use std::process::{Command, ExitStatus, Stdio};

use arboard::Clipboard;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use thiserror::Error;

/// A route to the clipboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// The clipboard of this machine's desktop.
    System,
    /// `tmux load-buffer -w`: tmux's buffer, which tmux forwards to the terminal around it.
    Tmux,
    /// An escape sequence to the terminal.
    Osc52,
}

/// Returns the route for the session that the environment describes.
pub fn detect_route(lookup: &dyn Fn(&str) -> Option<String>) -> Route {
    let is_set = |name: &str| lookup(name).is_some_and(|value| !value.is_empty());
    let has_display = cfg!(any(target_os = "macos", windows)) || is_set("DISPLAY");
    if is_set("TMUX") {
        Route::Tmux
    } else if is_set("SSH_CONNECTION") || is_set("SSH_TTY") || is_set("SSH_CLIENT") || !has_display {
        Route::Osc52
    } else {
        Route::System
    }
}

impl Route {
    /// Returns the name of the route, as shown to the user.
    pub fn name(self) -> &'static str {
        match self {
            Route::System => "clipboard",
            Route::Tmux => "clipboard (tmux)",
            Route::Osc52 => "clipboard (OSC 52)",
        }
    }

    /// Returns the limit in bytes, if there is one: many terminals silently drop longer sequences.
    pub fn max_bytes(self) -> Option<usize> {
        matches!(self, Route::Osc52 | Route::Tmux).then_some(MAX_BYTES)
    }

    /// Returns the message after a copy. OSC 52 is not acknowledged, so it says `sent`.
    pub fn copied_message(self, what: &str, bytes: usize) -> String {
        let size = format_size(bytes);
        match self {
            Route::System => format!("copied {what} ({size})"),
            Route::Tmux => format!("copied {what} ({size}, tmux)"),
            Route::Osc52 => format!("sent {what} ({size}) to the terminal's clipboard"),
        }
    }
}

/// Formats a size in decimal units.
pub fn format_size(bytes: usize) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// Replaces control characters, which a terminal would interpret when the text is pasted, by visible ones; newlines and
/// tabs stay.
pub fn sanitize(text: &str) -> String {
    let line = |line: &str| {
        let cells: Vec<_> = line.split('\t').map(crate::text::display::safe).collect();
        cells.join("\t")
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Maximum number of text bytes in one sequence: xterm accepts 100,000 bytes, and base64 makes the text a third longer.
pub const MAX_BYTES: usize = 74_994;

/// Returns the sequence that sets the clipboard selection. The text is base64, so it cannot end the sequence early.
pub fn sequence(text: &str) -> String {
    format!("\u{1b}]52;c;{}\u{7}", STANDARD.encode(text))
}

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

    fn route_with(names: &[&str]) -> Route {
        detect_route(&|name| names.contains(&name).then(|| "x".to_string()))
    }

    #[test]
    fn session_determines_route() {
        assert_eq!(route_with(&["DISPLAY", "SSH_CONNECTION"]), Route::Osc52);
        assert_eq!(route_with(&["TMUX", "SSH_TTY"]), Route::Tmux);
        #[cfg(target_os = "linux")]
        {
            assert_eq!(route_with(&["DISPLAY"]), Route::System);
            assert_eq!(route_with(&[]), Route::Osc52);
        }
    }

    #[test]
    fn message_claims_no_copy_without_acknowledgement() {
        assert_eq!(Route::System.copied_message("the pack", 12_345), "copied the pack (12.3 kB)");
        assert_eq!(Route::Tmux.copied_message("a.rs:1", 6), "copied a.rs:1 (6 B, tmux)");
        assert!(Route::Osc52.copied_message("the pack", 5).starts_with("sent the pack (5 B)"));
        assert!(Route::System.max_bytes().is_none() && Route::Osc52.max_bytes().is_some());
    }

    #[test]
    fn control_characters_are_not_copied() {
        assert_eq!(sanitize("a\tb\n\u{1b}[31mred\r\n"), "a\tb\n␛[31mred␍\n");
    }

    #[test]
    fn text_is_encoded_without_control_characters() {
        let sequence = sequence("h\u{1b}i \u{7}漢");
        let inside = sequence.strip_prefix("\u{1b}]52;c;").unwrap().strip_suffix('\u{7}').unwrap();
        assert_eq!(STANDARD.decode(inside).unwrap(), "h\u{1b}i \u{7}漢".as_bytes());
        assert!(!inside.contains(char::is_control));
    }

    #[test]
    fn longest_sequence_fits_xterm() {
        assert!(super::sequence(&"x".repeat(MAX_BYTES)).len() <= 100_000);
    }

    #[test]
    fn pipe_reports_failure_of_program() {
        assert!(pipe("cat", &[], "text").is_ok());
        assert!(pipe("false", &[], "").unwrap_err().to_string().contains("false failed: exit status: 1"));
        assert!(pipe("no-such-program-here", &[], "").unwrap_err().to_string().contains("cannot run"));
    }
}
