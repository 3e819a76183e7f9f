//! Rules that decide whether a result matches an entry of the ground truth.
//!
//! *Dotted* is the published rule of a cross-system benchmark: names match at dot boundaries, so a type matches its
//! members and vice versa. *Strict* requires equal names, or names that are equal after leading qualifiers of either
//! are dropped.

use serde::{Deserialize, Serialize};

/// A matching rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matcher {
    Dotted,
    Strict,
}

impl Matcher {
    /// All rules.
    pub const ALL: [Matcher; 2] = [Matcher::Dotted, Matcher::Strict];

    /// Returns the name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Matcher::Dotted => "dotted",
            Matcher::Strict => "strict",
        }
    }

    /// Returns whether `result` matches `truth`.
    pub fn matches(self, result: &Name, truth: &Name) -> bool {
        if result.text.is_empty() || truth.text.is_empty() {
            return false;
        }
        match self {
            Matcher::Dotted => dotted(result, truth),
            Matcher::Strict => ends_alike(&result.lower, &truth.lower),
        }
    }
}

/// The part of a symbol's name that the rules compare, without repository, path and file extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    text: String,
    lower: String,
}

impl Name {
    /// Parses a name as in task files and results: `Flask.route`, `src/flask/app.py.Flask.route`, `repository://…`,
    /// `module::Type::method`.
    pub fn new(raw: &str) -> Name {
        let text = comparable_part(raw);
        let lower = text.to_lowercase();
        Name { text, lower }
    }

    /// Returns the last part of the name in lower case. Names that match strictly have the same one.
    pub fn last(&self) -> &str {
        self.lower.rsplit('.').next().unwrap_or(&self.lower)
    }
}

/// File extensions, in the order in which the published rule tries them.
const EXTENSIONS: [&str; 11] =
    [".go.", ".py.", ".pyi.", ".ts.", ".tsx.", ".js.", ".jsx.", ".rs.", ".java.", ".cs.", ".rb."];

/// Returns whether Python's `str.strip`, which the published rule uses, removes the character.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&letter)
}

fn comparable_part(raw: &str) -> String {
    let raw = raw.trim_matches(is_blank).trim_end_matches('.').trim_end_matches('(');
    let raw = raw.split_once("://").map_or(raw, |(_, rest)| rest);
    let text = raw.replace("::", ".");
    let after_extension =
        EXTENSIONS.iter().find_map(|extension| Some(&text[text.rfind(extension)? + extension.len()..]));
    if let Some(rest) = after_extension {
        return rest.to_owned();
    }
    if let Some((_, tail)) = text.rsplit_once('/') {
        return tail.split_once('.').map_or(tail, |(_, rest)| rest).to_owned();
    }
    let is_type = |part: &str| part.starts_with(char::is_uppercase);
    let mut start = 0;
    for part in text.split('.') {
        if is_type(part) {
            return text[start..].to_owned();
        }
        start += part.len() + 1;
    }
    text.rsplit('.').next().unwrap_or(&text).to_owned()
}

/// Returns whether the names are equal, or one ends with a dot and the other.
fn ends_alike(one: &str, two: &str) -> bool {
    let ends = |long: &str, short: &str| long.strip_suffix(short).is_some_and(|before| before.ends_with('.'));
    one == two || ends(one, two) || ends(two, one)
}

fn dotted(result: &Name, truth: &Name) -> bool {
    if ends_alike(&result.lower, &truth.lower) {
        return true;
    }
    let parts = |name: &str| name.split('.').map(str::to_owned).collect::<Vec<String>>();
    let (one, two) = (parts(&result.lower), parts(&truth.lower));
    if one.last() == two.last() {
        let (one, two) = (&one[..one.len() - 1], &two[..two.len() - 1]);
        if one.is_empty() || two.is_empty() || one.iter().any(|part| two.contains(part)) {
            return true;
        }
    }
    contains(&result.text, &truth.text) || contains(&truth.text, &result.text)
}

/// Returns whether the first occurrence of `inner` in `outer` is delimited by dots or ends. Case-sensitive, like the
/// published rule.
fn contains(outer: &str, inner: &str) -> bool {
    let Some(start) = outer.find(inner) else { return false };
    let (before, after) = (&outer[..start], &outer[start + inner.len()..]);
    (before.is_empty() || before.ends_with('.')) && (after.is_empty() || after.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(matcher: Matcher, result: &str, truth: &str) -> bool {
        matcher.matches(&Name::new(result), &Name::new(truth))
    }

    #[test]
    fn repository_path_and_extension_are_dropped() {
        for (raw, name) in [
            ("github.com/a/shop://src/cart.py.Cart.total", "Cart.total"),
            ("src/cart.py.Cart.total", "Cart.total"),
            ("internal/store.Store.Put", "Store.Put"),
            ("internal/store", "store"),
            ("store::Store::put", "Store.put"),
            ("store::put", "put"),
            ("shop.cart.Cart", "Cart"),
            ("total", "total"),
            (" Cart.total(. ", "Cart.total"),
            ("Cart.total(", "Cart.total"),
            ("web/view.go.ts.Render", "ts.Render"),
            ("", ""),
        ] {
            assert_eq!(Name::new(raw).text, name, "{raw}");
        }
    }

    #[test]
    fn strict_ignores_leading_qualifiers() {
        for (result, truth) in [
            ("src/cart.py.Cart.total", "Cart.total"),
            ("src/cart.py.Cart.total", "total"),
            ("total", "Cart.total"),
            ("src/cart.py.CART.total", "cart.Cart.Total"),
        ] {
            assert!(matches(Matcher::Strict, result, truth), "{result} {truth}");
        }
        for (result, truth) in
            [("a.py.Cart.total", "Cart"), ("a.py.Subtotal", "total"), ("a.py.Order.total", "Cart.total"), ("", "Cart")]
        {
            assert!(!matches(Matcher::Strict, result, truth), "{result} {truth}");
        }
    }

    #[test]
    fn dotted_matches_parents_and_members() {
        for (result, truth) in [
            ("a.py.Cart.total", "Cart"),
            ("a.py.Cart", "Cart.total"),
            ("a.py.total", "Cart.total"),
            ("a.py.Shop.Cart.total", "Shop.Basket.total"),
            ("a.py.Cart.Item.price", "Cart.Item"),
        ] {
            assert!(matches(Matcher::Dotted, result, truth), "{result} {truth}");
        }
        for (result, truth) in [
            ("a.py.Order.total", "Cart.total"),
            ("a.py.Cartography", "Cart"),
            ("a.py.Cart.total", "Cart.count"),
            // Only comparisons of whole names ignore case.
            ("a.py.cart.total", "Cart"),
        ] {
            assert!(!matches(Matcher::Dotted, result, truth), "{result} {truth}");
        }
    }
}
