//! Extraction by a query: its matches become definitions, nested by their places in the text, and references.

use std::collections::{HashMap, HashSet};
use std::iter::Peekable;
use std::ops::Range;

use thin_vec::ThinVec;
use tree_sitter::{Node, QueryCursor, QueryMatch, StreamingIterator};

use super::{Capture, DefinitionTag, Effect, ReferenceTag, Tags};
use crate::facts::{
    Base, BaseRelation, Binding, BindingKind, Container, DefId, Definition, Expr, ExprId, FactsBuilder, FileFacts,
    Flags, Import, ImportName, Reference, Role, Scope, ScopeId, ScopeKind, Signal, SignalKind,
};
use crate::lang::SourceFile;
use crate::lang::commands::signals;
use crate::lang::common::body_words::add_body_words;
use crate::lang::common::docs::{comment_above, comment_text, file_doc, single_line};
use crate::lang::common::lexicon::Lexicon;
use crate::lang::common::light::is_test_file;
use crate::lang::queries;
use crate::model::{Span, SymbolKind};
use crate::text::file_name;

/// Maximum size of a name. Longer ones are generated, or text.
const MAX_NAME_BYTES: usize = 200;

/// A definition that a pattern found.
struct Found {
    range: Range<usize>,
    lines: Range<usize>,
    name_line: usize,
    /// The first byte of the body.
    body: Option<usize>,
    /// At least one segment.
    path: Vec<String>,
    tag: DefinitionTag,
    doc: Option<String>,
    /// The head of a definition that does not say what it is.
    signature: Option<String>,
    bases: Vec<(String, BaseRelation)>,
    /// The name of its type.
    value_type: Option<String>,
    /// Whether the text of a function around it, which has errors, may have swallowed it.
    is_at_margin: bool,
    has_error: bool,
    /// Whether it ends where the next such definition begins.
    ends_with_next: bool,
}

impl Found {
    /// Returns a definition by its node, the node of its name, and its path. `scope` is the setting of its pattern.
    fn new(
        (node, name, path): (Node<'_>, Node<'_>, Vec<String>),
        tag: DefinitionTag,
        doc: Option<String>,
        scope: Option<&str>,
        file: &SourceFile<'_>,
    ) -> Found {
        let is_file = scope == Some("file");
        let range = if is_file { node.start_byte()..file.text.len() } else { node.byte_range() };
        let end = if is_file { file.tree.root_node().end_position() } else { node.end_position() };
        // Some nodes end with the line breaks after them.
        let written = file.text.get(range.clone()).map_or(1, |text| text.trim_end().lines().count().max(1));
        let last = (node.start_position().row + written).min(end.row + 1);
        Found {
            range,
            lines: node.start_position().row + 1..last,
            name_line: name.start_position().row + 1,
            body: if is_file { Some(node.end_byte()) } else { body_of(node) },
            path,
            tag,
            doc,
            signature: None,
            bases: Vec::new(),
            value_type: None,
            is_at_margin: node.start_position().column == 0,
            has_error: node.has_error(),
            ends_with_next: scope == Some("next"),
        }
    }
}

/// A use of a name that a pattern found.
struct Use {
    position: usize,
    path: String,
    receiver: Option<String>,
    tag: ReferenceTag,
}

/// A parameter or local variable that a pattern found.
struct Local {
    position: usize,
    name: String,
    value_type: Option<String>,
    /// Whether code before it means it, too.
    is_everywhere: bool,
}

/// A name of a module or file that another file defines.
struct Alias {
    position: usize,
    name: String,
    /// The name of the module, or the path of the file.
    of: String,
    is_file: bool,
}

/// Commands, or an environment variable, that a pattern found.
struct Done {
    position: usize,
    line: u32,
    text: String,
    folder: String,
    effect: Effect,
}

impl Done {
    fn new(effect: Effect, node: Node<'_>, folder: String, text: &str) -> Done {
        let (position, line) = (node.start_byte(), small(node.start_position().row + 1));
        let text = text.get(node.byte_range()).unwrap_or_default().to_owned();
        Done { position, line, text, folder, effect }
    }
}

/// The definitions and uses that the patterns found in a file.
#[derive(Default)]
struct Matches {
    definitions: Vec<Found>,
    uses: Vec<Use>,
    effects: Vec<Done>,
    locals: Vec<Local>,
    aliases: Vec<Alias>,
    /// The code in which what looks like a call is a type.
    types: Vec<Range<usize>>,
    /// Documentation that stands alone: its first byte, and whether it belongs to the definition around it.
    docs: Vec<(usize, bool, String)>,
}

