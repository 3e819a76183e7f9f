//! The manifest of a published index, and the names of objects.

use serde::{Deserialize, Serialize};

use crate::index::ENGINE_VERSION;
use crate::model::CommitId;
use crate::store::SCHEMA_VERSION;

/// Folder of all objects in a share.
pub(super) const ROOT: &str = "knowing";
/// Version of the layout of a share.
const FORMAT: u32 = 1;
/// Maximum size of a manifest.
pub(super) const MAX_MANIFEST_BYTES: u64 = 64 << 10;
/// Maximum size of a database that is fetched, and of its compressed form.
pub(super) const MAX_DATABASE_BYTES: u64 = crate::store::MAX_BYTES;
/// Size of a database that any compressed form may have, and maximum size of a larger one, in bytes for each compressed
/// byte. Identities and checksums are random bytes, so an index becomes two to five times smaller.
const MIN_ALLOWED_BYTES: u64 = 64 << 20;
const MAX_RATIO: u64 = 50;
/// Maximum length of the readable part of a folder's name.
const MAX_NAME_CHARS: usize = 40;

/// The description of a published index.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Versions of the layout, the index and the schema, such as `1-9-6`.
    pub(super) version: String,
    /// The repository's id, such as `github.com/pallets/flask`.
    pub(super) repository: String,
    /// The commit, in hexadecimal.
    pub(super) commit: String,
    /// The commit's tree, in hexadecimal.
    pub(super) tree: String,
    /// BLAKE3 hash of the compressed database, which names its object.
    pub(super) object: String,
    pub(super) compressed_bytes: u64,
    pub(super) bytes: u64,
    /// When it was published, in seconds since 1970 by the publisher's clock.
    pub(super) published_at: u64,
}

impl Manifest {
    /// Writes the manifest as a line of JSON and a line with its BLAKE3 hash.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        // Plain data in memory always serializes. An empty line is rejected when it is read.
        let json = serde_json::to_string(self).unwrap_or_default();
        format!("{json}\n{}\n", blake3::hash(json.as_bytes()).to_hex()).into_bytes()
    }

    /// Reads a manifest; `None` if it is damaged or has impossible values.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Manifest> {
        let text = std::str::from_utf8(bytes).ok()?;
        let (json, hash) = text.strip_suffix('\n')?.split_once('\n')?;
        if blake3::hash(json.as_bytes()).to_hex().as_str() != hash {
            return None;
        }
        let manifest: Manifest = serde_json::from_str(json).ok()?;
        let (bytes, compressed) = (manifest.bytes, manifest.compressed_bytes);
        let is_sized =
            bytes.max(compressed) <= MAX_DATABASE_BYTES && bytes <= MIN_ALLOWED_BYTES + MAX_RATIO * compressed;
        let is_hash = manifest.object.len() == 64 && manifest.object.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_sized && is_hash).then_some(manifest)
    }

    /// Returns whether this describes the index named `key` of a repository, for this version of the program.
    pub(super) fn is_of(&self, repository: &str, key: &CommitKey) -> bool {
        self.version == version()
            && self.repository == repository
            && self.commit == hex::encode(key.commit)
            && self.tree == hex::encode(key.tree)
    }
}

/// The tree and the commit of a published index: the name of its manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CommitKey {
    pub(super) tree: CommitId,
    pub(super) commit: CommitId,
}

impl CommitKey {
    /// Reads the name of a manifest, `TREE-COMMIT.json`.
    pub(super) fn from_file_name(name: &str) -> Option<CommitKey> {
        let (tree, commit) = name.strip_suffix(".json")?.split_once('-')?;
        Some(CommitKey { tree: from_hex(tree)?, commit: from_hex(commit)? })
    }

    fn file_name(&self) -> String {
        format!("{}-{}.json", hex::encode(self.tree), hex::encode(self.commit))
    }
}

/// The names of a repository's objects.
#[derive(Debug, Clone)]
pub(super) struct Names {
    folder: String,
}

impl Names {
    /// Returns the names for a repository and this version of the program.
    pub(super) fn new(repository: &str) -> Names {
        Names { folder: format!("{ROOT}/{}/{}", version(), Names::readable(repository)) }
    }

