//! Statements: what they bind, and from where on.

use tree_sitter::Node;

use super::extract::{At, Walker};
use super::kinds::{Kind, kind};
use crate::facts::{BindingKind, Expr, ExprId, Role, ScopeKind};

impl<'a> Walker<'a> {
    /// A statement, or an expression (then its value).
    pub(super) fn visit(&mut self, node: Node<'a>, at: At) -> Option<ExprId> {
        match kind(node) {
            Kind::Block => {
                let inner = self.block(at);
                self.statements(node, inner);
            }
            Kind::ShortVarDeclaration => self.short_var(node, at),
            Kind::AssignmentStatement => self.assignment(node, at),
            Kind::VarDeclaration | Kind::ConstDeclaration => self.local_values(node, at),
            Kind::TypeDeclaration => self.types(node, at),
            Kind::IfStatement | Kind::ExpressionSwitch => {
                let inner = self.block(at);
                self.statements(node, inner);
            }
            Kind::ForStatement => self.for_statement(node, at),
            Kind::TypeSwitch => self.type_switch(node, at),
            Kind::ExpressionCase | Kind::DefaultCase | Kind::CommunicationCase => {
                let inner = self.block(at);
                self.statements(node, inner);
            }
            Kind::ReceiveStatement => self.receive(node, at),
            // Only after a syntax error do these stand inside something else.
            Kind::FunctionDeclaration => self.function(node),
            Kind::MethodDeclaration => self.method(node),
            Kind::LabelName => {}
            _ => return Some(self.value(node, at)),
        }
        None
    }

    fn block(&mut self, at: At) -> At {
        At { scope: self.open(at.scope, ScopeKind::Block), ..at }
    }

    /// Every child as a statement.
    pub(super) fn statements(&mut self, node: Node<'a>, at: At) {
        self.each(node, |walker, child| {
            walker.visit(child, at);
        });
    }

    /// Binds a name to a value from `position` on.
    fn local(&mut self, name: Node<'a>, value: Option<ExprId>, value_type: Option<ExprId>, position: u32, at: At) {
        if kind(name) == Kind::Identifier && self.source(name) != "_" {
            let atom = self.atom(name);
            self.facts.bind(at.scope, atom, position, BindingKind::Local { value_type, value });
        }
    }

    /// The values of `count` names on the left of `nodes`: one each, or the parts of a single one.
    fn spread(&mut self, nodes: &[Node<'a>], count: usize, at: At) -> Vec<ExprId> {
        let values: Vec<ExprId> = nodes.iter().map(|node| self.value(*node, at)).collect();
        if values.len() != 1 || count == 1 {
            return values;
        }
        let whole = values[0];
        if !is_call(nodes[0]) && count == 2 {
            // `v, ok := m[k]`, `x.(T)`, `<-c`
            return vec![whole, self.builtin("bool")];
        }
        (0..count as u16).map(|index| self.facts.expr(Expr::Item(whole, index))).collect()
    }

    fn short_var(&mut self, node: Node<'a>, at: At) {
        let Some(left) = self.child(node, self.fields.left) else { return };
        let names = self.list(left);
        let right = self.child(node, self.fields.right).map_or(Vec::new(), |right| self.list(right));
        let values = self.spread(&right, names.len(), at);
        // The names are not yet bound on the right.
        let position = node.end_byte() as u32;
        for (index, name) in names.into_iter().enumerate() {
            self.local(name, values.get(index).copied(), None, position, at);
        }
    }

    fn assignment(&mut self, node: Node<'a>, at: At) {
        if let Some(right) = self.child(node, self.fields.right) {
            self.statements(right, at);
        }
        let left = self.child(node, self.fields.left).map_or(Vec::new(), |left| self.list(left));
        for target in left {
            match kind(target) {
                Kind::Identifier | Kind::SelectorExpression => self.value_as(target, at, Role::Write),
                _ => self.value(target, at),
            };
        }
    }

    /// `var` and `const` inside a function: plain local values.
    fn local_values(&mut self, node: Node<'a>, at: At) {
        let mut inherited = (None, Vec::new());
        self.each_spec(node, |walker, spec| {
            let names = walker.list_of(spec, walker.fields.name);
            let (value_type, mut values) = walker.spec_values(spec, names.len(), at);
            if kind(spec) == Kind::ConstSpec {
                if value_type.is_none() && values.is_empty() {
                    values.clone_from(&inherited.1);
                } else {
                    inherited = (value_type, values.clone());
                }
            }
            let value_type = value_type.or(inherited.0);
            let position = spec.end_byte() as u32;
            for (index, name) in names.into_iter().enumerate() {
                walker.local(name, values.get(index).copied(), value_type, position, at);
            }
        });
    }

    /// The specs of a `var` or `const` declaration, in parentheses or not.
    pub(super) fn each_spec(&mut self, node: Node<'a>, mut visit: impl FnMut(&mut Self, Node<'a>)) {
        let mut specs = Vec::new();
        self.each(node, |walker, child| match kind(child) {
            Kind::VarSpec | Kind::ConstSpec => specs.push(child),
            _ => specs.extend(walker.list(child)),
        });
        for spec in specs {
            visit(self, spec);
        }
    }

