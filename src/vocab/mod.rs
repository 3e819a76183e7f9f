//! Loads the vocabulary under `seeds/`.
