//! The output of the explorer: standard output, or the controlling terminal if standard output is redirected, as in
//! `x=$(knowing)` and `knowing | less`. In that case only the exported pack is written to standard output.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write, stdin, stdout};
use std::process::Stdio;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::layout::Size;

/// The controlling terminal, opened if standard output is not a terminal.
static TERMINAL: OnceLock<Option<File>> = OnceLock::new();

/// Whether the explorer ends, so that a terminal that can't be written is not an error.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// A writer to the screen. All values write to the same one.
#[derive(Debug, Clone, Copy)]
pub struct Screen;

/// Limits of the drawn part of a terminal: some more than the largest screens have with tiny letters.
const MAX_COLUMNS: u16 = 2_000;
const MAX_ROWS: u16 = 600;

/// Returns the size of the part of a terminal that is drawn. A terminal may claim any size, and each cell takes memory
/// and time.
pub fn drawn_size(terminal: Size) -> Size {
    Size::new(terminal.width.min(MAX_COLUMNS), terminal.height.min(MAX_ROWS))
}

fn terminal() -> Option<&'static File> {
    let open = || match stdout().is_terminal() {
        true => None,
        false => OpenOptions::new().read(true).write(true).open("/dev/tty").ok(),
    };
    TERMINAL.get_or_init(open).as_ref()
}

impl Screen {
    /// Returns whether there is a terminal to draw on and to read keys from.
    pub fn is_available() -> bool {
        stdin().is_terminal() && (stdout().is_terminal() || terminal().is_some())
    }

    /// Makes later writes succeed on a lost terminal, which needs no restoring: ratatui would print the error to standard
    /// error, which may be lost as well, and panic.
    pub fn end() {
        IS_ENDING.store(true, Ordering::SeqCst);
    }

    /// Returns the screen as the standard output of another program, such as an editor.
    ///
    /// # Errors
    /// When the terminal cannot be duplicated.
    pub fn for_child() -> io::Result<Stdio> {
        terminal().map_or_else(|| Ok(Stdio::inherit()), |file| file.try_clone().map(Stdio::from))
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match terminal() {
            Some(mut file) => file.write(bytes),
            None => stdout().write(bytes),
        };
        written.or_else(|error| if IS_ENDING.load(Ordering::SeqCst) { Ok(bytes.len()) } else { Err(error) })
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = match terminal() {
            Some(mut file) => file.flush(),
            None => stdout().flush(),
        };
        flushed.or_else(|error| if IS_ENDING.load(Ordering::SeqCst) { Ok(()) } else { Err(error) })
    }
}
