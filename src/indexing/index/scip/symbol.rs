//! Splits the symbols of SCIP indexes into descriptors, in time linear in their length: parsing in the `scip` crate formats
//! the whole symbol once for each descriptor. The grammar is in the comment of `Symbol` in `scip.proto`.

use std::borrow::Cow;

use scip::types::descriptor::Suffix;

/// A part of a symbol: a name and what it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Descriptor<'s> {
    pub(super) name: Cow<'s, str>,
    pub(super) suffix: Suffix,
}

/// Returns the descriptors of a global symbol, outermost first; `None` if it is malformed.
pub(super) fn descriptors(symbol: &str) -> Option<Vec<Descriptor<'_>>> {
    let mut rest = symbol;
    // The scheme, and the package's manager, name and version.
    for _ in 0..4 {
        rest = after_field(rest)?;
    }
    let mut descriptors = Vec::new();
    while !rest.is_empty() {
        let (descriptor, after) = descriptor(rest)?;
        descriptors.push(descriptor);
        rest = after;
    }
    // The grammar has one at least.
    (!descriptors.is_empty()).then_some(descriptors)
}

/// Returns what follows a field that ends with a space. Two spaces are a space in the field.
fn after_field(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = rest.split_once(' ')?.1;
        match rest.strip_prefix(' ') {
            Some(after) => rest = after,
            None => return Some(rest),
        }
    }
}

fn descriptor(text: &str) -> Option<(Descriptor<'_>, &str)> {
    for (open, close, suffix) in [('(', ')', Suffix::Parameter), ('[', ']', Suffix::TypeParameter)] {
        if let Some(inner) = text.strip_prefix(open) {
            let (name, rest) = name(inner)?;
            return Some((Descriptor { name, suffix }, rest.strip_prefix(close)?));
        }
    }
    let (name, rest) = name(text)?;
    let mut characters = rest.chars();
    let suffix = match characters.next()? {
        '/' => Suffix::Namespace,
        '#' => Suffix::Type,
        '.' => Suffix::Term,
        ':' => Suffix::Meta,
        '!' => Suffix::Macro,
        '(' => return Some((Descriptor { name, suffix: Suffix::Method }, after_disambiguator(characters.as_str())?)),
        _ => return None,
    };
    Some((Descriptor { name, suffix }, characters.as_str()))
}

/// Returns what follows the part of a method that tells overloads apart.
fn after_disambiguator(text: &str) -> Option<&str> {
    let rest = if text.starts_with(')') { text } else { name(text)?.1 };
    rest.strip_prefix(").")
}

/// Returns a name, and what follows. In backquotes it has any characters, and two of them are one.
fn name(text: &str) -> Option<(Cow<'_, str>, &str)> {
    let Some(quoted) = text.strip_prefix('`') else {
        let is_simple = |c: char| c.is_alphabetic() || c.is_ascii_digit() || "-+$_".contains(c);
        let end = text.find(|c| !is_simple(c)).unwrap_or(text.len());
        return (end > 0).then(|| (text[..end].into(), &text[end..]));
    };
    let mut end = 0;
    loop {
        end += quoted[end..].find('`')?;
        if !quoted[end + 1..].starts_with('`') {
            break;
        }
        end += 2;
    }
    let name = &quoted[..end];
    let name = if name.contains('`') { name.replace("``", "`").into() } else { name.into() };
    Some((name, &quoted[end + 1..]))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use scip::symbol::parse_symbol;

    use super::*;

    fn parts(symbol: &str) -> Option<Vec<(String, Suffix)>> {
        let parts = descriptors(symbol)?.into_iter();
        Some(parts.map(|part| (part.name.into_owned(), part.suffix)).collect())
    }

    /// Returns what the `scip` crate has, which stops at a space at the end.
    fn expected(symbol: &str) -> Option<Vec<(String, Suffix)>> {
        let parts = parse_symbol(symbol).ok()?.descriptors.into_iter();
        Some(parts.map(|part| (part.name, part.suffix.enum_value_or_default())).collect())
    }

    #[test]
    fn symbols_are_split_as_the_scip_crate_does() {
        for symbol in [
            "lsif-java maven package 1.0.0 java/io/File#Entry.method(+1).(param)[TypeParam]",
            "rust-analyzer cargo x  y 0.1.0 `a b``c`/MyType#new(test).",
            "scip-ctags . . . foo.",
            "a b c d macro!meta:`é`#",
            "a b c d   ",
            "a b c d x",
            "a b c d x(",
            "a b c d x(y)",
            "a b c d `open",
            "a b c",
            "",
        ] {
            assert_eq!(parts(symbol), expected(symbol), "{symbol}");
        }
    }

    proptest! {
        #[test]
        fn random_symbols_are_split_as_the_scip_crate_does(descriptors in "[ab`/#.:!()\\[\\] é+]{1,30}") {
            let symbol = format!("a b c d {descriptors}");
            prop_assert_eq!(parts(&symbol), expected(&symbol));
        }
    }

    #[test]
    fn a_symbol_of_a_million_descriptors_is_split() {
        let count = 1_000_000;
        let symbol = format!("a b c d {}x().", "a/".repeat(count));
        assert_eq!(descriptors(&symbol).unwrap().len(), count + 1);
        let quoted = format!("a b c d `{}`.", "``".repeat(count));
        assert_eq!(descriptors(&quoted).unwrap()[0].name.len(), count);
    }
}
