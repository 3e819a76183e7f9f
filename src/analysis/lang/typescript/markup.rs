//! Reads the markup of pages and components: tags with their attributes, and the expressions between them.

use std::ops::Range;

/// Elements without content, which are never closed.
const VOID: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];

/// A part of a text with markup, by its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// The start of an element.
    Open(Tag),
    /// The end of the element of this name.
    Close(Range<usize>),
    /// Text between tags.
    Text(Range<usize>),
}

/// The start of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    pub name: Range<usize>,
    pub attributes: Vec<Attribute>,
    /// Whether nothing closes the element.
    pub is_empty: bool,
}

/// An attribute, or an expression in the place of one (Svelte's `{...props}`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute {
    /// Empty for an expression.
    pub name: Range<usize>,
    /// The value without quotes or braces.
    pub value: Option<Range<usize>>,
    /// Whether the value is in braces.
    pub is_expression: bool,
}

/// Returns the pieces of a text, without comments and without scripts and styles.
pub fn pieces(text: &str, has_braces: bool) -> Vec<Piece> {
    let bytes = text.as_bytes();
    let mut pieces = Vec::new();
    let (mut at, mut start) = (0, 0);
    while at < bytes.len() {
        if has_braces && bytes[at] == b'{' {
            at = end_of_braces(bytes, at);
            continue;
        }
        if bytes[at] != b'<' {
            at += 1;
            continue;
        }
        let rest = &text[at..];
        let is_tag = rest[1..].starts_with(|first: char| first.is_ascii_alphabetic() || first == '/');
        let end = if rest.starts_with("<!--") {
            rest.find("-->").map_or(bytes.len(), |end| at + end + "-->".len())
        } else if is_tag {
            at
        } else {
            at += 1;
            continue;
        };
        if start < at {
            pieces.push(Piece::Text(start..at));
        }
        (at, start) = if is_tag { tag(text, at, has_braces, &mut pieces) } else { (end, end) };
    }
    pieces.push(Piece::Text(start..bytes.len()));
    pieces
}

/// Reads the tag at a byte. Returns where it ends, or for a script or style where its content does.
fn tag(text: &str, at: usize, has_braces: bool, pieces: &mut Vec<Piece>) -> (usize, usize) {
    let bytes = text.as_bytes();
    let is_close = bytes.get(at + 1) == Some(&b'/');
    let name_start = at + if is_close { 2 } else { 1 };
    let is_name = |byte: &u8| !byte.is_ascii_whitespace() && !matches!(byte, b'>' | b'/' | b'<');
    let name = name_start..skip(bytes, name_start, is_name);
    let mut next = name.end;
    let mut attributes = Vec::new();
    let mut is_empty = false;
    loop {
        next = skip(bytes, next, |byte| byte.is_ascii_whitespace());
        match bytes.get(next) {
            None => break,
            Some(b'>') => {
                next += 1;
                break;
            }
            Some(b'/') => {
                is_empty = bytes.get(next + 1) == Some(&b'>');
                next += 1;
            }
            Some(b'{') if has_braces => {
                let end = end_of_braces(bytes, next);
                let value = Some(next + 1..end.saturating_sub(1).max(next + 1));
                attributes.push(Attribute { name: next..next, value, is_expression: true });
                next = end;
            }
            Some(_) => {
                let attribute = attribute(bytes, &mut next, has_braces);
                attributes.push(attribute);
            }
        }
    }
    let text_of = text.get(name.clone()).unwrap_or_default().to_ascii_lowercase();
    if is_close {
        pieces.push(Piece::Close(name));
        return (next, next);
    }
    is_empty |= VOID.contains(&text_of.as_str());
    let is_raw = matches!(text_of.as_str(), "script" | "style") && !is_empty;
    pieces.push(Piece::Open(Tag { name, attributes, is_empty: is_empty || is_raw }));
    if is_raw {
        let close = format!("</{text_of}");
        let rest = &bytes[next..];
        let length = rest.windows(close.len()).position(|window| window.eq_ignore_ascii_case(close.as_bytes()));
        next = length.map_or(bytes.len(), |length| next + length);
    }
    (next, next)
}

