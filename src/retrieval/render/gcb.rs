//! GCB: the binary form of GCF, for programs that store or forward packs.
//!
//! The bytes `GCB`, the version byte (1), then a zstd frame with a [`Message`] in postcard. A message decodes to the
//! same GCF text ([`Message::text`]); the token budget refers to that text. The `gcf` crate defines names, rounding and
//! root, and has no binary form.

use std::io::Read;

use serde::{Deserialize, Serialize};

use super::delta::Delta;
use super::gcf::{Gcf, Note, added_notes, delta_payload, delta_text, notes, pack_text, payload, unchanged_text};
use super::{Answer, Renderer};
use crate::model::{ContextPack, PackEdge, PackedSymbol};

/// The GCB format.
pub struct Gcb;

/// The first bytes of a message.
const MAGIC: [u8; 4] = *b"GCB\x01";

/// zstd's default compression level.
const LEVEL: i32 = 3;

/// Limit of a decompressed message.
const MAX_UNPACKED_BYTES: u64 = 256 << 20;

/// An answer with the types of the `gcf` crate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Message<'a> {
    /// A pack, with a note per symbol.
    Pack { payload: gcf::Payload, notes: Vec<Note<'a>> },
    /// Changes to a pack, with a note per added symbol.
    Delta { payload: gcf::DeltaPayload, notes: Vec<Note<'a>> },
    /// The client has the pack with this root.
    Unchanged { pack_root: String },
}

/// Bytes that can't be decoded as GCB.
#[derive(Debug, thiserror::Error)]
pub enum GcbError {
    #[error("not a GCB message of version 1")]
    Magic,
    #[error("can't decompress the zstd frame: {0}")]
    Frame(#[from] std::io::Error),
    #[error("the message exceeds {MAX_UNPACKED_BYTES} bytes")]
    TooLong,
    #[error("can't parse the message: {0}")]
    Message(#[from] postcard::Error),
}

impl<'a> Message<'a> {
    /// Creates the message of an answer.
    pub fn from_answer(answer: &Answer<'a>) -> Message<'a> {
        match answer {
            Answer::Pack(pack) => Message::Pack { payload: payload(pack), notes: notes(pack) },
            Answer::Delta(delta) => Message::Delta { payload: delta_payload(delta), notes: added_notes(delta) },
            Answer::Unchanged(pack_root) => Message::Unchanged { pack_root: pack_root.clone() },
        }
    }
}

impl Message<'_> {
    /// Returns the message as GCF text.
    pub fn text(&self) -> String {
        match self {
            Message::Pack { payload, notes } => pack_text(payload, notes),
            Message::Delta { payload, notes } => delta_text(payload, notes),
            Message::Unchanged { pack_root } => unchanged_text(pack_root),
        }
    }

    /// Encodes the message.
    pub fn encode(&self) -> Vec<u8> {
        let plain = postcard::to_allocvec(self).expect("a message is plain data");
        let mut bytes = MAGIC.to_vec();
        bytes.extend(zstd::encode_all(plain.as_slice(), LEVEL).expect("writing to memory does not fail"));
        bytes
    }
}

/// Decodes the output of [`Message::encode`]. Memory is bounded for untrusted bytes.
///
/// # Errors
/// When the bytes are no such message.
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
        Message::from_answer(answer).encode()
    }
}
