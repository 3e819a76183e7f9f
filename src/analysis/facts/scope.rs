//! Scopes, bindings and imports.

use serde::{Deserialize, Serialize};

use super::{Atom, DefId, ExprId, ExtensionId};

/// Number of a scope within its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ScopeId(pub u32);

/// Number of an import within its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ImportId(pub u32);

/// The kind of a scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ScopeKind {
    /// A file's top level, or an inline module.
    Module,
    /// Names that exist only for importers (`export { a as b }`, `export default`). Its parent is the module level, in
    /// which their targets are looked up.
    Exports,
    /// The body of a type. Its names are visible in the body itself, not in the methods.
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
    /// The definition whose body this is: a type, a function, or the definition of an inline module.
    pub definition: Option<DefId>,
    /// The extension whose block this is.
    pub extension: Option<ExtensionId>,
    /// The name of an inline module.
    pub module_name: Option<Atom>,
    /// A value of the type that a class without a name extends, whose body this is. It is evaluated in the scope around.
    pub extends: Option<ExprId>,
}

/// A name bound in a scope.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Binding {
    pub scope: ScopeId,
    pub name: Atom,
    /// Byte from which the binding holds. It applies to values, where later bindings shadow earlier ones; definitions,
    /// imports and parameters hold in their whole scope.
    pub position: u32,
    pub kind: BindingKind,
}

/// The target of a binding.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum BindingKind {
    Definition(DefId),
    Import(ImportId),
    /// A local variable. `value_type` is evaluated as a type and takes precedence over `value`.
    Local {
        value_type: Option<ExprId>,
        value: Option<ExprId>,
    },
    /// A parameter with its annotation and default.
    Parameter {
        value_type: Option<ExprId>,
        value: Option<ExprId>,
    },
    /// Another name for the expression's denotation (`export { a as b }`).
    Alias(ExprId),
    /// A type parameter of this definition, by its index in [`super::Definition::type_parameters`].
    TypeParameter(DefId, u16),
    /// A type parameter of this extension, by its index.
    ExtensionParameter(ExtensionId, u16),
}

/// The part of a module that is imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ImportName {
    /// The module itself.
    Module,
    /// One of its names.
    Named(Atom),
    /// All of its names: a glob import.
    All,
    /// Its default export.
    Default,
}

/// An import or reexport. The names it binds are [`Binding`]s with [`BindingKind::Import`]; [`ImportName::All`] applies
/// to its whole scope instead.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Import {
    /// The scope that contains it; for a reexport, the [`ScopeKind::Exports`] scope.
    pub scope: ScopeId,
    /// The segments of the module's path: `a.b` is `[a, b]`, `crate::x` is `[crate, x]`. In languages that name modules
    /// by a string (TypeScript, Go) it is the only segment.
    pub path: Vec<Atom>,
    /// Number of leading dots of a Python relative import. It is 1 where a macro may declare the modules that a call names:
    /// the path is the macro, and a name (Rust). 0 in other languages.
    pub level: u8,
    pub name: ImportName,
    /// First byte of the imported name, the position of the import's own reference.
    pub position: u32,
    /// Whether the imported names become names of this module (`pub use`, `export … from`, Python at module level).
    pub reexport: bool,
}
