//! `knowing feedback` over several repositories: a vote goes to the repository of its symbol.

use super::super::exit::{CliError, Status};
use super::super::feedback::{FeedbackArguments, VoteRecord, print_votes, vote};
use super::super::session::Session;
use super::super::task;
use super::indexed;
use crate::engine::EngineError;
use crate::workspace::{Member, Workspace};

/// Records each vote in the repository of its symbol. Names may begin with a label: `api://Session.open`.
///
/// # Errors
/// When a name is in several repositories, an operation on a journal is asked for, or a journal can't be written.
pub fn feedback(session: &Session, arguments: &FeedbackArguments) -> Result<Status, CliError> {
    if arguments.action.is_some() {
        let text = "each repository has a journal of its own; name one with a single --repo";
        return Err(CliError::Usage(text.to_owned()));
    }
    let text = task::words(session, arguments.task.as_deref().unwrap_or_default())?;
    let workspace = indexed(session)?;
    let mut votes: Vec<FeedbackArguments> = workspace.members().iter().map(|_| of_member(arguments, &text)).collect();
    for (list, names) in [&arguments.useful, &arguments.not_useful, &arguments.clear].into_iter().enumerate() {
        for name in names {
            let Some((member, name)) = owner(&workspace, name)? else {
                session.note(&format!("no symbol is called `{name}`"));
                return Ok(Status::NothingFound);
            };
            let own = &mut votes[member];
            [&mut own.useful, &mut own.not_useful, &mut own.clear][list].push(name);
        }
    }
    if [&arguments.useful, &arguments.not_useful, &arguments.clear].iter().all(|names| names.is_empty()) {
        return Err(CliError::Usage("no symbol given; use --useful, --not-useful or --clear".to_owned()));
    }
    let mut records = Vec::new();
    for (member, own) in workspace.members().iter().zip(&votes) {
        if [&own.useful, &own.not_useful, &own.clear].iter().any(|names| !names.is_empty()) {
            let mut recorder = member.engine().feedback_recorder(own.session.as_deref())?;
            let Some(recorded) = vote(session, member.engine(), &mut recorder, own)? else {
                return Ok(Status::NothingFound);
            };
            let labeled = |mut record: VoteRecord| {
                record.symbol = format!("{}://{}", member.label(), record.symbol);
                record
            };
            records.extend(recorded.into_iter().map(labeled));
        }
    }
    print_votes(session, &records, arguments.format)?;
    Ok(Status::Success)
}

/// Returns the arguments without symbols.
fn of_member(arguments: &FeedbackArguments, task: &str) -> FeedbackArguments {
    let FeedbackArguments { session, format, .. } = arguments;
    FeedbackArguments {
        action: None,
        task: Some(task.to_owned()),
        useful: Vec::new(),
        not_useful: Vec::new(),
        clear: Vec::new(),
        session: session.clone(),
        format: *format,
    }
}

/// Returns the position of the repository that has the symbol of a name, and the name there.
fn owner(workspace: &Workspace, name: &str) -> Result<Option<(usize, String)>, CliError> {
    if let Some((id, rest)) = workspace.repositories().split_label(name) {
        let is_own = |member: &Member| member.engine().repository() == id;
        return Ok(workspace.members().iter().position(is_own).map(|member| (member, rest.to_owned())));
    }
    let mut found = Vec::new();
    for (position, member) in workspace.members().iter().enumerate() {
        match member.ranker().map(|ranker| ranker.symbol_named(name)) {
            Some(Ok(_)) => found.push(position),
            // An ambiguous name is reported by the vote.
            Some(Err(EngineError::Name(error))) if !error.choices.is_empty() => found.push(position),
            Some(Err(EngineError::Name(_))) | None => {}
            Some(Err(error)) => return Err(error.into()),
        }
    }
    match found.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some((*one, name.to_owned()))),
        several => {
            let label = |position: &usize| format!("{}://{name}", workspace.members()[*position].label());
            let choices: Vec<String> = several.iter().map(label).collect();
            Err(CliError::Usage(format!("`{name}` is in several repositories; write {}", choices.join(" or "))))
        }
    }
}
