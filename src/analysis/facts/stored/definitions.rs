//! The stored form of definitions.

use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

use super::columns::{Column, Lists, OptionalColumn, Texts, collect};
use crate::facts::{
    ArgumentCount, Atom, Base, BaseRelation, Container, DefId, Definition, ExprId, ExtensionId, Flags, Parameter,
    ScopeId, TypeParameter,
};
use crate::model::{Span, SymbolKind};

/// The fields of definitions.
#[derive(Serialize, Deserialize)]
pub(super) struct Definitions {
    names: Column,
    kinds: Vec<SymbolKind>,
    scope_names: Lists,
    /// The container, unless it is the module or an extension.
    owners: OptionalColumn,
    extensions: OptionalColumn,
    parents: OptionalColumn,
    spans: Spans,
    signatures: Texts,
    docs: Texts,
    flags: Column,
    scopes: Column,
    type_parameters: Vec<ThinVec<TypeParameter>>,
    parameters: Parameters,
    results: OptionalColumn,
    returns: Lists,
    value_types: OptionalColumn,
    values: OptionalColumn,
    value_scopes: OptionalColumn,
    bases: Lists,
    relations: Vec<BaseRelation>,
}

impl Definitions {
    pub(super) fn new(definitions: &[Definition]) -> Definitions {
        let all = || definitions.iter();
        let optional = |field: &dyn Fn(&Definition) -> Option<u32>| OptionalColumn::new(all().map(field));
        Definitions {
            names: Column::new(all().map(|one| one.name.0)),
            kinds: all().map(|one| one.kind).collect(),
            scope_names: Lists::new(all().map(|one| &one.scope_names[..]), |name| name.0),
            owners: optional(&|one| match one.container {
                Container::Definition(owner) => Some(owner.get()),
                Container::Module | Container::Extension(_) => None,
            }),
            extensions: optional(&|one| match one.container {
                Container::Extension(extension) => Some(extension.0),
                Container::Module | Container::Definition(_) => None,
            }),
            parents: optional(&|one| Some(one.parent?.get())),
            spans: Spans::new(definitions),
            signatures: Texts::new(all().map(|one| one.signature.as_str())),
            docs: Texts::new(all().map(|one| one.doc.as_str())),
            flags: Column::new(all().map(|one| one.flags.bits())),
            scopes: Column::new(all().map(|one| one.scope.0)),
            type_parameters: all().map(|one| one.type_parameters.clone()).collect(),
            parameters: Parameters::new(definitions),
            results: optional(&|one| Some(one.result?.0)),
            returns: Lists::new(all().map(|one| &one.returns[..]), |value| value.0),
            value_types: optional(&|one| Some(one.value_type?.0)),
            values: optional(&|one| Some(one.value?.0)),
            value_scopes: optional(&|one| Some(one.value_scope?.0)),
            bases: Lists::new(all().map(|one| &one.bases[..]), |base| base.expr.0),
            relations: all().flat_map(|one| &one.bases).map(|base| base.relation).collect(),
        }
    }

    /// Returns the definitions; `None` if a field is missing.
    pub(super) fn list(self) -> Option<Vec<Definition>> {
        let (mut names, mut scope_names) = (self.names.numbers(), self.scope_names.lists(Atom));
        let (mut owners, mut extensions) = (self.owners.numbers(), self.extensions.numbers());
        let (mut parents, mut signatures) = (self.parents.numbers(), self.signatures.texts());
        let (mut docs, mut flags) = (self.docs.texts(), self.flags.numbers());
        let mut spans = self.spans.list();
        let (mut scopes, mut type_parameters) = (self.scopes.numbers(), self.type_parameters.into_iter());
        let (mut parameters, mut results) = (self.parameters.lists(), self.results.numbers());
        let (mut returns, mut value_types) = (self.returns.lists(ExprId), self.value_types.numbers());
        let (mut values, mut value_scopes) = (self.values.numbers(), self.value_scopes.numbers());
        let (mut bases, mut relations) = (self.bases.lists(ExprId), self.relations.into_iter());
        let definition = |kind: SymbolKind| {
            let signature: String = signatures.next()??;
            let exprs = bases.next()??;
            let mut of_type = ThinVec::with_capacity(exprs.len());
            for expr in exprs {
                of_type.push(Base { expr, relation: relations.next()? });
            }
            Some(Definition {
                name: Atom(names.next()?),
                kind,
                scope_names: scope_names.next()??,
                container: match (owners.next()?, extensions.next()?) {
                    (Some(owner), _) => Container::Definition(DefId::new(owner)),
                    (None, Some(extension)) => Container::Extension(ExtensionId(extension)),
                    (None, None) => Container::Module,
                },
                parent: parents.next()?.map(DefId::new),
                span: spans(signature.len())?,
                signature,
                doc: docs.next()??,
                flags: Flags::from_bits(flags.next()?),
                scope: ScopeId(scopes.next()?),
                type_parameters: type_parameters.next()?,
                parameters: parameters()?,
                result: results.next()?.map(ExprId),
                returns: returns.next()??,
                value_type: value_types.next()?.map(ExprId),
                value: values.next()?.map(ExprId),
                value_scope: value_scopes.next()?.map(ScopeId),
                bases: of_type,
            })
        };
        collect(self.kinds, definition)
    }
}

