//! Writes the folder of a trial: a folder for each arm and group of tasks, with the wrapper for commands and the prompt.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::{ARMS, Arm, TrialError, TrialTask};

const PROTOCOL: &str = include_str!("protocol.md");
const PROMPT: &str = include_str!("prompt.txt");
const WRAPPER: &str = include_str!("run.sh");
/// Commands that read what is known to be there, in every arm.
const READING: [&str; 6] = ["cat", "head", "nl", "sed", "tail", "wc"];
/// Commands that search.
const SEARCHING: [&str; 12] = ["awk", "cut", "find", "git", "grep", "ls", "rg", "sort", "tr", "tree", "uniq", "xargs"];

/// The size of a trial.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// Tasks that an agent has in one context.
    pub group: usize,
    /// Commands that an agent may run for a task.
    pub calls: usize,
}

/// Writes the folder of a trial: the protocol, the prompts, the wrappers, and the relevant places, which no agent may see.
/// The tasks of one repository are in different groups, so that nothing is known of it from an earlier task. Indexes the
/// tasks' folders with `program`, for each arm that has it. Returns the number of prompts.
///
/// # Errors
/// When a file can't be written, or the program fails.
pub fn prepare(folder: &Path, tasks: &[TrialTask], program: &Path, extent: Extent) -> Result<usize, TrialError> {
    write(&folder.join("protocol.md"), PROTOCOL)?;
    for task in tasks {
        write(&folder.join("folders").join(&task.id), &format!("{}\n", task.folder.display()))?;
    }
    let gold: String =
        tasks.iter().map(|task| format!("{}\n", serde_json::to_string(task).unwrap_or_default())).collect();
    write(&folder.join("gold.jsonl"), &gold)?;
    let groups = tasks.len().div_ceil(extent.group.max(1));
    for arm in &ARMS {
        let tools = tools(&folder.join(arm.name), arm, program, tasks)?;
        for group in 0..groups {
            let own: Vec<&TrialTask> = tasks.iter().skip(group).step_by(groups).collect();
            let place = folder.join(arm.name).join((group + 1).to_string());
            write(&place.join("run"), &WRAPPER.replace("CALLS", &extent.calls.to_string()))?;
            for name in ["answers", "logs"] {
                let path = place.join(name);
                fs::create_dir_all(&path).map_err(|cause| TrialError::Io { action: "create", path, cause })?;
            }
            let prompt = prompt(&place, arm, &tools, &own, extent.calls);
            write(&folder.join("prompts").join(format!("{}-{}.txt", arm.name, group + 1)), &prompt)?;
        }
    }
    Ok(groups * ARMS.len())
}

fn write(path: &Path, text: &str) -> Result<(), TrialError> {
    let made = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(path, text));
    made.map_err(|cause| TrialError::Io { action: "write", path: path.to_owned(), cause })
}

/// Makes the folder of the commands that an arm may run, and indexes the repositories if the program is one of them.
/// Returns the names of the other commands.
fn tools(folder: &Path, arm: &Arm, program: &Path, tasks: &[TrialTask]) -> Result<BTreeSet<&'static str>, TrialError> {
    let place = folder.join("tools");
    if place.exists() {
        fs::remove_dir_all(&place).map_err(|cause| TrialError::Io { action: "replace", path: place.clone(), cause })?;
    }
    let create = |cause| TrialError::Io { action: "create", path: place.clone(), cause };
    fs::create_dir_all(&place).map_err(create)?;
    let names = READING.into_iter().chain(SEARCHING.into_iter().filter(|_| arm.has_search));
    let mut found = BTreeSet::new();
    for name in names {
        if let Some(path) = on_path(name) {
            symlink(path, place.join(name)).map_err(create)?;
            found.insert(name);
        }
    }
    if arm.has_program {
        let script = place.join("knowing");
        let home = folder.join("home");
        let text = format!("#!/bin/sh\nKNOWING_HOME='{}' exec '{}' \"$@\"\n", home.display(), program.display());
        write(&script, &text)?;
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).map_err(create)?;
        for repository in tasks.iter().map(|task| &task.folder).collect::<BTreeSet<_>>() {
            index(&script, repository)?;
        }
    }
    Ok(found)
}

/// Returns the path of a program.
fn on_path(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn index(script: &Path, repository: &Path) -> Result<(), TrialError> {
    let mut command = Command::new(script);
    command.arg("index").current_dir(repository).stdin(Stdio::null()).stdout(Stdio::null());
    let failed = |cause| TrialError::Io { action: "index", path: repository.to_owned(), cause };
    let output = command.output().map_err(failed)?;
    match output.status.success() {
        true => Ok(()),
        false => Err(failed(io::Error::other(String::from_utf8_lossy(&output.stderr).trim().to_owned()))),
    }
}

/// Returns the whole text that an agent of an arm gets for a group of tasks.
fn prompt(place: &Path, arm: &Arm, tools: &BTreeSet<&'static str>, tasks: &[&TrialTask], calls: usize) -> String {
    let texts = tasks.iter().enumerate().map(|(index, task)| {
        let lines: String = task.task.trim().lines().map(|line| format!("    {line}\n")).collect();
        format!("{}. {}\n{lines}\n", index + 1, task.id)
    });
    let names: Vec<&str> = tools.iter().copied().collect();
    let tools = match arm.has_program {
        true => format!("{}\n{}", super::PROGRAM.trim_end(), format_args!("Others: {}.", names.join(", "))),
        false => format!("{}.", names.join(", ")),
    };
    let text = PROMPT.replace("FOLDER", &place.display().to_string()).replace("CALLS", &calls.to_string());
    text.replace("TOOLS", &tools).replace("TASKS", texts.collect::<String>().trim_end())
}
