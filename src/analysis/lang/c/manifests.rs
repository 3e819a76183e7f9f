//! Projects in the files of CMake, Meson and Autoconf.

use std::sync::LazyLock;

use crate::lang::manifest::{PackagePatterns, Packages};
use crate::resolve::input::Manifest;

static PROJECTS: LazyLock<PackagePatterns> = LazyLock::new(|| {
    PackagePatterns::new(
        &[
            // CMake's `project(libuv LANGUAGES C)`, Meson's `project('systemd', 'c')`
            r#"(?im)^\s*project\s*\(\s*["']?([A-Za-z][\w.+-]*)"#,
            // Autoconf's `AC_INIT([tmux], 3.4)`
            r#"(?m)^\s*AC_INIT\s*\(\s*\[*\s*([A-Za-z][\w.+-]*)"#,
        ],
        &[
            r#"(?im)^\s*(?:find_package|FetchContent_Declare|CPMAddPackage)\s*\(\s*"?([A-Za-z][\w.+-]*)"#,
            r#"\bdependency\s*\(\s*'([A-Za-z][\w.+-]*)'"#,
        ],
    )
});

/// Adds the project that a build file defines, and those that it requires.
pub fn read_project(manifest: &Manifest, packages: &mut Packages) {
    PROJECTS.read(&manifest.text, packages);
}
