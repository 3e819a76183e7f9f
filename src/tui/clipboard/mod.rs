//! How text gets to the user's clipboard: the way is chosen by the session, never by which tool happens to succeed.
//!
//! # Why
//! On a remote machine a local clipboard tool succeeds and copies to where nobody sits. So over SSH the terminal is
//! asked (OSC 52), inside tmux tmux is, and only a session with a screen of its own uses the system's clipboard. A
//! terminal never answers OSC 52: what went that way was sent, and nobody knows more.

mod osc52;
mod errands;

pub use errands::{Errand, Errands};
pub use osc52::sequence;

/// The way to the clipboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// The clipboard of this machine's desktop.
    System,
    /// `tmux load-buffer -w`: into tmux's own buffer, which it offers to the terminal around it.
    Tmux,
    /// An escape sequence that asks the terminal.
    Osc52,
}

/// The way that fits the session this environment describes.
pub fn route(lookup: &dyn Fn(&str) -> Option<String>) -> Route {
    let is_set = |name: &str| lookup(name).is_some_and(|value| !value.is_empty());
    let has_screen = cfg!(any(target_os = "macos", windows)) || is_set("DISPLAY");
    if is_set("TMUX") {
        Route::Tmux
    } else if is_set("SSH_CONNECTION") || is_set("SSH_TTY") || is_set("SSH_CLIENT") || !has_screen {
        Route::Osc52
    } else {
        Route::System
    }
}

impl Route {
    /// Its name for the user.
    pub fn name(self) -> &'static str {
        match self {
            Route::System => "clipboard",
            Route::Tmux => "clipboard (tmux)",
            Route::Osc52 => "clipboard (OSC 52)",
        }
    }

    /// The most bytes that are known to arrive: many terminals drop a longer sequence without a word.
    pub fn limit(self) -> Option<usize> {
        matches!(self, Route::Osc52 | Route::Tmux).then_some(osc52::LIMIT)
    }

    /// What is true once the text is gone that way.
    pub fn told(self, what: &str, bytes: usize) -> String {
        let size = size(bytes);
        match self {
            Route::System => format!("copied {what} ({size})"),
            Route::Tmux => format!("{what} ({size}) is in tmux's buffer, which offers it to your terminal"),
            Route::Osc52 => format!("sent {what} ({size}) to your terminal, which does not say whether it copied"),
        }
    }
}

/// The size as people read it.
pub fn size(bytes: usize) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        _ => format!("{:.1} MB", bytes as f64 / 1e6),
    }
}

/// Text from a repository for a clipboard: lines and tabs stay, every other character that a terminal might obey when
/// it is pasted becomes its picture.
pub fn clean(text: &str) -> String {
    let line = |line: &str| {
        let cells: Vec<_> = line.split('\t').map(crate::text::display::safe).collect();
        cells.join("\t")
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(names: &[&str]) -> Route {
        route(&|name| names.contains(&name).then(|| "x".to_string()))
    }

    #[test]
    fn the_session_chooses_the_way() {
        assert_eq!(of(&["DISPLAY", "SSH_CONNECTION"]), Route::Osc52);
        assert_eq!(of(&["TMUX", "SSH_TTY"]), Route::Tmux);
        #[cfg(target_os = "linux")]
        {
            assert_eq!(of(&["DISPLAY"]), Route::System);
            assert_eq!(of(&[]), Route::Osc52);
        }
    }

    #[test]
    fn only_what_is_known_is_said() {
        assert_eq!(Route::System.told("the pack", 12_345), "copied the pack (12.3 kB)");
        assert!(Route::Osc52.told("the pack", 5).starts_with("sent the pack (5 B) to your terminal"));
        assert!(Route::System.limit().is_none() && Route::Osc52.limit().is_some());
    }

    #[test]
    fn nothing_that_steers_a_terminal_is_copied() {
        assert_eq!(clean("a\tb\n\u{1b}[31mred\r\n"), "a\tb\n␛[31mred␍\n");
    }
}
