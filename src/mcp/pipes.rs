//! The transport over standard input and output: one message a line, each with an answer if it has an id.

use std::collections::{HashSet, VecDeque};
use std::io;
use std::sync::Arc;
use std::time::Duration;

use rmcp::RoleServer;
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ClientRequest, GetMeta, JsonRpcMessage, RequestId, ServerJsonRpcMessage,
    ServerResult,
};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

use super::framing::{IdFinder, Incoming, MAX_MESSAGE_BYTES, Refusal, check, parse};

/// The only version of the protocol that has batches.
pub const BATCH_VERSION: &str = "2025-03-26";
/// Time to write the last answer when the connection ends.
const MAX_CLOSE: Duration = Duration::from_secs(2);

/// The transport. It checks what the protocol's library would drop.
pub struct Pipes<R, W> {
    reader: BufReader<R>,
    line: Line,
    /// Messages that were read and not yet handed on.
    messages: VecDeque<ClientJsonRpcMessage>,
    writer: Arc<Mutex<W>>,
    /// The error that is being written. The next message waits for it, so a client that does not read gets no more.
    refusing: Option<JoinHandle<io::Result<()>>>,
    batches: Vec<Batch>,
    /// Whether the client has begun a session, by a handshake or by a request with its own metadata.
    is_open: bool,
    /// The version of the handshake.
    version: Option<String>,
}

/// A batch whose requests are served.
#[derive(Default)]
struct Batch {
    waiting: HashSet<RequestId>,
    answers: Vec<Value>,
}

impl<R, W> Pipes<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// Creates the transport.
    pub fn new(reader: R, writer: W) -> Pipes<R, W> {
        Pipes {
            reader: BufReader::new(reader),
            line: Line::default(),
            messages: VecDeque::new(),
            writer: Arc::new(Mutex::new(writer)),
            refusing: None,
            batches: Vec::new(),
            is_open: false,
            version: None,
        }
    }

    /// Takes one message, or the members of a batch.
    fn accept(&mut self, incoming: Incoming) {
        match incoming {
            Incoming::Ignored => {}
            Incoming::Refused(refusal) => self.refuse(vec![refusal.response()]),
            Incoming::Message(message) => match self.unopened(&message) {
                Some(refusal) => self.refuse(vec![refusal.response()]),
                None => self.hand_on(*message),
            },
            Incoming::Batch(members) if members.is_empty() => {
                self.refuse(vec![Refusal::invalid(Value::Null, "a batch must not be empty").response()]);
            }
            Incoming::Batch(members) if self.version.as_deref() != Some(BATCH_VERSION) => {
                self.refuse(batch_refusals(&members).iter().map(Refusal::response).collect());
            }
            Incoming::Batch(members) => self.accept_batch(members),
        }
    }

    fn accept_batch(&mut self, members: Vec<Value>) {
        let mut batch = Batch::default();
        for member in members {
            match check(member) {
                Incoming::Message(message) => {
                    if let JsonRpcMessage::Request(request) = &*message {
                        batch.waiting.insert(request.id.clone());
                    }
                    self.hand_on(*message);
                }
                Incoming::Refused(refusal) => batch.answers.push(refusal.response()),
                Incoming::Ignored | Incoming::Batch(_) => {}
            }
        }
        self.batches.push(batch);
        let ended = self.ended_batches();
        self.refuse(ended);
    }

    fn hand_on(&mut self, message: ClientJsonRpcMessage) {
        // A canceled request is not answered.
        if let JsonRpcMessage::Notification(notification) = &message
            && let ClientNotification::CancelledNotification(cancelled) = &notification.notification
            && let Some(id) = &cancelled.params.request_id
        {
            for batch in &mut self.batches {
                batch.waiting.remove(id);
            }
            let ended = self.ended_batches();
            self.refuse(ended);
        }
        self.messages.push_back(message);
    }

    /// Returns the answers of the batches that wait for no other.
    fn ended_batches(&mut self) -> Vec<Value> {
        let ended = self.batches.extract_if(.., |batch| batch.waiting.is_empty());
        ended.filter(|batch| !batch.answers.is_empty()).map(|batch| Value::Array(batch.answers)).collect()
    }

    /// Returns the error for a message before the session has begun. The library would end the server for some.
    fn unopened(&mut self, message: &ClientJsonRpcMessage) -> Option<Refusal> {
        if self.is_open {
            return None;
        }
        let JsonRpcMessage::Request(request) = message else { return None };
        match &request.request {
            ClientRequest::InitializeRequest(_) => self.is_open = true,
            ClientRequest::PingRequest(_) | ClientRequest::DiscoverRequest(_) => {}
            other if other.get_meta().protocol_version().is_some() => self.is_open = true,
            _ => {
                let problem = "the session has not begun: send `initialize` first";
                return Some(Refusal::invalid(request.id.clone().into_json_value(), problem));
            }
        }
        None
    }

    /// Begins to write answers that the library has no part in.
    fn refuse(&mut self, answers: Vec<Value>) {
        if answers.is_empty() {
            return;
        }
        let earlier = self.refusing.take();
        let lines: Vec<u8> = answers.iter().flat_map(|answer| format!("{answer}\n").into_bytes()).collect();
        let writer = Arc::clone(&self.writer);
        self.refusing = Some(tokio::spawn(async move {
            if let Some(earlier) = earlier {
                earlier.await.map_err(io::Error::other)??;
            }
            write(&writer, &lines).await
        }));
    }

    /// Returns the line to write for an answer of the library; `None` while other members of its batch wait.
    fn line_of(&mut self, message: ServerJsonRpcMessage) -> io::Result<Option<Vec<u8>>> {
        let id = match &message {
            JsonRpcMessage::Response(response) => {
                if let ServerResult::InitializeResult(result) = &response.result {
                    self.version = Some(result.protocol_version.to_string());
                }
                Some(&response.id)
            }
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        let batch = self.batches.iter_mut().find(|batch| id.is_some_and(|id| batch.waiting.contains(id)));
        let mut line = match batch {
            None => serde_json::to_vec(&message)?,
            Some(batch) => {
                batch.waiting.retain(|waiting| Some(waiting) != id);
                batch.answers.push(serde_json::to_value(&message)?);
                match self.ended_batches().as_slice() {
                    [] => return Ok(None),
                    [answers, ..] => serde_json::to_vec(answers)?,
                }
            }
        };
        line.push(b'\n');
        Ok(Some(line))
    }
}

