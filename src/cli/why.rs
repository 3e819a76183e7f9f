//! `knowing why`: the trace of one symbol.

use std::io::Write;

use clap::Args;
use serde::Serialize;

use super::Format;
use super::exit::{CliError, Status};
use super::otherwise::{self, Otherwise, OtherwiseArguments};
use super::output::{Align, BOLD, Table, grouped, stdout, styled};
use super::preset::presets;
use super::session::Session;
use super::{symbol, task};
use crate::engine::{Lesson, PackPlace, PathStep, Place, RankPlace, Why};
use crate::model::{Preset, Task, TaskKind};
use crate::render::gcf::Gcf;
use crate::render::json;
use crate::text::display::safe;

/// Explain a symbol's place in the pack of a task, or why it is not there
///
/// Shows the task's terms and which of them the symbol has, what each channel found, the walk with its best path, hub and
/// authority, every component of the score as weight × value = contribution, and the place before and after packing.
///
/// For example: knowing why --task "sessions expire too early" --symbol Session.is_expired
#[derive(Debug, Args)]
pub struct WhyArguments {
    /// The task, in plain words; `-` reads it from standard input
    #[arg(long, value_name = "TASK")]
    pub task: String,
    /// The symbol, by its name or the end of it: route, Flask.route, src/flask/app.py.Flask.route
    #[arg(long, value_name = "SYMBOL")]
    pub symbol: String,
    /// Most tokens that the pack may have, written as GCF
    #[arg(long, value_name = "TOKENS", default_value_t = Task::DEFAULT_BUDGET as u32,
          value_parser = clap::value_parser!(u32).range(1..))]
    pub budget: u32,
    /// Rank without a class: its concept, or a layer or seed file for all of its classes; may be given several times
    #[arg(long, value_name = "CLASS")]
    pub mute: Vec<String>,
    /// By which numbers symbols are ranked: the best that were found, or those of the earlier system's documents
    #[arg(long, value_name = "PRESET", default_value_t, value_parser = presets())]
    pub preset: Preset,
    #[command(flatten)]
    pub otherwise: OtherwiseArguments,
    /// How the result is printed
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

/// The trace, and what was asked of how it would be otherwise.
#[derive(Serialize)]
struct Explanation {
    #[serde(flatten)]
    why: Why,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    otherwise: Vec<Otherwise>,
}

pub fn run(session: &Session, arguments: &WhyArguments) -> Result<Status, CliError> {
    let text = task::words(session, &arguments.task)?;
    if arguments.symbol.trim().is_empty() {
        return Err(CliError::Usage("the symbol is empty; `knowing query` finds names".to_owned()));
    }
    let (_, ranker) = session.ranker()?;
    task::note_vocabulary(session, ranker.vocabulary(), &arguments.mute);
    let named = symbol::named(session, ranker.reader(), "--symbol", &arguments.symbol)?;
    let Some(symbol) = named else { return Ok(Status::NothingFound) };
    let options = task::options(arguments.preset, &arguments.mute);
    let task = Task { options, budget_tokens: arguments.budget as usize, ..Task::words(text) };
    let why = ranker.why(&task, &Gcf, &symbol)?;
    let otherwise = otherwise::otherwise(&ranker, &task, &symbol, &arguments.otherwise)?;
    let mut out = stdout();
    match arguments.format {
        Format::Json => out.write_all(json::line(&Explanation { why, otherwise }).as_bytes())?,
        Format::Text => {
            write(&mut out, session.colors.stdout, &why)?;
            otherwise::write(&mut out, session.colors.stdout, &otherwise)?;
        }
    }
    out.flush()?;
    Ok(Status::Success)
}

fn write(out: &mut impl Write, colored: bool, why: &Why) -> Result<(), CliError> {
    let bold = |text: &str| styled(colored, BOLD, &safe(text));
    writeln!(out, "{}  {} {}:{}", bold(&why.symbol), why.kind, safe(&why.file), why.line)?;
    let lacking = if why.missing.is_empty() { "" } else { "; what it lacks:" };
    let preset = if why.preset == Preset::Default { "" } else { " by the reference preset" };
    writeln!(out, "{}{preset}{lacking}", standing(why))?;
    for missing in &why.missing {
        writeln!(out, "  - {}", safe(missing))?;
    }
    // Only these weights tell the kinds apart.
    if why.preset == Preset::Default
        && let Some(kind) = why.kind_of_task
    {
        writeln!(out, "{}", read_as(kind))?;
    }
    writeln!(out)?;
    terms(why).write(out, colored)?;
    writeln!(out)?;
    channels(why).write(out, colored)?;
    if !why.classes.is_empty() {
        writeln!(out)?;
        classes(why).write(out, colored)?;
    }
    writeln!(out)?;
    write_taught(out, colored, why)?;
    write_walk(out, colored, why)?;
    match &why.rank {
        Some(rank) => write_score(out, colored, rank),
        None => Ok(()),
    }
}

