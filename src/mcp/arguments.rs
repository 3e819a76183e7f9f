//! Arguments of the tools. They come from a language model: every error names what is allowed.

use std::collections::HashSet;

use rmcp::model::JsonObject;
use serde_json::Value;

use super::answer::ToolError;
use super::tools::SYMBOL;
use crate::exchange::{RequestOptions, RequestSubject};
use crate::model::{Detail, Request};
use crate::render::{RENDERERS, Renderer, gcf, renderer_named};
use crate::text::display::{excerpt, without_escapes};

/// Limits of arguments.
const MAX_TEXT_BYTES: usize = 1 << 20;
const MAX_WORD_BYTES: usize = 1_000;
const MAX_FILES: usize = 500;
/// Smallest budget in tokens.
pub const MIN_BUDGET: u64 = 200;
/// Largest budget in tokens.
pub const MAX_BUDGET: u64 = 200_000;
/// The default budget: agents read the whole answer.
pub const DEFAULT_BUDGET: u64 = 2_000;
/// The default budget of more detail.
const MORE_BUDGET: u64 = 4_000;
/// Limit of the symbols of one request.
const MAX_SYMBOLS: usize = 12;
/// The value of `detail` for what an earlier answer left out.
pub const MORE: &str = "more";

/// The questions about a symbol.
pub const QUESTIONS: [&str; 4] = ["callers", "callees", "impact", "tests"];

/// The checked arguments of a call.
pub enum Arguments {
    Context(ContextArguments),
    Symbol(SymbolArguments),
}

/// The arguments of `knowing_context`.
pub struct ContextArguments {
    pub request: Request,
    /// The label or path of a project.
    pub project: Option<String>,
    pub budget: usize,
    /// Whether the request asks by `detail` for what an earlier answer left out.
    pub asks_rest: bool,
    pub detail: Detail,
    /// Whether sections of documents come first.
    pub docs: bool,
    pub pack_root: Option<String>,
    pub renderer: &'static dyn Renderer,
    /// Those options that were given, for the journal.
    options: RequestOptions,
}

/// The arguments of `knowing_symbol`.
pub struct SymbolArguments {
    /// Names, or paths with a line.
    pub symbols: Vec<String>,
    /// The label or path of a project.
    pub project: Option<String>,
    pub question: Option<&'static str>,
    /// The task for which the symbol's rank is explained.
    pub task: Option<String>,
    pub budget: usize,
    /// Those options that were given, for the journal.
    options: RequestOptions,
}

impl Arguments {
    /// Checks the arguments of a tool.
    ///
    /// # Errors
    /// When one is unknown, missing or malformed; likewise for every function here.
    pub fn parse(tool: &str, arguments: &JsonObject) -> Result<Arguments, ToolError> {
        match tool {
            SYMBOL => SymbolArguments::parse(arguments).map(Arguments::Symbol),
            _ => ContextArguments::parse(arguments).map(Arguments::Context),
        }
    }

    /// Returns the label or path of the project.
    pub fn project(&self) -> Option<&str> {
        match self {
            Arguments::Context(arguments) => arguments.project.as_deref(),
            Arguments::Symbol(arguments) => arguments.project.as_deref(),
        }
    }

    /// Returns the content of the request for the journal.
    pub fn subject(&self) -> RequestSubject {
        match self {
            Arguments::Symbol(arguments) => RequestSubject::Symbol(arguments.symbols.join(", ")),
            Arguments::Context(arguments) => match arguments.request.clone() {
                Request::Task(task) => RequestSubject::Task(task),
                Request::Files(files) => RequestSubject::Files(files),
                Request::PullRequest(revision) => RequestSubject::Revision(revision),
            },
        }
    }

    /// Returns the options of the request for the journal.
    pub fn options(&self) -> RequestOptions {
        match self {
            Arguments::Context(arguments) => arguments.options.clone(),
            Arguments::Symbol(arguments) => arguments.options.clone(),
        }
    }
}

/// Returns the content of a request whose arguments are not valid, for the journal.
pub fn invalid_subject(tool: &str, arguments: JsonObject) -> RequestSubject {
    let text = excerpt(&Value::Object(arguments).to_string()).into_owned();
    if tool == SYMBOL { RequestSubject::Symbol(text) } else { RequestSubject::Task(text) }
}

