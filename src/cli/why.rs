//! `knowing why`: explains the rank of one symbol.

use std::io::Write;

use clap::Args;
use serde::Serialize;

use super::Format;
use super::budget::budget;
use super::counterfactual::{self, Counterfactual, CounterfactualArguments, counterfactuals};
use super::exit::{CliError, Status};
use super::output::{Align, BOLD, Table, stdout, styled};
use super::preset::presets;
use super::session::Session;
use super::{symbol, task};
use crate::engine::{ListRank, PackStatus, PathStep, RankedScore, SymbolFeedback, Why};
use crate::model::{Component, Intent, Preset, Task};
use crate::render::gcf::Gcf;
use crate::render::json;
use crate::text::display::{safe, thousands};

/// Explain a symbol's rank for a task, or why it is not in the pack
///
/// Shows the task's terms that the symbol has, the result of each channel, the random walk with its best path, hub and
/// authority, every component of the score as weight × value = contribution, and the rank before and after packing.
///
/// For example: knowing why --task "sessions expire too early" --symbol Session.is_expired
#[derive(Debug, Args)]
pub struct WhyArguments {
    /// The task, in plain words; `-` reads it from standard input
    #[arg(long, value_name = "TASK", allow_hyphen_values = true)]
    pub task: String,
    /// The symbol's name or a suffix of it: route, Flask.route, src/flask/app.py.Flask.route
    #[arg(long, value_name = "SYMBOL")]
    pub symbol: String,
    /// Size limit of the pack in tokens of GCF, such as 8000 or 8k
    #[arg(long, value_name = "TOKENS", default_value_t = Task::DEFAULT_BUDGET as u32, value_parser = budget)]
    pub budget: u32,
    /// Ignore a concept, or all concepts of a layer or seed file; can be repeated
    #[arg(long, value_name = "CONCEPT")]
    pub mute: Vec<String>,
    /// Weights of the ranking: fitted ones, or those of the reference system
    #[arg(long, value_name = "PRESET", default_value_t, value_parser = presets())]
    pub preset: Preset,
    #[command(flatten)]
    pub counterfactuals: CounterfactualArguments,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

/// The explanation and the requested counterfactuals.
#[derive(Serialize)]
struct Explanation {
    #[serde(flatten)]
    why: Why,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    counterfactuals: Vec<Counterfactual>,
}

/// Ranks the task and prints the explanation of the symbol's rank.
///
/// # Errors
/// When the symbol is ambiguous, or the index or the output can't be used.
pub fn run(session: &Session, arguments: &WhyArguments) -> Result<Status, CliError> {
    let text = task::words(session, &arguments.task)?;
    if arguments.symbol.trim().is_empty() {
        return Err(CliError::Usage("the symbol is empty; `knowing query` finds names".to_owned()));
    }
    let (_, ranker) = session.ranker()?;
    let options = task::options(arguments.preset, &arguments.mute);
    let task = Task { options, budget_tokens: arguments.budget as usize, ..Task::from_text(text) };
    let mut checked = task.clone();
    checked.options.muted_concepts.extend(arguments.counterfactuals.without_concept.clone());
    task::check_vocabulary(session, &ranker, &checked)?;
    let symbol = symbol::by_name(session, ranker.reader(), "--symbol", &arguments.symbol)?;
    let Some(symbol) = symbol else { return Ok(Status::NothingFound) };
    let why = ranker.why(&task, &Gcf, &symbol)?;
    let counterfactuals = counterfactuals(&ranker, &task, &symbol, &arguments.counterfactuals)?;
    let mut out = stdout();
    match arguments.format {
        Format::Json => out.write_all(json::line(&Explanation { why, counterfactuals }).as_bytes())?,
        Format::Text => {
            write(&mut out, session.colors.stdout, &why)?;
            counterfactual::write(&mut out, session.colors.stdout, &counterfactuals)?;
        }
    }
    out.flush()?;
    Ok(Status::Success)
}

fn write(out: &mut impl Write, colored: bool, why: &Why) -> Result<(), CliError> {
    let bold = |text: &str| styled(colored, BOLD, &safe(text));
    writeln!(out, "{}  {} {}:{}", bold(&why.symbol), why.kind, safe(&why.file), why.line)?;
    let missing = if why.missing.is_empty() { "" } else { "; missing:" };
    let preset = if why.preset == Preset::Default { "" } else { " · reference preset" };
    writeln!(out, "{}{preset}{missing}", rank_line(why))?;
    for missing in &why.missing {
        writeln!(out, "  - {}", safe(missing))?;
    }
    // The reference preset has no weights by intent.
    if why.preset == Preset::Default
        && let Some(intent) = why.intent
    {
        writeln!(out, "{}", intent_line(intent))?;
    }
    writeln!(out)?;
    terms(why).write(out, colored)?;
    writeln!(out)?;
    channels(why).write(out, colored)?;
    if !why.concepts.is_empty() {
        writeln!(out)?;
        concepts(why).write(out, colored)?;
    }
    writeln!(out)?;
    write_feedback(out, colored, why)?;
    write_walk(out, colored, why)?;
    match &why.rank {
        Some(rank) => write_score(out, colored, rank),
        None => Ok(()),
    }
}

/// The smallest contribution that is not shown as 0.
const MIN_SHOWN: f64 = 0.000_05;

/// Writes the score as a sum of its components, largest first. Of those that contribute nothing only the names are listed.
fn write_score(out: &mut impl Write, colored: bool, rank: &RankedScore) -> Result<(), CliError> {
    let right = |heading| (heading, Align::Right);
    let mut table = Table::new(&[("component", Align::Left), right("weight"), right("value"), right("contribution")]);
    let (unused, mut used): (Vec<&Component>, Vec<&Component>) =
        rank.components.iter().partition(|component| component.contribution.abs() < MIN_SHOWN);
    used.sort_by(|one, two| two.contribution.abs().total_cmp(&one.contribution.abs()));
    for component in used {
        // Adding zero turns negative zero into zero.
        let [weight, value] = [component.weight, component.value].map(|number| format!("{:.4}", number + 0.0));
        table.row([component.name, &weight, &value, &format!("{:+.4}", component.contribution + 0.0)]);
    }
    table.row(["score", "", "", &format!("{:+.4}", rank.score)]);
    writeln!(out)?;
    table.write(out, colored)?;
    if !unused.is_empty() {
        let names: Vec<&str> = unused.iter().map(|component| component.name).collect();
        writeln!(out, "no contribution: {}", names.join(", "))?;
    }
    Ok(())
}

/// Returns a line on the intent of the task, on which the weights depend.
fn intent_line(intent: Intent) -> &'static str {
    match intent {
        Intent::Explore => "task read as a question (explore)",
        Intent::Locate => "task read as a commit message (locate)",
    }
}

