//! Manifests, the files that determine how modules are named and found, and the packages that they define and require.

use std::collections::BTreeSet;

use super::LANGUAGES;
use crate::resolve::input::Manifest;

/// A kind of manifest of a language.
pub struct ManifestFormat {
    /// File name, in which one `*` matches any text.
    pub name: &'static str,
    /// Adds the packages of a manifest's text; `None` for manifests without packages. Ignores an invalid manifest.
    pub packages: Option<fn(text: &str, packages: &mut Packages)>,
}

impl ManifestFormat {
    fn matches(&self, name: &str) -> bool {
        match self.name.split_once('*') {
            Some((prefix, suffix)) => name.starts_with(prefix) && name.ends_with(suffix),
            None => name == self.name,
        }
    }
}

/// Packages in the manifests of a repository, by their names in imports and registries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Packages {
    /// Packages defined here.
    pub defined: BTreeSet<String>,
    /// Packages required for any purpose.
    pub required: BTreeSet<String>,
}

impl Packages {
    /// Reads every manifest whose format has packages. Invalid manifests are ignored.
    pub fn from_manifests(manifests: &[Manifest]) -> Packages {
        let mut packages = Packages::default();
        for manifest in manifests {
            let name = manifest.path.rsplit('/').next().unwrap_or_default();
            if let Some(read) = format_of(name).and_then(|format| format.packages) {
                read(&manifest.text, &mut packages);
            }
        }
        packages
    }

    /// Adds a package that the repository defines.
    pub fn define(&mut self, name: &str) {
        insert(&mut self.defined, name);
    }

    /// Adds a package that the repository requires.
    pub fn require(&mut self, name: &str) {
        insert(&mut self.required, name);
    }
}

fn insert(set: &mut BTreeSet<String>, name: &str) {
    let name = name.trim_matches(['"', '\'']);
    if !name.is_empty() {
        set.insert(name.to_owned());
    }
}

/// Returns whether a file name is that of a manifest.
pub fn is_manifest(name: &str) -> bool {
    format_of(name).is_some()
}

fn format_of(name: &str) -> Option<&'static ManifestFormat> {
    LANGUAGES.iter().flat_map(|language| language.manifests).find(|format| format.matches(name))
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
    fn manifests_are_recognized_by_name() {
        for name in ["go.mod", "go.work", "setup.cfg", "tsconfig.json", "tsconfig.build.json"] {
            assert!(is_manifest(name), "{name}");
        }
        for name in ["go.sum", "Cargo.lock", "tsconfig.js", "my-tsconfig.json"] {
            assert!(!is_manifest(name), "{name}");
        }
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
