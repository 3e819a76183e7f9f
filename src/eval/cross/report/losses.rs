//! The first section of a report: where this program is worse, and why.

use super::chart::StackChart;
use super::document::{Document, Table};
use super::format::{p_value, percent};
use super::frame::{Dimension, Frame};
use super::quality::in_words;
use crate::cross::measure::MAIN;
use crate::cross::record::{AnswerRecord, Cause, SystemRecord};
use crate::cross::statistics::Verdict;

/// Causes of misses, in the order of a report, with their texts.
const CAUSES: [(Cause, &str, &str); 9] = [
    (Cause::NoAnswer, "no answer", "the system failed or reached the time limit"),
    (Cause::NotExtracted, "not extracted", "the index has no such symbol"),
    (Cause::NotCandidate, "not a candidate", "the index has it, and the first stage of the ranking did not find it"),
    (Cause::RankedLow, "ranked low", "it is ranked below the first ten"),
    (Cause::OverBudget, "over budget", "it is ranked high enough and left out for the budget"),
    (Cause::AmbiguousName, "ambiguous name", "the answer has another symbol with the same last name"),
    (Cause::TestOrGenerated, "test or generated", "it is in a test or in generated code, which the system leaves out"),
    (Cause::LabelDoubtful, "label doubtful", "no system finds it, or it is not in the repository"),
    (Cause::Unknown, "unknown", "the system's output does not show the cause"),
];

/// Returns the name of a cause.
pub fn cause_name(cause: Cause) -> &'static str {
    CAUSES.iter().find(|(other, ..)| *other == cause).map_or("unknown", |(_, name, _)| name)
}

/// Adds the claims against this program, the groups in which another system has a higher mean, and the causes of the
/// misses.
pub fn add(document: &mut Document, frame: &Frame) {
    let Some(own) = frame.own() else { return };
    document.section(&format!("Where {} is worse", own.title));
    let claims = claims(frame);
    if claims.is_empty() {
        document.paragraph(
            "In no set and no main measure is another system better by the rule of a claim: p below 0.05 after Holm's \
             correction, and |d| above 0.3.",
        );
    } else {
        document.paragraph("Claims (p below 0.05 after Holm's correction, and |d| above 0.3):");
        document.list(claims);
    }
    document.table(groups(frame));
    document.paragraph(format!(
        "Causes of {}'s misses: relevant symbols without a strict match among the first ten results, by rule.",
        own.title
    ));
    document.table(own_causes(frame, own));
}

fn claims(frame: &Frame) -> Vec<String> {
    let mut claims = Vec::new();
    let sets = frame.groups(Dimension::Set).into_iter().map(|(set, _)| (Dimension::Set, set));
    for (dimension, group) in std::iter::once((Dimension::All, "all")).chain(sets) {
        for measure in MAIN {
            let comparisons = frame.comparisons(measure, dimension, group).iter();
            claims.extend(comparisons.filter(|(_, it)| it.verdict == Verdict::Worse).map(|(system, it)| {
                format!(
                    "{group}, {}: {:.3}, {} has {:.3} on {} tasks; difference {}; p {}, d {:.2}",
                    measure.name(),
                    it.first,
                    system.title,
                    it.second,
                    it.tasks,
                    in_words(it.difference),
                    p_value(it.p_holm),
                    it.cohens_d.unwrap_or_default()
                )
            }));
        }
    }
    claims
}

/// Returns the groups in which another system has a higher mean of the first measure, largest difference first.
fn groups(frame: &Frame) -> Table {
    let measure = MAIN[0];
    let caption =
        format!("groups in which another system has a higher mean {}, whether claimed or not", measure.name());
    let mut table = Table::new(&caption, &["group", "", "tasks", "other system", "own", "other", "difference"]);
    let mut rows = Vec::new();
    for dimension in Dimension::GROUPS {
        for (group, _) in frame.groups(dimension) {
            let worse = frame.comparisons(measure, dimension, group).iter();
            let worse = worse.filter(|(_, it)| it.difference.mean < 0.0);
            let worst = worse.min_by(|one, two| one.1.difference.mean.total_cmp(&two.1.difference.mean));
            rows.extend(worst.map(|(system, comparison)| (dimension, group, system, comparison)));
        }
    }
    rows.sort_by(|one, two| one.3.difference.mean.total_cmp(&two.3.difference.mean));
    for (dimension, group, system, it) in rows {
        table.row([
            dimension.name().to_owned(),
            group.to_owned(),
            it.tasks.to_string(),
            system.title.clone(),
            format!("{:.3}", it.first),
            format!("{:.3}", it.second),
            super::format::signed_interval(it.difference),
        ]);
    }
    table
}

