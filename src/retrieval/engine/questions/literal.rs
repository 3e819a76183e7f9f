//! Lines that have a text which is not a name: a route, an option of a command, a setting, a message; and the texts of the lines
//! of uses.

use std::collections::HashMap;
use std::path::Path;

use rayon::prelude::*;

use super::mentions::{MAX_ASKED, is_test_file};
use super::searched::{Searched, SearchedFile};
use super::texts::{read_if, word_positions};
use super::{Member, Questions};
use crate::engine::{EngineError, source};
use crate::lang::dotenv::without_values;
use crate::model::{Answer, AnswerRow, FileId, Occurrence, Question, Symbol, SymbolKind};
use crate::scan::read::MAX_FILE_BYTES;

/// The shortest text that is searched for.
const MIN_CHARS: usize = 3;
/// Limit of what stands for a parameter of a route, and of a line that is shown.
const MAX_PARAMETER_BYTES: usize = 80;
const MAX_SHOWN_CHARS: usize = 160;
/// The methods that can be before a route.
pub(in crate::engine) const METHODS: [&str; 7] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/// The lines of a file that have a text.
pub(super) struct FileWithText {
    pub path: String,
    pub is_indexed: bool,
    /// With what is shown of them.
    pub lines: Vec<(u32, String)>,
}

/// Returns the files of a repository with the lines that have a text, the indexed ones first.
pub(super) fn files_with(member: &Member<'_>, pattern: &Pattern) -> Result<Vec<FileWithText>, EngineError> {
    if !pattern.is_specific() {
        return Ok(Vec::new());
    }
    let lines_of = |SearchedFile { id, path, max_bytes }: SearchedFile| {
        let content = read_if(member.root, &path, max_bytes, &|text| pattern.may_be_in(text))?;
        let lines = (1..).zip(content.text.lines()).filter(|(_, text)| pattern.is_in(text));
        let lines: Vec<(u32, String)> = lines.map(|(line, text)| (line, shown(text))).collect();
        (!lines.is_empty()).then_some(FileWithText { path, is_indexed: id.is_some(), lines })
    };
    Ok(Searched::all(member)?.files.into_par_iter().filter_map(lines_of).collect())
}

