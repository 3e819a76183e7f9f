//! Code behind flags: Cargo features, build tags, macros of conditional compilation, and the calls by which a program asks
//! a service for a feature flag.
//!
//! A language lists the [`GatedCode`]s of a file; [`add`] turns them into signals of the definitions that they contain, or
//! that contain them.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;
use serde::Deserialize;
use tree_sitter::{Node, TreeCursor};

use super::SourceFile;
use crate::facts::{DefId, Definition, FileFacts, NamesBuilder, ScopeId, ScopeKind, Signal, SignalKind};
use crate::model::SymbolKind;

/// Code that depends on a flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GatedCode {
    /// Its plain name, such as `pcre2`.
    pub flag: String,
    /// The bytes of the code; `None` for the whole file.
    pub range: Option<Range<usize>>,
    /// Whether a macro of this name, if there is one, is the flag.
    pub is_macro: bool,
}

/// Adds a signal for each gate, and for each call that asks a service for a flag.
pub fn add(facts: &mut FileFacts, file: &SourceFile<'_>, gates: Vec<GatedCode>) {
    let mut gates = gates;
    gates.extend(service_calls(file));
    if gates.is_empty() {
        return;
    }
    let mut names = NamesBuilder::from(std::mem::take(&mut facts.outline.names));
    let mut known: BTreeSet<(Option<DefId>, String)> = BTreeSet::new();
    let scope = file_scope(facts);
    let definitions = ByPosition::new(&facts.outline.definitions);
    let lines: Vec<usize> = file.text.match_indices('\n').map(|(at, _)| at).collect();
    for GatedCode { flag, range, is_macro } in gates {
        let atom = names.intern(&flag);
        let kind = SignalKind::GatedBy { flag: atom, scope: is_macro.then_some(scope) };
        let line = range.as_ref().map_or(1, |range| lines.partition_point(|end| *end < range.start) as u32 + 1);
        for source in definitions.sources(range) {
            if known.insert((source, flag.clone())) {
                facts.code.signals.push(Signal { source, kind: kind.clone(), line });
            }
        }
    }
    facts.outline.names = names.finish();
}

/// Returns the scope in which a file's own names are looked up: a second scope at its top if it has one.
fn file_scope(facts: &FileFacts) -> ScopeId {
    let own = facts.code.scopes.get(1);
    let is_own = own.is_some_and(|scope| scope.kind == ScopeKind::Block && scope.module_name.is_some());
    ScopeId(u32::from(is_own))
}

/// Definitions by their first byte; of those that begin together, the longest first.
pub(super) struct ByPosition<'a> {
    definitions: &'a [Definition],
    sorted: Vec<DefId>,
}

