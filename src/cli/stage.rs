//! `knowing why --stage`, `--facts` and `--edge`: prints one stage of a ranking, or what was read of a file.

use std::io::Write;
use std::path::Path;

use clap::ValueEnum;

use super::Format;
use super::exit::{CliError, Status};
use super::output::{Align, BOLD, Table, stdout, styled};
use super::session::Session;
use super::why::path_step;
use crate::engine::{
    ChannelStage, EngineError, Form, KeywordStage, PartLine, Ranker, Reader, WalkStage, edges_on_line, facts_of_file,
};
use crate::model::{Intent, Request, Task};
use crate::render::json;
use crate::text::display::{excerpt, safe};

/// Limit of the characters of a line of the task that are shown.
const MAX_TEXT: usize = 80;

/// A stage of the ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// Analyzed query: parts of the text, keywords, terms and their weights
    Keywords,
    /// Results of each channel, and their fusion
    Channels,
    /// Random walk from the seeds, hubs and authorities
    Walk,
}

/// A stage and its form.
#[derive(Debug, Clone, Copy)]
pub struct StageOutput {
    pub stage: Stage,
    /// Number of symbols of each list.
    pub limit: usize,
    pub format: Format,
}

/// Prints what was read of a file.
///
/// # Errors
/// When the file is not indexed, or the index or the output can't be used.
pub fn facts(session: &Session, file: &str) -> Result<Status, CliError> {
    of_file(session, file, "nothing was read of it", &|reader, root, path| facts_of_file(reader, root, path))
}

/// Prints the references on a line such as `src/app.py:12`, each with its edges.
///
/// # Errors
/// When it is no line, the file is not indexed, or the index or the output can't be used.
pub fn edges(session: &Session, line: &str) -> Result<Status, CliError> {
    let split = line.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?)));
    let Some((file, number)) = split else {
        return Err(CliError::Usage(format!("{line} is not a line; for example: src/app.py:12")));
    };
    let nothing = format!("no reference is on line {number}");
    of_file(session, file, &nothing, &|reader, root, path| edges_on_line(reader, root, path, number))
}

/// A function that describes a file of an index, in a checkout.
type Describe<'a> = &'a dyn Fn(&Reader, &Path, &str) -> Result<Option<String>, EngineError>;

/// Prints what is known of a file, in the repository that has it, or `nothing`.
fn of_file(session: &Session, file: &str, nothing: &str, describe: Describe<'_>) -> Result<Status, CliError> {
    let workspace = session.indexed()?;
    let (names, path) = (workspace.repositories(), workspace.from_root(file));
    for member in workspace.members() {
        let (engine, Some(own)) = (member.engine(), member.own_path(&names, &path)) else { continue };
        if let Some(text) = describe(&engine.reader()?, engine.root(), &own)? {
            let shown = if text.is_empty() { nothing } else { &text };
            stdout().write_all(safe_lines(shown).as_bytes())?;
            return Ok(Status::for_count(text.len()));
        }
    }
    let text = "is not an indexed file; paths are relative to the repository's root, such as src/main.rs, or absolute";
    Err(CliError::Usage(format!("{} {text}", excerpt(file))))
}

/// Returns the text with each line made safe to print.
fn safe_lines(text: &str) -> String {
    text.lines().map(|line| safe(line).into_owned() + "\n").collect()
}

/// Ranks the task and prints the stage.
///
/// # Errors
/// When the index or the output can't be used.
pub fn run(session: &Session, task: &Task, output: StageOutput) -> Result<Status, CliError> {
    let workspace = session.loaded(Some(task))?;
    let statuses = session.each(&workspace, output.format, |member, out| match member.ranker() {
        Some(ranker) => stage(session, output, ranker, task, out),
        None => Ok(Status::NothingFound),
    })?;
    Ok(Status::any(&statuses))
}

/// Prints the stage of the ranking of one repository.
fn stage(
    session: &Session,
    output: StageOutput,
    ranker: &Ranker,
    task: &Task,
    mut out: &mut dyn Write,
) -> Result<Status, CliError> {
    let Request::Task(text) = &task.request else { return Ok(Status::NothingFound) };
    let ranking = ranker.rank(task, &|| false)?.unwrap_or_default();
    let (colored, is_json) = (session.colors.stdout, output.format == Format::Json);
    match output.stage {
        Stage::Keywords => {
            let stage = KeywordStage::new(text, &ranking);
            if is_json { out.write_all(json::line(&stage).as_bytes())? } else { keywords(&mut out, colored, &stage)? }
        }
        Stage::Channels => {
            let stage = ranker.channel_stage(&ranking, output.limit)?;
            if is_json { out.write_all(json::line(&stage).as_bytes())? } else { channels(&mut out, colored, &stage)? }
        }
        Stage::Walk => {
            let stage = ranker.walk_stage(&ranking, output.limit)?;
            if is_json { out.write_all(json::line(&stage).as_bytes())? } else { walk(&mut out, colored, &stage)? }
        }
    }
    Ok(Status::for_count(ranking.terms.len()))
}

