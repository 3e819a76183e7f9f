//! Uses in the markup of components and pages: handlers, expressions, component tags, and scripts that a page loads.

use std::ops::Range;

use tree_sitter::{Parser, Point};

use super::builtins::DEFAULT_EXPORT;
use super::markup::{self, Piece, Tag};
use super::state::Ts;
use crate::facts::{BindingKind, Expr, ExprId, ImportName, Reference, Role, ScopeId, ScopeKind};
use crate::lang::common::walker::Expected;
use crate::text::lines::LineStarts;

/// Members that every component of Vue has in its template.
const VUE_MEMBERS: [&str; 14] = [
    "$attrs",
    "$el",
    "$emit",
    "$event",
    "$i18n",
    "$nextTick",
    "$options",
    "$parent",
    "$props",
    "$refs",
    "$root",
    "$route",
    "$router",
    "$slots",
];

/// Elements of Vue and Svelte that no file defines.
const OWN_ELEMENTS: [&str; 12] = [
    "Component",
    "ClientOnly",
    "KeepAlive",
    "NuxtLink",
    "NuxtPage",
    "RouterLink",
    "RouterView",
    "Slot",
    "Suspense",
    "Teleport",
    "Template",
    "TransitionGroup",
];

/// Groups of functions in the options of a component of Vue, whose names the template and `this` have.
const OPTION_GROUPS: [&str; 4] = ["computed", "methods", "setup", "watch"];

/// The kind of a file with markup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Html,
    Svelte,
    Vue,
}

impl Format {
    /// Returns the format of a file by its extension.
    pub fn by_extension(extension: &str) -> Option<Format> {
        match extension {
            "htm" | "html" => Some(Format::Html),
            "svelte" => Some(Format::Svelte),
            "vue" => Some(Format::Vue),
            _ => None,
        }
    }
}

/// The scopes of the elements and blocks around a byte.
struct Open {
    name: String,
    outer: ScopeId,
}

/// The expressions of a file's markup.
struct Template<'t, 'w, 'a> {
    ts: &'t mut Ts<'w, 'a>,
    format: Format,
    text: &'a str,
    /// The text as the parser reads it: with parentheses around expressions that would be blocks.
    buffer: Vec<u8>,
    parser: Parser,
    line_starts: LineStarts,
    open: Vec<Open>,
}

impl<'a> Ts<'_, 'a> {
    /// Adds the uses in the markup around the scripts. What the scripts define and import is known.
    pub fn markup(&mut self) {
        let Some(format) = self.state().format else { return };
        let text = self.text;
        let mut parser = Parser::new();
        if parser.set_language(&tree_sitter_typescript::LANGUAGE_TSX.into()).is_err() {
            return;
        }
        let saved = self.context;
        self.context.scope = self.open_scope(ScopeKind::Block, None);
        if format == Format::Vue {
            self.bind_options();
        }
        let line_starts = LineStarts::new(text);
        let buffer = text.as_bytes().to_vec();
        Template { ts: self, format, text, buffer, parser, line_starts, open: Vec::new() }.visit();
        self.context = saved;
    }

    /// Binds what the template of a component of Vue has without import: members of every component, and the methods
    /// and computed properties of its options, which `this` has, too.
    fn bind_options(&mut self) {
        let scope = self.context.scope;
        for name in VUE_MEMBERS {
            let atom = self.facts.atom(name);
            self.facts.bind(scope, atom, 0, BindingKind::Local { value_type: None, value: None });
        }
        let default = self.facts.atom(DEFAULT_EXPORT);
        let groups = OPTION_GROUPS.map(|group| self.facts.atom(group));
        let mut members = Vec::new();
        for (id, definition) in crate::facts::DefId::sequence().zip(self.facts.definitions()) {
            let is_option = match definition.scope_names.as_slice() {
                [first] => *first == default,
                [first, group] => *first == default && groups.contains(group),
                _ => false,
            };
            if is_option && definition.kind.is_callable() {
                members.push((definition.name, id));
            }
        }
        let mut entries = Vec::new();
        for (name, id) in members {
            self.facts.bind(scope, name, 0, BindingKind::Definition(id));
            entries.push((name, self.facts.expr(Expr::Definition(id))));
        }
        let object = self.object(entries);
        let component = self.facts.atom(COMPONENT);
        self.facts.bind(ScopeId(0), component, 0, BindingKind::Alias(object));
    }

    /// Returns `this` of the options of a component of Vue.
    pub fn component_this(&mut self) -> Option<ExprId> {
        let default = self.facts.atom(DEFAULT_EXPORT);
        let is_option = self.state().format == Some(Format::Vue) && self.scope_names.first() == Some(&default);
        is_option.then(|| {
            let component = self.facts.atom(COMPONENT);
            self.name(component)
        })
    }
}

