//! Runs the explorer on the real terminal: events in, effects out, frames drawn when something changed.

use std::io::{self, BufWriter, IsTerminal, Stdout, stdin, stdout};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use crossbeam_channel::{Receiver, Sender, unbounded};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event as terminal_event;
use ratatui::crossterm::style::force_color_output;
use ratatui::crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use ratatui::crossterm::{execute, queue};
use ratatui::layout::Rect;
use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP};
use signal_hook::low_level::emulate_default_handler;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::action::{self, Action, Event};
use super::effect::Effect;
use super::model::Model;
use super::terminal::{self, Guard};
use super::update::update;
use super::view::view;
use super::worker::Workers;
use super::workspace::Workspace;
use super::{editor, skin};

/// How the explorer starts.
#[derive(Debug, Clone)]
pub struct Options {
    /// The repository's root, for the editor.
    pub root: PathBuf,
    /// A task to begin with; may be empty.
    pub task: String,
    pub budget_tokens: usize,
    /// False draws without any colour.
    pub colour: bool,
    /// A shipped theme's name; none asks the environment.
    pub theme: Option<String>,
    pub mouse: bool,
}

/// The shortest time between two frames.
const FRAME: Duration = Duration::from_millis(8);
/// The most events taken from the terminal before a frame is due.
const BATCH: usize = 256;

/// Runs until the user quits. A deadly signal is obeyed after the terminal is restored.
pub fn run(workspace: Arc<dyn Workspace>, options: Options) -> Result<()> {
    if !stdout().is_terminal() || !stdin().is_terminal() {
        bail!("the explorer needs a terminal; `knowing context` prints a pack without one");
    }
    let lookup = |name: &str| std::env::var(name).ok();
    let (skin, complaint) =
        skin::choose(options.theme.as_deref(), options.colour, &lookup).map_err(|error| anyhow!(error))?;
    // The library reads NO_COLOR for itself; the caller has already weighed it against other wishes.
    force_color_output(options.colour);
    terminal::restore_on_panic();
    let (events, inbox) = unbounded_channel();
    watch_signals(events.clone())?;
    let guard = Guard::take(options.mouse).context("cannot take the terminal")?;
    let permits = read_terminal(events.clone())?;
    let workers = Workers::start(workspace, move |report| {
        // After the explorer has ended nobody listens, and that is fine.
        let _ended = events.send(Event::Report(report));
    })?;
    let screen = Terminal::new(CrosstermBackend::new(BufWriter::with_capacity(1 << 16, stdout())))?;
    let size = screen.size()?;
    let mut model = Model::new(options.task, options.budget_tokens, skin, size);
    if let Some(complaint) = complaint {
        model.complain(complaint);
    }
    let mut session = Session { guard, screen, model, workers, permits, root: options.root, last_frame: None };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let ended = runtime.block_on(session.drive(inbox));
    drop(session);
    match ended? {
        Ended::Quit => Ok(()),
        Ended::Signal(signal) => Ok(emulate_default_handler(signal)?),
    }
}

enum Ended {
    Quit,
    Signal(i32),
}

struct Session {
    guard: Guard,
    screen: Terminal<CrosstermBackend<BufWriter<Stdout>>>,
    model: Model,
    workers: Workers,
    /// One permit lets the input thread read on: so it never reads while an editor has the terminal.
    permits: Sender<()>,
    root: PathBuf,
    last_frame: Option<Instant>,
}

impl Session {
    async fn drive(&mut self, mut inbox: UnboundedReceiver<Event>) -> Result<Ended> {
        loop {
            let wake = self.draw_if_due()?;
            let event = tokio::select! {
                biased;
                event = inbox.recv() => event,
                () = sleep_until(wake) => None,
            };
            let mut next = event;
            while let Some(event) = next {
                if let Some(ended) = self.handle(event)? {
                    return Ok(ended);
                }
                next = inbox.try_recv().ok();
            }
            if let Some(ended) = self.act(Action::Tick)? {
                return Ok(ended);
            }
        }
    }

    /// Draws when something changed, but not more often than the eye can tell. Gives back when to wake next.
    fn draw_if_due(&mut self) -> Result<Option<Instant>> {
        let deadline = self.model.deadline();
        if !self.model.dirty {
            return Ok(deadline);
        }
        let due = self.last_frame.map(|last| last + FRAME).filter(|due| *due > Instant::now());
        if let Some(due) = due {
            return Ok(Some(deadline.map_or(due, |deadline| deadline.min(due))));
        }
        self.draw()?;
        Ok(self.model.deadline())
    }

    fn draw(&mut self) -> Result<()> {
        let size = self.screen.size()?;
        if size != self.model.size {
            self.act(Action::Resize(size))?;
        }
        queue!(self.screen.backend_mut(), BeginSynchronizedUpdate)?;
        let model = &self.model;
        self.screen.draw(|frame| view(model, frame))?;
        execute!(self.screen.backend_mut(), EndSynchronizedUpdate)?;
        self.model.dirty = false;
        self.last_frame = Some(Instant::now());
        Ok(())
    }

