//! Sets up the terminal and restores it, also after panics and signals.

use std::io::{self, Write};
use std::panic;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use ratatui::crossterm::cursor::{Hide, Show};
use ratatui::crossterm::event::{
    DisableBracketedPaste, DisableMouseCapture, EnableBracketedPaste, EnableMouseCapture, KeyboardEnhancementFlags,
    PopKeyboardEnhancementFlags, PushKeyboardEnhancementFlags,
};
use ratatui::crossterm::style::ResetColor;
use ratatui::crossterm::terminal::{
    EndSynchronizedUpdate, EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::crossterm::{execute, queue};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{QueueSelector, tcflush};

use super::screen::Screen;

/// Whether the terminal is set up for the explorer.
static ACTIVE: AtomicBool = AtomicBool::new(false);
/// Whether mouse capture is enabled.
static MOUSE: AtomicBool = AtomicBool::new(false);

/// Whether the terminal reports changes of its background.
static BACKGROUND: AtomicBool = AtomicBool::new(false);
/// The time of the last query of the background.
static ASKED: Mutex<Option<Instant>> = Mutex::new(None);

/// Asks for changes of the color scheme (DEC mode 2031) and for the background color (OSC 11).
const ASK_BACKGROUND: &str = "\x1b[?2031h\x1b]11;?\x1b\\";
const IGNORE_BACKGROUND: &str = "\x1b[?2031l";
/// The reply to a query that is younger may still be on its way when the explorer ends.
const REPLY_AGE: Duration = Duration::from_secs(1);
/// Time to wait for that reply, which would otherwise be typed into the shell.
const REPLY_WAIT: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
/// Whether the keyboard flags of kitty's protocol are set.
static KEYBOARD: AtomicBool = AtomicBool::new(false);

/// Restores the terminal when dropped.
pub struct TerminalGuard {
    /// Whether to capture the mouse while the terminal is active.
    mouse: bool,
    /// Whether to ask for reports of the background while the terminal is active.
    background: bool,
    /// Whether the terminal has kitty's keyboard protocol.
    keyboard: bool,
}

/// Returns whether the environment names a terminal with kitty's keyboard protocol. The terminal is not asked: its
/// answer may be slow or never come. Terminals without the protocol, and multiplexers, are not named here.
pub fn has_keyboard_protocol(lookup: &dyn Fn(&str) -> Option<String>) -> bool {
    let value = |name| lookup(name).unwrap_or_default();
    let is_multiplexed = ["TMUX", "STY", "ZELLIJ"].iter().any(|name| !value(name).is_empty());
    let terms = ["xterm-kitty", "foot", "foot-extra", "xterm-ghostty", "alacritty", "rio", "contour"];
    let programs = ["ghostty", "iTerm.app", "rio", "contour"];
    !is_multiplexed && (terms.contains(&value("TERM").as_str()) || programs.contains(&value("TERM_PROGRAM").as_str()))
}

impl TerminalGuard {
    /// Sets up the terminal: raw mode, alternate screen, bracketed paste and, if `mouse`, mouse capture; if `keyboard`,
    /// keys are unambiguous, such as `Esc` without a delay.
    ///
    /// # Errors
    /// When the terminal cannot be written or configured; so for all methods.
    pub fn new(mouse: bool, keyboard: bool) -> io::Result<TerminalGuard> {
        let guard = TerminalGuard { mouse, keyboard, background: false };
        guard.enter()?;
        Ok(guard)
    }

    /// Sets up the terminal again after [`Self::leave`].
    pub fn enter(&self) -> io::Result<()> {
        ACTIVE.store(true, Ordering::SeqCst);
        enable_raw_mode()?;
        let mut out = Screen;
        queue!(out, EnterAlternateScreen, EnableBracketedPaste, Hide)?;
        if self.keyboard {
            // On the alternate screen, which has flags of its own. A process that continues after a stop sets up the
            // terminal again without having restored it; flags that are pushed twice would outlive the explorer.
            if KEYBOARD.swap(true, Ordering::SeqCst) {
                queue!(out, PopKeyboardEnhancementFlags)?;
            }
            queue!(out, PushKeyboardEnhancementFlags(KeyboardEnhancementFlags::DISAMBIGUATE_ESCAPE_CODES))?;
        }
        if self.mouse {
            MOUSE.store(true, Ordering::SeqCst);
            queue!(out, EnableMouseCapture)?;
        }
        if self.background {
            ask_background(&mut out)?;
        }
        out.flush()
    }

    /// Asks for reports of the background, now and after each [`Self::enter`], or stops them. The replies are input.
    pub fn set_background_reports(&mut self, on: bool) -> io::Result<()> {
        self.background = on;
        match (on, BACKGROUND.load(Ordering::SeqCst)) {
            (true, false) => ask_background(&mut Screen)?,
            (false, true) => {
                BACKGROUND.store(false, Ordering::SeqCst);
                Screen.write_all(IGNORE_BACKGROUND.as_bytes())?;
            }
            _ => {}
        }
        Screen.flush()
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

fn ask_background(out: &mut Screen) -> io::Result<()> {
    BACKGROUND.store(true, Ordering::SeqCst);
    *ASKED.lock() = Some(Instant::now());
    out.write_all(ASK_BACKGROUND.as_bytes())
}

/// Stops the reports of the background, and drops a reply that is still on its way.
fn ignore_background(out: &mut Screen) -> io::Result<()> {
    out.write_all(IGNORE_BACKGROUND.as_bytes())?;
    out.flush()?;
    let asked = ASKED.lock().take();
    if asked.is_some_and(|asked| asked.elapsed() < REPLY_AGE) {
        let stdin = io::stdin();
        // Without a reply there is nothing to drop.
        let _silent = poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&REPLY_WAIT));
    }
    let _unflushed = tcflush(io::stdin(), QueueSelector::IFlush);
    Ok(())
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
    if BACKGROUND.swap(false, Ordering::SeqCst) {
        ignore_background(&mut out)?;
    }
    if MOUSE.swap(false, Ordering::SeqCst) {
        execute!(out, DisableMouseCapture)?;
        // Pending mouse reports must not reach the shell. Reading them instead could block on an incomplete one.
        let _unflushed = tcflush(io::stdin(), QueueSelector::IFlush);
    }
    if KEYBOARD.swap(false, Ordering::SeqCst) {
        execute!(out, PopKeyboardEnhancementFlags)?;
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

#[cfg(test)]
mod tests {
    use super::has_keyboard_protocol;

    #[test]
    fn the_protocol_is_used_where_the_environment_names_it() {
        let has = |pairs: &[(&str, &str)]| {
            let lookup = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
            has_keyboard_protocol(&lookup)
        };
        assert!(has(&[("TERM", "xterm-kitty")]) && has(&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "ghostty")]));
        assert!(!has(&[("TERM", "xterm-256color")]) && !has(&[]));
        assert!(!has(&[("TERM", "xterm-kitty"), ("TMUX", "/tmp/tmux-0/default,1,0")]), "tmux is between");
    }
}
