//! Whether a result is what the ground truth names.
//!
//! Two rules. *Dotted* is the published rule of the cross-system benchmark whose fixtures many systems report on: names
//! agree at dot boundaries, so a type is credited for its members and they for it. *Strict* asks for the symbol itself:
//! equal names, or equal after leading qualifiers are dropped on either side.

use serde::{Deserialize, Serialize};

/// A rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Matcher {
    Dotted,
    Strict,
}

impl Matcher {
    pub const ALL: [Matcher; 2] = [Matcher::Dotted, Matcher::Strict];

    /// The name used in output.
    pub fn name(self) -> &'static str {
        match self {
            Matcher::Dotted => "dotted",
            Matcher::Strict => "strict",
        }
    }

    /// True when `result` answers `truth`.
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

/// The part of a symbol's name that the rules compare: without repository, path and file extension.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    text: String,
    lower: String,
}

impl Name {
    /// Reads a name as task files and results spell it: `Flask.route`, `src/flask/app.py.Flask.route`,
    /// `repository://…`, `module::Type::method`.
    pub fn new(raw: &str) -> Name {
        let text = inner(raw);
        let lower = text.to_lowercase();
        Name { text, lower }
    }

    /// The last part of the name in lower case: names that the strict rule takes for one share it.
    pub fn last(&self) -> &str {
        self.lower.rsplit('.').next().unwrap_or(&self.lower)
    }
}

/// Endings of paths, in the order in which the published rule tries them.
const EXTENSIONS: [&str; 11] =
    [".go.", ".py.", ".pyi.", ".ts.", ".tsx.", ".js.", ".jsx.", ".rs.", ".java.", ".cs.", ".rb."];

/// White space as the published rule's language has it.
fn is_blank(letter: char) -> bool {
    letter.is_whitespace() || ('\u{1c}'..='\u{1f}').contains(&letter)
}

fn inner(raw: &str) -> String {
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

/// Equal, or one ends with the other after a dot.
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

/// True when `inner` first occurs in `outer` between dots or ends. Case counts, as the published rule has it.
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
    fn names_lose_repository_path_and_extension() {
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
    fn strict_drops_qualifiers_only() {
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
    fn dotted_credits_parents_and_children() {
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
            // Only whole names are compared without regard to case.
            ("a.py.cart.total", "Cart"),
        ] {
            assert!(!matches(Matcher::Dotted, result, truth), "{result} {truth}");
        }
    }
}
