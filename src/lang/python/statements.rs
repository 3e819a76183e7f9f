//! Statements with more than one way through them.

use tree_sitter::Node;

use super::extract::Walker;
use super::flow::{Locals, MOST_RESULTS};
use super::syntax::{FIELDS, Kind, children, field, fields, first_child, kind};
use crate::facts::{Expr, Role};

impl Walker<'_> {
    pub(super) fn if_statement(&mut self, node: Node<'_>) {
        let alternatives = fields(node, FIELDS.alternative);
        let was_dead = self.is_dead;
        let mut ends = Vec::new();
        self.branch(node, &mut ends);
        for alternative in alternatives {
            if kind(alternative) == Kind::ElifClause {
                self.branch(alternative, &mut ends);
            } else if let Some(body) = field(alternative, FIELDS.body) {
                self.block(body);
            }
        }
        if self.is_dead && !was_dead {
            self.frame.locals.end();
        }
        self.is_dead = was_dead;
        self.merge(&ends);
    }

    /// One branch; afterwards the walk stands where the condition was false.
    fn branch(&mut self, node: Node<'_>, ends: &mut Vec<Locals>) {
        let Some(condition) = field(node, FIELDS.condition) else { return };
        self.value(condition);
        let narrowing = self.narrowing(condition);
        let truth = self.static_truth(condition);
        let was_dead = self.is_dead;
        let before = self.frame.locals.clone();
        self.frame.locals.narrow(&narrowing.when_true);
        self.is_dead |= truth == Some(false);
        if let Some(body) = field(node, FIELDS.consequence) {
            self.block(body);
        }
        if truth == Some(false) {
            self.frame.locals.end();
        }
        self.is_dead = was_dead || truth == Some(true);
        ends.push(std::mem::replace(&mut self.frame.locals, before));
        self.frame.locals.narrow(&narrowing.when_false);
    }

    pub(super) fn for_statement(&mut self, node: Node<'_>) {
        let iterated = field(node, FIELDS.right).map_or(self.unknown, |right| self.value(right));
        let before = self.frame.locals.clone();
        let element = self.facts.expr(Expr::Element(iterated));
        if let Some(left) = field(node, FIELDS.left) {
            self.assign(left, element);
        }
        self.looped(node, before);
    }

    pub(super) fn while_statement(&mut self, node: Node<'_>) {
        let before = self.frame.locals.clone();
        if let Some(condition) = field(node, FIELDS.condition) {
            self.value(condition);
            let narrowing = self.narrowing(condition);
            self.frame.locals.narrow(&narrowing.when_true);
        }
        self.looped(node, before);
    }

    /// The body of a loop, and what follows when it ends.
    fn looped(&mut self, node: Node<'_>, before: Locals) {
        let outer_breaks = std::mem::take(&mut self.frame.breaks);
        if let Some(body) = field(node, FIELDS.body) {
            self.block(body);
        }
        let mut ends = std::mem::replace(&mut self.frame.breaks, outer_breaks);
        ends.push(before);
        self.merge(&ends);
        if let Some(alternative) = field(node, FIELDS.alternative) {
            self.block_of(alternative);
        }
    }

    /// `break` and `continue`: what names hold here is what they may hold after the loop.
    pub(super) fn leave_round(&mut self) {
        let locals = self.frame.locals.clone();
        self.frame.breaks.push(locals);
        self.frame.locals.end();
    }

    fn block_of(&mut self, node: Node<'_>) {
        for child in children(node) {
            if kind(child) == Kind::Block {
                self.block(child);
            }
        }
    }

    pub(super) fn try_statement(&mut self, node: Node<'_>) {
        let before = self.frame.locals.clone();
        if let Some(body) = field(node, FIELDS.body) {
            self.block(body);
        }
        let mut ends = Vec::new();
        for clause in children(node) {
            match kind(clause) {
                Kind::ExceptClause => {
                    let after = std::mem::replace(&mut self.frame.locals, before.clone());
                    self.except_clause(clause);
                    ends.push(std::mem::replace(&mut self.frame.locals, after));
                }
                Kind::ElseClause => self.block_of(clause),
                Kind::FinallyClause => {
                    self.merge(&ends);
                    ends.clear();
                    self.block_of(clause);
                }
                _ => {}
            }
        }
        self.merge(&ends);
    }

    fn except_clause(&mut self, node: Node<'_>) {
        let caught = field(node, FIELDS.value).map(|value| {
            let (caught, alias) = match kind(value) {
                Kind::AsPattern => (first_child(value), field(value, FIELDS.alias)),
                _ => (Some(value), field(node, FIELDS.alias)),
            };
            (caught.map_or(self.unknown, |caught| self.instances(caught)), alias)
        });
        if let Some((instance, Some(alias))) = caught {
            self.assign(alias, instance);
        }
        self.block_of(node);
    }

    pub(super) fn with_statement(&mut self, node: Node<'_>) {
        for clause in children(node) {
            if kind(clause) == Kind::WithClause {
                for item in children(clause) {
                    if let Some(value) = field(item, FIELDS.value) {
                        self.with_item(value);
                    }
                }
            }
        }
        if let Some(body) = field(node, FIELDS.body) {
            self.block(body);
        }
    }

    fn with_item(&mut self, node: Node<'_>) {
        if kind(node) != Kind::AsPattern {
            self.value(node);
            return;
        }
        let manager = first_child(node).map_or(self.unknown, |child| self.value(child));
        let entered = self.facts.expr(Expr::Unwrap(manager));
        if let Some(alias) = field(node, FIELDS.alias) {
            self.assign(alias, entered);
        }
    }

    pub(super) fn return_statement(&mut self, node: Node<'_>) {
        if let Some(child) = first_child(node) {
            let value = self.value(child);
            let is_full = self.frame.returns.len() >= MOST_RESULTS;
            if !is_full && !matches!(self.facts.get(value), Expr::Unknown) && !self.frame.returns.contains(&value) {
                self.frame.returns.push(value);
            }
        }
        self.frame.locals.end();
    }

    pub(super) fn raise_statement(&mut self, node: Node<'_>) {
        let cause = field(node, FIELDS.cause);
        for child in children(node) {
            self.value(child);
            if Some(child) != cause {
                let raised = if kind(child) == Kind::Call { field(child, FIELDS.function) } else { Some(child) };
                if let Some(raised) = raised {
                    self.raised(raised);
                }
            }
        }
        self.frame.locals.end();
    }

    /// The exception itself, whose use as a call or value is a reference of its own.
    fn raised(&mut self, node: Node<'_>) {
        let position = match kind(node) {
            Kind::Identifier => node.start_byte(),
            Kind::Attribute => field(node, FIELDS.attribute).map_or(node.start_byte(), |name| name.start_byte()),
            _ => return,
        };
        let expr = self.silently(|walker| walker.value(node));
        if matches!(self.facts.get(expr), Expr::Name(_) | Expr::Member { .. }) {
            self.refer(expr, position, Role::Raise);
        }
    }

    pub(super) fn assert_statement(&mut self, node: Node<'_>) {
        self.each_value(node);
        if let Some(condition) = first_child(node) {
            let narrowing = self.narrowing(condition);
            self.frame.locals.narrow(&narrowing.when_true);
        }
    }
}
