//! Results of methods and functions of a language's standard library, from a table.
//!
//! A table has a line for each type and, indented below it, one for each method that is worth knowing:
//!
//! ```text
//! java.util.List[E] : java.util.Collection[E]
//!     get E
//!     forEach (E)
//!     map (E) Stream[$]
//! = java.util.List ArrayList LinkedList
//! ```
//!
//! Types have their parameters in brackets, and what they extend after a colon; several types with the same methods are
//! separated by commas. A method has the types of the parameters of a lambda that it takes, in parentheses, then its
//! result. Types of the table may be named by their last segment. Functions are methods of the type `()`. The method
//! `*` is any that the type does not have, `::*` any function of the type (`::new`). A line of names
//! after `=` has a type and others that are the same for it.
//!
//! A result can also be:
//!
//! | Notation | Meaning |
//! |----------|---------|
//! | `$`, `$2` | the result of the lambda, the second argument |
//! | `Self` | the receiver |
//! | `*[T]`, `**` | the elements of `T`, of each argument |
//! | `?[T]` | the content of `T`: its first argument |
//! | `()[T, U]`, `\|[T, U]`, `/[T, U]` | a tuple, one of several values, the first known one |

use std::collections::HashMap;

use crate::resolve::value::Value;

/// Maximum length of a chain of types that extend each other.
const MAX_ANCESTORS: usize = 8;

/// The types of a table.
pub struct Library {
    types: HashMap<&'static str, TypeEntry>,
    /// Full names by last segments.
    full_names: HashMap<&'static str, &'static str>,
    /// Types by the names of others that are the same.
    aliases: HashMap<&'static str, &'static str>,
    /// Whether types are known by the last segments of their names.
    is_by_last_segment: bool,
}

/// A call as far as its result depends on it, and a function that returns the elements of a value.
struct Call<'c> {
    receiver: &'c Value,
    args: &'c [Value],
    element: &'c mut dyn FnMut(&Value) -> Value,
}

type Bound = Vec<(&'static str, Value)>;

struct TypeEntry {
    parameters: Vec<&'static str>,
    bases: Vec<Shape>,
    methods: HashMap<&'static str, Method>,
}

#[derive(Debug, Clone, Default)]
struct Method {
    lambda_parameters: Vec<Shape>,
    result: Option<Shape>,
}

/// A type as the table writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Shape {
    name: &'static str,
    args: Vec<Shape>,
}

