//! Assignments: to module variables, class attributes, attributes of `self`, and locals.

use tree_sitter::Node;

use super::docs;
use super::extract::{Context, MODULE_SCOPE, Walker};
use super::flow::OuterBinding;
use super::grammar::{FIELDS, Kind, children, field, first_child, kind};
use crate::facts::{BindingKind, Container, DefId, Expr, ExprId, Role, ScopeId};
use crate::model::SymbolKind;

/// The value and the declared type of an assignment.
#[derive(Debug, Clone, Copy)]
struct AssignedValue {
    value: Option<ExprId>,
    value_type: Option<ExprId>,
}

impl Walker<'_> {
    /// Walks an assignment: `a = b = value`, `a: T = value`, `a: T`.
    pub(super) fn assignment(&mut self, node: Node<'_>) {
        let mut targets = Vec::new();
        let mut right = Some(node);
        while let Some(inner) = right.filter(|inner| kind(*inner) == Kind::Assignment) {
            targets.extend(field(inner, FIELDS.left));
            right = field(inner, FIELDS.right);
        }
        let is_definition = self.context.class.is_some() || !self.context.is_local;
        let declared_node = field(node, FIELDS.type_node);
        if let (Some(target), Some(value)) = (targets.first().copied(), right)
            && kind(target) == Kind::Identifier
        {
            if kind(value) == Kind::Lambda && targets.len() == 1 {
                self.lambda_definition(target, value, node);
                return;
            }
            if is_definition && self.type_assignment(node, target, declared_node, value) {
                return;
            }
        }
        let value_type = declared_node.map(|declared| self.annotation(declared)).filter(|_| {
            // With bare `Final` and `ClassVar`, and with `Any`, the value determines the type.
            let name = declared_node.map_or("", |declared| self.last_name(declared));
            !matches!(name, "Final" | "ClassVar" | "Any" | "TypeAlias") || declared_node.is_some_and(is_applied)
        });
        // The words of the value belong to the variable if it is a single one, else to the enclosing definition.
        let is_single = targets.len() == 1 && is_definition && kind(targets[0]) == Kind::Identifier;
        let defined = is_single.then(|| self.declare_variable(targets[0], node, right)).flatten();
        let outer = self.context;
        if let Some(id) = defined {
            self.context.body = Some(id);
        }
        let value = right.map(|right| self.value(right));
        self.context = outer;
        let assigned = AssignedValue { value, value_type };
        if let Some(id) = defined {
            self.record_assignment(id, assigned, None);
            return;
        }
        for target in targets {
            self.assign_to(target, assigned, node);
        }
    }

    /// Walks `a += value`.
    pub(super) fn augmented_assignment(&mut self, node: Node<'_>) {
        let value = field(node, FIELDS.right).map_or(self.unknown, |right| self.value(right));
        let Some(left) = field(node, FIELDS.left) else { return };
        if kind(left) != Kind::Identifier {
            // The target keeps its type.
            self.read_target(left);
            return;
        }
        let previous = self.value(left);
        let name = self.atom(left);
        if self.context.is_local && self.frame.locals.get(name).is_none() && self.frame.outer_binding(name).is_none() {
            let union = self.union(vec![previous, value]);
            self.assign(left, union);
        }
    }

    /// Assigns a value to a target of any form.
    pub(super) fn assign(&mut self, target: Node<'_>, value: ExprId) {
        self.assign_to(target, AssignedValue { value: Some(value), value_type: None }, target);
    }

    /// Assigns to a target of any form; `statement` is the node of a definition that this adds.
    fn assign_to(&mut self, target: Node<'_>, assigned: AssignedValue, statement: Node<'_>) {
        match kind(target) {
            Kind::Identifier => self.assign_name(target, assigned, statement),
            Kind::PatternList
            | Kind::TuplePattern
            | Kind::ListPattern
            | Kind::Tuple
            | Kind::List
            | Kind::ExpressionList => {
                let value = assigned.value.unwrap_or(self.unknown);
                for (index, part) in children(target).into_iter().enumerate() {
                    let item =
                        if kind(part) == Kind::ListSplatPattern { self.unknown } else { self.item(value, index) };
                    self.assign_to(part, AssignedValue { value: Some(item), value_type: None }, statement);
                }
            }
            Kind::ListSplatPattern | Kind::ParenthesizedExpression | Kind::AsPatternTarget => {
                if let Some(inner) = first_child(target) {
                    self.assign_to(inner, assigned, statement);
                }
            }
            Kind::Attribute => self.assign_attribute(target, assigned, statement),
            _ => self.read_target(target),
        }
    }

    /// Walks a target that binds no name.
    fn read_target(&mut self, target: Node<'_>) {
        if kind(target) == Kind::Attribute {
            self.value_as(target, Role::Write);
        } else {
            self.each_value(target);
        }
    }

    /// Adds the `index`-th item of an unpacked value.
    pub(super) fn item(&mut self, value: ExprId, index: usize) -> ExprId {
        match self.facts.get(value) {
            Expr::Unknown => self.unknown,
            Expr::Tuple(parts) => parts.get(index).copied().unwrap_or(self.unknown),
            _ => self.facts.expr(Expr::Item(value, index.min(u16::MAX as usize) as u16)),
        }
    }

    /// Assigns to a name: a module or class variable, a global, or a local.
    fn assign_name(&mut self, target: Node<'_>, assigned: AssignedValue, statement: Node<'_>) {
        let name = self.atom(target);
        let is_plain = kind(statement) == Kind::Assignment;
        if self.context.class.is_some() || (!self.context.is_local && is_plain) {
            if let Some(id) = self.declare_variable(target, statement, None) {
                self.record_assignment(id, assigned, None);
            }
            return;
        }
        match self.frame.outer_binding(name) {
            Some(OuterBinding::Nonlocal) => return,
            Some(OuterBinding::Global) => {
                let outer = self.context;
                self.context = Context { scope: MODULE_SCOPE, source: None, is_local: false, ..outer };
                let names = std::mem::take(&mut self.names);
                let defined = self.declare_variable(target, statement, None);
                self.names = names;
                self.context = outer;
                if let Some(id) = defined {
                    self.record_assignment(id, assigned, Some(outer.scope));
                }
                return;
            }
            None => {}
        }
        let position = target.start_byte() as u32;
        let AssignedValue { value, value_type } = assigned;
        if !self.is_replay {
            self.bind(self.context.scope, name, position, BindingKind::Local { value_type, value });
        }
        if let Some(value_type) = value_type {
            let instance = self.facts.expr(Expr::Instance(value_type));
            self.frame.declared.push((name, instance));
        }
        let local = match (self.frame.declared(name), value) {
            (Some(declared), Some(value)) => self.assigned_or_declared(declared, value),
            (Some(declared), None) => declared,
            (None, value) => value.unwrap_or(self.unknown),
        };
        if self.context.is_local {
            self.frame.locals.set(name, local);
        } else {
            self.frame.locals.forget(name);
        }
    }

    /// Returns the value of an annotated name after an assignment: an instance narrows the annotation, other values
    /// don't.
    fn assigned_or_declared(&mut self, declared: ExprId, value: ExprId) -> ExprId {
        match self.facts.get(value) {
            Expr::Instance(_) => value,
            _ => declared,
        }
    }

    /// Walks an assignment to an attribute. An attribute of `self` is a field of the class.
    fn assign_attribute(&mut self, target: Node<'_>, assigned: AssignedValue, statement: Node<'_>) {
        let expr = self.value_as(target, Role::Write);
        if !self.frame.narrowed_paths.is_empty() {
            let path = self.atom(target);
            self.frame.locals.forget(path);
        }
        let Expr::Member { base, name } = *self.facts.get(expr) else { return };
        let is_own = matches!(self.facts.get(base), Expr::Receiver | Expr::ReceiverType);
        let Some(class) = self.frame.class.filter(|_| is_own && !self.is_replay) else { return };
        if self.methods.contains(&(class, name)) {
            return;
        }
        let scope = self.context.scope;
        if let Some(&member) = self.members.get(&(class, name)) {
            self.record_assignment(member, assigned, Some(scope));
            return;
        }
        let Some(name_node) = field(target, FIELDS.attribute) else { return };
        let mut definition = self.new_definition(name, SymbolKind::Field, statement, name_node);
        let owner = self.facts.definition(class);
        definition.scope_names = owner.scope_names.iter().copied().chain([owner.name]).collect();
        definition.flags.is_local = owner.flags.is_local;
        definition.container = Container::Definition(class);
        definition.parent = Some(class);
        definition.signature = docs::variable_signature(self.text_of(statement));
        definition.doc = docs::variable_doc(statement, self.text);
        let id = self.facts.define(definition, String::new());
        self.members.insert((class, name), id);
        self.record_assignment(id, assigned, Some(scope));
    }

    /// Returns the definition of a module or class variable, which is added if it is new. `None` if the name is a
    /// method, or an import that is set to `None`.
    fn declare_variable(&mut self, target: Node<'_>, statement: Node<'_>, value: Option<Node<'_>>) -> Option<DefId> {
        let name = self.atom(target);
        let class = self.context.class;
        if let Some(class) = class {
            if self.methods.contains(&(class, name)) {
                return None;
            }
            if let Some(&member) = self.members.get(&(class, name)) {
                return Some(member);
            }
        } else {
            self.frame.locals.forget(name);
            if let Some(&variable) = self.variables.get(&name) {
                return Some(variable);
            }
            if self.imported.contains(&name) && value.is_some_and(|value| kind(value) == Kind::None) {
                return None;
            }
        }
        let text = self.text_of(target);
        let kind = match class {
            Some(_) => SymbolKind::Field,
            None if is_constant(text) => SymbolKind::Const,
            None => SymbolKind::Var,
        };
        let mut definition = self.new_definition(name, kind, statement, target);
        definition.signature = docs::variable_signature(self.text_of(statement));
        definition.doc = docs::variable_doc(statement, self.text);
        let id = self.facts.define(definition, String::new());
        self.bind(self.context.scope, name, target.start_byte() as u32, BindingKind::Definition(id));
        match class {
            Some(class) => self.members.insert((class, name), id),
            None => self.variables.insert(name, id),
        };
        Some(id)
    }

    /// Adds the type and value of an assignment to a variable's definition. A declared type wins; else values assigned
    /// in the same scope are united, without those of unknown type and `None`.
    fn record_assignment(&mut self, id: DefId, assigned: AssignedValue, scope: Option<ScopeId>) {
        let definition = self.facts.definition(id);
        if definition.value_type.is_some() {
            return;
        }
        let previous = definition.value;
        let is_same_scope = definition.value_scope == scope;
        if assigned.value_type.is_some() {
            let definition = self.facts.definition_mut(id);
            definition.value_type = assigned.value_type;
            definition.scope = scope.unwrap_or(definition.scope);
        }
        let Some(value) = assigned.value else { return };
        let is_uninformative =
            |walker: &Self, expr: ExprId| matches!(walker.facts.get(expr), Expr::Unknown) || walker.is_none(expr);
        let value = match previous {
            Some(previous) if !is_uninformative(self, previous) => {
                if !is_same_scope || is_uninformative(self, value) {
                    return;
                }
                self.union(vec![previous, value])
            }
            _ => value,
        };
        let definition = self.facts.definition_mut(id);
        definition.value = Some(value);
        definition.value_scope = scope;
    }
}

/// Returns whether an annotation has type arguments.
fn is_applied(annotation: Node<'_>) -> bool {
    let inner = first_child(annotation).map_or(Kind::Other, kind);
    matches!(inner, Kind::Subscript | Kind::GenericType)
}

/// Returns whether a name is that of a constant: `MAX_SIZE` (PEP 8).
pub(super) fn is_constant(name: &str) -> bool {
    name.len() > 1
        && name.bytes().any(|letter| letter.is_ascii_uppercase())
        && !name.bytes().any(|letter| letter.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    #[test]
    fn constants_are_upper_case() {
        assert!(super::is_constant("MAX_SIZE"));
        assert!(!super::is_constant("Thing"));
        assert!(!super::is_constant("T"));
        assert!(!super::is_constant("__all__"));
    }
}
