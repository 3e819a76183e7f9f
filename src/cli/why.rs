//! `knowing why`: explains the rank of one symbol.

use std::io::Write;

use clap::Args;
use serde::Serialize;

use super::Format;
use super::budget::budget;
use super::counterfactual::{self, Counterfactual, CounterfactualArguments, counterfactuals};
use super::exit::{CliError, Status};
use super::output::{Align, BOLD, Table, stdout, styled};
use super::session::Session;
use super::stage::{Stage, StageOutput};
use super::{lookup, stage, task};
use crate::engine::{
    LastCommit, ListRank, MissingReason, PackStatus, PathStep, RankedScore, Shares, Why, channel_title,
    component_meaning, component_title, feedback_lines, headline, intent_line, matches, route, shares,
};
use crate::model::Task;
use crate::render::gcf::Gcf;
use crate::render::{json, scoped_name};
use crate::text::count;
use crate::text::display::{decimal, safe, score, signed, thousands};

/// Explain the rank of a symbol, or a stage of a ranking
///
/// Prints its strongest evidence in one sentence, the commit that last changed its lines, the words of the task and where
/// each matches, and what keeps it from the pack. With --numbers the components of the score follow by size, with a
/// sentence for each, then concepts, channels and the random walk. JSON has everything.
///
/// For example: knowing why Session.is_expired "sessions expire too early"
#[derive(Debug, Args)]
pub struct WhyArguments {
    /// The symbol's name or a suffix of it, unless --symbol has it: is_expired, Session.is_expired,
    /// src/session.py.Session.is_expired. Then the task, in plain words, unless --task has it
    #[arg(value_names = ["SYMBOL", "TASK"], num_args = 0..)]
    pub words: Vec<String>,
    /// The task, as an option; `-` reads it from standard input
    #[arg(long, value_name = "TASK", allow_hyphen_values = true)]
    pub task: Option<String>,
    /// The symbol, as an option
    #[arg(long, value_name = "SYMBOL")]
    pub symbol: Option<String>,
    /// Add the components of the score and the stages of the ranking
    #[arg(long, conflicts_with = "inside")]
    pub numbers: bool,
    /// Print a stage of the ranking of the task, instead of a symbol's rank
    #[arg(long, value_enum, value_name = "STAGE", group = "inside", conflicts_with = "symbol")]
    pub stage: Option<Stage>,
    /// Print what was read of a file: definitions, imports, names, references, and the lines that were not parsed
    #[arg(long, value_name = "FILE", group = "inside", conflicts_with_all = ["words", "task", "symbol", "format"])]
    pub facts: Option<String>,
    /// Print the references on a line such as src/app.py:12, each with its edges, or that it is not resolved
    #[arg(long, value_name = "FILE:LINE", group = "inside", conflicts_with_all = ["words", "task", "symbol", "format"])]
    pub edge: Option<String>,
    /// With --stage: the number of symbols to show of each list
    #[arg(long, value_name = "N", default_value_t = 20, requires = "stage")]
    pub limit: usize,
    /// Size limit of the pack in tokens of GCF, such as 8000 or 8k
    #[arg(long, value_name = "TOKENS", default_value_t = Task::DEFAULT_BUDGET as u32, value_parser = budget)]
    pub budget: u32,
    /// Ignore a concept, or all concepts of a layer or seed file; can be repeated
    #[arg(long, value_name = "CONCEPT")]
    pub mute: Vec<String>,
    #[command(flatten)]
    pub counterfactuals: CounterfactualArguments,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

/// The explanation, the last commit and the requested counterfactuals.
#[derive(Serialize)]
struct Explanation {
    #[serde(flatten)]
    why: Why,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_commit: Option<LastCommit>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    counterfactuals: Vec<Counterfactual>,
}

/// Prints the explanation of a symbol's rank, a stage of the ranking, or what was read of a file.
///
/// # Errors
/// When the task or the symbol is missing or empty, the symbol is ambiguous, or the index or the output can't be used.
pub fn run(session: &Session, arguments: &WhyArguments) -> Result<Status, CliError> {
    if let Some(file) = &arguments.facts {
        return stage::facts(session, file);
    }
    if let Some(line) = &arguments.edge {
        return stage::edges(session, line);
    }
    let (symbol, words) = names(arguments)?;
    let text = task::words(session, &words)?;
    let options = task::options(&arguments.mute);
    let task = Task { options, budget_tokens: arguments.budget as usize, ..Task::from_text(text) };
    match arguments.stage {
        Some(shown) => {
            let output = StageOutput { stage: shown, limit: arguments.limit, format: arguments.format };
            stage::run(session, &task, output)
        }
        None => explain(session, arguments, &task, &symbol),
    }
}

/// Returns the symbol, which is empty for a stage, and the task.
///
/// # Errors
/// When one of them is missing.
fn names(arguments: &WhyArguments) -> Result<(String, String), CliError> {
    let missing = || {
        let text =
            "name a symbol and a task, for example: knowing why Session.is_expired \"sessions expire too early\"";
        CliError::Usage(text.to_owned())
    };
    let mut words = arguments.words.iter().map(String::as_str);
    let symbol = match (&arguments.symbol, arguments.stage) {
        (Some(symbol), _) => symbol,
        (None, Some(_)) => "",
        (None, None) => words.next().ok_or_else(missing)?,
    };
    let rest: Vec<&str> = words.collect();
    let task = match (&arguments.task, rest.as_slice()) {
        (Some(task), []) => task.clone(),
        (None, [_, ..]) => rest.join(" "),
        _ => return Err(missing()),
    };
    Ok((symbol.to_owned(), task))
}

/// Ranks the task and prints the explanation of the symbol's rank.
fn explain(session: &Session, arguments: &WhyArguments, task: &Task, name: &str) -> Result<Status, CliError> {
    if name.trim().is_empty() {
        return Err(CliError::Usage("the symbol is empty; `knowing query` finds names".to_owned()));
    }
    let mut workspace = session.loaded(Some(task))?;
    let mut checked = task.clone();
    checked.options.muted_concepts.extend(arguments.counterfactuals.without_concept.clone());
    task::check_vocabulary(session, &workspace, &checked)?;
    let symbol = lookup::by_name(session, &mut workspace, "the symbol", name)?;
    let Some(symbol) = symbol else { return Ok(Status::NothingFound) };
    let why = workspace.why(task, &Gcf, &symbol)?;
    let counterfactuals = counterfactuals(&mut workspace, task, &symbol, &arguments.counterfactuals)?;
    // A damaged repository is not a reason to explain nothing.
    let last_commit = workspace.last_commit(&symbol).unwrap_or_else(|error| {
        session.note(&error.to_string());
        None
    });
    let (mut out, colored) = (stdout(), session.colors.stdout);
    match arguments.format {
        Format::Json => {
            let last_commit = last_commit.filter(LastCommit::is_committed);
            out.write_all(json::line(&Explanation { why, last_commit, counterfactuals }).as_bytes())?;
        }
        Format::Text => {
            let file = workspace.repositories().shown(&symbol).into_owned();
            write(&mut out, colored, (&why, &scoped_name(&symbol), &file), last_commit.as_ref())?;
            if arguments.numbers {
                write_numbers(&mut out, colored, &why)?;
            }
            counterfactual::write(&mut out, session.colors.stdout, &counterfactuals)?;
        }
    }
    out.flush()?;
    Ok(Status::Success)
}

/// Writes the sentence, the last commit, the words, the votes, and what keeps the symbol from the pack.
fn write(
    out: &mut impl Write,
    colored: bool,
    (why, name, file): (&Why, &str, &str),
    commit: Option<&LastCommit>,
) -> Result<(), CliError> {
    let bold = |text: &str| styled(colored, BOLD, &safe(text));
    writeln!(out, "{}  {} {}:{}", bold(name), why.kind, safe(file), why.line)?;
    writeln!(out, "{}", safe(&why.reason.sentence))?;
    if let Some(commit) = commit.filter(|commit| !commit.is_committed()) {
        writeln!(out, "{}", commit.subject)?;
    } else if let Some(commit) = commit {
        let LastCommit { subject, author, .. } = commit;
        let (day, id) = (commit.day(), commit.short_id());
        let request = commit.pull_request.map_or(String::new(), |number| format!(", pull request {number}"));
        writeln!(out, "last changed {day} by {} in {id}{request}: {}", safe(author), safe(subject))?;
    }
    let rank = why
        .rank
        .as_ref()
        .map_or("not ranked".to_owned(), |rank| format!("rank {} of {}", thousands(rank.rank), thousands(rank.of)));
    writeln!(out, "{rank}")?;
    let matched = matches(&why.words, " · ");
    if why.answer.is_none() && !matched.is_empty() {
        writeln!(out, "{}", safe(&matched))?;
    }
    for line in feedback_lines(why) {
        writeln!(out, "{}  {}", styled(colored, BOLD, "feedback"), safe(&line))?;
    }
    // What kept a packed symbol from a better rank is a matter of the numbers.
    let is_packed = matches!(why.pack, PackStatus::Packed { .. });
    // That no word is there is told above.
    let is_new = |missing: &&MissingReason| !is_packed && !matches!(missing, MissingReason::NoTaskWord);
    for missing in why.missing.iter().filter(is_new) {
        writeln!(out, "  - {}", safe(&missing.to_string()))?;
    }
    Ok(())
}

/// Writes the components of the score, and what each stage of the ranking found.
fn write_numbers(out: &mut impl Write, colored: bool, why: &Why) -> Result<(), CliError> {
    writeln!(out, "\n{}", headline(why, " · "))?;
    writeln!(out, "{}", safe(&route(why)))?;
    if let Some(intent) = why.intent {
        writeln!(out, "{}", intent_line(intent))?;
    }
    if matches!(why.pack, PackStatus::Packed { .. }) {
        for missing in &why.missing {
            writeln!(out, "  - {}", safe(&missing.to_string()))?;
        }
    }
    if let Some(rank) = &why.rank {
        write_score(out, colored, rank)?;
    }
    if !why.concepts.is_empty() {
        writeln!(out)?;
        concepts(why).write(out, colored)?;
    }
    writeln!(out)?;
    channels(why).write(out, colored)?;
    writeln!(out)?;
    write_walk(out, colored, why)
}

/// Writes the score as a sum of its components, the largest first, with a sentence for each; the small ones are summed.
/// What is the same for every symbol explains nothing, so it is named beside the sum only.
fn write_score(out: &mut impl Write, colored: bool, rank: &RankedScore) -> Result<(), CliError> {
    let right = |heading| (heading, Align::Right);
    let mut table =
        Table::new(&[("component", Align::Left), right("contribution"), right("value"), ("meaning", Align::Left)]);
    let Shares { large, small, common } = shares(&rank.components);
    for component in &large {
        let value = decimal(component.value, 3);
        let contribution = signed(component.contribution, 3);
        let sentence = component_meaning(component);
        table.row([component_title(component.name), &contribution, &value, &sentence]);
    }
    if !small.is_empty() {
        let sum: f64 = small.iter().map(|component| component.contribution).sum();
        table.row([&format!("+ {} more", small.len()), &signed(sum, 3), "", "--format json lists them"]);
    }
    let note = match common {
        0.0 => String::new(),
        common => format!("the sum, and {} that every symbol has", signed(common, 3)),
    };
    table.row(["score", &score(rank.score, 3), "", &note]);
    writeln!(out)?;
    table.write(out, colored)?;
    Ok(())
}

fn channels(why: &Why) -> Table {
    let right = |heading| (heading, Align::Right);
    let mut table =
        Table::new(&[("found by", Align::Left), right("weight"), right("rank"), right("score"), right("fusion")]);
    for channel in &why.channels {
        let [rank, score] = cells(channel.found.as_ref());
        let fusion = channel.found.map_or(String::new(), |_| format!("{:.4}", channel.fusion));
        table.row([channel_title(channel.channel), &format!("{:.2}", channel.weight), &rank, &score, &fusion]);
    }
    let [rank, score] = cells(why.fused.as_ref());
    table.row(["fused", "", &rank, "", &score]);
    let [rank, score] = cells(why.seed.as_ref());
    table.row(["seed of the walk", "", &rank, &score, ""]);
    table
}

/// Returns the table of the concepts that have the symbol as a target.
fn concepts(why: &Why) -> Table {
    let (left, right) = (|heading| (heading, Align::Left), |heading| (heading, Align::Right));
    let mut table = Table::new(&[
        left("concept"),
        left("layer"),
        left("phrase"),
        left("target"),
        right("value"),
        right("contribution"),
    ]);
    for concept in &why.concepts {
        let value = format!("{:.4}", concept.value);
        let contribution = format!("{:+.4}", concept.contribution + 0.0);
        table.row([&concept.concept, concept.layer, &concept.phrase, &concept.target, &value, &contribution]);
    }
    table
}

/// Formats a rank and its value as table cells.
fn cells(found: Option<&ListRank>) -> [String; 2] {
    match found {
        Some(found) => [format!("{} of {}", found.rank, found.of), format!("{:.4}", found.value)],
        None => ["-".to_owned(), String::new()],
    }
}

fn write_walk(out: &mut impl Write, colored: bool, why: &Why) -> Result<(), CliError> {
    let label = |text: &str| styled(colored, BOLD, text);
    match &why.walk {
        None => writeln!(out, "{}  not reached", label("walk"))?,
        Some(walk) => {
            let hops = count(walk.hops as usize, "hop");
            writeln!(out, "{}  {:.4} (floor {}), {hops} from a seed", label("walk"), walk.score, walk.floor)?;
            for step in &walk.path {
                writeln!(out, "  {}", path_step(step))?;
            }
        }
    }
    if let (Some(hub), Some(authority)) = (why.hub, why.authority) {
        writeln!(out, "{}  hub {hub:.4}, authority {authority:.4}", label("hits"))?;
    }
    Ok(())
}

/// Formats a step as `a -calls-> b`, or as `a <-calls- b` if the walk followed the edge backwards.
pub fn path_step(step: &PathStep) -> String {
    let (from, to) = (safe(&step.from), safe(&step.to));
    match step.forward {
        true => format!("{from} -{}-> {to}", step.edge_type),
        false => format!("{from} <-{}- {to}", step.edge_type),
    }
}
