//! What the workers of a small, hostile repository answer: well, badly, and at random.

use std::sync::Arc;

use super::random::Random;
use super::*;
use crate::engine::classes::{ClassSymbol, FiredClass};
use crate::engine::{Act, ActKind, Branch, LearnedWord, NeighborNode, Neighborhood, Relation, Vote};
use crate::learn::Cluster;
use crate::model::{ContextPack, EdgeType, PackedSymbol, Span, SymbolId, SymbolKind, SymbolName};
use crate::tui::config::Config;
use crate::tui::effect::{Node, Record, SearchRequest, TextRequest, Topic};
use crate::tui::keymap::Keymap;
use crate::tui::model::Appearance;
use crate::tui::model::classes::Without;
use crate::tui::model::export::Written;
use crate::tui::model::source::Shown;
use crate::tui::model::why::{Explained, Otherwise};
use crate::tui::settings::Settings;
use crate::tui::workspace::{Answer, Journal, Recorded, Response};
use crate::vocab::{Gate, Layer, Standing};

const NAMES: &[&str] = &[
    "open_session",
    "evil\u{1b}[31m\u{202e}name",
    "漢字の関数",
    "e\u{301}e\u{301}\u{200d}",
    "",
    "a_name_so_long_that_no_pane_of_any_terminal_has_room_for_the_whole_of_it_however_wide_it_may_be_made_by_its_owner",
    "🙂",
    "line\nbreak\tand\0nothing",
];
const FILES: &[&str] = &["src/flask/sessions.py", "src/a\tb\u{1b}]0;x\u{7}.py", "", "深い/フォルダ/ファイル.ts"];
/// Symbols of the repository.
const SYMBOLS: usize = 60;

/// The repository.
pub struct World {
    symbols: Vec<PackedSymbol>,
}

impl World {
    pub fn new() -> World {
        let model = fixture::pack().symbols.remove(0);
        let symbol = |place: usize| {
            let mut packed = model.clone();
            let symbol = &mut packed.symbol;
            let name = match place % 3 {
                0 => format!("plain_{place}"),
                _ => NAMES[place % NAMES.len()].to_owned(),
            };
            let numbered = format!("{place}.{name}");
            let names = SymbolName { place: "", scope: "", name: &numbered };
            symbol.id = SymbolId::new("fuzz", names, SymbolKind::Function, 0);
            symbol.node = place as u32;
            symbol.qualified_name = format!("fuzz://{numbered}");
            symbol.file = FILES[place % FILES.len()].to_owned();
            symbol.scope = NAMES[(place / 3) % NAMES.len()].to_owned();
            symbol.doc = name.clone();
            symbol.signature = format!("def {name}(\u{1b}[2J)");
            symbol.name = name;
            let line = (place * place * 97 % 5_000) as u32;
            symbol.span = Span { start_line: line, end_line: line + 40, name_line: line + 2, ..symbol.span };
            packed
        };
        World { symbols: (0..SYMBOLS).map(symbol).collect() }
    }

    /// What a worker says to this effect; none where nobody answers.
    pub fn answer(&self, effect: &Effect, random: &mut Random) -> Option<Action> {
        let report = match effect {
            Effect::Search(request) => self.ranked(request, random),
            Effect::Preview(request) => Report::Source {
                generation: request.generation,
                file: request.place.file.clone(),
                shown: self.source(&request.place.file, random),
            },
            Effect::Ask(question) => {
                Report::Found { number: question.number, finding: self.finding(&question.topic, random) }
            }
            Effect::Record(record) => {
                Report::Recorded { record: record.clone(), answer: self.recorded(record, random) }
            }
            Effect::Index => Report::Indexed(self.indexed(random)),
            Effect::Copy { .. } | Effect::Write { .. } => Report::OutputDone(perhaps(random, "done".to_owned())),
            Effect::Compose(text) => return Some(Action::Composed(perhaps(random, format!("{text}\nmore")))),
            Effect::Reload | Effect::Theme(_) => return Some(configured()),
            _ => return None,
        };
        Some(Action::Report(report))
    }

    pub fn status(&self, random: &mut Random) -> Answer<Status> {
        let usable = !random.chance(4);
        let repository = FILES[1].to_owned();
        perhaps(random, Status { repository, files: FILES.len(), symbols: SYMBOLS, usable })
    }

    pub fn indexed(&self, random: &mut Random) -> Answer<Indexed> {
        let status = self.status(random)?;
        Ok(Indexed { status, changed: random.chance(2) })
    }