/// Extracts the facts of a file.
pub(super) fn extract(file: &SourceFile<'_>, tags: &Tags) -> FileFacts {
    let mut matches = collect(file, tags);
    let nesting = nesting(&matches.definitions);
    attach_docs(&mut matches, &nesting);
    attach_bases(&mut matches, &nesting);
    if tags.style.joins_clauses {
        join_clauses(&mut matches.definitions);
    }
    let mut facts = FactsBuilder::new();
    let is_test = is_test_file(file.path);
    if is_test {
        facts.mark_test_file();
    }
    if let Some(doc) = file_doc(file.tree.root_node(), file.text, &tags.lexicon) {
        facts.set_file_doc(doc);
    }
    let of_file = |(name, _): &&(&str, &str)| name.is_empty() || *name == file_name(file.path);
    let runner = tags.style.runners.iter().find(of_file).map(|(_, runner)| *runner);
    let mut builder = Builder {
        text: file.text,
        tags,
        facts,
        is_test,
        runner,
        open: Vec::new(),
        starts: Vec::new(),
        weak: Vec::new(),
    };
    builder.add(matches);
    builder.finish()
}

/// Returns the text of a node without the marks of names: quotes, sigils and brackets.
fn name_of(node: Node<'_>, text: &str) -> Option<String> {
    let name = text.get(node.byte_range())?;
    let is_mark = |letter: char| "\"'`$[]:".contains(letter) || letter.is_whitespace();
    // What is between backticks is the name, whatever its letters are: an operator of R.
    let quoted = name.strip_prefix('`').and_then(|name| name.strip_suffix('`'));
    let name = quoted.unwrap_or_else(|| name.trim_matches(is_mark).trim_end_matches('.'));
    (!name.is_empty() && name.len() <= MAX_NAME_BYTES && !name.contains('\n')).then(|| name.to_owned())
}

/// Returns the name of a route: `GET /users`.
fn route(method: &str, path: &str) -> String {
    format!("{} {path}", method.to_ascii_uppercase())
}

/// Returns the name that a receiver is; `None` for other expressions.
fn receiver_of(node: Node<'_>, text: &str) -> Option<String> {
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.');
    name_of(node, text).filter(|name| name.chars().all(is_part))
}

/// Returns the text of a comment or string that documents.
fn doc_of(text: &str, lexicon: &Lexicon) -> String {
    let text = text.trim_matches(|letter: char| letter == '"' || letter.is_whitespace());
    let unmarked = lexicon.line_comments.iter().find_map(|mark| text.strip_prefix(mark));
    comment_text(unmarked.unwrap_or(text), lexicon)
}

/// Returns the first byte of a definition's body, by the custom of grammars.
fn body_of(node: Node<'_>) -> Option<usize> {
    if let Some(body) = node.child_by_field_name("body") {
        return Some(body.start_byte());
    }
    let mut cursor = node.walk();
    let is_body = |child: &Node<'_>| child.kind().ends_with("body") || child.kind().ends_with("block");
    node.named_children(&mut cursor).find(is_body).map(|body| body.start_byte())
}

