//! `knowing_context`: the pack of a task, of changed files or of a revision.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde_json::{Value, json};

use super::answer::{ToolAnswer, ToolError, of_state};
use super::arguments::ContextArguments;
use super::index_state::IndexState;
use super::job::Job;
use super::log::Log;
use super::projects::{Loaded, Selected, readers};
use super::served::ServedRepository;
use super::sessions::Sent;
use super::structured::fit;
use super::symbol::{MAX_NAMESAKES, Reader, each, lines_of_unknown, question_answer};
use crate::engine::{DeliveredPack, Ranker, ReplyKind, ReplyRequest, reason_without_files, unread_beside};
use crate::exchange::{Exchange, Outcome, PackRecord, SentPack, SteeredSymbol, SteeringEffect};
use crate::model::{Also, ContextPack, Digest, Options, PackedSymbol, Request, Seen, Span, Symbol, SymbolId, Task};
use crate::render::gcf::pack_root;
use crate::render::scoped_name;
use crate::render::text::{by_file, source_lines};
use crate::text::display::excerpt;
use crate::text::tokens;
use crate::workspace::{Workspace, WorkspaceRanking};

/// Tokens of the budget for the notes before the pack, and their share of a small budget.
const NOTE_TOKENS: usize = 120;
const NOTE_SHARE: usize = 4;
/// Tokens of the budget for notes that are known only after the pack.
const OMISSION_TOKENS: usize = 60;
/// A note that would be shorter is left out.
const MIN_NOTE_CHARS: usize = 24;
/// Limit of the symbols that a note names.
const MAX_NAMED: usize = 8;

/// Answers a request about the selected projects. `seen` is what its session has had for the same request.
///
/// # Errors
/// When the request can't be answered; the error has the next step.
pub fn answer(
    selected: &Selected<'_>,
    arguments: &ContextArguments,
    seen: Sent,
    job: &Job,
    log: Log,
) -> Result<ToolAnswer, ToolError> {
    match selected.load(&arguments.request, job)? {
        Loaded::Cancelled => Err(ToolError::cancelled()),
        Loaded::Workspace(mut workspace, state) => {
            let mut deliveries: Vec<Delivery> =
                selected.members().iter().map(|repository| Delivery::take(repository, log)).collect();
            let answered = match structural(&mut workspace, arguments, &seen, &state).transpose() {
                Some(answered) => answered,
                None => {
                    let answered = complete_answer(&mut workspace, arguments, seen.symbols, &state, &deliveries, job);
                    let is_delivered = answered.is_ok() && !job.is_cancelled();
                    deliveries.iter_mut().for_each(|delivery| delivery.is_delivered = is_delivered);
                    answered
                }
            };
            selected.put_back(*workspace);
            of_state(answered, &state)
        }
    }
}

/// Answers a task that is a question about the structure; `None` for any other.
fn structural(
    workspace: &mut Workspace,
    arguments: &ContextArguments,
    seen: &Sent,
    state: &IndexState,
) -> Result<Option<ToolAnswer>, ToolError> {
    let Request::Task(task) = &arguments.request else { return Ok(None) };
    let failed = |error: crate::engine::EngineError| ToolError::new(error.to_string());
    let questions = workspace.questions_of(task, MAX_NAMESAKES).map_err(failed)?;
    let mut reader = Reader {
        earlier: arguments.asks_rest.then_some(seen),
        way_on: "call again with `detail` more",
        goes_beyond: !arguments.asks_rest,
        above: BTreeSet::new(),
    };
    let answer = match questions.is_empty() {
        true => lines_of_unknown(workspace, task, arguments.budget, state)?,
        false => Some(each(&questions, arguments.budget, state, |question, budget, state| {
            question_answer(workspace, question, budget, state, &mut reader)
        })?),
    };
    let Some(mut answer) = answer else { return Ok(None) };
    answer.structured["kind"] = json!("answer");
    match arguments.renderer.name() {
        "text" => {}
        "json" => answer.text = answer.structured.to_string() + "\n",
        other => {
            answer.text = with_notes(&[format!("a question is answered as text or json, not as {other}")], &answer.text)
        }
    }
    Ok(Some(answer))
}

/// A pack that a person sent to a project. It is put back unless it was delivered.
struct Delivery {
    repository: Arc<ServedRepository>,
    exchange: Exchange,
    sent: Option<SentPack>,
    is_delivered: bool,
    log: Log,
}

