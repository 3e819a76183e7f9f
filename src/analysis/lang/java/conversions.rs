//! Conversions of arguments to parameters of primitive types and of types of the standard library (Java Language
//! Specification, 5.1 and 5.3).

use crate::resolve::value::Value;

/// Numeric types, each wider than those before it.
const NUMBERS: &[&str] = &["byte", "short", "int", "long", "float", "double"];

/// Primitive types and the classes that box them.
const BOXES: &[(&str, &str)] = &[
    ("boolean", "java.lang.Boolean"),
    ("byte", "java.lang.Byte"),
    ("char", "java.lang.Character"),
    ("double", "java.lang.Double"),
    ("float", "java.lang.Float"),
    ("int", "java.lang.Integer"),
    ("long", "java.lang.Long"),
    ("short", "java.lang.Short"),
];

/// Types of Kotlin's declarations, and those as which Java sees them.
const SEEN_AS: &[(&str, &str)] = &[
    ("kotlin.Any", "java.lang.Object"),
    ("kotlin.Boolean", "boolean"),
    ("kotlin.Byte", "byte"),
    ("kotlin.Char", "char"),
    ("kotlin.CharSequence", "java.lang.CharSequence"),
    ("kotlin.Double", "double"),
    ("kotlin.Float", "float"),
    ("kotlin.Int", "int"),
    ("kotlin.Long", "long"),
    ("kotlin.Short", "short"),
    ("kotlin.String", "java.lang.String"),
];

fn as_seen(name: &str) -> &str {
    SEEN_AS.iter().find(|(own, _)| *own == name).map_or(name, |(_, seen)| seen)
}

/// Returns how well a value fits a type, from 1 to 4; `None` if it can't be passed.
pub fn fit(actual: &Value, expected: &Value) -> Option<u32> {
    let (Value::ExternalInstance { name: from, args: own }, Value::ExternalInstance { name: to, args: others }) =
        (actual, expected)
    else {
        return Some(1);
    };
    let (from, to) = (&**from, as_seen(to));
    match (is_primitive(from), is_primitive(to)) {
        (true, true) => fit_of_numbers(from, to),
        (true, false) => match to {
            "java.lang.Object" | "java.lang.Comparable" | "java.io.Serializable" => Some(1),
            "java.lang.Number" => NUMBERS.contains(&from).then_some(1),
            _ => BOXES.contains(&(from, to)).then_some(2),
        },
        (false, true) => BOXES.iter().find(|(_, class)| *class == from).and_then(|(own, _)| fit_of_numbers(own, to)),
        (false, false) => match (from, to) {
            ("[]", "[]") => match (own.first(), others.first()) {
                (Some(own), Some(other)) if is_primitive_value(own) || is_primitive_value(other) => {
                    (own == other).then_some(4)
                }
                (Some(own), Some(other)) => fit(own, other),
                _ => Some(1),
            },
            (_, "java.lang.Object") => Some(1),
            ("java.lang.Object", _) => None,
            ("[]", _) | (_, "[]") => None,
            _ if from == to => Some(4),
            ("java.lang.String", _) => match to {
                "java.lang.CharSequence" => Some(3),
                "java.lang.Comparable" | "java.io.Serializable" | "java.lang.constant.Constable" => Some(2),
                _ => None,
            },
            (_, "java.lang.String") => None,
            // By custom, a class ends with the name of what it extends: `FileInputStream`.
            _ if last(from).ends_with(last(to)) => Some(3),
            _ => Some(1),
        },
    }
}

/// Returns the type of the result of arithmetic: a string, or a number as wide as the widest operand, but not narrower than
/// `int` (Java Language Specification, 5.6 and 15.18.1). Unknown if an operand is.
pub fn arithmetic(operands: &[Value]) -> Value {
    if let Some(string) = operands.iter().find(|operand| is_string(operand)) {
        return string.clone();
    }
    let mut widest = "int";
    for operand in operands {
        let Value::ExternalInstance { name, .. } = operand else { return Value::Unknown };
        let plain = BOXES.iter().find(|(_, class)| **class == **name).map_or(&**name, |(plain, _)| plain);
        widest = match plain {
            "boolean" if operands.iter().all(|other| other == operand) => return operand.clone(),
            "char" => widest,
            plain => match [plain, widest].map(|one| NUMBERS.iter().position(|known| *known == one)) {
                [Some(own), Some(known)] => NUMBERS[own.max(known)],
                _ => return Value::Unknown,
            },
        };
    }
    Value::external_instance(widest, Vec::new())
}

fn is_string(value: &Value) -> bool {
    matches!(value, Value::ExternalInstance { name, .. } if &**name == "java.lang.String")
}

fn last(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}

fn is_primitive(name: &str) -> bool {
    BOXES.iter().any(|(primitive, _)| *primitive == name)
}

fn is_primitive_value(value: &Value) -> bool {
    matches!(value, Value::ExternalInstance { name, .. } if is_primitive(name))
}

fn fit_of_numbers(from: &str, to: &str) -> Option<u32> {
    let width = |name: &str| NUMBERS.iter().position(|known| *known == name);
    match (width(from), width(to)) {
        _ if from == to => Some(4),
        (Some(own), Some(other)) if own < other => Some(if other == own + 1 { 3 } else { 2 }),
        (None, Some(other)) if from == "char" && other >= 2 => Some(2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit_of(from: &str, to: &str) -> Option<u32> {
        fit(&Value::external_instance(from, Vec::new()), &Value::external_instance(to, Vec::new()))
    }

    #[test]
    fn numbers_widen_and_box() {
        assert_eq!(fit_of("int", "int"), Some(4));
        assert!(fit_of("int", "long") > fit_of("int", "double"));
        assert_eq!(fit_of("long", "int"), None);
        assert_eq!(fit_of("char", "int"), Some(2));
        assert_eq!(fit_of("int", "java.lang.Integer"), Some(2));
        assert_eq!(fit_of("java.lang.Integer", "long"), Some(3));
        assert_eq!(fit_of("int", "java.lang.String"), None);
        assert_eq!(fit_of("int", "java.lang.Number"), Some(1));
        assert_eq!(fit_of("char", "java.lang.Number"), None);
    }

    #[test]
    fn arithmetic_has_the_widest_type() {
        let value = |name: &str| Value::external_instance(name, Vec::new());
        let of = |names: &[&str]| arithmetic(&names.iter().map(|name| value(name)).collect::<Vec<_>>());
        assert_eq!(of(&["int", "long"]), value("long"));
        assert_eq!(of(&["byte"]), value("int"));
        assert_eq!(of(&["java.lang.Long", "char"]), value("long"));
        assert_eq!(of(&["boolean", "boolean"]), value("boolean"));
        assert_eq!(of(&["java.io.File", "java.lang.String"]), value("java.lang.String"));
        assert_eq!(arithmetic(&[value("int"), Value::Unknown]), Value::Unknown);
    }

    #[test]
    fn classes_fit_by_name() {
        assert_eq!(fit_of("java.lang.String", "java.io.File"), None);
        assert_eq!(fit_of("java.lang.String", "java.lang.CharSequence"), Some(3));
        assert_eq!(fit_of("java.io.FileInputStream", "java.io.InputStream"), Some(3));
        assert_eq!(fit_of("[]", "java.lang.Object"), Some(1));
        let array = |name: &str| Value::external_instance("[]", vec![Value::external_instance(name, Vec::new())]);
        assert_eq!(fit(&array("byte"), &array("char")), None);
        assert_eq!(fit(&array("byte"), &array("byte")), Some(4));
    }
}
