//! Structural questions, answered exactly from the graph. No word and no weight is involved.
//!
//! A question is about one repository or several: their graphs are joined, and an edge is within one or between two. Each
//! question has a rule that says which edges its search follows.

mod details;
mod dispatch;
mod implicit;
mod joined;
mod literal;
mod mentions;
mod rows;
mod searched;
mod subject;
mod test_scope;
pub(super) mod texts;
mod unused;

pub use details::why_lines;
pub(super) use details::{choices, part, relations};
pub use joined::{EdgeBetween, JoinedGraph};
pub(super) use literal::{METHODS, shown};
pub use unused::{Sureness, Unused, unused_counts};

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::unread_code;
use super::uses::{Use, lines_of_uses, unresolved_calls};
use super::{EngineError, Ranker, Removed, source};
use crate::candidates::Graph;
use crate::candidates::graph::NodeMeta;
use crate::graph::adjacency::{Neighbor, Neighborhoods};
use crate::graph::reach::{Follow, Reached, reach, trace};
use crate::lang::language_of;
use crate::lang::parser::syntax_errors;
use crate::model::{Answer, EdgeType, NodeId, Provenance, Question, Repositories, Symbol, SymbolKind};
use crate::render::scoped_name;
use crate::store::Reader;
use crate::text::listed;
use joined::{Joined, Numbers};
use mentions::Extent;
use rows::{Reading, Search};
use subject::{Asked, Roots};

/// Default limit of the rows of an answer; its counts have no limit.
pub const MAX_ANSWER_ROWS: usize = 100;

/// The notes on a function and on anything else that nothing calls.
const HELD: &str = "nothing calls it by name; what is listed refers to it, and whoever gets it may run it";
const USED: &str = "nothing calls it; what is listed uses it otherwise";

/// Limit of the users without a call that a note names.
const MAX_NAMED: usize = 3;

/// The kinds that a question about implementations is about, if several symbols have the name.
const IMPLEMENTED: [fn(SymbolKind) -> bool; 2] = [|kind| kind == SymbolKind::Interface, SymbolKind::is_type];

/// Limits of the symbols of one name between which paths are searched for, and of those from which one path is.
const MAX_ENDS: usize = 3;
const MAX_STARTS: usize = 500;

/// Limit of the ranges of lines that a note lists.
const MAX_RANGES: usize = 3;

/// The confidence of a use that is known by the name of what was removed.
const BY_NAME: f32 = 0.5;

/// One repository of those that a question is about.
#[derive(Clone, Copy)]
struct Member<'a> {
    reader: &'a Reader,
    graph: &'a Graph,
    root: &'a Path,
}

/// The loaded indexes of one repository or several, which answer questions together.
pub struct Questions<'a> {
    /// By position; `None` for a repository without a loaded index.
    members: Vec<Option<Member<'a>>>,
    numbers: Numbers,
    /// The graph of a single repository, or the joined graph of several. All nodes of a search are nodes of this graph.
    joined: Joined<'a>,
    /// Constructors: a call of a type runs them.
    constructors: Arc<HashSet<NodeId>>,
    /// Empty for a single repository.
    repositories: Repositories,
}

impl Ranker {
    /// Returns the loaded index as questions about this repository need it.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn questions(&self) -> Result<Questions<'_>, EngineError> {
        Questions::new(&[Some(self)], None, Repositories::default())
    }
}