    fn ranked(&self, request: &SearchRequest, random: &mut Random) -> Report {
        let generation = request.generation;
        let took = Duration::from_millis(random.below(400) as u64);
        if request.depth == Depth::Lexical {
            let rows = random.some(&self.symbols, 20);
            return Report::Lexical { generation, rows: perhaps(random, rows), took };
        }
        let pack = if random.chance(10) { None } else { Some(self.pack(request.task.budget_tokens, random)) };
        Report::Ranked { generation, pack: perhaps(random, pack), took }
    }

    /// Some symbols with scores, as many in the pack as the budget allows.
    fn pack(&self, budget_tokens: usize, random: &mut Random) -> ContextPack {
        let mut ranked = random.some(&self.symbols, SYMBOLS);
        for packed in &mut ranked {
            packed.tokens = random.below(600);
            packed.distance = random.below(4) as u32;
            for part in &mut packed.components {
                part.contribution = random.share() - 0.3;
            }
            packed.score = packed.components.iter().map(|part| part.contribution).sum();
            if random.chance(5) {
                packed.score += random.share() - 0.5;
            }
        }
        ranked.sort_by(|one, two| two.score.total_cmp(&one.score));
        let mut pack = ContextPack { budget_tokens, ..ContextPack::default() };
        for packed in ranked {
            if pack.tokens_used + packed.tokens <= budget_tokens && !random.chance(6) {
                pack.tokens_used += packed.tokens;
                pack.symbols.push(packed);
            } else {
                pack.omitted.push(packed);
            }
        }
        pack.left_tokens = budget_tokens - pack.tokens_used;
        pack
    }

    fn source(&self, file: &str, random: &mut Random) -> Answer<Shown> {
        let mut lines = fixture::source().to_vec();
        lines.truncate(random.below(lines.len() + 1));
        let of_file = self.symbols.iter().map(|packed| &packed.symbol).filter(|symbol| symbol.file == file);
        let definitions = Arc::new(of_file.cloned().collect());
        let changed = random.chance(5);
        perhaps(random, Shown { lines: Arc::new(lines), definitions, changed })
    }

    fn finding(&self, topic: &Topic, random: &mut Random) -> Answer<Response> {
        let words = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let finding = match topic {
            Topic::Classes { .. } => Response::Concepts(self.classes(random)),
            Topic::Why(node) => Response::Why(Box::new(self.explained(*node, random))),
            Topic::Versus(node) => Response::Compared(Box::new(self.explained(*node, random))),
            Topic::Otherwise { concepts, .. } => Response::Counterfactuals(
                (concepts.iter())
                    .map(|concept| Otherwise { supposed: concept.clone(), place: Some(random.below(9) + 1) })
                    .collect(),
            ),
            Topic::Without { concept, .. } => {
                let (moved, left, first) = (random.below(9), random.below(3), random.chance(3).then_some(4));
                Response::MuteEffect(Without { concept: concept.clone(), moved, most: 9, left, first })
            }
            Topic::Around(request) => Response::Neighborhood(self.around(request.root, random)),
            Topic::Uses(_) => Response::Uses(self.relations(random)),
            Topic::Users(_) => Response::Users(self.relations(random)),
            Topic::Symbols(_) => {
                Response::Symbols(random.some(&self.symbols, 30).into_iter().map(|packed| packed.symbol).collect())
            }
            Topic::Examples => Response::Examples(random.some(&words(NAMES), 4)),
            Topic::Text(TextRequest::Pack { .. } | TextRequest::Body { .. }) => {
                let text = NAMES[random.below(NAMES.len())].to_owned();
                Response::Text(Written { text, tokens: 3, symbols: 1, missing: random.below(2) })
            }
            Topic::Files { .. } => Response::Files(random.some(&words(FILES), 4)),
            Topic::Bases => Response::Bases(random.some(&words(NAMES), 4)),
            Topic::Again(symbols) => {
                let again = |symbol: &crate::model::Symbol| {
                    (!random.chance(3)).then(|| crate::model::Symbol { node: 1, ..symbol.clone() })
                };
                Response::Relocated(symbols.iter().map(again).collect())
            }
        };
        perhaps(random, finding)
    }

