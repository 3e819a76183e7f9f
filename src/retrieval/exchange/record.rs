//! Records of the journal: one request of an agent, and its answer.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::symbol::{hex_id, is_valid_path, name};
use super::{now_ms, shorten};
use crate::model::{ContextPack, SymbolId};

/// Limits of a record, in bytes and entries.
const MAX_TEXT_BYTES: usize = 4_096;
const MAX_WORD_BYTES: usize = 200;
const MAX_FILES: usize = 100;
const MAX_SYMBOLS: usize = 200;

/// A request of an agent, with its answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestRecord {
    /// Unique in the journal.
    pub id: String,
    /// Time of the request in milliseconds since 1970.
    pub at_ms: u64,
    #[serde(default)]
    pub duration_ms: u64,
    pub source: RequestSource,
    #[serde(default)]
    pub client: Client,
    /// The tool or hook, such as `knowing_context`.
    #[serde(default)]
    pub operation: String,
    pub subject: RequestSubject,
    #[serde(default)]
    pub options: RequestOptions,
    #[serde(default)]
    pub index: IndexRecord,
    pub outcome: Outcome,
    /// The error, or a note on the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pack: Option<PackRecord>,
}

/// The interface that received a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestSource {
    Mcp,
    Hook,
}

/// The program that sent a request, as it names itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Client {
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub version: String,
}

/// The content of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestSubject {
    Task(String),
    Files(Vec<String>),
    Revision(String),
    /// A symbol by name or location.
    Symbol(String),
}

/// The options of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RequestOptions {
    pub budget: usize,
    pub format: String,
    /// The root of the pack that the client had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pack_root: Option<String>,
    /// The question about a symbol, such as `callers`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
}

/// The state of the index that a request was answered from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct IndexRecord {
    /// `current`, `refreshed`, `stale` or `partial`.
    pub state: String,
    /// Files that changed since the previous request.
    pub changed_files: usize,
    pub refresh_ms: u64,
}

/// The kind of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A whole pack or a symbol.
    Answered,
    Delta,
    Unchanged,
    /// An answer while the first index is built.
    Partial,
    /// Nothing matched, or a hook stayed silent.
    Nothing,
    Failed,
    Canceled,
}

/// A pack that an agent received.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PackRecord {
    pub pack_root: String,
    /// Tokens of the whole text.
    pub tokens: usize,
    /// In rank order, best first.
    pub symbols: Vec<PackedRecord>,
}

/// A symbol of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackedRecord {
    #[serde(with = "hex_id")]
    pub id: SymbolId,
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub kind: String,
    #[serde(default)]
    pub file: String,
    #[serde(default)]
    pub line: u32,
    #[serde(default)]
    pub tokens: usize,
}

impl PackRecord {
    /// Creates the record of a pack with this root and number of tokens.
    pub fn new(pack: &ContextPack, pack_root: String, tokens: usize) -> PackRecord {
        let symbols = pack.symbols.iter().take(MAX_SYMBOLS).map(|packed| PackedRecord {
            id: packed.symbol.id,
            name: name(&packed.symbol),
            kind: packed.symbol.kind.name().to_owned(),
            file: packed.symbol.file.clone(),
            line: packed.symbol.span.name_line,
            tokens: packed.tokens,
        });
        PackRecord { pack_root, tokens, symbols: symbols.filter(|symbol| is_valid_path(&symbol.file)).collect() }
    }
}

impl RequestRecord {
    /// Creates the record of a request that begins now.
    pub fn begin(source: RequestSource, client: Client, operation: &str, subject: RequestSubject) -> RequestRecord {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let (at_ms, number) = (now_ms(), NEXT.fetch_add(1, Ordering::Relaxed));
        RequestRecord {
            id: format!("{at_ms}-{}-{number}", std::process::id()),
            at_ms,
            duration_ms: 0,
            source,
            client,
            operation: operation.to_owned(),
            subject,
            options: RequestOptions::default(),
            index: IndexRecord::default(),
            outcome: Outcome::Failed,
            message: None,
            pack: None,
        }
    }

    /// Returns the record within the limits of the journal.
    pub(super) fn bounded(mut self) -> RequestRecord {
        for word in [&mut self.client.name, &mut self.client.version, &mut self.operation, &mut self.options.format] {
            shorten(word, MAX_WORD_BYTES);
        }
        for word in [&mut self.options.pack_root, &mut self.options.question].into_iter().flatten() {
            shorten(word, MAX_WORD_BYTES);
        }
        match &mut self.subject {
            RequestSubject::Task(text) | RequestSubject::Revision(text) | RequestSubject::Symbol(text) => {
                shorten(text, MAX_TEXT_BYTES);
            }
            RequestSubject::Files(files) => {
                files.truncate(MAX_FILES);
                files.iter_mut().for_each(|file| shorten(file, MAX_WORD_BYTES));
            }
        }
        self.message.iter_mut().for_each(|text| shorten(text, MAX_TEXT_BYTES));
        self
    }

    /// Parses a line of the journal; `None` if it is not one.
    pub(super) fn parse(line: &[u8]) -> Option<RequestRecord> {
        let record: RequestRecord = serde_json::from_slice(line).ok()?;
        let mut record = record.bounded();
        if let Some(pack) = &mut record.pack {
            pack.symbols.truncate(MAX_SYMBOLS);
            pack.symbols.retain(|symbol| is_valid_path(&symbol.file));
        }
        (!record.id.is_empty() && record.id.len() <= MAX_WORD_BYTES).then_some(record)
    }
}
