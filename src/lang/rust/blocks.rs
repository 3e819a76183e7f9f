//! Blocks, statements, branches, loops and closures.

use tree_sitter::Node;

use super::attributes::OuterAttributes;
use super::grammar::{Kind, kind};
use super::walker::{Walker, children};
use crate::facts::{Expr, ExprId, ScopeKind};

/// Returns the type that the context determines for the closure parameter with this index, if it has no annotation.
pub type ParameterTypes<'f> = dyn FnMut(&mut Walker, u16) -> Option<ExprId> + 'f;

impl Walker {
    /// Visits a block and returns the value of its last expression. `opens_scope` is false for a function's body, whose
    /// items belong to the function's scope.
    pub fn block(&mut self, node: Node<'_>, opens_scope: bool) -> ExprId {
        let (mark, saved) = (self.locals.len(), self.context);
        let mut cursor = node.walk();
        let parts: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        if opens_scope && parts.iter().any(|part| is_item(kind(*part))) {
            self.context.scope = self.open_scope(ScopeKind::Block);
        }
        let mut attributes = OuterAttributes::default();
        let mut last = self.unknown;
        for part in parts {
            if attributes.try_push(part) {
                continue;
            }
            last = if is_item(kind(part)) {
                self.item(part, &attributes);
                self.unknown
            } else {
                self.statement(part)
            };
            attributes.clear();
        }
        self.locals.truncate(mark);
        self.context = saved;
        last
    }

    /// Visits a statement or an expression. Returns its value, which is the block's value if it comes last.
    pub fn statement(&mut self, node: Node<'_>) -> ExprId {
        match kind(node) {
            Kind::Let => {
                self.let_statement(node);
                self.unknown
            }
            Kind::ExpressionStatement => {
                let value = children(node).first().map_or(self.unknown, |inner| self.value(*inner));
                let has_semicolon = node.child_count() > 1;
                if has_semicolon { self.unknown } else { value }
            }
            node_kind if is_item(node_kind) => {
                self.item(node, &OuterAttributes::default());
                self.unknown
            }
            _ => self.value(node),
        }
    }

    fn let_statement(&mut self, node: Node<'_>) {
        let declared = self.child(node, self.fields.type_node);
        let declared_type = declared.map(|declared| self.type_expr(declared));
        let value_node = self.child(node, self.fields.value);
        let value = value_node.map_or(self.unknown, |value| self.value(value));
        if let Some(alternative) = self.child(node, self.fields.alternative) {
            self.value(alternative);
        }
        let is_partial = declared.is_some_and(|declared| has_placeholder(self.text_of(declared)));
        let bound = match declared_type {
            Some(declared_type) if is_partial => self.expect(declared_type, value),
            Some(declared_type) => self.wrap(declared_type, Expr::Instance),
            None => value,
        };
        let Some(pattern) = self.child(node, self.fields.pattern) else { return };
        self.pattern(pattern, bound);
        let is_empty = declared.is_none() && value_node.is_some_and(|value| is_empty_collection(self.text_of(value)));
        if is_empty && let Some(local) = self.locals.last_mut() {
            local.has_unknown_elements = true;
        }
    }

    /// Visits `if` and returns the union of its branches. Bindings of the condition are in scope of the first branch
    /// only.
    pub fn if_value(&mut self, node: Node<'_>) -> ExprId {
        let mark = self.locals.len();
        if let Some(condition) = self.child(node, self.fields.condition) {
            self.condition(condition);
        }
        let mut parts = Vec::new();
        if let Some(consequence) = self.child(node, self.fields.consequence) {
            parts.push(self.value(consequence));
        }
        self.locals.truncate(mark);
        if let Some(alternative) = self.child(node, self.fields.alternative) {
            parts.push(self.value(alternative));
        }
        self.union(parts)
    }

    /// Visits `match` and returns the union of its arms.
    pub fn match_value(&mut self, node: Node<'_>) -> ExprId {
        let value = self.child(node, self.fields.value).map_or(self.unknown, |value| self.value(value));
        let arms = self.child(node, self.fields.body).map(children).unwrap_or_default();
        let mut parts = Vec::new();
        for arm in arms.into_iter().filter(|arm| kind(*arm) == Kind::MatchArm) {
            let mark = self.locals.len();
            if let Some(pattern) = self.child(arm, self.fields.pattern) {
                self.pattern(pattern, value);
                if let Some(guard) = self.child(pattern, self.fields.condition) {
                    self.condition(guard);
                }
            }
            if let Some(result) = self.child(arm, self.fields.value) {
                parts.push(self.value(result));
            }
            self.locals.truncate(mark);
        }
        self.union(parts)
    }