impl<'a> ByPosition<'a> {
    pub(super) fn new(definitions: &'a [Definition]) -> ByPosition<'a> {
        let mut sorted: Vec<DefId> = DefId::sequence().take(definitions.len()).collect();
        sorted.sort_by_key(|id| {
            let span = definitions[id.index()].span;
            (span.start_byte, std::cmp::Reverse(span.end_byte))
        });
        ByPosition { definitions, sorted }
    }

    fn bytes(&self, id: DefId) -> Range<usize> {
        let span = self.definitions[id.index()].span;
        span.start_byte as usize..span.end_byte as usize
    }

    /// Returns the outermost definitions in a range of bytes, or else the innermost one around it, or else the file.
    fn sources(&self, range: Option<Range<usize>>) -> Vec<Option<DefId>> {
        let Some(range) = range else { return vec![None] };
        let first = self.sorted.partition_point(|id| self.bytes(*id).start < range.start);
        let mut inside = Vec::new();
        let mut end = range.start;
        for id in &self.sorted[first..] {
            let own = self.bytes(*id);
            if own.start >= range.end {
                break;
            }
            if own.start >= end && own.end <= range.end && !own.is_empty() {
                end = own.end;
                inside.push(Some(*id));
            }
        }
        if inside.is_empty() { vec![self.around(&range)] } else { inside }
    }

    /// Returns the innermost definition around a range. Uses in a variable belong to the definition that encloses it.
    pub(super) fn around(&self, range: &Range<usize>) -> Option<DefId> {
        let before = self.sorted.partition_point(|id| self.bytes(*id).start <= range.start);
        // A field may be defined in a method, and its parent is the type.
        for id in self.sorted[..before].iter().rev() {
            let definition = &self.definitions[id.index()];
            let is_value = matches!(definition.kind, SymbolKind::Const | SymbolKind::Var | SymbolKind::Field);
            if !is_value && range.end <= self.bytes(*id).end {
                return Some(*id);
            }
            if !is_value && definition.parent.is_none() {
                break;
            }
        }
        None
    }
}

/// Services for feature flags, from `seeds/flags.toml`.
#[derive(Deserialize)]
struct Services {
    service: Vec<Service>,
}

#[derive(Deserialize)]
struct Service {
    /// Callees whose first string names a flag, such as `Flipper.enabled?`.
    calls: Vec<String>,
}

/// Matches a call that asks for a flag; the group is its name.
static CALLS: LazyLock<Regex> = LazyLock::new(|| {
    let services: Services =
        toml::from_str(include_str!("../../../seeds/flags.toml")).expect("a test reads the embedded file");
    let callees = services.service.iter().flat_map(|service| &service.calls).map(|callee| {
        let boundary = if callee.starts_with('.') { "" } else { r"\b" };
        format!("{boundary}{}", regex::escape(callee))
    });
    let callees: Vec<String> = callees.collect();
    // The context may be the first argument.
    let pattern = format!(
        r#"(?:{})(?:\s*\(\s*|[ \t]+)(?:[^()"'`\n]{{0,80}},\s*)?(?:["'`]([\w.:/-]+)["'`]|:(\w+))"#,
        callees.join("|")
    );
    Regex::new(&pattern).expect("a test compiles the pattern of the embedded file")
});

/// Returns the calls in a file that ask a service for a flag. A decorator gates the definition below it.
fn service_calls(file: &SourceFile<'_>) -> Vec<GatedCode> {
    let mut gates = Vec::new();
    let mut cursor = file.tree.walk();
    for found in CALLS.captures_iter(file.text) {
        let (Some(whole), Some(flag)) = (found.get(0), found.get(1).or_else(|| found.get(2))) else { continue };
        // The name of the callee may begin with a dot.
        let at = whole.start() + usize::from(whole.as_str().starts_with('.'));
        move_to(&mut cursor, at);
        let mut above = cursor.clone();
        let nearest: Vec<Node<'_>> =
            std::iter::successors(Some(above.node()), |_| above.goto_parent().then(|| above.node())).take(5).collect();
        if nearest.iter().any(|node| is_text(*node)) {
            continue;
        }
        let decorator = nearest.iter().position(|node| node.kind() == "decorator");
        let decorated = decorator.and_then(|decorator| nearest.get(decorator + 1));
        let range = decorated.map_or(whole.range(), |node| node.byte_range());
        gates.push(GatedCode { flag: flag.as_str().to_owned(), range: Some(range), is_macro: false });
    }
    gates
}

/// Moves a cursor to the innermost node at a byte, which is not before that of an earlier call.
fn move_to(cursor: &mut TreeCursor<'_>, at: usize) {
    let is_around = |node: Node<'_>| node.start_byte() <= at && at < node.end_byte();
    loop {
        let node = cursor.node();
        let has_moved = if is_around(node) {
            cursor.goto_first_child()
        } else {
            node.end_byte() <= at && (cursor.goto_next_sibling() || (cursor.goto_parent() && !is_around(cursor.node())))
        };
        if !has_moved {
            return;
        }
    }
}

/// Returns whether a node is a comment, or text between quotes.
fn is_text(node: Node<'_>) -> bool {
    node.kind().contains("comment") || matches!(node.kind(), "string_content" | "string_fragment" | "heredoc_content")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::testing::parse;

    #[track_caller]
    fn check(path: &str, text: &str, expected: &[&str]) {
        let facts = parse(path, text);
        let name = |atom| facts.outline.names.get(atom);
        let gate = |signal: &Signal| match signal.kind {
            SignalKind::GatedBy { flag, .. } => {
                let source = signal.source.map_or("", |id| name(facts.outline.definitions[id.index()].name));
                Some(format!("{source}: {}", name(flag)))
            }
            _ => None,
        };
        assert_eq!(facts.code.signals.iter().filter_map(gate).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn cargo_features_gate_items_and_calls() {
        let text = "#[cfg(feature = \"a\")]\n/// Doc.\n#[inline]\nfn f() { #[cfg(not(feature = \"b\"))] g(); }\nfn g() { if cfg!(feature = \
                    \"c\") {} }\n// #[cfg(feature = \"no\")]\nconst S: &str = \"#[cfg(feature = \\\"no\\\")]\";\n#[doc(feature = \"no\")]\n#[cfg(target_feature = \"no\")]\nfn h() {}\n\
                    #[cfg(all(feature = \"d\", any(unix, feature = \"e\")))]\nmod m { fn i() {} struct J { k: u8 } }\n\
                    #[derive(Debug)]\n#[cfg_attr(feature = \"f\", derive(Hash))]\nstruct L { l: u8 }\n#[cfg(feature = \"g\")]\nuse a::b;\n";
        let expected = ["f: a", "f: b", "g: c", "m: d", "m: e", "L: f", ": g"];
        check("src/a.rs", text, &expected);
        check("src/a.rs", "#![cfg(feature = \"a\")]\nfn f() {}\n", &[": a"]);
    }

    #[test]
    fn build_tags_gate_files() {
        check("a.go", "//go:build integration && !windows && go1.22\n\npackage a\n\nfunc F() {}\n", &[": integration"]);
        check("a.go", "//go:build ignore\n\npackage a\n", &[]);
    }

    #[test]
    fn macros_gate_definitions_and_statements() {
        let text = "#ifndef A_H\n#define A_H\n#ifdef HAVE_X\nint f(void) {\n  return 0;\n}\n#else\nint g(void);\n#endif\n\
                    int h(void) {\n#if defined(USE_Y) && !defined(_WIN32) && !defined free /* defined(NO) */\n  g();\n#endif\n  return 0;\n}\n#endif\n";
        check("a.h", text, &["f: HAVE_X", "g: HAVE_X", "h: USE_Y"]);
        check("A.cs", "class A {\n#if NET8\n    void F() {}\n#endif\n}\n", &["F: NET8"]);
    }

    #[test]
    fn services_name_flags_in_calls() {
        let text = "def f(client):\n    return client.get_boolean_value('new-search', False)\n\n@waffle_flag('beta')\ndef g(request):\n    \
                    # flag_is_active(request, 'no')\n    return flag_is_active(request, \"gamma\")\n";
        check("a.py", text, &["f: new-search", "g: beta", "g: gamma"]);
        check("a.rb", "def f\n  Flipper.enabled?(:search, user)\nend\n", &["f: search"]);
        let text = "export function f() { return ldClient.boolVariation(\"dark-mode\", user, false); }\n";
        check("a.ts", text, &["f: dark-mode"]);
        let text = "package a\n\nfunc F() bool { v, _ := client.BooleanValue(ctx, \"fast\", false, e); return v }\n";
        check("a.go", text, &["F: fast"]);
    }
}
