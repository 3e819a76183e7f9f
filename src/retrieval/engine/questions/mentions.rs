//! The lines that have the name of a symbol, whatever the graph makes of them: only where there are none is it certain that
//! nothing names it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use regex::Regex;

use super::implicit::is_visible;
use super::literal::{Pattern, files_with, shown};
use super::searched::{Ranges, Searched, SearchedFile};
use super::texts::{is_piece, named_word, pieces, read_if, word_positions};
use super::{Member, Questions};
use crate::candidates::Graph;
use crate::engine::EngineError;
use crate::engine::inspect::names_one;
use crate::engine::removed::Removed;
use crate::engine::source::{self, TokenClass, highlight};
use crate::engine::uses::{IndexedFile, unresolved_lines};
use crate::facts::{Binding, BindingKind, Reference, Role};
use crate::graph::adjacency::Neighborhoods;
use crate::index::{self, UnknownInFile};
use crate::lang::{language_of, places};
use crate::model::{Answer, EdgeType, FileId, Meaning, Mention, NodeId, Question, Symbol, SymbolKind};
use crate::render::scoped_name;
use crate::scan::read::MAX_FILE_BYTES;
use crate::store::Reader;
use crate::text::lines::LineStarts;
use crate::text::split_path;

/// The note on a route, of which no answer about users is whole.
const ROUTED: &str = "routes are called by clients, which the graph does not see unless they are in it";

/// Limit of the files that are parsed to tell comments and texts from code; in the others all is code.
const MAX_PARSED: usize = 200;
/// Limit of the symbols of the same name that an answer names.
const MAX_MEANT: usize = 3;
/// Limit of the files of which it is asked whether they are tests; of a common name there are more than anybody reads.
pub(super) const MAX_ASKED: usize = 1_000;

/// A symbol whose name is searched for in its repository.
pub(super) struct Wanted<'a> {
    pub position: usize,
    pub member: Member<'a>,
    /// The symbol and its overloads.
    pub nodes: &'a [NodeId],
    /// Its name, or that of its type.
    pub name: &'a str,
    /// The word by which it is named; `None` for an operator.
    pub word: Option<&'a str>,
    /// The parts of which code may put it together.
    pub pieces: Vec<&'a str>,
}

/// The lines with the name of a subject that are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// Those that were not resolved and those of skipped files; every line if no symbol of the answer is certain.
    Needed,
    /// Every line.
    All,
}

/// The lines with a name, and the symbols that some of them mean instead of the wanted one.
#[derive(Default)]
pub(super) struct Mentions {
    pub lines: Vec<Mention>,
    pub meant: BTreeSet<String>,
    /// The first place where code puts together names of the form of this one, such as `"on_" + event`.
    pub composed: Option<String>,
    /// That files were not searched.
    pub unsearched: Option<String>,
}

/// A file that has the name.
struct FileWithName {
    /// `None` if it is not indexed.
    file: Option<FileId>,
    path: String,
    hash: [u8; 32],
    text: String,
    /// The bytes at which the name begins.
    positions: Vec<usize>,
}

/// The facts about a name by which its lines are told apart.
struct Known {
    /// The ranges of the definition by file, with those of its declarations and overloads.
    own: HashMap<String, Ranges>,
    own_nodes: HashSet<NodeId>,
    /// The symbols that use the wanted one, as the graph has it.
    users: HashSet<NodeId>,
    unknown: HashMap<FileId, UnknownInFile>,
}

