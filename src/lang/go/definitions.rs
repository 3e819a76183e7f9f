//! Functions and methods.

use tree_sitter::Node;

use super::body_words;
use super::builtins::BLANK;
use super::docs;
use super::extract::{Context, TOP_LEVEL, Walker, is_test_file};
use super::grammar::{Kind, kind};
use crate::facts::{
    Atom, BindingKind, Container, DefId, Definition, Expr, Extension, ExtensionId, Flags, Parameter, ScopeId,
    ScopeKind, TypeParameter,
};
use crate::model::{Span, SymbolKind};

impl<'a> Walker<'a> {
    /// Returns a definition with only the required properties set.
    pub(super) fn new_definition(
        &mut self,
        kind: SymbolKind,
        name: Node<'a>,
        whole: Node<'a>,
        scope: ScopeId,
    ) -> Definition {
        Definition {
            name: self.atom(name),
            kind,
            scope_names: Vec::new(),
            container: Container::Module,
            parent: None,
            span: span(name, whole),
            signature: String::new(),
            doc: String::new(),
            flags: Flags { is_test: is_test_file(self.path), ..Flags::default() },
            scope,
            type_parameters: Vec::new(),
            parameters: Vec::new(),
            result: None,
            returns: Vec::new(),
            value_type: None,
            value: None,
            value_scope: None,
            bases: Vec::new(),
        }
    }

    /// Returns a function's source up to its body, on one line.
    pub(super) fn header(&self, node: Node<'a>) -> String {
        let end = self.child(node, self.fields.body).map_or(node.end_byte(), |body| body.start_byte());
        docs::single_line(&self.text[node.start_byte()..end])
    }

    /// Returns the search words of a function's body.
    pub(super) fn body_words(&self, node: Node<'a>) -> String {
        self.child(node, self.fields.body).map_or_else(String::new, |body| body_words::collect(self.text_of(body)))
    }

    /// Defines a function: `func name(…)`.
    pub(super) fn function(&mut self, node: Node<'a>) {
        let Some(name) = self.child(node, self.fields.name) else { return };
        let scope = self.open_scope(TOP_LEVEL.scope, ScopeKind::Function);
        let mut definition = self.new_definition(SymbolKind::Function, name, node, scope);
        definition.signature = self.header(node);
        definition.doc = docs::comment_above(self.text, node.start_byte());
        let words = self.body_words(node);
        let atom = definition.name;
        let id = self.facts.define(definition, words);
        self.facts.scope_mut(scope).definition = Some(id);
        // `init` can't be referred to, and a package may have several.
        if !matches!(self.text_of(name), "init" | BLANK) {
            self.facts.bind(TOP_LEVEL.scope, atom, name.start_byte() as u32, BindingKind::Definition(id));
        }
        let context = Context { scope, source: Some(id) };
        if let Some(list) = self.child(node, self.fields.type_parameters) {
            let parameters = self.bind_type_parameters(list, id, context);
            self.facts.definition_mut(id).type_parameters = parameters;
        }
        self.signature_and_body(node, id, context);
    }

    /// Adds parameters and result to a function's definition and walks its body.
    pub(super) fn signature_and_body(&mut self, node: Node<'a>, id: DefId, context: Context) {
        let (parameters, result) = self.bind_signature(node, context);
        let definition = self.facts.definition_mut(id);
        definition.parameters = parameters;
        definition.result = result;
        if let Some(body) = self.child(node, self.fields.body) {
            self.statements(body, context);
        }
    }

    /// Defines a method: `func (r *T) name(…)`.
    pub(super) fn method(&mut self, node: Node<'a>) {
        let (Some(name), Some(receiver)) = (self.child(node, self.fields.name), self.child(node, self.fields.receiver))
        else {
            return;
        };
        let Some((type_name, extension, outer)) = self.receiver_extension(receiver) else { return };
        let scope = self.open_scope(outer, ScopeKind::Function);
        let mut definition = self.new_definition(SymbolKind::Method, name, node, scope);
        definition.signature = self.header(node);
        definition.doc = docs::comment_above(self.text, node.start_byte());
        definition.scope_names = vec![type_name];
        definition.container = Container::Extension(extension);
        let words = self.body_words(node);
        let id = self.facts.define(definition, words);
        self.facts.scope_mut(scope).definition = Some(id);
        let context = Context { scope, source: Some(id) };
        let bound: Vec<Parameter> = self.parameters(receiver, context);
        let instance = self.facts.expr(Expr::Receiver);
        let blank = self.facts.atom(BLANK);
        for parameter in bound.iter().filter(|parameter| parameter.name != blank) {
            let kind = BindingKind::Local { value_type: None, value: Some(instance) };
            self.facts.bind(scope, parameter.name, node.start_byte() as u32, kind);
        }
        self.signature_and_body(node, id, context);
    }

    /// Returns the name of a receiver's type, its extension and the extension's scope. Methods whose receivers have the
    /// same type name and type arguments share an extension.
    fn receiver_extension(&mut self, receiver: Node<'a>) -> Option<(Atom, ExtensionId, ScopeId)> {
        let declaration = self.children(receiver).first().copied()?;
        let mut type_node = self.child(declaration, self.fields.value_type)?;
        while matches!(kind(type_node), Kind::PointerType | Kind::ParenthesizedType) {
            type_node = type_node.named_child(0)?;
        }
        let (name, arguments) = match kind(type_node) {
            Kind::GenericType => {
                (self.child(type_node, self.fields.value_type)?, self.child(type_node, self.fields.type_arguments))
            }
            _ => (type_node, None),
        };
        let target_name = self.atom(name);
        let key = (self.text_of(name), arguments.map_or("", |arguments| self.text_of(arguments)));
        if let Some(&(extension, scope)) = self.extensions.get(&key) {
            return Some((target_name, extension, scope));
        }
        let scope = self.open_scope(TOP_LEVEL.scope, ScopeKind::Extension);
        let base = self.facts.name(key.0);
        let parameters: Vec<Atom> = match arguments {
            Some(arguments) => self.children(arguments).into_iter().map(|name| self.atom(name)).collect(),
            None => Vec::new(),
        };
        let target = if parameters.is_empty() {
            base
        } else {
            let args = parameters.iter().map(|name| self.facts.expr(Expr::Name(*name))).collect();
            self.facts.expr(Expr::Apply { base, args })
        };
        let type_parameters = parameters.iter().map(|name| TypeParameter { name: *name, bounds: Vec::new() }).collect();
        let line = receiver.start_position().row as u32 + 1;
        let id = self.facts.extend(Extension { target, target_name, implements: None, scope, type_parameters, line });
        self.facts.scope_mut(scope).extension = Some(id);
        for (index, name) in parameters.into_iter().enumerate() {
            let kind = BindingKind::ExtensionParameter(id, index as u16);
            self.facts.bind(scope, name, receiver.start_byte() as u32, kind);
        }
        self.extensions.insert(key, (id, scope));
        Some((target_name, id, scope))
    }
}

/// Returns the span of the node `whole` with the line of its name.
fn span(name: Node<'_>, whole: Node<'_>) -> Span {
    let (start, end) = (whole.start_position(), whole.end_position());
    Span {
        start_byte: whole.start_byte() as u32,
        end_byte: whole.end_byte() as u32,
        start_line: start.row as u32 + 1,
        end_line: end.row as u32 + 1,
        name_line: name.start_position().row as u32 + 1,
    }
}
