//! The event loop on the real terminal: handles events, carries out effects, and draws a frame after a change.

mod editing;
mod input;
mod replies;
mod signals;
mod translate;

use std::io::{BufWriter, Write, stderr, stdout};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};
use ratatui::backend::{Backend as _, CrosstermBackend};
use ratatui::crossterm::style::force_color_output;
use ratatui::crossterm::terminal::{BeginSynchronizedUpdate, EndSynchronizedUpdate};
use ratatui::crossterm::{execute, queue};
use ratatui::layout::{Position, Rect, Size};
use ratatui::{Terminal, TerminalOptions, Viewport};
use signal_hook::consts::{SIGCONT, SIGTSTP, SIGUSR1, SIGWINCH};
use signal_hook::low_level::emulate_default_handler;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::action::{self, Action, Event, Report};
use super::appearance::{self, Background};
use super::backend::Backend;
use super::clipboard::{self, Route};
use super::demo::{self, Demo, Play};
use super::editor::OpenFiles;
use super::effect::Effect;
use super::links::{self, Links};
use super::model::Model;
use super::roots::Roots;
use super::screen::{Screen, drawn_size};
use super::session::{SavedTask, SessionFolder};
use super::settings::SettingsLoader;
use super::terminal::{self, TerminalGuard};
use super::update::update;
use super::user_dirs::UserDirs;
use super::view::view_with_links;
use super::worker::output::{self, OutputJob, OutputWorker};
use super::worker::{Workers, timer_runtime};
use input::read_terminal;
use signals::{end_by, watch_signals};

/// Start options of the explorer.
#[derive(Debug, Clone)]
pub struct Options {
    /// The initial task; may be empty.
    pub task: String,
    pub budget_tokens: usize,
    /// Whether to draw colors.
    pub color: bool,
    /// The name of a theme; `None` takes it from the environment or the settings.
    pub theme: Option<String>,
    /// The folders of the user's settings and history; `None` uses neither.
    pub user_dirs: Option<UserDirs>,
    /// Whether to capture the mouse; false overrides the settings.
    pub mouse: bool,
    /// Whether to start over instead of the last session.
    pub fresh: bool,
    /// Whether to play the demonstration.
    pub demo: bool,
}

/// The shortest time from a frame to the second after it. The response to a key often comes just after the frame that
/// shows the key, and is drawn at once; the frame after these two waits.
const MIN_TWO_FRAMES: Duration = Duration::from_millis(16);

/// Runs the explorer until the user quits. A deadly signal takes effect after the terminal is restored.
///
/// # Errors
/// When there is no terminal, when it is lost, or when a default theme cannot be parsed.
pub fn run(backend: Arc<dyn Backend>, options: Options) -> Result<()> {
    if !Screen::is_available() {
        bail!("the explorer needs a terminal; `knowing context` prints a list without one");
    }
    let loader = SettingsLoader {
        user_dirs: options.user_dirs,
        color: options.color,
        theme: options.theme,
        mouse: options.mouse,
        background: None,
        lookup: |name| std::env::var(name).ok(),
    };
    let mut settings = loader.load()?;
    // crossterm reads NO_COLOR itself; the caller has already decided.
    force_color_output(options.color);
    terminal::restore_on_panic();
    let (events, inbox) = unbounded_channel();
    watch_signals(events.clone())?;
    let guard = TerminalGuard::new(settings.config.mouse, terminal::has_keyboard_protocol(&loader.lookup))
        .context("cannot set up the terminal")?;
    let permits = read_terminal(events.clone())?;
    let report = move |report| {
        // The receiver is gone once the explorer has ended.
        let _disconnected = events.send(Event::Report(Box::new(report)));
    };
    let output = output::start({
        let report = report.clone();
        move |result| report(Report::OutputDone(result))
    })?;
    let roots = backend.roots();
    let workers = Workers::start(backend, report)?;
    let backend = CrosstermBackend::new(BufWriter::with_capacity(1 << 16, Screen));
    let size = drawn_size(backend.size()?);
    let viewport = Viewport::Fixed(Rect::from((Position::ORIGIN, size)));
    let screen = Terminal::with_options(backend, TerminalOptions { viewport })?;
    let mut model = Model::new(options.task, options.budget_tokens, settings.appearance.clone(), size);
    let folder = loader.session_folder(&roots.identity());
    if let Some(folder) = &folder {
        settings.config_errors.extend(folder.resume(&mut model, options.fresh));
    }
    model.clipboard = clipboard::detect_route(&loader.lookup);
    model.folder = std::env::current_dir().map(|folder| roots.below(&folder)).unwrap_or_default();
    let mut session = Session {
        guard,
        screen,
        model,
        workers,
        output,
        links: Links::new(roots.absolute(), &loader.lookup),
        loader,
        folder,
        permits,
        roots,
        open_files: OpenFiles::default(),
        drawn: [None; 2],
        demo: options.demo.then(Demo::default),
    };
    session.act(Action::Configured(Box::new(settings)))?;
    session.watch_background()?;
    let ended = timer_runtime()?.block_on(session.drive(inbox));
    let printed = session.model.export.printed.take();
    let saved = session.folder.as_ref().map_or(Ok(()), |folder| folder.save(&mut session.model));
    Screen::end();
    drop(session);
    report_end(saved, printed)?;
    match ended? {
        Ended::Quit => Ok(()),
        Ended::Signal(signal) => end_by(signal),
    }
}

