//! Module resolution: the file of a module specifier, by relative paths, `tsconfig` paths and workspace packages.

use super::manifests::{Package, TsConfig, read_package, read_tsconfig};
use crate::resolve::input::Manifest;
use crate::text::{parent_dir, split_path};

/// Suffixes that are tried after a specifier, in TypeScript's order.
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
/// Folders of build output, which replace a source folder in a path.
const BUILD_FOLDERS: [&str; 10] = ["dist", "lib", "build", "out", "es", "esm", "cjs", "types", "module", "umd"];
/// Source folders of a package, relative to its root.
const SOURCE_FOLDERS: [&str; 4] = ["src/", "", "lib/", "source/"];

/// The manifests of the repository.
#[derive(Debug, Default)]
pub struct ModuleResolver {
    /// Sorted by depth, innermost first.
    configs: Vec<TsConfig>,
    packages: Vec<Package>,
}

impl ModuleResolver {
    /// Parses all `tsconfig.json` and `package.json` files.
    pub fn new(manifests: &[Manifest]) -> ModuleResolver {
        let mut resolver = ModuleResolver::default();
        for manifest in manifests {
            let (folder, name) = split_path(&manifest.path);
            if name == "package.json" {
                resolver.packages.extend(read_package(folder, &manifest.text));
            } else if name.starts_with("tsconfig") || name.starts_with("jsconfig") {
                resolver.configs.extend(read_tsconfig(folder, &manifest.text));
            }
        }
        resolver.configs.sort_by(|a, b| b.folder.len().cmp(&a.folder.len()).then_with(|| a.folder.cmp(&b.folder)));
        resolver.packages.sort_by(|a, b| b.folder.len().cmp(&a.folder.len()).then_with(|| a.folder.cmp(&b.folder)));
        resolver
    }

    /// Returns the file that `specifier` refers to in file `from`. `exists` returns whether the repository has a file.
    pub fn resolve(&self, from: &str, specifier: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
        let folder = parent_dir(from);
        if specifier.starts_with('.') {
            let path = join(folder, specifier)?;
            return probe(&path, exists).or_else(|| self.package_at(&path, exists));
        }
        self.by_path_mapping(from, specifier, exists)
            .or_else(|| self.by_own_name(from, specifier, exists))
            .or_else(|| self.by_package(specifier, exists))
            .or_else(|| self.by_source_alias(from, specifier, exists))
    }

    /// Returns the entry point of the package in this folder.
    fn package_at(&self, path: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
        let package = self.packages.iter().find(|package| package.folder == path)?;
        package_entry(package, ".", exists)
    }

