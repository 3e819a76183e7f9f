//! The packages that a repository's manifests define and require, by their names in imports and registries.

use std::collections::BTreeSet;

use serde_json::Value as Json;
use toml::{Table, Value};

use crate::resolve::input::Manifest;

/// Packages in the manifests of a repository.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Packages {
    /// Packages defined here.
    pub defined: BTreeSet<String>,
    /// Packages required for any purpose.
    pub required: BTreeSet<String>,
}

impl Packages {
    /// Reads every `go.mod`, `Cargo.toml`, `package.json`, `pyproject.toml` and `setup.cfg`. Invalid manifests are
    /// ignored.
    pub fn from_manifests(manifests: &[Manifest]) -> Packages {
        let mut packages = Packages::default();
        for manifest in manifests {
            match manifest.path.rsplit('/').next().unwrap_or_default() {
                "go.mod" => packages.go(&manifest.text),
                "Cargo.toml" => packages.cargo(&manifest.text),
                "package.json" => packages.npm(&manifest.text),
                "pyproject.toml" => packages.pyproject(&manifest.text),
                "setup.cfg" => packages.setup(&manifest.text),
                _ => {}
            }
        }
        packages
    }

    fn go(&mut self, text: &str) {
        let mut in_require = false;
        for line in text.lines().map(|line| line.split("//").next().unwrap_or_default().trim()) {
            let mut words = line.split_whitespace();
            match (words.next(), words.next()) {
                (Some("module"), Some(path)) => self.define(path),
                (Some("require"), Some("(")) => in_require = true,
                (Some("require"), Some(path)) => self.require(path),
                (Some(")"), _) => in_require = false,
                (Some(path), Some(_)) if in_require => self.require(path),
                _ => {}
            }
        }
    }

    fn cargo(&mut self, text: &str) {
        let Ok(table) = text.parse::<Table>() else { return };
        let name = table.get("package").and_then(|package| package.get("name")).and_then(Value::as_str);
        name.into_iter().for_each(|name| self.define(name));
        self.cargo_dependencies(&table);
    }

    fn cargo_dependencies(&mut self, table: &Table) {
        for (key, value) in table {
            let Some(inner) = value.as_table() else { continue };
            if key.ends_with("dependencies") {
                inner.keys().for_each(|name| self.require(name));
            } else if matches!(key.as_str(), "target" | "workspace") || key.starts_with("cfg(") {
                self.cargo_dependencies(inner);
            }
        }
    }

    fn npm(&mut self, text: &str) {
        let Ok(json) = serde_json::from_str::<Json>(text) else { return };
        json.get("name").and_then(Json::as_str).into_iter().for_each(|name| self.define(name));
        for key in ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] {
            json.get(key).and_then(Json::as_object).into_iter().flatten().for_each(|(name, _)| self.require(name));
        }
    }

    fn pyproject(&mut self, text: &str) {
        let Ok(table) = text.parse::<Table>() else { return };
        let poetry = table.get("tool").and_then(|tool| tool.get("poetry"));
        for project in table.get("project").into_iter().chain(poetry) {
            project.get("name").and_then(Value::as_str).into_iter().for_each(|name| self.define(name));
            self.requirements(project.get("dependencies"));
            self.requirements(project.get("optional-dependencies"));
            self.requirements(project.get("group"));
        }
        self.requirements(table.get("dependency-groups"));
    }

    /// Adds requirements: a list of texts, a table by name (poetry), or groups of either.
    fn requirements(&mut self, value: Option<&Value>) {
        match value {
            Some(Value::Array(items)) => {
                items.iter().filter_map(Value::as_str).for_each(|text| self.require(requirement(text)));
            }
            Some(Value::Table(table)) => {
                for (key, value) in table {
                    match value {
                        Value::Array(_) => self.requirements(Some(value)),
                        Value::Table(inner) if inner.contains_key("dependencies") => {
                            self.requirements(inner.get("dependencies"));
                        }
                        _ => self.require(key),
                    }
                }
            }
            _ => {}
        }
    }

    fn setup(&mut self, text: &str) {
        let (mut section, mut key) = ("", "");
        for line in text.lines() {
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
                ("metadata", "name") => self.define(value),
                ("options", "install_requires") | ("options.extras_require", _) => self.require(requirement(value)),
                _ => {}
            }
        }
    }

    fn define(&mut self, name: &str) {
        insert(&mut self.defined, name);
    }

    fn require(&mut self, name: &str) {
        insert(&mut self.required, name);
    }
}

fn insert(set: &mut BTreeSet<String>, name: &str) {
    let name = name.trim_matches(['"', '\'']);
    if !name.is_empty() {
        set.insert(name.to_owned());
    }
}

/// Returns the package of a requirement such as `Flask[async]>=3 ; python_version > "3.9"`.
fn requirement(text: &str) -> &str {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    let text = text.trim();
    &text[..text.find(|c| !is_name(c)).unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, text: &str, defined: &[&str], required: &[&str]) {
        let packages = Packages::from_manifests(&[Manifest { path: path.to_owned(), text: text.to_owned() }]);
        assert_eq!(packages.defined.iter().map(String::as_str).collect::<Vec<_>>(), defined);
        assert_eq!(packages.required.iter().map(String::as_str).collect::<Vec<_>>(), required);
    }

    #[test]
    fn go_modules() {
        let text = "module example.com/shop // ours\n\ngo 1.24\n\nrequire (\n\tgithub.com/spf13/cobra v1.8.0\n\tgo.uber.org/zap \
                    v1.27.0 // indirect\n)\nrequire golang.org/x/text v0.1.0\nreplace a => ../a\n";
        let used = ["github.com/spf13/cobra", "go.uber.org/zap", "golang.org/x/text"];
        check("sub/go.mod", text, &["example.com/shop"], &used);
    }

    #[test]
    fn cargo_packages() {
        let text = "[package]\nname = \"shop\"\n[dependencies]\nserde = \"1\"\n[dev-dependencies.insta]\nversion = \"1\"\n\
                    [target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n[workspace.dependencies]\ntokio = \"1\"\n";
        check("Cargo.toml", text, &["shop"], &["insta", "libc", "serde", "tokio"]);
    }

    #[test]
    fn npm_packages() {
        let text = r#"{"name": "@shop/web", "dependencies": {"react": "19"}, "peerDependencies": {"redux": "*"}}"#;
        check("web/package.json", text, &["@shop/web"], &["react", "redux"]);
        check("package.json", "{ not json", &[], &[]);
    }

    #[test]
    fn python_projects() {
        let text = "[project]\nname = \"Shop\"\ndependencies = [\"Flask[async]>=3\", \"click ; python_version > '3.9'\"]\n\
                    [project.optional-dependencies]\ndb = [\"sqlalchemy\"]\n[dependency-groups]\ndev = [\"pytest\"]\n";
        check("pyproject.toml", text, &["Shop"], &["Flask", "click", "pytest", "sqlalchemy"]);
        let text = "[tool.poetry]\nname = \"shop\"\n[tool.poetry.dependencies]\npython = \"^3.12\"\ndjango = {version = \
                    \"5\"}\n[tool.poetry.group.dev.dependencies]\nruff = \"*\"\n";
        check("pyproject.toml", text, &["shop"], &["django", "python", "ruff"]);
        let text =
            "[metadata]\nname = shop\n[options]\ninstall_requires =\n    celery>=5\n    redis # fast\nzip_safe = no\n";
        check("setup.cfg", text, &["shop"], &["celery", "redis"]);
    }
}
