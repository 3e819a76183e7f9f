//! Types, bounds and generic parameters.

use tree_sitter::Node;

use super::builtins::SLICE;
use super::grammar::{Kind, kind};
use super::walker::{Walker, children};
use crate::facts::{BindingKind, DefId, Expr, ExprId, ExtensionId, Role, TypeParameter};

/// The item whose generic parameters are read.
#[derive(Clone, Copy)]
pub enum GenericOwner {
    Definition(DefId),
    Extension(ExtensionId),
}

impl Walker {
    /// Visits a type, references the names in it and returns its expression.
    pub fn type_expr(&mut self, node: Node<'_>) -> ExprId {
        self.descend(self.unknown, |walker| walker.type_inner(node))
    }

    fn type_inner(&mut self, node: Node<'_>) -> ExprId {
        match kind(node) {
            Kind::TypeIdentifier | Kind::Identifier | Kind::ScopedTypeIdentifier | Kind::ScopedIdentifier => {
                self.type_path(node, Role::Type)
            }
            Kind::GenericType | Kind::GenericTurbofish => self.generic_type(node, Role::Type),
            Kind::ReferenceType | Kind::PointerType | Kind::HigherRanked | Kind::QualifiedType => {
                self.type_field(node, self.fields.type_node)
            }
            Kind::DynamicType | Kind::AbstractType => self.type_field(node, self.fields.trait_name),
            Kind::ArrayType => {
                let element = self.type_field(node, self.fields.element);
                self.builder.builtin(SLICE, vec![element])
            }
            Kind::TupleType => {
                let parts = children(node).into_iter().map(|part| self.type_expr(part)).collect();
                self.builder.expr(Expr::Tuple(parts))
            }
            Kind::UnitType => self.builder.expr(Expr::Tuple(Vec::new())),
            Kind::PrimitiveType => self.primitive(node),
            Kind::BoundedType | Kind::TraitBounds => {
                let bounds = self.bounds(node);
                self.union(bounds)
            }
            Kind::BracketedType => children(node).first().map_or(self.unknown, |inner| self.type_expr(*inner)),
            Kind::FunctionType => self.function_type(node),
            Kind::TypeBinding => self.type_field(node, self.fields.type_node),
            Kind::Macro => self.value(node),
            _ => self.unknown,
        }
    }

    fn type_field(&mut self, node: Node<'_>, field: u16) -> ExprId {
        self.child(node, field).map_or(self.unknown, |inner| self.type_expr(inner))
    }

    /// Returns a primitive type.
    pub fn primitive(&mut self, node: Node<'_>) -> ExprId {
        let atom = self.atom(node);
        self.builder.expr(Expr::Builtin { name: atom, args: Vec::new() })
    }

    /// Visits `Base<A, B>` and references the base with the given role.
    pub fn generic_type(&mut self, node: Node<'_>, role: Role) -> ExprId {
        let Some(base) = self.child(node, self.fields.type_node) else { return self.unknown };
        let base = self.type_path(base, role);
        let args = self.child(node, self.fields.type_arguments).map(|list| self.type_arguments(list));
        self.wrap(base, |base| Expr::Apply { base, args: args.unwrap_or_default() })
    }

    /// Visits the types in `<…>`, with `T` for `Item = T`. Lifetimes and constants are omitted.
    pub fn type_arguments(&mut self, node: Node<'_>) -> Vec<ExprId> {
        let mut args = Vec::new();
        for child in children(node) {
            match kind(child) {
                Kind::Lifetime => {}
                Kind::Block => _ = self.value(child),
                Kind::TypeIdentifier if self.text_of(child) == "_" => args.push(self.unknown),
                _ => args.push(self.type_expr(child)),
            }
        }
        args
    }

    /// Visits `fn(A) -> B` or `Fn(A) -> B`.
    fn function_type(&mut self, node: Node<'_>) -> ExprId {
        let parameters = self.child(node, self.fields.parameters).map(children).unwrap_or_default();
        let params = parameters
            .into_iter()
            .map(|parameter| match kind(parameter) {
                Kind::Parameter => self.type_field(parameter, self.fields.type_node),
                _ => self.type_expr(parameter),
            })
            .collect();
        let result = self.child(node, self.fields.return_type).map(|result| self.type_expr(result));
        self.builder.expr(Expr::Function { params, result })
    }

    /// Visits the traits of `A + B + 'a`.
    pub fn bounds(&mut self, node: Node<'_>) -> Vec<ExprId> {
        let mut bounds = Vec::new();
        for child in children(node) {
            match kind(child) {
                Kind::Lifetime => {}
                _ => bounds.push(self.type_expr(child)),
            }
        }
        bounds.retain(|bound| *bound != self.unknown);
        bounds
    }

    /// Returns the type parameters in `<T: Bound>` and the `where` clause of an item. Binds them in the current scope,
    /// which must be the item's.
    pub fn type_parameters(&mut self, item: Node<'_>, owner: GenericOwner) -> Vec<TypeParameter> {
        let mut parameters: Vec<TypeParameter> = Vec::new();
        let list = self.child(item, self.fields.type_parameters).map(children).unwrap_or_default();
        let declared: Vec<Node<'_>> = list.into_iter().filter(|child| kind(*child) == Kind::TypeParameter).collect();
        for child in &declared {
            let Some(name_node) = self.child(*child, self.fields.name) else { continue };
            let name = self.atom(name_node);
            let index = parameters.len() as u16;
            let binding = match owner {
                GenericOwner::Definition(id) => BindingKind::TypeParameter(id, index),
                GenericOwner::Extension(id) => BindingKind::ExtensionParameter(id, index),
            };
            self.bind(name, name_node, binding);
            parameters.push(TypeParameter { name, bounds: Vec::new() });
        }
        for (child, index) in declared.iter().zip(0..parameters.len()) {
            if let Some(bounds) = self.child(*child, self.fields.bounds) {
                parameters[index].bounds = self.bounds(bounds);
            }
            if let Some(default) = self.child(*child, self.fields.default_type) {
                self.type_expr(default);
            }
        }
        for clause in children(item).into_iter().filter(|child| kind(*child) == Kind::WhereClause) {
            for predicate in children(clause) {
                self.predicate(predicate, &mut parameters);
            }
        }
        parameters
    }

    fn predicate(&mut self, predicate: Node<'_>, parameters: &mut [TypeParameter]) {
        let (Some(left), Some(list)) =
            (self.child(predicate, self.fields.left), self.child(predicate, self.fields.bounds))
        else {
            return;
        };
        let bounds = self.bounds(list);
        if kind(left) != Kind::TypeIdentifier {
            self.type_expr(left);
            return;
        }
        let name = self.atom(left);
        if let Some(parameter) = parameters.iter_mut().find(|parameter| parameter.name == name) {
            parameter.bounds.extend(bounds);
        }
    }
}
