//! What the explorer draws on: standard output, or the terminal itself while standard output goes elsewhere, as it does in
//! `x=$(knowing)` and `knowing | less`. Then the pack that is printed at the end is the only thing that goes there.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Write, stdin, stdout};
use std::process::Stdio;
use std::sync::OnceLock;

/// The terminal of the process, opened where standard output is none.
static TERMINAL: OnceLock<Option<File>> = OnceLock::new();

/// Writes to the screen. All of them are the same one.
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
    /// True when there is a terminal to draw on and to read keys from.
    pub fn is_there() -> bool {
        stdin().is_terminal() && (stdout().is_terminal() || terminal().is_some())
    }

    /// The screen as the standard output of another program, such as an editor.
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
