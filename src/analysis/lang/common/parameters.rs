//! Parameters of functions, components of types, and type parameters.

use tree_sitter::Node;

use super::patterns::{Action, Part, Pattern};
use super::walker::Walker;
use crate::facts::{ArgumentCount, BindingKind, DefId, ExprId, Parameter, Role, TypeParameter};
use crate::model::SymbolKind;

impl<'a> Walker<'a> {
    /// Adds the parameters of a type (a record's components, a primary constructor's) as its fields.
    pub(super) fn components(&mut self, lists: &[Node<'a>]) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for node in self.parameter_nodes(lists) {
            let Some(pattern) = self.pattern(node) else { continue };
            let Some(name_node) = self.part(node, pattern, Part::Name) else { continue };
            let (mut definition, decorators) = self.header(node, pattern, name_node, SymbolKind::Field);
            let value_type = self.part(node, pattern, Part::Type).map(|part| self.type_expr(part, Some(Role::Type)));
            let value = self.part(node, pattern, Part::Value).map(|part| self.visit(part, Role::Read));
            definition.value_type = value_type;
            definition.value = value;
            let name = definition.name;
            let id = self.define(definition, None);
            self.decorators(&decorators, id);
            let mut parameter = Parameter::new(name, value_type, ArgumentCount::One);
            if let Some(complete) = self.dialect.options.parameter {
                complete(self, node, &mut parameter);
            }
            parameters.push(parameter);
        }
        parameters
    }

    /// Adds the type parameters of a definition to the current scope.
    pub fn type_parameters(&mut self, node: Node<'a>, pattern: &Pattern, owner: DefId) -> Vec<TypeParameter> {
        self.type_parameters_of(node, pattern, |index| BindingKind::TypeParameter(owner, index))
    }

    /// Adds the type parameters of a definition or an extension to the current scope; `kind` returns the binding of each.
    pub fn type_parameters_of(
        &mut self,
        node: Node<'a>,
        pattern: &Pattern,
        kind: impl Fn(u16) -> BindingKind,
    ) -> Vec<TypeParameter> {
        let lists = self.parts(node, pattern, Part::TypeParameters);
        let mut nodes = Vec::new();
        for list in lists {
            nodes.extend(self.children(list).into_iter().filter(|child| self.is(*child, Action::TypeParameter)));
        }
        let mut bound = Vec::new();
        for node in nodes {
            let Some(pattern) = self.pattern(node) else { continue };
            for name_node in self.names(node, pattern) {
                let name = self.atom_of(name_node);
                let kind = kind(bound.len() as u16);
                self.facts.bind(self.context.scope, name, node.start_byte() as u32, kind);
                bound.push((name, node, pattern));
            }
        }
        let mut parameters = Vec::new();
        for (name, node, pattern) in bound {
            let bounds = self.bounds(node, pattern);
            parameters.push(TypeParameter { name, bounds });
            if let Some(default) = self.part(node, pattern, Part::Value) {
                self.type_expr(default, Some(Role::Type));
            }
        }
        // `where T : Base`: the name of a type parameter, and its bounds.
        for clause in self.parts(node, pattern, Part::Bound) {
            if let Some(pattern) = self.pattern(clause).filter(|pattern| pattern.action == Action::TypeParameter) {
                self.add_bounds(clause, pattern, &mut parameters);
                continue;
            }
            let children = self.children(clause);
            let Some((name, bounds)) = children.split_first() else { continue };
            let name = self.atom_of(*name);
            let bounds: Vec<ExprId> = bounds.iter().map(|node| self.type_expr(*node, Some(Role::Type))).collect();
            if let Some(parameter) = parameters.iter_mut().find(|parameter| parameter.name == name) {
                parameter.bounds.extend(bounds);
            }
        }
        parameters
    }

    /// Adds the bounds that a clause has for a type, which can be a parameter.
    fn add_bounds(&mut self, clause: Node<'a>, pattern: &Pattern, parameters: &mut [TypeParameter]) {
        let bounds = self.bounds(clause, pattern);
        let Some(bounded) = self.part(clause, pattern, Part::Name) else { return };
        let name = self.atom_of(bounded);
        match parameters.iter_mut().find(|parameter| parameter.name == name) {
            Some(parameter) => parameter.bounds.extend(bounds),
            None => _ = self.type_expr(bounded, Some(Role::Type)),
        }
    }

    fn bounds(&mut self, node: Node<'a>, pattern: &Pattern) -> Vec<ExprId> {
        let nodes = self.parts(node, pattern, Part::Bound).into_iter().filter(|node| !self.is_no_type(*node));
        let nodes: Vec<Node<'a>> = nodes.collect();
        nodes.into_iter().map(|node| self.type_expr(node, Some(Role::Type))).collect()
    }

