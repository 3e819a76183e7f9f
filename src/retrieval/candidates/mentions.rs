//! The symbols that a task mentions other than by words: in frames of traces, files, tags, commands, dotted names and
//! the area of its subject.

use std::collections::{HashMap, HashSet};

use super::files::SourceFiles;
use super::location::definition;
use super::select::is_candidate;
use super::{Graph, IndexView};
use crate::model::{FileId, NodeId, SymbolKind};
use crate::query::{Frame, Mentions};
use crate::rank::tuning;
use crate::store::StoreError;
use crate::text::{file_name, split_identifier, stem};

/// Names of files that stand for their folder.
const FOLDER_FILES: [&str; 3] = ["index", "init", "mod"];
/// Limit of the files that a frame, and another path, can mean.
const MAX_FRAME_FILES: usize = 3;
const MAX_PATH_FILES: usize = 4;
/// Names of the function of a command `{}`, without underscores, with values from 0 to 1.
const COMMAND_NAMES: [(&str, f64); 9] = [
    ("{}_command", 1.0),
    ("{}command", 1.0),
    ("{}cmd", 1.0),
    ("cmd_{}", 1.0),
    ("run_{}", 0.9),
    ("run{}", 0.9),
    ("new{}command", 0.9),
    ("do_{}", 0.8),
    ("{}", 0.8),
];

/// The place of a function in a trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FramePlace {
    /// Number of its frame from the innermost, from 1; frames of other code count.
    pub number: usize,
    /// Whether the frames inside it are all of other code.
    pub is_innermost: bool,
}

/// Values of the mentioned symbols, from 0 to 1.
#[derive(Debug, Clone, Default)]
pub struct Mentioned {
    /// Functions of frames: 1 for the innermost in the repository, 1/2 for the next.
    pub frames: HashMap<NodeId, f64>,
    /// Their places in the trace.
    pub frame_places: HashMap<NodeId, FramePlace>,
    /// Files by path, divided by the number of files that the path can mean.
    pub paths: HashMap<FileId, f64>,
    /// Files named like a tag.
    pub tags: HashMap<FileId, f64>,
    /// Functions named like a command.
    pub commands: HashMap<NodeId, f64>,
    /// Symbols whose qualified name ends with a dotted name.
    pub dotted: HashMap<NodeId, f64>,
    /// Files and folders named like the area of the subject.
    pub areas: HashMap<FileId, f64>,
    /// The best of them, which are candidates whatever their words.
    pub candidates: Vec<NodeId>,
}

/// Finds the mentioned symbols. `score` returns a symbol's lexical score, from 0 to 1.
///
/// # Errors
/// When the store can't be read.
pub fn mentioned(
    index: IndexView<'_>,
    mentions: &Mentions,
    score: &dyn Fn(NodeId) -> f64,
) -> Result<Mentioned, StoreError> {
    let paths_of_frames = mentions.frames.iter().map(|frame| &frame.path);
    let files = SourceFiles::new(index, paths_of_frames.chain(&mentions.paths).map(String::as_str));
    let (frames, frame_places) = frames(index, &files, mentions)?;
    let mut found = Mentioned {
        frames,
        frame_places,
        paths: paths(&files, mentions),
        tags: tags(index.graph, &mentions.tags),
        commands: commands(index, &mentions.commands)?,
        dotted: dotted(index, &mentions.dotted)?,
        areas: areas(index.graph, &mentions.area),
        candidates: Vec::new(),
    };
    let graph = index.graph;
    let of_files = |files: &HashMap<FileId, f64>, limit: usize| {
        let nodes =
            files.iter().flat_map(|(file, value)| graph.nodes_in_file(*file).iter().map(|node| (*node, *value)));
        best(graph, nodes, limit, score)
    };
    let of_nodes = |nodes: &HashMap<NodeId, f64>, limit: usize| {
        best(graph, nodes.iter().map(|(node, value)| (*node, *value)), limit, score)
    };
    found.candidates = [
        of_nodes(&found.frames, tuning::FRAME_CANDIDATES),
        of_nodes(&found.commands, tuning::COMMAND_CANDIDATES),
        of_nodes(&found.dotted, tuning::DOTTED_CANDIDATES),
        of_files(&found.paths, tuning::PATH_CANDIDATES),
        of_files(&found.tags, tuning::TAG_CANDIDATES),
        of_files(&found.areas, tuning::AREA_CANDIDATES),
    ]
    .concat();
    Ok(found)
}