    fn classes(&self, random: &mut Random) -> Vec<FiredClass> {
        let class = |number: usize, random: &mut Random| FiredClass {
            concept: format!("CLASS_{number}"),
            layer: Layer::Universal,
            standing: Standing::General,
            strong: random.chance(2),
            gate: Gate::Phrases,
            muted: random.chance(4),
            phrases: vec![("session".into(), Some(2..9_000)), ("漢".into(), Some(1..2)), ("stem".into(), None)],
            targets: vec![NAMES[1].into()],
            reference: NAMES[1].into(),
            symbols: (random.some(&self.symbols, 5).into_iter())
                .map(|packed| ClassSymbol {
                    symbol: packed.symbol,
                    target: NAMES[1].into(),
                    value: random.share(),
                    place: random.chance(2).then_some(3),
                    contribution: random.share(),
                })
                .collect(),
        };
        (0..random.below(5)).map(|number| class(number, random)).collect()
    }

    fn explained(&self, node: Node, random: &mut Random) -> Explained {
        let mut explained = fixture::explained(random.below(8));
        explained.symbol = self.symbols[node.number as usize % SYMBOLS].symbol.clone();
        if random.chance(5) {
            explained.why = None;
        }
        explained
    }

    fn around(&self, root: u32, random: &mut Random) -> Neighborhood {
        let root = root as usize % SYMBOLS;
        let mut places = random.some(&(0..SYMBOLS).filter(|place| *place != root).collect::<Vec<_>>(), 25);
        places.insert(0, root);
        let mut nodes: Vec<NeighborNode> = Vec::new();
        for (index, place) in places.iter().enumerate() {
            let parent = (index > 0).then(|| random.below(index));
            nodes.push(NeighborNode {
                symbol: self.symbols[*place].symbol.clone(),
                hops: parent.map_or(0, |parent| nodes[parent].hops + 1),
                parent: parent.map(|place| Branch { place, edge_type: EdgeType::Calls, outgoing: index % 2 == 0 }),
                mass: random.share(),
                hidden: random.below(3) * 7,
            });
        }
        let links = (0..random.below(30)).map(|_| (random.below(nodes.len()), random.below(nodes.len()))).collect();
        Neighborhood { nodes, links, of_task: random.chance(2) }
    }

    fn relations(&self, random: &mut Random) -> Vec<Relation> {
        let relation = |packed: PackedSymbol| Relation {
            symbol: packed.symbol,
            edge_type: EdgeType::Calls,
            confidence: 0.5,
            line: None,
        };
        random.some(&self.symbols, 20).into_iter().map(relation).collect()
    }

    fn recorded(&self, record: &Record, random: &mut Random) -> Answer<Recorded> {
        let recorded = match record {
            Record::Votes { .. } => {
                let voted = random.some(&self.symbols, 5);
                Recorded::Votes(voted.into_iter().map(|packed| (packed.symbol.id, Vote::Useful)).collect())
            }
            Record::Journal | Record::TakeBack { .. } | Record::Forget { .. } => Recorded::Journal(journal(random)),
            Record::Vote { .. } | Record::Used { .. } | Record::Shown { .. } => Recorded::Done,
        };
        perhaps(random, recorded)
    }
}

fn journal(random: &mut Random) -> Journal {
    let act = |id: usize, random: &mut Random| Act {
        id: id as i64,
        batch: id as i64,
        at: 0,
        session: String::new(),
        kind: if random.chance(2) { ActKind::Vote } else { ActKind::Copy },
        task: NAMES[random.below(NAMES.len())].to_owned(),
        cluster: Cluster::default(),
        undone: random.chance(2),
        judgements: Vec::new(),
        words: Vec::new(),
    };
    let word = |random: &mut Random| LearnedWord {
        keyword: NAMES[random.below(NAMES.len())].to_owned(),
        symbol: NAMES[random.below(NAMES.len())].to_owned(),
        observations: 2,
        weight: random.share(),
        expired: random.below(2) as u32,
    };
    Journal {
        events: (0..random.below(9)).map(|id| act(id, random)).collect(),
        learned_terms: (0..random.below(9)).map(|_| word(random)).collect(),
    }
}

/// The value, or a failure in words that nobody has cleaned.
fn perhaps<T>(random: &mut Random, value: T) -> Answer<T> {
    if random.chance(12) { Err("the store broke:\n\u{1b}[31mdisk\0".to_owned()) } else { Ok(value) }
}

fn configured() -> Action {
    let appearance = Appearance::plain().unwrap();
    let settings = Settings {
        config: Config::default(),
        keymap: Keymap::new(),
        appearance,
        config_errors: vec!["odd\u{7}".into()],
    };
    Action::Configured(Box::new(settings))
}
