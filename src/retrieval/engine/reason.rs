//! Why a symbol is in a ranking, as a colleague would say it: one sentence of its strongest evidence, and the same in a
//! few words.
//!
//! Evidence that names the symbol comes first: a frame of a trace, a line, a change, its name. Then follow the votes
//! of people, the words that it has, and its neighbors. Nothing here has a number of the model.

use std::collections::HashMap;

use super::pipeline::{Ranked, Ranking};
use super::questions::{part, relations};
use super::words::{WordMatch, words};
use super::{EngineError, Ranker};
use crate::candidates::{FramePlace, is_definition};
use crate::concepts::Layer;
use crate::features::{EXACT_FEATURE, PRINTED_FEATURE};
use crate::feedback::{EventKind, SymbolFeedback};
use crate::graph::adjacency::Neighbor;
use crate::model::{Component, EdgeType, NodeId, Provenance, Reason, Symbol, SymbolId};
use crate::query::{Form, Location, locations, sole_name};
use crate::rank::tuning;
use crate::render::scoped_name;
use crate::text::display::excerpt;
use crate::text::{file_name, identifier_parts, stem};

/// Limit of the words of [`Reason::short`].
const MAX_SHORT_WORDS: usize = 8;
/// Number of the first symbols of a list to which a sentence refers.
const FIRST: usize = 10;
/// Limit of the words of a task that a clause lists.
const MAX_LISTED: usize = 3;
/// Limit of the words of a task whose number says something: a pasted report has hundreds.
const MAX_COUNTED: usize = 8;
/// The features of a task that names a symbol.
const NAMING: [&str; 3] = ["named", "dotted", EXACT_FEATURE];
/// Confidence below which an edge is not a reason.
const MIN_CONFIDENCE: f32 = 0.5;

/// The first symbols of a list that a reader sees, with their ranks from 1: sentences refer to them (`load` (#6) calls
/// it).
#[derive(Debug, Clone, Default)]
pub struct FirstRanks(HashMap<NodeId, usize>);

impl FirstRanks {
    /// Collects the first symbols of a list. Its other symbols may be given, too.
    pub fn new(ranks: impl IntoIterator<Item = (NodeId, usize)>) -> FirstRanks {
        FirstRanks(ranks.into_iter().filter(|(_, rank)| *rank <= FIRST).collect())
    }

    /// Collects the first symbols of a ranking.
    pub fn in_ranking(ranking: &Ranking) -> FirstRanks {
        FirstRanks::new(ranking.symbols.iter().take(FIRST).enumerate().map(|(index, one)| (one.node, index + 1)))
    }
}

/// The reasons of the symbols of one ranking.
pub struct Reasons<'a> {
    ranker: &'a Ranker,
    ranking: &'a Ranking,
    task: &'a str,
    first: FirstRanks,
    ranked: HashMap<NodeId, &'a Ranked>,
    locations: Vec<Location>,
    relations: HashMap<SymbolId, String>,
}

impl Ranker {
    /// Returns the reasons of a ranking of `task`, whose text is empty for a request without words. Sentences refer to
    /// the symbols of `first` by their ranks.
    pub fn reasons<'a>(&'a self, ranking: &'a Ranking, task: &'a str, first: FirstRanks) -> Reasons<'a> {
        let answer = ranking.answer.as_deref();
        Reasons {
            ranker: self,
            ranking,
            task,
            first,
            ranked: ranking.symbols.iter().map(|ranked| (ranked.node, ranked)).collect(),
            locations: locations(task),
            relations: answer.map(relations).into_iter().flatten().collect(),
        }
    }
}

