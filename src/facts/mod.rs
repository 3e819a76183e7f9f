//! What one file says, before any other file is known: the language-neutral form between `lang`, which fills it
//! from a syntax tree, and `resolve`, which reads it together with every other file's.
//!
//! # Why
//!
//! Resolving a call needs scopes, imports, annotations and values, not just names. Writing that down in one small
//! language of expressions lets a single resolver serve every source language, lets an unchanged file be resolved
//! again without parsing it, and keeps the two phases of SPEC §3 apart.
//!
//! The facts have three parts, stored apart because they are needed at different times:
//! [`Outline`] always (symbol tables are built from it), [`Code`] only when something in the file is evaluated,
//! and [`Texts`] only when the search index or similarity is computed.

mod builder;
mod definition;
mod expression;
mod fingerprint;
mod names;
mod positions;
mod reach;
mod reference;
mod scope;

pub use builder::FactsBuilder;
pub use definition::{
    Base, BaseRelation, Container, DefId, Definition, Extension, ExtensionId, Flags, Parameter, TypeParameter,
};
pub use expression::{Expr, ExprId};
pub use fingerprint::Interface;
pub use names::{Atom, NameKey, Names, NamesBuilder, name_key};
pub use positions::same_meaning;
pub use reference::{Reference, Role, Signal, SignalKind};
pub use scope::{Binding, BindingKind, Import, ImportId, ImportName, Scope, ScopeId, ScopeKind};

use serde::{Deserialize, Serialize};

/// Everything extraction learns from one file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FileFacts {
    pub outline: Outline,
    pub code: Code,
    pub texts: Texts,
}

/// The file's definitions and what its module level binds.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// Every name that the file's facts mention.
    pub names: Names,
    /// An enclosing definition comes before what it encloses.
    pub definitions: Vec<Definition>,
    /// `impl` blocks and other places that add members to a type defined elsewhere.
    pub extensions: Vec<Extension>,
    /// Every import of the file, at any depth.
    pub imports: Vec<Import>,
    /// Bindings of the module-level scopes (kind [`ScopeKind::Module`] and [`ScopeKind::Exports`]), sorted by
    /// scope, then name, then position.
    pub bindings: Vec<Binding>,
    /// For languages whose files name their package (Go): that name.
    pub package: Option<Atom>,
    /// Doc comment of the file or package itself.
    pub doc: String,
    /// The whole file is test code.
    pub is_test: bool,
    /// The usual build (Linux, no tags) leaves the file out: what it defines counts only where nothing else does.
    pub is_left_out: bool,
}

/// The file's scopes, expressions and references.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Code {
    /// Scope 0 is the file's module level.
    pub scopes: Vec<Scope>,
    /// Bindings of the scopes that are not module level, sorted like [`Outline::bindings`].
    pub bindings: Vec<Binding>,
    pub expressions: Vec<Expr>,
    pub references: Vec<Reference>,
    pub signals: Vec<Signal>,
}

/// Words of the definitions' bodies, for search and similarity.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Texts {
    /// One entry for each definition: identifiers and words of string literals in its own body, separated by
    /// blanks, nested definitions left out.
    pub bodies: Vec<String>,
}