/// The name to which the members of a component are bound.
const COMPONENT: &str = "this component";

impl<'a> Template<'_, '_, 'a> {
    fn visit(mut self) {
        let is_svelte = self.format == Format::Svelte;
        // The depth of the elements inside Vue's `<template>`: other blocks of the file are not markup.
        let mut is_inside = self.format != Format::Vue;
        for piece in markup::pieces(self.text, is_svelte) {
            match piece {
                Piece::Open(tag) => {
                    let is_root = self.open.is_empty() && self.is_named(&tag.name, "template");
                    if self.format == Format::Vue && is_root {
                        is_inside = true;
                        self.push("template");
                    } else if is_inside || self.is_named(&tag.name, "script") {
                        self.element(&tag);
                    }
                }
                Piece::Close(name) => {
                    let name = self.text[name].to_owned();
                    self.close(&name);
                    is_inside &= self.format != Format::Vue || !self.open.is_empty();
                }
                Piece::Text(range) if is_inside => self.between(range),
                Piece::Text(_) => {}
            }
        }
    }

    fn is_named(&self, name: &Range<usize>, wanted: &str) -> bool {
        self.text[name.clone()].eq_ignore_ascii_case(wanted)
    }

    fn push(&mut self, name: &str) {
        self.open.push(Open { name: name.to_owned(), outer: self.ts.context.scope });
    }

    fn close(&mut self, name: &str) {
        if let Some(at) = self.open.iter().rposition(|open| open.name == name) {
            self.ts.context.scope = self.open[at].outer;
            self.open.truncate(at);
        }
    }

    fn element(&mut self, tag: &Tag) {
        if self.is_named(&tag.name, "script") {
            return self.loaded_script(tag);
        }
        let name = self.text[tag.name.clone()].to_owned();
        self.push(&name);
        self.component(&name, tag.name.start);
        match self.format {
            Format::Html => self.handlers(tag),
            Format::Svelte => self.svelte_attributes(tag),
            Format::Vue => self.vue_attributes(tag),
        }
        if tag.is_empty {
            self.close(&name);
        }
    }

    /// Imports what a page loads by `<script src="…">`, whose names all its scripts and handlers see.
    fn loaded_script(&mut self, tag: &Tag) {
        let source = tag.attributes.iter().find(|attribute| &self.text[attribute.name.clone()] == "src");
        let Some(value) = source.and_then(|source| source.value.clone()) else { return };
        let path = self.text[value.clone()].trim_start_matches("./").split(['?', '#']).next().unwrap_or_default();
        if !path.is_empty() && !path.contains("//") && !path.contains(['{', '<']) {
            let path = format!("./{}", path.trim_start_matches('/'));
            self.ts.add_import(&path, ImportName::All, value.start, ScopeId(0), false);
        }
    }

    /// Adds a reference to the component that a tag names: `<NavBar>`, `<nav-bar>`, `<ui.Bar>`.
    fn component(&mut self, name: &str, position: usize) {
        if self.format == Format::Html {
            return;
        }
        let (first, rest) = name.split_once('.').unwrap_or((name, ""));
        let plain = if first.starts_with(char::is_uppercase) || !rest.is_empty() {
            first.to_owned()
        } else if self.format == Format::Vue && first.contains('-') {
            capitalized(first)
        } else {
            return;
        };
        if OWN_ELEMENTS.contains(&plain.as_str())
            || !plain.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
        {
            return;
        }
        let mut expr = self.ts.facts.name(&plain);
        for member in rest.split('.').filter(|member| !member.is_empty()) {
            expr = self.ts.facts.member(expr, member);
        }
        self.refer(expr, position);
    }

    fn refer(&mut self, expr: ExprId, position: usize) {
        let (scope, source) = (self.ts.context.scope, self.ts.context.source);
        let position = position as u32;
        self.ts.facts.refer(Reference { expr, scope, position, role: Role::Read, source });
    }

    /// Visits `onclick="…"` of a page.
    fn handlers(&mut self, tag: &Tag) {
        for attribute in &tag.attributes {
            let name = self.text[attribute.name.clone()].to_ascii_lowercase();
            let is_handler =
                name.strip_prefix("on").is_some_and(|event| event.starts_with(|c: char| c.is_alphabetic()));
            if let Some(value) = attribute.value.clone().filter(|_| is_handler) {
                self.code(value);
            }
        }
    }

