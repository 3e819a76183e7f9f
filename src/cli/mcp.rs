//! `knowing mcp`: serves coding agents by the Model Context Protocol.

use std::net::SocketAddr;

use clap::Args;

use super::consent;
use super::exit::{CliError, Status};
use super::session::Session;
use crate::exchange::is_journal_enabled;
use crate::mcp::{self, HttpOptions, ServeError, ServeOptions};

/// Serve coding agents by the Model Context Protocol
///
/// It is served over standard input and output. Two tools: knowing_context (the code that matters for a task, changed files or
/// a revision) and knowing_symbol. The indexes are built and kept current by the server. It answers about one repository or
/// several (--repo, --workspace), and about any checkout that a request names by its path. Requests are recorded in the data folder, with their tasks, for the
/// explorer and for you alone; KNOWING_JOURNAL=off or `[agents] journal = false` in config.toml switches that off.
#[derive(Debug, Args)]
pub struct McpArguments {
    /// Listen at an address such as 127.0.0.1:7333, by HTTP; the path is /mcp
    ///
    /// Every request needs a bearer token: the one in KNOWING_MCP_TOKEN, or else a random one, which is printed.
    #[arg(long, value_name = "ADDR")]
    pub http: Option<SocketAddr>,
    /// Let other machines connect. The connection is not encrypted
    #[arg(long, requires = "http")]
    pub allow_remote: bool,
    /// Answer with text alone, for clients that show an agent both forms of an answer
    ///
    /// By default an answer has the same content as text and as structured content, since most clients show only one.
    #[arg(long)]
    pub text_only: bool,
    /// Write messages to standard error
    #[arg(long)]
    pub verbose: bool,
}

/// Serves until the client closes the connection.
///
/// # Errors
/// When the folder can't be used, or the server can't start.
pub fn run(session: &Session, arguments: &McpArguments) -> Result<Status, CliError> {
    let &McpArguments { http, allow_remote, text_only, verbose } = arguments;
    let http = http.map(|address| HttpOptions { address, allow_remote });
    let prepare = session.prepare()?;
    let workspace = session.workspace_with(&[], &prepare)?;
    // Standard input is the client's.
    workspace.members().iter().for_each(|member| consent::note_scip(session, member.engine()));
    let has_journal = is_journal_enabled().unwrap_or_else(|error| {
        session.note(&format!("requests are not recorded: {error}"));
        false
    });
    let (prepare, consents): (mcp::Prepare, bool) = (Box::new(prepare), session.yes);
    match mcp::serve(ServeOptions { workspace, prepare, consents, http, text_only, has_journal, verbose }) {
        Ok(()) => Ok(Status::Success),
        Err(error @ (ServeError::Remote { .. } | ServeError::WithoutHttp)) => Err(CliError::Usage(error.to_string())),
        Err(error) => Err(CliError::Unusable(error.into())),
    }
}
