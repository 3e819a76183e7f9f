//! Measures how many of the relevant symbols a coding agent has read after so many tokens: of an answer in each format, and of
//! a search with `grep` and reading, replayed at three levels of skill.
//!
//! A symbol is seen as soon as a line has been printed that has its name and is about its file: the line names the file, or
//! is a line of the file that is being read.

use std::collections::{HashMap, HashSet};
use std::fs;

use serde::Serialize;

use crate::engine::{Engine, EngineError, Form, Ranker, Ranking, ReplyRequest};
use crate::model::{Detail, Options, Request, Symbol, SymbolKind, Task};
use crate::render::{Renderer, renderer_named};
use crate::text::tokens::Counter;
use crate::training::{GoldSymbol, TrainingTask};

/// The numbers of tokens after which is counted what has been seen.
pub const LIMITS: [usize; 4] = [500, 1_000, 2_000, 4_000];

/// The formats that are measured.
const FORMATS: [&str; 3] = ["text", "gcf", "lines"];

/// Lines of one `grep` that a reader looks at, lines of a file that it reads at once, and lines around a match.
const MAX_MATCHES: usize = 60;
const MAX_FILE_LINES: usize = 800;
const AROUND: usize = 40;
/// Limit of a printed line, as agents cut them.
const MAX_LINE_CHARS: usize = 200;
/// The shortest word that is searched for.
const MIN_WORD_CHARS: usize = 4;

/// The skill of a replayed search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Skill {
    /// Searches for the rarest word, and reads the files with most matches from the beginning.
    OneWord,
    /// Searches for the five rarest words, and reads around the best lines of the files that have most of them.
    Words,
    /// Searches for definitions whose names have the words, then reads the definitions that have most of them.
    Definitions,
}

/// A line that is printed, with the file that it is a line of; `None` if it names its file.
struct ReadLine {
    file: Option<String>,
    text: String,
}

/// The share of one task's relevant symbols that a reader has seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Seen {
    /// Tokens of all that was printed.
    pub tokens: usize,
    pub calls: usize,
    /// The share of the symbols that were seen within each of [`LIMITS`], and of all.
    pub within: [f64; LIMITS.len()],
    pub all: f64,
}

/// The results of one reader for all tasks, in their order.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Reader {
    pub name: String,
    pub tasks: Vec<Seen>,
}

impl Reader {
    /// Returns the mean of a number over the tasks.
    pub fn mean(&self, number: impl Fn(&Seen) -> f64) -> f64 {
        self.tasks.iter().map(number).sum::<f64>() / self.tasks.len().max(1) as f64
    }
}

/// Lets every reader work on the tasks of a repository. Returns the readers in an order that is always the same.
///
/// # Errors
/// When the index can't be read.
pub fn read(engine: &Engine, tasks: &[TrainingTask], budget_tokens: usize) -> Result<Vec<Reader>, EngineError> {
    let ranker = engine.ranker()?;
    let files = Files::read(engine, &ranker)?;
    let mut readers: Vec<Reader> = Vec::new();
    for task in tasks {
        let options = Options::default();
        let request = Task { request: Request::Task(task.task.clone()), budget_tokens, options };
        let ranking = ranker.rank(&request, &|| false)?.unwrap_or_default();
        let mut all: Vec<(String, usize, Vec<ReadLine>)> = Vec::new();
        for renderer in FORMATS.iter().filter_map(|name| renderer_named(name)) {
            all.push((renderer.name().to_owned(), 1, answer(&ranker, &request, &ranking, renderer)?));
        }
        if let Some(renderer) = renderer_named("text") {
            let options = Options { detail: Detail::More, ..Options::default() };
            let request = Task { options, ..request.clone() };
            all.push(("text, more".to_owned(), 1, answer(&ranker, &request, &ranking, renderer)?));
        }
        let words = words(&ranking);
        for (name, skill) in [
            ("search, one word", Skill::OneWord),
            ("search, words", Skill::Words),
            ("search, definitions", Skill::Definitions),
        ] {
            let (calls, lines) = files.search(skill, &words);
            all.push((name.to_owned(), calls, lines));
        }
        for (index, (name, calls, lines)) in all.into_iter().enumerate() {
            if readers.len() == index {
                readers.push(Reader { name, tasks: Vec::new() });
            }
            readers[index].tasks.push(Seen { calls, ..seen(&lines, &task.ground_truth) });
        }
    }
    Ok(readers)
}