/// The fields of spans, as differences.
#[derive(Serialize, Deserialize)]
struct Spans {
    /// From the end of the definition before.
    start_bytes: Vec<i32>,
    /// From the end that the signature would have: most definitions of one line are their signatures.
    end_bytes: Vec<i32>,
    /// From the last line of the definition before.
    start_lines: Vec<i32>,
    end_lines: Vec<i32>,
    name_lines: Vec<i32>,
}

impl Spans {
    fn new(definitions: &[Definition]) -> Spans {
        let difference = |before: u32, number: u32| number.wrapping_sub(before).cast_signed();
        let before = || std::iter::once(Span::default()).chain(definitions.iter().map(|one| one.span));
        let spans = || before().zip(definitions.iter().map(|one| one.span));
        Spans {
            start_bytes: spans().map(|(before, span)| difference(before.end_byte, span.start_byte)).collect(),
            end_bytes: definitions
                .iter()
                .map(|one| difference(one.span.start_byte.wrapping_add(one.signature.len() as u32), one.span.end_byte))
                .collect(),
            start_lines: spans().map(|(before, span)| difference(before.end_line, span.start_line)).collect(),
            end_lines: spans().map(|(_, span)| difference(span.start_line, span.end_line)).collect(),
            name_lines: spans().map(|(_, span)| difference(span.start_line, span.name_line)).collect(),
        }
    }

    /// Returns a function that returns the next span, of a definition with a signature of this length.
    fn list(self) -> impl FnMut(usize) -> Option<Span> {
        let mut before = Span::default();
        let (mut start_bytes, mut end_bytes) = (self.start_bytes.into_iter(), self.end_bytes.into_iter());
        let (mut start_lines, mut end_lines) = (self.start_lines.into_iter(), self.end_lines.into_iter());
        let mut name_lines = self.name_lines.into_iter();
        move |length| {
            let start_byte = before.end_byte.wrapping_add_signed(start_bytes.next()?);
            let start_line = before.end_line.wrapping_add_signed(start_lines.next()?);
            before = Span {
                start_byte,
                end_byte: start_byte.wrapping_add(length as u32).wrapping_add_signed(end_bytes.next()?),
                start_line,
                end_line: start_line.wrapping_add_signed(end_lines.next()?),
                name_line: start_line.wrapping_add_signed(name_lines.next()?),
            };
            Some(before)
        }
    }
}

/// The fields of parameters.
#[derive(Serialize, Deserialize)]
struct Parameters {
    /// By definition.
    counts: Vec<u32>,
    names: Column,
    value_types: OptionalColumn,
    arguments: Vec<ArgumentCount>,
    labels: OptionalColumn,
    type_names: OptionalColumn,
}

impl Parameters {
    fn new(definitions: &[Definition]) -> Parameters {
        let all = || definitions.iter().flat_map(|one| &one.parameters);
        Parameters {
            counts: definitions.iter().map(|one| one.parameters.len() as u32).collect(),
            names: Column::new(all().map(|one| one.name.0)),
            value_types: OptionalColumn::new(all().map(|one| Some(one.value_type?.0))),
            arguments: all().map(|one| one.arguments).collect(),
            labels: OptionalColumn::new(all().map(|one| Some(one.label?.0))),
            type_names: OptionalColumn::new(all().map(|one| Some(one.type_name?.0))),
        }
    }

    /// Returns a function that returns the parameters of the next definition.
    fn lists(self) -> impl FnMut() -> Option<ThinVec<Parameter>> {
        let parameters = self.arguments.len();
        let (mut counts, mut names) = (self.counts.into_iter(), self.names.numbers());
        let (mut value_types, mut arguments) = (self.value_types.numbers(), self.arguments.into_iter());
        let (mut labels, mut type_names) = (self.labels.numbers(), self.type_names.numbers());
        let mut parameter = move || {
            Some(Parameter {
                name: Atom(names.next()?),
                value_type: value_types.next()?.map(ExprId),
                arguments: arguments.next()?,
                label: labels.next()?.map(Atom),
                type_name: type_names.next()?.map(Atom),
            })
        };
        move || {
            let count = counts.next()? as usize;
            // Those of the file bound the capacity.
            let mut list = ThinVec::with_capacity(count.min(parameters));
            for _ in 0..count {
                list.push(parameter()?);
            }
            Some(list)
        }
    }
}
