//! A definition as its file shows it.

use serde::{Deserialize, Serialize};

use super::{Atom, ExprId, ScopeId};
use crate::model::{Span, SymbolKind};

/// Number of a definition within its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DefId(pub u32);

/// Number of an extension within its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ExtensionId(pub u32);

/// Of what a definition is a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Container {
    /// Of nothing but its module, or of a function's body.
    Module,
    /// Of a type, interface or enum of the same file.
    Definition(DefId),
    /// Of a type that an extension block names: a Rust `impl`, a Go method's receiver.
    Extension(ExtensionId),
}

/// Yes-or-no properties of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Flags {
    /// Test code: by its attribute, its name and place, or its file.
    pub is_test: bool,
    /// A property: reading it gives its result, not the function.
    pub is_property: bool,
    /// Called on the type, not on a value: static and class methods, associated functions without `self`.
    pub is_static: bool,
    /// Declared without a body: interface and trait members, overload signatures, abstract methods.
    pub is_abstract: bool,
    /// `async`: calling it gives something to await.
    pub is_async: bool,
    /// The definition stands inside a function's body.
    pub is_local: bool,
    /// A type alias: `type` names another type, which is in [`Definition::value_type`].
    pub is_alias: bool,
    /// An enum member or variant.
    pub is_variant: bool,
    /// Code for another platform than the usual one: where there are alternatives, they are meant.
    pub is_elsewhere: bool,
}

/// A parameter of a function or method, its receiver left out.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    pub name: Atom,
    /// Its annotation, read as a type.
    pub value_type: Option<ExprId>,
}

/// A generic parameter and what bounds it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TypeParameter {
    pub name: Atom,
    /// Read as types; `where` clauses included.
    pub bounds: Vec<ExprId>,
}

/// How a type relates to one of its bases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BaseRelation {
    /// A base class, a supertrait, an extended interface, an embedded struct.
    Extends,
    /// An interface or trait that the type declares to implement.
    Implements,
}

/// One base of a type.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Base {
    /// Read as a type, in the scope around the definition.
    pub expr: ExprId,
    pub relation: BaseRelation,
}

/// A definition. Its expressions are evaluated in [`Definition::scope`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Definition {
    pub name: Atom,
    pub kind: SymbolKind,
    /// Names of the enclosing definitions, outermost first: the scope part of the qualified name. For a method of
    /// an extension, the extended type's plain name.
    pub scope_names: Vec<Atom>,
    pub container: Container,
    /// The innermost definition around it, whatever its kind.
    pub parent: Option<DefId>,
    pub span: Span,
    pub signature: String,
    pub doc: String,
    pub flags: Flags,
    /// Where its annotations are evaluated: its own body's scope when it has one (so that its type parameters are
    /// seen), else the scope around it.
    pub scope: ScopeId,
    pub type_parameters: Vec<TypeParameter>,
    pub parameters: Vec<Parameter>,
    /// Declared result, read as a type.
    pub result: Option<ExprId>,
    /// Values returned, where no result is declared; evaluated in [`Definition::scope`].
    pub returns: Vec<ExprId>,
    /// Declared type of a variable or field, or what an alias stands for; read as a type.
    pub value_type: Option<ExprId>,
    /// Initial value of a variable or field. Evaluated in `value_scope`.
    pub value: Option<ExprId>,
    /// Scope of `value` when it differs from `scope` (`self.x = x` inside a method).
    pub value_scope: Option<ScopeId>,
    pub bases: Vec<Base>,
}

/// A block that adds members to a type: Rust's `impl T` and `impl Trait for T`, a Go method's receiver (one extension
/// for each receiver type of a file is enough).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Extension {
    /// The extended type, read as a type.
    pub target: ExprId,
    /// Its plain name, so that tables can be built without evaluating anything.
    pub target_name: Atom,
    /// The trait implemented, if any, read as a type.
    pub implements: Option<ExprId>,
    /// The block's own scope.
    pub scope: ScopeId,
    pub type_parameters: Vec<TypeParameter>,
    /// First line of the block.
    pub line: u32,
}
