//! Catalogs: what repositories are about, in few bytes, and the choice of the repositories that a task concerns.
//!
//! A [`Catalog`] has the terms of one repository (names, paths, comments, bodies, README, packages, concepts) with the number
//! of symbols that have each, at most [`MAX_CATALOG_BYTES`]. A [`Router`] ranks repositories by the catalogs alone, before
//! any index is fetched. A catalog of a share is untrusted: it is checked when it is read, and can only misdirect a task.

mod codec;
mod collect;
mod error;
mod field;
mod router;
mod select;
#[cfg(test)]
mod tests;

use std::path::Path;

pub use codec::{CATALOG_VERSION, MAX_CATALOG_BYTES};
pub use error::CatalogError;
pub use field::Field;
pub use router::{Match, Route, Router, RouterConfig};

use codec::Terms;
use field::Counts;

use crate::scan;
use crate::store::Reader;
use crate::text::path::parent_dir;

/// The terms of one repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Catalog {
    /// The repository's id, such as `github.com/pallets/flask`.
    repository: String,
    /// When the newest indexed commit was made, in seconds since 1970; 0 without history.
    as_of: i64,
    /// Packages that the repository defines, sorted.
    packages: Vec<String>,
    /// Number of occurrences of terms in each field, of those that were left out too.
    lengths: Counts,
    terms: Terms,
}

/// A term with the number of symbols or texts that have it, by field.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Term {
    text: Box<str>,
    counts: Counts,
}

impl Catalog {
    /// Makes the catalog of an indexed repository with these README files.
    ///
    /// # Errors
    /// When the index can't be read.
    pub fn new(reader: &Reader, readmes: &[String]) -> Result<Catalog, CatalogError> {
        Ok(select::within_limit(collect::collect(reader, readmes)?))
    }

    /// Returns the repository's id, such as `github.com/pallets/flask`.
    pub fn repository(&self) -> &str {
        &self.repository
    }

    /// Returns the packages that the repository defines, sorted.
    pub fn packages(&self) -> &[String] {
        &self.packages
    }

    /// Returns when the newest indexed commit was made, in seconds since 1970; 0 without history.
    pub fn as_of(&self) -> i64 {
        self.as_of
    }

    /// Returns a catalog of the terms of others that `keep` accepts, for simulations. A kept term has the counts of the
    /// first that has it, and none in [`Field::Package`].
    pub fn mixture(repository: String, parts: &[&Catalog], mut keep: impl FnMut() -> bool) -> Catalog {
        let mut terms: Vec<Term> = parts.iter().flat_map(|part| part.terms.iter()).filter(|_| keep()).collect();
        terms.iter_mut().for_each(|term| term.counts[Field::Package as usize] = 0);
        terms.retain(|term| term.counts != Counts::default());
        terms.sort_by(|one, two| one.text.cmp(&two.text));
        terms.dedup_by(|one, two| one.text == two.text);
        let mut lengths = Counts::default();
        for term in &terms {
            lengths.iter_mut().zip(term.counts).for_each(|(length, count)| *length = length.saturating_add(count));
        }
        Catalog { repository, as_of: 0, packages: Vec::new(), lengths, terms: Terms::pack(&terms) }
    }

    /// Returns the number of terms.
    pub fn term_count(&self) -> usize {
        self.terms.count()
    }
}

/// Returns the README files of a repository: of its root, and of the folders of its manifests.
///
/// # Errors
/// When the index or the git repository can't be read.
pub fn readmes(reader: &Reader, root: &Path) -> Result<Vec<String>, CatalogError> {
    let manifests = reader.manifests()?;
    let folders: Vec<&str> = std::iter::once("").chain(manifests.iter().map(|(path, _)| parent_dir(path))).collect();
    Ok(scan::readmes(root, &folders)?)
}