impl Reasons<'_> {
    /// Returns why a symbol is in the ranking: a sentence without a full stop, such as `its name has 3 of your 4 words,
    /// and `load` (#6) calls it`, and at most eight words, such as `name has cookie, session; caller of #2`. A symbol
    /// that nothing leads to has a reason, too, which says so.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn reason(&self, symbol: &Symbol) -> Result<Reason, EngineError> {
        let terms = self.ranker.terms(self.ranking, symbol.node)?;
        self.with_words(symbol, &words(self.task, &self.ranking.keywords, &terms))
    }

    /// Returns the reason of a symbol with these words.
    pub(super) fn with_words(&self, symbol: &Symbol, words: &[WordMatch]) -> Result<Reason, EngineError> {
        if let Some(answer) = &self.ranking.answer {
            let short = self.relations.get(&symbol.id).map_or("", String::as_str);
            return Ok(join(&[Clause::new(part(answer, symbol), short)]));
        }
        let node = symbol.node;
        let words = &in_name(words, &symbol.name);
        let value = |name: &str| self.components(node).iter().find(|one| one.name == name).map_or(0.0, |one| one.value);
        let relation = self.relation(node, &symbol.name)?;
        let mut evidence = Evidence {
            task: self.task,
            frame: self.ranking.frames.get(&node).copied(),
            location: if value("location") > 0.0 { self.location(symbol) } else { None },
            is_printed: value(PRINTED_FEATURE) > 0.0,
            change: Some(value("changed")).filter(|value| *value > 0.0),
            named: if NAMING.iter().any(|name| value(name) > 0.0) { self.named(symbol)? } else { None },
            feedback: self.ranking.feedback.nodes.get(&node),
            concept: self.concept(node),
            words,
            components: self.components(node),
            relation,
            is_compared: self.ranking.compared.is_some(),
        };
        if evidence.clauses().is_empty() {
            evidence.relation = self.path(node)?;
        }
        Ok(join(&evidence.clauses()))
    }

    fn components(&self, node: NodeId) -> &[Component] {
        self.ranked.get(&node).map_or(&[], |ranked| &ranked.components)
    }

    /// Returns the first location of the task that is in the symbol, as `cart.go:12`.
    fn location(&self, symbol: &Symbol) -> Option<String> {
        let is_in = |location: &&Location| {
            let lines = symbol.span.start_line..=symbol.span.end_line;
            file_name(&location.path) == file_name(&symbol.file)
                && (lines.contains(&location.line) || location.function == symbol.name)
        };
        let location = self.locations.iter().find(is_in)?;
        Some(format!("{}:{}", file_name(&location.path), location.line))
    }

    /// Returns how the task names a symbol.
    fn named(&self, symbol: &Symbol) -> Result<Option<Named>, EngineError> {
        let own = symbol.name.trim_matches('_').to_lowercase();
        let is_own = |text: &str| {
            let last = text.rsplit(['.', ':', '/']).next().unwrap_or(text);
            last.trim_matches('_').to_lowercase() == own
        };
        let keywords = &self.ranking.keywords;
        let forms = [Form::Quoted, Form::Identifier, Form::Called];
        let mut written = forms.into_iter().flat_map(|form| keywords.with_form(form));
        if sole_name(self.task) == Some(&symbol.name) || written.any(|keyword| is_own(&keyword.text)) {
            let (reader, graph) = (self.ranker.reader(), self.ranker.graph());
            let of_name = reader.nodes_named(&symbol.name, tuning::EXACT_CAP)?.into_iter();
            let definitions = of_name
                .filter(|node| graph.meta(*node).is_some_and(|meta| meta.file.is_some() && is_definition(meta.kind)));
            return Ok(Some(Named::Written(definitions.count())));
        }
        let joined = keywords.with_form(Form::Joined).any(|keyword| is_own(&keyword.text));
        let parts: Vec<String> = identifier_parts(&symbol.name).map(str::to_lowercase).collect();
        Ok(joined.then(|| Named::Joined(parts.join(" "))))
    }

    /// Returns the best concept that leads to a symbol: the phrase of the task, and whether the concept is the
    /// repository's own.
    fn concept(&self, node: NodeId) -> Option<(&str, bool)> {
        let mut hits = self.ranking.concepts.iter().filter(|hit| hit.node == node && !hit.muted);
        let is_own = |layer: Layer| layer == Layer::Repository;
        let own = hits.clone().find(|hit| is_own(hit.layer));
        own.or_else(|| hits.find(|hit| hit.layer != Layer::Graph)).map(|hit| (hit.phrase.as_str(), is_own(hit.layer)))
    }

    /// Returns the best edge between a symbol and one of the first: a call before other uses, then by rank. A neighbor
    /// with the symbol's `own` name is told with its scope.
    fn relation(&self, node: NodeId, own: &str) -> Result<Option<Related>, EngineError> {
        let graph = &self.ranker.graph;
        let edges = graph.incoming(node).iter().chain(graph.outgoing(node));
        let ranked = edges.filter_map(|edge| {
            let rank = *self.first.0.get(&edge.node).filter(|_| edge.node != node)?;
            let class = class(edge.edge_type).filter(|_| edge.confidence() >= MIN_CONFIDENCE)?;
            Some((self.change_order(edge), class, rank, edge))
        });
        let best = ranked.min_by_key(|(change, class, rank, edge)| (*change, *class, *rank, edge.node));
        let Some((.., rank, edge)) = best else { return Ok(None) };
        let Some(neighbor) = self.ranker.reader().symbol(edge.node)? else { return Ok(None) };
        Ok(Some(Related {
            name: if neighbor.name == own { scoped_name(&neighbor) } else { neighbor.name },
            rank: Some(rank),
            is_match: false,
            edge: edge.edge_type,
            forward: edge.is_outgoing(),
            is_guess: edge.provenance == Provenance::AstInferred,
            is_changed: self.ranking.compared.is_some() && self.is_changed(edge.node),
        }))
    }

    /// Returns the best edge between a symbol and one of the first in a few words, such as `caller of #2`.
    pub(super) fn relation_in_short(&self, node: NodeId) -> Result<Option<String>, EngineError> {
        Ok(self.relation(node, "")?.and_then(|related| of_relation(&related).shorts.into_iter().next()))
    }

    fn is_changed(&self, node: NodeId) -> bool {
        self.components(node).iter().any(|one| one.name == "changed" && one.value >= 1.0)
    }

    /// Returns 0 for an edge to a changed symbol, in a ranking of changes.
    fn change_order(&self, edge: &Neighbor) -> u8 {
        u8::from(self.ranking.intent.is_none() && !self.is_changed(edge.node))
    }

    /// Returns the last edge of the best path from a match, for a symbol that is a candidate for it.
    fn path(&self, node: NodeId) -> Result<Option<Related>, EngineError> {
        let is_near = self.ranking.walk.score(node) >= self.ranking.walk_floor;
        let path = if is_near { self.ranker.path(&self.ranking.walk, node)? } else { Vec::new() };
        let Some(step) = path.last().filter(|step| class(step.edge).is_some()) else { return Ok(None) };
        // The name of a file is its path.
        let name = step.names[0].rsplit('/').next().unwrap_or_default().to_owned();
        let (edge, forward, is_match) = (step.edge, !step.forward, path.len() == 1);
        Ok(Some(Related { name, rank: None, is_match, edge, forward, is_guess: false, is_changed: false }))
    }
}

