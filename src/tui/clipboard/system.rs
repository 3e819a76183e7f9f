//! The thread that talks to the desktop's clipboard and to tmux: neither may keep the screen waiting.

use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::thread;

use arboard::Clipboard;
use crossbeam_channel::{Receiver, Sender, unbounded};

use super::Route;

/// A text on its way, and what it is for the user.
type Parcel = (Route, String, String);

/// The sending end. On X11 a clipboard lives as long as its owner, so the thread keeps the one it has opened.
pub struct System {
    parcels: Sender<Parcel>,
}

impl System {
    /// Starts the thread; `report` gets, for each text, what it is, its bytes and how it went.
    pub fn start(report: impl Fn(Route, String, usize, Result<(), String>) + Send + 'static) -> io::Result<System> {
        let (parcels, inbox) = unbounded();
        thread::Builder::new().name("knowing-clipboard".into()).spawn(move || serve(&inbox, &report))?;
        Ok(System { parcels })
    }

    /// Copies `text`, which the user knows as `what`.
    pub fn copy(&self, route: Route, what: String, text: String) {
        // The thread ends only with the program.
        let _nobody_left = self.parcels.send((route, what, text));
    }
}

fn serve(inbox: &Receiver<Parcel>, report: &dyn Fn(Route, String, usize, Result<(), String>)) {
    let mut open = None;
    for (route, what, text) in inbox {
        let bytes = text.len();
        let done = match route {
            Route::Tmux => pipe("tmux", &["load-buffer", "-w", "-"], &text),
            Route::System | Route::Osc52 => set(&mut open, text),
        };
        report(route, what, bytes, done);
    }
}

fn set(open: &mut Option<Clipboard>, text: String) -> Result<(), String> {
    let failed = |error: arboard::Error| format!("the clipboard can't be used: {error}");
    if open.is_none() {
        *open = Some(Clipboard::new().map_err(failed)?);
    }
    let Some(clipboard) = open else { return Err("the clipboard can't be used".into()) };
    clipboard.set_text(text).map_err(|error| {
        // The display may have gone; the next copy opens it anew.
        *open = None;
        failed(error)
    })
}

fn pipe(program: &str, arguments: &[&str], text: &str) -> Result<(), String> {
    let failed = |error: io::Error| format!("{program} can't be run: {error}");
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(failed)?;
    let written = child.stdin.take().map_or(Ok(()), |mut input| input.write_all(text.as_bytes()));
    let status = child.wait().map_err(failed)?;
    match (status.success(), written) {
        (true, Ok(())) => Ok(()),
        (true, Err(error)) => Err(format!("{program} did not take the text: {error}")),
        (false, _) => Err(format!("{program} {} ended with {status}", arguments.join(" "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_gets_the_text_and_its_failure_is_told() {
        assert_eq!(pipe("cat", &[], "text"), Ok(()));
        assert!(pipe("false", &[], "").unwrap_err().contains("false  ended with"));
        assert!(pipe("no-such-program-here", &[], "").unwrap_err().contains("can't be run"));
    }
}
