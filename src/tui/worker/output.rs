//! The thread that writes outside the index: to the clipboard, to files, to the history of tasks.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;

use thiserror::Error;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use crate::tui::clipboard::{Route, SystemClipboard, copy_to_tmux, format_size};
use crate::tui::history::HistoryFile;
use crate::tui::session::{SavedTask, SessionFolder};

/// A job of the output thread.
#[derive(Debug, Clone)]
pub enum OutputJob {
    /// Copies a text, described to the user as `what`, to a clipboard.
    Copy { route: Route, what: String, text: String },
    /// Writes a text to a new file.
    WriteFile { path: PathBuf, what: String, text: String },
    /// Appends a task to the history.
    AppendHistory { file: HistoryFile, task: String },
    /// Saves a named pack, or deletes it.
    SavePack { folder: SessionFolder, name: String, pack: Option<Box<SavedTask>> },
}

/// An error of writing a file.
#[derive(Debug, Error)]
enum WriteError {
    #[error("{0} exists; choose another name")]
    Exists(String),
    #[error("cannot write {0}: {1}")]
    Io(String, io::Error),
}

/// The sending end of the output thread's queue.
pub struct OutputWorker {
    queue: UnboundedSender<OutputJob>,
}

impl OutputWorker {
    /// Starts the thread. `report` receives the message of each finished job, or its error; appending to the history is
    /// reported only if it fails.
    ///
    /// # Errors
    /// When the thread cannot be started.
    pub fn start(report: impl Fn(Result<String, String>) + Send + 'static) -> io::Result<OutputWorker> {
        let (queue, jobs) = unbounded_channel();
        thread::Builder::new().name("knowing-output".into()).spawn(move || serve(jobs, &report))?;
        Ok(OutputWorker { queue })
    }

    /// Queues a job.
    pub fn run(&self, job: OutputJob) {
        // The thread runs until the program ends.
        let _disconnected = self.queue.send(job);
    }
}

fn serve(mut jobs: UnboundedReceiver<OutputJob>, report: &dyn Fn(Result<String, String>)) {
    let mut clipboard = SystemClipboard::default();
    while let Some(job) = jobs.blocking_recv() {
        match job {
            OutputJob::Copy { route, what, text } => {
                let bytes = text.len();
                let copied = match route {
                    Route::Tmux => copy_to_tmux(&text),
                    Route::System | Route::Osc52 => clipboard.copy(text),
                };
                report(copied.map(|()| route.copied_message(&what, bytes)).map_err(|error| error.to_string()));
            }
            OutputJob::WriteFile { path, what, text } => {
                report(write_file(&path, &what, &text).map_err(|error| error.to_string()));
            }
            OutputJob::SavePack { folder, name, pack } => {
                if let Err(error) = folder.save_pack(&name, pack.as_deref()) {
                    report(Err(format!("cannot write the named packs: {error}")));
                }
            }
            OutputJob::AppendHistory { file, task } => {
                if let Err(error) = file.append(&task) {
                    report(Err(format!("cannot write the history of tasks: {error}")));
                }
            }
        }
    }
}

/// Writes a new file; an existing one is never overwritten.
fn write_file(path: &Path, what: &str, text: &str) -> Result<String, WriteError> {
    let name = path.display().to_string();
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => WriteError::Exists(name.clone()),
        _ => WriteError::Io(name.clone(), error),
    })?;
    file.write_all(text.as_bytes()).map_err(|error| WriteError::Io(name.clone(), error))?;
    Ok(format!("wrote {what} to {name} ({})", format_size(text.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn existing_file_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pack.gcf");
        assert!(write_file(&path, "the pack", "GCF").unwrap().starts_with("wrote the pack to "));
        assert!(write_file(&path, "the pack", "other").unwrap_err().to_string().contains("exists"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "GCF");
        assert!(write_file(Path::new("/no/such/folder/x"), "", "").unwrap_err().to_string().contains("cannot write"));
    }
}
