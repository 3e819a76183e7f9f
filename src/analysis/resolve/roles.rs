//! Edge types of references by their role.

use crate::facts::{Container, Definition, Role};
use crate::model::{EdgeType, SymbolKind};

/// Returns the type of the edge to a definition used in this role.
pub(super) fn edge_type(role: Role, target: &Definition) -> EdgeType {
    let is_field = target.kind == SymbolKind::Field;
    // A field in a part of a type, `{ deep: { inner: string } }`, has no owner.
    let is_member = !matches!(target.container, Container::Module) || target.parent.is_some();
    match role {
        Role::Call if target.kind.is_callable() || target.kind.is_type() => EdgeType::Calls,
        // What a variable has is called through it.
        Role::Call if matches!(target.kind, SymbolKind::Const | SymbolKind::Var) => EdgeType::Calls,
        // What reads or sets a property runs its accessor.
        Role::Read | Role::Write if target.flags.is_property => EdgeType::Calls,
        Role::Type if target.kind.is_type() => EdgeType::TypeHintOf,
        Role::Decorator => EdgeType::Decorates,
        Role::Raise if target.kind.is_type() => EdgeType::Throws,
        Role::Document => EdgeType::Documents,
        Role::Fixture => EdgeType::UsesFixture,
        _ if is_field && is_member => EdgeType::AccessesField,
        _ => EdgeType::References,
    }
}

/// Returns the type of the edge to an external symbol used in this role.
pub(super) fn external_edge_type(role: Role) -> EdgeType {
    match role {
        Role::Call => EdgeType::Calls,
        Role::Type => EdgeType::TypeHintOf,
        Role::Decorator => EdgeType::Decorates,
        Role::Raise => EdgeType::Throws,
        Role::Document => EdgeType::Documents,
        Role::Fixture => EdgeType::UsesFixture,
        Role::Read | Role::Write | Role::Implement => EdgeType::References,
    }
}
