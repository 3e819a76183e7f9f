//! `knowing-eval kappa`: compares a second labeling of tasks with their ground truth.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::{read, task_files};
use crate::cross::kappa::{GroupAgreement, Labeling, TaskAgreement, by_tier};
use crate::render::json;
use crate::text::display::safe;
use knowing::cli::Format;
use knowing::cli::exit::{CliError, Status};
use knowing::cli::output::{Align, BOLD, Table, stdout, styled};

/// Arguments of `eval kappa`.
#[derive(Debug, Args)]
pub struct KappaArguments {
    /// The second labeling: YAML with `protocol`, `symbols` (their number, by repository) and `tasks` with repository,
    /// id, ground_truth and perhaps doubtful
    #[arg(value_name = "LABELS")]
    pub labels: PathBuf,
    /// Task files with the first labeling
    #[arg(required = true, value_name = "TASKFILE")]
    pub files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

#[derive(Serialize)]
struct Content {
    groups: Vec<GroupAgreement>,
    tasks: Vec<TaskAgreement>,
}

/// Prints the agreement of two labelers, by tier and by task.
///
/// # Errors
/// When a file is unreadable or malformed, or a labeled task is in no task file.
pub fn run(arguments: &KappaArguments, colored: bool) -> Result<Status, CliError> {
    let usage = |error: &dyn std::fmt::Display| CliError::Usage(format!("{}: {error}", arguments.labels.display()));
    let labeling = Labeling::read(&read(&arguments.labels)?).map_err(|error| usage(&error))?;
    let tasks = labeling.compare(&task_files(&arguments.files)?).map_err(|error| usage(&error))?;
    let content = Content { groups: by_tier(&tasks), tasks };
    let mut out = stdout();
    match arguments.format {
        Format::Json => out.write_all(json::line(&content).as_bytes())?,
        Format::Text => write(&mut out, colored, &content)?,
    }
    out.flush()?;
    Ok(Status::for_count(content.tasks.len()))
}

fn write(out: &mut impl Write, colored: bool, content: &Content) -> Result<(), CliError> {
    let right = ["tasks", "both", "only first", "only second", "kappa", "positive"].map(|it| (it, Align::Right));
    let columns: Vec<_> = [("tasks of", Align::Left)].into_iter().chain(right).collect();
    let mut table = Table::new(&columns);
    let share = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
    for GroupAgreement { group, tasks, counts, kappa, positive } in &content.groups {
        let counts = [tasks, &counts.both, &counts.first, &counts.second].map(usize::to_string);
        let shares = [share(*kappa), share(*positive)];
        let cells = std::iter::once(group.clone()).chain(counts).chain(shares).collect::<Vec<String>>();
        table.row_of(&cells);
    }
    table.write(out, colored)?;
    for task in &content.tasks {
        let title = format!("{}/{}  {} agreed", safe(&task.repository), safe(&task.id), task.counts.both);
        writeln!(out, "\n{}", styled(colored, BOLD, &title))?;
        for (labeler, names) in [("first", &task.only_first), ("second", &task.only_second)] {
            if !names.is_empty() {
                writeln!(out, "  only {labeler}: {}", safe(&names.join(", ")))?;
            }
        }
        if let Some(reason) = &task.doubtful {
            writeln!(out, "  doubtful: {}", safe(reason))?;
        }
    }
    Ok(())
}