    fn by_path_mapping(&self, from: &str, specifier: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
        for config in self.configs.iter().filter(|config| is_within(from, &config.folder)) {
            for (pattern, targets) in &config.paths {
                let Some(rest) = match_pattern(pattern, specifier) else { continue };
                for target in targets {
                    let path = normalize(&target.replacen('*', rest, 1));
                    if let Some(found) = probe(&path, exists).or_else(|| probe_build_source(&path, exists)) {
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

    /// Returns the file for which the package around a file has a name of its own: `#db`.
    fn by_own_name(&self, from: &str, specifier: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
        let package = self.packages.iter().find(|package| is_within(from, &package.folder))?;
        mapped_file(package, &package.imports, specifier, |path| probe(path, exists))
    }

    /// Returns the file that a package of the repository has under a specifier.
    pub fn by_package(&self, specifier: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
        for package in &self.packages {
            let Some(rest) = specifier.strip_prefix(package.name.as_str()) else { continue };
            let subpath = match rest {
                "" => ".".to_owned(),
                _ if rest.starts_with('/') => format!(".{rest}"),
                _ => continue,
            };
            if let Some(found) = package_entry(package, &subpath, exists) {
                return Some(found);
            }
        }
        None
    }

    /// Resolves an alias of a source folder that is configured in a build tool: `@/x`, `~/x`, `src/x`, `@internal/x`.
    /// The specifier must not start with a dependency's name.
    fn by_source_alias(&self, from: &str, specifier: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
        if let Some(rest) = specifier.strip_prefix("$lib").filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            return self.by_svelte_library(from, rest, exists);
        }
        let (head, rest) = specifier.split_once('/')?;
        let is_alias = head.starts_with(['@', '~', '#', '$']) || matches!(head, "src" | "app" | "lib");
        let scoped: String = specifier.split('/').take(2).collect::<Vec<_>>().join("/");
        let enclosing: Vec<&Package> =
            self.packages.iter().filter(|package| is_within(from, &package.folder)).collect();
        let is_dependency = |package: &&Package| {
            package.dependencies.contains(&scoped) || package.dependencies.contains(head) || package.name == scoped
        };
        if !is_alias || enclosing.iter().any(is_dependency) {
            return None;
        }
        let mut roots: Vec<&str> = enclosing.iter().map(|package| package.folder.as_str()).collect();
        roots.push("");
        for root in roots {
            let plain = specifier.trim_start_matches(['@', '~', '#', '$', '/']);
            let tails = if head.len() > 1 && !head.starts_with(['@', '~']) { [rest, specifier] } else { [rest, rest] };
            let tails = tails.into_iter().chain([plain]);
            for tail in tails {
                for source in SOURCE_FOLDERS.iter().chain(&["app/"]) {
                    let path = join(root, &format!("{source}{tail}"))?;
                    if let Some(found) = probe(&path, exists) {
                        return Some(found);
                    }
                }
            }
        }
        None
    }

    /// Resolves `$lib/x`, the library folder of a SvelteKit package.
    fn by_svelte_library(&self, from: &str, rest: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
        let uses_svelte =
            |package: &&Package| ["svelte", "@sveltejs/kit"].iter().any(|name| package.dependencies.contains(*name));
        let package = self.packages.iter().filter(|package| is_within(from, &package.folder)).find(uses_svelte)?;
        probe(&join(&package.folder, &format!("src/lib{rest}"))?, exists)
    }

    /// Returns the folders of the packages that depend on another one.
    pub fn folders_with(&self, dependency: &str) -> Vec<&str> {
        let dependent = self.packages.iter().filter(|package| package.dependencies.contains(dependency));
        dependent.map(|package| package.folder.as_str()).collect()
    }
}

/// Returns the file of a package's entry point.
fn package_entry(package: &Package, subpath: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
    if let Some(found) = mapped_file(package, &package.entries, subpath, |path| probe(path, exists)) {
        return Some(found);
    }
    let tail = subpath.trim_start_matches("./").trim_start_matches('.');
    for source in SOURCE_FOLDERS {
        let path = join(&package.folder, &format!("{source}{tail}"))?;
        if let Some(found) = probe(path.trim_end_matches('/'), exists) {
            return Some(found);
        }
    }
    mapped_file(package, &package.entries, subpath, |path| probe_build_source(path, exists))
}

/// Returns the file that `find` has for a path to which one of a package's patterns maps a name.
fn mapped_file(
    package: &Package,
    patterns: &[(String, Vec<String>)],
    name: &str,
    find: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    for (pattern, targets) in patterns {
        let Some(rest) = match_pattern(pattern, name) else { continue };
        for target in targets {
            let path = join(&package.folder, &target.replace('*', rest))?;
            if let Some(found) = find(&path) {
                return Some(found);
            }
        }
    }
    None
}

/// Returns the source of a build output: `src/x.ts` for `dist/esm/x.js`.
fn probe_build_source(path: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
    let segments: Vec<&str> = path.split('/').collect();
    let at = segments.iter().position(|segment| BUILD_FOLDERS.contains(segment))?;
    let rest: Vec<&str> =
        segments[at..].iter().skip_while(|segment| BUILD_FOLDERS.contains(segment)).copied().collect();
    let root = segments[..at].join("/");
    for source in SOURCE_FOLDERS {
        let path = join(&root, &format!("{source}{}", rest.join("/")))?;
        if let Some(found) = probe(&path, exists) {
            return Some(found);
        }
    }
    None
}

/// Returns the file of a path that lacks its extension or has the one of the compiled file.
fn probe(path: &str, exists: &dyn Fn(&str) -> bool) -> Option<String> {
    for (extension, replacements) in [
        (".d.ts", &[".ts", ".tsx"][..]),
        (".js", &[".ts", ".tsx"]),
        (".jsx", &[".tsx"]),
        (".mjs", &[".mts", ".ts"]),
        (".cjs", &[".cts", ".ts"]),
    ] {
        if let Some(stem) = path.strip_suffix(extension) {
            let found = replacements.iter().map(|source| format!("{stem}{source}")).find(|path| exists(path));
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

/// Returns the text that matches `*` in `pattern`, empty for a pattern without `*`.
fn match_pattern<'t>(pattern: &str, text: &'t str) -> Option<&'t str> {
    match pattern.split_once('*') {
        Some((before, after)) => text.strip_prefix(before)?.strip_suffix(after),
        None => (pattern == text).then_some(""),
    }
}

fn is_within(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

/// Joins a folder and a relative path and normalizes `.` and `..`. Returns `None` if the result is outside of the
/// repository.
pub(super) fn join(folder: &str, path: &str) -> Option<String> {
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

fn normalize(path: &str) -> String {
    join("", path).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(manifests: &[(&str, &str)], files: &[&str], from: &str, specifier: &str) -> Option<String> {
        let manifests: Vec<Manifest> = manifests
            .iter()
            .map(|(path, text)| Manifest { path: (*path).to_owned(), text: (*text).to_owned() })
            .collect();
        ModuleResolver::new(&manifests).resolve(from, specifier, &|path| files.contains(&path))
    }

    #[test]
    fn resolves_relative_specifiers() {
        let files = ["src/a.ts", "src/b/index.tsx", "src/c.d.ts"];
        assert_eq!(find(&[], &files, "src/x.ts", "./a").as_deref(), Some("src/a.ts"));
        assert_eq!(find(&[], &files, "src/x.ts", "./a.js").as_deref(), Some("src/a.ts"));
        assert_eq!(find(&[], &files, "src/b/y.ts", ".").as_deref(), Some("src/b/index.tsx"));
        assert_eq!(find(&[], &files, "src/b/y.ts", "../c").as_deref(), Some("src/c.d.ts"));
        assert_eq!(find(&[], &files, "x.ts", "../../c"), None);
    }

    #[test]
    fn parses_tsconfig_with_comments() {
        let config = "{ // base\n \"compilerOptions\": { \"paths\": { \"~/*\": [\"./src/*\",], }, }, }";
        let found = find(&[("app/tsconfig.json", config)], &["app/src/a.ts"], "app/x.ts", "~/a");
        assert_eq!(found.as_deref(), Some("app/src/a.ts"));
    }

    #[test]
    fn resolves_packages_to_sources() {
        let manifest =
            r#"{"name": "@x/core", "exports": {".": {"import": "./dist/index.mjs"}, "./sub": "./dist/sub.js"}}"#;
        let files = ["packages/core/src/index.ts", "packages/core/src/sub.ts"];
        let all = [("packages/core/package.json", manifest)];
        assert_eq!(find(&all, &files, "a.ts", "@x/core").as_deref(), Some(files[0]));
        assert_eq!(find(&all, &files, "a.ts", "@x/core/sub").as_deref(), Some(files[1]));
        assert_eq!(find(&all, &files, "a.ts", "@x/other"), None);
    }

    #[test]
    fn resolves_the_names_that_a_package_has_for_its_files() {
        let manifest = r##"{"imports": {"#db": "./src/db.js", "#lib/*": {"default": "./src/lib/*.js"}}}"##;
        let files = ["app/src/db.js", "app/src/lib/log.js"];
        let all = [("app/package.json", manifest)];
        assert_eq!(find(&all, &files, "app/src/main.js", "#db").as_deref(), Some(files[0]));
        assert_eq!(find(&all, &files, "app/src/main.js", "#lib/log").as_deref(), Some(files[1]));
        assert_eq!(find(&all, &files, "main.js", "#db"), None);
    }

    #[test]
    fn resolves_aliases_of_build_tools() {
        let manifest = r#"{"name": "app", "dependencies": {"@known/y": "1"}}"#;
        let files = ["src/y.ts"];
        let all = [("package.json", manifest)];
        assert_eq!(find(&all, &files, "src/a.ts", "@/y").as_deref(), Some("src/y.ts"));
        assert_eq!(find(&all, &files, "src/a.ts", "@internal/y").as_deref(), Some("src/y.ts"));
        assert_eq!(find(&all, &files, "src/a.ts", "@known/y"), None);
    }
}
