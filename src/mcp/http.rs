//! The server over HTTP: loopback only unless told otherwise, with a token, and without pages of browsers.
//!
//! A web page must not reach the server: requests with an `Origin` other than the server's own address are refused, as
//! are requests with a foreign `Host` (DNS rebinding). Every request needs the token.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, combinators::BoxBody};
use hyper::body::{Body, Bytes, Incoming};
use hyper::header::{AUTHORIZATION, HOST, HeaderValue, ORIGIN, WWW_AUTHENTICATE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::{TcpListener, TcpStream};

use super::connections::{Connections, Entry};
use super::http_body::{self, MAX_BODY_BYTES, plain};
use super::log::Log;
use super::server::Server;
use super::{HttpOptions, ServeError};

/// The environment variable with the token; without it a random one is printed.
const TOKEN_VARIABLE: &str = "KNOWING_MCP_TOKEN";

/// The only path that is served.
const PATH: &str = "/mcp";
/// Minimum length of a token of the user.
const MIN_TOKEN_BYTES: usize = 16;
/// Random bytes of a token.
const TOKEN_BYTES: usize = 24;
/// Time to read the header of a request, from the end of the one before it.
const MAX_HEADER_TIME: Duration = Duration::from_secs(30);

/// The library's service.
pub type Service = StreamableHttpService<Server, LocalSessionManager>;
/// A response.
pub type Reply = Response<BoxBody<Bytes, Infallible>>;

/// Listens and serves until the process ends.
///
/// # Errors
/// When the address is not allowed or can't be used.
pub async fn serve(server: Server, options: HttpOptions, log: Log) -> Result<(), ServeError> {
    let HttpOptions { address, allow_remote } = options;
    if !address.ip().is_loopback() && !allow_remote {
        return Err(ServeError::Remote { address });
    }
    let listener = TcpListener::bind(address).await.map_err(|cause| ServeError::Listen { address, cause })?;
    let address = listener.local_addr().map_err(|cause| ServeError::Listen { address, cause })?;
    let token: Arc<str> = token(log)?.into();
    log.notify(&format!("serving http://{address}{PATH}"));
    let service = service(server, address, allow_remote);
    let connections = Connections::default();
    loop {
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                log.write(&format!("a connection failed: {error}"));
                // Out of file descriptors, for example; accepting again at once would fail again.
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let Some(entry) = connections.enter() else {
            log.write("a connection was closed: every other one serves a request");
            continue;
        };
        let number = entry.number();
        let task = tokio::spawn(connection(stream, service.clone(), Arc::clone(&token), entry, log));
        connections.attach(number, task.abort_handle());
    }
}

fn service(server: Server, address: SocketAddr, allow_remote: bool) -> Service {
    let own = |host: &str| format!("http://{host}:{}", address.port());
    let ip = match address {
        SocketAddr::V4(v4) => v4.ip().to_string(),
        SocketAddr::V6(v6) => format!("[{}]", v6.ip()),
    };
    let origins = [own("localhost"), own("127.0.0.1"), own("[::1]"), own(&ip)];
    let config = StreamableHttpServerConfig::default()
        .with_allowed_origins(origins)
        .enforce_origin_validation()
        .with_max_request_body_bytes(MAX_BODY_BYTES);
    // A remote client uses a name of this machine that is not known here; the token remains.
    let config = if allow_remote { config.disable_allowed_hosts() } else { config };
    StreamableHttpService::new(move || Ok(server.clone()), Arc::new(LocalSessionManager::default()), config)
}

async fn connection(stream: TcpStream, service: Service, token: Arc<str>, entry: Entry, log: Log) {
    let entry = &entry;
    let answer = service_fn(move |request: Request<Incoming>| {
        let (service, token) = (service.clone(), Arc::clone(&token));
        async move {
            if let Some(refusal) = refusal(&request, &token) {
                return Ok::<Reply, Infallible>(refusal);
            }
            Ok(answer(&service, request, entry).await)
        }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(MAX_HEADER_TIME);
    if let Err(error) = builder.serve_connection(TokioIo::new(stream), answer).await {
        log.write(&format!("a connection ended: {error}"));
    }
}

/// Answers a request with the token. The connection is busy from the end of the request to that of the response.
async fn answer(service: &Service, request: Request<Incoming>, entry: &Entry) -> Reply {
    let (parts, body) = request.into_parts();
    let bytes = match http_body::read(body).await {
        Ok(bytes) => bytes,
        Err(refusal) => return refusal,
    };
    let serving = entry.serving();
    let reply = http_body::answer(service, parts, bytes).await;
    // Only a stream of events has no known size.
    if reply.body().size_hint().exact().is_some() {
        return reply;
    }
    reply.map(|body| {
        let frame = move |frame| {
            let _until_the_end = &serving;
            frame
        };
        body.map_frame(frame).boxed()
    })
}

/// Returns the response to a request that is not served.
fn refusal<B>(request: &Request<B>, token: &str) -> Option<Reply> {
    let headers = request.headers();
    // Which of two is checked and which is meant could differ.
    if [HOST, ORIGIN, AUTHORIZATION].iter().any(|name| headers.get_all(name).iter().count() > 1) {
        return Some(plain(StatusCode::BAD_REQUEST, "only one Host, Origin and Authorization header each"));
    }
    if !has_token(request, token) {
        let mut reply =
            plain(StatusCode::UNAUTHORIZED, "a bearer token is needed; knowing mcp prints it when it starts");
        reply.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        return Some(reply);
    }
    (request.uri().path() != PATH).then(|| plain(StatusCode::NOT_FOUND, "only /mcp is served"))
}

/// Returns whether a request has the token. The comparison takes the same time wherever the tokens differ.
fn has_token<B>(request: &Request<B>, token: &str) -> bool {
    let given = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let given =
        given.and_then(|value| value.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    // Hashes compare in constant time.
    given.is_some_and(|(_, given)| blake3::hash(given.trim().as_bytes()) == blake3::hash(token.as_bytes()))
}

/// Returns the token of the environment, or prints a random one.
fn token(log: Log) -> Result<String, ServeError> {
    if let Ok(token) = std::env::var(TOKEN_VARIABLE) {
        return user_token(&token);
    }
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(|error| ServeError::Token(std::io::Error::other(error.to_string())))?;
    let token = hex::encode(bytes);
    log.notify(&format!("token {token}"));
    Ok(token)
}

/// Returns a token of the user without the space around it, which a file's last line break leaves and requests can't
/// have.
fn user_token(text: &str) -> Result<String, ServeError> {
    let token = text.trim();
    if token.len() < MIN_TOKEN_BYTES {
        let reason = format!("{TOKEN_VARIABLE} has fewer than {MIN_TOKEN_BYTES} bytes");
        return Err(ServeError::Token(std::io::Error::new(std::io::ErrorKind::InvalidInput, reason)));
    }
    Ok(token.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn space_around_the_token_is_left_out() {
        let token = user_token("secret-secret-secret\n").unwrap();
        let request = Request::builder().header(AUTHORIZATION, "Bearer secret-secret-secret").body(()).unwrap();
        assert!(has_token(&request, &token));
        assert!(user_token("short              \n").is_err());
    }

    #[test]
    fn a_request_needs_the_token() {
        let request = |value: Option<&str>| {
            let mut request = Request::new(());
            if let Some(value) = value {
                request.headers_mut().insert(AUTHORIZATION, value.parse().unwrap());
            }
            has_token(&request, "secret-secret-secret")
        };
        assert!(request(Some("Bearer secret-secret-secret")));
        assert!(request(Some("bearer  secret-secret-secret ")));
        for wrong in [None, Some("Bearer"), Some("Bearer x"), Some("Basic secret-secret-secret"), Some("secret")] {
            assert!(!request(wrong), "{wrong:?}");
        }
    }
}
