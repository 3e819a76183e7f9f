//! Exports of packs and symbols: format, destination, text.

use std::path::PathBuf;

use crate::engine::concepts::{ConceptSymbol, MatchedConcept};
use crate::engine::{Shares, component_title, shares};
use crate::model::{PackedSymbol, Request, Symbol, Task};
use crate::render::RENDERERS;
use crate::text::display::{decimal, safe, score, signed};

/// The format of an exported pack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// The name of a text format, as in `--format`.
    pub format: &'static str,
    pub bodies: bool,
    pub edges: bool,
}

/// The destination of a requested text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Destination {
    Copy {
        what: String,
    },
    Write {
        path: PathBuf,
    },
    /// Standard output, after quitting.
    Print,
}

/// An exported text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Written {
    pub text: String,
    /// Exact, in cl100k_base.
    pub tokens: usize,
    pub symbols: usize,
    /// Files whose source was requested but changed since they were indexed.
    pub missing: usize,
    /// Neighbors that are not in a diagram.
    pub left_out: usize,
}

/// The requested exports, and the text to print.
#[derive(Debug, Clone, Default)]
pub struct Export {
    /// Numbers of the questions for the texts, and where each text goes. All of them are delivered, in this order.
    pub waiting: Vec<(u64, Destination)>,
    /// Number of the question for the commits that the copied trail links to.
    pub trail_question: u64,
    /// Printed to standard output after the terminal is restored.
    pub printed: Option<String>,
}

impl Default for Form {
    fn default() -> Form {
        Form { format: "gcf", bodies: false, edges: true }
    }
}

/// Returns the names of the text formats, the default first.
pub fn formats() -> Vec<&'static str> {
    RENDERERS.iter().filter(|renderer| !renderer.is_binary()).map(|renderer| renderer.name()).collect()
}

/// Returns the format that the extension of a file name names, if it names one.
pub fn format_for_path(path: &str) -> Option<&'static str> {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let name = if ending == "md" { "markdown" } else { ending };
    formats().into_iter().find(|format| *format == name)
}

/// Returns the symbols of a concept, a line of name and location each.
pub fn matches(concept: &MatchedConcept) -> String {
    let line = |found: &ConceptSymbol| match found.symbol.file.as_str() {
        "" => format!("{}\n", safe(&found.symbol.name)),
        _ => format!("{}  {}\n", safe(&found.symbol.name), safe(&found.symbol.place())),
    };
    concept.symbols.iter().map(line).collect()
}

/// Returns the command line that prints the same pack. It has no pins and drops, which are the explorer's own.
///
/// `folders` are those of several repositories, none for one.
pub fn command_line(task: &Task, form: Form, folders: &[String]) -> String {
    let request = match &task.request {
        Request::Task(text) => format!("--task {}", quoted(text)),
        Request::Files(files) => format!("--files {}", quoted(&files.join(","))),
        Request::PullRequest(base) => format!("--pr {}", quoted(base)),
    };
    let repositories: String = folders.iter().map(|folder| format!(" --repo {}", quoted(folder))).collect();
    let mut line = format!("knowing{repositories} context {request} --budget {}", task.budget_tokens);
    if form.format != Form::default().format {
        line.push_str(&format!(" --format {}", form.format));
    }
    if form.bodies {
        line.push_str(" --bodies");
    }
    for concept in &task.options.muted_concepts {
        line.push_str(&format!(" --mute {}", quoted(concept)));
    }
    line
}

/// Quotes a word for a POSIX shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// Returns `path:line` of a symbol.
pub fn location(symbol: &Symbol) -> String {
    symbol.place()
}

/// Returns a path below the root relative to a folder below it, as rg and git print paths.
pub fn relative(file: &str, folder: &str) -> String {
    let (mut rest, mut above) = (file, folder.split('/').filter(|part| !part.is_empty()).peekable());
    while let Some(part) = above.peek() {
        let Some(below) = rest.strip_prefix(part).and_then(|below| below.strip_prefix('/')) else { break };
        rest = below;
        above.next();
    }
    format!("{}{rest}", "../".repeat(above.count()))
}

