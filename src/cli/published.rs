//! Notes about published indexes.

use super::exit::CliError;
use super::session::Session;
use crate::engine::{Engine, PublishReport};
use crate::text::display::{bytes, safe, thousands};

/// Number of letters of a commit that are shown.
const COMMIT_LETTERS: usize = 12;

/// Publishes the engine's index, or lists what would be published.
///
/// # Errors
/// When files differ from the commit, or the share can't be written.
pub fn publish(session: &Session, engine: &Engine, url: &str, dry_run: bool) -> Result<(), CliError> {
    if dry_run {
        return list(session, engine, url);
    }
    let PublishReport { commit, is_known, compressed_bytes } = engine.publish(url)?;
    let commit = short(&commit);
    session.note(&match is_known {
        true => format!("the index of {commit} is already published"),
        false => format!("published the index of {commit} ({})", bytes(compressed_bytes)),
    });
    Ok(())
}

fn list(session: &Session, engine: &Engine, url: &str) -> Result<(), CliError> {
    let outline = engine.publish_outline()?;
    let (url, commit) = (safe(url), short(&outline.commit));
    session.note(&format!("would publish to {url} the index of {commit} of {}:", safe(&outline.repository)));
    let count = |count: usize| thousands(count);
    session.note(&format!(
        "names, signatures, comments and words of {} symbols in {} files; subjects of {} commits",
        count(outline.symbols),
        count(outline.paths.len()),
        count(outline.commits)
    ));
    session.note(&format!(
        "a catalog ({}): {} of these words, and those of {} README files",
        bytes(outline.catalog_bytes as u64),
        count(outline.catalog_terms),
        count(outline.readmes)
    ));
    session.note("not published: feedback, tasks, names of authors, paths of this machine, times of files");
    outline.paths.iter().for_each(|path| session.note(&safe(path)));
    Ok(())
}

fn short(commit: &str) -> &str {
    commit.get(..COMMIT_LETTERS).unwrap_or(commit)
}
