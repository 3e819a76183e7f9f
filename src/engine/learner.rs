//! Learning from use: votes, what was opened, copied or exported, what was passed over. One journal, whoever writes it.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::learning::{SESSION_PAUSE, now};
use super::{Engine, EngineError};
use crate::learn::{Act, ActKind, Cluster, Judgement, Standing, Subject, Vote, Word, act_line, acts_of};
use crate::model::{Symbol, SymbolId};
use crate::retrieve::Retriever;
use crate::store::{Journal, Reader, StoreError};
use crate::vocab::Vocabulary;

/// Symbols at the top of an answer that are passed over when others are used.
pub const SHOWN: usize = 10;

/// Records what users teach in one repository's journal, and takes it back. Every act is one entry, whoever makes it, and
/// counts in the next ranking of every process.
pub struct Learner {
    pub(super) journal: Journal,
    pub(super) database: PathBuf,
    vocabulary: Arc<Vocabulary>,
    session: String,
}

/// A vote that stands for a task.
#[derive(Debug, Clone, PartialEq)]
pub struct TaughtVote {
    pub symbol: SymbolId,
    pub qualified_name: String,
    pub vote: Vote,
    /// False when the symbol's package has changed since, so that the vote does not count at present.
    pub counts: bool,
}

/// What a session was last answered.
#[derive(Serialize, Deserialize)]
struct Shown {
    task: String,
    keywords: Vec<String>,
    symbols: Vec<Subject>,
}

impl Engine {
    /// What records learning in this repository. `session` names whose use it is; without one, acts belong to the session
    /// that goes on, or begin one.
    ///
    /// # Errors
    /// When there is no index of this version, or it can't be written.
    pub fn learner(&self, session: Option<&str>) -> Result<Learner, EngineError> {
        Ok(Learner::open(self.database(), self.vocabulary(), session)?)
    }
}

impl Learner {
    fn open(database: &Path, vocabulary: Arc<Vocabulary>, session: Option<&str>) -> Result<Learner, StoreError> {
        let journal = Journal::open_to_write(database)?;
        let session = match session {
            Some(session) => session.to_owned(),
            None => match journal.last_session(now() - SESSION_PAUSE)? {
                Some(session) => session.id,
                None => format!("{}-{}", now(), std::process::id()),
            },
        };
        Ok(Learner { journal, database: database.to_owned(), vocabulary, session })
    }

    /// The session that acts belong to.
    pub fn session(&self) -> &str {
        &self.session
    }

    /// A number that grows with every change of what was taught.
    ///
    /// # Errors
    /// When the store can't be read; likewise for every function here that reads.
    pub fn epoch(&self) -> Result<i64, EngineError> {
        Ok(self.journal.revision()?)
    }

    /// Votes on one symbol.
    ///
    /// # Errors
    /// When the task has no word to learn from, or the store can't be written; likewise for every function here that
    /// writes.
    pub fn vote(&mut self, task: &str, symbol: &Symbol, vote: Vote) -> Result<Act, EngineError> {
        self.votes(task, &[(symbol, vote)])
    }

    /// Votes on several symbols at once, as one act.
    pub fn votes(&mut self, task: &str, votes: &[(&Symbol, Vote)]) -> Result<Act, EngineError> {
        self.judge(ActKind::Vote, task, votes)
    }

    /// Records that a symbol was of use for a task: opened, edited, copied or exported.
    pub fn used(&mut self, task: &str, symbol: &Symbol, how: ActKind) -> Result<Act, EngineError> {
        self.judge(how, task, &[(symbol, Vote::Useful)])
    }

    /// Records that a task was answered with these symbols, best first. When this is another task than the one before it,
    /// and something was used for that one, what it showed first and nobody used counts a little less from now on.
    pub fn shown(&mut self, task: &str, symbols: &[Symbol]) -> Result<Option<Act>, EngineError> {
        let reader = Reader::open(&self.database)?;
        let cluster = Retriever::cluster(&reader, &self.vocabulary, task)?;
        // A session that was shown nothing yet has an empty note, and another version's note may be of another form: then
        // nothing is known to have been passed over.
        let before: Option<Shown> = serde_json::from_str(&self.journal.last_answer(&self.session)?).ok();
        let passed = match before {
            Some(before) if Cluster::new(before.keywords.iter().cloned()) != cluster => self.passed_over(before)?,
            _ => None,
        };
        let subjects: Result<Vec<Subject>, StoreError> =
            symbols.iter().take(SHOWN).map(|symbol| subject(&reader, symbol)).collect();
        let shown = Shown { task: task.to_owned(), keywords: cluster.words().to_vec(), symbols: subjects? };
        let noted = serde_json::to_string(&shown).expect("strings, numbers and lists of them have a form in JSON");
        self.journal.put_session(&self.session, now(), Some(&noted))?;
        Ok(passed)
    }

