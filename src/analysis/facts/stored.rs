//! The stored form of facts: field after field instead of row after row, and numbers as differences.
//!
//! # Why
//!
//! Definitions, bindings and references follow the text, and an expression refers to others just before it. Their differences
//! are small and alike, so that compressed facts take a third less.

mod columns;
mod definitions;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{
    Atom, Binding, BindingKind, Code, DefId, Expr, ExprId, Extension, ExtensionId, Import, ImportId, NameKey, Names,
    Outline, Reference, Role, Scope, ScopeId, ScopeKind, Signal,
};
use columns::{Column, OptionalColumn, collect};
use definitions::Definitions;

impl Serialize for Names {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&self.text, Column::new(self.ends.iter().copied())).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Names, D::Error> {
        let (text, ends) = <(String, Column)>::deserialize(deserializer)?;
        Ok(Names { text, ends: ends.numbers().collect() })
    }
}

impl Serialize for Outline {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Outline { names, definitions, extensions, imports, bindings, package, doc, .. } = self;
        let (definitions, bindings) = (Definitions::new(definitions), Bindings::new(bindings));
        let flags = (self.is_test, self.is_build_excluded);
        let unparsed = (&self.unparsed, &self.unparsed_names);
        (names, definitions, extensions, imports, bindings, package, doc, flags, unparsed).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Outline {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Outline, D::Error> {
        type Lines = (Vec<(u32, u32)>, Vec<NameKey>);
        type Imports = Vec<Import>;
        type Stored =
            (Names, Definitions, Vec<Extension>, Imports, Bindings, Option<Atom>, String, (bool, bool), Lines);
        let (names, definitions, extensions, imports, bindings, package, doc, flags, unparsed) =
            Stored::deserialize(deserializer)?;
        Ok(Outline {
            names,
            definitions: definitions.list().ok_or_else(missing::<D>)?,
            extensions,
            imports,
            bindings: bindings.list().ok_or_else(missing::<D>)?,
            package,
            doc,
            is_test: flags.0,
            is_build_excluded: flags.1,
            unparsed: unparsed.0,
            unparsed_names: unparsed.1,
        })
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Code { scopes, bindings, expressions, references, signals } = self;
        let mut expressions = expressions.clone();
        relate(&mut expressions);
        let (scopes, bindings, references) =
            (Scopes::new(scopes), Bindings::new(bindings), References::new(references));
        (scopes, bindings, expressions, references, signals).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Code, D::Error> {
        type Stored = (Scopes, Bindings, Vec<Expr>, References, Vec<Signal>);
        let (scopes, bindings, mut expressions, references, signals) = Stored::deserialize(deserializer)?;
        relate(&mut expressions);
        let scopes = scopes.list().ok_or_else(missing::<D>)?;
        let bindings = bindings.list().ok_or_else(missing::<D>)?;
        let references = references.list().ok_or_else(missing::<D>)?;
        Ok(Code { scopes, bindings, expressions, references, signals })
    }
}

/// Returns the error for columns of different lengths.
fn missing<'de, D: Deserializer<'de>>() -> D::Error {
    D::Error::custom("a field of a fact is missing")
}

/// Replaces the numbers of subexpressions by their distances, and back.
fn relate(expressions: &mut [Expr]) {
    for (index, expr) in (0_u32..).zip(expressions) {
        expr.for_each_child_mut(&mut |child| *child = ExprId(index.wrapping_sub(child.0)));
    }
}

/// The fields of scopes.
#[derive(Serialize, Deserialize)]
struct Scopes {
    parents: OptionalColumn,
    kinds: Vec<ScopeKind>,
    definitions: OptionalColumn,
    extensions: OptionalColumn,
    module_names: OptionalColumn,
    extends: OptionalColumn,
}

impl Scopes {
    fn new(scopes: &[Scope]) -> Scopes {
        let numbers = |field: &dyn Fn(&Scope) -> Option<u32>| OptionalColumn::new(scopes.iter().map(field));
        Scopes {
            parents: numbers(&|scope| Some(scope.parent?.0)),
            kinds: scopes.iter().map(|scope| scope.kind).collect(),
            definitions: numbers(&|scope| Some(scope.definition?.get())),
            extensions: numbers(&|scope| Some(scope.extension?.0)),
            module_names: numbers(&|scope| Some(scope.module_name?.0)),
            extends: numbers(&|scope| Some(scope.extends?.0)),
        }
    }

    /// Returns the scopes; `None` if a field is missing.
    fn list(self) -> Option<Vec<Scope>> {
        let (mut parents, mut definitions) = (self.parents.numbers(), self.definitions.numbers());
        let (mut extensions, mut module_names) = (self.extensions.numbers(), self.module_names.numbers());
        let mut extends = self.extends.numbers();
        let scope = |kind: ScopeKind| {
            Some(Scope {
                parent: parents.next()?.map(ScopeId),
                kind,
                definition: definitions.next()?.map(DefId::new),
                extension: extensions.next()?.map(ExtensionId),
                module_name: module_names.next()?.map(Atom),
                extends: extends.next()?.map(ExprId),
            })
        };
        collect(self.kinds, scope)
    }
}

/// The fields of bindings.
#[derive(Serialize, Deserialize)]
struct Bindings {
    scopes: Column,
    names: Column,
    positions: Column,
    /// The number of each kind.
    kinds: Vec<u8>,
    /// By kind, its first and its second field.
    fields: Vec<[OptionalColumn; 2]>,
}

/// Number of kinds of bindings.
const BINDING_KINDS: usize = 7;

/// Returns the number of a kind, and its fields.
fn split(kind: BindingKind) -> (u8, [Option<u32>; 2]) {
    let expressions = |one: Option<ExprId>, two: Option<ExprId>| [one, two].map(|expr| Some(expr?.0));
    match kind {
        BindingKind::Definition(id) => (0, [Some(id.get()), None]),
        BindingKind::Import(id) => (1, [Some(id.0), None]),
        BindingKind::Local { value_type, value } => (2, expressions(value_type, value)),
        BindingKind::Parameter { value_type, value } => (3, expressions(value_type, value)),
        BindingKind::Alias(expr) => (4, [Some(expr.0), None]),
        BindingKind::TypeParameter(id, index) => (5, [Some(id.get()), Some(index.into())]),
        BindingKind::ExtensionParameter(id, index) => (6, [Some(id.0), Some(index.into())]),
    }
}

/// Returns the kind of binding with a number and fields from [`split`]; `None` for an unknown number or a missing field.
fn join(number: u8, [first, second]: [Option<u32>; 2]) -> Option<BindingKind> {
    let index = || u16::try_from(second?).ok();
    let (value_type, value) = (first.map(ExprId), second.map(ExprId));
    Some(match number {
        0 => BindingKind::Definition(DefId::new(first?)),
        1 => BindingKind::Import(ImportId(first?)),
        2 => BindingKind::Local { value_type, value },
        3 => BindingKind::Parameter { value_type, value },
        4 => BindingKind::Alias(value_type?),
        5 => BindingKind::TypeParameter(DefId::new(first?), index()?),
        6 => BindingKind::ExtensionParameter(ExtensionId(first?), index()?),
        _ => return None,
    })
}

impl Bindings {
    fn new(bindings: &[Binding]) -> Bindings {
        let numbers = |field: &dyn Fn(&Binding) -> u32| Column::new(bindings.iter().map(field));
        let parts: Vec<(u8, [Option<u32>; 2])> = bindings.iter().map(|binding| split(binding.kind)).collect();
        let fields = (0..BINDING_KINDS as u8).map(|number| {
            let of_kind = || parts.iter().filter(move |(kind, _)| *kind == number);
            [0, 1].map(|field| OptionalColumn::new(of_kind().map(|(_, fields)| fields[field])))
        });
        Bindings {
            scopes: numbers(&|binding| binding.scope.0),
            names: numbers(&|binding| binding.name.0),
            positions: numbers(&|binding| binding.position),
            fields: fields.collect(),
            kinds: parts.iter().map(|(kind, _)| *kind).collect(),
        }
    }

    /// Returns the bindings; `None` if a field is missing.
    fn list(self) -> Option<Vec<Binding>> {
        let (mut scopes, mut names) = (self.scopes.numbers(), self.names.numbers());
        let mut positions = self.positions.numbers();
        let mut fields: Vec<_> = self.fields.into_iter().map(|fields| fields.map(OptionalColumn::numbers)).collect();
        let binding = |number: u8| {
            let [first, second] = fields.get_mut(usize::from(number))?;
            Some(Binding {
                scope: ScopeId(scopes.next()?),
                name: Atom(names.next()?),
                position: positions.next()?,
                kind: join(number, [first.next()?, second.next()?])?,
            })
        };
        collect(self.kinds, binding)
    }
}

/// The fields of references.
#[derive(Serialize, Deserialize)]
struct References {
    expressions: Column,
    scopes: Column,
    positions: Column,
    roles: Vec<Role>,
    /// 0 for the module level, otherwise one more than the definition.
    sources: Column,
}

impl References {
    fn new(references: &[Reference]) -> References {
        let numbers = |field: &dyn Fn(&Reference) -> u32| Column::new(references.iter().map(field));
        References {
            expressions: numbers(&|one| one.expr.0),
            scopes: numbers(&|one| one.scope.0),
            positions: numbers(&|one| one.position),
            roles: references.iter().map(|one| one.role).collect(),
            sources: numbers(&|one| one.source.map_or(0, |source| source.get().wrapping_add(1))),
        }
    }

    /// Returns the references; `None` if a field is missing.
    fn list(self) -> Option<Vec<Reference>> {
        let (mut expressions, mut scopes) = (self.expressions.numbers(), self.scopes.numbers());
        let (mut positions, mut sources) = (self.positions.numbers(), self.sources.numbers());
        let reference = |role: Role| {
            Some(Reference {
                expr: ExprId(expressions.next()?),
                scope: ScopeId(scopes.next()?),
                position: positions.next()?,
                role,
                source: sources.next()?.checked_sub(1).map(DefId::new),
            })
        };
        collect(self.roles, reference)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::{FileFacts, TypeParameter};

    fn facts() -> FileFacts {
        let text = "import os\nclass A[T](B):\n    x: int = 1\n    def f(self, a, b: str = ''):\n        \
                    return self.g(a)[0].h(lambda x: x.y)\n\nC = print(A().f(os))\n";
        let language = crate::lang::language_named("python").unwrap();
        crate::lang::parser::parse(language, "m.py", text.as_bytes()).unwrap()
    }

    #[test]
    fn facts_are_the_same_after_they_were_stored() {
        let FileFacts { outline, code, .. } = facts();
        assert!(code.references.len() > 5 && code.expressions.len() > 5);
        assert!(outline.definitions.len() > 3 && outline.bindings.len() > 2 && !outline.imports.is_empty());
        let bytes = postcard::to_allocvec(&(&outline, &code)).unwrap();
        assert_eq!(postcard::from_bytes::<(Outline, Code)>(&bytes).unwrap(), (outline, code));
    }

    #[test]
    fn every_field_is_stored() {
        let FileFacts { mut outline, .. } = facts();
        let number = 900_000_000;
        let last = outline.definitions.last_mut().unwrap();
        last.scope_names = [Atom(number), Atom(0)].into_iter().collect();
        last.container = super::super::Container::Extension(ExtensionId(number));
        last.parent = Some(DefId::new(u32::MAX));
        last.value_scope = Some(ScopeId(number));
        last.returns = [ExprId(u32::MAX), ExprId(3)].into_iter().collect();
        last.type_parameters = [TypeParameter { name: Atom(1), bounds: vec![ExprId(number)] }].into_iter().collect();
        last.span = crate::model::Span { start_byte: 9, end_byte: 3, start_line: 8, end_line: 2, name_line: u32::MAX };
        let kinds = [
            BindingKind::Import(ImportId(number)),
            BindingKind::Parameter { value_type: None, value: Some(ExprId(0)) },
            BindingKind::Alias(ExprId(u32::MAX)),
            BindingKind::TypeParameter(DefId::new(number), u16::MAX),
            BindingKind::ExtensionParameter(ExtensionId(number), 0),
            BindingKind::Local { value_type: Some(ExprId(7)), value: None },
        ];
        let binding = |kind| Binding { scope: ScopeId(number), name: Atom(number), position: u32::MAX, kind };
        outline.bindings.extend(kinds.map(binding));
        let bytes = postcard::to_allocvec(&outline).unwrap();
        assert_eq!(postcard::from_bytes::<Outline>(&bytes).unwrap(), outline);
    }

    #[test]
    fn missing_fields_are_an_error() {
        let FileFacts { outline, code, .. } = facts();
        let none = || Column::new([]);
        assert!(References { scopes: none(), ..References::new(&code.references) }.list().is_none());
        assert!(Bindings { names: none(), ..Bindings::new(&outline.bindings) }.list().is_none());
        assert!(Bindings { fields: Vec::new(), ..Bindings::new(&outline.bindings) }.list().is_none());
        assert!(Scopes { parents: OptionalColumn::new([]), ..Scopes::new(&code.scopes) }.list().is_none());
        assert!(join(BINDING_KINDS as u8, [Some(1), Some(1)]).is_none() && join(5, [Some(1), Some(1 << 16)]).is_none());
    }
}
