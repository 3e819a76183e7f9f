//! Implicit interfaces: shapes of method signatures, and the interfaces of the standard library.
//!
//! Two methods of the same name can implement each other only if their shapes match. Names alone are too common: half
//! of all types have a `String` or a `Close`. The shape is computed from the signature's text with unqualified type
//! names, so the outline suffices.

use super::stdlib::LIBRARY;
use crate::lang::ImplicitInterfaces;

/// Go's implicit interfaces.
pub const INTERFACES: ImplicitInterfaces = ImplicitInterfaces {
    method_shape: signature_shape,
    standard: |name| LIBRARY.methods(name),
    is_private: |method| method.chars().next().is_some_and(|first| !first.is_uppercase()),
    is_certain: true,
};

/// Returns the types of parameters and results of a signature such as `func (s *Store) Get(key string) error`, here
/// `string>error`.
fn signature_shape(signature: &str) -> Option<String> {
    let mut rest = signature.trim();
    if let Some(after) = rest.strip_prefix("func") {
        rest = after.trim_start();
        if rest.starts_with('(') {
            rest = group(rest)?.1.trim_start();
        }
    }
    let open = rest.find('(')?;
    if rest[..open].contains('[') {
        return None;
    }
    let (parameters, results) = group(&rest[open..])?;
    let results = results.trim().trim_end_matches('{').trim();
    let results = if results.starts_with('(') { group(results)?.0 } else { results };
    let text = format!("{}>{}", types(parameters).join(","), types(results).join(","));
    (!mentions_type_parameter(&text)).then_some(text)
}

/// Splits a text that starts with a bracket into the bracket's content and the rest.
fn group(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0usize;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some((&text[1..index], &text[index + 1..]));
                }
            }
            _ => {}
        }
    }
    None
}

/// Returns the types of a list of parameters or results, repeated for names that share a type.
fn types(list: &str) -> Vec<String> {
    let parts = split_at_commas(list);
    let is_named = parts.iter().any(|part| named(part).is_some());
    let mut types: Vec<String> = Vec::new();
    let mut following = String::new();
    for part in parts.iter().rev() {
        match (is_named, named(part)) {
            (true, Some(own)) => following = plain(own),
            (true, None) => {}
            (false, _) => following = plain(part),
        }
        types.push(following.clone());
    }
    types.reverse();
    types
}

fn split_at_commas(list: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0i32, 0);
    for (index, byte) in list.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(list[start..index].trim());
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(list[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// Returns the type in `name type`; `None` for a lone type or name.
fn named(part: &str) -> Option<&str> {
    let (first, rest) = part.split_once(char::is_whitespace)?;
    let is_word = first.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_keyword = matches!(first, "chan" | "func" | "map" | "struct" | "interface");
    (is_word && !is_keyword).then(|| rest.trim())
}

/// Returns a type without spaces and package names.
fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut word = 0;
    for c in text.chars() {
        if c == '.' && out.len() > word {
            out.truncate(word);
        } else if c.is_alphanumeric() || c == '_' {
            out.push(c);
        } else if c.is_whitespace() {
            word = out.len();
        } else {
            out.push(c);
            word = out.len();
        }
    }
    out.replace("interface{}", "any")
}

/// Returns whether a type is a single capital letter, which is nearly always a type parameter in Go.
fn mentions_type_parameter(text: &str) -> bool {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .any(|word| word.len() == 1 && word.as_bytes()[0].is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::packages::method_shape;

    fn shape(signature: &str) -> String {
        signature_shape(signature).unwrap_or_default()
    }

    #[test]
    fn shape_ignores_parameter_and_package_names() {
        for signature in [
            "func (s *Store) Get(ctx context.Context, a, b string) (int, error)",
            "Get(context.Context, string, string) (n int, err error)",
            "Get(ctx Context, a string, b string) (int, error) {",
        ] {
            assert_eq!(shape(signature), "Context,string,string>int,error", "{signature}");
        }
    }

    #[test]
    fn shape_of_nested_types() {
        assert_eq!(
            shape("F(fs ...func(*http.Request, int) error) <-chan map[string][]pkg.T2"),
            "...func(*Request,int)error><-chanmap[string][]T2"
        );
        assert_eq!(shape("F(v interface{}, ch chan int)"), "any,chanint>");
        assert_eq!(shape("F(chan int, struct { a, b int })"), "chanint,struct{a,bint}>");
        assert_eq!(shape("Close()"), ">");
    }

    #[test]
    fn unknown_shape_is_zero() {
        assert_eq!(method_shape("go", "Get(key K) T"), 0);
        assert_eq!(method_shape("go", "Get(key"), 0);
        assert_eq!(method_shape("rust", "fn get(&self)"), 0);
        assert_ne!(method_shape("go", "Get()"), 0);
    }
}
