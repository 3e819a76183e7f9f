//! A settings file that is read setting by setting: each value that does not fit is a problem with its line, and the others apply.

use std::fmt::{self, Display, Formatter};

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error, ValueDeserializer};

/// Maximum number of problems that are reported of one file at a time.
const MAX_PROBLEMS: usize = 10;
/// Letters of a file's content that are shown in a message.
const MAX_SHOWN: usize = 40;
/// Letters of a message, which can quote the file.
const MAX_MESSAGE: usize = 300;

/// A problem of a settings file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ConfigError {
    /// The file's name.
    pub file: &'static str,
    /// From 1; `None` if the whole file is not used.
    pub line: Option<usize>,
    pub text: String,
}

impl Display for ConfigError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{} line {line}: {}", self.file, self.text),
            None => write!(f, "{} is not used: {}", self.file, self.text),
        }
    }
}

impl ConfigError {
    /// Returns the problem of a line.
    pub fn at(file: &'static str, line: usize, text: &str) -> ConfigError {
        ConfigError { file, line: Some(line), text: text.chars().take(MAX_MESSAGE).collect() }
    }

    /// Returns the reason why a file is not used.
    pub fn unused(file: &'static str, reason: &str) -> ConfigError {
        ConfigError { file, line: None, text: reason.to_owned() }
    }
}

/// Returns the first problems in the order of their lines.
pub fn sorted(mut problems: Vec<ConfigError>) -> Vec<ConfigError> {
    problems.sort_by_key(|problem| problem.line);
    problems.truncate(MAX_PROBLEMS);
    problems
}

/// Returns the start of a text of a file, as it is shown in a message.
pub fn start_of(text: &str) -> String {
    text.chars().take(MAX_SHOWN).collect()
}

/// A settings file, from which settings are taken by their names.
pub struct Document<'text> {
    file: &'static str,
    /// The offsets of the line breaks.
    breaks: Vec<usize>,
    table: DeTable<'text>,
    /// Each with its offset in the text.
    problems: Vec<(usize, String)>,
}

impl<'text> Document<'text> {
    /// Reads the text of a file. What its errors of syntax leave of it can be taken.
    pub fn new(file: &'static str, text: &'text str) -> Document<'text> {
        let (table, errors) = DeTable::parse_recoverable(text);
        let offset = |error: &Error| error.span().unwrap_or_default().start;
        let problems = errors.iter().map(|error| (offset(error), error.message().to_owned())).collect();
        let breaks = text.match_indices('\n').map(|(offset, _)| offset).collect();
        Document { file, breaks, table: table.into_inner(), problems }
    }

    /// Takes a setting; `None` if it is not set, or is invalid.
    pub fn take<T: DeserializeOwned>(&mut self, key: &str) -> Option<T> {
        self.take_with_line(key).map(|(_, value)| value)
    }

    /// Takes a setting with its line.
    pub fn take_with_line<T: DeserializeOwned>(&mut self, key: &str) -> Option<(usize, T)> {
        let value = self.table.remove(key)?;
        self.read(key, value)
    }

    /// Takes a list, each element with its line, up to a limit. Invalid elements are left out.
    pub fn take_each<T: DeserializeOwned>(&mut self, key: &str, limit: usize) -> Vec<(usize, T)> {
        let Some(value) = self.table.remove(key) else { return Vec::new() };
        let offset = value.span().start;
        let DeValue::Array(list) = value.into_inner() else {
            self.problems.push((offset, format!("{key}: expected a list")));
            return Vec::new();
        };
        if let Some(beyond) = list.get(limit) {
            let text = format!("{key} has more than {limit} elements; the others are unused");
            self.problems.push((beyond.span().start, text));
        }
        list.into_iter().take(limit).filter_map(|element| self.read(key, element)).collect()
    }

    /// Takes the lines of a table of tables of texts.
    pub fn take_lines(&mut self, key: &str) -> Vec<TableLine> {
        let mut lines = Vec::new();
        for (table, value) in self.table.remove(key).map_or_else(Vec::new, |value| self.entries(key, value)) {
            let path = format!("{key}.{}", start_of(table.get_ref()));
            for (key, value) in self.entries(&path, value) {
                let line = self.line(key.span().start);
                if let Some((_, value)) = self.read(&format!("{path}.{}", start_of(key.get_ref())), value) {
                    let table = table.get_ref().to_string();
                    lines.push(TableLine { table, key: key.into_inner().into_owned(), value, line });
                }
            }
        }
        lines
    }

    fn entries(&mut self, key: &str, value: Spanned<DeValue<'text>>) -> Vec<Entry<'text>> {
        let offset = value.span().start;
        match value.into_inner() {
            DeValue::Table(table) => table.into_iter().collect(),
            _ => {
                self.problems.push((offset, format!("{key}: expected a table, such as [{key}]")));
                Vec::new()
            }
        }
    }

    /// Takes a table of settings that apply together.
    ///
    /// # Errors
    /// When one of them is invalid, or the file has one of these errors, which can hide some.
    pub fn section<T: DeserializeOwned + Default>(
        &mut self,
        key: &str,
        syntax_errors: &[ConfigError],
    ) -> Result<T, ConfigError> {
        let Some(value) = self.table.remove(key) else {
            return syntax_errors.first().cloned().map_or_else(|| Ok(T::default()), Err);
        };
        let known = self.problems.len();
        let section = self.read(key, value);
        match (syntax_errors.first(), section) {
            (None, Some((_, section))) => Ok(section),
            (Some(error), _) => Err(error.clone()),
            (None, None) => {
                let (offset, text) = &self.problems[known];
                Err(ConfigError::at(self.file, self.line(*offset), text))
            }
        }
    }

    /// Reports what was not taken.
    pub fn report_unknown(&mut self, known: &str) {
        for (key, _) in std::mem::take(&mut self.table) {
            let text = format!("unknown setting `{}`; there are {known}", start_of(key.get_ref()));
            self.problems.push((key.span().start, text));
        }
    }

    /// Returns the first problems since the last call, with their lines.
    pub fn problems(&mut self) -> Vec<ConfigError> {
        let mut problems = std::mem::take(&mut self.problems);
        problems.sort_by_key(|(offset, _)| *offset);
        problems.truncate(MAX_PROBLEMS);
        problems.into_iter().map(|(offset, text)| ConfigError::at(self.file, self.line(offset), &text)).collect()
    }

    fn read<T: DeserializeOwned>(&mut self, key: &str, value: Spanned<DeValue<'text>>) -> Option<(usize, T)> {
        let offset = offset_of(&value);
        match T::deserialize(ValueDeserializer::from(value)) {
            Ok(value) => Some((self.line(offset), value)),
            Err(error) => {
                let offset = error.span().map_or(offset, |span| span.start);
                self.problems.push((offset, format!("{key}: {}", error.message())));
                None
            }
        }
    }

    fn line(&self, offset: usize) -> usize {
        1 + self.breaks.partition_point(|line_break| *line_break < offset)
    }
}

/// Returns where a value begins; a table begins with its first key.
fn offset_of(value: &Spanned<DeValue<'_>>) -> usize {
    let keys = value.get_ref().as_table().and_then(|table| table.keys().map(|key| key.span().start).min());
    keys.unwrap_or(value.span().start)
}

/// A line `key = "value"` of a table in a table.
pub struct TableLine {
    /// The name of the inner table.
    pub table: String,
    pub key: String,
    pub value: String,
    /// From 1.
    pub line: usize,
}

/// A setting with its key.
type Entry<'text> = (Spanned<std::borrow::Cow<'text, str>>, Spanned<DeValue<'text>>);
