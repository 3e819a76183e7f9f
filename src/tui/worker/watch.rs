//! The thread that watches the repository's files, so that the index follows them while the explorer is open.

use tokio::select;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use crate::engine::FileWatcher;
use crate::tui::action::Report;
use crate::tui::workspace::Workspace;

/// Watches until `indexed` is disconnected. Each of its messages means that the folders with indexed files may differ.
pub async fn run(workspace: &dyn Workspace, mut indexed: UnboundedReceiver<()>, report: &dyn Fn(Report)) {
    let (sender, mut events) = unbounded_channel();
    // The receiver is gone once the explorer ends.
    let forward = move |event| sender.send(event).unwrap_or(());
    let mut watcher = match FileWatcher::new(forward) {
        Ok(watcher) => watcher,
        Err(error) => return report(Report::Unwatched(error.to_string())),
    };
    loop {
        select! {
            biased;
            message = indexed.recv() => match message {
                // Without an index there is nothing to watch.
                Some(()) => if let Ok(targets) = workspace.watch_targets() && let Some(error) = watcher.watch(targets) {
                    report(Report::Unwatched(error));
                },
                None => return,
            },
            event = events.recv() => match event {
                Some(event) => if let Some(change) = watcher.coalesce(event, &mut events).await {
                    report(Report::Changed(change));
                },
                None => return,
            },
        }
    }
}
