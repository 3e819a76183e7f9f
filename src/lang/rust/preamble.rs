//! What stands before an item: its doc comment and attributes.

use tree_sitter::Node;

use super::grammar::{Kind, kind};
use super::walker::{Walker, children};
use crate::facts::{Base, BaseRelation, DefId, Reference, Role, Signal, SignalKind};

/// Attributes of the language and its usual tools, which lead nowhere.
const BUILT_IN: &[&str] = &[
    "allow",
    "automatically_derived",
    "bench",
    "cfg",
    "cfg_attr",
    "cold",
    "default",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "expect",
    "export_name",
    "feature",
    "forbid",
    "global_allocator",
    "ignore",
    "inline",
    "link",
    "link_name",
    "link_section",
    "macro_export",
    "macro_use",
    "must_use",
    "no_mangle",
    "no_std",
    "non_exhaustive",
    "panic_handler",
    "path",
    "proc_macro",
    "proc_macro_attribute",
    "proc_macro_derive",
    "repr",
    "serde",
    "should_panic",
    "target_feature",
    "test",
    "track_caller",
    "unsafe",
    "used",
    "warn",
];

/// Attribute names that bind an HTTP route to the function below them.
const ROUTES: &[&str] = &["connect", "delete", "get", "head", "options", "patch", "post", "put", "trace"];

/// Derives of the standard library and the modules that their traits are in.
const STANDARD_DERIVES: &[(&str, &str)] = &[
    ("Clone", "clone"),
    ("Copy", "marker"),
    ("Debug", "fmt"),
    ("Default", "default"),
    ("Eq", "cmp"),
    ("Hash", "hash"),
    ("Ord", "cmp"),
    ("PartialEq", "cmp"),
    ("PartialOrd", "cmp"),
];

/// The comments and attributes since the last item.
#[derive(Default)]
pub struct Preamble<'t> {
    pub attributes: Vec<Node<'t>>,
    comments: Vec<Node<'t>>,
}

impl<'t> Preamble<'t> {
    /// Takes in a node that may belong to the next item. False when it is an item itself.
    pub fn take(&mut self, node: Node<'t>) -> bool {
        match kind(node) {
            Kind::AttributeItem => self.attributes.push(node),
            Kind::LineComment | Kind::BlockComment => self.comments.push(node),
            _ => return false,
        }
        true
    }

    /// Forgets everything: an item has used it.
    pub fn clear(&mut self) {
        self.attributes.clear();
        self.comments.clear();
    }

    /// The doc comment, without its markers.
    pub fn doc(&self, walker: &Walker) -> String {
        let mut doc = String::new();
        for comment in &self.comments {
            doc_lines(walker.text_of(*comment), ["///", "/**"], &mut doc);
        }
        for attribute in &self.attributes {
            let text = walker.text_of(*attribute);
            let value = text.strip_prefix("#[doc").and_then(|rest| rest.trim_start().strip_prefix('='));
            if let Some(value) = value.and_then(|value| value.trim().strip_suffix(']')) {
                push_line(
                    &mut doc,
                    value.trim_matches(|c: char| c == '"' || c == 'r' || c == '#' || c.is_whitespace()),
                );
            }
        }
        doc.truncate(doc.trim_end().len());
        doc
    }

    /// True when an attribute marks the item as test code.
    pub fn is_test(&self, walker: &Walker) -> bool {
        self.attributes.iter().any(|attribute| is_test_attribute(walker.text_of(*attribute)))
    }

    /// True when an attribute leaves the item out of a build for Linux, where the indexers of most projects run.
    pub fn is_cfg_inactive(&self, walker: &Walker) -> bool {
        self.attributes.iter().any(|attribute| {
            let text = walker.text_of(*attribute);
            let condition = text.strip_prefix("#[cfg(").and_then(|rest| rest.strip_suffix(")]"));
            condition.is_some_and(|condition| holds(condition, 0) == Some(false))
        })
    }

    /// The literal file that `#[path = "…"]` names.
    pub fn path(&self, walker: &Walker) -> Option<String> {
        self.attributes.iter().find_map(|attribute| {
            let text = walker.text_of(*attribute).strip_prefix("#[path")?.trim_start().strip_prefix('=')?;
            text.split('"').nth(1).map(str::to_owned)
        })
    }
}

/// True for `test`, `tokio::test`, `cfg(test)` and their like.
pub fn is_test_attribute(attribute: &str) -> bool {
    let inner = attribute.trim_start_matches(['#', '!', '[']).trim_end_matches(']');
    let path = inner.split(['(', '=']).next().unwrap_or("").trim();
    if path == "cfg" {
        let condition: String = inner.chars().filter(|c| !c.is_whitespace()).collect();
        return condition == "cfg(test)" || condition.starts_with("cfg(all(test,") || condition.contains(",test))");
    }
    let name = path.rsplit("::").next().unwrap_or(path);
    matches!(name, "test" | "bench" | "rstest" | "test_case" | "quickcheck" | "proptest") || name.ends_with("_test")
}