/// Runs the query. Of several patterns for a node the first counts.
fn collect(file: &SourceFile<'_>, tags: &Tags) -> Matches {
    let mut definitions: HashMap<usize, (usize, Option<Found>)> = HashMap::new();
    let mut uses: HashMap<usize, (usize, Option<Use>)> = HashMap::new();
    let mut found = Matches::default();
    let mut cursor = QueryCursor::new();
    let mut matches = cursor.matches(&tags.query, file.tree.root_node(), file.text.as_bytes());
    let mut named: HashSet<usize> = HashSet::new();
    while let Some(one) = matches.next() {
        let Some(part) = Part::of(one, file, tags) else { continue };
        let pattern = one.pattern_index;
        match part {
            Part::Definition(node, definition, names) => {
                named.extend(names);
                let entry = definitions.entry(node).or_insert((usize::MAX, None));
                if pattern < entry.0 {
                    *entry = (pattern, definition);
                }
            }
            Part::Use(position, used) => {
                let entry = uses.entry(position).or_insert((usize::MAX, None));
                if pattern < entry.0 {
                    *entry = (pattern, used);
                }
            }
            Part::Effect(effect) => found.effects.push(effect),
            Part::Local(local) => found.locals.push(local),
            Part::Alias(alias) => found.aliases.push(alias),
            Part::Types(range) => found.types.push(range),
            Part::Doc(start, is_inside, doc) => found.docs.push((start, is_inside, doc)),
        }
    }
    found.definitions = definitions.into_values().filter_map(|(_, definition)| definition).collect();
    found.definitions.sort_by_key(|one| (one.range.start, std::cmp::Reverse(one.range.end), one.path.clone()));
    end_at_margin(&mut found.definitions);
    end_with_next(&mut found.definitions, file.text);
    for done in found.effects.iter().filter(|done| done.effect == Effect::Requests) {
        let operation = found.definitions.iter_mut().rev().find(|one| one.range.contains(&done.position));
        operation.into_iter().for_each(|one| one.signature = Some(done.text.clone()));
    }
    found.uses =
        uses.into_values().filter_map(|(_, used)| used).filter(|used| !named.contains(&used.position)).collect();
    found.uses.sort_by_key(|used| used.position);
    for types in &found.types {
        let start = found.uses.partition_point(|used| used.position < types.start);
        let inside = found.uses[start..].iter_mut().take_while(|used| used.position < types.end);
        let calls = inside.filter(|used| used.tag == ReferenceTag::Role(Role::Call));
        calls.for_each(|used| used.tag = ReferenceTag::Role(Role::Type));
    }
    found.locals.sort_by(|one, two| (one.position, &two.value_type).cmp(&(two.position, &one.value_type)));
    found.locals.dedup_by_key(|local| local.position);
    found.uses.retain(|used| found.locals.binary_search_by_key(&used.position, |local| local.position).is_err());
    found.docs.sort();
    // The pattern that knows the folder comes first.
    found.effects.sort_by(|one, two| (one.position, &two.folder).cmp(&(two.position, &one.folder)));
    found.effects.dedup_by(|one, two| one.position == two.position && one.effect == two.effect);
    found
}

/// Ends functions whose text has errors where the next definition begins at the margin: a function there is not inside of
/// another one, whose end the parser did not find.
fn end_at_margin(definitions: &mut [Found]) {
    let is_open = |found: &Found| found.is_at_margin && found.has_error && found.tag.kind.is_callable();
    for number in 0..definitions.len().saturating_sub(1) {
        if !is_open(&definitions[number]) {
            continue;
        }
        let end = definitions[number].range.end;
        let inner = definitions[number + 1..].iter().take_while(|found| found.range.start < end);
        let next = inner
            .filter(|found| found.is_at_margin && found.tag.kind != SymbolKind::Field)
            .map(|found| (found.range.start, found.lines.start));
        if let Some((start, line)) = next.into_iter().next() {
            definitions[number].range.end = start;
            definitions[number].lines.end = (line - 1).max(definitions[number].lines.start);
        }
    }
}

/// Extends the definitions that end where the next of them begins.
fn end_with_next(definitions: &mut [Found], text: &str) {
    let mut end = (text.len(), text.lines().count());
    for found in definitions.iter_mut().rev().filter(|found| found.ends_with_next) {
        let start = (found.range.start, found.lines.start - 1);
        (found.body, found.range.end) = (found.body.or(Some(found.range.end)), end.0);
        // Blank lines and comments before the next one are its own.
        let own = text.get(found.range.clone()).unwrap_or_default().lines().enumerate();
        let is_own = |line: &str| !line.trim().is_empty() && !line.trim_start().starts_with('#');
        let last = own.filter(|(_, line)| is_own(line)).last().map_or(0, |(number, _)| number);
        found.lines.end = (found.lines.start + last).min(end.1.max(found.lines.start));
        end = start;
    }
}

/// One match.
enum Part {
    /// The node's id, what it defines, and the first bytes of its names.
    Definition(usize, Option<Found>, Vec<usize>),
    /// The first byte of the name, and the use.
    Use(usize, Option<Use>),
    Effect(Done),
    Local(Local),
    Alias(Alias),
    Types(Range<usize>),
    Doc(usize, bool, String),
}

/// The captures of a match.
struct Captured<'a, 'c, 't> {
    one: &'a QueryMatch<'c, 't>,
    text: &'a str,
    tags: &'a Tags,
}