/// Reports, in the restored terminal, that the session was not saved, and prints what the user wants printed.
fn report_end<E: std::fmt::Display>(saved: Result<(), E>, printed: Option<String>) -> Result<()> {
    if let Err(error) = saved {
        // Standard error may be the terminal that was lost.
        let _lost = writeln!(stderr(), "knowing: cannot save the session: {error}");
    }
    printed.map_or(Ok(()), |text| print(&text))
}

/// Prints to standard output. A closed pipe, as after `head`, is not an error.
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
    guard: TerminalGuard,
    screen: Terminal<CrosstermBackend<BufWriter<Screen>>>,
    model: Model,
    workers: Workers,
    output: OutputWorker,
    loader: SettingsLoader,
    /// The folder with session, trails and history of the repository; `None` without a home folder.
    folder: Option<SessionFolder>,
    /// Each permit lets the input thread read one batch, so that it does not read while an editor has the terminal.
    permits: UnboundedSender<()>,
    links: Links,
    roots: Roots,
    open_files: OpenFiles,
    /// The times of the last two frames, the older one first.
    drawn: [Option<Instant>; 2],
    /// The demonstration, while it plays.
    demo: Option<Demo>,
}

impl Session {
    async fn drive(&mut self, mut inbox: UnboundedReceiver<Event>) -> Result<Ended> {
        loop {
            let wake = self.draw_if_due()?;
            let mut next = tokio::select! {
                biased;
                event = inbox.recv() => Some(event.context("the event queue is disconnected")?),
                () = sleep_until(wake) => None,
            };
            while let Some(event) = next {
                if let Some(ended) = self.handle(event)? {
                    return Ok(ended);
                }
                next = inbox.try_recv().ok();
            }
            if let Some(ended) = self.act(Action::Tick)? {
                return Ok(ended);
            }
            self.play()?;
        }
    }

    /// Draws after a change, at a limited rate. Returns when to wake next.
    fn draw_if_due(&mut self) -> Result<Option<Instant>> {
        let deadline = self.deadline();
        if !self.model.dirty {
            return Ok(deadline);
        }
        let due = self.drawn[0].map(|drawn| drawn + MIN_TWO_FRAMES).filter(|due| *due > Instant::now());
        if let Some(due) = due {
            return Ok(Some(deadline.map_or(due, |deadline| deadline.min(due))));
        }
        self.draw().context("can't draw on the terminal")?;
        Ok(self.deadline())
    }

    /// Returns when the model or the demonstration goes on by itself.
    fn deadline(&self) -> Option<Instant> {
        let demo = self.demo.as_ref().and_then(|demo| demo.due(&self.model));
        self.model.deadline().into_iter().chain(demo).min()
    }

