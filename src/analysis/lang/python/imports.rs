//! Import statements.

use tree_sitter::Node;

use super::state::{MODULE_SCOPE, State, bind};
use crate::facts::{Atom, BindingKind, ExprId, Import, ImportName, Role};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Walker;

/// Adds `import a.b` and `import a.b as c`.
pub fn import<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    for (name, alias) in imported_names(walker, node) {
        let path = segments(walker, name);
        if alias.is_some() {
            add_import(walker, path, 0, ImportName::Module, (name, alias));
            continue;
        }
        let Some(&root) = walker.children(name).first() else { continue };
        let first = path[..1].to_vec();
        if path.len() > 1 {
            // `import a.b` imports the submodule but binds the name of the top-level package.
            add_import(walker, path, 0, ImportName::Module, (name, None));
        }
        add_import(walker, first, 0, ImportName::Module, (root, Some(root)));
    }
    walker.unknown
}

/// Adds `from a import b as c`, `from . import x` and `from a import *`.
pub fn import_from<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let Some(module) = walker.part_of(node, Part::Object) else { return walker.unknown };
    let (mut path, mut level) = (Vec::new(), 0);
    let is_relative = module.kind() == "relative_import";
    for part in if is_relative { walker.children(module) } else { vec![module] } {
        match part.kind() {
            "import_prefix" => level = walker.text_of(part).matches('.').count().min(255) as u8,
            _ => path = segments(walker, part),
        }
    }
    for (name, alias) in imported_names(walker, node) {
        let Some(&last) = segments(walker, name).last() else { continue };
        add_import(walker, path.clone(), level, ImportName::Named(last), (name, alias.or(Some(name))));
    }
    if let Some(&star) = walker.children(node).last().filter(|last| last.kind() == "wildcard_import") {
        add_import(walker, path, level, ImportName::All, (star, None));
    }
    walker.unknown
}

/// Returns the imported names of a statement with their aliases.
fn imported_names<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> Vec<(Node<'a>, Option<Node<'a>>)> {
    let Some(pattern) = walker.pattern(node) else { return Vec::new() };
    let names = walker.parts(node, pattern, Part::Declarator);
    names
        .into_iter()
        .map(|name| (walker.part_of(name, Part::Value).unwrap_or(name), walker.part_of(name, Part::Name)))
        .collect()
}

/// Returns the segments of a dotted name.
fn segments<'a>(walker: &mut Walker<'a>, node: Node<'a>) -> Vec<Atom> {
    walker.children(node).into_iter().map(|segment| walker.atom_of(segment)).collect()
}

/// Adds an import at the first node and binds the name of the second.
fn add_import<'a>(
    walker: &mut Walker<'a>,
    path: Vec<Atom>,
    level: u8,
    name: ImportName,
    (node, bound): (Node<'a>, Option<Node<'a>>),
) {
    let scope = walker.context.scope;
    let reexport = scope == MODULE_SCOPE;
    let position = node.start_byte() as u32;
    let import = walker.facts.import(Import { scope, path, level, name, position, reexport });
    let Some(bound) = bound else { return };
    let name = walker.atom_of(bound);
    if reexport {
        walker.state::<State>().imported.insert(name);
    } else {
        walker.flow.locals.forget(name);
    }
    bind(walker, scope, name, bound.start_byte(), BindingKind::Import(import));
}
