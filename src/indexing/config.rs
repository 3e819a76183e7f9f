//! The user's settings: `config.toml`, which only this module reads. Every setting is optional.
//!
//! Each setting is read by itself: one that is invalid is reported with its line and keeps its default, so the explorer
//! starts, and indexing works, with any file. What is sent to others or recorded is not left to a guess: [`Agents`], [`Share`]
//! and [`Feedback`] can't be had from a file that has errors of syntax.

mod document;

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;

use crate::lang::own::OwnSetting;
use crate::user_dirs;

use document::TableLine;
pub use document::{ConfigError, Document, sorted, start_of};

/// The file's name in the folder of settings.
pub const FILE_NAME: &str = "config.toml";
/// Maximum size of the file in bytes; a larger one is not the user's.
const MAX_BYTES: u64 = 1 << 20;
/// Maximum number of languages.
const MAX_LANGUAGES: usize = 50;
/// Maximum number of patterns of a list.
const MAX_PATTERNS: usize = 200;
/// A longer pause would feel unresponsive.
const MAX_DEBOUNCE_MS: u64 = 2_000;

/// All settings, for the message about an unknown one.
const SETTINGS: &str = "theme, glyphs, mouse, links, editor, debounce_ms, learning, watch, agents, share, feedback, \
                        max_file_size, include, exclude, language, keys";

/// The user's settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserConfig {
    pub explorer: Explorer,
    pub agents: Result<Agents, ConfigError>,
    pub share: Result<Share, ConfigError>,
    pub feedback: Result<Feedback, ConfigError>,
    pub files: FileRules,
    /// `[[language]]`, each with its line.
    pub languages: Vec<(usize, OwnSetting)>,
    /// The problems of the settings of indexing, `files` and `languages`.
    pub indexing_problems: Vec<ConfigError>,
    /// All other problems.
    pub problems: Vec<ConfigError>,
}

/// Settings of the explorer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explorer {
    /// The name of a theme, or `auto`: dark or light if the environment names the background, else the terminal's
    /// colors; with its line.
    pub theme: Option<(usize, String)>,
    /// `None` takes the set from the environment.
    pub glyphs: Option<GlyphSet>,
    /// Whether to capture the mouse.
    pub mouse: bool,
    /// Whether locations are links that the terminal opens at a click.
    pub links: bool,
    /// A command, or a template with `{file}` and `{line}`.
    pub editor: Option<String>,
    /// The pause in typing before a full ranking.
    pub debounce: Duration,
    /// Whether use of the explorer is recorded as feedback.
    pub learning: bool,
    /// Whether the index is updated when files change.
    pub watch: bool,
    /// Key bindings, which override the built-in ones.
    pub keys: Vec<Rebinding>,
}

impl Default for Explorer {
    fn default() -> Explorer {
        Explorer {
            theme: None,
            glyphs: None,
            mouse: true,
            links: true,
            editor: None,
            debounce: Duration::from_millis(120),
            learning: true,
            watch: true,
            keys: Vec::new(),
        }
    }
}

/// The set of drawing characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GlyphSet {
    Unicode,
    Ascii,
}

/// A key binding of the user, as it is written. The explorer's keymap checks it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rebinding {
    /// The name of the context, such as `normal`.
    pub context: String,
    pub keys: String,
    /// A command line such as `budget.set 8000`; empty to remove the binding.
    pub command: String,
    /// Its line in the file, from 1.
    pub line: usize,
}

impl From<TableLine> for Rebinding {
    fn from(TableLine { table, key, value, line }: TableLine) -> Rebinding {
        Rebinding { context: table, keys: key, command: value.trim().to_owned(), line }
    }
}

/// Settings about agents' requests.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table, such as [agents]")]
pub struct Agents {
    /// Whether requests are journaled.
    pub journal: bool,
}

impl Default for Agents {
    fn default() -> Agents {
        Agents { journal: true }
    }
}

