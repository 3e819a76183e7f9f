//! Structural questions, answered exactly from the graph: one file a question. No word and no weight is involved.

mod across;
mod calls;
mod details;
mod impact;
mod path;
mod rules;
mod rows;
mod subject;
mod task;
mod test_scope;

pub use across::{EdgeBetween, NodeAcross, QuestionsAcross};
pub(super) use task::{part, relations};

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use super::uses::unresolved_lines;
use super::{Engine, EngineError, Ranker};
use crate::candidates::Graph;
use crate::lang::LANGUAGES;
use crate::model::{Answer, NodeId, Question};
use crate::store::Reader;

/// Default limit of the rows of an answer; its counts have no limit.
pub const MAX_ANSWER_ROWS: usize = 100;

/// Limit of the constructors of one name, more than any repository has.
const MAX_CONSTRUCTORS: usize = 1_000_000;

/// A loaded index without what only a ranking needs.
pub struct GraphIndex {
    reader: Reader,
    graph: Graph,
    root: PathBuf,
}

impl GraphIndex {
    /// Returns the reader of the loaded index.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// Returns the index as questions need it.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn questions(&self) -> Result<Questions<'_>, EngineError> {
        Questions::new(&self.reader, &self.graph, &self.root)
    }
}

impl Engine {
    /// Loads the last complete index for questions.
    ///
    /// # Errors
    /// When there is no complete index or it can't be used.
    pub fn graph_index(&self) -> Result<GraphIndex, EngineError> {
        let reader = self.reader()?;
        Ok(GraphIndex { graph: Graph::load(&reader)?, reader, root: self.root().to_owned() })
    }
}

impl Ranker {
    /// Returns the loaded index as questions need it.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn questions(&self) -> Result<Questions<'_>, EngineError> {
        Questions::new(&self.reader, &self.graph, &self.root)
    }
}

/// A loaded index that answers questions.
pub struct Questions<'a> {
    reader: &'a Reader,
    graph: &'a Graph,
    root: &'a Path,
    /// Constructors: a call of a type runs them.
    constructors: HashSet<NodeId>,
}

impl<'a> Questions<'a> {
    fn new(reader: &'a Reader, graph: &'a Graph, root: &'a Path) -> Result<Questions<'a>, EngineError> {
        let names: HashSet<&str> = LANGUAGES.iter().filter_map(|language| language.rules.constructor()).collect();
        let mut constructors = HashSet::new();
        for name in names {
            constructors.extend(reader.nodes_named_exactly(name, MAX_CONSTRUCTORS)?);
        }
        Ok(Questions { reader, graph, root, constructors })
    }

    /// Adds the lines that name the subject of a question about users, and were not resolved.
    fn add_unresolved(&self, answer: &mut Answer) -> Result<(), EngineError> {
        if answer.question.is_about_users() {
            let mut names: BTreeSet<&str> = BTreeSet::new();
            for subject in &answer.subjects {
                // A constructor is used by the name of its type.
                let class = subject.scope.rsplit('.').next().unwrap_or_default();
                names.insert(if self.constructors.contains(&subject.node) { class } else { &subject.name });
            }
            for name in names {
                answer.unresolved.extend(unresolved_lines(self.reader, self.root, name)?);
            }
        }
        Ok(())
    }

    /// Answers a question with at most `limit` rows.
    ///
    /// # Errors
    /// When a name refers to no symbol or to several, a revision is unknown, or the store can't be read.
    pub fn ask(&self, question: &Question, limit: usize) -> Result<Answer, EngineError> {
        let mut answer = match question {
            Question::Callers { of, depth } => self.callers(question, &self.named(of)?, *depth, limit),
            Question::Callees { of, depth } => self.callees(question, &self.named(of)?, *depth, limit),
            Question::Impact { of, depth } => self.impact(question, of, *depth, limit),
            Question::Tests { of } => self.tests(question, of, limit),
            Question::Path { from, to } => self.path(question, &self.named(from)?, &self.named(to)?),
        }?;
        self.add_unresolved(&mut answer)?;
        Ok(answer)
    }
}
