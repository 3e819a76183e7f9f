//! Answers of the tools: text for the agent and the same as structured content.
//!
//! The protocol asks for structured content where a tool has an output schema, and for text beside it. Clients show an
//! agent one of the two, and which one differs, so each is complete and within the budget. A server for a client that
//! shows both has no schemas, and then needs no structured content.

use std::sync::Arc;

use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

use super::index_state::{IndexKind, IndexState};
use super::served::ServedRepository;
use super::sessions::Sent;
use crate::engine::DeliveredPack;
use crate::exchange::{IndexRecord, Outcome, PackRecord};
use crate::text::display;

/// An answer, and what the journal records of it.
#[derive(Clone)]
pub struct ToolAnswer {
    pub text: String,
    pub structured: Value,
    pub outcome: Outcome,
    pub index: IndexRecord,
    pub pack: Option<PackRecord>,
    /// The text of the whole pack, also for an answer that has only its changes.
    pub whole_pack: Option<String>,
    /// The pack of a task by project, to notice later what was edited of it.
    pub delivered: Vec<(Arc<ServedRepository>, DeliveredPack)>,
    /// The parts that the reader has seen then.
    pub sent: Sent,
    pub message: Option<String>,
}

/// An error for the agent. Its text has the next step.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text}")]
pub struct ToolError {
    text: String,
    /// Whether the client canceled the request, so that nothing is answered.
    pub is_cancelled: bool,
}

impl ToolError {
    /// Creates an error with this text, which may quote arguments.
    pub fn new(text: impl AsRef<str>) -> ToolError {
        ToolError { text: display::message(text.as_ref()), is_cancelled: false }
    }

    /// Creates an error of these, each of which begins on a line of its own.
    pub fn joined(errors: &[ToolError]) -> ToolError {
        let texts: Vec<&str> = errors.iter().map(|error| error.text.as_str()).collect();
        ToolError { text: texts.join("\n"), is_cancelled: false }
    }

    /// Returns the result of a canceled request.
    pub fn cancelled() -> ToolError {
        ToolError { text: "canceled".to_owned(), is_cancelled: true }
    }
}

/// Marks an answer from a first look, or its error. What it sent is sent again with the whole answer.
pub fn of_state(answer: Result<ToolAnswer, ToolError>, state: &IndexState) -> Result<ToolAnswer, ToolError> {
    match answer {
        Ok(answer) if state.kind == IndexKind::Partial => {
            Ok(ToolAnswer { outcome: Outcome::Partial, delivered: Vec::new(), sent: Sent::default(), ..answer })
        }
        Err(error) if state.kind == IndexKind::Partial && !error.is_cancelled => {
            let note = state.note.iter().map(ToolError::new);
            Err(ToolError::joined(&std::iter::once(error).chain(note).collect::<Vec<_>>()))
        }
        other => other,
    }
}

/// Converts an answer to the protocol's result, without structured content if `text_only`.
pub fn result(answer: Result<ToolAnswer, ToolError>, text_only: bool) -> CallToolResult {
    match answer {
        Ok(answer) => {
            let mut result = CallToolResult::success(vec![ContentBlock::text(answer.text)]);
            result.structured_content = (!text_only).then_some(answer.structured);
            result
        }
        Err(error) => CallToolResult::error(vec![ContentBlock::text(error.to_string())]),
    }
}
