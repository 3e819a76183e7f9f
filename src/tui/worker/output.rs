//! The thread that writes outside the index: to the clipboard, to files, to the history of tasks.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;
use tokio::sync::mpsc::UnboundedReceiver;

use super::server::Server;
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
    /// Saves a trail, or deletes it.
    SaveTrail { folder: SessionFolder, name: String, trail: Option<Box<SavedTask>> },
    /// Saves what a session resumes.
    SaveSession { folder: SessionFolder, task: Box<SavedTask> },
}

/// An error of writing a file.
#[derive(Debug, Error)]
enum WriteError {
    #[error("{0} exists; choose another name")]
    Exists(String),
    #[error("cannot write {0}: {1}")]
    Io(String, io::Error),
}

/// The output thread.
pub type OutputWorker = Server<OutputJob>;

/// Starts the output thread. `report` receives the message of each finished job, or its error; appending to the history
/// is reported only if it fails.
///
/// # Errors
/// When the thread cannot be started.
pub fn start(report: impl Fn(Result<String, String>) + Send + 'static) -> io::Result<OutputWorker> {
    Server::start("output", move |jobs| serve(jobs, &report))
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
            OutputJob::SaveTrail { folder, name, trail } => {
                if let Err(error) = folder.save_trail(&name, trail.as_deref()) {
                    report(Err(format!("cannot write the trails: {error}")));
                }
            }
            OutputJob::SaveSession { folder, task } => {
                if let Err(error) = folder.save_last(&task) {
                    report(Err(format!("cannot write the session: {error}")));
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
    let folder = folder_name(path, std::env::current_dir().ok(), crate::user_dirs::home());
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => WriteError::Exists(name.clone()),
        _ => WriteError::Io(name.clone(), error),
    })?;
    file.write_all(text.as_bytes()).map_err(|error| WriteError::Io(name.clone(), error))?;
    let file_name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(format!("wrote {what} to {file_name} in {folder} ({})", format_size(text.len())))
}

/// Returns the folder of a file: relative if it is in the current one, with `~` for the home folder, else absolute.
fn folder_name(file: &Path, current: Option<PathBuf>, home: Option<PathBuf>) -> String {
    let absolute = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let folder = absolute.parent().unwrap_or(&absolute);
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let below = |parent: &Option<PathBuf>| folder.strip_prefix(parent.as_ref()?).ok().map(Path::to_owned);
    match (below(&current), below(&home)) {
        (Some(rest), _) if rest != Path::new("") => rest.display().to_string(),
        (_, Some(rest)) if rest == Path::new("") => "~".to_owned(),
        (_, Some(rest)) => Path::new("~").join(rest).display().to_string(),
        _ => folder.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_written_file_is_named() {
        let temporary = tempfile::tempdir().unwrap();
        let home = temporary.path().canonicalize().unwrap();
        let project = home.join("project");
        std::fs::create_dir_all(project.join("docs")).unwrap();
        let name = |file: PathBuf| folder_name(&file, Some(project.clone()), Some(home.clone()));
        assert_eq!(name(project.join("docs/pack.gcf")), "docs");
        assert_eq!(name(project.join("docs/../pack.gcf")), Path::new("~/project").display().to_string());
        assert_eq!(name(home.join("pack.gcf")), "~");
        assert_eq!(name(PathBuf::from("/pack.gcf")), Path::new("/").canonicalize().unwrap().display().to_string());
    }

    #[test]
    fn existing_file_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pack.gcf");
        let message = write_file(&path, "the pack", "GCF").unwrap();
        assert!(message.starts_with("wrote the pack to pack.gcf in "), "{message}");
        assert!(write_file(&path, "the pack", "other").unwrap_err().to_string().contains("exists"));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "GCF");
        assert!(write_file(Path::new("/no/such/folder/x"), "", "").unwrap_err().to_string().contains("cannot write"));
    }
}