impl<'a> Questions<'a> {
    /// Returns questions to repositories, by their positions. `joined` has the graph of several.
    ///
    /// # Errors
    /// When a store can't be read.
    pub fn new(
        rankers: &[Option<&'a Ranker>],
        joined: Option<Arc<JoinedGraph>>,
        repositories: Repositories,
    ) -> Result<Questions<'a>, EngineError> {
        let member = |ranker: &Option<&'a Ranker>| {
            ranker.map(|Ranker { reader, graph, root, .. }| Member { reader, graph, root })
        };
        let members = rankers.iter().map(member).collect();
        let (joined, constructors) = match rankers {
            [Some(only)] => (Joined::One(&only.graph), only.constructors()?),
            _ => {
                let joined = joined.unwrap_or_default();
                let constructors = Arc::clone(&joined.constructors);
                (Joined::Several(joined), constructors)
            }
        };
        Ok(Questions { members, numbers: Numbers::new(rankers), joined, constructors, repositories })
    }

    /// Returns the error of a read of the graphs since the last call.
    fn check(&self) -> Result<(), EngineError> {
        Ok(self.loaded().try_for_each(|(_, member)| member.graph.check())?)
    }

    /// Returns the members with a loaded index, and their positions.
    fn loaded(&self) -> impl Iterator<Item = (usize, Member<'a>)> + '_ {
        self.members.iter().enumerate().filter_map(|(position, member)| Some((position, (*member)?)))
    }

    /// Returns the number of a member's node in the joined graph.
    fn number(&self, position: usize, node: NodeId) -> NodeId {
        self.numbers.number(position, node)
    }

    /// Returns the position of the repository of a node of the joined graph.
    fn position_of(&self, node: NodeId) -> Option<usize> {
        Some(self.numbers.local(node)?.0)
    }

    /// Returns the repository of a node of the joined graph, and the node there.
    fn local(&self, node: NodeId) -> Option<(Member<'a>, NodeId)> {
        let (position, node) = self.numbers.local(node)?;
        Some(((*self.members.get(position)?)?, node))
    }

    /// Returns the repository of a symbol and its position.
    fn member_of(&self, symbol: &Symbol) -> Option<(usize, Member<'a>)> {
        let is_single = self.members.len() == 1;
        self.loaded().find(|(_, member)| is_single || member.reader.repository() == symbol.repository())
    }

    /// Returns the node of a symbol in the joined graph.
    fn node_of(&self, symbol: &Symbol) -> NodeId {
        self.number(self.member_of(symbol).map_or(0, |(position, _)| position), symbol.node)
    }

    fn symbol(&self, node: NodeId) -> Result<Option<Symbol>, EngineError> {
        let Some((member, node)) = self.local(node) else { return Ok(None) };
        Ok(member.reader.symbol(node)?)
    }

    fn meta(&self, node: NodeId) -> Option<NodeMeta> {
        let (member, node) = self.local(node)?;
        member.graph.meta(node)
    }

    fn is_test(&self, node: NodeId) -> bool {
        self.meta(node).is_some_and(|meta| meta.is_test)
    }

    fn id_prefix(&self, node: NodeId) -> u64 {
        self.local(node).map_or(u64::MAX, |(member, node)| member.graph.id_prefix(node))
    }

    /// Searches from roots along the edges that a rule follows. What a certain way reaches, however long, is reached by its
    /// shortest certain way; that comes first.
    fn search(&self, roots: &[NodeId], depth: u32, rule: impl Fn(&Reached, &Neighbor) -> Follow) -> Vec<Reached> {
        let tie_break = |node| self.id_prefix(node);
        let all = reach(&self.joined, roots, depth, &rule, tie_break);
        if all.iter().all(|reached| !reached.is_uncertain) {
            return all;
        }
        let certain = |at: &Reached, edge: &Neighbor| match rule(at, edge) {
            Follow::Same { is_certain: false, .. } => Follow::No,
            _ if edge.provenance == Provenance::AstInferred => Follow::No,
            follow => follow,
        };
        let mut reached = reach(&self.joined, roots, depth, certain, tie_break);
        let certain = reached.len();
        let moved = |one: Reached| Reached { parent: one.parent.map(|(index, edge)| (index + certain, edge)), ..one };
        reached.extend(all.into_iter().map(moved));
        reached
    }

    /// Answers a question with at most `limit` rows. Of several repositories, a name may begin with the label of one:
    /// `api://Session.open`, `api/src/a.rs:12`.
    ///
    /// # Errors
    /// When a name refers to no symbol or to several, a revision is unknown, or the store can't be read.
    pub fn ask(&self, question: &Question, limit: usize) -> Result<Answer, EngineError> {
        self.with_caveats(self.without_caveats(question, limit)?, Extent::Needed)
    }

    /// Answers a question as [`Questions::ask`], with every line that names its subject without being a known use of it.
    ///
    /// # Errors
    /// As for [`Questions::ask`].
    pub fn ask_for_lines(&self, question: &Question) -> Result<Answer, EngineError> {
        self.with_caveats(self.without_caveats(question, 1)?, Extent::All)
    }

    fn without_caveats(&self, question: &Question, limit: usize) -> Result<Answer, EngineError> {
        match question {
            Question::Callers { of, depth } => self.callers(question, self.asked(of)?, *depth, limit),
            Question::Callees { of, depth } => {
                let mut asked = self.asked(of)?;
                if asked.symbol.kind == SymbolKind::File {
                    asked.nodes = self.with_members(asked.nodes);
                }
                self.callees(question, asked, *depth, limit)
            }
            Question::Impact { of, depth } => self.impact(question, self.roots(of)?, *depth, limit),
            Question::Tests { of } => self.tests(question, self.roots(of)?, limit),
            Question::Path { from, to } => self.path_between(question, from, to),
            Question::Implementations { of } => self.implementations(question, self.asked_as(of, &IMPLEMENTED)?, limit),
            Question::Lines { with } => self.lines(with, limit, &|| false),
            // A name that one symbol has leaves no choice; one of several is an error that lists them.
            Question::Choices { name } => {
                self.asked(name).map(|_| Answer::new(question.clone(), self.repositories.clone(), Vec::new()))
            }
        }
    }

    /// Returns what calls a symbol or may run it, as [`Questions::ask`] does for its name. A list of all its users has those
    /// that do not call it, so no note counts them.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn callers_of(&self, symbol: &Symbol, limit: usize) -> Result<Answer, EngineError> {
        let question = Question::Callers { of: symbol.short_name().to_owned(), depth: 1 };
        let asked = Asked { symbol: symbol.clone(), nodes: self.overloads(symbol)?, note: None };
        let mut answer = self.callers(&question, asked, 1, limit)?;
        answer.notes.retain(|note| note == HELD);
        self.with_caveats(answer, Extent::Needed)
    }

    /// Returns a note on each removed definition with the lines that still name it.
    ///
    /// # Errors
    /// When the store can't be read.
    pub fn notes_on_removed(&self, removed: &[Removed]) -> Result<Vec<String>, EngineError> {
        let notes = self.loaded().map(|(_, member)| Ok(mentions::still_named(member, removed)?.notes));
        Ok(notes.collect::<Result<Vec<_>, EngineError>>()?.concat())
    }

    /// Adds what is not known about other users of the subjects, if the question is about users.
    fn with_caveats(&self, mut answer: Answer, extent: Extent) -> Result<Answer, EngineError> {
        self.add_mentions(&mut answer, extent)?;
        self.add_file_commands(&mut answer)?;
        // What code outside does is not known, and lines that name what changed are not looked for.
        let is_diff = answer.question.is_of_diff();
        let is_open = |subject: &Symbol| is_diff || subject.kind == SymbolKind::External;
        answer.may_have_users |= answer.subjects.iter().any(is_open);
        if matches!(answer.question, Question::Callees { .. } | Question::Path { .. }) {
            self.add_unparsed(&mut answer)?;
        }
        if matches!(answer.question, Question::Callees { .. }) {
            self.add_unresolved_calls(&mut answer)?;
        }
        self.check()?;
        if answer.rows.is_empty() && answer.question.used().is_some() {
            // Users may be in code that no grammar reads.
            for (_, member) in self.loaded() {
                answer.notes.extend(unread_code(member.reader)?);
            }
        }
        Ok(answer)
    }

    /// Adds the number of calls in the subject of which it is not known what they call.
    fn add_unresolved_calls(&self, answer: &mut Answer) -> Result<(), EngineError> {
        let Some(subject) = answer.subjects.first() else { return Ok(()) };
        let Some((_, member)) = self.member_of(subject) else { return Ok(()) };
        let note = match unresolved_calls(member.reader, subject)? {
            0 => return Ok(()),
            1 => "1 call in it is not resolved".to_owned(),
            count => format!("{count} calls in it are not resolved"),
        };
        answer.notes.push(note);
        answer.may_have_users = true;
        Ok(())
    }

    /// Adds a note on syntax errors where the first subject is, as what it uses there is not known. An error can end a definition
    /// too early, so the lines up to the next one count, too.
    fn add_unparsed(&self, answer: &mut Answer) -> Result<(), EngineError> {
        let Some(subject) = answer.subjects.first() else { return Ok(()) };
        let Some((_, member)) = self.member_of(subject) else { return Ok(()) };
        let (Some(language), Ok(content)) = (language_of(&subject.file), source::read(member.root, &subject.file))
        else {
            return Ok(());
        };
        let errors = syntax_errors(language, &subject.file, &content.text);
        if errors.is_empty() {
            return Ok(());
        }
        let symbols = member.reader.symbols_of_file(&subject.file)?;
        let starts = symbols.iter().map(|symbol| symbol.span.start_line).filter(|line| *line > subject.span.end_line);
        let (first, end) = match subject.kind {
            SymbolKind::File => (0, u32::MAX),
            _ => (subject.span.start_line, starts.min().unwrap_or(u32::MAX)),
        };
        let ranges: Vec<String> = (errors.iter())
            .filter(|error| error.0 < end && first <= error.1)
            .map(|(first, last)| if first == last { first.to_string() } else { format!("{first}-{last}") })
            .collect();
        if !ranges.is_empty() {
            let (file, ranges) = (self.repositories.shown(subject), listed(&ranges, MAX_RANGES));
            answer.notes.push(format!("{file} has syntax errors at lines {ranges}: what is used there is not known"));
            answer.may_have_users = true;
        }
        Ok(())
    }

    /// Returns what calls a symbol. A call of a method that it overrides may run it, a call of a type runs its
    /// constructor, and a request to a route its handler.
    fn callers(&self, question: &Question, asked: Asked, depth: u32, limit: usize) -> Result<Answer, EngineError> {
        let Asked { symbol, nodes, note } = asked;
        let is_field = symbol.kind == SymbolKind::Field;
        let reached = self.search(&nodes, depth, |at, edge| match (edge.edge_type, edge.is_outgoing()) {
            // Nothing calls a field: what reads and writes it is meant.
            (EdgeType::AccessesField, false) if is_field && at.distance == 0 => Follow::Step,
            _ => self.toward_callers(at, edge),
        });
        let is_result = |reached: &Reached| !reached.is_transit && reached.parent.is_some();
        let (reached, others) = match reached.iter().any(is_result) {
            true => (reached, self.other_users(&symbol)?),
            false => {
                let (others, note) = match symbol.kind.is_callable() {
                    true => (self.holders(&nodes), HELD),
                    false => (self.search(&nodes, 1, |_, edge| toward_direct_users(edge)), USED),
                };
                let note = others.iter().any(is_result).then(|| note.to_owned());
                (others, note.map_or_else(|| self.other_users(&symbol), |note| Ok(Some(note)))?)
            }
        };
        let may_have_users = others.is_some();
        let notes = note.into_iter().chain(others).collect();
        let search = Search { question, subjects: vec![symbol], reached, reading: Reading::ToSubject, notes };
        let answer = self.answer(search, limit, HashSet::new(), |_| true)?;
        Ok(Answer { may_have_users, ..answer })
    }

    /// Returns what refers to functions without calling them: whoever it hands them to may run them.
    fn holders(&self, nodes: &[NodeId]) -> Vec<Reached> {
        let mut reached = self.search(nodes, 1, |_, edge| match (edge.edge_type, edge.is_outgoing()) {
            (EdgeType::References, false) => Follow::Last,
            (EdgeType::Declares, _) => THROUGH,
            _ => Follow::No,
        });
        reached.iter_mut().for_each(|reached| reached.is_uncertain = true);
        reached
    }

    /// Returns what a symbol calls. A call of a method may run each that overrides it.
    fn callees(&self, question: &Question, asked: Asked, depth: u32, limit: usize) -> Result<Answer, EngineError> {
        let Asked { symbol, nodes, note } = asked;
        let reached = self.search(&nodes, depth, |at, edge| self.toward_callees(&nodes, at, edge));
        let (subjects, notes) = (vec![symbol], Vec::from_iter(note));
        let search = Search { question, subjects, reached, reading: Reading::FromSubject, notes };
        self.answer(search, limit, HashSet::new(), |_| true)
    }

    /// Returns a note on the symbols that use a symbol without calling it, with the first of them; `None` if there are none.
    fn other_users(&self, symbol: &Symbol) -> Result<Option<String>, EngineError> {
        let edges = || self.joined.incoming(self.node_of(symbol)).iter();
        let listed = |edge_type: EdgeType| {
            edge_type.is_call()
                || match symbol.kind {
                    SymbolKind::Field => edge_type == EdgeType::AccessesField,
                    SymbolKind::File => edge_type == EdgeType::References,
                    SymbolKind::Style => matches!(edge_type, EdgeType::References | EdgeType::SetsEnv),
                    SymbolKind::EnvVar => matches!(edge_type, EdgeType::ReadsEnv | EdgeType::SetsEnv),
                    _ => false,
                }
        };
        let listed: HashSet<NodeId> = edges().filter(|edge| listed(edge.edge_type)).map(|edge| edge.node).collect();
        let others = edges().filter(|edge| edge.edge_type.is_use() && !listed.contains(&edge.node));
        let others: BTreeMap<NodeId, EdgeType> = others.map(|edge| (edge.node, edge.edge_type)).collect();
        let path = |node| self.local(node).and_then(|(member, own)| member.graph.path(own)).unwrap_or_default();
        let mut nodes: Vec<NodeId> = others.keys().copied().collect();
        nodes.sort_by_key(|node| (self.is_test(*node), path(*node), self.id_prefix(*node)));
        let mut users = Vec::new();
        for node in nodes.iter().take(MAX_NAMED) {
            users.extend(self.symbol(*node)?.map(|user| (user, others[node])));
        }
        let uses = users.iter().map(|(user, edge_type)| Use { user, edge_type: *edge_type, used: symbol });
        let lines = self.of_members(&uses.collect::<Vec<_>>(), lines_of_uses)?;
        let named: Vec<String> = (users.iter().zip(lines))
            .map(|((user, _), lines)| {
                let line = lines.first().copied().unwrap_or(user.span.name_line);
                format!("`{}` ({}:{line})", scoped_name(user), self.repositories.shown(user))
            })
            .collect();
        let (named, more) = (named.join(", "), nodes.len().saturating_sub(MAX_NAMED));
        let more = if more > 0 { format!(" and {more} more, which `impact` lists") } else { String::new() };
        let count = nodes.len();
        let users = if count == 1 { "1 symbol uses".to_owned() } else { format!("{count} symbols use") };
        Ok((count > 0).then(|| format!("{users} it without a call: {named}{more}")))
    }

    /// Returns what implements, extends or overrides a symbol, directly or through others.
    fn implementations(&self, question: &Question, asked: Asked, limit: usize) -> Result<Answer, EngineError> {
        use EdgeType::{Extends, Implements, ImplementsRpc, Overrides};
        let Asked { symbol, nodes, note } = asked;
        let reached = self.search(&nodes, Question::UNLIMITED, |_, edge| match (edge.edge_type, edge.is_outgoing()) {
            (Extends | Implements | ImplementsRpc | Overrides, false) => Follow::Step,
            _ => Follow::No,
        });
        let (subjects, notes) = (vec![symbol], Vec::from_iter(note));
        let search = Search { question, subjects, reached, reading: Reading::ToSubject, notes };
        self.answer(search, limit, HashSet::new(), |_| true)
    }

    /// Returns what a change of the roots affects, through every kind of use.
    fn impact(&self, question: &Question, roots: Roots, depth: u32, limit: usize) -> Result<Answer, EngineError> {
        let reached = self.affected(&roots, depth);
        let Roots { subjects, notes, by_name, .. } = roots;
        let search = Search { question, subjects, reached, reading: Reading::ToSubject, notes };
        let mut answer = self.answer(search, limit, by_name.keys().copied().collect(), |_| true)?;
        self.add_lines_by_name(&mut answer, &by_name);
        Ok(answer)
    }

    /// Returns what a change of the roots affects, the roots first. What still names a removed definition is one use away from it,
    /// without certainty.
    fn affected(&self, roots: &Roots, depth: u32) -> Vec<Reached> {
        let mut reached = self.search(&roots.nodes, depth, |at, edge| self.toward_users(at, edge));
        let by_name: Vec<NodeId> = roots.by_name.keys().copied().collect();
        if let Some(depth) = depth.checked_sub(1).filter(|_| !by_name.is_empty()) {
            let before = reached.len();
            let further = self.search(&by_name, depth, |at, edge| self.toward_users(at, edge));
            reached.extend(further.into_iter().map(|one| Reached {
                distance: one.distance + 1,
                parent: one.parent.map(|(index, edge)| (index + before, edge)),
                confidence: one.confidence.min(BY_NAME),
                is_uncertain: true,
                ..one
            }));
        }
        reached
    }

    /// Sets the lines of the rows that still name what was removed.
    fn add_lines_by_name(&self, answer: &mut Answer, by_name: &BTreeMap<NodeId, BTreeSet<u32>>) {
        for row in answer.rows.iter_mut().filter(|row| row.path.is_empty() && row.distance > 0) {
            let node = self.node_of(&row.symbol);
            row.lines = by_name.get(&node).map_or_else(Vec::new, |lines| lines.iter().copied().collect());
        }
    }

    /// Returns the shortest path between the symbols of two names. Of a name that a few symbols have, the path shows which is meant.
    fn path_between(&self, question: &Question, from: &str, to: &str) -> Result<Answer, EngineError> {
        let ((starts, many), ends) = (self.any_of(from)?, self.one_of_few(to)?);
        // A chain of calls is better than a shorter way of other uses.
        let steps = |answer: &Answer| {
            let path = answer.rows.last().map(|row| &row.path);
            path.map_or((true, usize::MAX), |path| (path.iter().any(|step| !step.edge_type.is_call()), path.len()))
        };
        let mut shortest: Option<Answer> = None;
        for (start, end) in starts.iter().flat_map(|start| ends.iter().map(move |end| (start, end))) {
            let found = self.path(question, start.clone(), end.clone())?;
            if shortest.as_ref().is_none_or(|known| steps(&found) < steps(known)) {
                shortest = Some(found);
            }
        }
        let is_meant = |answer: &Answer| !many.is_empty() || starts.len() + ends.len() == 2 || !answer.rows.is_empty();
        let Some(mut answer) = shortest.filter(is_meant) else {
            return self.path(question, self.asked(from)?, self.asked(to)?);
        };
        let (from, count) = (from.trim(), many.len());
        match answer.rows.last().and_then(|row| row.path.first()) {
            _ if many.is_empty() => {}
            Some(first) => {
                let start = many.into_iter().find(|symbol| symbol.id == first.from.id);
                answer.subjects.iter_mut().zip(start).for_each(|(subject, start)| *subject = start);
                answer.notes.insert(0, format!("{count} symbols are called `{from}`: the way is from the nearest"));
            }
            // None of them was asked about more than the others.
            None => {
                answer.subjects.clear();
                answer.notes.push(format!("none of the {count} symbols called `{from}` is known to lead to it"));
            }
        }
        Ok(answer)
    }

    /// Returns the symbols of a name if there are a few, or else all of them as one, such as every `main`, and which these are.
    fn any_of(&self, name: &str) -> Result<(Vec<Asked>, Vec<Symbol>), EngineError> {
        match self.one_of_few(name) {
            Err(EngineError::Name(error)) if (MAX_ENDS + 1..=MAX_STARTS).contains(&error.choices.len()) => {
                let symbols: Vec<Symbol> = error.choices.into_iter().map(|(_, symbol)| symbol).collect();
                let nodes = symbols.iter().map(|symbol| self.node_of(symbol)).collect();
                let first = symbols.first().cloned().map(|symbol| Asked { symbol, nodes, note: None });
                Ok((first.into_iter().collect(), symbols))
            }
            found => Ok((found?, Vec::new())),
        }
    }

    /// Returns the symbols of a name if there are a few.
    fn one_of_few(&self, name: &str) -> Result<Vec<Asked>, EngineError> {
        match self.asked(name) {
            Err(EngineError::Name(error)) if (2..=MAX_ENDS).contains(&error.choices.len()) => {
                let choices = error.choices.into_iter();
                choices.map(|(_, symbol)| Ok(Asked { nodes: self.overloads(&symbol)?, symbol, note: None })).collect()
            }
            asked => Ok(vec![asked?]),
        }
    }

    /// Returns the shortest path of calls from one symbol, or a member of it, to another or a member of that. If there
    /// is none, of any uses, which a note says. Without a path the answer has no rows.
    fn path(&self, question: &Question, from: Asked, to: Asked) -> Result<Answer, EngineError> {
        let mut roots = self.with_members(from.nodes);
        let mut goals: HashSet<NodeId> = self.with_members(to.nodes).into_iter().collect();
        let (from, to) = (from.symbol, to.symbol);
        // A type and its own member: what is in both is one end of the path only.
        if goals.len() < roots.len() && goals.iter().all(|goal| roots.contains(goal)) {
            roots.retain(|root| !goals.contains(root));
        } else {
            goals.retain(|goal| !roots.contains(goal));
        }
        let found = [EdgeType::is_call as fn(_) -> bool, EdgeType::is_use].into_iter().find_map(|is_followed| {
            let reached = self.search(&roots, Question::UNLIMITED, |at, edge| self.toward_used(at, edge, is_followed));
            let is_goal = |index: &usize| reached[*index].distance > 0 && goals.contains(&reached[*index].node);
            // A certain way is better than an uncertain one unless it is longer.
            let mut found = (0..reached.len()).filter(is_goal);
            let first = found.next()?;
            let uncertain = found.find(|index| reached[*index].is_uncertain).filter(|_| !reached[first].is_uncertain);
            let is_shorter = |other: &usize| trace(&reached, *other).len() < trace(&reached, first).len();
            Some((uncertain.filter(is_shorter).unwrap_or(first), reached))
        });
        let (subjects, reading) = (vec![from, to], Reading::FromSubject);
        let Some((goal, mut reached)) = found else {
            let search = Search { question, subjects, reached: Vec::new(), reading, notes: Vec::new() };
            return self.answer(search, 0, HashSet::new(), |_| false);
        };
        // The goal is a row even if it was only passed through, such as a constructor.
        reached[goal].is_transit = false;
        let on_path: Vec<Reached> = trace(&reached, goal).into_iter().map(|index| reached[index]).collect();
        let search = Search { question, subjects, reached, reading, notes: Vec::new() };
        let mut answer = self.answer(search, usize::MAX, HashSet::new(), |result| on_path.contains(result))?;
        if answer.rows.iter().flat_map(|row| &row.path).any(|step| step.edge_type.is_use() && !step.edge_type.is_call())
        {
            answer
                .notes
                .push("no chain of calls leads there; some steps are other uses, which may not run it".to_owned());
        }
        // Rows of one distance are ordered by file; a path has its own order.
        answer.rows.sort_by_key(|row| row.path.len());
        Ok(answer)
    }
}

