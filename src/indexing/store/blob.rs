//! Values as blobs: postcard, compressed with zstd.

use std::borrow::Cow;
use std::cell::RefCell;

use super::error::BlobError;
use serde::Serialize;
use serde::de::DeserializeOwned;
use zstd::bulk::{Compressor, Decompressor};

/// Facts are a quarter of a database. Level 3 is the fastest level that does not enlarge them.
const LEVEL: i32 = 3;

/// Maximum length of a value before compression, in bytes. Sources are at most 1 MiB, facts a small multiple of them.
const MAX_LENGTH: usize = 256 << 20;

/// Minimum length of a value that is compressed, in bytes. Shorter ones rarely shrink, and small files have several.
const MIN_COMPRESSED: usize = 48;

thread_local! {
    // Setting up a context takes several hundred kilobytes, far more than most blobs.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

fn compress(plain: &[u8]) -> std::io::Result<Vec<u8>> {
    COMPRESSOR.with_borrow_mut(|slot| {
        let mut compressor = slot.take().map_or_else(|| Compressor::new(LEVEL), Ok)?;
        let packed = compressor.compress(plain);
        *slot = Some(compressor);
        packed
    })
}

fn decompress(bytes: &[u8], length: usize) -> std::io::Result<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|slot| {
        let mut decompressor = slot.take().map_or_else(Decompressor::new, Ok)?;
        let plain = decompressor.decompress(bytes, length);
        *slot = Some(decompressor);
        plain
    })
}

/// Encodes `value` as postcard, compressed where that is smaller.
pub fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    // Plain data in memory always serializes. An empty blob is rejected by `decode`.
    postcard::to_allocvec(value).map_or_else(|_| Vec::new(), |plain| pack(&plain))
}

/// Returns the length of `plain` and its bytes, compressed where that is smaller.
pub(super) fn pack(plain: &[u8]) -> Vec<u8> {
    let mut bytes = (plain.len() as u32).to_le_bytes().to_vec();
    let packed = (plain.len() >= MIN_COMPRESSED).then(|| compress(plain));
    match packed {
        Some(Ok(packed)) if packed.len() < plain.len() => bytes.extend(packed),
        _ => bytes.extend(plain),
    }
    bytes
}

/// Returns the bytes that [`pack`] was given.
///
/// # Errors
/// When the bytes were not made by `pack`.
pub(super) fn unpack(bytes: &[u8]) -> Result<Cow<'_, [u8]>, BlobError> {
    let (header, body) = bytes.split_first_chunk::<4>().ok_or(BlobError::NoLength)?;
    let length = u32::from_le_bytes(*header) as usize;
    if length > MAX_LENGTH {
        return Err(BlobError::TooLong(length));
    }
    if body.len() == length {
        return Ok(Cow::Borrowed(body));
    }
    decompress(body, length).map(Cow::Owned).map_err(BlobError::Decompression)
}

/// Decodes the value of a blob made by [`encode`].
///
/// # Errors
/// When the bytes were not made by `encode` for this type.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, BlobError> {
    Ok(postcard::from_bytes(&unpack(bytes)?)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_round_trip() {
        for value in [vec![], vec![String::from("a")], vec![String::from("again"); 500]] {
            assert_eq!(decode::<Vec<String>>(&encode(&value)).unwrap(), value);
        }
    }

    #[test]
    fn invalid_bytes_are_rejected() {
        for bytes in [&b""[..], b"abc", b"\xff\xff\xff\xff123", b"\x10\x00\x00\x00notzstd"] {
            assert!(decode::<Vec<String>>(bytes).is_err());
        }
    }
}
