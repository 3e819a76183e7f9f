//! Hooks: programs that agents run at an event, with JSON on standard input. What they print is added to the agent's
//! context. A hook never denies anything, and prints nothing when it is not sure or on any error.
//!
//! Input and output have the form that Claude Code introduced and Codex and Gemini CLI share: `hook_event_name`, `cwd`,
//! `prompt` or `tool_input`; `hookSpecificOutput.additionalContext`.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::engine::inspect::{NameLookup, lookup_name};
use crate::engine::{Engine, EngineError, Form, KeywordStage, StoreError};
use crate::exchange::{
    Client, Exchange, Outcome, PackRecord, RequestJournal, RequestRecord, RequestSource, RequestSubject,
    is_journal_enabled, now_ms,
};
use crate::model::{ContextPack, Task};
use crate::render::gcf::pack_root;
use crate::render::{Renderer, renderer_named, scoped_name};
use crate::text::tokens;

/// The event that a hook answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookKind {
    /// A prompt was sent: adds the symbols that matter for it.
    Prompt,
    /// A search is about to run: adds the definition of the name that is searched for.
    Search,
    /// A sub-agent starts: adds a line about the tools.
    Subagent,
}

/// Environment variable that switches hooks off when it is `off`.
const SWITCH: &str = "KNOWING_HOOKS";

/// Limit of the text of a hook in cl100k_base tokens.
const MAX_TOKENS: usize = 800;
/// The budget of the pack; the rest is for the heading.
const PACK_TOKENS: usize = 700;
/// Limit of a prompt in bytes. Longer ones hold their own context.
const MAX_PROMPT_LEN: usize = 64 << 10;

/// The fields of an event that hooks use.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Event {
    hook_event_name: String,
    cwd: PathBuf,
    prompt: String,
    tool_input: ToolInput,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ToolInput {
    pattern: String,
    command: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    hook_specific_output: Specific<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Specific<'a> {
    hook_event_name: &'a str,
    additional_context: String,
}

/// Returns the answer to an event, one JSON object; `None` if there is nothing to add: hooks are switched off, the
/// repository has no index, the ranking is not sure, or it takes longer than `limit`. What went
/// wrong beside the answer is added to `notes`.
///
/// # Errors
/// When the event is not a JSON object, or the index can't be read.
pub fn answer(
    kind: HookKind,
    input: &str,
    limit: Duration,
    notes: &mut Vec<String>,
) -> Result<Option<String>, HookError> {
    let start = Instant::now();
    if std::env::var(SWITCH).is_ok_and(|value| value == "off") {
        return Ok(None);
    }
    let event: Event = serde_json::from_str(input)?;
    let folder = if event.cwd.as_os_str().is_empty() { Path::new(".") } else { &event.cwd };
    let engine = Engine::open(folder, None)?;
    // An index is the user's consent to answer in this repository.
    if !engine.database().exists() {
        return Ok(None);
    }
    let context = match kind {
        HookKind::Prompt => prompt_context(&engine, &event.prompt, &|| start.elapsed() > limit, notes)?,
        HookKind::Search => search_context(&engine, &event.tool_input)?,
        HookKind::Subagent => Some(SUBAGENT.to_owned()),
    };
    let Some(additional_context) = context.filter(|text| tokens::count(text) <= MAX_TOKENS) else { return Ok(None) };
    let specific = Specific { hook_event_name: &event.hook_event_name, additional_context };
    Ok(Some(serde_json::to_string(&Output { hook_specific_output: specific })?))
}

