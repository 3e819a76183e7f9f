//! The server over HTTP: addresses, tokens, origins.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::json;

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
        let address = after("http://").trim_end_matches('/').to_owned();
        Server { child, address, token }
    }

    /// Posts a message and returns the response with its headers.
    fn post(&self, headers: &[(&str, &str)], body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let mut request = format!(
            "POST / HTTP/1.1\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
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
