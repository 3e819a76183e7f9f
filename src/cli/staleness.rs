//! `knowing status --check`: reports whether the index is behind the checkout.

use serde::Serialize;

use super::Format;
use super::exit::{CliError, Status};
use super::session::Session;
use super::status::NOT_YET;
use crate::engine::Staleness;
use crate::render::json;
use crate::text::count;

#[derive(Serialize)]
struct Record {
    stale: bool,
    indexed: bool,
    other_version: bool,
    changed_files: usize,
    new_files: usize,
    removed_files: usize,
    manifests_changed: bool,
    head_changed: bool,
}

/// Prints whether the index is behind, and by how many files.
///
/// # Errors
/// When the folder or the store can't be used, or the output can't be written.
pub fn run(session: &Session, format: Format) -> Result<Status, CliError> {
    let workspace = session.workspace(&[])?;
    let statuses = session.each(&workspace, format, |member, out| {
        let staleness = member.engine().staleness()?;
        let is_being_built = staleness.is_absent && member.engine().is_being_indexed();
        out.write_all(shown(&staleness, is_being_built, format).as_bytes())?;
        Ok(if staleness.is_stale() { Status::NothingFound } else { Status::Success })
    })?;
    Ok(Status::all(&statuses))
}

fn shown(staleness: &Staleness, is_being_built: bool, format: Format) -> String {
    match format {
        Format::Text if is_being_built => format!("{NOT_YET}\n"),
        Format::Text => text(staleness) + "\n",
        Format::Json => json::line(&Record {
            stale: staleness.is_stale(),
            indexed: !staleness.is_absent,
            other_version: staleness.is_other,
            changed_files: staleness.changed_files,
            new_files: staleness.new_files,
            removed_files: staleness.removed_files,
            manifests_changed: staleness.manifests_changed,
            head_changed: staleness.head_changed,
        }),
    }
}

fn text(staleness: &Staleness) -> String {
    if !staleness.is_stale() {
        return "the index is up to date".to_owned();
    }
    if staleness.is_absent {
        return "no index; `knowing index` builds it".to_owned();
    }
    if staleness.is_other {
        return "the index has to be built again; `knowing index` does".to_owned();
    }
    let Staleness { changed_files, new_files, removed_files, .. } = *staleness;
    let kinds = [(changed_files, "changed"), (new_files, "new"), (removed_files, "removed")];
    let mut parts: Vec<String> = (kinds.into_iter().filter(|(files, _)| *files > 0))
        .map(|(files, kind)| count(files, &format!("{kind} file")))
        .collect();
    if staleness.manifests_changed {
        parts.push("manifests or owners changed".to_owned());
    }
    if staleness.head_changed {
        parts.push("the checked-out commit or the history changed".to_owned());
    }
    format!("the index is behind: {}", parts.join(", "))
}