impl Questions<'_> {
    /// Adds the lines that name the subject of a question about users in its repository, to the extent that is asked for. If no
    /// symbol of the answer is certain, adds what may use the subject without naming it.
    pub(super) fn add_mentions(&self, answer: &mut Answer, extent: Extent) -> Result<(), EngineError> {
        let Some(of) = answer.question.used() else { return Ok(()) };
        let is_one = names_one(of);
        let is_empty = answer.total == answer.uncertain && !matches!(answer.question, Question::Implementations { .. });
        for subject in answer.subjects.clone() {
            let Some((_, member)) = self.member_of(&subject) else { continue };
            let (is_file, is_route) = (subject.kind == SymbolKind::File, subject.kind == SymbolKind::RouteHandler);
            if is_one && is_empty && is_file {
                answer.notes.push("no definition was read at this line: the answer is about the file".to_owned());
                answer.may_have_users = true;
            }
            if is_empty && is_route {
                answer.notes.push(ROUTED.to_owned());
                answer.may_have_users = true;
            }
            let extent = if is_empty { Extent::All } else { extent };
            let mut found = match is_route {
                true => Mentions { lines: lines_of_route(&member, &subject, answer)?, ..Mentions::default() },
                false => self.mentions_of(&subject, is_one, extent)?,
            };
            answer.meant.extend(found.meant);
            answer.may_have_users |= found.unsearched.is_some();
            answer.notes.extend(found.unsearched);
            if is_empty && is_file {
                self.add_users_of_file(answer, &subject)?;
            } else if is_empty && has_name_in_code(&subject) {
                self.add_implicit(answer, &subject, found.composed)?;
            }
            likeliest_first(&member, &subject, &answer.question, &mut found.lines)?;
            if let Some(label) = self.repositories.label_of(member.reader.repository()) {
                found.lines.iter_mut().for_each(|line| line.file = format!("{label}/{}", line.file));
            }
            answer.mentions.extend(found.lines);
        }
        Ok(())
    }

    /// Returns the lines that name a subject in its repository, to an extent.
    fn mentions_of(&self, subject: &Symbol, is_one: bool, extent: Extent) -> Result<Mentions, EngineError> {
        let Some((position, member)) = self.member_of(subject) else { return Ok(Mentions::default()) };
        let node = self.node_of(subject);
        // A constructor is used by the name of its type.
        let class = subject.scope.rsplit('.').next().unwrap_or_default();
        let name = if self.constructors.contains(&node) { class } else { &subject.name };
        let is_file = subject.kind == SymbolKind::File;
        let word = if is_file { Some(name) } else { named_word(name) };
        let nodes = if is_one { vec![node] } else { self.overloads(subject)? };
        let pieces = if is_file { Vec::new() } else { pieces(name) };
        let wanted = Wanted { position, member, nodes: &nodes, name, word, pieces };
        // A text is all that code has of a flag or a variable of the environment.
        let is_text = matches!(subject.kind, SymbolKind::EnvVar | SymbolKind::Flag);
        match has_name_in_code(subject) {
            true if extent == Extent::All => self.mentions(&wanted, Searched::all(&member)?),
            false if is_text => self.mentions(&wanted, Searched::all(&member)?),
            is_named => {
                let searched = if is_named { Searched::skipped(&member)? } else { Searched::default() };
                let mut found = self.mentions(&wanted, searched)?;
                found.lines.extend(unresolved_lines(member.reader, member.root, name)?);
                Ok(found)
            }
        }
    }

    /// Adds what may use a file without naming it, which nothing can exclude.
    fn add_users_of_file(&self, answer: &mut Answer, subject: &Symbol) -> Result<(), EngineError> {
        answer.may_have_users = true;
        let contained = |node| {
            let edges = self.joined.outgoing(node).iter().filter(|edge| edge.edge_type == EdgeType::Contains);
            edges.map(|edge| edge.node).collect::<Vec<_>>()
        };
        let types = contained(self.node_of(subject));
        let members = types.iter().flat_map(|node| contained(*node));
        for node in types.iter().copied().chain(members) {
            for user in self.joined.incoming(node).iter().filter(|edge| edge.edge_type.is_use()) {
                if self.symbol(user.node)?.is_some_and(|user| user.file != subject.file) {
                    answer
                        .notes
                        .push("code of other files uses what it defines: ask about these definitions".to_owned());
                    return Ok(());
                }
            }
        }
        answer.notes.push(format!("it may be used without its name: {}", places::user(&subject.file)));
        Ok(())
    }

    /// Adds what may use a symbol without naming it, among it the place where names of its form are put together.
    fn add_implicit(&self, answer: &mut Answer, subject: &Symbol, composed: Option<String>) -> Result<(), EngineError> {
        let node = self.node_of(subject);
        let owner = self.owner(node).map(|owner| self.symbol(owner)).transpose()?.flatten();
        if let Some(place) = composed {
            answer.notes.push(format!("{place} puts together names of this form"));
            answer.may_have_users = true;
        }
        match self.implicit_user(node, subject, owner.as_ref()) {
            Some(reason) => {
                answer.notes.push(format!("it may be used without its name: {reason}"));
                answer.may_have_users = true;
            }
            None if is_visible(subject, owner.as_ref()) => {
                answer.notes.push("it is visible outside, so that code of other repositories may use it".to_owned());
            }
            None => {}
        }
        Ok(())
    }

    /// Returns the lines of files that name a symbol outside of its definition and are not a known use of it, and the place where
    /// its name may be put together.
    fn mentions(&self, wanted: &Wanted<'_>, searched: Searched) -> Result<Mentions, EngineError> {
        let Some(word) = wanted.word.filter(|_| !searched.files.is_empty()) else {
            return Ok(Mentions { unsearched: searched.note(), ..Mentions::default() });
        };
        let unsearched = searched.note();
        let InTexts { files, composed } = InTexts::search(wanted.member.root, searched, word, &wanted.pieces);
        let mut mentions = Mentions { composed, unsearched, ..Mentions::default() };
        if files.is_empty() {
            return Ok(mentions);
        }
        let known = self.known_of(wanted)?;
        let mut parsed = 0;
        for file in files {
            let mut positions = file.positions.clone();
            if let Some(own) = known.own.get(&file.path) {
                positions.retain(|at| !own.contain(*at));
            }
            if !positions.is_empty() {
                self.add_lines(wanted, &known, &file, &positions, &mut parsed, &mut mentions)?;
            }
        }
        Ok(mentions)
    }

    fn known_of(&self, wanted: &Wanted<'_>) -> Result<Known, EngineError> {
        let mut nodes: HashSet<NodeId> = wanted.nodes.iter().copied().collect();
        for node in wanted.nodes {
            let edges = self.joined.neighbors(*node).filter(|edge| edge.edge_type == EdgeType::Declares);
            nodes.extend(edges.map(|edge| edge.node));
        }
        let mut own: HashMap<String, Vec<_>> = HashMap::new();
        let mut users = HashSet::new();
        for node in &nodes {
            users.extend(
                self.joined.incoming(*node).iter().filter(|edge| edge.edge_type.is_use()).map(|edge| edge.node),
            );
            // A file names itself nowhere.
            if let Some(symbol) = self.symbol(*node)?.filter(|symbol| symbol.kind != SymbolKind::File) {
                let range = symbol.span.start_byte as usize..symbol.span.end_byte as usize;
                own.entry(symbol.file).or_default().push(range);
            }
        }
        let unknown = index::unknown_in_files(wanted.member.reader, wanted.name)?;
        let unknown = unknown.into_iter().map(|unknown| (unknown.file, unknown)).collect();
        let own = own.into_iter().map(|(file, ranges)| (file, ranges.into_iter().collect())).collect();
        Ok(Known { own, own_nodes: nodes, users, unknown })
    }

    /// Adds the lines of a file.
    fn add_lines(
        &self,
        wanted: &Wanted<'_>,
        known: &Known,
        file: &FileWithName,
        positions: &[usize],
        parsed: &mut usize,
        mentions: &mut Mentions,
    ) -> Result<(), EngineError> {
        let reader = wanted.member.reader;
        let starts = LineStarts::new(&file.text);
        let mut by_line: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for at in positions {
            by_line.entry(starts.line(*at)).or_default().push(*at);
        }
        let is_as_indexed = || Ok::<_, EngineError>(reader.content_hash(&file.path)? == Some(file.hash));
        let facts = match file.file {
            Some(id) if is_as_indexed()? => IndexedFile::read(reader, id)?,
            _ => None,
        };
        let meanings = match &facts {
            Some(facts) => self.meanings(wanted, known, (file, &starts), facts, mentions)?,
            None => BTreeMap::new(),
        };
        let mut texts_of_file = None;
        let texts: Vec<&str> = file.text.lines().collect();
        for (line, positions) in by_line {
            let meaning = match (meanings.get(&line), file.file) {
                (Some(Some(meaning)), _) => *meaning,
                (Some(None), _) => continue,
                (None, None) => Meaning::LeftOut,
                (None, Some(_)) => {
                    let tokens = texts_of_file.get_or_insert_with(|| {
                        *parsed += 1;
                        if *parsed > MAX_PARSED { Ranges::default() } else { comments_and_texts(file) }
                    });
                    if positions.iter().all(|at| tokens.contain(*at)) { Meaning::Text } else { Meaning::Code }
                }
            };
            let text = shown(texts.get((line as usize).saturating_sub(1)).copied().unwrap_or_default());
            mentions.lines.push(Mention {
                meaning,
                file: file.path.clone(),
                line,
                text,
                is_test: false,
                is_foreign: false,
            });
        }
        Ok(())
    }

    /// Returns what the name means on lines with a reference, a definition or a variable; `None` for a known use.
    fn meanings(
        &self,
        wanted: &Wanted<'_>,
        known: &Known,
        (file, starts): (&FileWithName, &LineStarts),
        facts: &IndexedFile,
        mentions: &mut Mentions,
    ) -> Result<BTreeMap<u32, Option<Meaning>>, EngineError> {
        let word = wanted.word;
        let symbols = wanted.member.reader.symbols_of_file(&file.path)?;
        let mut meanings: BTreeMap<u32, Option<Meaning>> = BTreeMap::new();
        let unknown = file.file.and_then(|id| known.unknown.get(&id));
        let unknown: HashSet<u32> =
            unknown.into_iter().flat_map(|unknown| unknown.references.iter().copied()).collect();
        let by_source = facts.by_source(&symbols);
        let line_at = |position: u32| starts.line(position as usize);
        for binding in facts.outline.bindings.iter().chain(&facts.code.bindings) {
            if named_word(facts.outline.names.get(binding.name)) == word && is_variable(binding) {
                meanings.insert(line_at(binding.position), Some(Meaning::Other));
            }
        }
        for symbol in
            symbols.iter().filter(|symbol| symbol.kind != SymbolKind::File && named_word(&symbol.name) == word)
        {
            if !known.own_nodes.contains(&self.number(wanted.position, symbol.node)) {
                meanings.insert(symbol.span.name_line, Some(Meaning::Definition));
            }
        }
        let is_named = |reference: &Reference| {
            reference.role != Role::Document && facts.last_name(reference).and_then(named_word) == word
        };
        let references = (0_u32..).zip(&facts.code.references).filter(|(_, reference)| is_named(reference));
        let (mut unresolved, mut looked_at) = (BTreeSet::new(), HashSet::new());
        for (index, reference) in references {
            let line = line_at(reference.position);
            if unknown.contains(&index) {
                unresolved.insert(line);
                continue;
            }
            let source = by_source.get(&reference.source);
            let source = source.map(|source| self.number(wanted.position, source.node));
            let is_own = |node: &Option<NodeId>| {
                node.is_some_and(|node| known.own_nodes.contains(&self.number(wanted.position, node)))
            };
            // A user of the symbol can use others of its name.
            let is_another =
                !wanted.nodes.is_empty() && facts.meant(index).is_some_and(|meant| !meant.iter().any(is_own));
            if !is_another && source.is_some_and(|source| known.users.contains(&source)) {
                meanings.insert(line, None);
            } else if meanings.get(&line) != Some(&None) {
                meanings.insert(line, Some(Meaning::Other));
                let is_new = |source: &NodeId| mentions.meant.len() <= MAX_MEANT && looked_at.insert(*source);
                if let Some(source) = source.filter(is_new) {
                    self.add_meant(source, word, known, &mut mentions.meant)?;
                }
            }
        }
        let is_user = |symbol: &&Symbol| known.users.contains(&self.number(wanted.position, symbol.node));
        let of_users = facts.signals(wanted.name).filter(|(source, _)| by_source.get(source).is_some_and(is_user));
        meanings.extend(of_users.map(|(_, line)| (line, None)));
        let unresolved = unresolved.into_iter().chain(facts.outline.unparsed_lines(&file.text));
        meanings.extend(unresolved.map(|line| (line, Some(Meaning::Unresolved))));
        Ok(meanings)
    }

    /// Adds the names of what a symbol uses that has the name of the wanted one.
    fn add_meant(
        &self,
        source: NodeId,
        word: Option<&str>,
        known: &Known,
        meant: &mut BTreeSet<String>,
    ) -> Result<(), EngineError> {
        let edges = self.joined.outgoing(source).iter().filter(|edge| edge.edge_type.is_use());
        for edge in edges.filter(|edge| !known.own_nodes.contains(&edge.node)) {
            if let Some(symbol) = self.symbol(edge.node)?.filter(|symbol| named_word(&symbol.name) == word) {
                meant.insert(scoped_name(&symbol));
            }
        }
        Ok(())
    }
}

