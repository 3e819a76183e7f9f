//! Parses a settings file; every error has its line.

use std::ops::Range;
use std::time::Duration;

use thiserror::Error;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Config, GlyphSet, Rebinding};
use crate::tui::key::Key;

/// An error in a settings file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("config.toml line {line}: {text}")]
pub struct ConfigError {
    /// Counted from 1.
    pub line: usize,
    pub text: String,
}

/// Parses settings. Invalid ones keep their defaults and are reported.
pub fn parse(text: &str) -> (Config, Vec<ConfigError>) {
    let mut parser = Parser { text, config: Config::default(), errors: Vec::new() };
    let (table, syntax_errors) = DeTable::parse_recoverable(text);
    for error in syntax_errors {
        parser.error(error.span().unwrap_or_default(), error.message().to_owned());
    }
    for (key, value) in table.get_ref() {
        parser.setting(key.get_ref(), key.span(), value);
    }
    parser.errors.sort_by_key(|error| error.line);
    (parser.config, parser.errors)
}

/// A longer pause would feel unresponsive.
const MAX_DEBOUNCE_MS: u64 = 2_000;

/// All settings, for the message about an unknown one.
const SETTINGS: [&str; 16] = [
    "theme",
    "glyphs",
    "mouse",
    "links",
    "editor",
    "debounce_ms",
    "learning",
    "watch",
    "agents",
    "share",
    "feedback",
    "max_file_size",
    "include",
    "exclude",
    "language",
    "keys",
];

/// The tables that other parts of the program read, with their settings, and whether each is true or false, else a string.
const OTHER_TABLES: &[(&str, &[(&str, bool)])] = &[
    ("agents", &[("journal", true)]),
    ("share", &[("url", false)]),
    ("feedback", &[("sync", true), ("name", false), ("texts", true)]),
];

struct Parser<'text> {
    text: &'text str,
    config: Config,
    errors: Vec<ConfigError>,
}

