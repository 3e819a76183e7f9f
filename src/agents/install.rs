//! Plans and applies the changes of an installation or its removal. Nothing is written until every change is planned.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::edits::{Edited, Removal};
use super::files::{self, FileError};
use super::part::{PLUGIN, Part, SKILL, WholeFile};
use super::profile::{Profile, Scope, profiles};
use super::record::{Record, Reversal};
use crate::file_lock::FileLock;

/// An installation can't be planned.
#[derive(Debug, thiserror::Error)]
pub enum InstallError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("there is no home folder; set HOME")]
    NoHome,
}

/// The wanted change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Install {
        /// Whether hooks are included.
        hooks: bool,
    },
    Uninstall,
}

/// The target of an installation.
#[derive(Debug)]
pub struct Installer<'a> {
    /// The repository's root.
    pub root: &'a Path,
    pub scope: Scope,
    /// The program, as the agents run it.
    pub command: &'a str,
}

/// Held from the plan to the last write: another installation on this machine begins after it.
#[derive(Debug)]
pub struct InstallLock {
    _lock: FileLock,
}

impl InstallLock {
    /// Acquires the lock.
    ///
    /// # Errors
    /// When the data folder can't be written, or another installation takes long.
    pub fn acquire() -> Result<InstallLock, FileError> {
        Ok(InstallLock { _lock: Record::lock()? })
    }
}

/// A change of one file.
#[derive(Debug)]
pub struct Change {
    pub path: PathBuf,
    /// Its parts for the agents: `server`, `instructions`, `skill`, `hooks`.
    pub parts: Vec<String>,
    before: Option<String>,
    /// `None` if the file is removed.
    after: Option<String>,
    /// `None` if nothing remains to be reversed.
    reversal: Option<Reversal>,
    /// Folders that are removed with the file if they are empty, the deepest first.
    folders: Vec<PathBuf>,
}

/// The changes of files, and what was left as it is.
#[derive(Debug)]
pub struct Plan {
    pub changes: Vec<Change>,
    pub notes: Vec<String>,
    /// Whether something of the user's is in the place of a part, which is not installed.
    pub keeps: bool,
    /// Why files were left as they are, one message a file or agent.
    pub failures: Vec<String>,
    record: Record,
    /// Files that a run left behind when it was killed.
    unfinished: Vec<PathBuf>,
    /// Folders of files that are gone already, removed if they are empty; of each file the deepest first.
    folders: Vec<Vec<PathBuf>>,
}

/// A file with what is in it for agents.
#[derive(Default)]
struct AgentFile<'a> {
    agents: BTreeSet<String>,
    parts: Vec<Part<'a>>,
}