/// The places of a name in the texts of a repository.
struct InTexts {
    /// The files that have it, those that are not indexed last.
    files: Vec<FileWithName>,
    /// The first place of the indexed files where names of its form are put together.
    composed: Option<String>,
}

impl InTexts {
    /// Searches files for a word, and the indexed ones for pieces of which code may put it together.
    fn search(root: &Path, searched: Searched, word: &str, pieces: &[&str]) -> InTexts {
        // The number of files, from the first on, that can still have the first place.
        let open = AtomicUsize::new(if pieces.is_empty() { 0 } else { searched.indexed });
        let find = |(index, file): (usize, SearchedFile)| {
            let SearchedFile { id: file, path, max_bytes } = file;
            let is_open = index < open.load(Ordering::Relaxed);
            let has_piece = |text: &str| is_open && pieces.iter().any(|piece| text.contains(piece));
            let may_have = |text: &str| text.contains(word) || has_piece(text);
            let content = read_if(root, &path, max_bytes, &may_have)?;
            let (hash, text) = (content.hash, content.text);
            let place = if is_open { first_piece(&text, pieces) } else { None };
            let composed = place.map(|at| {
                open.fetch_min(index, Ordering::Relaxed);
                (index, format!("{path}:{}", LineStarts::new(&text).line(at)))
            });
            let positions: Vec<usize> = word_positions(&text, word).collect();
            let with_name = (!positions.is_empty()).then_some(FileWithName { file, path, hash, text, positions });
            (with_name.is_some() || composed.is_some()).then_some((with_name, composed))
        };
        // A file that was deleted since has no lines.
        let found: Vec<_> = searched.files.into_par_iter().enumerate().filter_map(find).collect();
        let (files, places): (Vec<_>, Vec<_>) = found.into_iter().unzip();
        let composed = places.into_iter().flatten().min().map(|(_, place)| place);
        InTexts { files: files.into_iter().flatten().collect(), composed }
    }
}

