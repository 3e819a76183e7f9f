//! Lua: a pattern file, and the code for tables that are modules and classes.

mod hooks;
mod manifests;

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::Language;
use super::common::Dialect;
use super::common::lexicon::{DocStyle, Lexicon};
use super::common::light;
use super::common::light::rules::{Layout, LightRules};
use super::common::patterns::Patterns;
use super::manifest::ManifestFormat;
use super::test_runner::TestRunner;
use crate::resolve::rules::Traits;

/// Lua's entry in the registry.
pub const LANGUAGE: Language = Language {
    extensions: &["lua"],
    interpreters: &["lua", "luajit"],
    manifests: &[ManifestFormat { name: "*.rockspec", names_modules: false, packages: Some(manifests::read_rock) }],
    test_runner: TestRunner {
        is_test: |test| test.file.ends_with("_spec.lua") && !test.is_used,
        commands: |tests, _| light::command_with_files("busted", tests),
        takes_files: false,
    },
    ..Language::new(
        "lua",
        |_| tree_sitter_lua::LANGUAGE.into(),
        |file| light::extract_with_private_names(file, &DIALECT),
        &RULES,
    )
};

static RULES: LightRules = LightRules {
    ..LightRules::new(
        "lua",
        Layout::Files { endings: &[".lua", "/init.lua"], separator: '.' },
        Traits {
            ubiquitous: &["byte", "char", "gmatch", "gsub", "lines", "lower", "rep", "seek", "upper"],
            ..Traits::COMMON
        },
    )
};

static DIALECT: Dialect = light::dialect(
    LazyLock::new(|| Patterns::read(include_str!("lua.scm"), &tree_sitter_lua::LANGUAGE.into(), hooks::HOOKS)),
    Lexicon {
        line_comments: &["--"],
        block_comments: &[("--[[", "]]"), ("--[=[", "]=]"), ("--[==[", "]==]")],
        quotes: &["\"", "'"],
        long_quotes: &[],
        raw_quotes: &[],
        keywords: &[
            "and", "break", "do", "else", "elseif", "end", "false", "for", "function", "goto", "if", "in", "local",
            "nil", "not", "or", "repeat", "return", "then", "true", "until", "while",
        ],
        docs: DocStyle::TAGS,
    },
    &RULES,
);