impl Questions<'_> {
    /// Returns the first lines that have a text, those of indexed files before others, and how many there are. The parameters of
    /// a route match those of any framework: `GET /users/<id>` has the line of `/users/(?P<key>[^/]+)$`. An option has the lines
    /// with its name as a text, too: `--dry-run` that of `flag.Bool("dry-run", …)`.
    ///
    /// # Errors
    /// When a store can't be read.
    pub fn lines_with(&self, text: &str, limit: usize) -> Result<(Vec<Occurrence>, usize), EngineError> {
        let pattern = Pattern::new(text);
        let mut by_member = Vec::new();
        for (_, member) in self.loaded() {
            by_member.push((member, likeliest_first(&member, files_with(&member, &pattern)?, &pattern, limit)?));
        }
        let counts: Vec<usize> = by_member.iter().map(|(_, lines)| lines.len()).collect();
        let mut found = Vec::new();
        for ((member, lines), room) in by_member.into_iter().zip(fair_shares(&counts, limit)) {
            let label = self.repositories.label_of(member.reader.repository());
            let mut symbols_of: HashMap<String, Vec<Symbol>> = HashMap::new();
            for FoundLine { path, is_indexed, line, text, .. } in lines.into_iter().take(room) {
                if !symbols_of.contains_key(&path) {
                    symbols_of.insert(path.clone(), member.reader.symbols_of_file(&path)?);
                }
                let symbol = symbols_of.get(&path).and_then(|symbols| innermost(symbols, line)).cloned();
                let file = label.map_or_else(|| path.clone(), |label| format!("{label}/{path}"));
                found.push(Occurrence { file, line, text, symbol, is_indexed });
            }
        }
        found.sort_by_key(|one| !one.is_indexed);
        Ok((found, counts.iter().sum()))
    }

    /// Returns the symbols with the lines that have the most of some words, and at least half of them; each is a whole word in
    /// any case. A line outside of all definitions is one of its file. Nothing is found once `cancelled` returns true.
    pub(in crate::engine) fn lines(
        &self,
        with: &str,
        limit: usize,
        cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<Answer, EngineError> {
        let words: Vec<String> =
            with.split(' ').map(str::to_lowercase).filter(|word| word.len() >= MIN_CHARS).collect();
        let mut found: Vec<(usize, LinesOfFile)> = Vec::new();
        for (position, member) in self.loaded() {
            let lines_of = |(_, path): (FileId, String)| match cancelled() {
                true => None,
                false => LinesOfFile::read(member.root, path, &words),
            };
            let files: Vec<_> = member.reader.file_paths()?.into_par_iter().filter_map(lines_of).collect();
            found.extend(files.into_iter().map(|file| (position, file)));
        }
        let best = found.iter().map(|(_, file)| file.words).max();
        found.retain(|(_, file)| Some(file.words) == best);
        let mut rows: Vec<AnswerRow> = Vec::new();
        for (position, LinesOfFile { path, lines, .. }) in found {
            let Some(Some(member)) = self.members.get(position) else { continue };
            let symbols = member.reader.symbols_of_file(&path)?;
            for (line, text) in lines {
                let file = || symbols.iter().find(|symbol| symbol.kind == SymbolKind::File);
                let Some(symbol) = innermost(&symbols, line).or_else(file) else { continue };
                match rows.iter_mut().find(|row| row.symbol.id == symbol.id) {
                    Some(row) => row.lines.push(line),
                    None => rows.push(row_of(symbol.clone(), line, text)),
                }
            }
        }
        rows.sort_by_key(|row| (row.symbol.is_test, std::cmp::Reverse(row.lines.len())));
        // The lines have these words only.
        let has_word = |word: &&str| {
            let word = word.to_lowercase();
            let mut texts = rows.iter().filter_map(|row| row.text.as_ref());
            texts.any(|text| word_positions(&text.to_lowercase(), &word).next().is_some())
        };
        let with = with.split(' ').filter(has_word).collect::<Vec<_>>().join(" ");
        let total = rows.len();
        let tests = rows.iter().filter(|row| row.symbol.is_test).count();
        rows.truncate(limit);
        let question = Question::Lines { with };
        Ok(Answer { rows, total, tests, ..Answer::new(question, self.repositories.clone(), Vec::new()) })
    }

    /// Sets the texts of the lines of direct uses. A file that has changed since has none.
    pub fn add_texts(&self, answer: &mut Answer) {
        let mut texts: HashMap<String, Option<String>> = HashMap::new();
        let files: Vec<String> = answer.rows.iter().map(|row| answer.file_of_lines(row).into_owned()).collect();
        for (row, file) in answer.rows.iter_mut().zip(files) {
            let Some(&line) = row.lines.first() else { continue };
            let text = texts.entry(file).or_insert_with_key(|file| self.text_as_indexed(file));
            let lines = text.as_deref().map(str::lines);
            row.text = lines.and_then(|mut lines| lines.nth((line as usize).checked_sub(1)?)).map(shown);
        }
    }

    /// Returns the text of a file, whose path is as in output; `None` if it has changed since it was indexed.
    fn text_as_indexed(&self, file: &str) -> Option<String> {
        let (repository, path) = match self.repositories.split_label(file) {
            Some((repository, path)) => (Some(repository), path),
            None => (None, file),
        };
        let is_own = |member: &Member<'_>| repository.is_none_or(|id| id == member.reader.repository());
        let (_, member) = self.loaded().find(|(_, member)| is_own(member))?;
        let content = source::read(member.root, path).ok()?;
        let indexed = member.reader.content_hash(path).ok()?;
        (indexed == Some(content.hash)).then(|| without_values(path, &content.text).into_owned())
    }
}

