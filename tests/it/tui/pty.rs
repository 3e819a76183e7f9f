//! A pseudo-terminal that runs the explorer. Tests wait for contents of its screen, never for a fixed time.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use vt100::{Callbacks, MouseProtocolMode, Parser, Screen};

/// Long enough for a busy machine; only a failing test waits so long.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The effects of escape sequences that `vt100` does not track.
#[derive(Default)]
struct Effects {
    /// The text last copied with OSC 52.
    clipboard: Option<String>,
    /// The number of finished synchronized updates, one for each frame.
    frames: usize,
    /// Whether the background color was queried, and whether reports of its changes are on.
    asked_background: bool,
    reports_background: bool,
    /// The number of times that the keyboard flags of kitty's protocol were set and not undone.
    keyboard: isize,
}

impl Callbacks for Effects {
    fn copy_to_clipboard(&mut self, _: &mut Screen, _: &[u8], base64: &[u8]) {
        self.clipboard = Some(String::from_utf8(STANDARD.decode(base64).unwrap()).unwrap());
    }

    fn unhandled_csi(&mut self, _: &mut Screen, mark: Option<u8>, _: Option<u8>, parameters: &[&[u16]], end: char) {
        self.frames += usize::from((mark, parameters, end) == (Some(b'?'), &[&[2026]], 'l'));
        if (mark, parameters) == (Some(b'?'), &[&[2031]]) {
            self.reports_background = end == 'h';
        }
        self.keyboard += match (mark, end) {
            (Some(b'>'), 'u') => 1,
            (Some(b'<'), 'u') => -1,
            _ => 0,
        };
    }

    fn unhandled_osc(&mut self, _: &mut Screen, parameters: &[&[u8]]) {
        self.asked_background |= parameters == [&b"11"[..], b"?"];
    }
}

/// The child, which only a failed test leaves running.
struct Killed(Box<dyn Child + Send + Sync>);

impl Drop for Killed {
    fn drop(&mut self) {
        let _ended_already = self.0.kill();
    }
}

pub struct Pty {
    master: Box<dyn MasterPty + Send>,
    child: Killed,
    writer: Box<dyn Write + Send>,
    parser: Arc<Mutex<Parser<Effects>>>,
    /// The settings of the terminal before the explorer changed them.
    settings: String,
    // Kept open so that the settings can be read after the child has ended.
    _slave: Box<dyn portable_pty::SlavePty + Send>,
    /// Reads what the child writes, until it is asked to end.
    reading: thread::JoinHandle<()>,
    is_closing: Arc<AtomicBool>,
}

impl Pty {
    /// Starts this test binary in the given role.
    pub fn start(role: &str, columns: u16, rows: u16) -> Pty {
        let mut command = CommandBuilder::new(std::env::current_exe().unwrap());
        command.args(["--exact", "tui::child", "--nocapture"]);
        command.cwd(std::env::current_dir().unwrap());
        command.env(super::ROLE, role);
        command.env("VISUAL", "false");
        Pty::run(command, columns, rows)
    }

    /// Starts the program in `folder/repository`, with its data and settings in `folder` too. The environment is that
    /// of SSH, so that copies go to this terminal, and the editor does nothing.
    pub fn program(folder: &Path, columns: u16, rows: u16) -> Pty {
        Pty::command(folder, &["tui"], columns, rows)
    }

    /// Starts a command of the program in the same way.
    pub fn command(folder: &Path, arguments: &[&str], columns: u16, rows: u16) -> Pty {
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_knowing"));
        command.args(arguments);
        Pty::run_in(folder, command, columns, rows)
    }

