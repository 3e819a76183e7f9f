//! `knowing mcp`: serves coding agents by the Model Context Protocol.

use std::net::{Ipv4Addr, SocketAddr};

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
    /// Listen at an address such as 127.0.0.1:7333 or localhost:7333, or at a port of this machine, by HTTP; the path is /mcp
    ///
    /// Every request needs a bearer token: the one in KNOWING_MCP_TOKEN, or else a random one, which is printed.
    #[arg(long, value_name = "ADDR", value_parser = address)]
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

/// The value of `--http` is malformed.
#[derive(Debug, thiserror::Error)]
#[error("an address is like 127.0.0.1:7333, localhost:7333, [::1]:7333, or a port alone")]
struct AddressError;

/// Returns the address of a text; a port alone, and one of `localhost`, is of this machine.
fn address(text: &str) -> Result<SocketAddr, AddressError> {
    let port = text.strip_prefix("localhost:").or_else(|| text.strip_prefix(':')).unwrap_or(text);
    match port.parse::<u16>() {
        Ok(port) => Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port))),
        Err(_) => text.parse().map_err(|_| AddressError),
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_one_of_this_machine() {
        for text in ["7398", ":7398", "localhost:7398", "127.0.0.1:7398"] {
            assert_eq!(address(text).unwrap(), "127.0.0.1:7398".parse().unwrap(), "{text}");
        }
        assert_eq!(address("0.0.0.0:80").unwrap(), "0.0.0.0:80".parse().unwrap());
        for text in ["", ":", "host:7398", "localhost", "70000", "127.0.0.1"] {
            assert!(address(text).unwrap_err().to_string().contains("127.0.0.1:7333"), "{text}");
        }
    }
}