    fn handle(&mut self, event: Event) -> Result<Option<Ended>> {
        match event {
            Event::Terminal(batch) => {
                for event in batch {
                    let action = action::translate(&self.model, event);
                    if let Some(ended) = action.map(|action| self.act(action)).transpose()?.flatten() {
                        return Ok(Some(ended));
                    }
                }
                self.permits.send(())?;
                Ok(None)
            }
            Event::TerminalLost(reason) => Err(anyhow!("the terminal is gone: {reason}")),
            Event::Signal(SIGTSTP) => self.suspend().map(|()| None),
            Event::Signal(SIGCONT) => self.resume().map(|()| None),
            Event::Signal(signal) => Ok(Some(Ended::Signal(signal))),
            Event::Report(report) => self.act(Action::Report(report)),
        }
    }

    fn act(&mut self, action: Action) -> Result<Option<Ended>> {
        for effect in update(&mut self.model, action, Instant::now()) {
            match effect {
                Effect::Search(request) => self.workers.search(request),
                Effect::StopSearch { generation } => self.workers.stop(generation),
                Effect::Ask(question) => self.workers.ask(question),
                Effect::Preview(request) => self.workers.preview(request),
                Effect::Index => self.workers.index(),
                Effect::Edit { file, line } => self.edit(&file, line)?,
                Effect::Suspend => self.suspend()?,
                Effect::Redraw => self.forget_frame()?,
                Effect::Quit => return Ok(Some(Ended::Quit)),
            }
        }
        Ok(None)
    }

    fn edit(&mut self, file: &str, line: usize) -> Result<()> {
        let Some(path) = inside(&self.root, file) else {
            self.model.complain("this file lies outside the repository");
            return Ok(());
        };
        self.guard.leave()?;
        let edited = editor::open(&editor::chosen(None, &|name| std::env::var(name).ok()), &path, line);
        self.resume()?;
        match edited {
            Ok(()) => self.workers.index(),
            Err(error) => self.model.complain(error),
        }
        Ok(())
    }

    /// Gives the terminal back and stops until the shell lets us go on.
    fn suspend(&mut self) -> Result<()> {
        self.guard.leave()?;
        emulate_default_handler(SIGTSTP)?;
        self.resume()
    }

    fn resume(&mut self) -> Result<()> {
        self.guard.enter()?;
        self.forget_frame()?;
        self.model.dirty = true;
        Ok(())
    }

    /// Lets the next frame draw every cell. `Terminal::clear` would first ask the terminal where its cursor is and
    /// wait for an answer that may never come.
    fn forget_frame(&mut self) -> Result<()> {
        let size = self.screen.size()?;
        Ok(self.screen.resize(Rect::new(0, 0, size.width, size.height))?)
    }
}

async fn sleep_until(wake: Option<Instant>) {
    match wake {
        Some(wake) => tokio::time::sleep_until(wake.into()).await,
        None => std::future::pending().await,
    }
}

/// The path of a file of the repository; none for a name that leads out of it.
fn inside(root: &Path, file: &str) -> Option<PathBuf> {
    let plain = Path::new(file).components().all(|part| matches!(part, Component::Normal(_)));
    plain.then(|| root.join(file))
}

/// Reads the terminal on its own thread: one batch, then it waits for a permit.
fn read_terminal(events: UnboundedSender<Event>) -> io::Result<Sender<()>> {
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

fn watch_signals(events: UnboundedSender<Event>) -> io::Result<()> {
    let watched = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT];
    let mut signals = signal_hook::iterator::Signals::new(watched)?;
    let watch = move || {
        for signal in signals.forever() {
            match (signal, terminal::is_taken()) {
                // While an editor has the terminal, its keys also signal us. It may stop all of us together, but what
                // would interrupt it is not meant for us.
                (SIGTSTP, false) => stop_here(),
                (SIGINT | SIGQUIT | SIGCONT, false) => {}
                (SIGTSTP | SIGCONT, true) => send(&events, signal),
                _ => {
                    send(&events, signal);
                    thread::sleep(STUCK);
                    // The screen's thread should have ended the program by now; it is stuck, and must not keep us.
                    let _unsaid = terminal::give_back();
                    let _unstoppable = emulate_default_handler(signal);
                }
            }
        }
    };
    thread::Builder::new().name("knowing-signals".into()).spawn(watch)?;
    Ok(())
}

/// How long a deadly signal waits for an orderly end.
const STUCK: Duration = Duration::from_secs(2);

fn send(events: &UnboundedSender<Event>, signal: i32) {
    // Nobody listens once the explorer has ended.
    let _ended = events.send(Event::Signal(signal));
}

fn stop_here() {
    // If it can't be stopped, it goes on.
    let _goes_on = emulate_default_handler(SIGTSTP);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_leads_out_of_the_repository_is_refused() {
        assert_eq!(inside(Path::new("/r"), "a/b.rs"), Some(PathBuf::from("/r/a/b.rs")));
        assert_eq!(inside(Path::new("/r"), "../b.rs"), None);
        assert_eq!(inside(Path::new("/r"), "/etc/passwd"), None);
    }
}
