//! Types of the language and its library, and conversions of arguments to parameters (C# specification, 10.2).

use crate::lang::common::expressions::ARITHMETIC;
use crate::resolve::eval::Evaluator;
use crate::resolve::value::Value;

/// Numeric types, each wider than those before it.
const NUMBERS: &[&str] = &[
    "sbyte", "byte", "short", "ushort", "int", "uint", "nint", "nuint", "long", "ulong", "float", "double", "decimal",
];

/// Classes of the library and the keywords for them.
const KEYWORDS: &[(&str, &str)] = &[
    ("Boolean", "bool"),
    ("Byte", "byte"),
    ("Char", "char"),
    ("Decimal", "decimal"),
    ("Double", "double"),
    ("Int16", "short"),
    ("Int32", "int"),
    ("Int64", "long"),
    ("Object", "object"),
    ("SByte", "sbyte"),
    ("Single", "float"),
    ("String", "string"),
    ("UInt16", "ushort"),
    ("UInt32", "uint"),
    ("UInt64", "ulong"),
];

/// Interfaces of sequences and collections, which arrays and lists implement.
const SEQUENCES: &[&str] = &["IEnumerable", "ICollection", "IList", "IReadOnlyCollection", "IReadOnlyList"];

/// Returns an instance of an external type with generic arguments. Delegates of the library are functions.
pub fn apply(name: &str, mut args: Vec<Value>) -> Value {
    let last = last(name);
    match last {
        ARITHMETIC => arithmetic(&args),
        "Func" | "Converter" if !args.is_empty() => {
            let result = args.pop().unwrap_or(Value::Unknown);
            Value::Function { params: args.into(), result: result.into() }
        }
        "Action" => Value::Function { params: args.into(), result: Value::Unknown.into() },
        "Predicate" if args.len() == 1 => {
            Value::Function { params: args.into(), result: Value::external_instance("bool", Vec::new()).into() }
        }
        "Comparison" if args.len() == 1 => {
            args.push(args[0].clone());
            Value::Function { params: args.into(), result: Value::external_instance("int", Vec::new()).into() }
        }
        "EventHandler" if args.len() == 1 => {
            args.insert(0, Value::external_instance("object", Vec::new()));
            Value::Function { params: args.into(), result: Value::Unknown.into() }
        }
        "Nullable" | "Expression" if args.len() == 1 => args.remove(0),
        _ => match KEYWORDS.iter().find(|(class, _)| *class == last) {
            Some((_, keyword)) => Value::external_instance(keyword, args),
            None => Value::external_instance(last, args),
        },
    }
}

/// Returns the type of the result of arithmetic: a string, or a number that has room for all operands (C# specification,
/// 12.4.7). Unknown if an operand is, or has a type of the repository, whose operators return anything.
fn arithmetic(operands: &[Value]) -> Value {
    let mut widest = "int";
    for operand in operands {
        let Value::ExternalInstance { name, .. } = operand else { return Value::Unknown };
        widest = match (&**name, widest) {
            ("string", _) | (_, "string") => "string",
            ("sbyte" | "byte" | "short" | "ushort" | "char" | "int", known) => known,
            (own, known) => match [own, known].map(|one| NUMBERS.iter().position(|number| *number == one)) {
                [Some(own), Some(known)] => NUMBERS[own.max(known)],
                _ => return Value::Unknown,
            },
        };
    }
    // With an `int`, a `uint` makes a `long`, unless that is a constant.
    match operands.iter().all(|operand| operand == &operands[0]) {
        false if widest == "uint" => Value::Unknown,
        _ => Value::external_instance(widest, Vec::new()),
    }
}

/// Returns the type of the elements of a sequence.
pub fn element(value: &Value) -> Value {
    match value {
        Value::ExternalInstance { name, args } if args.len() == 2 && name.contains("Dictionary") => {
            Value::external_instance("KeyValuePair", args.to_vec())
        }
        Value::ExternalInstance { name, args } if args.len() == 2 && &**name == "ILookup" => {
            Value::external_instance("IGrouping", args.to_vec())
        }
        Value::ExternalInstance { name, args } if args.len() == 2 && &**name == "IGrouping" => args[1].clone(),
        other => other.argument(0),
    }
}

/// Returns the type of `value[index]`.
pub fn indexed(value: &Value) -> Value {
    match value {
        Value::ExternalInstance { name, args } if args.len() == 2 && name.contains("Dictionary") => args[1].clone(),
        other => other.argument(0),
    }
}

/// Types of the library, besides numbers and sequences, to which values of other types are converted.
const TARGETS: &[&str] =
    &["Array", "IComparable", "IEnumerable", "IEquatable", "ReadOnlySpan", "Span", "dynamic", "object"];

