//! The thread that runs errands the screen does not wait for: clipboard tools, files, the history of tasks.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use arboard::Clipboard;
use crossbeam_channel::{Receiver, Sender, unbounded};

use super::{Route, size};
use crate::tui::history::HistoryFile;

/// Something to carry out.
#[derive(Debug, Clone)]
pub enum Errand {
    /// Put a text, known to the user as `what`, into a clipboard.
    Copy { route: Route, what: String, text: String },
    /// Write a text to a file that must not be there yet.
    Write { path: PathBuf, what: String, text: String },
    /// Add a task to the history.
    Remember { file: HistoryFile, task: String },
}

/// The sending end. On X11 a clipboard lives as long as its owner, so the thread keeps the one it has opened.
pub struct Errands {
    queue: Sender<Errand>,
}

impl Errands {
    /// Starts the thread; `report` gets what is true after each errand, in words, or why it failed. An errand of which
    /// nobody wants to hear says nothing when it went well.
    pub fn start(report: impl Fn(Result<String, String>) + Send + 'static) -> io::Result<Errands> {
        let (queue, inbox) = unbounded();
        thread::Builder::new().name("knowing-errands".into()).spawn(move || serve(&inbox, &report))?;
        Ok(Errands { queue })
    }

    /// Carries this out after what came before.
    pub fn run(&self, errand: Errand) {
        // The thread ends only with the program.
        let _nobody_left = self.queue.send(errand);
    }
}

fn serve(inbox: &Receiver<Errand>, report: &dyn Fn(Result<String, String>)) {
    let mut open = None;
    for errand in inbox {
        match errand {
            Errand::Copy { route, what, text } => {
                let bytes = text.len();
                let done = match route {
                    Route::Tmux => pipe("tmux", &["load-buffer", "-w", "-"], &text),
                    Route::System | Route::Osc52 => set(&mut open, text),
                };
                report(done.map(|()| route.told(&what, bytes)));
            }
            Errand::Write { path, what, text } => report(write(&path, &what, &text)),
            Errand::Remember { file, task } => {
                if let Err(error) = file.append(&task) {
                    report(Err(format!("the task can't be kept in the history: {error}")));
                }
            }
        }
    }
}

fn set(open: &mut Option<Clipboard>, text: String) -> Result<(), String> {
    let failed = |error: arboard::Error| format!("the clipboard can't be used: {error}");
    let clipboard = match open {
        Some(clipboard) => clipboard,
        None => open.insert(Clipboard::new().map_err(failed)?),
    };
    let done = clipboard.set_text(text).map_err(failed);
    if done.is_err() {
        // The display may have gone; the next copy opens it anew.
        *open = None;
    }
    done
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
        (false, _) => Err(format!("{program} failed: {status}")),
    }
}

/// What stands in a file already is somebody's work: it is never written over.
fn write(path: &Path, what: &str, text: &str) -> Result<String, String> {
    let shown = path.display();
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => format!("{shown} is there already; give another name"),
        _ => format!("{shown} can't be written: {error}"),
    })?;
    file.write_all(text.as_bytes()).map_err(|error| format!("{shown} can't be written: {error}"))?;
    Ok(format!("wrote {what} to {shown} ({})", size(text.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_gets_the_text_and_its_failure_is_told() {
        assert_eq!(pipe("cat", &[], "text"), Ok(()));
        assert!(pipe("false", &[], "").unwrap_err().contains("false failed: exit status: 1"));
        assert!(pipe("no-such-program-here", &[], "").unwrap_err().contains("can't be run"));
    }

    #[test]
    fn a_file_is_written_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pack.gcf");
        assert!(write(&path, "the pack", "GCF").unwrap().starts_with("wrote the pack to "));
        assert!(write(&path, "the pack", "other").unwrap_err().contains("is there already"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "GCF");
        assert!(write(Path::new("/no/such/folder/x"), "", "").unwrap_err().contains("can't be written"));
    }
}
