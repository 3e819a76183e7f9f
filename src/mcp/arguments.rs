//! Arguments of the tools. They come from a language model: every error names what is allowed.

use rmcp::model::JsonObject;
use serde_json::Value;

use super::answer::ToolError;
use crate::exchange::RequestSubject;
use crate::model::Request;
use crate::render::{RENDERERS, Renderer, renderer_named};
use crate::text::display::excerpt;

/// Limits of arguments.
const MAX_TEXT_BYTES: usize = 1 << 20;
const MAX_WORD_BYTES: usize = 1_000;
const MAX_FILES: usize = 500;
const MIN_BUDGET: u64 = 200;
const MAX_BUDGET: u64 = 200_000;
/// The default budget: agents read the whole answer.
pub const DEFAULT_BUDGET: u64 = 6_000;

/// The questions about a symbol.
pub const QUESTIONS: [&str; 4] = ["callers", "callees", "impact", "tests"];

/// The arguments of `knowing_context`.
pub struct ContextArguments {
    pub request: Request,
    pub budget: usize,
    pub pack_root: Option<String>,
    pub renderer: &'static dyn Renderer,
}

/// The arguments of `knowing_symbol`.
pub struct SymbolArguments {
    /// A name, or a path with a line.
    pub symbol: String,
    pub question: Option<&'static str>,
    /// The task for which the symbol's rank is explained.
    pub task: Option<String>,
    pub budget: usize,
}

impl ContextArguments {
    /// Checks arguments.
    ///
    /// # Errors
    /// When one is unknown, missing or malformed; likewise for every function here.
    pub fn parse(arguments: &JsonObject) -> Result<ContextArguments, ToolError> {
        check_names(arguments, &["task", "files", "revision", "budget", "pack_root", "format"])?;
        let task = text(arguments, "task", MAX_TEXT_BYTES)?;
        let revision = text(arguments, "revision", MAX_WORD_BYTES)?;
        let request = match (task, files(arguments)?, revision) {
            (Some(task), None, None) => Request::Task(task),
            (None, Some(files), None) => Request::Files(files),
            (None, None, Some(revision)) => Request::PullRequest(revision),
            (None, None, None) => {
                return Err(ToolError::new(
                    "give `task` (what you want to do, in plain words), or `files` (changed files), or `revision` \
                     (a branch, tag or commit to compare with)",
                ));
            }
            _ => return Err(ToolError::new("give only one of `task`, `files` and `revision`")),
        };
        let format = text(arguments, "format", MAX_WORD_BYTES)?.unwrap_or_else(|| "text".to_owned());
        let renderer = renderer_named(&format).filter(|renderer| !renderer.is_binary()).ok_or_else(|| {
            ToolError::new(format!("unknown format `{}`; formats are {}", excerpt(&format), formats().join(", ")))
        })?;
        let pack_root = text(arguments, "pack_root", MAX_WORD_BYTES)?.map(|root| pack_root(&root)).transpose()?;
        Ok(ContextArguments { request, budget: budget(arguments)?, pack_root, renderer })
    }
}

impl SymbolArguments {
    /// Checks arguments.
    pub fn parse(arguments: &JsonObject) -> Result<SymbolArguments, ToolError> {
        check_names(arguments, &["symbol", "question", "task", "budget"])?;
        let symbol = text(arguments, "symbol", MAX_WORD_BYTES)?.ok_or_else(|| {
            ToolError::new("give `symbol`: a name such as Session.is_expired, or a location such as src/app.py:120")
        })?;
        let question = text(arguments, "question", MAX_WORD_BYTES)?;
        let question = question.map(|given| {
            QUESTIONS.into_iter().find(|known| *known == given).ok_or_else(|| {
                ToolError::new(format!(
                    "unknown question `{}`; questions are {}",
                    excerpt(&given),
                    QUESTIONS.join(", ")
                ))
            })
        });
        let task = text(arguments, "task", MAX_TEXT_BYTES)?;
        Ok(SymbolArguments { symbol, question: question.transpose()?, task, budget: budget(arguments)? })
    }
}

/// Returns the formats that an answer can have: all but the binary one.
pub fn formats() -> Vec<&'static str> {
    RENDERERS.iter().filter(|renderer| !renderer.is_binary()).map(|renderer| renderer.name()).collect()
}

/// Returns the content of a request for the journal. Arguments that are not valid have one, too.
pub fn subject(tool: &str, arguments: &JsonObject) -> RequestSubject {
    let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    if tool == super::tools::SYMBOL {
        return RequestSubject::Symbol(text("symbol"));
    }
    if let Some(files) = arguments.get("files").and_then(Value::as_array) {
        return RequestSubject::Files(files.iter().filter_map(|file| file.as_str().map(str::to_owned)).collect());
    }
    match arguments.get("revision") {
        Some(Value::String(revision)) => RequestSubject::Revision(revision.clone()),
        _ => RequestSubject::Task(text("task")),
    }
}

fn check_names(arguments: &JsonObject, known: &[&str]) -> Result<(), ToolError> {
    match arguments.keys().find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            Err(ToolError::new(format!("unknown argument `{}`; arguments are {}", excerpt(name), known.join(", "))))
        }
    }
}

