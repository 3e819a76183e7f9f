//! Damaged databases: no panic, no vote is lost silently, no export differs silently. A context may differ only if
//! `fsck` finds the damage, because the indexes of SQLite have no digest.
//!
//! `KNOWING_DAMAGE=2000 cargo test --test it damage -- --nocapture` damages as many copies of a small index and prints
//! what happened, by kind of damage.

mod copies;
mod harm;
mod pages;
mod planted;

use std::collections::BTreeMap;
use std::fmt::Write;

use copies::{Outcome, Sample};
use harm::Harm;

use crate::index::source::Dice;

/// Number of copies, unless `KNOWING_DAMAGE` says another.
const COPIES: usize = 48;

/// The number of copies with each result, by kind of damage.
#[derive(Default)]
struct Row([usize; Outcome::NAMES.len() + 1]);

fn report(table: &BTreeMap<&str, Row>) -> String {
    let mut text = format!("{:<24}{:>8}", "damage", "copies");
    Outcome::NAMES.iter().for_each(|name| write!(text, "  {name}").unwrap());
    for (harm, Row(counts)) in table {
        write!(text, "\n{harm:<24}{:>8}", counts[0]).unwrap();
        let columns = Outcome::NAMES.iter().zip(&counts[1..]);
        columns.for_each(|(name, count)| write!(text, "  {count:>width$}", width = name.len()).unwrap());
    }
    text
}

#[test]
fn damage_is_reported() {
    let copies = std::env::var("KNOWING_DAMAGE").ok().map_or(COPIES, |count| count.parse().unwrap());
    let seed = std::env::var("KNOWING_DAMAGE_SEED").ok().map_or(1, |seed| seed.parse().unwrap());
    let sample = Sample::new();
    let mut table: BTreeMap<&str, Row> = BTreeMap::new();
    let mut forbidden = Vec::new();
    for number in 0..copies {
        let dice = &mut Dice::new(seed * 1_000_000 + number as u64);
        let harm = Harm::ALL[number % Harm::ALL.len()];
        let description = sample.damage(harm, dice);
        let outcome = sample.observe();
        let Row(counts) = table.entry(harm.name()).or_default();
        counts[0] += 1;
        for (count, happened) in counts[1..].iter_mut().zip(outcome.columns()) {
            *count += usize::from(happened);
        }
        forbidden.extend(outcome.forbidden().map(|what| format!("copy {number}, {description}: {what}")));
    }
    println!("{}", report(&table));
    assert!(forbidden.is_empty(), "{} of {copies}\n{}", forbidden.len(), forbidden.join("\n"));
}