/// The way in which a task names a symbol.
enum Named {
    /// By its name, which so many definitions have.
    Written(usize),
    /// By these words side by side.
    Joined(String),
}

/// A neighbor of a symbol, and the edge between them.
struct Related {
    name: String,
    /// `None` for one that is not among the first.
    rank: Option<usize>,
    /// Whether one without a rank is a match itself.
    is_match: bool,
    edge: EdgeType,
    /// Whether the edge leads from the symbol to the neighbor.
    forward: bool,
    is_guess: bool,
    is_changed: bool,
}

/// Returns the class of an edge that is a reason: calls first, then other uses, then structure.
pub(super) fn class(edge: EdgeType) -> Option<u8> {
    use EdgeType::{
        AccessesField, Calls, ConsumesEndpoint, ConsumesRpc, Contains, Declares, Decorates, ExecutesProcess, Extends,
        HandlesRoute, Implements, ImplementsRpc, Overrides, References, Tests, Throws, TypeHintOf, UsesFixture,
    };
    Some(match edge {
        Calls | ConsumesRpc | ConsumesEndpoint | HandlesRoute => 0,
        Overrides | Implements | ImplementsRpc | Extends | Declares => 1,
        AccessesField | ExecutesProcess | References | Throws | TypeHintOf | Decorates | UsesFixture => 2,
        Tests => 3,
        Contains => 4,
        _ => return None,
    })
}

