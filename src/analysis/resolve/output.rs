//! Output of the resolver for one file.

use serde::{Deserialize, Serialize};

use super::input::FileIndex;
use super::scip::ScipOutcome;
use crate::facts::NameKey;
use crate::model::{DefId, EdgeType, Provenance};

/// An endpoint of a resolved edge, by indices into the resolver's input.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EdgeEndpoint {
    /// The `definition`-th definition of the `file`-th file.
    Definition { file: FileIndex, definition: DefId },
    /// The `file`-th file itself: its module-level code, or an imported module.
    File(FileIndex),
    /// An external symbol by its dotted name (`os.path.join`, `std.vec.Vec.push`), or the address of an HTTP request
    /// (`GET /users`).
    External(String),
    /// An environment variable by its name.
    EnvVar(String),
    /// A class or custom property of style sheets by its name.
    Style(String),
    /// A started program by its name.
    Process(String),
    /// A flag by its name.
    Flag(String),
    /// An HTTP route bound in the source's file, such as `GET /users`; it becomes a symbol of that file.
    Route(String),
}

/// A resolved edge.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedEdge {
    pub source: EdgeEndpoint,
    pub target: EdgeEndpoint,
    pub edge_type: EdgeType,
    pub provenance: Provenance,
    pub confidence: f32,
}

/// The reason why a reference has no edge. Only counts are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unresolved {
    /// No scope, import or built-in has the name.
    UnknownName,
    /// The receiver's type is unknown and the member's name is not decisive.
    UnknownReceiver,
    /// The receiver's type has no such member.
    UnknownMember,
    /// The receiver's type is unknown, and several types have a member of this name.
    Ambiguous,
    /// The resolver panicked over the file, which loses all its references.
    ResolverPanicked,
    /// A line of which the grammar made nothing, whose references are unknown.
    UnparsedLine,
}

impl Unresolved {
    /// Returns the name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Unresolved::UnknownName => "unknown_name",
            Unresolved::UnknownReceiver => "unknown_receiver",
            Unresolved::UnknownMember => "unknown_member",
            Unresolved::Ambiguous => "ambiguous",
            Unresolved::ResolverPanicked => "breakdown",
            Unresolved::UnparsedLine => "unparsed_line",
        }
    }
}

/// A reference without an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnresolvedReference {
    /// The last name of its expression.
    pub name: NameKey,
    /// Its index in the references of its file's code.
    pub reference: u32,
}

/// The result of resolving one file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FileResolution {
    /// Sorted by source, target and type, without duplicates. The source is always in this file (or a route bound in
    /// it).
    pub edges: Vec<ResolvedEdge>,
    /// Names that the file does not mention and that were looked up for it, found or not. The file must be resolved
    /// again when one of these, or a name that it mentions, changes its meaning in any file.
    pub looked_up: Vec<NameKey>,
    /// Numbers of references without an edge, sorted by reason.
    pub unresolved: Vec<(Unresolved, u32)>,
    /// The references by name that have no edge, sorted by name and position in the list of the file's references.
    pub unresolved_references: Vec<UnresolvedReference>,
    /// Meanings of references whose name does not tell, sorted; `None` for nothing that is known. All references of a
    /// definition by one name are here if they don't mean the same, or if what they mean has another name.
    pub untold: Vec<(u32, Option<EdgeEndpoint>)>,
    /// The keys of the words on lines of which the grammar made nothing, sorted.
    pub unparsed_names: Vec<NameKey>,
    /// Number of steps of the evaluation, see [`Evaluator::steps`](super::eval::Evaluator::steps).
    pub steps: u64,
    /// Numbers of references that a SCIP index also has, by outcome.
    pub scip: Vec<(ScipOutcome, u32)>,
}
