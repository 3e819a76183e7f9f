//! Outer attributes and doc comments of items: test code, `cfg` conditions, derives, decorators, routes.

use std::ops::Range;

use tree_sitter::Node;

use super::{paths, signals};
use crate::facts::{Base, BaseRelation, DefId, ExprId, Flags, Role};
use crate::lang::SourceFile;
use crate::lang::common::lexicon::Lexicon;
use crate::lang::common::walker::Walker;
use crate::lang::gates::GatedCode;
use crate::text::prefix;

/// Maximum length of a signature in bytes.
const MAX_SIGNATURE: usize = 400;

/// Attributes of the language, its usual tools and `serde`. They are not references.
const BUILT_IN_ATTRIBUTES: &str = "
    allow automatically_derived bench cfg cfg_attr cold default deny deprecated derive doc expect export_name
    feature forbid global_allocator ignore inline link link_name link_section macro_export macro_use must_use
    no_mangle no_std non_exhaustive panic_handler path proc_macro proc_macro_attribute proc_macro_derive repr serde
    should_panic target_feature test track_caller unsafe used warn
";

/// Attribute macros of web frameworks that register the function below them for an HTTP method.
const ROUTE_ATTRIBUTES: &[&str] = &["connect", "delete", "get", "head", "options", "patch", "post", "put", "trace"];

/// Traits that the standard library derives, each with its module in `std`.
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

/// Returns the text of the doc comments and `#[doc = "…"]` attributes before an item, without markers.
pub fn doc(walker: &Walker<'_>, before: &[Node<'_>]) -> String {
    let mut doc = String::new();
    for node in before.iter().filter(|node| node.is_extra()) {
        push_doc_comment(walker.text_of(*node), ["///", "/**"], &mut doc);
    }
    for attribute in before.iter().filter(|node| !node.is_extra()) {
        let value =
            walker.text_of(*attribute).strip_prefix("#[doc").and_then(|rest| rest.trim_start().strip_prefix('='));
        if let Some(value) = value.and_then(|value| value.trim().strip_suffix(']')) {
            push_doc_line(&mut doc, value.trim_matches(|c: char| matches!(c, '"' | 'r' | '#') || c.is_whitespace()));
        }
    }
    doc.truncate(doc.trim_end().len());
    doc
}

/// Returns the flags of the code below attributes: whether it is test code, and whether a `#[cfg(…)]` condition is false
/// on Linux. Only one platform is assumed, so that alternatives of an item do not compete for its name.
pub fn flags(walker: &Walker<'_>, before: &[Node<'_>]) -> Flags {
    let mut flags = Flags::default();
    for attribute in before.iter().filter(|node| !node.is_extra()) {
        let text = walker.text_of(*attribute);
        flags.is_test |= is_test_attribute(text);
        let condition = text.strip_prefix("#[cfg(").and_then(|rest| rest.strip_suffix(")]"));
        flags.is_cfg_inactive |= condition.is_some_and(|condition| evaluate_cfg(condition, 0) == Some(false));
    }
    flags
}

/// Returns the file name in `#[path = "…"]`.
pub fn path_attribute(attribute: &str) -> Option<&str> {
    attribute.strip_prefix("#[path")?.trim_start().strip_prefix('=')?.split('"').nth(1)
}

/// Returns text on one line without comment lines, as a signature.
pub fn signature(text: &str, _lexicon: &Lexicon) -> String {
    let mut line_text = String::with_capacity(text.len().min(MAX_SIGNATURE));
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
        for word in line.split_whitespace() {
            if !line_text.is_empty() {
                line_text.push(' ');
            }
            line_text.push_str(word);
        }
        if line_text.len() > MAX_SIGNATURE {
            line_text.truncate(prefix(&line_text, MAX_SIGNATURE).len());
            line_text.push('…');
            break;
        }
    }
    line_text.truncate(line_text.trim_end_matches([';', ',', '{', '=']).trim_end().len());
    line_text
}

/// Returns whether an attribute is `test`, `tokio::test`, `cfg(test)` or similar.
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

