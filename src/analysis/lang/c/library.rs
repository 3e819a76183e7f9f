//! Names of the C standard library and of POSIX, which projects use without defining them.

/// Returns whether a header of the system declares a name.
pub fn is_standard(name: &str) -> bool {
    STANDARD.split_ascii_whitespace().any(|known| known == name)
}

/// Returns whether a type of the library is a pointer with an owner.
pub fn is_pointer(name: &str) -> bool {
    matches!(name, "unique_ptr" | "shared_ptr" | "weak_ptr" | "optional" | "reference_wrapper")
}

/// The names, in no order: they are looked up only for names that nothing in the project defines.
const STANDARD: &str = include_str!("standard.txt");