    /// Visits `for`, `while` or `loop` and returns the union of the values of its `break` expressions.
    pub fn loop_value(&mut self, node: Node<'_>) -> ExprId {
        let mark = self.locals.len();
        if let Some(condition) = self.child(node, self.fields.condition) {
            self.condition(condition);
        }
        if let Some(value) = self.child(node, self.fields.value) {
            let value = self.value(value);
            let element = self.wrap(value, Expr::Element);
            if let Some(pattern) = self.child(node, self.fields.pattern) {
                self.pattern(pattern, element);
            }
        }
        self.break_values.push(Vec::new());
        if let Some(body) = self.child(node, self.fields.body) {
            self.value(body);
        }
        self.locals.truncate(mark);
        let break_values = self.break_values.pop().unwrap_or_default();
        self.union(break_values)
    }

    /// Visits `break value` and adds the value to those of the innermost loop. Labels are ignored.
    pub fn break_value(&mut self, node: Node<'_>) -> ExprId {
        for child in children(node) {
            let value = self.value(child);
            if let Some(break_values) = self.break_values.last_mut() {
                break_values.push(value);
            }
        }
        self.unknown
    }

    /// Visits a closure and returns its function type. `parameter` provides the types of parameters without annotation.
    pub fn closure(&mut self, node: Node<'_>, parameter: &mut ParameterTypes<'_>) -> ExprId {
        let mark = self.locals.len();
        let mut params = Vec::new();
        for (index, child) in
            self.child(node, self.fields.parameters).map(children).unwrap_or_default().into_iter().enumerate()
        {
            let (pattern, annotation) = match kind(child) {
                Kind::Parameter => (self.child(child, self.fields.pattern), self.child(child, self.fields.type_node)),
                _ => (Some(child), None),
            };
            let annotation = annotation.filter(|node| !has_placeholder(self.text_of(*node)));
            let declared = annotation.map(|annotation| self.type_expr(annotation));
            params.push(declared.unwrap_or(self.unknown));
            let value = match declared {
                Some(declared) => self.wrap(declared, Expr::Instance),
                None => parameter(self, index as u16).unwrap_or(self.unknown),
            };
            if let Some(pattern) = pattern {
                self.pattern(pattern, value);
            }
        }
        let declared = self.child(node, self.fields.return_type).map(|declared| self.type_expr(declared));
        let value = self.child(node, self.fields.body).map_or(self.unknown, |body| self.value(body));
        self.locals.truncate(mark);
        let result = match declared {
            Some(declared) => self.wrap(declared, Expr::Instance),
            None => value,
        };
        self.builder.expr(Expr::Function { params, result: Some(result) })
    }
}

/// Returns whether a node defines or imports something.
pub fn is_item(node_kind: Kind) -> bool {
    matches!(
        node_kind,
        Kind::FunctionItem
            | Kind::FunctionSignature
            | Kind::StructItem
            | Kind::EnumItem
            | Kind::UnionItem
            | Kind::TraitItem
            | Kind::ImplItem
            | Kind::TypeItem
            | Kind::AssociatedType
            | Kind::ConstItem
            | Kind::StaticItem
            | Kind::ModItem
            | Kind::MacroDefinition
            | Kind::Use
            | Kind::ExternCrate
            | Kind::ForeignMod
    )
}

/// Returns whether a type contains the placeholder `_`, as in `Vec<_>`.
pub fn has_placeholder(text: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == "_")
}

/// Returns whether an initializer creates an empty collection or option.
fn is_empty_collection(text: &str) -> bool {
    matches!(text, "None" | "vec![]")
        || ["Vec", "VecDeque", "HashMap", "HashSet", "BTreeMap", "BTreeSet", "BinaryHeap", "SmallVec"].iter().any(
            |name| {
                text.strip_prefix(name)
                    .is_some_and(|rest| rest.starts_with("::new") || rest.starts_with("::with_capacity"))
            },
        )
}
