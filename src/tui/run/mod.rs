//! Runs the explorer on the real terminal: events in, effects out, frames drawn when something changed.

mod input;
mod signals;

use std::io::{BufWriter, Write, stdin, stdout};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use crossbeam_channel::Sender;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::style::force_color_output;
use ratatui::crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use ratatui::crossterm::{execute, queue};
use ratatui::layout::Rect;
use signal_hook::consts::{SIGCONT, SIGTSTP, SIGUSR1, SIGWINCH};
use signal_hook::low_level::emulate_default_handler;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::action::{self, Action, Event, Report};
use super::clipboard::{self, Errand, Errands, Route};
use super::config::Places;
use super::editor;
use super::effect::Effect;
use super::model::Model;
use super::plain;
use super::screen::Screen;
use super::settings::Sources;
use super::terminal::{self, Guard};
use super::update::update;
use super::view::view;
use super::worker::Workers;
use super::workspace::Workspace;
use input::read_terminal;
use signals::watch_signals;

/// How the explorer starts.
#[derive(Debug, Clone)]
pub struct Options {
    /// The repository's root, for the editor.
    pub root: PathBuf,
    /// A task to begin with; may be empty.
    pub task: String,
    pub budget_tokens: usize,
    /// False draws without any color.
    pub color: bool,
    /// A theme's name; none asks the environment and the settings.
    pub theme: Option<String>,
    /// Where the user's settings and history lie; none does without both.
    pub places: Option<Places>,
    /// False leaves the mouse to the terminal, whatever the settings say.
    pub mouse: bool,
}

/// The shortest time from a frame to the second after it. The answer to a key often comes a moment after the frame that
/// shows the key, and is drawn at once; only what follows these two waits.
const TWO_FRAMES: Duration = Duration::from_millis(16);

/// Runs until the user quits. A deadly signal is obeyed after the terminal is restored.
pub fn run(workspace: Arc<dyn Workspace>, options: Options) -> Result<()> {
    if !Screen::is_there() {
        bail!("the explorer needs a terminal; `knowing context` prints a pack without one");
    }
    let sources = Sources {
        places: options.places,
        color: options.color,
        theme: options.theme,
        mouse: options.mouse,
        lookup: |name| std::env::var(name).ok(),
    };
    let mut settings = sources.load().map_err(|error| anyhow!(error))?;
    // The library reads NO_COLOR for itself; the caller has already weighed it against other wishes.
    force_color_output(options.color);
    terminal::restore_on_panic();
    let (events, inbox) = unbounded_channel();
    watch_signals(events.clone())?;
    let guard = Guard::take(settings.config.mouse).context("cannot take the terminal")?;
    let permits = read_terminal(events.clone())?;
    let report = move |report| {
        // After the explorer has ended nobody listens, and that is fine.
        let _ended = events.send(Event::Report(report));
    };
    let errands = Errands::start({
        let report = report.clone();
        move |told| report(Report::OutputDone(told))
    })?;
    let workers = Workers::start(workspace, report)?;
    let screen = Terminal::new(CrosstermBackend::new(BufWriter::with_capacity(1 << 16, Screen)))?;
    let size = screen.size()?;
    let mut model = Model::new(options.task, options.budget_tokens, settings.skin.clone(), size);
    if let Some(file) = sources.history() {
        match file.load() {
            Ok(history) => model.history = history,
            Err(error) => settings.complaints.push(format!("the history of tasks can't be read: {error}")),
        }
    }
    model.clipboard = clipboard::route(&sources.lookup);
    let root = options.root;
    let mut session = Session { guard, screen, model, workers, errands, sources, permits, root, drawn: [None; 2] };
    session.act(Action::Configured(Box::new(settings)))?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let ended = runtime.block_on(session.drive(inbox));
    let printed = session.model.export.printed.take();
    drop(session);
    if let Some(text) = printed {
        print(&text)?;
    }
    match ended? {
        Ended::Quit => Ok(()),
        Ended::Signal(signal) => Ok(emulate_default_handler(signal)?),
    }
}

/// Runs the explorer as plain lines on standard input and output.
pub fn run_plain(workspace: &dyn Workspace, task: String, budget_tokens: usize) -> Result<()> {
    match plain::run(workspace, plain::task(task, budget_tokens), &mut stdin().lock(), &mut stdout()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        done => Ok(done?),
    }
}

