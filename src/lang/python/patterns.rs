//! `match` statements and their patterns.

use tree_sitter::Node;

use super::extract::Walker;
use super::flow::Locals;
use super::grammar::{FIELDS, Kind, children, field, first_child, kind};
use crate::facts::{Atom, Expr, ExprId, Role};

impl Walker<'_> {
    /// Walks a `match` statement, with the locals of all cases merged after it.
    pub(super) fn match_statement(&mut self, node: Node<'_>) {
        let mut subject = None;
        for child in children(node) {
            if kind(child) != Kind::Block {
                let value = self.value(child);
                subject = Some((value, (kind(child) == Kind::Identifier).then(|| self.atom(child))));
            }
        }
        let Some(body) = field(node, FIELDS.body) else { return };
        let (value, name) = subject.unwrap_or((self.unknown, None));
        let mut exits: Vec<Locals> = Vec::new();
        for clause in children(body) {
            if kind(clause) == Kind::CaseClause {
                let before = self.frame.locals.clone();
                self.case_clause(clause, value, name);
                exits.push(std::mem::replace(&mut self.frame.locals, before));
            }
        }
        self.merge(&exits);
    }

    /// Walks a case; `name` is the subject's name, if it is one.
    fn case_clause(&mut self, node: Node<'_>, subject: ExprId, name: Option<Atom>) {
        for child in children(node) {
            match kind(child) {
                Kind::CasePattern => {
                    let matched = self.pattern(child, subject);
                    if let Some(name) = name.filter(|_| matched != subject) {
                        self.frame.locals.set(name, matched);
                    }
                }
                Kind::IfClause => self.each_value(child),
                Kind::Block => self.block(child),
                _ => {}
            }
        }
    }

    /// Binds the captures of a pattern and returns the value of the subject if it matches.
    fn pattern(&mut self, node: Node<'_>, subject: ExprId) -> ExprId {
        match kind(node) {
            Kind::CasePattern => first_child(node).map_or(subject, |inner| self.pattern(inner, subject)),
            Kind::ClassPattern => self.class_pattern(node),
            Kind::AsPattern => {
                let parts = children(node);
                let matched = parts.first().map_or(subject, |inner| self.pattern(*inner, subject));
                if let Some(alias) = parts.get(1) {
                    self.assign(*alias, matched);
                }
                matched
            }
            Kind::UnionPattern => {
                let parts = children(node).into_iter().map(|part| self.pattern(part, subject)).collect();
                self.union(parts)
            }
            Kind::DottedName => {
                self.dotted_pattern(node, subject);
                subject
            }
            Kind::Identifier => {
                self.assign(node, subject);
                subject
            }
            Kind::ListPattern | Kind::TuplePattern => {
                for (index, part) in children(node).into_iter().enumerate() {
                    let item = self.item(subject, index);
                    self.pattern(part, item);
                }
                subject
            }
            Kind::KeywordPattern => {
                for part in children(node).into_iter().skip(1) {
                    self.pattern(part, self.unknown);
                }
                subject
            }
            Kind::String | Kind::ConcatenatedString => {
                self.string(node);
                subject
            }
            _ => {
                for part in children(node) {
                    self.pattern(part, self.unknown);
                }
                subject
            }
        }
    }

    /// Walks a name: a single one captures the subject, a dotted one is a value pattern.
    fn dotted_pattern(&mut self, node: Node<'_>, subject: ExprId) {
        let parts = children(node);
        match parts.as_slice() {
            [single] if self.text_of(*single) != "_" => self.assign(*single, subject),
            [_, ..] => {
                self.dotted(&parts, Role::Read);
            }
            [] => {}
        }
    }

    /// Adds a dotted name whose last part is used in `last_role`.
    fn dotted(&mut self, parts: &[Node<'_>], last_role: Role) -> ExprId {
        let mut expr = self.unknown;
        for (index, part) in parts.iter().enumerate() {
            let role = if index + 1 == parts.len() { last_role } else { Role::Read };
            if index == 0 {
                expr = self.value_as(*part, role);
            } else {
                let text = self.text_of(*part);
                expr = self.facts.member(expr, text);
                self.add_reference(expr, part.start_byte(), role);
            }
        }
        expr
    }

    /// Walks a class pattern and returns an instance of the class.
    fn class_pattern(&mut self, node: Node<'_>) -> ExprId {
        let parts = children(node);
        let Some(name) = parts.first() else { return self.unknown };
        let class = self.dotted(&children(*name), Role::Type);
        for part in parts.iter().skip(1) {
            self.pattern(*part, self.unknown);
        }
        self.facts.expr(Expr::Instance(class))
    }
}
