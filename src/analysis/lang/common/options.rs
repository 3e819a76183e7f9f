//! Choices that most languages leave as they are.

use tree_sitter::Node;

use super::docs;
use super::lexicon::{Lexicon, Piece};
use super::walker::Walker;
use crate::facts::{ExprId, Flags, Parameter};

/// Binds the names in a pattern to the parts of a value.
type Destructure = for<'w, 'a> fn(walker: &'w mut Walker<'a>, pattern: Node<'a>, value: ExprId);

/// Completes a parameter by what is around its node, which it can visit.
type CompleteParameter = for<'w, 'a> fn(walker: &'w mut Walker<'a>, node: Node<'a>, parameter: &mut Parameter);

/// Choices that most languages leave as they are.
pub struct Options {
    /// Binds the names of parameters, variables and loops, where these are patterns whose values the walk knows. Uses of
    /// local names are then replaced by their values, so that blocks and lambdas need no scopes.
    pub destructure: Option<Destructure>,
    /// Whether names of called members are marked by `()`, where only members can share a name.
    pub marks_called_members: bool,
    /// The beginning of a name that is a keyword without it.
    pub raw_prefix: &'static str,
    /// Returns the doc of a definition by the decorators and comments before it. By default it is the comment above.
    pub doc: Option<fn(walker: &Walker<'_>, before: &[Node<'_>]) -> String>,
    /// Returns the flags of the code after decorators.
    pub flags: fn(walker: &Walker<'_>, before: &[Node<'_>]) -> Flags,
    /// Returns text on one line, as a signature.
    pub signature: fn(text: &str, lexicon: &Lexicon) -> String,
    /// Returns the piece of a text at a byte, and its end.
    pub piece: fn(lexicon: &Lexicon, text: &str, at: usize) -> (Piece, usize),
    /// Whether keywords in strings are search words.
    pub has_keywords_in_strings: bool,
    /// Sets what the lambdas among the arguments of a call of a value see of it.
    pub enter_lambda: Option<fn(walker: &mut Walker<'_>, callee: ExprId, arguments: &[ExprId])>,
    /// Returns whether a name that is not local is one of a value, where values can be called and names of callees are marked.
    pub calls_values: Option<fn(walker: &mut Walker<'_>, name: &str) -> bool>,
    /// Returns whether an argument depends on the call that it is one of: it can have placeholders, which make a function of it,
    /// or is a member of the type that is expected there.
    pub depends_on_call: fn(node: Node<'_>, text: &str) -> bool,
    /// Returns the callee in what the grammar takes for one.
    pub callee: for<'a> fn(function: Node<'a>) -> Node<'a>,
    /// Completes a parameter by what is around its node.
    pub parameter: Option<CompleteParameter>,
}

impl Options {
    /// The choices of most languages.
    pub const DEFAULT: Options = Options {
        destructure: None,
        marks_called_members: false,
        raw_prefix: "",
        doc: None,
        flags: |_, _| Flags::default(),
        signature: docs::single_line,
        piece: Lexicon::piece,
        has_keywords_in_strings: false,
        enter_lambda: None,
        calls_values: None,
        depends_on_call: |_, _| false,
        callee: |function| function,
        parameter: None,
    };
}
