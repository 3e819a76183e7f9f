//! The pins, drops and sent symbols of coding agents.

use super::engine_result;
use crate::engine::{Engine, FeedbackRecorder};
use crate::exchange::{Exchange, ExchangeError, SentPack, SteeredSymbol, Steering, SteeringEntry, SteeringScope};
use crate::model::{Symbol, SymbolId};
use crate::tui::backend::{AgentAnswer, Answer};
use crate::tui::effect::AgentJob;
use crate::tui::model::feedback::PinState;

/// Carries out a job.
pub fn carry_out(engine: &Engine, recorder: &FeedbackRecorder, job: &AgentJob) -> Answer<AgentAnswer> {
    let exchange = Exchange::for_engine(engine);
    match job {
        AgentJob::Steer { task, symbol, state } => {
            let cluster = engine_result(recorder.cluster(task))?;
            if cluster.words().is_empty() {
                return Ok(AgentAnswer::Steered(false));
            }
            let branch = engine.branch();
            let applies = |entry: &SteeringEntry| {
                let effect = Steering { entries: vec![entry.clone()] }.for_task(Some(&cluster), branch.as_deref());
                !effect.is_empty()
            };
            let scope = SteeringScope::Task { keywords: cluster.words().to_vec() };
            steer(&exchange, scope, task, symbol, *state, applies).map_err(|error| error.to_string())?;
            Ok(AgentAnswer::Steered(true))
        }
        AgentJob::SteerBranch { task, pinned, dropped } => {
            let branch = engine.branch().ok_or("there is no branch: the folder is not a git repository")?;
            let cluster = engine_result(recorder.cluster(task))?;
            let of_task = SteeringScope::Task { keywords: cluster.words().to_vec() };
            move_to_branch(&exchange, branch, of_task, task, [pinned, dropped]).map_err(|error| error.to_string())
        }
        AgentJob::Steering { task } => {
            let cluster = engine_result(recorder.cluster(task))?;
            let steering = exchange.steering().map_err(|error| error.to_string())?;
            let effect = steering.for_task(Some(&cluster), engine.branch().as_deref());
            let [pinned, dropped] =
                [effect.pinned, effect.dropped].map(|list| list.iter().map(|symbol| symbol.id).collect());
            Ok(AgentAnswer::Steering { pinned, dropped })
        }
        AgentJob::Send { task, symbols } => {
            let sent = SentPack::new(task, "", symbols.iter().map(SteeredSymbol::new).collect());
            exchange.send(sent).map(|()| AgentAnswer::Sent).map_err(|error| error.to_string())
        }
        AgentJob::TakeBack { symbols } => take_back(&exchange, symbols).map_err(|error| error.to_string()),
    }
}

/// Pins or drops a symbol for a task. Otherwise removes it from every entry that applies to the task.
fn steer(
    exchange: &Exchange,
    scope: SteeringScope,
    task: &str,
    symbol: &Symbol,
    state: PinState,
    applies: impl Fn(&SteeringEntry) -> bool,
) -> Result<(), ExchangeError> {
    let is_other = |other: &SteeredSymbol| other.id != symbol.id;
    let change = |steering: &mut Steering| {
        if state == PinState::Neither {
            for mut entry in steering.entries.clone().into_iter().filter(applies) {
                entry.pinned.retain(is_other);
                entry.dropped.retain(is_other);
                steering.set(entry);
            }
            return;
        }
        let [mut pinned, mut dropped] = steering.lists(&scope);
        pinned.retain(is_other);
        dropped.retain(is_other);
        let list = if state == PinState::Pinned { &mut pinned } else { &mut dropped };
        list.push(SteeredSymbol::new(symbol));
        steering.set(SteeringEntry::new(scope, task, pinned, dropped));
    };
    exchange.update_steering(change).map(drop)
}

