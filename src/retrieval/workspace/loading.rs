//! Loads the members' indexes, and loads them again after other processes wrote them.

use super::{Member, Workspace};
use crate::engine::{EngineError, Ranker};

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

    /// Loads what changed of the loaded indexes; returns whether one did. Of several members, one that can't be read is
    /// left out until the indexes are loaded again.
    ///
    /// # Errors
    /// When the index of a single repository can't be read.
    pub fn reload(&mut self) -> Result<bool, EngineError> {
        let is_single = self.is_single();
        let reload = |member: &mut Member| match member.ranker.as_mut().map_or(Ok(false), Ranker::refresh) {
            Err(error) if !is_single => {
                (member.ranker, member.problem) = (None, Some(error.to_string()));
                Ok(true)
            }
            result => result,
        };
        let changed = self.at_once(reload).into_iter().collect::<Result<Vec<bool>, EngineError>>()?;
        Ok(changed.contains(&true))
    }
}
