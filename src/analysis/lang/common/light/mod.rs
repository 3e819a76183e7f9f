//! Light languages: a pattern file and a few lines, with defaults for all that they leave out.
//!
//! A light language has definitions, containers, docs, imports, bases, calls by name, and tests. It has no table of its
//! standard library, so the types of what that returns are unknown. [`dialect`] and [`rules::LightRules`] are what it
//! changes.

pub mod rules;
mod suggested;

use std::sync::LazyLock;

use super::lexicon::Lexicon;
use super::options::Options;
use super::patterns::Patterns;
use super::walker::Walker;
use super::{Dialect, Words, extract_with};
use crate::facts::{Atom, Expr, ExprId, FileFacts, Role, ScopeKind};
use crate::lang::SourceFile;
use crate::lang::test_runner::{TestDefinition, grouped, quoted};
use crate::text::{file_name, identifier_parts};
use rules::LightRules;
use tree_sitter::Node;

/// Returns the dialect of a light language; the language replaces what differs.
pub const fn dialect(patterns: LazyLock<Patterns>, lexicon: Lexicon, rules: &'static LightRules) -> Dialect {
    Dialect {
        patterns,
        lexicon,
        is_test_file,
        test_decorators: &["Test"],
        modifier: |modifier, flags| match modifier {
            "static" => flags.is_static = true,
            "abstract" => flags.is_abstract = true,
            _ => {}
        },
        traits: &rules.traits,
        words: Words::Written,
        flow: None,
        options: Options::DEFAULT,
        on_call: None,
        on_end: None,
    }
}

/// Extracts the facts of a file whose local names are in a scope below that of the names that other files see.
pub fn extract_with_private_names(file: &SourceFile<'_>, dialect: &'static Dialect) -> FileFacts {
    extract_with(file, dialect, |walker, _| walker.context.scope = walker.open_scope(ScopeKind::Block, None))
}

/// Returns whether a file is test code, by the customs of most languages: its folder, or the end of its name.
pub fn is_test_file(path: &str) -> bool {
    // The last word of `jvmTest` and `integration-tests`, but not the end of `latest`.
    let is_folder = |folder: &str| {
        let last = identifier_parts(folder).last().unwrap_or_default();
        ["test", "tests"].iter().any(|test| last.eq_ignore_ascii_case(test))
            || ["spec", "specs"].iter().any(|spec| folder.eq_ignore_ascii_case(spec))
    };
    let stem = file_name(path).split('.').next().unwrap_or_default();
    let endings = ["Test", "Tests", "Spec", "Suite", "_test", "_spec"];
    path.rsplit('/').skip(1).any(is_folder)
        || stem.starts_with("test_")
        || endings.iter().any(|ending| stem.ends_with(ending))
}

/// Returns one command for all tests: a program and their files.
pub fn command_with_files(program: &str, tests: &[TestDefinition<'_>]) -> Vec<String> {
    let files = grouped(tests, |test| (program, quoted(test.file)));
    files
        .into_values()
        .map(|files| [vec![program.to_owned()], files.into_iter().collect()].concat().join(" "))
        .collect()
}

/// Returns the type that names between dots mean, with the arguments of the last one: `a.B<C>`.
pub fn path_type<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let names = walker.children(node);
    path_of(walker, names, role)
}

/// Returns the type that a path of these names means.
pub fn path_of<'a>(walker: &mut Walker<'a>, names: impl IntoIterator<Item = Node<'a>>, role: Role) -> ExprId {
    let mut path: Option<ExprId> = None;
    for child in names {
        if child.kind() == "type_arguments" {
            let args: Vec<ExprId> =
                walker.children(child).into_iter().map(|child| walker.type_expr(child, Some(Role::Type))).collect();
            path = path.map(|base| walker.facts.expr(Expr::Apply { base, args }));
        } else {
            let name = walker.atom_of(child);
            let expr = match path {
                Some(base) => walker.facts.expr(Expr::Member { base, name }),
                None => walker.facts.expr(Expr::Name(name)),
            };
            walker.refer_to_type(expr, child, role);
            path = Some(expr);
        }
    }
    path.unwrap_or(walker.unknown)
}

/// Returns the names of a type as the source has it, without its arguments.
pub fn type_names<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> Vec<Atom> {
    let text = walker.text_of(node).split(['<', '[', '?', '(']).next().unwrap_or_default();
    text.split('.').map(str::trim).filter(|name| !name.is_empty()).map(|name| walker.facts.atom(name)).collect()
}

/// Returns one command for the types that contain tests: a program and an option with each name.
pub fn commands_of_scopes(program: &str, tests: &[TestDefinition<'_>]) -> Vec<String> {
    let scopes = grouped(tests, |test| ((), quoted(test.scope.split('.').next().unwrap_or_default())));
    scopes.into_values().map(|names| format!("{program}{}", names.into_iter().collect::<Vec<_>>().join(" "))).collect()
}

#[cfg(test)]
mod tests {
    use super::is_test_file;

    #[test]
    fn a_folder_of_tests_ends_with_the_word() {
        for path in ["src/jvmTest/kotlin/A.kt", "integration-tests/A.scala", "AppTests/A.swift", "Test/A.lua"] {
            assert!(is_test_file(path), "{path}");
        }
        assert!(!is_test_file("src/latest/A.scala") && !is_test_file("contest/A.kt"));
    }
}
