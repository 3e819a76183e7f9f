//! Runs scan, parse, resolve, graph and store, and reports progress.
