//! Protocols, which classes implement without declaring it (PEP 544): shapes of method signatures.
//!
//! A method implements that of a protocol if its parameters have the same names. Their types, and attributes that a protocol
//! requires, are not compared, so the relation is inferred.

use crate::lang::ImplicitInterfaces;

/// Python's protocols.
pub const PROTOCOLS: ImplicitInterfaces = ImplicitInterfaces {
    method_shape: parameter_names,
    standard: |name| matches!(name.rsplit('.').next(), Some("Generic" | "Protocol")).then(Vec::new),
    is_private: |_| false,
    is_certain: false,
};

/// Returns the names of the parameters behind the receiver in a signature such as `def get(self, key: str) -> int`; `None` if it
/// has none.
fn parameter_names(signature: &str) -> Option<String> {
    let (head, rest) = signature.split_once('(')?;
    let mut names: Vec<&str> = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, letter) in rest.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth > 0 => depth -= 1,
            ',' | ')' if depth == 0 => {
                let parameter = &rest[start..at];
                let end = parameter.find([':', '=']).unwrap_or(parameter.len());
                names.push(parameter[..end].trim());
                start = at + 1;
                if letter == ')' {
                    names.retain(|name| !matches!(*name, "" | "/" | "cls" | "self"));
                    let kind = if head.trim_start().starts_with("async ") { "async " } else { "" };
                    return Some(format!("{kind}({})", names.join(",")));
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_names_of_parameters() {
        for signature in
            ["def get(self, key: dict[str, int], n=(1, 2)) -> int", "def get(this, key, n)", "def get(key, n, /)"]
        {
            let shape = parameter_names(signature);
            assert!(shape.as_deref().is_some_and(|shape| shape.ends_with("key,n)")), "{signature} {shape:?}");
        }
        assert_eq!(parameter_names("def get(self)"), Some("()".to_owned()));
        assert_eq!(parameter_names("async def get(self, *args, **more)"), Some("async (*args,**more)".to_owned()));
        assert_eq!(parameter_names("def get(self"), None);
    }
}
