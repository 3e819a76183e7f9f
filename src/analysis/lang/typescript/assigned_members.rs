//! Members that assignments add to objects, functions and classes of the file: `app.use = function () {}`,
//! `Name.prototype.method = …`, `Name.prototype = { … }`, `Object.assign(Name.prototype, { … })`.

use tree_sitter::Node;

use super::functions::FunctionHeader;
use super::state::Ts;
use crate::facts::{
    Atom, Base, BaseRelation, BindingKind, Container, DefId, Expr, ExprId, Extension, Flags, Role, ScopeId, ScopeKind,
};
use crate::lang::common::walker::Expected;
use crate::model::SymbolKind;

/// The owner of assigned members.
#[derive(Debug, Clone, Copy)]
struct Owner {
    id: DefId,
    /// Whether the members are those of the owner itself, and not of the instances that it makes.
    is_static: bool,
}

impl<'a> Ts<'_, 'a> {
    /// Visits an assignment that adds a member to an object, a function or a class. Returns `None` for any other one.
    pub fn assigned_member(&mut self, node: Node<'a>, left: Node<'a>, right: Node<'a>) -> Option<ExprId> {
        if left.kind() != "member_expression" {
            return None;
        }
        let (object, property) = (self.field(left, "object")?, self.field(left, "property")?);
        let literal = self.unwrapped(right);
        if self.text_of(property) == "prototype"
            && let Some(owner) = self.named_owner(object)
        {
            let owner = Owner { id: owner, is_static: false };
            return self.assigned_prototype(owner, literal);
        }
        let Some(owner) = self.owner_of(object) else {
            return self.is_function(literal).then(|| self.method_of_other_file(node, (object, property), literal))?;
        };
        if self.is_function(literal) {
            let id = self.assigned_function(owner, node, property, literal);
            return Some(self.facts.expr(Expr::Definition(id)));
        }
        let is_named = matches!(literal.kind(), "identifier" | "member_expression" | "assignment_expression");
        if !is_named || !self.state().is_script {
            return None;
        }
        let value = self.value(right, Expected::None);
        if self.text_of(property) != "constructor" && !self.is_plain_value(value) {
            let name = self.atom_of(property);
            self.declare_field(owner.id, name, (left, property), value);
        }
        Some(value)
    }

    /// Returns whether a value is certainly no function.
    fn is_plain_value(&self, value: ExprId) -> bool {
        value == self.unknown || matches!(self.facts.get(value), Expr::Builtin { .. })
    }

    /// Visits `Object.assign(target, { … })`, whose second argument adds its functions to a prototype, an object or the
    /// exports of the file.
    pub fn assigned_object(&mut self, callee: Node<'a>, arguments: Node<'a>) -> bool {
        if self.text_of(callee) != "Object.assign" || self.context.scope != ScopeId(0) {
            return false;
        }
        let nodes = self.children(arguments);
        let Some((&target, sources)) = nodes.split_first() else { return false };
        if self.is_exports(target) {
            for source in sources {
                let value = self.value(*source, Expected::None);
                self.export_all(value, *source);
            }
            return true;
        }
        let Some(owner) = self.owner_of(target) else { return false };
        for source in sources {
            match source.kind() {
                "object" => self.assigned_literal(owner, *source),
                _ => _ = self.value(*source, Expected::None),
            }
        }
        true
    }

    /// Visits `Object.defineProperty(exports, "name", { get: … })`, by which compilers export the names of other files, and
    /// `__exportStar(require("…"), exports)`. Returns false for any other call.
    pub fn defined_export(&mut self, callee: Node<'a>, arguments: Node<'a>) -> bool {
        if self.context.scope != ScopeId(0) {
            return false;
        }
        let function = self.text_of(callee);
        let nodes = self.children(arguments);
        match nodes[..] {
            [module, target] if function.ends_with("__exportStar") && self.is_exports(target) => {
                self.export_all(self.unknown, module);
                true
            }
            [target, name, descriptor] if function == "Object.defineProperty" && self.is_exports(target) => {
                let value = self.value(descriptor, Expected::None);
                if let (Some(name), Expr::Object(members)) = (self.string_value(name), self.facts.get(value).clone()) {
                    let member = |wanted: &str| {
                        let found = members.iter().find(|(known, _)| self.facts.text(*known) == wanted);
                        found.map(|(_, value)| *value)
                    };
                    let (own, getter) = (member("value"), member("get"));
                    let read = getter.map(|callee| self.facts.expr(Expr::Call { callee, args: Vec::new() }));
                    if let Some(exported) = own.or(read).filter(|exported| !self.is_plain_value(*exported)) {
                        self.bind_export(name, callee.start_byte(), BindingKind::Alias(exported));
                    }
                }
                true
            }
            _ => false,
        }
    }

    /// Returns the variable, function or class of the file's top level that a node names, or its prototype.
    fn owner_of(&mut self, object: Node<'a>) -> Option<Owner> {
        if object.kind() == "this" {
            let id = self.context.source.filter(|id| self.is_constructor(*id))?;
            return Some(Owner { id, is_static: false });
        }
        if object.kind() == "member_expression" {
            let property = self.field(object, "property")?;
            let named = self.field(object, "object").filter(|_| self.text_of(property) == "prototype")?;
            return Some(Owner { id: self.named_owner(named)?, is_static: false });
        }
        let id = self.named_owner(object)?;
        let is_static = !matches!(self.facts.definition(id).kind, SymbolKind::Var | SymbolKind::Const);
        Some(Owner { id, is_static })
    }

    fn named_owner(&mut self, name: Node<'a>) -> Option<DefId> {
        if name.kind() != "identifier" {
            return None;
        }
        let atom = self.atom_of(name);
        let id = self.visible_definition(atom)?;
        matches!(
            self.facts.definition(id).kind,
            SymbolKind::Var | SymbolKind::Const | SymbolKind::Function | SymbolKind::Type
        )
        .then_some(id)
    }

    /// Returns the definition that a name means here, if no parameter or variable without a definition is nearer.
    fn visible_definition(&mut self, name: Atom) -> Option<DefId> {
        let scope = self.binding_scope(name)?;
        self.state().definitions.get(&(scope, name)).copied()
    }

    /// Returns the innermost scope around this place that binds a name so far.
    pub fn binding_scope(&mut self, name: Atom) -> Option<ScopeId> {
        let known = self.facts.bindings().len();
        let first = self.state().bound.1;
        let added: Vec<(ScopeId, Atom)> =
            self.facts.bindings()[first..].iter().map(|binding| (binding.scope, binding.name)).collect();
        self.state().bound.0.extend(added);
        self.state().bound.1 = known;
        let mut at = Some(self.context.scope);
        while let Some(scope) = at {
            if self.state().bound.0.contains(&(scope, name)) {
                return Some(scope);
            }
            at = self.facts.get_scope(scope).parent;
        }
        None
    }

    /// Returns whether a function is assigned to a member of a variable in the statements behind its declaration.
    pub fn gets_members(&mut self, declarator: Node<'a>, name: Node<'a>) -> bool {
        let wanted = self.text_of(name);
        let mut next = declarator.parent().and_then(|statement| statement.next_named_sibling());
        while let Some(statement) = next {
            let assignment = statement.named_child(0).filter(|inner| inner.kind() == "assignment_expression");
            if let Some(assignment) = assignment
                && let (Some(left), Some(right)) = (self.field(assignment, "left"), self.field(assignment, "right"))
                && left.kind() == "member_expression"
                && self.is_function(right)
                && self.field(left, "object").is_some_and(|object| self.text_of(object) == wanted)
            {
                return true;
            }
            next = statement.next_named_sibling();
        }
        false
    }

    /// Returns whether a function makes instances of itself: in JavaScript, one with a capital letter.
    pub fn is_constructor(&mut self, id: DefId) -> bool {
        let definition = self.facts.definition(id);
        let is_function = definition.kind == SymbolKind::Function && definition.container == Container::Module;
        is_function && self.facts.text(definition.name).starts_with(char::is_uppercase) && self.state().is_script
    }

    /// Returns the names of a definition and of those around it.
    pub fn member_scope(&self, owner: DefId) -> Vec<Atom> {
        let definition = self.facts.definition(owner);
        definition.scope_names.iter().copied().chain([definition.name]).collect()
    }

    /// Visits `Name.prototype = …`: an object literal with the methods, or a value of the base.
    fn assigned_prototype(&mut self, owner: Owner, literal: Node<'a>) -> Option<ExprId> {
        if literal.kind() == "object" {
            self.assigned_literal(owner, literal);
            return Some(self.unknown);
        }
        let value = self.value(literal, Expected::None);
        if value != self.unknown {
            let expr = self.type_of(value);
            self.facts.definition_mut(owner.id).bases.push(Base { expr, relation: BaseRelation::Extends });
        }
        Some(value)
    }

    /// Adds the functions of an object literal to their owner, and visits its other members.
    fn assigned_literal(&mut self, owner: Owner, literal: Node<'a>) {
        for member in self.children(literal) {
            let (name, value) = match member.kind() {
                "method_definition" => (self.field(member, "name"), Some(member)),
                _ => (self.field(member, "key"), self.field(member, "value")),
            };
            let value = value.map(|value| self.unwrapped(value));
            let is_function = |ts: &Self, value: Node<'a>| ts.is_function(value) || value == member;
            match (name, value) {
                (Some(name), Some(value)) if is_function(self, value) && name.kind() != "computed_property_name" => {
                    self.assigned_function(owner, member, name, value);
                }
                (_, Some(value)) => _ = self.value(value, Expected::None),
                _ => _ = self.value(member, Expected::None),
            }
        }
    }

    /// Adds a function as a member of its owner.
    fn assigned_function(&mut self, owner: Owner, outer: Node<'a>, property: Node<'a>, literal: Node<'a>) -> DefId {
        let scope = self.open_scope(ScopeKind::Type, Some(owner.id));
        let names = self.member_scope(owner.id);
        let (saved, outer_names) = (self.context, std::mem::replace(&mut self.scope_names, names));
        (self.context.scope, self.context.parent) = (scope, Some(owner.id));
        let id = self.member_function(outer, property, literal, Container::Definition(owner.id), owner.is_static);
        (self.context, self.scope_names) = (saved, outer_names);
        id
    }

    /// Adds a method to a class of another file, or of the lines below.
    fn method_of_other_file(
        &mut self,
        node: Node<'a>,
        (object, property): (Node<'a>, Node<'a>),
        literal: Node<'a>,
    ) -> Option<ExprId> {
        let (owner, is_static) = match self.text_of(object).strip_suffix(".prototype") {
            Some(owner) => (owner, false),
            None => (self.text_of(object), true),
        };
        let is_name = owner.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        if !is_name || !owner.starts_with(char::is_uppercase) {
            return None;
        }
        let target_name = self.facts.atom(owner);
        let target = self.name(target_name);
        let scope = self.open_scope(ScopeKind::Extension, None);
        let extension = self.facts.extend(Extension {
            target,
            target_name,
            implements: None,
            scope,
            type_parameters: Vec::new(),
            line: node.start_position().row as u32 + 1,
        });
        self.facts.scope_mut(scope).extension = Some(extension);
        let saved = self.context;
        self.context.scope = scope;
        self.scope_names.push(target_name);
        let id = self.member_function(node, property, literal, Container::Extension(extension), is_static);
        self.scope_names.pop();
        self.context = saved;
        Some(self.facts.expr(Expr::Definition(id)))
    }

    fn member_function(
        &mut self,
        outer: Node<'a>,
        property: Node<'a>,
        literal: Node<'a>,
        container: Container,
        is_static: bool,
    ) -> DefId {
        let name = self.atom_of(property);
        self.context.this = self.facts.expr(Expr::Receiver);
        self.context.is_local = false;
        let is_property =
            literal.kind() == "method_definition" && (self.has_token(literal, "get") || self.has_token(literal, "set"));
        let header = FunctionHeader {
            kind: SymbolKind::Method,
            container,
            flags: Flags { is_static, is_property, ..Flags::default() },
            ..FunctionHeader::new(name, property, outer, outer)
        };
        let id = self.function(literal, header);
        // Its body can use the name that the function has itself.
        if let Some(own) = self.field(literal, "name").filter(|_| literal.kind() != "method_definition") {
            let (scope, own_name) = (self.facts.definition(id).scope, self.atom_of(own));
            self.facts.bind(scope, own_name, own.start_byte() as u32, BindingKind::Definition(id));
        }
        id
    }

    /// Returns the value of `Object.create(prototype)`: one with the members of the prototype.
    pub fn created_object(&mut self, callee: Node<'a>, arguments: Node<'a>) -> Option<ExprId> {
        if self.text_of(callee) != "Object.create" {
            return None;
        }
        let nodes = self.children(arguments);
        let (&first, others) = nodes.split_first()?;
        others.iter().for_each(|other| _ = self.value(*other, Expected::None));
        let property = self.field(first, "property").filter(|_| first.kind() == "member_expression");
        if property.is_none_or(|property| self.text_of(property) != "prototype") {
            return Some(self.value(first, Expected::None));
        }
        let class = self.field(first, "object")?;
        let class = self.value_as(class, Role::Read, Expected::None);
        Some(self.facts.expr(Expr::Instance(class)))
    }
}
