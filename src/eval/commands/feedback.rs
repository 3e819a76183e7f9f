//! `knowing-eval --learn`: simulates rounds of votes and prints their effect.

use std::io::Write;

use crate::render::json;
use crate::{Job, Matcher, Round, Simulation, simulate, weighted_mean};
use knowing::cli::Format;
use knowing::cli::exit::{CliError, Status};
use knowing::cli::output::{Align, Table, stdout};
use knowing::cli::session::Session;

/// Runs the simulation under both rules and prints it.
///
/// # Errors
/// When a repository has no usable index, or standard output can't be written.
pub fn run(session: &Session, jobs: &[Job], rounds: usize, format: Format) -> Result<Status, CliError> {
    let mut all = Vec::new();
    for rule in Matcher::ALL {
        all.push((rule, simulate(jobs, rounds, rule)?));
    }
    let mut out = stdout();
    match format {
        Format::Json => {
            let simulations = all.iter().flat_map(|(_, simulations)| simulations);
            out.write_all(json::list(simulations).as_bytes())?;
        }
        Format::Text => {
            for (rule, simulations) in &all {
                write_table(*rule, simulations, rounds, &mut out, session.colors.stdout)?;
                writeln!(out)?;
            }
        }
    }
    out.flush()?;
    Ok(Status::for_count(jobs.len()))
}

/// Writes one rule's table: held-out tasks by round, voted tasks before and after, and all tasks with the votes of the
/// other repositories.
fn write_table(
    rule: Matcher,
    simulations: &[Simulation],
    rounds: usize,
    out: &mut impl Write,
    colored: bool,
) -> Result<(), CliError> {
    let right = |heading| (heading, Align::Right);
    let mut headings = vec![(rule.name(), Align::Left), right("tasks"), right("votes")];
    headings.extend(["P@10 held out", "round 1", "last", "R@10 before", "last", "voted before", "last"].map(right));
    headings.push(right("other votes"));
    let mut table = Table::new(&headings);
    let over_all = |metrics: &dyn Fn(&Round) -> crate::Metrics, round: usize| {
        weighted_mean(simulations.iter().map(|simulation| (metrics(&simulation.rounds[round]), simulation.tasks)))
    };
    let mean: Vec<Round> = (0..=rounds)
        .map(|round| Round {
            voted: over_all(&|round| round.voted, round),
            held_out: over_all(&|round| round.held_out, round),
        })
        .collect();
    let all = Simulation {
        repository: "all".to_owned(),
        tasks: simulations.iter().map(|simulation| simulation.tasks).sum(),
        votes: simulations.iter().map(|simulation| simulation.votes).sum(),
        rounds: mean,
        with_other_votes: weighted_mean(
            simulations.iter().map(|simulation| (simulation.with_other_votes, simulation.tasks)),
        ),
        rule,
    };
    for Simulation { repository, tasks, votes, rounds, with_other_votes, .. } in simulations.iter().chain([&all]) {
        let last = &rounds[rounds.len() - 1];
        let [before, first] = [&rounds[0], &rounds[1]].map(|round| format!("{:.3}", round.held_out.p10));
        let shown = [last.held_out.p10, rounds[0].held_out.r10, last.held_out.r10, rounds[0].voted.p10, last.voted.p10];
        let [last, recall, recall_last, voted, voted_last] = shown.map(|value| format!("{value:.3}"));
        let other_votes = format!("{:.3}", with_other_votes.p10);
        let (tasks, votes) = (tasks.to_string(), votes.to_string());
        table.row([
            repository,
            &tasks,
            &votes,
            &before,
            &first,
            &last,
            &recall,
            &recall_last,
            &voted,
            &voted_last,
            &other_votes,
        ]);
    }
    table.write(out, colored)?;
    for (number, round) in all.rounds.iter().enumerate() {
        let (held_out, voted) = (round.held_out.p10, round.voted.p10);
        writeln!(out, "round {number}: P@10 held out {held_out:.3}, voted {voted:.3}")?;
    }
    Ok(())
}