impl Installer<'_> {
    /// Plans the changes for some agents.
    ///
    /// # Errors
    /// When the record can't be read, or there is no home folder. A file that can't be read or parsed, or to which a link leads
    /// out of the repository, is left as it is, with a failure in the plan.
    pub fn plan(&self, agents: &[&Profile], action: Action) -> Result<Plan, InstallError> {
        let mut plan = Plan::new(Record::load()?);
        self.find_unfinished(&mut plan);
        for (path, file) in self.files(agents, action, &mut plan.failures)? {
            let planned = match action {
                Action::Install { .. } => self.plan_install(&mut plan, &path, file),
                Action::Uninstall => plan_uninstall(&mut plan, &path, &file),
            };
            plan.failures.extend(planned.err().map(|error| error.to_string()));
        }
        Ok(plan)
    }

    /// Finds what an earlier run, for whichever agent, left behind when it was killed.
    fn find_unfinished(&self, plan: &mut Plan) {
        // A path that can't be resolved has no file that a run could have left.
        let paths = profiles().iter().flat_map(|agent| self.paths(agent)).flatten().map(|(path, _)| path);
        let recorded = plan.record.files.iter().map(|reversal| reversal.path.clone());
        let files: BTreeSet<PathBuf> = paths.chain(recorded).chain([plan.record.path().to_owned()]).collect();
        let left = files.iter().map(|path| files::unfinished(path)).filter(|path| path.symlink_metadata().is_ok());
        plan.unfinished = left.collect();
        let note = |path: &PathBuf| format!("{}: left by an interrupted run, is removed", path.display());
        plan.notes.extend(plan.unfinished.iter().map(note));
    }

    /// Returns the files of an agent with their parts.
    fn paths<'p>(&self, agent: &'p Profile) -> Vec<Result<(PathBuf, Part<'p>), InstallError>> {
        let locations = agent.locations(self.scope);
        let mut parts: Vec<(String, Part<'p>)> = Vec::new();
        parts.extend(locations.server.clone().zip(agent.server.as_ref().map(Part::Server)));
        parts.extend(locations.instructions.clone().map(|path| (path, Part::Instructions)));
        let below = |folder: &String, file: &'static WholeFile| (format!("{folder}/{}", file.path), Part::File(file));
        parts.extend(locations.skills.iter().map(|folder| below(folder, &SKILL)));
        parts.extend(locations.plugin.iter().flat_map(|folder| PLUGIN.iter().map(|file| below(folder, file))));
        if let Some(path) = &locations.hooks {
            parts.extend(agent.hooks.iter().map(|hook| (path.clone(), Part::Hook(hook))));
        }
        let root = (self.scope == Scope::Project).then_some(self.root);
        let resolve = |(path, part): (String, Part<'p>)| {
            let path = agent.path(&path, self.root).ok_or(InstallError::NoHome)?;
            Ok((files::resolved(&path, root)?, part))
        };
        parts.into_iter().map(resolve).collect()
    }

    /// Returns the files of the agents. A part that agents share is in its file once.
    fn files<'p>(
        &self,
        agents: &[&'p Profile],
        action: Action,
        failures: &mut Vec<String>,
    ) -> Result<BTreeMap<PathBuf, AgentFile<'p>>, InstallError> {
        let mut files: BTreeMap<PathBuf, AgentFile> = BTreeMap::new();
        for agent in agents {
            for path_and_part in self.paths(agent) {
                let (path, part) = match path_and_part {
                    Err(InstallError::File(error)) => {
                        failures.push(error.to_string());
                        continue;
                    }
                    path_and_part => path_and_part?,
                };
                if action == (Action::Install { hooks: false }) && matches!(part, Part::Hook(_)) {
                    continue;
                }
                let file = files.entry(path).or_default();
                file.agents.insert(agent.name.to_owned());
                let is_shared = matches!(part, Part::Instructions | Part::File(_));
                if !(is_shared && file.parts.iter().any(|other| other.name() == part.name())) {
                    file.parts.push(part);
                }
            }
        }
        Ok(files)
    }

    fn plan_install(&self, plan: &mut Plan, path: &Path, file: AgentFile) -> Result<(), InstallError> {
        let AgentFile { mut agents, parts } = file;
        let before = files::read(path)?;
        let earlier = plan.record.reversal(path);
        if let (Some(text), [part]) = (&before, &parts[..])
            && part.is_edited_file(text, earlier)
        {
            // The record stays, for the day on which the file is as it was written.
            plan.keeps = true;
            plan.notes.push(kept_note(path, part));
            return Ok(());
        }
        // An earlier installation is reversed first, so that the record always leads back to the original.
        let original = match (&before, earlier) {
            (Some(text), Some(earlier)) => match earlier.apply(text) {
                Some(text) => (!(earlier.created && text.is_empty())).then_some(text),
                None => Some(without_parts(path, text, &parts)?.map_or_else(|| text.clone(), |removal| removal.text)),
            },
            // The record must not lead back to a section of this program.
            (Some(text), None) if parts.iter().any(|part| part.is_edited_in(text)) => {
                without_parts(path, text, &parts)?.map(|removal| removal.text)
            }
            _ => before.clone(),
        };
        let mut texts: Vec<String> = Vec::new();
        for part in &parts {
            let text = texts.last().or(original.as_ref());
            match part.add(path, text.map(String::as_str), self.command)? {
                Edited::Text(new) => texts.push(new),
                Edited::Unchanged => (),
                Edited::Conflict => {
                    plan.keeps = true;
                    plan.notes.push(kept_note(path, part));
                }
            }
        }
        let Some(after) = texts.last().or(original.as_ref()).cloned() else { return Ok(()) };
        let created = earlier.filter(|earlier| earlier.created);
        agents.extend(earlier.map(|earlier| earlier.agents.clone()).unwrap_or_default());
        let reversal = (original.as_ref() != Some(&after)).then(|| {
            let mut reversal = Reversal::new(path, agents, original.as_deref(), &texts);
            // The folders exist already if the file was created earlier.
            if let Some(earlier) = created {
                reversal.folders.clone_from(&earlier.folders);
            }
            reversal
        });
        plan.push(path, &parts, before, Some(after), reversal);
        Ok(())
    }
}

