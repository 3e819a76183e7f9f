//! Replies and explanations: what a member says about its symbols, with ranks among those of all members.

use super::Workspace;
use super::merge::WorkspaceRanking;
use crate::engine::concepts::UnknownConcept;
use crate::engine::{
    Change, EgoRequest, EngineError, LastCommit, Move, NeighborNode, Ranking, Reply, ReplyRequest, Why, why_lines,
};
use crate::model::{ContextPack, Options, PackedSymbol, Symbol, SymbolDetails, Task};
use crate::render::Renderer;
use crate::render::diagram::Diagram;
use crate::render::gcf::Gcf;

/// The ranks of a symbol before and after a change, from 1, and the other symbols that move.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Counterfactual {
    pub before: Option<usize>,
    pub after: Option<usize>,
    pub moves: Vec<Move>,
}

impl Workspace {
    /// Packs a ranking and renders the shortest reply after which the client has the pack. Earlier packs of several
    /// repositories are not stored, so that a reply about several is not a delta.
    ///
    /// # Errors
    /// When a store can't be read, or the budget can't hold even an empty pack.
    pub fn reply(&self, request: &ReplyRequest<'_>, ranking: &WorkspaceRanking) -> Result<Reply, EngineError> {
        let pack = self.pack(request.task, ranking, request.renderer, request.bodies)?;
        let single = self.members.first().filter(|_| self.is_single());
        Reply::new(pack, request, single.and_then(|member| Some(member.ranker.as_ref()?.reader())))
    }

    /// Explains a symbol's rank in the pack of `task` in `renderer`'s format.
    ///
    /// # Errors
    /// When no member answers, a store can't be read, or the budget can't hold even an empty pack.
    pub fn why(&mut self, task: &Task, renderer: &dyn Renderer, symbol: &Symbol) -> Result<Why, EngineError> {
        let ranking = self.rank(task, &|| false)?.unwrap_or_default();
        self.cross_edges()?;
        let pack = self.pack(task, &ranking, renderer, false)?;
        self.explain(&ranking, &pack, symbol)
    }

    /// Explains a symbol's rank in a ranking and its pack.
    ///
    /// # Errors
    /// When the symbol's repository has no index, or its store can't be read.
    pub fn explain(&self, ranking: &WorkspaceRanking, pack: &ContextPack, symbol: &Symbol) -> Result<Why, EngineError> {
        let member = self.member_of(symbol);
        let Some((member, ranker)) = member.and_then(|member| Some((member, member.ranker.as_ref()?))) else {
            return Err(EngineError::Task { reason: format!("{} has no index", symbol.repository()) });
        };
        let unranked = Ranking::default();
        let own = ranking.part(member.position).unwrap_or(&unranked);
        let mut why = ranker.explain(own, pack, symbol)?;
        if self.is_single() {
            return Ok(why);
        }
        why.reason = ranker.reasons(own, &pack.task, ranking.first_of(member.position)).reason(symbol)?;
        let names = self.repositories();
        (why.symbol, why.file) = (names.qualified_name(symbol).into_owned(), names.file(symbol).into_owned());
        if let Some(score) = &mut why.rank {
            let rank = |list: &[PackedSymbol]| list.iter().position(|packed| packed.symbol.id == symbol.id);
            let packed = rank(&pack.symbols).map(|index| index + 1);
            let rest = || rank(&pack.omitted).map(|index| index + 1 + pack.symbols.len());
            let component = ranking.component(member.position);
            score.rank = packed.or_else(rest).unwrap_or(score.rank);
            score.of = ranking.symbols();
            score.score += component.contribution;
            score.components.push(component);
        }
        Ok(why)
    }