/// Evaluates a `cfg` condition for x86-64 Linux. Returns `None` if it depends on features or other unknown options.
fn evaluate_cfg(condition: &str, depth: u32) -> Option<bool> {
    let condition = condition.trim();
    let inner = |name: &str| {
        condition.strip_prefix(name)?.trim_start().strip_prefix('(')?.strip_suffix(')').filter(|_| depth < 8)
    };
    if let Some(inner) = inner("not") {
        return evaluate_cfg(inner, depth + 1).map(|holds| !holds);
    }
    if let Some(inner) = inner("any") {
        let parts: Vec<Option<bool>> = split_conditions(inner).map(|part| evaluate_cfg(part, depth + 1)).collect();
        let all_known = parts.iter().all(Option::is_some);
        return if parts.contains(&Some(true)) { Some(true) } else { all_known.then_some(false) };
    }
    if let Some(inner) = inner("all") {
        let parts: Vec<Option<bool>> = split_conditions(inner).map(|part| evaluate_cfg(part, depth + 1)).collect();
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

/// Returns the code behind Cargo features: below `cfg` and `cfg_attr`, around `#![cfg(…)]`, and `cfg!`.
pub fn gates(file: &SourceFile<'_>) -> Vec<GatedCode> {
    let mut gates = Vec::new();
    if !file.text.contains("feature") {
        return gates;
    }
    let mut cursor = file.tree.walk();
    let mut lists = vec![Siblings::default()];
    loop {
        let node = cursor.node();
        let is_inside = lists.last_mut().is_some_and(|list| list.visit(node, file.text, &mut gates));
        if is_inside && cursor.goto_first_child() {
            let block = (lists.len() > 1).then(|| node.byte_range());
            lists.push(Siblings { block, ..Siblings::default() });
            continue;
        }
        while !cursor.goto_next_sibling() {
            lists.pop();
            if !cursor.goto_parent() {
                return gates;
            }
        }
    }
}

/// The nodes of one list before an item: attributes and comments.
#[derive(Default)]
struct Siblings {
    /// The first byte of them.
    start: Option<usize>,
    /// The features in their conditions.
    flags: Vec<String>,
    /// The bytes of the node whose children the list has; `None` for the file.
    block: Option<Range<usize>>,
}

impl Siblings {
    /// Visits the next node of the list. Returns whether to visit the nodes in it.
    fn visit(&mut self, node: Node<'_>, text: &str, gates: &mut Vec<GatedCode>) -> bool {
        let own = &text[node.byte_range()];
        let kind = node.kind();
        // In the tokens of a macro an attribute is a token tree.
        let is_attribute = kind == "attribute_item" || own.starts_with("[cfg");
        if is_attribute || matches!(kind, "line_comment" | "block_comment") {
            self.start.get_or_insert(node.start_byte());
            if is_attribute && is_condition(own) {
                self.flags.extend(features(own));
            }
            return false;
        }
        let mut add = |flag: String, range| gates.push(GatedCode { flag, range, is_macro: false });
        if kind == "inner_attribute_item" {
            if is_condition(own) {
                features(own).for_each(|flag| add(flag, self.block.clone()));
            }
            return false;
        }
        if node.is_named() {
            let start = self.start.take().unwrap_or(node.start_byte());
            self.flags.drain(..).for_each(|flag| add(flag, Some(start..node.end_byte())));
        }
        if kind == "macro_invocation" && own.starts_with("cfg!") {
            features(own).for_each(|flag| add(flag, Some(node.byte_range())));
            return false;
        }
        true
    }
}

/// Returns whether an attribute is `cfg` or `cfg_attr`.
fn is_condition(attribute: &str) -> bool {
    let path = attribute.trim_start_matches(['#', '!', '[']);
    path.starts_with("cfg(") || path.starts_with("cfg_attr(")
}

/// Returns the features in a condition. `target_feature` is one of the processor.
fn features(condition: &str) -> impl Iterator<Item = String> {
    condition.match_indices("feature").filter_map(|(at, word)| {
        let value = condition[at + word.len()..].trim_start().strip_prefix('=')?.trim_start().strip_prefix('"')?;
        let (flag, _) = value.split_once('"')?;
        (!flag.is_empty() && !condition[..at].ends_with('_')).then(|| flag.to_owned())
    })
}

/// Splits a comma-separated list of conditions at its top level.
fn split_conditions(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    list.split(move |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    })
    .filter(|part| !part.trim().is_empty())
}

/// Appends the lines of a doc comment to `doc`. `markers` are the line and block comment markers that make a comment a
/// doc comment.
pub fn push_doc_comment(comment: &str, markers: [&str; 2], doc: &mut String) {
    if let Some(line) = comment.strip_prefix(markers[0]) {
        // Four slashes are an ordinary comment.
        if !(markers[0] == "///" && line.starts_with('/')) {
            push_doc_line(doc, line.strip_prefix(' ').unwrap_or(line));
        }
    } else if let Some(block) = comment.strip_prefix(markers[1]).and_then(|rest| rest.strip_suffix("*/")) {
        for line in block.trim().lines() {
            let line = line.trim_start();
            push_doc_line(doc, line.strip_prefix("* ").or(line.strip_prefix('*')).unwrap_or(line));
        }
    }
}

fn push_doc_line(doc: &mut String, line: &str) {
    let line = line.trim_end();
    if doc.is_empty() && line.is_empty() {
        return;
    }
    if !doc.is_empty() {
        doc.push('\n');
    }
    doc.push_str(line);
}

/// Adds what an attribute means: derived traits as bases, attribute macros as decorators, HTTP routes as signals.
pub fn attribute<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let (Some(&path), Some(id)) = (walker.children(node).first(), walker.context.source) else { return walker.unknown };
    let name = walker.text_of(path);
    if let Some(arguments) = walker.field(node, "arguments").filter(|_| name != "derive") {
        argument_uses(walker, arguments, name == "serde");
    }
    if name == "derive" {
        derives(walker, node, id);
    } else if !BUILT_IN_ATTRIBUTES.split_whitespace().any(|known| known == name)
        && matches!(path.kind(), "identifier" | "scoped_identifier")
    {
        let short = name.rsplit("::").next().unwrap_or(name);
        if ROUTE_ATTRIBUTES.contains(&short) {
            signals::route_attribute(walker, node, short);
        }
        if short != "test" {
            let expr = paths::unreferenced(walker, path);
            walker.refer(expr, path, Role::Decorator);
        }
    }
    walker.unknown
}

