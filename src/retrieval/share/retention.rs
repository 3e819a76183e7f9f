//! Lists the published indexes of a share, and deletes old ones.

use std::collections::HashSet;

use super::catalogs;
use super::error::ShareError;
use super::manifest::{CommitKey, MAX_MANIFEST_BYTES, Manifest, ROOT, version};
use super::remote::{Listed, Share};

/// Time for which a database without a manifest is kept, in milliseconds: its publisher may be about to write one.
const GRACE_MILLISECONDS: i64 = 24 * 3_600 * 1_000;

/// A published index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedIndex {
    /// The repository's id; `None` if the manifest is damaged.
    pub repository: Option<String>,
    /// The commit, in hexadecimal.
    pub commit: String,
    pub compressed_bytes: u64,
    /// When it was published, in milliseconds since 1970 by the store's clock.
    pub modified: i64,
    /// Whether this version of the program can use it.
    pub is_usable: bool,
}

/// Counts of what was deleted, or would be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Collected {
    /// Number of published indexes that were kept.
    pub kept: usize,
    /// Number of deleted indexes.
    pub deleted: usize,
    /// Number of bytes of deleted databases.
    pub bytes: u64,
    /// Number of deleted catalogs, of repositories without a published index.
    pub catalogs: usize,
}

/// The manifests of a repository for one version of the program, in its folder of a share.
struct Folder {
    name: String,
    /// Newest first.
    manifests: Vec<(CommitKey, Listed)>,
}

impl Folder {
    fn is_usable(&self) -> bool {
        self.name.starts_with(&format!("{ROOT}/{}/", version()))
    }

    fn objects(&self) -> String {
        format!("{}/objects", self.name)
    }

    /// Deletes the manifests that were not known before and name a deleted database that was not written again.
    fn delete_dangling(&self, share: &Share, deleted: &HashSet<String>) -> Result<(), ShareError> {
        if deleted.is_empty() {
            return Ok(());
        }
        let known: HashSet<&str> = self.manifests.iter().map(|(_, listed)| listed.name.as_str()).collect();
        for listed in share.list(&format!("{}/commits", self.name))? {
            if known.contains(listed.name.as_str()) {
                continue;
            }
            let Some(manifest) = self.manifest(share, &listed.name)? else { continue };
            let object = format!("{}.zst", manifest.object);
            if deleted.contains(&object) && share.size(&format!("{}/{object}", self.objects()))?.is_none() {
                share.delete(&format!("{}/commits/{}", self.name, listed.name))?;
            }
        }
        Ok(())
    }

    /// Reads a manifest; `None` if it is damaged.
    fn manifest(&self, share: &Share, name: &str) -> Result<Option<Manifest>, ShareError> {
        let bytes = share.read_whole(&format!("{}/commits/{name}", self.name), MAX_MANIFEST_BYTES)?;
        Ok(Manifest::from_bytes(&bytes))
    }
}

/// Returns the published indexes of every repository and version, the newest of each repository first.
///
/// # Errors
/// When the share can't be read.
pub fn published_indexes(share: &Share) -> Result<Vec<PublishedIndex>, ShareError> {
    let mut indexes = Vec::new();
    for folder in folders(share)? {
        for (key, listed) in &folder.manifests {
            let manifest = folder.manifest(share, &listed.name)?;
            indexes.push(PublishedIndex {
                compressed_bytes: manifest.as_ref().map_or(0, |manifest| manifest.compressed_bytes),
                repository: manifest.map(|manifest| manifest.repository),
                commit: hex::encode(key.commit),
                modified: listed.modified,
                is_usable: folder.is_usable(),
            });
        }
    }
    Ok(indexes)
}

/// Deletes all but the last `keep` published indexes of each repository and version, and the databases that no kept
/// manifest names. Also deletes the catalogs of repositories without a published index. Ages are compared by the store's clock only.
///
/// # Concurrent readers and publishers
///
/// Manifests are deleted first, so a reader that finds one finds its database. One that read the manifest before both were
/// deleted gets an error, and uses another index. A publisher writes its database again even if there is an equal one, and
/// looks for it again after its manifest. A database that is newer than it was when it was listed is kept, and a manifest
/// that came meanwhile and names a deleted one is deleted too; the next publisher writes both.
///
/// # Errors
/// When the share can't be read or written, or a manifest to keep is damaged, since its database would be deleted.
pub fn collect(share: &Share, keep: usize, dry_run: bool) -> Result<Collected, ShareError> {
    let mut collected = Collected::default();
    share.require_listed("list")?;
    // A catalog is written after its manifest, so what is listed now has one, unless it was deleted.
    let catalogs = catalogs::listed(share)?;
    let mut published = HashSet::new();
    for folder in folders(share)? {
        if !folder.manifests.is_empty() {
            published.extend(folder.name.rsplit('/').next().map(str::to_owned));
        }
        let mut named = HashSet::new();
        for (index, (key, listed)) in folder.manifests.iter().enumerate() {
            if index >= keep {
                collected.deleted += 1;
                if !dry_run {
                    share.delete(&format!("{}/commits/{}", folder.name, listed.name))?;
                }
                continue;
            }
            let manifest = folder.manifest(share, &listed.name)?.ok_or_else(|| {
                share.damaged(format!("the manifest of {} is not as it was published", hex::encode(key.commit)))
            })?;
            collected.kept += 1;
            named.insert(format!("{}.zst", manifest.object));
        }
        let objects = share.list(&folder.objects())?;
        let listed = folder.manifests.iter().map(|(_, listed)| listed).chain(&objects);
        let newest = listed.map(|listed| listed.modified).max().unwrap_or_default();
        // The databases of the manifests deleted now are as old as these.
        let newest_deleted = folder.manifests.get(keep).map(|(_, listed)| listed.modified);
        let is_old = |object: &Listed| {
            object.modified < newest - GRACE_MILLISECONDS || newest_deleted.is_some_and(|at| object.modified <= at)
        };
        let mut deleted = HashSet::new();
        for object in objects.into_iter().filter(|object| !named.contains(&object.name) && is_old(object)) {
            if dry_run || share.delete_unchanged(&format!("{}/{}", folder.objects(), object.name), &object)? {
                collected.bytes += object.size;
                deleted.insert(object.name);
            }
        }
        if !dry_run {
            folder.delete_dangling(share, &deleted)?;
        }
    }
    for catalog in catalogs.iter().filter(|catalog| !published.contains(catalogs::folder_of(catalog))) {
        if dry_run || catalogs::delete_unchanged(share, catalog)? {
            collected.catalogs += 1;
        }
    }
    Ok(collected)
}

/// Returns the folders of all repositories and versions, sorted by name.
fn folders(share: &Share) -> Result<Vec<Folder>, ShareError> {
    share.require_listed("list")?;
    let mut folders = Vec::new();
    for version in share.folders(ROOT)? {
        for repository in share.folders(&format!("{ROOT}/{version}"))? {
            let name = format!("{ROOT}/{version}/{repository}");
            let listed = share.list(&format!("{name}/commits"))?;
            let keyed =
                listed.into_iter().filter_map(|listed| Some((CommitKey::from_file_name(&listed.name)?, listed)));
            let mut manifests: Vec<(CommitKey, Listed)> = keyed.collect();
            manifests.sort_by(|(_, one), (_, two)| (two.modified, &two.name).cmp(&(one.modified, &one.name)));
            folders.push(Folder { name, manifests });
        }
    }
    Ok(folders)
}
