//! Definitions of the word under the cursor, and its users.

use super::{ID, SourceView};
use crate::engine::{LocalName, Relation};
use crate::model::Symbol;
use crate::tui::backend::{Answer, Response};
use crate::tui::effect::{Effect, Topic};
use crate::tui::model::Jump;
use crate::tui::model::{Focus, Model};
use crate::tui::overlay::relations;
use crate::tui::update::{ask, navigation};

/// A word whose definitions were asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Lookup {
    question: u64,
    word: String,
    /// The file and the line of the word.
    file: String,
    line: usize,
    /// Whether its users are wanted, instead of its definition.
    users: bool,
    /// The location before the lookup.
    from: Option<Jump>,
    answer: Option<Answer<Denoted>>,
}

/// The meaning of a word.
#[derive(Debug, Clone, PartialEq)]
enum Denoted {
    Definitions(Vec<Relation>),
    Local(LocalName),
}

/// Asks for the definitions of the word under the cursor. Without a word, and for users until the cursor was moved, the list is
/// that of the current symbol.
pub fn start(model: &mut Model, users: bool, effects: &mut Vec<Effect>) {
    let source = &model.panes.source;
    let word = source.cursor_word().filter(|_| !(users && source.is_placed));
    let (Some(word), Some(shown)) = (word, &source.shown) else {
        return relations::open(model, users, effects);
    };
    let (file, line, from) = (shown.file.clone(), source.cursor, navigation::location(model));
    let (file_of_word, is_plain) = (file.clone(), source.is_plain_name());
    let topic = Topic::Definitions { word: word.clone(), file: file_of_word, line: line as u32, is_plain };
    let question = ask(model, topic, effects);
    model.panes.source.lookup = Some(Lookup { question, word, file, line, users, from, answer: None });
}

/// Keeps the answer to the lookup's question.
pub fn answered(source: &mut SourceView, number: u64, response: &Answer<Response>) {
    let Some(lookup) = source.lookup.as_mut().filter(|lookup| lookup.question == number) else { return };
    lookup.answer = match response {
        Ok(Response::Definitions(found)) => Some(Ok(Denoted::Definitions(found.clone()))),
        Ok(Response::Local(local)) => Some(Ok(Denoted::Local(local.clone()))),
        Ok(_) => None,
        Err(error) => Some(Err(error.clone())),
    };
}

/// Goes to the definition once the answer is there: to the only one, else to a list of them; of a local name, to the line
/// that binds it. On the definition itself, lists what it uses.
pub fn follow(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(lookup) = model.panes.source.lookup.take_if(|lookup| lookup.answer.is_some()) else { return };
    if model.focus != Focus::Pane(ID) || !model.overlays.is_empty() {
        return;
    }
    let mut found = match lookup.answer {
        Some(Ok(Denoted::Definitions(found))) => found,
        Some(Ok(Denoted::Local(LocalName { within, line }))) => {
            model.show_message(format!("{} is local to {}", lookup.word, within.name));
            if !lookup.users && line as usize != lookup.line {
                go(model, within, Some(line), lookup.from);
            }
            return;
        }
        Some(Err(error)) => return model.show_error(error),
        None => return,
    };
    let is_here = |relation: &Relation| {
        relation.symbol.file == lookup.file && relation.symbol.span.name_line as usize == lookup.line
    };
    match found.len() {
        0 if lookup.users && navigation::definitions(model).is_ok() => {
            relations::open(model, true, effects);
            model.show_message(format!("no definition of {} is indexed; these use the symbol around it", lookup.word));
        }
        0 => model.show_message(format!("no definition of {} is indexed", lookup.word)),
        _ if lookup.users || found.iter().any(is_here) => {
            let index = found.iter().position(is_here).unwrap_or(0);
            relations::open_for(model, found.swap_remove(index).symbol, lookup.users, effects);
        }
        1 => go(model, found.swap_remove(0).symbol, None, lookup.from),
        _ => relations::open_list(model, format!("definitions of {}", lookup.word), found),
    }
}

/// Goes to a symbol, or to a line of it, from a location.
fn go(model: &mut Model, symbol: Symbol, line: Option<u32>, from: Option<Jump>) {
    navigation::visit_at(model, symbol, line);
    if let Some(from) = from {
        navigation::record_jump(model, from);
    }
}
