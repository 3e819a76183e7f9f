//! Prints the comparison of two runs: mean differences by group, then the tasks that changed.

use std::io::Write;

use super::scores::label;
use crate::bootstrap::Interval;
use crate::compare::{Comparison, RankChange, TaskChange};
use crate::text::display::safe;
use crate::{Matcher, Metrics};
use knowing::cli::exit::CliError;
use knowing::cli::output::{Align, BOLD, DIM, Table, styled};
use knowing::cli::session::Session;

/// Prints notes on result lists and tasks that only one run has.
pub fn warn(session: &Session, comparison: &Comparison) {
    if let Some((before, after)) = comparison.different_results {
        session.note(&format!("the first run measured {}, the second {}", before.describe(), after.describe()));
    }
    for (run, ids) in [("first", &comparison.only_before), ("second", &comparison.only_after)] {
        if !ids.is_empty() {
            session.note(&format!("{} tasks only in the {run} run: {}", ids.len(), ids.join(", ")));
        }
    }
}

/// The columns of the table.
const COLUMNS: [(Matcher, &str, &str); 4] = [
    (Matcher::Dotted, "P@10", "dotted P@10"),
    (Matcher::Strict, "R@10", "strict R@10"),
    (Matcher::Strict, "NDCG@10", "strict NDCG@10"),
    (Matcher::Strict, "MRR", "strict MRR"),
];

/// Writes the mean differences with their 95% confidence intervals.
///
/// # Errors
/// When `out` can't be written.
pub fn groups(out: &mut impl Write, colored: bool, comparison: &Comparison) -> Result<(), CliError> {
    let [one, two, three, four] = COLUMNS.map(|(.., heading)| (heading, Align::Left));
    let mut table = Table::new(&[("change", Align::Left), ("tasks", Align::Right), one, two, three, four]);
    for change in &comparison.groups {
        let [one, two, three, four] = COLUMNS.map(|(matcher, metric, _)| match matcher {
            Matcher::Dotted => with_bounds(&change.dotted_change, metric),
            Matcher::Strict => with_bounds(&change.strict_change, metric),
        });
        table.row([&label(&change.group), &change.group.tasks.to_string(), &one, &two, &three, &four]);
    }
    Ok(table.write(out, colored)?)
}

fn with_bounds(interval: &Interval, metric: &str) -> String {
    let value = |metrics: &Metrics| {
        let index = Metrics::NAMES.iter().position(|name| *name == metric).unwrap_or(0);
        metrics.values()[index]
    };
    format!("{} [{} {}]", signed(value(&interval.mean)), signed(value(&interval.low)), signed(value(&interval.high)))
}

/// Smallest difference that is visible with three digits.
const MIN_SHOWN_CHANGE: f64 = 5e-4;

/// Formats three digits with their sign. Zero is `+0.000`.
fn signed(value: f64) -> String {
    let rounded = (value * 1e3).round() / 1e3;
    format!("{:+.3}", rounded + 0.0)
}

/// Writes the tasks whose metrics rose, fell, or are unchanged although ranks changed, each with the symbols that moved
/// and their score components.
///
/// # Errors
/// When `out` can't be written.
pub fn tasks(out: &mut impl Write, colored: bool, comparison: &Comparison) -> Result<(), CliError> {
    let rose = comparison.tasks.iter().filter(|task| task.change > 0.0);
    let fell = comparison.tasks.iter().rev().filter(|task| task.change < 0.0);
    let moved = comparison.tasks.iter().filter(|task| task.change == 0.0);
    for (heading, tasks) in
        [("rose", rose.collect::<Vec<_>>()), ("fell", fell.collect()), ("ranks changed only", moved.collect())]
    {
        writeln!(out, "\n{}", styled(colored, BOLD, &format!("{heading}: {}", tasks.len())))?;
        for task in tasks {
            write_task(out, colored, task)?;
        }
    }
    Ok(())
}

fn write_task(out: &mut impl Write, colored: bool, task: &TaskChange) -> Result<(), CliError> {
    let title = task.task.lines().next().unwrap_or_default();
    let numbers = COLUMNS.map(|(matcher, metric, heading)| {
        let metrics = if matcher == Matcher::Dotted { task.dotted } else { task.strict };
        let index = Metrics::NAMES.iter().position(|name| *name == metric).unwrap_or(0);
        (heading, metrics.values()[index])
    });
    let numbers = numbers.iter().filter(|(_, value)| value.abs() >= MIN_SHOWN_CHANGE);
    let numbers: Vec<String> = numbers.map(|(heading, value)| format!("{heading} {}", signed(*value))).collect();
    let line = format!("{}/{}  {}", safe(&task.repository), safe(&task.id), numbers.join(", "));
    writeln!(out, "{}", line.trim_end())?;
    writeln!(out, "  {}", styled(colored, DIM, &safe(title)))?;
    if let Some(error) = &task.error {
        writeln!(out, "  error: {}", safe(error))?;
    }
    for moved in &task.moves {
        writeln!(out, "  {}", describe(moved))?;
    }
    if task.change < 0.0 {
        for entered in &task.entered {
            writeln!(out, "  now in the top ten: {}", describe(entered))?;
        }
    }
    Ok(())
}

/// Limit of the score components that explain a change.
const MAX_REASONS: usize = 4;

fn describe(change: &RankChange) -> String {
    let rank = |rank: Option<usize>| rank.map_or("-".to_owned(), |rank| rank.to_string());
    let ranks = format!("{} {} -> {}", safe(&change.name), rank(change.before), rank(change.after));
    let largest = change.components.iter().filter(|(_, change)| change.abs() >= MIN_SHOWN_CHANGE).take(MAX_REASONS);
    let reasons: Vec<String> = largest.map(|(name, change)| format!("{} {}", safe(name), signed(*change))).collect();
    let budget = match (change.was_result, change.is_result) {
        (true, false) => " (no longer packed)",
        (false, true) if change.before.is_some() => " (now packed)",
        _ => "",
    };
    match (change.before, change.after, reasons.as_slice()) {
        (Some(_), Some(_), []) => format!("{ranks}{budget}: score nearly unchanged"),
        (Some(_), Some(_), reasons) => format!("{ranks}{budget}: {}", reasons.join(", ")),
        _ => ranks,
    }
}
