//! Projects of sbt.

use std::sync::LazyLock;

use crate::lang::manifest::{PackagePatterns, Packages};
use crate::resolve::input::Manifest;

static PATTERNS: LazyLock<PackagePatterns> = LazyLock::new(|| {
    PackagePatterns::new(
        &[r#"\bname\s*:=\s*"([\w.-]+)""#, r#"\borganization\s*:=\s*"([\w.-]+)""#],
        &[r#""([\w.-]+)"\s*%{1,3}\s*"([\w.-]+)""#],
    )
});

/// Adds the projects that a `build.sbt` defines with their organization, and those that they require.
pub fn read_build(manifest: &Manifest, packages: &mut Packages) {
    PATTERNS.read(&manifest.text, packages);
}
