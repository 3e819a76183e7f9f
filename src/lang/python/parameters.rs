//! Parameters of functions, and type parameters of functions and classes.

use tree_sitter::Node;

use super::extract::Walker;
use super::grammar::{FIELDS, Kind, children, field, first_child, kind};
use crate::facts::{ArgumentCount, Atom, BindingKind, DefId, Expr, ExprId, Parameter, Role, ScopeId, TypeParameter};

/// The stars of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Splat {
    None,
    /// `*args`
    Positional,
    /// `**kwargs`
    Keyword,
}

impl Walker<'_> {
    /// Binds declared type parameters: `def f[T: Bound]`, `class C[T]` (PEP 695).
    pub(super) fn bind_type_parameters(&mut self, node: Node<'_>, id: DefId, scope: ScopeId) {
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
            self.bind_type_parameter(id, scope, name, bounds);
        }
    }

    /// Adds a type parameter to a definition and binds it in its scope.
    fn bind_type_parameter(&mut self, id: DefId, scope: ScopeId, name: Atom, bounds: Vec<ExprId>) {
        let definition = self.facts.definition_mut(id);
        let index = definition.type_parameters.len() as u16;
        definition.type_parameters.push(TypeParameter { name, bounds });
        self.bind(scope, name, 0, BindingKind::TypeParameter(id, index));
        self.bound_type_variables.push(name);
    }

    /// Makes the type variables in a header that no enclosing definition binds type parameters of the definition.
    pub(super) fn bind_type_variables(&mut self, id: DefId, scope: ScopeId) {
        for name in std::mem::take(&mut self.used_type_variables) {
            if !self.bound_type_variables.contains(&name) {
                let bounds = self.type_variables.get(&name).cloned().unwrap_or_default();
                self.bind_type_parameter(id, scope, name, bounds);
            }
        }
    }

    /// Binds the parameters of a function. `receiver_class` is the class if the function is a method with a receiver.
    pub(super) fn parameters(
        &mut self,
        node: Node<'_>,
        id: DefId,
        scope: ScopeId,
        receiver_class: Option<DefId>,
        is_class_method: bool,
    ) {
        let mut receiver_class = receiver_class;
        for parameter in children(node) {
            let name_node = match kind(parameter) {
                Kind::Identifier => Some(parameter),
                Kind::DefaultParameter | Kind::TypedDefaultParameter => field(parameter, FIELDS.name),
                Kind::TypedParameter | Kind::ListSplatPattern | Kind::DictionarySplatPattern => first_child(parameter),
                _ => None,
            };
            let Some(name_node) = name_node else { continue };
            let (name_node, splat) = match (kind(parameter), kind(name_node)) {
                (_, Kind::ListSplatPattern) => (first_child(name_node).unwrap_or(name_node), Splat::Positional),
                (_, Kind::DictionarySplatPattern) => (first_child(name_node).unwrap_or(name_node), Splat::Keyword),
                (Kind::ListSplatPattern, _) => (name_node, Splat::Positional),
                (Kind::DictionarySplatPattern, _) => (name_node, Splat::Keyword),
                _ => (name_node, Splat::None),
            };
            let name = self.atom(name_node);
            let declared = field(parameter, FIELDS.type_node).map(|annotation| self.annotation(annotation));
            let default = field(parameter, FIELDS.value).map(|value| self.value(value));
            let position = name_node.start_byte() as u32;
            if let Some(class) = receiver_class.take().filter(|_| splat == Splat::None) {
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
            let value_type = match (splat, declared) {
                (Splat::Positional, declared) => Some(self.facts.builtin("tuple", declared.into_iter().collect())),
                (Splat::Keyword, declared) => {
                    let key = self.facts.builtin("str", Vec::new());
                    Some(self.facts.builtin("dict", [key].into_iter().chain(declared).collect()))
                }
                (Splat::None, declared) => declared,
            };
            let is_fixture = default.is_none() && splat == Splat::None && self.frame.has_fixture_parameters;
            let fixture = is_fixture.then(|| self.fixture(name, position));
            let value = match default {
                None if value_type.is_none() => fixture,
                default => default.filter(|value| !self.is_none(*value)),
            };
            self.bind(scope, name, position, BindingKind::Parameter { value_type, value });
            let own_name = self.facts.expr(Expr::Name(name));
            self.frame.locals.set(name, own_name);
            if let Some(value_type) = value_type {
                let instance = self.facts.expr(Expr::Instance(value_type));
                self.frame.declared.push((name, instance));
            }
            self.facts.definition_mut(id).parameters.push(Parameter {
                name,
                value_type,
                arguments: ArgumentCount::One,
            });
        }
    }

    /// Adds the use of the pytest fixture with this name, which the resolver looks up, and returns the fixture's value.
    pub(super) fn fixture(&mut self, name: Atom, position: u32) -> ExprId {
        let callee = self.facts.expr(Expr::Root(name));
        self.add_reference(callee, position as usize, Role::Fixture);
        self.facts.expr(Expr::Call { callee, args: Vec::new() })
    }
}
