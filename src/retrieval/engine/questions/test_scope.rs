//! `tests`: which tests reach a symbol or a change, and the commands that run them.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::rows::{Reading, Search};
use super::subject::Roots;
use super::{Member, Questions};
use crate::engine::{EngineError, source};
use crate::facts::name_key;
use crate::graph::adjacency::{Neighbor, Neighborhoods};
use crate::graph::reach::{Reached, reach_until};
use crate::index;
use crate::lang::language_of;
use crate::lang::test_runner::{TestDefinition, commands, quoted};
use crate::model::{Answer, EdgeType, Meaning, Mention, NodeId, Question, Symbol, SymbolId, SymbolKind};
use crate::render::question::is_readable;
use crate::render::scoped_name;
use crate::resolve::input::Manifest;
use crate::store::ScopedName;
use crate::text::display::is_unsafe;
use crate::text::parent_dir;

/// Uses between a symbol and the tests that are told with it: the second is for a symbol without tests within the first.
const NEAR: [u32; 2] = [3, 6];

/// Limit of the files that a note names.
const MAX_NAMED: usize = 5;

/// Number of the tests from which on a command names their file or class, if it has no others.
const MIN_TESTS: usize = 4;

/// Limit of the tests that commands name one by one; of more their files.
const MAX_NAMED_TESTS: usize = 500;

/// The files and the classes of which all tests are listed.
#[derive(Default)]
struct Whole<'t> {
    files: HashSet<&'t str>,
    /// By file and scope.
    classes: HashSet<(&'t str, &'t str)>,
}

/// Returns whether tests with these scopes are in a class, or in one nested in it.
fn has_tests_of(class: &str, scopes: &[String]) -> bool {
    let is_in = |scope: &String| scope.strip_prefix(class).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    scopes.iter().any(is_in)
}

