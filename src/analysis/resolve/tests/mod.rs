//! Edges of small repositories that are written in the tests.

mod documents;
mod open_types;
mod panics;
mod typescript;

use crate::facts::{Code, FileFacts, Outline};
use crate::lang::manifest::is_manifest;
use crate::lang::parser::parse;
use crate::lang::{language_of, rules_of};
use crate::model::Provenance;

use super::input::{FactSource, FileIndex, FileInput, Manifest};
use super::output::EdgeEndpoint;
use super::rules::Rules;
use super::world::World;

/// An edge between definitions or files: the qualified name in the file, or the file's path.
pub(crate) struct Edge {
    pub source: String,
    pub edge_type: &'static str,
    pub target: String,
    pub target_signature: String,
    pub target_file: String,
    pub provenance: Provenance,
}

/// The facts of all files, which are loaded.
pub(crate) struct Loaded<'a>(pub &'a [FileFacts]);

impl FactSource for Loaded<'_> {
    fn outline(&self, file: FileIndex) -> &Outline {
        &self.0[file.index()].outline
    }

    fn code(&self, file: FileIndex) -> &Code {
        &self.0[file.index()].code
    }
}

/// Resolves a small repository given as paths and texts and returns its inner edges. Files of no known language are
/// manifests.
pub(crate) fn edges(sources: &[(&str, &str)]) -> Vec<Edge> {
    edges_by(sources, &rules_of)
}

/// [`edges`] by the given rules.
pub(super) fn edges_by(sources: &[(&str, &str)], rules_of: &dyn Fn(&str) -> &'static dyn Rules) -> Vec<Edge> {
    let (mut files, mut facts, mut manifests) = (Vec::new(), Vec::new(), Vec::new());
    for (path, text) in sources {
        let language = language_of(path);
        if let Some(language) = language {
            files.push(FileInput { path, language: language.name });
            facts.push(parse(language, path, text.as_bytes()).expect("parses"));
        }
        if language.is_none() || is_manifest(path) {
            manifests.push(Manifest { path: path.to_string(), text: text.to_string() });
        }
    }
    let mut loaded = Loaded(&facts);
    let world = World::new(&files, &manifests, &mut loaded, rules_of);
    let all: Vec<FileIndex> = FileIndex::sequence().take(files.len()).collect();
    let mut found = Vec::new();
    for edge in super::resolve(&world, &all).iter().flat_map(|file| &file.edges) {
        if let (Some(source), Some(target)) = (endpoint_name(&world, &edge.source), endpoint_name(&world, &edge.target))
        {
            let target_signature = signature(&world, &edge.target);
            let target_file = match &edge.target {
                EdgeEndpoint::Definition { file, .. } | EdgeEndpoint::File(file) => files[file.index()].path.to_owned(),
                _ => String::new(),
            };
            found.push(Edge {
                source,
                edge_type: edge.edge_type.name(),
                target,
                target_signature,
                target_file,
                provenance: edge.provenance,
            });
        }
    }
    found
}

fn signature(world: &World<'_>, endpoint: &EdgeEndpoint) -> String {
    match endpoint {
        EdgeEndpoint::Definition { file, definition } => {
            world.outline(*file).definitions[definition.index()].signature.clone()
        }
        _ => String::new(),
    }
}

fn endpoint_name(world: &World<'_>, endpoint: &EdgeEndpoint) -> Option<String> {
    match endpoint {
        EdgeEndpoint::Definition { file, definition } => {
            let outline = world.outline(*file);
            let definition = &outline.definitions[definition.index()];
            let scope = definition.scope_names.iter().chain([&definition.name]);
            Some(scope.map(|name| outline.names.get(*name)).collect::<Vec<_>>().join("."))
        }
        EdgeEndpoint::File(file) => Some(world.files[file.index()].path.to_owned()),
        EdgeEndpoint::Route(name) | EdgeEndpoint::Style(name) => Some(name.clone()),
        _ => None,
    }
}

/// Returns the edges of one definition as `type target`, sorted.
pub(crate) fn edges_from(sources: &[(&str, &str)], from: &str) -> Vec<String> {
    let is_file = |name: &str| sources.iter().any(|(path, _)| *path == name);
    let own = edges(sources).into_iter().filter(|edge| edge.source == from && !is_file(&edge.target));
    let mut lines: Vec<String> = own.map(|edge| format!("{} {}", edge.edge_type, edge.target)).collect();
    lines.sort();
    lines
}

/// Returns the files of the definitions of a name to which a definition has edges.
pub(crate) fn target_files(sources: &[(&str, &str)], from: &str, target: &str) -> Vec<String> {
    let own = edges(sources).into_iter().filter(|edge| edge.source == from && edge.target == target);
    own.map(|edge| edge.target_file).collect()
}

/// Returns the callees of one definition, sorted.
pub(crate) fn calls_from(sources: &[(&str, &str)], from: &str) -> Vec<String> {
    let lines = edges_from(sources, from);
    lines.iter().filter_map(|line| line.strip_prefix("calls ").map(str::to_owned)).collect()
}

/// Asserts the callees of `f` in a small repository.
#[track_caller]
pub(crate) fn check_calls(sources: &[(&str, &str)], expected: &[&str]) {
    assert_eq!(calls_from(sources, "f"), expected, "{sources:#?}");
}

/// Returns the signatures of the callees of one definition.
pub(crate) fn signatures_called(sources: &[(&str, &str)], from: &str) -> Vec<String> {
    let calls = edges(sources).into_iter().filter(|edge| edge.source == from && edge.edge_type == "calls");
    calls.map(|edge| edge.target_signature).collect()
}