/// Returns a sentence on what a file has in the place of a part.
fn kept_note(path: &Path, part: &Part) -> String {
    let (path, name) = (path.display(), part.name());
    match name.ends_with('s') {
        true => format!("{path}: it has {name} of its own, which are kept"),
        false => format!("{path}: it has a {name} of its own, which is kept"),
    }
}

fn plan_uninstall(plan: &mut Plan, path: &Path, file: &AgentFile) -> Result<(), InstallError> {
    let AgentFile { agents, parts } = file;
    let record = plan.record.reversal(path).cloned();
    let Some(before) = files::read(path)? else {
        // A run that was killed may have made the folders alone, or removed the file alone.
        plan.folders.extend(record.map(|record| record.folders));
        plan.record.set(path, None);
        return Ok(());
    };
    if let Some(record) = &record {
        let others: BTreeSet<String> = record.agents.difference(agents).cloned().collect();
        if !others.is_empty() {
            let names: Vec<&str> = others.iter().map(String::as_str).collect();
            plan.notes.push(format!("{}: kept for {}", path.display(), names.join(", ")));
            plan.record.set(path, Some(record.clone().for_agents(others)));
            return Ok(());
        }
    }
    let is_edited = parts.iter().any(|part| part.is_edited_file(&before, record.as_ref()));
    let reversed = match record.as_ref().and_then(|record| record.apply(&before)).filter(|_| !is_edited) {
        Some(text) => Some(Removal { text, keeps: false }),
        None => without_parts(path, &before, parts)?,
    };
    let Some(Removal { text, keeps }) = reversed else {
        plan.record.set(path, None);
        return Ok(());
    };
    let kept = kept_parts(path, parts, [&before, &text], keeps)?;
    if keeps || !kept.is_empty() {
        let (path, kept) = (path.display(), kept.join(", "));
        plan.notes.push(format!("{path}: what you wrote or changed in the place of knowing's text is kept ({kept})"));
    }
    let is_whole = parts.iter().any(|part| matches!(part, Part::File(_)));
    let created = record.as_ref().is_some_and(|record| record.created) || is_whole;
    let is_empty = matches!(text.trim(), "" | "{}");
    let after = (!(created && is_empty)).then_some(text);
    let folders = record.map(|record| record.folders).unwrap_or_default();
    plan.push(path, parts, Some(before), after, None);
    if let Some(change) = plan.changes.last_mut() {
        change.folders = folders;
    }
    Ok(())
}

/// Returns the names of the parts in whose place something of the user's is left after a removal.
fn kept_parts<'p>(
    path: &Path,
    parts: &'p [Part],
    [before, after]: [&str; 2],
    keeps: bool,
) -> Result<Vec<&'p str>, FileError> {
    let mut kept: Vec<&str> = Vec::new();
    for part in parts {
        let is_kept = |text: &str| Ok(part.remove(path, text)?.is_some_and(|removal| removal.keeps));
        let is_kept = keeps && is_kept(before)? || !after.trim().is_empty() && is_kept(after)?;
        kept.extend((is_kept && !kept.contains(&part.name())).then(|| part.name()));
    }
    Ok(kept)
}

/// Returns a file's text without some parts, wherever they are; `None` if none of them is in it.
fn without_parts(path: &Path, text: &str, parts: &[Part]) -> Result<Option<Removal>, FileError> {
    let mut removed: Option<Removal> = None;
    for part in parts {
        let text = removed.as_ref().map_or(text, |removal| &removal.text);
        if let Some(new) = part.remove(path, text)? {
            let keeps = new.keeps || removed.is_some_and(|removal| removal.keeps);
            removed = Some(Removal { keeps, ..new });
        }
    }
    Ok(removed)
}