    fn passed_over(&mut self, before: Shown) -> Result<Option<Act>, EngineError> {
        let cluster = Cluster::new(before.keywords.into_iter());
        let acts = self.journal.events()?;
        let own = acts.iter().filter(|act| !act.undone && act.session == self.session && act.cluster == cluster);
        let judged: Vec<(&Judgement, ActKind)> =
            own.flat_map(|act| act.judgements.iter().map(|judgement| (judgement, act.kind))).collect();
        let is_used = judged.iter().any(|(judgement, _)| judgement.vote == Vote::Useful);
        let is_judged = |id: SymbolId| judged.iter().any(|(judgement, _)| judgement.subject.id == id);
        let passed: Vec<Judgement> = (before.symbols.into_iter())
            .filter(|symbol| is_used && !is_judged(symbol.id))
            .map(|subject| Judgement { subject, vote: Vote::NotUseful })
            .collect();
        if passed.is_empty() {
            return Ok(None);
        }
        let act = self.entry(ActKind::PassedOver, &before.task, cluster, passed, Vec::new());
        Ok(self.journal.append(vec![act])?.pop())
    }

    /// The votes that stand for a task in this session, and for the same task in others.
    pub fn votes_for(&self, task: &str) -> Result<Vec<TaughtVote>, EngineError> {
        let reader = Reader::open(&self.database)?;
        let cluster = Retriever::cluster(&reader, &self.vocabulary, task)?;
        let mut votes: HashMap<SymbolId, TaughtVote> = HashMap::new();
        let standing = Standing::of(&self.journal.events()?);
        for record in standing.records.iter().filter(|record| record.kind == ActKind::Vote) {
            if standing.clusters[record.cluster].cluster == cluster {
                let Subject { id, qualified_name, .. } = record.subject.clone();
                let vote = if record.useful { Vote::Useful } else { Vote::NotUseful };
                let counts = is_current(&reader, &record.subject)?;
                votes.insert(id, TaughtVote { symbol: id, qualified_name, vote, counts });
            }
        }
        let mut votes: Vec<TaughtVote> = votes.into_values().collect();
        votes.sort_by(|one, two| (&one.qualified_name, one.symbol).cmp(&(&two.qualified_name, two.symbol)));
        Ok(votes)
    }

    /// The whole journal, oldest first.
    pub fn acts(&self) -> Result<Vec<Act>, EngineError> {
        Ok(self.journal.events()?)
    }

    /// What was taught about symbols whose packages have changed since: it does not count at present.
    pub fn expired(&self) -> Result<HashSet<Subject>, EngineError> {
        let reader = Reader::open(&self.database)?;
        let mut expired = HashSet::new();
        for act in self.journal.events()? {
            let of_words = act.words.into_iter().map(|word| word.subject);
            for subject in act.judgements.into_iter().map(|judgement| judgement.subject).chain(of_words) {
                if !expired.contains(&subject) && !is_current(&reader, &subject)? {
                    expired.insert(subject);
                }
            }
        }
        Ok(expired)
    }

    /// Takes back the last act of the user's own that stands: a vote, words forgotten or brought in, with everything that
    /// was done together with it. Gives what was undone.
    pub fn undo(&mut self) -> Result<Vec<Act>, EngineError> {
        let last = self.journal.events()?.into_iter().rev().find(|act| !act.undone && !is_seen(act));
        self.set_undone(last.map(|act| act.batch), true)
    }

    /// Does again what was undone last, unless something else was done since.
    pub fn redo(&mut self) -> Result<Vec<Act>, EngineError> {
        let acts = self.journal.events()?;
        let own = |act: &&Act| !is_seen(act);
        let undone_after = acts.iter().filter(own).rev().take_while(|act| act.undone);
        let first = undone_after.last().map(|act| act.batch);
        self.set_undone(first, false)
    }

