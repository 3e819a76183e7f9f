//! References: uses of names and members in a file.

use serde::{Deserialize, Serialize};

use super::{Atom, DefId, ExprId, ScopeId};
use crate::model::EdgeType;

/// The syntactic role of a reference; it determines the type of the edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Role {
    /// The callee of a call, `new`, a macro call, a composite literal, a JSX element.
    Call,
    /// A type position: annotation, cast, generic argument, `isinstance`.
    Type,
    /// A value that is read: a function passed as a value, a constant, a field.
    Read,
    /// A value that is assigned.
    Write,
    /// A decorator or attribute on the source.
    Decorator,
    /// An exception that is thrown or raised.
    Raise,
    /// A function that an object has in the place of a member of the type that is expected there. The expression is a tuple
    /// of the function's name and that member.
    Implement,
    /// A name in the documentation of the source. Its position is that of the source.
    Document,
    /// A fixture that the test runner calls for the source, which names it.
    Fixture,
}

/// A use of a name or member. The expression is a `Name` or a `Member` (or an `Apply` of one). Each part of a chain is
/// a reference: `a.b().c` uses `a`, `a.b` (call) and `.c`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    pub expr: ExprId,
    /// The scope in which names of the expression are looked up.
    pub scope: ScopeId,
    /// First byte of the used name.
    pub position: u32,
    pub role: Role,
    /// The innermost enclosing function, method or type; `None` at module level. For a decorator, the decorated
    /// definition. Never a field that belongs to values, or a local variable: their uses belong to the definition that encloses them. Those
    /// of a variable of a module, and of a static field, are its own.
    pub source: Option<DefId>,
}

/// An interaction with the environment, recognized by its syntax.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Signal {
    pub source: Option<DefId>,
    pub kind: SignalKind,
    pub line: u32,
}

/// The kind of a [`Signal`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum SignalKind {
    /// An environment variable that is read, by its literal name.
    ReadsEnv(Atom),
    /// An environment variable that is given a value, by its name.
    SetsEnv(Atom),
    /// A process that is started, by its literal program name.
    Executes(Atom),
    /// A file or target of any language that is named by a text: a path, or two words, such as `make test`, that a file of
    /// the other language binds. `folder` is that in which it is looked for first, relative to the file or to the root.
    Names { name: Atom, folder: Atom, edge_type: EdgeType },
    /// An HTTP route (`GET /users`, or only the path) bound to a handler, or to the source if there is none.
    Route { route: Atom, handler: Option<(ExprId, ScopeId)> },
    /// A URL path requested by a client: `GET /users`, or only the path.
    Endpoint(Atom),
    /// A flag without which the source, or a part of it, does nothing. In languages with macros, the scope in which a
    /// macro of this name is looked up.
    GatedBy { flag: Atom, scope: Option<ScopeId> },
}
