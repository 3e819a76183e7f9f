//! Extraction by data: one walk that the pattern file and the [`Dialect`] of a language direct.
//!
//! - [`patterns`] is a pattern file: what each kind of node means, and where its parts are; [`pattern_reader`] reads it.
//! - [`walker`] has the state of the walk, [`bindings`] its names; [`definitions`], [`extensions`], [`parameters`],
//!   [`types`], [`expressions`], [`calls`] and [`statements`] interpret the patterns. What no pattern can say is a [`Hook`]
//!   of the language.
//! - [`flow`] follows control flow, where the hooks of a language set the values of local names.
//! - [`lexicon`] has the comments, strings and keywords of a language; [`docs`] and [`body_words`] read by it.
//! - [`conditionals`] leaves one branch of conditional compilation.
//! - [`options`] are choices that few languages make.
//! - [`light`] has the defaults of a language that is little more than a pattern file.
//! - [`modules`] builds modules from packages; [`library`] has results of the standard library's methods.
//!
//! A language adds a pattern file, a [`Dialect`], hooks and its [`Rules`](crate::resolve::rules::Rules).

mod bindings;
pub mod body_words;
mod calls;
pub mod conditionals;
pub mod definitions;
pub mod docs;
pub mod embedded;
pub mod expressions;
mod extensions;
pub mod flow;
mod inner_trees;
pub mod lexicon;
pub mod library;
pub mod light;
pub mod modules;
pub mod options;
mod parameters;
mod pattern_reader;
pub mod patterns;
mod statements;
mod types;
pub mod walker;
pub mod word_list;

use std::sync::LazyLock;

use tree_sitter::Node;

use crate::facts::{ExprId, FileFacts, Flags, Role};
use crate::lang::SourceFile;
use crate::resolve::rules::Traits;
use flow::FlowRules;
use inner_trees::InnerTrees;
use lexicon::Lexicon;
use options::Options;
use patterns::Patterns;
use walker::{Call, Walker};

/// Extraction of a node by code of its language: visits the node, adds what it means, and returns its value. `role` is
/// the role in which the surroundings use it.
pub type Hook = for<'w, 'a> fn(walker: &'w mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId;

/// The data by which the walk extracts a language.
pub struct Dialect {
    /// The pattern file, read once.
    pub patterns: LazyLock<Patterns>,
    /// Comments, strings and keywords.
    pub lexicon: Lexicon,
    /// Whether a file is test code, by its path.
    pub is_test_file: fn(path: &str) -> bool,
    /// Last segments of the names of decorators that make a function a test.
    pub test_decorators: &'static [&'static str],
    /// The words in the bodies of definitions.
    pub words: Words,
    /// The rules by which the walk follows control flow; `None` if the values of local names are those of their bindings.
    pub flow: Option<FlowRules>,
    /// Changes the flags of a definition by its modifiers.
    pub modifier: fn(modifier: &str, flags: &mut Flags),
    /// Facts that need no code.
    pub traits: &'static Traits,
    /// Choices that most languages leave as they are.
    pub options: Options,
    /// Runs after each call: signals, and calls that define something.
    pub on_call: Option<for<'w, 'a, 'c> fn(walker: &'w mut Walker<'a>, call: &'c Call<'a>)>,
    /// Runs after the walk.
    pub on_end: Option<for<'w, 'a> fn(walker: &'w mut Walker<'a>)>,
}

/// The words in the bodies of definitions, which are search words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Words {
    /// All that are written in the body, by the [`Lexicon`].
    Written,
    /// The names that are used, and the words of what hooks add: docs in the body are not search words.
    Visited {
        /// The size of the shortest name that is a word.
        shortest_name: usize,
    },
}

/// Extracts the facts of a file.
pub fn extract(file: &SourceFile<'_>, dialect: &'static Dialect) -> FileFacts {
    extract_with(file, dialect, |_, _| {})
}

/// Extracts the facts of a file; `begin` runs before the walk, with the root.
pub fn extract_with(
    file: &SourceFile<'_>,
    dialect: &'static Dialect,
    begin: impl for<'w> FnOnce(&mut Walker<'w>, Node<'w>),
) -> FileFacts {
    let inner_trees = InnerTrees::default();
    let mut walker = Walker::new(file, dialect, &inner_trees);
    let root = file.tree.root_node();
    walker.set_file_doc(root);
    begin(&mut walker, root);
    walker.statements(root);
    if let Some(on_end) = dialect.on_end {
        on_end(&mut walker);
    }
    walker.finish()
}
