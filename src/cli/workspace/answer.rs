//! `knowing callers`, `callees` and `impact` over several repositories.

use super::super::answer::{AnswerFormat, AnswerOptions, print};
use super::super::exit::{CliError, Status};
use super::super::session::Session;
use super::indexed;
use crate::engine::EngineError;
use crate::model::{Answer, Question, Symbol};
use crate::render::question;
use crate::workspace::Workspace;

/// Answers a question about all repositories and prints the answer.
///
/// # Errors
/// When a name is ambiguous, the question is about a change, or the output can't be written.
pub fn answer(session: &Session, question: &Question, options: &AnswerOptions) -> Result<Status, CliError> {
    let mut workspace = indexed(session)?;
    let answer = match workspace.ask(question, options.limit) {
        Ok(answer) => answer,
        Err(EngineError::Name(error)) if error.choices.is_empty() => {
            session.note(&error.to_string());
            return Ok(Status::NothingFound);
        }
        Err(EngineError::Name(error)) => return Err(CliError::Usage(error.to_string())),
        Err(EngineError::Task { reason }) => return Err(CliError::Usage(reason)),
        Err(error) => return Err(error.into()),
    };
    print(&match options.format {
        AnswerFormat::Text => question::text(&answer),
        AnswerFormat::Json => question::json(&answer),
        AnswerFormat::Lines => lines(&workspace, &answer)?,
    })?;
    Ok(Status::for_count(answer.total))
}

fn lines(workspace: &Workspace, answer: &Answer) -> Result<String, CliError> {
    let mut columns = Vec::new();
    for row in answer.rows.iter().filter(|row| !row.symbol.file.is_empty()) {
        let symbols: [&Symbol; 1] = [&row.symbol];
        let own = workspace.member_of(&row.symbol).map(|member| member.engine().columns(&symbols)).transpose()?;
        columns.push(own.and_then(|columns| columns.first().copied()).unwrap_or(1));
    }
    Ok(question::lines(answer, &columns))
}
