//! Protocol Buffers: a pattern file, and the code for services, imports and paths of types.

mod hooks;

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::Language;
use super::common::lexicon::{DocStyle, Lexicon};
use super::common::light::rules::{Layout, LightRules};
use super::common::patterns::Patterns;
use super::common::{Dialect, extract, light};

/// The entry of Protocol Buffers in the registry.
pub const LANGUAGE: Language = Language {
    extensions: &["proto"],
    ..light::language(|_| tree_sitter_proto::LANGUAGE.into(), |file| extract(file, &DIALECT), &RULES)
};

static RULES: LightRules = LightRules {
    has_services: true,
    ..LightRules::new("proto", Layout::Files { endings: &[".proto"], separator: '/' })
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
        keywords: &[
            "bool",
            "bytes",
            "double",
            "edition",
            "enum",
            "extend",
            "extensions",
            "false",
            "fixed32",
            "fixed64",
            "float",
            "group",
            "import",
            "int32",
            "int64",
            "map",
            "message",
            "oneof",
            "option",
            "optional",
            "package",
            "proto2",
            "proto3",
            "public",
            "repeated",
            "required",
            "reserved",
            "returns",
            "rpc",
            "service",
            "sfixed32",
            "sfixed64",
            "sint32",
            "sint64",
            "stream",
            "string",
            "syntax",
            "true",
            "uint32",
            "uint64",
            "weak",
        ],
    },
);
