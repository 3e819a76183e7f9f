//! References: the places where a file uses something.

use serde::{Deserialize, Serialize};

use super::{Atom, DefId, ExprId, ScopeId};

/// In which syntactic role something is used; decides the edge's type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Role {
    /// The callee of a call, `new`, a macro call, a composite literal, a JSX element.
    Call,
    /// A type position: annotation, cast, generic argument, `isinstance`.
    Type,
    /// A value is read: a function passed on, a constant, a field.
    Read,
    /// A value is assigned.
    Write,
    /// A decorator or attribute on the source.
    Decorator,
    /// An exception thrown or raised.
    Raise,
    /// A pattern takes a member out of a value: a use of a field, but none of a method.
    Take,
}

/// One use of a name or member. The expression is a `Name` or a `Member` (an `Apply` around one is looked through).
/// The parts of a chain are references of their own: `a.b().c` uses `a`, `a.b` (call) and `.c`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    pub expr: ExprId,
    /// Where names in the expression are looked up.
    pub scope: ScopeId,
    /// Byte of the used name.
    pub position: u32,
    pub role: Role,
    /// The innermost function, method or type around it; `None` at module level. For a decorator, the definition that
    /// it decorates. Never a variable or field: those pass their uses on to what encloses them.
    pub source: Option<DefId>,
}

/// Something the code does with the world outside, recognized by its form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Signal {
    pub source: Option<DefId>,
    pub kind: SignalKind,
    pub line: u32,
}

/// What a [`Signal`] says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum SignalKind {
    /// An environment variable is read, by its literal name.
    ReadsEnv(Atom),
    /// A process is started, by its literal program name.
    Executes(Atom),
    /// An HTTP route is bound: `GET /users` (or just the path), to a handler, or to the source when there is none.
    Route { route: Atom, handler: Option<(ExprId, ScopeId)> },
    /// A URL path is requested as a client: `GET /users`, or just the path.
    Endpoint(Atom),
}
