//! Edges: a directed relationship between two symbols, with type, provenance and confidence.

use serde::{Deserialize, Serialize};

use super::NodeId;

macro_rules! edge_types {
    ($($variant:ident = $number:literal, $name:literal, $weight:literal;)*) => {
        /// The type of an edge. The numbers are stored and hashed: append, never renumber.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[repr(u8)]
        pub enum EdgeType { $($variant = $number),* }

        impl EdgeType {
            /// All types in the order of their numbers.
            pub const ALL: &'static [EdgeType] = &[$(EdgeType::$variant),*];

            /// Returns the name used in output.
            pub fn name(self) -> &'static str {
                match self { $(EdgeType::$variant => $name),* }
            }

            /// Returns the weight of an edge of this type in the random walk; `calls` has 1.
            pub const fn walk_weight(self) -> f64 {
                match self { $(EdgeType::$variant => $weight),* }
            }
        }
    };
}

edge_types! {
    Calls = 0, "calls", 1.0;
    Implements = 1, "implements", 0.8;
    ImplementsRpc = 2, "implements_rpc", 0.8;
    Overrides = 3, "overrides", 0.8;
    Contains = 4, "contains", 0.8;
    Extends = 5, "extends", 0.7;
    HandlesRoute = 6, "handles_route", 0.7;
    Tests = 7, "tests", 0.6;
    ConsumesRpc = 8, "consumes_rpc", 0.6;
    AccessesField = 9, "accesses_field", 0.6;
    MemberOf = 10, "member_of", 0.6;
    Imports = 11, "imports", 0.5;
    DependsOn = 12, "depends_on", 0.5;
    ConsumesEndpoint = 13, "consumes_endpoint", 0.5;
    TestedBy = 14, "tested_by", 0.5;
    CoTestedWith = 15, "co_tested_with", 0.5;
    TypeHintOf = 16, "type_hint_of", 0.5;
    ExecutesProcess = 17, "executes_process", 0.5;
    References = 18, "references", 0.4;
    Throws = 19, "throws", 0.4;
    ReadsEnv = 20, "reads_env", 0.4;
    SetsEnv = 21, "sets_env", 0.4;
    Inherits = 22, "inherits", 0.3;
    Decorates = 23, "decorates", 0.3;
    GatedByFlag = 24, "gated_by_flag", 0.3;
    Documents = 25, "documents", 0.2;
    SimilarTo = 26, "similar_to", 0.15;
    OwnedBy = 27, "owned_by", 0.0;
    CallsOn = 28, "calls_on", 0.0;
    ImpliedHint = 29, "implied_hint", 0.3;
    UsesFixture = 30, "uses_fixture", 0.3;
    Declares = 31, "declares", 0.4;
}

impl EdgeType {
    /// Returns the phrases for the source and for the target: `calls` and `called by`.
    pub fn phrases(self) -> (&'static str, &'static str) {
        match self {
            EdgeType::Calls | EdgeType::ConsumesRpc | EdgeType::ConsumesEndpoint => ("calls", "called by"),
            EdgeType::Implements | EdgeType::ImplementsRpc => ("implements", "implemented by"),
            EdgeType::Overrides => ("overrides", "overridden by"),
            EdgeType::Contains => ("contains", "contained in"),
            EdgeType::Extends => ("extends", "extended by"),
            EdgeType::HandlesRoute => ("handles", "handled by"),
            EdgeType::Tests => ("tests", "tested by"),
            EdgeType::TestedBy => ("tested by", "tests"),
            EdgeType::CoTestedWith => ("tested together with", "tested together with"),
            EdgeType::AccessesField => ("accesses", "accessed by"),
            EdgeType::MemberOf => ("member of", "has the member"),
            EdgeType::Imports => ("imports", "imported by"),
            EdgeType::DependsOn => ("depends on", "needed by"),
            EdgeType::TypeHintOf | EdgeType::ImpliedHint => ("has the type", "type in"),
            EdgeType::ExecutesProcess => ("runs", "run by"),
            EdgeType::References => ("refers to", "referred to by"),
            EdgeType::Throws => ("throws", "thrown by"),
            EdgeType::ReadsEnv => ("reads", "read by"),
            EdgeType::SetsEnv => ("sets", "set by"),
            EdgeType::Inherits => ("inherits", "inherited by"),
            // The source is the decorated definition.
            EdgeType::Decorates => ("decorated by", "decorates"),
            EdgeType::GatedByFlag => ("gated by", "gates"),
            EdgeType::Documents => ("documents", "documented by"),
            EdgeType::Declares => ("declares", "declared by"),
            EdgeType::UsesFixture => ("uses the fixture", "fixture of"),
            EdgeType::SimilarTo => ("similar to", "similar to"),
            EdgeType::OwnedBy => ("owned by", "owner of"),
            // The target is the type whose inherited members the source calls: what its siblings override does not run.
            EdgeType::CallsOn => ("calls members of", "has members called by"),
        }
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