fn answer(
    ranker: &Ranker,
    task: &Task,
    ranking: &Ranking,
    renderer: &dyn Renderer,
) -> Result<Vec<ReadLine>, EngineError> {
    let request =
        ReplyRequest { task, ranking: Some(ranking), renderer, bodies: false, pack_root: None, store_manifest: false };
    let bytes = ranker.reply(&request)?.bytes;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(text.lines().map(|line| ReadLine { file: None, text: line.to_owned() }).collect())
}

/// Returns the words of a task that a search is for.
fn words(ranking: &Ranking) -> Vec<String> {
    let written = ranking.keywords.keywords.iter().filter(|keyword| matches!(keyword.form, Form::Word | Form::Quoted));
    let mut words: Vec<String> = written.map(|keyword| keyword.text.to_lowercase()).collect();
    words.retain(|word| word.chars().count() >= MIN_WORD_CHARS);
    let mut known = HashSet::new();
    words.retain(|word| known.insert(word.clone()));
    words
}

/// Returns what has been seen of the relevant symbols.
fn seen(lines: &[ReadLine], gold: &[GoldSymbol]) -> Seen {
    let wanted: HashSet<(&str, &str)> =
        (gold.iter()).map(|gold| (gold.file.as_deref().unwrap_or_default(), last_name(&gold.symbol))).collect();
    let mut first: HashMap<(&str, &str), usize> = HashMap::new();
    let (mut counter, mut tokens) = (Counter::default(), 0);
    for ReadLine { file, text } in lines {
        tokens += counter.count(&format!("{text}\n"));
        for &(path, name) in &wanted {
            let is_of_file = file.as_deref().map_or_else(|| text.contains(path), |file| file == path);
            if is_of_file && has_word(text, name) {
                first.entry((path, name)).or_insert(tokens);
            }
        }
    }
    let share = |limit: usize| {
        let found = first.values().filter(|at| **at <= limit).count();
        found as f64 / wanted.len().max(1) as f64
    };
    Seen { tokens, calls: 0, within: LIMITS.map(share), all: share(usize::MAX) }
}

fn last_name(symbol: &str) -> &str {
    symbol.rsplit('.').next().unwrap_or(symbol)
}

/// Returns whether a text has a name between characters that are not part of names.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part))
}

/// The texts of a repository.
struct Files {
    /// Path, lines, and the lines in lower case.
    files: Vec<(String, Vec<String>, Vec<String>)>,
    definitions: Vec<Vec<Symbol>>,
}

impl Files {
    fn read(engine: &Engine, ranker: &Ranker) -> Result<Files, EngineError> {
        let (mut files, mut definitions) = (Vec::new(), Vec::new());
        for (_, path) in ranker.reader().file_paths()? {
            // A file that is no text has nothing to be found.
            let Ok(text) = fs::read_to_string(engine.root().join(&path)) else { continue };
            let lines: Vec<String> = text.lines().map(cut).collect();
            let lower = lines.iter().map(|line| line.to_lowercase()).collect();
            let mut symbols = ranker.reader().symbols_of_file(&path)?;
            symbols.retain(|symbol| !matches!(symbol.kind, SymbolKind::File | SymbolKind::Package));
            definitions.push(symbols);
            files.push((path, lines, lower));
        }
        Ok(Files { files, definitions })
    }

