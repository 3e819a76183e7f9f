//! Types: annotations, bases, generic arguments.

use tree_sitter::Node;

use super::patterns::{Action, Part, Pattern};
use super::walker::Walker;
use crate::facts::{Expr, ExprId, Role};

impl<'a> Walker<'a> {
    /// Visits a node in a position of types and returns the type. `role` is the role of the outermost name; without
    /// one, no reference to it is added.
    pub fn type_expr(&mut self, node: Node<'a>, role: Option<Role>) -> ExprId {
        let unknown = self.unknown;
        let Some(pattern) = self.dialect.patterns.of_type(node) else {
            // A wrapper of one type, or of none.
            return self.descend(unknown, |walker| match walker.children(node).as_slice() {
                &[only] => walker.type_expr(only, role),
                all => {
                    all.iter().for_each(|child| _ = walker.type_expr(*child, Some(Role::Type)));
                    unknown
                }
            });
        };
        match pattern.hook {
            Some(hook) => self.descend(unknown, |walker| hook(walker, node, role.unwrap_or(Role::Type))),
            None => self.descend(unknown, |walker| walker.type_by_pattern(node, pattern, role)),
        }
    }

    fn type_by_pattern(&mut self, node: Node<'a>, pattern: &Pattern, role: Option<Role>) -> ExprId {
        match pattern.action {
            Action::TypeName => {
                let name = self.part(node, pattern, Part::Name).unwrap_or(node);
                self.add_word(self.text_of(name));
                let atom = self.atom_of(name);
                let expr = self.facts.expr(Expr::Name(atom));
                if let Some(role) = role.filter(|_| !self.hidden_types.contains(&atom)) {
                    self.refer_to_type(expr, name, role);
                }
                expr
            }
            Action::TypeMember | Action::TypeApply => self.type_with_arguments(node, pattern, role),
            Action::TypeArray => {
                for length in self.parts(node, pattern, Part::Value) {
                    self.visit(length, Role::Read);
                }
                let parts = self.parts(node, pattern, Part::Type);
                let args: Vec<ExprId> = parts.into_iter().map(|part| self.type_expr(part, Some(Role::Type))).collect();
                self.facts.builtin(pattern.setting("type").unwrap_or("[]"), args)
            }
            Action::TypeBuiltin => {
                let name = pattern.setting("type").unwrap_or_else(|| self.text_of(node));
                self.facts.builtin(name, Vec::new())
            }
            Action::TypeUnion => {
                let parts = self.children(node).into_iter().map(|part| self.type_expr(part, Some(Role::Type)));
                let parts = parts.collect();
                self.union(parts)
            }
            Action::TypeFunction => {
                let lists = self.parts(node, pattern, Part::Parameters);
                let params = self.parameter_types(&lists);
                let result = self.part(node, pattern, Part::Result);
                let result = result.map(|result| self.type_expr(result, Some(Role::Type)));
                self.facts.expr(Expr::Function { params, result })
            }
            Action::TypeTuple => {
                let parts = self.children(node).into_iter().map(|part| self.type_expr(part, Some(Role::Type)));
                let parts = parts.collect();
                self.facts.expr(Expr::Tuple(parts))
            }
            Action::TypeSkip => self.unknown,
            _ => match self.part(node, pattern, Part::Type) {
                Some(inner) => self.type_expr(inner, role),
                None => self.unknown,
            },
        }
    }

    /// Visits `a.B<C>` and `B<C>`. Where types differ by the number of their parameters, their arguments are part of the
    /// reference.
    fn type_with_arguments(&mut self, node: Node<'a>, pattern: &Pattern, role: Option<Role>) -> ExprId {
        let counts = self.dialect.traits.types_differ_by_arity;
        let (base, name) = if pattern.action == Action::TypeApply {
            let Some(name) = self.part(node, pattern, Part::Type) else { return self.unknown };
            (self.type_expr(name, role.filter(|_| !counts)), name)
        } else {
            let (Some(object), Some(name)) =
                (self.part(node, pattern, Part::Object), self.part(node, pattern, Part::Name))
            else {
                return self.unknown;
            };
            let base = self.type_expr(object, Some(Role::Type));
            let atom = self.atom_of(name);
            let expr = self.facts.expr(Expr::Member { base, name: atom });
            if let Some(role) = role.filter(|_| !counts) {
                self.refer_to_type(expr, name, role);
            }
            (expr, name)
        };
        let args = self.type_arguments(node, pattern);
        let expr = if args.is_empty() { base } else { self.facts.expr(Expr::Apply { base, args }) };
        if let Some(role) = role.filter(|_| counts) {
            self.refer_to_type(expr, name, role);
        }
        expr
    }

    /// Returns whether a node is in a list of types without being one.
    pub fn is_no_type(&self, node: Node<'a>) -> bool {
        self.dialect.patterns.of_type(node).is_some_and(|pattern| pattern.action == Action::TypeSkip)
    }

    /// Adds a reference to a type, whose name is looked up as that of a type in every role.
    pub fn refer_to_type(&mut self, expr: ExprId, node: Node<'a>, role: Role) {
        let meant = if role == Role::Type { expr } else { self.instance(expr) };
        self.refer(meant, node, role);
    }

    /// Returns the types in the lists of generic arguments of a node.
    pub fn type_arguments(&mut self, node: Node<'a>, pattern: &Pattern) -> Vec<ExprId> {
        let mut args = Vec::new();
        for list in self.parts(node, pattern, Part::TypeArguments) {
            for argument in self.children(list) {
                if self.is_no_type(argument) {
                    continue;
                }
                args.push(self.type_expr(argument, Some(Role::Type)));
            }
        }
        args
    }
}