/// Whether a `cfg` condition holds on Linux; `None` when that depends on features or the like.
fn holds(condition: &str, depth: u32) -> Option<bool> {
    let condition = condition.trim();
    let inner = |name: &str| {
        condition.strip_prefix(name)?.trim_start().strip_prefix('(')?.strip_suffix(')').filter(|_| depth < 8)
    };
    if let Some(inner) = inner("not") {
        return holds(inner, depth + 1).map(|holds| !holds);
    }
    if let Some(inner) = inner("any") {
        let parts: Vec<Option<bool>> = split_conditions(inner).map(|part| holds(part, depth + 1)).collect();
        let all_known = parts.iter().all(Option::is_some);
        return if parts.contains(&Some(true)) { Some(true) } else { all_known.then_some(false) };
    }
    if let Some(inner) = inner("all") {
        let parts: Vec<Option<bool>> = split_conditions(inner).map(|part| holds(part, depth + 1)).collect();
        let all_known = parts.iter().all(Option::is_some);
        return if parts.contains(&Some(false)) { Some(false) } else { all_known.then_some(true) };
    }
    match condition {
        "unix" | "debug_assertions" => return Some(true),
        "windows" | "miri" | "loom" | "fuzzing" | "kani" | "docsrs" => return Some(false),
        _ => {}
    }
    let (key, value) = condition.split_once('=')?;
    let value = value.trim().trim_matches('"');
    match key.trim() {
        "target_os" => Some(value == "linux"),
        "target_family" => Some(value == "unix"),
        "target_arch" => Some(value == "x86_64"),
        "target_pointer_width" => Some(value == "64"),
        "target_endian" => Some(value == "little"),
        _ => None,
    }
}

/// The conditions of a list, at its top level.
fn split_conditions(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    list.split(move |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    })
    .filter(|part| !part.trim().is_empty())
}

/// Adds the lines of a doc comment, when the comment is one; `markers` are the line's and the block's.
pub fn doc_lines(comment: &str, markers: [&str; 2], doc: &mut String) {
    if let Some(line) = comment.strip_prefix(markers[0]) {
        // Four slashes are a rule across the page, not documentation.
        if !(markers[0] == "///" && line.starts_with('/')) {
            push_line(doc, line.strip_prefix(' ').unwrap_or(line));
        }
    } else if let Some(block) = comment.strip_prefix(markers[1]).and_then(|rest| rest.strip_suffix("*/")) {
        for line in block.trim().lines() {
            let line = line.trim_start();
            push_line(doc, line.strip_prefix("* ").or(line.strip_prefix('*')).unwrap_or(line));
        }
    }
}

fn push_line(doc: &mut String, line: &str) {
    let line = line.trim_end();
    if doc.is_empty() && line.is_empty() {
        return;
    }
    if !doc.is_empty() {
        doc.push('\n');
    }
    doc.push_str(line);
}

impl Walker {
    /// Writes down what the attributes of a definition say: derived traits, other decorators, routes.
    pub fn attributes(&mut self, preamble: &Preamble<'_>, definition: DefId) {
        for item in &preamble.attributes {
            let Some(attribute) = children(*item).first().copied() else { continue };
            let Some(path) = children(attribute).first().copied() else { continue };
            let name = self.text_of(path);
            if name == "derive" {
                self.derives(attribute, definition);
            } else if !BUILT_IN.contains(&name) && matches!(kind(path), Kind::Identifier | Kind::ScopedIdentifier) {
                let short = name.rsplit("::").next().unwrap_or(name).to_owned();
                if ROUTES.contains(&short.as_str()) {
                    self.route_attribute(attribute, &short, definition);
                }
                if short != "test" {
                    self.decorator(path, definition);
                }
            }
        }
    }

    fn decorator(&mut self, path: Node<'_>, definition: DefId) {
        let expr = self.plain_path(path);
        let reference = Reference {
            expr,
            scope: self.context.scope,
            position: self.position(path),
            role: Role::Decorator,
            source: Some(definition),
        };
        self.builder.refer(reference);
    }

    fn route_attribute(&mut self, attribute: Node<'_>, method: &str, definition: DefId) {
        let Some(arguments) = self.child(attribute, self.fields.arguments) else { return };
        let literal = children(arguments).first().copied().filter(|first| kind(*first) == Kind::String);
        let Some(literal) = literal else { return };
        let path = self.text_of(literal).trim_matches('"').to_owned();
        if path.starts_with('/') {
            let route = self.builder.atom(&format!("{} {path}", method.to_uppercase()));
            let kind = SignalKind::Route { route, handler: None };
            let line = self.line(attribute);
            self.builder.signal(Signal { source: Some(definition), kind, line });
        }
    }

    /// `#[derive(Debug, serde::Serialize)]`: the token tree holds paths separated by commas.
    fn derives(&mut self, attribute: Node<'_>, definition: DefId) {
        let Some(arguments) = self.child(attribute, self.fields.arguments) else { return };
        let text = self.text_of(arguments).trim_matches(|c: char| matches!(c, '(' | ')')).to_owned();
        for path in text.split(',').map(str::trim).filter(|path| !path.is_empty()) {
            // Derives have a namespace of their own: a type called `Debug` does not hide the trait.
            let home = STANDARD_DERIVES.iter().find(|(name, _)| *name == path).map(|(_, home)| *home);
            let mut expr = home.map(|home| {
                let root = self.root("::std");
                let home = self.builder.atom(home);
                self.member(root, home)
            });
            for part in path.split("::").map(str::trim).filter(|part| !part.is_empty()) {
                let atom = self.builder.atom(part);
                expr = Some(match expr {
                    None => self.name(atom),
                    Some(base) => self.member(base, atom),
                });
            }
            if let Some(expr) = expr {
                let base = Base { expr, relation: BaseRelation::Implements };
                self.builder.definition_mut(definition).bases.push(base);
            }
        }
    }
}