impl<'t> Captured<'_, '_, 't> {
    fn all(&self) -> impl Iterator<Item = (Capture, Node<'t>)> {
        self.one.captures().iter().map(|capture| (self.tags.captures[capture.index as usize], capture.node))
    }

    fn of(&self, wanted: Capture) -> Option<Node<'t>> {
        self.all().find(|(capture, _)| *capture == wanted).map(|(_, node)| node)
    }

    fn name_of(&self, wanted: Capture) -> Option<String> {
        name_of(self.of(wanted)?, self.text)
    }

    fn names(&self) -> Vec<Node<'t>> {
        self.all().filter(|(capture, _)| *capture == Capture::Name).map(|(_, node)| node).collect()
    }

    fn doc(&self, node: Node<'_>) -> String {
        doc_of(self.text.get(node.byte_range()).unwrap_or_default(), &self.tags.lexicon)
    }

    /// Returns what the pattern sets.
    fn setting(&self, key: &str) -> Option<&str> {
        let settings = self.tags.query.property_settings(self.one.pattern_index);
        settings.iter().find(|setting| &*setting.key == key).and_then(|setting| setting.value.as_deref())
    }

    /// Returns the segments of the name.
    fn path(&self) -> Option<Vec<String>> {
        let names = self.names().into_iter().map(|name| name_of(name, self.text));
        let names = names.collect::<Option<Vec<String>>>()?;
        if let (Some("route"), [path, method]) = (self.setting("named"), names.as_slice()) {
            return Some(vec![route(method, path)]);
        }
        let divided = |name: &String| -> Vec<String> {
            match self.tags.style.has_dots_in_names {
                true => vec![name.clone()],
                false => name.split('.').map(|part| part.trim_matches('"').to_owned()).collect(),
            }
        };
        let prefix = self.setting("prefix").map(str::to_owned).into_iter();
        let parts: Vec<String> = prefix.chain(names.iter().flat_map(divided)).collect();
        (!parts.is_empty() && parts.iter().all(|part| !part.is_empty())).then_some(parts)
    }

    fn effect(&self, effect: Effect, node: Node<'_>) -> Option<Done> {
        let mut done = Done::new(effect, node, self.name_of(Capture::Folder).unwrap_or_default(), self.text);
        if effect == Effect::Requests {
            done.text = route(&done.text, &name_of(*self.names().first()?, self.text)?);
        }
        Some(done)
    }

    fn local(&self, node: Node<'_>) -> Option<Local> {
        let (position, name) = (node.start_byte(), name_of(node, self.text)?);
        let is_everywhere = self.setting("scope") == Some("function");
        Some(Local { position, name, value_type: self.name_of(Capture::Type), is_everywhere })
    }

    /// Returns a name of a module or file that is not its own.
    fn alias(&self, node: Node<'_>) -> Option<Alias> {
        let is_file = self.of(Capture::Path).is_some();
        let of = match is_file {
            true => self.name_of(Capture::Path)?.trim_start_matches("res://").to_owned(),
            false => {
                let names = self.names().into_iter().map(|name| name_of(name, self.text));
                names.collect::<Option<Vec<String>>>()?.join(".")
            }
        };
        let name = name_of(node, self.text)?.rsplit('.').next().unwrap_or_default().to_owned();
        let is_other = name != of && !name.is_empty();
        is_other.then_some(Alias { position: node.start_byte(), name, of, is_file })
    }

    fn used(&self, tag: ReferenceTag) -> Option<Use> {
        let position = self.names().first()?.start_byte();
        let receiver = self.of(Capture::Receiver);
        let is_member = receiver.is_some() && tag == ReferenceTag::Role(Role::Call);
        let receiver = receiver.and_then(|node| receiver_of(node, self.text));
        let tag = if is_member && receiver.is_none() { ReferenceTag::Member } else { tag };
        Some(Use { position, path: self.path()?.join("."), receiver, tag })
    }
}

