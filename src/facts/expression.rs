//! Expressions: the little language in which receivers, initializers and types are written down.
//!
//! One arena serves values and types alike. Whether an expression is read as a value or as a type is decided by who
//! refers to it: an annotation (`x: Foo`) is read as a type and gives an instance of `Foo`; an initializer
//! (`x = Foo`) is read as a value and gives the class itself.
//!
//! Extraction drops what does not matter to resolution: parentheses, borrows, dereferences, pointers, `mut`,
//! `const`, `readonly`, lifetimes, optional chaining, non-null assertions. Anything it has no form for is
//! [`Expr::Unknown`], which is always allowed.

use serde::{Deserialize, Serialize};

use super::{Atom, DefId};

/// Number of an expression within its file's arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ExprId(pub u32);

/// An expression. Children come before their parents in the arena.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Expr {
    /// Nothing is known.
    Unknown,
    /// A name, looked up through the scopes from where it is used.
    Name(Atom),
    /// `base.name`, `base::name`, `base->name`.
    Member { base: ExprId, name: Atom },
    /// `callee(args)`; calling a class gives an instance of it. Lambdas are the only arguments worth giving
    /// exactly; others may be `Unknown`.
    Call { callee: ExprId, args: Vec<ExprId> },
    /// A value of this type: `new T()`, `T{…}`, `x as T`, `cast(T, x)`. The child is read as a type.
    Instance(ExprId),
    /// Generic application: `Vec<T>`, `list[T]`, `Map<K, V>`. The arguments are read as types. A turbofish or an
    /// explicit instantiation of a function is written the same way.
    Apply { base: ExprId, args: Vec<ExprId> },
    /// `base[index]`: one element of a container (not of a string key with a known type).
    Index(ExprId),
    /// What iterating over the child yields.
    Element(ExprId),
    /// The n-th part of a tuple, or the n-th result of a function with several.
    Item(ExprId, u16),
    /// The inside of a wrapper: `await x`, `x?`, what `Some(x)` or `Ok(x)` binds.
    Unwrap(ExprId),
    /// The instance that the enclosing method works on: `self`, `this`.
    Receiver,
    /// The type around the enclosing method: `Self`, `cls`. Read as a type it gives an instance.
    ReceiverType,
    /// The receiver, its members looked up from the bases on: `super()`, `super`.
    Parent,
    /// The receiver, its members looked up from the bases of the type that the child names on: `super(Type, self)`.
    ParentOf(ExprId),
    /// One of several: unions, conditional expressions, `a or b`.
    Union(Vec<ExprId>),
    /// A tuple, or several results.
    Tuple(Vec<ExprId>),
    /// A function type, or a lambda. The result of a lambda is a value; that of a function type is a type and must be
    /// wrapped in [`Expr::Instance`] where the expression is read as a value. Parameters are read as types.
    Function { params: Vec<ExprId>, result: Option<ExprId> },
    /// A parameter of a lambda that has no annotation: the `parameter`-th one of the lambda that is the `argument`-th
    /// argument of `call`. Its type comes from the callee.
    LambdaParameter { call: ExprId, argument: u16, parameter: u16 },
    /// A type that the language itself provides, by its plain name: `str`, `list`, `string`, `[]`, `map`, `chan`.
    /// Read as a value it is a value of that type, so literals are written with it.
    Builtin { name: Atom, args: Vec<ExprId> },
    /// A literal object, or an anonymous struct: its members by name. Read as a type, the members are types.
    Object(Vec<(Atom, ExprId)>),
    /// A path that starts at a fixed place of the module tree: `crate`, `self` (module), `super`, `$crate`, `::`.
    Root(Atom),
    /// A definition of this file that no name leads to: a function inside an object literal, an anonymous class. Read
    /// as a value it is what the definition's name would be.
    Definition(DefId),
    /// The type of a value, where a type is read: `typeof x`, `T['key']`. The child is read as a value.
    TypeOf(ExprId),
    /// What the callee of `call` takes as its `argument`-th argument, as a value: the expected type of an object
    /// literal written there. `LambdaParameter` is `ParameterOf` an `ArgumentOf`.
    ArgumentOf { call: ExprId, argument: u16 },
    /// What the value `function` takes as its `parameter`-th parameter: gives a function literal's parameters their
    /// types where its context is annotated (`const f: Handler = request => …`).
    ParameterOf { function: ExprId, parameter: u16 },
}