impl ContextArguments {
    fn parse(arguments: &JsonObject) -> Result<ContextArguments, ToolError> {
        let known = ["task", "files", "revision", "project", "detail", "docs", "budget", "pack_root", "format"];
        check_names(arguments, &known)?;
        let task = text(arguments, "task", MAX_TEXT_BYTES)?;
        let revision = text(arguments, "revision", MAX_WORD_BYTES)?;
        let request = match (task, files(arguments)?, revision) {
            (Some(task), None, None) => Request::Task(without_escapes(&task).into_owned()),
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
        let given_format = text(arguments, "format", MAX_WORD_BYTES)?;
        let format = given_format.as_deref().unwrap_or("text");
        let renderer = renderer_named(format).filter(|renderer| !renderer.is_binary()).ok_or_else(|| {
            ToolError::new(format!("unknown format `{}`; formats are {}", excerpt(format), formats().join(", ")))
        })?;
        let pack_root = text(arguments, "pack_root", MAX_WORD_BYTES)?.map(|root| pack_root(&root)).transpose()?;
        let is_more = match text(arguments, "detail", MAX_WORD_BYTES)?.as_deref() {
            None => false,
            Some(MORE) => true,
            Some(given) => {
                return Err(ToolError::new(format!("unknown detail `{}`; leave it out, or `{MORE}`", excerpt(given))));
            }
        };
        let docs = flag(arguments, "docs")?;
        if docs && !renderer.has_documents() {
            let able = RENDERERS.iter().filter(|renderer| renderer.has_documents()).map(|renderer| renderer.name());
            return Err(ToolError::new(format!("`docs` needs a format of {}", able.collect::<Vec<_>>().join(", "))));
        }
        let given = budget(arguments)?;
        // Who gives a larger budget wants it to be used.
        let asks_rest = is_more;
        let is_more = is_more || given.is_some_and(|given| given > DEFAULT_BUDGET as usize);
        let default = if is_more { MORE_BUDGET } else { DEFAULT_BUDGET };
        let options = RequestOptions {
            budget: given.unwrap_or_default(),
            format: given_format.unwrap_or_default(),
            pack_root: pack_root.clone(),
            question: None,
        };
        Ok(ContextArguments {
            request,
            project: text(arguments, "project", MAX_TEXT_BYTES)?,
            budget: given.unwrap_or(default as usize),
            asks_rest,
            detail: if is_more { Detail::More } else { Detail::Short },
            docs,
            pack_root,
            renderer,
            options,
        })
    }
}

impl SymbolArguments {
    fn parse(arguments: &JsonObject) -> Result<SymbolArguments, ToolError> {
        check_names(arguments, &["symbol", "question", "task", "project", "budget"])?;
        let symbols = symbols(arguments)?;
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
        let project = text(arguments, "project", MAX_TEXT_BYTES)?;
        let (question, given) = (question.transpose()?, budget(arguments)?);
        let budget = given.unwrap_or(DEFAULT_BUDGET as usize);
        let options = RequestOptions {
            budget: given.unwrap_or_default(),
            question: question.map(str::to_owned),
            ..RequestOptions::default()
        };
        Ok(SymbolArguments { symbols, project, question, task, budget, options })
    }
}

/// Returns the names of `symbol`: a list, or a text with commas or line breaks between them.
fn symbols(arguments: &JsonObject) -> Result<Vec<String>, ToolError> {
    let missing =
        || ToolError::new("give `symbol`: a name such as Session.is_expired, or a location such as src/app.py:120");
    let joined = match arguments.get("symbol") {
        Some(Value::Array(list)) => {
            let names: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
            names.ok_or_else(|| ToolError::new("`symbol` must be a name, or a list of names"))?.join("\n")
        }
        _ => text(arguments, "symbol", MAX_TEXT_BYTES)?.ok_or_else(missing)?,
    };
    let names = split_names(&joined);
    if names.is_empty() {
        return Err(missing());
    }
    if names.len() > MAX_SYMBOLS {
        return Err(ToolError::new(format!("`symbol` has more than {MAX_SYMBOLS} names; ask again for the others")));
    }
    match names.iter().find(|name| name.len() > MAX_WORD_BYTES) {
        Some(name) => Err(ToolError::new(format!("`{}` is too long for a name; shorten it", excerpt(name)))),
        None => Ok(names),
    }
}

/// Splits names at line breaks, and at commas that are not in brackets: those of type arguments are. Each name is there once.
fn split_names(text: &str) -> Vec<String> {
    let (mut names, mut depth) = (vec![String::new()], 0_usize);
    for letter in text.chars() {
        match letter {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            '\n' => depth = 0,
            _ => {}
        }
        match letter {
            '\n' => names.push(String::new()),
            ',' if depth == 0 => names.push(String::new()),
            _ => names.iter_mut().last().into_iter().for_each(|name| name.push(letter)),
        }
    }
    let mut known = HashSet::new();
    // Models mark names as code.
    let names = names.into_iter().map(|name| name.trim().trim_matches('`').trim().to_owned());
    names.filter(|name| !name.is_empty() && known.insert(name.clone())).collect()
}

/// Returns the formats that an answer can have: all but the binary one.
pub fn formats() -> Vec<&'static str> {
    RENDERERS.iter().filter(|renderer| !renderer.is_binary()).map(|renderer| renderer.name()).collect()
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

fn flag(arguments: &JsonObject, name: &str) -> Result<bool, ToolError> {
    match arguments.get(name) {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        // Some clients send every value as a text.
        Some(Value::String(text)) if ["true", "false"].contains(&text.as_str()) => Ok(text == "true"),
        Some(_) => Err(ToolError::new(format!("`{name}` must be true or false"))),
    }
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

/// Returns the budget; `None` if there is none.
fn budget(arguments: &JsonObject) -> Result<Option<usize>, ToolError> {
    let number = match arguments.get("budget") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => text.parse().unwrap_or_default(),
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
        return Ok(Some(number as usize));
    }
    Err(ToolError::new(format!("`budget` must be a number of tokens from {MIN_BUDGET} to {MAX_BUDGET}")))
}

fn pack_root(text: &str) -> Result<String, ToolError> {
    let wrong = || ToolError::new("`pack_root` must be `sha256:` and 64 hexadecimal digits, as in an earlier answer");
    gcf::named_root(text).ok_or_else(wrong)
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
        let parsed = context(serde_json::json!({ "task": "\u{1b}[35ma.py\u{1b}[0m:12", "budget": "2000" })).unwrap();
        assert_eq!((parsed.request, parsed.budget), (Request::Task("a.py:12".into()), 2_000));
        let root = format!("sha256:{}", "AB".repeat(32));
        let parsed = context(serde_json::json!({ "files": ["a.py"], "pack_root": root })).unwrap();
        assert_eq!(parsed.pack_root.unwrap(), root.replace("AB", "ab"));
    }