    /// Returns the symbols around a symbol as a diagram, those that are at most `hops` edges away; empty if its repository
    /// has no index.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn diagram(&self, symbol: &Symbol, hops: u32) -> Result<Diagram, EngineError> {
        let ranker = self.member_of(symbol).and_then(|member| member.ranker.as_ref());
        let Some(ranker) = ranker else { return Ok(Diagram::default()) };
        let request = EgoRequest { root: symbol.node, hops, wider: Vec::new() };
        let mut neighborhood = ranker.neighborhood(None, &request)?;
        let names = self.repositories();
        for NeighborNode { symbol, .. } in &mut neighborhood.nodes {
            symbol.file = names.shown(symbol).into_owned();
        }
        Ok(ranker.diagram(&neighborhood))
    }

    /// Returns the commit that last changed the lines of a symbol; `None` where [`Ranker::last_commit`] has none, or the
    /// symbol's repository has no index.
    ///
    /// [`Ranker::last_commit`]: crate::engine::Ranker::last_commit
    ///
    /// # Errors
    /// When the store or the history can't be read.
    pub fn last_commit(&self, symbol: &Symbol) -> Result<Option<LastCommit>, EngineError> {
        let ranker = self.member_of(symbol).and_then(|member| member.ranker.as_ref());
        ranker.map_or(Ok(None), |ranker| ranker.last_commit(symbol))
    }

    /// Returns the ranks without a concept or with one more vote: of a symbol, and of the others among the first `limit` of
    /// its repository.
    ///
    /// # Errors
    /// When no member answers, or a store can't be read.
    pub fn counterfactual(
        &mut self,
        task: &Task,
        change: &Change,
        symbol: &Symbol,
        limit: usize,
    ) -> Result<Counterfactual, EngineError> {
        let Some(position) = self.member_of(symbol).map(|member| member.position) else {
            return Ok(Counterfactual::default());
        };
        let before = self.rank(task, &|| false)?.unwrap_or_default();
        let after = self.rank(&change.apply(task), &|| false)?.unwrap_or_default();
        let none = Ranking::default();
        let [old, new] = [&before, &after].map(|ranking| ranking.part(position).unwrap_or(&none));
        let ranker = self.members[position].ranker.as_ref();
        let moves = ranker.map_or(Ok(Vec::new()), |ranker| ranker.moves(old, new, limit))?;
        let [before, after] = [&before, &after].map(|ranking| ranking.rank_of(position, symbol.node));
        Ok(Counterfactual { before, after, moves })
    }

    /// Returns a symbol's rank in a ranking, from 1.
    pub fn rank_of(&self, ranking: &WorkspaceRanking, symbol: &Symbol) -> Option<usize> {
        ranking.rank_of(self.member_of(symbol)?.position, symbol.node)
    }

    /// Returns the facts about a symbol, with at most `limit` rows in each list, and its rank for `task`.
    ///
    /// # Errors
    /// When a store can't be read, or no member answers the task.
    pub fn details(
        &mut self,
        symbol: &Symbol,
        limit: usize,
        task: Option<&Task>,
    ) -> Result<SymbolDetails, EngineError> {
        let mut details = self.questions()?.details(symbol, limit)?;
        if let Some(task) = task {
            details.why = why_lines(&self.why(task, &Gcf, symbol)?);
        }
        Ok(details)
    }

    /// Returns the first muted name of a task that is neither a concept nor a layer nor a seed file of any member.
    ///
    /// # Errors
    /// When a store can't be read.
    pub fn unknown_mute(&self, task: &Task) -> Result<Option<UnknownConcept>, EngineError> {
        for name in &task.options.muted_concepts {
            let muted_concepts = [name.clone()].into();
            let task = Task { options: Options { muted_concepts, ..task.options.clone() }, ..task.clone() };
            let mut unknown = None;
            for (member, request) in self.members.iter().zip(self.requests(Some(&task))) {
                let (Some(ranker), Some(request)) = (&member.ranker, request) else { continue };
                unknown = ranker.unknown_mute(&request)?;
                if unknown.is_none() {
                    break;
                }
            }
            if unknown.is_some() {
                return Ok(unknown);
            }
        }
        Ok(None)
    }
}