impl Parser<'_> {
    fn line(&self, offset: usize) -> usize {
        1 + self.text.bytes().take(offset).filter(|byte| *byte == b'\n').count()
    }

    fn error(&mut self, span: Range<usize>, text: String) {
        let line = self.line(span.start);
        self.errors.push(ConfigError { line, text });
    }

    fn setting(&mut self, key: &str, span: Range<usize>, value: &Spanned<DeValue<'_>>) {
        match key {
            "theme" => self.config.theme = self.string(key, value).or(self.config.theme.take()),
            "editor" => self.config.editor = self.string(key, value).or(self.config.editor.take()),
            "mouse" => self.config.mouse = self.boolean(key, value).unwrap_or(self.config.mouse),
            "links" => self.config.links = self.boolean(key, value).unwrap_or(self.config.links),
            "learning" => self.config.learning = self.boolean(key, value).unwrap_or(self.config.learning),
            "watch" => self.config.watch = self.boolean(key, value).unwrap_or(self.config.watch),
            "glyphs" => match value.get_ref().as_str() {
                Some("unicode") => self.config.glyphs = Some(GlyphSet::Unicode),
                Some("ascii") => self.config.glyphs = Some(GlyphSet::Ascii),
                _ => self.error(value.span(), "glyphs must be \"unicode\" or \"ascii\"".to_owned()),
            },
            "debounce_ms" => match value.get_ref().as_integer().and_then(|number| number.as_str().parse().ok()) {
                Some(wait) if wait <= MAX_DEBOUNCE_MS => self.config.debounce = Duration::from_millis(wait),
                _ => self.error(value.span(), format!("debounce_ms must be milliseconds from 0 to {MAX_DEBOUNCE_MS}")),
            },
            name @ ("agents" | "share" | "feedback") => self.table(name, value),
            "keys" => self.key_tables(value),
            // Indexing reads these, and reports what is wrong with them.
            "max_file_size" | "include" | "exclude" | "language" => (),
            _ => self.error(span, format!("unknown setting `{key}`; there are {}", SETTINGS.join(", "))),
        }
    }

    fn string(&mut self, key: &str, value: &Spanned<DeValue<'_>>) -> Option<String> {
        let string = value.get_ref().as_str().filter(|string| !string.trim().is_empty());
        if string.is_none() {
            self.error(value.span(), format!("{key} must be a string"));
        }
        string.map(str::to_owned)
    }

    fn boolean(&mut self, key: &str, value: &Spanned<DeValue<'_>>) -> Option<bool> {
        let boolean = value.get_ref().as_bool();
        if boolean.is_none() {
            self.error(value.span(), format!("{key} must be true or false"));
        }
        boolean
    }

    /// Checks a table that other parts of the program read.
    fn table(&mut self, name: &str, value: &Spanned<DeValue<'_>>) {
        let known = OTHER_TABLES.iter().find(|(table, _)| *table == name).map_or(&[][..], |(_, known)| known);
        let Some(settings) = value.get_ref().as_table() else {
            return self.error(value.span(), format!("{name} must be a table, such as [{name}]"));
        };
        for (key, value) in settings {
            match known.iter().find(|(setting, _)| *setting == key.get_ref().as_ref()) {
                Some((setting, true)) => drop(self.boolean(setting, value)),
                Some((setting, false)) => drop(self.string(setting, value)),
                None => {
                    let names: Vec<&str> = known.iter().map(|(setting, _)| *setting).collect();
                    let are = if names.len() == 1 { "is" } else { "are" };
                    let text = format!("unknown setting `{name}.{}`; there {are} {}", key.get_ref(), names.join(", "));
                    self.error(key.span(), text);
                }
            }
        }
    }

    /// Parses the tables `[keys.CONTEXT]` with lines `"KEYS" = "COMMAND"`. The keymap checks names of contexts and
    /// commands.
    fn key_tables(&mut self, value: &Spanned<DeValue<'_>>) {
        let Some(contexts) = value.get_ref().as_table() else {
            return self.error(value.span(), "keys must be tables, such as [keys.normal]".to_owned());
        };
        for (context, bindings) in contexts {
            let Some(bindings) = bindings.get_ref().as_table() else {
                let name = context.get_ref();
                self.error(context.span(), format!("keys.{name} must be a table of `\"KEYS\" = \"COMMAND\"`"));
                continue;
            };
            for (keys, command) in bindings {
                self.binding(context.get_ref(), keys, command);
            }
        }
    }

    fn binding(&mut self, context: &str, keys: &Spanned<std::borrow::Cow<'_, str>>, command: &Spanned<DeValue<'_>>) {
        let written = keys.get_ref();
        let Some(sequence) = Key::sequence(written) else {
            let form = "write x, C-x, A-Enter, F1, or several separated by spaces";
            return self.error(keys.span(), format!("`{written}` is not a key: {form}"));
        };
        let Some(command) = command.get_ref().as_str().map(str::trim) else {
            return self.error(command.span(), format!("`{written}` needs a command in quotes, or \"\" for none"));
        };
        let line = self.line(keys.span().start);
        let command = Some(command.to_owned()).filter(|command| !command.is_empty());
        self.config.keys.push(Rebinding { context: context.to_owned(), keys: sequence, command, line });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_settings_are_parsed() {
        assert_eq!(parse("[share]\nurl = \"s3://indexes\"\n").1, []);
        assert_eq!(parse("max_file_size = \"2MB\"\ninclude = []\nexclude = [\"docs/\"]\n").1, []);
        let text = "theme = \"gruvbox\"\nglyphs = \"ascii\"\nmouse = false\nlinks = false\neditor = \"hx\"\ndebounce_ms = 50\n\
                    learning = false\nwatch = false\n[keys.normal]\n\"g x\" = \"go.cut\"\nQ = \"\"\n";
        let (config, errors) = parse(text);
        assert_eq!(errors, []);
        let rebinding = |keys, command: Option<&str>, line| Rebinding {
            context: "normal".into(),
            keys: Key::sequence(keys).unwrap(),
            command: command.map(str::to_owned),
            line,
        };
        let expected = Config {
            theme: Some("gruvbox".into()),
            glyphs: Some(GlyphSet::Ascii),
            mouse: false,
            links: false,
            editor: Some("hx".into()),
            debounce: Duration::from_millis(50),
            learning: false,
            watch: false,
            keys: Vec::new(),
        };
        assert_eq!(Config { keys: Vec::new(), ..config.clone() }, expected);
        let mut keys = config.keys;
        keys.sort_by_key(|rebinding| rebinding.line);
        assert_eq!(keys, [rebinding("g x", Some("go.cut"), 10), rebinding("Q", None, 11)]);
    }

    #[test]
    fn each_error_has_its_line_and_affects_one_setting() {
        let text = "them = \"x\"\nmouse = \"yes\"\nglyphs = \"emoji\"\ndebounce_ms = -1\ntheme = \"dark\"\n\
                    editor = \"\"\n[keys]\nnormal = 3\n[keys.typing]\n\"Hyper-x\" = \"app.quit\"\nC-x = 7\n";
        let (config, errors) = parse(text);
        assert_eq!(config.theme.as_deref(), Some("dark"));
        let lines: Vec<usize> = errors.iter().map(|error| error.line).collect();
        assert_eq!(lines, [1, 2, 3, 4, 6, 8, 10, 11], "{errors:?}");
        assert!(errors[0].to_string().starts_with("config.toml line 1: unknown setting `them`; there are theme,"));
    }

    #[test]
    fn invalid_toml_keeps_valid_settings() {
        let (config, errors) = parse("mouse = false\ntheme = \n");
        assert!(!config.mouse);
        assert_eq!(errors[0].line, 2);
        assert_eq!(parse("\u{0}\n[[[").0, Config::default());
    }

    #[test]
    fn settings_of_agents_are_checked() {
        assert_eq!(parse("[agents]\njournal = false\n").1, []);
        let lines = |text: &str| parse(text).1.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(lines("agents = 1"), ["config.toml line 1: agents must be a table, such as [agents]"]);
        assert_eq!(lines("[agents]\njournal = \"no\"\n"), ["config.toml line 2: journal must be true or false"]);
        assert!(lines("[share]\nurls = 1\n")[0].contains("unknown setting `share.urls`; there is url"));
        assert!(lines("[agents]\njournals = true\n")[0].contains("unknown setting `agents.journals`"));
    }
}
