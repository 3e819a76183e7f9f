//! The candidates that match the ground truth of a training task.
//!
//! *Commits*: file and name are equal, the names after leading qualifiers of either are dropped. *Issues*: file and name
//! are equal, and a class matches its constructor (the published metric of issue localization). *Development*: the
//! rules of [`Matcher`]. *Documents*: as commits, and in the same file by the dotted rule.

use super::task_lines::{DataSet, GoldSymbol};
use crate::lang::language_of;
use crate::matcher::{Matcher, Name};
use crate::model::{Symbol, SymbolKind};
use crate::render::scoped_name;

/// The ground truth of one task.
pub struct Relevance<'a> {
    set: DataSet,
    gold: &'a [GoldSymbol],
    names: Vec<Name>,
}

/// Entries of the ground truth that a candidate matches, as indexes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matches {
    pub strict: Vec<usize>,
    /// By [`Matcher::Dotted`]; only development tasks and questions from documentation have them.
    pub dotted: Vec<usize>,
}

impl<'a> Relevance<'a> {
    /// Prepares the ground truth of a task.
    pub fn new(set: DataSet, gold: &'a [GoldSymbol]) -> Relevance<'a> {
        Relevance { set, gold, names: gold.iter().map(|gold| Name::new(&gold.symbol)).collect() }
    }

    /// Returns the entries that a symbol matches.
    pub fn matches(&self, symbol: &Symbol) -> Matches {
        let scoped = scoped_name(symbol);
        let in_file = |is_equal: &dyn Fn(&str) -> bool| {
            let entries = self.gold.iter().enumerate();
            let equal = entries.filter(|(_, gold)| gold.file.as_ref() == Some(&symbol.file) && is_equal(&gold.symbol));
            Matches { strict: equal.map(|(index, _)| index).collect(), dotted: Vec::new() }
        };
        match self.set {
            DataSet::Commits => in_file(&|gold| ends_alike(&scoped, gold)),
            DataSet::Documents => {
                let name = Name::new(&scoped);
                let is_dotted = |gold: &str| Matcher::Dotted.matches(&name, &Name::new(gold));
                Matches { dotted: in_file(&is_dotted).strict, ..in_file(&|gold| ends_alike(&scoped, gold)) }
            }
            DataSet::Issues => {
                let constructor = constructor(&symbol.file);
                in_file(&|gold| class(&scoped, constructor) == class(gold, constructor))
            }
            DataSet::Development => {
                let name = Name::new(symbol.short_name());
                let by = |matcher: Matcher| {
                    let entries = self.names.iter().enumerate();
                    entries.filter(|(_, gold)| matcher.matches(&name, gold)).map(|(index, _)| index).collect()
                };
                Matches { strict: by(Matcher::Strict), dotted: by(Matcher::Dotted) }
            }
        }
    }

    /// Returns the file that the metric of issues counts for a symbol: tests and files in other languages than the
    /// ground truth are not candidates.
    pub fn counted_file<'s>(&self, symbol: &'s Symbol) -> Option<&'s str> {
        let is_language = |gold: &GoldSymbol| gold.file.as_deref().map(extension) == Some(extension(&symbol.file));
        (!is_test_path(&symbol.file) && self.gold.iter().any(is_language)).then_some(symbol.file.as_str())
    }

    /// Returns the function that the metric of issues counts for a symbol with these matches, as file and name.
    pub fn counted_function(&self, symbol: &Symbol, matches: &Matches) -> Option<(String, String)> {
        let is_function = matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method);
        let file = self.counted_file(symbol).filter(|_| is_function || !matches.strict.is_empty())?;
        Some((file.to_owned(), class(&scoped_name(symbol), constructor(file)).to_owned()))
    }
}

/// Returns whether the names are equal, or one ends with a dot and the other.
fn ends_alike(one: &str, two: &str) -> bool {
    let ends = |long: &str, short: &str| long.strip_suffix(short).is_some_and(|before| before.ends_with('.'));
    one == two || ends(one, two) || (one.contains('.') && ends(two, one))
}

/// Returns the name of constructors in a file's language.
fn constructor(path: &str) -> Option<&'static str> {
    language_of(path)?.rules.traits().constructor
}

/// Returns the name of a constructor's class, and other names as they are.
fn class<'n>(name: &'n str, constructor: Option<&str>) -> &'n str {
    let before = constructor.and_then(|constructor| name.strip_suffix(constructor)?.strip_suffix('.'));
    before.unwrap_or(name)
}

