//! The explorer as a dialog of plain lines, for screen readers and for terminals without cursor movement: no redrawing,
//! no color, no drawing characters.

use std::io::{self, BufRead, Write};

use super::backend::{Answer, Backend, Progress, Reader, Response};
use super::command::{parse_budget, parse_tokens};
use super::effect::{Node, TextRequest, Topic};
use super::model::export::{Form, formats};
use crate::engine::{feedback_lines, why_lines};
use crate::model::{ContextPack, Options, PackedSymbol, Request, Task};
use crate::text::display::{safe, score};

/// Symbols printed at once; `more` prints the next.
const PAGE: usize = 10;

/// The text of `?`.
const HELP: &str = "\
Type a task to rank the symbols that matter for it, or one of:
  NUMBER        print the source of that symbol
  why NUMBER    explain its rank
  more          print the next symbols
  budget TOKENS set the token budget
  print FORMAT  print the whole pack: gcf, json, markdown, xml or lines
  quit          quit, as does the end of input
Put a colon before a task that begins with one of these words.";

/// Runs the explorer as plain lines on standard input and output.
///
/// # Errors
/// When standard input or output fails.
pub fn run_plain(backend: &dyn Backend, task: String, budget_tokens: usize) -> anyhow::Result<()> {
    match run(backend, self::task(task, budget_tokens), &mut io::stdin().lock(), &mut io::stdout()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => Ok(done?),
    }
}

/// Runs until the input ends or `quit`.
///
/// # Errors
/// When the input cannot be read or the output cannot be written.
pub fn run(
    backend: &dyn Backend,
    task: Task,
    input: &mut dyn BufRead,
    output: &mut (dyn Write + Send),
) -> io::Result<()> {
    let mut dialog = Dialog { output, reader: None, task, pack: ContextPack::default(), printed: 0 };
    match dialog.open(backend) {
        Ok(reader) => dialog.reader = Some(reader),
        Err(error) => return writeln!(dialog.output, "Cannot open the index: {}", safe(&error)),
    }
    if matches!(&dialog.task.request, Request::Task(task) if task.trim().is_empty()) {
        writeln!(dialog.output, "Type a task, or ? for help.")?;
    } else {
        dialog.rank()?;
    }
    let mut line = String::new();
    loop {
        write!(dialog.output, "> ")?;
        dialog.output.flush()?;
        line.clear();
        if input.read_line(&mut line)? == 0 || !dialog.run_line(backend, line.trim())? {
            return Ok(());
        }
    }
}

struct Dialog<'out> {
    output: &'out mut (dyn Write + Send),
    reader: Option<Box<dyn Reader>>,
    task: Task,
    pack: ContextPack,
    /// The number of symbols of the pack printed so far.
    printed: usize,
}

