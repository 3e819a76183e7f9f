//! `knowing eval --learn`: what marking answers does, round by round.

use std::io::Write;

use crate::cli::Format;
use crate::cli::exit::{CliError, Status};
use crate::cli::output::{Align, Table, stdout};
use crate::cli::session::Session;
use crate::eval::{Job, Matcher, Round, Simulation, simulate, weighted};
use crate::render::json;

/// Simulates and prints.
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
                table(*rule, simulations, rounds, &mut out, session.colors.stdout)?;
                writeln!(out)?;
            }
        }
    }
    out.flush()?;
    Ok(Status::for_count(jobs.len()))
}

/// P@10 of the tasks that were never marked, round by round; of those that were, before and after; and of all tasks with what
/// was taught of the other repositories.
fn table(
    rule: Matcher,
    simulations: &[Simulation],
    rounds: usize,
    out: &mut impl Write,
    colored: bool,
) -> Result<(), CliError> {
    let right = |heading| (heading, Align::Right);
    let mut headings = vec![(rule.name(), Align::Left), right("tasks"), right("votes")];
    headings.extend(["P@10 held out", "round 1", "last", "R@10 before", "last", "marked before", "last"].map(right));
    headings.push(right("taught elsewhere"));
    let mut table = Table::new(&headings);
    let of_all = |of: &dyn Fn(&Round) -> crate::eval::Metrics, round: usize| {
        weighted(simulations.iter().map(|simulation| (of(&simulation.rounds[round]), simulation.tasks)))
    };
    let mean: Vec<Round> = (0..=rounds)
        .map(|round| Round {
            marked: of_all(&|round| round.marked, round),
            held_out: of_all(&|round| round.held_out, round),
        })
        .collect();
    let all = Simulation {
        repository: "all".to_owned(),
        tasks: simulations.iter().map(|simulation| simulation.tasks).sum(),
        votes: simulations.iter().map(|simulation| simulation.votes).sum(),
        rounds: mean,
        elsewhere: weighted(simulations.iter().map(|simulation| (simulation.elsewhere, simulation.tasks))),
        rule,
    };
    for Simulation { repository, tasks, votes, rounds, elsewhere, .. } in simulations.iter().chain([&all]) {
        let last = &rounds[rounds.len() - 1];
        let [before, first] = [&rounds[0], &rounds[1]].map(|round| format!("{:.3}", round.held_out.p10));
        let shown =
            [last.held_out.p10, rounds[0].held_out.r10, last.held_out.r10, rounds[0].marked.p10, last.marked.p10];
        let [last, recall, recall_last, marked, marked_last] = shown.map(|value| format!("{value:.3}"));
        let elsewhere = format!("{:.3}", elsewhere.p10);
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
            &marked,
            &marked_last,
            &elsewhere,
        ]);
    }
    table.write(out, colored)?;
    for (number, round) in all.rounds.iter().enumerate() {
        let (held_out, marked) = (round.held_out.p10, round.marked.p10);
        writeln!(out, "round {number}: P@10 held out {held_out:.3}, marked {marked:.3}")?;
    }
    Ok(())
}
