//! Sets up the terminal and restores it, also after panics and signals.

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

/// Whether the terminal is set up for the explorer.
static ACTIVE: AtomicBool = AtomicBool::new(false);
/// Whether mouse capture is enabled.
static MOUSE: AtomicBool = AtomicBool::new(false);

/// Restores the terminal when dropped.
pub struct TerminalGuard {
    /// Whether to capture the mouse while the terminal is active.
    mouse: bool,
}

impl TerminalGuard {
    /// Sets up the terminal: raw mode, alternate screen, bracketed paste and, if `mouse`, mouse capture.
    ///
    /// # Errors
    /// When the terminal cannot be written or configured; so for all methods.
    pub fn new(mouse: bool) -> io::Result<TerminalGuard> {
        let guard = TerminalGuard { mouse };
        guard.enter()?;
        Ok(guard)
    }

    /// Sets up the terminal again after [`Self::leave`].
    pub fn enter(&self) -> io::Result<()> {
        ACTIVE.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        let mut out = Screen;
        queue!(out, EnterAlternateScreen, EnableBracketedPaste, Hide)?;
        if self.mouse {
            MOUSE.store(true, Ordering::SeqCst);
            queue!(out, EnableMouseCapture)?;
        }
        out.flush()
    }

    /// Enables or disables mouse capture, now and after each [`Self::enter`].
    pub fn set_mouse(&mut self, on: bool) -> io::Result<()> {
        self.mouse = on;
        match (on, MOUSE.swap(on, Ordering::SeqCst)) {
            (true, false) => execute!(Screen, EnableMouseCapture),
            (false, true) => execute!(Screen, DisableMouseCapture),
            _ => Ok(()),
        }
    }

    /// Restores the terminal for another program.
    pub fn leave(&self) -> io::Result<()> {
        restore()
    }
}

impl Drop for TerminalGuard {
    fn drop(&mut self) {
        // A lost terminal needs no restoring.
        let _lost = restore();
    }
}

/// Returns whether the terminal is set up for the explorer, and not left to an editor or the shell.
pub fn is_active() -> bool {
    ACTIVE.load(Ordering::SeqCst)
}

/// Restores the terminal if it is active. May be called repeatedly and from any thread.
///
/// # Errors
/// When the terminal cannot be written or configured.
pub fn restore() -> io::Result<()> {
    if !ACTIVE.swap(false, Ordering::SeqCst) {
        return Ok(());
    }
    let mut out = Screen;
    if MOUSE.swap(false, Ordering::SeqCst) {
        execute!(out, DisableMouseCapture)?;
        // Pending mouse reports must not reach the shell. Reading them instead could block on an incomplete one.
        let _unflushed = tcflush(io::stdin(), QueueSelector::IFlush);
    }
    let written = execute!(out, EndSynchronizedUpdate, DisableBracketedPaste, ResetColor, LeaveAlternateScreen, Show);
    disable_raw_mode()?;
    written
}

/// Installs a panic hook that restores the terminal before a panic of this thread is printed. Panics of workers are
/// caught and shown in the status line, so the hook does not print them while the terminal is active.
pub fn restore_on_panic() {
    let main_thread = thread::current().id();
    let previous = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if thread::current().id() == main_thread {
            let _lost = restore();
        }
        if !is_active() {
            previous(info);
        }
    }));
}
