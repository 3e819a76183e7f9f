//! Tables of what answers cost: labels and budgets, tokens for a recall, time, memory and size of indexes.

use std::collections::BTreeMap;

use super::chart::{Point, Series, XyChart};
use super::document::{Document, Table};
use super::format::{bytes, number};
use super::frame::{Frame, key};
use super::plots::tokens_and_recall;
use crate::cross::measure::{MAIN, Scored};
use crate::cross::record::{Label, ScaleRecord, SystemRecord};
use crate::cross::statistics::{mean, median, power_law};
use crate::matcher::Matcher;

/// Recall that the smallest sufficient budget is reported for.
const FIXED_RECALL: f64 = 0.5;

/// Returns the name of a label in texts.
pub fn label_name(label: Label) -> &'static str {
    match label {
        Label::Cold => "cold",
        Label::Warm => "warm",
        Label::Learned => "learned",
    }
}

/// Adds the measures by budget, the smallest budget for a recall, and the measures by label.
pub fn budgets(document: &mut Document, frame: &Frame) {
    document.section("Labels and budgets");
    document.paragraph(
        "Tokens are those of cl100k_base in the text that a system printed. The tasks are those that every system which was \
         asked at least half of all tasks with several budgets has with each of them.",
    );
    let columns = ["system", "budget", "tasks", "no answer", "NDCG@10", "R@10", "recall of the answer", "tokens"];
    let columns: Vec<&str> = columns.into_iter().chain(["seconds, median"]).collect();
    let mut table = Table::new("means by budget", &columns);
    for system in &frame.systems {
        for budget in frame.budgets() {
            let rows = frame.rows_with(&system.name, budget);
            let Some((tokens, recall)) = tokens_and_recall(&rows) else { continue };
            let means = Means::new(&rows);
            table.row([
                system.title.clone(),
                budget.to_string(),
                rows.len().to_string(),
                means.errors.to_string(),
                format!("{:.3}", means.ndcg10),
                format!("{:.3}", means.recall10),
                format!("{recall:.3}"),
                format!("{tokens:.0}"),
                means.seconds.map_or("–".to_owned(), number),
            ]);
        }
    }
    document.table(table);
    document.table(sufficient(frame));
    labels(document, frame);
}

/// Adds the measures of the answers with another label, beside those of the compared label on the same tasks.
fn labels(document: &mut Document, frame: &Frame) {
    document.paragraph(
        "Cold is a new index, without feedback and caches of the system; warm is the same question again; learned is after \
         feedback on other tasks.",
    );
    let columns = ["system", "label", "tasks", "NDCG@10", "cold", "R@10", "cold", "seconds, median"];
    let mut table = Table::new("means by label, and those of cold answers to the same tasks", &columns);
    for system in &frame.systems {
        for (label, budget) in frame.conditions() {
            if label == frame.label || budget != frame.budget {
                continue;
            }
            let rows: Vec<&Scored> = frame.rows_at(&system.name, label, budget).iter().collect();
            let cold = frame.rows_at(&system.name, frame.label, budget).iter();
            let cold: Vec<&Scored> = cold.filter(|cold| rows.iter().any(|row| key(row) == key(cold))).collect();
            if rows.is_empty() || rows.len() != cold.len() {
                continue;
            }
            let (means, cold) = (Means::new(&rows), Means::new(&cold));
            table.row([
                system.title.clone(),
                label_name(label).to_owned(),
                rows.len().to_string(),
                format!("{:.3}", means.ndcg10),
                format!("{:.3}", cold.ndcg10),
                format!("{:.3}", means.recall10),
                format!("{:.3}", cold.recall10),
                means.seconds.map_or("–".to_owned(), number),
            ]);
        }
    }
    document.table(table);
}

/// Means of some answers.
struct Means {
    ndcg10: f64,
    recall10: f64,
    errors: usize,
    seconds: Option<f64>,
}

impl Means {
    fn new(rows: &[&Scored]) -> Means {
        let values = |index: usize| rows.iter().map(|row| row.value(MAIN[index])).collect::<Vec<f64>>();
        let answered = rows.iter().filter(|row| row.answer.error.is_none());
        let seconds: Vec<f64> = answered.map(|row| row.answer.seconds).collect();
        Means {
            ndcg10: mean(&values(0)),
            recall10: mean(&values(2)),
            errors: rows.len() - seconds.len(),
            seconds: median(&seconds),
        }
    }
}

