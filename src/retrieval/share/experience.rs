//! Feedback of several people in a share: signed batches that are never changed, and their copies on this machine.
//!
//! A batch is a text and, in its last line, its signature by the writer's key (Ed25519), so only the owner of a key adds,
//! withdraws or restores events under it. Copies are kept: what was once received does not depend on the share.
//!
//! A file that can't be read or is damaged is an error: without it, a vote would count that was muted or withdrawn.

use std::collections::{BTreeMap, HashSet};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ring::rand::SystemRandom;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};

use super::error::ShareError;
use super::manifest::Names;
use super::publish::io;
use super::remote::Share;
use crate::atomic_file::{self, PRIVATE};
use crate::feedback::FeedbackEvent;
use crate::feedback::shared::{
    Author, Batch, DEFAULT_WEIGHT, SharedFeedback, Source, WriterLog, hash_of, merge, pending,
};
use crate::file_lock::{self, FileLock};
use crate::text::display;
use crate::user_dirs;

/// Folder of all batches in a share, with the version of their form.
const ROOT: &str = "knowing-feedback/1";
/// Maximum size of a batch.
const MAX_BATCH_BYTES: u64 = 4 << 20;
/// Maximum number of batches of a repository that are kept.
const MAX_BATCHES: usize = 20_000;

/// File of the weights of writers, by key.
const WEIGHTS: &str = "weights.json";
/// File of the number of changes.
const REVISION: &str = "revision";
/// Held while batches are exchanged.
const EXCHANGE_LOCK: &str = "lock";
/// Held, for a moment, while weights and revision are read and written.
const STATE_LOCK: &str = "state.lock";

/// The batches of a repository on this machine, and the user's key and weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Experience {
    repository: String,
    folder: PathBuf,
}

/// The choices of the user about publishing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SyncOptions {
    /// The name under which votes are published; may be empty.
    pub name: String,
    /// Whether texts of tasks are published, and not only hashes of their keywords.
    pub shares_texts: bool,
}

/// Counts of what was exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SyncReport {
    /// Number of batches published.
    pub sent: usize,
    /// Number of batches received.
    pub received: usize,
    /// Number of objects that are not valid batches.
    pub invalid: usize,
    /// Number of batches that were not received, because there are too many.
    pub beyond_limit: usize,
    /// Number of files that were left out because of their names.
    pub unnamed: usize,
}

/// A writer, and the weight of its votes.
#[derive(Debug, Clone, PartialEq)]
pub struct WriterSummary {
    /// The public key, in hexadecimal.
    pub writer: String,
    pub name: String,
    /// Number of events that are not withdrawn.
    pub events: usize,
    /// The time of the last event, in seconds since 1970.
    pub last: i64,
    pub weight: f64,
    /// Whether this is the user's own key.
    pub is_own: bool,
}

impl Experience {
    /// Returns the user's copies for a repository; `None` without a data folder.
    pub fn of_user(repository: &str) -> Option<Experience> {
        Some(Experience::new(repository, &user_dirs::data().ok()?.join("feedback")))
    }

    /// Returns the copies for a repository below a folder.
    pub fn new(repository: &str, folder: &Path) -> Experience {
        Experience { repository: repository.to_owned(), folder: folder.join(Names::readable(repository)) }
    }

    /// Returns a number that increases with every change of the copies and weights; 0 without any.
    ///
    /// # Errors
    /// When a file of the user's copies can't be read or is damaged, as for every function below.
    pub fn revision(&self) -> Result<i64, ShareError> {
        let Some(bytes) = self.read(REVISION)? else { return Ok(0) };
        let number = std::str::from_utf8(&bytes).ok().and_then(|text| text.trim().parse().ok());
        number.ok_or_else(|| self.damaged(REVISION, "it is not a number", "remove it"))
    }

    /// Returns the votes of the other writers, with their weights.
    pub fn feedback(&self) -> Result<SharedFeedback, ShareError> {
        let (own, weights) = (self.own_writer()?, self.weights()?);
        let others = self.logs()?.into_iter().filter(|log| Some(&log.writer) != own.as_ref());
        let sources = others.map(|log| Source::new(&log, weight_of(&weights, &log.writer))).collect();
        Ok(SharedFeedback { repository: self.repository.clone(), sources })
    }

