//! The report on a run: one document, rendered as HTML, Markdown and JSON.
//!
//! The same run has the same report byte for byte. Plots are drawn here rather than by a library, because their colors
//! must follow the reader's theme: elements have classes, and one style sheet has the colors for light and dark.

mod changes;
mod chart;
mod cost;
mod document;
pub mod format;
mod frame;
mod html;
mod json;
mod losses;
mod markdown;
mod plots;
mod quality;
mod scale;
mod svg;
#[cfg(test)]
mod tests;

pub use markdown::PLOTS;

use super::record::{Machine, SystemStatus};
use super::run::CrossRun;
use document::{Document, Table};
use format::bytes;
use frame::{Dimension, Frame};

/// A report in every format.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// One page, complete in itself.
    pub html: String,
    /// Refers to the plots in the folder [`PLOTS`].
    pub markdown: String,
    pub json: String,
    /// File name and image of each plot.
    pub plots: Vec<(String, String)>,
}

/// Writes the report on a run.
pub fn report(run: &CrossRun) -> Report {
    let frame = Frame::new(run);
    let document = document(&frame);
    let plots = document.figures().map(|figure| (format!("{}.svg", figure.name), svg::standalone(&figure.image)));
    Report {
        html: html::render(&document),
        markdown: markdown::render(&document),
        json: json::render(&frame),
        plots: plots.collect(),
    }
}

fn document(frame: &Frame) -> Document {
    let mut document = Document { title: title(frame), ..Document::default() };
    let has_answers = !frame.systems.is_empty();
    head(&mut document, frame);
    if has_answers {
        losses::add(&mut document, frame);
    }
    systems(&mut document, frame);
    if has_answers {
        quality::by_set(&mut document, frame);
        quality::tests(&mut document, frame);
        plots::add(&mut document, frame);
        quality::by_group(&mut document, frame);
        cost::budgets(&mut document, frame);
    }
    cost::indexes(&mut document, frame);
    changes::learning(&mut document, frame);
    changes::staleness(&mut document, frame);
    cost::scale(&mut document, frame);
    if has_answers {
        losses::causes(&mut document, frame);
        quality::tasks(&mut document, frame);
    }
    document
}

fn title(frame: &Frame) -> String {
    if frame.systems.is_empty() {
        let ran = frame.run.systems.iter().filter(|system| system.status == SystemStatus::Ran).count();
        return format!("Cost of context retrieval: {ran} systems");
    }
    let tasks: usize = frame.groups(Dimension::Set).iter().map(|(_, tasks)| tasks).sum();
    format!("Context retrieval: {} systems on {tasks} tasks", frame.systems.len())
}

/// Adds when, where and by which command the runs were made.
fn head(document: &mut Document, frame: &Frame) {
    let describe = |Machine { cpu, cores, memory_bytes, os }: &Machine| {
        format!("{cpu}, {cores} cores, {} of memory, {os}", bytes(*memory_bytes))
    };
    for run in &frame.run.runs {
        let commit = run.commit.as_ref().map(|commit| format!(", commit {commit}")).unwrap_or_default();
        let facts = [
            format!("Started {} with version {}{commit}", run.started, run.program_version),
            format!("Command: {}", without_folders(&run.command)),
            format!("Machine: {}", describe(&run.machine)),
        ];
        document.list(facts.into_iter().chain(run.notes.iter().cloned()).collect());
    }
    let sets = frame.groups(Dimension::Set);
    if sets.is_empty() {
        return;
    }
    let sets: Vec<String> = sets.into_iter().map(|(set, tasks)| format!("{set} ({tasks})")).collect();
    let label = cost::label_name(frame.label);
    document.paragraph(format!(
        "Sets and their tasks: {}. Unless a table says otherwise, answers are {label} and have a budget of {} tokens.",
        sets.join(", "),
        frame.budget
    ));
}

/// Returns a command line with the names of files instead of absolute paths, which are of one machine only.
fn without_folders(command: &str) -> String {
    let name = |word: &str| match word.strip_prefix('/').and_then(|path| path.trim_end_matches('/').rsplit('/').next())
    {
        Some(name) if !name.is_empty() => name.to_owned(),
        _ => word.to_owned(),
    };
    command.split_whitespace().map(name).collect::<Vec<String>>().join(" ")
}

/// Adds the systems, with the reason of those that could not run.
fn systems(document: &mut Document, frame: &Frame) {
    document.section("Systems");
    let columns = ["system", "version", "license", "took part", "updates", "learns", "scores"];
    let mut table = Table::new("systems under test", &columns);
    let yes = |value: bool| if value { "yes" } else { "no" }.to_owned();
    for system in &frame.run.systems {
        let part = match system.status {
            SystemStatus::Ran => "yes".to_owned(),
            SystemStatus::Absent => format!("no: {}", system.reason.as_deref().unwrap_or("no reason recorded")),
        };
        table.row([
            system.title.clone(),
            system.version.clone(),
            system.license.clone(),
            part,
            yes(system.updates),
            yes(system.learns),
            yes(system.gives_scores),
        ]);
    }
    document.table(table);
    document.paragraph("How the systems are asked, and what favors or hinders them:");
    let notes = frame.run.systems.iter().filter(|system| !system.notes.is_empty());
    document.list(notes.map(|system| format!("{}: {}", system.title, system.notes.join(" "))).collect());
}
