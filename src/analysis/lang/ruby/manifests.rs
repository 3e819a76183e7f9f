//! Gems in the files of Bundler and RubyGems.

use std::sync::LazyLock;

use crate::lang::manifest::{PackagePatterns, Packages};
use crate::resolve::input::Manifest;

static GEMS: LazyLock<PackagePatterns> = LazyLock::new(|| {
    PackagePatterns::new(
        &[
            // `spec.name = "jekyll"`
            r#"(?m)^\s*\w+\.name\s*=\s*(?:["']|%q[<{(])([\w.-]+)"#,
            // `Gem::Specification.new "sinatra", version do |spec|`
            r#"Gem::Specification\.new[ (]\s*["']([\w.-]+)"#,
        ],
        &[
            r#"(?m)^\s*gem[ (]\s*["']([\w.-]+)"#,
            r#"(?m)^\s*\w+\.add(?:_runtime|_development)?_dependency[ (]\s*(?:["']|%q[<{(])([\w.-]+)"#,
        ],
    )
});

/// Adds the gem that a gemspec defines, and those that it or a Gemfile requires.
pub fn read_gems(manifest: &Manifest, packages: &mut Packages) {
    GEMS.read(&manifest.text, packages);
}