    /// Returns the writers, by name.
    pub fn writers(&self) -> Result<Vec<WriterSummary>, ShareError> {
        let (own, weights) = (self.own_writer()?, self.weights()?);
        let summary = |log: WriterLog| WriterSummary {
            events: log.events.iter().filter(|event| !event.undone).count(),
            last: log.events.iter().map(|event| event.at).max().unwrap_or_default(),
            weight: weight_of(&weights, &log.writer),
            is_own: Some(&log.writer) == own.as_ref(),
            name: log.name,
            writer: log.writer,
        };
        let mut writers: Vec<WriterSummary> = self.logs()?.into_iter().map(summary).collect();
        writers.sort_by(|one, two| (&one.name, &one.writer).cmp(&(&two.name, &two.writer)));
        Ok(writers)
    }

    /// Sets the weight of a writer's votes, from 0, muted, to 1.
    pub fn set_weight(&self, writer: &str, weight: f64) -> Result<(), ShareError> {
        let _held = self.lock(STATE_LOCK)?;
        let mut weights = self.weights()?;
        weights.insert(writer.to_owned(), weight.clamp(0.0, 1.0));
        let text = serde_json::json!(weights).to_string();
        self.write(WEIGHTS, text.as_bytes())?;
        self.renew()
    }

    /// Publishes what has changed in the journal, and receives the batches of others.
    ///
    /// # Errors
    /// When the share can't be read or written, or the copies can't be read or written.
    pub fn sync(
        &self,
        share: &Share,
        options: &SyncOptions,
        journal: &[FeedbackEvent],
    ) -> Result<SyncReport, ShareError> {
        share.require_listed("sync with")?;
        // Another process of the user may be at it; the numbers of batches ascend.
        let _held = self.lock(EXCHANGE_LOCK)?;
        let folder = format!("{ROOT}/{}", Names::readable(&self.repository));
        let mut report = SyncReport::default();
        let listed: HashSet<String> = share.list(&folder)?.into_iter().map(|object| object.name).collect();
        self.receive(share, &folder, &listed, MAX_BATCHES, &mut report)?;
        let key = self.key()?;
        for text in self.pending(&key, options, journal)? {
            let (name, bytes) = signed(&key.pair, &text);
            self.write(&name, &bytes)?;
            report.sent += 1;
        }
        // Also those that an interrupted run left here.
        let own = hex::encode(key.pair.public_key().as_ref());
        for name in self.files()?.into_iter().filter(|name| name.starts_with(&own) && !listed.contains(name)) {
            let path = self.folder.join(&name);
            let bytes = std::fs::read(&path).map_err(|cause| io("read", &path, cause))?;
            share.put_new(&format!("{folder}/{name}"), bytes)?;
        }
        if report.sent + report.received > 0 {
            let _held = self.lock(STATE_LOCK)?;
            self.renew()?;
        }
        report.unnamed = share.unnamed();
        Ok(report)
    }

    /// Copies the listed batches that are not here yet, up to a total number.
    fn receive(
        &self,
        share: &Share,
        folder: &str,
        listed: &HashSet<String>,
        limit: usize,
        report: &mut SyncReport,
    ) -> Result<(), ShareError> {
        let mut known: HashSet<String> = self.files()?.into_iter().collect();
        let mut new: Vec<&String> =
            listed.iter().filter(|name| is_batch_name(name) && !known.contains(*name)).collect();
        new.sort();
        for name in new {
            if known.len() >= limit {
                report.beyond_limit += 1;
                continue;
            }
            let bytes = share.read_whole(&format!("{folder}/{name}"), MAX_BATCH_BYTES)?;
            match verified(name, &bytes, &self.repository) {
                Some(_) => {
                    self.write(name, &bytes)?;
                    known.insert(name.clone());
                    report.received += 1;
                }
                None => report.invalid += 1,
            }
        }
        Ok(())
    }

    fn pending(&self, key: &Key, options: &SyncOptions, journal: &[FeedbackEvent]) -> Result<Vec<String>, ShareError> {
        let author = Author {
            writer: hex::encode(key.pair.public_key().as_ref()),
            secret: key.secret,
            name: options.name.clone(),
            shares_texts: options.shares_texts,
        };
        let logs = self.logs()?;
        Ok(pending(&author, &self.repository, logs.iter().find(|log| log.writer == author.writer), journal))
    }

    fn logs(&self) -> Result<Vec<WriterLog>, ShareError> {
        let batch = |name: String| {
            let bytes = self.read(&name)?.unwrap_or_default();
            let remedy = "remove it, and receive it again with `knowing feedback sync`";
            let invalid = || self.damaged(&name, "it is not a batch signed by its writer", remedy);
            verified(&name, &bytes, &self.repository).ok_or_else(invalid)
        };
        Ok(merge(&self.files()?.into_iter().map(batch).collect::<Result<Vec<Batch>, ShareError>>()?))
    }