impl Change {
    /// Returns `create`, `change` or `remove`.
    pub fn verb(&self) -> &'static str {
        match (&self.before, &self.after) {
            (None, _) => "create",
            (_, None) => "remove",
            _ => "change",
        }
    }

    fn check_unchanged(&self) -> Result<(), FileError> {
        if files::read(&self.path)? == self.before {
            return Ok(());
        }
        Err(FileError::new(&self.path, "it was changed meanwhile; run the command again"))
    }

    /// Returns whether the file's text changes.
    pub fn differs(&self) -> bool {
        self.before != self.after
    }

    /// Returns the lines that differ, each after `+` or `-`.
    pub fn lines(&self) -> Vec<String> {
        let before: Vec<&str> = self.before.as_deref().unwrap_or("").lines().collect();
        let after: Vec<&str> = self.after.as_deref().unwrap_or("").lines().collect();
        let head = before.iter().zip(&after).take_while(|(old, new)| old == new).count();
        let (before, after) = (&before[head..], &after[head..]);
        let tail = before.iter().rev().zip(after.iter().rev()).take_while(|(old, new)| old == new).count();
        let removed = before[..before.len() - tail].iter().map(|line| format!("-{line}"));
        removed.chain(after[..after.len() - tail].iter().map(|line| format!("+{line}"))).collect()
    }
}

impl Plan {
    fn new(record: Record) -> Plan {
        Plan {
            changes: Vec::new(),
            notes: Vec::new(),
            keeps: false,
            failures: Vec::new(),
            record,
            unfinished: Vec::new(),
            folders: Vec::new(),
        }
    }

    fn push(
        &mut self,
        path: &Path,
        parts: &[Part],
        before: Option<String>,
        after: Option<String>,
        reversal: Option<Reversal>,
    ) {
        let mut names: Vec<String> = parts.iter().map(|part| part.name().to_owned()).collect();
        names.dedup();
        let folders = Vec::new();
        self.changes.push(Change { path: path.to_owned(), parts: names, before, after, reversal, folders });
    }

    /// Returns whether no file would differ.
    pub fn is_empty(&self) -> bool {
        !self.changes.iter().any(Change::differs)
    }

    /// Writes the changes and the record, under the lock under which they were planned. The record is written first: if a later write fails, `uninstall` leads back.
    ///
    /// # Errors
    /// When a file can't be written; the earlier ones were.
    pub fn apply(mut self, _held: &InstallLock) -> Result<(), FileError> {
        // Users may answer a question between planning and this; agents write their files, too.
        for change in &self.changes {
            change.check_unchanged()?;
        }
        self.unfinished.iter().try_for_each(|path| files::discard(path))?;
        for change in self.changes.iter().filter(|change| change.reversal.is_some()) {
            self.record.set(&change.path, change.reversal.clone());
        }
        self.record.store()?;
        for change in self.changes.iter().filter(|change| change.differs()) {
            change.check_unchanged()?;
            match &change.after {
                Some(text) => files::write(&change.path, text)?,
                None => files::remove(&change.path, &change.folders)?,
            }
        }
        self.folders.iter().for_each(|folders| files::remove_empty(folders));
        for change in self.changes.iter().filter(|change| change.reversal.is_none()) {
            self.record.set(&change.path, None);
        }
        self.record.store()
    }
}

/// Returns the agents that are in use here, by name.
pub fn in_use(root: &Path) -> Vec<&'static Profile> {
    profiles().iter().filter(|profile| profile.is_in_use(root)).collect()
}

/// The state of a part in the files of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartState {
    /// As this program would write it.
    Registered,
    Missing,
    /// Of another version, or written by the user.
    Other,
}

impl Installer<'_> {
    /// Returns the parts of an agent with their files and states.
    ///
    /// # Errors
    /// When a file can't be read or parsed.
    pub fn check(&self, agent: &Profile) -> Result<Vec<(String, PathBuf, PartState)>, InstallError> {
        let mut states: Vec<(String, PathBuf, PartState)> = Vec::new();
        for path_and_part in self.paths(agent) {
            let (path, part) = path_and_part?;
            let text = files::read(&path)?;
            let state = match part.add(&path, text.as_deref(), self.command)? {
                Edited::Unchanged => PartState::Registered,
                Edited::Conflict => PartState::Other,
                Edited::Text(_) if text.is_some_and(|text| part.is_edited_in(&text)) => PartState::Other,
                Edited::Text(_) => PartState::Missing,
            };
            match states.last_mut() {
                // The hooks of one file are one part.
                Some((name, file, known)) if name == part.name() && *file == path => {
                    *known = if *known == state { state } else { PartState::Other };
                }
                _ => states.push((part.name().to_owned(), path, state)),
            }
        }
        Ok(states)
    }
}
