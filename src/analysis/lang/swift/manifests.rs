//! Packages of the Swift Package Manager.

use std::sync::LazyLock;

use crate::lang::manifest::{PackagePatterns, Packages};
use crate::resolve::input::Manifest;

static PATTERNS: LazyLock<PackagePatterns> = LazyLock::new(|| {
    PackagePatterns::new(
        &[r#"\bPackage\s*\(\s*name:\s*"([\w.-]+)""#],
        &[r#"\.package\s*\([^)]*?(?:url|path):\s*"(?:[^"]*/)?([\w-]+)(?:\.git)?/?""#],
    )
});

/// Adds the package that a `Package.swift` defines, and those that it requires.
pub fn read_package(manifest: &Manifest, packages: &mut Packages) {
    PATTERNS.read(&manifest.text, packages);
}
