//! `knowing context`: prints the pack for a task.

use std::fs::Metadata;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::budget::budget;
use super::exit::{CliError, Status};
use super::links::Links;
use super::list::{List, SHORT_LEN};
use super::output::{columns, stdout};
use super::session::Session;
use super::task::{self, non_empty};
use crate::atomic_file;
use crate::engine::{ReplyRequest, unread_beside};
use crate::model::{Detail, Options, Request, Task};
use crate::render::{RENDERERS, Renderer, gcf, renderer_named};
use crate::workspace::{Member, MemberShare, Workspace};

/// Rank the symbols that matter for a task, within a token budget
///
/// For example: knowing context "sessions expire too early" --budget 5000
#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("request").required(true)))]
pub struct ContextArguments {
    /// The task, in plain words; `-` reads it from standard input
    #[arg(value_name = "TASK", group = "request")]
    pub words: Vec<String>,
    /// The task, as an option
    #[arg(long, value_name = "TASK", group = "request", allow_hyphen_values = true)]
    pub task: Option<String>,
    /// Changed files, separated by spaces or commas: rank their symbols and the callers of these. `-` reads a list
    ///
    /// The list on standard input has a path a line, or ends each with NUL: git diff -z --name-only | knowing context --files -
    #[arg(long, value_name = "FILES", group = "request", num_args = 1..)]
    pub files: Option<Vec<String>>,
    /// A branch, tag or commit: rank what changed since then. A..B is what B has since it branched off A, A^! is commit A alone
    #[arg(long, value_name = "BASE", group = "request")]
    pub pr: Option<String>,
    /// Size limit of the text in tokens, such as 8000 or 8k
    #[arg(long, value_name = "TOKENS", default_value_t = Task::DEFAULT_BUDGET as u32, value_parser = budget)]
    pub budget: u32,
    /// Ignore a concept, or all concepts of a layer or seed file; can be repeated
    #[arg(long, value_name = "CONCEPT")]
    pub mute: Vec<String>,
    /// Output format [default: a list for people on a terminal, otherwise gcf]
    #[arg(long, value_name = "FORMAT", value_parser = formats())]
    pub format: Option<&'static str>,
    /// Fill the budget in the list and in the text format, which otherwise end early
    #[arg(long)]
    pub more: bool,
    /// List the sections of documents that answer the task first, and more of them
    #[arg(long)]
    pub docs: bool,
    /// Add the source of each symbol
    #[arg(long)]
    pub bodies: bool,
    /// Add why each symbol is ranked and the components of its score that are not 0, in json, markdown and xml
    #[arg(long)]
    pub explain: bool,
    /// The pack_root of an earlier pack: print `unchanged`, a delta if it is below 60% of the tokens, or the whole pack
    ///
    /// Deltas need the earlier pack to be among the last few that were printed without --no-learn.
    #[arg(long, value_name = "ROOT", value_parser = pack_root)]
    pub pack_root: Option<String>,
    /// Write to a file instead of standard output, which is `-`
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Store no pack for a later --pack-root. Earlier feedback still counts
    #[arg(long)]
    pub no_learn: bool,
}

/// The format in a pipe.
const DEFAULT_FORMAT: &str = "gcf";

fn formats() -> impl TypedValueParser<Value = &'static str> {
    // The binary format is for programs that are written for it.
    let value = |renderer: &&dyn Renderer| PossibleValue::new(renderer.name()).hide(renderer.is_binary());
    PossibleValuesParser::new(RENDERERS.iter().map(value)).map(|name| renderer_named(&name).map_or("", Renderer::name))
}

/// The value of `--pack-root` is malformed.
#[derive(Debug, thiserror::Error)]
#[error("a pack root is `sha256:` and 64 hexadecimal digits, as in the header of an earlier pack")]
struct PackRootError;

fn pack_root(text: &str) -> Result<String, PackRootError> {
    gcf::named_root(text).ok_or(PackRootError)
}

