//! What the user says of symbols and classes, and how to take it back.

use std::collections::HashMap;

use crate::engine::Vote;
use crate::model::{Symbol, SymbolId};

use super::pack::PackList;
use super::task::TaskEntry;

/// Whether a symbol must be in the pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stance {
    Free,
    Pinned,
    Dropped,
}

/// One thing that was done and can be undone.
#[derive(Debug, Clone, PartialEq)]
pub enum Deed {
    Vote { task: String, symbol: Symbol, before: Vote, after: Vote },
    Stance { symbol: Symbol, before: Stance, after: Stance },
    Mute { concept: String, muted: bool },
}

impl Deed {
    /// What takes it back.
    pub fn inverse(self) -> Deed {
        match self {
            Deed::Vote { task, symbol, before, after } => Deed::Vote { task, symbol, before: after, after: before },
            Deed::Stance { symbol, before, after } => Deed::Stance { symbol, before: after, after: before },
            Deed::Mute { concept, muted } => Deed::Mute { concept, muted: !muted },
        }
    }
}

/// A deed whose effect on the pack is still to be told.
#[derive(Debug, Clone)]
pub struct Cause {
    pub deed: Deed,
    /// Places and scores before it.
    before: HashMap<SymbolId, (usize, f64)>,
    /// The pack before it.
    packed: Vec<SymbolId>,
}

/// What the user says, and how to take it back.
#[derive(Debug, Clone)]
pub struct Judgements {
    /// The votes that stand for the task.
    pub votes: HashMap<SymbolId, Vote>,
    /// The task whose votes were asked for last.
    pub votes_task: String,
    /// Votes on their way to the store: until they are there, what is read from it is old.
    pub writing: usize,
    /// What was done, oldest first, and what was undone of it, last undone last.
    pub done: Vec<Deed>,
    pub undone: Vec<Deed>,
    pub cause: Option<Cause>,
    /// True while opening, editing and copying count as use.
    pub learns: bool,
    /// The task whose answer was told to the learner.
    pub shown_task: String,
}

impl Default for Judgements {
    fn default() -> Judgements {
        Judgements {
            votes: HashMap::new(),
            votes_task: String::new(),
            writing: 0,
            done: Vec::new(),
            undone: Vec::new(),
            cause: None,
            learns: true,
            shown_task: String::new(),
        }
    }
}

impl Judgements {
    /// The vote on a symbol; `Clear` when there is none.
    pub fn vote(&self, id: SymbolId) -> Vote {
        self.votes.get(&id).copied().unwrap_or(Vote::Clear)
    }

    /// One letter for what was said of a symbol: kept, dropped, voted on, or nothing.
    pub fn mark(&self, id: SymbolId, task: &TaskEntry, nothing: &'static str) -> &'static str {
        match (task.stance(id), self.vote(id)) {
            (Stance::Pinned, _) => "*",
            (Stance::Dropped, _) => "x",
            (Stance::Free, Vote::Useful) => "+",
            (Stance::Free, Vote::NotUseful) => "-",
            (Stance::Free, Vote::Clear) => nothing,
        }
    }

    /// Shows a vote.
    pub fn set_vote(&mut self, id: SymbolId, vote: Vote) {
        match vote {
            Vote::Clear => self.votes.remove(&id),
            _ => self.votes.insert(id, vote),
        };
    }
}

impl Cause {
    /// A deed and the list as it is before its effect.
    pub fn new(deed: Deed, pack: &PackList) -> Cause {
        let places = pack.symbols.iter().zip(&pack.ranks);
        Cause {
            deed,
            before: places.map(|(packed, rank)| (packed.symbol.id, (*rank, packed.score))).collect(),
            packed: pack.symbols[..pack.packed].iter().map(|packed| packed.symbol.id).collect(),
        }
    }

    /// Cause and effect in words, given the list as it is now. `arrow` stands between a place before and after.
    pub fn told(&self, pack: &PackList, arrow: &str, dot: &str) -> String {
        let mut words = vec![self.deed_words(pack)];
        match &self.deed {
            Deed::Vote { symbol, .. } => words.extend(self.moved(symbol.id, pack, arrow)),
            Deed::Stance { .. } => words.extend(self.exchanged(pack)),
            Deed::Mute { .. } => words.extend(self.exchanged(pack).into_iter().chain(self.shaken(pack, arrow))),
        }
        words.join(&format!(" {dot} "))
    }

