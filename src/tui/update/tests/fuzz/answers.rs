//! Random answers of workers: results of a small repository with hostile names, and errors.

use std::sync::Arc;

use knowing_indexing::concepts::{FrameworkUse, Layer, MatchStrength};
use knowing_indexing::feedback::Cluster;

use super::random::Random;
use super::*;
use crate::config::Explorer;
use crate::engine::concepts::{ConceptSymbol, MatchedConcept};
use crate::engine::{
    Base, Beside, ChangeRole, Changes, Elsewhere, EventKind, FeedbackEvent, Hunk, LearnedTerm, LocalName, NeighborNode,
    Neighborhood, ParentEdge, Relation, Users, Vote,
};
use crate::model::{Also, ContextPack, EdgeType, NodeId, PackedSymbol, Span, SymbolId, SymbolKind, SymbolName};
use crate::tui::backend::{AgentAnswer, Answer, Examples, Journal, Recorded, RepositoryStatus, Response};
use crate::tui::effect::{AgentJob, Node, Record, SearchRequest, TextRequest, Topic};
use crate::tui::keymap::Keymap;
use crate::tui::model::Appearance;
use crate::tui::model::export::Written;
use crate::tui::panes::source::LoadedSource;
use crate::tui::panes::why::Explained;
use crate::tui::settings::Settings;

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
        let symbol = |index: usize| {
            let mut packed = model.clone();
            let symbol = &mut packed.symbol;
            let name = match index % 3 {
                0 => format!("plain_{index}"),
                _ => NAMES[index % NAMES.len()].to_owned(),
            };
            let numbered = format!("{index}.{name}");
            let names = SymbolName { unit: "", scope: "", name: &numbered };
            symbol.id = SymbolId::new("fuzz", names, SymbolKind::Function, 0);
            symbol.node = NodeId::from_index(index);
            symbol.qualified_name = format!("fuzz://{numbered}");
            symbol.file = FILES[index % FILES.len()].to_owned();
            symbol.scope = NAMES[(index / 3) % NAMES.len()].to_owned();
            symbol.doc = name.clone();
            symbol.signature = format!("def {name}(\u{1b}[2J)");
            symbol.name = name;
            let line = (index * index * 97 % 5_000) as u32;
            symbol.span = Span { start_line: line, end_line: line + 40, name_line: line + 2, ..symbol.span };
            packed
        };
        World { symbols: (0..SYMBOLS).map(symbol).collect() }
    }

    /// Returns the answer to an effect, if it has one.
    pub fn answer(&self, effect: &Effect, random: &mut Random) -> Option<Action> {
        let report = match effect {
            Effect::Search(request) => self.ranked(request, random),
            Effect::Preview(request) => Report::Source {
                generation: request.generation,
                file: request.location.file.clone(),
                shown: self.source(&request.location.file, random),
            },
            Effect::Ask(question) => {
                Report::Answered { number: question.number, response: self.response(&question.topic, random) }
            }
            Effect::Record(record) => {
                Report::Recorded { record: record.clone(), answer: self.recorded(record, random) }
            }
            Effect::Index => Report::Indexed(self.indexed(random)),
            Effect::Copy { .. } | Effect::Write { .. } => Report::OutputDone(perhaps(random, "done".to_owned())),
            Effect::Edit { file, .. } => {
                let changed = if random.chance(2) { vec![file.clone()] } else { Vec::new() };
                return Some(Action::Edited { changed, is_open: random.chance(2) });
            }
            Effect::Compose(text) => return Some(Action::Composed(perhaps(random, format!("{text}\nmore")))),
            Effect::Reload | Effect::Theme(_) => return Some(configured()),
            _ => return None,
        };
        Some(Action::Report(report))
    }

    pub fn status(&self, random: &mut Random) -> Answer<Status> {
        let usable = !random.chance(4);
        let repository = FILES[1].to_owned();
        let nothing_indexed = Some(FILES[1].to_owned()).filter(|_| random.chance(4));
        perhaps(
            random,
            Status { repository, files: FILES.len(), symbols: SYMBOLS, nothing_indexed, usable, ..Status::default() },
        )
    }

    pub fn indexed(&self, random: &mut Random) -> Answer<Indexed> {
        let status = self.status(random)?;
        Ok(Indexed { status, changed: random.chance(2), ..Indexed::default() })
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

    /// Returns symbols with random scores, as many packed as the budget allows.
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

    fn source(&self, file: &str, random: &mut Random) -> Answer<LoadedSource> {
        let mut lines = fixture::source().to_vec();
        lines.truncate(random.below(lines.len() + 1));
        let of_file = self.symbols.iter().map(|packed| &packed.symbol).filter(|symbol| symbol.file == file);
        let definitions = Arc::new(of_file.cloned().collect());
        let changed = random.chance(5);
        perhaps(random, LoadedSource { lines: Arc::new(lines), definitions, changed })
    }

    fn beside(&self, random: &mut Random) -> Beside {
        let one = |packed: PackedSymbol| Also { symbol: packed.symbol, reason: "caller of #1".into() };
        let section = |mut packed: PackedSymbol| {
            packed.symbol.kind = SymbolKind::Section;
            one(packed)
        };
        let also = random.some(&self.symbols, 8).into_iter().map(one).collect();
        let documents = random.some(&self.symbols, 3).into_iter().map(section).collect();
        Beside { also, documents }
    }

    fn definitions(&self, is_plain: bool, random: &mut Random) -> Response {
        let within = random.pick(&self.symbols).symbol.clone();
        match is_plain && random.chance(2) {
            true => Response::Local(LocalName { within, line: 3 }),
            false => Response::Definitions(self.relations(random)),
        }
    }

    fn response(&self, topic: &Topic, random: &mut Random) -> Answer<Response> {
        let words = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let response = match topic {
            Topic::Concepts { .. } => Response::Concepts(self.concepts(random)),
            Topic::Beside { .. } => Response::Beside(self.beside(random)),
            Topic::Why(node) => Response::Why(Box::new(self.explained(*node, random))),
            Topic::LastCommit(_) => Response::LastCommit(random.chance(2).then(fixture::last_commit)),
            Topic::Neighborhood(request) => Response::Neighborhood(self.neighborhood(request.root.number, random)),
            Topic::Uses(_) => Response::Uses(self.relations(random)),
            Topic::Users(_) => Response::Users(Users {
                relations: self.relations(random),
                caveats: vec!["1 line names it".to_owned(); random.below(9)],
            }),
            Topic::Symbols(_) => {
                Response::Symbols(random.some(&self.symbols, 30).into_iter().map(|packed| packed.symbol).collect())
            }
            Topic::Definitions { is_plain, .. } => self.definitions(*is_plain, random),
            Topic::Examples => {
                let tasks = random.some(&words(NAMES), 4);
                Response::Examples(Examples { tasks, is_complete: random.chance(2) })
            }
            Topic::Text(TextRequest::Pack { .. } | TextRequest::Body { .. } | TextRequest::Diagram(..)) => {
                let text = NAMES[random.below(NAMES.len())].to_owned();
                Response::Text(Written {
                    text,
                    tokens: 3,
                    symbols: 1,
                    missing: random.below(2),
                    left_out: random.below(3),
                })
            }
            Topic::Repositories => {
                let labels = random.some(&words(NAMES), 5).into_iter();
                let status =
                    |label: String| RepositoryStatus { id: label.clone(), label, ..RepositoryStatus::default() };
                Response::Repositories(labels.map(status).collect())
            }
            Topic::Files { .. } => Response::Files(random.some(&words(FILES), 4)),
            Topic::DirtyFiles => Response::DirtyFiles(random.some(&words(FILES), 2)),
            Topic::Bases => {
                let base = |name: String| Base { subject: name.clone(), name };
                Response::Bases(random.some(&words(NAMES), 4).into_iter().map(base).collect())
            }
            Topic::Changes { .. } => Response::Changes(Changes {
                files: (words(FILES).into_iter())
                    .map(|file| {
                        let removed = (0..random.below(40)).map(|line| format!("removed {line}")).collect();
                        let start = 1 + random.below(60) as u32;
                        (file, vec![Hunk { start, lines: random.below(9) as u32, removed }])
                    })
                    .collect(),
                elsewhere: Elsewhere {
                    absent: random.some(&words(FILES), 2),
                    unread: random.some(&words(FILES), 2),
                    removed: Vec::new(),
                },
                owners: words(FILES).into_iter().map(|file| (file, words(NAMES))).collect(),
                roles: (random.some(&self.symbols, 9).into_iter())
                    .map(|packed| (packed.symbol.id, ChangeRole::Calls))
                    .collect(),
            }),
            Topic::Relocate(symbols) => {
                let relocated = |symbol: &crate::model::Symbol| {
                    (!random.chance(3)).then(|| crate::model::Symbol { node: NodeId::new(1), ..symbol.clone() })
                };
                Response::Relocated(symbols.iter().map(relocated).collect())
            }
        };
        perhaps(random, response)
    }

    fn concepts(&self, random: &mut Random) -> Vec<MatchedConcept> {
        let concept = |number: usize, random: &mut Random| MatchedConcept {
            concept: format!("CONCEPT_{number}"),
            layer: Layer::Universal,
            framework_use: FrameworkUse::Any,
            strong: random.chance(2),
            strength: MatchStrength::Phrase,
            muted: random.chance(4),
            phrases: vec![("session".into(), Some(2..9_000)), ("漢".into(), Some(1..2)), ("stem".into(), None)],
            targets: vec![NAMES[1].into()],
            reference: NAMES[1].into(),
            symbols: (random.some(&self.symbols, 5).into_iter())
                .map(|packed| ConceptSymbol {
                    symbol: packed.symbol,
                    target: NAMES[1].into(),
                    value: random.share(),
                    rank: random.chance(2).then_some(3),
                    contribution: random.share(),
                })
                .collect(),
        };
        (0..random.below(5)).map(|number| concept(number, random)).collect()
    }

    fn explained(&self, node: Node, random: &mut Random) -> Explained {
        let mut explained = fixture::explained(random.below(8));
        explained.symbol = self.symbols[node.number.index() % SYMBOLS].symbol.clone();
        if random.chance(5) {
            explained.why = None;
        }
        explained
    }

    fn neighborhood(&self, root: NodeId, random: &mut Random) -> Neighborhood {
        let root = root.index() % SYMBOLS;
        let mut members = random.some(&(0..SYMBOLS).filter(|member| *member != root).collect::<Vec<_>>(), 25);
        members.insert(0, root);
        let mut nodes: Vec<NeighborNode> = Vec::new();
        for (index, member) in members.iter().enumerate() {
            let parent = (index > 0).then(|| random.below(index));
            nodes.push(NeighborNode {
                symbol: self.symbols[*member].symbol.clone(),
                hops: parent.map_or(0, |parent| nodes[parent].hops + 1),
                parent: parent.map(|index| ParentEdge {
                    index,
                    edge_type: EdgeType::Calls,
                    outgoing: index % 2 == 0,
                    is_inferred: index % 3 == 0,
                }),
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
            lines: Vec::new(),
            may_run: false,
        };
        random.some(&self.symbols, 20).into_iter().map(relation).collect()
    }

    fn recorded(&self, record: &Record, random: &mut Random) -> Answer<Recorded> {
        let recorded = match record {
            Record::Votes { .. } => {
                let voted = random.some(&self.symbols, 5);
                Recorded::Votes(voted.into_iter().map(|packed| (packed.symbol.id, Vote::Useful)).collect())
            }
            Record::Journal | Record::SetUndone { .. } | Record::Forget { .. } => Recorded::Journal(journal(random)),
            Record::Vote { .. } => Recorded::Voted { learned: vec![NAMES[1].to_owned()] },
            Record::Used { .. } => Recorded::Done,
            Record::Agent(job) => Recorded::Agent(match job {
                AgentJob::Steer { .. } => AgentAnswer::Steered(random.chance(2)),
                AgentJob::SteerBranch { .. } if random.chance(2) => AgentAnswer::OnBranch(NAMES[1].to_owned()),
                AgentJob::SteerBranch { .. } => AgentAnswer::OnTask,
                AgentJob::Steering { .. } => {
                    let pinned = random.some(&self.symbols, 3).into_iter().map(|packed| packed.symbol.id).collect();
                    AgentAnswer::Steering { pinned, dropped: Default::default() }
                }
                AgentJob::Send { .. } => AgentAnswer::Sent,
                AgentJob::TakeBack { .. } => AgentAnswer::TakenBack(random.chance(2)),
            }),
        };
        perhaps(random, recorded)
    }
}

fn journal(random: &mut Random) -> Journal {
    let act = |id: usize, random: &mut Random| FeedbackEvent {
        id: id as i64,
        batch: id as i64,
        at: 0,
        session: String::new(),
        kind: if random.chance(2) { EventKind::Vote } else { EventKind::Copy },
        task: NAMES[random.below(NAMES.len())].to_owned(),
        cluster: Cluster::default(),
        undone: random.chance(2),
        votes: Vec::new(),
        terms: Vec::new(),
    };
    let word = |random: &mut Random| LearnedTerm {
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

/// Returns the value, or an error with control characters.
fn perhaps<T>(random: &mut Random, value: T) -> Answer<T> {
    if random.chance(12) { Err("the store broke:\n\u{1b}[31mdisk\0".to_owned()) } else { Ok(value) }
}

fn configured() -> Action {
    let appearance = Appearance::plain().unwrap();
    let settings = Settings {
        config: Explorer::default(),
        keymap: Keymap::new(),
        appearance,
        config_errors: vec!["odd\u{7}".into()],
    };
    Action::Configured(Box::new(settings))
}
