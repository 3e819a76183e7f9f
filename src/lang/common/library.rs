//! Results of methods of a language's standard library, from a table.
//!
//! A table has a line for each type and, indented below it, one for each method that is worth knowing:
//!
//! ```text
//! java.util.List[E] : java.util.Collection[E]
//!     get E
//!     forEach (E)
//!     map (E) Stream[$]
//! ```
//!
//! Types have their parameters in brackets, and what they extend after a colon. A method has the types of the
//! parameters of a lambda that it takes, in parentheses, then its result; `$` is the result of that lambda. Types of
//! the table may be named by their last segment.

use std::collections::HashMap;

use crate::resolve::value::Value;

/// Maximum length of a chain of types that extend each other.
const MAX_ANCESTORS: usize = 8;

/// The types of a table.
pub struct Library {
    types: HashMap<&'static str, TypeEntry>,
    /// Full names by last segments.
    full_names: HashMap<&'static str, &'static str>,
}

struct TypeEntry {
    parameters: Vec<&'static str>,
    bases: Vec<Shape>,
    methods: HashMap<&'static str, Method>,
}

#[derive(Default)]
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
        let mut library = Library { types: HashMap::new(), full_names: HashMap::new() };
        let mut current = "";
        for line in text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
            if !line.starts_with(' ') {
                let (head, bases) = line.split_once(" : ").unwrap_or((line, ""));
                let head = shapes(head).remove(0);
                current = head.name;
                let parameters = head.args.iter().map(|parameter| parameter.name).collect();
                let entry = TypeEntry { parameters, bases: shapes(bases), methods: HashMap::new() };
                library.full_names.insert(current.rsplit('.').next().unwrap_or(current), current);
                library.types.insert(current, entry);
                continue;
            }
            let (names, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
            for name in names.split(',') {
                let mut method = Method::default();
                let mut result = rest;
                if let Some((lambda, after)) = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
                    method.lambda_parameters = shapes(lambda);
                    result = after;
                }
                method.result = shapes(result).into_iter().next();
                if let Some(entry) = library.types.get_mut(current) {
                    entry.methods.insert(name, method);
                }
            }
        }
        library
    }

    /// Returns the result of a method of a value; `args` are its arguments.
    pub fn result(&self, receiver: &Value, method: &str, args: &[Value]) -> Value {
        let Some((found, bound)) = self.method(receiver, method, 0) else { return Value::Unknown };
        let lambda = args.iter().find_map(|arg| match arg {
            Value::Function { result, .. } => Some((**result).clone()),
            _ => None,
        });
        found.result.as_ref().map_or(Value::Unknown, |shape| self.value(shape, &bound, lambda.as_ref()))
    }

    /// Returns the type of a parameter of the lambda that a method of a value takes.
    pub fn lambda_parameter(&self, receiver: &Value, method: &str, parameter: u16) -> Value {
        let Some((found, bound)) = self.method(receiver, method, 0) else { return Value::Unknown };
        let shape = found.lambda_parameters.get(usize::from(parameter));
        shape.map_or(Value::Unknown, |shape| self.value(shape, &bound, None))
    }

    /// Returns a method of a type or of what it extends, and the values of the type parameters there.
    fn method(&self, receiver: &Value, method: &str, depth: usize) -> Option<(&Method, Vec<(&'static str, Value)>)> {
        let (Value::ExternalInstance { name, args } | Value::External { name, args }) = receiver else { return None };
        let entry = self.types.get(&**name)?;
        let values = args.iter().cloned().chain(std::iter::repeat(Value::Unknown));
        let bound: Vec<(&'static str, Value)> = entry.parameters.iter().copied().zip(values).collect();
        if let Some(found) = entry.methods.get(method) {
            return Some((found, bound));
        }
        if depth >= MAX_ANCESTORS {
            return None;
        }
        entry.bases.iter().find_map(|base| self.method(&self.value(base, &bound, None), method, depth + 1))
    }

    fn value(&self, shape: &Shape, bound: &[(&'static str, Value)], lambda: Option<&Value>) -> Value {
        if shape.name == "$" {
            return lambda.cloned().unwrap_or(Value::Unknown);
        }
        if let Some((_, value)) = bound.iter().find(|(name, _)| *name == shape.name) {
            return value.clone();
        }
        let name = self.full_names.get(shape.name).copied().unwrap_or(shape.name);
        let args = shape.args.iter().map(|arg| self.value(arg, bound, lambda)).collect();
        Value::external_instance(name, args)
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
            let close = closing(rest);
            shape.args = shapes(&rest[1..close]);
            rest = rest.get(close + 1..).unwrap_or("");
        }
        found.push(shape);
        rest = rest.trim_start().trim_start_matches(',').trim_start();
    }
    found
}

fn closing(text: &str) -> usize {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '[' => depth += 1,
            ']' if depth == 1 => return at,
            ']' => depth -= 1,
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
    fn types_that_extend_each_other_end() {
        let library = Library::read("A : B\nB : A\n");
        assert_eq!(library.result(&Value::external_instance("A", Vec::new()), "x", &[]), Value::Unknown);
    }
}
