//! Manifests, the files that determine how modules are named and found, and the packages that they define and require.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use regex::Regex;

use super::{LANGUAGES, Language};
use crate::resolve::input::Manifest;

/// A kind of manifest of a language.
pub struct ManifestFormat {
    /// File name, in which one `*` matches any text.
    pub name: &'static str,
    /// Whether the language's rules read it, so that files of the language mean other modules when it changes.
    pub names_modules: bool,
    /// Adds the packages of a manifest's text; `None` for manifests without packages. Ignores an invalid manifest.
    pub packages: Option<fn(manifest: &Manifest, packages: &mut Packages)>,
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
            if let Some(read) = format_of(name).and_then(|(_, format)| format.packages) {
                read(manifest, &mut packages);
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

/// Patterns of the packages in a manifest that is code. The groups of a pattern are the parts of a name, which are joined
/// with a colon.
pub struct PackagePatterns {
    defined: Vec<Regex>,
    required: Vec<Regex>,
}

impl PackagePatterns {
    /// Compiles patterns, which must be constant and valid.
    pub fn new(defined: &[&str], required: &[&str]) -> PackagePatterns {
        let compile = |pattern: &&str| Regex::new(pattern).expect("patterns of manifests are constant and valid");
        PackagePatterns {
            defined: defined.iter().map(compile).collect(),
            required: required.iter().map(compile).collect(),
        }
    }

    /// Adds the packages of a manifest's text.
    pub fn read(&self, text: &str, packages: &mut Packages) {
        self.defined.iter().flat_map(|pattern| names(pattern, text)).for_each(|name| packages.define(&name));
        self.required.iter().flat_map(|pattern| names(pattern, text)).for_each(|name| packages.require(&name));
    }
}

fn names(pattern: &Regex, text: &str) -> Vec<String> {
    let name = |found: regex::Captures<'_>| -> String {
        let parts: Vec<&str> = found.iter().skip(1).flatten().map(|part| part.as_str()).collect();
        parts.join(":")
    };
    pattern.captures_iter(text).map(name).collect()
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

/// Returns the language that finds its modules by manifests of this name.
pub fn language_of_modules(name: &str) -> Option<&'static Language> {
    format_of(name).filter(|(_, format)| format.names_modules).map(|(language, _)| language)
}

/// Returns whether manifests of this name define or require packages.
pub fn has_packages(name: &str) -> bool {
    format_of(name).is_some_and(|(_, format)| format.packages.is_some())
}

/// A format, with its language.
type FormatOf = (&'static Language, &'static ManifestFormat);

fn format_of(name: &str) -> Option<FormatOf> {
    /// Formats by their names, and those with a pattern, each with its place among all.
    type Formats = (HashMap<&'static str, (usize, FormatOf)>, Vec<(usize, FormatOf)>);
    static FORMATS: LazyLock<Formats> = LazyLock::new(|| {
        let (mut named, mut patterns) = (HashMap::new(), Vec::new());
        let formats =
            LANGUAGES.iter().flat_map(|&language| language.manifests.iter().map(move |format| (language, format)));
        for (place, format) in formats.enumerate() {
            if format.1.name.contains('*') {
                patterns.push((place, format));
            } else {
                named.entry(format.1.name).or_insert((place, format));
            }
        }
        (named, patterns)
    });
    let (named, patterns) = &*FORMATS;
    let by_pattern = patterns.iter().find(|(_, (_, format))| format.matches(name));
    named.get(name).into_iter().chain(by_pattern).min_by_key(|(place, _)| *place).map(|(_, format)| *format)
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
    fn effects_of_manifests_are_known_by_name() {
        let language = |name: &str| language_of_modules(name).map(|language| language.name);
        assert_eq!(language("go.mod"), Some("go"));
        assert_eq!(language("tsconfig.build.json"), Some("typescript"));
        for name in ["go.work", "Makefile", "pom.xml", "pyproject.toml", "main.rs"] {
            assert_eq!(language(name), None, "{name}");
        }
        assert!(
            has_packages("pom.xml") && has_packages("go.mod") && !has_packages("Makefile") && !has_packages("main.rs")
        );
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

    #[test]
    fn gems() {
        let text = "Gem::Specification.new do |spec|\n  spec.name = 'shop'\n  spec.add_runtime_dependency(\"rack\", \"~> 3\")\n  \
                    s.add_dependency %q<liquid>.freeze, [\"~> 4\"]\n  spec.add_development_dependency 'rspec'\nend\n";
        check("shop.gemspec", text, &["shop"], &["liquid", "rack", "rspec"]);
        check("Gemfile", "source 'https://rubygems.org'\ngemspec\ngem 'rails', '~> 8'\n# gem 'no'\n", &[], &["rails"]);
        check("sinatra.gemspec", "Gem::Specification.new 'sinatra', version do |s|\nend\n", &["sinatra"], &[]);
    }

    #[test]
    fn projects_of_c() {
        let text = "cmake_minimum_required(VERSION 3.10)\nproject(shop VERSION 1.0 LANGUAGES C)\nfind_package(CURL REQUIRED)\n";
        check("CMakeLists.txt", text, &["shop"], &["CURL"]);
        check("meson.build", "project('shop', 'c')\ncurl = dependency('libcurl')\n", &["shop"], &["libcurl"]);
        check("configure.ac", "AC_INIT([shop], [1.0])\n", &["shop"], &[]);
    }

    #[test]
    fn packages_of_light_languages() {
        let text = "let package = Package(\n    name: \"Shop\",\n    dependencies: [\n        .package(url: \
                    \"https://github.com/vapor/vapor.git\", from: \"4.0.0\"),\n    ])\n";
        check("Package.swift", text, &["Shop"], &["vapor"]);
        let text = "name := \"shop\"\norganization := \"com.shop\"\nlibraryDependencies += \"com.typesafe.akka\" %% \
                    \"akka-actor\" % \"2.6\"\n";
        check("build.sbt", text, &["com.shop", "shop"], &["com.typesafe.akka:akka-actor"]);
        let text = "package = \"shop\"\ndependencies = {\n  \"lua >= 5.1\",\n  \"lpeg ~> 1.0\"\n}\n";
        check("shop-1.0-1.rockspec", text, &["shop"], &["lpeg", "lua"]);
    }
}