/// Ranks the request, prints the pack and stores what later deltas need.
///
/// # Errors
/// When the request or the budget is invalid, or the index or the output can't be used.
pub fn run(session: &Session, arguments: &ContextArguments) -> Result<Status, CliError> {
    let renderer = renderer(arguments)?;
    let output = arguments.output.as_deref().filter(|file| *file != Path::new("-"));
    if renderer.is_binary() && output.is_none() && std::io::stdout().is_terminal() {
        let name = renderer.name();
        return Err(CliError::Usage(format!("{name} is binary; redirect it, or use --output FILE")));
    }
    let task = task(session, arguments)?;
    let detail = if arguments.more { Detail::More } else { Detail::Short };
    let task =
        Task { options: Options { detail, documents: arguments.docs, ..task::options(&arguments.mute) }, ..task };
    let mut workspace = session.workspace(&[])?;
    let task = from_root(&workspace, task);
    session.load(&mut workspace, &task)?;
    task::check_vocabulary(session, &workspace, &task)?;
    check_files(&workspace, &task)?;
    if let Some(file) = output {
        let outputs = workspace.members().iter().map(|member| member.engine().check_output(file));
        outputs.collect::<Result<(), _>>().map_err(|error| CliError::Usage(error.to_string()))?;
    }
    let ranking = workspace.rank(&task, &|| false)?.unwrap_or_default();
    ranking.notes.iter().for_each(|note| session.note(note));
    // The pack has the edges that are known.
    if let Err(error) = workspace.cross_edges() {
        session.note(&format!("the edges between the repositories can't be found: {error}"));
    }
    let request = ReplyRequest {
        task: &task,
        ranking: None,
        renderer,
        bodies: arguments.bodies,
        pack_root: arguments.pack_root.as_deref(),
        store_manifest: !arguments.no_learn,
    };
    let reply = workspace.reply(&request, &ranking)?;
    if let Some(answer) = &reply.pack.answer {
        session.note(answer);
    }
    match is_list(arguments) {
        true => {
            let beside = reply.pack.also.iter().chain(&reply.pack.documents).map(|one| &one.symbol);
            let files = reply.pack.symbols.iter().map(|packed| &packed.symbol).chain(beside);
            let files = files.map(|symbol| symbol.file.as_str());
            let limit = if arguments.more { usize::MAX } else { SHORT_LEN };
            let text = List::shown(&reply.pack, limit, session.colors.stdout, columns());
            write_to(None, Links::new(session, &workspace).apply(text, files).as_bytes())?;
        }
        false => write_to(output, &reply.bytes)?,
    }
    if let (Some(error), true) = (&reply.storing_error, arguments.pack_root.is_some()) {
        session.note(&format!("this pack was not stored, so --pack-root can't compute a delta to it: {error}"));
    }
    if !(reply.pack.symbols.is_empty() && session.note_empty(&workspace)?) {
        let pack = &reply.pack;
        pack.missing_notices().iter().for_each(|notice| session.note(notice));
        let notices = [pack.unmatched_notice(), pack.empty_notice(&task.request, "--budget")];
        notices.iter().flatten().for_each(|notice| session.note(notice));
        if let Request::PullRequest(base) = &task.request {
            workspace.changed_elsewhere(base, &ranking)?.notice().iter().for_each(|notice| session.note(notice));
        }
        for ranker in workspace.members().iter().filter_map(Member::ranker) {
            unread_beside(ranker.reader(), &reply.pack)?.iter().for_each(|unread| session.note(unread));
        }
    }
    if !workspace.is_single() {
        session.note(&shares(&workspace.shares(&ranking, &reply.pack)));
    }
    Ok(Status::for_count(reply.pack.symbols.len() + reply.pack.documents.len()))
}

/// Returns the task with the files that a person names from the current folder.
fn from_root(workspace: &Workspace, task: Task) -> Task {
    let Request::Files(files) = task.request else { return task };
    Task { request: Request::Files(files.iter().map(|file| workspace.from_root(file)).collect()), ..task }
}

/// Checks that each file of a request about several repositories begins with one.
fn check_files(workspace: &Workspace, task: &Task) -> Result<(), CliError> {
    let Request::Files(files) = &task.request else { return Ok(()) };
    if workspace.is_single() {
        return Ok(());
    }
    let names = workspace.repositories();
    for file in files {
        let mut members = workspace.members().iter();
        if !members.any(|member| member.own_path(&names, file).is_some()) {
            let first = workspace.members().first().map_or("", |member| member.label());
            return Err(CliError::Usage(format!("{file} begins with no repository; write {first}/{file}")));
        }
    }
    Ok(())
}

