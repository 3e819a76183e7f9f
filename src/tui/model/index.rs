//! The state of the repository's index.

/// The state of the repository's index.
#[derive(Debug, Clone, PartialEq)]
pub enum IndexState {
    /// The status is not known yet.
    Opening,
    /// The first index is being built; nothing can be ranked.
    Building(Phases),
    /// There is an index, and it is being updated.
    Updating(Phases),
    Ready,
    /// There is no usable index, for this reason.
    Failed(String),
}

/// The phases of indexing that have started, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Phases {
    pub seen: Vec<Phase>,
}

/// The progress of a phase.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phase {
    pub name: &'static str,
    pub done: usize,
    /// 0 when unknown.
    pub total: usize,
}

impl Phases {
    /// Updates the progress of a phase.
    pub fn update(&mut self, name: &'static str, done: usize, total: usize) {
        match self.seen.iter_mut().find(|phase| phase.name == name) {
            Some(phase) => {
                phase.done = done;
                phase.total = total;
            }
            None => self.seen.push(Phase { name, done, total }),
        }
    }
}
