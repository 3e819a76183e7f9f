//! Statements and the names they bind.

use tree_sitter::Node;

use super::extract::{Context, Walker};
use super::grammar::{Kind, kind};
use crate::facts::{Expr, ExprId, Role, ScopeKind};

impl<'a> Walker<'a> {
    /// Walks a statement or an expression; returns the value of an expression.
    pub(super) fn visit(&mut self, node: Node<'a>, context: Context) -> Option<ExprId> {
        match kind(node) {
            Kind::Block => {
                let inner = self.open_block(context);
                self.statements(node, inner);
            }
            Kind::ShortVarDeclaration => self.short_var_declaration(node, context),
            Kind::AssignmentStatement => self.assignment(node, context),
            Kind::VarDeclaration | Kind::ConstDeclaration => self.local_values(node, context),
            Kind::TypeDeclaration => self.type_declaration(node, context),
            Kind::IfStatement | Kind::ExpressionSwitch => {
                let inner = self.open_block(context);
                self.statements(node, inner);
            }
            Kind::ForStatement => self.for_statement(node, context),
            Kind::TypeSwitch => self.type_switch(node, context),
            Kind::ExpressionCase | Kind::DefaultCase | Kind::CommunicationCase => {
                let inner = self.open_block(context);
                self.statements(node, inner);
            }
            Kind::ReceiveStatement => self.receive_statement(node, context),
            // Nested functions occur only after a syntax error.
            Kind::FunctionDeclaration => self.function(node),
            Kind::MethodDeclaration => self.method(node),
            Kind::LabelName => {}
            _ => return Some(self.value(node, context)),
        }
        None
    }

    /// Returns a context with a new block scope.
    fn open_block(&mut self, context: Context) -> Context {
        Context { scope: self.open_scope(context.scope, ScopeKind::Block), ..context }
    }

    /// Walks every child as a statement.
    pub(super) fn statements(&mut self, node: Node<'a>, context: Context) {
        self.for_each_child(node, |walker, child| {
            walker.visit(child, context);
        });
    }

    fn short_var_declaration(&mut self, node: Node<'a>, context: Context) {
        let Some(left) = self.child(node, self.fields.left) else { return };
        let names = self.children(left);
        let right = self.child(node, self.fields.right).map_or(Vec::new(), |right| self.children(right));
        let values = self.unpack_values(&right, names.len(), context);
        // The names are bound after the statement, so the right side doesn't see them.
        let position = node.end_byte() as u32;
        for (index, name) in names.into_iter().enumerate() {
            self.bind_local(name, values.get(index).copied(), None, position, context);
        }
    }

    fn assignment(&mut self, node: Node<'a>, context: Context) {
        if let Some(right) = self.child(node, self.fields.right) {
            self.statements(right, context);
        }
        let left = self.child(node, self.fields.left).map_or(Vec::new(), |left| self.children(left));
        for target in left {
            match kind(target) {
                Kind::Identifier | Kind::SelectorExpression => self.value_as(target, context, Role::Write),
                _ => self.value(target, context),
            };
        }
    }

    fn for_statement(&mut self, node: Node<'a>, context: Context) {
        let inner = self.open_block(context);
        self.for_each_child(node, |walker, child| match kind(child) {
            Kind::RangeClause => walker.range_clause(child, inner),
            Kind::ForClause => walker.statements(child, inner),
            _ => {
                walker.visit(child, inner);
            }
        });
    }

    /// Binds the variables of `for k, v := range x`: `k` to an element of `x` (a map's key, a channel's value), `v` to
    /// an indexed value. The rules define both for each type.
    fn range_clause(&mut self, node: Node<'a>, context: Context) {
        let ranged = self.child(node, self.fields.right).map(|right| self.value(right, context));
        let names = self.child(node, self.fields.left).map_or(Vec::new(), |left| self.children(left));
        let declares = self.text[node.byte_range()].split("range").next().is_some_and(|left| left.contains(":="));
        for (index, name) in names.into_iter().enumerate() {
            if !declares {
                self.value_as(name, context, Role::Write);
                continue;
            }
            let form = if index == 0 { Expr::Element } else { Expr::Index };
            let value = ranged.map(|ranged| self.facts.expr(form(ranged)));
            self.bind_local(name, value, None, node.end_byte() as u32, context);
        }
    }

    fn receive_statement(&mut self, node: Node<'a>, context: Context) {
        let Some(right) = self.child(node, self.fields.right) else { return };
        let names = self.child(node, self.fields.left).map_or(Vec::new(), |left| self.children(left));
        let values = self.unpack_values(&[right], names.len().max(1), context);
        let position = node.end_byte() as u32;
        let declares = self.text[node.start_byte()..right.start_byte()].contains(":=");
        for (index, name) in names.into_iter().enumerate() {
            if declares {
                self.bind_local(name, values.get(index).copied(), None, position, context);
            } else {
                self.value_as(name, context, Role::Write);
            }
        }
    }

    /// Walks a type switch. Each case binds the name: to the case's type if there is only one, else to the operand.
    fn type_switch(&mut self, node: Node<'a>, context: Context) {
        let inner = self.open_block(context);
        if let Some(initializer) = self.child(node, self.fields.initializer) {
            self.visit(initializer, inner);
        }
        let value = self.child(node, self.fields.value).map(|value| self.value(value, inner));
        let alias = self.child(node, self.fields.alias).and_then(|alias| self.children(alias).first().copied());
        self.for_each_child(node, |walker, case| {
            if !matches!(kind(case), Kind::TypeCase | Kind::DefaultCase) {
                return;
            }
            let block = walker.open_block(inner);
            let mut types = Vec::new();
            for type_node in walker.children_by_field(case, walker.fields.value_type) {
                types.push(if walker.text_of(type_node) == "nil" {
                    walker.unknown
                } else {
                    walker.type_expr(type_node, block)
                });
            }
            if let Some(alias) = alias {
                let position = case.start_byte() as u32;
                match types[..] {
                    [only] => walker.bind_local(alias, None, Some(only), position, block),
                    _ => walker.bind_local(alias, value, None, position, block),
                }
            }
            let typed = walker.fields.value_type;
            walker.for_each_child_with_field(case, |walker, child, field| {
                if field != typed {
                    walker.visit(child, block);
                }
            });
        });
    }
}
