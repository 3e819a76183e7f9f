//! Packs as text, one format to a file.