impl Library {
    /// Reads a table.
    pub fn read(text: &'static str) -> Library {
        let mut library = Library {
            types: HashMap::new(),
            full_names: HashMap::new(),
            aliases: HashMap::new(),
            is_by_last_segment: false,
        };
        let mut current: Vec<&'static str> = Vec::new();
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            if let Some((name, others)) = line.strip_prefix("= ").and_then(|names| names.split_once(' ')) {
                library.aliases.extend(others.split(' ').map(|other| (other, name)));
            } else if !line.starts_with(' ') {
                let (heads, bases) = line.split_once(" : ").unwrap_or((line, ""));
                let heads = shapes(heads);
                current = heads.iter().map(|head| head.name).collect();
                for head in heads {
                    let parameters = head.args.iter().map(|parameter| parameter.name).collect();
                    let entry = TypeEntry { parameters, bases: shapes(bases), methods: HashMap::new() };
                    library.full_names.insert(head.name.rsplit('.').next().unwrap_or(head.name), head.name);
                    library.types.insert(head.name, entry);
                }
            } else {
                library.add_methods(&current, line.trim());
            }
        }
        library
    }

    /// Reads a table whose types are known by the last segments of their names.
    pub fn read_by_last_segment(text: &'static str) -> Library {
        Library { is_by_last_segment: true, ..Library::read(text) }
    }

    fn add_methods(&mut self, owners: &[&'static str], line: &'static str) {
        let (names, rest) = line.split_once(' ').unwrap_or((line, ""));
        let mut method = Method::default();
        let mut result = rest;
        if rest.starts_with('(') && !rest.starts_with("()") {
            let end = closing(rest, '(', ')');
            method.lambda_parameters = shapes(&rest[1..end]);
            result = rest.get(end + 1..).unwrap_or("");
        }
        method.result = shapes(result).into_iter().next();
        for owner in owners {
            if let Some(entry) = self.types.get_mut(owner) {
                entry.methods.extend(names.split(',').map(|name| (name, method.clone())));
            }
        }
    }

    /// Returns the type of the table that is the same as the type of this name.
    pub fn canonical<'n>(&self, name: &'n str) -> &'n str {
        self.aliases.get(name).copied().unwrap_or(name)
    }

    /// Returns the result of a method of a value; `args` are its arguments.
    pub fn result(&self, receiver: &Value, method: &str, args: &[Value]) -> Value {
        self.find(receiver, method, args, &mut |_| Value::Unknown).unwrap_or_default()
    }

    /// Returns the result of a method of a value, if the table has it. `element` returns the elements of a value.
    pub fn find(
        &self,
        receiver: &Value,
        method: &str,
        args: &[Value],
        element: &mut dyn FnMut(&Value) -> Value,
    ) -> Option<Value> {
        let (found, bound) = self.method(receiver, method, 0)?;
        let mut call = Call { receiver, args, element };
        Some(found.result.as_ref().map_or(Value::Unknown, |shape| self.value(shape, &bound, &mut call)))
    }

    /// Returns the name in the table of a value's type.
    pub fn type_of(&self, value: &Value) -> Option<&'static str> {
        let (Value::ExternalInstance { name, .. } | Value::External { name, .. }) = value else { return None };
        self.types.get_key_value(self.key(name)?).map(|(name, _)| *name)
    }

    /// Returns whether the table has a type.
    pub fn has_type(&self, name: &str) -> bool {
        self.key(name).is_some_and(|name| name != "()" && self.types.contains_key(name))
    }

    /// Returns whether the table has a function.
    pub fn has_function(&self, name: &str) -> bool {
        self.types.get("()").is_some_and(|functions| functions.methods.contains_key(name))
    }

    /// Returns whether a method of a value takes a lambda.
    pub fn takes_lambda(&self, receiver: &Value, method: &str) -> bool {
        self.method(receiver, method, 0).is_some_and(|(found, _)| !found.lambda_parameters.is_empty())
    }

    /// Returns whether the type of a value has a method of its own by this name.
    pub fn has_method(&self, value: &Value, method: &str) -> bool {
        self.type_of(value).is_some_and(|name| self.types[name].methods.contains_key(method))
    }

    /// Returns whether the table has a method of this name for the type of a value, or for what that extends.
    pub fn declares(&self, value: &Value, method: &str) -> bool {
        let mut at = self.type_of(value);
        for _ in 0..MAX_ANCESTORS {
            let Some(entry) = at.and_then(|name| self.types.get(name)) else { return false };
            if entry.methods.contains_key(method) {
                return true;
            }
            at = entry.bases.first().and_then(|base| self.key(base.name));
        }
        false
    }

    /// Returns the name under which the table has a type.
    fn key<'n>(&self, name: &'n str) -> Option<&'n str> {
        if !self.is_by_last_segment {
            return Some(name);
        }
        let last = name.rsplit('.').next().unwrap_or(name);
        self.aliases.get(last).or_else(|| self.full_names.get(last)).copied()
    }

    /// Returns the result of a function of the table. `element` returns the elements of a value.
    pub fn function(&self, name: &str, args: &[Value], element: &mut dyn FnMut(&Value) -> Value) -> Option<Value> {
        let found = self.types.get("()")?.methods.get(name)?;
        let mut call = Call { receiver: &Value::Unknown, args, element };
        Some(found.result.as_ref().map_or(Value::Unknown, |shape| self.value(shape, &Vec::new(), &mut call)))
    }

    /// Returns the names of the methods that the table has for a type.
    pub fn methods(&self, name: &str) -> Option<Vec<&'static str>> {
        self.types.get(name).map(|entry| entry.methods.keys().copied().collect())
    }

    /// Returns the type of a parameter of the lambda that a method of a value takes.
    pub fn lambda_parameter(&self, receiver: &Value, method: &str, parameter: u16) -> Value {
        self.lambda_parameter_after(receiver, method, &[], parameter)
    }

    /// Returns the type of a parameter of the lambda that a method of a value takes after other arguments.
    pub fn lambda_parameter_after(&self, receiver: &Value, method: &str, args: &[Value], parameter: u16) -> Value {
        let Some((found, bound)) = self.method(receiver, method, 0) else { return Value::Unknown };
        let Some(shape) = found.lambda_parameters.get(usize::from(parameter)) else { return Value::Unknown };
        self.value(shape, &bound, &mut Call { receiver, args, element: &mut |_| Value::Unknown })
    }

    /// Returns a method of a type or of what it extends, and the values of the type parameters there.
    fn method(&self, receiver: &Value, method: &str, depth: usize) -> Option<(&Method, Bound)> {
        let (Value::ExternalInstance { name, args } | Value::External { name, args }) = receiver else { return None };
        let entry = self.types.get(self.key(name)?)?;
        let values = args.iter().cloned().chain(std::iter::repeat(Value::Unknown));
        let bound: Bound = entry.parameters.iter().copied().zip(values).collect();
        let any = if method.starts_with("::") { "::*" } else { "*" };
        if let Some(found) = entry.methods.get(method).or_else(|| entry.methods.get(any)) {
            return Some((found, bound));
        }
        if depth >= MAX_ANCESTORS {
            return None;
        }
        let mut call = Call { receiver, args: &[], element: &mut |_| Value::Unknown };
        entry.bases.iter().find_map(|base| self.method(&self.value(base, &bound, &mut call), method, depth + 1))
    }

    fn value(&self, shape: &Shape, bound: &Bound, call: &mut Call<'_>) -> Value {
        if let Some((_, value)) = bound.iter().find(|(name, _)| *name == shape.name) {
            return value.clone();
        }
        match shape.name {
            "Self" => return call.receiver.clone(),
            "$" => {
                let result = call.args.iter().find_map(|arg| match arg {
                    Value::Function { result, .. } => Some((**result).clone()),
                    _ => None,
                });
                return result.unwrap_or(Value::Unknown);
            }
            _ => {}
        }
        if let Some(number) = shape.name.strip_prefix('$').and_then(|number| number.parse::<usize>().ok()) {
            return call.args.get(number - 1).cloned().unwrap_or(Value::Unknown);
        }
        let mut args = Vec::with_capacity(shape.args.len());
        for arg in &shape.args {
            match arg.name {
                "**" => args.extend(call.args.iter().map(|value| (call.element)(value))),
                _ => args.push(self.value(arg, bound, call)),
            }
        }
        match shape.name {
            "*" => args.first().map_or(Value::Unknown, |value| (call.element)(value)),
            "?" => args.first().map_or(Value::Unknown, |value| value.argument(0)),
            "/" => args.into_iter().find(|value| !value.is_unknown()).unwrap_or_default(),
            "()" => Value::Tuple(args.into()),
            "|" => Value::union(args),
            _ => Value::external_instance(self.full_names.get(shape.name).copied().unwrap_or(shape.name), args),
        }
    }
}