    /// Returns a name for a repository that is safe in a path and unique: the end of its id, and a hash of the id.
    pub(super) fn readable(repository: &str) -> String {
        let last = repository.rsplit('/').next().unwrap_or_default();
        let readable: String = last
            .chars()
            .take(MAX_NAME_CHARS)
            .map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' })
            .collect();
        let hash = blake3::hash(repository.as_bytes()).to_hex();
        format!("{readable}-{}", &hash[..16])
    }

    /// Returns the folder of manifests.
    pub(super) fn manifests(&self) -> String {
        format!("{}/commits", self.folder)
    }

    /// Returns the name of a manifest.
    pub(super) fn manifest(&self, key: &CommitKey) -> String {
        format!("{}/{}", self.manifests(), key.file_name())
    }

    /// Returns the name of a compressed database.
    pub(super) fn object(&self, hash: &str) -> String {
        format!("{}/objects/{hash}.zst", self.folder)
    }
}

/// Returns the versions of the layout, the index and the schema.
pub(super) fn version() -> String {
    format!("{FORMAT}-{ENGINE_VERSION}-{SCHEMA_VERSION}")
}

fn from_hex(text: &str) -> Option<CommitId> {
    // Each commit has one name.
    if text.contains(|digit: char| digit.is_ascii_uppercase()) {
        return None;
    }
    let mut id = [0; 20];
    hex::decode_to_slice(text, &mut id).ok().map(|()| id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest() -> Manifest {
        Manifest {
            version: version(),
            repository: "example.org/us/x".to_owned(),
            commit: "01".repeat(20),
            tree: "ab".repeat(20),
            object: "0f".repeat(32),
            compressed_bytes: 10,
            bytes: 20,
            published_at: 5,
        }
    }

    #[test]
    fn a_manifest_round_trips_and_a_changed_byte_is_rejected() {
        let bytes = manifest().to_bytes();
        assert_eq!(Manifest::from_bytes(&bytes), Some(manifest()));
        for position in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[position] ^= 1;
            assert_eq!(Manifest::from_bytes(&damaged), None, "byte {position}");
            assert_eq!(Manifest::from_bytes(&bytes[..position]), None, "first {position} bytes");
        }
    }

    #[test]
    fn impossible_values_are_rejected() {
        let object = "../../../../etc/passwd".to_owned();
        assert_eq!(Manifest::from_bytes(&Manifest { object, ..manifest() }.to_bytes()), None);
        let read = |bytes, compressed_bytes| {
            let manifest = Manifest { bytes, compressed_bytes, ..manifest() };
            Manifest::from_bytes(&manifest.to_bytes()) == Some(manifest)
        };
        assert!(!read(MAX_DATABASE_BYTES + 1, MAX_DATABASE_BYTES) && !read(1, MAX_DATABASE_BYTES + 1));
        assert!(!read(4 << 30, 131_000) && !read(u64::MAX, u64::MAX), "more than can be compressed");
        assert!(read(5 << 30, 1 << 30) && read(60 << 20, 1));
    }

    #[test]
    fn a_manifest_belongs_to_one_repository_version_and_commit() {
        let key = CommitKey { tree: [0xab; 20], commit: [1; 20] };
        assert!(manifest().is_of("example.org/us/x", &key));
        assert!(!manifest().is_of("example.org/us/y", &key));
        assert!(!Manifest { version: "0".to_owned(), ..manifest() }.is_of("example.org/us/x", &key));
        assert!(!manifest().is_of("example.org/us/x", &CommitKey { commit: [2; 20], ..key }));
        assert_eq!(CommitKey::from_file_name(&key.file_name()), Some(key));
        for name in ["", "a-b.json", "../x", "é".repeat(41).as_str()] {
            assert_eq!(CommitKey::from_file_name(name), None);
        }
    }

    #[test]
    fn names_of_repositories_differ_and_have_no_special_characters() {
        let (one, other) = (Names::new("example.org/a/../é x"), Names::new("example.org/b/../é x"));
        assert_ne!(one.manifests(), other.manifests());
        assert!(one.manifests().starts_with("knowing/") && one.manifests().is_ascii(), "{}", one.manifests());
        assert!(!one.manifests().contains("..") && !one.manifests().contains(' '));
    }
}