impl Part {
    fn of(one: &QueryMatch<'_, '_>, file: &SourceFile<'_>, tags: &Tags) -> Option<Part> {
        let found = Captured { one, text: file.text, tags };
        let is_main = |capture: Capture| {
            matches!(
                capture,
                Capture::Definition(_)
                    | Capture::Reference(_)
                    | Capture::Effect(_)
                    | Capture::Local
                    | Capture::Alias
                    | Capture::Types
            )
        };
        // Effects come before what their pattern names.
        let effect = found.all().find(|(capture, _)| matches!(capture, Capture::Effect(_)));
        let main = effect.or_else(|| found.all().find(|(capture, _)| is_main(*capture)));
        let Some((capture, node)) = main else {
            let (inside, node) = match (found.of(Capture::Doc), found.of(Capture::InsideDoc)) {
                (Some(node), _) => (false, node),
                (None, node) => (true, node?),
            };
            return Some(Part::Doc(node.start_byte(), inside, found.doc(node)));
        };
        Some(match capture {
            Capture::Effect(effect) => Part::Effect(found.effect(effect, node)?),
            Capture::Local => Part::Local(found.local(node)?),
            Capture::Alias => Part::Alias(found.alias(node)?),
            Capture::Types => Part::Types(node.byte_range()),
            Capture::Definition(tag) => {
                let names = found.names();
                let starts = names.iter().map(|name| name.start_byte()).collect();
                let definition = match tag {
                    Some(tag) => {
                        let (name, doc) = (*names.last()?, found.of(Capture::Doc).map(|node| found.doc(node)));
                        let place = (node, name, found.path()?);
                        let mut definition = Found::new(place, tag, doc, found.setting("scope"), file);
                        definition.value_type = found.name_of(Capture::Type);
                        Some(definition)
                    }
                    None => None,
                };
                Part::Definition(node.id(), definition, starts)
            }
            Capture::Reference(tag) => {
                let position = found.names().first()?.start_byte();
                Part::Use(position, tag.and_then(|tag| found.used(tag)))
            }
            _ => return None,
        })
    }
}

/// Returns for each definition the one around it. They are sorted by their first bytes, longer ones first.
fn nesting(definitions: &[Found]) -> Vec<Option<usize>> {
    let mut open: Vec<usize> = Vec::new();
    let mut around = Vec::with_capacity(definitions.len());
    for (number, found) in definitions.iter().enumerate() {
        while open.last().is_some_and(|last| definitions[*last].range.end <= found.range.start) {
            open.pop();
        }
        around.push(open.last().copied());
        open.push(number);
    }
    around
}

/// Returns the definitions around a byte, the innermost first.
fn around<'d>(
    definitions: &'d [Found],
    nesting: &'d [Option<usize>],
    byte: usize,
) -> impl Iterator<Item = usize> + use<'d> {
    let last = definitions.partition_point(|found| found.range.start <= byte).checked_sub(1);
    std::iter::successors(last, |number| nesting[*number])
        .filter(move |number| definitions[*number].range.contains(&byte))
}

/// Gives each documentation that stands alone to the definition around it, or to the next one.
fn attach_docs(matches: &mut Matches, nesting: &[Option<usize>]) {
    let definitions = &mut matches.definitions;
    for (start, is_inside, doc) in std::mem::take(&mut matches.docs) {
        let number = match is_inside {
            true => around(definitions, nesting, start).next(),
            false => Some(definitions.partition_point(|found| found.range.start <= start)),
        };
        if let Some(found) = number.and_then(|number| definitions.get_mut(number)) {
            found.doc.get_or_insert(doc);
        }
    }
}

/// Makes bases of the references that say so. Those outside of types are uses of types.
fn attach_bases(matches: &mut Matches, nesting: &[Option<usize>]) {
    let definitions = &mut matches.definitions;
    matches.uses.retain_mut(|used| {
        let relation = match used.tag {
            ReferenceTag::Extends => BaseRelation::Extends,
            ReferenceTag::Implements => BaseRelation::Implements,
            _ => return true,
        };
        used.tag = ReferenceTag::Role(Role::Type);
        let is_type = |number: &usize| definitions[*number].tag.kind.is_type();
        let Some(number) = around(definitions, nesting, used.position).find(is_type) else { return true };
        definitions[number].bases.push((used.path.clone(), relation));
        false
    });
}

