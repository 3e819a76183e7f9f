//! Which file a module specifier names: relative paths, `tsconfig` paths, workspace packages.

use std::collections::HashSet;

use serde_json::Value as Json;

use crate::resolve::input::Manifest;

/// Suffixes tried behind a specifier, in TypeScript's order.
const SUFFIXES: [&str; 19] = [
    "",
    ".ts",
    ".tsx",
    ".d.ts",
    ".mts",
    ".cts",
    ".d.mts",
    ".d.cts",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    "/index.ts",
    "/index.tsx",
    "/index.d.ts",
    "/index.mts",
    "/index.js",
    "/index.jsx",
    "/index.mjs",
];
/// Folders that a build writes; their sources lie in the package's source folder.
const BUILT: [&str; 10] = ["dist", "lib", "build", "out", "es", "esm", "cjs", "types", "module", "umd"];
/// Where packages keep their sources.
const SOURCES: [&str; 4] = ["src/", "", "lib/", "source/"];

/// A `tsconfig.json` with path mappings.
#[derive(Debug)]
struct Config {
    folder: String,
    base: Option<String>,
    /// Pattern and targets, the targets relative to the repository's root.
    paths: Vec<(String, Vec<String>)>,
}

/// A package of the repository.
#[derive(Debug)]
struct Package {
    folder: String,
    name: String,
    /// Entry points as the manifest names them (`.` or `./sub`), each with what it points to.
    entries: Vec<(String, Vec<String>)>,
    dependencies: HashSet<String>,
}

/// What the manifests say of modules and where they are.
#[derive(Debug, Default)]
pub struct Project {
    /// Innermost folders first.
    configs: Vec<Config>,
    packages: Vec<Package>,
}

impl Project {
    /// Reads every `tsconfig.json` and `package.json`.
    pub fn new(manifests: &[Manifest]) -> Project {
        let mut project = Project::default();
        for manifest in manifests {
            let (folder, name) = manifest.path.rsplit_once('/').unwrap_or(("", &manifest.path));
            if name == "package.json" {
                project.packages.extend(package(folder, &manifest.text));
            } else if name.starts_with("tsconfig") || name.starts_with("jsconfig") {
                project.configs.extend(config(folder, &manifest.text));
            }
        }
        project.configs.sort_by(|a, b| b.folder.len().cmp(&a.folder.len()).then_with(|| a.folder.cmp(&b.folder)));
        project.packages.sort_by(|a, b| b.folder.len().cmp(&a.folder.len()).then_with(|| a.folder.cmp(&b.folder)));
        project
    }

    /// The file that `specifier` names when it stands in `from`; `exists` tells which files there are.
    pub fn find(&self, from: &str, specifier: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
        let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        if specifier.starts_with('.') {
            let path = join(folder, specifier)?;
            return probe(&path, exists).or_else(|| self.package_at(&path, exists));
        }
        self.mapped(from, specifier, exists)
            .or_else(|| self.in_package(specifier, exists))
            .or_else(|| self.unexplained(from, specifier, exists))
    }

    /// A folder with a manifest of its own.
    fn package_at(&self, path: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
        let package = self.packages.iter().find(|package| package.folder == path)?;
        entry(package, ".", exists)
    }

    fn mapped(&self, from: &str, specifier: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
        for config in self.configs.iter().filter(|config| is_inside(from, &config.folder)) {
            for (pattern, targets) in &config.paths {
                let Some(rest) = matched(pattern, specifier) else { continue };
                for target in targets {
                    let path = normal(&target.replacen('*', rest, 1));
                    if let Some(found) = probe(&path, exists).or_else(|| probe_source(&path, exists)) {
                        return Some(found);
                    }
                }
            }
            if let Some(base) = &config.base
                && let Some(found) = join(base, specifier).and_then(|path| probe(&path, exists))
            {
                return Some(found);
            }
        }
        None
    }

    fn in_package(&self, specifier: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
        for package in &self.packages {
            let Some(rest) = specifier.strip_prefix(package.name.as_str()) else { continue };
            let subpath = match rest {
                "" => ".".to_owned(),
                _ if rest.starts_with('/') => format!(".{rest}"),
                _ => continue,
            };
            if let Some(found) = entry(package, &subpath, exists) {
                return Some(found);
            }
        }
        None
    }

    /// A specifier that is no dependency must be an alias of a source folder, set up in some build tool: `@/x`,
    /// `~/x`, `src/x`, `@internal/x`.
    fn unexplained(&self, from: &str, specifier: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
        let (head, rest) = specifier.split_once('/')?;
        let is_alias = head.starts_with(['@', '~', '#', '$']) || matches!(head, "src" | "app" | "lib");
        let scoped: String = specifier.split('/').take(2).collect::<Vec<_>>().join("/");
        let near: Vec<&Package> = self.packages.iter().filter(|package| is_inside(from, &package.folder)).collect();
        let is_known = |package: &&Package| {
            package.dependencies.contains(&scoped) || package.dependencies.contains(head) || package.name == scoped
        };
        if !is_alias || near.iter().any(is_known) {
            return None;
        }
        let mut roots: Vec<&str> = near.iter().map(|package| package.folder.as_str()).collect();
        roots.push("");
        for root in roots {
            let tails = if head.len() > 1 && !head.starts_with(['@', '~']) { [rest, specifier] } else { [rest, rest] };
            for tail in tails {
                for source in SOURCES {
                    let path = join(root, &format!("{source}{tail}"))?;
                    if let Some(found) = probe(&path, exists) {
                        return Some(found);
                    }
                }
            }
        }
        None
    }
}

