//! Statements: dispatch, and control flow through branches, loops and handlers.

use tree_sitter::Node;

use super::extract::Walker;
use super::flow::{Locals, MAX_RESULTS, OuterBinding};
use super::grammar::{FIELDS, Kind, children, children_by_field, field, first_child, kind};
use crate::facts::{Expr, Role};

impl Walker<'_> {
    /// Walks every statement of a block, module or class body.
    pub(super) fn block(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.statement(child);
        }
    }

    fn statement(&mut self, node: Node<'_>) {
        match kind(node) {
            Kind::ExpressionStatement => self.expression_statement(node),
            Kind::FunctionDefinition => self.function(node, node, &[]),
            Kind::ClassDefinition => self.class(node, node, &[]),
            Kind::DecoratedDefinition => self.decorated(node),
            Kind::IfStatement => self.if_statement(node),
            Kind::ForStatement => self.for_statement(node),
            Kind::WhileStatement => self.while_statement(node),
            Kind::TryStatement => self.try_statement(node),
            Kind::WithStatement => self.with_statement(node),
            Kind::MatchStatement => self.match_statement(node),
            Kind::ReturnStatement => self.return_statement(node),
            Kind::RaiseStatement => self.raise_statement(node),
            Kind::AssertStatement => self.assert_statement(node),
            Kind::BreakStatement | Kind::ContinueStatement => self.break_or_continue(),
            Kind::ImportStatement => self.import_statement(node),
            Kind::ImportFrom => self.import_from(node),
            Kind::GlobalStatement => self.global_statement(node, OuterBinding::Global),
            Kind::NonlocalStatement => self.global_statement(node, OuterBinding::Nonlocal),
            Kind::TypeAliasStatement => self.type_alias(node),
            Kind::Comment | Kind::FutureImport => {}
            Kind::Block => self.block(node),
            _ => self.each_value(node),
        }
    }

    fn expression_statement(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match kind(child) {
                Kind::Assignment => self.assignment(child),
                Kind::AugmentedAssignment => self.augmented_assignment(child),
                // A docstring is part of the doc and not of the body's words.
                Kind::String if node.named_child_count() == 1 => self.string_statement(child),
                Kind::Comment => {}
                _ => {
                    self.value(child);
                }
            }
        }
    }

    /// Walks a string that is a statement, if it has interpolations.
    fn string_statement(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let parts: Vec<_> = node.named_children(&mut cursor).collect();
        if parts.iter().any(|part| kind(*part) == Kind::Interpolation) {
            self.value(node);
        }
    }

    /// Walks every child as a value.
    pub(super) fn each_value(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            self.value(child);
        }
    }

    /// Records the names of a `global` or `nonlocal` statement.
    fn global_statement(&mut self, node: Node<'_>, binding: OuterBinding) {
        for child in children(node) {
            let name = self.atom(child);
            self.frame.outer_names.push((name, binding));
        }
    }

    fn decorated(&mut self, node: Node<'_>) {
        let Some(definition) = field(node, FIELDS.definition) else { return };
        let decorators: Vec<_> = children(node).into_iter().filter(|child| kind(*child) == Kind::Decorator).collect();
        match kind(definition) {
            Kind::FunctionDefinition => self.function(definition, node, &decorators),
            Kind::ClassDefinition => self.class(definition, node, &decorators),
            _ => {}
        }
    }

    pub(super) fn if_statement(&mut self, node: Node<'_>) {
        let alternatives = children_by_field(node, FIELDS.alternative);
        let was_unreachable = self.is_unreachable;
        let mut exits = Vec::new();
        self.branch(node, &mut exits);
        for alternative in alternatives {
            if kind(alternative) == Kind::ElifClause {
                self.branch(alternative, &mut exits);
            } else if let Some(body) = field(alternative, FIELDS.body) {
                self.block(body);
            }
        }
        if self.is_unreachable && !was_unreachable {
            self.frame.locals.terminate();
        }
        self.is_unreachable = was_unreachable;
        self.merge(&exits);
    }

    /// Walks one branch and adds its final state to `exits`. Afterwards locals are as if the condition was false.
    fn branch(&mut self, node: Node<'_>, exits: &mut Vec<Locals>) {
        let Some(condition) = field(node, FIELDS.condition) else { return };
        self.value(condition);
        let narrowing = self.narrowing(condition);
        let condition_value = self.static_condition(condition);
        let was_unreachable = self.is_unreachable;
        let before = self.frame.locals.clone();
        self.frame.locals.narrow(&narrowing.when_true);
        self.is_unreachable |= condition_value == Some(false);
        if let Some(body) = field(node, FIELDS.consequence) {
            self.block(body);
        }
        if condition_value == Some(false) {
            self.frame.locals.terminate();
        }
        self.is_unreachable = was_unreachable || condition_value == Some(true);
        exits.push(std::mem::replace(&mut self.frame.locals, before));
        self.frame.locals.narrow(&narrowing.when_false);
    }

    pub(super) fn for_statement(&mut self, node: Node<'_>) {
        let iterated = field(node, FIELDS.right).map_or(self.unknown, |right| self.value(right));
        let before = self.frame.locals.clone();
        let element = self.facts.expr(Expr::Element(iterated));
        if let Some(left) = field(node, FIELDS.left) {
            self.assign(left, element);
        }
        self.loop_body(node, before);
    }

    pub(super) fn while_statement(&mut self, node: Node<'_>) {
        let before = self.frame.locals.clone();
        if let Some(condition) = field(node, FIELDS.condition) {
            self.value(condition);
            let narrowing = self.narrowing(condition);
            self.frame.locals.narrow(&narrowing.when_true);
        }
        self.loop_body(node, before);
    }

    /// Walks the body and the `else` clause of a loop; `before` is the state if it has no iteration.
    fn loop_body(&mut self, node: Node<'_>, before: Locals) {
        let outer_breaks = std::mem::take(&mut self.frame.breaks);
        if let Some(body) = field(node, FIELDS.body) {
            self.block(body);
        }
        let mut exits = std::mem::replace(&mut self.frame.breaks, outer_breaks);
        exits.push(before);
        self.merge(&exits);
        if let Some(alternative) = field(node, FIELDS.alternative) {
            self.nested_blocks(alternative);
        }
    }

    /// Walks `break` or `continue`: the current locals are one possible state after the loop.
    pub(super) fn break_or_continue(&mut self) {
        let locals = self.frame.locals.clone();
        self.frame.breaks.push(locals);
        self.frame.locals.terminate();
    }

    /// Walks the blocks of a clause.
    fn nested_blocks(&mut self, node: Node<'_>) {
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
        let mut exits = Vec::new();
        for clause in children(node) {
            match kind(clause) {
                Kind::ExceptClause => {
                    let after = std::mem::replace(&mut self.frame.locals, before.clone());
                    self.except_clause(clause);
                    exits.push(std::mem::replace(&mut self.frame.locals, after));
                }
                Kind::ElseClause => self.nested_blocks(clause),
                Kind::FinallyClause => {
                    self.merge(&exits);
                    exits.clear();
                    self.nested_blocks(clause);
                }
                _ => {}
            }
        }
        self.merge(&exits);
    }

    fn except_clause(&mut self, node: Node<'_>) {
        let caught = field(node, FIELDS.value).map(|value| {
            let (caught, alias) = match kind(value) {
                Kind::AsPattern => (first_child(value), field(value, FIELDS.alias)),
                _ => (Some(value), field(node, FIELDS.alias)),
            };
            (caught.map_or(self.unknown, |caught| self.class_instances(caught)), alias)
        });
        if let Some((instance, Some(alias))) = caught {
            self.assign(alias, instance);
        }
        self.nested_blocks(node);
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
            let is_full = self.frame.returns.len() >= MAX_RESULTS;
            if !is_full && !matches!(self.facts.get(value), Expr::Unknown) && !self.frame.returns.contains(&value) {
                self.frame.returns.push(value);
            }
        }
        self.frame.locals.terminate();
    }

    pub(super) fn raise_statement(&mut self, node: Node<'_>) {
        let cause = field(node, FIELDS.cause);
        for child in children(node) {
            self.value(child);
            if Some(child) != cause {
                let raised = if kind(child) == Kind::Call { field(child, FIELDS.function) } else { Some(child) };
                if let Some(raised) = raised {
                    self.raised_exception(raised);
                }
            }
        }
        self.frame.locals.terminate();
    }

    /// Records the `raise` reference to an exception, besides that of its call or value.
    fn raised_exception(&mut self, node: Node<'_>) {
        let position = match kind(node) {
            Kind::Identifier => node.start_byte(),
            Kind::Attribute => field(node, FIELDS.attribute).map_or(node.start_byte(), |name| name.start_byte()),
            _ => return,
        };
        let expr = self.replay(|walker| walker.value(node));
        if matches!(self.facts.get(expr), Expr::Name(_) | Expr::Member { .. }) {
            self.add_reference(expr, position, Role::Raise);
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
