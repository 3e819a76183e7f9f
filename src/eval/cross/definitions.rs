//! The definitions of a repository: turn a location that a system printed into a qualified name, and tell whether a
//! relevant symbol exists.
//!
//! They are those of this program's index, for every system alike. Systems print names, or locations, or source; only
//! with one table of definitions are their results the same names.

use std::collections::HashMap;

use super::adapter::Found;
use crate::engine::{Reader, StoreError};
use crate::matcher::{Matcher, Name};
use crate::model::SymbolKind;

/// A definition with its lines, from 1.
#[derive(Debug, Clone)]
pub struct Definition {
    /// `path/file.ext.Scope.name`.
    pub name: String,
    pub plain_name: String,
    pub file: String,
    pub start_line: u32,
    pub end_line: u32,
    pub name_line: u32,
    pub is_test: bool,
    pub is_callable: bool,
    pub is_type: bool,
}

/// The definitions of one repository.
#[derive(Debug, Default)]
pub struct Definitions {
    all: Vec<Definition>,
    by_file: HashMap<String, Vec<usize>>,
    /// By the last part of the comparable name.
    by_last: HashMap<String, Vec<(usize, Name)>>,
}

impl Definitions {
    /// Reads the definitions of an index.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn read(reader: &Reader) -> Result<Definitions, StoreError> {
        let is_definition =
            |kind: SymbolKind| !matches!(kind, SymbolKind::External | SymbolKind::File | SymbolKind::Package);
        let definition = |symbol: crate::model::Symbol| Definition {
            name: symbol.short_name().to_owned(),
            start_line: symbol.span.start_line,
            end_line: symbol.span.end_line,
            name_line: symbol.span.name_line,
            is_test: symbol.is_test,
            is_callable: symbol.kind.is_callable(),
            is_type: symbol.kind.is_type(),
            plain_name: symbol.name,
            file: symbol.file,
        };
        let all = reader.all_symbols()?.into_iter().filter(|symbol| is_definition(symbol.kind));
        Ok(Definitions::new(all.map(definition).collect()))
    }

    /// Arranges definitions for lookup.
    pub fn new(all: Vec<Definition>) -> Definitions {
        let mut definitions = Definitions { all, ..Definitions::default() };
        for (number, definition) in definitions.all.iter().enumerate() {
            definitions.by_file.entry(definition.file.clone()).or_default().push(number);
            let name = Name::new(&definition.name);
            definitions.by_last.entry(name.last().to_owned()).or_default().push((number, name));
        }
        definitions
    }

    /// Returns all definitions.
    pub fn all(&self) -> &[Definition] {
        &self.all
    }

    /// Returns the definitions that strictly match a name.
    pub fn matching<'a>(&'a self, name: &Name) -> impl Iterator<Item = &'a Definition> {
        let candidates = self.by_last.get(name.last()).into_iter().flatten();
        let name = name.clone();
        candidates.filter(move |(_, other)| Matcher::Strict.matches(other, &name)).map(|(number, _)| &self.all[*number])
    }

    /// Returns the normalized names of a result: one, or those of the definitions in a printed part of a file. None for a
    /// location outside every definition without a name.
    pub fn normalized(&self, found: &Found) -> Vec<String> {
        if found.path.is_empty() {
            let name = found.name.split_once("://").map_or(found.name.as_str(), |(_, rest)| rest);
            let name = without_type_arguments(name);
            return Vec::from_iter((!name.is_empty()).then(|| self.without_folders(&name).to_owned()));
        }
        let path = self.known_path(&found.path);
        if let Some(path) = path.filter(|_| found.end_line > found.line && found.name.is_empty()) {
            let inside = self.starting_in(path, found.line, found.end_line);
            if !inside.is_empty() {
                return inside;
            }
        }
        if let Some(definition) = path.and_then(|path| self.at(path, found.line, &found.name)) {
            return vec![definition.name.clone()];
        }
        let path = path.unwrap_or(found.path.trim_start_matches("./"));
        Vec::from_iter((!found.name.is_empty()).then(|| format!("{path}.{}", found.name.replace("::", "."))))
    }

    /// Returns a qualified name without the folders before the repository's root.
    fn without_folders<'a>(&self, name: &'a str) -> &'a str {
        let is_known = |rest: &str| rest.match_indices('.').any(|(dot, _)| self.by_file.contains_key(&rest[..dot]));
        let starts = std::iter::once(0).chain(name.match_indices('/').map(|(slash, _)| slash + 1));
        starts.map(|start| &name[start..]).find(|rest| is_known(rest)).unwrap_or(name.trim_start_matches("./"))
    }

    /// Returns the names of the functions and types that start within lines, in their order.
    fn starting_in(&self, file: &str, first: u32, last: u32) -> Vec<String> {
        let inside = self.by_file.get(file).into_iter().flatten().map(|number| &self.all[*number]);
        let inside = inside.filter(|definition| definition.is_callable || definition.is_type);
        let mut inside: Vec<&Definition> =
            inside.filter(|definition| (first..=last).contains(&definition.name_line)).collect();
        inside.sort_by_key(|definition| (definition.name_line, definition.name.as_str()));
        inside.into_iter().map(|definition| definition.name.clone()).collect()
    }

    /// Returns the indexed file that a printed path names: relative, or with folders before it.
    fn known_path<'a>(&'a self, printed: &'a str) -> Option<&'a str> {
        let mut path = printed.trim_start_matches("./").trim_start_matches('/');
        loop {
            if let Some((known, _)) = self.by_file.get_key_value(path) {
                return Some(known);
            }
            path = path.split_once('/')?.1;
        }
    }

    /// Returns the definition of that name at the line or nearest to it; without a name the innermost function or type
    /// around the line.
    fn at(&self, file: &str, line: u32, name: &str) -> Option<&Definition> {
        let inside = || self.by_file.get(file).into_iter().flatten().map(|number| &self.all[*number]);
        let last = name.rsplit(['.', ':']).next().unwrap_or(name);
        if !last.is_empty() {
            let named = inside().filter(|definition| definition.plain_name == last);
            return named.min_by_key(|definition| definition.name_line.abs_diff(line));
        }
        let around = inside().filter(|definition| (definition.start_line..=definition.end_line).contains(&line));
        let around =
            around.filter(|definition| definition.is_callable || definition.is_type || definition.start_line == line);
        around.min_by_key(|definition| (definition.end_line - definition.start_line, definition.name_line))
    }
}

