//! Paths such as `a::b::C` in values, types and attributes.

use tree_sitter::Node;

use super::builtins::CRATE_ROOT_PREFIX;
use super::grammar::{Kind, kind};
use super::walker::Walker;
use crate::facts::{Expr, ExprId, Role};

/// Names of the primitive types.
const PRIMITIVES: &[&str] = &[
    "bool", "char", "f32", "f64", "i128", "i16", "i32", "i64", "i8", "isize", "str", "u128", "u16", "u32", "u64", "u8",
    "usize",
];

/// Returns whether a name is, by convention, a type, a variant or a constant.
pub fn is_capital(name: &str) -> bool {
    name.trim_start_matches("r#").trim_start_matches('_').starts_with(|c: char| c.is_uppercase())
}

impl Walker {
    /// Visits a path as a value. A local is replaced by its value; any other name is referenced.
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

    /// Visits a path that contains no locals. References the last name with `role`, and types before it with
    /// `Role::Type` or `Role::Read`.
    pub fn type_path(&mut self, node: Node<'_>, role: Role) -> ExprId {
        match kind(node) {
            Kind::Identifier | Kind::TypeIdentifier => self.single_segment(node, role),
            Kind::ScopedIdentifier | Kind::ScopedTypeIdentifier => {
                let prefix_role = if role == Role::Type { Role::Type } else { Role::Read };
                let base = self.child(node, self.fields.path).map(|path| self.path_prefix(path, prefix_role));
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

    /// Visits the part of a path before `::`. Modules in it are not referenced.
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

    /// Returns the expression of a path without adding references. Used for attributes and `impl` headers.
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

    /// Returns `base::name`. Without a base the path starts at the crate names; `super::super` becomes one root.
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

    /// Returns the expression of a path root: `crate`, `self`, `super`, a crate or a macro.
    pub fn root(&mut self, name: &str) -> ExprId {
        let atom = self.builder.atom(name);
        self.builder.expr(Expr::Root(atom))
    }
}
