//! Expressions: the intermediate representation of receivers, initializers and types.
//!
//! Values and types share one arena. The user of an expression decides whether it is evaluated as a value or as a type:
//! an annotation (`x: Foo`) is evaluated as a type and results in an instance of `Foo`; an initializer (`x = Foo`) is
//! evaluated as a value and results in the class itself.
//!
//! Extraction drops what resolution does not need: parentheses, borrows, dereferences, pointers, `mut`, `const`,
//! `readonly`, lifetimes, optional chaining, non-null assertions. Everything without a representation is
//! [`Expr::Unknown`], which is always allowed.

use serde::{Deserialize, Serialize};

use super::{Atom, DefId};

/// Number of an expression within its file's arena.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ExprId(pub u32);

/// The number of the receiver among the parameters of a lambda (Kotlin).
pub const LAMBDA_RECEIVER: u16 = u16::MAX;

/// The type around the last parameter of a function type which is the receiver of a lambda.
pub const RECEIVER_TYPE_NAME: &str = "receiver()";

/// An expression. Children come before their parents in the arena.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Expr {
    /// An expression without a representation.
    Unknown,
    /// A name, looked up in the scopes of its site.
    Name(Atom),
    /// `base.name`, `base::name`, `base->name`.
    Member { base: ExprId, name: Atom },
    /// `callee(args)`; calling a class returns an instance of it. Only lambdas have to be given exactly as arguments;
    /// others can be `Unknown`.
    Call { callee: ExprId, args: Vec<ExprId> },
    /// A value of this type: `new T()`, `T{…}`, `x as T`, `cast(T, x)`. The child is evaluated as a type.
    Instance(ExprId),
    /// Generic application: `Vec<T>`, `list[T]`, `Map<K, V>`, also the turbofish and explicit instantiation of
    /// functions. The arguments are evaluated as types.
    Apply { base: ExprId, args: Vec<ExprId> },
    /// `base[index]`: one element of a container (not of a string key with a known type).
    Index(ExprId),
    /// The element type of an iterable.
    Element(ExprId),
    /// The n-th part of a tuple, or the n-th result of a function with several.
    Item(ExprId, u16),
    /// The content of a wrapper: `await x`, `x?`, the binding of `Some(x)` or `Ok(x)`.
    Unwrap(ExprId),
    /// The receiver of the enclosing method: `self`, `this`. It and the next three belong to one scope: values are memoized by
    /// expression, so two types need two expressions.
    Receiver,
    /// The type of the enclosing method's receiver: `Self`, `cls`. Evaluated as a type it is an instance.
    ReceiverType,
    /// The receiver with member lookup from its bases on: `super()`, `super`.
    Parent,
    /// The receiver with member lookup from the bases of the child's type on: `super(Type, self)`.
    ParentOf(ExprId),
    /// Alternatives: unions, conditional expressions, `a or b`.
    Union(Vec<ExprId>),
    /// A tuple, or several results.
    Tuple(Vec<ExprId>),
    /// A function type, or a lambda. The result of a lambda is a value. The result of a function type is a type and
    /// must be wrapped in [`Expr::Instance`] if the expression is evaluated as a value. Parameters are evaluated as
    /// types.
    Function { params: Vec<ExprId>, result: Option<ExprId> },
    /// A lambda's parameter without annotation: the `parameter`-th one of the lambda that is the `argument`-th argument
    /// of `call`. The callee determines its type.
    LambdaParameter { call: ExprId, argument: u16, parameter: u16 },
    /// A type of the language itself, by its plain name: `str`, `list`, `string`, `[]`, `map`, `chan`. Evaluated as a
    /// value it is a value of that type, so it also represents literals.
    Builtin { name: Atom, args: Vec<ExprId> },
    /// An object literal or anonymous struct: its members by name. Evaluated as a type, the members are types.
    Object(Vec<(Atom, ExprId)>),
    /// The root of an absolute path: `crate`, `self` (module), `super`, `$crate`, `::`.
    Root(Atom),
    /// A definition of this file without a name in any scope: a function in an object literal, an anonymous class. It
    /// has the value that its name would have.
    Definition(DefId),
    /// The type of a value, in a type position: `typeof x`, `T['key']`. The child is evaluated as a value.
    TypeOf(ExprId),
    /// The expected type of the `argument`-th argument of `call`, as a value: for object literals. `LambdaParameter` is
    /// the `ParameterOf` an `ArgumentOf`.
    ArgumentOf { call: ExprId, argument: u16 },
    /// The type of the `parameter`-th parameter of the value `function`: for a function literal in an annotated context
    /// (`const f: Handler = request => …`).
    ParameterOf { function: ExprId, parameter: u16 },
    /// An argument that is given to the parameter of this name.
    Labeled { label: Atom, value: ExprId },
    /// The first of these that is known: a name in a block that has a receiver, which can be a member of it.
    FirstOf(Vec<ExprId>),
}

