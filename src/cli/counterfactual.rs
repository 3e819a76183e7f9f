//! Counterfactuals of `knowing why`: the ranking without a concept, or with one more vote.

use std::io::Write;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::exit::CliError;
use super::output::{Align, BOLD, Table, styled};
use crate::engine::{Change, Move};
use crate::model::{Symbol, Task};
use crate::text::display::signed;
use crate::workspace::{self, Workspace};

/// Number of ranks that are compared.
const TOP: usize = 10;

/// Counterfactuals to compute.
#[derive(Debug, Args)]
pub struct CounterfactualArguments {
    /// Also show the ranking without a concept, or without all concepts of a layer or seed file
    #[arg(long, value_name = "CONCEPT", alias = "without-class")]
    pub without_concept: Option<String>,
    /// Also show the ranking with one more vote on the symbol
    #[arg(long, value_enum, value_name = "VOTE")]
    pub with_vote: Option<HypotheticalVote>,
}

/// A vote that is not recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum HypotheticalVote {
    /// The symbol is useful
    Useful,
    /// The symbol is not useful
    NotUseful,
}

/// The effect of one change on the ranking.
#[derive(Serialize)]
pub struct Counterfactual {
    change: String,
    /// Ranks of the symbol, from 1.
    before: Option<usize>,
    after: Option<usize>,
    /// Symbols of the first ten, before or after, whose rank changes.
    moves: Vec<Move>,
}

/// Computes the requested counterfactuals.
///
/// # Errors
/// When the store can't be read.
pub fn counterfactuals(
    workspace: &mut Workspace,
    task: &Task,
    symbol: &Symbol,
    arguments: &CounterfactualArguments,
) -> Result<Vec<Counterfactual>, CliError> {
    let without = arguments.without_concept.iter();
    let without = without.map(|name| (format!("without {name}"), Change::WithoutConcept(name.clone())));
    let vote = arguments.with_vote.iter().map(|vote| {
        let useful = *vote == HypotheticalVote::Useful;
        let label = if useful { "with a useful vote" } else { "with a not-useful vote" };
        (label.to_owned(), Change::Vote { symbol: symbol.id, useful })
    });
    let mut counterfactuals = Vec::new();
    for (label, change) in without.chain(vote) {
        let workspace::Counterfactual { before, after, moves } =
            workspace.counterfactual(task, &change, symbol, TOP)?;
        counterfactuals.push(Counterfactual { change: label, before, after, moves });
    }
    Ok(counterfactuals)
}

/// Writes each counterfactual as a heading and a table.
///
/// # Errors
/// When `out` can't be written.
pub fn write(out: &mut impl Write, colored: bool, counterfactuals: &[Counterfactual]) -> Result<(), CliError> {
    for Counterfactual { change, before, after, moves } in counterfactuals {
        let [before, after] = [before, after].map(|rank| shown(*rank));
        writeln!(out, "\n{}  {before} -> {after}", styled(colored, BOLD, &crate::text::display::safe(change)))?;
        let right = |heading| (heading, Align::Right);
        let mut table = Table::new(&[("moves", Align::Left), right("before"), right("after"), right("score")]);
        for Move { symbol, before, after, score_before, score_after, .. } in moves {
            let [before, after] = [before, after].map(|rank| shown(*rank));
            table.row([symbol, &before, &after, &signed(score_after - score_before, 4)]);
        }
        if moves.is_empty() {
            writeln!(out, "no change among the first {TOP}")?;
        } else {
            table.write(out, colored)?;
        }
    }
    Ok(())
}

fn shown(rank: Option<usize>) -> String {
    rank.map_or("-".to_owned(), |rank| format!("#{rank}"))
}