/// Joins neighboring functions of one name and one container, and a signature with the function after it.
fn join_clauses(definitions: &mut Vec<Found>) {
    let mut joined: Vec<Found> = Vec::with_capacity(definitions.len());
    let mut open: Vec<usize> = Vec::new();
    let mut last_of: HashMap<Option<usize>, usize> = HashMap::new();
    for found in definitions.drain(..) {
        while open.last().is_some_and(|around| joined[*around].range.end <= found.range.start) {
            open.pop();
        }
        let last = last_of.entry(open.last().copied()).or_insert(usize::MAX);
        let is_clause = |last: &Found| {
            let is_function = matches!(found.tag.kind, SymbolKind::Function | SymbolKind::Macro);
            is_function && last.tag == found.tag && last.path == found.path
        };
        if let Some(one) = joined.get_mut(*last).filter(|one| is_clause(one)) {
            one.range.end = one.range.end.max(found.range.end);
            one.lines.end = one.lines.end.max(found.lines.end);
        } else {
            *last = joined.len();
            joined.push(found);
        }
        open.push(*last);
    }
    *definitions = joined;
}

/// Something between two definitions.
enum Inside {
    Alias(Alias),
    Local(Local),
    Effect(Done),
    Use(Use),
}

/// A definition whose text is not at its end.
struct Open {
    id: DefId,
    start: usize,
    end: usize,
    scope: ScopeId,
    names: Vec<String>,
    tag: DefinitionTag,
    is_local: bool,
}

/// Returns the kind of a definition in its owner; `None` for a local variable.
fn kind_in(kind: SymbolKind, owner: Option<&Open>, is_local: bool) -> Option<SymbolKind> {
    Some(match (kind, owner) {
        (SymbolKind::Var | SymbolKind::Const | SymbolKind::Field, _) if is_local => return None,
        (SymbolKind::Var | SymbolKind::Const, Some(owner)) if !owner.tag.is_module => SymbolKind::Field,
        (SymbolKind::Function, Some(owner)) if !owner.tag.is_module => SymbolKind::Method,
        (kind, _) => kind,
    })
}

