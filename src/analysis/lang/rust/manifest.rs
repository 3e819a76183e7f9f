//! Packages of `Cargo.toml`.

use toml::{Table, Value};

use crate::lang::manifest::Packages;
use crate::resolve::input::Manifest;

/// Adds the package that a `Cargo.toml` defines and those that it requires.
pub fn read_packages(manifest: &Manifest, packages: &mut Packages) {
    let Ok(table) = manifest.text.parse::<Table>() else { return };
    let name = table.get("package").and_then(|package| package.get("name")).and_then(Value::as_str);
    name.into_iter().for_each(|name| packages.define(name));
    add_dependencies(&table, packages);
}

/// Adds the packages of every table of dependencies, also those for a target or for a workspace.
fn add_dependencies(table: &Table, packages: &mut Packages) {
    for (key, value) in table {
        let Some(inner) = value.as_table() else { continue };
        if key.ends_with("dependencies") {
            inner.keys().for_each(|name| packages.require(name));
        } else if matches!(key.as_str(), "target" | "workspace") || key.starts_with("cfg(") {
            add_dependencies(inner, packages);
        }
    }
}