    fn vue_attributes(&mut self, tag: &Tag) {
        let text = self.text;
        // The variables of a loop are visible in the other attributes.
        for attribute in &tag.attributes {
            let (name, value) = (&text[attribute.name.clone()], attribute.value.clone());
            let is_slot = name.starts_with('#') || name.starts_with("v-slot") || name == "slot-scope";
            match value {
                Some(value) if name == "v-for" => self.vue_loop(value),
                Some(value) if is_slot => self.bind_names(value, None),
                _ => {}
            }
        }
        for attribute in &tag.attributes {
            let name = &text[attribute.name.clone()];
            let is_bound = name.starts_with([':', '@']) || name.starts_with("v-");
            let is_other = name == "v-for" || name.starts_with("v-slot");
            match attribute.value.clone() {
                Some(value) if is_bound && !is_other => self.code(value),
                // `:name` is `:name="name"`.
                None if name.starts_with(':') => {
                    let expr = self.ts.facts.name(&name[1..]);
                    self.refer(expr, attribute.name.start + 1);
                }
                _ => {}
            }
            if let Some(directive) = name.strip_prefix("v-") {
                self.directive(directive.split([':', '.']).next().unwrap_or_default(), attribute.name.start);
            }
        }
    }

    /// Adds a reference to a directive of the file: `v-focus` is `vFocus`.
    fn directive(&mut self, name: &str, position: usize) {
        let atom = self.ts.facts.atom(&format!("v{}", capitalized(name)));
        if self.ts.imports.contains_key(&atom) || self.ts.top_level.contains_key(&atom) {
            let expr = self.ts.name(atom);
            self.refer(expr, position);
        }
    }

    /// Visits `(item, index) in list`.
    fn vue_loop(&mut self, value: Range<usize>) {
        let text = &self.text[value.clone()];
        let split = [" in ", " of "].iter().filter_map(|word| text.find(word).map(|at| (at, at + word.len()))).min();
        let Some((names, list)) = split else { return };
        let iterated = self.value(value.start + list..value.end);
        let item = iterated.map(|iterated| self.ts.facts.expr(Expr::Element(iterated)));
        self.bind_names(value.start..value.start + names, item);
    }

    fn svelte_attributes(&mut self, tag: &Tag) {
        for attribute in &tag.attributes {
            let name = &self.text[attribute.name.clone()];
            let value = attribute.value.clone();
            if let Some((directive, action)) = name.split_once(':') {
                let bound = action.split(['|', '.']).next().unwrap_or_default();
                let position = attribute.name.start + directive.len() + 1;
                let is_function = matches!(directive, "use" | "transition" | "in" | "out" | "animate");
                let is_short = matches!(directive, "bind" | "class" | "style") && value.is_none();
                if (is_function || is_short) && !bound.is_empty() {
                    let expr = self.ts.facts.name(bound);
                    self.refer(expr, position);
                }
                if directive == "let" {
                    let names = value.clone().unwrap_or(position..attribute.name.end);
                    self.bind_names(names, None);
                    continue;
                }
            }
            match value {
                Some(value) if attribute.is_expression => self.code(value),
                Some(value) => self.between(value),
                None => {}
            }
        }
    }

    /// Visits the expressions in a text between tags.
    fn between(&mut self, range: Range<usize>) {
        let text = self.text;
        let mut at = range.start;
        match self.format {
            Format::Html => {}
            Format::Vue => {
                while let Some(start) = text[at..range.end].find("{{").map(|start| at + start + 2) {
                    let Some(end) = text[start..range.end].find("}}").map(|end| start + end) else { return };
                    self.code(start..end);
                    at = end + 2;
                }
            }
            Format::Svelte => {
                while let Some(start) = text[at..range.end].find('{').map(|start| at + start) {
                    let end = markup::end_of_braces(text.as_bytes(), start).min(range.end);
                    if end > start + 1 {
                        self.svelte_tag(start + 1..end - 1);
                    }
                    at = end.max(start + 1);
                }
            }
        }
    }

