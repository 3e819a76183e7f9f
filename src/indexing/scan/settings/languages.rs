//! Reads the languages of the user's settings: `[[language]]`, with the path of a grammar and of a query.
//!
//! A grammar is code that runs with the user's rights, so only the user's own file names one.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::USER_FILE;
use super::parse::{Parser, start_of};
use crate::lang::LANGUAGES;
use crate::lang::own::{self, OwnLanguage, OwnProblem, OwnSetting};
use crate::user_dirs;

/// The settings of a language, for the message about an unknown one.
const SETTINGS: &str = "name, endings, grammar, symbol, query, comments";
/// Maximum number of languages.
const MAX_LANGUAGES: usize = 50;
/// Maximum length of a name, an ending or the mark of a comment.
const MAX_WORD_BYTES: usize = 32;

/// Loads the languages of the user's settings, and registers them for this process. Those that can't be read are problems,
/// which the settings of every checkout have.
pub fn register() {
    // A file that can't be read is a problem of each checkout's settings.
    let Ok(Some(text)) = super::user_text() else { return };
    let Some(folder) = user_dirs::config() else { return };
    let (settings, mut problems) = languages(&text, &folder);
    // Below the settings, another user can't put a library there either.
    let cache = user_dirs::cache().unwrap_or(folder);
    let mut loaded = Vec::new();
    for (line, setting) in settings {
        match load(&setting, &cache) {
            Ok(language) => loaded.push(language),
            Err(problem) => problems.push(format!("{USER_FILE} line {line}: {} is not read: {problem}", setting.name)),
        }
    }
    own::register(loaded, problems);
}

/// Loads a language. Its version changes with the text of the query and the code of the grammar.
fn load(setting: &OwnSetting, cache: &Path) -> Result<OwnLanguage, OwnProblem> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |error| OwnProblem::Unreadable { path, error }
    };
    let query = fs::read_to_string(&setting.query).map_err(unreadable(&setting.query))?;
    let (mut language, library) = own::load(setting, &query, cache)?;
    let code = fs::read(&library).map_err(unreadable(&library))?;
    language.version.push_str(&blake3::hash(&code).to_hex());
    Ok(language)
}

/// Returns the languages of a settings file, each with its line, and the problems of others. Relative paths are those of
/// `folder`.
fn languages(text: &str, folder: &Path) -> (Vec<(usize, OwnSetting)>, Vec<String>) {
    let mut parser = Parser::new(text);
    // The other settings' reader reports errors of the syntax.
    let (table, _) = DeTable::parse_recoverable(text);
    let mut languages: Vec<(usize, OwnSetting)> = Vec::new();
    let Some((_, value)) = table.get_ref().iter().find(|(key, _)| key.get_ref() == "language") else {
        return (languages, Vec::new());
    };
    let Some(list) = value.get_ref().as_array() else {
        parser.problem(value.span().start, "languages must be tables, such as [[language]]");
        return (languages, parser.described(USER_FILE));
    };
    for element in list.iter().take(MAX_LANGUAGES) {
        let Some(table) = element.get_ref().as_table() else {
            parser.problem(element.span().start, "a language must be a table, such as [[language]]");
            continue;
        };
        let offset = table.iter().map(|(key, _)| key.span().start).min().unwrap_or(element.span().start);
        let Some(setting) = parser.language(offset, table, folder) else { continue };
        let is_known = LANGUAGES.iter().any(|language| language.name == setting.name);
        if is_known || languages.iter().any(|(_, other)| other.name == setting.name) {
            let text = format!("a language is called {} already; choose another name, and set `symbol`", setting.name);
            parser.problem(offset, &text);
        } else {
            languages.push((parser.line(offset), setting));
        }
    }
    (languages, parser.described(USER_FILE))
}