/// Returns the names of the types of the library to which [`fit`] converts values of other types.
pub fn targets() -> impl Iterator<Item = &'static str> {
    [TARGETS, NUMBERS, SEQUENCES].into_iter().flatten().copied()
}

/// Returns how well a value fits a type, from 1 to 4; `None` if it can't be passed.
pub fn fit(actual: &Value, expected: &Value) -> Option<u32> {
    let (Value::ExternalInstance { name: from, args: own }, Value::ExternalInstance { name: to, args: others }) =
        (actual, expected)
    else {
        return Some(1);
    };
    let width = |name: &str| NUMBERS.iter().position(|known| *known == name);
    match (&**from, &**to) {
        ("[]", "[]") => match (own.first(), others.first()) {
            (Some(own), Some(other)) => fit(own, other),
            _ => Some(1),
        },
        (from, to) if from == to => Some(4),
        (_, "object" | "dynamic") => Some(1),
        ("string", "IEnumerable" | "IComparable" | "IEquatable" | "ReadOnlySpan") => Some(2),
        ("[]" | "List", to) if SEQUENCES.contains(&to) => Some(3),
        ("[]", "Span" | "ReadOnlySpan" | "Array") => Some(2),
        ("char", to) => width(to).filter(|width| *width >= 3).map(|_| 2),
        (from, to) => match (width(from), width(to)) {
            (Some(own), Some(other)) if own < other => Some(if other <= own + 2 { 3 } else { 2 }),
            (Some(_), None) if is_interface(to) => Some(1),
            (None, None) if is_keyword(from) || is_keyword(to) || from == "[]" || to == "[]" => None,
            // By custom, a class ends with the name of what it extends: `FileStream`.
            (None, None) if from.ends_with(to) => Some(3),
            (None, None) => Some(1),
            _ => None,
        },
    }
}

/// Returns how well the receiver of a call fits the first parameter of an extension method.
pub fn fit_of_receiver(eval: &mut Evaluator<'_>, receiver: &Value, expected: &Value) -> Option<u32> {
    match (receiver, expected) {
        (Value::Unknown | Value::Module(_) | Value::Symbol { .. }, _) | (_, Value::Unknown) => None,
        (Value::ExternalInstance { name: from, .. }, Value::ExternalInstance { name: to, .. }) => {
            let fit = fit(receiver, expected)?;
            // Of most classes of the library it is unknown what they implement.
            (fit > 1 || from == to || is_interface(to) || &**to == "object").then_some(fit)
        }
        _ => eval.fit(receiver, expected),
    }
}

fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn is_keyword(name: &str) -> bool {
    KEYWORDS.iter().any(|(_, keyword)| *keyword == name)
}

/// Returns whether a name is that of an interface, by custom.
pub fn is_interface(name: &str) -> bool {
    name.starts_with('I') && name[1..].starts_with(|second: char| second.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit_of(from: &str, to: &str) -> Option<u32> {
        fit(&apply(from, Vec::new()), &apply(to, Vec::new()))
    }

    #[test]
    fn numbers_widen() {
        assert_eq!(fit_of("int", "Int32"), Some(4));
        assert!(fit_of("int", "long") >= fit_of("int", "double"));
        assert_eq!(fit_of("long", "int"), None);
        assert_eq!(fit_of("char", "int"), Some(2));
        assert_eq!(fit_of("int", "string"), None);
        assert_eq!(fit_of("int", "object"), Some(1));
    }

    #[test]
    fn arithmetic_has_a_type_with_room_for_all() {
        let of = |names: &[&str]| apply(ARITHMETIC, names.iter().map(|name| apply(name, Vec::new())).collect());
        assert_eq!(of(&["int", "long"]), apply("long", Vec::new()));
        assert_eq!(of(&["byte", "byte"]), apply("int", Vec::new()));
        assert_eq!(of(&["uint", "int"]), Value::Unknown);
        assert_eq!(of(&["uint", "uint"]), apply("uint", Vec::new()));
        assert_eq!(of(&["int", "string"]), apply("string", Vec::new()));
        assert_eq!(of(&["int", "Matrix"]), Value::Unknown);
    }

    #[test]
    fn classes_fit_by_name() {
        assert_eq!(fit_of("FileStream", "Stream"), Some(3));
        assert_eq!(fit_of("String", "Stream"), None);
        assert_eq!(fit_of("[]", "IEnumerable"), Some(3));
        assert_eq!(fit_of("List", "[]"), None);
    }

    #[test]
    fn delegates_of_the_library_are_functions() {
        let int = apply("Int32", Vec::new());
        let function = apply("System.Func", vec![int.clone(), apply("string", Vec::new())]);
        let Value::Function { params, result } = function else { panic!("a function") };
        assert_eq!((params.len(), &params[0]), (1, &int));
        assert_eq!(*result, Value::external_instance("string", Vec::new()));
    }
}
