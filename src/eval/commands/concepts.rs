//! `knowing-eval --concepts`: prints the precision of concepts.

use std::collections::BTreeMap;
use std::io::Write;

use crate::{ConceptCounts, ConceptTally, Matcher};
use knowing::cli::exit::CliError;
use knowing::cli::output::{Align, Table};

/// Writes tables by layer, framework use and match strength; by layer, in the framework's repository (`at home`) and in
/// others (`away`); and by repository.
///
/// # Errors
/// When `out` can't be written.
pub fn write(out: &mut impl Write, colored: bool, tallies: &[ConceptTally]) -> Result<(), CliError> {
    let mut groups: BTreeMap<[&str; 3], ConceptCounts> = BTreeMap::new();
    let mut sums: BTreeMap<[&str; 3], ConceptCounts> = BTreeMap::new();
    let mut repositories: BTreeMap<[&str; 3], ConceptCounts> = BTreeMap::new();
    for tally in tallies {
        let origin = if tally.is_home { "at home" } else { "away" };
        groups.entry([tally.layer, tally.framework_use, tally.strength]).or_default().add(tally.counts);
        sums.entry([tally.layer, origin, "any"]).or_default().add(tally.counts);
        sums.entry(["all", origin, "any"]).or_default().add(tally.counts);
        repositories.entry([&tally.repository, tally.layer, origin]).or_default().add(tally.counts);
    }
    table(["layer", "repository", "strength"], &groups).write(out, colored)?;
    writeln!(out)?;
    table(["layer", "repository", "strength"], &sums).write(out, colored)?;
    writeln!(out)?;
    table(["repository", "layer", "origin"], &repositories).write(out, colored)?;
    Ok(())
}

fn table(names: [&'static str; 3], rows: &BTreeMap<[&str; 3], ConceptCounts>) -> Table {
    let [one, two, three] = names.map(|name| (name, Align::Left));
    let [matches, symbols, dotted, strict] =
        ["matches", "symbols", "dotted precision", "strict precision"].map(|name| (name, Align::Right));
    let mut table = Table::new(&[one, two, three, matches, symbols, dotted, strict]);
    for ([one, two, three], counts) in rows {
        let [dotted, strict] = [Matcher::Dotted, Matcher::Strict]
            .map(|matcher| counts.precision(matcher).map_or("-".to_owned(), |share| format!("{share:.3}")));
        table.row([*one, two, three, &counts.matches.to_string(), &counts.symbols.to_string(), &dotted, &strict]);
    }
    table
}
