//! `knowing eval --classes`: how much of what equivalence classes lead to is right.

use std::collections::BTreeMap;
use std::io::Write;

use crate::cli::exit::CliError;
use crate::cli::output::{Align, Table};
use crate::eval::{ClassCounts, ClassTally, Matcher};

/// Writes one table over all repositories, by layer, standing and gate, with a sum for each layer at home and away, and one
/// that tells the repositories apart.
///
/// # Errors
/// When `out` can't be written.
pub fn write(out: &mut impl Write, colored: bool, tallies: &[ClassTally]) -> Result<(), CliError> {
    let mut groups: BTreeMap<[&str; 3], ClassCounts> = BTreeMap::new();
    let mut sums: BTreeMap<[&str; 3], ClassCounts> = BTreeMap::new();
    let mut repositories: BTreeMap<[&str; 3], ClassCounts> = BTreeMap::new();
    for tally in tallies {
        let place = if tally.standing == "is it" { "at home" } else { "away" };
        groups.entry([tally.layer, tally.standing, tally.gate]).or_default().add(tally.counts);
        sums.entry([tally.layer, place, "any"]).or_default().add(tally.counts);
        sums.entry(["all", place, "any"]).or_default().add(tally.counts);
        repositories.entry([&tally.repository, tally.layer, place]).or_default().add(tally.counts);
    }
    table(["layer", "repository", "gate"], &groups).write(out, colored)?;
    writeln!(out)?;
    table(["layer", "repository", "gate"], &sums).write(out, colored)?;
    writeln!(out)?;
    table(["repository", "layer", "place"], &repositories).write(out, colored)?;
    Ok(())
}

fn table(names: [&'static str; 3], rows: &BTreeMap<[&str; 3], ClassCounts>) -> Table {
    let [one, two, three] = names.map(|name| (name, Align::Left));
    let [fired, symbols, dotted, strict] =
        ["fired", "symbols", "dotted precision", "strict precision"].map(|name| (name, Align::Right));
    let mut table = Table::new(&[one, two, three, fired, symbols, dotted, strict]);
    for ([one, two, three], counts) in rows {
        let [dotted, strict] = [Matcher::Dotted, Matcher::Strict]
            .map(|matcher| counts.precision(matcher).map_or("-".to_owned(), |share| format!("{share:.3}")));
        table.row([*one, two, three, &counts.fired.to_string(), &counts.symbols.to_string(), &dotted, &strict]);
    }
    table
}
