//! Reads a settings file, each mistake with its line.

use std::fmt;
use std::ops::Range;
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::{Config, GlyphSet, Rebinding};
use crate::tui::key::Key;

/// What is wrong in a settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// Counted from 1.
    pub line: usize,
    pub text: String,
}

impl fmt::Display for Complaint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "config.toml line {}: {}", self.line, self.text)
    }
}

/// The settings in `text`; what is wrong is left at its default and reported.
pub fn read(text: &str) -> (Config, Vec<Complaint>) {
    let mut reading = Reading { text, config: Config::default(), complaints: Vec::new() };
    let (table, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        reading.complain(error.span().unwrap_or_default(), error.message().to_owned());
    }
    for (key, value) in table.get_ref() {
        reading.setting(key.get_ref(), key.span(), value);
    }
    reading.complaints.sort_by_key(|complaint| complaint.line);
    (reading.config, reading.complaints)
}

/// The longest pause that still feels like an answer, in milliseconds.
const LONGEST_DEBOUNCE: u64 = 2_000;

/// Every setting, for the message about an unknown one.
const SETTINGS: [&str; 8] = ["theme", "glyphs", "mouse", "editor", "debounce_ms", "learning", "watch", "keys"];

struct Reading<'text> {
    text: &'text str,
    config: Config,
    complaints: Vec<Complaint>,
}

impl Reading<'_> {
    fn line(&self, place: usize) -> usize {
        1 + self.text.bytes().take(place).filter(|byte| *byte == b'\n').count()
    }

    fn complain(&mut self, place: Range<usize>, text: String) {
        let line = self.line(place.start);
        self.complaints.push(Complaint { line, text });
    }

    fn setting(&mut self, key: &str, place: Range<usize>, value: &Spanned<DeValue<'_>>) {
        match key {
            "theme" => self.config.theme = self.words(key, value).or(self.config.theme.take()),
            "editor" => self.config.editor = self.words(key, value).or(self.config.editor.take()),
            "mouse" => self.config.mouse = self.switch(key, value).unwrap_or(self.config.mouse),
            "learning" => self.config.learning = self.switch(key, value).unwrap_or(self.config.learning),
            "watch" => self.config.watch = self.switch(key, value).unwrap_or(self.config.watch),
            "glyphs" => match value.get_ref().as_str() {
                Some("unicode") => self.config.glyphs = Some(GlyphSet::Unicode),
                Some("ascii") => self.config.glyphs = Some(GlyphSet::Ascii),
                _ => self.complain(value.span(), "glyphs is \"unicode\" or \"ascii\"".to_owned()),
            },
            "debounce_ms" => match value.get_ref().as_integer().and_then(|number| number.as_str().parse().ok()) {
                Some(wait) if wait <= LONGEST_DEBOUNCE => self.config.debounce = Duration::from_millis(wait),
                _ => self.complain(
                    value.span(),
                    format!("debounce_ms is a number of milliseconds from 0 to {LONGEST_DEBOUNCE}"),
                ),
            },
            "keys" => self.contexts(value),
            _ => self.complain(place, format!("unknown setting `{key}`; there are {}", SETTINGS.join(", "))),
        }
    }

    fn words(&mut self, key: &str, value: &Spanned<DeValue<'_>>) -> Option<String> {
        let words = value.get_ref().as_str().filter(|words| !words.trim().is_empty());
        if words.is_none() {
            self.complain(value.span(), format!("{key} is text in quotes"));
        }
        words.map(str::to_owned)
    }

    fn switch(&mut self, key: &str, value: &Spanned<DeValue<'_>>) -> Option<bool> {
        let switch = value.get_ref().as_bool();
        if switch.is_none() {
            self.complain(value.span(), format!("{key} is true or false"));
        }
        switch
    }

    /// `[keys.CONTEXT]` with lines `"KEYS" = "COMMAND"`. Which contexts and commands there are is the keymap's knowledge.
    fn contexts(&mut self, value: &Spanned<DeValue<'_>>) {
        let Some(contexts) = value.get_ref().as_table() else {
            return self.complain(value.span(), "keys are tables, such as [keys.normal]".to_owned());
        };
        for (context, bindings) in contexts {
            let Some(bindings) = bindings.get_ref().as_table() else {
                let name = context.get_ref();
                self.complain(context.span(), format!("keys.{name} is a table of `\"KEYS\" = \"COMMAND\"`"));
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
            let form = "keys are written x, C-x, A-Enter, F1, or several with blanks between them";
            return self.complain(keys.span(), format!("`{written}` is no key: {form}"));
        };
        let Some(command) = command.get_ref().as_str().map(str::trim) else {
            return self.complain(command.span(), format!("`{written}` needs a command in quotes, or \"\" for none"));
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
    fn a_whole_file_is_read() {
        let text = "theme = \"gruvbox\"\nglyphs = \"ascii\"\nmouse = false\neditor = \"hx\"\ndebounce_ms = 50\n\
                    learning = false\nwatch = false\n[keys.normal]\n\"g x\" = \"go.cut\"\nQ = \"\"\n";
        let (config, complaints) = read(text);
        assert_eq!(complaints, []);
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
            editor: Some("hx".into()),
            debounce: Duration::from_millis(50),
            learning: false,
            watch: false,
            keys: Vec::new(),
        };
        assert_eq!(Config { keys: Vec::new(), ..config.clone() }, expected);
        let mut keys = config.keys;
        keys.sort_by_key(|rebinding| rebinding.line);
        assert_eq!(keys, [rebinding("g x", Some("go.cut"), 9), rebinding("Q", None, 10)]);
    }

    #[test]
    fn every_mistake_has_its_line_and_spoils_nothing_else() {
        let text = "them = \"x\"\nmouse = \"yes\"\nglyphs = \"emoji\"\ndebounce_ms = -1\ntheme = \"dark\"\n\
                    editor = \"\"\n[keys]\nnormal = 3\n[keys.typing]\n\"Hyper-x\" = \"app.quit\"\nC-x = 7\n";
        let (config, complaints) = read(text);
        assert_eq!(config.theme.as_deref(), Some("dark"));
        let lines: Vec<usize> = complaints.iter().map(|complaint| complaint.line).collect();
        assert_eq!(lines, [1, 2, 3, 4, 6, 8, 10, 11], "{complaints:?}");
        assert!(complaints[0].to_string().starts_with("config.toml line 1: unknown setting `them`; there are theme,"));
    }

    #[test]
    fn broken_toml_keeps_what_can_be_read() {
        let (config, complaints) = read("mouse = false\ntheme = \n");
        assert!(!config.mouse);
        assert_eq!(complaints[0].line, 2);
        assert_eq!(read("\u{0}\n[[[").0, Config::default());
    }
}
