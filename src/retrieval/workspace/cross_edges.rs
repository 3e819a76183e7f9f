//! Edges across repositories: what external symbols of one member are in another.
//!
//! A member's external symbols are looked up in the members that define a package that its manifests require (Go
//! modules, npm packages, crates, Python distributions, Maven coordinates). They are resolved there as imports are, so
//! through re-exports and, if a member re-exports what is external to it too, in further members. The edges are kept in
//! memory while the indexes are the same; no database has them.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, OnceLock};

use super::Workspace;
use crate::engine::{EdgeBetween, EngineError, JoinedGraph, Ranker};
use crate::index::{Exported, ExternalName, exports, manifests};
use crate::lang::language_of;
use crate::lang::manifest::Packages;
use crate::model::{EdgeType, MemberNode, NodeId, Provenance, SymbolKind};
use crate::text::file_name;

/// Limit of the members through which a name is re-exported.
const MAX_REEXPORTS: usize = 4;

/// The edges between the members of a workspace.
#[derive(Debug, Default)]
pub struct CrossEdges {
    /// The states of the members' indexes.
    states: Vec<Option<String>>,
    /// Sorted by source, target and type.
    edges: Vec<EdgeBetween>,
    /// Built by the first question.
    joined: OnceLock<Arc<JoinedGraph>>,
}

impl CrossEdges {
    /// Returns the joined graph of the members with these edges.
    pub(super) fn joined(&self, rankers: &[Option<&Ranker>]) -> Result<Arc<JoinedGraph>, EngineError> {
        if let Some(known) = self.joined.get() {
            return Ok(Arc::clone(known));
        }
        let joined = Arc::new(JoinedGraph::new(rankers, &self.edges)?);
        Ok(Arc::clone(self.joined.get_or_init(|| joined)))
    }
}

/// The packages and the external symbols of one member.
struct Exchange<'a> {
    ranker: &'a Ranker,
    defined: BTreeSet<String>,
    required: BTreeSet<String>,
    /// The member's external symbols.
    externals: Vec<(NodeId, ExternalName)>,
}

/// The definition of an external name.
struct Target {
    node: MemberNode,
    /// Whether builds for this system exclude its file.
    is_build_excluded: bool,
}

/// The answers of members: by the member's position and a name, what the name is there.
type Answers = HashMap<(usize, ExternalName), Option<Exported>>;

impl Workspace {
    /// Returns the edges between members. Computes them if an index has changed since the last call.
    ///
    /// # Errors
    /// When a store can't be read.
    pub fn cross_edges(&mut self) -> Result<&[EdgeBetween], EngineError> {
        if self.is_single() {
            return Ok(&[]);
        }
        let states = self.states()?;
        if self.cross_edges.as_ref().is_none_or(|known| known.states != states) {
            let members: Vec<(&str, Option<&Ranker>)> =
                self.members.iter().map(|member| (member.engine.repository(), member.ranker())).collect();
            let edges = edges_between(&members)?;
            self.cross_edges = Some(Arc::new(CrossEdges { states, edges, joined: OnceLock::new() }));
        }
        Ok(self.cross_edges.as_ref().map_or(&[], |known| &known.edges))
    }

    /// Returns the edges that [`Workspace::cross_edges`] has computed, if the indexes are the same; none otherwise.
    pub(super) fn known_edges(&self) -> Result<&[EdgeBetween], EngineError> {
        let states = self.states()?;
        Ok(self.cross_edges.as_ref().filter(|known| known.states == states).map_or(&[], |known| &known.edges))
    }

    fn states(&self) -> Result<Vec<Option<String>>, EngineError> {
        let state =
            |ranker: &Option<Ranker>| Ok(ranker.as_ref().map(|ranker| ranker.reader().state()).transpose()?.flatten());
        self.members.iter().map(|member| state(&member.ranker)).collect()
    }
}

/// Returns the edges between repositories, by their ids and loaded indexes, sorted by source, target and type. A
/// repository without a loaded index has none; its position counts.
///
/// # Errors
/// When a store can't be read.
pub fn edges_between(repositories: &[(&str, Option<&Ranker>)]) -> Result<Vec<EdgeBetween>, EngineError> {
    let mut members: Vec<Option<Exchange<'_>>> = Vec::new();
    for (repository, ranker) in repositories {
        members.push(ranker.map(|ranker| exchange(ranker, repository)).transpose()?);
    }
    let answers = answers(&members)?;
    let mut edges = Vec::new();
    for (source, member) in members.iter().enumerate() {
        let Some(member) = member else { continue };
        for (external, name) in &member.externals {
            let Some(found) = target(&members, &answers, source, name) else { continue };
            let target = found.node;
            for edge in member.ranker.graph().incoming(*external) {
                let ends = [MemberNode::new(source, edge.node), target];
                let is_built = !found.is_build_excluded || are_for_one_system(&members, ends);
                if edge.edge_type.walk_weight() > 0.0 && is_built {
                    edges.push(EdgeBetween {
                        source: MemberNode::new(source, edge.node),
                        target,
                        external: *external,
                        edge_type: edge_type(&members, edge.edge_type, target),
                        confidence: edge.confidence().min(Provenance::Package.confidence()),
                    });
                }
            }
        }
    }
    members.iter().flatten().try_for_each(|member| member.ranker.graph().check())?;
    edges.sort_by_key(|edge| (edge.source, edge.target, edge.edge_type, edge.external));
    // Two names of one definition: the package and the module that it re-exports from.
    edges.dedup_by_key(|edge| (edge.source, edge.target, edge.edge_type));
    Ok(edges)
}