// The edges that each question follows.

/// Passed through on the way, certainly.
const THROUGH: Follow = Follow::Same { is_result: false, is_certain: true };
/// Passed through on the way: a call of a method may run one that overrides it.
const MAY: Follow = Follow::Same { is_result: false, is_certain: false };

/// Returns how what uses a symbol directly is searched, whatever the use is.
fn toward_direct_users(edge: &Neighbor) -> Follow {
    match (edge.edge_type, edge.is_outgoing()) {
        (EdgeType::Declares, _) => THROUGH,
        (edge_type, false) if edge_type.is_use() => Follow::Last,
        _ => Follow::No,
    }
}

impl Questions<'_> {
    /// Returns how callers are searched: against the calls, through the methods that a method overrides, the types of
    /// constructors and the routes of handlers. Those of a file run, load or name it; those of a variable of the environment
    /// read or set it.
    fn toward_callers(&self, at: &Reached, edge: &Neighbor) -> Follow {
        let is_file =
            || self.meta(at.node).is_some_and(|meta| matches!(meta.kind, SymbolKind::File | SymbolKind::Style));
        match (edge.edge_type, edge.is_outgoing()) {
            (edge_type, false) if edge_type.is_call() => self.step_of_call(at, edge),
            (EdgeType::ReadsEnv | EdgeType::SetsEnv, false) => Follow::Last,
            (EdgeType::Imports | EdgeType::References, false) if at.distance == 0 && is_file() => Follow::Last,
            (EdgeType::HandlesRoute | EdgeType::Declares, false) => THROUGH,
            (EdgeType::Declares, true) => THROUGH,
            _ => self.toward_dispatch(at, edge),
        }
    }

    /// Returns how callees are searched: along the calls, also to the methods that override a called one.
    fn toward_callees(&self, roots: &[NodeId], at: &Reached, edge: &Neighbor) -> Follow {
        match (edge.edge_type, edge.is_outgoing()) {
            (edge_type, true) if edge_type.is_call() => Follow::Step,
            (EdgeType::HandlesRoute, true) => Follow::Same { is_result: true, is_certain: true },
            (EdgeType::Overrides, false) if at.distance == 1 && !self.can_run(roots, at, edge) => Follow::No,
            (EdgeType::References, true) if at.distance > 0 && self.is_entry(at.node, edge.node) => {
                Follow::Same { is_result: true, is_certain: false }
            }
            // The overriding methods of the subject itself are not callees of it.
            (EdgeType::Overrides, false) => Follow::Same { is_result: at.distance > 0, is_certain: false },
            (EdgeType::Declares, true) => Follow::Same { is_result: at.distance > 0, is_certain: true },
            _ => self.along_construction(edge),
        }
    }

    /// Returns how users are searched: against every use. A change of a method affects those that override it and the
    /// types that inherit it, and does not spread from them, as their callers are found by themselves.
    fn toward_users(&self, at: &Reached, edge: &Neighbor) -> Follow {
        let is_file = || self.meta(edge.node).is_some_and(|meta| meta.kind == SymbolKind::File);
        match (edge.edge_type, edge.is_outgoing()) {
            // The use of a base method or of a type as such does not depend on what overrides or is constructed.
            (edge_type, false) if at.is_transit && !edge_type.is_call() && edge_type != EdgeType::References => {
                self.toward_dispatch(at, edge)
            }
            // Code of a module runs when it is loaded, and nothing calls it.
            (edge_type, false) if edge_type.is_call() && at.is_transit => self.step_of_call(at, edge),
            (edge_type, false) if edge_type.is_use() => {
                if is_file() || self.is_named_by_owner(at.node, edge) {
                    Follow::Last
                } else {
                    Follow::Step
                }
            }
            // A function runs, or registers, the functions in it.
            (EdgeType::MemberOf, true) if !at.is_transit && self.enclosing_function(at.node) == Some(edge.node) => {
                Follow::Same { is_result: true, is_certain: true }
            }
            (EdgeType::Declares, _) => THROUGH,
            (EdgeType::Overrides, false) if at.distance == 0 => Follow::Last,
            (EdgeType::Inherits, false) if !self.constructors.contains(&at.node) => Follow::Last,
            _ => self.toward_dispatch(at, edge),
        }
    }

    /// Returns how a path is searched: along every use that `is_followed`, and along calls to overriding methods.
    fn toward_used(&self, at: &Reached, edge: &Neighbor, is_followed: fn(EdgeType) -> bool) -> Follow {
        match (edge.edge_type, edge.is_outgoing()) {
            (edge_type, true) if is_followed(edge_type) => Follow::Step,
            (EdgeType::References, true) if self.is_entry(at.node, edge.node) => {
                Follow::Same { is_result: true, is_certain: false }
            }
            (EdgeType::Overrides, false) => Follow::Same { is_result: true, is_certain: false },
            (EdgeType::Declares, true) => Follow::Same { is_result: true, is_certain: true },
            _ => self.along_construction(edge),
        }
    }

    /// Returns how the caller of `at` is reached: not through a method that the caller calls on other types only than those
    /// at or below which the method that overrides it is.
    fn step_of_call(&self, at: &Reached, edge: &Neighbor) -> Follow {
        let runs = |origin| self.may_dispatch(edge.node, at.node, origin);
        if !at.is_transit || at.origin.is_none_or(runs) { Follow::Step } else { Follow::No }
    }

    /// Returns whether a call by one of the roots may run the method that overrides the one `at` which the search is.
    fn can_run(&self, roots: &[NodeId], at: &Reached, edge: &Neighbor) -> bool {
        let called = at.origin.unwrap_or(at.node);
        let is_caller = |root: &&NodeId| {
            self.joined.outgoing(**root).iter().any(|edge| edge.edge_type.is_call() && edge.node == called)
        };
        let mut callers = roots.iter().filter(is_caller).peekable();
        callers.peek().is_none() || callers.any(|root| self.may_dispatch(*root, called, edge.node))
    }

    /// Returns whether a variable's initializer names a function, or a variable that has one.
    fn is_entry(&self, variable: NodeId, function: NodeId) -> bool {
        let kind = |node| self.meta(node).map(|meta| meta.kind);
        let is_variable = |node| matches!(kind(node), Some(SymbolKind::Const | SymbolKind::Var | SymbolKind::Field));
        is_variable(variable) && (kind(function).is_some_and(SymbolKind::is_callable) || is_variable(function))
    }

    /// Returns whether an edge comes from the body of the member's own type, and that body runs once: a class that names its own
    /// method there (`save.alters_data = True`) is no user of it.
    fn is_named_by_owner(&self, member: NodeId, edge: &Neighbor) -> bool {
        let runs_once = || {
            let path = self.local(edge.node).and_then(|(own, node)| own.graph.path(node));
            path.and_then(language_of).is_some_and(|language| language.traits().bodies_run_once)
        };
        let is_type = || self.meta(edge.node).is_some_and(|meta| meta.kind.is_type());
        let is_owner = || self.owner(member) == Some(edge.node);
        edge.edge_type == EdgeType::References && is_type() && is_owner() && runs_once()
    }

    /// Returns the function or method in which a definition is.
    fn enclosing_function(&self, node: NodeId) -> Option<NodeId> {
        let owners = self.joined.outgoing(node).iter().filter(|edge| edge.edge_type == EdgeType::MemberOf);
        let mut owners = owners.map(|edge| edge.node);
        owners.find(|owner| self.meta(*owner).is_some_and(|meta| meta.kind.is_callable()))
    }

    /// Follows an edge to another symbol whose call runs `at`.
    fn toward_dispatch(&self, at: &Reached, edge: &Neighbor) -> Follow {
        let is_constructor = || self.constructors.contains(&at.node);
        match (edge.edge_type, edge.is_outgoing()) {
            (EdgeType::Overrides, true) if !is_constructor() => MAY,
            // A call of a variable may run the functions that its initializer names.
            (EdgeType::References, false) if self.is_entry(edge.node, at.node) => MAY,
            (EdgeType::MemberOf, true) | (EdgeType::Inherits, false) if is_constructor() => THROUGH,
            _ => Follow::No,
        }
    }

    /// Follows an edge from a type to the constructor that a call of it runs.
    fn along_construction(&self, edge: &Neighbor) -> Follow {
        let is_constructor = self.constructors.contains(&edge.node);
        match (edge.edge_type, edge.is_outgoing()) {
            (EdgeType::Contains | EdgeType::Inherits, true) if is_constructor => THROUGH,
            _ => Follow::No,
        }
    }
}
