//! `knowing debug`: prints one stage of a ranking.

use std::io::Write;

use clap::{Args, ValueEnum};

use super::Format;
use super::exit::{CliError, Status};
use super::output::{Align, BOLD, Table, stdout, styled};
use super::preset::presets;
use super::session::Session;
use super::task;
use super::why::path_step;
use crate::engine::{ChannelStage, KeywordStage, WalkStage};
use crate::model::{Intent, Options, Preset, Task};
use crate::render::json;
use crate::text::display::safe;

/// Show a stage of the ranking for a task: keywords, channels or walk
#[derive(Debug, Args)]
pub struct DebugArguments {
    /// The stage
    #[arg(value_enum)]
    pub stage: Stage,
    /// The task, in plain words; `-` reads it from standard input
    #[arg(long, value_name = "TASK", allow_hyphen_values = true)]
    pub task: String,
    /// Number of symbols to show of each list
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub limit: usize,
    /// Weights of the ranking: fitted ones, or those of the reference system
    #[arg(long, value_name = "PRESET", default_value_t, value_parser = presets())]
    pub preset: Preset,
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub format: Format,
}

/// A stage of the ranking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Stage {
    /// Analyzed query: keywords, terms and their weights
    Keywords,
    /// Results of each channel, and their fusion
    Channels,
    /// Random walk from the seeds, hubs and authorities
    Walk,
}

/// Ranks the task and prints the stage.
///
/// # Errors
/// When the task is empty, or the index or the output can't be used.
pub fn run(session: &Session, arguments: &DebugArguments) -> Result<Status, CliError> {
    let options = Options { preset: arguments.preset, ..Options::default() };
    let task = Task { options, ..Task::from_text(task::words(session, &arguments.task)?) };
    let (_, ranker) = session.ranker()?;
    let ranking = ranker.rank(&task, &|| false)?.unwrap_or_default();
    let (colored, is_json) = (session.colors.stdout, arguments.format == Format::Json);
    let mut out = stdout();
    match arguments.stage {
        Stage::Keywords => {
            let stage = KeywordStage::from_ranking(&ranking);
            if is_json { out.write_all(json::line(&stage).as_bytes())? } else { keywords(&mut out, colored, &stage)? }
        }
        Stage::Channels => {
            let stage = ranker.channel_stage(&ranking, arguments.limit)?;
            if is_json { out.write_all(json::line(&stage).as_bytes())? } else { channels(&mut out, colored, &stage)? }
        }
        Stage::Walk => {
            let stage = ranker.walk_stage(&ranking, arguments.limit)?;
            if is_json { out.write_all(json::line(&stage).as_bytes())? } else { walk(&mut out, colored, &stage)? }
        }
    }
    out.flush()?;
    Ok(Status::for_count(ranking.terms.len()))
}

fn keywords(out: &mut impl Write, colored: bool, stage: &KeywordStage) -> Result<(), CliError> {
    let words = &stage.keywords;
    let phrases: Vec<String> = words.phrases.iter().map(|(one, two)| format!("{one} {two}")).collect();
    let mut table = Table::new(&[("keywords", Align::Left), ("", Align::Left)]);
    for (name, list) in [
        ("exact", &words.exact),
        ("compounds", &words.compounds),
        ("components", &words.components),
        ("phrases", &phrases),
        ("path terms", &words.path_terms),
    ] {
        table.row([name, &list.join(", ")]);
    }
    table.row(["about tests", if words.about_tests { "yes" } else { "no" }]);
    table.row(["intent", stage.intent.map_or("-", Intent::name)]);
    table.write(out, colored)?;
    writeln!(out)?;
    let mut table = Table::new(&[("term", Align::Left), ("weight", Align::Right), ("symbols", Align::Right)]);
    for term in &stage.terms {
        table.row([&term.text, &format!("{:.2}", term.weight), &term.symbols.to_string()]);
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
