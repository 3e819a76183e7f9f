//! Results of evaluation.

use std::sync::Arc;

use super::input::FileIndex;
use super::modules::ModuleId;
use crate::facts::NameKey;
use crate::model::DefId;

/// A definition: its file, and its index in the file's outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolRef {
    pub file: FileIndex,
    pub definition: DefId,
}

/// A type parameter of a definition, or of an extension (then `extension` is true and `owner` is the extension's
/// number).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParameterRef {
    pub file: FileIndex,
    pub owner: u32,
    pub extension: bool,
    pub index: u16,
}

/// Values of type parameters.
pub type Substitution = Vec<(ParameterRef, Value)>;

/// Generic arguments, parts of a tuple, or alternatives.
pub type Values = Arc<[Value]>;

/// The denotation or value of an expression, as far as it is known.
///
/// `Eq` lets the comparison of two `Arc`s stop at equal pointers. A few lines of source can nest parts so deeply that
/// comparing them all would never end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Value {
    #[default]
    Unknown,
    /// A module of the repository.
    Module(ModuleId),
    /// A definition: a class, a function, a method accessed through a receiver. `bound` has the type parameters of the
    /// definition and of its receiver.
    Symbol {
        symbol: SymbolRef,
        bound: Arc<Substitution>,
    },
    /// A value of a type of the repository, with the type's generic arguments.
    Instance {
        symbol: SymbolRef,
        args: Values,
    },
    /// An external module, class or function, by its dotted name.
    External {
        name: Arc<str>,
        args: Values,
    },
    /// A value of an external or built-in type: `list` with its element, `str`.
    ExternalInstance {
        name: Arc<str>,
        args: Values,
    },
    /// A method of an external value that is not called yet.
    ExternalMethod {
        receiver: Arc<Value>,
        name: Arc<str>,
    },
    /// A function type or a lambda: parameter types and result.
    Function {
        params: Values,
        result: Arc<Value>,
    },
    Tuple(Values),
    Union(Values),
    /// A value whose type is a type parameter.
    Parameter(ParameterRef),
    /// `super()`: a value whose member lookup starts at the type's bases.
    Parent {
        symbol: SymbolRef,
    },
    /// An object literal: the values of its members.
    Object(Arc<[(NameKey, Value)]>),
}

impl Value {
    /// Returns a definition without substitution.
    pub fn symbol(symbol: SymbolRef) -> Value {
        Value::Symbol { symbol, bound: Arc::new(Vec::new()) }
    }

    /// Returns an external symbol without generic arguments.
    pub fn external(name: &str) -> Value {
        Value::External { name: name.into(), args: Arc::new([]) }
    }

    /// Returns a value of an external type.
    pub fn external_instance(name: &str, args: Vec<Value>) -> Value {
        Value::ExternalInstance { name: name.into(), args: args.into() }
    }

    /// Returns whether nothing is known about the value.
    pub fn is_unknown(&self) -> bool {
        *self == Value::Unknown
    }

    /// Returns the union of the values: nested unions are flattened, duplicates and unknowns dropped.
    pub fn union(values: impl IntoIterator<Item = Value>) -> Value {
        const MAX_ALTERNATIVES: usize = 8;
        let mut flat: Vec<Value> = Vec::new();
        for value in values {
            let parts: &[Value] = match &value {
                Value::Union(parts) => parts,
                other => std::slice::from_ref(other),
            };
            for part in parts {
                if !part.is_unknown() && !flat.contains(part) && flat.len() < MAX_ALTERNATIVES {
                    flat.push(part.clone());
                }
            }
        }
        match flat.len() {
            0 => Value::Unknown,
            1 => flat.remove(0),
            _ => Value::Union(flat.into()),
        }
    }

