//! `knowing install` and `knowing uninstall`: register the program with coding agents and editors, and take that back.

use std::io::{IsTerminal, Write};
use std::path::Path;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::consent::is_agreed;
use super::exit::{CliError, Status};
use super::output::stdout;
use super::session::Session;
use crate::agents::{
    Action, Change, FileError, InstallError, InstallLock, Installer, PartState, Plan, Profile, Scope, in_use, profiles,
};
use crate::mcp::reading;
use crate::text::{display, tokens};

/// Register knowing with coding agents and editors
///
/// It writes an entry for the server, instructions, a skill and hooks.
///
/// Writes into the repository's files, or with --user into those of your home folder. `knowing uninstall` changes every
/// file back. A hook answers only in repositories that have an index; KNOWING_HOOKS=off switches hooks off.
#[derive(Debug, Args)]
pub struct InstallArguments {
    #[command(flatten)]
    pub selection: Selection,
    /// Leave out the hooks
    #[arg(long)]
    pub no_hooks: bool,
    /// Print what each agent has and what it reads of the server before it asks; write nothing
    #[arg(long, conflicts_with_all = ["no_hooks", "dry_run"])]
    pub check: bool,
}

/// Take back what `knowing install` wrote
#[derive(Debug, Args)]
pub struct UninstallArguments {
    #[command(flatten)]
    pub selection: Selection,
}

/// The agents and files of an installation.
#[derive(Debug, Args)]
pub struct Selection {
    /// An agent, or `all`; can be repeated [default: those in use here]
    #[arg(long, value_name = "AGENT", value_parser = agents())]
    pub agent: Vec<String>,
    /// An editor: its plugin or its keys, for every repository; can be repeated
    #[arg(long, value_name = "EDITOR", value_parser = editors(), conflicts_with = "agent")]
    pub editor: Vec<String>,
    /// Change the files in your home folder, for every repository, instead of those in this one
    #[arg(long)]
    pub user: bool,
    /// Print the changes without making them
    #[arg(long)]
    pub dry_run: bool,
}

impl Selection {
    /// Returns the files that are changed; editors have only those of the user.
    fn scope(&self) -> Scope {
        if self.user || !self.editor.is_empty() { Scope::User } else { Scope::Project }
    }
}

const ALL: &str = "all";
/// An editor that installs extensions itself, and keeps a list of them.
const VSCODE: &str = "vscode";
/// The way to its extension.
const VSCODE_WAY: &str = "VS Code installs extensions itself: code --install-extension knowing.vsix, a file of the release; \
    `knowing help editors` tells how to make one";

fn agents() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(names(Profile::is_agent).chain([ALL]))
}

fn editors() -> impl TypedValueParser<Value = String> {
    PossibleValuesParser::new(names(Profile::is_editor).chain([VSCODE]))
}

/// Returns the names of agents or of editors.
fn names(is_wanted: fn(&Profile) -> bool) -> impl Iterator<Item = &'static str> {
    profiles().iter().filter(move |profile| is_wanted(profile)).map(|profile| profile.name)
}

/// Registers the program with the selected agents and editors.
///
/// # Errors
/// When a file can't be read, parsed or written, or the user does not agree.
pub fn run(session: &Session, arguments: &InstallArguments) -> Result<Status, CliError> {
    if arguments.check {
        return check(session, &arguments.selection);
    }
    execute(session, &arguments.selection, Action::Install { hooks: !arguments.no_hooks })
}

/// Takes the registration back.
///
/// # Errors
/// Those of [`run`].
pub fn run_uninstall(session: &Session, arguments: &UninstallArguments) -> Result<Status, CliError> {
    execute(session, &arguments.selection, Action::Uninstall)
}

fn execute(session: &Session, selection: &Selection, action: Action) -> Result<Status, CliError> {
    let engine = session.engine(None)?;
    let root = engine.root();
    let scope = selection.scope();
    let selected = selected(root, selection, action)?;
    let command = program();
    let lock = (!selection.dry_run).then(InstallLock::acquire).transpose()?;
    let plan = Installer { root, scope, command: &command }.plan(&selected, action)?;
    plan.notes.iter().for_each(|note| session.note(note));
    plan.failures.iter().for_each(|failure| session.note(failure));
    if plan.is_empty() && plan.failures.is_empty() {
        session.note(match action {
            Action::Uninstall => "nothing to remove",
            Action::Install { .. } if plan.keeps => "nothing else is to be installed; what is kept is in its place",
            Action::Install { .. } => "everything is installed already",
        });
        lock.map_or(Ok(()), |lock| plan.apply(&lock))?;
        return Ok(Status::Success);
    }
    print(root, &plan, selection.dry_run)?;
    let Some(lock) = lock else {
        session.note("nothing was written; without --dry-run it is");
        return outcome(&plan);
    };
    if !plan.is_empty() {
        require_consent(session, &plan)?;
    }
    if command != PROGRAM && action != Action::Uninstall {
        session.note(&format!("`{PROGRAM}` is not on PATH, so the files have the path {command}"));
    }
    let result = outcome(&plan);
    plan.apply(&lock)?;
    result
}