/// Orders lines that name a symbol by what they mean, then the likeliest users first: those in its language, and those that the
/// question is about, tests or other code. Marks those in files of tests, among the first files.
fn likeliest_first(
    member: &Member<'_>,
    subject: &Symbol,
    question: &Question,
    lines: &mut [Mention],
) -> Result<(), EngineError> {
    lines.sort();
    let mut tests: HashMap<&str, bool> = HashMap::new();
    for line in lines.iter() {
        if !tests.contains_key(line.file.as_str()) {
            let is_test = tests.len() < MAX_ASKED && is_test_file(member, &line.file)?;
            tests.insert(&line.file, is_test);
        }
    }
    let are_tests: Vec<bool> = lines.iter().map(|line| tests[line.file.as_str()]).collect();
    let (own, of_tests) = (family(&subject.file), matches!(question, Question::Tests { .. }));
    for (line, is_test) in lines.iter_mut().zip(are_tests) {
        line.is_test = is_test;
        line.is_foreign = own.is_some() && family(&line.file) != own;
    }
    lines.sort_by_cached_key(|line| {
        (line.meaning, line.is_foreign, line.is_test != of_tests, line.file.clone(), line.line)
    });
    Ok(())
}

/// Returns the language of a file, the same for languages that use each other's code; `None` for a file of none.
fn family(path: &str) -> Option<&'static str> {
    let language = language_of(path)?;
    let traits = language.traits();
    Some(match traits.includes_texts {
        true => "headers",
        false if traits.shared_modules.is_empty() => language.name,
        false => traits.shared_modules,
    })
}