    #[test]
    fn a_larger_budget_asks_for_more() {
        let extent = |arguments: Value| {
            let parsed = context(arguments).unwrap();
            (parsed.detail, parsed.budget, parsed.asks_rest)
        };
        assert_eq!(extent(serde_json::json!({ "task": "x" })), (Detail::Short, 2_000, false));
        assert_eq!(extent(serde_json::json!({ "task": "x", "budget": 900 })), (Detail::Short, 900, false));
        assert_eq!(extent(serde_json::json!({ "task": "x", "budget": 6000 })), (Detail::More, 6_000, false));
        assert_eq!(extent(serde_json::json!({ "task": "x", "detail": "more" })), (Detail::More, 4_000, true));
        assert!(error(serde_json::json!({ "task": "x", "detail": "all" })).contains("`more`"));
    }

    #[test]
    fn documents_are_asked_for_in_formats_that_list_them() {
        assert!(!context(serde_json::json!({ "task": "x", "docs": false })).unwrap().docs);
        assert!(context(serde_json::json!({ "task": "x", "docs": true })).unwrap().docs);
        assert!(context(serde_json::json!({ "task": "x", "docs": "true" })).unwrap().docs);
        assert!(error(serde_json::json!({ "task": "x", "docs": "yes" })).contains("true or false"));
        assert!(error(serde_json::json!({ "task": "x", "docs": true, "format": "gcf" })).contains("text"));
    }

    #[test]
    fn several_names_are_split_outside_of_brackets() {
        let names = |symbol: Value| {
            let parsed = SymbolArguments::parse(serde_json::json!({ "symbol": symbol }).as_object().unwrap());
            parsed.map(|parsed| parsed.symbols).map_err(|error| error.to_string())
        };
        assert_eq!(
            names("Cart.total, src/a.py:12\n*Map<K, V>.get".into()).unwrap(),
            ["Cart.total", "src/a.py:12", "*Map<K, V>.get"]
        );
        assert_eq!(names(serde_json::json!(["a", "b(int, x)"])).unwrap(), ["a", "b(int, x)"]);
        assert!(names(serde_json::json!(["a", 1])).unwrap_err().contains("list of names"));
        assert_eq!(names("`alpha`, alpha, `POST /x`,alpha".into()).unwrap(), ["alpha", "POST /x"]);
        let many = (0..40).map(|number| format!("a{number},")).collect::<String>();
        assert!(names(many.into()).unwrap_err().contains("more than 12"));
        assert!(names(" , ".into()).unwrap_err().contains("give `symbol`"));
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
            (serde_json::json!({ "task": "x", "budget": "-1" }), "`budget` must be a number"),
            (serde_json::json!({ "task": "x", "budget": "2000.0" }), "`budget` must be a number"),
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