/// Moves pins and drops from a task to the branch; if the branch has them all, moves them back.
fn move_to_branch(
    exchange: &Exchange,
    branch: String,
    of_task: SteeringScope,
    task: &str,
    moved: [&Vec<Symbol>; 2],
) -> Result<AgentAnswer, ExchangeError> {
    let of_branch = SteeringScope::Branch { name: branch.clone() };
    let has = |list: &[SteeredSymbol], id: SymbolId| list.iter().any(|symbol| symbol.id == id);
    let is_moved = |id: SymbolId| moved.iter().any(|list| list.iter().any(|symbol| symbol.id == id));
    let change = |steering: &mut Steering| {
        let present = steering.lists(&of_branch);
        let is_on_branch =
            moved.iter().zip(&present).all(|(moved, list)| moved.iter().all(|symbol| has(list, symbol.id)));
        let (from, to) = if is_on_branch { (of_branch, of_task) } else { (of_task, of_branch) };
        let without = |scope: &SteeringScope| {
            let is_kept = |symbol: &SteeredSymbol| !is_moved(symbol.id);
            steering.lists(scope).map(|list| list.into_iter().filter(is_kept).collect::<Vec<_>>())
        };
        let [mut pinned, mut dropped] = without(&to);
        pinned.extend(moved[0].iter().map(SteeredSymbol::new));
        dropped.extend(moved[1].iter().map(SteeredSymbol::new));
        let [left_pinned, left_dropped] = without(&from);
        steering.set(SteeringEntry::new(to, task, pinned, dropped));
        steering.set(SteeringEntry::new(from, task, left_pinned, left_dropped));
        is_on_branch
    };
    let (_, is_on_branch) = exchange.update_steering(change)?;
    Ok(if is_on_branch { AgentAnswer::OnTask } else { AgentAnswer::OnBranch(branch) })
}

