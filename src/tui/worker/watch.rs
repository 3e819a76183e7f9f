//! The thread that watches the repository's files, so that the index follows them while the explorer is open, and the
//! requests of coding agents.

use tokio::select;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::agents::AgentWatcher;
use crate::engine::FileWatcher;
use crate::tui::action::Report;
use crate::tui::backend::Backend;

/// Watches until `indexed` is disconnected. Each of its messages means that the folders with indexed files may differ.
pub async fn run(backend: &dyn Backend, mut indexed: UnboundedReceiver<()>, report: &dyn Fn(Report)) {
    let (sender, mut events) = unbounded_channel();
    // The receiver is gone once the explorer ends.
    let forward = move |event| sender.send(event).unwrap_or(());
    let (agent_sender, mut agent_events) = unbounded_channel();
    let forward_agents = move |event| agent_sender.send(event).unwrap_or(());
    let watchers = FileWatcher::new(forward).and_then(|files| Ok((files, AgentWatcher::new(forward_agents)?)));
    let (mut watcher, mut agents) = match watchers {
        Ok(watchers) => watchers,
        Err(error) => return report(Report::Unwatched(error.to_string())),
    };
    agents.follow(backend.exchanges(), report);
    loop {
        select! {
            biased;
            message = indexed.recv() => match message {
                // Without an index there is nothing to watch.
                Some(()) => {
                    if let Ok(targets) = backend.watch_targets() && let Some(error) = watcher.watch(targets) {
                        report(Report::Unwatched(error));
                    }
                    agents.follow(backend.exchanges(), report);
                }
                None => return,
            },
            event = agent_events.recv() => match event {
                Some(event) => agents.changed(event, &mut agent_events, report).await,
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
