//! Assignments: to module variables, class attributes, attributes of `self`, and locals.

use tree_sitter::Node;

use super::docs;
use super::extract::{Place, Walker};
use super::syntax::{FIELDS, Kind, children, field, first_child, kind};
use crate::facts::{BindingKind, Container, DefId, Expr, ExprId, Role, ScopeId};
use crate::model::SymbolKind;

/// What is assigned.
#[derive(Debug, Clone, Copy)]
struct Assigned {
    value: Option<ExprId>,
    value_type: Option<ExprId>,
}

impl Walker<'_> {
    /// `a = b = value`, `a: T = value`, `a: T`.
    pub(super) fn assignment(&mut self, node: Node<'_>) {
        let mut targets = Vec::new();
        let mut right = Some(node);
        while let Some(inner) = right.filter(|inner| kind(*inner) == Kind::Assignment) {
            targets.extend(field(inner, FIELDS.left));
            right = field(inner, FIELDS.right);
        }
        let is_definition = self.at.class.is_some() || !self.at.is_local;
        let declared_node = field(node, FIELDS.type_node);
        if let (Some(target), Some(value)) = (targets.first().copied(), right)
            && kind(target) == Kind::Identifier
        {
            if kind(value) == Kind::Lambda && targets.len() == 1 {
                self.lambda_definition(target, value, node);
                return;
            }
            if is_definition && self.special_assignment(node, target, declared_node, value) {
                return;
            }
        }
        let value_type = declared_node.map(|declared| self.annotation(declared)).filter(|_| {
            // Bare `Final` and `ClassVar` leave the type to the value, and so does `Any`.
            let name = declared_node.map_or("", |declared| self.last_name(declared));
            !matches!(name, "Final" | "ClassVar" | "Any" | "TypeAlias") || declared_node.is_some_and(is_applied)
        });
        // A single variable's own value counts as its body; else the words go to what encloses it.
        let single = targets.len() == 1 && is_definition && kind(targets[0]) == Kind::Identifier;
        let defined = single.then(|| self.declare_variable(targets[0], node, right)).flatten();
        let outer = self.at;
        if let Some(id) = defined {
            self.at.body = Some(id);
        }
        let value = right.map(|right| self.value(right));
        self.at = outer;
        let assigned = Assigned { value, value_type };
        if let Some(id) = defined {
            self.fill(id, assigned, None);
            return;
        }
        for target in targets {
            self.assign_to(target, assigned, node);
        }
    }

    pub(super) fn augmented_assignment(&mut self, node: Node<'_>) {
        let value = field(node, FIELDS.right).map_or(self.unknown, |right| self.value(right));
        let Some(left) = field(node, FIELDS.left) else { return };
        if kind(left) != Kind::Identifier {
            // What the target held stays its type.
            self.target(left);
            return;
        }
        let held = self.value(left);
        let name = self.atom(left);
        if self.at.is_local && self.frame.locals.get(name).is_none() && self.frame.outer(name).is_none() {
            let union = self.union(vec![held, value]);
            self.assign(left, union);
        }
    }

    /// Assigns a value to a target of any form.
    pub(super) fn assign(&mut self, target: Node<'_>, value: ExprId) {
        self.assign_to(target, Assigned { value: Some(value), value_type: None }, target);
    }

    fn assign_to(&mut self, target: Node<'_>, assigned: Assigned, statement: Node<'_>) {
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
                    self.assign_to(part, Assigned { value: Some(item), value_type: None }, statement);
                }
            }
            Kind::ListSplatPattern | Kind::ParenthesizedExpression | Kind::AsPatternTarget => {
                if let Some(inner) = first_child(target) {
                    self.assign_to(inner, assigned, statement);
                }
            }
            Kind::Attribute => self.assign_attribute(target, assigned, statement),
            _ => self.target(target),
        }
    }

    /// Reads what a target that binds no name consists of.
    fn target(&mut self, target: Node<'_>) {
        if kind(target) == Kind::Attribute {
            self.value_as(target, Role::Write);
        } else {
            self.each_value(target);
        }
    }

    /// The n-th part of a value that is taken apart.
    pub(super) fn item(&mut self, value: ExprId, index: usize) -> ExprId {
        match self.facts.get(value) {
            Expr::Unknown => self.unknown,
            Expr::Tuple(parts) => parts.get(index).copied().unwrap_or(self.unknown),
            _ => self.facts.expr(Expr::Item(value, index.min(u16::MAX as usize) as u16)),
        }
    }

    fn assign_name(&mut self, target: Node<'_>, assigned: Assigned, statement: Node<'_>) {
        let name = self.atom(target);
        let is_plain = kind(statement) == Kind::Assignment;
        if self.at.class.is_some() || (!self.at.is_local && is_plain) {
            if let Some(id) = self.declare_variable(target, statement, None) {
                self.fill(id, assigned, None);
            }
            return;
        }
        match self.frame.outer(name) {
            Some(true) => return,
            Some(false) => {
                let outer = self.at;
                self.at = Place { scope: ScopeId(0), source: None, is_local: false, ..outer };
                let names = std::mem::take(&mut self.names);
                let defined = self.declare_variable(target, statement, None);
                self.names = names;
                self.at = outer;
                if let Some(id) = defined {
                    self.fill(id, assigned, Some(outer.scope));
                }
                return;
            }
            None => {}
        }
        let position = target.start_byte() as u32;
        let Assigned { value, value_type } = assigned;
        if !self.is_silent {
            self.bind(self.at.scope, name, position, BindingKind::Local { value_type, value });
        }
        if let Some(value_type) = value_type {
            let instance = self.facts.expr(Expr::Instance(value_type));
            self.frame.declared.push((name, instance));
        }
        let held = match (self.frame.declared(name), value) {
            (Some(declared), Some(value)) => self.declared_or(declared, value),
            (Some(declared), None) => declared,
            (None, value) => value.unwrap_or(self.unknown),
        };
        if self.at.is_local {
            self.frame.locals.set(name, held);
        } else {
            self.frame.locals.forget(name);
        }
    }

    /// What a name with an annotation holds after an assignment: a new instance is what it is, anything else is
    /// only known to fit the annotation.
    fn declared_or(&mut self, declared: ExprId, value: ExprId) -> ExprId {
        match self.facts.get(value) {
            Expr::Instance(_) => value,
            _ => declared,
        }
    }

    fn assign_attribute(&mut self, target: Node<'_>, assigned: Assigned, statement: Node<'_>) {
        let expr = self.value_as(target, Role::Write);
        if !self.frame.narrowed_paths.is_empty() {
            let path = self.atom(target);
            self.frame.locals.forget(path);
        }
        let Expr::Member { base, name } = *self.facts.get(expr) else { return };
        let is_own = matches!(self.facts.get(base), Expr::Receiver | Expr::ReceiverType);
        let Some(class) = self.frame.class.filter(|_| is_own && !self.is_silent) else { return };
        if self.methods.contains(&(class, name)) {
            return;
        }
        let scope = self.at.scope;
        if let Some(&known) = self.members.get(&(class, name)) {
            self.fill(known, assigned, Some(scope));
            return;
        }
        let Some(name_node) = field(target, FIELDS.attribute) else { return };
        let mut definition = self.blank(name, SymbolKind::Field, statement, name_node);
        let owner = self.facts.definition(class);
        definition.scope_names = owner.scope_names.iter().copied().chain([owner.name]).collect();
        definition.flags.is_local = owner.flags.is_local;
        definition.container = Container::Definition(class);
        definition.parent = Some(class);
        definition.signature = docs::variable_signature(self.slice(statement));
        definition.doc = docs::variable_doc(statement, self.text);
        let id = self.facts.define(definition, String::new());
        self.members.insert((class, name), id);
        self.fill(id, assigned, Some(scope));
    }

    /// The definition of a variable of the module or of a class's body, new or known. `None` when the name is
    /// already something better: a function, or an import that this assignment replaces by nothing.
    fn declare_variable(&mut self, target: Node<'_>, statement: Node<'_>, value: Option<Node<'_>>) -> Option<DefId> {
        let name = self.atom(target);
        let class = self.at.class;
        if let Some(class) = class {
            if self.methods.contains(&(class, name)) {
                return None;
            }
            if let Some(&known) = self.members.get(&(class, name)) {
                return Some(known);
            }
        } else {
            self.frame.locals.forget(name);
            if let Some(&known) = self.variables.get(&name) {
                return Some(known);
            }
            if self.imported.contains(&name) && value.is_some_and(|value| kind(value) == Kind::None) {
                return None;
            }
        }
        let text = self.slice(target);
        let kind = match class {
            Some(_) => SymbolKind::Field,
            None if is_constant(text) => SymbolKind::Const,
            None => SymbolKind::Var,
        };
        let mut definition = self.blank(name, kind, statement, target);
        definition.signature = docs::variable_signature(self.slice(statement));
        definition.doc = docs::variable_doc(statement, self.text);
        let id = self.facts.define(definition, String::new());
        self.bind(self.at.scope, name, target.start_byte() as u32, BindingKind::Definition(id));
        match class {
            Some(class) => self.members.insert((class, name), id),
            None => self.variables.insert(name, id),
        };
        Some(id)
    }

    /// Adds what an assignment says to a variable's definition: annotations win, then the first value that says
    /// something.
    fn fill(&mut self, id: DefId, assigned: Assigned, scope: Option<ScopeId>) {
        let known = self.facts.definition(id);
        if known.value_type.is_some() {
            return;
        }
        let before = known.value;
        let same_scope = known.value_scope == scope;
        if assigned.value_type.is_some() {
            let definition = self.facts.definition_mut(id);
            definition.value_type = assigned.value_type;
            definition.scope = scope.unwrap_or(definition.scope);
        }
        let Some(value) = assigned.value else { return };
        let says_nothing =
            |walker: &Self, expr: ExprId| matches!(walker.facts.get(expr), Expr::Unknown) || walker.is_none(expr);
        let value = match before {
            Some(before) if !says_nothing(self, before) => {
                if !same_scope || says_nothing(self, value) {
                    return;
                }
                self.union(vec![before, value])
            }
            _ => value,
        };
        let definition = self.facts.definition_mut(id);
        definition.value = Some(value);
        definition.value_scope = scope;
    }
}

fn is_applied(annotation: Node<'_>) -> bool {
    let inner = first_child(annotation).map_or(Kind::Other, kind);
    matches!(inner, Kind::Subscript | Kind::GenericType)
}

/// `LIKE_THIS`.
pub(super) fn is_constant(name: &str) -> bool {
    name.len() > 1
        && name.bytes().any(|letter| letter.is_ascii_uppercase())
        && !name.bytes().any(|letter| letter.is_ascii_lowercase())
}

#[cfg(test)]
mod unit {
    #[test]
    fn constants_are_all_capitals() {
        assert!(super::is_constant("MAX_SIZE"));
        assert!(!super::is_constant("Thing"));
        assert!(!super::is_constant("T"));
        assert!(!super::is_constant("__all__"));
    }
}
