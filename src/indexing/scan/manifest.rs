//! Reads manifests, the files that determine how modules are named and found.

use std::path::Path;

use super::decode::decode;
use super::discover::DiscoveredManifest;
use super::read::read_inside;
use super::skip::{Skip, SkipReason};
use crate::resolve::input::Manifest;

/// Maximum size of a manifest.
const MAX_BYTES: u64 = 256 * 1024;
/// Maximum number of manifests; the largest known workspaces have about a thousand.
const MAX_MANIFESTS: usize = 4_000;

/// Reads the manifests found by [`fn@super::discover`], in their order. Also returns those that were skipped.
pub fn read_manifests(root: &Path, discovered: &[DiscoveredManifest]) -> (Vec<Manifest>, Vec<Skip>) {
    let mut manifests = Vec::new();
    let mut skips = Vec::new();
    for (index, manifest) in discovered.iter().enumerate() {
        match read_one(root, &manifest.path, index) {
            Ok(text) => manifests.push(Manifest { path: manifest.path.clone(), text }),
            Err(reason) => skips.push(Skip { path: manifest.path.clone(), reason }),
        }
    }
    (manifests, skips)
}

fn read_one(root: &Path, path: &str, index: usize) -> Result<String, SkipReason> {
    if index >= MAX_MANIFESTS {
        return Err(SkipReason::TooMany);
    }
    decode(read_inside(root, path, MAX_BYTES)?)
}