    /// Returns the nodes of the parameters in these lists. A list can be a parameter itself.
    pub fn parameter_nodes(&mut self, lists: &[Node<'a>]) -> Vec<Node<'a>> {
        let mut nodes = Vec::new();
        for list in lists {
            if self.is_parameter(*list) {
                nodes.push(*list);
            } else if let Some(pattern) = self.pattern(*list).filter(|known| known.action == Action::RestParameter) {
                let rest = self.part(*list, pattern, Part::Name);
                nodes.extend(self.children(*list).into_iter().filter(|child| self.is(*child, Action::Parameter)));
                nodes.extend(rest.map(|_| *list));
            } else {
                nodes.extend(self.children(*list).into_iter().filter(|child| self.is_parameter(*child)));
            }
        }
        nodes
    }

    /// Returns whether a node is a parameter; one without a type can be only a name.
    fn is_parameter(&self, node: Node<'a>) -> bool {
        self.is(node, Action::Parameter) || self.is(node, Action::Name) || self.is_name_by_hook(node)
    }

    fn is_name_by_hook(&self, node: Node<'a>) -> bool {
        self.pattern(node).is_some_and(|pattern| pattern.setting("parameter").is_some())
    }

    /// Binds the parameters in these lists in the current scope.
    pub fn parameters(&mut self, lists: &[Node<'a>]) -> Vec<Parameter> {
        let mut parameters = Vec::new();
        for node in self.parameter_nodes(lists) {
            let Some(pattern) = self.pattern(node) else { continue };
            let value_type = self.declared_type(node, pattern);
            // `self: Type`
            if self.part(node, pattern, Part::Name).is_some_and(|name| self.is(name, Action::Receiver)) {
                continue;
            }
            self.parameter(node, pattern, value_type, &mut parameters);
        }
        parameters
    }

    /// Returns the types of the parameters in these lists.
    pub fn parameter_types(&mut self, lists: &[Node<'a>]) -> Vec<ExprId> {
        let mut types = Vec::new();
        let nodes = self.parameter_nodes(lists);
        if nodes.is_empty() {
            // Types without names.
            let nodes: Vec<Node<'a>> = lists.iter().flat_map(|list| self.children(*list)).collect();
            return nodes.into_iter().map(|node| self.type_expr(node, Some(Role::Type))).collect();
        }
        for node in nodes {
            let Some(pattern) = self.pattern(node) else { continue };
            let value_type = self.declared_type(node, pattern).unwrap_or(self.unknown);
            types.extend(self.names(node, pattern).iter().map(|_| value_type));
        }
        types
    }

    /// Binds the parameters of one node, whose type is known by now, and adds them to `parameters`.
    pub(super) fn parameter(
        &mut self,
        node: Node<'a>,
        pattern: &Pattern,
        value_type: Option<ExprId>,
        parameters: &mut Vec<Parameter>,
    ) {
        for decorator in self.parts(node, pattern, Part::Decorator) {
            self.visit(decorator, Role::Decorator);
        }
        let value = self.part(node, pattern, Part::Value).map(|part| self.visit(part, Role::Read));
        let arguments = match (pattern.setting("array"), value) {
            (Some(_), _) => ArgumentCount::Any,
            _ if pattern.action == Action::RestParameter => ArgumentCount::Any,
            (None, Some(_)) => ArgumentCount::Optional,
            (None, None) => ArgumentCount::One,
        };
        for name_node in self.names(node, pattern) {
            let unnamed = pattern.setting("unnamed").filter(|_| name_node == node);
            let name = unnamed.unwrap_or_else(|| self.name_text(name_node));
            let name = self.facts.atom(name);
            if let Some(destructure) = self.dialect.options.destructure {
                let part = value_type.map_or(self.unknown, |known| self.instance(known));
                destructure(self, name_node, part);
            } else if self.binds(name) {
                let kind = BindingKind::Parameter { value_type, value };
                self.facts.bind(self.context.scope, name, name_node.start_byte() as u32, kind);
                self.add_local(name);
            }
            let mut parameter = Parameter::new(name, value_type, arguments);
            if let Some(complete) = self.dialect.options.parameter {
                complete(self, node, &mut parameter);
            }
            parameters.push(parameter);
        }
    }

    /// Returns the names of a parameter's node, by default the node itself. Several can share a type.
    fn names(&mut self, node: Node<'a>, pattern: &Pattern) -> Vec<Node<'a>> {
        let mut names = self.parts(node, pattern, Part::Name);
        if names.is_empty() {
            names.push(node);
        }
        names
    }

    /// Returns the type that a node declares; `None` if its value determines it.
    pub fn declared_type(&mut self, node: Node<'a>, pattern: &Pattern) -> Option<ExprId> {
        let part = self.part(node, pattern, Part::Type)?;
        if self.dialect.traits.inferred_types.contains(&self.text_of(part)) {
            return None;
        }
        let known = self.type_expr(part, Some(Role::Type));
        match pattern.setting("array") {
            Some(name) => Some(self.facts.builtin(name, vec![known])),
            None => Some(known),
        }
    }
}