/// Returns a text without surrounding whitespace; `None` if it is absent, null or empty.
fn text(arguments: &JsonObject, name: &str, max_bytes: usize) -> Result<Option<String>, ToolError> {
    let text = match arguments.get(name) {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => text.trim(),
        Some(_) => return Err(ToolError::new(format!("`{name}` must be a string"))),
    };
    if text.len() > max_bytes {
        return Err(ToolError::new(format!("`{name}` has more than {max_bytes} bytes; shorten it")));
    }
    Ok((!text.is_empty()).then(|| text.to_owned()))
}

fn files(arguments: &JsonObject) -> Result<Option<Vec<String>>, ToolError> {
    let wrong = || ToolError::new("`files` must be a list of paths relative to the repository's root");
    let list = match arguments.get("files") {
        None | Some(Value::Null) => return Ok(None),
        Some(list) => list.as_array().ok_or_else(wrong)?,
    };
    if list.len() > MAX_FILES {
        return Err(ToolError::new(format!("`files` has more than {MAX_FILES} paths; use `revision`")));
    }
    let path = |value: &Value| value.as_str().map(str::trim).filter(|path| !path.is_empty()).map(str::to_owned);
    let files: Option<Vec<String>> = list.iter().map(path).collect();
    match files {
        Some(files) if files.is_empty() => Ok(None),
        files => files.ok_or_else(wrong).map(Some),
    }
}

fn budget(arguments: &JsonObject) -> Result<usize, ToolError> {
    let number = match arguments.get("budget") {
        None | Some(Value::Null) => DEFAULT_BUDGET,
        // Some clients send every number as a float.
        Some(value) => match (value.as_u64(), value.as_f64()) {
            (Some(number), _) => number,
            (None, Some(number)) if number.fract() == 0.0 && number >= 0.0 && number <= MAX_BUDGET as f64 => {
                number as u64
            }
            _ => 0,
        },
    };
    if (MIN_BUDGET..=MAX_BUDGET).contains(&number) {
        return Ok(number as usize);
    }
    Err(ToolError::new(format!("`budget` must be a number of tokens from {MIN_BUDGET} to {MAX_BUDGET}")))
}

fn pack_root(text: &str) -> Result<String, ToolError> {
    let is_digest = |digits: &str| digits.len() == 64 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    match text.strip_prefix("sha256:").filter(|digits| is_digest(digits)) {
        Some(digits) => Ok(format!("sha256:{}", digits.to_lowercase())),
        None => Err(ToolError::new("`pack_root` must be `sha256:` and 64 hexadecimal digits, as in an earlier answer")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(arguments: Value) -> Result<ContextArguments, ToolError> {
        ContextArguments::parse(arguments.as_object().unwrap())
    }

    fn error(arguments: Value) -> String {
        context(arguments).err().unwrap().to_string()
    }

    #[test]
    fn one_request_with_defaults() {
        let parsed = context(serde_json::json!({ "task": "  add retries \n", "files": [], "budget": null })).unwrap();
        assert_eq!(parsed.request, Request::Task("add retries".into()));
        assert_eq!((parsed.budget, parsed.renderer.name()), (DEFAULT_BUDGET as usize, "text"));
        let parsed = context(serde_json::json!({ "revision": "main", "budget": 8000.0, "format": "gcf" })).unwrap();
        assert_eq!(parsed.request, Request::PullRequest("main".into()));
        assert_eq!((parsed.budget, parsed.renderer.name()), (8_000, "gcf"));
        let root = format!("sha256:{}", "AB".repeat(32));
        let parsed = context(serde_json::json!({ "files": ["a.py"], "pack_root": root })).unwrap();
        assert_eq!(parsed.pack_root.unwrap(), root.replace("AB", "ab"));
    }

    #[test]
    fn errors_name_what_is_allowed() {
        for (arguments, part) in [
            (serde_json::json!({}), "give `task`"),
            (serde_json::json!({ "task": " " }), "give `task`"),
            (serde_json::json!({ "task": "x", "revision": "main" }), "only one of"),
            (serde_json::json!({ "task": 7 }), "`task` must be a string"),
            (serde_json::json!({ "task": "x", "limit": 7 }), "arguments are task, files"),
            (serde_json::json!({ "task": "x", "budget": "8k" }), "`budget` must be a number"),
            (serde_json::json!({ "task": "x", "budget": -1 }), "`budget` must be a number"),
            (serde_json::json!({ "task": "x", "budget": 1e300 }), "`budget` must be a number"),
            (serde_json::json!({ "task": "x", "format": "gcb" }), "formats are gcf, json"),
            (serde_json::json!({ "task": "x", "pack_root": "abc" }), "64 hexadecimal"),
            (serde_json::json!({ "task": "x".repeat(2 << 20) }), "shorten it"),
            (serde_json::json!({ "files": "a.py" }), "must be a list"),
            (serde_json::json!({ "files": [1] }), "must be a list"),
        ] {
            let message = error(arguments.clone());
            assert!(message.contains(part), "{message}");
        }
        assert!(error(serde_json::json!({ "\u{1b}[31m": 1 })).contains("`\u{241b}[31m`"));
        let symbol = |value: Value| SymbolArguments::parse(value.as_object().unwrap()).err().unwrap().to_string();
        assert!(symbol(serde_json::json!({})).contains("give `symbol`"));
        assert!(symbol(serde_json::json!({ "symbol": "f", "question": "who" })).contains("callers, callees"));
    }
}
