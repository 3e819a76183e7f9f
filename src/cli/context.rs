//! `knowing context`: the pack for a task.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::failure::{Ending, Failure};
use super::output::stdout;
use super::preset::presets;
use super::session::Session;
use super::task::{self, said};
use crate::engine::{Prefetched, ReplyRequest};
use crate::model::{ContextPack, MissingSource, Options, Preset, Request, Task};
use crate::render::{RENDERERS, Renderer, renderer_named};

/// Print the symbols that matter for a task, packed into a token budget
///
/// For example: knowing context --task "sessions expire too early" --budget 5000
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("request").required(true)))]
pub struct ContextArguments {
    /// The task, in plain words; `-` reads it from standard input
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
    /// Rank without a class: its concept, or a layer or seed file for all of its classes; may be given several times
    #[arg(long, value_name = "CLASS")]
    pub mute: Vec<String>,
    /// By which numbers symbols are ranked: the best that were found, or those of the earlier system's documents
    #[arg(long, value_name = "PRESET", default_value_t, value_parser = presets())]
    pub preset: Preset,
    /// How the pack is written
    #[arg(long, value_name = "FORMAT", default_value = "gcf", value_parser = formats())]
    pub format: &'static str,
    /// Add the source of each symbol
    #[arg(long)]
    pub bodies: bool,
    /// The pack_root of an earlier answer: get `unchanged`, or only what changed, or the whole pack where that is shorter
    ///
    /// The earlier answer has to be among the last few that were given without --no-learn; otherwise the whole pack comes.
    #[arg(long, value_name = "ROOT", value_parser = pack_root)]
    pub pack_root: Option<String>,
    /// Write to a file instead of standard output; gcb on a terminal needs it
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Record nothing about this run, neither what was shown nor the pack for a later --pack-root; what was taught still
    /// counts
    #[arg(long)]
    pub no_learn: bool,
}

fn formats() -> impl TypedValueParser<Value = &'static str> {
    PossibleValuesParser::new(RENDERERS.iter().map(|renderer| renderer.name()))
        .map(|name| renderer_named(&name).map_or("", Renderer::name))
}

fn pack_root(text: &str) -> Result<String, String> {
    let is_digest = |digits: &str| digits.len() == 64 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    match text.strip_prefix("sha256:").filter(|digits| is_digest(digits)) {
        Some(digits) => Ok(format!("sha256:{}", digits.to_lowercase())),
        None => {
            Err("a pack root is `sha256:` and 64 hexadecimal digits, as the head of an earlier answer has it".into())
        }
    }
}

pub fn run(session: &Session, arguments: &ContextArguments) -> Result<Ending, Failure> {
    let Some(renderer) = renderer_named(arguments.format) else {
        return Err(Failure::Usage(format!("there is no format `{}`", arguments.format)));
    };
    if renderer.is_binary() && arguments.output.is_none() && std::io::stdout().is_terminal() {
        let name = renderer.name();
        return Err(Failure::Usage(format!("{name} is binary, not for a terminal; use a pipe, or --output FILE")));
    }
    let task = task(session, arguments)?;
    let task = Task { options: task::options(arguments.preset, &arguments.mute), ..task };
    let (engine, Prefetched { ranker, ranking }) = session.ranked(&task)?;
    task::note_vocabulary(session, ranker.vocabulary(), &arguments.mute);
    let question = ReplyRequest {
        task: &task,
        ranking: ranking.as_ref(),
        renderer,
        bodies: arguments.bodies,
        pack_root: arguments.pack_root.as_deref(),
        remember: !arguments.no_learn,
    };
    let reply = ranker.reply(&question)?;
    deliver(&reply.bytes, arguments.output.as_deref())?;
    if !arguments.no_learn
        && let Err(error) = engine.record_shown(&task, &reply.pack)
    {
        session.note(&format!("nothing can be learned from this answer: {error}"));
    }
    if let (Some(error), true) = (&reply.storing_error, arguments.pack_root.is_some()) {
        session.note(&format!("this pack can't be remembered, so the next answer will be a whole one: {error}"));
    }
    remark(session, &task, &reply.pack);
    Ok(Ending::unless_empty(reply.pack.symbols.len()))
}

fn deliver(bytes: &[u8], file: Option<&Path>) -> Result<(), Failure> {
    if let Some(file) = file {
        let failed = |error| Failure::Unusable(anyhow::anyhow!("{} can't be written: {error}", file.display()));
        return std::fs::write(file, bytes).map_err(failed);
    }
    let mut out = stdout();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}

/// Most files that are named one by one when their source can't be shown.
const MISSING_NAMED: usize = 5;

/// Says what a reader of the pack would otherwise wonder about.
fn remark(session: &Session, task: &Task, pack: &ContextPack) {
    for MissingSource { reason, .. } in pack.missing_sources.iter().take(MISSING_NAMED) {
        session.note(&format!("a body is missing: {reason}"));
    }
    if let more @ 1.. = pack.missing_sources.len().saturating_sub(MISSING_NAMED) {
        session.note(&format!("bodies of {more} more files are missing; `knowing index` brings the index up to date"));
    }
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
}

fn task(session: &Session, arguments: &ContextArguments) -> Result<Task, Failure> {
    let (request, budget) = match (&arguments.task, &arguments.files, &arguments.pr) {
        (Some(task), _, _) => (Request::Task(task::words(session, task)?), Task::DEFAULT_BUDGET),
        (_, Some(files), _) => {
            let files: Result<Vec<String>, Failure> = files.iter().map(|file| said(file, EMPTY_FILE)).collect();
            (Request::Files(files?), Task::DEFAULT_BUDGET)
        }
        (_, _, base) => {
            (Request::PullRequest(said(base.as_deref().unwrap_or(""), EMPTY_BASE)?), Task::PULL_REQUEST_BUDGET)
        }
    };
    let budget_tokens = arguments.budget.map_or(budget, |budget| budget as usize);
    Ok(Task { request, budget_tokens, options: Options::default() })
}

const EMPTY_FILE: &str = "a file name in --files is empty; give paths separated by commas";
const EMPTY_BASE: &str = "--pr needs a branch, tag or commit to compare with";
