//! The thread that reads the terminal.

use std::io;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};
use ratatui::crossterm::event as terminal_event;
use tokio::sync::mpsc::UnboundedSender;

use crate::tui::action::Event;

/// The most events taken from the terminal before a frame is due.
const BATCH: usize = 256;

/// Reads the terminal on its own thread: one batch, then it waits for a permit.
pub fn read_terminal(events: UnboundedSender<Event>) -> io::Result<Sender<()>> {
    let (permits, permitted): (Sender<()>, Receiver<()>) = unbounded();
    let read = move || loop {
        let event = match read_batch() {
            Ok(batch) => Event::Terminal(batch),
            Err(error) => Event::TerminalLost(error.to_string()),
        };
        let lost = matches!(event, Event::TerminalLost(_));
        if events.send(event).is_err() || lost || permitted.recv().is_err() {
            return;
        }
    };
    thread::Builder::new().name("knowing-input".into()).spawn(read)?;
    Ok(permits)
}

fn read_batch() -> io::Result<Vec<terminal_event::Event>> {
    let mut batch = vec![terminal_event::read()?];
    while batch.len() < BATCH && terminal_event::poll(Duration::ZERO)? {
        batch.push(terminal_event::read()?);
    }
    Ok(batch)
}
