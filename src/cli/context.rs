//! `knowing context`: the pack for a task.

use std::io::Write;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::failure::{Ending, Failure};
use super::output::stdout;
use super::session::Session;
use crate::model::{Request, Task};
use crate::render::{RENDERERS, Renderer, renderer_named};

/// Print the symbols that matter for a task, packed into a token budget
///
/// For example: knowing context --task "sessions expire too early" --budget 5000
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("request").required(true)))]
pub struct ContextArguments {
    /// The task, in plain words
    #[arg(long, value_name = "TASK", group = "request")]
    pub task: Option<String>,
    /// Changed files, separated by commas: their symbols and who calls them
    #[arg(long, value_name = "FILES", group = "request", value_delimiter = ',')]
    pub files: Option<Vec<String>>,
    /// A branch, tag or commit: what changed since it
    #[arg(long, value_name = "BASE", group = "request")]
    pub pr: Option<String>,
    /// Most tokens that the text may have [default: 50000, for --pr 8000]
    #[arg(long, value_name = "TOKENS", value_parser = clap::value_parser!(u32).range(1..))]
    pub budget: Option<u32>,
    /// How the pack is written
    #[arg(long, value_name = "FORMAT", default_value = "gcf", value_parser = formats())]
    pub format: &'static str,
    /// Add the source of each symbol
    #[arg(long)]
    pub bodies: bool,
    /// Record nothing about this run; what was taught still counts
    #[arg(long)]
    pub no_learn: bool,
}

fn formats() -> impl TypedValueParser<Value = &'static str> {
    PossibleValuesParser::new(RENDERERS.iter().map(|renderer| renderer.name()))
        .map(|name| renderer_named(&name).map_or("", Renderer::name))
}

pub fn run(session: &Session, arguments: &ContextArguments) -> Result<Ending, Failure> {
    let task = task(arguments)?;
    let Some(renderer) = renderer_named(arguments.format) else {
        return Err(Failure::Usage(format!("there is no format `{}`", arguments.format)));
    };
    let pack = session.indexed()?.retrieve(&task, renderer, arguments.bodies)?;
    let mut out = stdout();
    out.write_all(renderer.render(&pack).as_bytes())?;
    out.flush()?;
    if pack.symbols.is_empty() {
        session.note(match (&task.request, pack.omitted.is_empty()) {
            (_, false) => "no symbol fits the budget; try a larger one",
            (Request::Task(_), _) => {
                "nothing in this repository matches the task; try other words, or names from the code"
            }
            (Request::Files(_), _) => "no symbol of these files matters",
            (Request::PullRequest(_), _) => "no indexed file changed since then",
        });
    }
    Ok(Ending::unless_empty(pack.symbols.len()))
}

fn task(arguments: &ContextArguments) -> Result<Task, Failure> {
    let (request, budget) = match (&arguments.task, &arguments.files, &arguments.pr) {
        (Some(task), _, _) => (Request::Task(said(task, EMPTY_TASK)?), Task::DEFAULT_BUDGET),
        (_, Some(files), _) => {
            let files: Result<Vec<String>, Failure> = files.iter().map(|file| said(file, EMPTY_FILE)).collect();
            (Request::Files(files?), Task::DEFAULT_BUDGET)
        }
        (_, _, base) => {
            (Request::PullRequest(said(base.as_deref().unwrap_or(""), EMPTY_BASE)?), Task::PULL_REQUEST_BUDGET)
        }
    };
    Ok(Task { request, budget_tokens: arguments.budget.map_or(budget, |budget| budget as usize) })
}

const EMPTY_TASK: &str = "the task is empty; say in a few words what you want to do, \
                          for example: knowing context --task \"sessions expire too early\"";
const EMPTY_FILE: &str = "a file name in --files is empty; give paths separated by commas";
const EMPTY_BASE: &str = "--pr needs a branch, tag or commit to compare with";

fn said(text: &str, otherwise: &str) -> Result<String, Failure> {
    match text.trim() {
        "" => Err(Failure::Usage(otherwise.to_owned())),
        text => Ok(text.to_owned()),
    }
}