/// Returns whether an indexed file is one of tests.
pub(super) fn is_test_file(member: &Member<'_>, path: &str) -> Result<bool, EngineError> {
    let Some(file) = member.reader.file_id(path)? else { return Ok(false) };
    let mut nodes = member.graph.nodes_in_file(file).iter().filter_map(|node| member.graph.meta(*node));
    Ok(nodes.find(|meta| meta.kind == SymbolKind::File).is_some_and(|file| file.is_test))
}

/// Returns whether code names a symbol by its name, and not by a text.
fn has_name_in_code(symbol: &Symbol) -> bool {
    let has_name = !matches!(symbol.kind, SymbolKind::Package | SymbolKind::RouteHandler) && !symbol.file.is_empty();
    has_name || symbol.kind == SymbolKind::External
}

/// Returns the lines that have the path of a route, other than those that register it or are known to use it.
fn lines_of_route(member: &Member<'_>, route: &Symbol, answer: &Answer) -> Result<Vec<Mention>, EngineError> {
    let users = answer.rows.iter().map(|row| &row.symbol).filter(|user| user.repository() == route.repository());
    let users: Vec<&Symbol> = users.collect();
    let is_known = |path: &str, line: u32| {
        let is_within =
            |user: &&Symbol| user.file == path && (user.span.start_line..=user.span.end_line).contains(&line);
        users.iter().any(is_within) || (path, line) == (route.file.as_str(), route.span.name_line)
    };
    let mut lines = Vec::new();
    for file in files_with(member, &Pattern::route(&route.name))? {
        let meaning = if file.is_indexed { Meaning::Text } else { Meaning::LeftOut };
        let found = file.lines.into_iter().filter(|(line, _)| !is_known(&file.path, *line));
        let mention =
            |(line, text)| Mention { meaning, file: file.path.clone(), line, text, is_test: false, is_foreign: false };
        lines.extend(found.map(mention));
    }
    Ok(lines)
}

