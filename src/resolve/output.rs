//! What the resolver gives back for one file.

use serde::{Deserialize, Serialize};

use crate::model::{EdgeType, Provenance};

/// One end of a resolved edge, by places in the resolver's input.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum End {
    /// The `definition`-th definition of the `file`-th file.
    Definition { file: u32, definition: u32 },
    /// The `file`-th file itself: what happens at module level, or a module imported whole.
    File(u32),
    /// Something outside the repository, by its dotted name (`os.path.join`, `std.vec.Vec.push`) or, for what is
    /// requested of a server, by its address (`GET /users`).
    External(String),
    /// An environment variable by its name.
    EnvVar(String),
    /// A program that is started, by its name.
    Process(String),
    /// An HTTP route bound in the source's file, such as `GET /users`; it becomes a symbol of that file.
    Route(String),
}

/// A resolved edge.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedEdge {
    pub source: End,
    pub target: End,
    pub edge_type: EdgeType,
    pub provenance: Provenance,
    pub confidence: f32,
}

/// Why a reference gave no edge. Counted, not stored one by one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unresolved {
    /// No scope, import or built-in knows the name.
    UnknownName,
    /// The receiver's type is not known and the member's name decides nothing.
    UnknownReceiver,
    /// The receiver's type is known and has no such member.
    UnknownMember,
    /// The receiver's type is not known, and several types have a member of the name.
    Ambiguous,
    /// The resolver broke down over the file: a fault of this program, which costs the file all its references.
    Breakdown,
}

impl Unresolved {
    /// The name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Unresolved::UnknownName => "unknown_name",
            Unresolved::UnknownReceiver => "unknown_receiver",
            Unresolved::UnknownMember => "unknown_member",
            Unresolved::Ambiguous => "ambiguous",
            Unresolved::Breakdown => "breakdown",
        }
    }
}

/// Everything the resolver learnt from one file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FileResolution {
    /// Sorted by source, target and type; no duplicates of those three. The source is always in this file (or a
    /// route bound in it).
    pub edges: Vec<ResolvedEdge>,
    /// Definitions of other files (file, definition) whose facts were read on the way, sorted. When the fingerprint
    /// of one of them changes, this file must be resolved again.
    pub consulted: Vec<(u32, u32)>,
    /// Other files in which expressions were evaluated on the way, sorted. When a name that such a file's
    /// interface mentions changes its meaning, this file must be resolved again.
    pub visited: Vec<u32>,
    /// References without an edge, by reason, sorted by reason.
    pub unresolved: Vec<(Unresolved, u32)>,
}
