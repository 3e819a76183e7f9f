//! What every definition has in common: name, span, signature, doc, place.

use tree_sitter::Node;

use super::grammar::{Kind, kind};
use super::preamble::Preamble;
use super::walker::{Context, Walker};
use crate::facts::{Atom, BindingKind, Container, DefId, Definition, Flags, ScopeId};
use crate::model::{Span, SymbolKind};

/// Longest signature that is kept.
const MAX_SIGNATURE: usize = 400;

/// What a definition's header node looks like.
pub struct Header<'t> {
    pub item: Node<'t>,
    pub name: Node<'t>,
    pub kind: SymbolKind,
    /// The scope in which its annotations are read.
    pub scope: ScopeId,
    /// What the signature leaves out, and where the definition's own words begin.
    pub body: Option<Node<'t>>,
}

impl Walker {
    /// Adds a definition, without anything that only its kind has.
    pub fn define(&mut self, header: &Header<'_>, preamble: &Preamble<'_>) -> DefId {
        let name = self.atom(header.name);
        let id = self.define_named(header, preamble, name);
        self.attributes(preamble, id);
        id
    }

    /// The same, for what has no name of its own in the text.
    pub fn define_named(&mut self, header: &Header<'_>, preamble: &Preamble<'_>, name: Atom) -> DefId {
        let span = self.span(header, preamble);
        let flags = Flags {
            is_test: self.context.is_test || preamble.is_test(self),
            is_local: self.context.in_function,
            is_cfg_inactive: self.context.is_cfg_inactive || preamble.is_cfg_inactive(self),
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
            doc: preamble.doc(self),
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
        self.bodies.push(start.or(own_words.then_some(span.end_byte)));
        id
    }

    /// Makes a definition's name known in the current scope.
    pub fn bind_definition(&mut self, header: &Header<'_>, id: DefId) {
        if self.context.container == Container::Module {
            let name = self.builder.definition(id).name;
            self.bind(name, header.name, BindingKind::Definition(id));
        }
    }

    fn span(&self, header: &Header<'_>, preamble: &Preamble<'_>) -> Span {
        let first = preamble.attributes.first().copied().unwrap_or(header.item);
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
        let mut signature = fold(text);
        let kept = signature.trim_end_matches([';', ',', '{', '=']).trim_end().len();
        signature.truncate(kept);
        signature
    }

    /// Walks the inside of a definition whose members have `container`, under its name.
    pub fn inside(&mut self, name: Option<Atom>, context: Context, walk: impl FnOnce(&mut Walker)) {
        let before = std::mem::replace(&mut self.context, context);
        let length = self.scope_names.len();
        self.scope_names.extend(name);
        walk(self);
        self.scope_names.truncate(length);
        self.context = before;
    }

    /// The plain name of the type that an `impl` block is for.
    pub fn plain_name(&mut self, node: Node<'_>) -> Atom {
        let inner = match kind(node) {
            Kind::ScopedTypeIdentifier | Kind::ScopedIdentifier => self.child(node, self.fields.name),
            Kind::GenericType | Kind::ReferenceType | Kind::PointerType => self.child(node, self.fields.type_of),
            Kind::DynamicType | Kind::AbstractType => self.child(node, self.fields.trait_name),
            Kind::ArrayType => return self.builder.atom("[]"),
            Kind::TupleType | Kind::UnitType => return self.builder.atom("()"),
            Kind::FunctionType => return self.builder.atom("fn"),
            _ => None,
        };
        match inner {
            Some(inner) => self.deeper(None, |walker| Some(walker.plain_name(inner))).unwrap_or(Atom(0)),
            None => self.atom(node),
        }
    }
}

/// Text on one line, without comments that end a line, cut where it gets too long.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len().min(MAX_SIGNATURE));
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with("//") {
            continue;
        }
        for word in line.split_whitespace() {
            if !folded.is_empty() {
                folded.push(' ');
            }
            folded.push_str(word);
        }
        if folded.len() > MAX_SIGNATURE {
            let mut end = MAX_SIGNATURE;
            while !folded.is_char_boundary(end) {
                end -= 1;
            }
            folded.truncate(end);
            folded.push('…');
            break;
        }
    }
    folded
}