/// Reads types that commas separate: `A[B, C], D`.
fn shapes(text: &'static str) -> Vec<Shape> {
    let mut found = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let end = rest.find(['[', ',']).unwrap_or(rest.len());
        let mut shape = Shape { name: rest[..end].trim(), args: Vec::new() };
        rest = &rest[end..];
        // An array, `[][T]`, has a name of brackets.
        if shape.name.is_empty() && rest.starts_with("[]") {
            shape.name = &rest[..2];
            rest = &rest[2..];
        }
        if rest.starts_with('[') {
            let close = closing(rest, '[', ']');
            shape.args = shapes(&rest[1..close]);
            rest = rest.get(close + 1..).unwrap_or("");
        }
        found.push(shape);
        rest = rest.trim_start().trim_start_matches(',').trim_start();
    }
    found
}

/// Returns the byte of the bracket that closes the first one.
fn closing(text: &str, open: char, close: char) -> usize {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            _ if letter == open => depth += 1,
            _ if letter == close && depth == 1 => return at,
            _ if letter == close => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "\
# A comment.
lib.Iterable[T]
    forEach (T)
    first T
lib.Map[K, V]
    get V
    entries,all lib.Iterable[Entry[K, V]]
lib.Entry[K, V]
    key K
lib.List[E] : Iterable[E]
    map (E) List[$]
    split [][lib.Text]
lib.Text
";

    fn text() -> Value {
        Value::external_instance("lib.Text", Vec::new())
    }

    #[test]
    fn results_have_the_receivers_arguments() {
        let library = Library::read(TABLE);
        let map = Value::external_instance("lib.Map", vec![Value::Unknown, text()]);
        assert_eq!(library.result(&map, "get", &[]), text());
        let entries = library.result(&map, "all", &[]);
        assert_eq!(library.result(&library.result(&entries, "first", &[]), "value", &[]), Value::Unknown);
        let list = Value::external_instance("lib.List", vec![text()]);
        assert_eq!(library.result(&list, "first", &[]), text());
        assert_eq!(library.lambda_parameter(&list, "forEach", 0), text());
        assert_eq!(library.result(&list, "split", &[]), Value::external_instance("[]", vec![text()]));
        let lambda = Value::Function { params: [].into(), result: Value::external_instance("X", Vec::new()).into() };
        let mapped = library.result(&list, "map", &[lambda]);
        assert_eq!(mapped.argument(0), Value::external_instance("X", Vec::new()));
        assert_eq!(library.result(&text(), "get", &[]), Value::Unknown);
    }

    #[test]
    fn functions_and_notations_of_results() {
        let library = Library::read(
            "()\n    pairs Iterator[()[int, *[$1]]]\n    zip ()[**]\nstr, bytes\n    get |[Self, $2]\n    * Self\n= str Text T\n",
        );
        let (text, number) = (Value::external_instance("str", Vec::new()), Value::external_instance("int", Vec::new()));
        let list = Value::external_instance("list", vec![text.clone()]);
        let mut element = |value: &Value| value.argument(0);
        let pair = Value::Tuple([number.clone(), text.clone()].into());
        let pairs = library.function("pairs", std::slice::from_ref(&list), &mut element);
        assert_eq!(pairs, Some(Value::external_instance("Iterator", vec![pair])));
        let zipped = library.function("zip", &[list.clone(), list], &mut element);
        assert_eq!(zipped, Some(Value::Tuple([text.clone(), text.clone()].into())));
        assert_eq!(library.function("none", &[], &mut element), None);
        assert_eq!(library.result(&text, "strip", &[]), text);
        assert_eq!(
            library.result(&text, "get", &[Value::Unknown, number.clone()]),
            Value::union([text.clone(), number])
        );
        assert_eq!((library.canonical("Text"), library.canonical("U")), ("str", "U"));
    }

    #[test]
    fn types_that_extend_each_other_end() {
        let library = Library::read("A : B\nB : A\n");
        assert_eq!(library.result(&Value::external_instance("A", Vec::new()), "x", &[]), Value::Unknown);
    }
}