/// Returns the words, each as a symbol's name has it where it is there in another form: `pagination` for `Paginator`.
fn in_name(words: &[WordMatch], name: &str) -> Vec<WordMatch> {
    let written = |word: &WordMatch| {
        let lower = word.word.to_lowercase();
        let mut parts = identifier_parts(name).filter(|part| stem(&part.to_lowercase()) == stem(&lower));
        let part = parts.next().filter(|_| word.found_in == Some(NAME))?.to_lowercase();
        (!part.starts_with(&lower) && !lower.starts_with(&part)).then_some(part)
    };
    let shown =
        |word: &WordMatch| WordMatch { word: written(word).unwrap_or_else(|| word.word.clone()), ..word.clone() };
    words.iter().map(shown).collect()
}

/// One statement about a symbol.
#[derive(Debug, Clone, PartialEq)]
struct Clause {
    sentence: String,
    /// In few words; the longest first.
    shorts: Vec<String>,
    /// Whether it says enough alone.
    is_enough: bool,
}

impl Clause {
    fn new(sentence: impl Into<String>, short: impl Into<String>) -> Clause {
        Clause { sentence: sentence.into(), shorts: vec![short.into()], is_enough: true }
    }

    fn partial(sentence: impl Into<String>, shorts: impl IntoIterator<Item = impl Into<String>>) -> Clause {
        Clause { sentence: sentence.into(), shorts: shorts.into_iter().map(Into::into).collect(), is_enough: false }
    }
}

/// The evidence for a symbol.
struct Evidence<'a> {
    task: &'a str,
    frame: Option<FramePlace>,
    location: Option<String>,
    /// Whether it prints a message of the task.
    is_printed: bool,
    /// 1 for a symbol with a changed line, less for another one of its file.
    change: Option<f64>,
    named: Option<Named>,
    feedback: Option<&'a SymbolFeedback>,
    /// The phrase of a concept, and whether the concept is the repository's own.
    concept: Option<(&'a str, bool)>,
    words: &'a [WordMatch],
    components: &'a [Component],
    relation: Option<Related>,
    /// Whether the changes are those since a revision, whose lines are known.
    is_compared: bool,
}

impl Evidence<'_> {
    /// Returns the statements, the strongest first.
    fn clauses(&self) -> Vec<Clause> {
        let mut clauses: Vec<Clause> = Vec::new();
        clauses.extend(self.frame.map(|place| of_frame(&place)));
        let location = self.location.as_ref();
        clauses.extend(location.map(|location| Clause::new(format!("you named {location}"), format!("at {location}"))));
        let message = || Clause::new("it prints a message of your task", "prints your message");
        clauses.extend(self.is_printed.then(message));
        clauses.extend(self.change.map(|value| self.of_change(value)));
        clauses.extend(self.named.as_ref().map(of_name));
        clauses.extend(self.feedback.map(|feedback| of_feedback(feedback, self.task)).unwrap_or_default());
        let own = |own| self.concept.filter(|(_, is_own)| *is_own == own).map(|(phrase, _)| of_concept(phrase, own));
        clauses.extend(own(true));
        clauses.extend(self.of_words());
        clauses.extend(self.relation.as_ref().map(of_relation));
        clauses.extend(own(false));
        if clauses.is_empty() && self.has_matches_beside() {
            clauses.push(Clause::partial("other code of its file matches", ["rest of its file matches"]));
        }
        clauses
    }

    fn of_change(&self, value: f64) -> Clause {
        match (value >= 1.0, self.is_compared) {
            (true, true) => Clause::new("changed in this diff", "changed"),
            (true, false) => Clause::new("in a file that you gave", "in a given file"),
            (false, _) => Clause::partial("in a changed file, without a changed line", ["in a changed file"]),
        }
    }

    /// Returns whether only its file leads to the symbol.
    fn has_matches_beside(&self) -> bool {
        const BESIDE: [&str; 5] = ["file", "folder", "best_sibling", "file_matches", "owner_text"];
        self.components.iter().any(|one| BESIDE.contains(&one.name) && one.contribution > 0.0)
    }

    /// Returns the statement about the words of the task that the symbol has, in the two parts that count most.
    fn of_words(&self) -> Option<Clause> {
        let all = self.words.iter().filter(|word| !word.is_related).count();
        // A name that is in the task as a whole has its words.
        let is_told = |part: &Part| part.title == NAME && matches!(self.named, Some(Named::Joined(_)));
        let of_part = |(order, part): (usize, &Part)| {
            let found = self.words.iter().filter(|word| word.found_in == Some(part.title));
            let found: Vec<&WordMatch> = found.collect();
            let strength = self.strength(part);
            (!found.is_empty() && !is_told(part)).then_some((strength, PartWords { order, title: part.title, found }))
        };
        let mut parts: Vec<(f64, PartWords<'_>)> = PARTS.iter().enumerate().filter_map(of_part).collect();
        // The sort is stable: of equal parts the most specific one is first.
        parts.sort_by(|one, other| other.0.total_cmp(&one.0));
        let mut parts: Vec<PartWords<'_>> = parts.into_iter().map(|(_, part)| part).take(2).collect();
        if let Some(counted) = parts.iter().find_map(|part| part.counted(all)) {
            return Some(counted);
        }
        parts.sort_by_key(|part| part.order);
        Some(match &parts[..] {
            [] => return None,
            [one] => Clause::partial(one.sentence(true), [one.short(true)]),
            [one, other, ..] => {
                let shorts = [format!("{}, {}", one.short(true), other.short(false)), one.short(true)];
                Clause::partial(format!("{}, {}", one.sentence(true), other.sentence(false)), shorts)
            }
        })
    }

    /// Returns what a part contributes to the score.
    fn strength(&self, part: &Part) -> f64 {
        let own = self.components.iter().filter(|one| part.features.contains(&one.name));
        own.map(|one| one.contribution).sum()
    }
}

