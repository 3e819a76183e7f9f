//! Paths: `a::b::C`, in values, in types and before macros' exclamation marks.

use tree_sitter::Node;

use super::builtins::CRATE_ROOT_PREFIX;
use super::grammar::{Kind, kind};
use super::walker::Walker;
use crate::facts::{Expr, ExprId, Role};

/// The types that the language itself names.
const PRIMITIVES: &[&str] = &[
    "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16", "u32", "u64", "u8",
    "usize",
];

/// True for a name that, by convention, is a type, a variant or a constant, and not a module or a function.
pub fn is_capital(name: &str) -> bool {
    name.trim_start_matches("r#").trim_start_matches('_').starts_with(|c: char| c.is_uppercase())
}

impl Walker {
    /// A path as a value. Locals stand for what they were given; all else is referred to.
    pub fn value_path(&mut self, node: Node<'_>, role: Role) -> ExprId {
        match kind(node) {
            Kind::Identifier => {
                let atom = self.atom(node);
                if let Some(local) = self.local(atom) {
                    return local;
                }
                self.single_segment(node, role)
            }
            _ => self.type_path(node, role),
        }
    }

    /// A path none of whose names are locals. Its last name is referred to in the given role; type names before it are
    /// read (or are types, within a type).
    pub fn type_path(&mut self, node: Node<'_>, role: Role) -> ExprId {
        match kind(node) {
            Kind::Identifier | Kind::TypeIdentifier => self.single_segment(node, role),
            Kind::ScopedIdentifier | Kind::ScopedTypeIdentifier => {
                let before = if role == Role::Type { Role::Type } else { Role::Read };
                let base = self.child(node, self.fields.path).map(|path| self.path_prefix(path, before));
                let Some(name) = self.child(node, self.fields.name) else { return self.unknown };
                let expr = self.path_member(base, name, role);
                if expr != self.unknown {
                    self.add_reference(expr, name, role);
                }
                expr
            }
            Kind::GenericType | Kind::GenericTurbofish => self.generic_type(node, role),
            _ => self.path_prefix(node, role),
        }
    }

    /// What stands before `::`. Modules are not referred to: the item that the path leads to matters.
    pub fn path_prefix(&mut self, node: Node<'_>, role: Role) -> ExprId {
        match kind(node) {
            Kind::Crate => self.root("crate"),
            Kind::SelfValue => self.root("self"),
            Kind::Super => self.root("super"),
            Kind::Identifier | Kind::TypeIdentifier if is_capital(self.text_of(node)) => {
                self.single_segment(node, role)
            }
            Kind::Identifier => {
                let text = self.text_of(node);
                if PRIMITIVES.contains(&text) {
                    return self.primitive(node);
                }
                let atom = self.atom(node);
                self.name(atom)
            }
            Kind::ScopedIdentifier | Kind::ScopedTypeIdentifier => {
                let Some(name) = self.child(node, self.fields.name) else { return self.unknown };
                if is_capital(self.text_of(name)) {
                    return self.type_path(node, role);
                }
                let path = self.child(node, self.fields.path);
                let base = path.map(|path| self.descend(self.unknown, |walker| walker.path_prefix(path, role)));
                self.path_member(base, name, role)
            }
            Kind::GenericType | Kind::GenericTurbofish => self.generic_type(node, role),
            Kind::BracketedType => self.type_expr(node),
            _ => self.unknown,
        }
    }

    /// A path without any reference, for attributes and the headers of `impl` blocks.
    pub fn unreferenced_path(&mut self, node: Node<'_>) -> ExprId {
        match kind(node) {
            Kind::Identifier | Kind::TypeIdentifier => {
                let atom = self.atom(node);
                self.name(atom)
            }
            Kind::ScopedIdentifier | Kind::ScopedTypeIdentifier => {
                let base = self.child(node, self.fields.path).map(|path| self.unreferenced_path(path));
                let Some(name) = self.child(node, self.fields.name) else { return self.unknown };
                let atom = self.atom(name);
                self.member(base.unwrap_or(self.unknown), atom)
            }
            _ => self.path_prefix(node, Role::Read),
        }
    }

    fn single_segment(&mut self, node: Node<'_>, role: Role) -> ExprId {
        if self.text_of(node) == "Self" {
            return self.builder.expr(Expr::ReceiverType);
        }
        let atom = self.atom(node);
        let expr = self.name(atom);
        self.add_reference(expr, node, role);
        expr
    }

    /// `base::name`. Without a base, a leading `::` starts at the crates; `super::super` is one root.
    fn path_member(&mut self, base: Option<ExprId>, name: Node<'_>, role: Role) -> ExprId {
        let Some(base) = base else {
            let root = format!("{CRATE_ROOT_PREFIX}{}", self.text_of(name));
            return self.root(&root);
        };
        if kind(name) == Kind::Super {
            let root = match self.builder.get(base) {
                Expr::Root(root) if self.builder.text(*root).starts_with("super") => {
                    format!("{}::super", self.builder.text(*root))
                }
                _ => "super".to_owned(),
            };
            return self.root(&root);
        }
        let atom = self.member_atom(name, role);
        self.member(base, atom)
    }

    /// A fixed place of the module tree.
    pub fn root(&mut self, name: &str) -> ExprId {
        let atom = self.builder.atom(name);
        self.builder.expr(Expr::Root(atom))
    }
}
