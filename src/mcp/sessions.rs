//! Remembers what each client has been sent, so that it gets the rest without a repetition. A client is a connection over standard
//! input, or a session over HTTP.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use parking_lot::Mutex;
use rmcp::RoleServer;
use rmcp::service::RequestContext;

use super::arguments::ContextArguments;
use crate::model::{Detail, Seen, SymbolId};

/// The parts of answers that a client has been sent for one request.
#[derive(Debug, Clone, Default)]
pub struct Sent {
    /// The symbols of a pack.
    pub symbols: BTreeMap<SymbolId, Seen>,
    /// The parts of the answers to questions; a request about a name that several symbols have is one for each.
    pub answers: BTreeMap<String, SentAnswer>,
}

/// The parts of the answer to one question.
#[derive(Debug, Clone, Default)]
pub struct SentAnswer {
    pub symbols: BTreeSet<SymbolId>,
    /// The files and numbers of the lines that name the subject.
    pub lines: BTreeSet<(String, u32)>,
}

impl Sent {
    /// Adds what was sent later.
    pub fn extend(&mut self, later: Sent) {
        self.symbols.extend(later.symbols);
        for (question, SentAnswer { symbols, lines }) in later.answers {
            let known = self.answers.entry(question).or_default();
            known.symbols.extend(symbols);
            known.lines.extend(lines);
        }
    }
}

/// Limit of the requests that are remembered, of all clients.
const MAX_REQUESTS: usize = 64;
/// The header of a session.
#[cfg(feature = "http")]
const SESSION_HEADER: &str = "mcp-session-id";

/// The last requests of all clients. Clones share them.
#[derive(Clone, Default)]
pub struct Sessions(Arc<Mutex<VecDeque<Answered>>>);

/// A request, and what was sent for it.
struct Answered {
    key: RequestKey,
    budget: usize,
    sent: Sent,
}

/// A client and its request.
#[derive(Clone, PartialEq, Eq)]
pub struct RequestKey {
    session: String,
    request: String,
}

impl RequestKey {
    /// Returns the key of a request; `None` if the client can't be told from others.
    pub fn new(session: Option<&str>, arguments: &ContextArguments) -> Option<RequestKey> {
        let request = format!("{:?} {:?}", arguments.project, arguments.request);
        Some(RequestKey { session: session?.to_owned(), request })
    }
}

/// Returns the session of a request: an empty one over standard input, `None` over HTTP without a session.
#[cfg(feature = "http")]
pub fn session(context: &RequestContext<RoleServer>) -> Option<String> {
    match context.extensions.get::<hyper::http::request::Parts>() {
        None => Some(String::new()),
        Some(parts) => parts.headers.get(SESSION_HEADER)?.to_str().ok().map(str::to_owned),
    }
}

/// Returns the session of a request: an empty one, since only one client is at the other end of standard input.
#[cfg(not(feature = "http"))]
pub fn session(_context: &RequestContext<RoleServer>) -> Option<String> {
    Some(String::new())
}

impl Sessions {
    /// Returns what the client has of a request that asks for more than before. A repeated request gets the same answer:
    /// it may be that of a sub-agent, which has seen nothing.
    pub fn seen(&self, key: Option<&RequestKey>, arguments: &ContextArguments) -> Sent {
        let answered = self.0.lock();
        let earlier = answered.iter().find(|answered| Some(&answered.key) == key);
        let asks_more = |earlier: &&Answered| {
            let is_larger = arguments.asks_rest || arguments.budget > earlier.budget;
            arguments.detail == Detail::More && is_larger && arguments.renderer.has_digest()
        };
        earlier.filter(asks_more).map(|earlier| earlier.sent.clone()).unwrap_or_default()
    }

    /// Remembers what was sent.
    pub fn record(&self, key: Option<RequestKey>, arguments: &ContextArguments, sent: &Sent) {
        let Some(key) = key else { return };
        let mut answered = self.0.lock();
        let known = answered.iter().position(|answered| answered.key == key);
        let known = known.and_then(|index| answered.remove(index));
        let mut all = match (known, arguments.detail) {
            (Some(known), Detail::More) => known.sent,
            _ => Sent::default(),
        };
        all.extend(sent.clone());
        answered.push_front(Answered { key, budget: arguments.budget, sent: all });
        answered.truncate(MAX_REQUESTS);
    }
}
