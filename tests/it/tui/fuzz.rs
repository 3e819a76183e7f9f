//! Random keys, pastes, resizes and clicks on the program, as a terminal sends them: it never panics, its store stays
//! intact, and it always restores the terminal.
//!
//! `KNOWING_FUZZ` sets the number of events, `KNOWING_FUZZ_SEED` the seed, which also selects the first of six sizes.
//! `KNOWING_FUZZ_MAX_MS` sets the longest time that an answer to a burst may take.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::pty::Pty;
use super::session::shop;
use crate::cli::{code, program, stderr};

/// The default number of events.
const DEFAULT_EVENTS: u64 = 300;
/// The mean number of events after which the program must draw.
const BURST: usize = 6;
/// The number of bytes after which it must draw, so that the buffer of the terminal never fills up.
const MAX_BURST_BYTES: usize = 2_000;

/// Sizes of the terminal, from unusable to a wide screen.
const SIZES: [(u16, u16); 7] = [(120, 40), (1, 1), (3, 2), (40, 10), (80, 24), (200, 60), (300, 20)];

/// Letters and control characters that are bound somewhere, without those that quit.
const LETTERS: &str = "\r\t\u{7f}  jjjkkGhlnN+-=xuKZ<>dDasS/*:?reiiHL(){}t1234567é漢\u{202e}\u{1}\u{2}\u{4}\u{5}\u{6}\u{b}\
                       \u{c}\u{e}\u{f}\u{10}\u{12}\u{14}\u{15}\u{17}\u{19}";
/// Escape sequences of other keys.
const KEYS: &str = "\u{1b} \u{1b}[A \u{1b}[B \u{1b}[C \u{1b}[D \u{1b}[H \u{1b}[F \u{1b}[3~ \u{1b}[5~ \u{1b}[6~ \u{1b}[Z \
                    \u{1b}OP \u{1b}OQ \u{1b}b \u{1b}1 \u{1b}\r \u{1b}[1;5C \u{1b}[25~ e\u{301}";
/// The escape key in the encoding that is not a prefix of another sequence. It leaves text fields.
const ESCAPE: &str = "\u{1b}[27u";
/// Key sequences of commands.
const SEQUENCES: &str =
    "gg gc gp gb go gv gd gr gs ff fc fx zz ma 'a yy yl ys yx yp yg yj yc ye yw gb\r gp\t\r /ses b900\r";
/// Words of tasks, one of which matches a concept, and a command.
const WORDS: &[&str] =
    &["session ", "expires ", "ring up ", "visitors ", "cart ", "no such thing ", ":app.theme light\r"];
/// Parts of pasted text, with control characters.
const PIECES: &[&str] = &["session", " ", "\r\n", "漢字", "e\u{301}", "\u{1b}[31m", "\0", "🙂", "\u{202e}", "\t"];
/// Keys that quit.
const ENDS: &[&str] = &["q", "Q", "\u{3}", "yo"];

#[test]
fn random_input_does_not_panic() {
    let number = |name: &str, default| std::env::var(name).ok().map_or(default, |number| number.parse().unwrap());
    let events = number("KNOWING_FUZZ", DEFAULT_EVENTS);
    let mut fuzz = Fuzz::new(number("KNOWING_FUZZ_SEED", 1));
    for _ in 0..events {
        fuzz.event();
    }
    fuzz.leave();
    let (starts, frames, slowest) = (fuzz.starts, fuzz.frames, fuzz.slowest.as_millis());
    println!("{events} events, {starts} starts, {frames} frames, slowest answer {slowest} ms");
}

struct Fuzz {
    folder: TempDir,
    pty: Pty,
    /// The state of splitmix64.
    state: u64,
    columns: u16,
    rows: u16,
    /// Events since the last frame that was waited for.
    burst: Vec<String>,
    starts: usize,
    /// Frames of the processes that have ended.
    frames: usize,
    /// The longest time that the program took to draw after a burst.
    slowest: Duration,
    /// The longest time that it may take.
    max_answer: Duration,
}

impl Drop for Fuzz {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("the last events at {} x {}: {:?}", self.columns, self.rows, self.burst);
        }
    }
}

impl Fuzz {
    fn new(seed: u64) -> Fuzz {
        let folder = shop();
        let mut pty = Pty::program(folder.path(), 120, 40);
        pty.wait_for("what do you want to do?");
        let (columns, rows) = SIZES[(seed as usize + SIZES.len() - 1) % SIZES.len()];
        pty.resize(columns, rows);
        let max_answer = std::env::var("KNOWING_FUZZ_MAX_MS").ok().map_or(u64::MAX, |number| number.parse().unwrap());
        Fuzz {
            folder,
            pty,
            state: seed,
            columns,
            rows,
            burst: Vec::new(),
            starts: 1,
            frames: 0,
            slowest: Duration::ZERO,
            max_answer: Duration::from_millis(max_answer),
        }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("repository")
    }

