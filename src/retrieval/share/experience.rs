//! Feedback of several people in a share: signed batches that are never changed, and their copies on this machine.
//!
//! A batch is a text and, in its last line, its signature by the writer's key (Ed25519), so only the owner of a key adds,
//! withdraws or restores events under it. Copies are kept: what was once received does not depend on the share.

use std::collections::{BTreeMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;
use ring::rand::SystemRandom;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};

use super::error::ShareError;
use super::manifest::Names;
use super::publish::io;
use super::remote::Share;
use crate::feedback::FeedbackEvent;
use crate::feedback::shared::{
    Author, Batch, DEFAULT_WEIGHT, SharedFeedback, Source, WriterLog, hash_of, merge, pending,
};

/// Folder of all batches in a share, with the version of their form.
const ROOT: &str = "knowing-feedback/1";
/// Maximum size of a batch.
const MAX_BATCH_BYTES: u64 = 4 << 20;
/// Maximum number of batches of a repository that are read.
const MAX_BATCHES: usize = 20_000;

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
    /// Returns the user's copies for a repository; `None` without a home folder.
    pub fn of_user(repository: &str) -> Option<Experience> {
        let data = etcetera::choose_base_strategy().ok()?.data_dir();
        Some(Experience::new(repository, &data.join("knowing/feedback")))
    }

    /// Returns the copies for a repository below a folder.
    pub fn new(repository: &str, folder: &Path) -> Experience {
        Experience { repository: repository.to_owned(), folder: folder.join(Names::readable(repository)) }
    }

    /// Returns a number that increases with every change of the copies and weights; 0 without any.
    pub fn revision(&self) -> i64 {
        let text = std::fs::read_to_string(self.folder.join("revision")).unwrap_or_default();
        text.trim().parse().unwrap_or_default()
    }

    /// Returns the votes of the other writers, with their weights.
    pub fn feedback(&self) -> SharedFeedback {
        let (own, weights) = (self.own_writer(), self.weights());
        let others = self.logs().into_iter().filter(|log| Some(&log.writer) != own.as_ref());
        let sources = others.map(|log| Source::new(&log, weight_of(&weights, &log.writer))).collect();
        SharedFeedback { repository: self.repository.clone(), sources }
    }

    /// Returns the writers, by name.
    pub fn writers(&self) -> Vec<WriterSummary> {
        let (own, weights) = (self.own_writer(), self.weights());
        let summary = |log: WriterLog| WriterSummary {
            events: log.events.iter().filter(|event| !event.undone).count(),
            last: log.events.iter().map(|event| event.at).max().unwrap_or_default(),
            weight: weight_of(&weights, &log.writer),
            is_own: Some(&log.writer) == own.as_ref(),
            name: log.name,
            writer: log.writer,
        };
        let mut writers: Vec<WriterSummary> = self.logs().into_iter().map(summary).collect();
        writers.sort_by(|one, two| (&one.name, &one.writer).cmp(&(&two.name, &two.writer)));
        writers
    }

    /// Sets the weight of a writer's votes, from 0, muted, to 1.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn set_weight(&self, writer: &str, weight: f64) -> Result<(), ShareError> {
        let mut weights = self.weights();
        weights.insert(writer.to_owned(), weight.clamp(0.0, 1.0));
        let text = serde_json::to_string(&weights).unwrap_or_default();
        self.write("weights.json", text.as_bytes())?;
        self.renew()
    }

    /// Publishes what has changed in the journal, and receives the batches of others.
    ///
    /// # Errors
    /// When the share can't be read or written, or the copies can't be written.
    pub fn sync(
        &self,
        share: &Share,
        options: &SyncOptions,
        journal: &[FeedbackEvent],
    ) -> Result<SyncReport, ShareError> {
        share.require_listed("sync with")?;
        std::fs::create_dir_all(&self.folder).map_err(|cause| io("make", &self.folder, cause))?;
        let lock = self.folder.join("lock");
        let held = OpenOptions::new().create(true).truncate(false).write(true).open(&lock);
        let held = held.map_err(|cause| io("open", &lock, cause))?;
        // Another process of the user may be at it; the numbers of batches ascend.
        held.lock().map_err(|cause| io("lock", &lock, cause))?;
        let folder = format!("{ROOT}/{}", Names::readable(&self.repository));
        let mut report = SyncReport::default();
        let mut known: HashSet<String> = self.files().into_iter().collect();
        let listed: HashSet<String> = share.list(&folder)?.into_iter().map(|object| object.name).collect();
        for name in listed.iter().filter(|name| is_batch_name(name)) {
            if known.contains(name) || known.len() >= MAX_BATCHES {
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
        let key = self.key()?;
        for text in self.pending(&key, options, journal) {
            let (name, bytes) = signed(&key.pair, &text);
            self.write(&name, &bytes)?;
            report.sent += 1;
        }
        // Also those that an interrupted run left here.
        let own = hex(key.pair.public_key().as_ref());
        for name in self.files().into_iter().filter(|name| name.starts_with(&own) && !listed.contains(name)) {
            let path = self.folder.join(&name);
            let bytes = std::fs::read(&path).map_err(|cause| io("read", &path, cause))?;
            share.put_new(&format!("{folder}/{name}"), bytes)?;
        }
        if report.sent + report.received > 0 {
            self.renew()?;
        }
        Ok(report)
    }

    fn pending(&self, key: &Key, options: &SyncOptions, journal: &[FeedbackEvent]) -> Vec<String> {
        let author = Author {
            writer: hex(key.pair.public_key().as_ref()),
            secret: key.secret,
            name: options.name.clone(),
            shares_texts: options.shares_texts,
        };
        let logs = self.logs();
        pending(&author, &self.repository, logs.iter().find(|log| log.writer == author.writer), journal)
    }

    fn logs(&self) -> Vec<WriterLog> {
        let batch = |name: String| {
            let bytes = std::fs::read(self.folder.join(&name)).ok()?;
            verified(&name, &bytes, &self.repository)
        };
        merge(&self.files().into_iter().filter_map(batch).collect::<Vec<Batch>>())
    }

    /// Returns the names of the copies.
    fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names.filter(|name| is_batch_name(name)).collect()
    }

    fn weights(&self) -> BTreeMap<String, f64> {
        let text = std::fs::read_to_string(self.folder.join("weights.json")).unwrap_or_default();
        serde_json::from_str(&text).unwrap_or_default()
    }

    fn own_writer(&self) -> Option<String> {
        let bytes = std::fs::read(self.folder.join(KEY)).ok()?;
        Some(hex(Ed25519KeyPair::from_pkcs8(&bytes).ok()?.public_key().as_ref()))
    }

    /// Returns the user's key, which is made at the first call.
    fn key(&self) -> Result<Key, ShareError> {
        let path = self.folder.join(KEY);
        let invalid = || io("use", &path, std::io::Error::new(std::io::ErrorKind::InvalidData, "it is not a key"));
        if !path.exists() {
            let bytes = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).map_err(|_| invalid())?;
            self.write(KEY, bytes.as_ref())?;
        }
        let bytes = std::fs::read(&path).map_err(|cause| io("read", &path, cause))?;
        let pair = Ed25519KeyPair::from_pkcs8(&bytes).map_err(|_| invalid())?;
        Ok(Key { pair, secret: blake3::derive_key("knowing 2026 ids of shared feedback", &bytes) })
    }

    fn renew(&self) -> Result<(), ShareError> {
        self.write("revision", (self.revision() + 1).to_string().as_bytes())
    }

    /// Writes a file that other users can't read. It is there as a whole or not at all.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), ShareError> {
        let path = self.folder.join(name);
        let failed = |cause| io("write", &path, cause);
        std::fs::create_dir_all(&self.folder).map_err(failed)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder).map_err(failed)?;
        file.write_all(bytes).and_then(|()| File::sync_all(file.as_file())).map_err(failed)?;
        file.persist(&path).map_err(|error| failed(error.error))?;
        Ok(())
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
    let signature = hex(pair.sign(text.as_bytes()).as_ref());
    let name = format!("{}-{}.jsonl", hex(pair.public_key().as_ref()), &hash_of(text)[..32]);
    (name, format!("{text}{signature}\n").into_bytes())
}

/// Returns the batch in an object, if its writer signed it and it is about the repository.
fn verified(name: &str, bytes: &[u8], repository: &str) -> Option<Batch> {
    let all = std::str::from_utf8(bytes).ok()?.strip_suffix('\n')?;
    let (text, signature) = all.split_at(all.rfind('\n')? + 1);
    let batch = Batch::parse(text, repository).ok()?;
    let is_named = name == format!("{}-{}.jsonl", batch.writer, &hash_of(text)[..32]);
    let key = UnparsedPublicKey::new(&ED25519, from_hex(&batch.writer)?);
    (is_named && key.verify(text.as_bytes(), &from_hex(signature)?).is_ok()).then_some(batch)
}

fn is_batch_name(name: &str) -> bool {
    let parts = name.strip_suffix(".jsonl").and_then(|stem| stem.split_once('-'));
    parts.is_some_and(|(writer, hash)| {
        let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        writer.len() == 64 && hash.len() == 32 && is_hex(writer) && is_hex(hash)
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text.chars().map(|digit| digit.to_digit(16).map(|digit| digit as u8)).collect();
    let digits = digits.filter(|digits| digits.len().is_multiple_of(2))?;
    Some(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}
