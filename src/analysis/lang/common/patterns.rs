//! Pattern files: what each kind of node in a grammar means, and where its parts are.
//!
//! A pattern file is written in the notation of tree-sitter's queries, so `tree_sitter::Query` can check it against the
//! grammar. Each pattern has one root whose capture names the [`Action`]; the captures inside it name the parts.
//!
//! ```text
//! (class_declaration
//!   name: (_) @name
//!   superclass: (superclass (_) @extends)
//!   body: (_) @body) @definition.type
//! ```
//!
//! Two things differ from queries. `_` without parentheses is a named child in no field. And `(_)` is a named node or a
//! token that has a pattern of its own (`"this" @receiver`). As in queries, `.` before a node means the first named child, and
//! after it the last.
//!
//! # Why no query cursor
//!
//! The walk meets every node once, and at most one pattern is about its kind. A lookup by the number of the kind is
//! cheaper than the matching of all patterns, and the walk decides by itself when it enters the parts.

use std::num::NonZeroU16;

use tree_sitter::{Node, TreeCursor};

use super::Hook;
use super::pattern_reader::Reader;

/// Declares an enum whose variants have names in pattern files.
macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

        impl $name {
            /// Returns the variant of this name in pattern files.
            pub fn named(text: &str) -> Option<$name> {
                match text {
                    $($text => Some($name::$variant),)*
                    _ => None,
                }
            }
        }
    };
}

named! {
    /// The meaning of a kind of node, the capture of a pattern's root.
    Action {
        Type = "definition.type",
        Interface = "definition.interface",
        Function = "definition.function",
        /// A function without parameters that is read like a field.
        Property = "definition.property",
        /// An inline module: a namespace with a body.
        Namespace = "definition.namespace",
        Alias = "definition.alias",
        Variant = "definition.variant",
        Constant = "definition.constant",
        /// A variable, a field or a local one, by its surroundings.
        Variable = "definition.variable",
        Parameter = "parameter",
        /// A list of parameters whose last one is part of the list itself, and takes all arguments that are left.
        RestParameter = "parameter.rest",
        /// An argument around its value.
        Argument = "argument",
        TypeParameter = "type_parameter",
        /// The package of the whole file. `#set! doc` makes the comment above the doc of the file.
        Package = "package",
        Name = "name",
        Member = "member",
        Call = "call",
        New = "new",
        Index = "index",
        Cast = "cast",
        /// A literal, whose type the pattern sets, also by the end of its text.
        Literal = "literal",
        Receiver = "receiver",
        Parent = "parent",
        /// One of several values.
        Either = "either",
        /// A literal of values, whose type the pattern sets. Its argument is the type of the first values, or of the first
        /// known one where `#set! elements "alike"` says that all have it.
        Collection = "collection",
        /// A key with its value, in a collection.
        Pair = "pair",
        Tuple = "tuple",
        /// Elements of a value instead of one value: `*values`.
        Spread = "spread",
        /// The content of a wrapper, which can be assigned: `await value`, `with value as target`.
        Unwrap = "unwrap",
        /// The value of its last child.
        Sequence = "sequence",
        Group = "group",
        Lambda = "lambda",
        Assign = "assign",
        /// A loop over the elements of a value, which has a name or a target of an assignment.
        Loop = "loop",
        If = "if",
        While = "while",
        Try = "try",
        Assert = "assert",
        /// The end of a loop's iteration, or of the loop.
        Jump = "jump",
        /// `a and b` or `a or b`; the pattern sets the token between the operands that both must hold.
        Logic = "logic",
        /// The negation of a condition, whose type the pattern sets.
        Not = "not",
        Block = "block",
        Return = "return",
        Raise = "raise",
        Decorator = "decorator",
        /// An attribute or a comment that belongs to the item after it and is its sibling in the tree.
        Before = "before",
        Skip = "skip",
        TypeName = "type.name",
        TypeMember = "type.member",
        TypeApply = "type.apply",
        /// An array, or another type of the language itself with arguments.
        TypeArray = "type.array",
        /// A type of the language itself, by its text.
        TypeBuiltin = "type.builtin",
        TypeUnion = "type.union",
        TypeTuple = "type.tuple",
        /// No type: a lifetime among bounds.
        TypeSkip = "type.skip",
        TypeGroup = "type.group",
        /// A function's type, by its parameters and its result.
        TypeFunction = "type.function",
        Hook = "hook",
        TypeHook = "type.hook",
    }
}