    fn event(&mut self) {
        match self.below(1_000) {
            0..370 => self.letter(),
            370..500 => self.one_of(&KEYS.split(' ').collect::<Vec<_>>()),
            500..620 => self.press(ESCAPE.to_owned()),
            620..750 => self.one_of(&SEQUENCES.split(' ').collect::<Vec<_>>()),
            750..830 => self.one_of(WORDS),
            830..880 => self.paste(),
            880..930 => self.mouse(),
            930..980 => self.resize(),
            980..990 => self.change_a_file(),
            990..997 => self.one_of(&["\u{1b}[99;99;99~", "\u{1b}[201~", "\u{1b}]0;x\u{7}", "\u{1b}[?1;2c"]),
            _ => self.one_of(ENDS),
        }
        if self.below(BURST) == 0 || self.burst.iter().map(String::len).sum::<usize>() > MAX_BURST_BYTES {
            self.settle();
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % limit as u64) as usize
    }

    fn letter(&mut self) {
        let letters: Vec<char> = LETTERS.chars().collect();
        let letter = letters[self.below(letters.len())];
        self.press(letter.to_string());
    }

    fn one_of(&mut self, keys: &[&str]) {
        let keys = keys[self.below(keys.len())];
        self.press(keys.to_owned());
    }

    fn press(&mut self, keys: String) {
        self.pty.press(&keys);
        self.burst.push(keys);
    }

    fn paste(&mut self) {
        let pieces = if self.below(20) == 0 { 1_000 } else { self.below(12) };
        let text: String = (0..pieces).map(|_| PIECES[self.below(PIECES.len())]).collect();
        self.press(format!("\u{1b}[200~{text}\u{1b}[201~"));
    }

    fn mouse(&mut self) {
        // Press and release of the left button, the right button, the wheel in both directions, and a move.
        let (button, end) = [("0", "M"), ("0", "m"), ("2", "M"), ("64", "M"), ("65", "M"), ("35", "M")][self.below(6)];
        // Some are outside of a terminal that has shrunk meanwhile.
        let (column, row) = (1 + self.below(self.columns as usize + 3), 1 + self.below(self.rows as usize + 3));
        self.press(format!("\u{1b}[<{button};{column};{row}{end}"));
    }

    fn resize(&mut self) {
        let random = (1 + self.below(300) as u16, 1 + self.below(70) as u16);
        let (columns, rows) = if self.below(2) == 0 { SIZES[self.below(SIZES.len())] } else { random };
        (self.columns, self.rows) = (columns, rows);
        self.pty.resize(columns, rows);
        self.burst.push(format!("{columns} x {rows}"));
    }

    /// Writes or deletes a file of the repository.
    fn change_a_file(&mut self) {
        let file = self.root().join("shop/extra.py");
        if self.below(3) == 0 {
            // It may not exist.
            let _missing = fs::remove_file(&file);
        } else {
            fs::write(&file, format!("def session_{}():\n    return 1\n", self.below(9))).unwrap();
        }
        self.burst.push("a file changes".to_owned());
    }

    /// Resizes the terminal and waits for a frame. If the program has ended instead, checks that it did so regularly
    /// and starts it again.
    fn settle(&mut self) {
        let before = self.pty.frames();
        self.columns = if self.columns > 100 { self.columns - 1 } else { self.columns + 1 };
        let start = Instant::now();
        self.pty.resize(self.columns, self.rows);
        match self.pty.next_frame(before) {
            None => {
                self.slowest = self.slowest.max(start.elapsed());
                assert!(start.elapsed() <= self.max_answer, "no answer for {:?}", start.elapsed());
                let screen = self.pty.contents();
                assert!(!screen.contains(" panicked: "), "a worker panicked:\n{screen}");
            }
            Some(exit_code) => {
                self.expect_regular_exit(exit_code);
                (self.columns, self.rows) = (120, 40);
                self.pty = Pty::program(self.folder.path(), 120, 40);
                self.pty.next_frame(0);
                self.starts += 1;
            }
        }
        self.burst.clear();
    }

    fn expect_regular_exit(&mut self, exit_code: u32) {
        self.pty.expect_restored();
        let screen = self.pty.contents();
        let is_regular = exit_code == 0 && !screen.contains("panicked");
        assert!(is_regular, "ended with {exit_code}:\n{screen}");
        self.frames += self.pty.frames();
    }

    /// Checks that `Esc` leaves everything, that `q` quits and that the store can be used.
    fn leave(&mut self) {
        (self.columns, self.rows) = (100, 30);
        // While an editor has the terminal, the end of a mouse report or a paste can get lost: this ends either.
        self.press("mc\u{1b}[201~".to_owned());
        for _ in 0..10 {
            self.press(ESCAPE.to_owned());
            self.settle();
        }
        self.pty.wait_for("q quit");
        let exit_code = self.pty.press_until_it_ends("q");
        self.expect_regular_exit(exit_code);
        let mut context = program(&self.root(), &["context", "--task", "session expires"]);
        let output = context
            .env("KNOWING_CACHE", "off")
            .env("XDG_DATA_HOME", crate::cli::data_home(self.folder.path()))
            .output()
            .unwrap();
        assert_eq!(code(&output), 0, "{}", stderr(&output));
    }
}
