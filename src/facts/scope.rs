//! Scopes, what they bind, and imports.

use serde::{Deserialize, Serialize};

use super::{Atom, DefId, ExprId, ExtensionId};

/// Number of a scope within its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ScopeId(pub u32);

/// Number of an import within its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ImportId(pub u32);

/// What a scope belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScopeKind {
    /// A file's top level, or an inline module.
    Module,
    /// Names that exist only for importers (`export { a as b }`, `export default`). Its parent is the module level,
    /// where what they stand for is looked up.
    Exports,
    /// The body of a type. Its names are seen from the body itself, not from the methods in it.
    Type,
    /// The body of an extension; it binds the extension's type parameters.
    Extension,
    /// A function's or lambda's body with its parameters.
    Function,
    /// A block inside a function.
    Block,
}

/// A region in which names are bound.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Scope {
    pub parent: Option<ScopeId>,
    pub kind: ScopeKind,
    /// The definition whose body this is: the type, the function, the inline module's own definition.
    pub definition: Option<DefId>,
    /// The extension whose block this is.
    pub extension: Option<ExtensionId>,
    /// An inline module's name.
    pub module_name: Option<Atom>,
}

/// A name bound in a scope.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Binding {
    pub scope: ScopeId,
    pub name: Atom,
    /// Byte from which the binding holds. Definitions, imports and parameters hold in their whole scope and are
    /// looked up regardless of it; values hold from here on, a later one shadowing an earlier one.
    pub position: u32,
    pub kind: BindingKind,
}

/// What a name is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum BindingKind {
    Definition(DefId),
    Import(ImportId),
    /// A local variable. `value_type` is read as a type and wins over `value`.
    Local {
        value_type: Option<ExprId>,
        value: Option<ExprId>,
    },
    /// A parameter; the same, but its value is its default.
    Parameter {
        value_type: Option<ExprId>,
        value: Option<ExprId>,
    },
    /// Another name for what the expression denotes (`export { a as b }`).
    Alias(ExprId),
    /// A type parameter of this definition, by its place in [`super::Definition::type_parameters`].
    TypeParameter(DefId, u16),
    /// A type parameter of this extension.
    ExtensionParameter(ExtensionId, u16),
}

/// What an import takes from the module it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImportName {
    /// The module itself.
    Module,
    /// One of its names.
    Named(Atom),
    /// All of its names.
    All,
    /// Its default export.
    Default,
}

/// An import or re-export. The names it binds are [`Binding`]s with [`BindingKind::Import`], except for
/// [`ImportName::All`], which acts on its whole scope.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Import {
    /// The scope it stands in; for a re-export, the [`ScopeKind::Exports`] scope.
    pub scope: ScopeId,
    /// The module's path in segments: `a.b` is `[a, b]`, `crate::x` is `[crate, x]`. Languages that name modules by a
    /// string (TypeScript, Go) give that string as the only segment.
    pub path: Vec<Atom>,
    /// Leading dots of a Python relative import; 0 for all others.
    pub level: u8,
    pub name: ImportName,
    /// First byte of the imported name, for the reference that the import itself makes.
    pub position: u32,
    /// The imported names become names of this module (`pub use`, `export … from`, Python at module level).
    pub reexport: bool,
}