    /// Declared type and values of a `var` or `const` spec.
    pub(super) fn spec_values(&mut self, spec: Node<'a>, count: usize, at: At) -> (Option<ExprId>, Vec<ExprId>) {
        let value_type = self.child(spec, self.fields.value_type).map(|written| self.type_expr(written, at));
        let right = self.child(spec, self.fields.value).map_or(Vec::new(), |right| self.list(right));
        (value_type, self.spread(&right, count, at))
    }

    fn for_statement(&mut self, node: Node<'a>, at: At) {
        let inner = self.block(at);
        self.each(node, |walker, child| match kind(child) {
            Kind::RangeClause => walker.range(child, inner),
            Kind::ForClause => walker.statements(child, inner),
            _ => {
                walker.visit(child, inner);
            }
        });
    }

    /// `for k, v := range x`: the first is what iterating yields (the key of a map, the value of a channel), the
    /// second what an index gives. The rules know the types for which that is not so.
    fn range(&mut self, node: Node<'a>, at: At) {
        let ranged = self.child(node, self.fields.right).map(|right| self.value(right, at));
        let names = self.child(node, self.fields.left).map_or(Vec::new(), |left| self.list(left));
        let declares = self.text[node.byte_range()].split("range").next().is_some_and(|left| left.contains(":="));
        for (index, name) in names.into_iter().enumerate() {
            if !declares {
                self.value_as(name, at, Role::Write);
                continue;
            }
            let form = if index == 0 { Expr::Element } else { Expr::Index };
            let value = ranged.map(|ranged| self.facts.expr(form(ranged)));
            self.local(name, value, None, node.end_byte() as u32, at);
        }
    }

    fn receive(&mut self, node: Node<'a>, at: At) {
        let Some(right) = self.child(node, self.fields.right) else { return };
        let names = self.child(node, self.fields.left).map_or(Vec::new(), |left| self.list(left));
        let values = self.spread(&[right], names.len().max(1), at);
        let position = node.end_byte() as u32;
        let declares = self.text[node.start_byte()..right.start_byte()].contains(":=");
        for (index, name) in names.into_iter().enumerate() {
            if declares {
                self.local(name, values.get(index).copied(), None, position, at);
            } else {
                self.value_as(name, at, Role::Write);
            }
        }
    }

    /// A type switch binds its name anew in each case: to the case's type if there is just one.
    fn type_switch(&mut self, node: Node<'a>, at: At) {
        let inner = self.block(at);
        if let Some(initializer) = self.child(node, self.fields.initializer) {
            self.visit(initializer, inner);
        }
        let value = self.child(node, self.fields.value).map(|value| self.value(value, inner));
        let alias = self.child(node, self.fields.alias).and_then(|alias| self.list(alias).first().copied());
        self.each(node, |walker, case| {
            if !matches!(kind(case), Kind::TypeCase | Kind::DefaultCase) {
                return;
            }
            let block = walker.block(inner);
            let mut types = Vec::new();
            for written in walker.list_of(case, walker.fields.value_type) {
                types.push(if walker.source(written) == "nil" {
                    walker.unknown
                } else {
                    walker.type_expr(written, block)
                });
            }
            if let Some(alias) = alias {
                let position = case.start_byte() as u32;
                match types[..] {
                    [only] => walker.local(alias, None, Some(only), position, block),
                    _ => walker.local(alias, value, None, position, block),
                }
            }
            let typed = walker.fields.value_type;
            walker.each_with_field(case, |walker, child, field| {
                if field != typed {
                    walker.visit(child, block);
                }
            });
        });
    }
}

/// True for what may have several results.
fn is_call(node: Node<'_>) -> bool {
    match kind(node) {
        Kind::CallExpression => true,
        Kind::ParenthesizedExpression => node.named_child(0).is_some_and(is_call),
        _ => false,
    }
}
