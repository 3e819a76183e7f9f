//! Packages of `pyproject.toml` and `setup.cfg`.

use toml::{Table, Value};

use crate::lang::manifest::Packages;
use crate::resolve::input::Manifest;

/// Adds the project of a `pyproject.toml` and its requirements, also those of poetry.
pub fn read_pyproject(manifest: &Manifest, packages: &mut Packages) {
    let Ok(table) = manifest.text.parse::<Table>() else { return };
    let poetry = table.get("tool").and_then(|tool| tool.get("poetry"));
    for project in table.get("project").into_iter().chain(poetry) {
        project.get("name").and_then(Value::as_str).into_iter().for_each(|name| packages.define(name));
        add_requirements(project.get("dependencies"), packages);
        add_requirements(project.get("optional-dependencies"), packages);
        add_requirements(project.get("group"), packages);
    }
    add_requirements(table.get("dependency-groups"), packages);
}

/// Adds requirements: a list of texts, a table by name (poetry), or groups of either.
fn add_requirements(value: Option<&Value>, packages: &mut Packages) {
    match value {
        Some(Value::Array(items)) => {
            items.iter().filter_map(Value::as_str).for_each(|text| packages.require(requirement(text)));
        }
        Some(Value::Table(table)) => {
            for (key, value) in table {
                match value {
                    Value::Array(_) => add_requirements(Some(value), packages),
                    Value::Table(inner) if inner.contains_key("dependencies") => {
                        add_requirements(inner.get("dependencies"), packages);
                    }
                    _ => packages.require(key),
                }
            }
        }
        _ => {}
    }
}

/// Adds the project of a `setup.cfg` and its requirements.
pub fn read_setup(manifest: &Manifest, packages: &mut Packages) {
    let (mut section, mut key) = ("", "");
    for line in manifest.text.lines() {
        let plain = line.split('#').next().unwrap_or_default();
        let trimmed = plain.trim();
        if let Some(name) = trimmed.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            (section, key) = (name, "");
            continue;
        }
        let is_indented = plain.starts_with([' ', '\t']);
        let value = match trimmed.split_once('=').filter(|_| !is_indented) {
            Some((name, value)) => {
                key = name.trim();
                value.trim()
            }
            None => trimmed,
        };
        match (section, key) {
            ("metadata", "name") => packages.define(value),
            ("options", "install_requires") | ("options.extras_require", _) => packages.require(requirement(value)),
            _ => {}
        }
    }
}

/// Returns the package of a requirement such as `Flask[async]>=3 ; python_version > "3.9"`.
fn requirement(text: &str) -> &str {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let text = text.trim();
    &text[..text.find(|c| !is_name(c)).unwrap_or(text.len())]
}
