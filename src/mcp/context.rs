//! `knowing_context`: the pack of a task, of changed files or of a revision.

use std::sync::Arc;

use serde_json::{Value, json};

use super::answer::{ToolAnswer, ToolError};
use super::arguments::ContextArguments;
use super::index_state::IndexState;
use super::job::Job;
use super::log::Log;
use super::served::{Ready, ServedRepository};
use super::structured::fit;
use super::symbol::{question_answer, record};
use crate::engine::{PartialIndex, Ranker, Reader, ReplyKind, ReplyRequest, reason_without_files, unread_beside};
use crate::exchange::{Exchange, Outcome, PackRecord, SentPack, SteeringEffect};
use crate::model::{ContextPack, Options, Request, SymbolId, Task};
use crate::render::gcf::pack_root;
use crate::render::scoped_name;
use crate::render::text::heading;
use crate::text::display::excerpt;
use crate::text::tokens;

/// Tokens of the budget for the notes before the pack, and their share of a small budget.
const NOTE_TOKENS: usize = 120;
const NOTE_SHARE: usize = 4;
/// Tokens of the budget for notes that are known only after the pack.
const OMISSION_TOKENS: usize = 60;
/// A note that would be shorter is left out.
const MIN_NOTE_CHARS: usize = 24;
/// Limit of the symbols of a partial answer.
const MAX_PARTIAL_SYMBOLS: usize = 30;
/// Limit of the symbols that a note names.
const MAX_NAMED: usize = 8;

/// Answers a request.
///
/// # Errors
/// When the request can't be answered; the error has the next step.
pub fn answer(
    repository: &Arc<ServedRepository>,
    arguments: &ContextArguments,
    job: &Job,
    log: Log,
) -> Result<ToolAnswer, ToolError> {
    match repository.ready(job)? {
        Ready::Cancelled => Err(ToolError::cancelled()),
        Ready::Partial(partial, state) => Ok(partial_answer(repository, &partial, arguments, &state)),
        Ready::Complete(ranker, state) => {
            if let Some(answered) = structural(&ranker, arguments, &state).transpose() {
                repository.put_back(*ranker);
                return answered;
            }
            let exchange = repository.exchange();
            let mut delivery = Delivery::take(&exchange, log);
            let answered = complete_answer(repository, &ranker, arguments, &state, &delivery, job);
            if answered.is_ok() && !job.is_cancelled() {
                delivery.is_delivered = true;
            }
            repository.put_back(*ranker);
            answered
        }
    }
}

/// Answers a task that is a question about the structure; `None` for any other.
fn structural(
    ranker: &Ranker,
    arguments: &ContextArguments,
    state: &IndexState,
) -> Result<Option<ToolAnswer>, ToolError> {
    let Request::Task(task) = &arguments.request else { return Ok(None) };
    let failed = |error: crate::engine::EngineError| ToolError::new(error.to_string());
    let question = ranker.question_of(task).map_err(failed)?;
    let Some(question) = question else { return Ok(None) };
    let mut answer = question_answer(ranker, &question, arguments.budget, state)?;
    answer.structured["kind"] = json!("answer");
    Ok(Some(answer))
}

/// A pack that a person sent. It is put back unless it was delivered.
struct Delivery<'a> {
    exchange: &'a Exchange,
    sent: Option<SentPack>,
    is_delivered: bool,
    log: Log,
}

impl<'a> Delivery<'a> {
    fn take(exchange: &'a Exchange, log: Log) -> Delivery<'a> {
        let sent = exchange.take_sent().unwrap_or_else(|error| {
            log.write(&error.to_string());
            None
        });
        Delivery { exchange, sent, is_delivered: false, log }
    }
}

impl Drop for Delivery<'_> {
    fn drop(&mut self) {
        if let (false, Some(sent)) = (self.is_delivered, self.sent.take())
            && let Err(error) = self.exchange.put_back_sent(sent)
        {
            self.log.write(&error.to_string());
        }
    }
}

fn complete_answer(
    repository: &ServedRepository,
    ranker: &Ranker,
    arguments: &ContextArguments,
    state: &IndexState,
    delivery: &Delivery<'_>,
    job: &Job,
) -> Result<ToolAnswer, ToolError> {
    let failed = |error: &dyn std::fmt::Display| ToolError::new(error.to_string());
    let mut notes: Vec<String> = state.note.iter().cloned().collect();
    let steering = steering(repository, ranker, &arguments.request, delivery, &mut notes)?;
    let mut options = Options::default();
    steering.apply(&mut options);
    let known = tokens::count(&with_notes(&notes, ""));
    let reserve = NOTE_TOKENS.max(known + OMISSION_TOKENS).min(arguments.budget / NOTE_SHARE);
    let task = Task { request: arguments.request.clone(), budget_tokens: arguments.budget - reserve, options };
    let ranking = ranker.rank(&task, &|| job.is_cancelled()).map_err(|error| failed(&error))?;
    let Some(ranking) = ranking.filter(|_| !job.is_cancelled()) else { return Err(ToolError::cancelled()) };
    let request = ReplyRequest {
        task: &task,
        ranking: Some(&ranking),
        renderer: arguments.renderer,
        bodies: false,
        pack_root: arguments.pack_root.as_deref(),
        store_manifest: true,
    };
    let reply = ranker.reply(&request).map_err(|error| failed(&error))?;
    note_omissions(&reply.pack, &task.request, ranker.reader(), &mut notes);
    let pack_text = String::from_utf8_lossy(&reply.bytes).into_owned();
    let root = pack_root(&reply.pack);
    let (kind, outcome) = match reply.kind {
        _ if reply.pack.symbols.is_empty() => ("nothing", Outcome::Nothing),
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
    if kind == "pack" && arguments.renderer.has_fitting_sources() {
        structured["symbols"] = symbols(&reply.pack, &steering);
        structured["edges"] = edges(&reply.pack);
    } else if kind != "nothing" {
        structured["text"] = Value::String(pack_text.clone());
    }
    let delivered = match &task.request {
        Request::Task(text) => Some(ranker.delivered(text, repository.engine().branch(), &reply.pack)),
        Request::Files(_) | Request::PullRequest(_) => None,
    };
    let delivered = delivered.transpose().map_err(|error| failed(&error))?;
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
        delivered,
        message: None,
    })
}

