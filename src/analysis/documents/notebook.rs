//! Notebooks of Jupyter: their cells of Python as code, and all cells as a document. Both keep the lines of the file, as
//! notebooks are stored with one line of a cell on a line of its own.

use super::Section;
use super::markdown;

/// Beginnings of the lines of IPython that are not Python.
const MAGIC: [&str; 3] = ["%", "!", "?"];
/// Cell magics after which the cell is Python.
const PYTHON_MAGIC: [&str; 4] = ["%%capture", "%%prun", "%%time", "%%timeit"];

/// The kind of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cell {
    Code,
    Text,
    Other,
}

/// A line of the file.
enum Line {
    /// Before the first and after the last line of a cell's source.
    Edge(Cell),
    /// A line of a cell's source.
    Source(Cell, String),
    Other,
}

/// Returns whether the file at `path` is a notebook.
pub fn is_notebook(path: &str) -> bool {
    path.ends_with(".ipynb")
}

/// Returns the Python of a notebook: the lines of its cells of code, at the left of the lines on which they are, which are as
/// long as before. `None` for other files, and for text that is not JSON.
pub fn code(path: &str, text: &str) -> Option<String> {
    if !is_notebook(path) || !text.trim_start().starts_with('{') {
        return None;
    }
    let is_python = !text.contains("\"language\": \"") || text.contains("\"language\": \"python\"");
    let mut code = String::with_capacity(text.len());
    let mut is_skipped = false;
    let mut is_first = false;
    for (raw, line) in text.split_inclusive('\n').zip(lines(text)) {
        let end = raw.len() - raw.trim_end_matches(['\r', '\n']).len();
        let content = match line {
            Line::Source(Cell::Code, source) => {
                let trimmed = source.trim_start();
                let is_magic = MAGIC.iter().any(|mark| trimmed.starts_with(mark));
                is_skipped |= is_first && is_cell_of_another_language(trimmed);
                is_first = false;
                if is_magic || is_skipped || !is_python { String::new() } else { source }
            }
            Line::Edge(_) => {
                (is_first, is_skipped) = (true, false);
                String::new()
            }
            _ => String::new(),
        };
        // An escaped character is shorter than its escape.
        let length = raw.len() - end;
        let content = if content.len() <= length { content } else { String::new() };
        code.push_str(&content);
        code.extend(std::iter::repeat_n(' ', length - content.len()));
        code.push_str(&raw[length..]);
    }
    Some(code)
}

fn is_cell_of_another_language(first: &str) -> bool {
    first.starts_with("%%") && !PYTHON_MAGIC.iter().any(|magic| first.starts_with(magic))
}

/// Returns the sections of a notebook: those of its Markdown cells, with the code below each heading.
pub(super) fn sections(file_name: &str, text: &str) -> Vec<Section> {
    let mut document = String::new();
    for line in lines(text) {
        match line {
            Line::Edge(Cell::Code) => document.push_str("```"),
            Line::Source(_, source) => document.push_str(&source),
            Line::Edge(_) | Line::Other => (),
        }
        document.push('\n');
    }
    markdown::sections(file_name, &document)
}

/// Reads the lines of a notebook.
fn lines(text: &str) -> impl Iterator<Item = Line> {
    let mut cell = Cell::Other;
    let mut is_source = false;
    text.lines().map(move |line| {
        let line = line.trim();
        if is_source {
            if line.starts_with(']') {
                is_source = false;
                return Line::Edge(cell);
            }
            let string = line.strip_suffix(',').unwrap_or(line);
            let source: String = serde_json::from_str(string).unwrap_or_default();
            let source = source.strip_suffix('\n').unwrap_or(&source);
            // Several lines in one string would move those that follow.
            return Line::Source(cell, if source.contains('\n') { String::new() } else { source.to_owned() });
        }
        if let Some(kind) = line.strip_prefix("\"cell_type\": ") {
            cell = match kind.trim_end_matches(',') {
                "\"code\"" => Cell::Code,
                "\"markdown\"" => Cell::Text,
                _ => Cell::Other,
            };
        } else if line == "\"source\": [" && cell != Cell::Other {
            is_source = true;
            return Line::Edge(cell);
        }
        Line::Other
    })
}