/// A part of a symbol that can have words of a task.
struct Part {
    /// As in [`WordMatch::found_in`].
    title: &'static str,
    /// The features of its words.
    features: &'static [&'static str],
}

/// The parts, the most specific first.
const PARTS: [Part; 7] = [
    Part { title: NAME, features: &["name", "name_rank", "name_overlap", "run"] },
    Part { title: "container", features: &["scope", "scope_overlap", "scoped_run", "container", "container_named"] },
    Part { title: "signature", features: &["signature"] },
    Part { title: "comment", features: &["doc"] },
    Part { title: "body", features: &["body", "body_rank"] },
    Part { title: "path", features: &["path", "path_rarity", "path_rarity_share"] },
    Part { title: "commits", features: &["history"] },
];

/// The words of a task that a part has.
struct PartWords<'a> {
    /// Position among [`PARTS`].
    order: usize,
    title: &'static str,
    found: Vec<&'a WordMatch>,
}

impl PartWords<'_> {
    /// Returns the statement with numbers, about a task of `all` words; `None` where words say more.
    fn counted(&self, all: usize) -> Option<Clause> {
        let written = self.found.iter().filter(|word| !word.is_related).count();
        let is_counted = written >= MAX_LISTED && all <= MAX_COUNTED && self.title != COMMITS;
        let number =
            if written == all { format!("all {all} of your words") } else { format!("{written} of your {all} words") };
        is_counted.then(|| Clause::partial(format!("its {} has {number}", self.title), [self.short(true)]))
    }

    /// Returns the words and where they are; the verb of a second part is that of the first.
    fn sentence(&self, is_first: bool) -> String {
        let title = self.title;
        let listed: Vec<String> = self.found.iter().take(MAX_LISTED).map(|one| format!("\"{}\"", one.word)).collect();
        let words = match (&listed[..], self.found.len() - listed.len()) {
            ([one], _) => one.clone(),
            ([one, other], _) => format!("{one} and {other}"),
            (listed, 0) => format!("{} and {}", listed[..2].join(", "), listed[2]),
            (listed, more) => format!("{} and {more} more of your words", listed.join(", ")),
        };
        match (title, self.found.len()) {
            (COMMITS, _) => format!("commits of its file mention {words}"),
            (_, 1 | 2) if !is_first => format!("{words} in its {title}"),
            (_, 1) => format!("{words} is in its {title}"),
            (_, 2) => format!("{words} are in its {title}"),
            _ => format!("its {title} has {words}"),
        }
    }

    fn short(&self, is_first: bool) -> String {
        let words: Vec<&str> = self.found.iter().take(MAX_LISTED).map(|one| one.word.as_str()).collect();
        let verb = match (self.title, is_first) {
            (COMMITS, _) => "mention ",
            (_, true) => "has ",
            (_, false) => "",
        };
        format!("{} {verb}{}", self.title, words.join(", "))
    }
}

