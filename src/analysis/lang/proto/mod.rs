//! Protocol Buffers: a pattern file, and the code for services, imports and paths of types.

mod hooks;

#[cfg(test)]
mod tests;

use crate::lang::common::word_list::word_list;
use std::sync::LazyLock;

use super::Language;
use super::common::lexicon::{DocStyle, Lexicon};
use super::common::light::rules::{Layout, LightRules};
use super::common::patterns::Patterns;
use super::common::{Dialect, extract, light};
use crate::resolve::rules::Traits;

/// The entry of Protocol Buffers in the registry.
pub const LANGUAGE: Language = Language {
    extensions: &["proto"],
    ..Language::new("proto", |_| tree_sitter_proto::LANGUAGE.into(), |file| extract(file, &DIALECT), &RULES)
};

static RULES: LightRules = LightRules {
    ..LightRules::new(
        "proto",
        Layout::Files { endings: &[".proto"], separator: '/' },
        Traits { has_services: true, ..Traits::COMMON },
    )
};

static DIALECT: Dialect = light::dialect(
    LazyLock::new(|| Patterns::read(include_str!("proto.scm"), &tree_sitter_proto::LANGUAGE.into(), hooks::HOOKS)),
    Lexicon {
        line_comments: &["//"],
        block_comments: &[("/*", "*/")],
        quotes: &["\"", "'"],
        long_quotes: &[],
        raw_quotes: &[],
        docs: DocStyle::TAGS,
        keywords: word_list!("keywords.txt"),
    },
    &RULES,
);
