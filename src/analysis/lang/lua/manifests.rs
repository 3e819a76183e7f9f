//! Rocks of LuaRocks.

use std::sync::LazyLock;

use crate::lang::manifest::{PackagePatterns, Packages};
use crate::resolve::input::Manifest;

static PATTERNS: LazyLock<PackagePatterns> = LazyLock::new(|| {
    PackagePatterns::new(&[r#"(?m)^\s*package\s*=\s*["']([\w.-]+)"#], &[r#"["']([\w.-]+)\s*[~<>=]{1,2}\s*[\d.]"#])
});

/// Adds the rock that a rockspec defines, and those that it requires.
pub fn read_rock(manifest: &Manifest, packages: &mut Packages) {
    PATTERNS.read(&manifest.text, packages);
}