impl Parser<'_> {
    /// Returns one language, unless it has a problem.
    fn language(&mut self, offset: usize, table: &DeTable<'_>, folder: &Path) -> Option<OwnSetting> {
        let mut setting = OwnSetting {
            name: String::new(),
            endings: Vec::new(),
            grammar: PathBuf::new(),
            symbol: None,
            query: PathBuf::new(),
            comments: Vec::new(),
        };
        let before = self.problems.len();
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "name" => setting.name = self.word("name", value, &is_part_of_name).unwrap_or_default(),
                "symbol" => setting.symbol = self.word("symbol", value, &is_part_of_symbol),
                "grammar" => setting.grammar = self.path("grammar", value, folder).unwrap_or_default(),
                "query" => setting.query = self.path("query", value, folder).unwrap_or_default(),
                "endings" => setting.endings = self.words("endings", value, &is_part_of_ending),
                "comments" => setting.comments = self.words("comments", value, &|_| true),
                other => {
                    let text = format!("unknown setting `language.{}`; there are {SETTINGS}", start_of(other));
                    self.problem(key.span().start, &text);
                }
            }
        }
        if self.problems.len() > before {
            return None;
        }
        let needed = [
            ("name", setting.name.is_empty()),
            ("endings", setting.endings.is_empty()),
            ("grammar", setting.grammar.as_os_str().is_empty()),
            ("query", setting.query.as_os_str().is_empty()),
        ];
        let missing: Vec<&str> = needed.iter().filter(|(_, is_missing)| *is_missing).map(|(name, _)| *name).collect();
        if missing.is_empty() {
            return Some(setting);
        }
        self.problem(offset, &format!("a language needs {}", missing.join(", ")));
        None
    }

    /// Returns a word of these letters.
    fn word(&mut self, name: &str, value: &Spanned<DeValue<'_>>, is_letter: &dyn Fn(char) -> bool) -> Option<String> {
        let is_word = |word: &&str| {
            let is_short = (1..=MAX_WORD_BYTES).contains(&word.len());
            is_short && !word.contains(char::is_control) && word.chars().all(is_letter)
        };
        let word = value.get_ref().as_str().map(str::trim).filter(is_word);
        if word.is_none() {
            let text = format!("{name} must be a text of 1 to {MAX_WORD_BYTES} bytes, such as \"gleam\"");
            self.problem(value.span().start, &text);
        }
        word.map(str::to_owned)
    }

    fn words(&mut self, name: &str, value: &Spanned<DeValue<'_>>, is_letter: &dyn Fn(char) -> bool) -> Vec<String> {
        let Some(list) = value.get_ref().as_array() else {
            self.problem(value.span().start, &format!("{name} must be a list of texts, such as [\"gleam\"]"));
            return Vec::new();
        };
        list.iter().filter_map(|element| self.word(name, element, is_letter)).collect()
    }

    /// Returns a path; `~/` is the home folder.
    fn path(&mut self, name: &str, value: &Spanned<DeValue<'_>>, folder: &Path) -> Option<PathBuf> {
        let Some(path) = value.get_ref().as_str().filter(|path| !path.trim().is_empty()) else {
            self.problem(value.span().start, &format!("{name} must be a path"));
            return None;
        };
        let path = match (path.strip_prefix("~/"), user_dirs::home()) {
            (Some(rest), Some(home)) => Cow::Owned(home.join(rest)),
            _ => Cow::Borrowed(Path::new(path)),
        };
        Some(folder.join(path))
    }
}

/// Names are shown, stored and typed in commands.
fn is_part_of_name(letter: char) -> bool {
    letter.is_ascii_lowercase() || letter.is_ascii_digit() || "-_+#".contains(letter)
}

fn is_part_of_ending(letter: char) -> bool {
    letter.is_alphanumeric() || "-_+#".contains(letter)
}

fn is_part_of_symbol(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDER: &str = "/home/ada/.config/knowing";

    fn read(text: &str) -> (Vec<(usize, OwnSetting)>, Vec<String>) {
        languages(text, Path::new(FOLDER))
    }

    #[test]
    fn a_language_has_a_grammar_and_a_query() {
        let text = "theme = \"dark\"\n[[language]]\nname = \"gleam\"\nendings = [\"gleam\"]\ngrammar = \"gleam.so\"\n\
                    query = \"/q/tags.scm\"\ncomments = [\"//\", \"/* */\"]\n";
        let (languages, problems) = read(text);
        assert_eq!(problems, [""; 0]);
        let expected = OwnSetting {
            name: "gleam".to_owned(),
            endings: vec!["gleam".to_owned()],
            grammar: Path::new(FOLDER).join("gleam.so"),
            symbol: None,
            query: PathBuf::from("/q/tags.scm"),
            comments: vec!["//".to_owned(), "/* */".to_owned()],
        };
        assert_eq!(languages, [(3, expected)]);
    }

    #[test]
    fn each_problem_of_a_language_has_its_line() {
        let good = "endings = [\"x\"]\ngrammar = \"x.so\"\nquery = \"x.scm\"\n";
        for (text, expected) in [
            ("language = 1\n", "line 1: languages must be tables, such as [[language]]"),
            ("language = [1]\n", "line 1: a language must be a table, such as [[language]]"),
            ("[[language]]\nname = \"x\"\nquery = \"q\"\n", "line 2: a language needs endings, grammar"),
            (&format!("[[language]]\nname = \"A b\"\n{good}"), "line 2: name must be a text of 1 to 32 bytes"),
            (&format!("[[language]]\nname = \"rust\"\n{good}"), "line 2: a language is called rust already"),
            (
                &format!("[[language]]\nnames = \"x\"\n{good}"),
                "line 2: unknown setting `language.names`; there are name",
            ),
            ("[[language]]\nname = \"x\"\nendings = [\"a/b\"]\n", "line 3: endings must be a text of 1 to 32 bytes"),
            ("[[language]]\nname = \"x\"\ncomments = \"#\"\n", "line 3: comments must be a list of texts"),
        ] {
            let (languages, problems) = read(text);
            assert!(languages.is_empty() && problems.len() == 1, "{text}: {languages:?} {problems:?}");
            assert!(problems[0].starts_with(&format!("config.toml {expected}")), "{problems:?}");
        }
        let twice = format!("[[language]]\nname = \"x\"\n{good}[[language]]\nname = \"x\"\n{good}");
        assert_eq!(read(&twice).0.len(), 1);
    }
}
