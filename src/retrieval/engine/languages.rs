//! Tells which languages are supported.

/// Returns the names of the supported languages as a list for users.
pub fn supported_languages() -> String {
    crate::lang::known::supported().join(", ")
}
