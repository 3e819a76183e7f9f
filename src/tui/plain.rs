//! The explorer as a conversation: one line in, plain lines out, in the order in which they are to be read.
//!
//! For screen readers, to which boxes and redrawn cells are noise, and for terminals that can't move a cursor. Nothing is
//! ever drawn over; no color, no box, no glyph beyond what the repository's own names have.

use std::io::{self, BufRead, Write};

use super::effect::{TextRequest, Topic};
use super::model::export::{Form, formats};
use super::workspace::{Answer, Finding, Progress, Reader, Workspace};
use crate::model::{ContextPack, Options, PackedSymbol, Request, Task};
use crate::text::display::safe;

/// Symbols told at once; more come when asked for.
const TOLD: usize = 10;

/// What can be said, for `?`.
const HELP: &str = "\
Say what you want to do, in plain words, and hear which symbols matter for it. Or one of:
  a number      the source of that symbol
  why NUMBER    the parts of its score, which sum to it
  more          the next symbols
  budget TOKENS another token budget
  print FORMAT  the whole pack: gcf, json, markdown or xml
  quit          the end; so does the end of input
A task that begins with one of these words is said with a colon before it.";

/// Talks until the input ends or says so.
///
/// # Errors
/// When the output can't be written.
pub fn run(
    workspace: &dyn Workspace,
    task: Task,
    input: &mut dyn BufRead,
    output: &mut (dyn Write + Send),
) -> io::Result<()> {
    let mut talk = Talk { output, reader: None, task, pack: ContextPack::default(), told: 0 };
    match talk.open(workspace) {
        Ok(reader) => talk.reader = Some(reader),
        Err(error) => return writeln!(talk.output, "There is no index to rank with: {}", safe(&error)),
    }
    if matches!(&talk.task.request, Request::Task(words) if words.trim().is_empty()) {
        writeln!(talk.output, "Say what you want to do, or ? for help.")?;
    } else {
        talk.rank()?;
    }
    let mut line = String::new();
    loop {
        write!(talk.output, "> ")?;
        talk.output.flush()?;
        line.clear();
        if input.read_line(&mut line)? == 0 || !talk.hear(workspace, line.trim())? {
            return Ok(());
        }
    }
}

struct Talk<'out> {
    output: &'out mut (dyn Write + Send),
    reader: Option<Box<dyn Reader>>,
    task: Task,
    pack: ContextPack,
    /// Symbols told of the pack.
    told: usize,
}

