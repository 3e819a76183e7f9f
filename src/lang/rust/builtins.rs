//! Names that extraction writes into expressions and the rules read back: built-in types and markers.
//!
//! The strings are part of stored facts: a change needs a new extraction of every file.

/// Arrays and slices, with the type of their elements.
pub const SLICE: &str = "[]";
/// The name under which members of an `impl` block for a tuple type are listed.
pub const TUPLE: &str = "()";
/// Prefix of a type written with placeholders (`Vec<_>`): its arguments are inferred from the initializer, which is the
/// first argument.
pub const INFERRED: &str = "infer ";
/// A collection that was created empty, with the values that are inserted into it later.
pub const WITH_ELEMENTS: &str = "filled";
/// Suffix of the name of a member that is called: a field may have the same name.
pub const CALL_SUFFIX: &str = "()";
/// Suffix of a macro's path: macros have a namespace of their own.
pub const MACRO_SUFFIX: char = '!';
/// Prefix of a path that starts at the crates (`::std`).
pub const CRATE_ROOT_PREFIX: &str = "::";
/// Prefix of the file name that `#[path = "…"]` gives to a module.
pub const PATH_ATTRIBUTE_PREFIX: char = '=';
