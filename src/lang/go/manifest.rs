//! Packages of `go.mod`.

use crate::lang::manifest::Packages;
use crate::resolve::input::Manifest;

/// Adds the module that a `go.mod` defines and those that it requires.
pub fn read_packages(manifest: &Manifest, packages: &mut Packages) {
    let mut in_require = false;
    for line in manifest.text.lines().map(|line| line.split("//").next().unwrap_or_default().trim()) {
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some("module"), Some(path)) => packages.define(path),
            (Some("require"), Some("(")) => in_require = true,
            (Some("require"), Some(path)) => packages.require(path),
            (Some(")"), _) => in_require = false,
            (Some(path), Some(_)) if in_require => packages.require(path),
            _ => {}
        }
    }
}
