//! The messages of a client before the protocol's library reads them: JSON-RPC 2.0.
//!
//! The library drops what it can't parse, so a client would wait for its answer until its own time-out. Here each
//! message is either one that the library can serve, or gets its error, with its id where one can be read.

use rmcp::model::{
    CallToolRequestParams, ClientJsonRpcMessage, ClientRequest, ErrorCode, ErrorData, InitializeRequestParams,
    JsonRpcMessage, PaginatedRequestParams, ReadResourceRequestParams,
};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use crate::text::display::excerpt;

/// Limit of a message in bytes.
pub const MAX_MESSAGE_BYTES: usize = 16 << 20;
/// Limit of an id in a message that can't be parsed.
const MAX_ID_BYTES: usize = 1_000;

/// A message as it arrived.
pub enum Incoming {
    Message(Box<ClientJsonRpcMessage>),
    /// It has no answer: an empty line, or a notification or response that can't be used.
    Ignored,
    Refused(Refusal),
    /// The members of a batch.
    Batch(Vec<Value>),
}

/// The error for a message that can't be served.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// Null where none can be read.
    pub id: Value,
    pub error: ErrorData,
}

impl Refusal {
    /// Creates the error for a message that is not a request of the protocol.
    pub fn invalid(id: Value, problem: impl AsRef<str>) -> Refusal {
        Refusal { id, error: ErrorData::invalid_request(problem.as_ref().to_owned(), None) }
    }

    /// Creates the error for a message above the limit.
    pub fn too_large(id: Value, max_bytes: usize) -> Refusal {
        Refusal::invalid(id, format!("the message has more than {} MiB", max_bytes >> 20))
    }

    /// Returns the response.
    pub fn response(&self) -> Value {
        json!({ "jsonrpc": "2.0", "id": self.id, "error": self.error })
    }
}

/// Parses one message.
pub fn parse(bytes: &[u8]) -> Incoming {
    // JSON allows parsers to ignore a byte order mark.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii();
    if bytes.is_empty() {
        return Incoming::Ignored;
    }
    match serde_json::from_slice(bytes) {
        Ok(Value::Array(members)) => Incoming::Batch(members),
        Ok(message) => check(message),
        Err(error) => {
            let mut finder = IdFinder::default();
            finder.read(bytes);
            let error = ErrorData::parse_error(format!("the message can't be parsed as JSON: {error}"), None);
            Incoming::Refused(Refusal { id: finder.id(), error })
        }
    }
}

/// Checks one message that is JSON.
pub fn check(message: Value) -> Incoming {
    let Value::Object(mut message) = message else {
        return Incoming::Refused(Refusal::invalid(Value::Null, "a message must be a JSON object"));
    };
    let has_result = message.contains_key("result") || message.contains_key("error");
    if has_result && !message.contains_key("method") {
        return served(message).map_or(Incoming::Ignored, Incoming::Message);
    }
    if message.get("params").is_some_and(Value::is_null) {
        message.remove("params");
    }
    let is_notification = message.contains_key("method") && !message.contains_key("id");
    match envelope_problem(&message).map_or_else(|| request(message), |refusal| Err(Box::new(refusal))) {
        Ok(message) => Incoming::Message(message),
        Err(_) if is_notification => Incoming::Ignored,
        Err(refusal) => Incoming::Refused(*refusal),
    }
}

/// Returns what is wrong with a request besides its parameters.
fn envelope_problem(message: &Map<String, Value>) -> Option<Refusal> {
    let id = message.get("id").cloned();
    let is_id = |id: &Value| id.is_i64() || id.is_string();
    let problem = match (&id, message.get("method"), message.get("params")) {
        (Some(id), ..) if !is_id(id) => "`id` must be a string or a whole number",
        _ if message.get("jsonrpc").and_then(Value::as_str) != Some("2.0") => "`jsonrpc` must be \"2.0\"",
        (_, None, _) => "a request has a `method`",
        (_, Some(method), _) if !method.is_string() => "`method` must be a string",
        (_, _, Some(params)) if !params.is_object() => {
            let error = ErrorData::invalid_params("`params` must be an object", None);
            return Some(Refusal { id: id.unwrap_or_default(), error });
        }
        _ => return None,
    };
    let id = id.filter(|id| is_id(id) || id.is_number());
    Some(Refusal::invalid(id.unwrap_or_default(), problem))
}

/// Beginnings of the methods of the protocol that the library knows and this server does not have. The library's answer to them
/// is their name alone.
const NOT_SERVED: [&str; 6] =
    ["prompts/", "completion/", "logging/", "tasks/", "resources/subscribe", "resources/unsubscribe"];

