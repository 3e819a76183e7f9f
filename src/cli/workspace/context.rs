//! `knowing context` over several repositories.

use super::super::context::{ContextArguments, note_omissions, write_to};
use super::super::exit::{CliError, Status};
use super::super::session::Session;
use super::indexed;
use crate::model::{Request, Task};
use crate::render::Renderer;
use crate::render::answer::{EarlierPack, answer};
use crate::workspace::{MemberShare, Workspace};

/// Ranks the request in each repository, prints one pack and records it for feedback in the repositories of its symbols.
///
/// # Errors
/// When no index can be used, the budget is too small, or the output can't be written.
pub fn context(
    session: &Session,
    arguments: &ContextArguments,
    task: &Task,
    renderer: &'static dyn Renderer,
) -> Result<Status, CliError> {
    let mut workspace = indexed(session)?;
    check_files(&workspace, task)?;
    let ranking = workspace.rank(task, &|| false)?.unwrap_or_default();
    ranking.notes.iter().for_each(|note| session.note(note));
    // The pack has the edges that are known.
    if let Err(error) = workspace.cross_edges() {
        session.note(&format!("the edges between the repositories can't be found: {error}"));
    }
    if let Some(file) = &arguments.output {
        let outputs = workspace.members().iter().map(|member| member.engine().check_output(file));
        outputs.collect::<Result<(), _>>().map_err(|error| CliError::Usage(error.to_string()))?;
    }
    let pack = workspace.pack(task, &ranking, renderer, arguments.bodies)?;
    // Without a common database there are no stored packs, so a delta is not possible.
    let earlier = arguments.pack_root.as_deref().map(|root| EarlierPack { root, manifest: None });
    write_to(arguments.output.as_deref(), &renderer.bytes(&answer(&pack, earlier, renderer)))?;
    if !arguments.no_learn {
        for note in workspace.record_shown(task, &pack) {
            session.note(&note);
        }
    }
    if let Some(answer) = &pack.answer {
        session.note(&format!("answered from the graph: {answer}"));
    }
    note_omissions(session, task, &pack);
    session.note(&shares(&workspace.shares(&ranking, &pack)));
    Ok(Status::for_count(pack.symbols.len()))
}

/// Checks that each file of a request begins with a repository, and that its index has it.
fn check_files(workspace: &Workspace, task: &Task) -> Result<(), CliError> {
    let Request::Files(files) = &task.request else { return Ok(()) };
    let names = workspace.repositories();
    for file in files {
        let is_own = |id: &str| workspace.members().iter().find(|member| member.engine().repository() == id);
        let Some((member, own)) = names.split_label(file).and_then(|(id, own)| Some((is_own(id)?, own))) else {
            let first = workspace.members().first().map_or("", |member| member.label());
            return Err(CliError::Usage(format!("{file} begins with no repository; write {first}/{file}")));
        };
        if let Some(ranker) = member.ranker()
            && ranker.reader().content_hash(own)?.is_none()
        {
            return Err(CliError::Usage(format!("{file} is not an indexed file of {}", member.label())));
        }
    }
    Ok(())
}

/// Returns the part of each repository in the pack, the largest first.
fn shares(shares: &[MemberShare]) -> String {
    let mut shown: Vec<&MemberShare> = shares.iter().filter(|share| share.symbols > 0).collect();
    shown.sort_by(|one, other| other.tokens.cmp(&one.tokens).then_with(|| one.label.cmp(&other.label)));
    let parts: Vec<String> = (shown.iter())
        .map(|share| format!("{} {} ({:.0}%)", share.label, share.symbols, share.probability * 100.0))
        .collect();
    match parts.len() {
        0 => format!("no symbol of {} repositories", shares.len()),
        _ => format!("symbols by repository, with its probability: {}", parts.join(", ")),
    }
}
