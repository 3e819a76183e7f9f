//! Parameters of functions, and type parameters of functions and classes.

use tree_sitter::Node;

use super::state::{State, bind, first_child, frame, is_none};
use crate::facts::{ArgumentCount, Atom, BindingKind, DefId, Expr, ExprId, Parameter, Role, ScopeId, TypeParameter};
use crate::lang::common::patterns::Part;
use crate::lang::common::walker::Walker;

/// Binds declared type parameters: `def f[T: Bound]`, `class C[T]` (PEP 695).
pub fn bind_type_parameters<'a>(walker: &mut Walker<'a>, node: Node<'a>, id: DefId, scope: ScopeId) {
    let Some(list) = walker.part_of(node, Part::TypeParameters) else { return };
    for parameter in walker.children(list) {
        let inner = if parameter.kind() == "type" { first_child(walker, parameter) } else { Some(parameter) };
        let Some(inner) = inner else { continue };
        let (name_node, bound) = match (inner.kind(), walker.children(inner).as_slice()) {
            ("constrained_type", &[name, bound, ..]) => (name, Some(bound)),
            ("splat_type", &[name, ..]) => (name, None),
            _ => (inner, None),
        };
        let name = walker.atom_of(name_node);
        let bounds = bound.map(|bound| walker.type_expr(bound, Some(Role::Type))).into_iter().collect();
        bind_type_parameter(walker, id, scope, name, bounds);
    }
}

/// Adds a type parameter to a definition and binds it in its scope.
fn bind_type_parameter(walker: &mut Walker<'_>, id: DefId, scope: ScopeId, name: Atom, bounds: Vec<ExprId>) {
    let definition = walker.facts.definition_mut(id);
    let index = definition.type_parameters.len() as u16;
    definition.type_parameters.push(TypeParameter { name, bounds });
    bind(walker, scope, name, 0, BindingKind::TypeParameter(id, index));
    walker.state::<State>().bound_type_variables.push(name);
}

/// Makes the type variables in a header that no enclosing definition binds type parameters of the definition.
pub fn bind_type_variables(walker: &mut Walker<'_>, id: DefId, scope: ScopeId) {
    for name in std::mem::take(&mut walker.state::<State>().used_type_variables) {
        let state = walker.state::<State>();
        if !state.bound_type_variables.contains(&name) {
            let bounds = state.type_variables.get(&name).cloned().unwrap_or_default();
            bind_type_parameter(walker, id, scope, name, bounds);
        }
    }
}

/// Binds the parameters of a function. `receiver_class` is the class if the function is a method with a receiver.
pub fn parameters<'a>(
    walker: &mut Walker<'a>,
    list: Node<'a>,
    (id, scope): (DefId, ScopeId),
    mut receiver_class: Option<DefId>,
    is_class_method: bool,
) {
    for node in walker.parameter_nodes(&[list]) {
        let Some(pattern) = walker.pattern(node) else { continue };
        let mut splat = pattern.setting("array");
        let mut name_node = walker.part(node, pattern, Part::Name).unwrap_or(node);
        // `*args: int` has its name one level deeper.
        if let Some(inner) = walker.pattern(name_node).filter(|inner| inner.setting("array").is_some()) {
            splat = inner.setting("array");
            name_node = walker.part(name_node, inner, Part::Name).unwrap_or(name_node);
        }
        let name = walker.atom_of(name_node);
        let declared = walker.part(node, pattern, Part::Type).map(|part| walker.type_expr(part, Some(Role::Type)));
        let default = walker.part(node, pattern, Part::Value).map(|value| walker.visit(value, Role::Read));
        if let Some(class) = receiver_class.take().filter(|_| splat.is_none()) {
            let receiver = walker.facts.expr(if is_class_method { Expr::ReceiverType } else { Expr::Receiver });
            (frame(walker).receiver, frame(walker).class) = (Some((name, receiver)), Some(class));
            walker.flow.locals.set(name, receiver);
            let kind = BindingKind::Parameter { value_type: None, value: Some(receiver) };
            bind(walker, scope, name, name_node.start_byte(), kind);
            continue;
        }
        let frame = frame(walker);
        frame.receiver = frame.receiver.filter(|(receiver, _)| *receiver != name);
        let has_fixture = default.is_none() && splat.is_none() && frame.has_fixture_parameters;
        let value_type = match splat {
            Some("tuple") => Some(walker.facts.builtin("tuple", declared.into_iter().collect())),
            Some(_) => {
                let key = walker.facts.builtin("str", Vec::new());
                Some(walker.facts.builtin("dict", [key].into_iter().chain(declared).collect()))
            }
            None => declared,
        };
        let fixture = has_fixture.then(|| fixture(walker, name, name_node));
        let value = match default {
            None if value_type.is_none() => fixture,
            default => default.filter(|value| !is_none(walker, *value)),
        };
        bind(walker, scope, name, name_node.start_byte(), BindingKind::Parameter { value_type, value });
        let own_name = walker.facts.expr(Expr::Name(name));
        walker.flow.locals.set(name, own_name);
        if let Some(value_type) = value_type {
            let instance = walker.facts.expr(Expr::Instance(value_type));
            self::frame(walker).declared.push((name, instance));
        }
        let parameter = Parameter::new(name, value_type, ArgumentCount::One);
        walker.facts.definition_mut(id).parameters.push(parameter);
    }
}

/// Adds the use of the pytest fixture with this name, which the resolver looks up, and returns the fixture's value.
pub fn fixture(walker: &mut Walker<'_>, name: Atom, node: Node<'_>) -> ExprId {
    let callee = walker.facts.expr(Expr::Root(name));
    walker.refer(callee, node, Role::Fixture);
    walker.facts.expr(Expr::Call { callee, args: Vec::new() })
}