fn keywords(out: &mut impl Write, colored: bool, stage: &KeywordStage) -> Result<(), CliError> {
    let left = |heading| (heading, Align::Left);
    let right = |heading| (heading, Align::Right);
    let mut table = Table::new(&[right("line"), left("part"), right("worth"), left("text")]);
    for PartLine { line, part, worth, text } in &stage.parts {
        let text = if text.chars().count() > MAX_TEXT {
            text.chars().take(MAX_TEXT - 1).chain(['…']).collect()
        } else {
            text.clone()
        };
        table.row([&line.to_string(), part.name(), &format!("{worth:.2}"), &safe(&text)]);
    }
    table.write(out, colored)?;
    writeln!(out)?;
    let words = &stage.keywords;
    let phrases: Vec<String> = words.phrases.iter().map(|(one, two)| format!("{one} {two}")).collect();
    let mut table = Table::new(&[left("keywords"), left("")]);
    for form in [Form::Quoted, Form::Identifier, Form::Called, Form::Joined, Form::Word, Form::Related] {
        let texts: Vec<&str> = words.with_form(form).map(|keyword| keyword.text.as_str()).collect();
        table.row([form.name(), &texts.join(", ")]);
    }
    table.row(["phrases", &phrases.join(", ")]);
    table.row(["path terms", &words.path_terms.join(", ")]);
    table.row(["about tests", if words.about_tests { "yes" } else { "no" }]);
    table.row(["intent", stage.intent.map_or("-", Intent::name)]);
    table.write(out, colored)?;
    writeln!(out)?;
    let mut table = Table::new(&[left("term"), right("weight"), left("part"), right("symbols")]);
    for term in &stage.terms {
        let part = term.part.name();
        table.row([&term.text, &format!("{:.2}", term.weight), part, &term.symbols.to_string()]);
    }
    Ok(table.write(out, colored)?)
}

fn channels(out: &mut impl Write, colored: bool, stage: &ChannelStage) -> Result<(), CliError> {
    for channel in &stage.channels {
        let title = format!("{} (weight {}, {} found)", channel.channel, channel.weight, channel.found);
        writeln!(out, "{}", styled(colored, BOLD, &title))?;
        if channel.symbols.is_empty() {
            writeln!(out)?;
            continue;
        }
        let mut table = Table::new(&[("rank", Align::Right), ("score", Align::Right), ("symbol", Align::Left)]);
        for named in &channel.symbols {
            table.row([&named.entry.rank.to_string(), &format!("{:.4}", named.entry.value), &named.symbol]);
        }
        table.write(out, colored)?;
        writeln!(out)?;
    }
    let mut table = Table::new(&[
        ("fused", Align::Right),
        ("score", Align::Right),
        ("restart", Align::Right),
        ("symbol", Align::Left),
        ("excluded from the seeds", Align::Left),
    ]);
    for fused in &stage.fused {
        let restart = fused.restart.map_or(String::new(), |restart| format!("{restart:.4}"));
        let (rank, score) = (fused.named.entry.rank.to_string(), format!("{:.4}", fused.named.entry.value));
        table.row([&rank, &score, &restart, &fused.named.symbol, fused.noise.unwrap_or_default()]);
    }
    Ok(table.write(out, colored)?)
}

fn walk(out: &mut impl Write, colored: bool, stage: &WalkStage) -> Result<(), CliError> {
    let WalkStage { iterations, reached, floor, above_floor, .. } = stage;
    let title =
        format!("{iterations} iterations, {reached} symbols reached, {above_floor} with a score of {floor} or more");
    writeln!(out, "{}\n", styled(colored, BOLD, &title))?;
    let mut table = Table::new(&[("seed", Align::Right), ("restart", Align::Right), ("symbol", Align::Left)]);
    for seed in &stage.seeds {
        table.row([&seed.entry.rank.to_string(), &format!("{:.4}", seed.entry.value), &seed.symbol]);
    }
    table.write(out, colored)?;
    writeln!(out)?;
    let right = |heading| (heading, Align::Right);
    let mut table = Table::new(&[
        right("walk"),
        right("score"),
        right("hops"),
        right("hub"),
        right("authority"),
        ("symbol", Align::Left),
        ("last edge", Align::Left),
    ]);
    let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.4}"));
    for walked in &stage.symbols {
        let position = &walked.named.entry;
        let (rank, score) = (position.rank.to_string(), format!("{:.4}", position.value));
        let hops = walked.hops.to_string();
        let last = walked.path.last().map(path_step).unwrap_or_default();
        let (hub, authority) = (number(walked.hub), number(walked.authority));
        table.row([&rank, &score, &hops, &hub, &authority, &safe(&walked.named.symbol), &last]);
    }
    Ok(table.write(out, colored)?)
}
