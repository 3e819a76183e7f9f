//! Every integration test, in one binary.

// What an enemy might put into a repository.
mod hostile;
// The rules of the house, read from its own source.
mod tidy;
// The explorer on a pseudo-terminal.
mod tui;