/// The share of indexes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table, such as [share]")]
pub struct Share {
    pub url: Option<String>,
}

/// The exchange of votes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "a table, such as [feedback]")]
pub struct Feedback {
    pub sync: bool,
    pub name: String,
    pub texts: bool,
}

/// Which files are indexed. A repository's own settings have these, too.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileRules {
    /// With its line.
    pub max_file_size: Option<(usize, Size)>,
    /// Patterns, each with its line.
    pub include: Vec<(usize, String)>,
    pub exclude: Vec<(usize, String)>,
}

/// The size of a file as it is written.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "expected a number of bytes, or a size such as \"2MB\"")]
pub enum Size {
    Bytes(u64),
    /// A number and its unit.
    Text(String),
}

impl FileRules {
    /// The names of these settings.
    pub const NAMES: &str = "max_file_size, include, exclude";

    /// Takes these settings out of a file.
    pub fn take(document: &mut Document<'_>) -> FileRules {
        FileRules {
            max_file_size: document.take_with_line("max_file_size"),
            include: document.take_each("include", MAX_PATTERNS),
            exclude: document.take_each("exclude", MAX_PATTERNS),
        }
    }
}

impl UserConfig {
    /// Reads the user's file; without one every setting has its default.
    pub fn load() -> UserConfig {
        UserConfig::from_text(text())
    }

    /// Reads the file in a folder of settings.
    pub fn load_in(folder: &Path) -> UserConfig {
        UserConfig::from_text(text_in(folder))
    }

    /// Returns the settings of a file's text, or those without a file and the reason why it can't be read.
    pub fn from_text(text: Result<Option<String>, ConfigError>) -> UserConfig {
        match text {
            Ok(text) => UserConfig::parse(&text.unwrap_or_default()),
            Err(error) => UserConfig {
                agents: Err(error.clone()),
                share: Err(error.clone()),
                feedback: Err(error.clone()),
                indexing_problems: vec![error.clone()],
                problems: vec![error],
                ..UserConfig::parse("")
            },
        }
    }

    /// Parses settings. Invalid ones keep their defaults and are reported.
    pub fn parse(text: &str) -> UserConfig {
        let mut document = Document::new(FILE_NAME, text);
        let syntax_errors = document.problems();
        let files = FileRules::take(&mut document);
        let languages = document.take_each("language", MAX_LANGUAGES);
        let indexing_problems = document.problems();
        let agents = document.section("agents", &syntax_errors);
        let share = document.section("share", &syntax_errors);
        let feedback = document.section("feedback", &syntax_errors);
        let explorer = Explorer::take(&mut document);
        document.report_unknown(SETTINGS);
        // Of a line with an error of syntax the rest is no setting.
        let is_of_other_line = |problem: &ConfigError| syntax_errors.iter().all(|error| error.line != problem.line);
        let with_syntax = |mut others: Vec<ConfigError>| {
            others.retain(is_of_other_line);
            sorted([syntax_errors.clone(), others].concat())
        };
        UserConfig {
            explorer,
            agents,
            share,
            feedback,
            files,
            languages,
            indexing_problems: with_syntax(indexing_problems),
            problems: with_syntax(document.problems()),
        }
    }
}

impl Explorer {
    fn take(document: &mut Document<'_>) -> Explorer {
        let default = Explorer::default();
        Explorer {
            theme: document.take_with_line("theme").map(|(line, Filled(theme))| (line, theme)),
            glyphs: document.take("glyphs"),
            mouse: document.take("mouse").unwrap_or(default.mouse),
            links: document.take("links").unwrap_or(default.links),
            editor: document.take("editor").map(|Filled(editor)| editor),
            debounce: document.take("debounce_ms").map_or(default.debounce, |Debounce(pause)| pause),
            learning: document.take("learning").unwrap_or(default.learning),
            watch: document.take("watch").unwrap_or(default.watch),
            // Tables `[keys.CONTEXT]` with lines `"KEYS" = "COMMAND"`.
            keys: document.take_lines("keys").into_iter().map(Rebinding::from).collect(),
        }
    }
}