named! {
    /// A part of a node, the capture of a node inside a pattern.
    Part {
        Name = "name",
        Body = "body",
        TypeParameters = "type_parameters",
        Bound = "bound",
        Parameters = "parameters",
        Result = "result",
        Type = "type",
        Value = "value",
        Extends = "extends",
        Implements = "implements",
        Modifiers = "modifiers",
        Decorator = "decorator",
        Declarator = "declarator",
        Function = "function",
        Object = "object",
        Arguments = "arguments",
        TypeArguments = "type_arguments",
        Condition = "condition",
        Alternative = "alternative",
        Left = "left",
        Right = "right",
    }
}

impl Action {
    fn is_of_types(self) -> bool {
        use Action::*;
        matches!(
            self,
            TypeName
                | TypeMember
                | TypeApply
                | TypeArray
                | TypeBuiltin
                | TypeUnion
                | TypeTuple
                | TypeGroup
                | TypeFunction
                | TypeSkip
                | TypeHook
        )
    }
}

/// One step from a node to a part of it: a child in a field, of some kinds.
#[derive(Debug, Clone)]
pub struct Step {
    pub field: Option<NonZeroU16>,
    /// Any kind if empty.
    pub kinds: Vec<u16>,
    /// Whether children in fields don't match.
    pub is_bare: bool,
    /// Tokens that match like named nodes if any kind does.
    pub tokens: Vec<u16>,
    /// Whether only the first named child, or only the last one, matches.
    pub anchor: Option<Anchor>,
}

/// The side of a node's named children at which a part must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    First,
    Last,
}

impl Step {
    fn matches(&self, child: Node<'_>, field: Option<NonZeroU16>) -> bool {
        let is_kind = if self.kinds.is_empty() { self.is_any(&child) } else { self.kinds.contains(&child.kind_id()) };
        let is_place = if self.is_bare { field.is_none() } else { self.field.is_none() || self.field == field };
        is_kind && is_place
    }

    fn is_any(&self, child: &Node<'_>) -> bool {
        if child.is_named() { !child.is_extra() } else { self.tokens.contains(&child.kind_id()) }
    }
}

/// The meaning of a kind of node.
pub struct Pattern {
    /// The capture of the root.
    pub action: Action,
    parts: Vec<(Part, Vec<Step>)>,
    settings: Vec<(&'static str, &'static str)>,
    /// The function of the language for [`Action::Hook`] and [`Action::TypeHook`].
    pub hook: Option<Hook>,
}

impl Pattern {
    /// Returns the value that `#set!` gives a key.
    pub fn setting(&self, key: &str) -> Option<&'static str> {
        self.settings.iter().find(|(known, _)| *known == key).map(|(_, value)| *value)
    }

    /// Returns the type of a literal: the one that `#set! suffixes` gives the end of its text (`"l long f float"`, in small
    /// letters, of two ends the longer one first), otherwise that of all such literals.
    pub fn type_of_literal(&self, text: &str) -> Option<&'static str> {
        let mut words = self.setting("suffixes").unwrap_or_default().split_whitespace();
        while let (Some(suffix), Some(name)) = (words.next(), words.next()) {
            let end = text.len().checked_sub(suffix.len()).and_then(|start| text.get(start..));
            if end.is_some_and(|end| end.eq_ignore_ascii_case(suffix)) {
                return Some(name);
            }
        }
        self.setting("type")
    }

    /// Adds the parts of `node` with this capture to `found`, in source order for each path.
    pub fn find<'a>(&self, part: Part, node: Node<'a>, cursor: &mut TreeCursor<'a>, found: &mut Vec<Node<'a>>) {
        for (_, path) in self.parts.iter().filter(|(known, _)| *known == part) {
            find_on(path, node, cursor, found);
        }
    }

    /// Returns the first of the nodes that [`Pattern::find`] finds.
    pub fn first<'a>(&self, part: Part, node: Node<'a>, cursor: &mut TreeCursor<'a>) -> Option<Node<'a>> {
        let mut paths = self.parts.iter().filter(|(known, _)| *known == part);
        paths.find_map(|(_, path)| first_on(path, node, cursor))
    }

    /// Returns whether the pattern has a part of this capture.
    pub fn has(&self, part: Part) -> bool {
        self.parts.iter().any(|(known, _)| *known == part)
    }
}

/// Adds the nodes at the end of a path of steps.
fn find_on<'a>(path: &[Step], node: Node<'a>, cursor: &mut TreeCursor<'a>, found: &mut Vec<Node<'a>>) {
    let Some((step, rest)) = path.split_first() else { return found.push(node) };
    if rest.is_empty() {
        return children_of(step, node, cursor, found);
    }
    let mut level = Vec::new();
    children_of(step, node, cursor, &mut level);
    level.into_iter().for_each(|inner| find_on(rest, inner, cursor, found));
}

