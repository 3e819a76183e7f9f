//! A report as one HTML page that needs no other file.

use std::fmt::Write;

use super::document::{Block, Document, Table};
use super::svg::{escaped, style};

/// Layout: readable at any width, and on paper. Colors are those of the plots.
const LAYOUT: &str = "body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);max-width:70rem;\
    margin:0 auto;padding:1.5rem}h1{font-size:1.6rem}h2{margin-top:2.5rem;border-bottom:1px solid var(--grid)}\
    nav ul{columns:18rem;padding-left:1.2rem}figure{margin:1rem 0}figure svg{width:100%;height:auto}figcaption,caption\
    {color:var(--muted);text-align:left;padding:.3rem 0}.scroll{overflow-x:auto}table{border-collapse:collapse;\
    font-size:13px;font-variant-numeric:tabular-nums;margin:.8rem 0}th,td{padding:.2rem .6rem;border-bottom:1px solid \
    var(--grid);text-align:left;vertical-align:top}th.n,td.n{text-align:right}td.n,td:first-child{white-space:nowrap}thead th{\
    border-bottom-color:var(--ink)}tbody tr:hover{background:var(--grid)}summary{cursor:pointer}a{color:inherit}\
    @media print{body{max-width:none;padding:0;font-size:10pt}table{font-size:8pt}.scroll{overflow:visible}figure,tr\
    {break-inside:avoid}h2,h3{break-after:avoid}nav{display:none}}";

/// Renders a report.
pub fn render(document: &Document) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>{title}</title>\n<style>{}{LAYOUT}</style>\n</head>\n<body>\n<h1>{title}</h1>\n",
        style(),
        title = escaped(&document.title)
    );
    let headings = document.blocks.iter().enumerate().filter_map(|(index, block)| match block {
        Block::Heading(2, text) => Some(format!("<li><a href=\"#s{index}\">{}</a></li>", escaped(text))),
        _ => None,
    });
    // Writing to a string never fails.
    let _ = writeln!(page, "<nav><ul>{}</ul></nav>", headings.collect::<String>());
    for (index, block) in document.blocks.iter().enumerate() {
        let _ = match block {
            Block::Heading(level, text) => writeln!(page, "<h{level} id=\"s{index}\">{}</h{level}>", escaped(text)),
            Block::Paragraph(text) => writeln!(page, "<p>{}</p>", escaped(text)),
            Block::List(items) => {
                let items: String = items.iter().map(|item| format!("<li>{}</li>", escaped(item))).collect();
                writeln!(page, "<ul>{items}</ul>")
            }
            Block::Table(table) => writeln!(page, "{}", render_table(table)),
            Block::Figure(figure) => writeln!(
                page,
                "<figure>\n{}<figcaption>{}</figcaption>\n</figure>",
                figure.image,
                escaped(&figure.caption)
            ),
        };
    }
    page + "</body>\n</html>\n"
}

fn render_table(table: &Table) -> String {
    let caption = escaped(&table.caption);
    let class = |column| if table.is_numeric(column) { " class=\"n\"" } else { "" };
    let cells = |tag: &str, cells: &[String]| -> String {
        let cells = cells.iter().enumerate();
        cells.map(|(column, cell)| format!("<{tag}{}>{}</{tag}>", class(column), escaped(cell))).collect()
    };
    let rows: String = table.rows.iter().map(|row| format!("<tr>{}</tr>\n", cells("td", row))).collect();
    let head = cells("th", &table.columns);
    let body = format!("<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>");
    match table.is_folded {
        true => format!("<details><summary>{caption}</summary><div class=\"scroll\"><table>\n{body}</details>"),
        false => format!("<div class=\"scroll\"><table>\n<caption>{caption}</caption>\n{body}"),
    }
}