/// A line that has a text.
struct FoundLine {
    path: String,
    is_indexed: bool,
    is_test: bool,
    /// Whether the line has the text in quotes, as code has it that reads a setting or defines an option.
    is_quoted: bool,
    line: u32,
    text: String,
}

/// Returns the lines of files, the likeliest to be asked for first: those that are indexed, those of other code than tests, those
/// with the text in quotes. Only the first `limit` are known to be no tests.
fn likeliest_first(
    member: &Member<'_>,
    files: Vec<FileWithText>,
    pattern: &Pattern,
    limit: usize,
) -> Result<Vec<FoundLine>, EngineError> {
    let mut found = Vec::new();
    for FileWithText { path, is_indexed, lines } in files {
        found.extend(lines.into_iter().map(|(line, text)| {
            let is_quoted = pattern.is_quoted_in(&text);
            FoundLine { path: path.clone(), is_indexed, is_test: false, is_quoted, line, text }
        }));
    }
    // Whether a file is one of tests is in the graph, of which this reads a part for each file.
    found.sort_by_key(|one| (!one.is_indexed, !one.is_quoted));
    let (mut tests, mut others): (HashMap<String, bool>, usize) = (HashMap::new(), 0);
    for one in found.iter_mut().take_while(|one| one.is_indexed) {
        if others == limit || tests.len() == MAX_ASKED {
            break;
        }
        one.is_test = match tests.get(&one.path) {
            Some(is_test) => *is_test,
            None => is_test_file(member, &one.path)?,
        };
        tests.insert(one.path.clone(), one.is_test);
        others += usize::from(!one.is_test);
    }
    found.sort_by_key(|one| (!one.is_indexed, one.is_test, !one.is_quoted));
    Ok(found)
}

/// Returns how many of each member's lines are shown within a limit: all get the same, and what one does not need the others get.
fn fair_shares(counts: &[usize], limit: usize) -> Vec<usize> {
    let mut shares = vec![0; counts.len()];
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|member| counts[*member]);
    let mut left = limit;
    for (done, member) in order.iter().enumerate() {
        shares[*member] = counts[*member].min(left.div_ceil(counts.len() - done));
        left -= shares[*member];
    }
    shares
}

/// Returns a line as it is shown.
pub(in crate::engine) fn shown(line: &str) -> String {
    line.trim().chars().take(MAX_SHOWN_CHARS).collect()
}

/// The lines of a file that have the most of some words.
struct LinesOfFile {
    path: String,
    /// Number of the words that each of the lines has.
    words: usize,
    /// With their texts.
    lines: Vec<(u32, String)>,
}

impl LinesOfFile {
    /// Reads the lines of a file that have at least half of some words in lower case; `None` if there are none.
    fn read(root: &Path, path: String, words: &[String]) -> Option<LinesOfFile> {
        let least = words.len().div_ceil(2).max(1);
        let may_have = |text: &str| {
            let lower = text.to_lowercase();
            words.iter().filter(|word| lower.contains(word.as_str())).count() >= least
        };
        let content = read_if(root, &path, MAX_FILE_BYTES, &may_have)?;
        let mut found = LinesOfFile { path, words: least, lines: Vec::new() };
        for (number, text) in (1..).zip(content.text.lines()) {
            let lower = text.to_lowercase();
            let has = |word: &&String| word_positions(&lower, word).next().is_some();
            let count = words.iter().filter(has).count();
            if count > found.words {
                (found.words, found.lines) = (count, Vec::new());
            }
            if count == found.words {
                found.lines.push((number, shown(text)));
            }
        }
        (!found.lines.is_empty()).then_some(found)
    }
}

fn row_of(symbol: Symbol, line: u32, text: String) -> AnswerRow {
    AnswerRow {
        symbol,
        distance: 0,
        path: Vec::new(),
        confidence: 1.0,
        is_certain: true,
        lines: vec![line],
        text: Some(text),
        accesses: Vec::new(),
    }
}

