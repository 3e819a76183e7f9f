//! The calls and paths in the transcribers of a `macro_rules!` definition, which the grammar leaves as token trees: before
//! they are expanded they need not be valid syntax.
//!
//! Names are looked up where the macro is defined. Those of functions belong to the place of the call, which is mostly the same:
//! macros for other modules write `$crate::`.

use tree_sitter::Node;

use super::builtins::MACRO_SUFFIX;
use super::paths;
use crate::facts::{Expr, ExprId, Role};
use crate::lang::common::walker::Walker;

/// Keywords before the name of a definition.
const DEFINING: &[&str] = &["const", "enum", "fn", "let", "mod", "static", "struct", "trait", "type", "union"];

/// References what tokens call, and the paths of more than one name in them.
pub fn visit<'a>(walker: &mut Walker<'a>, tokens: Node<'a>) {
    let children = walker.all_children(tokens);
    let mut at = 0;
    while let Some(&token) = children.get(at) {
        let before = at.checked_sub(1).map_or("", |before| children[before].kind());
        let path = path_at(walker, &children[at..]);
        match token.kind() {
            // Attributes have a language of their own.
            "token_tree" if before == "#" => {}
            "token_tree" | "token_repetition" => walker.descend((), |walker| visit(walker, token)),
            _ if !path.is_empty() && before != "." && before != "::" && !DEFINING.contains(&before) => {
                let after = |index: usize| children.get(at + 2 * path.len() - 1 + index);
                let is_macro = after(0).is_some_and(|node| node.kind() == "!") && after(1).is_some_and(opens);
                let is_call = after(0).is_some_and(|node| opens(node) && walker.text_of(*node).starts_with('('));
                refer(walker, &path, is_macro, is_call);
            }
            _ => {}
        }
        at += (2 * path.len()).max(2) - 1;
    }
}

fn opens(node: &Node<'_>) -> bool {
    node.kind() == "token_tree"
}

/// Returns the names of the path that tokens begin with; none if they begin with something else, or with a variable of the macro.
fn path_at<'a>(walker: &Walker<'a>, tokens: &[Node<'a>]) -> Vec<Node<'a>> {
    let mut path = Vec::new();
    for pair in tokens.chunks(2) {
        let is_name = match pair[0].kind() {
            "identifier" => true,
            "crate" | "self" | "super" => path.is_empty(),
            "metavariable" => path.is_empty() && walker.text_of(pair[0]) == "$crate",
            _ => false,
        };
        if !is_name {
            // `a::{b, c}` or `a::<T>`.
            path.clear();
            break;
        }
        path.push(pair[0]);
        if pair.get(1).is_none_or(|separator| separator.kind() != "::") {
            break;
        }
    }
    path
}

/// References a path, and the types in it.
fn refer<'a>(walker: &mut Walker<'a>, path: &[Node<'a>], is_macro: bool, is_call: bool) {
    let Some((last, outer)) = path.split_last() else { return };
    let role = if is_macro || is_call { Role::Call } else { Role::Read };
    let name = walker.text_of(*last);
    if is_macro {
        let names: Vec<&str> = path.iter().map(|node| walker.text_of(*node)).collect();
        let root = paths::root(walker, &format!("{}{MACRO_SUFFIX}", names.join("::")));
        walker.refer(root, *last, role);
        return;
    }
    // `Some(x)` is as often a pattern; a name alone is as often a variable.
    if outer.is_empty() && (!is_call || paths::is_capital(name)) {
        return;
    }
    let mut base: Option<ExprId> = None;
    for node in outer {
        let text = walker.text_of(*node);
        let expr = match (base, text) {
            (None, "$crate" | "crate") => paths::root(walker, "crate"),
            (None, "self" | "super") => paths::root(walker, text),
            (None, _) => {
                let atom = walker.facts.atom(text);
                walker.facts.expr(Expr::Name(atom))
            }
            (Some(base), _) => walker.facts.member(base, text),
        };
        if paths::is_capital(text) {
            walker.refer(expr, *node, Role::Read);
        }
        base = Some(expr);
    }
    let expr = match base {
        Some(base) => {
            let name = walker.member_atom(*last, role);
            walker.facts.expr(Expr::Member { base, name })
        }
        None => {
            let atom = walker.facts.atom(name);
            walker.facts.expr(Expr::Name(atom))
        }
    };
    walker.refer(expr, *last, role);
}
