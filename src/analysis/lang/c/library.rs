//! Names of the C standard library and of POSIX, which projects use without defining them.

use crate::lang::common::word_list::word_list;

/// Returns whether a header of the system declares a name.
pub fn is_standard(name: &str) -> bool {
    STANDARD.binary_search(&name).is_ok()
}

/// Returns whether a type of the library is a pointer with an owner.
pub fn is_pointer(name: &str) -> bool {
    matches!(name, "unique_ptr" | "shared_ptr" | "weak_ptr" | "optional" | "reference_wrapper")
}

/// The names. Each name that nothing in the project defines is looked up among them.
static STANDARD: &[&str] = word_list!("standard.txt");