    /// Returns the number of calls of a search and what they print.
    fn search(&self, skill: Skill, words: &[String]) -> (usize, Vec<ReadLine>) {
        let mut counted: Vec<(usize, &String)> = words.iter().map(|word| (self.matches(word).count(), word)).collect();
        counted.retain(|(count, _)| *count > 0);
        counted.sort();
        match skill {
            Skill::OneWord => self.one_word(counted.first().map(|(_, word)| word.as_str())),
            Skill::Words => self.several(&counted[..counted.len().min(5)]),
            Skill::Definitions => self.by_definition(&counted[..counted.len().min(6)]),
        }
    }

    /// Returns the files and lines that have a word.
    fn matches<'a>(&'a self, word: &'a str) -> impl Iterator<Item = (usize, usize)> + 'a {
        self.files.iter().enumerate().flat_map(move |(file, (_, _, lower))| {
            let lines = lower.iter().enumerate().filter(move |(_, line)| line.contains(word));
            lines.map(move |(line, _)| (file, line))
        })
    }

    fn print_match(&self, (file, line): (usize, usize)) -> ReadLine {
        let (path, lines, _) = &self.files[file];
        ReadLine { file: None, text: format!("{path}:{}:{}", line + 1, lines[line]) }
    }

    /// Prints lines of a file.
    fn print(&self, file: usize, first: usize, count: usize) -> Vec<ReadLine> {
        let (path, lines, _) = &self.files[file];
        let numbered = lines.iter().enumerate().skip(first).take(count);
        numbered
            .map(|(line, text)| ReadLine { file: Some(path.clone()), text: format!("{}\t{text}", line + 1) })
            .collect()
    }

    fn one_word(&self, word: Option<&str>) -> (usize, Vec<ReadLine>) {
        let Some(word) = word else { return (0, Vec::new()) };
        let mut printed: Vec<ReadLine> = self.matches(word).take(MAX_MATCHES).map(|at| self.print_match(at)).collect();
        let mut by_file: HashMap<usize, usize> = HashMap::new();
        self.matches(word).for_each(|(file, _)| *by_file.entry(file).or_default() += 1);
        let mut order: Vec<(usize, usize)> = by_file.into_iter().collect();
        order.sort_by_key(|(file, count)| (usize::MAX - count, *file));
        let read = &order[..order.len().min(3)];
        read.iter().for_each(|(file, _)| printed.extend(self.print(*file, 0, MAX_FILE_LINES)));
        (1 + read.len(), printed)
    }