/// Returns whether two files are for the same system by the ends of their names: `terminal_windows.go` and
/// `types_windows.go`. A definition for another system has the name but is another one.
fn are_for_one_system(members: &[Option<Exchange<'_>>], ends: [MemberNode; 2]) -> bool {
    let ending = |end: MemberNode| {
        let path = members[end.position()].as_ref()?.ranker.graph().path(end.node)?;
        file_name(path).rsplit_once('_').map(|(_, ending)| ending.to_owned())
    };
    let [source, target] = ends.map(ending);
    source.is_some() && source == target
}

/// Returns the type of an edge to a definition, given that to the external symbol in its place.
fn edge_type(members: &[Option<Exchange<'_>>], edge_type: EdgeType, target: MemberNode) -> EdgeType {
    let graph = members[target.position()].as_ref().map(|member| member.ranker.graph());
    let kind = graph.and_then(|graph| graph.meta(target.node)).map(|meta| meta.kind);
    match (edge_type, kind) {
        (EdgeType::References, Some(SymbolKind::Field)) => EdgeType::AccessesField,
        _ => edge_type,
    }
}

/// Reads the packages and the external symbols of a member.
fn exchange<'a>(ranker: &'a Ranker, repository: &str) -> Result<Exchange<'a>, EngineError> {
    let packages = Packages::from_manifests(&manifests(ranker.reader(), ranker.root())?);
    let plain = |names: &BTreeSet<String>| names.iter().map(|name| plain_package(name)).collect::<BTreeSet<String>>();
    let [mut defined, mut required] = [plain(&packages.defined), plain(&packages.required)];
    // Manifests that are programs, such as setup.py, are not read.
    if defined.is_empty() {
        defined.insert(plain_package(file_name(repository)));
    }
    if required.is_empty() {
        required = plain(&ranker.profile().used);
    }
    let mut externals = Vec::new();
    for row in ranker.reader().fileless_nodes()?.into_iter().filter(|row| row.kind == SymbolKind::External) {
        let graph = ranker.graph();
        let users = graph.incoming(row.id).iter().filter_map(|edge| graph.path(edge.node));
        let Some(language) = users.filter_map(language_of).next() else { continue };
        let name = if row.scope.is_empty() { row.name } else { format!("{}.{}", row.scope, row.name) };
        externals.push((row.id, ExternalName { language: language.name, name }));
    }
    Ok(Exchange { ranker, defined, required, externals })
}

/// Returns a package's name in the form in which names are compared: registries ignore case, and take `_` and `.` of
/// names without a path for `-`.
fn plain_package(name: &str) -> String {
    let name = name.to_lowercase();
    if name.contains(['/', ':']) { name } else { name.replace(['_', '.'], "-") }
}

/// Returns the positions of the members that define a package that a member requires.
fn providers(members: &[Option<Exchange<'_>>], source: usize) -> Vec<usize> {
    let Some(own) = &members[source] else { return Vec::new() };
    let provides = |other: &Exchange<'_>| {
        other.defined.iter().any(|package| own.required.contains(package) && !own.defined.contains(package))
    };
    let is_provider = |position: &usize| *position != source && members[*position].as_ref().is_some_and(provides);
    (0..members.len()).filter(is_provider).collect()
}

/// Asks the members what the external names of others are in them.
fn answers(members: &[Option<Exchange<'_>>]) -> Result<Answers, EngineError> {
    let mut answers = Answers::new();
    let providers: Vec<Vec<usize>> = (0..members.len()).map(|source| providers(members, source)).collect();
    let mut wanted: BTreeMap<usize, BTreeSet<ExternalName>> = BTreeMap::new();
    for (source, member) in members.iter().enumerate() {
        let names = member.iter().flat_map(|member| &member.externals).map(|(_, name)| name);
        for name in names {
            for provider in &providers[source] {
                wanted.entry(*provider).or_default().insert(name.clone());
            }
        }
    }
    for _ in 0..MAX_REEXPORTS {
        let mut next: BTreeMap<usize, BTreeSet<ExternalName>> = BTreeMap::new();
        for (position, names) in std::mem::take(&mut wanted) {
            let Some(member) = &members[position] else { continue };
            let names: Vec<ExternalName> = names.into_iter().collect();
            let found = exports(member.ranker.reader(), member.ranker.root(), &names)?;
            for (name, exported) in names.into_iter().zip(found) {
                if let Some(Exported::External(other)) = &exported {
                    for provider in &providers[position] {
                        if !answers.contains_key(&(*provider, other.clone())) {
                            next.entry(*provider).or_default().insert(other.clone());
                        }
                    }
                }
                answers.insert((position, name), exported);
            }
        }
        wanted = next;
        if wanted.is_empty() {
            break;
        }
    }
    Ok(answers)
}

/// Returns the definition of a member's external name in the first member that has it.
fn target(members: &[Option<Exchange<'_>>], answers: &Answers, source: usize, name: &ExternalName) -> Option<Target> {
    let (mut asking, mut name) = (source, name.clone());
    for _ in 0..=MAX_REEXPORTS {
        let found = providers(members, asking)
            .into_iter()
            .find_map(|provider| Some((provider, answers.get(&(provider, name.clone()))?.as_ref()?)));
        match found? {
            (member, Exported::Node { node, is_build_excluded }) => {
                return Some(Target { node: MemberNode::new(member, *node), is_build_excluded: *is_build_excluded });
            }
            (member, Exported::External(other)) => (asking, name) = (member, other.clone()),
        }
    }
    None
}
