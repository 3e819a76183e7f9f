//! Tables of quality: by set, with tests, and by group.

use super::document::{Document, Table};
use super::format::{interval, number, p_value, signed, signed_interval};
use super::frame::{Dimension, Frame, Summary};
use crate::cross::measure::{MAIN, Measure};
use crate::cross::record::SystemRecord;
use crate::cross::statistics::Verdict;
use crate::matcher::Matcher;

/// Adds the measures of every system by set.
pub fn by_set(document: &mut Document, frame: &Frame) {
    document.section("Quality by set");
    document.paragraph(
        "Means over the tasks of a set; a task without an answer counts as zero. A system with fewer \
         tasks was asked a part of them: compare it by the differences below, which are on the tasks that both have. Brackets are 95% intervals of the \
         mean, ± is the standard deviation over tasks. By the strict rule a result must be the relevant symbol \
         itself; by the dotted rule a type matches its members and vice versa.",
    );
    for (set, tasks) in frame.groups(Dimension::Set) {
        document.subsection(&format!("{set}: {tasks} tasks"));
        let summaries = frame.summaries(Dimension::Set, set);
        document.table(main_table(summaries));
        document.table(cost_table(summaries));
        for (rule, title) in [(Matcher::Strict, "strict rule"), (Matcher::Dotted, "dotted rule")] {
            document.table(measures(summaries, &Measure::graded(rule), title));
        }
        let title = "strict rule, all relevant symbols (Acc) or any (hit) among the first results";
        document.table(measures(summaries, &Measure::binary(), title));
    }
}

/// Returns the main measures with intervals.
fn main_table(summaries: &[(&SystemRecord, Summary)]) -> Table {
    let columns = std::iter::once("system".to_owned()).chain(MAIN.iter().map(Measure::name)).collect();
    let mut table = Table { caption: "main measures".to_owned(), columns, ..Table::default() };
    for (system, summary) in summaries {
        let main = summary.main.iter().map(|(measure, estimate)| {
            let (_, sd) = summary.measure(*measure);
            format!("{} ± {sd:.3}", interval(*estimate))
        });
        table.row(std::iter::once(system.title.clone()).chain(main));
    }
    table
}

/// Returns the number of tasks, the tokens and the time of answers.
fn cost_table(summaries: &[(&SystemRecord, Summary)]) -> Table {
    let columns = ["system", "tasks", "no answer", "tokens, mean", "tokens per relevant symbol", "seconds, median"];
    let mut table = Table::new("answers and their cost", &columns);
    for (system, summary) in summaries {
        table.row([
            system.title.clone(),
            summary.tasks.to_string(),
            summary.errors.to_string(),
            format!("{:.0}", summary.tokens),
            summary.tokens_per_relevant.map_or("–".to_owned(), |tokens| format!("{tokens:.0}")),
            summary.seconds.map_or("–".to_owned(), number),
        ]);
    }
    table
}

fn measures(summaries: &[(&SystemRecord, Summary)], measures: &[Measure], title: &str) -> Table {
    let columns = std::iter::once("system".to_owned()).chain(measures.iter().map(Measure::title)).collect();
    let mut table = Table { caption: title.to_owned(), columns, ..Table::default() };
    for (system, summary) in summaries {
        let values = measures.iter().map(|measure| format!("{:.3}", summary.measure(*measure).0));
        table.row(std::iter::once(system.title.clone()).chain(values));
    }
    table
}