    /// Returns the parts of a union, or the value itself.
    pub fn alternatives(&self) -> &[Value] {
        match self {
            Value::Union(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// Returns whether a value has more than `most` parts. Parts are shared in memory but counted each time: a few
    /// lines of source can nest objects into more parts than can be walked.
    pub fn exceeds_parts(&self, most: usize) -> bool {
        let mut open: Vec<&Value> = vec![self];
        let mut seen = 0;
        while let Some(value) = open.pop() {
            seen += 1;
            if seen + open.len() > most {
                return true;
            }
            value.add_parts(&mut open);
        }
        false
    }

    /// Returns whether a value, or a part of it, is of the repository. Memoized values have a bounded number of parts.
    pub fn is_of_repository(&self) -> bool {
        let mut open: Vec<&Value> = vec![self];
        while let Some(value) = open.pop() {
            match value {
                Value::Symbol { .. } | Value::Instance { .. } | Value::Parent { .. } => return true,
                Value::Module(_) | Value::Parameter(_) => return true,
                _ => value.add_parts(&mut open),
            }
        }
        false
    }

    fn add_parts<'v>(&'v self, open: &mut Vec<&'v Value>) {
        match self {
            Value::Instance { args: parts, .. }
            | Value::External { args: parts, .. }
            | Value::ExternalInstance { args: parts, .. }
            | Value::Tuple(parts)
            | Value::Union(parts) => open.extend(parts.iter()),
            Value::ExternalMethod { receiver, .. } => open.push(receiver),
            Value::Function { params, result } => {
                open.extend(params.iter());
                open.push(result);
            }
            Value::Symbol { bound, .. } => open.extend(bound.iter().map(|(_, value)| value)),
            Value::Object(members) => open.extend(members.iter().map(|(_, value)| value)),
            Value::Unknown | Value::Module(_) | Value::Parameter(_) | Value::Parent { .. } => {}
        }
    }

    /// Returns the n-th generic argument.
    pub fn argument(&self, index: usize) -> Value {
        match self {
            Value::Instance { args, .. } | Value::ExternalInstance { args, .. } | Value::External { args, .. } => {
                args.get(index).cloned().unwrap_or(Value::Unknown)
            }
            _ => Value::Unknown,
        }
    }

    /// Substitutes type parameters.
    pub fn substitute(&self, substitution: &[(ParameterRef, Value)]) -> Value {
        if substitution.is_empty() {
            return self.clone();
        }
        let all = |values: &Values| -> Values { values.iter().map(|value| value.substitute(substitution)).collect() };
        match self {
            Value::Parameter(parameter) => {
                let found = substitution.iter().find(|(key, _)| key == parameter);
                found.map_or_else(|| self.clone(), |(_, value)| value.clone())
            }
            Value::Instance { symbol, args } => Value::Instance { symbol: *symbol, args: all(args) },
            Value::External { name, args } => Value::External { name: name.clone(), args: all(args) },
            Value::ExternalInstance { name, args } => Value::ExternalInstance { name: name.clone(), args: all(args) },
            Value::ExternalMethod { receiver, name } => {
                Value::ExternalMethod { receiver: Arc::new(receiver.substitute(substitution)), name: name.clone() }
            }
            Value::Function { params, result } => {
                Value::Function { params: all(params), result: Arc::new(result.substitute(substitution)) }
            }
            Value::Tuple(parts) => Value::Tuple(all(parts)),
            Value::Union(parts) => Value::union(parts.iter().map(|part| part.substitute(substitution))),
            Value::Symbol { symbol, bound } => {
                let bound = bound.iter().map(|(key, value)| (*key, value.substitute(substitution))).collect();
                Value::Symbol { symbol: *symbol, bound: Arc::new(bound) }
            }
            Value::Object(members) => {
                Value::Object(members.iter().map(|(key, value)| (*key, value.substitute(substitution))).collect())
            }
            Value::Unknown | Value::Module(_) | Value::Parent { .. } => self.clone(),
        }
    }

    /// Unifies `self`, a type that mentions type parameters, with an actual value. The first match of a parameter wins.
    pub fn unify(&self, actual: &Value, substitution: &mut Substitution) {
        match (self, actual) {
            (_, Value::Unknown) => {}
            (Value::Parameter(parameter), actual)
                if actual != self && !substitution.iter().any(|(key, _)| key == parameter) =>
            {
                substitution.push((*parameter, actual.clone()));
            }
            (Value::Instance { symbol: left, args: patterns }, Value::Instance { symbol: right, args })
                if left == right =>
            {
                unify_all(patterns, args, substitution);
            }
            (Value::ExternalInstance { name: left, args: patterns }, Value::ExternalInstance { name: right, args })
                if left == right =>
            {
                unify_all(patterns, args, substitution);
            }
            // A type that takes a class, unified with a class: the parameter is an instance of it.
            (Value::ExternalInstance { name, args }, Value::Symbol { symbol, .. }) if &**name == "type" => {
                unify_all(args, &[Value::Instance { symbol: *symbol, args: Arc::new([]) }], substitution);
            }
            (Value::Function { params: left, result: a }, Value::Function { params: right, result: b }) => {
                unify_all(left, right, substitution);
                a.unify(b, substitution);
            }
            (Value::Tuple(patterns), Value::Tuple(parts)) => unify_all(patterns, parts, substitution),
            (Value::Union(patterns), actual) => patterns.iter().for_each(|pattern| pattern.unify(actual, substitution)),
            _ => {}
        }
    }
}

fn unify_all(patterns: &[Value], actual: &[Value], substitution: &mut Substitution) {
    for (pattern, value) in patterns.iter().zip(actual) {
        pattern.unify(value, substitution);
    }
}