/// The score as a sum. Components that the weights leave out are only named.
fn write_score(out: &mut impl Write, colored: bool, rank: &RankPlace) -> Result<(), CliError> {
    let right = |heading| (heading, Align::Right);
    let mut table = Table::new(&[("component", Align::Left), right("weight"), right("value"), right("contribution")]);
    let (idle, counted): (Vec<_>, Vec<_>) = rank.components.iter().partition(|component| component.weight == 0.0);
    for component in counted {
        // Zeros come with either sign.
        let [weight, value] = [component.weight, component.value].map(|number| format!("{:.4}", number + 0.0));
        table.row([component.name, &weight, &value, &format!("{:+.4}", component.contribution + 0.0)]);
    }
    table.row(["score", "", "", &format!("{:+.4}", rank.score)]);
    writeln!(out)?;
    table.write(out, colored)?;
    if !idle.is_empty() {
        let names: Vec<&str> = idle.iter().map(|component| component.name).collect();
        writeln!(out, "without weight: {}", names.join(", "))?;
    }
    Ok(())
}

/// What the form of the task made of it: another kind is weighed otherwise.
fn read_as(kind: TaskKind) -> &'static str {
    match kind {
        TaskKind::Orientation => "task read as orientation: a question, or a request at length",
        TaskKind::Localization => "task read as localization: written like the message of a change",
    }
}

/// Where the symbol stands before and after packing.
fn standing(why: &Why) -> String {
    let Some(rank) = &why.rank else { return "not ranked".to_owned() };
    let ranked = format!("ranked {} of {}, by {}", rank.place, rank.of, rank.provenance);
    match &why.pack {
        PackPlace::Packed { place, of, tokens, budget_tokens } => {
            let budget = grouped(*budget_tokens as u64);
            format!("{ranked}; {place} of {of} in the pack of {budget} tokens, of which it takes {tokens}")
        }
        PackPlace::Omitted { budget_tokens, .. } => {
            format!("{ranked}; not in the pack of {} tokens", grouped(*budget_tokens as u64))
        }
        PackPlace::NotOffered => format!("{ranked}; not in the pack"),
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
        let symbols = if term.symbols == 0 { "-".to_owned() } else { grouped(term.symbols as u64) };
        table.row([&term.term, &format!("{:.2}", term.weight), &symbols, &term.found_in.join(", ")]);
    }
    table
}

fn channels(why: &Why) -> Table {
    let right = |heading| (heading, Align::Right);
    let mut table =
        Table::new(&[("channel", Align::Left), right("weight"), right("place"), right("score"), right("fusion")]);
    for channel in &why.channels {
        let [place, score] = shown(channel.found.as_ref());
        let fusion = channel.found.map_or(String::new(), |_| format!("{:.4}", channel.fusion));
        table.row([channel.channel, &format!("{:.2}", channel.weight), &place, &score, &fusion]);
    }
    let [place, score] = shown(why.fused.as_ref());
    table.row(["fused", "", &place, "", &score]);
    let [place, score] = shown(why.seed.as_ref());
    table.row(["seed", "", &place, &score, ""]);
    table
}

/// The classes that led to the symbol.
fn classes(why: &Why) -> Table {
    let (left, right) = (|heading| (heading, Align::Left), |heading| (heading, Align::Right));
    let mut table = Table::new(&[
        left("class"),
        left("layer"),
        left("phrase"),
        left("target"),
        right("value"),
        right("contribution"),
    ]);
    for class in &why.classes {
        let value = format!("{:.4}", class.value);
        let contribution = format!("{:+.4}", class.contribution + 0.0);
        table.row([&class.concept, class.layer, &class.phrase, &class.target, &value, &contribution]);
    }
    table
}

/// What votes, use and learned words say of the symbol.
fn write_taught(out: &mut impl Write, colored: bool, why: &Why) -> Result<(), CliError> {
    let label = styled(colored, BOLD, "taught");
    if let Some(lesson) = &why.taught {
        let Lesson { feedback, learned, session, .. } = lesson;
        writeln!(out, "{label}  feedback {feedback:+.4}, learned words {learned:.4}, session {session:.4}")?;
        for spoken in &lesson.spoken {
            let useful = if spoken.useful { "useful" } else { "not useful" };
            let (kind, task) = (spoken.kind.name(), safe(&spoken.task));
            writeln!(out, "  {kind} {}: {useful} for \"{task}\", overlap {:.2}", spoken.act, spoken.overlap)?;
        }
        for word in &lesson.words {
            let (keyword, count) = (safe(&word.keyword), word.observations);
            writeln!(out, "  word {keyword}: used {count} times for it, weight {:.2}", word.weight)?;
        }
    }
    if why.expired > 0 {
        writeln!(out, "{label}  {} votes and words do not count: their files have changed since", why.expired)?;
    }
    Ok(())
}

/// A place and its value as cells.
fn shown(place: Option<&Place>) -> [String; 2] {
    match place {
        Some(place) => [format!("{} of {}", place.place, place.of), format!("{:.4}", place.value)],
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

/// `a -calls-> b`, or `a <-calls- b` where the walk went against the edge.
pub fn path_step(step: &PathStep) -> String {
    let (from, to) = (safe(&step.from), safe(&step.to));
    match step.forward {
        true => format!("{from} -{}-> {to}", step.edge_type),
        false => format!("{from} <-{}- {to}", step.edge_type),
    }
}