    /// Visits what is in braces: an expression, or the start, middle or end of a block.
    fn svelte_tag(&mut self, range: Range<usize>) {
        let text = &self.text[range.clone()];
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let start = range.end - rest.len();
        match word {
            "#if" | "#key" => {
                self.push(&word[1..]);
                self.code(start..range.end);
            }
            "#each" => {
                self.push("each");
                let (list, names) = rest.split_once(" as ").unwrap_or((rest, ""));
                let iterated = self.value(start..start + list.len());
                let item = iterated.map(|iterated| self.ts.facts.expr(Expr::Element(iterated)));
                // The key of an item follows in parentheses.
                let key = names.rfind(" (").filter(|_| names.ends_with(')')).unwrap_or(names.len());
                let names_start = range.end - names.len();
                self.bind_names(names_start..names_start + key, item);
                self.code(names_start + key..range.end);
            }
            "#await" => {
                self.push("await");
                let (promise, names) = rest.split_once(" then ").unwrap_or((rest, ""));
                self.code(start..start + promise.len());
                self.bind_names(range.end - names.len()..range.end, None);
            }
            "#snippet" => {
                let (name, names) = rest.split_once('(').unwrap_or((rest, ""));
                let atom = self.ts.facts.atom(name.trim());
                let local = BindingKind::Local { value_type: None, value: None };
                let scope = self.ts.context.scope;
                self.ts.facts.bind(scope, atom, 0, local);
                self.push("snippet");
                self.bind_names(range.end - names.len()..range.end, None);
            }
            ":then" | ":catch" => self.bind_names(start..range.end, None),
            ":else" => {
                let condition = rest.trim_start().strip_prefix("if ").unwrap_or("");
                self.code(range.end - condition.len()..range.end);
            }
            "@const" => self.constant(start..range.end),
            "@html" | "@render" | "@attach" | "@debug" => self.code(start..range.end),
            _ if word.starts_with('/') => self.close(&word[1..]),
            _ if text.starts_with("...") => self.code(range.start + 3..range.end),
            _ => self.code(range),
        }
    }

    /// Visits `{@const name = value}`.
    fn constant(&mut self, range: Range<usize>) {
        let text = &self.text[range.clone()];
        let Some((names, value)) = text.split_once('=') else { return };
        let value = self.value(range.end - value.len()..range.end);
        self.bind_names(range.start..range.start + names.len(), value);
    }

    /// Binds the names in a pattern in a new scope. A single name has the value `first`, and so has the first of several in
    /// parentheses.
    fn bind_names(&mut self, range: Range<usize>, first: Option<ExprId>) {
        self.ts.context.scope = self.ts.open_scope(ScopeKind::Block, None);
        let text = &self.text[range.clone()];
        let is_destructured = text.contains(['{', '[']);
        for (number, (at, name)) in names(text).into_iter().enumerate() {
            // Of `{ key: name }` only the name is bound, and no default is.
            let after = text[at + name.len()..].trim_start();
            let is_default = text[..at].trim_end().ends_with('=');
            if (is_destructured && after.starts_with(':')) || is_default {
                continue;
            }
            let atom = self.ts.facts.atom(name);
            let value = first.filter(|_| number == 0 && !is_destructured);
            let kind = BindingKind::Local { value_type: None, value };
            let scope = self.ts.context.scope;
            self.ts.facts.bind(scope, atom, 0, kind);
        }
    }

    /// Visits code as statements.
    fn code(&mut self, range: Range<usize>) {
        if let Some(root) = self.parse(range) {
            self.ts.statements(root);
        }
    }

    /// Visits an expression and returns its value.
    fn value(&mut self, range: Range<usize>) -> Option<ExprId> {
        let root = self.parse(range)?;
        let statement = self.ts.children(root).first().copied()?;
        let expression = self.ts.children(statement).first().copied()?;
        Some(self.ts.value(expression, Expected::None))
    }

    /// Parses a range of the text. Its nodes have their positions in the file.
    fn parse(&mut self, range: Range<usize>) -> Option<tree_sitter::Node<'a>> {
        let text = self.text.get(range.clone())?;
        let code = text.trim();
        if code.is_empty() {
            return None;
        }
        let mut range = range;
        // What begins with a brace would be a block.
        if code.starts_with('{') && range.start > 0 && range.end < self.buffer.len() {
            range = range.start - 1..range.end + 1;
            (self.buffer[range.start], self.buffer[range.end - 1]) = (b'(', b')');
        }
        let included = tree_sitter::Range {
            start_byte: range.start,
            end_byte: range.end,
            start_point: self.point(range.start),
            end_point: self.point(range.end),
        };
        self.parser.set_included_ranges(&[included]).ok()?;
        let tree = self.parser.parse(&self.buffer, None)?;
        Some(self.ts.inner_root(tree))
    }

    fn point(&self, byte: usize) -> Point {
        Point { row: self.line_starts.line(byte) as usize - 1, column: self.line_starts.column(byte) }
    }
}

/// Returns the identifiers in a pattern with their places.
fn names(text: &str) -> Vec<(usize, &str)> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
    let mut found = Vec::new();
    let mut at = 0;
    for word in text.split(|letter: char| !is_part(letter)) {
        if word.starts_with(|first: char| !first.is_numeric()) {
            found.push((at, word));
        }
        at += word.len() + text[at + word.len()..].chars().next().map_or(0, char::len_utf8);
    }
    found
}

/// Returns a name with hyphens as one with capital letters: `nav-bar` is `NavBar`.
pub fn capitalized(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    };
    name.split('-').map(word).collect()
}
