//! Functions, methods and package-level values.

use tree_sitter::Node;

use super::docs;
use super::extract::{At, TOP, Walker};
use super::kinds::{Kind, kind};
use super::words;
use crate::facts::{
    Atom, BindingKind, Container, DefId, Definition, Expr, ExprId, Extension, ExtensionId, Flags, Parameter, Scope,
    ScopeId, ScopeKind, TypeParameter,
};
use crate::model::{Span, SymbolKind};

/// Most names of one `var` or `const` that share the comment on it.
const MOST_DOCUMENTED: usize = 64;

impl<'a> Walker<'a> {
    /// A definition with nothing but its name and place.
    pub(super) fn blank(&mut self, kind: SymbolKind, name: Node<'a>, whole: Node<'a>, scope: ScopeId) -> Definition {
        Definition {
            name: self.atom(name),
            kind,
            scope_names: Vec::new(),
            container: Container::Module,
            parent: None,
            span: span(name, whole),
            signature: String::new(),
            doc: String::new(),
            flags: Flags { is_test: self.path.ends_with("_test.go"), ..Flags::default() },
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

    /// Source text up to a body, on one line.
    fn header(&self, node: Node<'a>) -> String {
        let end = self.child(node, self.fields.body).map_or(node.end_byte(), |body| body.start_byte());
        docs::fold(&self.text[node.start_byte()..end])
    }

    fn body_words(&self, node: Node<'a>) -> String {
        self.child(node, self.fields.body).map_or_else(String::new, |body| words::of(self.source(body)))
    }

    /// `func name(…)`.
    pub(super) fn function(&mut self, node: Node<'a>) {
        let Some(name) = self.child(node, self.fields.name) else { return };
        let scope = self.open(TOP.scope, ScopeKind::Function);
        let mut definition = self.blank(SymbolKind::Function, name, node, scope);
        definition.signature = self.header(node);
        definition.doc = docs::above(self.text, node.start_byte());
        let words = self.body_words(node);
        let atom = definition.name;
        let id = self.facts.define(definition, words);
        self.facts.scope_mut(scope).definition = Some(id);
        // `init` can't be referred to, and a package may have many.
        if !matches!(self.source(name), "init" | "_") {
            self.facts.bind(TOP.scope, atom, name.start_byte() as u32, BindingKind::Definition(id));
        }
        let at = At { scope, source: Some(id) };
        if let Some(list) = self.child(node, self.fields.type_parameters) {
            let parameters = self.own_type_parameters(list, id, at);
            self.facts.definition_mut(id).type_parameters = parameters;
        }
        self.function_rest(node, id, at);
    }

    /// Parameters, result and body.
    fn function_rest(&mut self, node: Node<'a>, id: DefId, at: At) {
        let (parameters, result) = self.signature(node, at);
        let definition = self.facts.definition_mut(id);
        definition.parameters = parameters;
        definition.result = result;
        if let Some(body) = self.child(node, self.fields.body) {
            self.statements(body, at);
        }
    }

    /// Binds a definition's type parameters in its scope and reads their constraints.
    pub(super) fn own_type_parameters(&mut self, list: Node<'a>, id: DefId, at: At) -> Vec<TypeParameter> {
        let names = self.type_parameter_names(list);
        for (index, (name, _)) in names.iter().enumerate() {
            let kind = BindingKind::TypeParameter(id, index as u16);
            self.facts.bind(at.scope, *name, list.start_byte() as u32, kind);
        }
        self.type_parameters(names, at)
    }

    /// `func (r *T) name(…)`.
    pub(super) fn method(&mut self, node: Node<'a>) {
        let (Some(name), Some(receiver)) = (self.child(node, self.fields.name), self.child(node, self.fields.receiver))
        else {
            return;
        };
        let Some((type_name, extension, outer)) = self.receiver_extension(receiver) else { return };
        let scope = self.open(outer, ScopeKind::Function);
        let mut definition = self.blank(SymbolKind::Method, name, node, scope);
        definition.signature = self.header(node);
        definition.doc = docs::above(self.text, node.start_byte());
        definition.scope_names = vec![type_name];
        definition.container = Container::Extension(extension);
        let words = self.body_words(node);
        let id = self.facts.define(definition, words);
        self.facts.scope_mut(scope).definition = Some(id);
        let at = At { scope, source: Some(id) };
        let bound: Vec<Parameter> = self.parameters(receiver, at);
        let instance = self.facts.expr(Expr::Receiver);
        let blank = self.facts.atom("_");
        for parameter in bound.iter().filter(|parameter| parameter.name != blank) {
            let kind = BindingKind::Local { value_type: None, value: Some(instance) };
            self.facts.bind(scope, parameter.name, node.start_byte() as u32, kind);
        }
        self.function_rest(node, id, at);
    }

    /// The plain name of a receiver's type, its extension and that one's scope. Methods whose receivers name the same type and
    /// type parameters share one.
    fn receiver_extension(&mut self, receiver: Node<'a>) -> Option<(Atom, ExtensionId, ScopeId)> {
        let declaration = self.list(receiver).first().copied()?;
        let mut written = self.child(declaration, self.fields.value_type)?;
        while matches!(kind(written), Kind::PointerType | Kind::ParenthesizedType) {
            written = written.named_child(0)?;
        }
        let (name, arguments) = match kind(written) {
            Kind::GenericType => {
                (self.child(written, self.fields.value_type)?, self.child(written, self.fields.type_arguments))
            }
            _ => (written, None),
        };
        let target_name = self.atom(name);
        let key = (self.source(name), arguments.map_or("", |arguments| self.source(arguments)));
        if let Some(&(known, scope)) = self.extensions.get(&key) {
            return Some((target_name, known, scope));
        }
        let scope = self.open(TOP.scope, ScopeKind::Extension);
        let base = self.facts.name(key.0);
        let parameters: Vec<Atom> = match arguments {
            Some(arguments) => self.list(arguments).into_iter().map(|name| self.atom(name)).collect(),
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

    /// `var` and `const` of the package.
    pub(super) fn values(&mut self, node: Node<'a>) {
        let is_const = kind(node) == Kind::ConstDeclaration;
        let mut group_doc = docs::above(self.text, node.start_byte());
        let mut inherited: (Option<ExprId>, Vec<ExprId>) = (None, Vec::new());
        self.each_spec(node, |walker, spec| {
            let names = walker.list_of(spec, walker.fields.name);
            if walker.package_function(&names, spec, &group_doc) {
                return;
            }
            let (mut value_type, mut values) = walker.spec_values(spec, names.len(), TOP);
            if is_const && value_type.is_none() && values.is_empty() {
                // A constant without a value repeats the one before it, type and all.
                let repeated = inherited.1.len().min(names.len());
                (value_type, values) = (inherited.0, inherited.1[..repeated].to_vec());
            } else {
                inherited = (value_type, values.clone());
            }
            let doc = walker.spec_doc(spec, &mut group_doc);
            let (word, symbol) = if is_const { ("const", SymbolKind::Const) } else { ("var", SymbolKind::Var) };
            let rest = walker.value_rest(spec);
            // One list of values is told by the first of many names, or each would hold all of it.
            let mut words = words::of(walker.child(spec, walker.fields.value).map_or("", |value| walker.source(value)));
            for (index, name) in names.into_iter().enumerate() {
                if kind(name) != Kind::Identifier || walker.source(name) == "_" {
                    continue;
                }
                let mut definition = walker.blank(symbol, name, spec, TOP.scope);
                definition.signature = format!("{word} {}{rest}", walker.source(name));
                definition.doc = if index < MOST_DOCUMENTED { doc.clone() } else { String::new() };
                definition.value_type = value_type;
                definition.value = values.get(index).copied();
                let atom = definition.name;
                let id = walker.facts.define(definition, std::mem::take(&mut words));
                walker.facts.bind(TOP.scope, atom, name.start_byte() as u32, BindingKind::Definition(id));
            }
        });
    }

    /// The comment above a spec, that of its group for the first one, or the one behind it.
    pub(super) fn spec_doc(&self, spec: Node<'a>, group_doc: &mut String) -> String {
        let own = docs::above(self.text, spec.start_byte());
        let group = std::mem::take(group_doc);
        match (own.is_empty(), group.is_empty()) {
            (false, _) => own,
            (true, false) => group,
            (true, true) => docs::behind(self.text, spec.end_byte()),
        }
    }

    /// What follows the name in a signature: type and value, the value only if it fits on its first line.
    fn value_rest(&self, spec: Node<'a>) -> String {
        let mut rest = String::new();
        if let Some(written) = self.child(spec, self.fields.value_type) {
            rest.push(' ');
            rest.push_str(&docs::fold(self.source(written)));
        }
        if let Some(value) = self.child(spec, self.fields.value) {
            let mut lines = self.source(value).lines();
            rest.push_str(" = ");
            rest.push_str(&docs::fold(lines.next().unwrap_or_default()));
            if lines.next().is_some() {
                rest.push_str(" …");
            }
        }
        rest
    }

    /// `var f = func(…) {…}` of the package is a function called `f`.
    fn package_function(&mut self, names: &[Node<'a>], spec: Node<'a>, doc: &str) -> bool {
        let [name] = names else { return false };
        if self.source(*name) == "_" || self.child(spec, self.fields.value_type).is_some() {
            return false;
        }
        let value = self.child(spec, self.fields.value).map_or(Vec::new(), |value| self.list(value));
        let [literal] = value[..] else { return false };
        if kind(literal) != Kind::FuncLiteral {
            return false;
        }
        let scope = self.open(TOP.scope, ScopeKind::Function);
        let mut definition = self.blank(SymbolKind::Function, *name, spec, scope);
        definition.signature = format!("var {} = {}", self.source(*name), self.header(literal));
        definition.doc = self.spec_doc(spec, &mut doc.to_owned());
        let words = self.body_words(literal);
        let atom = definition.name;
        let id = self.facts.define(definition, words);
        self.facts.scope_mut(scope).definition = Some(id);
        self.facts.bind(TOP.scope, atom, name.start_byte() as u32, BindingKind::Definition(id));
        self.function_rest(literal, id, At { scope, source: Some(id) });
        true
    }

    /// Opens the scope of a type's body.
    pub(super) fn type_scope(&mut self, parent: ScopeId) -> ScopeId {
        self.facts.scope(Scope {
            parent: Some(parent),
            kind: ScopeKind::Type,
            definition: None,
            extension: None,
            module_name: None,
        })
    }
}

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