/// Returns the part of each repository in the pack, the largest first.
fn shares(shares: &[MemberShare]) -> String {
    let mut shown: Vec<&MemberShare> = shares.iter().filter(|share| share.symbols > 0).collect();
    shown.sort_by(|one, other| other.tokens.cmp(&one.tokens).then_with(|| one.label.cmp(&other.label)));
    let parts: Vec<String> = (shown.iter())
        .map(|share| format!("{} {} ({:.0}%)", share.label, share.symbols, share.probability * 100.0))
        .collect();
    match parts.len() {
        0 => format!("no symbol of {} repositories", shares.len()),
        _ => format!("symbols by repository, and how likely the task is about it: {}", parts.join(", ")),
    }
}

/// Returns the renderer of `--format`, with components for `--explain`.
fn renderer(arguments: &ContextArguments) -> Result<&'static dyn Renderer, CliError> {
    if is_list(arguments) {
        return Ok(&List);
    }
    let format = arguments.format.unwrap_or(DEFAULT_FORMAT);
    let Some(renderer) = renderer_named(format) else {
        return Err(CliError::Usage(format!("unknown format `{format}`")));
    };
    if arguments.docs && !renderer.has_documents() {
        return Err(works_with("--docs", |renderer| renderer.has_documents(), format));
    }
    match (arguments.explain, renderer.explained()) {
        (false, _) => Ok(renderer),
        (true, Some(explained)) => Ok(explained),
        (true, None) => Err(works_with("--explain", |renderer| renderer.explained().is_some(), format)),
    }
}

/// Returns the error that an option has nothing to add to a format, with those that it works with.
fn works_with(option: &str, works: impl Fn(&dyn Renderer) -> bool, format: &str) -> CliError {
    let formats = RENDERERS.iter().filter(|renderer| works(**renderer));
    let formats: Vec<&str> = formats.map(|renderer| renderer.name()).collect();
    CliError::Usage(format!("{option} works with {}, not with {format}", formats.join(", ")))
}

/// Returns whether to print a list for people: on a terminal, unless an option asks for what only a format has.
fn is_list(arguments: &ContextArguments) -> bool {
    let ContextArguments { format: None, output: None, pack_root: None, bodies: false, explain: false, .. } = arguments
    else {
        return false;
    };
    std::io::stdout().is_terminal()
}

/// Writes to a file, or to standard output.
///
/// # Errors
/// When it can't be written.
fn write_to(file: Option<&Path>, bytes: &[u8]) -> Result<(), CliError> {
    if let Some(file) = file {
        let failed = |error| CliError::Unusable(anyhow::anyhow!("can't write {}: {error}", file.display()));
        return replace(file, bytes).map_err(failed);
    }
    let mut out = stdout();
    out.write_all(bytes)?;
    Ok(out.flush()?)
}

/// Replaces a file as a whole. What is no regular file, such as a pipe, a link or `/dev/stderr`, is written into.
fn replace(file: &Path, bytes: &[u8]) -> std::io::Result<()> {
    match file.symlink_metadata() {
        Ok(metadata) if !metadata.is_file() => std::fs::write(file, bytes),
        Ok(metadata) => atomic_file::replace(file, bytes, mode(&metadata)),
        Err(_) => atomic_file::replace(file, bytes, atomic_file::SHARED),
    }
}

#[cfg(unix)]
fn mode(metadata: &Metadata) -> u32 {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions())
}

#[cfg(not(unix))]
fn mode(_: &Metadata) -> u32 {
    atomic_file::SHARED
}

fn task(session: &Session, arguments: &ContextArguments) -> Result<Task, CliError> {
    let task = arguments.task.clone().or_else(|| (!arguments.words.is_empty()).then(|| arguments.words.join(" ")));
    let request = match (&task, &arguments.files, &arguments.pr) {
        (Some(task), _, _) => Request::Task(task::words(session, task)?),
        (_, Some(files), _) => Request::Files(task::files(session, files)?),
        (_, _, base) => Request::PullRequest(non_empty(base.as_deref().unwrap_or(""), EMPTY_BASE)?),
    };
    Ok(Task { request, budget_tokens: arguments.budget as usize, options: Options::default() })
}

const EMPTY_BASE: &str = "--pr needs a branch, tag or commit";
