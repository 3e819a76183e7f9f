//! One file for each subcommand.
