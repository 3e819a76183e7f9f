//! The stored form of [`Code`]: numbers as differences, and the fields of references one after the other.
//!
//! # Why
//!
//! An expression refers to others just before it, and references follow the text. Their differences are small and alike, so
//! that compressed code takes a third less.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Binding, Code, DefId, Expr, ExprId, Reference, Role, Scope, ScopeId, Signal};

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Code { scopes, bindings, expressions, references, signals } = self;
        let (mut expressions, references) = (expressions.clone(), References::new(references));
        relate(&mut expressions);
        (scopes, bindings, expressions, references, signals).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Code, D::Error> {
        type Stored = (Vec<Scope>, Vec<Binding>, Vec<Expr>, References, Vec<Signal>);
        let (scopes, bindings, mut expressions, references, signals) = Stored::deserialize(deserializer)?;
        relate(&mut expressions);
        let references = references.list().ok_or_else(|| D::Error::custom("a field of a reference is missing"))?;
        Ok(Code { scopes, bindings, expressions, references, signals })
    }
}

/// Replaces the numbers of subexpressions by their distances, and back.
fn relate(expressions: &mut [Expr]) {
    for (index, expr) in (0_u32..).zip(expressions) {
        expr.for_each_child_mut(&mut |child| *child = ExprId(index.wrapping_sub(child.0)));
    }
}

/// The fields of references, numbers as differences between one reference and the next.
#[derive(Serialize, Deserialize)]
struct References {
    expressions: Vec<i32>,
    scopes: Vec<i32>,
    positions: Vec<i32>,
    roles: Vec<Role>,
    /// 0 for the module level, otherwise one more than the definition.
    sources: Vec<i32>,
}

impl References {
    fn new(references: &[Reference]) -> References {
        let numbers = |field: &dyn Fn(&Reference) -> u32| {
            let before = std::iter::once(0).chain(references.iter().map(field));
            before.zip(references).map(|(before, one)| field(one).wrapping_sub(before).cast_signed()).collect()
        };
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
        let length = self.roles.len();
        let numbers = |differences: Vec<i32>| {
            let mut at = 0_u32;
            let next = move |difference: i32| {
                at = at.wrapping_add(difference.cast_unsigned());
                at
            };
            (differences.len() == length).then(|| differences.into_iter().map(next).collect::<Vec<u32>>())
        };
        let (expressions, scopes) = (numbers(self.expressions)?, numbers(self.scopes)?);
        let (positions, sources) = (numbers(self.positions)?, numbers(self.sources)?);
        let reference = |(at, role): (usize, Role)| Reference {
            expr: ExprId(expressions[at]),
            scope: ScopeId(scopes[at]),
            position: positions[at],
            role,
            source: sources[at].checked_sub(1).map(DefId::new),
        };
        Some(self.roles.into_iter().enumerate().map(reference).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code() -> Code {
        let text = "import os\nclass A:\n    def f(self, a):\n        return self.g(a)[0].h(lambda x: x.y)\n\nprint(A().f(os))\n";
        let language = crate::lang::language_named("python").unwrap();
        crate::lang::parser::parse(language, "m.py", text.as_bytes()).unwrap().code
    }

    #[test]
    fn code_is_the_same_after_it_was_stored() {
        let code = code();
        assert!(code.references.len() > 5 && code.expressions.len() > 5);
        let bytes = postcard::to_allocvec(&code).unwrap();
        assert_eq!(postcard::from_bytes::<Code>(&bytes).unwrap(), code);
    }

    #[test]
    fn numbers_are_small_and_missing_fields_are_an_error() {
        let references = References::new(&code().references);
        assert!(references.positions.iter().all(|difference| (-127..127).contains(difference)));
        let cut = References { scopes: Vec::new(), ..references };
        assert_eq!(cut.list(), None);
    }
}