/// Takes back these symbols. Another pack that was sent since stays.
fn take_back(exchange: &Exchange, symbols: &[Symbol]) -> Result<AgentAnswer, ExchangeError> {
    let is_own = |sent: &SentPack| sent.symbols.iter().map(|symbol| symbol.id).eq(symbols.iter().map(|own| own.id));
    Ok(AgentAnswer::TakenBack(exchange.take_sent_if(is_own)?.is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    fn names(list: &[SteeredSymbol]) -> Vec<&str> {
        list.iter().map(|symbol| symbol.name.rsplit('.').next().unwrap_or_default()).collect()
    }

    #[test]
    fn pins_are_removed_from_every_entry_that_applies() {
        let root = tempfile::tempdir().unwrap();
        let exchange = Exchange::beside(&root.path().join("graph.db"));
        let scope = |word: &str| SteeringScope::Task { keywords: vec![word.to_owned()] };
        let symbols: Vec<Symbol> = fixture::pack().symbols.into_iter().map(|packed| packed.symbol).collect();
        let all = |_: &SteeringEntry| true;
        steer(&exchange, scope("a"), "a", &symbols[0], PinState::Pinned, all).unwrap();
        steer(&exchange, scope("a"), "a", &symbols[1], PinState::Pinned, all).unwrap();
        steer(&exchange, scope("a"), "a", &symbols[1], PinState::Dropped, all).unwrap();
        steer(&exchange, scope("b"), "b", &symbols[0], PinState::Dropped, all).unwrap();
        let [pinned, dropped] = exchange.steering().unwrap().lists(&scope("a"));
        assert_eq!((names(&pinned), names(&dropped)), (vec!["open_session"], vec!["save_session"]));
        steer(&exchange, scope("a"), "a", &symbols[0], PinState::Neither, all).unwrap();
        let steering = exchange.steering().unwrap();
        assert_eq!(steering.entries.len(), 1, "an entry without symbols is removed");
        assert_eq!(names(&steering.entries[0].dropped), ["save_session"]);
    }

    #[test]
    fn pins_move_to_the_branch_and_back() {
        let root = tempfile::tempdir().unwrap();
        let exchange = Exchange::beside(&root.path().join("graph.db"));
        let of_task = SteeringScope::Task { keywords: vec!["a".to_owned()] };
        let of_branch = SteeringScope::Branch { name: "main".to_owned() };
        let symbols: Vec<Symbol> = fixture::pack().symbols.into_iter().map(|packed| packed.symbol).take(2).collect();
        let none = Vec::new();
        let moves = || move_to_branch(&exchange, "main".to_owned(), of_task.clone(), "a", [&symbols, &none]);
        assert_eq!(moves().unwrap(), AgentAnswer::OnBranch("main".to_owned()));
        assert_eq!(exchange.steering().unwrap().lists(&of_branch)[0].len(), 2);
        assert_eq!(moves().unwrap(), AgentAnswer::OnTask);
        let steering = exchange.steering().unwrap();
        assert_eq!((steering.entries.len(), steering.lists(&of_task)[0].len()), (1, 2));
    }

    #[test]
    fn more_pins_than_a_branch_can_have_are_not_moved() {
        let root = tempfile::tempdir().unwrap();
        let exchange = Exchange::beside(&root.path().join("graph.db"));
        let of_task = SteeringScope::Task { keywords: vec!["a".to_owned()] };
        let symbol = fixture::pack().symbols.remove(0).symbol;
        let symbols: Vec<Symbol> = (0..60).map(|byte| Symbol { id: SymbolId([byte; 16]), ..symbol.clone() }).collect();
        let (first, second) = symbols.split_at(40);
        for moved in [first, second] {
            let pinned = moved.iter().map(SteeredSymbol::new).collect();
            exchange.steer(SteeringEntry::new(of_task.clone(), "a", pinned, Vec::new())).unwrap();
            let before = exchange.steering().unwrap();
            let lists = [&moved.to_vec(), &Vec::new()];
            match move_to_branch(&exchange, "main".to_owned(), of_task.clone(), "a", lists) {
                Ok(answer) => assert_eq!((answer, moved.len()), (AgentAnswer::OnBranch("main".to_owned()), 40)),
                Err(error) => {
                    assert!(matches!(error, ExchangeError::TooMany { .. }), "{error}");
                    assert_eq!((exchange.steering().unwrap(), moved.len()), (before, 20), "none is lost");
                }
            }
        }
    }

    #[test]
    fn pins_made_at_once_are_all_kept() {
        let root = tempfile::tempdir().unwrap();
        let exchange = Exchange::beside(&root.path().join("graph.db"));
        let scope = SteeringScope::Task { keywords: vec!["a".to_owned()] };
        let symbol = fixture::pack().symbols.remove(0).symbol;
        std::thread::scope(|threads| {
            for byte in 0..8 {
                let symbol = Symbol { id: SymbolId([byte; 16]), ..symbol.clone() };
                let (exchange, scope) = (&exchange, scope.clone());
                threads.spawn(move || steer(exchange, scope, "a", &symbol, PinState::Pinned, |_| true).unwrap());
            }
        });
        assert_eq!(exchange.steering().unwrap().lists(&scope)[0].len(), 8);
    }

    #[test]
    fn only_the_own_waiting_pack_is_taken_back() {
        let root = tempfile::tempdir().unwrap();
        let exchange = Exchange::beside(&root.path().join("graph.db"));
        let symbols: Vec<Symbol> = fixture::pack().symbols.into_iter().map(|packed| packed.symbol).collect();
        let send = |symbols: &[Symbol]| {
            exchange.send(SentPack::new("", "", symbols.iter().map(SteeredSymbol::new).collect())).unwrap();
        };
        send(&symbols[..2]);
        assert_eq!(take_back(&exchange, &symbols[..1]).unwrap(), AgentAnswer::TakenBack(false));
        assert_eq!(take_back(&exchange, &symbols[..2]).unwrap(), AgentAnswer::TakenBack(true));
        assert_eq!(take_back(&exchange, &symbols[..2]).unwrap(), AgentAnswer::TakenBack(false));
    }
}
