//! Facts about a file that differ between systems.

use std::fs::Metadata;

/// Returns whether a file may be executed.
#[cfg(unix)]
pub(super) fn is_executable(metadata: &Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
pub(super) fn is_executable(_metadata: &Metadata) -> bool {
    true
}

/// Returns the time of the last change in nanoseconds since 1970.
#[cfg(unix)]
pub(super) fn last_change_ns(metadata: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    let modified = metadata.mtime().saturating_mul(1_000_000_000).saturating_add(metadata.mtime_nsec());
    let status = metadata.ctime().saturating_mul(1_000_000_000).saturating_add(metadata.ctime_nsec());
    modified.max(status)
}

#[cfg(not(unix))]
pub(super) fn last_change_ns(metadata: &Metadata) -> i64 {
    let modified = metadata.modified().ok();
    let elapsed = modified.and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    elapsed.map_or(0, |time| i64::try_from(time.as_nanos()).unwrap_or(i64::MAX))
}
