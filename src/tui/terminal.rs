//! Takes the terminal and gives it back as it was, whatever happens.

use std::io::{self, Write};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture};
use ratatui::crossterm::style::ResetColor;
use ratatui::crossterm::terminal::{
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{execute, queue};
use rustix::termios::{QueueSelector, tcflush};

use super::screen::Screen;

/// True while the terminal is ours.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// True while mouse reports are switched on.
static MOUSE: AtomicBool = AtomicBool::new(false);

/// Holds the terminal; gives it back when dropped.
pub struct Guard {
    /// Whether mouse reports are wanted while the terminal is ours.
    mouse: bool,
}

impl Guard {
    /// Takes the terminal: raw mode, alternate screen, bracketed paste and, when wanted, the mouse.
    pub fn take(mouse: bool) -> io::Result<Guard> {
        let guard = Guard { mouse };
        guard.enter()?;
        Ok(guard)
    }

    /// Takes the terminal again after it was given back.
    pub fn enter(&self) -> io::Result<()> {
        TAKEN.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        let mut out = Screen;
        queue!(out, EnterAlternateScreen, EnableBracketedPaste, Hide)?;
        if self.mouse {
            MOUSE.store(true, Ordering::SeqCst);
            queue!(out, EnableMouseCapture)?;
        }
        out.flush()
    }

    /// Switches the mouse's reports on or off, now and whenever the terminal is taken again.
    pub fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        match (on, MOUSE.swap(on, Ordering::SeqCst)) {
            (true, false) => execute!(Screen, EnableMouseCapture),
            (false, true) => execute!(Screen, DisableMouseCapture),
            _ => Ok(()),
        }
    }

    /// Gives the terminal back for a while.
    pub fn leave(&self) -> io::Result<()> {
        give_back()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // Nobody is left to tell; a terminal that is gone needs no restoring.
        let _gone = give_back();
    }
}

/// True while the terminal is ours, and not an editor's or the shell's.
pub fn is_taken() -> bool {
    TAKEN.load(Ordering::SeqCst)
}

/// Restores the terminal if it is ours; safe to call twice and from anywhere.
pub fn give_back() -> io::Result<()> {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return Ok(());
    }
    let mut out = Screen;
    if MOUSE.swap(false, Ordering::SeqCst) {
        execute!(out, DisableMouseCapture)?;
        // Reports of the mouse that are still on their way must not land in the shell. To read them instead could wait for
        // the rest of one for ever. A terminal that can't be flushed is left as it is.
        let _unflushed = tcflush(io::stdin(), QueueSelector::IFlush);
    }
    let written = execute!(out, EndSynchronizedUpdate, DisableBracketedPaste, ResetColor, LeaveAlternateScreen, Show);
    disable_raw_mode()?;
    written
}

/// Restores the terminal before a panic of this thread is printed. Panics of workers are caught where they happen
/// and shown in the status line, so they print nothing while the terminal is ours.
pub fn restore_on_panic() {
    let screen_thread = thread::current().id();
    let previous = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == screen_thread {
            let _gone = give_back();
        }
        if !is_taken() {
            previous(info);
        }
    }));
}