impl<R, W> Transport<RoleServer> for Pipes<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(&mut self, message: ServerJsonRpcMessage) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let line = self.line_of(message);
        let writer = Arc::clone(&self.writer);
        async move {
            match line? {
                Some(line) => write(&writer, &line).await,
                None => Ok(()),
            }
        }
    }

    /// Returns the next message. It may be canceled between any two steps: what was read stays in `self`.
    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if let Some(refusing) = &mut self.refusing {
                let written = refusing.await;
                self.refusing = None;
                // The client does not read any more.
                written.ok()?.ok()?;
            }
            while let Some(message) = self.messages.pop_front() {
                // Before a session there is nothing to notify of, and nothing was asked.
                if self.is_open || matches!(message, JsonRpcMessage::Request(_)) {
                    return Some(message);
                }
            }
            let incoming = self.line.read(&mut self.reader).await.ok()??;
            self.accept(incoming);
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        match self.refusing.take() {
            Some(refusing) => match tokio::time::timeout(MAX_CLOSE, refusing).await {
                Ok(written) => written.map_err(io::Error::other)?,
                Err(_) => Ok(()),
            },
            None => Ok(()),
        }
    }
}

/// Returns an error for each request of a batch that is refused, and one without an id if there is no request.
pub fn batch_refusals(members: &[Value]) -> Vec<Refusal> {
    let problem = format!("only version {BATCH_VERSION} of the protocol has batches; send one message at a time");
    let id = |member: &Value| member.get("id").filter(|id| id.is_string() || id.is_number()).cloned();
    let refusals: Vec<Refusal> = members.iter().filter_map(id).map(|id| Refusal::invalid(id, &problem)).collect();
    if refusals.is_empty() { vec![Refusal::invalid(Value::Null, &problem)] } else { refusals }
}

async fn write<W: AsyncWrite + Unpin>(writer: &Mutex<W>, line: &[u8]) -> io::Result<()> {
    let mut writer = writer.lock().await;
    writer.write_all(line).await?;
    writer.flush().await
}

/// The line that is being read.
#[derive(Default)]
struct Line {
    bytes: Vec<u8>,
    /// The reader of a line above the limit, whose bytes are dropped.
    oversized: Option<IdFinder>,
}

impl Line {
    /// Reads up to the end of a line, or of the input; `None` if there is nothing more.
    async fn read<R: AsyncRead + Unpin>(&mut self, reader: &mut BufReader<R>) -> io::Result<Option<Incoming>> {
        loop {
            let available = reader.fill_buf().await?;
            let is_end = available.is_empty();
            let end = available.iter().position(|byte| *byte == b'\n');
            let taken = &available[..end.unwrap_or(available.len())];
            match &mut self.oversized {
                Some(finder) => finder.read(taken),
                None if self.bytes.len() + taken.len() > MAX_MESSAGE_BYTES => {
                    let mut finder = IdFinder::default();
                    finder.read(&std::mem::take(&mut self.bytes));
                    finder.read(taken);
                    self.oversized = Some(finder);
                }
                None => self.bytes.extend_from_slice(taken),
            }
            let consumed = end.map_or(taken.len(), |end| end + 1);
            reader.consume(consumed);
            if end.is_some() || is_end {
                // The last line may have no line break.
                let is_over = is_end && self.bytes.is_empty() && self.oversized.is_none();
                return Ok((!is_over).then(|| self.end()));
            }
        }
    }

    fn end(&mut self) -> Incoming {
        let bytes = std::mem::take(&mut self.bytes);
        match self.oversized.take() {
            Some(finder) => Incoming::Refused(Refusal::too_large(finder.id(), MAX_MESSAGE_BYTES)),
            None => parse(&bytes),
        }
    }
}