    /// Takes back the entry of this number, or does it again, with everything that was done together with it. Gives what
    /// changed: nothing when there is no such entry or it is so already.
    pub fn set_undone_entry(&mut self, id: i64, undone: bool) -> Result<Vec<Act>, EngineError> {
        let acts = self.journal.events()?;
        let entry = acts.iter().find(|act| act.id == id && act.undone != undone);
        self.set_undone(entry.map(|act| act.batch), undone)
    }

    fn set_undone(&mut self, batch: Option<i64>, undone: bool) -> Result<Vec<Act>, EngineError> {
        let Some(batch) = batch else { return Ok(Vec::new()) };
        self.journal.set_undone(batch, undone)?;
        Ok(self.journal.events()?.into_iter().filter(|act| act.batch == batch).collect())
    }

    /// The entries that stand, as JSON lines; words that were brought in are not among them.
    pub fn export(&self) -> Result<Vec<String>, EngineError> {
        let acts = self.journal.events()?;
        Ok(acts.iter().filter(|act| !act.undone).filter_map(act_line).collect())
    }

    /// Adds the entries of an export, as one act that can be undone; those that are there already are left out. Gives what
    /// was added.
    ///
    /// # Errors
    /// When a line is no entry, or the store can't be written.
    pub fn import(&mut self, text: &str) -> Result<Vec<Act>, EngineError> {
        let mut known: HashSet<String> = self.export()?.into_iter().collect();
        let mut acts = acts_of(text)?;
        acts.retain(|act| act_line(act).is_some_and(|line| known.insert(line)));
        Ok(self.journal.append(acts)?)
    }

    fn judge(&mut self, kind: ActKind, task: &str, votes: &[(&Symbol, Vote)]) -> Result<Act, EngineError> {
        let reader = Reader::open(&self.database)?;
        let act = judged(&reader, &self.vocabulary, kind, task, votes)?;
        if kind == ActKind::Vote && act.cluster.words().is_empty() {
            return Err(EngineError::Wordless { task: task.to_owned() });
        }
        let act = Act { session: self.session.clone(), ..act };
        self.journal.put_session(&self.session, act.at, None)?;
        let mut added = self.journal.append(vec![act.clone()])?;
        Ok(added.pop().unwrap_or(act))
    }

    pub(super) fn entry(
        &self,
        kind: ActKind,
        task: &str,
        cluster: Cluster,
        judgements: Vec<Judgement>,
        words: Vec<Word>,
    ) -> Act {
        let (session, task) = (self.session.clone(), task.to_owned());
        Act { id: 0, batch: 0, at: now(), session, kind, task, cluster, undone: false, judgements, words }
    }
}

/// The entry that these votes on a task make; it has no number and no session yet.
///
/// # Errors
/// When the store can't be read.
pub fn judged(
    reader: &Reader,
    vocabulary: &Vocabulary,
    kind: ActKind,
    task: &str,
    votes: &[(&Symbol, Vote)],
) -> Result<Act, StoreError> {
    let judgement = |(symbol, vote): &(&Symbol, Vote)| -> Result<Judgement, StoreError> {
        Ok(Judgement { subject: subject(reader, symbol)?, vote: *vote })
    };
    let judgements: Result<Vec<Judgement>, StoreError> = votes.iter().map(judgement).collect();
    Ok(Act {
        id: 0,
        batch: 0,
        at: now(),
        session: String::new(),
        kind,
        task: task.to_owned(),
        cluster: Retriever::cluster(reader, vocabulary, task)?,
        undone: false,
        judgements: judgements?,
        words: Vec::new(),
    })
}

/// True for an entry that nobody made on purpose.
fn is_seen(act: &Act) -> bool {
    act.kind.is_implicit()
}

/// A symbol and the state of its package.
fn subject(reader: &Reader, symbol: &Symbol) -> Result<Subject, StoreError> {
    let (package, package_root) = reader.package_of_symbol(symbol)?;
    Ok(Subject { id: symbol.id, qualified_name: symbol.qualified_name.clone(), package, package_root })
}

pub(super) fn is_current(reader: &Reader, subject: &Subject) -> Result<bool, StoreError> {
    Ok(subject.is_of(reader.repository()) && reader.package_hash(&subject.package)? == Some(subject.package_root))
}