/// Prints what each agent has, and what it reads of the server before it asks anything.
fn check(session: &Session, selection: &Selection) -> Result<Status, CliError> {
    let engine = session.engine(None)?;
    let root = engine.root();
    let scope = selection.scope();
    let command = program();
    let installer = Installer { root, scope, command: &command };
    let (mut out, mut is_complete) = (stdout(), true);
    for profile in selected(root, selection, Action::Install { hooks: true })? {
        writeln!(out, "{}", profile.title)?;
        for (part, path, state) in installer.check(profile)? {
            is_complete &= state == PartState::Registered;
            let path = path.strip_prefix(root).unwrap_or(&path).display().to_string();
            let state = match state {
                PartState::Registered => "registered",
                PartState::Missing => "missing",
                PartState::Other => "differs: of another version, or yours",
            };
            writeln!(out, "  {part:<13} {:<42} {state}", display::safe(&path))?;
        }
    }
    writeln!(out, "\nserver         {command} mcp")?;
    let read = reading();
    let sum: usize = read.iter().map(|(_, text)| tokens::count(text)).sum();
    writeln!(out, "what an agent reads of it before it asks, {sum} tokens:")?;
    for (name, text) in &read {
        writeln!(out, "\n{name} ({} tokens)\n  {text}", tokens::count(text))?;
    }
    out.flush()?;
    if !is_complete {
        session.note("`knowing install` writes what is missing");
    }
    Ok(if is_complete { Status::Success } else { Status::NothingFound })
}

/// Returns an error if files were left as they are.
fn outcome(plan: &Plan) -> Result<Status, CliError> {
    match plan.failures.len() {
        0 => Ok(Status::Success),
        1 => Err(CliError::Unusable(anyhow::anyhow!("1 file was left as it is"))),
        count => Err(CliError::Unusable(anyhow::anyhow!("{count} files were left as they are"))),
    }
}

fn selected(root: &Path, selection: &Selection, action: Action) -> Result<Vec<&'static Profile>, CliError> {
    if selection.editor.iter().any(|name| name == VSCODE) {
        return Err(CliError::Usage(VSCODE_WAY.to_owned()));
    }
    let is_agent = |profile: &Profile| {
        profile.is_agent() && selection.agent.iter().any(|name| name == profile.name || name == ALL)
    };
    let is_editor = |profile: &Profile| selection.editor.iter().any(|name| name == profile.name);
    if !(selection.agent.is_empty() && selection.editor.is_empty()) {
        return Ok(profiles().iter().filter(|profile| is_agent(profile) || is_editor(profile)).collect());
    }
    if action == Action::Uninstall {
        return Ok(profiles().iter().collect());
    }
    let found = in_use(root);
    if found.is_empty() {
        let names: Vec<&str> = names(Profile::is_agent).collect();
        return Err(CliError::Usage(format!(
            "no coding agent is in use here; select one: --agent {}",
            names.join("|")
        )));
    }
    Ok(found)
}

const PROGRAM: &str = "knowing";

/// Returns the program as agents run it: its name if `PATH` leads to it, else its path.
fn program() -> String {
    let Ok(own) = std::env::current_exe() else { return PROGRAM.to_owned() };
    let path = std::env::var_os("PATH").unwrap_or_default();
    let first = std::env::split_paths(&path).map(|folder| folder.join(PROGRAM)).find(|file| file.is_file());
    let is_first = first.is_some_and(|first| first.canonicalize().ok() == own.canonicalize().ok());
    if is_first { PROGRAM.to_owned() } else { own.display().to_string() }
}

/// Prints the files, and with `lines` what changes in each.
fn print(root: &Path, plan: &Plan, lines: bool) -> Result<(), CliError> {
    let mut out = stdout();
    for change in plan.changes.iter().filter(|change| change.differs()) {
        let Change { path, parts, .. } = change;
        let path = path.strip_prefix(root).unwrap_or(path).display().to_string();
        writeln!(out, "{} {}  ({})", change.verb(), display::safe(&path), parts.join(", "))?;
        if lines {
            for line in change.lines() {
                writeln!(out, "  {}", display::safe(&line))?;
            }
        }
    }
    Ok(out.flush()?)
}

fn require_consent(session: &Session, plan: &Plan) -> Result<(), CliError> {
    if session.yes {
        return Ok(());
    }
    let count = plan.changes.iter().filter(|change| change.differs()).count();
    let files = if count == 1 { "this file".to_owned() } else { format!("these {count} files") };
    if !(std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
        return Err(CliError::Usage(format!("to change {files}, add --yes; --dry-run prints the lines")));
    }
    match is_agreed(&format!("Change {files}? [y/N] ")) {
        Ok(true) => Ok(()),
        Ok(false) => Err(CliError::Usage("no file was changed".to_owned())),
        Err(error) => Err(CliError::Unusable(error.into())),
    }
}

impl From<FileError> for CliError {
    fn from(error: FileError) -> CliError {
        CliError::Unusable(error.into())
    }
}

impl From<InstallError> for CliError {
    fn from(error: InstallError) -> CliError {
        CliError::Unusable(error.into())
    }
}
