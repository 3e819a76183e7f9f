//! A directed relationship between two symbols: its type, provenance and confidence (SPEC §2).

use serde::{Deserialize, Serialize};

macro_rules! edge_types {
    ($($variant:ident = $number:literal, $name:literal, $weight:literal;)*) => {
        /// What an edge says. The numbers are stored and hashed: append, never renumber.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[repr(u8)]
        pub enum EdgeType { $($variant = $number),* }

        impl EdgeType {
            /// Every type, in the order of its number.
            pub const ALL: &'static [EdgeType] = &[$(EdgeType::$variant),*];

            /// The name used in output.
            pub fn name(self) -> &'static str {
                match self { $(EdgeType::$variant => $name),* }
            }

            /// How much of a random walker's flow follows an edge of this type, relative to `calls`.
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
    DeployedBy = 21, "deployed_by", 0.4;
    Inherits = 22, "inherits", 0.3;
    Decorates = 23, "decorates", 0.3;
    GatedByFlag = 24, "gated_by_flag", 0.3;
    Documents = 25, "documents", 0.2;
    SimilarTo = 26, "similar_to", 0.15;
    OwnedBy = 27, "owned_by", 0.0;
    AuthoredBy = 28, "authored_by", 0.0;
    ImpliedHint = 29, "implied_hint", 0.3;
}

impl EdgeType {
    /// The type with this stored number.
    pub fn from_number(number: u8) -> Option<EdgeType> {
        Self::ALL.get(number as usize).copied()
    }
}

/// How an edge was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Provenance {
    /// Through imports, scopes or types.
    AstResolved = 0,
    /// By a name that few definitions in the repository share.
    AstInferred = 1,
    /// By the shape of the source: containment, inheritance.
    Structural = 2,
    /// From the git history.
    Git = 3,
    /// From a language server.
    LspResolved = 4,
}

impl Provenance {
    /// Every provenance, in the order of the stored numbers.
    pub const ALL: [Provenance; 5] = [
        Provenance::AstResolved,
        Provenance::AstInferred,
        Provenance::Structural,
        Provenance::Git,
        Provenance::LspResolved,
    ];

    /// The provenance with this stored number.
    pub fn from_number(number: u8) -> Option<Provenance> {
        Self::ALL.get(number as usize).copied()
    }

    /// The name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Provenance::AstResolved => "ast_resolved",
            Provenance::AstInferred => "ast_inferred",
            Provenance::Structural => "structural",
            Provenance::Git => "git",
            Provenance::LspResolved => "lsp_resolved",
        }
    }

    /// Confidence of an edge with this provenance when nothing speaks against it.
    pub fn confidence(self) -> f32 {
        match self {
            Provenance::AstResolved | Provenance::LspResolved => 0.9,
            Provenance::AstInferred => 0.7,
            Provenance::Structural | Provenance::Git => 1.0,
        }
    }

    /// Multiplies the walk weight: language servers know so many edges that they would drown the others.
    pub const fn walk_factor(self) -> f64 {
        if matches!(self, Provenance::LspResolved) { 0.3 } else { 1.0 }
    }
}

/// An edge between two nodes of one store, by their dense numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    pub source: u32,
    pub target: u32,
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
