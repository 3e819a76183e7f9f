//! All SQL: the SQLite store.
