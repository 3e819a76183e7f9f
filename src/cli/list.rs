//! The list that `knowing context` prints for people: number, name and location of each symbol, and why it is listed.

use unicode_width::UnicodeWidthStr;

use super::output::{BOLD, DIM, folded, styled};
use crate::model::{Also, ContextPack, PackedSymbol};
use crate::render::{ALSO, DOCUMENTS, Renderer, scoped_name};
use crate::text::display::safe;

/// The list, whose tokens the budget limits. It has no edges, bodies and deltas.
pub struct List;

/// The cells before a reason, as many as the number of a symbol takes.
const INDENT: &str = "     ";

/// Symbols that a terminal gets, so that the first ones are still to be seen.
pub const SHORT_LEN: usize = 10;

impl List {
    /// Returns the first symbols of the list, at most `limit`, and how many more there are, for a terminal with so many
    /// columns, if it is one.
    pub fn shown(pack: &ContextPack, limit: usize, colored: bool, columns: Option<usize>) -> String {
        let shown = (1..).zip(&pack.symbols).take(limit);
        let list = shown.map(|(number, packed)| entry(pack, packed, number, colored, columns));
        let mut list: String = list.collect();
        if let more @ 1.. = pack.symbols.len().saturating_sub(limit) {
            list.push_str(&styled(colored, DIM, &format!("     {more} more; --more lists them\n")));
        }
        let mut lists = [list, beside(pack, ALSO, &pack.also, colored, columns), String::new()];
        lists[2] = beside(pack, DOCUMENTS, &pack.documents, colored, columns);
        if pack.leads_with_documents() {
            lists.rotate_right(1);
        }
        lists.iter().filter(|list| !list.is_empty()).map(String::as_str).collect::<Vec<&str>>().join("\n")
    }
}

impl Renderer for List {
    fn name(&self) -> &'static str {
        "list"
    }

    fn render(&self, pack: &ContextPack) -> String {
        List::shown(pack, usize::MAX, false, None)
    }

    fn symbol(&self, pack: &ContextPack, packed: &PackedSymbol) -> String {
        // Numbers of up to three digits have the same width.
        entry(pack, packed, 1, false, None)
    }

    fn has_deltas(&self) -> bool {
        false
    }

    fn has_reasons(&self) -> bool {
        true
    }

    fn has_also(&self) -> bool {
        true
    }
}

/// Returns a list of symbols beside the first one, with its title.
fn beside(pack: &ContextPack, title: &str, symbols: &[Also], colored: bool, columns: Option<usize>) -> String {
    if symbols.is_empty() {
        return String::new();
    }
    let lines: String = symbols.iter().map(|one| companion(pack, one, colored, columns)).collect();
    format!("{}\n{lines}", styled(colored, BOLD, title))
}

/// Returns the line of a symbol beside the list; a reason that does not fit into it is below.
fn companion(pack: &ContextPack, also: &Also, colored: bool, columns: Option<usize>) -> String {
    let Also { symbol, reason } = also;
    let location = symbol.span.place(&safe(&pack.repositories.path(symbol)));
    let (line, reason) = (format!("{INDENT}{}  {location}", safe(&scoped_name(symbol))), safe(reason));
    if columns.is_none_or(|columns| line.width() + 2 + reason.width() <= columns) {
        return format!("{line}  {}\n", styled(colored, DIM, &reason));
    }
    let indent = format!("{INDENT}  ");
    let reason = folded(&reason, columns, &indent, &indent);
    format!("{}\n{}\n", folded(line.trim_start(), columns, INDENT, &indent), styled(colored, DIM, &reason))
}

/// Returns the two lines of a symbol: number, name and location, and below them the reason, or what is known of it.
fn entry(pack: &ContextPack, packed: &PackedSymbol, number: usize, colored: bool, columns: Option<usize>) -> String {
    let PackedSymbol { symbol, reason, .. } = packed;
    let name = styled(colored, BOLD, &safe(&scoped_name(symbol)));
    let location = symbol.span.place(&safe(&pack.repositories.path(symbol)));
    let sentence = reason.as_ref().map_or(symbol.signature.as_str(), |reason| &reason.sentence);
    let sentence = folded(&safe(sentence.trim()), columns, INDENT, INDENT);
    format!("{number:3}. {name}  {location}\n{}\n", styled(colored, DIM, &sentence))
}
