//! The facts about one symbol: text and JSON within a token budget.

use std::collections::HashSet;

use serde::Serialize;

use super::question::{self, SymbolRecord, relation, symbol_record};
use super::text::push_numbered;
use super::{by_file, escape, json, scoped_name};
use crate::model::{Answer, AnswerRow, Repositories, Symbol, SymbolDetails, SymbolId, SymbolKind};
use crate::text::tokens;

/// Sizes of the lists that are tried, largest first.
const LIST_SIZES: [usize; 5] = [100, 40, 15, 6, 2];
/// Size of the lists while the source is shortened to fit.
const LIST_BESIDE_SOURCE: usize = 6;

/// Limit of the tests in the text, which also has the command that runs them.
const MAX_TESTS: usize = 6;

/// The part of the facts that is shown.
#[derive(Debug, Clone, Copy)]
struct Extent {
    list: usize,
    source_lines: usize,
}

/// Renders the facts as text of at most `budget` tokens. Lists are shortened first, then the source; what is left out
/// is counted.
pub fn text(details: &SymbolDetails, budget: usize) -> String {
    let text = compose(details, extent(details, budget));
    if tokens::count(&text) <= budget {
        return text;
    }
    // Not even the frame fits.
    const CUT: &str = "… cut; a larger budget shows all\n";
    let mut short = String::new();
    for line in text.lines() {
        if tokens::count(&format!("{short}{line}\n{CUT}")) > budget {
            break;
        }
        short.push_str(line);
        short.push('\n');
    }
    short + CUT
}

/// Renders the facts as one JSON object, with as much source and as long lists as the text of `budget` tokens.
pub fn json(details: &SymbolDetails, budget: usize) -> String {
    json::line(&record(details, budget))
}

/// Returns the value of the JSON, for clients that embed it.
pub fn record(details: &SymbolDetails, budget: usize) -> impl Serialize {
    let extent = extent(details, budget);
    let lines: Vec<(u32, &str)> = numbered(details).collect();
    let names = &details.uses.repositories;
    DetailsRecord {
        symbol: symbol_record(names, &details.symbol),
        end_line: details.symbol.span.end_line,
        doc: &details.symbol.doc,
        owners: &details.owners,
        source: details.source.as_ref().map(|_| SourceRecord {
            first_line: details.symbol.span.start_line,
            lines: lines.len(),
            shown_lines: lines.len().min(extent.source_lines),
            text: lines.iter().take(extent.source_lines).map(|(_, line)| format!("{line}\n")).collect(),
        }),
        missing_source: details.missing_source.as_deref(),
        members: details.members.iter().take(extent.list).map(|member| symbol_record(names, member)).collect(),
        uses: list(&details.uses, extent.list),
        users: list(&details.users, extent.list),
        tests: list(&details.tests, extent.list),
        why: &details.why,
    }
}

#[derive(Serialize)]
struct DetailsRecord<'a> {
    #[serde(flatten)]
    symbol: SymbolRecord<'a>,
    end_line: u32,
    doc: &'a str,
    owners: &'a [String],
    source: Option<SourceRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    missing_source: Option<&'a str>,
    members: Vec<SymbolRecord<'a>>,
    uses: ListRecord<'a>,
    users: ListRecord<'a>,
    tests: ListRecord<'a>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    why: &'a [String],
}

#[derive(Serialize)]
struct SourceRecord {
    first_line: u32,
    lines: usize,
    shown_lines: usize,
    text: String,
}

#[derive(Serialize)]
struct ListRecord<'a> {
    total: usize,
    rows: Vec<ListRow<'a>>,
}

#[derive(Serialize)]
struct ListRow<'a> {
    #[serde(flatten)]
    symbol: SymbolRecord<'a>,
    relation: String,
    /// Every line of the use; the relation has the first ones.
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    use_lines: &'a [u32],
    distance: u32,
    certain: bool,
}

fn list(answer: &Answer, limit: usize) -> ListRecord<'_> {
    let rows = answer.rows.iter().take(limit).map(|row| ListRow {
        symbol: symbol_record(&answer.repositories, &row.symbol),
        relation: relation(answer, row),
        use_lines: &row.lines,
        distance: row.distance,
        certain: row.is_certain,
    });
    ListRecord { total: answer.total, rows: rows.collect() }
}

/// Returns how much fits the budget: the longest lists with the whole source, or else as much source as fits.
fn extent(details: &SymbolDetails, budget: usize) -> Extent {
    let fits = |extent: &Extent| tokens::count(&compose(details, *extent)) <= budget;
    let all = numbered(details).count();
    let whole = LIST_SIZES.map(|list| Extent { list, source_lines: all });
    if let Some(extent) = whole.iter().take_while(|extent| extent.list >= LIST_BESIDE_SOURCE).find(|one| fits(one)) {
        return *extent;
    }
    for list in LIST_SIZES.into_iter().filter(|list| *list <= LIST_BESIDE_SOURCE).chain([0]) {
        let (mut fitting, mut too_many) = (0, all);
        while fitting < too_many {
            let middle = (fitting + too_many).div_ceil(2);
            if fits(&Extent { list, source_lines: middle }) { fitting = middle } else { too_many = middle - 1 }
        }
        let extent = Extent { list, source_lines: fitting };
        // A few lines of source are worth more than lists.
        if fits(&extent) && (fitting >= all.min(LIST_BESIDE_SOURCE) || list == 0) {
            return extent;
        }
    }
    Extent { list: 0, source_lines: 0 }
}

