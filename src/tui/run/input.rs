//! The thread that reads the terminal.

use std::io;
use std::thread;
use std::time::Duration;

use ratatui::crossterm::event as terminal_event;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use crate::tui::action::Event;

/// Maximum number of events in a batch, so that frames are drawn in between.
const MAX_BATCH: usize = 256;

/// Starts the thread that reads the terminal. After each batch it waits for a permit.
///
/// # Errors
/// When the thread cannot be started.
pub fn read_terminal(events: UnboundedSender<Event>) -> io::Result<UnboundedSender<()>> {
    let (permits, mut permit_queue) = unbounded_channel();
    let read = move || loop {
        let event = match read_batch() {
            Ok(batch) => Event::Terminal(batch),
            Err(error) => Event::TerminalLost(error.to_string()),
        };
        let is_lost = matches!(event, Event::TerminalLost(_));
        if events.send(event).is_err() || is_lost || permit_queue.blocking_recv().is_none() {
            return;
        }
    };
    thread::Builder::new().name("knowing-input".into()).spawn(read)?;
    Ok(permits)
}

fn read_batch() -> io::Result<Vec<terminal_event::Event>> {
    let mut batch = vec![terminal_event::read()?];
    while batch.len() < MAX_BATCH && terminal_event::poll(Duration::ZERO)? {
        batch.push(terminal_event::read()?);
    }
    Ok(batch)
}
