//! The thread that reads the terminal.
//!
//! crossterm's reader treats a reply of the terminal as typed keys, or waits for its end forever. So replies and pasted
//! texts are separated from the input first; what remains is parsed by termina, whose parser is that of crossterm, and
//! whose events are translated to those of crossterm.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, stdin};
use std::thread;

use ratatui::crossterm::event as terminal_event;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use termina::Parser;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

use super::replies::{Part, Splitter, background};
use super::translate::translate;
use crate::tui::action::Event;
use crate::tui::appearance::Background;

/// Maximum number of events in a batch, so that frames are drawn in between.
const MAX_BATCH: usize = 256;
/// Bytes that are parsed at once.
const READ_BYTES: usize = 1 << 16;
/// Time after which the start of a reply without its end is typed input. Terminals write a reply at once.
const REPLY_TIMEOUT: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
const NO_WAIT: Timespec = Timespec { tv_sec: 0, tv_nsec: 0 };

/// Starts the thread that reads the terminal. After each batch it waits for a permit.
///
/// # Errors
/// When the thread cannot be started.
pub fn read_terminal(events: UnboundedSender<Event>) -> io::Result<UnboundedSender<()>> {
    let (permits, mut permit_queue) = unbounded_channel();
    let mut input = Input::default();
    let read = move || loop {
        let batch = match input.read_batch() {
            Ok(batch) => batch,
            Err(error) => {
                // The receiver is gone once the explorer has ended.
                let _disconnected = events.send(Event::TerminalLost(error.to_string()));
                return;
            }
        };
        let reported = input.background.take().map_or(Ok(()), |background| events.send(Event::Background(background)));
        if reported.is_err() || events.send(Event::Terminal(batch)).is_err() || permit_queue.blocking_recv().is_none() {
            return;
        }
    };
    thread::Builder::new().name("knowing-input".into()).spawn(read)?;
    Ok(permits)
}

/// The input that was read and not yet handed on.
#[derive(Default)]
struct Input {
    splitter: Splitter,
    parser: Parser,
    events: VecDeque<terminal_event::Event>,
    /// The background that the terminal reported last.
    background: Option<Background>,
}

impl Input {
    /// Waits for input. Returns the events up to the end of what is available, which may be none.
    fn read_batch(&mut self) -> io::Result<Vec<terminal_event::Event>> {
        let mut bytes = vec![0; READ_BYTES];
        while self.events.is_empty() && self.background.is_none() {
            let timeout = self.splitter.is_waiting().then_some(&REPLY_TIMEOUT);
            if !is_readable(timeout)? {
                let parts = self.splitter.release();
                self.accept(parts, false);
                continue;
            }
            self.read(&mut bytes)?;
        }
        let count = self.events.len().min(MAX_BATCH);
        Ok(self.events.drain(..count).collect())
    }

    /// Reads what is available, which is more than the kernel returns at once: a piece could end with the escape that
    /// begins a sequence, which would be taken for the key.
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        let mut length = 0;
        loop {
            match rustix::io::read(stdin(), &mut bytes[length..]) {
                // Nothing was read: the caller waits again.
                Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => break,
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                done => length += done?,
            }
            if length == bytes.len() || !is_readable(Some(&NO_WAIT))? {
                break;
            }
        }
        let parts = self.splitter.push(&bytes[..length]);
        self.accept(parts, length == bytes.len());
        Ok(())
    }

    fn accept(&mut self, parts: Vec<Part>, maybe_more: bool) {
        for part in parts {
            match part {
                Part::Typed(bytes) => {
                    self.parser.parse(&bytes, maybe_more);
                    while let Some(event) = self.parser.pop() {
                        self.events.extend(translate(event));
                    }
                }
                Part::AltBracket => self.events.push_back(super::translate::alt_bracket()),
                Part::Pasted(bytes) => {
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    self.events.push_back(terminal_event::Event::Paste(text));
                }
                Part::Reply(bytes) => self.background = background(&bytes).or(self.background),
            }
        }
    }
}

/// Waits until the terminal has input, forever without a timeout. Returns false after the timeout.
fn is_readable(timeout: Option<&Timespec>) -> io::Result<bool> {
    let stdin = stdin();
    let mut descriptors = [PollFd::new(&stdin, PollFlags::IN)];
    loop {
        match poll(&mut descriptors, timeout) {
            Err(rustix::io::Errno::INTR) => continue,
            done => return Ok(done? > 0),
        }
    }
}
