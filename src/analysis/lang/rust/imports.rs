//! `use` declarations and `extern crate`.

use tree_sitter::Node;

use crate::facts::{Atom, BindingKind, ExprId, Import, ImportName, Role};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Walker;

/// Adds the imports of `use a::{self, b as c, d::*};`.
pub fn use_item<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let reexport = is_visible(walker, node);
    if let Some(tree) = walker.field(node, "argument") {
        use_tree(walker, tree, &mut Vec::new(), reexport);
    }
    walker.unknown
}

fn is_visible<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> bool {
    walker.children(node).iter().any(|child| child.kind() == "visibility_modifier")
}

fn use_tree<'a>(walker: &mut Walker<'a>, node: Node<'a>, prefix: &mut Vec<Atom>, reexport: bool) {
    walker.descend((), |walker| {
        let length = prefix.len();
        use_inner(walker, node, prefix, reexport);
        prefix.truncate(length);
    });
}

fn use_inner<'a>(walker: &mut Walker<'a>, node: Node<'a>, prefix: &mut Vec<Atom>, reexport: bool) {
    match node.kind() {
        "use_list" => {
            walker.children(node).into_iter().for_each(|child| use_tree(walker, child, prefix, reexport));
        }
        "scoped_use_list" => {
            if let Some(path) = walker.field(node, "path") {
                segments(walker, path, prefix);
            }
            if let Some(list) = walker.field(node, "list") {
                use_tree(walker, list, prefix, reexport);
            }
        }
        "use_as_clause" => {
            let (Some(path), Some(alias)) = (walker.field(node, "path"), walker.field(node, "alias")) else { return };
            let local = (walker.text_of(alias) != "_").then(|| walker.atom_of(alias));
            add_import(walker, path, prefix, Some(local), reexport);
        }
        "use_wildcard" => {
            if let Some(path) = walker.children(node).first() {
                segments(walker, *path, prefix);
            }
            let (scope, position, path) = (walker.context.scope, node.start_byte() as u32, prefix.clone());
            walker.facts.import(Import { scope, path, level: 0, name: ImportName::All, position, reexport });
        }
        "identifier" | "scoped_identifier" | "self" | "crate" | "super" => {
            add_import(walker, node, prefix, None, reexport);
        }
        _ => {}
    }
}

fn segments<'a>(walker: &mut Walker<'a>, path: Node<'a>, into: &mut Vec<Atom>) {
    let Some(name) = walker.part_of(path, Part::Name) else { return into.push(walker.atom_of(path)) };
    if let Some(outer) = walker.part_of(path, Part::Object) {
        walker.descend((), |walker| segments(walker, outer, into));
    }
    into.push(walker.atom_of(name));
}

/// Adds the import of a path below `prefix`. It binds the last name unless `alias` replaces it.
fn add_import<'a>(
    walker: &mut Walker<'a>,
    path: Node<'a>,
    prefix: &mut Vec<Atom>,
    alias: Option<Option<Atom>>,
    reexport: bool,
) {
    segments(walker, path, prefix);
    let position = walker.part_of(path, Part::Name).unwrap_or(path).start_byte() as u32;
    let Some((&last, mut outer)) = prefix.split_last() else { return };
    let mut own = last;
    // `use a::b::{self}` imports `b`.
    if walker.facts.text(last) == "self"
        && let Some((&module, rest)) = outer.split_last()
    {
        (own, outer) = (module, rest);
    }
    let is_root = matches!(walker.facts.text(own), "self" | "crate" | "super");
    let (path, name) = match outer {
        [] => (vec![own], ImportName::Module),
        _ if is_root => (vec![own], ImportName::Module),
        _ => (outer.to_vec(), ImportName::Named(own)),
    };
    let scope = walker.context.scope;
    let import = walker.facts.import(Import { scope, path, level: 0, name, position, reexport });
    if let Some(local) = alias.unwrap_or(Some(own)) {
        walker.bind(local, position, BindingKind::Import(import));
    }
}

/// Adds the import of `extern crate a as b;`.
pub fn extern_crate<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(name_node) = walker.part_of(node, Part::Name) else { return walker.unknown };
    let local = walker.part_of(node, Part::Value).unwrap_or(name_node);
    let (local, path) = (walker.atom_of(local), vec![walker.atom_of(name_node)]);
    let (scope, position, reexport) = (walker.context.scope, name_node.start_byte() as u32, is_visible(walker, node));
    let import = walker.facts.import(Import { scope, path, level: 0, name: ImportName::Module, position, reexport });
    walker.bind(local, position, BindingKind::Import(import));
    walker.unknown
}
