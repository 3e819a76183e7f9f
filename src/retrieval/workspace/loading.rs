//! Loads the members' indexes, and loads them again after other processes wrote them.

use super::Workspace;

impl Workspace {
    /// Loads the last complete index of each member, or what changed of it; returns whether one did. A member without a
    /// usable index has a [`problem`](super::Member::problem).
    pub fn load(&mut self) -> bool {
        let changed = self.at_once(|member| match &mut member.ranker {
            Some(ranker) => match ranker.refresh() {
                Ok(changed) => changed,
                Err(error) => {
                    member.problem = Some(error.to_string());
                    false
                }
            },
            None => match member.engine.ranker() {
                Ok(ranker) => {
                    member.ranker = Some(ranker);
                    true
                }
                Err(error) => {
                    member.problem.get_or_insert(error.to_string());
                    false
                }
            },
        });
        changed.contains(&true)
    }
}