/// Returns a request or notification for the library.
fn request(message: Map<String, Value>) -> Result<Box<ClientJsonRpcMessage>, Box<Refusal>> {
    let id = message.get("id").cloned().unwrap_or_default();
    let method = message.get("method").and_then(Value::as_str).unwrap_or_default().to_owned();
    let params = message.get("params").cloned();
    let refuse = |error| Err(Box::new(Refusal { id: id.clone(), error }));
    if NOT_SERVED.iter().any(|beginning| method.starts_with(beginning)) {
        let problem = format!("there is no method `{}`; the server has tools and resources", excerpt(&method));
        return refuse(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, problem, None));
    }
    let message = match served(message) {
        Some(message) => message,
        None => return refuse(ErrorData::invalid_request("this is not a request of the protocol", None)),
    };
    // The library takes a request whose parameters it can't read for one of a method that it does not know.
    if let JsonRpcMessage::Request(request) = &*message
        && matches!(request.request, ClientRequest::CustomRequest(_))
    {
        return match params_problem(&method, params) {
            Some(problem) => {
                let problem = format!("`params` of `{method}` can't be used: {}", excerpt(&problem));
                refuse(ErrorData::invalid_params(problem, None))
            }
            None => {
                let problem = format!("there is no method `{}`", excerpt(&method));
                refuse(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, problem, None))
            }
        };
    }
    Ok(message)
}

fn served(message: Map<String, Value>) -> Option<Box<ClientJsonRpcMessage>> {
    serde_json::from_value(Value::Object(message)).ok().map(Box::new)
}

/// Returns why the parameters of a method of this server can't be read.
fn params_problem(method: &str, params: Option<Value>) -> Option<String> {
    fn problem<T: DeserializeOwned>(params: Option<Value>) -> Option<String> {
        let params = params.unwrap_or_else(|| json!({}));
        Some(
            serde_json::from_value::<T>(params)
                .err()
                .map_or("they are malformed".to_owned(), |error| error.to_string()),
        )
    }
    match method {
        "initialize" => problem::<InitializeRequestParams>(params),
        "tools/call" => problem::<CallToolRequestParams>(params),
        "resources/read" => problem::<ReadResourceRequestParams>(params),
        "tools/list" | "resources/list" | "resources/templates/list" => problem::<PaginatedRequestParams>(params),
        "ping" | "server/discover" => problem::<Map<String, Value>>(params),
        _ => None,
    }
}

/// Finds the id of a JSON object while its bytes pass by, also in one that is broken, too deep or too long to keep.
#[derive(Debug, Default)]
pub struct IdFinder {
    depth: usize,
    is_in_string: bool,
    is_escaped: bool,
    /// The member of the outermost object that is being read: its key, and its value so far.
    key: Option<Vec<u8>>,
    token: Vec<u8>,
    id: Option<Value>,
}

