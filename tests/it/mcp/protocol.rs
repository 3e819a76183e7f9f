//! The protocol: both generations, deterministic lists, cancellation, progress, broken input.

use serde_json::{Value, json};

use super::client::{Client, LEGACY, STATELESS};
use crate::cli::{Shop, program};

const TASK: &str = "sessions expire too early";

#[test]
fn both_generations_list_the_same_tools_and_answer_alike() {
    let shop = Shop::new();
    let mut answers = Vec::new();
    for version in [LEGACY, "2025-06-18", STATELESS] {
        let mut client = Client::start(&shop.root(), version);
        let list = |client: &mut Client| client.request("tools/list", json!({}))["result"]["tools"].clone();
        let tools = list(&mut client);
        assert_eq!(tools, list(&mut client));
        for tool in tools.as_array().unwrap() {
            assert_eq!(tool["annotations"]["readOnlyHint"], true);
            assert!(tool["outputSchema"].is_object() && tool["inputSchema"]["additionalProperties"] == false);
        }
        let result = client.call("knowing_context", json!({ "task": TASK }));
        assert!(result["structuredContent"]["kind"] == "pack", "{result}");
        answers.push((tools, result["structuredContent"]["symbols"].clone()));
        assert_eq!(client.end(), 0);
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]));
}

#[test]
fn a_text_only_server_has_no_structured_content() {
    let shop = Shop::new();
    let mut client = Client::spawn(program(&shop.root(), &["mcp", "--text-only"]), STATELESS);
    let tools = client.request("tools/list", json!({}))["result"]["tools"].clone();
    assert!(tools.as_array().unwrap().iter().all(|tool| tool.get("outputSchema").is_none()), "{tools}");
    let result = client.call("knowing_context", json!({ "task": TASK }));
    assert!(result.get("structuredContent").is_none(), "{result}");
    assert!(result["content"][0]["text"].as_str().unwrap().contains("is_expired"), "{result}");
}

#[test]
fn a_stateless_client_discovers_the_server() {
    let shop = Shop::new();
    let mut client = Client::start(&shop.root(), STATELESS);
    let found = client.request("server/discover", json!({}))["result"].clone();
    let versions = found["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!(LEGACY)) && versions.contains(&json!(STATELESS)), "{found}");
    assert!(found["instructions"].as_str().unwrap().contains("knowing_context"));
}

#[test]
fn broken_lines_do_not_end_the_server() {
    let shop = Shop::new();
    let mut client = Client::start(&shop.root(), LEGACY);
    client.write(b"\n{]\nnot json \xff\xfe\x00\n[]\n7\n\"x\"\n{\"jsonrpc\":\"2.0\"}\n");
    client.write(b"{\"jsonrpc\":\"2.0\",\"id\":99,\"method\":\"tools/ca");
    client.write(b"ll\",\"params\":{\"name\":\"knowing_symbol\",\"arguments\":{\"symbol\":\"Cart.total\"}}}\n");
    loop {
        let message = client.receive();
        if message["id"] == 99 {
            assert!(message["result"]["content"][0]["text"].as_str().unwrap().contains("def total"), "{message}");
            break;
        }
    }
    let unknown = client.request("tools/call", json!({ "name": "grep", "arguments": {} }));
    assert!(unknown["error"]["message"].as_str().unwrap().contains("knowing_context"), "{unknown}");
    assert!(client.request("no/such/method", json!({}))["error"].is_object());
    // The rest of a message never comes.
    client.write(b"{\"jsonrpc\":\"2.0\",\"id\":100,\"meth");
    assert_eq!(client.end(), 0);
}

#[test]
fn a_closed_input_ends_the_server_at_any_time() {
    let shop = Shop::new();
    assert_eq!(Client::spawn(program(&shop.root(), &["mcp"]), LEGACY).end(), 0);
    let mut client = Client::start(&shop.root(), LEGACY);
    client.begin("tools/call", json!({ "name": "knowing_context", "arguments": { "task": TASK } }));
    assert_eq!(client.end(), 0);
}

#[test]
fn a_request_before_the_end_of_input_is_answered() {
    let shop = Shop::new();
    let mut client = Client::start(&shop.root(), LEGACY);
    let number = client.begin("tools/call", json!({ "name": "knowing_context", "arguments": { "task": TASK } }));
    client.close_input();
    assert_eq!(client.receive()["id"], number);
}

#[test]
fn a_canceled_request_leaves_the_server_usable() {
    let shop = Shop::new();
    let mut client = Client::start(&shop.root(), LEGACY);
    for _ in 0..20 {
        let number = client.begin("tools/call", json!({ "name": "knowing_context", "arguments": { "task": TASK } }));
        let params = json!({ "requestId": number, "reason": "test" });
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params }));
    }
    assert!(client.text("knowing_context", json!({ "task": TASK })).contains("is_expired"));
}

#[test]
fn progress_of_the_first_index_is_reported_and_increases() {
    let shop = Shop::new();
    let mut client = Client::start(&shop.root(), LEGACY);
    let params = json!({
        "name": "knowing_context", "arguments": { "task": TASK }, "_meta": { "progressToken": "p1" },
    });
    let number = client.begin("tools/call", params);
    let mut progress = Vec::new();
    let answer: Value = loop {
        let message = client.receive();
        if message["id"] == number {
            break message;
        }
        assert_eq!(message["params"]["progressToken"], "p1", "{message}");
        progress.push(message["params"]["progress"].as_f64().unwrap());
    };
    assert_eq!(answer["result"]["structuredContent"]["index"]["state"], "refreshed", "{answer}");
    assert!(!progress.is_empty() && progress.is_sorted_by(|one, two| one < two), "{progress:?}");
}
