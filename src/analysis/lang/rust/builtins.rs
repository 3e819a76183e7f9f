//! Names that extraction writes into expressions and the rules read back: built-in types and markers.
//!
//! The strings are part of stored facts: a change needs a new extraction of every file.

/// An array or slice; its argument is the element type.
pub const SLICE: &str = "[]";
/// The target of an `impl` block for pointers; its argument is what they point to. Elsewhere a pointer is like its content.
pub const POINTER: &str = "*";
/// The target name of an `impl` block for a tuple type.
pub const TUPLE: &str = "()";
/// Prefix of a type name whose arguments contain placeholders (`Vec<_>`). The first argument is the initializer, from
/// which they are inferred.
pub const INFERRED: &str = "infer ";
/// A collection that was created empty. The first argument is its initializer, the others are the types that are
/// inserted later.
pub const WITH_ELEMENTS: &str = "filled";
/// Suffix of a macro's path, because macros have a namespace of their own.
pub const MACRO_SUFFIX: char = '!';
/// Prefix of a path that starts at the crate names (`::std`).
pub const CRATE_ROOT_PREFIX: &str = "::";
/// Prefix of the file name in `#[path = "…"] mod x;`.
pub const PATH_ATTRIBUTE_PREFIX: char = '=';
