//! A client of the protocol over the standard input and output of the server.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::cli::program;

/// The version with a handshake that most clients have.
pub const LEGACY: &str = "2025-11-25";
/// The stateless version.
pub const STATELESS: &str = "2026-07-28";

/// A wait that only a server that hangs exceeds.
const MAX_WAIT: Duration = Duration::from_secs(120);

/// A running server.
pub struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Value>,
    version: &'static str,
    next: u64,
}

impl Client {
    /// Starts a server in a folder, and shakes hands in a version that has it.
    pub fn start(folder: &Path, version: &'static str) -> Client {
        let mut client = Client::spawn(program(folder, &["mcp"]), version);
        if version != STATELESS {
            let params = json!({
                "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "test", "version": "1.0" },
            });
            let answer = client.request("initialize", params);
            assert_eq!(answer["result"]["protocolVersion"], version, "{answer}");
            client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        }
        client
    }

    /// Starts a server without a handshake.
    pub fn spawn(mut command: Command, version: &'static str) -> Client {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines() {
                let line = line.unwrap();
                // Nothing but the protocol is on standard output.
                sender.send(serde_json::from_str(&line).unwrap_or(Value::String(line))).unwrap_or(());
            }
        });
        Client { input: child.stdin.take(), child, lines, version, next: 0 }
    }

    /// Writes raw bytes.
    pub fn write(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// Sends a message.
    pub fn send(&mut self, message: &Value) {
        self.write(format!("{message}\n").as_bytes());
    }

    /// Sends a request and returns its number.
    pub fn begin(&mut self, method: &str, mut params: Value) -> u64 {
        self.next += 1;
        if self.version == STATELESS {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(STATELESS);
            params["_meta"]["io.modelcontextprotocol/clientInfo"] = json!({ "name": "test", "version": "2.0" });
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        self.send(&json!({ "jsonrpc": "2.0", "id": self.next, "method": method, "params": params }));
        self.next
    }

    /// Returns the next message.
    pub fn receive(&mut self) -> Value {
        self.lines.recv_timeout(MAX_WAIT).unwrap()
    }

    /// Sends a request and returns its response; other messages before it are dropped.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let number = self.begin(method, params);
        loop {
            let message = self.receive();
            if message["id"] == number {
                return message;
            }
        }
    }

    /// Calls a tool and returns its result.
    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.request("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"].clone()
    }

    /// Calls a tool and returns the text of its result, which must not be an error.
    pub fn text(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_ne!(result["isError"], true, "{result}");
        text(&result)
    }

    /// Calls a tool and returns the text of its error.
    pub fn error(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        text(&result)
    }

    /// Closes standard input.
    pub fn close_input(&mut self) {
        drop(self.input.take());
    }

    /// Closes standard input and returns the server's exit code.
    pub fn end(mut self) -> i32 {
        drop(self.input.take());
        self.child.wait().unwrap().code().unwrap()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.input.take());
        // It has ended, or does so now.
        let _ended = self.child.kill();
        let _status = self.child.wait();
    }
}

/// Returns the text of a tool's result.
pub fn text(result: &Value) -> String {
    result["content"][0]["text"].as_str().unwrap().to_owned()
}