    /// Returns the names of the copies.
    fn files(&self) -> Result<Vec<String>, ShareError> {
        let failed = |cause| io("read", &self.folder, cause);
        let entries = match std::fs::read_dir(&self.folder) {
            Err(cause) if cause.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.map_err(failed)?,
        };
        let mut names = Vec::new();
        for entry in entries {
            names.extend(entry.map_err(failed)?.file_name().into_string().ok().filter(|name| is_batch_name(name)));
        }
        Ok(names)
    }

    fn weights(&self) -> Result<BTreeMap<String, f64>, ShareError> {
        let Some(bytes) = self.read(WEIGHTS)? else { return Ok(BTreeMap::new()) };
        let remedy = "correct it, or remove it and set the weights again with `knowing feedback weigh`";
        serde_json::from_slice(&bytes).map_err(|error| self.damaged(WEIGHTS, &error.to_string(), remedy))
    }

    fn own_writer(&self) -> Result<Option<String>, ShareError> {
        let Some(bytes) = self.read(KEY)? else { return Ok(None) };
        Ok(Some(hex::encode(self.parse_key(&bytes)?.public_key().as_ref())))
    }

    fn parse_key(&self, bytes: &[u8]) -> Result<Ed25519KeyPair, ShareError> {
        let remedy = "restore it, or remove it to publish under a new key";
        Ed25519KeyPair::from_pkcs8(bytes).map_err(|_| self.damaged(KEY, "it is not a key", remedy))
    }

    /// Returns the user's key, which is made at the first call.
    fn key(&self) -> Result<Key, ShareError> {
        let bytes = match self.read(KEY)? {
            Some(bytes) => bytes,
            None => {
                let failed = |_| io("make", &self.folder.join(KEY), std::io::Error::other("there is no randomness"));
                let bytes = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).map_err(failed)?;
                self.write(KEY, bytes.as_ref())?;
                bytes.as_ref().to_vec()
            }
        };
        let pair = self.parse_key(&bytes)?;
        Ok(Key { pair, secret: blake3::derive_key("knowing 2026 ids of shared feedback", &bytes) })
    }

    /// Counts a change; the caller holds the lock.
    fn renew(&self) -> Result<(), ShareError> {
        self.write(REVISION, (self.revision()? + 1).to_string().as_bytes())
    }

    /// Waits for a lock.
    fn lock(&self, name: &str) -> Result<FileLock, ShareError> {
        std::fs::create_dir_all(&self.folder).map_err(|cause| io("make", &self.folder, cause))?;
        let path = self.folder.join(name);
        let busy = || std::io::Error::from(ErrorKind::ResourceBusy);
        let lock = file_lock::acquire(&path, PRIVATE, Duration::MAX).and_then(|lock| lock.ok_or_else(busy));
        lock.map_err(|cause| io("lock", &path, cause))
    }

    /// Returns the bytes of a file; `None` if there is none.
    fn read(&self, name: &str) -> Result<Option<Vec<u8>>, ShareError> {
        let path = self.folder.join(name);
        match std::fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(cause) if cause.kind() == ErrorKind::NotFound => Ok(None),
            Err(cause) => Err(io("read", &path, cause)),
        }
    }

    fn damaged(&self, name: &str, detail: &str, remedy: &'static str) -> ShareError {
        ShareError::DamagedFile { path: self.folder.join(name), detail: display::safe(detail).into_owned(), remedy }
    }

    /// Writes a file that other users can't read. It is there as a whole or not at all.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), ShareError> {
        let path = self.folder.join(name);
        let written = std::fs::create_dir_all(&self.folder).and_then(|()| atomic_file::replace(&path, bytes, PRIVATE));
        written.map_err(|cause| io("write", &path, cause))
    }
}

/// File of the user's key.
const KEY: &str = "key";

struct Key {
    pair: Ed25519KeyPair,
    secret: [u8; 32],
}

fn weight_of(weights: &BTreeMap<String, f64>, writer: &str) -> f64 {
    weights.get(writer).copied().unwrap_or(DEFAULT_WEIGHT)
}

/// Returns the name and the bytes of a batch. The name has the writer, and a hash by which each is written once.
fn signed(pair: &Ed25519KeyPair, text: &str) -> (String, Vec<u8>) {
    let signature = hex::encode(pair.sign(text.as_bytes()).as_ref());
    let name = format!("{}-{}.jsonl", hex::encode(pair.public_key().as_ref()), &hash_of(text)[..32]);
    (name, format!("{text}{signature}\n").into_bytes())
}

