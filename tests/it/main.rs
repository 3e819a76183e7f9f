//! Every integration test, in one binary.

// The explorer on a pseudo-terminal.
mod tui;
