//! Edges: a directed relationship between two symbols, with type, provenance and confidence.

use serde::{Deserialize, Serialize};

use super::NodeId;

/// The statement that an edge makes about its source and its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EdgeKind {
    /// The source runs the target.
    Call,
    /// The source depends on the target in another way.
    Use,
    /// They belong together, and neither depends on the other: imports, overriding, declarations, tests.
    Link,
    /// Containment, ownership, documentation, likeness, and what other edges imply: no relation of code to code.
    Aside,
}

macro_rules! edge_types {
    ($($(#[$comment:meta])* $variant:ident = $number:literal, $name:literal, $kind:ident, $weight:literal, $forward:literal, $back:literal;)*) => {
        /// The type of an edge. The numbers are stored and hashed: append, never renumber.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[repr(u8)]
        pub enum EdgeType { $($(#[$comment])* $variant = $number),* }

        impl EdgeType {
            /// All types in the order of their numbers.
            pub const ALL: &'static [EdgeType] = &[$(EdgeType::$variant),*];

            /// Returns the name used in output.
            pub fn name(self) -> &'static str {
                match self { $(EdgeType::$variant => $name),* }
            }

            const fn kind(self) -> EdgeKind {
                match self { $(EdgeType::$variant => EdgeKind::$kind),* }
            }

            /// Returns the weight of an edge of this type in the random walk; `calls` has 1.
            pub const fn walk_weight(self) -> f64 {
                match self { $(EdgeType::$variant => $weight),* }
            }

            /// Returns the phrases for the source and for the target: `calls` and `called by`.
            pub const fn phrases(self) -> (&'static str, &'static str) {
                match self { $(EdgeType::$variant => ($forward, $back)),* }
            }
        }
    };
}

// Number, name, kind, weight in the walk, phrases of source and target.
edge_types! {
    Calls = 0, "calls", Call, 1.0, "calls", "called by";
    Implements = 1, "implements", Use, 0.8, "implements", "implemented by";
    ImplementsRpc = 2, "implements_rpc", Use, 0.8, "implements", "implemented by";
    Overrides = 3, "overrides", Link, 0.8, "overrides", "overridden by";
    Contains = 4, "contains", Aside, 0.8, "contains", "contained in";
    Extends = 5, "extends", Use, 0.7, "extends", "extended by";
    HandlesRoute = 6, "handles_route", Use, 0.7, "handles", "handled by";
    Tests = 7, "tests", Link, 0.6, "tests", "tested by";
    ConsumesRpc = 8, "consumes_rpc", Call, 0.6, "calls", "called by";
    AccessesField = 9, "accesses_field", Use, 0.6, "accesses", "accessed by";
    MemberOf = 10, "member_of", Aside, 0.6, "member of", "has the member";
    Imports = 11, "imports", Link, 0.5, "imports", "imported by";
    DependsOn = 12, "depends_on", Link, 0.5, "depends on", "needed by";
    ConsumesEndpoint = 13, "consumes_endpoint", Call, 0.5, "calls", "called by";
    TestedBy = 14, "tested_by", Aside, 0.5, "tested by", "tests";
    CoTestedWith = 15, "co_tested_with", Aside, 0.5, "tested together with", "tested together with";
    TypeHintOf = 16, "type_hint_of", Use, 0.5, "uses the type", "type used by";
    ExecutesProcess = 17, "executes_process", Call, 0.5, "runs", "run by";
    References = 18, "references", Use, 0.4, "refers to", "referred to by";
    Throws = 19, "throws", Use, 0.4, "throws", "thrown by";
    ReadsEnv = 20, "reads_env", Use, 0.4, "reads", "read by";
    SetsEnv = 21, "sets_env", Use, 0.4, "sets", "set by";
    Inherits = 22, "inherits", Link, 0.3, "inherits", "inherited by";
    /// The source is the decorated definition.
    Decorates = 23, "decorates", Call, 0.3, "decorated by", "decorates";
    GatedByFlag = 24, "gated_by_flag", Use, 0.3, "gated by", "gates";
    Documents = 25, "documents", Aside, 0.2, "documents", "documented by";
    SimilarTo = 26, "similar_to", Aside, 0.15, "similar to", "similar to";
    OwnedBy = 27, "owned_by", Aside, 0.0, "owned by", "owner of";
    /// The target is the type whose inherited members the source calls: what its siblings override does not run.
    CallsOn = 28, "calls_on", Aside, 0.0, "calls members of", "has members called by";
    ImpliedHint = 29, "implied_hint", Link, 0.3, "uses the type", "type used by";
    UsesFixture = 30, "uses_fixture", Call, 0.3, "uses the fixture", "fixture of";
    Declares = 31, "declares", Link, 0.4, "declares", "declared by";
}

impl EdgeType {
    /// Returns whether the source of an edge of this type runs the target.
    pub const fn is_call(self) -> bool {
        matches!(self.kind(), EdgeKind::Call)
    }

    /// Returns whether the source of an edge of this type depends on the target: calls, and other uses.
    pub const fn is_use(self) -> bool {
        matches!(self.kind(), EdgeKind::Call | EdgeKind::Use)
    }

    /// Returns whether an edge of this type counts in the popularity of its target. The model was fitted with these;
    /// [`EdgeType::is_use`] has others.
    pub const fn adds_popularity(self) -> bool {
        matches!(
            self,
            EdgeType::Calls
                | EdgeType::References
                | EdgeType::TypeHintOf
                | EdgeType::Extends
                | EdgeType::Implements
                | EdgeType::Imports
                | EdgeType::AccessesField
        )
    }

    /// Returns whether an edge of this type relates code to code: uses, and imports, overriding, declarations and tests.
    pub const fn is_relation(self) -> bool {
        !matches!(self.kind(), EdgeKind::Aside)
    }

    /// Returns the type with this stored number; `None` for an unknown number.
    pub fn from_number(number: u8) -> Option<EdgeType> {
        Self::ALL.get(number as usize).copied()
    }
}

/// The way an edge was found. The numbers are stored and hashed: append, never renumber.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Provenance {
    /// Through imports, scopes or types.
    AstResolved = 0,
    /// Inferred from a member name that is unique in the repository, from equal routes, or from the implementors of an
    /// interface.
    AstInferred = 1,
    /// By the structure of the source: containment, inheritance.
    Structural = 2,
    /// By a compiler or type checker, from a SCIP index.
    Scip = 3,
    /// To another repository, by the package that manifests of both name. Never stored.
    Package = 4,
}

impl Provenance {
    /// All provenances in the order of their numbers.
    pub const ALL: [Provenance; 5] = [
        Provenance::AstResolved,
        Provenance::AstInferred,
        Provenance::Structural,
        Provenance::Scip,
        Provenance::Package,
    ];

    /// Returns the provenance with this stored number.
    pub fn from_number(number: u8) -> Option<Provenance> {
        Self::ALL.get(number as usize).copied()
    }

    /// Returns the name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Provenance::AstResolved => "ast_resolved",
            Provenance::AstInferred => "ast_inferred",
            Provenance::Structural => "structural",
            Provenance::Scip => "scip",
            Provenance::Package => "package",
        }
    }

    /// Returns the default confidence of edges with this provenance.
    pub fn confidence(self) -> f32 {
        match self {
            Provenance::AstResolved => 0.9,
            Provenance::AstInferred => 0.7,
            Provenance::Structural => 1.0,
            Provenance::Scip => 0.98,
            Provenance::Package => 0.9,
        }
    }
}

/// An edge between two nodes of a graph.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    pub source: NodeId,
    pub target: NodeId,
    pub edge_type: EdgeType,
    pub provenance: Provenance,
    /// Between 0 and 1.
    pub confidence: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip() {
        for (index, edge_type) in EdgeType::ALL.iter().enumerate() {
            assert_eq!(*edge_type as usize, index);
            assert_eq!(EdgeType::from_number(index as u8), Some(*edge_type));
        }
        assert_eq!(EdgeType::from_number(200), None);
    }
}