/// Returns the batch in an object, if its writer signed it and it is about the repository.
fn verified(name: &str, bytes: &[u8], repository: &str) -> Option<Batch> {
    let all = std::str::from_utf8(bytes).ok()?.strip_suffix('\n')?;
    let (text, signature) = all.split_at(all.rfind('\n')? + 1);
    let batch = Batch::parse(text, repository).ok()?;
    let is_named = name == format!("{}-{}.jsonl", batch.writer, &hash_of(text)[..32]);
    let key = UnparsedPublicKey::new(&ED25519, hex::decode(&batch.writer).ok()?);
    (is_named && key.verify(text.as_bytes(), &hex::decode(signature).ok()?).is_ok()).then_some(batch)
}

fn is_batch_name(name: &str) -> bool {
    let parts = name.strip_suffix(".jsonl").and_then(|stem| stem.split_once('-'));
    parts.is_some_and(|(writer, hash)| {
        let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        writer.len() == 64 && hash.len() == 32 && is_hex(writer) && is_hex(hash)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::feedback::{Cluster, EventKind, Subject, SymbolVote, Vote};
    use crate::model::SymbolId;

    fn experience(folder: &Path) -> Experience {
        Experience::new("example.org/team/repo", folder)
    }

    /// Each thread has its own files, as a process has.
    #[test]
    fn weights_that_are_set_at_the_same_time_are_all_kept() {
        const WRITERS: usize = 16;
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for number in 0..WRITERS {
                let folder = folder.path();
                scope.spawn(move || experience(folder).set_weight(&format!("writer {number}"), 0.0).unwrap());
            }
        });
        let experience = experience(folder.path());
        assert_eq!(experience.weights().unwrap().len(), WRITERS);
        assert_eq!(experience.revision().unwrap(), WRITERS as i64);
    }

    #[test]
    fn a_damaged_file_is_an_error_that_names_it_and_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let experience = experience(folder.path());
        experience.set_weight("ada", 0.0).unwrap();
        let batch = format!("{}-{}.jsonl", "a".repeat(64), "b".repeat(32));
        for (name, text) in [(WEIGHTS, "{\"broken"), (REVISION, "many"), (KEY, "no key"), (batch.as_str(), "torn")] {
            let path = experience.folder.join(name);
            let before = std::fs::read(&path).ok();
            std::fs::write(&path, text).unwrap();
            let reads = [
                experience.feedback().map(drop).err(),
                experience.revision().map(drop).err(),
                experience.set_weight("bob", 0.5).err(),
            ];
            let message = reads.into_iter().flatten().next().map(|error| error.to_string()).unwrap();
            assert!(message.contains(name) && message.contains("remove it"), "{message}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "{name}");
            match before {
                Some(before) => std::fs::write(&path, before).unwrap(),
                None => std::fs::remove_file(&path).unwrap(),
            }
        }
        assert_eq!(experience.weights().unwrap()["ada"], 0.0);
    }

    #[test]
    fn batches_beyond_the_limit_are_counted() {
        let folder = tempfile::tempdir().unwrap();
        let share = Share::open_or_create(folder.path().join("share").to_str().unwrap()).unwrap();
        for name in ["ada", "bob", "eve"] {
            let options = SyncOptions { name: name.to_owned(), shares_texts: false };
            experience(&folder.path().join(name)).sync(&share, &options, &[event()]).unwrap();
        }
        let receiver = experience(&folder.path().join("zoe"));
        let batches = format!("{ROOT}/{}", Names::readable(&receiver.repository));
        let listed: HashSet<String> = share.list(&batches).unwrap().into_iter().map(|object| object.name).collect();
        let mut report = SyncReport::default();
        receiver.receive(&share, &batches, &listed, 2, &mut report).unwrap();
        assert_eq!(report, SyncReport { received: 2, beyond_limit: 1, ..SyncReport::default() });
        assert_eq!(receiver.writers().unwrap().len(), 2);
    }

    fn event() -> FeedbackEvent {
        let subject = Subject {
            id: SymbolId([7; 16]),
            qualified_name: "example.org/team/repo://a.f".to_owned(),
            package: "a".to_owned(),
            package_root: [1; 32],
        };
        FeedbackEvent {
            id: 1,
            batch: 1,
            at: 1_000,
            session: "s".to_owned(),
            kind: EventKind::Vote,
            task: "invoice totals".to_owned(),
            cluster: Cluster::new(["invoice".to_owned()].into_iter()),
            undone: false,
            votes: vec![SymbolVote { subject, vote: Vote::Useful }],
            terms: Vec::new(),
        }
    }
}
