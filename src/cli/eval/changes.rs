//! A comparison of two runs as text: the means that moved, then the tasks that did, with their symbols.

use std::io::Write;

use super::scores::label;
use crate::cli::exit::CliError;
use crate::cli::output::{Align, BOLD, DIM, Table, styled};
use crate::cli::session::Session;
use crate::eval::bootstrap::Interval;
use crate::eval::compare::{Comparison, Move, TaskChange};
use crate::eval::{Matcher, Metrics};
use crate::text::display::safe;

/// Says what makes two runs hard to compare.
pub fn warn(session: &Session, comparison: &Comparison) {
    if let Some((before, after)) = comparison.unlike {
        session.note(&format!("the first run measured {}; the second {}", before.describe(), after.describe()));
    }
    for (what, ids) in [("first", &comparison.only_before), ("second", &comparison.only_after)] {
        if !ids.is_empty() {
            session.note(&format!("only the {what} run has {} tasks: {}", ids.len(), ids.join(", ")));
        }
    }
}

/// The columns: what the program's targets are about.
const SHOWN: [(Matcher, &str, &str); 4] = [
    (Matcher::Dotted, "P@10", "dotted P@10"),
    (Matcher::Strict, "R@10", "strict R@10"),
    (Matcher::Strict, "NDCG@10", "strict NDCG@10"),
    (Matcher::Strict, "MRR", "strict MRR"),
];

/// Writes the mean differences, with the bounds within which they lie for 95 of 100 samples of tasks.
///
/// # Errors
/// When `out` can't be written.
pub fn groups(out: &mut impl Write, colored: bool, comparison: &Comparison) -> Result<(), CliError> {
    let [one, two, three, four] = SHOWN.map(|(.., heading)| (heading, Align::Left));
    let mut table = Table::new(&[("change", Align::Left), ("tasks", Align::Right), one, two, three, four]);
    for change in &comparison.groups {
        let [one, two, three, four] = SHOWN.map(|(matcher, metric, _)| match matcher {
            Matcher::Dotted => bounded(&change.dotted_change, metric),
            Matcher::Strict => bounded(&change.strict_change, metric),
        });
        table.row([&label(&change.group), &change.group.tasks.to_string(), &one, &two, &three, &four]);
    }
    Ok(table.write(out, colored)?)
}

fn bounded(interval: &Interval, metric: &str) -> String {
    let value = |metrics: &Metrics| {
        let place = Metrics::NAMES.iter().position(|name| *name == metric).unwrap_or(0);
        metrics.values()[place]
    };
    format!("{} [{} {}]", signed(value(&interval.mean)), signed(value(&interval.low)), signed(value(&interval.high)))
}

/// The smallest number that three digits show.
const MIN_SHOWN_CHANGE: f64 = 5e-4;

/// Three digits with their sign; nothing is plus nothing.
fn signed(value: f64) -> String {
    let rounded = (value * 1e3).round() / 1e3;
    format!("{:+.3}", rounded + 0.0)
}

/// Writes the tasks that rose, then those that fell, each with the symbols that moved and why.
///
/// # Errors
/// When `out` can't be written.
pub fn tasks(out: &mut impl Write, colored: bool, comparison: &Comparison) -> Result<(), CliError> {
    let rose = comparison.tasks.iter().filter(|task| task.change > 0.0);
    let fell = comparison.tasks.iter().rev().filter(|task| task.change < 0.0);
    let moved = comparison.tasks.iter().filter(|task| task.change == 0.0);
    for (what, tasks) in
        [("rose", rose.collect::<Vec<_>>()), ("fell", fell.collect()), ("moved without effect", moved.collect())]
    {
        writeln!(out, "\n{}", styled(colored, BOLD, &format!("{what}: {}", tasks.len())))?;
        for task in tasks {
            write_task(out, colored, task)?;
        }
    }
    Ok(())
}

fn write_task(out: &mut impl Write, colored: bool, task: &TaskChange) -> Result<(), CliError> {
    let title = task.task.lines().next().unwrap_or_default();
    let numbers = SHOWN.map(|(matcher, metric, heading)| {
        let metrics = if matcher == Matcher::Dotted { task.dotted } else { task.strict };
        let place = Metrics::NAMES.iter().position(|name| *name == metric).unwrap_or(0);
        (heading, metrics.values()[place])
    });
    let numbers = numbers.iter().filter(|(_, value)| value.abs() >= MIN_SHOWN_CHANGE);
    let numbers: Vec<String> = numbers.map(|(heading, value)| format!("{heading} {}", signed(*value))).collect();
    let line = format!("{}/{}  {}", safe(&task.repository), safe(&task.id), numbers.join(", "));
    writeln!(out, "{}", line.trim_end())?;
    writeln!(out, "  {}", styled(colored, DIM, &safe(title)))?;
    if let Some(error) = &task.error {
        writeln!(out, "  no answer: {}", safe(error))?;
    }
    for moved in &task.moves {
        writeln!(out, "  {}", movement(moved))?;
    }
    if task.change < 0.0 {
        for entered in &task.entered {
            writeln!(out, "  passed by {}", movement(entered))?;
        }
    }
    Ok(())
}

/// How many components explain a move.
const MAX_REASONS: usize = 4;

fn movement(moved: &Move) -> String {
    let place = |place: Option<usize>| place.map_or("unseen".to_owned(), |place| place.to_string());
    let places = format!("{} {} -> {}", safe(&moved.name), place(moved.before), place(moved.after));
    let largest = moved.components.iter().filter(|(_, change)| change.abs() >= MIN_SHOWN_CHANGE).take(MAX_REASONS);
    let reasons: Vec<String> = largest.map(|(name, change)| format!("{} {}", safe(name), signed(*change))).collect();
    let budget = match (moved.was_result, moved.is_result) {
        (true, false) => " (now left out)",
        (false, true) if moved.before.is_some() => " (now let in)",
        _ => "",
    };
    match (moved.before, moved.after, reasons.as_slice()) {
        (Some(_), Some(_), []) => format!("{places}{budget}: its score is about the same"),
        (Some(_), Some(_), reasons) => format!("{places}{budget}: {}", reasons.join(", ")),
        _ => places,
    }
}
