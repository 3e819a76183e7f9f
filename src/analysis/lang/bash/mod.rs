//! Bash: a pattern file, and the code for commands that are calls, imports or tests.

mod hooks;

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::Language;
use super::common::lexicon::{DocStyle, Lexicon};
use super::common::light::rules::{Layout, LightRules};
use super::common::patterns::Patterns;
use super::common::{Dialect, extract, light};
use super::test_runner::TestRunner;
use crate::resolve::rules::Traits;

/// Bash's entry in the registry.
pub const LANGUAGE: Language = Language {
    extensions: &["bash", "bats", "sh"],
    interpreters: &["ash", "bash", "dash", "ksh", "sh"],
    test_runner: TestRunner {
        is_test: |test| test.file.ends_with(".bats") && !test.is_used,
        commands: |tests, _| light::command_with_files("bats", tests),
        takes_files: false,
    },
    ..Language::new("bash", |_| tree_sitter_bash::LANGUAGE.into(), |file| extract(file, &DIALECT), &RULES)
};

static RULES: LightRules = LightRules::new(
    "bash",
    Layout::Files { endings: &[".bash", ".sh"], separator: '/' },
    Traits { capitals_are_types: false, ..Traits::COMMON },
);

/// Words of scripts, and of the commands in recipes, that say nothing of what they do. Sorted.
pub const KEYWORDS: &[&str] = &[
    "case", "cd", "command", "declare", "do", "done", "echo", "elif", "else", "esac", "eval", "exec", "exit", "export",
    "false", "fi", "for", "function", "if", "in", "local", "printf", "read", "readonly", "return", "set", "shift",
    "then", "true", "until", "which", "while",
];

static DIALECT: Dialect = light::dialect(
    LazyLock::new(|| Patterns::read(include_str!("bash.scm"), &tree_sitter_bash::LANGUAGE.into(), hooks::HOOKS)),
    Lexicon {
        line_comments: &["# ", "#!", "##", "#-", "#="],
        block_comments: &[],
        quotes: &[],
        long_quotes: &["\"", "'"],
        raw_quotes: &[],
        keywords: KEYWORDS,
        docs: DocStyle::TAGS,
    },
    &RULES,
);