    /// Plays what the demonstration does now.
    fn play(&mut self) -> Result<()> {
        match self.demo.as_mut().and_then(|demo| demo.play(&self.model, Instant::now())) {
            Some(Play::Say(sentence)) => self.say(sentence),
            Some(Play::Paste(text)) => {
                self.act(Action::Paste(text.to_owned()))?;
            }
            Some(Play::Press(keys)) => {
                for key in keys {
                    self.act(action::press(&self.model, key))?;
                }
            }
            Some(Play::End) => self.end_demo(),
            None => {}
        }
        Ok(())
    }

    fn end_demo(&mut self) {
        self.demo = None;
        self.say(demo::END);
    }

    fn say(&mut self, sentence: &str) {
        self.model.show_message(sentence);
        self.model.dirty = true;
    }

    fn draw(&mut self) -> Result<()> {
        let size = self.size()?;
        if size != self.model.size {
            self.screen.resize(Rect::from((Position::ORIGIN, size)))?;
            self.act(Action::Resize(size))?;
            self.links.forget();
        }
        queue!(self.screen.backend_mut(), BeginSynchronizedUpdate)?;
        let model = &self.model;
        let mut shown = Vec::new();
        let frame = self.screen.draw(|frame| shown = view_with_links(model, frame))?;
        if !model.settings.links {
            shown.clear();
        }
        let changed = self.links.update(frame.buffer, &shown);
        links::write(self.screen.backend_mut(), &changed)?;
        execute!(self.screen.backend_mut(), EndSynchronizedUpdate)?;
        self.model.dirty = false;
        self.drawn = [self.drawn[1], Some(Instant::now())];
        Ok(())
    }