/// Returns for each system and budget the share of tasks with the recall, and the smallest budget at which the mean
/// recall at ten has it.
fn sufficient(frame: &Frame) -> Table {
    let budgets = frame.budgets();
    let caption =
        format!("share of tasks with R@10 ≥ {FIXED_RECALL} (strict), and the smallest budget whose mean R@10 has it");
    let mut columns = vec!["system".to_owned()];
    columns.extend(budgets.iter().map(|budget| format!("budget {budget}")));
    columns.push("smallest budget".to_owned());
    let mut table = Table { caption, columns, ..Table::default() };
    for system in &frame.systems {
        let recalls = |budget: &usize| {
            let rows = frame.rows_with(&system.name, *budget);
            rows.iter().map(|row| row.recall(Matcher::Strict, 10)).collect::<Vec<f64>>()
        };
        let shares = budgets.iter().map(|budget| {
            let recalls = recalls(budget);
            let count = recalls.iter().filter(|recall| **recall >= FIXED_RECALL).count();
            if recalls.is_empty() { "–".to_owned() } else { format!("{:.3}", count as f64 / recalls.len() as f64) }
        });
        let smallest = budgets.iter().find(|budget| mean(&recalls(budget)) >= FIXED_RECALL);
        let smallest = smallest.map_or("–".to_owned(), usize::to_string);
        table.row(std::iter::once(system.title.clone()).chain(shares).chain([smallest]));
    }
    table
}

/// Adds the time, memory and size of indexes by repository.
pub fn indexes(document: &mut Document, frame: &Frame) {
    let indexes = &frame.run.indexes;
    if indexes.is_empty() {
        return;
    }
    document.section("Cost of indexes");
    document.paragraph(
        "Time to index a checkout, of the first answer after it, and the median of later answers, each from a new process \
         unless the system is a server; the largest resident memory; the size of what was written. A system without an \
         index has 0 seconds.",
    );
    let columns = ["repository", "system", "files", "source", "symbols", "index s", "first answer s", "warm answer s"];
    let columns: Vec<&str> = columns.into_iter().chain(["peak memory", "database", "error"]).collect();
    let mut table = Table::new("cost by repository and system", &columns);
    let mut sorted: Vec<_> = indexes.iter().collect();
    let position = |name: &str| frame.run.systems.iter().position(|system| system.name == name);
    sorted.sort_by_key(|it| (it.repository.as_str(), position(&it.system)));
    for it in sorted {
        table.row([
            it.repository.clone(),
            title(frame, &it.system),
            it.files.to_string(),
            bytes(it.source_bytes),
            it.symbols.map_or("–".to_owned(), |symbols| symbols.to_string()),
            number(it.seconds),
            number(it.first_answer_seconds),
            number(it.warm_answer_seconds),
            bytes(it.peak_memory_bytes),
            bytes(it.database_bytes),
            it.error.clone().unwrap_or_default(),
        ]);
    }
    document.table(table);
}

/// Returns the title of a system.
pub fn title(frame: &Frame, name: &str) -> String {
    let system = frame.run.systems.iter().find(|system| system.name == name);
    system.map_or(name, |system| &system.title).to_owned()
}

/// A cost that grows with the repository.
pub struct Growth {
    pub name: &'static str,
    file: &'static str,
    pub value: fn(&ScaleRecord) -> f64,
}

/// The costs whose growth is fitted.
pub const GROWTHS: [Growth; 4] = [
    Growth { name: "index seconds", file: "scale-index", value: |it| it.index_seconds },
    Growth { name: "seconds an answer", file: "scale-query", value: |it| it.query_seconds },
    Growth { name: "peak memory in bytes", file: "scale-memory", value: |it| it.peak_memory_bytes as f64 },
    Growth { name: "database in bytes", file: "scale-database", value: |it| it.database_bytes as f64 },
];

