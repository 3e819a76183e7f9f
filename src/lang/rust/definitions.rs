//! Parts that all definitions have: name, span, signature, documentation, flags.

use tree_sitter::Node;

use super::attributes::OuterAttributes;
use super::builtins::{SLICE, TUPLE};
use super::grammar::{Kind, kind};
use super::walker::{Context, Walker};
use crate::facts::{Atom, BindingKind, Container, DefId, Definition, Flags, ScopeId};
use crate::model::{Span, SymbolKind};

/// Maximum length of a signature in bytes.
const MAX_SIGNATURE: usize = 400;

/// Nodes and kind of a definition.
pub struct Header<'t> {
    pub item: Node<'t>,
    pub name: Node<'t>,
    pub kind: SymbolKind,
    /// The scope in which its annotations are resolved.
    pub scope: ScopeId,
    /// The body: excluded from the signature, and the start of the definition's own words.
    pub body: Option<Node<'t>>,
}

impl Walker {
    /// Adds a definition without the parts that depend on its kind, and records its attributes.
    pub fn define(&mut self, header: &Header<'_>, attributes: &OuterAttributes<'_>) -> DefId {
        let name = self.atom(header.name);
        let id = self.define_named(header, attributes, name);
        self.record_attributes(attributes, id);
        id
    }

    /// Adds a definition under a name that is not in the text, such as the index of a tuple field. Does not record
    /// attributes.
    pub fn define_named(&mut self, header: &Header<'_>, attributes: &OuterAttributes<'_>, name: Atom) -> DefId {
        let span = self.span(header, attributes);
        let flags = Flags {
            is_test: self.context.is_test || attributes.is_test(self),
            is_local: self.context.in_function,
            is_cfg_inactive: self.context.is_cfg_inactive || attributes.is_cfg_inactive(self),
            ..Flags::default()
        };
        let definition = Definition {
            name,
            kind: header.kind,
            scope_names: self.scope_names.clone(),
            container: self.context.container,
            parent: self.context.parent,
            span,
            signature: self.signature(header),
            doc: attributes.doc(self),
            flags,
            scope: header.scope,
            type_parameters: Vec::new(),
            parameters: Vec::new(),
            result: None,
            returns: Vec::new(),
            value_type: None,
            value: None,
            value_scope: None,
            bases: Vec::new(),
        };
        let id = self.builder.define(definition, String::new());
        let own_words = !matches!(header.kind, SymbolKind::Field | SymbolKind::Package);
        let start = header.body.filter(|_| own_words).map(|body| self.position(body));
        self.body_starts.push(start.or(own_words.then_some(span.end_byte)));
        id
    }

    /// Binds a definition's name in the current scope, unless it is a member.
    pub fn bind_definition(&mut self, header: &Header<'_>, id: DefId) {
        if self.context.container == Container::Module {
            let name = self.builder.definition(id).name;
            self.bind(name, header.name, BindingKind::Definition(id));
        }
    }

    fn span(&self, header: &Header<'_>, attributes: &OuterAttributes<'_>) -> Span {
        let first = attributes.nodes.first().copied().unwrap_or(header.item);
        Span {
            start_byte: self.position(first),
            end_byte: (header.item.end_byte() as i64 + self.offset).max(0) as u32,
            start_line: self.line(first),
            end_line: header.item.end_position().row as u32 + self.row + 1,
            name_line: self.line(header.name),
        }
    }

    fn signature(&self, header: &Header<'_>) -> String {
        let end = header.body.map_or(header.item.end_byte(), |body| body.start_byte());
        let text = self.text.get(header.item.start_byte()..end).unwrap_or("");
        let mut signature = single_line(text);
        let length = signature.trim_end_matches([';', ',', '{', '=']).trim_end().len();
        signature.truncate(length);
        signature
    }

    /// Runs `walk` in another context and with `name` appended to the scope names, then restores both.
    pub fn with_context(&mut self, name: Option<Atom>, context: Context, walk: impl FnOnce(&mut Walker)) {
        let saved = std::mem::replace(&mut self.context, context);
        let length = self.scope_names.len();
        self.scope_names.extend(name);
        walk(self);
        self.scope_names.truncate(length);
        self.context = saved;
    }

    /// Returns the name of an `impl` block's target type, without path and arguments.
    pub fn impl_target_name(&mut self, node: Node<'_>) -> Atom {
        let inner = match kind(node) {
            Kind::ScopedTypeIdentifier | Kind::ScopedIdentifier => self.child(node, self.fields.name),
            Kind::GenericType | Kind::ReferenceType | Kind::PointerType => self.child(node, self.fields.type_node),
            Kind::DynamicType | Kind::AbstractType => self.child(node, self.fields.trait_name),
            Kind::ArrayType => return self.builder.atom(SLICE),
            Kind::TupleType | Kind::UnitType => return self.builder.atom(TUPLE),
            Kind::FunctionType => return self.builder.atom("fn"),
            _ => None,
        };
        match inner {
            Some(inner) => self.descend(None, |walker| Some(walker.impl_target_name(inner))).unwrap_or(Atom(0)),
            None => self.atom(node),
        }
    }
}

/// Folds text into one line without comment lines, truncated to [`MAX_SIGNATURE`].
fn single_line(text: &str) -> String {
    let mut line_text = String::with_capacity(text.len().min(MAX_SIGNATURE));
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("//") {
            continue;
        }
        for word in line.split_whitespace() {
            if !line_text.is_empty() {
                line_text.push(' ');
            }
            line_text.push_str(word);
        }
        if line_text.len() > MAX_SIGNATURE {
            let mut end = MAX_SIGNATURE;
            while !line_text.is_char_boundary(end) {
                end -= 1;
            }
            line_text.truncate(end);
            line_text.push('…');
            break;
        }
    }
    line_text
}
