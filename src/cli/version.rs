//! `knowing --version`: the program's version and commit, and the versions of what it reads and speaks.

use std::sync::LazyLock;

use crate::engine::{ENGINE_VERSION, SCHEMA_VERSION};
use crate::mcp::PROTOCOL_VERSIONS;

/// The version, the commit if the build knows it, the version of the database (its schema and the analysis that fills it),
/// and the versions of the Model Context Protocol, the oldest and the newest.
static LONG: LazyLock<String> = LazyLock::new(|| {
    let commit = option_env!("KNOWING_COMMIT").map(|commit| format!("commit {commit}\n")).unwrap_or_default();
    let [oldest, newest] = PROTOCOL_VERSIONS;
    format!(
        "{}\n{commit}database {SCHEMA_VERSION}.{ENGINE_VERSION}\nModel Context Protocol {oldest} to {newest}",
        env!("CARGO_PKG_VERSION")
    )
});

/// Returns the text of `--version` after the program's name.
pub fn long() -> &'static str {
    &LONG
}