/// Reads the attribute at a byte, and moves behind it.
fn attribute(bytes: &[u8], at: &mut usize, has_braces: bool) -> Attribute {
    let is_name = |byte: &u8| !byte.is_ascii_whitespace() && !matches!(byte, b'=' | b'>');
    let mut end = skip(bytes, *at, is_name);
    // `<a b/>`
    if end > *at + 1 && bytes.get(end) == Some(&b'>') && bytes[end - 1] == b'/' {
        end -= 1;
    }
    let name = *at..end.max(*at + 1);
    *at = name.end;
    let equals = skip(bytes, name.end, |byte| byte.is_ascii_whitespace());
    if bytes.get(equals) != Some(&b'=') {
        return Attribute { name, value: None, is_expression: false };
    }
    let start = skip(bytes, equals + 1, |byte| byte.is_ascii_whitespace());
    let (value, is_expression) = match bytes.get(start) {
        Some(quote @ (b'"' | b'\'')) => {
            let mut end = start + 1;
            while end < bytes.len() && bytes[end] != *quote {
                end = if has_braces && bytes[end] == b'{' { end_of_braces(bytes, end) } else { end + 1 };
            }
            *at = (end + 1).min(bytes.len());
            (start + 1..end, false)
        }
        Some(b'{') if has_braces => {
            *at = end_of_braces(bytes, start);
            (start + 1..at.saturating_sub(1).max(start + 1), true)
        }
        _ => {
            let end = skip(bytes, start, |byte| !byte.is_ascii_whitespace() && *byte != b'>');
            *at = end;
            (start..end, false)
        }
    };
    Attribute { name, value: Some(value), is_expression }
}

/// Returns where the code in braces at a byte ends. Braces in strings don't count.
pub fn end_of_braces(bytes: &[u8], at: usize) -> usize {
    let (mut depth, mut next) = (0_usize, at);
    let mut quote = None;
    while let Some(byte) = bytes.get(next) {
        match (byte, quote) {
            (b'\\', Some(_)) => next += 1,
            (byte, Some(open)) if *byte == open => quote = None,
            (_, Some(_)) => {}
            (b'"' | b'\'' | b'`', None) => quote = Some(*byte),
            (b'{', None) => depth += 1,
            (b'}', None) => {
                depth -= 1;
                if depth == 0 {
                    return next + 1;
                }
            }
            _ => {}
        }
        next += 1;
    }
    // An apostrophe in text, and no code.
    at + 1
}

fn skip(bytes: &[u8], at: usize, is_skipped: impl Fn(&u8) -> bool) -> usize {
    at + bytes.get(at..).unwrap_or_default().iter().take_while(|byte| is_skipped(byte)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, has_braces: bool) -> Vec<String> {
        let of = |range: &Range<usize>| text[range.clone()].to_owned();
        let one = |piece: &Piece| match piece {
            Piece::Text(range) => of(range),
            Piece::Close(name) => format!("</{}", of(name)),
            Piece::Open(tag) => {
                let attributes = tag.attributes.iter().map(|attribute| {
                    let value = attribute.value.as_ref().map_or("-".to_owned(), of);
                    format!(" {}={value}", of(&attribute.name))
                });
                format!("<{}{}", of(&tag.name), attributes.collect::<String>())
            }
        };
        pieces(text, has_braces).iter().map(one).filter(|text| !text.trim().is_empty()).collect()
    }

    #[test]
    fn tags_have_their_attributes() {
        let page = "<!-- <a> --><a b c='d>e' f=g/><script>if (a < b) {}</script>x < y</a><br>";
        assert_eq!(shown(page, false), ["<a b=- c=d>e f=g/", "<script", "</script", "x < y", "</a", "<br"]);
    }

    #[test]
    fn braces_are_values_with_any_character() {
        let component = "<b on:click={() => go('}')} {...rest} c=\"x {a > b}\">{f({ a: 1 })}</b>";
        let expected = ["<b on:click=() => go('}') =...rest c=x {a > b}", "{f({ a: 1 })}", "</b"];
        assert_eq!(shown(component, true), expected);
        assert_eq!(shown("<p>it's {", true), ["<p", "it's {"]);
    }
}