    fn deed_words(&self, pack: &PackList) -> String {
        match &self.deed {
            Deed::Vote { symbol, after, .. } => {
                let change = match (self.before.get(&symbol.id), pack.place_of(symbol.id)) {
                    (Some((_, old)), Some(place)) => format!(" {:+.3}", pack.symbols[place].score - old),
                    _ => String::new(),
                };
                let said = match after {
                    Vote::Useful => "useful",
                    Vote::NotUseful => "not useful",
                    Vote::Clear => "without vote",
                };
                format!("{} {said}{change}", symbol.name)
            }
            Deed::Stance { symbol, after, .. } => {
                let said = match after {
                    Stance::Pinned => "pinned",
                    Stance::Dropped => "dropped",
                    Stance::Free => "free again",
                };
                match pack.place_of(symbol.id) {
                    Some(place) if *after == Stance::Pinned && !pack.is_packed(place) => {
                        format!("{} pinned, but its {} tokens do not fit", symbol.name, pack.symbols[place].tokens)
                    }
                    Some(place) => format!("{} {said} ({} tok)", symbol.name, pack.symbols[place].tokens),
                    None => format!("{} {said}", symbol.name),
                }
            }
            Deed::Mute { concept, muted } => format!("{concept} {}", if *muted { "muted" } else { "heard again" }),
        }
    }

    fn moved(&self, id: SymbolId, pack: &PackList, arrow: &str) -> Option<String> {
        let (old, _) = self.before.get(&id)?;
        let new = pack.ranks[pack.place_of(id)?];
        Some(if *old == new { format!("stays #{new}") } else { format!("#{old} {arrow} #{new}") })
    }

    /// How many packed symbols stand elsewhere now, and the one that moved furthest.
    fn shaken(&self, pack: &PackList, arrow: &str) -> Option<String> {
        let packed = pack.symbols.iter().zip(&pack.ranks).take(pack.packed);
        let moves = packed.filter_map(|(packed, new)| {
            let (old, _) = self.before.get(&packed.symbol.id)?;
            (old != new).then_some((old.abs_diff(*new), *old, *new, &packed.symbol.name))
        });
        let moves: Vec<_> = moves.collect();
        let (_, old, new, name) = moves.iter().max_by_key(|(by, old, ..)| (*by, std::cmp::Reverse(*old)))?;
        Some(format!("{} of the pack move, {name} #{old} {arrow} #{new}", moves.len()))
    }

    /// What the pack gained and lost besides the symbol itself.
    fn exchanged(&self, pack: &PackList) -> Vec<String> {
        let own = match &self.deed {
            Deed::Stance { symbol, .. } => Some(symbol.id),
            _ => None,
        };
        let now: Vec<SymbolId> = pack.symbols[..pack.packed].iter().map(|packed| packed.symbol.id).collect();
        let name = |id: &SymbolId| pack.place_of(*id).map_or("one", |place| pack.symbols[place].symbol.name.as_str());
        let gained: Vec<&str> =
            now.iter().filter(|id| !self.packed.contains(id) && Some(**id) != own).map(name).collect();
        let lost: Vec<&str> =
            self.packed.iter().filter(|id| !now.contains(id) && Some(**id) != own).map(name).collect();
        let mut words = Vec::new();
        if !lost.is_empty() {
            words.push(format!("displaces {}", listed(&lost)));
        }
        if !gained.is_empty() {
            words.push(format!("lets in {}", listed(&gained)));
        }
        if words.is_empty() {
            words.push("the rest of the pack stays".to_owned());
        }
        words
    }
}

/// The first names and how many more.
fn listed(names: &[&str]) -> String {
    const NAMED: usize = 2;
    let first = names[..names.len().min(NAMED)].join(", ");
    if names.len() > NAMED { format!("{first} +{}", names.len() - NAMED) } else { first }
}
