//! Names that extraction writes into expressions and the rules read back: builtin types, and the universe block.
//!
//! The strings are part of stored facts: a change needs a new extraction of every file.

/// A slice or array; its argument is the element.
pub const SLICE: &str = "[]";
/// A map; its arguments are key and value.
pub const MAP: &str = "map";
/// A channel; its argument is the element.
pub const CHANNEL: &str = "chan";
/// A function iterator over single values.
pub const SEQ: &str = "iter.Seq";
/// A function iterator over pairs.
pub const SEQ2: &str = "iter.Seq2";

/// Returns whether a name is a predeclared type. Their names are not looked up in scopes, since
/// shadowing one is very rare.
pub fn is_predeclared_type(name: &str) -> bool {
    PREDECLARED_TYPES.binary_search(&name).is_ok()
}

/// Returns whether a name is a type or function of the universe block.
pub fn is_universal(name: &str) -> bool {
    is_predeclared_type(name) || BUILTIN_FUNCTIONS.contains(&name)
}

#[rustfmt::skip]
const PREDECLARED_TYPES: &[&str] = &[
    "any", "bool", "byte", "comparable", "complex128", "complex64", "error", "float32", "float64", "int", "int16",
    "int32", "int64", "int8", "rune", "string", "uint", "uint16", "uint32", "uint64", "uint8", "uintptr",
];

#[rustfmt::skip]
const BUILTIN_FUNCTIONS: &[&str] = &[
    "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len", "make", "max", "min", "new", "panic",
    "print", "println", "real", "recover",
];
