//! What differs between languages when names are resolved across files.
//!
//! The resolver itself ([`super::eval`]) knows scopes, bindings, members, bases, generics, calls and values. A language
//! says through [`Rules`] how its modules are laid out, what its imports name, and what its built-in and standard types
//! give back. Values outside the repository are [`Value::Foreign`] (the thing itself) and [`Value::ForeignInstance`]
//! (a value of it); a language chooses their names freely, as long as `universe`, `apply` and the others agree.

use super::eval::Evaluator;
use super::input::{FileInput, Manifest};
use super::modules::Modules;
use super::value::Value;
use crate::facts::{Import, ScopeId};

/// Where an import or a path stands.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub file: u32,
    pub scope: ScopeId,
}

/// The callee of a call that leads out of the repository.
#[derive(Debug, Clone, Copy)]
pub enum ForeignCallee<'a> {
    /// A function or class, by its dotted name.
    Named(&'a str, &'a [Value]),
    /// A method of a value.
    Method(&'a Value, &'a str),
}

/// One language's rules.
pub trait Rules: Sync {
    /// Puts this language's files (number and input) into modules. Inline modules are added afterwards, from
    /// definitions of kind `package`.
    fn modules(&self, files: &[(u32, FileInput<'_>)], manifests: &[Manifest], modules: &mut Modules);

    /// The module, or whatever else, that the first segments of an import's path lead to, and how many segments that
    /// took (all of them, where modules are named whole). The rest is looked up member by member.
    fn import(&self, eval: &mut Evaluator<'_>, place: Place, import: &Import) -> (Value, usize);

    /// What a fixed root of paths denotes (`crate`, `super`).
    fn root(&self, _eval: &mut Evaluator<'_>, _place: Place, _name: &str) -> Value {
        Value::Unknown
    }

    /// A name that no file defines: built-in functions and types, the prelude.
    fn universe(&self, _name: &str) -> Option<Value> {
        None
    }

    /// A name that no scope binds but the file itself may still tell (a Go import whose package has another name than
    /// its folder).
    fn free_name(&self, _eval: &mut Evaluator<'_>, _place: Place, _name: &str) -> Option<Value> {
        None
    }

    /// A foreign or built-in type applied to arguments, as a value of that type: `Optional[X]` is `X`.
    fn apply(&self, name: &str, args: Vec<Value>) -> Value {
        Value::foreign_instance(name, args)
    }

    /// The same, where that needs an evaluator: `ReturnType<typeof f>`.
    fn apply_in(&self, _eval: &mut Evaluator<'_>, name: &str, args: Vec<Value>) -> Value {
        self.apply(name, args)
    }

    /// A member of a foreign value or thing that is more than a dotted name; `None` for the ordinary case.
    fn foreign_member(&self, _eval: &mut Evaluator<'_>, _receiver: &Value, _name: &str) -> Option<Value> {
        None
    }

    /// A member that a value of the repository has without declaring it (derived, or of a foreign base), where more is
    /// known of it than its name.
    fn missing_member(&self, _eval: &mut Evaluator<'_>, _receiver: &Value, _name: &str) -> Option<Value> {
        None
    }

    /// What a call out of the repository gives.
    fn foreign_call(&self, _eval: &mut Evaluator<'_>, _callee: ForeignCallee<'_>, _args: &[Value]) -> Value {
        Value::Unknown
    }

    /// What the parameter of a lambda is, when the lambda is an argument of a foreign callee.
    fn foreign_lambda(
        &self,
        _eval: &mut Evaluator<'_>,
        _callee: ForeignCallee<'_>,
        _args: &[Value],
        _argument: u16,
        _parameter: u16,
    ) -> Value {
        Value::Unknown
    }

    /// What iterating over a value yields.
    fn element(&self, _eval: &mut Evaluator<'_>, value: &Value) -> Value {
        value.argument(0)
    }

    /// What indexing a value gives.
    fn index(&self, eval: &mut Evaluator<'_>, value: &Value) -> Value {
        self.element(eval, value)
    }

    /// The `index`-th part of a value that is no tuple. By default such a value is its own first part: one result where
    /// two were possible.
    fn item(&self, _eval: &mut Evaluator<'_>, value: &Value, index: usize) -> Value {
        match value {
            Value::ForeignInstance { args, .. } if args.len() > 1 => args.get(index).cloned().unwrap_or(Value::Unknown),
            other if index == 0 => other.clone(),
            _ => Value::Unknown,
        }
    }

    /// What is inside a wrapper (`await`, `?`): by default the only argument of a foreign value, else the value itself.
    fn unwrap(&self, _eval: &mut Evaluator<'_>, value: &Value) -> Value {
        match value {
            Value::ForeignInstance { args, .. } if args.len() == 1 => args[0].clone(),
            other => other.clone(),
        }
    }

    /// What calling an `async` function gives, from its declared or inferred result.
    fn awaitable(&self, result: Value, _declared: bool) -> Value {
        Value::foreign_instance("Awaitable", vec![result])
    }

    /// The method that a call of an instance runs (`__call__`).
    fn call_method(&self) -> Option<&'static str> {
        None
    }

    /// The function that a call of a value runs, where its type has one without a name (a call signature).
    fn callable(&self, _eval: &mut Evaluator<'_>, _value: &Value) -> Value {
        Value::Unknown
    }

    /// True where the only values of the repository's own types that can be called are enum variants (Rust).
    fn calls_variants(&self) -> bool {
        false
    }

    /// Another value to look a member up in when a value's own type has none of that name (`Deref`).
    fn falls_back_to(&self, _eval: &mut Evaluator<'_>, _value: &Value) -> Option<Value> {
        None
    }

    /// True where an attribute that a method assigns is the one that a base declares, if there is such (Python).
    fn assignments_keep_declarations(&self) -> bool {
        false
    }

    /// True where defining a name again replaces what it meant before (Python).
    fn later_definitions_replace(&self) -> bool {
        false
    }

    /// What reading an attribute that a class declares with this value gives (Python's descriptors).
    fn attribute(&self, _eval: &mut Evaluator<'_>, value: Value) -> Value {
        value
    }

    /// True where the names of an enclosing module are not seen from a module nested in it (Rust).
    fn modules_are_closed(&self) -> bool {
        false
    }

    /// True where a type can only be extended from the module that defines it (Go).
    fn extends_own_module_only(&self) -> bool {
        false
    }

    /// True where generic arguments and an index are written alike, so that giving arguments to a value is indexing it
    /// (Go).
    fn arguments_may_index(&self) -> bool {
        false
    }

    /// True where calling a type converts a value to it, which is a use of the type and not a call (Go).
    fn calls_of_types_convert(&self) -> bool {
        false
    }

    /// True where a type and a value may share a name, each seen only where such a thing can stand (TypeScript).
    fn separates_types(&self) -> bool {
        false
    }

    /// True where what a module imports is not seen by those who import the module, unless it is exported again.
    fn imports_are_private(&self) -> bool {
        false
    }

    /// True where fields often hold functions, so that a field of the same name makes a method's name ambiguous.
    fn fields_are_called(&self) -> bool {
        false
    }

    /// True for member names so common in the standard library that being unique in the repository proves nothing.
    fn is_ubiquitous(&self, name: &str) -> bool;
}