impl Talk<'_> {
    /// Brings the index up to date, telling each phase once.
    fn open(&mut self, workspace: &dyn Workspace) -> Answer<Box<dyn Reader>> {
        let told = std::sync::Mutex::new((&mut *self.output, ""));
        let progress = |step: Progress| {
            let mut told = told.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if told.1 != step.phase {
                told.1 = step.phase;
                // If nobody reads this, the next line that matters will say so.
                let _unread = writeln!(told.0, "indexing: {}", step.phase);
            }
        };
        let indexed = workspace.index(&progress)?;
        let status = indexed.status;
        let words = format!("{}: {} files, {} symbols.", status.repository, status.files, status.symbols);
        writeln!(self.output, "{}", safe(&words)).map_err(|error| error.to_string())?;
        workspace.reader()
    }

    /// Does what a line says; false ends the conversation.
    fn hear(&mut self, workspace: &dyn Workspace, line: &str) -> io::Result<bool> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let number = |text: &str| text.trim().parse::<usize>().ok();
        match (word, rest) {
            ("", "") => {}
            ("quit" | "exit" | "q", "") => return Ok(false),
            ("?" | "help", "") => writeln!(self.output, "{HELP}")?,
            ("more", "") => self.tell()?,
            ("why", rest) if number(rest).is_some() => self.with(number(rest), Self::why)?,
            ("budget", rest) if number(rest).is_some_and(|tokens| tokens > 0) => {
                self.task.budget_tokens = number(rest).unwrap_or(Task::DEFAULT_BUDGET);
                self.rank()?;
            }
            ("print", format) if formats().contains(&format) => self.print(format)?,
            (word, "") if number(word).is_some() => {
                self.with(number(word), |talk, packed| talk.source(workspace, packed))?;
            }
            _ => {
                self.task.request = Request::Task(line.trim_start_matches(':').trim().to_owned());
                self.rank()?;
            }
        }
        Ok(true)
    }

    fn rank(&mut self) -> io::Result<()> {
        let Some(reader) = &mut self.reader else { return Ok(()) };
        match reader.rank(&self.task, &|| false) {
            Ok(pack) => self.pack = pack.unwrap_or_default(),
            Err(error) => return writeln!(self.output, "Error: {}", safe(&error)),
        }
        self.told = 0;
        if self.pack.symbols.is_empty() {
            return writeln!(self.output, "Nothing in this repository matches. Try the words the code would use.");
        }
        let all = self.pack.symbols.len() + self.pack.omitted.len();
        let (used, budget) = (self.pack.tokens_used, self.pack.budget_tokens);
        writeln!(self.output, "{} of {all} symbols, {used} of {budget} tokens.", self.pack.symbols.len())?;
        self.tell()
    }

    /// The next symbols, those that the budget left out after the others.
    fn tell(&mut self) -> io::Result<()> {
        let all: Vec<&PackedSymbol> = self.pack.symbols.iter().chain(&self.pack.omitted).collect();
        for (place, packed) in all.iter().enumerate().skip(self.told).take(TOLD) {
            let symbol = &packed.symbol;
            let of = if symbol.scope.is_empty() { String::new() } else { format!(" of {}", symbol.scope) };
            let left_out = if place >= self.pack.symbols.len() { ", left out" } else { "" };
            let words = format!(
                "{}. {}{of}, {}, {} line {}, score {:.2}, {} tokens{left_out}",
                place + 1,
                symbol.name,
                symbol.kind.name(),
                symbol.file,
                symbol.span.name_line,
                packed.score,
                packed.tokens
            );
            writeln!(self.output, "{}", safe(&words))?;
        }
        self.told = (self.told + TOLD).min(all.len());
        match all.len() - self.told {
            0 => writeln!(self.output, "That is all."),
            left => writeln!(self.output, "{left} more: say more."),
        }
    }

    fn with(
        &mut self,
        number: Option<usize>,
        tell: impl FnOnce(&mut Self, &PackedSymbol) -> io::Result<()>,
    ) -> io::Result<()> {
        let place = number.and_then(|number| number.checked_sub(1));
        let found = place.and_then(|place| self.pack.symbols.iter().chain(&self.pack.omitted).nth(place)).cloned();
        match found {
            Some(packed) => tell(self, &packed),
            None => writeln!(self.output, "There is no symbol of that number."),
        }
    }

    fn why(&mut self, packed: &PackedSymbol) -> io::Result<()> {
        writeln!(self.output, "{} scores {:.3}:", safe(&packed.symbol.name), packed.score)?;
        for part in &packed.components {
            writeln!(self.output, "  {} {:+.3}", part.name, part.contribution)?;
        }
        Ok(())
    }

    fn source(&mut self, workspace: &dyn Workspace, packed: &PackedSymbol) -> io::Result<()> {
        let symbol = &packed.symbol;
        let bytes = match workspace.source(&symbol.file) {
            Ok(file) => file.bytes,
            Err(error) => return writeln!(self.output, "Error: {}", safe(&error)),
        };
        let text = String::from_utf8_lossy(&bytes);
        let (first, last) = (symbol.span.start_line.max(1) as usize, symbol.span.end_line as usize);
        writeln!(self.output, "{} line {first} to {last}:", safe(&symbol.file))?;
        for line in text.lines().skip(first - 1).take((last + 1).saturating_sub(first)) {
            // Leading blanks say how code is nested; a tab is not made a picture.
            let cells: Vec<_> = line.split('\t').map(safe).collect();
            writeln!(self.output, "{}", cells.join("\t"))?;
        }
        Ok(())
    }

    fn print(&mut self, format: &str) -> io::Result<()> {
        let Some(reader) = &mut self.reader else { return Ok(()) };
        let format = formats().into_iter().find(|known| *known == format).unwrap_or("gcf");
        let form = Form { format, ..Form::default() };
        match reader.ask(&Topic::Text(TextRequest::Pack { task: self.task.clone(), form })) {
            Ok(Finding::Text(written)) => write!(self.output, "{}", written.text),
            Ok(_) => Ok(()),
            Err(error) => writeln!(self.output, "Error: {}", safe(&error)),
        }
    }
}

/// The task that a plain explorer begins with.
pub fn task(words: String, budget_tokens: usize) -> Task {
    Task { request: Request::Task(words), budget_tokens, options: Options::default() }
}