impl IdFinder {
    /// Reads the next bytes.
    pub fn read(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.step(*byte));
    }

    /// Returns the id; null if there is none so far.
    pub fn id(mut self) -> Value {
        self.end_member();
        self.id.unwrap_or_default()
    }

    fn step(&mut self, byte: u8) {
        if self.is_in_string {
            self.keep(byte);
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.is_in_string = false,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => {
                self.is_in_string = true;
                self.keep(byte);
            }
            b'{' | b'[' => {
                self.depth += 1;
                self.keep(byte);
            }
            b'}' | b']' => {
                if self.depth == 1 {
                    self.end_member();
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b',' if self.depth == 1 => self.end_member(),
            b':' if self.depth == 1 && self.key.is_none() => self.key = Some(std::mem::take(&mut self.token)),
            _ => self.keep(byte),
        }
    }

    /// Keeps a byte of a key or value of the outermost object. A value that is longer than an id or not plain is none.
    fn keep(&mut self, byte: u8) {
        let is_first = self.token.is_empty();
        let is_kept = match self.depth {
            1 => self.token.len() <= MAX_ID_BYTES && !(is_first && byte.is_ascii_whitespace()),
            depth => depth > 1 && self.key.is_some() && is_first,
        };
        if is_kept {
            self.token.push(byte);
        }
    }

    fn end_member(&mut self) {
        let (key, token) = (self.key.take(), std::mem::take(&mut self.token));
        if key.is_none_or(|key| key.trim_ascii() != b"\"id\"") || token.len() > MAX_ID_BYTES {
            return;
        }
        let id = serde_json::from_slice(&token).ok();
        self.id = id.filter(|id: &Value| id.is_string() || id.is_number()).or(self.id.take());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(bytes: &[u8]) -> (i32, Value) {
        match parse(bytes) {
            Incoming::Refused(refusal) => (refusal.error.code.0, refusal.id),
            Incoming::Message(message) => panic!("served: {message:?}"),
            Incoming::Ignored => panic!("ignored: {}", String::from_utf8_lossy(bytes)),
            Incoming::Batch(members) => panic!("batch: {members:?}"),
        }
    }

    #[test]
    fn messages_that_are_not_json_get_a_parse_error_with_their_id() {
        let call = |text: &str| format!(r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"a":{text}}}}}"#);
        let deep = "[".repeat(200) + &"]".repeat(200);
        for text in [r#""\ud83d""#, r#""\udc00\ud83d x""#, deep.as_str(), "1,", "nul", "1"] {
            let broken = if text == "1" { call(text).replace("}}", "}") } else { call(text) };
            assert_eq!(refusal(broken.as_bytes()), (-32700, json!(7)), "{broken}");
        }
        let mut invalid = call("\"?\"").into_bytes();
        let at = invalid.iter().position(|byte| *byte == b'?').unwrap();
        invalid[at] = 0xff;
        assert_eq!(refusal(&invalid), (-32700, json!(7)));
        let last = r#"{"method":"x","params":{"id":1,"text":"\"id\":2,\ud800"},"jsonrpc":"2.0","id":"a\u0062"}"#;
        assert_eq!(refusal(last.as_bytes()), (-32700, json!("ab")));
        for text in ["not json", "{", "{]", r#"{"id":{"id":3},"#, r#"{"id":true,"#, r#"["id",4"#] {
            assert_eq!(refusal(text.as_bytes()), (-32700, Value::Null), "{text}");
        }
    }

    #[test]
    fn json_that_is_not_a_request_gets_an_error_with_its_id() {
        for (text, code, id) in [
            ("7", -32600, Value::Null),
            ("{}", -32600, Value::Null),
            (r#"{"jsonrpc":"2.0"}"#, -32600, Value::Null),
            (r#"{"jsonrpc":"2.0","id":1}"#, -32600, json!(1)),
            (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600, Value::Null),
            (r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, -32600, Value::Null),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, -32600, json!(1.5)),
            (r#"{"id":1,"method":"ping"}"#, -32600, json!(1)),
            (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600, json!(1)),
            (r#"{"jsonrpc":"2.0","id":1,"method":2}"#, -32600, json!(1)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, -32602, json!(1)),
            (r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":"x"}"#, -32602, json!("x")),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":3}}"#, -32602, json!(1)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32602, json!(1)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}}"#, -32602, json!(1)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"initialize"}"#, -32602, json!(1)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":7}}"#, -32602, json!(1)),
            (r#"{"jsonrpc":"2.0","id":1,"method":"no/such"}"#, -32601, json!(1)),
        ] {
            assert_eq!(refusal(text.as_bytes()), (code, id), "{text}");
        }
    }

    #[test]
    fn messages_without_an_id_have_no_answer() {
        for text in [
            "",
            " \r",
            r#"{"jsonrpc":"2.0","method":"notifications/x","params":[1]}"#,
            r#"{"method":"notifications/initialized"}"#,
            r#"{"jsonrpc":"2.0","id":9,"result":7}"#,
        ] {
            assert!(!matches!(parse(text.as_bytes()), Incoming::Refused(_) | Incoming::Batch(_)), "{text}");
        }
    }

    #[test]
    fn usable_messages_are_served() {
        for text in [
            "\u{feff}{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\r",
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":null}"#,
            r#"{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"x","arguments":{"task":"\ud83d\ude00"}}}"#,
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        ] {
            assert!(matches!(parse(text.as_bytes()), Incoming::Message(_)), "{text}");
        }
        assert!(matches!(parse(b"[]"), Incoming::Batch(members) if members.is_empty()));
    }

    #[test]
    fn a_method_that_is_not_served_gets_a_sentence() {
        for method in ["prompts/list", "logging/setLevel", "completion/complete", "resources/subscribe", "none/such"] {
            let text =
                json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": { "uri": "a", "level": "info" } });
            let Incoming::Refused(refusal) = parse(text.to_string().as_bytes()) else { panic!("{method} is served") };
            assert_eq!(refusal.error.code, ErrorCode::METHOD_NOT_FOUND);
            assert!(refusal.error.message.contains(&format!("there is no method `{method}`")), "{method}");
        }
    }

    #[test]
    fn an_argument_is_not_repeated_whole() {
        let long = "x".repeat(100_000);
        for text in [
            json!({ "jsonrpc": "2.0", "id": 1, "method": long }),
            json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "x", "arguments": long } }),
            json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": { "capabilities": long } }),
        ] {
            let Incoming::Refused(refusal) = parse(text.to_string().as_bytes()) else { panic!("served") };
            assert!(refusal.error.message.len() < 400, "{}", refusal.error.message.len());
        }
    }
}
