//! A server of the Model Context Protocol: coding agents as clients of the engine, over standard input and output or
//! over HTTP.
//!
//! [`Server`] maps the protocol to two tools and three resources; [`Projects`] selects the repositories of a request, each
//! of which `served` keeps current and loaded between requests; `context` and `symbol` compute the answers, and `sessions`
//! remembers what each client has. Requests are recorded in the journal of `exchange`, and a person's pins and drops are
//! read from there.
//!
//! The only module that opens a network connection: `http` listens when asked, on loopback unless told otherwise.
//! Standard output has nothing but the protocol.

mod answer;
mod arguments;
#[cfg(feature = "http")]
mod connections;
mod context;
mod edits;
mod framing;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "http")]
mod http_body;
mod index_state;
mod job;
mod log;
mod pipes;
mod projects;
mod resources;
mod server;
mod sessions;
mod structured;
mod symbol;
mod tools;
mod served;

use std::net::SocketAddr;

use rmcp::ServiceExt;
use rmcp::model::ProtocolVersion;
use rmcp::transport::io::stdio_pipes;

use crate::workspace::Workspace;
use log::Log;
use pipes::Pipes;
pub use projects::Prepare;
use projects::Projects;
use server::Server;
pub use tools::reading;

/// The oldest and the newest version of the protocol that the server speaks.
pub const PROTOCOL_VERSIONS: [ProtocolVersion; 2] = [ProtocolVersion::V_2024_11_05, ProtocolVersion::LATEST];

/// Options of the server.
pub struct ServeOptions {
    pub workspace: Workspace,
    /// Sets the options of the engine of a project that a request names by its path.
    pub prepare: Prepare,
    /// Whether a folder that is more than a project may be indexed.
    pub consents: bool,
    /// The address to listen at; standard input and output if `None`.
    pub http: Option<HttpOptions>,
    /// Whether answers have no structured content.
    pub text_only: bool,
    /// Whether requests are recorded.
    pub has_journal: bool,
    /// Whether messages are written to standard error.
    pub verbose: bool,
}

/// Options of the server over HTTP.
#[derive(Debug, Clone, Copy)]
pub struct HttpOptions {
    pub address: SocketAddr,
    /// Whether the address may be another than loopback.
    pub allow_remote: bool,
}

/// An error that ends the server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("{address} can be reached from other machines; use 127.0.0.1, or add --allow-remote")]
    Remote { address: SocketAddr },
    #[error(
        "this program was built without the server over HTTP: install it with --features http, or serve over standard input and output"
    )]
    WithoutHttp,
    #[error("can't listen at {address}: {cause}")]
    Listen { address: SocketAddr, cause: std::io::Error },
    #[error("can't create a token: {0}")]
    Token(std::io::Error),
    #[error("can't start: {0}")]
    Start(#[from] std::io::Error),
    #[error("the connection failed: {0}")]
    Connection(String),
}

/// Serves until the client closes the connection, or until Ctrl-C.
///
/// # Errors
/// When the server can't start, or the client does not follow the protocol.
pub fn serve(options: ServeOptions) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().thread_name("knowing-mcp").build()?;
    let log = Log::new(options.verbose);
    // A client on another machine names no folders of this one.
    let is_remote = options.http.is_some_and(|http| !http.address.ip().is_loopback());
    let prepare = Some(options.prepare).filter(|_| !is_remote);
    let projects = Projects::new(options.workspace, options.consents, prepare);
    let server = Server::new(projects, options.text_only, options.has_journal, log);
    let result = runtime.block_on(async {
        tokio::select! {
            result = connect(server.clone(), options.http, log) => result,
            _interrupted = tokio::signal::ctrl_c() => Ok(()),
        }
    });
    // A thread that waits for standard input never ends.
    runtime.shutdown_background();
    server.end();
    result
}

async fn connect(server: Server, http: Option<HttpOptions>, log: Log) -> Result<(), ServeError> {
    if let Some(options) = http {
        return over_http(server, options, log).await;
    }
    log.write("serving over standard input and output");
    let (input, output) = stdio_pipes();
    match server.serve(Pipes::new(input, output)).await {
        Ok(running) => {
            let ended = running.waiting().await;
            ended.map(|_| ()).map_err(|error| ServeError::Connection(error.to_string()))
        }
        // A client that only looks whether the program starts.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(ServeError::Connection(error.to_string())),
    }
}

#[cfg(feature = "http")]
async fn over_http(server: Server, options: HttpOptions, log: Log) -> Result<(), ServeError> {
    http::serve(server, options, log).await
}

#[cfg(not(feature = "http"))]
async fn over_http(_server: Server, _options: HttpOptions, _log: Log) -> Result<(), ServeError> {
    Err(ServeError::WithoutHttp)
}
