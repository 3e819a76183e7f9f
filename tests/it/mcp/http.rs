//! The server over HTTP: addresses, tokens, origins.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use crate::cli::{Shop, code, program, stderr};

struct Server {
    child: Child,
    address: String,
    token: String,
}

impl Server {
    fn start(shop: &Shop) -> Server {
        let mut command = program(&shop.root(), &["mcp", "--http", "127.0.0.1:0"]);
        command.env_remove("KNOWING_MCP_TOKEN");
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut after = |start: &str| {
            let line = lines.find_map(|line| line.unwrap().split_once(start).map(|(_, rest)| rest.to_owned()));
            line.unwrap()
        };
        let token = after("token ");
        let address = after("http://").trim_end_matches("/mcp").to_owned();
        Server { child, address, token }
    }

    /// Sends bytes and returns the response.
    fn send(&self, bytes: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.write_all(bytes.as_bytes()).unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response
    }

    /// Posts a body with the token and returns status and body of the response.
    fn post_raw(&self, body: &[u8]) -> (String, Value) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
            self.address,
            self.token,
            body.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        (head[9..12].to_owned(), serde_json::from_str(body).unwrap_or(Value::String(body.to_owned())))
    }

    /// Posts a message and returns the response with its headers.
    fn post(&self, headers: &[(&str, &str)], body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let mut request = format!(
            "POST /mcp HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
             Content-Length: {}\r\nConnection: close\r\n",
            body.len()
        );
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request.push_str(&format!("Host: {}\r\n", self.address));
        }
        headers.iter().for_each(|(name, value)| request.push_str(&format!("{name}: {value}\r\n")));
        write!(stream, "{request}\r\n{body}").unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It serves until it is killed.
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}

#[test]
fn only_requests_with_token_and_without_foreign_origin_are_served() {
    let shop = Shop::new();
    let server = Server::start(&shop);
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let params = json!({
        "name": "knowing_context", "arguments": { "task": "sessions expire too early" }, "_meta": meta,
    });
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string();
    let bearer = format!("Bearer {}", server.token);
    let version = ("MCP-Protocol-Version", "2026-07-28");
    let method = ("Mcp-Method", "tools/call");
    let name = ("Mcp-Name", "knowing_context");
    let token = ("Authorization", bearer.as_str());

    let served = server.post(&[token, version, method, name], &body);
    assert!(served.starts_with("HTTP/1.1 200") && served.contains("is_expired"), "{served}");
    let own = format!("http://{}", server.address);
    assert!(server.post(&[token, version, method, name, ("Origin", &own)], &body).starts_with("HTTP/1.1 200"));
    for (headers, status) in [
        (vec![version, method, name], "401"),
        (vec![("Authorization", "Bearer 1234567890123456"), version, method, name], "401"),
        (vec![token, version, method, name, ("Origin", "http://evil.example")], "403"),
        (vec![token, version, method, name, ("Origin", "null")], "403"),
        (vec![token, version, method, name, ("Host", "evil.example")], "403"),
    ] {
        let refused = server.post(&headers, &body);
        assert!(refused.starts_with(&format!("HTTP/1.1 {status}")), "{headers:?}: {refused}");
        assert!(!refused.contains("is_expired"), "{refused}");
    }
    let handshake = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } });
    let answer = server.post(&[token], &handshake.to_string());
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("2025-11-25"), "{answer}");
}

#[test]
fn other_machines_are_served_only_when_asked() {
    let shop = Shop::new();
    let refused = shop.run(&["mcp", "--http", "0.0.0.0:0"]);
    assert_eq!(code(&refused), 2);
    assert!(stderr(&refused).contains("--allow-remote"), "{}", stderr(&refused));
    assert_eq!(code(&shop.run(&["mcp", "--allow-remote"])), 2);
    let mut command = program(&shop.root(), &["mcp", "--http", "127.0.0.1:0"]);
    let weak = command.env("KNOWING_MCP_TOKEN", "short").output().unwrap();
    assert!(code(&weak) == 3 && stderr(&weak).contains("KNOWING_MCP_TOKEN"), "{}", stderr(&weak));
}

