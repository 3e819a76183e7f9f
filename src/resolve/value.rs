//! What an expression is found to denote.

use std::sync::Arc;

use super::modules::ModuleId;
use crate::facts::NameKey;

/// A definition, by its file and its place in the file's outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolRef {
    pub file: u32,
    pub definition: u32,
}

/// A type parameter: of a definition, or of an extension (then `extension` is true and `owner` numbers it).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParameterRef {
    pub file: u32,
    pub owner: u32,
    pub extension: bool,
    pub index: u16,
}

/// Which type parameters stand for what.
pub type Substitution = Vec<(ParameterRef, Value)>;

/// Generic arguments, tuple parts, alternatives.
pub type Values = Arc<[Value]>;

/// What an expression denotes, as far as it is known.
///
/// `Eq` is what lets the comparison of two `Arc`s stop where they are the same; a few lines of source can nest parts
/// so that walking them all would take for ever.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Value {
    #[default]
    Unknown,
    /// A module of the repository.
    Module(ModuleId),
    /// A definition as such: a class, a function, a method got from a receiver. `bound` holds what its and its
    /// receiver's type parameters stand for.
    Symbol {
        symbol: SymbolRef,
        bound: Arc<Substitution>,
    },
    /// A value of a type of the repository, with the type's generic arguments.
    Instance {
        symbol: SymbolRef,
        args: Values,
    },
    /// Something outside the repository as such (a module, a class, a function), by its dotted name.
    Foreign {
        name: Arc<str>,
        args: Values,
    },
    /// A value of a type outside the repository or built into the language: `list` with its element, `str`.
    ForeignInstance {
        name: Arc<str>,
        args: Values,
    },
    /// A method of a foreign value, not called yet.
    ForeignMethod {
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
    /// `super()`: a value whose members are looked up from the type's bases on.
    Parent {
        symbol: SymbolRef,
    },
    /// A literal object: its members' values.
    Object(Arc<[(NameKey, Value)]>),
}

impl Value {
    /// A definition with nothing bound.
    pub fn symbol(symbol: SymbolRef) -> Value {
        Value::Symbol { symbol, bound: Arc::new(Vec::new()) }
    }

    /// A foreign thing without generic arguments.
    pub fn foreign(name: &str) -> Value {
        Value::Foreign { name: name.into(), args: Arc::new([]) }
    }

    /// A value of a foreign type.
    pub fn foreign_instance(name: &str, args: Vec<Value>) -> Value {
        Value::ForeignInstance { name: name.into(), args: args.into() }
    }

    /// True when nothing is known.
    pub fn is_unknown(&self) -> bool {
        *self == Value::Unknown
    }

    /// The alternatives as one value: unions are flattened, repetitions and unknowns dropped.
    pub fn union(values: impl IntoIterator<Item = Value>) -> Value {
        const MOST: usize = 8;
        let mut flat: Vec<Value> = Vec::new();
        for value in values {
            let parts: &[Value] = match &value {
                Value::Union(parts) => parts,
                other => std::slice::from_ref(other),
            };
            for part in parts {
                if !part.is_unknown() && !flat.contains(part) && flat.len() < MOST {
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

    /// The alternatives: of a union its parts, else the value itself.
    pub fn alternatives(&self) -> &[Value] {
        match self {
            Value::Union(parts) => parts,
            other => std::slice::from_ref(other),
        }
    }

    /// True when a value has more parts than `most`. Parts are shared in memory but walked one by one, so a few lines of
    /// source can nest objects into more parts than any machine can walk.
    pub fn has_more_parts_than(&self, most: usize) -> bool {
        let mut open: Vec<&Value> = vec![self];
        let mut seen = 0;
        while let Some(value) = open.pop() {
            seen += 1;
            if seen + open.len() > most {
                return true;
            }
            match value {
                Value::Instance { args: parts, .. }
                | Value::Foreign { args: parts, .. }
                | Value::ForeignInstance { args: parts, .. }
                | Value::Tuple(parts)
                | Value::Union(parts) => open.extend(parts.iter()),
                Value::ForeignMethod { receiver, .. } => open.push(receiver),
                Value::Function { params, result } => {
                    open.extend(params.iter());
                    open.push(result);
                }
                Value::Symbol { bound, .. } => open.extend(bound.iter().map(|(_, value)| value)),
                Value::Object(members) => open.extend(members.iter().map(|(_, value)| value)),
                Value::Unknown | Value::Module(_) | Value::Parameter(_) | Value::Parent { .. } => {}
            }
        }
        false
    }

    /// The n-th generic argument of an instance.
    pub fn argument(&self, index: usize) -> Value {
        match self {
            Value::Instance { args, .. } | Value::ForeignInstance { args, .. } | Value::Foreign { args, .. } => {
                args.get(index).cloned().unwrap_or(Value::Unknown)
            }
            _ => Value::Unknown,
        }
    }

    /// Replaces type parameters by what they stand for.
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
            Value::Foreign { name, args } => Value::Foreign { name: name.clone(), args: all(args) },
            Value::ForeignInstance { name, args } => Value::ForeignInstance { name: name.clone(), args: all(args) },
            Value::ForeignMethod { receiver, name } => {
                Value::ForeignMethod { receiver: Arc::new(receiver.substitute(substitution)), name: name.clone() }
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

    /// Matches `self`, a type that mentions type parameters, with an actual value and notes what they stand for.
    /// The first match of a parameter wins.
    pub fn unify(&self, actual: &Value, found: &mut Substitution) {
        match (self, actual) {
            (_, Value::Unknown) => {}
            (Value::Parameter(parameter), actual)
                if actual != self && !found.iter().any(|(key, _)| key == parameter) =>
            {
                found.push((*parameter, actual.clone()));
            }
            (Value::Instance { symbol: left, args: patterns }, Value::Instance { symbol: right, args })
                if left == right =>
            {
                unify_all(patterns, args, found);
            }
            (Value::ForeignInstance { name: left, args: patterns }, Value::ForeignInstance { name: right, args })
                if left == right =>
            {
                unify_all(patterns, args, found);
            }
            // A pattern for classes, given a class: what matters is a value of it.
            (Value::ForeignInstance { name, args }, Value::Symbol { symbol, .. }) if &**name == "type" => {
                unify_all(args, &[Value::Instance { symbol: *symbol, args: Arc::new([]) }], found);
            }
            (Value::Function { params: left, result: a }, Value::Function { params: right, result: b }) => {
                unify_all(left, right, found);
                a.unify(b, found);
            }
            (Value::Tuple(patterns), Value::Tuple(parts)) => unify_all(patterns, parts, found),
            (Value::Union(patterns), actual) => patterns.iter().for_each(|pattern| pattern.unify(actual, found)),
            _ => {}
        }
    }
}

fn unify_all(patterns: &[Value], actual: &[Value], found: &mut Substitution) {
    for (pattern, value) in patterns.iter().zip(actual) {
        pattern.unify(value, found);
    }
}
