//! Names of global values and types.

use crate::lang::common::word_list::word_list;

/// Names of the language, browsers, Node and test runners that every file sees.
const GLOBALS: &[&str] = word_list!("../globals.txt");

/// Returns whether every file sees a name without declaring or importing it.
pub fn is_global(name: &str) -> bool {
    GLOBALS.binary_search(&name).is_ok()
}
