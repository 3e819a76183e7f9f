//! Definitions and extension blocks of a file.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

use super::{Atom, ExprId, ScopeId};
use crate::model::{DefId, Span, SymbolKind};

/// Number of an extension within its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ExtensionId(pub u32);

/// The owner of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Container {
    /// The module, or a function's body.
    Module,
    /// A type, interface or enum of the same file.
    Definition(DefId),
    /// The type extended by a block: a Rust `impl`, a Go method's receiver.
    Extension(ExtensionId),
}

/// Boolean properties of a definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags {
    /// Whether it is test code, by its attribute, name, directory or file.
    pub is_test: bool,
    /// Whether it is a property: reading it returns its result, not the function.
    pub is_property: bool,
    /// Whether it is called on the type, not on a value: static and class methods, associated functions without `self`.
    pub is_static: bool,
    /// Whether it has no body: interface and trait members, overload signatures, abstract methods.
    pub is_abstract: bool,
    /// Whether it is `async`: calling it returns an awaitable value.
    pub is_async: bool,
    /// Whether it is defined inside a function's body.
    pub is_local: bool,
    /// Whether it is a type alias; the aliased type is in [`Definition::value_type`].
    pub is_alias: bool,
    /// Whether it is an enum member or variant.
    pub is_variant: bool,
    /// Whether a `cfg` (or a condition like it) removes it on the usual platform. Active alternatives take precedence.
    pub is_cfg_inactive: bool,
    /// Whether it is in a branch (`if`, `try`) of the code around it, so that another branch can define its name, too. Recorded
    /// where later definitions replace earlier ones, and where an inner block defines a name of an outer one (Lua).
    pub is_conditional: bool,
    /// Whether it is a type to which a generator adds members that no source has, or a macro that declares names of other
    /// modules.
    pub has_generated_members: bool,
    /// Whether it is a module that is stored as a type; no value is an instance of it.
    pub is_module: bool,
    /// Whether it is a macro that declares a module for each name in a call (Rust). If it also reexports their names, it has
    /// generated members.
    pub declares_modules: bool,
    /// Whether it is a class with secondary constructors (Kotlin), which are not among the definitions.
    pub has_secondary_constructors: bool,
}

impl Flags {
    /// Returns the flags as bits, in the order of the fields.
    pub(super) fn bits(mut self) -> u32 {
        self.all().into_iter().rev().fold(0, |bits, flag| bits << 1 | u32::from(*flag))
    }

    /// Returns the flags with these bits.
    pub(super) fn from_bits(bits: u32) -> Flags {
        let mut flags = Flags::default();
        for (number, flag) in flags.all().into_iter().enumerate() {
            *flag = bits >> number & 1 == 1;
        }
        flags
    }

    fn all(&mut self) -> [&mut bool; 14] {
        let Flags {
            is_test,
            is_property,
            is_static,
            is_abstract,
            is_async,
            is_local,
            is_alias,
            is_variant,
            is_cfg_inactive,
            is_conditional,
            has_generated_members,
            is_module,
            declares_modules,
            has_secondary_constructors,
        } = self;
        [
            is_test,
            is_property,
            is_static,
            is_abstract,
            is_async,
            is_local,
            is_alias,
            is_variant,
            is_cfg_inactive,
            is_conditional,
            has_generated_members,
            is_module,
            declares_modules,
            has_secondary_constructors,
        ]
    }
}

/// The number of arguments that a parameter takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum ArgumentCount {
    #[default]
    One,
    /// One or none: the parameter has a default.
    Optional,
    /// All that are left. Its type is that of an array of them.
    Any,
}

/// A parameter of a function or method. Receivers are not listed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Parameter {
    pub name: Atom,
    /// Its annotation, evaluated as a type.
    pub value_type: Option<ExprId>,
    /// Recorded where calls choose overloads by it.
    pub arguments: ArgumentCount,
    /// The name by which arguments are given to it, if that is not its own: Swift's argument labels.
    pub label: Option<Atom>,
    /// The last name of its type, without generic arguments: `List` of `java.util.List<T>`, `T[]` of an array.
    pub type_name: Option<Atom>,
}

impl Parameter {
    /// Returns a parameter. The name of its type is added when the facts are complete.
    pub fn new(name: Atom, value_type: Option<ExprId>, arguments: ArgumentCount) -> Parameter {
        Parameter { name, value_type, arguments, label: None, type_name: None }
    }
}