/// Adds the comparison with every other system by set and main measure.
pub fn tests(document: &mut Document, frame: &Frame) {
    let Some(own) = frame.own() else { return };
    document.section("Differences and claims");
    document.paragraph(format!(
        "{} minus the other system, on the tasks that both have. p is of the two-sided Wilcoxon signed-rank test, then \
         after Holm's correction over the systems of a table. d is Cohen's d of paired results, the mean difference by \
         the standard deviation of the differences; δ is Cliff's delta. A difference is a claim if the corrected p is \
         below 0.05 and |d| above 0.3.",
        own.title
    ));
    let all = std::iter::once((Dimension::All, "all"));
    let sets = frame.groups(Dimension::Set).into_iter().map(|(set, _)| (Dimension::Set, set));
    for (dimension, group) in all.chain(sets) {
        for measure in MAIN {
            let caption = format!("{group}, {}", measure.name());
            let columns = ["system", "tasks", &own.title, "other", "difference", "p", "p, Holm", "d", "δ", "claim"];
            let mut table = Table::new(&caption, &columns);
            for (system, it) in frame.comparisons(measure, dimension, group) {
                table.row([
                    system.title.clone(),
                    it.tasks.to_string(),
                    format!("{:.3}", it.first),
                    format!("{:.3}", it.second),
                    signed_interval(it.difference),
                    p_value(it.p),
                    p_value(it.p_holm),
                    it.cohens_d.map_or("–".to_owned(), |effect| format!("{effect:.2}")),
                    format!("{:.2}", it.cliffs_delta),
                    claim(it.verdict).to_owned(),
                ]);
            }
            document.table(table);
        }
    }
}

fn claim(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::Open => "–",
    }
}

/// Adds the main measures by tier, language, kind, repository, and home or away.
pub fn by_group(document: &mut Document, frame: &Frame) {
    document.section("Quality by group");
    document.paragraph(
        "At home are repositories whose framework this program has concepts for; the others are away. The difference is \
         that between this program and the best other system of the group.",
    );
    for dimension in Dimension::GROUPS.into_iter().filter(|dimension| *dimension != Dimension::Set) {
        document.subsection(&format!("By {}", dimension.name()));
        for measure in &MAIN[..2] {
            document.table(group_table(frame, dimension, *measure));
        }
    }
}

fn group_table(frame: &Frame, dimension: Dimension, measure: Measure) -> Table {
    let titles = frame.systems.iter().map(|system| system.title.clone());
    let columns = [dimension.name().to_owned(), "tasks".to_owned()].into_iter().chain(titles);
    let columns = columns.chain(["difference to the best other".to_owned()]).collect();
    let mut table = Table { caption: measure.name(), columns, ..Table::default() };
    for (group, tasks) in frame.groups(dimension) {
        let summaries = frame.summaries(dimension, group);
        let means = frame.systems.iter().map(|system| {
            let found = summaries.iter().find(|(other, _)| other.name == system.name);
            found.map_or("–".to_owned(), |(_, summary)| format!("{:.3}", summary.measure(measure).0))
        });
        let comparisons = frame.comparisons(measure, dimension, group);
        let closest = comparisons.iter().min_by(|one, two| one.1.difference.mean.total_cmp(&two.1.difference.mean));
        let difference = closest.map_or("–".to_owned(), |(_, comparison)| signed_interval(comparison.difference));
        table.row([group.to_owned(), tasks.to_string()].into_iter().chain(means).chain([difference]));
    }
    table
}

/// Adds every task with the first main measure of each system, in folded tables, one a set.
pub fn tasks(document: &mut Document, frame: &Frame) {
    document.section("Tasks");
    let measure = MAIN[0];
    for (set, count) in frame.groups(Dimension::Set) {
        let mut values: std::collections::BTreeMap<_, Vec<Option<f64>>> = std::collections::BTreeMap::new();
        for (index, system) in frame.systems.iter().enumerate() {
            for row in frame.rows(&system.name, Dimension::Set, set) {
                let values = values.entry((&row.answer.repository, &row.answer.task)).or_default();
                values.resize(frame.systems.len(), None);
                values[index] = Some(row.value(measure));
            }
        }
        let columns = std::iter::once("task".to_owned()).chain(frame.systems.iter().map(|it| it.title.clone()));
        let caption = format!("{set}: {} of {count} tasks", measure.name());
        let mut table = Table { caption, columns: columns.collect(), is_folded: true, ..Table::default() };
        for ((repository, task), values) in values {
            let values = values.iter().map(|value| value.map_or("–".to_owned(), |value| format!("{value:.2}")));
            table.row(std::iter::once(format!("{repository}/{task}")).chain(values));
        }
        document.table(table);
    }
}

/// Returns a difference for a sentence: `−0.080, from −0.120 to −0.040`.
pub fn in_words(estimate: crate::cross::statistics::Estimate) -> String {
    format!("{}, from {} to {}", signed(estimate.mean), signed(estimate.low), signed(estimate.high))
}