/// Prints to standard output; a reader that has gone, as `head` does, is no error.
fn print(text: &str) -> Result<()> {
    match stdout().write_all(text.as_bytes()).and_then(|()| stdout().flush()) {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        done => Ok(done?),
    }
}

enum Ended {
    Quit,
    Signal(i32),
}

struct Session {
    guard: Guard,
    screen: Terminal<CrosstermBackend<BufWriter<Screen>>>,
    model: Model,
    workers: Workers,
    errands: Errands,
    sources: Sources,
    /// One permit lets the input thread read on: so it never reads while an editor has the terminal.
    permits: Sender<()>,
    root: PathBuf,
    /// When the last two frames were drawn, the older one first.
    drawn: [Option<Instant>; 2],
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
        let due = self.drawn[0].map(|drawn| drawn + TWO_FRAMES).filter(|due| *due > Instant::now());
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
        self.drawn = [self.drawn[1], Some(Instant::now())];
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
            Event::Signal(SIGUSR1) => self.reload().map(|()| None),
            // crossterm forgets a change of the size that comes together with a key or a move of the mouse.
            Event::Signal(SIGWINCH) => {
                self.model.dirty |= self.screen.size()? != self.model.size;
                Ok(None)
            }
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
                Effect::Record(record) => self.workers.record(record),
                Effect::Preview(request) => self.workers.preview(request),
                Effect::Index => self.workers.index(),
                Effect::Edit { file, line } => self.edit(&file, line)?,
                Effect::Copy { what, text } => self.copy(what, &text)?,
                Effect::Write { path, what, text } => self.errands.run(Errand::Write { path, what, text }),
                Effect::Remember(task) => self.remember(task),
                Effect::Compose(text) => self.compose(&text)?,
                Effect::Mouse(on) => self.guard.set_mouse(on)?,
                Effect::Theme(name) => self.change_theme(&name)?,
                Effect::Reload => self.reload()?,
                Effect::Suspend => self.suspend()?,
                Effect::Redraw => self.forget_frame()?,
                Effect::Quit => return Ok(Some(Ended::Quit)),
            }
        }
        Ok(None)
    }

    fn edit(&mut self, file: &str, line: usize) -> Result<()> {
        let Some(path) = inside(&self.root, file) else {
            self.model.show_error("this file lies outside the repository");
            return Ok(());
        };
        self.guard.leave()?;
        let edited = editor::open(&self.editor(), &path, line);
        self.resume()?;
        match edited {
            Ok(()) => self.workers.index(),
            Err(error) => self.model.show_error(error),
        }
        Ok(())
    }

    fn editor(&self) -> String {
        editor::chosen(self.model.settings.editor.as_deref(), &self.sources.lookup)
    }

    /// Puts a text where the user can paste it, by the way that fits this session.
    fn copy(&mut self, what: String, text: &str) -> Result<()> {
        let text = clipboard::clean(text);
        let route = self.model.clipboard;
        match route {
            Route::Osc52 => {
                let out = self.screen.backend_mut();
                out.write_all(clipboard::sequence(&text).as_bytes())?;
                Write::flush(out)?;
                let told = route.told(&what, text.len());
                self.act(Action::Report(Report::OutputDone(Ok(told))))?;
            }
            Route::Tmux | Route::System => self.errands.run(Errand::Copy { route, what, text }),
        }
        Ok(())
    }

    fn change_theme(&mut self, name: &str) -> Result<()> {
        let (skin, complaint) = self.sources.skin(Some(name), &self.model.settings).map_err(|error| anyhow!(error))?;
        match complaint {
            Some(complaint) => self.model.show_error(complaint),
            None => self.model.skin = skin,
        }
        self.model.dirty = true;
        Ok(())
    }

    /// Reads the settings again; whatever can't be read stays as it is.
    fn reload(&mut self) -> Result<()> {
        let settings = self.sources.load().map_err(|error| anyhow!(error))?;
        let fine = settings.complaints.is_empty();
        self.act(Action::Configured(Box::new(settings)))?;
        if fine {
            self.model.show_message("the settings are read again");
        }
        Ok(())
    }

    /// Adds a task to the history's file.
    fn remember(&self, task: String) {
        if let Some(file) = self.sources.history() {
            self.errands.run(Errand::Remember { file, task });
        }
    }

    /// Lets the user write the task in their editor.
    fn compose(&mut self, text: &str) -> Result<()> {
        self.guard.leave()?;
        let composed = editor::compose(&self.editor(), text);
        self.resume()?;
        self.act(Action::Composed(composed))?;
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