impl Delivery {
    fn take(repository: &Arc<ServedRepository>, log: Log) -> Delivery {
        let exchange = repository.exchange();
        let sent = exchange.take_sent().unwrap_or_else(|error| {
            log.write(&error.to_string());
            None
        });
        Delivery { repository: Arc::clone(repository), exchange, sent, is_delivered: false, log }
    }
}

impl Drop for Delivery {
    fn drop(&mut self) {
        if let (false, Some(sent)) = (self.is_delivered, self.sent.take())
            && let Err(error) = self.exchange.put_back_sent(sent)
        {
            self.log.write(&error.to_string());
        }
    }
}

fn complete_answer(
    workspace: &mut Workspace,
    arguments: &ContextArguments,
    seen: BTreeMap<SymbolId, Seen>,
    state: &IndexState,
    deliveries: &[Delivery],
    job: &Job,
) -> Result<ToolAnswer, ToolError> {
    let failed = |error: &dyn std::fmt::Display| ToolError::new(error.to_string());
    let mut notes: Vec<String> = state.note.iter().cloned().collect();
    let steering = steering(workspace, &arguments.request, deliveries, &mut notes)?;
    let mut options = Options { detail: arguments.detail, documents: arguments.docs, seen, ..Options::default() };
    steering.apply(&mut options);
    notes.extend(seen_note(&options));
    let known = tokens::count(&with_notes(&notes, ""));
    let reserve = NOTE_TOKENS.max(known + OMISSION_TOKENS).min(arguments.budget / NOTE_SHARE);
    let task = Task { request: arguments.request.clone(), budget_tokens: arguments.budget - reserve, options };
    let ranking = workspace.rank(&task, &|| job.is_cancelled()).map_err(|error| failed(&error))?;
    let Some(ranking) = ranking.filter(|_| !job.is_cancelled()) else { return Err(ToolError::cancelled()) };
    notes.extend(ranking.notes.iter().cloned());
    workspace.cross_edges().map_err(|error| failed(&error))?;
    let request = ReplyRequest {
        task: &task,
        ranking: None,
        renderer: arguments.renderer,
        bodies: false,
        pack_root: arguments.pack_root.as_deref(),
        store_manifest: true,
    };
    let reply = workspace.reply(&request, &ranking).map_err(|error| failed(&error))?;
    note_omissions(&reply.pack, &task.request, workspace, &ranking, &mut notes);
    let pack_text = String::from_utf8_lossy(&reply.bytes).into_owned();
    let root = pack_root(&reply.pack);
    let (kind, outcome) = match reply.kind {
        _ if reply.pack.symbols.is_empty() && task.options.seen.is_empty() => ("nothing", Outcome::Nothing),
        ReplyKind::Pack => ("pack", Outcome::Answered),
        ReplyKind::Delta => ("delta", Outcome::Delta),
        ReplyKind::Unchanged => ("unchanged", Outcome::Unchanged),
    };
    let shown = if kind == "nothing" { "" } else { &pack_text };
    let notes = fitting_notes(notes, arguments.budget.saturating_sub(tokens::count(shown)));
    let text = with_notes(&notes, shown);
    let tokens = tokens::count(&text);
    let mut structured = json!({
        "kind": kind, "notes": notes, "index": state.structured(), "pack_root": root, "tokens": tokens,
    });
    if let ("pack", Some(digest)) = (kind, &reply.pack.digest) {
        structured["head"] = json!(digest.head);
        structured["symbols"] = symbols(&reply.pack, digest, &steering);
        add_beside(&mut structured, &reply.pack);
        structured["more"] = by_file(&reply.pack, digest).iter().map(|line| json!(line.trim_end())).collect();
    } else if kind != "nothing" {
        structured["text"] = Value::String(pack_text.clone());
    }
    let whole_pack = match reply.kind {
        ReplyKind::Pack => pack_text,
        ReplyKind::Delta | ReplyKind::Unchanged => arguments.renderer.render(&reply.pack),
    };
    Ok(ToolAnswer {
        text,
        structured: fit(structured, task.budget_tokens),
        outcome,
        index: state.record(),
        pack: Some(PackRecord::new(&reply.pack, root, tokens)),
        whole_pack: Some(whole_pack),
        delivered: delivered(workspace, &task, &reply.pack, deliveries)?,
        sent: Sent { symbols: reply.pack.seen(), ..Sent::default() },
        message: None,
    })
}