/// The file behind an entry point of a package.
fn entry(package: &Package, subpath: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
    for (pattern, targets) in &package.entries {
        let Some(rest) = matched(pattern, subpath) else { continue };
        for target in targets {
            let path = join(&package.folder, &target.replace('*', rest))?;
            if let Some(found) = probe(&path, exists) {
                return Some(found);
            }
        }
    }
    let tail = subpath.trim_start_matches("./").trim_start_matches('.');
    for source in SOURCES {
        let path = join(&package.folder, &format!("{source}{tail}"))?;
        if let Some(found) = probe(path.trim_end_matches('/'), exists) {
            return Some(found);
        }
    }
    for (pattern, targets) in &package.entries {
        let Some(rest) = matched(pattern, subpath) else { continue };
        for target in targets {
            let path = join(&package.folder, &target.replace('*', rest))?;
            if let Some(found) = probe_source(&path, exists) {
                return Some(found);
            }
        }
    }
    None
}

/// The source of a file that a build makes: `dist/esm/x.js` comes from `src/x.ts`.
fn probe_source(path: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
    let segments: Vec<&str> = path.split('/').collect();
    let at = segments.iter().position(|segment| BUILT.contains(segment))?;
    let rest: Vec<&str> = segments[at..].iter().skip_while(|segment| BUILT.contains(segment)).copied().collect();
    let root = segments[..at].join("/");
    for source in SOURCES {
        let path = join(&root, &format!("{source}{}", rest.join("/")))?;
        if let Some(found) = probe(&path, exists) {
            return Some(found);
        }
    }
    None
}

/// The file that a path without, or with a translated, extension names.
fn probe(path: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
    for (written, sources) in [
        (".d.ts", &[".ts", ".tsx"][..]),
        (".js", &[".ts", ".tsx"]),
        (".jsx", &[".tsx"]),
        (".mjs", &[".mts", ".ts"]),
        (".cjs", &[".cts", ".ts"]),
    ] {
        if let Some(stem) = path.strip_suffix(written) {
            let found = sources.iter().map(|source| format!("{stem}{source}")).find(|path| exists(path));
            if found.is_some() {
                return found;
            }
        }
    }
    let suffixed = |suffix: &&str| {
        if path.is_empty() { suffix.trim_start_matches('/').to_owned() } else { format!("{path}{suffix}") }
    };
    SUFFIXES.iter().map(suffixed).find(|path| exists(path))
}

/// What `*` stands for when `pattern` fits, or an empty text for a pattern without one.
fn matched<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
    match pattern.split_once('*') {
        Some((before, after)) => text.strip_prefix(before)?.strip_suffix(after),
        None => (pattern == text).then_some(""),
    }
}

fn is_inside(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// `folder/path` without `.` and `..`; `None` when it leaves the repository.
fn join(folder: &str, path: &str) -> Option<String> {
    let mut segments: Vec<&str> = folder.split('/').filter(|segment| !segment.is_empty()).collect();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop()?;
            }
            other => segments.push(other),
        }
    }
    Some(segments.join("/"))
}

fn normal(path: &str) -> String {
    join("", path).unwrap_or_default()
}

fn config(folder: &str, text: &str) -> Option<Config> {
    let json: Json = serde_json::from_str(&plain_json(text)).ok()?;
    let options = json.get("compilerOptions")?;
    let base = options.get("baseUrl").and_then(Json::as_str).and_then(|base| join(folder, base));
    let root = base.clone().unwrap_or_else(|| folder.to_owned());
    let mut paths = Vec::new();
    for (pattern, targets) in options.get("paths").and_then(Json::as_object).into_iter().flatten() {
        let targets = targets.as_array().into_iter().flatten().filter_map(Json::as_str);
        paths.push((pattern.clone(), targets.filter_map(|target| join(&root, target)).collect()));
    }
    // Of several patterns that fit, the one with the longest text before its star counts.
    paths.sort_by_key(|(pattern, _): &(String, Vec<String>)| {
        std::cmp::Reverse(pattern.split('*').next().map_or(0, str::len))
    });
    (base.is_some() || !paths.is_empty()).then(|| Config { folder: folder.to_owned(), base, paths })
}