/// A hook failed; the agent goes on without its answer.
#[derive(Debug, thiserror::Error)]
pub enum HookError {
    #[error("the event is not a hook's JSON: {0}")]
    Event(#[from] serde_json::Error),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Store(#[from] StoreError),
}

const SUBAGENT: &str = "This repository is indexed by knowing. To find the code for a task, call the MCP tool \
`knowing_context` with the task in plain words before searching; `knowing_symbol` shows a symbol with its callers and \
tests. Without MCP: `knowing context \"TASK\"`, `knowing symbol NAME`.";

const PROMPT_HEADING: &str = "Code of this repository that may matter for the prompt (knowing); `knowing_context` returns more \
of it, `knowing_symbol` one symbol with callers and tests.\n";

/// Score of the best symbol from which a ranking is sure. Of 235 training commits 71% are above it, with a changed
/// symbol among the first ten for 85% of these, against 76% of all.
const SURE_SCORE: f64 = 1.0;
/// Number of keywords from which a prompt is about code; "run the tests" has fewer.
const MIN_KEYWORDS: usize = 3;

/// Returns the context for a prompt, and journals the request if there is any.
fn prompt_context(
    engine: &Engine,
    prompt: &str,
    is_late: &dyn Fn() -> bool,
    notes: &mut Vec<String>,
) -> Result<Option<String>, HookError> {
    // A slash command or a shell line is not a task.
    if prompt.len() > MAX_PROMPT_LEN || prompt.trim_start().starts_with(['/', '!']) {
        return Ok(None);
    }
    let subject = RequestSubject::Task(prompt.to_owned());
    let mut record = RequestRecord::begin(RequestSource::Hook, Client::default(), "prompt", subject);
    let Some(renderer) = renderer_named("text") else { return Ok(None) };
    let ranker = engine.ranker()?;
    let mut task = Task { budget_tokens: PACK_TOKENS, ..Task::from_text(prompt) };
    let exchange = Exchange::for_engine(engine);
    let cluster = ranker.cluster(prompt)?;
    match exchange.steering() {
        Ok(steering) => {
            steering.for_task(Some(&cluster), engine.branch().as_deref()).apply(&mut task.options);
        }
        Err(error) => notes.push(format!("pins were not applied: {error}")),
    }
    let Some(ranking) = ranker.rank(&task, is_late)? else { return Ok(None) };
    let keywords = KeywordStage::new(prompt, &ranking).keywords;
    let has_identifier =
        [Form::Quoted, Form::Identifier, Form::Called].iter().any(|form| keywords.with_form(*form).next().is_some());
    if keywords.words().count() < MIN_KEYWORDS && !has_identifier {
        return Ok(None);
    }
    let pack = ranker.pack_ranked(&task, &ranking, renderer, false)?;
    let is_sure = pack.symbols.first().is_some_and(|best| best.score >= SURE_SCORE);
    if !is_sure || is_late() {
        return Ok(None);
    }
    let text = prompt_text(&pack, renderer);
    let has_journal = is_journal_enabled().unwrap_or_else(|error| {
        notes.push(format!("the request is not recorded: {error}"));
        false
    });
    if has_journal {
        record.pack = Some(PackRecord::new(&pack, pack_root(&pack), tokens::count(&text)));
        record.outcome = Outcome::Answered;
        record.duration_ms = now_ms().saturating_sub(record.at_ms);
        if let Err(error) = RequestJournal::new(exchange).append(record) {
            notes.push(error.to_string());
        }
    }
    Ok(Some(text))
}

/// Returns the answer that an agent would get, in short, and which of its files have changed since they were indexed.
fn prompt_text(pack: &ContextPack, renderer: &dyn Renderer) -> String {
    let changed: Vec<&str> = pack.missing_sources.iter().map(|missing| missing.file.as_str()).collect();
    let changed = match changed.is_empty() {
        true => String::new(),
        false => format!("# changed since they were indexed, so lines may have moved: {}\n", changed.join(", ")),
    };
    format!("{PROMPT_HEADING}{changed}{}", renderer.render(pack))
}

/// Programs that search text, and the options of theirs that have a value.
const SEARCHERS: [&str; 4] = ["rg", "grep", "egrep", "ag"];
const VALUE_OPTIONS: [&str; 14] = [
    "-A",
    "-B",
    "-C",
    "-g",
    "-t",
    "-T",
    "-m",
    "-f",
    "--type",
    "--glob",
    "--include",
    "--exclude",
    "--exclude-dir",
    "--max-count",
];

fn search_context(engine: &Engine, input: &ToolInput) -> Result<Option<String>, HookError> {
    let pattern = if input.pattern.is_empty() { searched(&input.command) } else { Some(input.pattern.clone()) };
    let Some(name) = pattern.as_deref().and_then(searched_name) else { return Ok(None) };
    let symbols = match lookup_name(&engine.reader()?, &name)? {
        NameLookup::One(symbol) => vec![*symbol],
        NameLookup::Ambiguous(choices) if choices.len() <= MAX_CHOICES => {
            choices.into_iter().map(|(_, symbol)| symbol).collect()
        }
        NameLookup::Ambiguous(_) | NameLookup::Unknown { .. } => return Ok(None),
    };
    let defined: Vec<String> = (symbols.iter().filter(|symbol| !symbol.file.is_empty()))
        .map(|symbol| format!("{} {} at {}", symbol.kind.name(), scoped_name(symbol), symbol.place()))
        .collect();
    if defined.is_empty() {
        return Ok(None);
    }
    Ok(Some(format!(
        "knowing has `{name}`: {}. `knowing_symbol` (or `knowing symbol {name}`) shows source, callers and tests.",
        defined.join(", ")
    )))
}

/// Limit of the definitions of one name that are listed.
const MAX_CHOICES: usize = 5;

/// Returns the pattern of the first search in a shell command.
fn searched(command: &str) -> Option<String> {
    let mut words = shlex::split(command)?.into_iter();
    words.find(|word| SEARCHERS.contains(&word.as_str()))?;
    while let Some(word) = words.next() {
        match word.as_str() {
            "-e" | "--regexp" => return words.next(),
            option if VALUE_OPTIONS.contains(&option) => drop(words.next()),
            option if option.starts_with('-') => (),
            _ => return Some(word),
        }
    }
    None
}

/// Returns the identifier that a pattern searches for, such as `parse` of `\bfn parse\(`; `None` if there are
/// alternatives or it is too short to be a name.
fn searched_name(pattern: &str) -> Option<String> {
    if pattern.contains('|') {
        return None;
    }
    let plain = pattern.replace("\\b", " ").replace("\\s", " ");
    let names = plain.split(|letter: char| !(letter.is_alphanumeric() || matches!(letter, '_' | '.' | ':')));
    let name = names.map(|name| name.trim_matches(['.', ':'])).rfind(|name| !name.is_empty())?;
    (name.len() >= MIN_NAME_LEN && !name.starts_with(|first: char| first.is_ascii_digit())).then(|| name.to_owned())
}

/// Names that are shorter are found everywhere.
const MIN_NAME_LEN: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_pattern_of_a_command() {
        let cases = [
            ("rg -n 'fn parse_args\\(' src", Some("fn parse_args\\(")),
            ("git grep -A 3 -e Session -- src", Some("Session")),
            ("cd src && grep -rn --include '*.py' \"class Flask\" .", Some("class Flask")),
            ("cargo test", None),
            ("rg 'unclosed", None),
        ];
        for (command, pattern) in cases {
            assert_eq!(searched(command).as_deref(), pattern, "{command}");
        }
    }

    #[test]
    fn name_of_a_pattern() {
        let cases = [
            ("\\bfn parse_args\\(", Some("parse_args")),
            ("class Flask", Some("Flask")),
            ("Flask.route", Some("Flask.route")),
            ("foo|parse_args", None),
            ("err", None),
            ("404 error$", Some("error")),
        ];
        for (pattern, name) in cases {
            assert_eq!(searched_name(pattern).as_deref(), name, "{pattern}");
        }
    }
}