/// A generic parameter and its bounds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TypeParameter {
    pub name: Atom,
    /// Evaluated as types; `where` clauses included.
    pub bounds: Vec<ExprId>,
}

/// The relation of a type to one of its bases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum BaseRelation {
    /// A base class, a supertrait, an extended interface, an embedded struct.
    Extends,
    /// An interface or trait that the type declares to implement.
    Implements,
    /// A module whose members become members of the type itself, and not of its values (Ruby's `extend`).
    OfType,
    /// The method that a method of a type without a name overrides: a member of a value of the base, by its name alone.
    Overridden,
    /// A module whose methods run before those of the type (Ruby's `prepend`).
    Prepended,
    /// A type that what mixes the type in must extend, too (Scala's self types).
    SelfType,
}

/// A base of a type.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Base {
    /// Evaluated as a type, in the scope around the definition.
    pub expr: ExprId,
    pub relation: BaseRelation,
}

/// A definition. Its expressions are evaluated in [`Definition::scope`]. Those of all files stay in memory while files are
/// resolved, and most have empty lists, which take eight bytes each.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    pub name: Atom,
    pub kind: SymbolKind,
    /// Names of the enclosing definitions, outermost first: the scope part of the qualified name. For a method of an
    /// extension, the extended type's plain name.
    pub scope_names: ThinVec<Atom>,
    pub container: Container,
    /// The innermost enclosing definition of any kind.
    pub parent: Option<DefId>,
    pub span: Span,
    pub signature: String,
    pub doc: String,
    pub flags: Flags,
    /// The scope of its annotations: its own body's scope if it has one (which binds its type parameters), otherwise
    /// the enclosing scope.
    pub scope: ScopeId,
    pub type_parameters: ThinVec<TypeParameter>,
    pub parameters: ThinVec<Parameter>,
    /// Declared result, evaluated as a type.
    pub result: Option<ExprId>,
    /// Returned values if no result is declared, evaluated in [`Definition::scope`].
    pub returns: ThinVec<ExprId>,
    /// Declared type of a variable or field, or the aliased type; evaluated as a type.
    pub value_type: Option<ExprId>,
    /// Initial value of a variable or field, evaluated in `value_scope`.
    pub value: Option<ExprId>,
    /// Scope of `value` if it differs from `scope` (`self.x = x` inside a method).
    pub value_scope: Option<ScopeId>,
    pub bases: ThinVec<Base>,
}

impl Definition {
    fn is_variable_or_function(&self) -> bool {
        matches!(self.kind, SymbolKind::Var | SymbolKind::Const | SymbolKind::Function)
    }
}

/// A block that adds members to a type: Rust's `impl T` and `impl Trait for T`, a Go method's receiver (one extension
/// for each receiver type of a file is enough).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Extension {
    /// The extended type, evaluated as a type.
    pub target: ExprId,
    /// Its plain name; tables are built from it without evaluation.
    pub target_name: Atom,
    /// The implemented trait, if any, evaluated as a type.
    pub implements: Option<ExprId>,
    /// The block's own scope.
    pub scope: ScopeId,
    pub type_parameters: Vec<TypeParameter>,
    /// First line of the block.
    pub line: u32,
}

/// Returns the variables and functions that own members (JavaScript's objects), and whether values made by them have these, too.
pub fn objects(definitions: &[Definition]) -> HashMap<DefId, bool> {
    let mut objects: HashMap<DefId, bool> = HashMap::new();
    for definition in definitions {
        if let Container::Definition(owner) = definition.container
            && definitions.get(owner.index()).is_some_and(|owner| owner.is_variable_or_function())
        {
            *objects.entry(owner).or_default() |= !definition.flags.is_static;
        }
    }
    objects
}

/// Returns the name of the only abstract method of each type that has abstract methods; `None` if it has several.
pub(super) fn only_methods(definitions: &[Definition]) -> HashMap<DefId, Option<Atom>> {
    let mut only_methods: HashMap<DefId, Option<Atom>> = HashMap::new();
    for definition in definitions.iter().filter(|one| one.kind.is_callable() && one.flags.is_abstract) {
        if let Container::Definition(owner) = definition.container {
            only_methods.entry(owner).and_modify(|only| *only = None).or_insert(Some(definition.name));
        }
    }
    only_methods
}