fn seen_note(options: &Options) -> Option<String> {
    let count = options.seen.len();
    (count > 0).then(|| format!("{count} symbols were sent before and are left out"))
}

/// Returns what is delivered of each project, to notice later what was edited of it.
fn delivered(
    workspace: &Workspace,
    task: &Task,
    pack: &ContextPack,
    deliveries: &[Delivery],
) -> Result<Vec<(Arc<ServedRepository>, DeliveredPack)>, ToolError> {
    let Request::Task(text) = &task.request else { return Ok(Vec::new()) };
    let mut delivered = Vec::new();
    for (member, delivery) in workspace.members().iter().zip(deliveries) {
        let Some(ranker) = member.ranker() else { continue };
        let is_own = |packed: &&PackedSymbol| {
            workspace.member_of(&packed.symbol).is_some_and(|own| own.position() == member.position())
        };
        let symbols = pack.symbols.iter().filter(is_own).cloned().collect();
        let own = ContextPack { symbols, ..ContextPack::default() };
        let own = ranker.delivered(text, delivery.repository.engine().branch(), &own);
        let own = own.map_err(|error| ToolError::new(error.to_string()))?;
        delivered.push((Arc::clone(&delivery.repository), own));
    }
    Ok(delivered)
}

/// Returns the pins and drops for a request, with those of sent packs, and adds notes about them.
fn steering(
    workspace: &Workspace,
    request: &Request,
    deliveries: &[Delivery],
    notes: &mut Vec<String>,
) -> Result<SteeringEffect, ToolError> {
    let mut joined = SteeringEffect::default();
    for (member, delivery) in workspace.members().iter().zip(deliveries) {
        let Some(ranker) = member.ranker() else { continue };
        let effect = steering_of(ranker, request, delivery, notes)?;
        joined.pinned.extend(effect.pinned);
        joined.dropped.extend(effect.dropped);
    }
    Ok(joined)
}

fn steering_of(
    ranker: &Ranker,
    request: &Request,
    delivery: &Delivery,
    notes: &mut Vec<String>,
) -> Result<SteeringEffect, ToolError> {
    let failed = |error: &dyn std::fmt::Display| ToolError::new(error.to_string());
    let cluster = match request {
        Request::Task(text) => Some(ranker.cluster(text).map_err(|error| failed(&error))?),
        Request::Files(_) | Request::PullRequest(_) => None,
    };
    let branch = delivery.repository.engine().branch();
    let mut effect = match delivery.exchange.steering() {
        Ok(steering) => steering.for_task(cluster.as_ref(), branch.as_deref()),
        Err(error) => {
            notes.push(format!("the user's pins were not applied: {error}"));
            SteeringEffect::default()
        }
    };
    if !effect.pinned.is_empty() {
        notes.push(format!("pinned by the user: {}", names(&effect.pinned)));
    }
    if !effect.dropped.is_empty() {
        notes.push(format!("left out by the user: {}", names(&effect.dropped)));
    }
    if let Some(sent) = &delivery.sent {
        let note = if sent.note.trim().is_empty() { String::new() } else { format!("; note: {}", sent.note.trim()) };
        let task = if sent.task.is_empty() { String::new() } else { format!(" for \"{}\"", sent.task) };
        notes.push(format!("sent by the user{task}: {}{note}", names(&sent.symbols)));
        let sent_ids: Vec<SymbolId> = sent.symbols.iter().map(|symbol| symbol.id).collect();
        effect.dropped.retain(|symbol| !sent_ids.contains(&symbol.id));
        effect.pinned.extend(sent.symbols.iter().cloned());
    }
    Ok(effect)
}

/// Returns the first names.
fn names(symbols: &[SteeredSymbol]) -> String {
    let mut names: Vec<&str> = symbols.iter().take(MAX_NAMED).map(|symbol| symbol.name.as_str()).collect();
    if symbols.len() > MAX_NAMED {
        names.push("…");
    }
    names.join(", ")
}

