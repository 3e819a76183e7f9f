//! Values as compact bytes: postcard, then zstd.

use std::cell::RefCell;

use serde::Serialize;
use serde::de::DeserializeOwned;
use zstd::bulk::{Compressor, Decompressor};

/// Facts are a quarter of a database; level 3 is the cheapest that keeps that share.
const LEVEL: i32 = 3;

/// No value is longer than this before compression. Sources are at most 1 MiB and facts a small multiple of them.
const MAX_LENGTH: usize = 256 << 20;

thread_local! {
    // Each is several hundred kilobytes to set up, far more than most blobs.
    static COMPRESSOR: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    static DECOMPRESSOR: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
}

fn compress(plain: &[u8]) -> std::io::Result<Vec<u8>> {
    COMPRESSOR.with_borrow_mut(|kept| {
        let mut compressor = kept.take().map_or_else(|| Compressor::new(LEVEL), Ok)?;
        let packed = compressor.compress(plain);
        *kept = Some(compressor);
        packed
    })
}

fn decompress(bytes: &[u8], length: usize) -> std::io::Result<Vec<u8>> {
    DECOMPRESSOR.with_borrow_mut(|kept| {
        let mut decompressor = kept.take().map_or_else(Decompressor::new, Ok)?;
        let plain = decompressor.decompress(bytes, length);
        *kept = Some(decompressor);
        plain
    })
}

/// Compact bytes of `value`.
pub fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    // Plain data in memory always serializes; an empty blob is refused when it is read back.
    let Ok(plain) = postcard::to_allocvec(value) else { return Vec::new() };
    let mut bytes = (plain.len() as u32).to_le_bytes().to_vec();
    match compress(&plain) {
        Ok(packed) if packed.len() < plain.len() => bytes.extend(packed),
        _ => bytes.extend(plain),
    }
    bytes
}

/// The value behind bytes that [`encode`] made.
///
/// # Errors
/// Says what is wrong when the bytes were not made by `encode` for this type.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    let (head, body) = bytes.split_first_chunk::<4>().ok_or("a blob without length")?;
    let length = u32::from_le_bytes(*head) as usize;
    if length > MAX_LENGTH {
        return Err(format!("a blob that claims {length} bytes"));
    }
    if body.len() == length {
        return postcard::from_bytes(body).map_err(|error| error.to_string());
    }
    let plain = decompress(body, length).map_err(|error| error.to_string())?;
    postcard::from_bytes(&plain).map_err(|error| error.to_string())
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
    fn foreign_bytes_are_refused() {
        for bytes in [&b""[..], b"abc", b"\xff\xff\xff\xff123", b"\x10\x00\x00\x00notzstd"] {
            assert!(decode::<Vec<String>>(bytes).is_err());
        }
    }
}
