//! Files of environment variables (`.env.example`): the names that they set. Values, which can be secrets, are not read.

use std::borrow::Cow;

use super::common::light::rules::{Layout, LightRules};
use super::{Language, SourceFile};
use crate::facts::{FactsBuilder, FileFacts, Signal, SignalKind};
use crate::resolve::rules::Traits;
use crate::text::file_name;

/// The entry of these files in the registry.
pub const LANGUAGE: Language = Language {
    file_names: FILE_NAMES,
    masked: |_, text| Some(names_only(text)),
    is_program: false,
    ..Language::new("dotenv", |_| tree_sitter_bash::LANGUAGE.into(), extract, &RULES)
};

/// Names of the files.
const FILE_NAMES: &[&str] = &[
    ".env",
    ".env.ci",
    ".env.default",
    ".env.defaults",
    ".env.development",
    ".env.dist",
    ".env.example",
    ".env.local.example",
    ".env.production",
    ".env.sample",
    ".env.schema",
    ".env.staging",
    ".env.template",
    ".env.test",
    ".env.testing",
    ".envrc",
    "env.example",
    "example.env",
];

static RULES: LightRules = LightRules::new("dotenv", Layout::Files { endings: &[], separator: '/' }, Traits::COMMON);

/// Returns whether a hidden file, or folder, of this name is read.
pub fn is_named(name: &str) -> bool {
    FILE_NAMES.contains(&name)
}

/// Returns the name that a line sets, and its place in the line. Names with small letters are left out: a line of a key in a
/// value of several lines can end with `=`.
fn name_in(line: &str) -> Option<(usize, &str)> {
    let start = line.len() - line.trim_start().len();
    let start = line[start..].strip_prefix("export ").map_or(start, |rest| line.len() - rest.trim_start().len());
    let name = line[start..].split_once('=')?.0.trim_end();
    let is_part = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
    let is_name = name.starts_with(|first: char| first.is_ascii_uppercase() || first == '_');
    (is_name && name.len() <= 200 && name.chars().all(is_part)).then_some((start, name))
}

/// Returns the text of a file as it can be shown to anyone: of one with variables of the environment without their values.
pub fn without_values<'text>(path: &str, text: &'text str) -> Cow<'text, str> {
    let name = file_name(path);
    let has_values = name.starts_with(".env") || FILE_NAMES.contains(&name);
    if has_values { names_only(text).into() } else { text.into() }
}

/// Returns the text with blanks instead of everything but the names and their `=`, byte for byte.
fn names_only(text: &str) -> String {
    let mut names = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let end = line.trim_end_matches(['\n', '\r']).len();
        let (start, name) = name_in(&line[..end]).unwrap_or_default();
        let sign = if name.is_empty() { "" } else { "=" };
        names.extend(std::iter::repeat_n(' ', start));
        names.extend([name, sign]);
        names.extend(std::iter::repeat_n(' ', end - start - name.len() - sign.len()));
        names.push_str(&line[end..]);
    }
    names
}

/// Extracts the names.
fn extract(file: &SourceFile<'_>) -> FileFacts {
    let mut facts = FactsBuilder::new();
    for (line, text) in (1_u32..).zip(file.text.lines()) {
        if let Some((_, name)) = name_in(text) {
            let kind = SignalKind::SetsEnv(facts.atom(name));
            facts.signal(Signal { source: None, kind, line });
        }
    }
    facts.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::parser;
    use crate::lang::testing::parse;

    #[test]
    fn names_are_read_and_values_are_not() {
        let text = "# Key=no\nAPI_KEY=s3cr3t\nexport PORT = \"80\"\n\nnot a line\nÉ=1\nKEY=\"BEGIN\ns3cr3tQ==\"\n";
        let facts = parse(".env.example", text);
        let names: Vec<&str> = facts.outline.names.iter().collect();
        assert_eq!(names, ["API_KEY", "PORT", "KEY"]);
        let masked = names_only(text);
        assert!(!format!("{facts:?}{masked}").contains("s3cr3t"));
        assert_eq!((masked.len(), masked.find("PORT")), (text.len(), text.find("PORT")));
    }

    #[test]
    fn hostile_lines_are_no_names() {
        for text in
            ["=", "export ", "export =", "é=1", &"A".repeat(100_000), &format!("{}=1", "A".repeat(1000)), "\r\n=\r"]
        {
            let facts = parser::parse(&LANGUAGE, ".env", text.as_bytes());
            assert!(facts.is_ok_and(|facts| facts.code.signals.is_empty()) || names_only(text).trim().is_empty());
            assert_eq!(names_only(text).len(), text.len());
        }
    }
}
