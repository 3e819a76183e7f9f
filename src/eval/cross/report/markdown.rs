//! A report as Markdown, with its plots as files beside it.

use super::document::{Block, Document, Table};
use crate::text::display::safe;

/// Name of the folder of the plots.
pub const PLOTS: &str = "plots";

/// Renders a report.
pub fn render(document: &Document) -> String {
    let mut blocks = vec![format!("# {}", escaped(&document.title))];
    blocks.extend(document.blocks.iter().map(|block| match block {
        Block::Heading(level, text) => format!("{} {}", "#".repeat(usize::from(*level)), escaped(text)),
        Block::Paragraph(text) => escaped(text),
        Block::List(items) => {
            let items: Vec<String> = items.iter().map(|item| format!("- {}", escaped(item))).collect();
            items.join("\n")
        }
        Block::Table(table) => render_table(table),
        Block::Figure(figure) => {
            format!("![{}]({PLOTS}/{}.svg)\n\n{}", escaped(&figure.caption), figure.name, escaped(&figure.caption))
        }
    }));
    blocks.join("\n\n") + "\n"
}

fn render_table(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    let rule = |column| if table.is_numeric(column) { "---:".to_owned() } else { "---".to_owned() };
    let mut lines = vec![
        line(table.columns.iter().map(|column| escaped(column)).collect()),
        line((0..table.columns.len()).map(rule).collect()),
    ];
    lines.extend(table.rows.iter().map(|row| line(row.iter().map(|cell| escaped(cell)).collect())));
    let lines = lines.join("\n");
    match table.is_folded {
        true => format!("<details><summary>{}</summary>\n\n{lines}\n\n</details>", escaped(&table.caption)),
        false => format!("*{}*\n\n{lines}", escaped(&table.caption)),
    }
}

/// Escapes what would be markup: names have underscores and asterisks, messages have tags and line breaks.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in safe(&text.replace('\n', " ")).chars() {
        match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' => escaped.extend(['\\', letter]),
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_in_names_is_escaped() {
        assert_eq!(escaped("a_b | <c>\n[d]"), "a\\_b \\| &lt;c> \\[d\\]");
    }
}
