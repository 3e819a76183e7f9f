//! Every request with an id is answered: broken messages, batches, a session that has not begun, a repository that is gone.

use std::fs;

use serde_json::{Value, json};

use super::client::{Client, LEGACY, STATELESS};
use crate::cli::{Shop, program};

const PING: &str = "{\"jsonrpc\":\"2.0\",\"id\":\"ping\",\"method\":\"ping\"}\n";

/// Writes lines and returns what is answered before the answer to a ping after them.
fn answers(client: &mut Client, lines: &[u8]) -> Vec<Value> {
    client.write(lines);
    client.write(PING.as_bytes());
    let mut answers = Vec::new();
    loop {
        let message = client.receive();
        if message["id"] == "ping" {
            return answers;
        }
        answers.push(message);
    }
}

fn codes(answers: &[Value]) -> Vec<(Value, Value)> {
    answers.iter().map(|answer| (answer["id"].clone(), answer["error"]["code"].clone())).collect()
}

fn call(id: u64, argument: &str) -> Vec<u8> {
    format!(
        "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"tools/call\",\"params\":{{\"name\":\"knowing_symbol\",\
         \"arguments\":{{\"symbol\":{argument}}}}}}}\n"
    )
    .into_bytes()
}

#[test]
fn broken_messages_get_an_error_with_the_id_that_can_be_read() {
    let shop = Shop::new();
    let mut client = Client::start(&shop.root(), LEGACY);
    let mut invalid = call(3, "\"?\"");
    let at = invalid.iter().position(|byte| *byte == b'?').unwrap();
    invalid[at] = 0xfe;
    let deep = call(4, &("[".repeat(300) + &"]".repeat(300)));
    for (line, id, code) in [
        (call(1, r#""half of \ud83d""#), json!(1), -32_700),
        (call(2, r#""f","#), json!(2), -32_700),
        (invalid, json!(3), -32_700),
        (deep, json!(4), -32_700),
        (b"not json\n".to_vec(), Value::Null, -32_700),
        (b"{\n".to_vec(), Value::Null, -32_700),
        (b"7\n".to_vec(), Value::Null, -32_600),
        (b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"params\":[1]}\n".to_vec(), json!(5), -32_602),
        (b"{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"tools/call\"}\n".to_vec(), json!(6), -32_602),
        (b"{\"jsonrpc\":\"2.0\",\"id\":7}\n".to_vec(), json!(7), -32_600),
        (b"{\"id\":8,\"method\":\"ping\"}\n".to_vec(), json!(8), -32_600),
        (b"{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"no/such\"}\n".to_vec(), json!(9), -32_601),
    ] {
        let answers = answers(&mut client, &line);
        assert_eq!(codes(&answers), [(id, json!(code))], "{}: {answers:?}", String::from_utf8_lossy(&line));
    }
    for line in ["\n", "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":[1]}\n"] {
        assert_eq!(answers(&mut client, line.as_bytes()), [] as [Value; 0], "{line}");
    }
}

#[test]
fn a_message_above_the_limit_is_refused_with_its_id() {
    let shop = Shop::new();
    let mut client = Client::start(&shop.root(), LEGACY);
    let long = "x".repeat(17 << 20);
    let first = call(1, &format!("\"{long}\""));
    let last = format!(
        "{{\"method\":\"ping\",\"params\":{{\"id\":9,\"text\":\"{long}\"}},\"jsonrpc\":\"2.0\",\"id\":\"b\"}}\n"
    );
    for (line, id) in [(first, json!(1)), (last.into_bytes(), json!("b"))] {
        let answers = answers(&mut client, &line);
        assert_eq!(codes(&answers), [(id, json!(-32_600))]);
        assert!(answers[0]["error"]["message"].as_str().unwrap().contains("16 MiB"), "{answers:?}");
    }
}

#[test]
fn the_last_line_needs_no_line_break() {
    let shop = Shop::new();
    let mut client = Client::start(&shop.root(), LEGACY);
    client.write(PING.trim_end().as_bytes());
    client.close_input();
    assert_eq!(client.receive()["id"], "ping");
    let mut client = Client::start(&shop.root(), LEGACY);
    client.write(b"{\"jsonrpc\":\"2.0\",\"id\":100,\"meth");
    client.close_input();
    let answer = client.receive();
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(100), &json!(-32_700)));
    assert_eq!(client.end(), 0);
}

#[test]
fn batches_are_answered_in_the_version_that_has_them() {
    let shop = Shop::new();
    let batch = "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"},\
                 {\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"},7,{\"jsonrpc\":\"2.0\",\"id\":3}]\n";
    let mut client = Client::start(&shop.root(), "2025-03-26");
    client.write(batch.as_bytes());
    let mut together = client.receive();
    let members = together.as_array_mut().unwrap();
    members.sort_by_key(|member| member["id"].as_u64());
    assert_eq!(members.len(), 4, "{members:?}");
    assert_eq!(codes(&members[..1]), [(Value::Null, json!(-32_600))]);
    assert!(members[1]["result"].is_object() && members[2]["result"]["tools"].is_array());
    assert_eq!(codes(&members[3..]), [(json!(3), json!(-32_600))]);
    assert_eq!(codes(&answers(&mut client, b"[]\n")), [(Value::Null, json!(-32_600))]);

    let mut client = Client::start(&shop.root(), "2025-06-18");
    let refused = answers(&mut client, batch.as_bytes());
    assert_eq!(codes(&refused), [1, 2, 3].map(|id| (json!(id), json!(-32_600))));
    assert!(refused[0]["error"]["message"].as_str().unwrap().contains("2025-03-26"), "{refused:?}");
    assert_eq!(codes(&answers(&mut client, b"[7]\n")), [(Value::Null, json!(-32_600))]);
}

#[test]
fn a_session_begins_with_initialize() {
    let shop = Shop::new();
    let mut client = Client::spawn(program(&shop.root(), &["mcp"]), LEGACY);
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
    client.send(&json!({ "jsonrpc": "2.0", "id": 9, "result": {} }));
    let early = client.request("tools/list", json!({}));
    assert_eq!(early["error"]["code"], -32_600);
    assert!(early["error"]["message"].as_str().unwrap().contains("initialize"), "{early}");
    let without = answers(&mut client, b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n");
    assert_eq!(codes(&without), [(json!(1), json!(-32_602))]);
    assert!(without[0]["error"]["message"].as_str().unwrap().contains("protocolVersion"), "{without:?}");
    let params = json!({
        "protocolVersion": "1999-01-01", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
    });
    let answer = client.request("initialize", params);
    assert_eq!(answer["result"]["protocolVersion"], LEGACY, "an unknown version is answered with the newest: {answer}");
    assert!(client.request("tools/list", json!({}))["result"]["tools"].is_array());
}

#[test]
fn a_repository_that_is_gone_is_an_error_and_is_not_made_again() {
    let shop = Shop::new();
    let moved = shop.root().with_file_name("moved");
    for version in [LEGACY, STATELESS] {
        let mut client = Client::start(&shop.root(), version);
        assert!(client.text("knowing_symbol", json!({ "symbol": "Cart.total" })).contains("def total"));
        fs::rename(shop.root(), &moved).unwrap();
        for (tool, arguments) in [
            ("knowing_symbol", json!({ "symbol": "Cart.total" })),
            ("knowing_context", json!({ "task": "sessions expire too early" })),
            ("knowing_context", json!({ "files": ["shop/session.py"] })),
            ("knowing_context", json!({ "revision": "main" })),
        ] {
            let error = client.error(tool, arguments);
            let root = shop.root().display().to_string();
            assert!(error.contains(&root) && error.contains("deleted or renamed"), "{error}");
        }
        for uri in ["knowing://index", "knowing://steering"] {
            let answer = client.request("resources/read", json!({ "uri": uri }));
            assert!(answer["error"]["message"].as_str().unwrap().contains("deleted or renamed"), "{answer}");
        }
        assert_eq!(client.end(), 0);
        assert!(!shop.root().exists());
        fs::rename(&moved, shop.root()).unwrap();
    }
    let mut client = Client::start(&shop.root(), LEGACY);
    fs::remove_dir_all(shop.root()).unwrap();
    assert!(client.error("knowing_symbol", json!({ "symbol": "f" })).contains("deleted or renamed"));
    assert_eq!(client.end(), 0);
    assert!(!shop.root().exists());
}

#[test]
fn each_request_that_waits_for_a_failing_first_index_gets_the_cause() {
    let shop = Shop::new();
    let blocked = shop.root().join("shop/cart.py/graph.db");
    let command = program(&shop.root(), &["--db", blocked.to_str().unwrap(), "mcp"]);
    let mut client = Client::spawn(command, STATELESS);
    for _ in 0..10 {
        let params = json!({ "name": "knowing_context", "arguments": { "task": "sessions expire too early" } });
        let numbers = [client.begin("tools/call", params.clone()), client.begin("tools/call", params)];
        for _ in numbers {
            let answer = client.receive();
            let text = answer["result"]["content"][0]["text"].as_str().unwrap();
            assert!(text.contains("can't be indexed"), "{text}");
        }
    }
}

/// Every argument of every tool, and the other texts of a client, in a form that would be found again in an answer.
#[test]
fn an_argument_is_repeated_in_at_most_200_bytes() {
    let shop = Shop::new();
    let mut client = Client::start(&shop.root(), LEGACY);
    assert!(client.text("knowing_symbol", json!({ "symbol": "Cart.total" })).contains("def total"));
    let listed = client.request("tools/list", json!({}));
    let texts = |length: usize| {
        let word = "q".repeat(length);
        [
            word.clone(),
            format!("who calls {word}"),
            format!("{word}:7"),
            format!("{word}/{word}.py"),
            "q\u{1b}".repeat(length),
        ]
    };
    let mut checked = 0;
    for tool in listed["result"]["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        let properties = tool["inputSchema"]["properties"].as_object().unwrap();
        for argument in properties.keys().map(String::as_str).chain(["unknown"]) {
            for text in [900, 40_000].into_iter().flat_map(texts) {
                let values = [json!(text), json!([text]), json!({ text.as_str(): text })];
                for mut arguments in values.into_iter().map(|value| json!({ argument: value })) {
                    if argument == "unknown" {
                        arguments = json!({ text.as_str(): 1 });
                    }
                    if argument != "symbol" && name == "knowing_symbol" {
                        arguments["symbol"] = json!("Cart.total");
                    } else if ["budget", "format", "pack_root"].contains(&argument) {
                        arguments["task"] = json!("sessions expire too early");
                    }
                    let answer = client.request("tools/call", json!({ "name": name, "arguments": arguments }));
                    expect_short(&answer, &format!("{name} {argument} {}", text.len()));
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 400, "{checked}");
    let long = "q".repeat(100_000);
    for (method, params) in [
        ("tools/call", json!({ "name": long, "arguments": {} })),
        ("tools/call", json!({ "name": "knowing_symbol", "arguments": long })),
        ("resources/read", json!({ "uri": long })),
        (long.as_str(), json!({})),
        ("initialize", json!({ "protocolVersion": long })),
    ] {
        expect_short(&client.request(method, params), method);
    }
}

/// Checks each text of an answer for letters of the argument.
fn expect_short(answer: &Value, what: &str) {
    match answer {
        Value::String(text) => {
            let letters =
                text.chars().filter(|letter| "q\u{241b}…".contains(*letter)).map(char::len_utf8).sum::<usize>();
            assert!(letters <= 200 + 40, "{what}: {letters} bytes: {}", text.chars().take(400).collect::<String>());
        }
        Value::Array(values) => values.iter().for_each(|value| expect_short(value, what)),
        Value::Object(members) => members.values().for_each(|value| expect_short(value, what)),
        _ => {}
    }
}