fn innermost(symbols: &[Symbol], line: u32) -> Option<&Symbol> {
    let has_line = |symbol: &&Symbol| {
        !matches!(symbol.kind, SymbolKind::File | SymbolKind::Package)
            && (symbol.span.start_line..=symbol.span.end_line).contains(&line)
    };
    symbols.iter().filter(has_line).min_by_key(|symbol| symbol.span.end_byte - symbol.span.start_byte)
}

/// A text whose parameters match anything that can be one.
#[derive(Default)]
pub(super) struct Pattern {
    /// The texts between the parameters, in order.
    parts: Vec<String>,
    /// Whether a longer path is another one.
    is_whole: bool,
    /// The name of an option, which has the text if it is quoted.
    option: Option<String>,
    /// Whether the text is no part of a longer word or option.
    is_word: bool,
}

impl Pattern {
    /// Returns the pattern of the path of a route, which longer paths do not have.
    pub fn route(text: &str) -> Pattern {
        Pattern { is_whole: true, ..Pattern::new(text) }
    }

    fn new(text: &str) -> Pattern {
        let text = text.trim().trim_matches(['"', '\'', '`']);
        let route = METHODS.iter().find_map(|method| text.strip_prefix(method)?.strip_prefix(' ')).map(str::trim);
        let text = route.filter(|route| route.starts_with('/')).unwrap_or(text);
        if !text.starts_with('/') {
            let option = text.strip_prefix('-').map(|name| name.trim_start_matches('-').to_owned());
            let option = option.filter(|name| name.chars().count() >= MIN_CHARS);
            return Pattern { parts: vec![text.to_owned()], option, is_word: true, ..Pattern::default() };
        }
        let mut parts = vec![String::new()];
        for segment in text.trim_end_matches(['$', '/']).split('/').skip(1) {
            let is_parameter = segment.starts_with([':', '<', '{', '[', '(', '*']);
            match (is_parameter, parts.last_mut()) {
                (true, Some(last)) => {
                    last.push('/');
                    parts.push(String::new());
                }
                (_, Some(last)) => last.push_str(&format!("/{segment}")),
                (_, None) => {}
            }
        }
        Pattern { parts, ..Pattern::default() }
    }

    fn is_specific(&self) -> bool {
        self.parts.iter().map(|part| part.trim_matches('/').chars().count()).sum::<usize>() >= MIN_CHARS
    }

    fn may_be_in(&self, text: &str) -> bool {
        self.parts.iter().all(|part| text.contains(part.as_str()))
            || self.option.as_ref().is_some_and(|option| text.contains(option))
    }

    fn is_in(&self, line: &str) -> bool {
        let Some((first, rest)) = self.parts.split_first() else { return false };
        let mut places = line.match_indices(first.as_str());
        let is_whole = |at: usize| {
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            let (before, after) = (&line[..at], &line[at + first.len()..]);
            let goes_on =
                first.ends_with(is_part) && after.starts_with(is_part) || first.contains('-') && after.starts_with('-');
            let is_end = first.starts_with(is_part) && before.ends_with(is_part);
            !goes_on && !is_end
        };
        places.any(|(at, _)| (!self.is_word || is_whole(at)) && self.goes_on(rest, &line[at + first.len()..]))
            || self.option.as_ref().is_some_and(|option| has_quoted(line, option))
    }

    /// Returns whether a line has the text in quotes.
    fn is_quoted_in(&self, line: &str) -> bool {
        let text = self.parts.first().filter(|_| self.is_word);
        text.into_iter().chain(&self.option).any(|text| has_quoted(line, text))
    }

    /// Returns whether a line goes on with the rest of the pattern.
    fn goes_on(&self, rest: &[String], line: &str) -> bool {
        if rest.is_empty() { !self.is_whole || is_end_of_path(line) } else { follows(rest, line) }
    }
}