/// Returns the first node at the end of a path of steps.
fn first_on<'a>(path: &[Step], node: Node<'a>, cursor: &mut TreeCursor<'a>) -> Option<Node<'a>> {
    if let [Step { field: Some(field), kinds, anchor: None, .. }] = path
        && kinds.is_empty()
    {
        // Most parts are one child in a field. A comment can be in a field, too.
        let child = node.child_by_field_id(field.get())?;
        if path[0].is_any(&child) {
            return Some(child);
        }
    }
    let mut found = Vec::new();
    find_on(path, node, cursor, &mut found);
    found.first().copied()
}

fn children_of<'a>(step: &Step, node: Node<'a>, cursor: &mut TreeCursor<'a>, found: &mut Vec<Node<'a>>) {
    // Most parts that can repeat are absent.
    if step.field.is_some_and(|field| node.child_by_field_id(field.get()).is_none()) {
        return;
    }
    cursor.reset(node);
    if !cursor.goto_first_child() {
        return;
    }
    let start = found.len();
    let mut is_last_found = false;
    loop {
        let child = cursor.node();
        let is_counted = child.is_named() && !child.is_extra();
        if step.matches(child, cursor.field_id()) {
            found.push(child);
            is_last_found = true;
        } else if is_counted {
            is_last_found = false;
        }
        if (is_counted && step.anchor == Some(Anchor::First)) || !cursor.goto_next_sibling() {
            break;
        }
    }
    if step.anchor == Some(Anchor::Last) {
        found.drain(start..found.len() - usize::from(is_last_found));
    }
}

/// The patterns of a language, by the number of the node's kind.
pub struct Patterns {
    values: Vec<Option<Pattern>>,
    types: Vec<Option<Pattern>>,
    /// Whether a pattern is about nodes before others.
    pub has_before: bool,
}

impl Patterns {
    /// Reads a pattern file. A later pattern for a kind replaces an earlier one.
    ///
    /// # Panics
    /// If the text is not a pattern file of the grammar: both are parts of the program, and a test reads them all.
    pub fn read(text: &'static str, grammar: &tree_sitter::Language, hooks: &[(&str, Hook)]) -> Patterns {
        let count = grammar.node_kind_count();
        let empty = || (0..count).map(|_| None).collect();
        let mut patterns = Patterns { values: empty(), types: empty(), has_before: false };
        let mut reader = Reader::new(text, grammar);
        while !reader.is_at_end() {
            let root = reader.item();
            let capture = root.capture.expect("the root of a pattern has a capture");
            let (name, hook) = match capture.rsplit_once("hook.") {
                Some((prefix, name)) => {
                    let hook = hooks.iter().find(|(known, _)| *known == name);
                    let hook = hook.unwrap_or_else(|| panic!("no hook is called {name}"));
                    (if prefix.is_empty() { "hook" } else { "type.hook" }, Some(hook.1))
                }
                None => (capture, None),
            };
            let action = Action::named(name).unwrap_or_else(|| panic!("no action is called {name}"));
            patterns.has_before |= action == Action::Before;
            for kind in &root.step.kinds {
                let mut parts = Vec::new();
                root.children.iter().for_each(|child| child.add_parts(&mut Vec::new(), &mut parts));
                let pattern = Pattern { action, parts, settings: root.settings.clone(), hook };
                let table = if action.is_of_types() { &mut patterns.types } else { &mut patterns.values };
                table[usize::from(*kind)] = Some(pattern);
            }
        }
        patterns.add_tokens(grammar);
        patterns
    }

    /// Adds the tokens that have patterns to the steps that match any kind.
    fn add_tokens(&mut self, grammar: &tree_sitter::Language) {
        let has_pattern = |kind: &u16| self.values[usize::from(*kind)].is_some() && !grammar.node_kind_is_named(*kind);
        let tokens: Vec<u16> = (0..self.values.len() as u16).filter(has_pattern).collect();
        if tokens.is_empty() {
            return;
        }
        let patterns = self.values.iter_mut().chain(&mut self.types).flatten();
        let steps = patterns.flat_map(|pattern| &mut pattern.parts).flat_map(|(_, path)| path);
        steps.filter(|step| step.kinds.is_empty()).for_each(|step| step.tokens.clone_from(&tokens));
    }

    /// Returns the pattern of a node in a position of values, statements or definitions.
    pub fn value(&self, node: Node<'_>) -> Option<&Pattern> {
        self.values.get(usize::from(node.kind_id()))?.as_ref()
    }

    /// Returns the pattern of a node in a position of types.
    pub fn of_type(&self, node: Node<'_>) -> Option<&Pattern> {
        self.types.get(usize::from(node.kind_id()))?.as_ref()
    }
}