impl Dialog<'_> {
    /// Updates the index and prints each phase once.
    fn open(&mut self, backend: &dyn Backend) -> Answer<Box<dyn Reader>> {
        let last = parking_lot::Mutex::new((&mut *self.output, ""));
        let progress = |step: Progress| {
            let mut last = last.lock();
            if last.1 != step.phase {
                last.1 = step.phase;
                // A closed output is reported by the next line.
                let _closed = writeln!(last.0, "indexing: {}", step.phase);
            }
        };
        let indexed = backend.index(&progress)?;
        let status = indexed.status;
        let line = format!("{}: {} files, {} symbols.", status.repository, status.files, status.symbols);
        writeln!(self.output, "{}", safe(&line)).map_err(|error| error.to_string())?;
        backend.reader()
    }

    /// Runs a line of input. Returns false to quit.
    fn run_line(&mut self, backend: &dyn Backend, line: &str) -> io::Result<bool> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        let number = |text: &str| text.trim().parse::<usize>().ok();
        match (word, rest) {
            ("", "") => {}
            ("quit" | "exit" | "q", "") => return Ok(false),
            ("?" | "help", "") => writeln!(self.output, "{HELP}")?,
            ("more", "") => self.print_next()?,
            ("why", rest) if number(rest).is_some() => self.with_symbol(number(rest), Self::why)?,
            ("budget", rest) if parse_tokens(rest).is_some() => match parse_budget(rest) {
                Ok(tokens) => {
                    self.task.budget_tokens = tokens;
                    self.rank()?;
                }
                Err(error) => writeln!(self.output, "Error: {error}; it stays {}", self.task.budget_tokens)?,
            },
            ("print", format) if formats().contains(&format) => self.print(format)?,
            (word, "") if number(word).is_some() => {
                self.with_symbol(number(word), |dialog, packed| dialog.source(backend, packed))?;
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
        self.printed = 0;
        if let Some(unmatched) = self.pack.unmatched_notice() {
            writeln!(self.output, "Note: {}.", safe(&unmatched))?;
        }
        if self.pack.symbols.is_empty() {
            return writeln!(self.output, "Nothing matches. Try the words the code would use.");
        }
        let all = self.pack.symbols.len() + self.pack.omitted.len();
        let (used, budget) = (self.pack.tokens_used, self.pack.budget_tokens);
        writeln!(self.output, "{} of {all} symbols, {used} of {budget} tokens.", self.pack.symbols.len())?;
        self.print_next()
    }

    /// Prints the next symbols; those omitted from the pack come last.
    fn print_next(&mut self) -> io::Result<()> {
        let all: Vec<&PackedSymbol> = self.pack.symbols.iter().chain(&self.pack.omitted).collect();
        for (index, packed) in all.iter().enumerate().skip(self.printed).take(PAGE) {
            let symbol = &packed.symbol;
            let of = if symbol.scope.is_empty() { String::new() } else { format!(" of {}", symbol.scope) };
            let omitted = if index >= self.pack.symbols.len() { ", omitted" } else { "" };
            let line = format!(
                "{}. {}{of}, {}, {} line {}, score {:.2}, {} tokens{omitted}",
                index + 1,
                symbol.name,
                symbol.kind.name(),
                symbol.file,
                symbol.span.name_line,
                packed.score,
                packed.tokens
            );
            writeln!(self.output, "{}", safe(&line))?;
        }
        self.printed = (self.printed + PAGE).min(all.len());
        match all.len() - self.printed {
            0 => writeln!(self.output, "No more symbols."),
            left => writeln!(self.output, "{left} more: type more."),
        }
    }

    fn with_symbol(
        &mut self,
        number: Option<usize>,
        print: impl FnOnce(&mut Self, &PackedSymbol) -> io::Result<()>,
    ) -> io::Result<()> {
        let index = number.and_then(|number| number.checked_sub(1));
        let found = index.and_then(|index| self.pack.symbols.iter().chain(&self.pack.omitted).nth(index)).cloned();
        match found {
            Some(packed) => print(self, &packed),
            None => writeln!(self.output, "There is no symbol with that number."),
        }
    }

    /// Prints why a symbol is ranked, in a sentence and by the words that match, and the votes.
    fn why(&mut self, packed: &PackedSymbol) -> io::Result<()> {
        let Some(reader) = &mut self.reader else { return Ok(()) };
        let lines = match reader.ask(&Topic::Why(Node::from(&packed.symbol))) {
            Ok(Response::Why(explained)) => {
                explained.why.map_or_else(Vec::new, |why| [why_lines(&why), feedback_lines(&why)].concat())
            }
            Ok(_) => Vec::new(),
            Err(error) => return writeln!(self.output, "Error: {}", safe(&error)),
        };
        writeln!(self.output, "{} scores {}.", safe(&packed.symbol.name), score(packed.score, 3))?;
        lines.iter().try_for_each(|line| writeln!(self.output, "  {}", safe(line)))
    }

    fn source(&mut self, backend: &dyn Backend, packed: &PackedSymbol) -> io::Result<()> {
        let symbol = &packed.symbol;
        let text = match backend.source(&symbol.file) {
            Ok(file) => file.text,
            Err(error) => return writeln!(self.output, "Error: {}", safe(&error)),
        };
        let (first, last) = (symbol.span.start_line.max(1) as usize, symbol.span.end_line as usize);
        writeln!(self.output, "{} line {first} to {last}:", safe(&symbol.file))?;
        for line in text.lines().skip(first - 1).take((last + 1).saturating_sub(first)) {
            // Tabs stay, as they are indentation.
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
            Ok(Response::Text(written)) => write!(self.output, "{}", written.text),
            Ok(_) => Ok(()),
            Err(error) => writeln!(self.output, "Error: {}", safe(&error)),
        }
    }
}

/// Returns the initial task of the dialog.
pub fn task(task: String, budget_tokens: usize) -> Task {
    Task { request: Request::Task(task), budget_tokens, options: Options::default() }
}
