//! Macros that declare modules: `($($name:ident)*) => { $(mod $name; pub use $name::*;)* }`.
//!
//! Extraction sees one file, and the macro is mostly in another one. So a call that lists names is recorded as an import of
//! each, which [`super::crates`] takes for the declaration of a module if the macro declares some.

use tree_sitter::Node;

use super::names;
use crate::facts::{Container, Import, ImportName};
use crate::lang::common::walker::Walker;

/// Returns whether the tokens of a macro's rule declare a module of a given name, and whether they reexport its names.
pub fn declared<'a>(walker: &Walker<'a>, tokens: Node<'a>) -> (bool, bool) {
    let mut leaves = Vec::new();
    let mut open = vec![tokens];
    while let Some(node) = open.pop().filter(|_| leaves.len() < MAX_TOKENS) {
        if node.child_count() == 0 {
            leaves.push(walker.text_of(node));
        } else {
            open.extend((0..node.child_count()).rev().filter_map(|number| node.child(number)));
        }
    }
    let has = |wanted: &[&str]| {
        let is_like = |(leaf, wanted): (&&str, &&str)| leaf == wanted || *wanted == "$" && leaf.starts_with('$');
        leaves.windows(wanted.len()).any(|window| window.iter().zip(wanted).all(is_like))
    };
    (has(&["mod", "$", ";"]), has(&["use", "$", "::", "*"]))
}

/// Maximum number of tokens of a rule that are looked at. One that only declares modules is short.
const MAX_TOKENS: usize = 64;

/// Maximum number of names in a list of modules. Each is tried for what a file does not declare itself.
const MAX_NAMES: usize = 200;

/// Adds the names that the call of a macro lists among the items of a module, if it lists nothing else.
pub fn call<'a>(walker: &mut Walker<'a>, name: &str, tokens: Node<'a>) {
    if walker.context.is_local || walker.context.container != Container::Module || names::is_std_macro(name) {
        return;
    }
    let mut listed = Vec::new();
    for token in walker.all_children(tokens) {
        match token.kind() {
            "identifier" => listed.push(token),
            "," | ";" | "(" | ")" | "[" | "]" | "{" | "}" => {}
            _ if token.is_extra() => {}
            _ => return,
        }
    }
    if listed.len() > MAX_NAMES {
        return;
    }
    let of = walker.facts.atom(name);
    for node in listed {
        let path = vec![of, walker.atom_of(node)];
        let (scope, position) = (walker.context.scope, node.start_byte() as u32);
        let import = Import { scope, path, level: 1, name: ImportName::All, position, reexport: true };
        walker.facts.import(import);
    }
}