/// Adds notes on missing source, words that match nothing, and the reason why a pack is empty.
fn note_omissions(
    pack: &ContextPack,
    request: &Request,
    workspace: &Workspace,
    ranking: &WorkspaceRanking,
    notes: &mut Vec<String>,
) {
    notes.extend(pack.missing_notices());
    // A digest has these in its head.
    let in_head = pack.digest.is_some() && !pack.symbols.is_empty();
    notes.extend(pack.unmatched_notice().filter(|_| !in_head).map(|notice| excerpt(&notice).into_owned()));
    let reason = |reader| reason_without_files(reader).unwrap_or_else(|error| Some(error.to_string()));
    let reasons: Vec<String> = readers(workspace).filter_map(reason).collect();
    if pack.symbols.is_empty() && !reasons.is_empty() {
        return notes.extend(reasons);
    }
    for reader in readers(workspace).filter(|_| !in_head) {
        notes.extend(unread_beside(reader, pack).unwrap_or_else(|error| Some(error.to_string())));
    }
    if let Request::PullRequest(base) = request {
        let elsewhere = workspace.changed_elsewhere(base, ranking);
        notes.extend(elsewhere.map_or_else(|error| Some(error.to_string()), |found| found.notice()));
    }
    notes.extend(pack.empty_notice(request, "`budget`"));
}

/// Returns the places, with what is shown of the source and the neighbors of each.
fn symbols(pack: &ContextPack, digest: &Digest, steering: &SteeringEffect) -> Value {
    let is_pinned = |id: SymbolId| steering.pinned.iter().any(|symbol| symbol.id == id);
    let symbol = |(index, reason): &(usize, String)| {
        let packed = &pack.symbols[*index];
        let mut value = place_record(&packed.symbol);
        if !reason.is_empty() {
            value["why"] = json!(reason);
        }
        if is_pinned(packed.symbol.id) {
            value["pinned"] = json!(true);
        }
        if let Some(source) = digest.sources.iter().find(|source| source.symbol == *index) {
            let text = source_lines(pack, source);
            value["source"] = json!(text.trim_start().split_once('\n').map_or("", |(_, lines)| lines));
        }
        value
    };
    digest.places.iter().map(symbol).collect()
}

/// Adds the symbols beside the first places: what likely changes with them, and sections of documents.
fn add_beside(structured: &mut Value, pack: &ContextPack) {
    let record = |one: &Also| {
        let mut value = place_record(&one.symbol);
        value["why"] = json!(one.reason);
        value
    };
    structured["also"] = pack.also.iter().map(record).collect();
    structured["documents"] = pack.documents.iter().map(record).collect();
}

/// Returns the location, kind and name of a symbol.
fn place_record(symbol: &Symbol) -> Value {
    let Span { start_line, end_line, .. } = symbol.span;
    let (name, kind, file) = (scoped_name(symbol), symbol.kind.name(), &symbol.file);
    json!({ "name": name, "kind": kind, "file": file, "start_line": start_line, "end_line": end_line })
}

/// Returns notes of at most this many tokens: the longest are shortened first.
fn fitting_notes(mut notes: Vec<String>, max_tokens: usize) -> Vec<String> {
    while tokens::count(&with_notes(&notes, "")) > max_tokens {
        let lengths = notes.iter().map(|note| note.chars().count()).enumerate();
        let Some((index, length)) = lengths.max_by_key(|(_, length)| *length) else { break };
        if length < 2 * MIN_NOTE_CHARS {
            notes.remove(index);
        } else {
            notes[index] = notes[index].chars().take(length * 3 / 4).chain(['…']).collect();
        }
    }
    notes
}

/// Returns a text after notes, one a line.
pub fn with_notes(notes: &[String], text: &str) -> String {
    let mut lines: String = notes.iter().map(|note| format!("note: {}\n", crate::text::display::safe(note))).collect();
    lines.push_str(text);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_notes_fit() {
        let notes = vec!["index refreshed".to_owned(), "sent by the user: ".to_owned() + &"word ".repeat(1_000)];
        let whole = tokens::count(&with_notes(&notes, ""));
        assert_eq!(fitting_notes(notes.clone(), whole), notes);
        for limit in [0, 5, 60, whole / 2] {
            let fitting = fitting_notes(notes.clone(), limit);
            assert!(tokens::count(&with_notes(&fitting, "")) <= limit, "{limit}: {fitting:?}");
        }
        let fitting = fitting_notes(notes.clone(), 100);
        assert_eq!(fitting[0], notes[0], "a short note stays whole");
        assert!(fitting[1].starts_with("sent by the user: word") && fitting[1].ends_with('…'), "{fitting:?}");
    }
}
