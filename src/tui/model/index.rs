//! How far the repository's index is.

/// How far the repository's index is.
#[derive(Debug, Clone, PartialEq)]
pub enum IndexState {
    /// Nothing is known yet.
    Opening,
    /// The first index is being built: nothing can be ranked.
    Building(Phases),
    /// There is an index, and it is being brought up to date.
    Updating(Phases),
    Ready,
    /// There is no usable index, for this reason.
    Failed(String),
}

/// The phases of indexing seen so far, in their order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Phases {
    pub seen: Vec<Phase>,
}

/// One phase and how much of it is done; a total of zero is unknown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    pub name: &'static str,
    pub done: usize,
    pub total: usize,
}

impl Phases {
    /// Takes in one more step.
    pub fn note(&mut self, name: &'static str, done: usize, total: usize) {
        match self.seen.iter_mut().find(|phase| phase.name == name) {
            Some(phase) => {
                phase.done = done;
                phase.total = total;
            }
            None => self.seen.push(Phase { name, done, total }),
        }
    }
}
