//! Names that extraction writes into expressions and the rules read back: builtin types, and the universe block.
//!
//! The strings are part of stored facts: a change needs a new extraction of every file.

/// The blank identifier, which binds nothing.
pub(super) const BLANK: &str = "_";
/// A slice or array; its argument is the element.
pub(super) const SLICE: &str = "[]";
/// A map; its arguments are key and value.
pub(super) const MAP: &str = "map";
/// A channel; its argument is the element.
pub(super) const CHANNEL: &str = "chan";
/// A function iterator over single values.
pub(super) const SEQ: &str = "iter.Seq";
/// A function iterator over pairs.
pub(super) const SEQ2: &str = "iter.Seq2";

/// Returns whether a name is a predeclared type. Their names are not looked up in scopes, since
/// shadowing one is very rare.
pub(super) fn is_predeclared_type(name: &str) -> bool {
    matches!(
        name,
        "any"
            | "bool"
            | "byte"
            | "comparable"
            | "complex128"
            | "complex64"
            | "error"
            | "float32"
            | "float64"
            | "int"
            | "int16"
            | "int32"
            | "int64"
            | "int8"
            | "rune"
            | "string"
            | "uint"
            | "uint16"
            | "uint32"
            | "uint64"
            | "uint8"
            | "uintptr"
    )
}

/// Returns whether a name is a type or function of the universe block.
pub(super) fn is_universal(name: &str) -> bool {
    is_predeclared_type(name)
        || matches!(
            name,
            "append"
                | "cap"
                | "clear"
                | "close"
                | "complex"
                | "copy"
                | "delete"
                | "imag"
                | "len"
                | "make"
                | "max"
                | "min"
                | "new"
                | "panic"
                | "print"
                | "println"
                | "real"
                | "recover"
        )
}