/// Returns the `limit` definitions with the best products of value and lexical score.
fn best(
    graph: &Graph,
    nodes: impl Iterator<Item = (NodeId, f64)>,
    limit: usize,
    score: &dyn Fn(NodeId) -> f64,
) -> Vec<NodeId> {
    let mut scored: Vec<(f64, NodeId)> = nodes
        .filter(|(node, _)| is_candidate(graph, *node))
        .map(|(node, value)| (value * (tuning::MENTION_FLOOR + score(node)), node))
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(graph.id_prefix(a.1).cmp(&graph.id_prefix(b.1))));
    scored.into_iter().take(limit).map(|(_, node)| node).collect()
}

/// The values and the places of the functions of frames.
type Frames = (HashMap<NodeId, f64>, HashMap<NodeId, FramePlace>);

/// Returns the functions of the frames of the repository's own code, with their values and their places. The function's
/// name counts more than the line, since the trace can be of another version.
fn frames(index: IndexView<'_>, files: &SourceFiles<'_>, mentions: &Mentions) -> Result<Frames, StoreError> {
    let (mut values, mut places) = (HashMap::new(), HashMap::new());
    let mut rank = 0;
    for (position, frame) in mentions.frames.iter().enumerate() {
        let found = functions(index, files, frame)?;
        rank += i32::from(found.is_some());
        for node in found.into_iter().flatten() {
            values.entry(node).or_insert(1.0 / f64::from(rank));
            let place = FramePlace { number: position + 1, is_innermost: rank == 1 };
            places.entry(node).or_insert(place);
        }
    }
    Ok((values, places))
}

/// Returns the functions that a frame can mean; `None` for one of another program.
fn functions(index: IndexView<'_>, files: &SourceFiles<'_>, frame: &Frame) -> Result<Option<Vec<NodeId>>, StoreError> {
    let Frame { path, line, function, container, .. } = frame;
    if path.is_empty() {
        // Its type and its name are all that it has.
        let mut nodes = match container.is_empty() {
            true => Vec::new(),
            false => index.reader.members_named(container, function, MAX_FRAME_FILES + 1)?,
        };
        nodes.retain(|node| is_candidate(index.graph, *node));
        return Ok(Some(nodes).filter(|nodes| (1..=MAX_FRAME_FILES).contains(&nodes.len())));
    }
    let (own, segments) = files.nearest(path, !function.is_empty());
    let is_ambiguous = own.len() > MAX_FRAME_FILES || segments < 2 && files.is_ambiguous_name(path);
    if own.is_empty() || is_ambiguous {
        return Ok(None);
    }
    let mut nodes = Vec::new();
    for (_, file) in own {
        let symbols = index.reader.symbols_of_file(file)?;
        let line = line.filter(|_| file_name(file) == file_name(path));
        nodes.extend(definition(&symbols, line, (function, container)));
    }
    Ok(Some(nodes))
}

fn paths(files: &SourceFiles<'_>, mentions: &Mentions) -> HashMap<FileId, f64> {
    let mut values: HashMap<FileId, f64> = HashMap::new();
    for path in &mentions.paths {
        let (found, segments) = files.nearest(path, false);
        let has_folder = path.contains('/');
        if found.len() > MAX_PATH_FILES {
            continue;
        }
        // A path in another folder is probably another file.
        let value = if segments > 1 || !has_folder { 1.0 } else { 0.5 } / found.len() as f64;
        for (file, _) in found {
            let known = values.entry(file).or_default();
            *known = known.max(value);
        }
    }
    values
}

/// Returns 1 for the files whose name is a tag, and one half for those with a word of a tag in their name.
fn tags(graph: &Graph, tags: &[String]) -> HashMap<FileId, f64> {
    if tags.is_empty() {
        return HashMap::new();
    }
    let stems: HashSet<String> = tags.iter().map(|tag| stem(tag).into_owned()).collect();
    let value = |path: &str| {
        let name = file_stem(path).to_lowercase();
        let is_tag = |name: &str| tags.iter().any(|tag| tag == name);
        match is_tag(&name) || is_tag(&name.replace('_', "")) {
            true => 1.0,
            false if split_identifier(file_stem(path)).iter().any(|word| stems.contains(stem(word).as_ref())) => 0.5,
            false => 0.0,
        }
    };
    let values = graph.files().iter().map(|(file, path)| (*file, value(path)));
    values.filter(|(_, value)| *value > 0.0).collect()
}

