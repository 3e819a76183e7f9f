//! Errors of catalogs.

use thiserror::Error;

use crate::scan::history::HistoryError;
use crate::store::StoreError;

/// A catalog that can't be made or read.
#[derive(Debug, Error)]
pub enum CatalogError {
    #[error("it is larger than 200 kB")]
    TooLarge,
    #[error("it is of another version")]
    Version,
    #[error("it is not as it was written")]
    Damaged,
    #[error("its {0} is impossible")]
    Impossible(&'static str),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    History(#[from] HistoryError),
}