/// Returns the parts of an indexed file that are no code.
fn comments_and_texts(file: &FileWithName) -> Ranges {
    let tokens = highlight(&file.path, &file.text).into_iter();
    let is_text = |class| matches!(class, TokenClass::Comment | TokenClass::String);
    tokens.filter(|token| is_text(token.class)).map(|token| token.range).collect()
}

/// Returns the byte at which code first puts a name together of one of these parts.
fn first_piece(text: &str, pieces: &[&str]) -> Option<usize> {
    let places = |piece: &&str| word_positions(text, piece).find(|at| is_piece(text, *at, piece));
    pieces.iter().filter_map(places).min()
}

/// Limits of the removed definitions whose names are searched for, of the notes on them, and of the lines that a note lists.
const MAX_SEARCHED: usize = 64;
const MAX_NOTES: usize = 8;
const MAX_STILL: usize = 6;

/// The places where a name still is.
type Places = BTreeSet<(String, u32)>;

/// The places that still name definitions that were removed or moved.
#[derive(Default)]
pub(super) struct StillNamed {
    pub notes: Vec<String>,
    pub places: Places,
}

/// Returns a note on each removed definition with the lines that still name it, and all these lines. One that was moved, or
/// that went with its file, is left out where no line is known.
pub(super) fn still_named(member: Member<'_>, removed: &[Removed]) -> Result<StillNamed, EngineError> {
    let (searched, others) = removed.split_at(removed.len().min(MAX_SEARCHED));
    let imported = imported_lines(member, searched)?;
    let (mut still, mut more) = (StillNamed::default(), others.iter().filter(|one| one.moved_to.is_none()).count());
    for one in searched {
        let Removed { file, scoped, name, kind, moved_to, is_with_file } = one;
        let namesakes = member.reader.nodes_named_exactly(name, MAX_SEARCHED)?;
        let is_elsewhere = namesakes.iter().any(|node| member.graph.meta(*node).is_some_and(|meta| meta.kind == *kind));
        let mut lines: Places = imported.get(name.as_str()).cloned().unwrap_or_default();
        // A member of any value can have the name of another one that there is.
        let is_member = scoped != name;
        if moved_to.is_none() && !(is_member && is_elsewhere) {
            let unresolved = unresolved_lines(member.reader, member.root, name)?;
            lines.extend(unresolved.into_iter().map(|line| (line.file, line.line)));
        }
        if lines.is_empty() && (is_elsewhere || moved_to.is_some() || *is_with_file) {
            continue;
        }
        if still.notes.len() < MAX_NOTES {
            let verb = if moved_to.is_some() { "moved" } else { "removed" };
            let way = moved_to.as_ref().map_or_else(|| file.clone(), |to| format!("{file} → {to}"));
            still.notes.push(format!("{verb}: `{scoped}` ({way}){}", named_at(&lines)));
        } else {
            more += 1;
        }
        still.places.extend(lines);
    }
    still.notes.extend((more > 0).then(|| format!("removed: {more} more definitions")));
    Ok(still)
}

