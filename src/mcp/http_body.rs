//! The bodies of requests over HTTP: read within limits, and checked as over standard input. What the protocol's library
//! would answer with an HTTP status alone gets the error of JSON-RPC.

use std::time::Duration;

use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Bytes};
use hyper::header::{ACCEPT, CONTENT_TYPE, HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ErrorCode, JsonRpcMessage, ProtocolVersion};
use serde_json::Value;

use super::framing::{IdFinder, Incoming, MAX_MESSAGE_BYTES, Refusal, check, parse};
use super::http::{Reply, Service};
use super::pipes::{BATCH_VERSION, batch_refusals};

/// Limit of a request's body.
pub const MAX_BODY_BYTES: usize = 4 << 20;
/// Time to read it.
const MAX_BODY_TIME: Duration = Duration::from_secs(30);
/// The header with the version of the protocol. Clients of the version with batches do not send it.
const VERSION_HEADER: &str = "mcp-protocol-version";

/// Reads a body.
///
/// # Errors
/// The response to a body that is too large, or that does not arrive in time.
pub async fn read<B: Body<Data = Bytes> + Unpin>(body: B) -> Result<Bytes, Reply> {
    match tokio::time::timeout(MAX_BODY_TIME, collect(body)).await {
        Ok(read) => read,
        Err(_) => Err(plain(StatusCode::REQUEST_TIMEOUT, "the request did not arrive in time")),
    }
}

async fn collect<B: Body<Data = Bytes> + Unpin>(mut body: B) -> Result<Bytes, Reply> {
    let mut bytes = Vec::new();
    let (mut total, mut finder) = (0, IdFinder::default());
    while let Some(frame) = body.frame().await {
        let failed = |_| plain(StatusCode::BAD_REQUEST, "the request ended early");
        let Ok(data) = frame.map_err(failed)?.into_data() else { continue };
        total += data.len();
        finder.read(&data);
        if total <= MAX_BODY_BYTES {
            bytes.extend_from_slice(&data);
        } else if total > MAX_MESSAGE_BYTES {
            break;
        }
    }
    if total > MAX_BODY_BYTES {
        let refusal = Refusal::too_large(finder.id(), MAX_BODY_BYTES);
        return Err(json(StatusCode::PAYLOAD_TOO_LARGE, &refusal.response()));
    }
    Ok(bytes.into())
}

/// Answers a request.
pub async fn answer(service: &Service, mut parts: Parts, bytes: Bytes) -> Reply {
    accept_answers(&mut parts.headers);
    if parts.method != Method::POST {
        return service.handle(Request::from_parts(parts, Full::new(bytes))).await;
    }
    match parse(&bytes) {
        Incoming::Refused(refusal) => json(status(&refusal, &parts.headers), &refusal.response()),
        Incoming::Batch(members) => answer_batch(service, &parts, members).await,
        Incoming::Message(_) => service.handle(Request::from_parts(parts, Full::new(bytes))).await,
        Incoming::Ignored => {
            let refusal = Refusal::invalid(Value::Null, "the body is not a message of the protocol");
            json(StatusCode::BAD_REQUEST, &refusal.response())
        }
    }
}

/// Lets a request whose client takes every type, as clients do that say nothing of it, accept both forms of an answer: the library
/// wants them by name.
fn accept_answers(headers: &mut HeaderMap) {
    let mut given = headers.get_all(ACCEPT).iter().peekable();
    let takes_all = given.peek().is_none() || given.any(|value| value.as_bytes().windows(3).any(|part| part == b"*/*"));
    if takes_all {
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    }
}

/// Answers the members of a batch one after another.
async fn answer_batch(service: &Service, parts: &Parts, members: Vec<Value>) -> Reply {
    let version = parts.headers.get(VERSION_HEADER);
    if members.is_empty() || version.is_some_and(|version| version != BATCH_VERSION) {
        let refusals = batch_refusals(&members);
        return match refusals.as_slice() {
            [refusal] => json(StatusCode::BAD_REQUEST, &refusal.response()),
            several => json(StatusCode::BAD_REQUEST, &several.iter().map(Refusal::response).collect()),
        };
    }
    let mut answers = Vec::new();
    for member in members {
        let bytes = Bytes::from(member.to_string());
        match check(member) {
            Incoming::Refused(refusal) => answers.push(refusal.response()),
            Incoming::Message(message) if is_handshake(&message) => {
                let id = message.into_request().map(|(_, id)| id.into_json_value()).unwrap_or_default();
                answers.push(Refusal::invalid(id, "`initialize` must not be in a batch").response());
            }
            Incoming::Message(_) => {
                let reply = service.handle(Request::from_parts(parts.clone(), Full::new(bytes))).await;
                if reply.status().is_client_error() || reply.status().is_server_error() {
                    return reply;
                }
                answers.extend(messages(reply).await);
            }
            Incoming::Ignored | Incoming::Batch(_) => {}
        }
    }
    match answers.is_empty() {
        true => plain(StatusCode::ACCEPTED, ""),
        false => json(StatusCode::OK, &Value::Array(answers)),
    }
}

fn is_handshake(message: &ClientJsonRpcMessage) -> bool {
    matches!(message, JsonRpcMessage::Request(request)
        if matches!(request.request, ClientRequest::InitializeRequest(_)))
}

/// Returns the responses in a reply, which is JSON or a stream of events.
async fn messages(reply: Reply) -> Vec<Value> {
    let Ok(body) = reply.into_body().collect().await;
    let bytes = body.to_bytes();
    if let Ok(message) = serde_json::from_slice(&bytes) {
        return vec![message];
    }
    let text = String::from_utf8_lossy(&bytes);
    let data = text.lines().filter_map(|line| line.strip_prefix("data:"));
    let messages = data.filter_map(|data| serde_json::from_str(data.trim()).ok());
    messages.filter(|message: &Value| message.get("id").is_some() && message.get("method").is_none()).collect()
}

/// Returns the HTTP status of an error. To a client with a handshake, 404 would mean that its session has ended.
fn status(refusal: &Refusal, headers: &HeaderMap) -> StatusCode {
    let version = headers.get(VERSION_HEADER).and_then(|version| version.to_str().ok()).unwrap_or_default();
    match refusal.error.code {
        ErrorCode::METHOD_NOT_FOUND if version < ProtocolVersion::NO_INITIALIZE.as_str() => StatusCode::OK,
        ErrorCode::METHOD_NOT_FOUND => StatusCode::NOT_FOUND,
        _ => StatusCode::BAD_REQUEST,
    }
}

/// Returns a response with a line of text.
pub fn plain(status: StatusCode, text: &str) -> Reply {
    let line = if text.is_empty() { String::new() } else { format!("{text}\n") };
    response(status, "text/plain", line)
}

fn json(status: StatusCode, value: &Value) -> Reply {
    response(status, "application/json", value.to_string())
}

fn response(status: StatusCode, content_type: &'static str, text: String) -> Reply {
    let mut reply = Response::new(Full::from(text).boxed());
    *reply.status_mut() = status;
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    reply
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_means_both_forms_of_an_answer() {
        const BOTH: &str = "application/json, text/event-stream";
        for (given, expected) in
            [(None, BOTH), (Some("*/*"), BOTH), (Some("text/html, */*;q=0.8"), BOTH), (Some("text/html"), "text/html")]
        {
            let mut headers = HeaderMap::new();
            headers.extend(given.map(|given| (ACCEPT, HeaderValue::from_static(given))));
            accept_answers(&mut headers);
            assert_eq!(headers[ACCEPT], expected, "{given:?}");
        }
    }
}
