//! Adapters: the output of a system to ranked results, and output cut at a budget.

use std::collections::HashSet;

use regex::{Captures, Regex};

use super::system::{AdapterKind, Query};
use crate::text::tokens::Counter;

/// A result as a system printed it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Found {
    /// The name, qualified or not; empty if only a location was printed.
    pub name: String,
    /// The path as printed; empty if it is part of the name.
    pub path: String,
    /// From 1; 0 if there is none.
    pub line: u32,
    /// The last line of a printed part of a file; 0 if only a location was printed.
    pub end_line: u32,
}

/// The adapter of one system.
#[derive(Debug)]
pub struct Adapter {
    kind: AdapterKind,
    patterns: Vec<Regex>,
    skipped_kinds: HashSet<String>,
    ranking_after: Option<String>,
}

impl Adapter {
    /// Compiles the adapter that a query names.
    ///
    /// # Errors
    /// When a pattern is not a regular expression.
    pub fn new(query: &Query) -> Result<Adapter, regex::Error> {
        Ok(Adapter {
            kind: query.adapter,
            patterns: query.patterns.iter().map(|pattern| Regex::new(pattern)).collect::<Result<_, _>>()?,
            skipped_kinds: query.skipped_kinds.iter().cloned().collect(),
            ranking_after: query.ranking_after.clone(),
        })
    }

    /// Returns the part of the output that is for the user, which costs tokens.
    pub fn visible<'a>(&self, output: &'a str) -> &'a str {
        self.split(output).0
    }

    /// Returns the results in the order of the output, each once.
    pub fn results(&self, output: &str) -> Vec<Found> {
        let ranking = self.split(output).1;
        let mut found = match self.kind {
            AdapterKind::Gcf => gcf_symbols(ranking),
            AdapterKind::Patterns => self.matches(ranking),
        };
        let mut seen = HashSet::new();
        found.retain(|result| seen.insert(result.clone()));
        found
    }

    /// Splits the output into the user's part and the ranking, which are the same without a separating line.
    fn split<'a>(&self, output: &'a str) -> (&'a str, &'a str) {
        let separator = self.ranking_after.as_deref().and_then(|line| output.split_once(line));
        separator.unwrap_or((output, output))
    }

    /// Returns the matches of all patterns by position.
    fn matches(&self, text: &str) -> Vec<Found> {
        let mut found: Vec<(usize, Vec<Found>)> = Vec::new();
        for pattern in &self.patterns {
            for captures in pattern.captures_iter(text) {
                let start = captures.get(0).map_or(0, |whole| whole.start());
                found.push((start, self.captured(&captures)));
            }
        }
        found.sort_by_key(|(start, _)| *start);
        found.into_iter().flat_map(|(_, results)| results).collect()
    }

    fn captured(&self, captures: &Captures<'_>) -> Vec<Found> {
        let group = |name: &str| captures.name(name).map_or("", |text| text.as_str());
        if self.skipped_kinds.contains(group("kind")) {
            return Vec::new();
        }
        let line = |text: &str| text.trim().parse().unwrap_or(0);
        let found = |name: &str, number: &str| Found {
            name: name.trim().to_owned(),
            path: group("path").to_owned(),
            line: line(number),
            end_line: line(group("end")),
        };
        match group("list") {
            "" => vec![found(group("name"), group("line"))],
            list => {
                list.split(", ").filter_map(|item| item.rsplit_once(':')).map(|(name, at)| found(name, at)).collect()
            }
        }
    }
}

/// Returns the symbols of a pack, best score first. The format groups them by distance in the graph, so the order of lines is
/// not the ranking.
fn gcf_symbols(pack: &str) -> Vec<Found> {
    let mut symbols: Vec<(f64, Found)> = pack.lines().filter_map(gcf_symbol).collect();
    symbols.sort_by(|(one, _), (two, _)| two.total_cmp(one));
    symbols.into_iter().map(|(_, found)| found).collect()
}

/// Parses a line `@3 method repository://path.py.Type.name 0.71 …`, without what follows the score.
fn gcf_symbol(line: &str) -> Option<(f64, Found)> {
    let mut words = line.strip_prefix('@')?.split(' ');
    words.next()?.parse::<usize>().ok()?;
    let name = words.nth(1)?;
    let score = words.next()?.parse().ok()?;
    Some((score, Found { name: name.to_owned(), path: String::new(), line: 0, end_line: 0 }))
}

/// Returns the whole lines of `text` that fit a budget, and their tokens of cl100k_base. The first line always counts as
/// fitting only if it does.
pub fn cut(text: &str, budget: usize) -> (&str, usize) {
    let mut counter = Counter::default();
    let (mut end, mut tokens) = (0, 0);
    for line in text.split_inclusive('\n') {
        let more = counter.count(line);
        if tokens + more > budget {
            break;
        }
        end += line.len();
        tokens += more;
    }
    (&text[..end], tokens)
}

#[cfg(test)]
mod tests;
