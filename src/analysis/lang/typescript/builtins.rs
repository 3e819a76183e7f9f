//! Names that extraction writes into expressions and the rules read back: markers and members without a name.
//!
//! The strings are part of stored facts: a change needs a new extraction of every file.

/// A value in a branch where a call returned true: the call and the value. Its type is the one in the callee's type
/// predicate, or the value's own.
pub const NARROWED: &str = "narrowed";
/// The result of a type predicate (`x is T`): a boolean with `T` as its argument.
pub const TYPE_PREDICATE: &str = "is";
/// The member that a call signature declares.
pub const CALL_SIGNATURE: &str = "()";
/// The member that a construct signature declares.
pub const CONSTRUCT_SIGNATURE: &str = "new";
/// The member that an index signature declares.
pub const INDEX_SIGNATURE: &str = "[]";
/// The export that `export = value` and `module.exports = value` declare.
pub const EXPORT_ASSIGNMENT: &str = "export=";
/// The name that a file has for its exports, which no scope binds.
pub const OWN_EXPORTS: &str = "module.exports";
/// The namespace of the names that a file declares for all files, by `declare global`.
pub const GLOBAL: &str = "global";
/// The binding that marks a script of typings (`.d.ts` without import or export), whose names are global; no code uses it.
pub const GLOBAL_TYPINGS: &str = "declare global";
/// The default export.
pub const DEFAULT_EXPORT: &str = "default";