fn extension(path: &str) -> &str {
    path.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Returns whether the published metric of issue localization passes over a file.
fn is_test_path(path: &str) -> bool {
    let mut parts: Vec<&str> = path.split('/').collect();
    let is_test_part = |part: &str| part.starts_with("test_") || part.starts_with("conftest");
    let is_test = parts.iter().any(|part| is_test_part(part)) || path.ends_with("_test.py");
    parts.pop();
    is_test || parts.iter().any(|folder| ["test", "tests", "testing"].contains(folder))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::model::{NodeId, Span, SymbolId};

    pub fn symbol(file: &str, scope: &str, name: &str, kind: SymbolKind) -> Symbol {
        let scoped = if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") };
        let qualified_name = format!("shop://{file}.{scoped}");
        Symbol {
            id: SymbolId([0; 16]),
            node: NodeId::default(),
            kind,
            name: name.to_owned(),
            scope: scope.to_owned(),
            qualified_name,
            file: file.to_owned(),
            signature: String::new(),
            doc: String::new(),
            span: Span::default(),
            is_test: false,
            ordinal: 0,
        }
    }

    fn gold(file: &str, symbol: &str) -> GoldSymbol {
        GoldSymbol { file: Some(file.to_owned()), symbol: symbol.to_owned() }
    }

    #[test]
    fn commits_match_by_file_and_name() {
        let gold = [gold("a.py", "Cart.total"), gold("a.py", "charge")];
        let relevance = Relevance::new(DataSet::Commits, &gold);
        let strict = |file: &str, scope: &str, name: &str| {
            relevance.matches(&symbol(file, scope, name, SymbolKind::Function)).strict
        };
        assert_eq!(strict("a.py", "Cart", "total"), [0]);
        assert_eq!(strict("a.py", "shop.Cart", "total"), [0]);
        assert_eq!(strict("a.py", "", "charge"), [1]);
        for (file, scope, name) in
            [("b.py", "Cart", "total"), ("a.py", "Order", "total"), ("a.py", "", "total"), ("a.py", "", "Charge")]
        {
            assert!(strict(file, scope, name).is_empty(), "{file} {scope} {name}");
        }
    }

    #[test]
    fn class_matches_its_constructor_in_issues() {
        let gold = [gold("a.py", "Cart.__init__")];
        let relevance = Relevance::new(DataSet::Issues, &gold);
        let class = symbol("a.py", "", "Cart", SymbolKind::Type);
        let matches = relevance.matches(&class);
        assert_eq!(matches.strict, [0]);
        assert_eq!(relevance.counted_function(&class, &matches), Some(("a.py".to_owned(), "Cart".to_owned())));
        let method = symbol("a.py", "Cart", "__init__", SymbolKind::Method);
        assert_eq!(relevance.counted_function(&method, &relevance.matches(&method)).unwrap().1, "Cart");
        let other = symbol("a.py", "", "Order", SymbolKind::Type);
        assert_eq!(relevance.counted_function(&other, &relevance.matches(&other)), None);
    }

    #[test]
    fn tests_and_other_languages_are_not_counted_in_issues() {
        let gold = [gold("a.py", "charge")];
        let relevance = Relevance::new(DataSet::Issues, &gold);
        for (path, is_counted) in [
            ("shop/pay.py", true),
            ("shop/latest/pay.py", true),
            ("shop/pay.js", false),
            ("tests/pay.py", false),
            ("shop/testing/pay.py", false),
            ("shop/test_pay.py", false),
            ("shop/pay_test.py", false),
            ("conftest.py", false),
        ] {
            let found = symbol(path, "", "charge", SymbolKind::Function);
            assert_eq!(relevance.counted_file(&found).is_some(), is_counted, "{path}");
        }
    }

    #[test]
    fn questions_from_documentation_match_by_both_rules_in_a_file() {
        let gold = [gold("a.py", "Cart")];
        let relevance = Relevance::new(DataSet::Documents, &gold);
        let total = |file: &str| relevance.matches(&symbol(file, "Cart", "total", SymbolKind::Method));
        assert_eq!(total("a.py"), Matches { strict: vec![], dotted: vec![0] });
        assert_eq!(total("b.py"), Matches::default());
        assert_eq!(relevance.matches(&symbol("a.py", "", "Cart", SymbolKind::Type)).strict, [0]);
    }

    #[test]
    fn development_tasks_match_by_both_rules() {
        let gold = [GoldSymbol { file: None, symbol: "Cart".to_owned() }];
        let relevance = Relevance::new(DataSet::Development, &gold);
        let total = relevance.matches(&symbol("a.py", "Cart", "total", SymbolKind::Method));
        assert_eq!(total, Matches { strict: vec![], dotted: vec![0] });
        assert_eq!(relevance.matches(&symbol("a.py", "", "Cart", SymbolKind::Type)).strict, [0]);
    }
}
