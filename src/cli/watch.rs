//! `knowing index watch`: keeps the index current while files change.

use std::io::Write;

use clap::Args;
use parking_lot::Mutex;
use tokio::sync::mpsc::unbounded_channel;

use super::exit::{CliError, Status};
use super::output::stdout;
use super::session::Session;
use crate::engine::{Engine, FileChanges, FileWatcher, Live, LiveState, is_source};
use crate::text::{self, display, listed};
use crate::workspace::Member;

/// Keep the index current while files change, until Ctrl-C
///
/// Prints a line for each update. Several processes may watch a repository; one at a time writes the index.
#[derive(Debug, Args)]
pub struct WatchArguments {}

/// Limit of the files that a line names.
const MAX_NAMED: usize = 3;

/// Updates the indexes whenever files change.
///
/// # Errors
/// When a folder, an index or the output can't be used, or files can't be watched.
pub fn run(session: &Session, _: &WatchArguments) -> Result<Status, CliError> {
    let workspace = session.indexed()?;
    // One repository is indexed at a time.
    let turn = Mutex::new(());
    let watched = std::thread::scope(|scope| {
        let watch = |member: &Member| {
            let label =
                if workspace.is_single() { String::new() } else { format!("{}: ", display::safe(member.label())) };
            let (engine, turn) = (member.engine().clone(), &turn);
            scope.spawn(move || {
                watch(session, engine, &label, turn).inspect_err(|error| {
                    // The others are watched on, so the error is told at once.
                    if !label.is_empty() {
                        session.note(&format!("{label}{error}"));
                    }
                })
            })
        };
        let threads: Vec<_> = workspace.members().iter().map(watch).collect();
        let failed = |_| Err(CliError::Unusable(anyhow::anyhow!("watching ended by an internal error")));
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(failed)).collect::<Result<Vec<Status>, _>>()
    });
    watched.map(|statuses| Status::all(&statuses))
}

/// Updates one index whenever its files change.
fn watch(session: &Session, engine: Engine, label: &str, turn: &Mutex<()>) -> Result<Status, CliError> {
    let failed = |error: std::io::Error| CliError::Unusable(error.into());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(failed)?;
    runtime.block_on(async {
        let interrupt = tokio::signal::ctrl_c();
        tokio::pin!(interrupt);
        let (sender, mut events) = unbounded_channel();
        // The receiver is gone once the program ends.
        let forward = move |event| sender.send(event).unwrap_or(());
        let unwatched = |error: String| CliError::Unusable(anyhow::anyhow!("files can't be watched: {error}"));
        let mut watcher = FileWatcher::new(forward).map_err(|error| unwatched(error.to_string()))?;
        let root = engine.root().display().to_string();
        let live = Live::new(engine);
        // Files may have changed after they were indexed and before they are watched.
        let mut is_busy = true;
        let mut is_announced = false;
        loop {
            if let Some(error) = watcher.watch(live.engine().watch_targets()?) {
                session.note(&format!("{label}some folders are not watched: {error}"));
            }
            if !is_announced {
                is_announced = true;
                print(&format!("{label}watching {}; Ctrl-C ends", display::safe(&root)))?;
            }
            let event = tokio::select! {
                biased;
                _interrupted = &mut interrupt => return Ok(Status::Success),
                () = tokio::time::sleep(RETRY), if is_busy => None,
                event = events.recv() => event,
            };
            let changes = match event {
                Some(event) => watcher.coalesce(event, &mut events).await,
                None => Some(FileChanges::default()),
            };
            let Some(changes) = changes else { continue };
            let _turn = turn.lock();
            is_busy = !update(&live, label, &changes)?;
        }
    })
}

/// Pause before another attempt while another process writes.
const RETRY: std::time::Duration = std::time::Duration::from_secs(1);

/// Updates the index and prints a line; returns `false` if another process is writing it.
fn update(live: &Live, label: &str, changes: &FileChanges) -> Result<bool, CliError> {
    let update = match live.update(&|_| {}) {
        LiveState::Ready(update) => update,
        LiveState::Failed(reason) => return Err(CliError::Unusable(anyhow::anyhow!(reason))),
        LiveState::Busy | LiveState::Missing | LiveState::Partial(_) => return Ok(false),
    };
    let count = update.changed_files;
    if !update.is_changed && count == 0 {
        return Ok(true);
    }
    let branch = changes.branch.iter().map(|branch| format!("on {}: ", display::safe(branch)));
    let mut line: String = std::iter::once(label.to_owned()).chain(branch).collect();
    line.push_str(&text::count(count, "file"));
    line.push_str(&named(changes, count));
    print(&format!("{line} in {:.2} s", update.took.as_secs_f64()))?;
    Ok(true)
}

/// Returns the names of the changed files in brackets. Editors create temporary files beside the edited ones; where there are
/// still more names than files were read again, it is not known which these are.
fn named(changes: &FileChanges, count: usize) -> String {
    let names: Vec<_> = changes.files.iter().filter(|file| is_source(file)).map(|file| display::safe(file)).collect();
    if names.is_empty() || names.len() > count { String::new() } else { format!(" ({})", listed(&names, MAX_NAMED)) }
}

fn print(line: &str) -> Result<(), CliError> {
    let mut out = stdout();
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_files_are_named_as_counted() {
        let changes = |files: &[&str]| FileChanges {
            files: files.iter().map(|file| (*file).to_owned()).collect(),
            ..FileChanges::default()
        };
        assert_eq!(named(&changes(&["src/b.py", "src/sedoV21ab"]), 1), " (src/b.py)");
        assert_eq!(named(&changes(&["a.py", "b.py"]), 1), "");
        assert_eq!(named(&changes(&["a.py", "b.py", "c.py", "d.py"]), 4), " (a.py, b.py, c.py and 1 more)");
    }
}