/// Returns the pins and drops for a request, with those of a sent pack, and adds notes about them.
fn steering(
    repository: &ServedRepository,
    ranker: &Ranker,
    request: &Request,
    delivery: &Delivery<'_>,
    notes: &mut Vec<String>,
) -> Result<SteeringEffect, ToolError> {
    let failed = |error: &dyn std::fmt::Display| ToolError::new(error.to_string());
    let cluster = match request {
        Request::Task(text) => Some(ranker.cluster(text).map_err(|error| failed(&error))?),
        Request::Files(_) | Request::PullRequest(_) => None,
    };
    let branch = repository.engine().branch();
    let mut effect = match delivery.exchange.steering() {
        Ok(steering) => steering.for_task(cluster.as_ref(), branch.as_deref()),
        Err(error) => {
            notes.push(format!("the user's pins were not applied: {error}"));
            SteeringEffect::default()
        }
    };
    let names = |symbols: &[crate::exchange::SteeredSymbol]| {
        let mut names: Vec<&str> = symbols.iter().take(MAX_NAMED).map(|symbol| symbol.name.as_str()).collect();
        if symbols.len() > MAX_NAMED {
            names.push("…");
        }
        names.join(", ")
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

/// Adds notes on missing source, words that match nothing, and the reason why a pack is empty.
fn note_omissions(pack: &ContextPack, request: &Request, reader: &Reader, notes: &mut Vec<String>) {
    if let missing @ [first, ..] = pack.missing_sources.as_slice() {
        notes.push(format!("source of {} files is left out: {}", missing.len(), first.reason));
    }
    notes.extend(pack.unmatched_notice().map(|notice| excerpt(&notice).into_owned()));
    if let (true, Ok(Some(reason))) = (pack.symbols.is_empty(), reason_without_files(reader)) {
        return notes.push(reason);
    }
    notes.extend(unread_beside(reader, pack).unwrap_or_else(|error| Some(error.to_string())));
    if pack.symbols.is_empty() {
        let note = match (request, pack.cut()) {
            (_, Some(_)) => "no symbol fits the budget; raise `budget`",
            (Request::Task(_), None) => {
                "nothing in this repository matches the task; use other words, or names from the code"
            }
            (Request::Files(_), None) => "these files have no symbols; check the paths, or describe a `task`",
            (Request::PullRequest(_), None) => "no indexed file changed since then; describe a `task` instead",
        };
        notes.push(note.to_owned());
    }
}

fn symbols(pack: &ContextPack, steering: &SteeringEffect) -> Value {
    let is_pinned = |id: SymbolId| steering.pinned.iter().any(|symbol| symbol.id == id);
    let symbol = |packed: &crate::model::PackedSymbol| {
        let mut value = record(&packed.symbol);
        value["score"] = json!((packed.score * 100.0).round() / 100.0);
        if is_pinned(packed.symbol.id) {
            value["pinned"] = json!(true);
        }
        if let Some(body) = &packed.body {
            value["source"] = json!(body);
        }
        value
    };
    pack.symbols.iter().map(symbol).collect()
}

fn edges(pack: &ContextPack) -> Value {
    let name = |index: usize| scoped_name(&pack.symbols[index].symbol);
    let edge = |edge: &crate::model::PackEdge| {
        json!(format!("{} {} {}", name(edge.source), edge.edge_type.name(), name(edge.target)))
    };
    pack.edges.iter().map(edge).collect()
}

/// Returns an answer from the names that were found so far.
fn partial_answer(
    repository: &ServedRepository,
    partial: &PartialIndex,
    arguments: &ContextArguments,
    state: &IndexState,
) -> ToolAnswer {
    let mut symbols = match &arguments.request {
        Request::Task(task) => partial.symbols_for_task(&repository.engine().vocabulary(), task, MAX_PARTIAL_SYMBOLS),
        Request::Files(files) => files.iter().flat_map(|file| partial.definitions(file)).collect(),
        Request::PullRequest(_) => Vec::new(),
    };
    let notes: Vec<String> = state.note.iter().cloned().collect();
    let mut list = String::new();
    let mut left = arguments.budget.saturating_sub(tokens::count(&with_notes(&notes, "")));
    symbols.retain(|symbol| {
        let line = heading(&symbol.file, symbol);
        let cost = tokens::count(&line);
        let fits = cost <= left;
        if fits {
            left -= cost;
            list.push_str(&line);
        }
        fits
    });
    let text = with_notes(&notes, &list);
    let structured = json!({
        "kind": "partial", "notes": notes, "index": state.structured(), "tokens": tokens::count(&text),
        "symbols": symbols.iter().map(record).collect::<Value>(),
    });
    ToolAnswer {
        text,
        structured,
        outcome: Outcome::Partial,
        index: state.record(),
        pack: None,
        whole_pack: None,
        delivered: None,
        message: None,
    }
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
