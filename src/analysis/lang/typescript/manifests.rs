//! Parts of `tsconfig.json` and `package.json` that module resolution needs, and the packages of `package.json`.

use std::collections::HashSet;

use serde_json::Value as Json;

use super::module_resolution::join;
use crate::lang::manifest::Packages;
use crate::resolve::input::Manifest;

/// A `tsconfig.json` with `baseUrl` or `paths`.
#[derive(Debug)]
pub struct TsConfig {
    pub folder: String,
    pub base: Option<String>,
    /// Patterns and their targets, relative to the repository's root.
    pub paths: Vec<(String, Vec<String>)>,
}

/// A package of the repository.
#[derive(Debug)]
pub struct Package {
    pub folder: String,
    pub name: String,
    /// Entry points (`.` or `./sub`) and the files that they map to.
    pub entries: Vec<(String, Vec<String>)>,
    /// Names that the package has for files of its own (`#db`), and the files that they map to.
    pub imports: Vec<(String, Vec<String>)>,
    pub dependencies: HashSet<String>,
}

/// Parses a `tsconfig.json`. Returns `None` if it has neither `baseUrl` nor `paths`.
pub fn read_tsconfig(folder: &str, text: &str) -> Option<TsConfig> {
    let json: Json = serde_json::from_str(&strip_comments(text)).ok()?;
    let options = json.get("compilerOptions")?;
    let base = options.get("baseUrl").and_then(Json::as_str).and_then(|base| join(folder, base));
    let root = base.clone().unwrap_or_else(|| folder.to_owned());
    let mut paths = Vec::new();
    for (pattern, targets) in options.get("paths").and_then(Json::as_object).into_iter().flatten() {
        let targets = targets.as_array().into_iter().flatten().filter_map(Json::as_str);
        paths.push((pattern.clone(), targets.filter_map(|target| join(&root, target)).collect()));
    }
    sort_by_prefix(&mut paths);
    (base.is_some() || !paths.is_empty()).then(|| TsConfig { folder: folder.to_owned(), base, paths })
}

/// Sorts patterns: of several that match, the one with the longest prefix before `*` applies.
fn sort_by_prefix(patterns: &mut [(String, Vec<String>)]) {
    patterns.sort_by_key(|(pattern, _)| std::cmp::Reverse(pattern.split('*').next().map_or(0, str::len)));
}

/// Parses a `package.json`.
pub fn read_package(folder: &str, text: &str) -> Option<Package> {
    let json: Json = serde_json::from_str(text).ok()?;
    let name = json.get("name").and_then(Json::as_str).unwrap_or("").to_owned();
    let mut entries: Vec<(String, Vec<String>)> = Vec::new();
    match json.get("exports") {
        Some(Json::Object(exports)) if exports.keys().any(|key| key.starts_with('.')) => {
            for (key, target) in exports {
                entries.push((key.clone(), export_targets(target)));
            }
        }
        Some(target) => entries.push((".".to_owned(), export_targets(target))),
        None => {}
    }
    let main = ["source", "types", "typings", "module", "main"].iter().filter_map(|key| json.get(*key)?.as_str());
    entries.push((".".to_owned(), main.map(str::to_owned).collect()));
    let imports = json.get("imports").and_then(Json::as_object).into_iter().flatten();
    let mut imports: Vec<_> = imports.map(|(name, target)| (name.clone(), export_targets(target))).collect();
    sort_by_prefix(&mut imports);
    let mut dependencies = HashSet::new();
    for key in ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] {
        dependencies
            .extend(json.get(key).and_then(Json::as_object).into_iter().flatten().map(|(name, _)| name.clone()));
    }
    // An impossible name: an empty one would be a prefix of every specifier.
    let name = if name.is_empty() { "\0".to_owned() } else { name };
    Some(Package { folder: folder.to_owned(), name, entries, imports, dependencies })
}

/// Returns all paths in an `exports` or `imports` value. Types come first, because their paths are closest to the sources.
fn export_targets(json: &Json) -> Vec<String> {
    let mut found = Vec::new();
    let mut pending = vec![json];
    while let Some(json) = pending.pop() {
        match json {
            Json::String(path) => found.push(path.clone()),
            Json::Array(items) => pending.extend(items.iter().rev()),
            Json::Object(map) => {
                let (types, others): (Vec<_>, Vec<_>) = map.iter().partition(|(key, _)| key.as_str() == "types");
                pending.extend(others.into_iter().rev().map(|(_, value)| value));
                pending.extend(types.into_iter().map(|(_, value)| value));
            }
            _ => {}
        }
    }
    found
}

/// Removes the comments and trailing commas that `tsconfig.json` allows.
fn strip_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
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
                let length = plain.trim_end().trim_end_matches(',').len();
                plain.truncate(length);
            }
            plain.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    plain
}

/// Returns the end of the string literal at the start of `text`.
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

/// Adds the package that a `package.json` defines and those that it requires.
pub fn read_packages(manifest: &Manifest, packages: &mut Packages) {
    let Ok(json) = serde_json::from_str::<Json>(&manifest.text) else { return };
    json.get("name").and_then(Json::as_str).into_iter().for_each(|name| packages.define(name));
    for key in ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] {
        json.get(key).and_then(Json::as_object).into_iter().flatten().for_each(|(name, _)| packages.require(name));
    }
}
