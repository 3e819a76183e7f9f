//! The definitions of the tools. Their texts are part of an agent's prompt, so they are short.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use super::arguments::{DEFAULT_BUDGET, QUESTIONS, formats};

/// Name of the tool for tasks.
pub const CONTEXT: &str = "knowing_context";
/// Name of the tool for symbols.
pub const SYMBOL: &str = "knowing_symbol";

/// Instructions that a client receives when it connects.
pub const INSTRUCTIONS: &str = "\
knowing ranks this repository's code for a task. Call knowing_context first when you start a task, before searching or \
reading files; then knowing_symbol for one symbol's source, uses and tests. Both read an index that is always current.";

const CONTEXT_TEXT: &str = "\
Use first for any task in this repository: returns the functions, types and tests that matter for it, best first, with \
path:lines, source with line numbers where it fits the budget, and how they call each other. Replaces several rounds of \
grep and read. Also answers `who calls X`, `what breaks if X changes`, `tests for X`, `how does A reach B`. Write the \
task as the user did; paste errors and traces whole. After edits, call again with the pack_root of the last answer to \
get only what changed.";

const SYMBOL_TEXT: &str = "\
Use for one known symbol: returns its source with line numbers, what uses it, what it uses, its tests and owners. With \
`question`, the complete list from the code graph: callers, callees, impact (all that depends on it), or tests. An \
unknown name is not guessed; near names are listed.";

/// Returns the tools, always in the same order and with the same text; without schemas of their output if `text_only`.
pub fn tools(text_only: bool) -> Vec<Tool> {
    let annotations = || ToolAnnotations::new().read_only(true).destructive(false).idempotent(true).open_world(false);
    let tool = |name, title: &str, text, input, output| {
        let tool = Tool::new(name, text, object(input)).with_title(title).with_annotations(annotations());
        if text_only { tool } else { tool.with_raw_output_schema(object(output)) }
    };
    vec![
        tool(CONTEXT, "Code for a task", CONTEXT_TEXT, context_input(), context_output()),
        tool(SYMBOL, "One symbol", SYMBOL_TEXT, symbol_input(), symbol_output()),
    ]
}

fn object(value: Value) -> Arc<JsonObject> {
    match value {
        Value::Object(object) => Arc::new(object),
        _ => Arc::default(),
    }
}

fn context_input() -> Value {
    json!({
        "type": "object",
        "properties": {
            "task": { "type": "string", "description": "what you want to do or know, in plain words" },
            "files": {
                "type": "array", "items": { "type": "string" },
                "description": "instead of task: changed files, for what they affect"
            },
            "revision": { "type": "string", "description": "instead of task: branch, tag or commit to compare with" },
            "budget": { "type": "integer", "description": format!("tokens of the answer, default {DEFAULT_BUDGET}") },
            "pack_root": { "type": "string", "description": "of your last answer: returns only the changes" },
            "format": { "type": "string", "enum": formats(), "description": "default text" },
        },
        "additionalProperties": false,
    })
}

fn symbol_input() -> Value {
    json!({
        "type": "object",
        "properties": {
            "symbol": { "type": "string", "description": "a name (Session.is_expired) or a location (src/app.py:120)" },
            "question": { "type": "string", "enum": QUESTIONS },
            "task": { "type": "string", "description": "adds why the symbol ranks for it" },
            "budget": { "type": "integer", "description": format!("tokens of the answer, default {DEFAULT_BUDGET}") },
        },
        "required": ["symbol"],
        "additionalProperties": false,
    })
}

/// Returns the schema of the index's state.
fn index_output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "state": { "type": "string", "enum": ["current", "refreshed", "stale", "partial"] },
            "changed_files": { "type": "integer" },
            "refresh_ms": { "type": "integer" },
        },
        "required": ["state"],
    })
}

fn context_output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "kind": { "type": "string", "enum": ["pack", "delta", "unchanged", "partial", "nothing", "answer"] },
            "notes": { "type": "array", "items": { "type": "string" } },
            "index": index_output(),
            "pack_root": { "type": "string" },
            "tokens": { "type": "integer" },
            "symbols": { "type": "array", "items": { "type": "object" } },
            "edges": { "type": "array", "items": { "type": "string" } },
            "answer": { "type": "object" },
            "left_out": { "type": "object" },
            "text": { "type": "string" },
        },
        "required": ["kind", "notes", "index"],
    })
}

fn symbol_output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "notes": { "type": "array", "items": { "type": "string" } },
            "index": index_output(),
            "symbol": { "type": "object" },
            "answer": { "type": "object" },
            "left_out": { "type": "object" },
            "text": { "type": "string" },
        },
        "required": ["notes", "index"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens;

    #[test]
    fn definitions_are_the_same_every_time_and_cost_few_tokens() {
        let list = || serde_json::to_string(&tools(false)).unwrap();
        assert_eq!(list(), list());
        let read_by_models = |tool: &Tool| {
            let input = serde_json::to_string(&tool.input_schema).unwrap();
            tokens::count(&format!("{} {} {input}", tool.name, tool.description.as_deref().unwrap_or_default()))
        };
        let costs: Vec<usize> = tools(false).iter().map(read_by_models).collect();
        assert!(costs.iter().sum::<usize>() + tokens::count(INSTRUCTIONS) <= 700, "{costs:?}");
    }
}
