//! The types of C++ that the language has itself, and pointers to them: overloads differ by them alone.

use tree_sitter::Node;

use crate::facts::{Expr, ExprId, Role};
use crate::lang::common::walker::Walker;
use crate::resolve::value::Value;

/// The member of a value that is its address, and the member of a pointer that is what it points to.
pub const ADDRESS: &str = "$address";
pub const CONTENT: &str = "$content";

/// The beginning of a pointer to what it can't change.
const CONST: &str = "const ";

/// Maximum number of stars of a type.
const MAX_POINTERS: usize = 4;

/// Content of a type without pointers, and its width.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Bool,
    Character(u8),
    /// Whether it has a sign, and its width.
    Integer(bool, u8),
    Float(u8),
}

/// Returns the type of a literal of a number: `1u`, `0x1FUL`, `1.5f`.
pub fn number<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let text = walker.text_of(node).to_ascii_lowercase();
    let is_hexadecimal = text.starts_with("0x");
    let is_float = text.contains('.') || text.contains(if is_hexadecimal { 'p' } else { 'e' });
    let digits = text.trim_end_matches(['u', 'l', 'z']);
    let (unsigned, long) = (text[digits.len()..].contains(['u', 'z']), text[digits.len()..].contains(['l', 'z']));
    let name = match (is_float, unsigned, long) {
        (true, ..) if text.ends_with('f') => "float",
        (true, _, true) => "long double",
        (true, ..) => "double",
        (false, true, false) => "unsigned",
        (false, true, true) => "unsigned long",
        (false, false, true) => "long",
        (false, false, false) => "int",
    };
    walker.facts.builtin(name, Vec::new())
}

/// Returns `unsigned long int` and other types of several words in one form.
pub fn primitive<'a>(walker: &mut Walker<'a>, node: Node<'a>, _role: Role) -> ExprId {
    let text = walker.text_of(node);
    let count = |word: &str| text.split_whitespace().filter(|known| *known == word).count();
    let sign = if count("unsigned") > 0 { "unsigned" } else { "" };
    let name = match (count("char"), count("short"), count("long")) {
        (1, ..) if count("signed") > 0 => "signed char".to_owned(),
        (1, ..) => format!("{sign} char"),
        (_, 1, _) => format!("{sign} short"),
        (.., 1) if count("double") == 0 => format!("{sign} long"),
        (.., 1) => "long double".to_owned(),
        (.., 2) => format!("{sign} long long"),
        _ if count("unsigned") > 0 => sign.to_owned(),
        _ if count("signed") > 0 => "int".to_owned(),
        _ => text.to_owned(),
    };
    walker.facts.builtin(name.trim_start(), Vec::new())
}

/// Returns the type of a value or a cast with its pointers: `char *`.
pub fn descriptor<'a>(walker: &mut Walker<'a>, node: Node<'a>, role: Role) -> ExprId {
    let Some(known) = walker.field(node, "type") else { return walker.unknown };
    let known = walker.type_expr(known, Some(role));
    let declarator = walker.field(node, "declarator");
    declarator.map_or(known, |declarator| with_pointers(walker, known, node, declarator))
}

/// Returns the type of what a declarator declares: with a star for each of its pointers and arrays, if the language itself has
/// the type. Other pointers have the members of what they point to. `whole` has the declarator, and may have `const`.
pub fn with_pointers<'a>(walker: &mut Walker<'a>, known: ExprId, whole: Node<'a>, declarator: Node<'a>) -> ExprId {
    let Expr::Builtin { name, args } = walker.facts.get(known) else { return known };
    if !super::is_cpp(walker) || !args.is_empty() {
        return known;
    }
    let name = walker.facts.text(*name).to_owned();
    let (mut stars, mut at) = (0, Some(declarator));
    while let Some(node) = at.filter(|_| stars < MAX_POINTERS) {
        match node.kind() {
            "pointer_declarator" | "array_declarator" | "abstract_pointer_declarator" | "abstract_array_declarator" => {
                stars += 1;
            }
            "function_declarator" | "abstract_function_declarator" => break,
            _ => {}
        }
        let is_declarator = |child: &Node<'a>| child.kind().ends_with("declarator");
        at = walker
            .field(node, "declarator")
            .or_else(|| walker.children(node).into_iter().find(is_declarator))
            .filter(|inner| *inner != node);
    }
    if stars == 0 {
        return known;
    }
    let mut qualifiers = walker.children(whole).into_iter().filter(|child| child.kind() == "type_qualifier");
    let qualifier = if qualifiers.any(|one| walker.text_of(one) == "const") { CONST } else { "" };
    walker.facts.builtin(&format!("{qualifier}{name}{}", "*".repeat(stars)), Vec::new())
}

/// Returns a member of a value of such a type: its address, or what it points to.
pub fn member(name: &str, member: &str) -> Option<Value> {
    let meant = match member {
        ADDRESS if name.ends_with('*') || kind(name).is_some() => format!("{name}*"),
        CONTENT => match name.strip_suffix('*')? {
            content if content.ends_with('*') => content.to_owned(),
            content => content.trim_start_matches(CONST).to_owned(),
        },
        _ => return None,
    };
    Some(Value::external_instance(&meant, Vec::new()))
}

/// Returns the result of a method of a container or a text of the library.
pub fn method_result(method: &str) -> Value {
    let name = match method {
        "capacity" | "count" | "find" | "find_first_of" | "find_last_of" | "length" | "max_size" | "rfind" | "size" => {
            "size_t"
        }
        "empty" | "contains" | "starts_with" | "ends_with" => "bool",
        "c_str" => "const char*",
        "substr" => "string",
        _ => return Value::Unknown,
    };
    Value::external_instance(name, Vec::new())
}