/// Returns the components of a score by size as a Markdown table; the last row is the score.
pub fn explanation(packed: &PackedSymbol) -> String {
    let mut table = format!("`{}` ({})\n\n", safe(&packed.symbol.name), safe(&location(&packed.symbol)));
    table.push_str("| component | value | contribution |\n|---|---:|---:|\n");
    let Shares { large, small, common } = shares(&packed.components);
    for component in large.iter().chain(&small) {
        let row = format!(
            "| {} | {} | {} |\n",
            component_title(component.name),
            decimal(component.value, 3),
            signed(component.contribution, 3)
        );
        table.push_str(&row);
    }
    if common != 0.0 {
        table.push_str(&format!("| the same for every symbol | | {} |\n", signed(common, 3)));
    }
    table.push_str(&format!("| **score** | | **{}** |\n", score(packed.score, 3)));
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Options;
    use crate::tui::fixture;

    #[test]
    fn paths_are_relative_to_the_current_folder() {
        assert_eq!(relative("src/flask/app.py", ""), "src/flask/app.py");
        assert_eq!(relative("src/flask/app.py", "src/flask"), "app.py");
        assert_eq!(relative("src/flask/json/tag.py", "src/flask"), "json/tag.py");
        assert_eq!(relative("tests/test_cli.py", "src/flask"), "../../tests/test_cli.py");
        assert_eq!(relative("src/other/a.py", "src/flask"), "../other/a.py");
        assert_eq!(relative("srcs/a.py", "src"), "../srcs/a.py");
    }

    #[test]
    fn the_command_line_survives_a_shell() {
        let task = Task { budget_tokens: 900, ..Task::from_text("don't $(rm) \"x\"") };
        let line = command_line(&task, Form { format: "json", bodies: true, edges: true }, &[]);
        assert_eq!(line, r#"knowing context --task 'don'\''t $(rm) "x"' --budget 900 --format json --bodies"#);
        let request = Request::Files(vec!["a b.py".into(), "c.py".into()]);
        let files = Task { request, ..task.clone() };
        assert_eq!(command_line(&files, Form::default(), &[]), "knowing context --files 'a b.py,c.py' --budget 900");
        let muted = Options { muted_concepts: ["AUTH".to_owned()].into(), ..Options::default() };
        let quiet = Task { options: muted, ..Task::from_text("x") };
        assert_eq!(
            command_line(&quiet, Form::default(), &[]),
            "knowing context --task 'x' --budget 8000 --mute 'AUTH'"
        );
        let branch = Task { request: Request::PullRequest("main".into()), ..task };
        let folders = ["a b".to_owned(), "c".to_owned()];
        let several = command_line(&quiet, Form::default(), &folders);
        assert_eq!(several, "knowing --repo 'a b' --repo 'c' context --task 'x' --budget 8000 --mute 'AUTH'");
        assert_eq!(command_line(&branch, Form::default(), &[]), "knowing context --pr 'main' --budget 900");
    }

    #[test]
    fn extensions_choose_formats() {
        let chosen = ["a.json", "a.md", "a.markdown", "a.xml", "a.gcf"].map(format_for_path);
        assert_eq!(chosen, ["json", "markdown", "markdown", "xml", "gcf"].map(Some));
        assert_eq!(["a", "json", "a.txt"].map(format_for_path), [None; 3]);
        assert_eq!(formats(), ["gcf", "json", "markdown", "xml", "lines", "text"]);
    }

    #[test]
    fn an_explanation_ends_with_the_score() {
        let pack = fixture::pack();
        let table = explanation(&pack.symbols[0]);
        assert!(table.starts_with("`open_session` (src/flask/sessions.py:324)\n\n| component |"), "{table}");
        assert!(table.ends_with("| **score** | | **0.910** |\n"), "{table}");
    }
}
