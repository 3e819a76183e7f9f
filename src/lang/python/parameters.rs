//! Parameters of functions, and type parameters of functions and classes.

use tree_sitter::Node;

use super::extract::Walker;
use super::syntax::{FIELDS, Kind, children, field, first_child, kind};
use crate::facts::{Atom, BindingKind, DefId, Expr, ExprId, Parameter, ScopeId, TypeParameter};

impl Walker<'_> {
    /// `def f[T: Bound]` and `class C[T]`.
    pub(super) fn declared_type_parameters(&mut self, node: Node<'_>, id: DefId, scope: ScopeId) {
        let Some(list) = field(node, FIELDS.type_parameters) else { return };
        for parameter in children(list) {
            let inner = if kind(parameter) == Kind::Type { first_child(parameter) } else { Some(parameter) };
            let Some(inner) = inner else { continue };
            let parts = children(inner);
            let (name_node, bound) = match kind(inner) {
                Kind::ConstrainedType => (parts.first().copied(), parts.get(1).copied()),
                Kind::SplatType => (parts.first().copied(), None),
                _ => (Some(inner), None),
            };
            let Some(name_node) = name_node else { continue };
            let name = self.atom(name_node);
            let bounds = bound.map(|bound| self.annotation(bound)).into_iter().collect();
            self.type_parameter(id, scope, name, bounds);
        }
    }

    fn type_parameter(&mut self, id: DefId, scope: ScopeId, name: Atom, bounds: Vec<ExprId>) {
        let definition = self.facts.definition_mut(id);
        let index = definition.type_parameters.len() as u16;
        definition.type_parameters.push(TypeParameter { name, bounds });
        self.bind(scope, name, 0, BindingKind::TypeParameter(id, index));
        self.bound_type_variables.push(name);
    }

    /// Type variables that a head mentions and nothing around it binds belong to its definition.
    pub(super) fn bind_type_variables(&mut self, id: DefId, scope: ScopeId) {
        for name in std::mem::take(&mut self.used_type_variables) {
            if !self.bound_type_variables.contains(&name) {
                let bounds = self.type_variables.get(&name).cloned().unwrap_or_default();
                self.type_parameter(id, scope, name, bounds);
            }
        }
    }

    /// Parameters of a function. `receives` is the class whose method it is.
    pub(super) fn parameters(
        &mut self,
        node: Node<'_>,
        id: DefId,
        scope: ScopeId,
        receives: Option<DefId>,
        is_class_method: bool,
    ) {
        let mut receives = receives;
        for parameter in children(node) {
            let name_node = match kind(parameter) {
                Kind::Identifier => Some(parameter),
                Kind::DefaultParameter | Kind::TypedDefaultParameter => field(parameter, FIELDS.name),
                Kind::TypedParameter | Kind::ListSplatPattern | Kind::DictionarySplatPattern => first_child(parameter),
                _ => None,
            };
            let Some(name_node) = name_node else { continue };
            let (name_node, stars) = match (kind(parameter), kind(name_node)) {
                (_, Kind::ListSplatPattern) => (first_child(name_node).unwrap_or(name_node), 1),
                (_, Kind::DictionarySplatPattern) => (first_child(name_node).unwrap_or(name_node), 2),
                (Kind::ListSplatPattern, _) => (name_node, 1),
                (Kind::DictionarySplatPattern, _) => (name_node, 2),
                _ => (name_node, 0),
            };
            let name = self.atom(name_node);
            let declared = field(parameter, FIELDS.type_node).map(|annotation| self.annotation(annotation));
            let default = field(parameter, FIELDS.value).map(|value| self.value(value));
            let position = name_node.start_byte() as u32;
            if let Some(class) = receives.take().filter(|_| stars == 0) {
                let receiver = if is_class_method { Expr::ReceiverType } else { Expr::Receiver };
                let receiver = self.facts.expr(receiver);
                self.frame.receiver = Some((name, receiver));
                self.frame.class = Some(class);
                let kind = BindingKind::Parameter { value_type: None, value: Some(receiver) };
                self.bind(scope, name, position, kind);
                continue;
            }
            if self.frame.receiver.is_some_and(|(receiver, _)| receiver == name) {
                self.frame.receiver = None;
            }
            let value_type = match (stars, declared) {
                (1, declared) => Some(self.facts.builtin("tuple", declared.into_iter().collect())),
                (2, declared) => {
                    let key = self.facts.builtin("str", Vec::new());
                    Some(self.facts.builtin("dict", [key].into_iter().chain(declared).collect()))
                }
                (_, declared) => declared,
            };
            let value = match default {
                None if value_type.is_none() && self.frame.takes_fixtures => Some(self.fixture(name)),
                default => default.filter(|value| !self.is_none(*value)),
            };
            self.bind(scope, name, position, BindingKind::Parameter { value_type, value });
            let held = self.facts.expr(Expr::Name(name));
            self.frame.locals.set(name, held);
            if let Some(value_type) = value_type {
                let instance = self.facts.expr(Expr::Instance(value_type));
                self.frame.declared.push((name, instance));
            }
            self.facts.definition_mut(id).parameters.push(Parameter { name, value_type });
        }
    }

    /// What the pytest fixture of this name gives; where it is defined is the resolver's to find.
    fn fixture(&mut self, name: Atom) -> ExprId {
        let callee = self.facts.expr(Expr::Root(name));
        self.facts.expr(Expr::Call { callee, args: Vec::new() })
    }
}
