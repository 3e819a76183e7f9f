//! Source code to graph: languages, the facts of a file, resolution of references, the graph and its hashes.
//!
//! Values in, values out: this crate reads no file but the grammars that the user's settings name, and knows no database, task or terminal. The modules are in
//! dependency order: a module may use only those above it, and `tests/it/tidy` checks that.
//!
//! **[`model`]** Plain data that every other module talks about: ids, symbols, edges, spans, tasks, packs. No logic
//! beyond invariants.
//!
//! **[`text`]** Text primitives: splitting identifiers, stemming, tokens of cl100k_base, control characters removed
//! for display.
//!
//! **[`documents`]** Documents: the sections of files of prose, and the names of code that they cite.
//!
//! **[`facts`]** Facts: language-neutral statements of one file (definitions, references, scopes, bindings, imports).
//! The intermediate representation that `lang` writes and `resolve` reads.
//!
//! **[`resolve`]** Resolution: the facts of all files in, edges between definitions out. One evaluator for every
//! language; what a language adds is behind the trait `Rules`.
//!
//! **[`lang`]** Languages: one folder each (grammar, extraction, module layout, standard library), and the registry.
//!
//! **[`graph`]** The graph: derived edges (one pass a file), adjacency in compressed sparse rows, Merkle roots. Pure.

// Kotlin, Scala and Swift leave out what only they use of the code that light languages share.
#![cfg_attr(not(feature = "rare-grammars"), allow(dead_code))]

pub mod model;
pub mod text;
pub mod documents;
pub mod facts;
pub mod resolve;
pub mod lang;
pub mod graph;