impl Expr {
    /// Calls `visit` with each direct subexpression.
    pub(super) fn for_each_child(&self, visit: &mut dyn FnMut(ExprId)) {
        match self {
            Expr::Unknown | Expr::Name(_) | Expr::Receiver | Expr::ReceiverType | Expr::Parent => {}
            Expr::Root(_) | Expr::Definition(_) => {}
            Expr::Member { base, .. } => visit(*base),
            Expr::Call { callee, args } => {
                visit(*callee);
                args.iter().for_each(|&arg| visit(arg));
            }
            Expr::Apply { base, args } => {
                visit(*base);
                args.iter().for_each(|&arg| visit(arg));
            }
            Expr::ParentOf(inner)
            | Expr::Labeled { value: inner, .. }
            | Expr::Instance(inner)
            | Expr::Index(inner)
            | Expr::Element(inner)
            | Expr::Item(inner, _) => visit(*inner),
            Expr::Unwrap(inner) | Expr::TypeOf(inner) => visit(*inner),
            Expr::Union(parts) | Expr::Tuple(parts) | Expr::FirstOf(parts) => {
                parts.iter().for_each(|&part| visit(part))
            }
            Expr::Function { params, result } => {
                params.iter().for_each(|&param| visit(param));
                result.iter().for_each(|&result| visit(result));
            }
            Expr::LambdaParameter { call, .. } | Expr::ArgumentOf { call, .. } => visit(*call),
            Expr::ParameterOf { function, .. } => visit(*function),
            Expr::Builtin { args, .. } => args.iter().for_each(|&arg| visit(arg)),
            Expr::Object(members) => members.iter().for_each(|(_, value)| visit(*value)),
        }
    }

    /// Calls `visit` with each direct subexpression, to change its number.
    pub(super) fn for_each_child_mut(&mut self, visit: &mut dyn FnMut(&mut ExprId)) {
        match self {
            Expr::Unknown | Expr::Name(_) | Expr::Receiver | Expr::ReceiverType | Expr::Parent => {}
            Expr::Root(_) | Expr::Definition(_) => {}
            Expr::Member { base: inner, .. }
            | Expr::ParentOf(inner)
            | Expr::Labeled { value: inner, .. }
            | Expr::Instance(inner)
            | Expr::Index(inner)
            | Expr::Element(inner)
            | Expr::Item(inner, _)
            | Expr::Unwrap(inner)
            | Expr::TypeOf(inner)
            | Expr::LambdaParameter { call: inner, .. }
            | Expr::ArgumentOf { call: inner, .. }
            | Expr::ParameterOf { function: inner, .. } => visit(inner),
            Expr::Call { callee: first, args: rest } | Expr::Apply { base: first, args: rest } => {
                visit(first);
                rest.iter_mut().for_each(visit);
            }
            Expr::Union(parts) | Expr::Tuple(parts) | Expr::FirstOf(parts) | Expr::Builtin { args: parts, .. } => {
                parts.iter_mut().for_each(visit);
            }
            Expr::Function { params, result } => params.iter_mut().chain(result).for_each(visit),
            Expr::Object(members) => members.iter_mut().for_each(|(_, value)| visit(value)),
        }
    }
}