fn package(folder: &str, text: &str) -> Option<Package> {
    let json: Json = serde_json::from_str(text).ok()?;
    let name = json.get("name").and_then(Json::as_str).unwrap_or("").to_owned();
    let mut entries: Vec<(String, Vec<String>)> = Vec::new();
    match json.get("exports") {
        Some(Json::Object(exports)) if exports.keys().any(|key| key.starts_with('.')) => {
            for (key, target) in exports {
                entries.push((key.clone(), targets_of(target)));
            }
        }
        Some(target) => entries.push((".".to_owned(), targets_of(target))),
        None => {}
    }
    let main = ["source", "types", "typings", "module", "main"].iter().filter_map(|key| json.get(*key)?.as_str());
    entries.push((".".to_owned(), main.map(str::to_owned).collect()));
    let mut dependencies = HashSet::new();
    for key in ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] {
        dependencies
            .extend(json.get(key).and_then(Json::as_object).into_iter().flatten().map(|(name, _)| name.clone()));
    }
    // A name that is missing or a mere path segment names nothing.
    let name = if name.is_empty() { "\0".to_owned() } else { name };
    Some(Package { folder: folder.to_owned(), name, entries, dependencies })
}

/// Every path in an `exports` value, types first: they are nearest to the source.
fn targets_of(json: &Json) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![json];
    while let Some(json) = open.pop() {
        match json {
            Json::String(path) => found.push(path.clone()),
            Json::Array(items) => open.extend(items.iter().rev()),
            Json::Object(map) => {
                let (types, others): (Vec<_>, Vec<_>) = map.iter().partition(|(key, _)| key.as_str() == "types");
                open.extend(others.into_iter().rev().map(|(_, value)| value));
                open.extend(types.into_iter().map(|(_, value)| value));
            }
            _ => {}
        }
    }
    found
}

/// JSON without the comments and trailing commas that `tsconfig.json` may have.
fn plain_json(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.trim_start_matches('\u{feff}');
    while let Some(first) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = rest.find('\n').map_or("", |end| &rest[end..]);
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
        } else if first == '"' {
            let end = string_end(rest);
            plain.push_str(&rest[..end]);
            rest = &rest[end..];
        } else {
            if matches!(first, '}' | ']') {
                let kept = plain.trim_end().trim_end_matches(',').len();
                plain.truncate(kept);
            }
            plain.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    plain
}

/// Where the string literal at the start of `text` ends.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        match character {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(manifests: &[(&str, &str)], files: &[&str], from: &str, specifier: &str) -> Option<String> {
        let manifests: Vec<Manifest> = manifests
            .iter()
            .map(|(path, text)| Manifest { path: (*path).to_owned(), text: (*text).to_owned() })
            .collect();
        Project::new(&manifests).find(from, specifier, &|path| files.contains(&path))
    }

    #[test]
    fn relative_specifiers_probe_extensions_and_index_files() {
        let files = ["src/a.ts", "src/b/index.tsx", "src/c.d.ts"];
        assert_eq!(find(&[], &files, "src/x.ts", "./a").as_deref(), Some("src/a.ts"));
        assert_eq!(find(&[], &files, "src/x.ts", "./a.js").as_deref(), Some("src/a.ts"));
        assert_eq!(find(&[], &files, "src/b/y.ts", ".").as_deref(), Some("src/b/index.tsx"));
        assert_eq!(find(&[], &files, "src/b/y.ts", "../c").as_deref(), Some("src/c.d.ts"));
        assert_eq!(find(&[], &files, "x.ts", "../../c"), None);
    }

    #[test]
    fn tsconfig_paths_may_have_comments() {
        let config = "{ // base\n \"compilerOptions\": { \"paths\": { \"~/*\": [\"./src/*\",], }, }, }";
        let found = find(&[("app/tsconfig.json", config)], &["app/src/a.ts"], "app/x.ts", "~/a");
        assert_eq!(found.as_deref(), Some("app/src/a.ts"));
    }

    #[test]
    fn packages_lead_to_their_sources() {
        let manifest =
            r#"{"name": "@x/core", "exports": {".": {"import": "./dist/index.mjs"}, "./sub": "./dist/sub.js"}}"#;
        let files = ["packages/core/src/index.ts", "packages/core/src/sub.ts"];
        let all = [("packages/core/package.json", manifest)];
        assert_eq!(find(&all, &files, "a.ts", "@x/core").as_deref(), Some(files[0]));
        assert_eq!(find(&all, &files, "a.ts", "@x/core/sub").as_deref(), Some(files[1]));
        assert_eq!(find(&all, &files, "a.ts", "@x/other"), None);
    }

    #[test]
    fn aliases_that_no_dependency_explains() {
        let manifest = r#"{"name": "app", "dependencies": {"@known/y": "1"}}"#;
        let files = ["src/y.ts"];
        let all = [("package.json", manifest)];
        assert_eq!(find(&all, &files, "src/a.ts", "@/y").as_deref(), Some("src/y.ts"));
        assert_eq!(find(&all, &files, "src/a.ts", "@internal/y").as_deref(), Some("src/y.ts"));
        assert_eq!(find(&all, &files, "src/a.ts", "@known/y"), None);
    }
}
