//! What `knowing why` says of how it would be otherwise.

use std::io::Write;

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::exit::CliError;
use super::output::{Align, BOLD, Table, styled};
use crate::engine::{Change, Move, Ranker};
use crate::model::{Symbol, Task};

/// How many places at the top of a ranking are compared.
const TOP: usize = 10;

/// Questions of what would be otherwise.
#[derive(Debug, Args)]
pub struct OtherwiseArguments {
    /// Also show what the ranking would be without a class: its concept, or a layer or seed file for all of its classes
    #[arg(long, value_name = "CLASS")]
    pub without_class: Option<String>,
    /// Also show what one vote on the symbol would move
    #[arg(long, value_enum, value_name = "VOTE")]
    pub with_vote: Option<SupposedVote>,
}

/// A vote that is supposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SupposedVote {
    /// The symbol was useful
    Useful,
    /// It was not
    NotUseful,
}

/// What would be otherwise.
#[derive(Serialize)]
pub struct Otherwise {
    change: String,
    /// The symbol's places in the ranking, from 1.
    before: Option<usize>,
    after: Option<usize>,
    /// The symbols of the first ten, before or after, that stand elsewhere.
    moves: Vec<Move>,
}

/// Answers the questions that were asked.
///
/// # Errors
/// When the store can't be read.
pub fn otherwise(
    ranker: &Ranker,
    task: &Task,
    symbol: &Symbol,
    arguments: &OtherwiseArguments,
) -> Result<Vec<Otherwise>, CliError> {
    let without = arguments.without_class.iter();
    let without = without.map(|name| (format!("without {name}"), Change::WithoutClass(name.clone())));
    let vote = arguments.with_vote.iter().map(|vote| {
        let useful = *vote == SupposedVote::Useful;
        let words = if useful { "with a vote for it" } else { "with a vote against it" };
        (words.to_owned(), Change::Vote { symbol: symbol.id, useful })
    });
    let mut found = Vec::new();
    for (words, change) in without.chain(vote) {
        let before = ranker.rank(task, &|| false)?.unwrap_or_default();
        let after = ranker.supposing(task, &change, &|| false)?.unwrap_or_default();
        let [place_before, place_after] = [&before, &after]
            .map(|ranking| ranking.symbols.iter().position(|ranked| ranked.node == symbol.node).map(|index| index + 1));
        let moves = ranker.moves(&before, &after, TOP)?;
        found.push(Otherwise { change: words, before: place_before, after: place_after, moves });
    }
    Ok(found)
}

/// Writes the answers.
///
/// # Errors
/// When `out` can't be written.
pub fn write(out: &mut impl Write, colored: bool, all: &[Otherwise]) -> Result<(), CliError> {
    for Otherwise { change, before, after, moves } in all {
        let [before, after] = [before, after].map(|place| shown(*place));
        writeln!(out, "\n{}  {before} -> {after}", styled(colored, BOLD, &crate::text::display::safe(change)))?;
        let right = |heading| (heading, Align::Right);
        let mut table = Table::new(&[("moves", Align::Left), right("before"), right("after"), right("score")]);
        for Move { symbol, before, after, score_before, score_after, .. } in moves {
            let [before, after] = [before, after].map(|place| shown(*place));
            table.row([symbol, &before, &after, &format!("{:+.4}", score_after - score_before)]);
        }
        if moves.is_empty() {
            writeln!(out, "nothing among the first {TOP} moves")?;
        } else {
            table.write(out, colored)?;
        }
    }
    Ok(())
}

fn shown(place: Option<usize>) -> String {
    place.map_or("-".to_owned(), |place| format!("#{place}"))
}
