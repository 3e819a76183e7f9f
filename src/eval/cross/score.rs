//! Ranks of relevant symbols in an answer.

use crate::lang::language_of;
use crate::matcher::{Matcher, Name};
use crate::text::parent_dir;

/// A relevant symbol: a name, and its file if the task's author gave one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gold {
    pub file: Option<String>,
    pub symbol: String,
}

impl Gold {
    /// Returns the name as in an answer: with the file before it, if there is one.
    pub fn name(&self) -> String {
        match &self.file {
            Some(file) => format!("{file}.{}", self.symbol),
            None => self.symbol.clone(),
        }
    }
}

/// Returns for each relevant symbol the rank of the first result that matches it, from 1.
///
/// By the strict rule a result in another file is no match if the relevant symbol's file is known, and a class
/// matches its constructor as in the published localization benchmarks.
pub fn ranks(matcher: Matcher, results: &[String], gold: &[Gold]) -> Vec<Option<usize>> {
    let names: Vec<Name> = results.iter().map(|name| Name::new(name)).collect();
    let rank = |gold: &Gold| {
        let truth = Name::new(&gold.symbol);
        let constructed = constructed(&gold.symbol).filter(|_| gold.file.is_some()).map(Name::new);
        let is_match = |(name, text): (&Name, &String)| {
            let is_named =
                matcher.matches(name, &truth) || constructed.as_ref().is_some_and(|class| matcher.matches(name, class));
            is_named && (matcher == Matcher::Dotted || is_in_file(text, gold.file.as_deref()))
        };
        names.iter().zip(results).position(is_match).map(|index| index + 1)
    };
    gold.iter().map(rank).collect()
}

/// Returns the class that a constructor belongs to.
fn constructed(symbol: &str) -> Option<&str> {
    let (class, member) = symbol.rsplit_once('.')?;
    let is_constructor = member.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")) == Some("init");
    is_constructor.then_some(class)
}

/// Returns whether a result is in the file, or has no path. Systems name symbols by file, by file without extension, or by
/// folder; a name that says no more than the folder counts for each file of it.
fn is_in_file(result: &str, file: Option<&str>) -> bool {
    let Some(file) = file.filter(|_| result.contains('/')) else { return true };
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    is_named_by(result, file, |_| true)
        || [stem, parent_dir(file)]
            .into_iter()
            .any(|path| is_named_by(result, path, |rest| !begins_with_extension(rest)))
}

/// Returns whether a result is `path`, a dot, and a rest that passes; folders may be before the path.
fn is_named_by(result: &str, path: &str, passes: impl Fn(&str) -> bool) -> bool {
    let mut places = result.match_indices(path).filter(|(at, _)| *at == 0 || result[..*at].ends_with('/'));
    !path.is_empty() && places.any(|(at, _)| result[at + path.len()..].strip_prefix('.').is_some_and(&passes))
}

/// Returns whether a name goes on with the extension of a source file.
fn begins_with_extension(rest: &str) -> bool {
    rest.split_once('.').is_some_and(|(extension, _)| language_of(&format!("a.{extension}")).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gold(file: Option<&str>, symbol: &str) -> Gold {
        Gold { file: file.map(str::to_owned), symbol: symbol.to_owned() }
    }

    #[test]
    fn ranks_are_those_of_the_first_match() {
        let results = ["a/x.py.Cart", "a/y.py.Cart.total", "b/y.py.Cart.total"].map(str::to_owned);
        let dotted = ranks(Matcher::Dotted, &results, &[gold(None, "Cart.total"), gold(None, "pay")]);
        assert_eq!(dotted, [Some(1), None]);
        let strict = |file| ranks(Matcher::Strict, &results, &[gold(file, "Cart.total")]);
        assert_eq!(strict(None), [Some(2)]);
        assert_eq!(strict(Some("b/y.py")), [Some(3)]);
        assert_eq!(strict(Some("c/y.py")), [None]);
    }

    #[test]
    fn names_by_folder_or_stem_are_in_their_files() {
        let rank =
            |result: &str, file| ranks(Matcher::Strict, &[result.to_owned()], &[gold(Some(file), "Cart.total")])[0];
        for result in
            ["shop/cart.rs.Cart.total", "tmp/shop/cart.Cart.total", "example.com/shop.Cart.total", "Cart.total"]
        {
            assert_eq!(rank(result, "shop/cart.rs"), Some(1), "{result}");
        }
        for result in [
            "a/shop.rs.Cart.total",
            "shop/cart/till.Cart.total",
            "a/workshop.Cart.total",
            "bookshop/cart.rs.Cart.total",
        ] {
            assert_eq!(rank(result, "shop/cart.rs"), None, "{result}");
        }
    }

    #[test]
    fn class_stands_for_its_constructor_in_a_known_file() {
        let results = ["a/x.py.Cart"].map(str::to_owned);
        let strict = |file| ranks(Matcher::Strict, &results, &[gold(file, "Cart.__init__")]);
        assert_eq!((strict(Some("a/x.py")), strict(None)), (vec![Some(1)], vec![None]));
    }
}