/// Returns size of source in bytes and cost of each repository that a system could index.
pub fn growth_points(frame: &Frame, system: &str, growth: &Growth) -> Vec<(f64, f64)> {
    let records = frame.run.scale.iter().filter(|it| it.system == system && it.error.is_none());
    let mut points: Vec<(f64, f64)> = records.map(|it| (it.source_bytes as f64, (growth.value)(it))).collect();
    points.retain(|(size, cost)| *size > 0.0 && *cost > 0.0);
    points.sort_by(|one, two| one.0.total_cmp(&two.0));
    points
}

/// Adds the growth of costs with the size of the repository, with fitted exponents.
pub fn scale(document: &mut Document, frame: &Frame) {
    if frame.run.scale.is_empty() {
        return;
    }
    document.section("Growth with size");
    document.paragraph(
        "Cost by bytes of source on logarithmic axes. The exponent is of a power law fitted by least squares to the \
         logarithms, with its share of explained variance: 1 is linear growth.",
    );
    document.table(exponents(frame));
    for growth in &GROWTHS {
        let series = scale_systems(frame).into_iter().map(|system| {
            let points = growth_points(frame, &system.name, growth).into_iter().map(|(size, cost)| Point {
                x: size,
                y: cost,
                hint: format!("{}: {}, {}", system.title, bytes(size as u64), number(cost)),
            });
            Series { name: system.title.clone(), number: frame.number(system), points: points.collect() }
        });
        let chart = XyChart {
            description: format!("{} by bytes of source", growth.name),
            x_title: "bytes of source".to_owned(),
            y_title: growth.name.to_owned(),
            is_x_log: true,
            is_y_log: true,
            is_joined: true,
            series: series.filter(|series| !series.points.is_empty()).collect(),
            ..XyChart::default()
        };
        document.figure(growth.file, &format!("{} by bytes of source.", capital(growth.name)), chart.draw());
    }
    document.table(scale_table(frame));
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn scale_systems<'a>(frame: &Frame<'a>) -> Vec<&'a SystemRecord> {
    let has_points = |system: &&SystemRecord| frame.run.scale.iter().any(|it| it.system == system.name);
    frame.run.systems.iter().filter(has_points).collect()
}

fn exponents(frame: &Frame) -> Table {
    let columns = std::iter::once("system".to_owned()).chain(GROWTHS.iter().map(|growth| growth.name.to_owned()));
    let caption = "exponents (r², sizes)".to_owned();
    let mut table = Table { caption, columns: columns.collect(), ..Table::default() };
    for system in scale_systems(frame) {
        let cells = GROWTHS.iter().map(|growth| {
            let law = power_law(&growth_points(frame, &system.name, growth));
            law.map_or("–".to_owned(), |it| format!("{:.2} ({:.2}, {})", it.exponent, it.r_squared, it.points))
        });
        table.row(std::iter::once(system.title.clone()).chain(cells));
    }
    table
}

fn scale_table(frame: &Frame) -> Table {
    let columns = ["repository", "files", "source", "system", "symbols", "index s", "index CPU s", "peak memory"];
    let rest = ["database", "answer s", "answer memory", "unchanged s", "edit s", "error"];
    let columns: Vec<&str> = columns.into_iter().chain(rest).collect();
    let seconds = |seconds: Option<f64>| seconds.map_or("–".to_owned(), number);
    let mut table = Table::new("cost by size", &columns);
    let mut sorted: BTreeMap<_, &ScaleRecord> = BTreeMap::new();
    for it in &frame.run.scale {
        let position = frame.run.systems.iter().position(|system| system.name == it.system);
        sorted.insert((it.source_bytes, it.repository.as_str(), position), it);
    }
    for it in sorted.into_values() {
        table.row([
            it.repository.clone(),
            it.files.to_string(),
            bytes(it.source_bytes),
            title(frame, &it.system),
            it.symbols.map_or("–".to_owned(), |symbols| symbols.to_string()),
            number(it.index_seconds),
            seconds(it.index_cpu_seconds),
            bytes(it.peak_memory_bytes),
            bytes(it.database_bytes),
            number(it.query_seconds),
            it.query_memory_bytes.map_or("–".to_owned(), bytes),
            seconds(it.unchanged_seconds),
            seconds(it.edit_seconds),
            it.error.clone().unwrap_or_default(),
        ]);
    }
    table
}
