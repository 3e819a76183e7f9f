//! Snippets and what is read from them, or how they resolve together.

mod extraction;
mod resolution;

use super::extract::extract;
use crate::facts::{FileFacts, SignalKind};
use crate::lang::SourceFile;
use crate::resolve::tests::{Edge, edges as resolved};

/// Facts of a file of the repository.
fn facts_of(path: &str, text: &str) -> FileFacts {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_python::LANGUAGE.into()).expect("the grammar fits");
    let tree = parser.parse(text, None).expect("a tree");
    extract(&SourceFile { path, text, tree: &tree })
}

/// One line for each definition: kind, qualified name, line, flags.
fn outline(path: &str, text: &str) -> Vec<String> {
    let facts = facts_of(path, text);
    let names = &facts.outline.names;
    let line = |definition: &crate::facts::Definition| {
        let scope = definition.scope_names.iter().map(|name| names.get(*name));
        let name: Vec<&str> = scope.chain([names.get(definition.name)]).collect();
        let flags = definition.flags;
        let mut line = format!("{} {}:{}", definition.kind.name(), name.join("."), definition.span.name_line);
        for (flag, word) in [
            (flags.is_test, "test"),
            (flags.is_property, "property"),
            (flags.is_static, "static"),
            (flags.is_abstract, "abstract"),
            (flags.is_async, "async"),
            (flags.is_local, "local"),
            (flags.is_alias, "alias"),
            (flags.is_variant, "variant"),
        ] {
            if flag {
                line.push(' ');
                line.push_str(word);
            }
        }
        line
    };
    facts.outline.definitions.iter().map(line).collect()
}

/// What the file says about the world outside, one line for each signal.
fn signals(text: &str) -> Vec<String> {
    let facts = facts_of("app.py", text);
    let name = |atom| facts.outline.names.get(atom).to_owned();
    let line = |kind: &SignalKind| match kind {
        SignalKind::ReadsEnv(variable) => format!("env {}", name(*variable)),
        SignalKind::Executes(program) => format!("process {}", name(*program)),
        SignalKind::Route { route, handler } => format!("route {} {}", name(*route), handler.is_some()),
        SignalKind::Endpoint(path) => format!("endpoint {}", name(*path)),
    };
    facts.code.signals.iter().map(|signal| line(&signal.kind)).collect()
}

/// The edges of a small repository to its own definitions, as `Scope.name -type-> Scope.name`.
fn edges(files: &[(&str, &str)]) -> Vec<String> {
    let line = |edge: Edge| format!("{} -{}-> {}", edge.source, edge.edge_type, edge.target);
    resolved(files).into_iter().map(line).collect()
}

/// The definitions that `main.py` calls, beside a file `lib.py`.
#[track_caller]
fn check_calls(library: &str, main: &str, expected: &[&str]) {
    let found = edges(&[("lib.py", library), ("main.py", main)]);
    let mut calls: Vec<&str> = found
        .iter()
        .filter_map(|line| line.strip_prefix("main.py -calls-> ").or_else(|| line.strip_prefix("main -calls-> ")))
        .collect();
    calls.sort();
    calls.dedup();
    let mut expected = expected.to_vec();
    expected.sort();
    assert_eq!(calls, expected);
}