    fn several(&self, words: &[(usize, &String)]) -> (usize, Vec<ReadLine>) {
        let mut printed = Vec::new();
        let mut scores: HashMap<usize, f64> = HashMap::new();
        let mut best: HashMap<(usize, usize), f64> = HashMap::new();
        for (count, word) in words {
            printed.extend(self.matches(word).take(MAX_MATCHES).map(|at| self.print_match(at)));
            let worth = 1.0 / *count as f64;
            let files: HashSet<usize> = self.matches(word).map(|(file, _)| file).collect();
            files.into_iter().for_each(|file| *scores.entry(file).or_default() += worth);
            self.matches(word).for_each(|at| *best.entry(at).or_default() += worth);
        }
        let mut order: Vec<(usize, f64)> = scores.into_iter().collect();
        order.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        let read = &order[..order.len().min(4)];
        for (file, _) in read {
            let lines = best.iter().filter(|((of, _), _)| of == file).map(|((_, line), worth)| (*worth, *line));
            let line = lines.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)));
            let first = line.map_or(0, |(_, line)| line.saturating_sub(AROUND));
            printed.extend(self.print(*file, first, 2 * AROUND));
        }
        (words.len() + read.len(), printed)
    }

    fn by_definition(&self, words: &[(usize, &String)]) -> (usize, Vec<ReadLine>) {
        let mut printed = Vec::new();
        let mut scores: Vec<(f64, usize, usize)> = Vec::new();
        for (file, symbols) in self.definitions.iter().enumerate() {
            for (index, symbol) in symbols.iter().enumerate() {
                let name = symbol.name.to_lowercase();
                let lines = symbol.span.start_line.saturating_sub(1) as usize..symbol.span.end_line as usize;
                let body = self.files[file].2.get(lines).unwrap_or_default();
                let worth = |(count, word): &(usize, &String)| {
                    let in_body = body.iter().any(|line| line.contains(word.as_str()));
                    (f64::from(u8::from(name.contains(word.as_str()))) * 2.0 + f64::from(u8::from(in_body)))
                        / (1.0 + *count as f64).ln()
                };
                let score: f64 = words.iter().map(worth).sum();
                if score > 0.0 && !symbol.kind.is_type() && !symbol.is_test {
                    scores.push((score, file, index));
                }
            }
        }
        for (_, word) in words {
            let named = self
                .definitions
                .iter()
                .enumerate()
                .flat_map(|(file, symbols)| symbols.iter().map(move |symbol| (file, symbol)));
            let found = named.filter(|(_, symbol)| symbol.name.to_lowercase().contains(word.as_str()));
            let lines = found.map(|(file, symbol)| (file, symbol.span.name_line.saturating_sub(1) as usize));
            let within = lines.filter(|(file, line)| *line < self.files[*file].1.len());
            printed.extend(within.take(MAX_MATCHES).map(|at| self.print_match(at)));
        }
        scores.sort_by(|one, other| other.0.total_cmp(&one.0).then((one.1, one.2).cmp(&(other.1, other.2))));
        let read = &scores[..scores.len().min(6)];
        for (_, file, index) in read {
            let span = self.definitions[*file][*index].span;
            let (first, last) = (span.start_line.saturating_sub(1) as usize, span.end_line as usize);
            printed.extend(self.print(*file, first, last.saturating_sub(first).min(2 * AROUND)));
        }
        (words.len() + read.len(), printed)
    }
}

fn cut(line: &str) -> String {
    line.chars().take(MAX_LINE_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gold(file: &str, symbol: &str) -> GoldSymbol {
        GoldSymbol { file: Some(file.to_owned()), symbol: symbol.to_owned() }
    }

    fn line(file: Option<&str>, text: &str) -> ReadLine {
        ReadLine { file: file.map(str::to_owned), text: text.to_owned() }
    }

    #[test]
    fn a_symbol_is_seen_where_its_file_and_its_name_are() {
        let lines = [
            line(None, "src/cart.py:3 method Cart.total_price"),
            line(None, "src/cart.py:9 method Cart.total"),
            line(Some("src/other.py"), "1\tdef close():"),
            line(Some("src/shop.py"), "1\tdef close():"),
            line(None, &"word ".repeat(3_000)),
            line(None, "src/late.py:1 function late"),
        ];
        let wanted = [
            gold("src/cart.py", "Cart.total"),
            gold("src/shop.py", "close"),
            gold("src/late.py", "late"),
            gold("x.py", "y"),
        ];
        let found = seen(&lines, &wanted);
        assert_eq!((found.within, found.all), ([0.5, 0.5, 0.5, 0.75], 0.75));
        assert!(found.tokens > 3_000);
    }

    #[test]
    fn searches_print_matches_and_what_is_around_them() {
        let text = "import x\n\ndef send_mail(letter):\n    return letter\n\ndef close():\n    pass";
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let files = Files { files: vec![("mail.py".to_owned(), lines.clone(), lines)], definitions: vec![Vec::new()] };
        let words = ["letter".to_owned(), "mail".to_owned(), "nothing".to_owned()];
        let (calls, printed) = files.search(Skill::OneWord, &words);
        assert_eq!((calls, printed[0].text.as_str()), (2, "mail.py:3:def send_mail(letter):"));
        let (calls, printed) = files.search(Skill::Words, &words);
        assert_eq!(calls, 3);
        assert!(printed.iter().any(|line| line.file.as_deref() == Some("mail.py") && line.text.contains("close")));
        assert_eq!(files.search(Skill::OneWord, &["nothing".to_owned()]).0, 0);
    }
}