/// Returns how many misses of a system have each cause.
pub fn counts(frame: &Frame, system: &str) -> Vec<(Cause, usize)> {
    let rows = frame.rows(system, Dimension::All, "all");
    let misses = || rows.iter().flat_map(|row| &row.answer.misses);
    CAUSES.iter().map(|(cause, ..)| (*cause, misses().filter(|miss| miss.cause == *cause).count())).collect()
}

fn own_causes(frame: &Frame, own: &SystemRecord) -> Table {
    let counts = counts(frame, &own.name);
    let total: usize = counts.iter().map(|(_, count)| count).sum();
    let mut table = Table::new(&format!("misses: {total}"), &["cause", "meaning", "misses", "share"]);
    let mut order: Vec<_> = CAUSES.iter().zip(counts).filter(|(_, (_, count))| *count > 0).collect();
    order.sort_by_key(|(_, (_, count))| std::cmp::Reverse(*count));
    for ((_, name, meaning), (_, count)) in order {
        let share = percent(count as f64 / total as f64);
        table.row([(*name).to_owned(), (*meaning).to_owned(), count.to_string(), share]);
    }
    table
}

/// Adds the causes of the misses of every system, and of this program the components that rank relevant symbols low.
pub fn causes(document: &mut Document, frame: &Frame) {
    document.section("Causes of misses");
    document.paragraph(
        "A miss is a relevant symbol without a strict match among the first ten results. Its cause follows from rules on \
         what a system prints; where the output does not show it, the cause is unknown.",
    );
    let names = CAUSES.iter().map(|(_, name, _)| (*name).to_owned());
    let columns = ["system", "misses"].map(str::to_owned).into_iter().chain(names.clone()).collect();
    let caption = "shares of the causes".to_owned();
    let mut table = Table { caption, columns, ..Table::default() };
    let mut chart = StackChart {
        description: "shares of the causes of misses by system".to_owned(),
        parts: names.collect(),
        rows: Vec::new(),
    };
    for system in &frame.systems {
        let counts = counts(frame, &system.name);
        let total: usize = counts.iter().map(|(_, count)| count).sum();
        if total == 0 {
            continue;
        }
        let shares: Vec<f64> = counts.iter().map(|(_, count)| *count as f64 / total as f64).collect();
        let cells = shares.iter().map(|share| percent(*share));
        table.row([system.title.clone(), total.to_string()].into_iter().chain(cells));
        chart.rows.push((system.title.clone(), shares));
    }
    if !chart.rows.is_empty() {
        document.figure("causes", "Causes of misses by system, as shares of its misses.", chart.draw());
    }
    document.table(table);
    document.table(components(frame));
    document.table(by_run(frame));
}

fn components(frame: &Frame) -> Table {
    let caption = "relevant symbols ranked low, by the component of the score that the results above lead by most";
    let mut table = Table::new(caption, &["component", "misses"]);
    let Some(own) = frame.own() else { return table };
    let mut counts: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    let rows = frame.rows(&own.name, Dimension::All, "all");
    for component in rows.iter().flat_map(|row| &row.answer.misses).filter_map(|miss| miss.component.as_deref()) {
        *counts.entry(component).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts.into_iter().for_each(|(name, count)| table.row([name.to_owned(), count.to_string()]));
    table
}

/// Returns the shares of the causes of this program's misses in each of several runs.
fn by_run(frame: &Frame) -> Table {
    let names = CAUSES.iter().map(|(_, name, _)| (*name).to_owned());
    let columns = ["run", "version", "misses"].map(str::to_owned).into_iter().chain(names).collect();
    let caption = "shares of the causes over time".to_owned();
    let mut table = Table { caption, columns, ..Table::default() };
    let Some(own) = frame.own() else { return table };
    for (run, answers) in &frame.run.history {
        let is_counted = |answer: &&AnswerRecord| {
            answer.system == own.name && answer.label == frame.label && answer.budget == frame.budget
        };
        let misses = || answers.iter().filter(is_counted).flat_map(|answer| &answer.misses);
        let total = misses().count();
        if total == 0 {
            continue;
        }
        let share = |cause| percent(misses().filter(|miss| miss.cause == cause).count() as f64 / total as f64);
        let version = run.commit.clone().unwrap_or_else(|| run.program_version.clone());
        let cells = CAUSES.iter().map(|(cause, ..)| share(*cause));
        table.row([run.started.clone(), version, total.to_string()].into_iter().chain(cells));
    }
    table
}
