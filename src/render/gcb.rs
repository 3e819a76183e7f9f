//! GCB: what GCF says, in binary, for programs that hand packs on rather than read them.
//!
//! The bytes `GCB`, one byte with the version (1), then one zstd frame that holds a [`Message`] in postcard. A pack's GCB
//! gives the very text of its GCF back ([`Message::text`]), so its budget is counted on that text: tokens are what a model
//! reads, and no model reads binary. The `gcf` crate knows no binary form; names, rounding and root are those it defines.

use std::io::Read;

use serde::{Deserialize, Serialize};

use super::delta::Delta;
use super::gcf::{Gcf, Note, added_notes, delta_payload, delta_text, notes, pack_text, payload, unchanged_text};
use super::{Answer, Renderer};
use crate::model::{ContextPack, PackEdge, PackedSymbol};

/// The GCB format.
pub struct Gcb;

/// What every message begins with.
const MAGIC: [u8; 4] = *b"GCB\x01";

/// zstd's own default; packs are small.
const LEVEL: i32 = 3;

/// No message is longer than this when it is unpacked.
const MAX_UNPACKED_BYTES: u64 = 256 << 20;

/// An answer in the terms of GCF.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Message<'a> {
    /// A pack; a note for each of its symbols.
    Pack { payload: gcf::Payload, notes: Vec<Note<'a>> },
    /// Changes in a pack; a note for each symbol that is added.
    Delta { payload: gcf::DeltaPayload, notes: Vec<Note<'a>> },
    /// The client has the pack with this root.
    Unchanged { pack_root: String },
}

/// Why bytes are no GCB.
#[derive(Debug, thiserror::Error)]
pub enum GcbError {
    #[error("these bytes do not begin with GCB and version 1")]
    Magic,
    #[error("the zstd frame can't be unpacked: {0}")]
    Frame(#[from] std::io::Error),
    #[error("the message unpacks to more than {MAX_UNPACKED_BYTES} bytes")]
    TooLong,
    #[error("the message can't be read: {0}")]
    Message(#[from] postcard::Error),
}

impl<'a> Message<'a> {
    /// An answer as a message.
    pub fn of(answer: &Answer<'a>) -> Message<'a> {
        match answer {
            Answer::Pack(pack) => Message::Pack { payload: payload(pack), notes: notes(&pack.symbols) },
            Answer::Delta(delta) => Message::Delta { payload: delta_payload(delta), notes: added_notes(delta) },
            Answer::Unchanged(pack_root) => Message::Unchanged { pack_root: pack_root.clone() },
        }
    }
}

impl Message<'_> {
    /// The same as GCF.
    pub fn text(&self) -> String {
        match self {
            Message::Pack { payload, notes } => pack_text(payload, notes),
            Message::Delta { payload, notes } => delta_text(payload, notes),
            Message::Unchanged { pack_root } => unchanged_text(pack_root),
        }
    }

    /// The message as bytes.
    pub fn encode(&self) -> Vec<u8> {
        let plain = postcard::to_allocvec(self).expect("a message is plain data, and memory takes it");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(zstd::encode_all(plain.as_slice(), LEVEL).expect("memory takes what is written to it"));
        bytes
    }
}

/// The message behind bytes that [`Message::encode`] made.
///
/// # Errors
/// When the bytes are something else. Nothing is believed of their lengths, so foreign bytes cost no memory.
pub fn decode(bytes: &[u8]) -> Result<Message<'static>, GcbError> {
    let frame = bytes.strip_prefix(&MAGIC).ok_or(GcbError::Magic)?;
    let mut plain = Vec::new();
    zstd::Decoder::new(frame)?.take(MAX_UNPACKED_BYTES + 1).read_to_end(&mut plain)?;
    if plain.len() as u64 > MAX_UNPACKED_BYTES {
        return Err(GcbError::TooLong);
    }
    Ok(postcard::from_bytes(&plain)?)
}

impl Renderer for Gcb {
    fn name(&self) -> &'static str {
        "gcb"
    }

    fn render(&self, pack: &ContextPack) -> String {
        Gcf.render(pack)
    }

    fn symbol(&self, pack: &ContextPack, symbol: &PackedSymbol) -> String {
        Gcf.symbol(pack, symbol)
    }

    fn edge(&self, pack: &ContextPack, edge: &PackEdge) -> String {
        Gcf.edge(pack, edge)
    }

    fn delta(&self, delta: &Delta<'_>) -> String {
        Gcf.delta(delta)
    }

    fn unchanged(&self, pack_root: &str) -> String {
        Gcf.unchanged(pack_root)
    }

    fn is_binary(&self) -> bool {
        true
    }

    fn bytes(&self, answer: &Answer<'_>) -> Vec<u8> {
        Message::of(answer).encode()
    }
}