/// Returns the clause of a note with the first of these places; empty without one.
fn named_at(lines: &Places) -> String {
    let places: Vec<String> = lines.iter().take(MAX_STILL).map(|(file, line)| format!("{file}:{line}")).collect();
    let more = lines.len() - places.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    if places.is_empty() { String::new() } else { format!(", still named at {}{more}", places.join(", ")) }
}

/// Returns the lines of the files that import the name of one of these and in which it means nothing, by name.
fn imported_lines<'n>(member: Member<'_>, removed: &'n [Removed]) -> Result<HashMap<&'n str, Places>, EngineError> {
    let Member { reader, root, graph } = member;
    let names: BTreeSet<&str> = removed.iter().map(|one| one.name.as_str()).collect();
    // One search for all names; should there be no such pattern, each file is read.
    let pattern = Regex::new(&names.iter().map(|name| regex::escape(name)).collect::<Vec<_>>().join("|")).ok();
    let has_name = |text: &str| pattern.as_ref().is_none_or(|pattern| pattern.is_match(text));
    let find = |(id, path): (FileId, String)| {
        let content = read_if(root, &path, MAX_FILE_BYTES, &has_name)?;
        Some((id, path, content.hash))
    };
    let files: Vec<_> = match names.is_empty() {
        true => Vec::new(),
        false => reader.file_paths()?.into_par_iter().filter_map(find).collect(),
    };
    let mut places: HashMap<&str, Places> = HashMap::new();
    for (id, path, hash) in files {
        if reader.content_hash(&path)? != Some(hash) {
            continue;
        }
        let Some(facts) = IndexedFile::read(reader, id)? else { continue };
        let mut imported: BTreeMap<&'n str, Vec<u32>> = BTreeMap::new();
        for binding in facts.outline.bindings.iter().chain(&facts.code.bindings) {
            if let (BindingKind::Import(_), Some(name)) =
                (binding.kind, names.get(facts.outline.names.get(binding.name)))
            {
                imported.entry(name).or_default().push(binding.position);
            }
        }
        let meant = if imported.is_empty() { HashSet::new() } else { names_used(reader, graph, &path, removed)? };
        imported.retain(|name, _| !meant.contains(*name));
        if imported.is_empty() {
            continue;
        }
        for reference in &facts.code.references {
            if let Some(positions) = facts.last_name(reference).and_then(|name| imported.get_mut(name)) {
                positions.push(reference.position);
            }
        }
        let Ok(content) = source::read(root, &path) else { continue };
        let starts = LineStarts::new(&content.text);
        for (name, positions) in imported {
            let lines = positions.into_iter().map(|at| (path.clone(), starts.line(at as usize)));
            places.entry(name).or_default().extend(lines);
        }
    }
    Ok(places)
}

/// Returns the names of what a file uses or imports. A module that is gone looks like one of other projects: what is imported
/// from there by the name of a removed definition is not meant.
fn names_used(reader: &Reader, graph: &Graph, path: &str, removed: &[Removed]) -> Result<HashSet<String>, EngineError> {
    let users = reader.symbols_of_file(path)?;
    let used: BTreeSet<NodeId> = (users.iter())
        .flat_map(|user| graph.outgoing(user.node))
        .filter(|edge| edge.edge_type.is_use() || edge.edge_type == EdgeType::Imports)
        .map(|edge| edge.node)
        .collect();
    let mut used = reader.symbols(&Vec::from_iter(used))?;
    let is_of = |symbol: &Symbol, one: &Removed| one.name == symbol.name && is_module_of(&symbol.scope, &one.file);
    used.retain(|symbol| !symbol.file.is_empty() || !removed.iter().any(|one| is_of(symbol, one)));
    Ok(used.into_iter().map(|symbol| symbol.name).collect())
}

/// Returns whether the name of a module is the end of a file's path, or of its folder's.
fn is_module_of(module: &str, file: &str) -> bool {
    let module: Vec<&str> = module.split(['.', '/', ':', '\\']).filter(|part| !part.is_empty()).collect();
    let (folder, name) = split_path(file);
    let mut path: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    let is_folder = path.ends_with(&module);
    path.extend(name.split('.').next());
    !module.is_empty() && (is_folder || path.ends_with(&module))
}

fn is_variable(binding: &Binding) -> bool {
    matches!(binding.kind, BindingKind::Local { .. } | BindingKind::Parameter { .. })
}
