//! Prints a run as one table per rule, with a row per group of tasks.

use std::collections::BTreeMap;
use std::io::Write;

use crate::summary::{Group, summary};
use crate::text::display::safe;
use crate::{Matcher, Metrics, Run};
use knowing::cli::exit::CliError;
use knowing::cli::output::{Align, BOLD, Table, styled};
use knowing::cli::session::Session;

/// Writes a description of the run and its tables.
///
/// # Errors
/// When `out` can't be written.
pub fn write(out: &mut impl Write, colored: bool, run: &Run) -> Result<(), CliError> {
    writeln!(out, "{}  {}", styled(colored, BOLD, "results"), run.results.describe())?;
    writeln!(out, "{}  {}", styled(colored, BOLD, "ranked by"), safe(&run.ranked_by))?;
    let groups = summary(&run.tasks);
    let [p5, p10, p20, r10, ndcg10, mrr, distinct] = Metrics::NAMES.map(|name| (name, Align::Right));
    for matcher in Matcher::ALL {
        let first = (matcher.name(), Align::Left);
        let mut table = Table::new(&[first, ("tasks", Align::Right), p5, p10, p20, r10, ndcg10, mrr, distinct]);
        for group in &groups {
            let metrics = match matcher {
                Matcher::Dotted => group.dotted,
                Matcher::Strict => group.strict,
            };
            let [p5, p10, p20, r10, ndcg10, mrr, distinct] = metrics.values().map(|value| format!("{value:.3}"));
            let tasks = group.tasks.to_string();
            table.row([&label(group), &tasks, &p5, &p10, &p20, &r10, &ndcg10, &mrr, &distinct]);
        }
        writeln!(out)?;
        table.write(out, colored)?;
    }
    Ok(writeln!(out, "\n{LEGEND}")?)
}

/// Explains the tables and the column that is not a common metric.
const LEGEND: &str = "dotted: a type and its members match each other; strict: only the symbol itself; distinct: R@10 \
                      where a result matches one relevant symbol at most";

/// Returns the name of a group.
pub fn label(group: &Group) -> String {
    match (group.intent, &group.repository, &group.tier) {
        (Some(intent), Some(repository), _) => format!("{} {repository}", intent.name()),
        (Some(intent), None, _) => intent.name().to_owned(),
        (None, _, Some(tier)) if tier.is_empty() => "no tier".to_owned(),
        (None, _, Some(tier)) => format!("tier {tier}"),
        (None, _, None) => "all".to_owned(),
    }
}

/// Prints the tasks that could not be ranked to standard error, grouped by repository and reason. Returns their number.
pub fn list_errors(session: &Session, run: &Run) -> usize {
    let mut by_reason: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for task in &run.tasks {
        if let Some(error) = &task.error {
            by_reason.entry((&task.repository, error)).or_default().push(&task.id);
        }
    }
    for ((repository, error), ids) in &by_reason {
        session.note(&format!("counted as zero in {repository}: {} ({error})", ids.join(", ")));
    }
    by_reason.values().map(Vec::len).sum()
}