/// Returns the symbol's rank before and after packing.
fn rank_line(why: &Why) -> String {
    let Some(rank) = &why.rank else { return "not ranked".to_owned() };
    let ranked = format!("rank {} of {}, found by {}", rank.rank, rank.of, rank.provenance);
    match &why.pack {
        PackStatus::Packed { rank: position, of, tokens, budget_tokens } => {
            let budget = thousands(*budget_tokens);
            format!("{ranked} · packed {position} of {of} · {tokens} of {budget} tokens")
        }
        PackStatus::Omitted { budget_tokens, .. } => {
            format!("{ranked} · not in the pack of {} tokens", thousands(*budget_tokens))
        }
        PackStatus::NotOffered => format!("{ranked} · not in the pack"),
    }
}

fn terms(why: &Why) -> Table {
    let mut table = Table::new(&[
        ("term", Align::Left),
        ("weight", Align::Right),
        ("symbols", Align::Right),
        ("found in", Align::Left),
    ]);
    for term in &why.terms {
        let symbols = if term.symbols == 0 { "-".to_owned() } else { thousands(term.symbols) };
        table.row([&term.term, &format!("{:.2}", term.weight), &symbols, &term.found_in.join(", ")]);
    }
    table
}

fn channels(why: &Why) -> Table {
    let right = |heading| (heading, Align::Right);
    let mut table =
        Table::new(&[("channel", Align::Left), right("weight"), right("rank"), right("score"), right("fusion")]);
    for channel in &why.channels {
        let [rank, score] = cells(channel.found.as_ref());
        let fusion = channel.found.map_or(String::new(), |_| format!("{:.4}", channel.fusion));
        table.row([channel.channel, &format!("{:.2}", channel.weight), &rank, &score, &fusion]);
    }
    let [rank, score] = cells(why.fused.as_ref());
    table.row(["fused", "", &rank, "", &score]);
    let [rank, score] = cells(why.seed.as_ref());
    table.row(["seed", "", &rank, &score, ""]);
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

/// Writes the votes, use and learned terms that apply to the symbol.
fn write_feedback(out: &mut impl Write, colored: bool, why: &Why) -> Result<(), CliError> {
    let label = styled(colored, BOLD, "feedback");
    if let Some(applied) = &why.feedback {
        let SymbolFeedback { feedback, learned, session, .. } = applied;
        writeln!(out, "{label}  votes {feedback:+.4}, learned terms {learned:.4}, session {session:.4}")?;
        for source in &applied.sources {
            let vote = if source.useful { "useful" } else { "not useful" };
            let (kind, task) = (source.kind.name(), safe(&source.task));
            writeln!(out, "  {kind}, entry {}: {vote} for \"{task}\", overlap {:.2}", source.event, source.overlap)?;
        }
        for learned_term in &applied.terms {
            let (term, count) = (safe(&learned_term.keyword), learned_term.observations);
            writeln!(out, "  term {term}: {count} observations, weight {:.2}", learned_term.weight)?;
        }
    }
    if why.expired > 0 {
        writeln!(out, "{label}  {} votes and terms expired: their files have changed", why.expired)?;
    }
    Ok(())
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
            let hops = if walk.hops == 1 { "1 hop".to_owned() } else { format!("{} hops", walk.hops) };
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
