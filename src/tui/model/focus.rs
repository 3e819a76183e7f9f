//! The panes, in the order of their numbers.

/// Which pane the keys go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Focus {
    Task,
    Pack,
    Source,
    Why,
    Graph,
    Runs,
    Cost,
}

impl Focus {
    /// Every pane, by its number.
    pub const ALL: [Focus; 7] =
        [Focus::Task, Focus::Pack, Focus::Source, Focus::Why, Focus::Graph, Focus::Runs, Focus::Cost];

    /// Its number and name.
    pub fn label(self) -> &'static str {
        match self {
            Focus::Task => "1 task",
            Focus::Pack => "2 pack",
            Focus::Source => "3 source",
            Focus::Why => "4 why",
            Focus::Graph => "5 graph",
            Focus::Runs => "6 runs",
            Focus::Cost => "7 cost",
        }
    }

    /// True for the panes that share one place where there are two columns.
    pub fn is_companion(self) -> bool {
        matches!(self, Focus::Why | Focus::Graph | Focus::Runs | Focus::Cost)
    }

    /// The pane `steps` further on; after the last comes the first.
    pub fn turned(self, steps: isize) -> Focus {
        let place = Focus::ALL.iter().position(|pane| *pane == self).unwrap_or(0) as isize;
        Focus::ALL[(place + steps).rem_euclid(Focus::ALL.len() as isize) as usize]
    }
}
