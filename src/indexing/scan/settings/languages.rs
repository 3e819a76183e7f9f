//! Reads the languages of the user's settings: `[[language]]`, with the path of a grammar and of a query.
//!
//! A grammar is code that runs with the user's rights, so only the user's own file names one.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::config::{ConfigError, FILE_NAME, UserConfig};
use crate::lang::LANGUAGES;
use crate::lang::own::{self, OwnLanguage, OwnProblem, OwnSetting};
use crate::user_dirs;

/// Maximum length of a name, an ending or the mark of a comment.
const MAX_WORD_BYTES: usize = 32;

/// Loads the languages of the user's settings, and registers them for this process. Those that can't be read are problems,
/// which the settings of every checkout have.
pub fn register() {
    let Some(folder) = user_dirs::config() else { return };
    // What the file's problems are, the settings of each checkout say.
    let (settings, problems) = checked(UserConfig::load().languages, &folder);
    let mut problems: Vec<String> = problems.iter().map(ConfigError::to_string).collect();
    // Below the settings, another user can't put a library there either.
    let cache = user_dirs::cache().unwrap_or(folder);
    let mut loaded = Vec::new();
    for (line, setting) in settings {
        match load(&setting, &cache) {
            Ok(language) => loaded.push(language),
            Err(problem) => {
                let text = format!("{} is not read: {problem}", setting.name);
                problems.push(ConfigError::at(FILE_NAME, line, &text).to_string());
            }
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
    // A pipe or device would never end.
    let regular = fs::metadata(&setting.query).map(|found| found.is_file()).map_err(unreadable(&setting.query))?;
    if !regular {
        return Err(unreadable(&setting.query)(io::Error::other("it is not a regular file")));
    }
    let query = fs::read_to_string(&setting.query).map_err(unreadable(&setting.query))?;
    let (mut language, library) = own::load(setting, &query, cache)?;
    let code = fs::read(&library).map_err(unreadable(&library))?;
    language.version.push_str(&blake3::hash(&code).to_hex());
    Ok(language)
}

/// Returns the languages that can be used, each with its line, with paths from `folder`, and the problems of the others.
fn checked(languages: Vec<(usize, OwnSetting)>, folder: &Path) -> (Vec<(usize, OwnSetting)>, Vec<ConfigError>) {
    let (mut valid, mut problems) = (Vec::<(usize, OwnSetting)>::new(), Vec::new());
    for (line, mut setting) in languages {
        let is_known = LANGUAGES.iter().any(|language| language.name == setting.name);
        let problem = match wrong_word(&setting) {
            Some(name) => format!("{name} must have 1 to {MAX_WORD_BYTES} bytes, such as \"gleam\""),
            None if is_known || valid.iter().any(|(_, other)| other.name == setting.name) => {
                format!("a language is called {} already; choose another name, and set `symbol`", setting.name)
            }
            None => {
                setting.grammar = path(&setting.grammar, folder);
                setting.query = path(&setting.query, folder);
                setting.comments.iter_mut().for_each(|mark| *mark = mark.trim().to_owned());
                valid.push((line, setting));
                continue;
            }
        };
        problems.push(ConfigError::at(FILE_NAME, line, &problem));
    }
    (valid, problems)
}

/// Returns the name of a setting with a word that can't be used.
fn wrong_word(setting: &OwnSetting) -> Option<&'static str> {
    let is_word = |word: &str, is_letter: &dyn Fn(char) -> bool| {
        let is_short = (1..=MAX_WORD_BYTES).contains(&word.len());
        is_short && !word.contains(char::is_control) && word.chars().all(is_letter)
    };
    let are_words =
        |words: &[String], is_letter: &dyn Fn(char) -> bool| words.iter().all(|word| is_word(word, is_letter));
    let checks = [
        ("name", is_word(&setting.name, &is_part_of_name)),
        ("symbol", setting.symbol.as_deref().is_none_or(|symbol| is_word(symbol, &is_part_of_symbol))),
        ("endings", !setting.endings.is_empty() && are_words(&setting.endings, &is_part_of_ending)),
        ("comments", are_words(&setting.comments, &|_| true)),
        ("grammar", !setting.grammar.as_os_str().is_empty()),
        ("query", !setting.query.as_os_str().is_empty()),
    ];
    checks.iter().find(|(_, is_valid)| !is_valid).map(|(name, _)| *name)
}

/// Returns a path from `folder`; `~/` is the home folder.
fn path(written: &Path, folder: &Path) -> PathBuf {
    match (written.strip_prefix("~"), user_dirs::home()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => folder.join(written),
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

    /// Returns the valid languages and all problems.
    fn read(text: &str) -> (Vec<(usize, OwnSetting)>, Vec<String>) {
        let config = UserConfig::parse(text);
        let (languages, problems) = checked(config.languages, Path::new(FOLDER));
        (languages, config.indexing_problems.iter().chain(&problems).map(ToString::to_string).collect())
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
            ("language = 1\n", "line 1: language: expected a list"),
            ("language = [1]\n", "line 1: language: invalid type: integer `1`, expected a table, such as [[language]]"),
            ("[[language]]\nname = \"x\"\nquery = \"q\"\n", "line 1: language: missing field `endings`"),
            (&format!("[[language]]\nname = \"A b\"\n{good}"), "line 2: name must have 1 to 32 bytes"),
            (&format!("[[language]]\nname = \"rust\"\n{good}"), "line 2: a language is called rust already"),
            (
                &format!("[[language]]\nnames = \"x\"\n{good}"),
                "line 2: language: unknown field `names`, expected one of",
            ),
            (
                &format!("[[language]]\nname = \"x\"\n{}", good.replace("\"x\"", "\"a/b\"")),
                "line 2: endings must have 1",
            ),
            (
                "[[language]]\nname = \"x\"\ncomments = \"#\"\n",
                "line 3: language: invalid type: string \"#\", expected a seq",
            ),
        ] {
            let (languages, problems) = read(text);
            assert!(languages.is_empty() && problems.len() == 1, "{text}: {languages:?} {problems:?}");
            assert!(problems[0].starts_with(&format!("config.toml {expected}")), "{problems:?}");
        }
        let twice = format!("[[language]]\nname = \"x\"\n{good}[[language]]\nname = \"x\"\n{good}");
        assert_eq!(read(&twice).0.len(), 1);
    }
}