    /// Starts the program in the same way, with its standard output redirected to `folder/captured`.
    pub fn captured(folder: &Path, columns: u16, rows: u16) -> Pty {
        let mut command = CommandBuilder::new("sh");
        command.args(["-c", r#"exec "$0" > ../captured"#, env!("CARGO_BIN_EXE_knowing")]);
        Pty::run_in(folder, command, columns, rows)
    }

    fn run_in(folder: &Path, mut command: CommandBuilder, columns: u16, rows: u16) -> Pty {
        command.cwd(folder.join("repository"));
        for (name, child) in [("XDG_CONFIG_HOME", "config"), ("XDG_STATE_HOME", "state")] {
            command.env(name, folder.join(child));
        }
        command.env_remove("KNOWING_HOME");
        command.env("XDG_DATA_HOME", crate::cli::data_home(folder));
        command.env("HOME", folder);
        command.env("SSH_TTY", "/dev/pts/1");
        command.env("SSH_CONNECTION", "192.0.2.1 50000 192.0.2.2 22");
        command.env("VISUAL", "true");
        Pty::run(command, columns, rows)
    }

    fn run(mut command: CommandBuilder, columns: u16, rows: u16) -> Pty {
        let size = PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let settings = settings(&*pair.master);
        for (name, value) in [("TERM", "xterm-256color"), ("LANG", "C.UTF-8")] {
            command.env(name, value);
        }
        for name in ["NO_COLOR", "TMUX", "LC_ALL", "LC_CTYPE", "KNOWING_GLYPHS", "KNOWING_THEME"] {
            command.env_remove(name);
        }
        let child = Killed(pair.slave.spawn_command(command).unwrap());
        let mut reader = pair.master.try_clone_reader().unwrap();
        let parser =
            Arc::new(Mutex::new(Parser::new_with_callbacks(cells(rows), cells(columns), 0, Effects::default())));
        let screen = parser.clone();
        let is_closing = Arc::new(AtomicBool::new(false));
        let closing = is_closing.clone();
        let reading = thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                screen.lock().unwrap().process(&bytes[..count]);
                if closing.load(Ordering::SeqCst) {
                    return;
                }
            }
        });
        let writer = pair.master.take_writer().unwrap();
        Pty { master: pair.master, child, writer, parser, settings, _slave: pair.slave, reading, is_closing }
    }

    /// Sends these bytes.
    pub fn press(&mut self, keys: &str) {
        self.writer.write_all(keys.as_bytes()).unwrap();
        self.writer.flush().unwrap();
    }

    /// Waits until the screen contains `text`.
    pub fn wait_for(&self, text: &str) {
        self.wait_until(text, |screen| screen.contents().contains(text));
    }

    /// Waits until the screen is as expected.
    pub fn wait_until(&self, what: &str, expected: impl Fn(&Screen) -> bool) {
        self.wait(what, |parser| expected(parser.screen()).then_some(()));
    }

    /// Waits for a copy to the clipboard of the terminal, and returns it.
    pub fn take_clipboard(&self) -> String {
        self.wait("a copy", |parser| parser.callbacks_mut().clipboard.take())
    }

    /// Waits until `look` returns a value.
    fn wait<T>(&self, what: &str, mut look: impl FnMut(&mut Parser<Effects>) -> Option<T>) -> T {
        let start = Instant::now();
        while start.elapsed() < TIMEOUT {
            if let Some(found) = look(&mut self.parser.lock().unwrap()) {
                return found;
            }
            thread::sleep(Duration::from_millis(2));
        }
        panic!("timeout waiting for {what:?}:\n{}", self.contents());
    }

    /// Returns the text of the screen.
    pub fn contents(&self) -> String {
        self.parser.lock().unwrap().screen().contents()
    }

    /// Returns whether the background color was queried, and whether reports of its changes are on.
    pub fn background_queries(&self) -> (bool, bool) {
        let parser = self.parser.lock().unwrap();
        (parser.callbacks().asked_background, parser.callbacks().reports_background)
    }

    /// Waits until a cell in the middle of the screen has this background.
    pub fn wait_for_background(&self, color: vt100::Color) {
        self.wait_until("the background", |screen| screen.cell(5, 5).is_some_and(|cell| cell.bgcolor() == color));
    }

    /// Returns the number of frames drawn.
    pub fn frames(&self) -> usize {
        self.parser.lock().unwrap().callbacks().frames
    }

    /// Waits until more than `before` frames are drawn. Returns the exit code if the child ends instead.
    pub fn next_frame(&mut self, before: usize) -> Option<u32> {
        match self.frame_or_exit(before, TIMEOUT) {
            Some(end) => end,
            None => panic!("timeout waiting for a frame or the end:\n{}", self.contents()),
        }
    }

    /// Presses keys repeatedly until the child has ended, and returns its exit code. crossterm delays a key that
    /// arrives together with a resize until the next key.
    pub fn press_until_it_ends(&mut self, keys: &str) -> u32 {
        for _ in 0..TIMEOUT.as_secs() {
            self.press(keys);
            if let Some(Some(exit_code)) = self.frame_or_exit(usize::MAX, Duration::from_secs(1)) {
                return exit_code;
            }
        }
        panic!("{keys:?} does not end it:\n{}", self.contents());
    }

    /// Waits for a frame, or the exit code of the child. Returns `None` on timeout.
    fn frame_or_exit(&mut self, before: usize, timeout: Duration) -> Option<Option<u32>> {
        let start = Instant::now();
        while start.elapsed() < timeout {
            if let Some(status) = self.child.0.try_wait().unwrap() {
                return Some(Some(status.exit_code()));
            }
            if self.frames() > before {
                return Some(None);
            }
            thread::sleep(Duration::from_millis(2));
        }
        None
    }

    pub fn uses_alternate_screen(&self) -> bool {
        self.parser.lock().unwrap().screen().alternate_screen()
    }

    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.parser.lock().unwrap().screen_mut().set_size(cells(rows), cells(columns));
        self.master.resize(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }).unwrap();
    }

    /// Changes the size that the terminal reports, not that of the screen here.
    pub fn claim_size(&self, columns: u16, rows: u16) {
        self.master.resize(PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }).unwrap();
    }

    /// Returns the most memory that the child has used.
    pub fn peak_memory_kib(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.0.process_id().unwrap())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        peak.trim().trim_end_matches(" kB").parse().unwrap()
    }

    /// Takes the terminal away, as a closed window does. Returns how the child ended.
    pub fn lose(self) -> ExitStatus {
        let Pty { master, mut child, mut writer, _slave, reading, is_closing, .. } = self;
        is_closing.store(true, Ordering::SeqCst);
        // What this key draws ends the thread, which has the terminal open, too.
        writer.write_all(b"x").unwrap();
        reading.join().unwrap();
        drop((master, writer, _slave));
        child.0.wait().unwrap()
    }

    /// Sends a signal by its name.
    pub fn signal(&self, name: &str) {
        let process = self.child.0.process_id().unwrap().to_string();
        assert!(Command::new("kill").args([format!("-{name}"), process]).status().unwrap().success());
    }

    /// Changes a setting of the terminal without the program.
    pub fn stty(&self, setting: &str) {
        let terminal = std::fs::File::open(self.master.tty_name().unwrap()).unwrap();
        assert!(Command::new("stty").arg(setting).stdin(terminal).status().unwrap().success());
    }

    /// Waits for the child and returns its exit code.
    pub fn exit_code(&mut self) -> u32 {
        self.next_frame(usize::MAX).unwrap()
    }

    /// Waits until the terminal is restored.
    pub fn expect_restored(&mut self) {
        self.exit_code();
        self.wait_until("a restored terminal", |screen| {
            !screen.alternate_screen()
                && !screen.hide_cursor()
                && !screen.bracketed_paste()
                && screen.mouse_protocol_mode() == MouseProtocolMode::None
        });
        assert_eq!(settings(&*self.master), self.settings);
        assert_eq!(self.parser.lock().unwrap().callbacks().keyboard, 0, "the keyboard flags are undone");
    }
}

fn settings(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios())
}

fn cells(count: u16) -> NonZero<u16> {
    NonZero::new(count).unwrap()
}
