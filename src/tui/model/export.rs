//! What is given out of the explorer: in which form, and for what.

use std::path::PathBuf;

use crate::engine::concepts::{ConceptSymbol, MatchedConcept};
use crate::model::{PackedSymbol, Request, Symbol, Task};
use crate::render::RENDERERS;
use crate::text::display::safe;

/// How a pack is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// A text format's name, as `--format` has it.
    pub format: &'static str,
    pub bodies: bool,
    pub edges: bool,
}

/// What to do with a text that the reader is writing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Purpose {
    Copy {
        what: String,
    },
    Write {
        path: PathBuf,
    },
    /// Quit and print it.
    Print,
}

/// A text as it would be given out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Written {
    pub text: String,
    /// Of cl100k_base, exactly.
    pub tokens: usize,
    pub symbols: usize,
    /// Files whose source was wanted and is not as it was indexed.
    pub missing: usize,
}

/// What waits for the reader, and what is printed in the end.
#[derive(Debug, Clone, Default)]
pub struct Export {
    /// The number of the question, and what its answer is for.
    pub waiting: Option<(u64, Purpose)>,
    /// Printed to standard output once the terminal is given back.
    pub printed: Option<String>,
}

impl Default for Form {
    fn default() -> Form {
        Form { format: "gcf", bodies: false, edges: true }
    }
}

/// The formats that are text, the default first.
pub fn formats() -> Vec<&'static str> {
    RENDERERS.iter().filter(|renderer| !renderer.is_binary()).map(|renderer| renderer.name()).collect()
}

/// The format that a file's name asks for by its ending.
pub fn format_of(path: &str) -> &'static str {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        "md" | "markdown" => "markdown",
        _ => formats().into_iter().find(|format| *format == ending).unwrap_or("gcf"),
    }
}

/// What a class leads to, a line for each symbol: its name and its place.
pub fn matches(class: &MatchedConcept) -> String {
    let line = |found: &ConceptSymbol| match found.symbol.file.as_str() {
        "" => format!("{}\n", safe(&found.symbol.name)),
        file => format!("{}  {}:{}\n", safe(&found.symbol.name), safe(file), found.symbol.span.name_line),
    };
    class.symbols.iter().map(line).collect()
}

/// The command line that answers the same task with the same pack, but for pins and drops, which are the explorer's own.
pub fn command_line(task: &Task, form: Form) -> String {
    let request = match &task.request {
        Request::Task(text) => format!("--task {}", quoted(text)),
        Request::Files(files) => format!("--files {}", quoted(&files.join(","))),
        Request::PullRequest(base) => format!("--pr {}", quoted(base)),
    };
    let mut line = format!("knowing context {request} --budget {}", task.budget_tokens);
    if form.format != Form::default().format {
        line.push_str(&format!(" --format {}", form.format));
    }
    if form.bodies {
        line.push_str(" --bodies");
    }
    for class in &task.options.muted_classes {
        line.push_str(&format!(" --mute {}", quoted(class)));
    }
    line
}

/// One word of a POSIX shell, whatever is in it.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// `path:line` of a symbol.
pub fn place(symbol: &Symbol) -> String {
    format!("{}:{}", symbol.file, symbol.span.name_line)
}

/// The parts of a score as a Markdown table, the last row their sum.
pub fn explanation(packed: &PackedSymbol) -> String {
    let mut table = format!("`{}` ({})\n\n", safe(&packed.symbol.name), safe(&place(&packed.symbol)));
    table.push_str("| part | value | weight | adds |\n|---|---:|---:|---:|\n");
    for part in &packed.components {
        let row = format!("| {} | {:.3} | {:.2} | {:+.3} |\n", part.name, part.value, part.weight, part.contribution);
        table.push_str(&row);
    }
    table.push_str(&format!("| **score** | | | **{:.3}** |\n", packed.score));
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Options;
    use crate::tui::fixture;

    #[test]
    fn the_command_line_survives_a_shell() {
        let task = Task { budget_tokens: 900, ..Task::words("don't $(rm) \"x\"") };
        let line = command_line(&task, Form { format: "json", bodies: true, edges: true });
        assert_eq!(line, r#"knowing context --task 'don'\''t $(rm) "x"' --budget 900 --format json --bodies"#);
        let request = Request::Files(vec!["a b.py".into(), "c.py".into()]);
        let files = Task { request, ..task.clone() };
        assert_eq!(command_line(&files, Form::default()), "knowing context --files 'a b.py,c.py' --budget 900");
        let muted = Options { muted_classes: ["AUTH".to_owned()].into(), ..Options::default() };
        let quiet = Task { options: muted, ..Task::words("x") };
        assert_eq!(command_line(&quiet, Form::default()), "knowing context --task 'x' --budget 50000 --mute 'AUTH'");
        let branch = Task { request: Request::PullRequest("main".into()), ..task };
        assert_eq!(command_line(&branch, Form::default()), "knowing context --pr 'main' --budget 900");
    }

    #[test]
    fn endings_choose_formats() {
        let chosen = ["a.json", "a.md", "a.xml", "a.gcf", "a", "a.txt"].map(format_of);
        assert_eq!(chosen, ["json", "markdown", "xml", "gcf", "gcf", "gcf"]);
        assert_eq!(formats(), ["gcf", "json", "markdown", "xml"]);
    }

    #[test]
    fn an_explanation_sums_up() {
        let pack = fixture::pack();
        let table = explanation(&pack.symbols[0]);
        assert!(table.starts_with("`open_session` (src/flask/sessions.py:324)\n\n| part |"), "{table}");
        assert!(table.ends_with("| **score** | | | **0.910** |\n"), "{table}");
    }
}