/// Returns how well a value of one type can be passed as another: better if it is only widened, not at all to another pointer.
pub fn fit(actual: &str, expected: &str) -> Option<u32> {
    const SAME: Option<u32> = Some(4);
    const WIDENED: Option<u32> = Some(3);
    const CONVERTED: Option<u32> = Some(2);
    const OTHER: Option<u32> = Some(1);
    if actual == expected {
        return SAME;
    }
    // What can't be changed is not passed to what changes it.
    match (actual.strip_prefix(CONST), expected.strip_prefix(CONST)) {
        (None, Some(expected)) if expected == actual => return WIDENED,
        (Some(_), None) if expected.ends_with('*') => return None,
        _ => {}
    }
    let (actual, expected) = (actual.trim_start_matches(CONST), expected.trim_start_matches(CONST));
    match (actual.ends_with('*'), expected.ends_with('*')) {
        // Nothing else is a pointer, but the literal of zero is a null pointer.
        (false, true) if actual == "nullptr_t" => WIDENED,
        (false, true) if actual == "int" => OTHER,
        (false, true) => {
            if kind(actual).is_some() || is_text(actual) {
                None
            } else {
                OTHER
            }
        }
        (true, true) if expected == "void*" => CONVERTED,
        (true, true) => None,
        (true, false) if expected == "bool" => OTHER,
        (true, false) => {
            if kind(expected).is_some() {
                None
            } else {
                CONVERTED
            }
        }
        (false, false) => match (kind(actual), kind(expected)) {
            (Some(one), Some(other)) if one == other => SAME,
            (Some(Kind::Float(_)), Some(Kind::Float(2))) => WIDENED,
            (Some(Kind::Bool | Kind::Character(_) | Kind::Integer(_, 0..=1)), Some(Kind::Integer(true, 2))) => WIDENED,
            (Some(Kind::Integer(true, _)), Some(Kind::Integer(true, _))) => CONVERTED,
            (Some(Kind::Integer(false, _)), Some(Kind::Integer(false, _))) => CONVERTED,
            (Some(Kind::Float(_)), Some(Kind::Float(_))) => CONVERTED,
            (Some(_), Some(_)) => OTHER,
            // No text is made of a number, nor a number or a pointer of a text.
            (Some(_), None) if is_text(expected) => None,
            (None, Some(_)) if is_text(actual) => None,
            // Another class of the library is made of a number or a text, or not.
            _ => OTHER,
        },
    }
}

/// Returns whether a type of the library is a text.
fn is_text(name: &str) -> bool {
    matches!(name.rsplit("::").next().unwrap_or(name), "string" | "string_view" | "wstring")
}

/// Returns what a type holds that the language or its library has; `None` for other types.
fn kind(name: &str) -> Option<Kind> {
    Some(match name.rsplit("::").next().unwrap_or(name) {
        "bool" => Kind::Bool,
        "char" => Kind::Character(0),
        "char8_t" => Kind::Character(1),
        "char16_t" => Kind::Character(2),
        "char32_t" => Kind::Character(3),
        "wchar_t" => Kind::Character(4),
        "signed char" | "int8_t" => Kind::Integer(true, 0),
        "unsigned char" | "uint8_t" => Kind::Integer(false, 0),
        "short" | "int16_t" => Kind::Integer(true, 1),
        "unsigned short" | "uint16_t" => Kind::Integer(false, 1),
        "int" | "int32_t" => Kind::Integer(true, 2),
        "unsigned" | "uint32_t" => Kind::Integer(false, 2),
        "long" | "long long" | "int64_t" | "ssize_t" | "ptrdiff_t" | "intptr_t" | "intmax_t" | "off_t" => {
            Kind::Integer(true, 3)
        }
        "unsigned long" | "unsigned long long" | "uint64_t" | "size_t" | "uintptr_t" | "uintmax_t" => {
            Kind::Integer(false, 3)
        }
        "float" => Kind::Float(1),
        "double" => Kind::Float(2),
        "long double" => Kind::Float(3),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_type_fits_better_than_a_wider_one_and_that_better_than_another() {
        let order = |actual: &str, expected: &[&str]| {
            let fits: Vec<Option<u32>> = expected.iter().map(|expected| fit(actual, expected)).collect();
            assert!(fits.is_sorted_by(|one, other| one > other), "{actual}: {fits:?}");
        };
        order("int", &["int32_t", "long", "double", "char*"][..3]);
        order("bool", &["bool", "int", "double", "char*"]);
        order("float", &["float", "double", "long double", "int"]);
        order("char*", &["char*", "std::string", "bool", "int"]);
        order("uint64_t", &["size_t", "unsigned", "int", "char*"]);
        order("int*", &["int*", "void*", "unsigned*"]);
        order("char*", &["char*", "const char*", "std::string", "bool", "int"]);
        order("const char*", &["const char*", "std::string", "char*"]);
        order("char", &["char", "int", "std::string"]);
        order("string", &["string", "string_view", "bool"]);
        order("std::string", &["string_view", "const char*"]);
    }

    #[test]
    fn an_address_has_a_star_more() {
        let name = |value: Option<Value>| match value {
            Some(Value::ExternalInstance { name, .. }) => name.to_string(),
            _ => String::new(),
        };
        assert_eq!(name(member("int", ADDRESS)), "int*");
        assert_eq!(name(member("const char*", CONTENT)), "char");
        assert_eq!(name(member("char**", CONTENT)), "char*");
        assert_eq!(name(member("char", CONTENT)), "");
        assert_eq!(name(member("vector", ADDRESS)), "");
    }
}
