//! Reads the notation of pattern files: nodes with fields, quantifiers, captures and settings.

use super::patterns::{Anchor, Part, Step};

/// A node in a pattern file.
pub struct Item {
    pub step: Step,
    pub capture: Option<&'static str>,
    pub children: Vec<Item>,
    pub settings: Vec<(&'static str, &'static str)>,
}

impl Item {
    /// Adds the parts in this node, each with the steps to it.
    pub fn add_parts(&self, path: &mut Vec<Step>, parts: &mut Vec<(Part, Vec<Step>)>) {
        path.push(self.step.clone());
        if let Some(capture) = self.capture {
            let part = Part::named(capture).unwrap_or_else(|| panic!("no part is called {capture}"));
            parts.push((part, path.clone()));
        }
        self.children.iter().for_each(|child| child.add_parts(path, parts));
        path.pop();
    }
}

/// A reader of the nodes of a pattern file.
pub struct Reader<'g> {
    tokens: std::iter::Peekable<std::vec::IntoIter<&'static str>>,
    grammar: &'g tree_sitter::Language,
}

impl<'g> Reader<'g> {
    /// Creates a reader of a pattern file for a grammar.
    pub fn new(text: &'static str, grammar: &'g tree_sitter::Language) -> Reader<'g> {
        Reader { tokens: tokens(text).into_iter().peekable(), grammar }
    }

    /// Returns whether there are no more nodes.
    pub fn is_at_end(&mut self) -> bool {
        self.tokens.peek().is_none()
    }

    fn next(&mut self) -> &'static str {
        self.tokens.next().expect("a pattern is closed")
    }

    /// Reads one node with its field, its quantifier and its capture.
    pub fn item(&mut self) -> Item {
        let mut token = self.next();
        let mut anchor = None;
        if token == "." {
            (anchor, token) = (Some(Anchor::First), self.next());
        }
        let mut field = None;
        if let Some(name) = token.strip_suffix(':') {
            field = Some(self.grammar.field_id_for_name(name).unwrap_or_else(|| panic!("no field is called {name}")));
            token = self.next();
        }
        let mut item = match token {
            "(" => self.parenthesized(),
            "[" => self.alternatives(),
            other => self.leaf(other, false),
        };
        (item.step.field, item.step.anchor) = (field, anchor);
        while let Some(&token) = self.tokens.peek() {
            match token.strip_prefix('@') {
                Some(capture) => item.capture = Some(capture),
                None if matches!(token, "?" | "*" | "+") => {}
                None if token == "." => item.step.anchor = Some(Anchor::Last),
                None => break,
            }
            self.tokens.next();
        }
        item
    }

    fn parenthesized(&mut self) -> Item {
        let mut item = match self.tokens.peek() {
            // A group: a node and its settings.
            Some(&"(" | &"[") => self.item(),
            _ => {
                let kind = self.next();
                self.leaf(kind, true)
            }
        };
        while self.tokens.peek() != Some(&")") {
            if self.tokens.peek() == Some(&"(") {
                let mut ahead = self.tokens.clone();
                ahead.next();
                if ahead.next() == Some("#set!") {
                    self.tokens = ahead;
                    let (key, value) = (self.next(), self.next().trim_matches('"'));
                    item.settings.push((key, value));
                    self.next();
                    continue;
                }
            }
            let child = self.item();
            item.children.push(child);
        }
        self.next();
        item
    }

    fn alternatives(&mut self) -> Item {
        let mut all = Item::empty();
        while self.tokens.peek() != Some(&"]") {
            let one = self.item();
            all.step.kinds.extend(one.step.kinds);
            all.children.extend(one.children);
        }
        self.next();
        all
    }

    fn leaf(&self, kind: &'static str, is_named: bool) -> Item {
        let mut item = Item::empty();
        item.step.is_bare = kind == "_" && !is_named;
        if kind != "_" {
            let name = kind.trim_matches('"');
            let is_meant = |id: &u16| {
                self.grammar.node_kind_for_id(*id) == Some(name) && self.grammar.node_kind_is_named(*id) == is_named
            };
            item.step.kinds = (0..self.grammar.node_kind_count() as u16).filter(is_meant).collect();
            assert!(!item.step.kinds.is_empty(), "no node is called {kind}");
        }
        item
    }
}

impl Item {
    fn empty() -> Item {
        Item {
            step: Step { field: None, kinds: Vec::new(), is_bare: false, tokens: Vec::new(), anchor: None },
            capture: None,
            children: Vec::new(),
            settings: Vec::new(),
        }
    }
}

/// Splits a pattern file into brackets, quantifiers, strings and words, without comments.
fn tokens(text: &'static str) -> Vec<&'static str> {
    let mut tokens = Vec::new();
    for line in text.lines() {
        let mut rest = line.trim_start();
        while !rest.is_empty() && !rest.starts_with(';') {
            let length = match rest.as_bytes()[0] {
                b'(' | b')' | b'[' | b']' | b'?' | b'*' | b'+' => 1,
                b'"' => rest[1..].find('"').map_or(rest.len(), |end| end + 2),
                _ => rest.find(|c: char| c.is_whitespace() || "()[]?*+\"".contains(c)).unwrap_or(rest.len()),
            };
            tokens.push(&rest[..length]);
            rest = rest[length..].trim_start();
        }
    }
    tokens
}
