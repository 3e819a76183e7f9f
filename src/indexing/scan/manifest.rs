//! Reads manifests, the files that determine how modules are named and found.

use std::path::Path;

use rayon::iter::Either;
use rayon::prelude::*;

use super::decode::decode;
use super::discover::DiscoveredManifest;
use super::read::read_text_inside;
use super::skip::{Skip, SkipReason};
use crate::resolve::input::Manifest;

/// Maximum size of a manifest.
const MAX_BYTES: u64 = 256 * 1024;
/// Maximum number of manifests; the largest known workspaces have about a thousand.
const MAX_MANIFESTS: usize = 4_000;

/// Reads the manifests found by [`fn@super::discover`], in their order. Also returns those that were skipped.
pub fn read_manifests(root: &Path, discovered: &[DiscoveredManifest]) -> (Vec<Manifest>, Vec<Skip>) {
    let read = |(index, manifest): (usize, &DiscoveredManifest)| {
        let path = manifest.path.clone();
        match read_one(root, &path, index) {
            Ok(text) => Either::Left(Manifest { path, text }),
            Err(reason) => Either::Right(Skip { path, reason }),
        }
    };
    discovered.par_iter().enumerate().partition_map(read)
}

fn read_one(root: &Path, path: &str, index: usize) -> Result<String, SkipReason> {
    if index >= MAX_MANIFESTS {
        return Err(SkipReason::TooMany);
    }
    decode(read_text_inside(root, path, MAX_BYTES)?)
}