/// The title of a symbol's own name.
const NAME: &str = "name";
/// The title of the subjects of commits.
const COMMITS: &str = "commits";

fn of_frame(place: &FramePlace) -> Clause {
    let (number, is_innermost) = (place.number, place.is_innermost);
    match (number, is_innermost) {
        (1, _) => Clause::new("frame 1 of your trace, the innermost", "frame 1"),
        (_, true) => Clause::new(
            format!("frame {number} of your trace, innermost in this repository"),
            format!("frame {number}, innermost here"),
        ),
        (_, false) => Clause::new(format!("frame {number} of your trace"), format!("frame {number}")),
    }
}

fn of_name(named: &Named) -> Clause {
    match named {
        Named::Written(0 | 1) => Clause::new("you named it", "named in the task"),
        Named::Written(of) => Clause::partial(format!("you named it, one of {of} of that name"), ["named in the task"]),
        Named::Joined(words) => Clause::partial(format!("\"{words}\" is its name"), ["name is in the task"]),
    }
}

/// Returns the statements about votes and learned terms for a symbol. A term is told as the word of the task.
fn of_feedback(feedback: &SymbolFeedback, task: &str) -> Vec<Clause> {
    let mut clauses = Vec::new();
    let vote = feedback.sources.iter().find(|source| source.useful && source.kind == EventKind::Vote);
    if let Some(vote) = vote.filter(|_| feedback.feedback > 0.0) {
        let by = vote.by.as_deref().unwrap_or("you");
        let task = match vote.task.is_empty() {
            true => "a similar task".to_owned(),
            false => format!("\"{}\"", excerpt(vote.task.lines().next().unwrap_or_default())),
        };
        clauses.push(Clause::partial(format!("{by} voted it useful for {task}"), ["voted useful"]));
    }
    if let Some(term) = feedback.terms.first() {
        let is_term = |word: &&str| *stem(&word.to_lowercase()) == term.keyword;
        let word = identifier_parts(task).find(is_term).unwrap_or(&term.keyword);
        let sentence = format!("\"{word}\" led to it {}", times(term.observations));
        clauses.push(Clause::partial(sentence, [format!("learned: {word}")]));
    }
    clauses
}

fn times(number: u32) -> String {
    match number {
        1 => "once before".to_owned(),
        2 => "twice before".to_owned(),
        more => format!("{more} times before"),
    }
}

fn of_concept(phrase: &str, is_own: bool) -> Clause {
    let sentence = match is_own {
        true => format!("\"{phrase}\" means it here"),
        false => format!("\"{phrase}\" usually means such code"),
    };
    Clause::partial(sentence, [format!("means {phrase}")])
}

/// Returns the statement about a neighbor: `load` (#6) calls it, it calls `load` (#6).
fn of_relation(related: &Related) -> Clause {
    let Related { name, rank, is_match, edge, forward, is_guess, is_changed } = related;
    let number = rank.map_or(String::new(), |rank| format!(" (#{rank})"));
    let changed = if *is_changed { ", which changed" } else { "" };
    let probably = if *is_guess { "probably " } else { "" };
    let (active, passive) = edge.phrases();
    let other = format!("`{name}`{number}{changed}");
    // The phrases of edges are verbs, but for a few.
    let sentence = match (edge, forward) {
        (EdgeType::Contains, true) => format!("{other} is in it"),
        (EdgeType::Contains, false) => format!("it is in {other}"),
        (EdgeType::TypeHintOf, false) => format!("{other} uses it as a type"),
        (EdgeType::Decorates, true) => format!("{other} decorates it"),
        (EdgeType::Decorates, false) => format!("it decorates {other}"),
        (_, true) => format!("it {probably}{active} {other}"),
        (_, false) if *is_changed => format!("it is {probably}{passive} {other}"),
        (_, false) => format!("{other} {probably}{active} it"),
    };
    let reference = rank.map_or_else(|| name.clone(), |rank| format!("#{rank}"));
    let short = match (edge, forward) {
        (EdgeType::Calls, true) => format!("caller of {reference}"),
        (EdgeType::Contains, true) => format!("has {reference}"),
        (EdgeType::Contains, false) => format!("in {reference}"),
        (_, true) => format!("{active} {reference}"),
        (_, false) => format!("{passive} {reference}"),
    };
    let match_note = match (rank, is_match) {
        (Some(_), _) => "",
        (None, true) => ", which matches",
        (None, false) => ", which is near a match",
    };
    Clause::partial(sentence + match_note, [short])
}