/// A text that is not empty.
#[derive(Deserialize)]
#[serde(try_from = "String")]
struct Filled(String);

impl TryFrom<String> for Filled {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Filled, &'static str> {
        if text.trim().is_empty() { Err("it is empty") } else { Ok(Filled(text)) }
    }
}

/// A pause in milliseconds.
#[derive(Deserialize)]
#[serde(try_from = "u64")]
struct Debounce(Duration);

impl TryFrom<u64> for Debounce {
    type Error = String;

    fn try_from(milliseconds: u64) -> Result<Debounce, String> {
        match milliseconds {
            0..=MAX_DEBOUNCE_MS => Ok(Debounce(Duration::from_millis(milliseconds))),
            _ => Err(format!("expected milliseconds from 0 to {MAX_DEBOUNCE_MS}")),
        }
    }
}

/// Reads the text of the user's file; `None` if there is none. It may be a link, as the tools that manage such files make them.
///
/// # Errors
/// When the file can't be read, is too large or not a file.
pub fn text() -> Result<Option<String>, ConfigError> {
    user_dirs::config().map_or(Ok(None), |folder| text_in(&folder))
}

fn text_in(folder: &Path) -> Result<Option<String>, ConfigError> {
    let path = folder.join(FILE_NAME);
    let unused = |reason: String| ConfigError::unused(FILE_NAME, &reason);
    match fs::metadata(&path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
        Err(error) => return Err(unused(error.to_string())),
        Ok(metadata) if !metadata.is_file() => return Err(unused("it is not a file".to_owned())),
        Ok(metadata) if metadata.len() > MAX_BYTES => return Err(unused("it is too large".to_owned())),
        Ok(_) => (),
    }
    let mut text = String::new();
    let read = fs::File::open(&path).and_then(|file| file.take(MAX_BYTES).read_to_string(&mut text));
    read.map_err(|error| unused(error.to_string()))?;
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(problems: &[ConfigError]) -> Vec<usize> {
        problems.iter().filter_map(|problem| problem.line).collect()
    }

    #[test]
    fn all_settings_are_read() {
        let text = "theme = \"gruvbox\"\nglyphs = \"ascii\"\nmouse = false\nlinks = false\neditor = \"hx\"\ndebounce_ms = 50\n\
                    learning = false\nwatch = false\nmax_file_size = \"2MB\"\ninclude = [\"a/\"]\nexclude = []\n\
                    [agents]\njournal = false\n[share]\nurl = \"s3://indexes\"\n[feedback]\nsync = true\nname = \"Ada\"\n\
                    [keys.normal]\n\"g x\" = \"go.cut\"\nQ = \"\"\n";
        let config = UserConfig::parse(text);
        assert_eq!((&config.problems[..], &config.indexing_problems[..]), (&[][..], &[][..]));
        let rebinding = |keys: &str, command: &str, line| Rebinding {
            context: "normal".to_owned(),
            keys: keys.to_owned(),
            command: command.to_owned(),
            line,
        };
        let expected = Explorer {
            theme: Some((1, "gruvbox".to_owned())),
            glyphs: Some(GlyphSet::Ascii),
            mouse: false,
            links: false,
            editor: Some("hx".to_owned()),
            debounce: Duration::from_millis(50),
            learning: false,
            watch: false,
            keys: vec![rebinding("Q", "", 21), rebinding("g x", "go.cut", 20)],
        };
        assert_eq!(config.explorer, expected);
        assert_eq!(config.agents, Ok(Agents { journal: false }));
        assert_eq!(config.share, Ok(Share { url: Some("s3://indexes".to_owned()) }));
        assert_eq!(config.feedback, Ok(Feedback { sync: true, name: "Ada".to_owned(), texts: false }));
        let rules = FileRules {
            max_file_size: Some((9, Size::Text("2MB".to_owned()))),
            include: vec![(10, "a/".to_owned())],
            exclude: Vec::new(),
        };
        assert_eq!(config.files, rules);
    }

    #[test]
    fn each_problem_has_its_line_and_costs_one_setting() {
        let text = "them = \"x\"\nmouse = \"yes\"\nglyphs = \"emoji\"\ndebounce_ms = -1\ntheme = \"dark\"\n\
                    editor = \"\"\n[keys]\nnormal = 3\n[keys.list]\nC-x = 7\nC-y = \"app.quit\"\n";
        let config = UserConfig::parse(text);
        assert_eq!(config.explorer.theme, Some((5, "dark".to_owned())));
        assert_eq!(config.explorer.keys.len(), 1);
        assert_eq!(lines(&config.problems), [1, 2, 3, 4, 6, 8, 10], "{:?}", config.problems);
        assert!(
            config.problems[0].to_string().starts_with("config.toml line 1: unknown setting `them`; there are theme,")
        );
        let debounce = UserConfig::parse("debounce_ms = 2001\n").problems;
        assert_eq!(debounce[0].text, "debounce_ms: expected milliseconds from 0 to 2000");
    }

    #[test]
    fn a_section_is_read_or_an_error() {
        let errors = |text: &str| {
            let config = UserConfig::parse(text);
            let errors = [config.agents.err(), config.share.err(), config.feedback.err()];
            errors.map(|error| error.map(|error| error.to_string()))
        };
        let wrong = "config.toml line 2: agents: invalid type: string \"no\", expected a boolean".to_owned();
        assert_eq!(errors("[agents]\njournal = \"no\"\n[share]\nurl = \"x\"\n"), [Some(wrong), None, None]);
        let unknown = "config.toml line 2: agents: unknown field `journals`, expected `journal`".to_owned();
        assert_eq!(errors("[agents]\njournals = false\n"), [Some(unknown), None, None]);
        let table =
            "config.toml line 1: agents: invalid type: integer `1`, expected a table, such as [agents]".to_owned();
        assert_eq!(errors("agents = 1"), [Some(table), None, None]);
        assert!(errors("theme = 1\nmax_file_size = true\n").iter().all(Option::is_none));
        for hidden in ["[share\nurl = \"x\"\n", "theme =\n", "[agents]\njournal = tru\n"] {
            assert!(errors(hidden).iter().all(Option::is_some), "{hidden}");
        }
    }

    #[test]
    fn errors_of_syntax_keep_settings_of_the_explorer() {
        let config = UserConfig::parse("mouse = false\ntheme = \n");
        assert!(!config.explorer.mouse);
        assert_eq!((lines(&config.problems), lines(&config.indexing_problems)), (vec![2], vec![2]));
        assert_eq!(UserConfig::parse("\u{0}\n[[[").explorer, Explorer::default());
    }

    #[test]
    fn a_file_that_cannot_be_read_is_a_problem_of_every_part() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(UserConfig::load_in(folder.path()), UserConfig::parse(""), "no file");
        fs::create_dir(folder.path().join(FILE_NAME)).unwrap();
        let config = UserConfig::load_in(folder.path());
        assert_eq!(config.explorer, Explorer::default());
        let error = ConfigError::unused(FILE_NAME, "it is not a file");
        assert_eq!(error.to_string(), "config.toml is not used: it is not a file");
        assert_eq!(
            (config.agents, config.share, config.feedback),
            (Err(error.clone()), Err(error.clone()), Err(error.clone()))
        );
        assert_eq!((&config.problems, &config.indexing_problems), (&vec![error.clone()], &vec![error]));
        fs::remove_dir(folder.path().join(FILE_NAME)).unwrap();
        fs::write(folder.path().join(FILE_NAME), "#".repeat(MAX_BYTES as usize + 1)).unwrap();
        assert_eq!(UserConfig::load_in(folder.path()).share.unwrap_err().text, "it is too large");
    }
}
