//! The encoding of a catalog: a magic, the length of the content, the content compressed with zstd, and a BLAKE3 hash of
//! these.
//!
//! The content is a header in postcard, then the terms, sorted, each with the number of bytes that it shares with the one
//! before, the rest, the set of its fields, and its counts.

use serde::{Deserialize, Serialize};

use super::collect::{MAX_PACKAGE_BYTES, MAX_PACKAGES, MAX_TERM_BYTES};
use super::error::CatalogError;
use super::field::{Counts, FIELDS, fields_of};
use super::{Catalog, Term};

/// Version of the encoding and of the meaning of fields.
pub const CATALOG_VERSION: u32 = 1;
/// Limit of an encoded catalog, in bytes.
pub const MAX_CATALOG_BYTES: usize = 200_000;
/// Limit of the content, in bytes. That of the largest is below a million.
const MAX_CONTENT_BYTES: usize = 4 << 20;
/// Limit of a repository's id, in bytes.
const MAX_REPOSITORY_BYTES: usize = 1_000;
/// Begins every encoded catalog; its last byte is the version.
const MAGIC: [u8; 8] = *b"kcatlog\x01";
const HASH_BYTES: usize = 32;
/// Level of compression. For Django (172 kB at level 9): 176 kB at level 3, 168 kB in ten times the time at level 19.
const LEVEL: i32 = 9;

#[derive(Serialize, Deserialize)]
struct Header {
    repository: String,
    as_of: i64,
    packages: Vec<String>,
    lengths: Counts,
    terms: u32,
}

impl Catalog {
    /// Encodes the catalog. Equal catalogs have equal bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let content = self.content();
        let packed = zstd::bulk::compress(&content, LEVEL).unwrap_or_default();
        let mut bytes = MAGIC.to_vec();
        bytes.extend((content.len() as u32).to_le_bytes());
        bytes.extend(packed);
        let hash = blake3::hash(&bytes);
        bytes.extend(hash.as_bytes());
        bytes
    }

    fn content(&self) -> Vec<u8> {
        let header = Header {
            repository: self.repository.clone(),
            as_of: self.as_of,
            packages: self.packages.clone(),
            lengths: self.lengths,
            terms: self.terms.count,
        };
        // Plain data in memory always serializes. An empty header is rejected when it is read.
        let mut content = postcard::to_allocvec(&header).unwrap_or_default();
        content.extend(&self.terms.bytes);
        content
    }

    /// Decodes and checks a catalog.
    ///
    /// # Errors
    /// When the bytes are not those of a catalog of this version.
    pub fn from_bytes(bytes: &[u8]) -> Result<Catalog, CatalogError> {
        if bytes.len() > MAX_CATALOG_BYTES {
            return Err(CatalogError::TooLarge);
        }
        let (signed, hash) = bytes.split_last_chunk::<HASH_BYTES>().ok_or(CatalogError::Damaged)?;
        let (magic, rest) = signed.split_first_chunk::<8>().ok_or(CatalogError::Damaged)?;
        if magic[..7] != MAGIC[..7] || blake3::hash(signed) != *hash {
            return Err(CatalogError::Damaged);
        }
        if *magic != MAGIC {
            return Err(CatalogError::Version);
        }
        let (length, packed) = rest.split_first_chunk::<4>().ok_or(CatalogError::Damaged)?;
        let length = u32::from_le_bytes(*length) as usize;
        if length > MAX_CONTENT_BYTES {
            return Err(CatalogError::Impossible("size"));
        }
        let content = zstd::bulk::decompress(packed, length).map_err(|_| CatalogError::Damaged)?;
        let (header, rest) = postcard::take_from_bytes(&content).map_err(|_| CatalogError::Damaged)?;
        decode(header, rest)
    }
}

fn decode(header: Header, rest: &[u8]) -> Result<Catalog, CatalogError> {
    let Header { repository, as_of, packages, lengths, terms: count } = header;
    let is_name = |text: &str| !text.is_empty() && !text.contains(char::is_control);
    if !is_name(&repository) || repository.len() > MAX_REPOSITORY_BYTES {
        return Err(CatalogError::Impossible("repository"));
    }
    let are_names = packages.iter().all(|package| is_name(package) && package.len() <= MAX_PACKAGE_BYTES);
    if !are_names || packages.len() > MAX_PACKAGES {
        return Err(CatalogError::Impossible("list of packages"));
    }
    let terms = Terms { count, bytes: rest.to_vec() };
    if !terms.is_valid() {
        return Err(CatalogError::Impossible("list of terms"));
    }
    Ok(Catalog { repository, as_of, packages, lengths, terms })
}

/// The terms of a catalog, encoded: decoded they take eight times the memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Terms {
    count: u32,
    bytes: Vec<u8>,
}

impl Terms {
    /// Encodes terms, which are sorted by text.
    pub(super) fn pack(terms: &[Term]) -> Terms {
        let (mut bytes, mut previous) = (Vec::new(), "");
        for Term { text, counts } in terms {
            let shared = previous.bytes().zip(text.bytes()).take_while(|(one, two)| one == two).count();
            let rest = &text.as_bytes()[shared..];
            bytes.push(shared as u8);
            bytes.push(rest.len() as u8);
            bytes.extend(rest);
            push(&mut bytes, fields_of(counts));
            counts.iter().filter(|count| **count > 0).for_each(|count| push(&mut bytes, *count));
            previous = text;
        }
        Terms { count: terms.len() as u32, bytes }
    }

    /// Returns the number of terms.
    pub(super) fn count(&self) -> usize {
        self.count as usize
    }

    /// Decodes the terms, sorted by text. Ends at what [`Terms::pack`] never writes.
    pub(super) fn iter(&self) -> impl Iterator<Item = Term> {
        let mut bytes = Bytes { rest: &self.bytes };
        let mut previous: Box<str> = "".into();
        std::iter::from_fn(move || {
            let term = bytes.term(&previous)?;
            previous.clone_from(&term.text);
            Some(term)
        })
    }

    fn is_valid(&self) -> bool {
        let mut bytes = Bytes { rest: &self.bytes };
        let mut previous: Box<str> = "".into();
        for _ in 0..self.count {
            let Some(term) = bytes.term(&previous) else { return false };
            previous = term.text;
        }
        bytes.rest.is_empty()
    }
}

/// Writes a number in seven bits a byte, the lowest first.
fn push(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// The bytes that are not decoded yet. Everything returns `None` for what [`Catalog::to_bytes`] never writes.
struct Bytes<'a> {
    rest: &'a [u8],
}

impl<'a> Bytes<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = 0_u32;
        for shift in [0, 7, 14, 21, 28] {
            let [byte] = *self.take(1)? else { return None };
            number |= u32::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn term(&mut self, previous: &str) -> Option<Term> {
        let [shared, rest] = *self.take(2)? else { return None };
        let (shared, rest) = (previous.as_bytes().get(..shared.into())?, self.take(rest.into())?);
        if shared.len() + rest.len() > MAX_TERM_BYTES {
            return None;
        }
        let text = String::from_utf8([shared, rest].concat()).ok()?;
        let fields = self.number()?;
        if text.as_str() <= previous || fields == 0 || fields >> FIELDS != 0 {
            return None;
        }
        let mut counts = Counts::default();
        for field in (0..FIELDS).filter(|field| fields >> field & 1 == 1) {
            counts[field] = self.number().filter(|count| *count > 0)?;
        }
        Some(Term { text: text.into(), counts })
    }
}
