//! The definitions of the tools. Their texts are part of an agent's prompt, so they are short.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

use super::arguments::{DEFAULT_BUDGET, MAX_BUDGET, MIN_BUDGET, MORE, QUESTIONS, formats};

/// Name of the tool for tasks.
pub const CONTEXT: &str = "knowing_context";
/// Name of the tool for symbols.
pub const SYMBOL: &str = "knowing_symbol";

/// Instructions that a client receives when it connects.
pub const INSTRUCTIONS: &str = "\
knowing ranks this repository's code for a task. Call knowing_context once when you start a task, with the user's words, \
before you search or read; then knowing_symbol for what uses a symbol. To find an exact string, search instead. Both read \
an index that is always current.";

const CONTEXT_TEXT: &str = "\
Use first for any task in this repository: lists the places that matter for it, best first, as path:lines with the \
reason, then source of the first few and what uses them. Replaces several rounds of grep and read. Also answers `who \
calls X`, `what breaks if X changes`, `tests for X`, `how does A reach B`. Write the task as the user did; paste errors \
and traces whole. It ends where relevance does; for the rest of the same task call again with detail `more`, which repeats \
nothing.";

const SYMBOL_TEXT: &str = "\
Use for known symbols, several at once: source with line numbers, what uses each with the line, what it uses, its tests \
and the command that runs them. With `question`, the list from the code graph and its count: callers, callees, impact \
(all that depends on it), or tests. Takes routes, flags and settings by their text, too. An unknown name is not guessed.";

/// Returns what a model reads of the server before it calls a tool: the instructions, and each tool with its arguments.
pub fn reading() -> Vec<(String, String)> {
    let tools = tools(true).into_iter().map(|tool| {
        let input = serde_json::to_string(&tool.input_schema).unwrap_or_default();
        (tool.name.to_string(), format!("{} {input}", tool.description.unwrap_or_default()))
    });
    std::iter::once(("instructions".to_owned(), INSTRUCTIONS.to_owned())).chain(tools).collect()
}

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
            "detail": { "type": "string", "enum": [MORE], "description": "what the answer before left out" },
            "docs": { "type": "boolean", "description": "sections of documents first, for how to install, run, deploy" },
            "project": project_input(),
            "budget": budget_input(),
            "pack_root": { "type": "string", "description": "of an earlier answer: returns only the changes" },
            "format": { "type": "string", "enum": formats(), "description": "default text" },
        },
        "additionalProperties": false,
    })
}

fn project_input() -> Value {
    json!({ "type": "string", "description": "another project or worktree, by name or absolute path" })
}

fn budget_input() -> Value {
    let description = format!("tokens of the answer, {MIN_BUDGET} to {MAX_BUDGET}, default {DEFAULT_BUDGET}");
    json!({ "type": "integer", "description": description })
}

fn symbol_input() -> Value {
    json!({
        "type": "object",
        "properties": {
            "symbol": {
                "type": "string",
                "description": "names (Session.is_expired) or locations (src/app.py:120), with commas between them"
            },
            "question": { "type": "string", "enum": QUESTIONS },
            "task": { "type": "string", "description": "adds why the symbol ranks for it" },
            "project": project_input(),
            "budget": budget_input(),
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
            "kind": { "type": "string", "enum": ["pack", "delta", "unchanged", "nothing", "answer"] },
            "notes": { "type": "array", "items": { "type": "string" } },
            "index": index_output(),
            "pack_root": { "type": "string" },
            "tokens": { "type": "integer" },
            "head": { "type": "array", "items": { "type": "string" } },
            "symbols": { "type": "array", "items": { "type": "object" } },
            "more": { "type": "array", "items": { "type": "string" } },
            "also": { "type": "array", "items": { "type": "object" } },
            "documents": { "type": "array", "items": { "type": "object" } },
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
            "symbols": { "type": "array", "items": { "type": "object" } },
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
