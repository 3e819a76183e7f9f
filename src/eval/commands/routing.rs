//! `knowing-eval routing`: measures the choice of repositories for tasks.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use serde::Serialize;

use super::features::read_tasks;
use super::read;
use crate::engine::{Catalog, Engine, Router};
use crate::render::json;
use crate::routing::{self, Recall, RoutingCost, RoutingTask};
use crate::text::display::{bytes, thousands};
use knowing::cli::Format;
use knowing::cli::exit::{CliError, Status};
use knowing::cli::output::{Align, Table, stdout};
use knowing::cli::session::Session;

/// Arguments of `eval routing`.
#[derive(Debug, Args)]
pub struct RoutingArguments {
    /// Task files: YAML as for `eval`, or JSON lines (.jsonl, .jsonl.gz) of commits or issues
    #[arg(required = true, value_name = "TASKFILE")]
    pub files: Vec<PathBuf>,
    /// The repositories to choose from: a file with a line `NAME FOLDER` for each
    #[arg(long, value_name = "FILE")]
    pub repositories: PathBuf,
    /// Folder for the databases
    #[arg(long, value_name = "DIR")]
    pub databases: PathBuf,
    /// Also measure among so many repositories; simulated ones are added where there are too few
    #[arg(long, value_name = "N", value_delimiter = ',')]
    pub among: Vec<usize>,
    /// Limit of the tasks of a repository
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub tasks: usize,
    /// Fit the parameters of routing to these tasks, and print them
    #[arg(long, conflicts_with = "among")]
    pub fit: bool,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

#[derive(Serialize)]
struct Row {
    repositories: usize,
    simulated: usize,
    recall: Recall,
    cost: RoutingCost,
}

/// Measures routing, or fits it.
///
/// # Errors
/// When a file is invalid, or a repository or the output can't be used.
pub fn run(session: &Session, arguments: &RoutingArguments) -> Result<Status, CliError> {
    let all = read_tasks(&arguments.files)?;
    let (ids, catalogs) = catalogs(session, arguments)?;
    let tasks = routing::routing_tasks(&all, arguments.tasks, |project| ids.get(project).cloned());
    if arguments.fit {
        let mut show = |config: &_, recall: &Recall| session.note(&format!("MRR {:.4} {config:?}", recall.mrr));
        routing::fit(&catalogs, &tasks, &mut show);
        return Ok(Status::for_count(tasks.len()));
    }
    let rows = rows(&catalogs, &tasks, &arguments.among);
    let mut out = stdout();
    match arguments.format {
        Format::Json => out.write_all(json::list(rows.iter()).as_bytes())?,
        Format::Text => write(&mut out, session.colors.stdout, &rows)?,
    }
    out.flush()?;
    Ok(Status::for_count(tasks.len()))
}

/// Makes the catalogs of all repositories, and maps names to ids.
fn catalogs(
    session: &Session,
    arguments: &RoutingArguments,
) -> Result<(HashMap<String, String>, Vec<Catalog>), CliError> {
    let (mut ids, mut catalogs, mut sizes, mut times) = (HashMap::new(), Vec::new(), Vec::new(), Vec::new());
    for line in read(&arguments.repositories)?.lines().filter(|line| !line.trim().is_empty()) {
        let malformed =
            || CliError::Usage(format!("{}: `{line}` is not NAME FOLDER", arguments.repositories.display()));
        let (name, folder) = line.split_once(' ').ok_or_else(malformed)?;
        let database = arguments.databases.join(format!("{name}.db"));
        let engine = session.refreshed(Engine::open(Path::new(folder), Some(&database))?)?;
        let start = Instant::now();
        let catalog = engine.catalog()?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
        sizes.push(catalog.to_bytes().len());
        ids.insert(name.to_owned(), catalog.repository().to_owned());
        catalogs.push(catalog);
    }
    sizes.sort_unstable();
    times.sort_by(f64::total_cmp);
    if let (Some(last), Some(slowest)) = (sizes.last(), times.last()) {
        let size = |size: usize| bytes(size as u64);
        session.note(&format!(
            "{} catalogs: smallest {}, median {}, largest {}; made or read in {:.0} ms (median), at most {slowest:.0} ms",
            thousands(sizes.len()),
            size(sizes[0]),
            size(sizes[sizes.len() / 2]),
            size(*last),
            times[times.len() / 2],
        ));
    }
    Ok((ids, catalogs))
}

fn rows(catalogs: &[Catalog], tasks: &[RoutingTask], among: &[usize]) -> Vec<Row> {
    let needed: Vec<&str> = tasks.iter().map(|task| task.repository.as_str()).collect();
    let others: Vec<&Catalog> = catalogs.iter().filter(|catalog| !needed.contains(&catalog.repository())).collect();
    let counts = if among.is_empty() { vec![catalogs.len()] } else { among.to_vec() };
    let row = |count: usize| {
        let real = routing::sample(catalogs, &needed, count);
        let simulated = routing::simulated(&others, count.saturating_sub(real.len()));
        let encoded: Vec<Vec<u8>> = real.iter().copied().chain(&simulated).map(Catalog::to_bytes).collect();
        let cost = routing::cost(&encoded, tasks);
        let router = Router::new(real.iter().copied().chain(&simulated));
        let recall = routing::recall(tasks, &routing::ranks(&router, tasks));
        Row { repositories: router.repository_count(), simulated: simulated.len(), recall, cost }
    };
    counts.into_iter().map(row).collect()
}

fn write(out: &mut impl Write, colored: bool, rows: &[Row]) -> Result<(), CliError> {
    let headings = ["repositories", "simulated", "tasks", "R@1", "R@5", "R@10", "MRR"];
    let costs = ["decode", "invert", "route", "slowest", "memory", "catalogs"];
    let columns: Vec<_> = headings.iter().chain(&costs).map(|heading| (*heading, Align::Right)).collect();
    let mut table = Table::new(&columns);
    for Row { repositories, simulated, recall, cost } in rows {
        let mut cells = vec![repositories.to_string(), simulated.to_string(), recall.tasks.to_string()];
        cells.extend(recall.at.iter().chain([&recall.mrr]).map(|value| format!("{value:.3}")));
        let times = [cost.decode_ms, cost.invert_ms, cost.route_median_ms, cost.route_max_ms];
        cells.extend(times.map(|time| format!("{time:.1} ms")));
        cells.extend([bytes(cost.memory_bytes), bytes(cost.encoded_bytes as u64)]);
        table.row_of(&cells);
    }
    table.write(out, colored)?;
    Ok(())
}