/// Adds what the arguments of an attribute use: constants, the value after `=`, and functions of which serde has the names
/// in strings. Other words are options, as which the attribute reads them.
fn argument_uses<'a>(walker: &mut Walker<'a>, arguments: Node<'a>, is_serde: bool) {
    let mut tokens = Vec::new();
    leaves(arguments, &mut tokens);
    let text = |walker: &Walker<'a>, at: usize| tokens.get(at).map_or("", |token| walker.text_of(*token));
    let is_constant = |word: &str| {
        word.len() > 1
            && word.bytes().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == b'_')
    };
    for at in 0..tokens.len() {
        let (token, word) = (tokens[at], text(walker, at));
        let is_value = at > 0 && text(walker, at - 1) == "=";
        let mut names: Vec<&str> = Vec::new();
        let mut last = token;
        match token.kind() {
            "identifier" | "self" | "crate" | "super" if is_value || is_constant(word) => {
                names.push(word);
                let mut end = at;
                while text(walker, end + 1) == "::"
                    && tokens.get(end + 2).is_some_and(|next| next.kind() == "identifier")
                {
                    end += 2;
                    last = tokens[end];
                    names.push(text(walker, end));
                }
            }
            "string_literal" if is_serde && is_value && at > 1 => {
                let option = text(walker, at - 2);
                if matches!(option, "default" | "getter") || option.contains("serializ") {
                    names.extend(word.trim_matches('"').split("::"));
                }
            }
            _ => {}
        }
        if names.is_empty() || names.iter().any(|name| name.is_empty() || name.contains(char::is_whitespace)) {
            continue;
        }
        let mut names = names.into_iter();
        let mut expr = names.next().map(|first| match first {
            "crate" | "self" | "super" => paths::root(walker, first),
            _ => walker.facts.name(first),
        });
        for name in names {
            expr = expr.map(|base| walker.facts.member(base, name));
        }
        if let Some(expr) = expr {
            walker.refer(expr, last, Role::Read);
        }
    }
}

/// Collects the tokens of a tree of tokens.
fn leaves<'a>(node: Node<'a>, found: &mut Vec<Node<'a>>) {
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        if matches!(child.kind(), "token_tree") {
            leaves(child, found);
        } else {
            found.push(child);
        }
    }
}

/// Adds a base for each trait in `#[derive(Debug, serde::Serialize)]`. The grammar has no nodes for the paths, only a
/// token tree.
fn derives<'a>(walker: &mut Walker<'a>, attribute: Node<'a>, id: DefId) {
    let Some(arguments) = walker.field(attribute, "arguments") else { return };
    let text = walker.text_of(arguments).trim_matches(['(', ')']);
    for path in text.split(',').map(str::trim).filter(|path| !path.is_empty()) {
        // Derive macros have a namespace of their own: a local type called `Debug` does not shadow the trait.
        let module = STANDARD_DERIVES.iter().find(|(name, _)| *name == path).map(|(_, module)| *module);
        let mut expr = module.map(|module| {
            let root = paths::root(walker, "::std");
            walker.facts.member(root, module)
        });
        for part in path.split("::").map(str::trim).filter(|part| !part.is_empty()) {
            expr = Some(match expr {
                None => walker.facts.name(part),
                Some(base) => walker.facts.member(base, part),
            });
        }
        if let Some(expr) = expr {
            walker.facts.definition_mut(id).bases.push(Base { expr, relation: BaseRelation::Implements });
        }
    }
}
