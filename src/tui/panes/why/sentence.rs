//! Why a symbol is ranked, in one sentence.

use super::view::explained_symbol;
use crate::engine::{Why, route};
use crate::text::display::safe;
use crate::tui::model::Model;
use crate::tui::panes::pack::Stage;

/// Returns why the explained symbol is ranked; empty until that is known.
pub fn sentence(model: &Model) -> String {
    let symbol = explained_symbol(model).filter(|_| model.panes.pack.stage == Stage::Full);
    let why = symbol.and_then(|symbol| model.panes.why.explanation(symbol.id));
    safe(&why.map(evidence).unwrap_or_default()).into_owned()
}

/// Returns the strongest evidence: its part in the answer, the words that it has, and the path to it in the graph.
pub fn evidence(why: &Why) -> String {
    if let Some(answer) = &why.answer {
        return answer.clone();
    }
    let found = |place: &str| -> Vec<String> {
        let has = why.words.iter().filter(|word| word.found_in == Some(place));
        has.map(|word| format!("\"{}\"", word.word)).take(MAX_WORDS).collect()
    };
    let places = ["name", "container", "path", "signature", "comment", "body"];
    let words = places.into_iter().find_map(|place| Some((place, found(place))).filter(|(_, words)| !words.is_empty()));
    let words = words.map(|(place, words)| format!("its {place} has {}", words.join(" and ")));
    // That the text led to it is said by the words.
    let path = Some(route(why)).filter(|path| !path.is_empty() && !path.starts_with("found directly"));
    words.into_iter().chain(path).collect::<Vec<_>>().join("; ")
}

/// Words that are named.
const MAX_WORDS: usize = 3;
