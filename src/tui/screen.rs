//! The output of the explorer: standard output, or the controlling terminal if standard output is redirected, as in
//! `x=$(knowing)` and `knowing | less`. In that case only the exported pack is written to standard output.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write, stdin, stdout};
use std::process::Stdio;
use std::sync::OnceLock;

/// The controlling terminal, opened if standard output is not a terminal.
static TERMINAL: OnceLock<Option<File>> = OnceLock::new();

/// A writer to the screen. All values write to the same one.
#[derive(Debug, Clone, Copy)]
pub struct Screen;

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
        match terminal() {
            Some(mut file) => file.write(bytes),
            None => stdout().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match terminal() {
            Some(mut file) => file.flush(),
            None => stdout().flush(),
        }
    }
}