fn commands(index: IndexView<'_>, commands: &[String]) -> Result<HashMap<NodeId, f64>, StoreError> {
    let mut values: HashMap<NodeId, f64> = HashMap::new();
    let is_callable = |node: &NodeId| {
        use SymbolKind::{Function, Method, Type};
        index.graph.meta(*node).is_some_and(|meta| matches!(meta.kind, Function | Method | Type))
    };
    for command in commands {
        for (pattern, value) in COMMAND_NAMES {
            let name = pattern.replace("{}", &command.replace('-', "_"));
            let mut nodes = index.reader.nodes_named(&name, tuning::COMMAND_CANDIDATES)?;
            nodes.retain(is_callable);
            let value = value / (nodes.len() as f64).sqrt();
            for node in nodes {
                let known = values.entry(node).or_default();
                *known = known.max(value);
            }
        }
    }
    Ok(values)
}

/// Returns 1 for a symbol whose container has the name before its own in a dotted name, and less if its file or folder
/// has.
fn dotted(index: IndexView<'_>, names: &[String]) -> Result<HashMap<NodeId, f64>, StoreError> {
    let mut values: HashMap<NodeId, f64> = HashMap::new();
    for name in names {
        let Some((before, last)) = name.rsplit_once('.') else { continue };
        let container = before.rsplit('.').next().unwrap_or(before);
        for node in index.reader.nodes_named(last, tuning::EXACT_CAP)? {
            let Some(names) = index.reader.scoped_name(node)? else { continue };
            let scope = names.scope.rsplit('.').next().unwrap_or(&names.scope);
            let file = index.graph.path(node).unwrap_or_default();
            let folder = file.rsplit('/').nth(1).unwrap_or_default();
            let is_container = [file_stem(file), folder].iter().any(|name| name.eq_ignore_ascii_case(container));
            let value = match () {
                () if scope.to_lowercase() == container => 1.0,
                () if is_container => 0.7,
                () if container == "self" => 0.2,
                () => continue,
            };
            let known = values.entry(node).or_default();
            *known = known.max(value);
        }
    }
    Ok(values)
}

/// Returns the files that an area names: 1 for a file with only words of the area in its name, less for the files of
/// such a folder, and a share for a file or folder with a part of its words in the area.
fn areas(graph: &Graph, area: &[String]) -> HashMap<FileId, f64> {
    let stems: HashSet<String> = area.iter().map(|word| stem(word).into_owned()).collect();
    let mut values = HashMap::new();
    if stems.is_empty() {
        return values;
    }
    let mut shares: HashMap<&str, f64> = HashMap::new();
    let mut share = |segment| *shares.entry(segment).or_insert_with(|| share(segment, &stems));
    for (file, path) in graph.files() {
        let name = file_stem(path);
        let folders = path.rsplit('/').skip(1);
        let value =
            std::iter::once(name).chain(folders).enumerate().map(|(depth, segment)| match (share(segment), depth) {
                (1.0, 0) if FOLDER_FILES.contains(&name.trim_matches('_')) => 0.0,
                (1.0, 0) => 1.0,
                (1.0, 1) => 0.9,
                (1.0, _) => 0.7,
                (share, 0 | 1) => 0.6 * share,
                (share, _) => 0.3 * share,
            });
        let value = value.fold(0.0, f64::max);
        if value > 0.0 {
            values.insert(*file, value);
        }
    }
    values
}

/// Returns the share of a segment's words in `stems`.
fn share(segment: &str, stems: &HashSet<String>) -> f64 {
    let words = split_identifier(segment);
    let shared = words.iter().filter(|word| stems.contains(stem(word).as_ref())).count();
    shared as f64 / words.len().max(1) as f64
}

/// Returns a file's name without its extension.
fn file_stem(path: &str) -> &str {
    let name = file_name(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