/// Returns a qualified name without type arguments, such as those of `Queue<'a, T>.push`: definitions have none.
fn without_type_arguments(name: &str) -> String {
    let mut depth = 0usize;
    let mut is_kept = |letter: char| {
        match letter {
            '<' => depth += 1,
            '>' if depth > 0 => {
                depth -= 1;
                return false;
            }
            _ => {}
        }
        depth == 0
    };
    name.chars().filter(|letter| is_kept(*letter)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn definition(file: &str, scoped: &str, lines: (u32, u32), is_type: bool) -> Definition {
        Definition {
            name: format!("{file}.{scoped}"),
            plain_name: scoped.rsplit('.').next().unwrap().to_owned(),
            file: file.to_owned(),
            start_line: lines.0,
            end_line: lines.1,
            name_line: lines.0,
            is_test: false,
            is_callable: !is_type,
            is_type,
        }
    }

    fn definitions() -> Definitions {
        Definitions::new(vec![
            definition("shop/cart.py", "Cart", (7, 24), true),
            definition("shop/cart.py", "Cart.total", (17, 18), false),
            definition("shop/cart.py", "Order.total", (40, 42), false),
        ])
    }

    fn normalized(name: &str, path: &str, line: u32, end_line: u32) -> Vec<String> {
        definitions().normalized(&Found { name: name.to_owned(), path: path.to_owned(), line, end_line })
    }

    #[test]
    fn locations_become_the_definitions_around_them() {
        assert_eq!(normalized("", "shop/cart.py", 18, 0), ["shop/cart.py.Cart.total"]);
        assert_eq!(normalized("", "/tmp/x/shop/cart.py", 10, 0), ["shop/cart.py.Cart"]);
        assert!(normalized("", "shop/cart.py", 3, 0).is_empty());
        assert!(normalized("", "other.py", 3, 0).is_empty());
    }

    #[test]
    fn printed_parts_become_the_definitions_that_start_in_them() {
        assert_eq!(normalized("", "shop/cart.py", 2, 24), ["shop/cart.py.Cart", "shop/cart.py.Cart.total"]);
        assert_eq!(normalized("", "shop/cart.py", 18, 19), ["shop/cart.py.Cart.total"]);
    }

    #[test]
    fn names_become_the_nearest_definition_of_that_name() {
        assert_eq!(normalized("total", "./shop/cart.py", 41, 0), ["shop/cart.py.Order.total"]);
        assert_eq!(normalized("Cart::total", "shop/cart.py", 17, 0), ["shop/cart.py.Cart.total"]);
        assert_eq!(normalized("pay", "shop/cart.py", 17, 0), ["shop/cart.py.pay"]);
        assert_eq!(normalized("r://./shop/cart.py.Cart", "", 0, 0), ["shop/cart.py.Cart"]);
        assert_eq!(normalized("r:///tmp/r/shop/cart.py.Cart", "", 0, 0), ["shop/cart.py.Cart"]);
        assert_eq!(normalized("r://src/till.Queue<'a, Vec<T>>.push", "", 0, 0), ["src/till.Queue.push"]);
    }

    #[test]
    fn definitions_match_strictly() {
        let all = definitions();
        let count = |name: &str| all.matching(&Name::new(name)).count();
        assert_eq!((count("total"), count("Cart.total"), count("Cart.pay")), (2, 1, 0));
    }
}