/// Builds the facts in the order of the text.
struct Builder<'a> {
    text: &'a str,
    tags: &'a Tags,
    facts: FactsBuilder,
    is_test: bool,
    /// The command that runs what the file defines.
    runner: Option<&'static str>,
    open: Vec<Open>,
    starts: Vec<Option<u32>>,
    weak: Vec<Binding>,
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl Builder<'_> {
    /// Adds definitions and references, each at its place between the others.
    fn add(&mut self, matches: Matches) {
        let aliases = matches.aliases.into_iter().map(|alias| (alias.position, Inside::Alias(alias)));
        let locals = matches.locals.into_iter().map(|local| (local.position, Inside::Local(local)));
        let effects = matches.effects.into_iter().map(|done| (done.position, Inside::Effect(done)));
        let uses = matches.uses.into_iter().map(|used| (used.position, Inside::Use(used)));
        let mut inside: Vec<(usize, Inside)> = aliases.chain(locals).chain(effects).chain(uses).collect();
        inside.sort_by_key(|(position, _)| *position);
        let mut inside = inside.into_iter().peekable();
        for found in matches.definitions {
            self.add_before(found.range.start, &mut inside);
            self.add_definition(found);
        }
        self.add_before(usize::MAX, &mut inside);
    }

    /// Adds what is before a byte, in the order of the text.
    fn add_before(&mut self, end: usize, inside: &mut Peekable<impl Iterator<Item = (usize, Inside)>>) {
        while let Some((_, one)) = inside.next_if(|(position, _)| *position < end) {
            match one {
                Inside::Alias(alias) => self.add_alias(&alias),
                Inside::Local(local) => self.add_local(&local),
                Inside::Effect(done) => self.add_effect(&done),
                Inside::Use(used) => self.add_use(&used),
            }
        }
    }

    /// Binds the name of a module or file of another file, in the function around it or in the file.
    fn add_alias(&mut self, alias: &Alias) {
        self.close_before(alias.position);
        let function = self.open.last().filter(|open| open.tag.kind.is_callable());
        let scope = function.map_or(ScopeId(0), |open| open.scope);
        let (name, position) = (self.facts.atom(&alias.name), small(alias.position));
        let kind = if alias.is_file {
            let path = vec![self.facts.atom(&alias.of)];
            let name = ImportName::Module;
            BindingKind::Import(self.facts.import(Import { scope, path, level: 0, name, position, reexport: false }))
        } else {
            BindingKind::Alias(self.facts.name(&alias.of))
        };
        self.facts.bind(scope, name, position, kind);
    }

    /// Binds a local name in the function around it.
    fn add_local(&mut self, local: &Local) {
        self.close_before(local.position);
        let Some(open) = self.open.last().filter(|open| open.is_local || open.tag.kind.is_callable()) else { return };
        let position = if local.is_everywhere { open.start } else { local.position };
        let (scope, name) = (open.scope, self.facts.atom(&local.name));
        let value_type = local.value_type.as_deref().map(|name| self.facts.name(name));
        self.facts.bind(scope, name, small(position), BindingKind::Local { value_type, value: None });
    }

    fn close_before(&mut self, position: usize) {
        while self.open.last().is_some_and(|open| open.end <= position) {
            self.open.pop();
        }
    }

    fn add_definition(&mut self, found: Found) {
        self.close_before(found.range.start);
        let around = self.open.last();
        let is_local = around.is_some_and(|open| open.is_local || open.tag.kind.is_callable());
        let owner = around.filter(|open| open.tag.kind.is_type() && !is_local);
        let Some(kind) = kind_in(found.tag.kind, owner, is_local) else { return };
        let mut names: Vec<String> = around.map(|open| open.names.clone()).unwrap_or_default();
        let around_name = owner.and_then(|open| open.names.last().cloned());
        let outer = around.map_or(ScopeId(0), |open| open.scope);
        let (parent, container) = (around.map(|open| open.id), owner.map(|open| open.id));
        names.extend(found.path.iter().cloned());
        let scope_names = names[..names.len() - 1].iter().map(|name| self.facts.atom(name)).collect();
        let name = found.path.last().map(|name| self.facts.atom(name)).expect("a path has a segment");
        let doc = found.doc.unwrap_or_else(|| comment_above(self.text, found.range.start, &self.tags.lexicon));
        let own = self.own_scope(outer, found.tag.kind);
        let bases =
            found.bases.iter().map(|(name, relation)| Base { expr: self.facts.name(name), relation: *relation });
        let bases = bases.collect();
        let value_type = found.value_type.as_deref().map(|name| self.facts.name(name));
        let is_read_as = kind.is_callable() && value_type.is_some();
        let definition = Definition {
            name,
            kind,
            scope_names,
            container: container.map_or(Container::Module, Container::Definition),
            parent,
            span: Span {
                start_byte: small(found.range.start),
                end_byte: small(found.range.end),
                start_line: small(found.lines.start),
                end_line: small(found.lines.end.max(found.lines.start)),
                name_line: small(found.name_line),
            },
            signature: found.signature.unwrap_or_else(|| self.signature(&found.range, found.body)),
            doc,
            flags: Flags {
                is_test: self.is_test,
                is_property: is_read_as,
                is_local,
                is_variant: found.tag.is_variant,
                // A stage of a Dockerfile is called by its name, a module of a functional language is not.
                is_module: found.tag.is_module && kind.is_type() && self.tags.style.joins_clauses,
                ..Flags::default()
            },
            scope: own,
            type_parameters: ThinVec::new(),
            parameters: ThinVec::new(),
            result: value_type.filter(|_| is_read_as),
            returns: ThinVec::new(),
            value_type: value_type.filter(|_| !is_read_as),
            value: None,
            value_scope: None,
            bases,
        };
        let id = self.facts.define(definition, String::new());
        self.facts.scope_mut(own).definition = Some(id);
        self.starts.push(found.body.map(small).or_else(|| self.line_end(&found.range)));
        // A constructor has the name of its type, which means the type in it.
        if around_name.as_deref() != found.path.last().map(String::as_str) {
            self.bind(id, outer, &found.path, found.range.start);
        }
        if parent.is_none() {
            self.bind_to_runner(id, kind, &found.path, found.range.start);
        }
        if kind != SymbolKind::Field {
            let Range { start, end } = found.range;
            self.open.push(Open { id, start, end, scope: own, names, tag: found.tag, is_local });
        }
    }

    /// Adds the scope of a definition.
    fn own_scope(&mut self, outer: ScopeId, kind: SymbolKind) -> ScopeId {
        let kind = match kind {
            kind if kind.is_callable() => ScopeKind::Function,
            kind if kind.is_type() => ScopeKind::Type,
            _ => ScopeKind::Block,
        };
        let parent = Some(outer);
        self.facts.scope(Scope { parent, kind, definition: None, extension: None, module_name: None, extends: None })
    }

    /// Binds a definition by the command that runs it (`make test`), or as a table.
    fn bind_to_runner(&mut self, id: DefId, kind: SymbolKind, path: &[String], position: usize) {
        let is_bound = |runner: &&str| kind == SymbolKind::Function || *runner == queries::TABLE && kind.is_type();
        if let Some(runner) = self.runner.filter(is_bound) {
            let name = self.facts.atom(&format!("{runner} {}", path.join(".")));
            self.facts.bind(ScopeId(0), name, small(position), BindingKind::Definition(id));
        }
    }

    /// Binds a definition by its path, and by its last name where nothing else has it.
    fn bind(&mut self, id: DefId, scope: ScopeId, path: &[String], position: usize) {
        let (whole, last) = (path.join("."), path.last().map_or("", String::as_str));
        let (whole, last) = (self.facts.atom(&whole), self.facts.atom(last));
        let kind = BindingKind::Definition(id);
        self.facts.bind(scope, whole, small(position), kind);
        if whole != last {
            self.weak.push(Binding { scope, name: last, position: small(position), kind });
        }
    }

    fn line_end(&self, range: &Range<usize>) -> Option<u32> {
        let text = self.text.get(range.clone())?;
        Some(small(range.start + text.find('\n').unwrap_or(text.len())))
    }

    /// Returns the head of a definition: up to its body, or its first line.
    fn signature(&self, range: &Range<usize>, body: Option<usize>) -> String {
        let text = self.text.get(range.start..body.unwrap_or(range.end)).unwrap_or_default();
        let head =
            if body.is_some() { text } else { text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default() };
        single_line(head.trim(), &self.tags.lexicon)
    }

    fn add_use(&mut self, used: &Use) {
        self.close_before(used.position);
        let scope = self.open.last().map_or(ScopeId(0), |open| open.scope);
        let source = self.open.last().map(|open| open.id);
        let is_member = used.tag == ReferenceTag::Member;
        let expr = match &used.receiver {
            Some(receiver) => {
                let base = self.receiver(receiver);
                self.facts.member(base, &used.path)
            }
            None if is_member => {
                let base = self.facts.expr(Expr::Unknown);
                self.facts.member(base, &used.path)
            }
            None => self.facts.name(&used.path),
        };
        let role = match used.tag {
            ReferenceTag::Role(role) => role,
            _ => Role::Call,
        };
        self.facts.refer(Reference { expr, scope, position: small(used.position), role, source });
    }

    /// Adds the signals of commands or of a variable. They belong to a function or type, or else to the file.
    fn add_effect(&mut self, done: &Done) {
        self.close_before(done.position);
        let mut around = self.open.iter().rev();
        let source = around.find(|open| open.tag.kind.is_callable() || open.tag.kind.is_type()).map(|open| open.id);
        let kinds = match done.effect {
            Effect::Runs => signals(&mut self.facts, &done.text, &done.folder),
            Effect::Requests => vec![(0, SignalKind::Endpoint(self.facts.atom(&done.text)))],
            Effect::SetsEnv | Effect::ReadsEnv => {
                let name = done.text.split('=').next().unwrap_or_default();
                let name = name.trim_matches(|letter: char| "\"'$:?-{} ".contains(letter));
                let is_part = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
                if name.is_empty() || name.len() > MAX_NAME_BYTES || !name.chars().all(is_part) {
                    return;
                }
                let name = self.facts.atom(name);
                let is_set = done.effect == Effect::SetsEnv;
                vec![(0, if is_set { SignalKind::SetsEnv(name) } else { SignalKind::ReadsEnv(name) })]
            }
        };
        for (line, kind) in kinds {
            self.facts.signal(Signal { source, kind, line: done.line + line });
        }
    }

    fn receiver(&mut self, receiver: &str) -> ExprId {
        match receiver {
            "self" | "this" | "super" => self.facts.expr(Expr::Receiver),
            name => self.facts.name(name),
        }
    }

    fn finish(mut self) -> FileFacts {
        self.facts.bind_weakly(std::mem::take(&mut self.weak));
        let (text, tags) = (self.text, self.tags);
        add_body_words(&mut self.facts, &self.starts, |emit| {
            tags.lexicon.scan_words(text, &mut |start, word| {
                if tags.keywords.binary_search_by(|known| known.as_str().cmp(word)).is_err() {
                    emit(start, word);
                }
            });
        });
        self.facts.finish()
    }
}