impl Questions<'_> {
    /// Returns the tests that reach a symbol by a few uses, nearest first. Behind most symbols of a large repository is the
    /// better part of it, and a test ten uses away says nothing of a symbol.
    pub(super) fn tests_near(&self, question: &Question, symbol: &Symbol, limit: usize) -> Result<Answer, EngineError> {
        let nodes = self.with_members(self.overloads(symbol)?);
        let roots = Roots { subjects: vec![symbol.clone()], nodes, ..Roots::default() };
        let [mut depth, far] = NEAR;
        let (mut answer, mut is_whole) = self.tests_within(question, roots.clone(), depth, limit)?;
        if answer.total == 0 && !is_whole {
            depth = far;
            (answer, is_whole) = self.tests_within(question, roots, depth, limit)?;
        }
        if !is_whole {
            answer
                .notes
                .push(format!("tests farther than {depth} uses away are not searched for (`knowing tests` does)"));
            answer.may_have_users |= answer.total == 0;
        }
        self.add_file_commands(&mut answer)?;
        Ok(answer)
    }

    /// Returns the tests that reach the roots, nearest first.
    pub(super) fn tests(&self, question: &Question, roots: Roots, limit: usize) -> Result<Answer, EngineError> {
        Ok(self.tests_within(question, roots, Question::UNLIMITED, limit)?.0)
    }

    /// Returns the tests that reach the roots by at most `depth` uses, and whether nothing else uses them.
    fn tests_within(
        &self,
        question: &Question,
        roots: Roots,
        depth: u32,
        limit: usize,
    ) -> Result<(Answer, bool), EngineError> {
        let reached = self.affected(&roots, depth);
        let is_whole = reached.iter().all(|reached| reached.distance < depth || reached.is_last);
        let mut tests = HashMap::new();
        for Reached { node, is_transit, .. } in &reached {
            if !is_transit && self.is_test(*node) && !tests.contains_key(node) {
                tests.insert(*node, self.is_runnable(*node)?);
            }
        }
        let changed: Vec<&Reached> = reached.iter().filter(|root| root.parent.is_none()).collect();
        let changed =
            changed.iter().filter(|root| tests.get(&root.node) == Some(&true)).map(|root| root.node).collect();
        let Roots { subjects, notes, by_name, .. } = roots;
        let others = self.other_test_files(&tests)?;
        let users: Vec<NodeId> =
            reached.iter().filter(|reached| reached.distance > 0).map(|reached| reached.node).collect();
        let implicit = self.implicit_users(&reached)?;
        let search = Search { question, subjects, reached, reading: Reading::ToSubject, notes };
        let mut answer = self.answer(search, limit, changed, |reached| tests.get(&reached.node) == Some(&true))?;
        self.add_lines_by_name(&mut answer, &by_name);
        answer.commands = self.commands(&answer)?;
        answer.notes.extend(others);
        answer.may_have_users = implicit.is_some();
        answer.notes.extend(implicit);
        if answer.total == 0 {
            let note = self.unresolved_users(&users)?;
            answer.may_have_users |= note.is_some();
            answer.notes.extend(note);
        }
        Ok((answer, is_whole))
    }

    /// Returns a note on the files whose test code is reached, but in no test that a runner could run.
    fn other_test_files(&self, tests: &HashMap<NodeId, bool>) -> Result<Option<String>, EngineError> {
        let files_of = |is_test: bool| -> BTreeSet<(usize, &str)> {
            let nodes = tests.iter().filter(|(_, runnable)| **runnable == is_test).map(|(node, _)| *node);
            nodes.filter_map(|node| self.file_of(node)).collect()
        };
        let listed = files_of(true);
        let others: Vec<&str> = files_of(false).difference(&listed).map(|(_, path)| *path).collect();
        let named = others.iter().take(MAX_NAMED).copied().collect::<Vec<_>>().join(", ");
        let more = match others.len().saturating_sub(MAX_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let files = if others.len() == 1 {
            "1 file of test code reaches".to_owned()
        } else {
            format!("{} files of test code reach", others.len())
        };
        Ok((!others.is_empty())
            .then(|| format!("{files} it, but in no test that a runner is known to run: {named}{more}")))
    }

    /// Returns the position of a node's repository, and its file.
    fn file_of(&self, node: NodeId) -> Option<(usize, &str)> {
        let (member, own) = self.local(node)?;
        Some((self.position_of(node)?, member.graph.path(own)?))
    }

    /// Returns a note on the nearest user that nothing uses by its name, but that a language or a framework may run: so may the
    /// tests that do not name it.
    fn implicit_users(&self, reached: &[Reached]) -> Result<Option<String>, EngineError> {
        let is_open = |one: &&Reached| {
            (1..=NEAR[0]).contains(&one.distance)
                && !one.is_transit
                && !self.is_test(one.node)
                && !self.is_used(one.node)
        };
        for Reached { node, .. } in reached.iter().filter(is_open) {
            let Some(symbol) = self.symbol(*node)?.filter(|symbol| symbol.kind.is_callable()) else { continue };
            let owner = self.owner(*node).map(|owner| self.symbol(owner)).transpose()?.flatten();
            if let Some(reason) = self.implicit_user(*node, &symbol, owner.as_ref()) {
                let name = scoped_name(&symbol);
                return Ok(Some(format!(
                    "tests may reach it by `{name}`, which may be used without its name: {reason}"
                )));
            }
        }
        Ok(None)
    }

    /// Returns a note on the users of a symbol that lines name which are not resolved: tests may be among these.
    fn unresolved_users(&self, users: &[NodeId]) -> Result<Option<String>, EngineError> {
        let (mut lines, mut first) = (0, None);
        for (position, member) in self.loaded() {
            let unresolved = index::unresolved_names(member.reader)?;
            let mut known = HashSet::new();
            for node in users {
                if self.file_of(*node).is_none_or(|(other, _)| other != position) {
                    continue;
                }
                let Some(symbol) = self.symbol(*node)?.filter(|symbol| symbol.kind.is_callable()) else { continue };
                let hash = index::name_hash(name_key(&symbol.name));
                if let Some(count) = unresolved.get(&hash).filter(|_| known.insert(hash)) {
                    lines += count;
                    first.get_or_insert(symbol.name);
                }
            }
        }
        let (named, are) = if lines == 1 { ("line names", "is") } else { ("lines name", "are") };
        Ok(first.map(|name| format!("{lines} {named} symbols that use it, such as `{name}`, and {are} not resolved")))
    }

    /// Returns those of these symbols that no test reaches, not even by a call that may run another method.
    pub(in crate::engine) fn untested(&self, symbols: &[Symbol]) -> Result<Vec<NodeId>, EngineError> {
        let mut runnable: HashMap<NodeId, bool> = HashMap::new();
        // Whatever uses a tested symbol was not searched to its end, so only these nodes are known.
        let mut tested: HashSet<NodeId> = HashSet::new();
        let mut untested = Vec::new();
        for symbol in symbols {
            let mut failure = None;
            let is_tested = |reached: &Reached| {
                if reached.is_transit || failure.is_some() {
                    return failure.is_some();
                }
                if tested.contains(&reached.node) {
                    return true;
                }
                self.is_test(reached.node)
                    && *runnable.entry(reached.node).or_insert_with(|| {
                        self.is_runnable(reached.node).unwrap_or_else(|error| {
                            failure = Some(error);
                            true
                        })
                    })
            };
            if self.is_reached(&self.with_members(self.overloads(symbol)?), is_tested) {
                tested.insert(self.node_of(symbol));
            } else {
                untested.push(symbol.node);
            }
            if let Some(error) = failure {
                return Err(error);
            }
        }
        self.check()?;
        Ok(untested)
    }

    /// Returns whether a change of the roots affects a node that `stop` accepts.
    fn is_reached(&self, roots: &[NodeId], mut stop: impl FnMut(&Reached) -> bool) -> bool {
        let rule = |at: &_, edge: &_| self.toward_users(at, edge);
        let mut is_found = false;
        let found = |reached: &Reached| {
            is_found |= stop(reached);
            is_found
        };
        reach_until(&self.joined, roots, Question::UNLIMITED, rule, |node| self.id_prefix(node), found);
        is_found
    }

    /// Returns whether a test runner can run a definition of test code.
    fn is_runnable(&self, node: NodeId) -> Result<bool, EngineError> {
        let Some((member, own)) = self.local(node) else { return Ok(false) };
        let (Some(meta), Some(path)) = (member.graph.meta(own), member.graph.path(own)) else { return Ok(false) };
        let named = match meta.kind {
            SymbolKind::File => Some(ScopedName::default()),
            SymbolKind::Function | SymbolKind::Method => member.reader.scoped_name(own)?,
            _ => None,
        };
        let (Some(named), Some(language)) = (named, language_of(path)) else { return Ok(false) };
        let used_by = |edge: &Neighbor| match meta.kind {
            SymbolKind::File => edge.edge_type == EdgeType::Imports,
            _ => edge.edge_type.is_use(),
        };
        // Code uses a file by importing what is in it.
        let nodes = match (meta.kind, meta.file) {
            (SymbolKind::File, Some(file)) => member.graph.nodes_in_file(file),
            _ => &[own],
        };
        let graph = member.graph;
        let is_in_other_file = |other: NodeId| graph.meta(other).is_some_and(|other| other.file != meta.file);
        let mut users = nodes.iter().flat_map(|node| graph.incoming(*node)).filter(|edge| used_by(edge));
        let is_used = users.any(|edge| meta.kind != SymbolKind::File || is_in_other_file(edge.node));
        let is_nested = self.enclosing_function(node).is_some();
        let (scope, name, kind) = (named.scope.as_str(), named.name.as_str(), meta.kind);
        let test = TestDefinition {
            file: path,
            scope,
            name,
            kind,
            is_nested,
            is_used,
            is_whole_file: false,
            is_whole_class: false,
        };
        Ok((language.test_runner.is_test)(&test))
    }

    /// Returns the files and the classes of which these are all tests.
    fn whole<'t>(&self, position: usize, tests: &[&'t Symbol]) -> Result<Whole<'t>, EngineError> {
        let mut whole = Whole::default();
        let Some(Some(member)) = self.members.get(position) else { return Ok(whole) };
        let mut by_file: HashMap<&str, Vec<&'t Symbol>> = HashMap::new();
        tests.iter().for_each(|test| by_file.entry(test.file.as_str()).or_default().push(test));
        by_file.retain(|_, listed| listed.len() >= MIN_TESTS);
        for (file, listed) in by_file {
            let nodes: HashSet<NodeId> = listed.iter().map(|test| test.node).collect();
            let mut others = Vec::new();
            for symbol in member.reader.symbols_of_file(file)?.into_iter().filter(|one| !nodes.contains(&one.node)) {
                let node = self.number(position, symbol.node);
                if self.is_test(node) && self.is_runnable(node)? {
                    others.push(symbol.scope);
                }
            }
            if others.is_empty() {
                whole.files.insert(file);
            }
            let mut by_class: HashMap<&'t str, usize> = HashMap::new();
            for test in listed.iter().filter(|test| !self.has_other_tests(self.number(position, test.node))) {
                *by_class.entry(&test.scope).or_default() += 1;
            }
            by_class.retain(|class, count| !class.is_empty() && *count >= MIN_TESTS && !has_tests_of(class, &others));
            whole.classes.extend(by_class.into_keys().map(|class| (file, class)));
        }
        Ok(whole)
    }

    /// Returns whether the class of a test extends one of tests, which it inherits.
    fn has_other_tests(&self, test: NodeId) -> bool {
        let Some(class) = self.owner(test) else { return false };
        self.joined.outgoing(class).iter().any(|edge| edge.edge_type == EdgeType::Extends && self.is_test(edge.node))
    }

    /// Returns the commands that run the tests of an answer. Each goes to the root of its repository first, unless that is the
    /// current folder.
    fn commands(&self, answer: &Answer) -> Result<Vec<String>, EngineError> {
        let tests: Vec<&Symbol> = answer.rows.iter().map(|row| &row.symbol).collect();
        self.commands_of(&tests, tests.len() > MAX_NAMED_TESTS)
    }

    /// Adds the commands that run the files of tests whose unresolved lines name the subject, unless all of them are listed; if another
    /// command can't be read, those and the files of the nearest tests, as many as a command that can be read has.
    pub(super) fn add_file_commands(&self, answer: &mut Answer) -> Result<(), EngineError> {
        if !matches!(answer.question, Question::Tests { .. }) {
            return Ok(());
        }
        let named = self.tests_that_name(answer)?;
        let near = |depth: u32| answer.rows.iter().filter(move |row| row.distance <= depth).map(|row| &row.symbol);
        let choices: Vec<Vec<&Symbol>> = if answer.commands.iter().all(|one| is_readable(one)) {
            // These commands run the tests that are listed.
            let listed: HashSet<SymbolId> = near(u32::MAX).map(|test| test.id).collect();
            vec![named.iter().filter(|test| !listed.contains(&test.id)).collect()]
        } else {
            let depths = (0..=NEAR[0]).rev().take_while(|depth| near(*depth).next().is_some());
            depths.map(|depth| named.iter().chain(near(depth)).collect()).collect()
        };
        for tests in choices {
            let commands = self.commands_of(&tests, true)?;
            if commands.iter().all(|command| is_readable(command)) {
                answer.file_commands = commands;
                break;
            }
        }
        Ok(())
    }

    /// Returns the tests of the files whose unresolved lines name the subject of an answer; none of many files, in which the name
    /// is a common one.
    fn tests_that_name(&self, answer: &Answer) -> Result<Vec<Symbol>, EngineError> {
        let is_of_test = |line: &&Mention| line.is_test && line.meaning == Meaning::Unresolved;
        let mut files: Vec<&str> = answer.mentions.iter().filter(is_of_test).map(|line| line.file.as_str()).collect();
        files.dedup();
        let mut tests = Vec::new();
        for file in files.iter().filter(|_| files.len() <= MAX_NAMED) {
            let (repository, path) = match self.repositories.split_label(file) {
                Some((repository, path)) => (Some(repository), path),
                None => (None, *file),
            };
            let is_own =
                |(_, member): &(usize, Member<'_>)| repository.is_none_or(|id| id == member.reader.repository());
            let Some((position, member)) = self.loaded().find(is_own) else { continue };
            for symbol in member.reader.symbols_of_file(path)? {
                let node = self.number(position, symbol.node);
                if self.is_test(node) && self.is_runnable(node)? {
                    tests.push(symbol);
                }
            }
        }
        Ok(tests)
    }

    /// Returns the commands that run tests; if `in_files`, every test in their files.
    fn commands_of(&self, tests: &[&Symbol], in_files: bool) -> Result<Vec<String>, EngineError> {
        let mut all = Vec::new();
        for (position, member) in self.loaded() {
            let is_own = |symbol: &&Symbol| self.member_of(symbol).is_some_and(|(other, _)| other == position);
            let tests: Vec<&Symbol> = tests.iter().copied().filter(is_own).collect();
            let files = || tests.iter().map(|test| test.file.as_str()).collect();
            let whole = match in_files {
                true => Whole { files: files(), ..Whole::default() },
                false => self.whole(position, &tests)?,
            };
            let commands = commands_in(member, &tests, &whole)?;
            let folder = match self.repositories.is_empty() {
                true => self.repositories.way_to_root(),
                false => Some(member.root.to_string_lossy().into_owned()),
            };
            match folder.as_deref().map(quoted) {
                None => all.extend(commands),
                Some(folder) => {
                    all.extend(commands.into_iter().map(|command| format!("(cd {folder} && {command})")));
                }
            }
        }
        // The path of the repository can have a line break, too.
        all.retain(|command| !command.contains(is_unsafe));
        Ok(all)
    }
}

/// Returns the commands that run tests of one repository.
fn commands_in(member: Member<'_>, tests: &[&Symbol], whole: &Whole<'_>) -> Result<Vec<String>, EngineError> {
    let tests: Vec<TestDefinition<'_>> = (tests.iter())
        .map(|Symbol { file, scope, name, kind, .. }| TestDefinition {
            file,
            scope,
            name,
            kind: *kind,
            is_nested: false,
            is_used: false,
            is_whole_file: whole.files.contains(file.as_str()),
            is_whole_class: whole.classes.contains(&(file.as_str(), scope.as_str())),
        })
        .collect();
    let mut folders: BTreeSet<&str> = BTreeSet::from([""]);
    for test in &tests {
        let mut folder = parent_dir(test.file);
        while folders.insert(folder) {
            folder = parent_dir(folder);
        }
    }
    let mut manifests = Vec::new();
    for (path, _) in member.reader.manifests()? {
        if folders.contains(parent_dir(&path))
            && let Ok(content) = source::read(member.root, &path)
        {
            manifests.push(Manifest { path, text: content.text });
        }
    }
    Ok(commands(&tests, &manifests))
}