    fn handle(&mut self, event: Event) -> Result<Option<Ended>> {
        match event {
            Event::Terminal(mut batch) => {
                if self.demo.is_some() && batch.iter().any(action::is_by_user) {
                    self.end_demo();
                    batch.retain(|event| !action::is_by_user(event));
                }
                for event in batch {
                    let action = action::translate(&self.model, event);
                    if let Some(ended) = action.map(|action| self.act(action)).transpose()?.flatten() {
                        return Ok(Some(ended));
                    }
                }
                self.permits.send(())?;
                Ok(None)
            }
            Event::Background(background) => self.background_changed(background).map(|()| None),
            Event::TerminalLost(reason) => Err(anyhow!("lost the terminal: {reason}")),
            Event::Signal(SIGTSTP) => self.suspend().map(|()| None),
            Event::Signal(SIGCONT) => self.resume().map(|()| None),
            Event::Signal(SIGUSR1) => self.reload().map(|()| None),
            // crossterm loses a resize that arrives together with a key or a mouse event.
            Event::Signal(SIGWINCH) => {
                self.model.dirty |= self.size()? != self.model.size;
                Ok(None)
            }
            Event::Signal(signal) => Ok(Some(Ended::Signal(signal))),
            Event::Report(report) => {
                let is_indexed = matches!(&*report, Report::Indexed(Ok(indexed)) if indexed.changed);
                let ended = self.act(Action::Report(*report))?;
                if is_indexed && ended.is_none() {
                    self.report_edits(true)?;
                }
                Ok(ended)
            }
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
                Effect::Edit { file, line } => self.edit(&[(file, line)])?,
                Effect::EditMarked(locations) => self.edit(&locations)?,
                Effect::Copy { what, text } => self.copy(what, &text)?,
                Effect::Write { path, what, text } => self.output.send(OutputJob::WriteFile { path, what, text }),
                Effect::Remember(task) => self.remember(task),
                Effect::SaveTrail { name, trail } => self.save_trail(name, trail),
                Effect::Compose(text) => self.compose(&text)?,
                Effect::Mouse(on) => self.guard.set_mouse(on)?,
                Effect::Theme(name) => self.change_theme(&name)?,
                Effect::Reload => self.reload()?,
                Effect::Suspend => self.suspend()?,
                Effect::Redraw => self.invalidate_frame()?,
                Effect::Quit => return Ok(Some(Ended::Quit)),
            }
        }
        Ok(None)
    }

    /// Copies a text to the clipboard of this session.
    fn copy(&mut self, what: String, text: &str) -> Result<()> {
        let text = clipboard::sanitize(text);
        let route = self.model.clipboard;
        match route {
            // The demonstration leaves the user's clipboard alone.
            _ if self.demo.is_some() => {
                self.act(Action::Report(Report::OutputDone(Ok(route.copied_message(&what, text.len())))))?;
            }
            Route::Osc52 => {
                let out = self.screen.backend_mut();
                out.write_all(clipboard::sequence(&text).as_bytes())?;
                Write::flush(out)?;
                let message = route.copied_message(&what, text.len());
                self.act(Action::Report(Report::OutputDone(Ok(message))))?;
            }
            Route::Tmux | Route::System => self.output.send(OutputJob::Copy { route, what, text }),
        }
        Ok(())
    }

    fn change_theme(&mut self, name: &str) -> Result<()> {
        let (appearance, config_error) = self.loader.appearance(Some(name), &self.model.settings)?;
        match config_error {
            Some(config_error) => self.model.show_error(config_error),
            None => self.model.appearance = appearance,
        }
        self.model.dirty = true;
        self.watch_background()
    }

    /// Asks for the background, and for reports of its changes, while the theme follows it. The answer is an event.
    fn watch_background(&mut self) -> Result<()> {
        Ok(self.guard.set_background_reports(self.model.appearance.follows_background)?)
    }

    fn background_changed(&mut self, background: Background) -> Result<()> {
        let is_new = self.loader.background.replace(background) != Some(background);
        if is_new && self.model.appearance.follows_background {
            self.change_theme(appearance::AUTO)?;
        }
        Ok(())
    }

    /// Reloads the settings; invalid ones keep their defaults.
    fn reload(&mut self) -> Result<()> {
        let settings = self.loader.load()?;
        let is_valid = settings.config_errors.is_empty();
        self.act(Action::Configured(Box::new(settings)))?;
        self.watch_background()?;
        if is_valid {
            self.model.show_message("settings reloaded");
        }
        Ok(())
    }

    /// Appends a task to the history file.
    fn remember(&self, task: String) {
        if let Some(folder) = &self.folder {
            self.output.send(OutputJob::AppendHistory { file: folder.history(), task });
            self.save_session(folder.clone());
        }
    }

    /// Saves a trail, or deletes it.
    fn save_trail(&mut self, name: String, trail: Option<Box<SavedTask>>) {
        match self.folder.clone() {
            Some(folder) => {
                self.output.send(OutputJob::SaveTrail { folder: folder.clone(), name, trail });
                self.save_session(folder);
            }
            None => self.model.show_error("no home folder: the trail is kept for this session only"),
        }
    }

    /// Saves what a session resumes, so that a killed explorer loses neither task nor trail.
    fn save_session(&self, folder: SessionFolder) {
        self.output.send(OutputJob::SaveSession { folder, task: Box::new(SavedTask::from_model(&self.model)) });
    }

    /// Restores the terminal and stops the process until the shell continues it.
    fn suspend(&mut self) -> Result<()> {
        self.guard.leave()?;
        emulate_default_handler(SIGTSTP)?;
        self.resume()
    }

    fn resume(&mut self) -> Result<()> {
        self.guard.enter()?;
        self.invalidate_frame()?;
        self.model.dirty = true;
        Ok(())
    }

    /// Makes the next frame draw every cell. `Terminal::clear` would query the cursor position and wait for a response
    /// that may never come.
    fn invalidate_frame(&mut self) -> Result<()> {
        self.links.forget();
        let size = self.size()?;
        Ok(self.screen.resize(Rect::from((Position::ORIGIN, size)))?)
    }

    /// Returns the size of what is drawn.
    fn size(&self) -> Result<Size> {
        Ok(drawn_size(self.screen.size()?))
    }
}

/// Sleeps until `wake`, or forever if it is `None`.
async fn sleep_until(wake: Option<Instant>) {
    match wake {
        Some(wake) => tokio::time::sleep_until(wake.into()).await,
        None => std::future::pending().await,
    }
}