/// Joins the first statements.
fn join(clauses: &[Clause]) -> Reason {
    let (first, second) = match clauses {
        [] => return Reason { sentence: "nothing in the task leads to it".to_owned(), short: "no match".to_owned() },
        [first, second, ..] if !first.is_enough => (first, Some(second)),
        [first, ..] => (first, None),
    };
    let sentence = match second {
        Some(second) => format!("{}, and {}", first.sentence, second.sentence),
        None => first.sentence.clone(),
    };
    let fits = |text: &String| text.split_whitespace().count() <= MAX_SHORT_WORDS;
    let both = second.map(|second| first.shorts.iter().map(|one| format!("{one}; {}", second.shorts[0])));
    let one = first.shorts.iter().cloned();
    let short = both.into_iter().flatten().chain(one).find(fits);
    let short = short
        .unwrap_or_else(|| first.shorts[0].split_whitespace().take(MAX_SHORT_WORDS).collect::<Vec<&str>>().join(" "));
    Reason { sentence, short }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(word: &str, found_in: Option<&'static str>) -> WordMatch {
        WordMatch { word: word.to_owned(), found_in, is_related: false }
    }

    fn none<'a>() -> Evidence<'a> {
        Evidence {
            task: "",
            frame: None,
            location: None,
            is_printed: false,
            change: None,
            named: None,
            feedback: None,
            concept: None,
            words: &[],
            components: &[],
            relation: None,
            is_compared: false,
        }
    }

    fn related(edge: EdgeType, forward: bool) -> Related {
        let name = "load".to_owned();
        Related { name, rank: Some(6), is_match: false, edge, forward, is_guess: false, is_changed: false }
    }

    fn reason(evidence: &Evidence<'_>) -> (String, String) {
        let Reason { sentence, short } = join(&evidence.clauses());
        assert!(short.split_whitespace().count() <= MAX_SHORT_WORDS, "{short}");
        (sentence, short)
    }

    fn check(evidence: &Evidence<'_>, sentence: &str, short: &str) {
        assert_eq!(reason(evidence), (sentence.to_owned(), short.to_owned()));
    }

    #[test]
    fn words_and_a_neighbor_are_one_sentence() {
        let relation = || Some(related(EdgeType::Calls, false));
        let name = Some("name");
        let words = [word("session", name), word("cookie", name), word("expire", name), word("early", None)];
        let all = Evidence { words: &words, relation: relation(), ..none() };
        check(
            &all,
            "its name has 3 of your 4 words, and `load` (#6) calls it",
            "name has session, cookie, expire; called by #6",
        );
        let one = [word("signing", name), word("key", None)];
        let caller = Some(related(EdgeType::Calls, true));
        check(
            &Evidence { words: &one, relation: caller, ..none() },
            "\"signing\" is in its name, and it calls `load` (#6)",
            "name has signing; caller of #6",
        );
        check(
            &Evidence { words: &words[..3], ..none() },
            "its name has all 3 of your words",
            "name has session, cookie, expire",
        );
    }

    #[test]
    fn a_word_of_a_name_is_told_as_the_name_has_it() {
        let words = |words: &[&str], name: &str| {
            let words: Vec<WordMatch> = words.iter().map(|one| word(one, Some("name"))).collect();
            in_name(&words, name).into_iter().map(|word| word.word).collect::<Vec<String>>()
        };
        assert_eq!(words(&["Paginator"], "pagination"), ["pagination"]);
        assert_eq!(
            words(&["sessions", "expire"], "SessionExpired"),
            ["sessions", "expire"],
            "one begins with the other"
        );
    }

    #[test]
    fn words_of_a_long_report_are_not_counted() {
        let mut words: Vec<WordMatch> = (0..60).map(|number| word(&format!("w{number}"), None)).collect();
        for found in &mut words[..5] {
            found.found_in = Some("body");
        }
        words[9].found_in = Some("commits");
        let (sentence, short) = reason(&Evidence { words: &words, ..none() });
        assert_eq!(
            sentence,
            "its body has \"w0\", \"w1\", \"w2\" and 2 more of your words, commits of its file mention \"w9\""
        );
        assert_eq!(short, "body has w0, w1, w2, commits mention w9");
    }

    #[test]
    fn the_two_parts_that_count_most_are_named() {
        let words = [
            word("get", Some("name")),
            word("path", Some("signature")),
            word("cookie", Some("comment")),
            word("domain", Some("comment")),
        ];
        let component = |name, contribution| Component { name, value: 1.0, contribution };
        let components = [component("name", 0.1), component("doc", 0.4), component("signature", -0.1)];
        let with = || Evidence { words: &words, components: &components, ..none() };
        check(
            &with(),
            "\"get\" is in its name, \"cookie\" and \"domain\" in its comment",
            "name has get, comment cookie, domain",
        );
        check(
            &Evidence { relation: Some(related(EdgeType::Calls, true)), ..with() },
            "\"get\" is in its name, \"cookie\" and \"domain\" in its comment, and it calls `load` (#6)",
            "name has get; caller of #6",
        );
    }

    #[test]
    fn what_names_a_symbol_is_enough() {
        let words = [word("session", Some("name"))];
        let place = |number, is_innermost| Some(FramePlace { number, is_innermost });
        let with = Evidence { words: &words, ..none() };
        check(
            &Evidence { frame: place(2, true), ..with },
            "frame 2 of your trace, innermost in this repository",
            "frame 2, innermost here",
        );
        check(&Evidence { frame: place(7, false), ..none() }, "frame 7 of your trace", "frame 7");
        let location = Some("cart.go:12".to_owned());
        check(&Evidence { location, words: &words, ..none() }, "you named cart.go:12", "at cart.go:12");
        check(&Evidence { named: Some(Named::Written(1)), ..none() }, "you named it", "named in the task");
        check(
            &Evidence { named: Some(Named::Written(3)), relation: Some(related(EdgeType::Contains, false)), ..none() },
            "you named it, one of 3 of that name, and it is in `load` (#6)",
            "named in the task; in #6",
        );
    }

    #[test]
    fn a_name_that_is_in_the_task_is_told_once() {
        let words = [word("delete", Some("name")), word("message", Some("name")), word("soft", Some("body"))];
        let named = || Some(Named::Joined("delete message".to_owned()));
        check(
            &Evidence { words: &words[..2], named: named(), ..none() },
            "\"delete message\" is its name",
            "name is in the task",
        );
        let with_body = reason(&Evidence { words: &words, named: named(), ..none() }).0;
        assert_eq!(with_body, "\"delete message\" is its name, and \"soft\" is in its body");
    }

    #[test]
    fn changes_are_told_from_what_is_beside_them() {
        check(&Evidence { change: Some(1.0), is_compared: true, ..none() }, "changed in this diff", "changed");
        check(&Evidence { change: Some(1.0), ..none() }, "in a file that you gave", "in a given file");
        let relation = Some(Related { is_changed: true, rank: Some(1), ..related(EdgeType::Calls, false) });
        check(&Evidence { relation, ..none() }, "it is called by `load` (#1), which changed", "called by #1");
    }

    #[test]
    fn neighbors_are_told_by_their_edge() {
        for (edge, forward, sentence, short) in [
            (EdgeType::TypeHintOf, true, "it uses the type `load` (#6)", "uses the type #6"),
            (EdgeType::TypeHintOf, false, "`load` (#6) uses it as a type", "type used by #6"),
            (EdgeType::Overrides, false, "`load` (#6) overrides it", "overridden by #6"),
            (EdgeType::Tests, true, "it tests `load` (#6)", "tests #6"),
            (EdgeType::Contains, true, "`load` (#6) is in it", "has #6"),
        ] {
            check(&Evidence { relation: Some(related(edge, forward)), ..none() }, sentence, short);
        }
        let guess = Some(Related { is_guess: true, ..related(EdgeType::Calls, false) });
        check(&Evidence { relation: guess, ..none() }, "`load` (#6) probably calls it", "called by #6");
        check(&none(), "nothing in the task leads to it", "no match");
    }
}
