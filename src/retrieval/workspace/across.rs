//! Questions to all members at once: names, concepts, relations and changes, joined into one list.

use std::collections::{BTreeMap, HashSet};

use super::merge::WorkspaceRanking;
use super::{Member, Workspace};
use crate::engine::concepts::MatchedConcept;
use crate::engine::{Base, Changes, Elsewhere, EngineError, FeedbackEpoch, MAX_ANSWER_ROWS, Ranker, Relation, Users};
use crate::model::{EdgeType, MemberNode, PackedSymbol, SymbolId, Task};
use crate::render::question;

impl Workspace {
    /// Calls a function for the loaded index of each member. A member that fails is left out, unless all fail.
    ///
    /// # Errors
    /// The first one, when there is no answer.
    fn each_loaded<T>(
        &self,
        mut call: impl FnMut(&Member, &Ranker) -> Result<T, EngineError>,
    ) -> Result<Vec<(usize, T)>, EngineError> {
        let (mut answers, mut failure) = (Vec::new(), None);
        for member in &self.members {
            let Some(ranker) = &member.ranker else { continue };
            match call(member, ranker) {
                Ok(answer) => answers.push((member.position, answer)),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        match failure.filter(|_| answers.is_empty()) {
            Some(error) => Err(error),
            None => Ok(answers),
        }
    }

    /// Ranks by the lexical channel alone, best first: a preview of a ranking.
    ///
    /// # Errors
    /// When no store can be read.
    pub fn rank_lexical(&self, task: &str, limit: usize) -> Result<Vec<PackedSymbol>, EngineError> {
        let found = self.each_loaded(|_, ranker| ranker.rank_lexical(task, limit))?;
        let mut found: Vec<PackedSymbol> = found.into_iter().flat_map(|(_, own)| own).collect();
        // The sort is stable: of equal scores the first member's comes first.
        if !self.is_single() {
            found.sort_by(|one, other| other.score.total_cmp(&one.score));
            found.truncate(limit);
        }
        Ok(found)
    }

    /// Returns the states of the members' feedback. Rankings may differ between states.
    ///
    /// # Errors
    /// When a store can't be read.
    pub fn feedback_epochs(&self) -> Result<Vec<Option<FeedbackEpoch>>, EngineError> {
        let epoch = |member: &Member| member.ranker.as_ref().map(Ranker::feedback_epoch).transpose();
        self.members.iter().map(epoch).collect()
    }

    /// Returns the concepts of a ranked task in all members. Each repository has its own symbols of a concept, and their
    /// ranks are those among all.
    ///
    /// # Errors
    /// When no store can be read.
    pub fn matched_concepts(
        &self,
        task: &Task,
        ranking: &WorkspaceRanking,
    ) -> Result<Vec<MatchedConcept>, EngineError> {
        let requests = self.requests(Some(task));
        let found = self.each_loaded(|member, ranker| {
            let (Some(part), Some(request)) = (ranking.part(member.position), &requests[member.position]) else {
                return Ok(Vec::new());
            };
            let mut concepts = ranker.matched_concepts(request, part)?;
            if !self.is_single() {
                let symbols = concepts.iter_mut().flat_map(|concept| &mut concept.symbols);
                symbols.for_each(|found| found.rank = ranking.rank_of(member.position, found.symbol.node));
            }
            Ok(concepts)
        })?;
        let mut joined: Vec<MatchedConcept> = Vec::new();
        for concept in alternating(found.into_iter().map(|(_, concepts)| concepts)) {
            match joined.iter_mut().find(|known| !self.is_single() && known.concept == concept.concept) {
                Some(known) => {
                    known.symbols.extend(concept.symbols);
                    known.symbols.sort_by_key(|found| found.rank.unwrap_or(usize::MAX));
                }
                None => joined.push(concept),
            }
        }
        Ok(joined)
    }

    /// Returns the users of a symbol: those of its repository, those of others, and the callers that reach it without an edge
    /// to it, such as by a call of a method that it overrides.
    ///
    /// # Errors
    /// When a store can't be read.
    pub fn users(&mut self, node: MemberNode) -> Result<Users, EngineError> {
        let mut relations = self.relations_of(node, |ranker| ranker.users(node.node))?;
        relations.extend(self.relations_across(node, true)?);
        let Some(symbol) = self.symbol(node) else { return Ok(Users { relations, ..Users::default() }) };
        let answer = self.questions()?.callers_of(&symbol, MAX_ANSWER_ROWS)?;
        let caveats = question::mentions(&answer).into_iter().chain(answer.notes).collect();
        let known: HashSet<SymbolId> = relations.iter().map(|relation| relation.symbol.id).collect();
        let others = answer.rows.into_iter().filter(|row| !known.contains(&row.symbol.id));
        relations.extend(others.map(|row| Relation {
            edge_type: row.path.first().map_or(EdgeType::Calls, |step| step.edge_type),
            confidence: row.confidence,
            may_run: !row.is_certain,
            lines: row.lines,
            symbol: row.symbol,
        }));
        Ok(Users { relations, caveats })
    }

    /// Returns the symbols that a symbol uses: those of other repositories, then those of its own.
    ///
    /// # Errors
    /// When a store can't be read.
    pub fn uses(&mut self, node: MemberNode) -> Result<Vec<Relation>, EngineError> {
        let mut uses = self.relations_across(node, false)?;
        uses.extend(self.relations_of(node, |ranker| ranker.uses(node.node))?);
        Ok(uses)
    }

    fn relations_of(
        &self,
        node: MemberNode,
        relations: impl Fn(&Ranker) -> Result<Vec<Relation>, EngineError>,
    ) -> Result<Vec<Relation>, EngineError> {
        let ranker = self.members.get(node.position()).and_then(Member::ranker);
        ranker.map_or(Ok(Vec::new()), relations)
    }

    fn relations_across(&mut self, node: MemberNode, are_users: bool) -> Result<Vec<Relation>, EngineError> {
        self.cross_edges()?;
        let mut relations = Vec::new();
        for edge in self.known_edges()? {
            let (own, other) = if are_users { (edge.target, edge.source) } else { (edge.source, edge.target) };
            if own == node {
                let relation = |symbol| Relation {
                    symbol,
                    edge_type: edge.edge_type,
                    confidence: edge.confidence,
                    lines: Vec::new(),
                    may_run: false,
                };
                relations.extend(self.symbol(other).map(relation));
            }
        }
        Ok(relations)
    }

    /// Returns the revisions that the working trees can be compared with. Those of one name are one, whose subject names
    /// the repositories.
    ///
    /// # Errors
    /// When no member is a git repository that can be read.
    pub fn bases(&self) -> Result<Vec<Base>, EngineError> {
        let (mut all, mut failure) = (Vec::new(), None);
        for member in &self.members {
            match member.engine.bases() {
                Ok(bases) if self.is_single() => return Ok(bases),
                Ok(bases) => all.push(bases.into_iter().map(|base| (member.label.as_str(), base)).collect()),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        if let Some(error) = failure.filter(|_| all.is_empty()) {
            return Err(error);
        }
        let mut joined: Vec<Base> = Vec::new();
        for (label, base) in alternating(all) {
            let subject = format!("{label}: {}", base.subject);
            match joined.iter_mut().find(|known| known.name == base.name) {
                Some(known) => known.subject = format!("{}; {subject}", known.subject),
                None => joined.push(Base { subject, ..base }),
            }
        }
        Ok(joined)
    }

    /// Returns what changed beside indexed files since the revision of a ranking; paths are those in output.
    ///
    /// # Errors
    /// When git or a store can't be read.
    pub fn changed_elsewhere(&self, base: &str, ranking: &WorkspaceRanking) -> Result<Elsewhere, EngineError> {
        let mut joined = Elsewhere::default();
        let found = self.each_loaded(|member, ranker| {
            let part = ranking.part(member.position);
            part.map_or_else(|| Ok(Elsewhere::default()), |part| ranker.changed_elsewhere(base, part))
        })?;
        found.into_iter().for_each(|(position, found)| joined.add(found, |path| self.shown_path(position, &path)));
        Ok(joined)
    }

    /// Returns the changes between a revision and the working trees; paths are those in output. A repository without the
    /// revision has none.
    ///
    /// # Errors
    /// When no repository has the revision, or no store can be read.
    pub fn changes(&self, base: &str) -> Result<Changes, EngineError> {
        let mut joined = Changes::default();
        for (position, changes) in self.each_loaded(|_, ranker| ranker.changes(base))? {
            let shown = |path: String| self.shown_path(position, &path);
            joined.files.extend(changes.files.into_iter().map(|(path, hunks)| (shown(path), hunks)));
            joined.owners.extend(changes.owners.into_iter().map(|(path, owners)| (shown(path), owners)));
            joined.elsewhere.add(changes.elsewhere, shown);
            joined.roles.extend(changes.roles);
        }
        Ok(joined)
    }

    /// Returns the indexed files with uncommitted changes, by their paths in output.
    ///
    /// # Errors
    /// When no member has a commit, or git or the stores can't be read.
    pub fn dirty_files(&self) -> Result<Vec<String>, EngineError> {
        let files = self.each_loaded(|_, ranker| ranker.dirty_files())?;
        Ok(alternating(
            files
                .into_iter()
                .map(|(position, files)| files.into_iter().map(|file| self.shown_path(position, &file)).collect()),
        ))
    }
}

/// Joins lists: the first of each, then the second of each, and so on.
pub fn alternating<T>(lists: impl IntoIterator<Item = Vec<T>>) -> Vec<T> {
    let mut by_rank: BTreeMap<usize, Vec<T>> = BTreeMap::new();
    for list in lists {
        for (rank, item) in list.into_iter().enumerate() {
            by_rank.entry(rank).or_default().push(item);
        }
    }
    by_rank.into_values().flatten().collect()
}
