//! The names of a member's symbols and files in the explorer, which shows one tree of files and one space of numbers.

use crate::engine::Relation;
use crate::model::{NodeId, Symbol};
use crate::tui::backend::Response;
use crate::tui::effect::{Node, TextRequest, Topic};
use crate::tui::panes::why::Explained;

/// Bits of a node's number within its repository.
const NODE_BITS: u32 = 26;
/// Maximum number of repositories in the explorer: the other bits of a node's number.
pub const MAX_MEMBERS: usize = 1 << (u32::BITS - NODE_BITS);

/// The place of a member among the repositories of the explorer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub number: usize,
    pub label: String,
}

impl Place {
    /// Returns the path of a file below the member's label.
    pub fn shown_file(&self, file: &str) -> String {
        format!("{}/{file}", self.label)
    }

    /// Returns the path within the repository, if a shown path is of this member.
    pub fn own_file<'a>(&self, shown: &'a str) -> Option<&'a str> {
        shown.strip_prefix(self.label.as_str())?.strip_prefix('/')
    }

    /// Converts a symbol of the repository to one of the explorer.
    pub fn show(&self, symbol: &mut Symbol) {
        symbol.node = self.shown_node(symbol.node);
        if !symbol.file.is_empty() {
            symbol.file = self.shown_file(&symbol.file);
        }
    }

    /// Converts a symbol of the explorer to one of the repository.
    pub fn own(&self, symbol: &Symbol) -> Symbol {
        let file = self.own_file(&symbol.file).unwrap_or(&symbol.file).to_owned();
        Symbol { node: own_node(symbol.node), file, ..symbol.clone() }
    }

    fn shown_node(&self, node: NodeId) -> NodeId {
        NodeId::new(node.get() | (self.number as u32) << NODE_BITS)
    }

    /// Converts a response.
    pub fn show_response(&self, response: Response) -> Response {
        let relations = |mut relations: Vec<Relation>| {
            relations.iter_mut().for_each(|relation| self.show(&mut relation.symbol));
            relations
        };
        let explained = |mut explained: Box<Explained>| {
            self.show(&mut explained.symbol);
            if let Some(why) = &mut explained.why {
                why.file = self.shown_file(&why.file);
            }
            explained
        };
        match response {
            Response::Concepts(mut concepts) => {
                let symbols = concepts.iter_mut().flat_map(|concept| &mut concept.symbols);
                symbols.for_each(|found| self.show(&mut found.symbol));
                Response::Concepts(concepts)
            }
            Response::Why(why) => Response::Why(explained(why)),
            Response::Compared(why) => Response::Compared(explained(why)),
            Response::Neighborhood(mut shown) => {
                shown.nodes.iter_mut().for_each(|node| self.show(&mut node.symbol));
                Response::Neighborhood(shown)
            }
            Response::Uses(list) => Response::Uses(relations(list)),
            Response::Users(list) => Response::Users(relations(list)),
            Response::Definitions(list) => Response::Definitions(relations(list)),
            Response::Symbols(mut symbols) => {
                symbols.iter_mut().for_each(|symbol| self.show(symbol));
                Response::Symbols(symbols)
            }
            Response::Files(files) => Response::Files(self.shown_files(files)),
            Response::DirtyFiles(files) => Response::DirtyFiles(self.shown_files(files)),
            Response::Changes(mut changes) => {
                changes.files =
                    changes.files.into_iter().map(|(file, hunks)| (self.shown_file(&file), hunks)).collect();
                changes.owners =
                    changes.owners.into_iter().map(|(file, owners)| (self.shown_file(&file), owners)).collect();
                changes.deleted = self.shown_files(changes.deleted);
                Response::Changes(changes)
            }
            Response::Relocated(mut symbols) => {
                symbols.iter_mut().flatten().for_each(|symbol| self.show(symbol));
                Response::Relocated(symbols)
            }
            same @ (Response::Text(_)
            | Response::Examples(_)
            | Response::Counterfactuals(_)
            | Response::MuteEffect(_)
            | Response::Refused(_)
            | Response::Repositories(_)
            | Response::Bases(_)) => same,
        }
    }

    fn shown_files(&self, files: Vec<String>) -> Vec<String> {
        files.iter().map(|file| self.shown_file(file)).collect()
    }

    /// Converts a topic about a symbol or file of this member.
    pub fn own_topic(&self, topic: &Topic) -> Topic {
        let own = |node: &Node| Node { number: own_node(node.number), id: node.id };
        let mut topic = topic.clone();
        match &mut topic {
            Topic::Why(node)
            | Topic::Versus(node)
            | Topic::Uses(node)
            | Topic::Users(node)
            | Topic::Counterfactuals { node, .. } => *node = own(node),
            Topic::Neighborhood(request) => request.root = own_node(request.root),
            Topic::Definitions { file, .. } => {
                if let Some(rest) = self.own_file(file) {
                    *file = rest.to_owned();
                }
            }
            Topic::Text(TextRequest::Body { symbol }) => *symbol = self.own(symbol),
            _ => {}
        }
        topic
    }
}

/// Returns the number of the member that a node of the explorer belongs to.
pub fn member_of(node: NodeId) -> usize {
    (node.get() >> NODE_BITS) as usize
}

fn own_node(node: NodeId) -> NodeId {
    NodeId::new(node.get() & ((1 << NODE_BITS) - 1))
}

/// Returns the number of the member that a topic is about; `None` if it is about all.
pub fn subject(topic: &Topic, places: &[Place]) -> Option<usize> {
    match topic {
        Topic::Why(node)
        | Topic::Versus(node)
        | Topic::Uses(node)
        | Topic::Users(node)
        | Topic::Counterfactuals { node, .. } => Some(member_of(node.number)),
        Topic::Neighborhood(request) => Some(member_of(request.root)),
        Topic::Definitions { file, .. } => Some(places.iter().find(|place| place.own_file(file).is_some())?.number),
        Topic::Text(TextRequest::Body { symbol }) => Some(member_of(symbol.node)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::fixture;

    #[test]
    fn symbols_and_files_of_members_are_told_apart_and_found_again() {
        let symbol = fixture::pack().symbols.remove(0).symbol;
        let places = ["shop", "till"].map(str::to_owned);
        let places: Vec<Place> =
            places.into_iter().enumerate().map(|(number, label)| Place { number, label }).collect();
        for place in &places {
            let mut shown = symbol.clone();
            place.show(&mut shown);
            assert_eq!(shown.file, format!("{}/{}", place.label, symbol.file));
            assert_eq!((member_of(shown.node), place.own(&shown)), (place.number, symbol.clone()));
            assert_eq!(subject(&Topic::Uses(Node::from(&shown)), &places), Some(place.number));
            let definitions = Topic::Definitions { word: "a".into(), file: shown.file.clone(), line: 1 };
            assert_eq!(subject(&definitions, &places), Some(place.number));
            let own = Topic::Definitions { word: "a".into(), file: symbol.file.clone(), line: 1 };
            assert_eq!(place.own_topic(&definitions), own);
        }
    }
}
