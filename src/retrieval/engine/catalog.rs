//! The catalog of a repository, kept in the database until its index or a README changes.

use super::{Engine, EngineError};
use crate::catalog::{CATALOG_VERSION, Catalog, readmes};
use crate::store::{StoreError, cache_put};

/// Kind of the cached value.
const KIND: &str = "catalog";

impl Engine {
    /// Returns the catalog of the last complete index.
    ///
    /// # Errors
    /// When there is no complete index, or it or the git repository can't be read.
    pub fn catalog(&self) -> Result<Catalog, EngineError> {
        let reader = self.reader()?;
        let readmes = readmes(&reader, self.root())?;
        let mut hasher = blake3::Hasher::new();
        for text in &readmes {
            hasher.update(blake3::hash(text.as_bytes()).as_bytes());
        }
        let state = reader.state()?.unwrap_or_default();
        let key = format!("{CATALOG_VERSION} {state} {}", hasher.finalize().to_hex());
        let cached: Option<Vec<u8>> = reader.cache_get(KIND, &key)?;
        if let Some(Ok(catalog)) = cached.map(|bytes| Catalog::from_bytes(&bytes)) {
            return Ok(catalog);
        }
        let catalog = Catalog::new(&reader, &readmes)?;
        match cache_put(reader.path(), KIND, &key, &catalog.to_bytes(), 1) {
            // Where the database can't be written now, the catalog is made again.
            Ok(()) | Err(StoreError::ReadOnly { .. } | StoreError::Device { .. } | StoreError::Busy { .. }) => {
                Ok(catalog)
            }
            Err(error) => Err(error.into()),
        }
    }
}