fn compose(details: &SymbolDetails, extent: Extent) -> String {
    let symbol = &details.symbol;
    let mut text = format!(
        "{}  {} {}\n",
        one(&scoped_name(symbol)),
        symbol.kind.name(),
        lines_of(&details.uses.repositories, symbol)
    );
    if !symbol.signature.is_empty() {
        text.push_str(&format!("{}\n", one(&symbol.signature)));
    }
    if !is_in_source(details, extent.source_lines) {
        for line in symbol.doc.lines().map(escape::code_line).filter(|line| !line.is_empty()) {
            text.push_str(&format!("  {line}\n"));
        }
    }
    if !details.owners.is_empty() {
        text.push_str(&format!("owners: {}\n", one(&details.owners.join(" "))));
    }
    if !details.why.is_empty() {
        text.push_str("why it ranks\n");
        details.why.iter().for_each(|line| text.push_str(&format!("  {}\n", one(line))));
    }
    push_source(&mut text, details, extent.source_lines);
    push_members(&mut text, details, extent.list);
    let tests: HashSet<SymbolId> = details.tests.rows.iter().map(|row| row.symbol.id).collect();
    push_list(&mut text, "used by", &details.users, extent.list, &tests);
    push_list(&mut text, "uses", &details.uses, extent.list, &HashSet::new());
    push_list(&mut text, "tests", &details.tests, extent.list.min(MAX_TESTS), &HashSet::new());
    text
}

/// Returns whether the lines of the source that are shown have the documentation, or as much of it as is room for.
fn is_in_source(details: &SymbolDetails, source_lines: usize) -> bool {
    let mut doc = details.symbol.doc.lines().map(str::trim).filter(|line| !line.is_empty()).peekable();
    let (mut shown, mut is_begun) = (numbered(details).take(source_lines).map(|(_, line)| line), false);
    doc.peek().is_some()
        && doc.all(|wanted| {
            let is_shown = shown.any(|line| line.contains(wanted));
            is_begun |= is_shown;
            is_shown || is_begun && numbered(details).nth(source_lines).is_some()
        })
}

/// Returns the numbered lines of the source.
fn numbered(details: &SymbolDetails) -> impl Iterator<Item = (u32, &str)> {
    (details.symbol.span.start_line..).zip(details.source.as_deref().unwrap_or_default().lines())
}

fn push_source(text: &mut String, details: &SymbolDetails, limit: usize) {
    if let Some(reason) = &details.missing_source {
        text.push_str(&format!("source omitted: {}\n", one(reason)));
    }
    let lines: Vec<(u32, &str)> = numbered(details).collect();
    if lines.is_empty() {
        return;
    }
    text.push_str("source\n");
    for (number, line) in lines.iter().take(limit) {
        // An empty text has no lines, an empty line is one.
        push_numbered(text, if line.is_empty() { "\n" } else { line }, *number);
    }
    if let [(first, _), .., (last, _)] | [(first @ last, _)] = lines.get(limit..).unwrap_or_default() {
        let file = one(&details.uses.repositories.shown(&details.symbol));
        let count = last - first + 1;
        text.push_str(&format!("… {count} more lines, {file}:{first}-{last} (a larger budget shows more)\n"));
    }
}

fn push_members(text: &mut String, details: &SymbolDetails, limit: usize) {
    let members = &details.members;
    if members.is_empty() {
        return;
    }
    text.push_str(&format!("members ({})\n", members.len()));
    for member in members.iter().take(limit) {
        let signature = if member.signature.is_empty() { &member.name } else { &member.signature };
        text.push_str(&format!("  {}  {}\n", one(signature), member.span.name_line));
    }
    push_more(text, members.len(), limit);
}

/// Adds a list without the symbols that another list has.
fn push_list(text: &mut String, title: &str, answer: &Answer, limit: usize, elsewhere: &HashSet<SymbolId>) {
    match answer.total {
        0 => text.push_str(&format!("{title}: {}\n", question::counts(answer))),
        _ => text.push_str(&format!("{title} ({})\n", question::counts(answer))),
    }
    let (below, rows): (Vec<&AnswerRow>, Vec<&AnswerRow>) =
        answer.rows.iter().partition(|row| elsewhere.contains(&row.symbol.id));
    text.push_str(&by_file::rows(answer, &rows[..limit.min(rows.len())], "  "));
    push_more(text, answer.total - below.len(), limit.min(rows.len()));
    match below.len() {
        0 => {}
        1 => text.push_str("  and 1 of the tests below\n"),
        count => text.push_str(&format!("  and {count} of the tests below\n")),
    }
    text.push_str(&question::commands(answer, "  "));
    for note in &answer.notes {
        text.push_str(&format!("  note: {}\n", one(note)));
    }
    if let Some(mentions) = question::mentions(answer) {
        text.push_str(&format!("  {mentions}\n"));
        text.push_str(&by_file::possible_uses(answer, "    ", limit.min(by_file::MAX_UNRESOLVED)));
    }
}

fn push_more(text: &mut String, total: usize, shown: usize) {
    if let more @ 1.. = total.saturating_sub(shown) {
        text.push_str(&format!("  … {more} more\n"));
    }
}

/// Returns the location of a definition with its first and last line; of a file its path.
fn lines_of(names: &Repositories, symbol: &Symbol) -> String {
    match one(&names.shown(symbol)) {
        file if file.is_empty() => "external".to_owned(),
        file if symbol.kind == SymbolKind::File => file,
        file => format!("{file}:{}-{}", symbol.span.start_line, symbol.span.end_line),
    }
}

fn one(text: &str) -> String {
    escape::one_line(text)
}