#[test]
fn a_body_that_cannot_be_served_gets_an_error_of_the_protocol() {
    let shop = Shop::new();
    let server = Server::start(&shop);
    let long = format!("{{\"jsonrpc\":\"2.0\",\"method\":\"{}\",\"id\":8}}", "x".repeat(5 << 20));
    for (body, status, id, code) in [
        (&b"not json"[..], "400", Value::Null, -32_700),
        (b"", "400", Value::Null, -32_600),
        (
            b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"a\":\"\\ud800\"}}",
            "400",
            json!(1),
            -32_700,
        ),
        (b"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\",\"params\":{\"a\":\"\xff\"}}", "400", json!(2), -32_700),
        (b"{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"params\":[1]}", "400", json!(3), -32_602),
        (b"{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"initialize\"}", "400", json!(4), -32_602),
        (b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"no/such\"}", "200", json!(5), -32_601),
        (b"[]", "400", Value::Null, -32_600),
        (long.as_bytes(), "413", json!(8), -32_600),
    ] {
        let (actual, answer) = server.post_raw(body);
        assert_eq!((actual.as_str(), &answer["id"]), (status, &id), "{answer}");
        assert_eq!(answer["error"]["code"], code, "{answer}");
    }
}

#[test]
fn only_one_path_is_served_and_headers_must_be_unique() {
    let shop = Shop::new();
    let server = Server::start(&shop);
    let (address, token) = (&server.address, &server.token);
    let request = |path: &str, more: &str| {
        format!(
            "GET {path} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n{more}Connection: close\r\n\r\n"
        )
    };
    for path in ["/", "/mcp/", "/mcp2", "/index.html", "/mcp/../x"] {
        let answer = server.send(&request(path, ""));
        assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
    }
    for more in [format!("Host: {address}\r\n"), "Host: evil.example\r\n".into(), "Authorization: Bearer x\r\n".into()]
    {
        let answer = server.send(&request("/mcp", &more));
        assert!(answer.starts_with("HTTP/1.1 400"), "{more}: {answer}");
    }
    let answer = server.send(&request("/mcp", ""));
    assert!(!answer.starts_with("HTTP/1.1 404") && !answer.starts_with("HTTP/1.1 401"), "{answer}");
}

#[test]
fn connections_that_send_nothing_or_half_a_request_keep_nobody_out() {
    let shop = Shop::new();
    let server = Server::start(&shop);
    let halves =
        ["", "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ", "POST /mcp HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"];
    let mut idle = Vec::new();
    for number in 0..400 {
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.write_all(halves[number % halves.len()].as_bytes()).unwrap();
        idle.push(stream);
        if number % 50 == 0 {
            let (status, answer) = server.post_raw(b"{");
            assert_eq!((status.as_str(), &answer["error"]["code"]), ("400", &json!(-32_700)), "{number}");
        }
    }
    let (status, _) = server.post_raw(b"{");
    assert_eq!(status, "400");
    // The oldest one was closed for another.
    let mut oldest = Vec::new();
    assert!(matches!(idle[0].read_to_end(&mut oldest), Ok(0) | Err(_)), "{oldest:?}");
}

#[test]
fn a_batch_over_http_is_answered_in_the_version_that_has_batches() {
    let shop = Shop::new();
    let server = Server::start(&shop);
    let bearer = format!("Bearer {}", server.token);
    let token = ("Authorization", bearer.as_str());
    let handshake = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-03-26", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } });
    let answer = server.post(&[token], &handshake.to_string());
    let session =
        answer.lines().find_map(|line| line.to_lowercase().strip_prefix("mcp-session-id: ").map(str::to_owned));
    let session = session.unwrap();
    let batch = "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"},7]";
    let headers = [token, ("Mcp-Session-Id", session.as_str())];
    let answer = server.post(&headers, batch);
    let body: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && body.as_array().unwrap().len() == 3, "{answer}");
    assert!(body[0]["result"].is_object() && body[1]["result"]["tools"].is_array(), "{answer}");
    assert_eq!(body[2]["error"]["code"], -32_600);
    let version = ("MCP-Protocol-Version", "2025-06-18");
    let refused = server.post(&[token, ("Mcp-Session-Id", session.as_str()), version], batch);
    assert!(refused.starts_with("HTTP/1.1 400") && refused.contains("-32600"), "{refused}");
}
