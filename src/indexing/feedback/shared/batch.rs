//! The operations of a writer as lines of JSON, and what of a journal is shared.

use serde::{Deserialize, Serialize};

use super::WriterLog;
use crate::feedback::export::{EventLine, qualified_line, read_event};
use crate::feedback::{Cluster, EventKind, FeedbackEvent};

/// Maximum number of operations of a batch.
const MAX_OPERATIONS: usize = 1_000;
/// Maximum length of a writer's name, in characters.
const MAX_NAME_CHARS: usize = 60;

/// A change of what a writer has said. Only the writer of an event withdraws or restores it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
pub(super) enum Operation {
    Add { id: String, event: Box<EventLine> },
    Withdraw { id: String },
    Restore { id: String },
}

/// Operations that a writer published at once.
#[derive(Debug, Clone)]
pub struct Batch {
    /// The writer's public key, in hexadecimal.
    pub writer: String,
    /// The name that the writer chose.
    pub name: String,
    /// The number of the batch, from 1, ascending.
    pub number: u64,
    /// The hash of the text, which orders batches that were given the same number by mistake.
    pub(super) hash: String,
    pub(super) operations: Vec<Operation>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    writer: String,
    name: String,
    number: u64,
    repository: String,
}

impl Batch {
    /// Parses the text of a batch, which must be about `repository`.
    ///
    /// # Errors
    /// A description of the first problem.
    pub fn parse(text: &str, repository: &str) -> Result<Batch, String> {
        let mut lines = text.lines();
        let header: Header =
            serde_json::from_str(lines.next().unwrap_or_default()).map_err(|error| format!("header: {error}"))?;
        if header.repository != repository {
            return Err("it is about another repository".to_owned());
        }
        let parsed = lines.map(|line| serde_json::from_str(line).map_err(|error| error.to_string()));
        let operations = parsed.take(MAX_OPERATIONS + 1).collect::<Result<Vec<Operation>, String>>()?;
        if operations.len() > MAX_OPERATIONS {
            return Err(format!("it has more than {MAX_OPERATIONS} operations"));
        }
        for operation in &operations {
            if let Operation::Add { event, .. } = operation {
                let event = read_event((**event).clone())?;
                let is_own = |vote: &crate::feedback::SymbolVote| vote.subject.is_in(repository);
                if event.kind != EventKind::Vote || !event.votes.iter().all(is_own) {
                    return Err("it has events that are not votes on symbols of the repository".to_owned());
                }
            }
        }
        let (hash, name) = (hash_of(text), clean_name(&header.name));
        Ok(Batch { writer: header.writer, name, number: header.number, hash, operations })
    }
}

/// A writer's identity, and the parts of tasks that are published.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Author {
    /// The public key, in hexadecimal.
    pub writer: String,
    /// Makes the ids of events unguessable, so that trying texts does not reveal a task.
    pub secret: [u8; 32],
    pub name: String,
    /// Whether texts of tasks are published.
    pub shares_texts: bool,
}

/// Returns the texts of the batches with what has changed in a journal since the writer's last one: new votes, and votes
/// that were undone or redone. Events that are not in the journal any more stay as they are.
pub fn pending(author: &Author, repository: &str, known: Option<&WriterLog>, journal: &[FeedbackEvent]) -> Vec<String> {
    let mut operations = Vec::new();
    let mut seen = std::collections::HashMap::new();
    for event in journal.iter().filter(|event| event.kind == EventKind::Vote && !event.cluster.words().is_empty()) {
        let line = qualified_line(event);
        // Equal votes within one second are told apart by their order.
        let ordinal = *seen.entry(line.clone()).and_modify(|count| *count += 1).or_insert(0);
        let id = blake3::keyed_hash(&author.secret, format!("{ordinal} {line}").as_bytes()).to_hex()[..32].to_owned();
        match (known.and_then(|known| known.undone.get(&id)), event.undone) {
            (None, true) => (),
            (None, false) => {
                let event = Box::new(EventLine::from_event(&concealed(author, repository, event)));
                operations.push(Operation::Add { id, event });
            }
            (Some(false), true) => operations.push(Operation::Withdraw { id }),
            (Some(true), false) => operations.push(Operation::Restore { id }),
            (Some(_), _) => (),
        }
    }
    let first = known.map_or(0, |known| known.last) + 1;
    let texts = (first..).zip(operations.chunks(MAX_OPERATIONS)).map(|(number, operations)| {
        let header = Header {
            writer: author.writer.clone(),
            name: clean_name(&author.name),
            number,
            repository: repository.to_owned(),
        };
        let lines = operations.iter().map(line).collect::<String>();
        format!("{}{lines}", line(&header))
    });
    texts.collect()
}

/// Returns the event as it is published: keywords as hashes, the session as a hash, the task's text only if allowed.
fn concealed(author: &Author, repository: &str, event: &FeedbackEvent) -> FeedbackEvent {
    let session = blake3::keyed_hash(&author.secret, event.session.as_bytes()).to_hex()[..16].to_owned();
    let task = if author.shares_texts { event.task.clone() } else { String::new() };
    FeedbackEvent { session, task, cluster: hashed_cluster(repository, &event.cluster), ..event.clone() }
}

/// Returns a cluster with a hash instead of each keyword.
pub fn hashed_cluster(repository: &str, cluster: &Cluster) -> Cluster {
    Cluster::new(cluster.words().iter().map(|word| hashed_keyword(repository, word)))
}

/// Returns the hash of a keyword, different in each repository. It hides a text from a reader, but not from one who tries
/// a dictionary.
pub fn hashed_keyword(repository: &str, keyword: &str) -> String {
    let mut hasher = blake3::Hasher::new_derive_key("knowing 2026 keywords of shared feedback");
    hasher.update(&(repository.len() as u64).to_le_bytes());
    hasher.update(repository.as_bytes()).update(keyword.as_bytes());
    format!("h{}", &hasher.finalize().to_hex()[..16])
}

/// Returns the hash of a batch's text.
pub fn hash_of(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

fn clean_name(name: &str) -> String {
    let name: String = name.chars().filter(|letter| !letter.is_control()).take(MAX_NAME_CHARS).collect();
    name.trim().to_owned()
}

/// Serializes strings, numbers and lists of them, which cannot fail.
fn line(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default() + "\n"
}