/// Returns whether a line has a text in quotes.
fn has_quoted(line: &str, text: &str) -> bool {
    line.match_indices(text).any(|(at, _)| {
        let mark = line[..at].chars().next_back().filter(|mark| matches!(mark, '"' | '\'' | '`'));
        mark.is_some() && line[at + text.len()..].chars().next() == mark
    })
}

/// Returns whether a path ends where a line goes on with this: before it can be a slash, which many frameworks ignore.
fn is_end_of_path(line: &str) -> bool {
    let rest = line.strip_prefix('/').unwrap_or(line);
    let is_part = |letter: char| letter.is_alphanumeric() || "_-/{<[(:*.%+".contains(letter);
    !rest.starts_with("${") && !rest.starts_with(is_part)
}

/// Returns whether a line goes on with parameters and these parts by turns.
fn follows(parts: &[String], line: &str) -> bool {
    let Some((next, rest)) = parts.split_first() else { return true };
    let is_end = |letter: char| letter.is_whitespace() || matches!(letter, '"' | '\'' | '`');
    let parameter = &line[..line.find(is_end).unwrap_or(line.len()).min(line.len())];
    if parameter.is_empty() {
        return false;
    }
    if next.is_empty() {
        return rest.is_empty();
    }
    let found = parameter.match_indices(next.as_str()).filter(|(at, _)| (1..=MAX_PARAMETER_BYTES).contains(at));
    found.into_iter().any(|(at, _)| follows(rest, &line[at + next.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_shared_fairly() {
        assert_eq!(fair_shares(&[40, 1, 0, 9], 12), [5, 1, 0, 6]);
        assert_eq!(fair_shares(&[40, 1], 12), [11, 1]);
        assert_eq!(fair_shares(&[5, 5, 5], 2), [1, 1, 0]);
        assert_eq!(fair_shares(&[], 2), [0; 0]);
    }

    #[test]
    fn parameters_of_routes_match_those_of_any_framework() {
        let is_in = |text: &str, line: &str| Pattern::new(text).is_in(line);
        for line in [
            "path(r\"^/v1/users/(?P<key>[^/]+)/posts$\", posts)",
            "@app.get(\"/v1/users/{user_id}/posts\")",
            "router.get('/v1/users/:id/posts', posts)",
            "/v1/users/<int:id>/posts",
        ] {
            assert!(is_in("GET /v1/users/<id>/posts", line) && is_in("/v1/users/:id/posts/", line), "{line}");
        }
        assert!(is_in("/users/{id}", "get('/users/:id')") && !is_in("/users/{id}", "get('/users/')"));
        assert!(!is_in("/v1/users/<id>/posts", "\"/v1/users/\" + id + \"/posts\""));
        assert!(is_in("--dry-run", ".arg(\"--dry-run\")") && is_in("\"uuid\"", "kind: 'uuid'"));
        assert!(
            is_in("--dry-run", "flag.Bool(\"dry-run\", false, \"\")") && !is_in("--dry-run", "\"dry-runs\", dry-run")
        );
        let is_route = |text: &str, line: &str| Pattern::route(text).is_in(line);
        assert!(
            is_route("POST /v1/feeds", "post(\"/v1/feeds\")") && is_route("GET /v1/feeds", "`/v1/feeds/?page=${n}`")
        );
        for line in ["\"/v1/feeds/\" + id", "/v1/feeds.json", "`/v1/feeds/${id}`", "/v1/feedsource"] {
            assert_eq!(is_route("POST /v1/feeds", line), line.contains('+'), "{line}");
        }
        assert!(is_in("KUBE_EDITOR", "env(\"KUBE_EDITOR\")") && !is_in("KUBE_EDITOR", "KUBE_EDITOR_CALLBACK=1"));
        assert!(!is_in("FooBar", "class FooBarBaz:") && !is_in("--dry-run", "--dry-run-all") && is_in("a.b", "(a.b)"));
        assert!(!Pattern::new("/:a/:b").is_specific() && !Pattern::new("a").is_specific());
    }
}
