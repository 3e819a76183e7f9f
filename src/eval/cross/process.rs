//! Processes under measurement: output, wall and CPU time, peak memory, timeout.

use std::fs::{self, File};
use std::io::{Read, Seek};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

/// A command with its surroundings.
#[derive(Debug, Clone)]
pub struct CommandLine {
    /// The program, then its arguments.
    pub words: Vec<String>,
    pub directory: PathBuf,
    /// Variables added to those of this process.
    pub environment: Vec<(String, String)>,
    pub timeout: Duration,
}

/// The end of a command.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Finished {
    pub stdout: String,
    pub stderr: String,
    pub seconds: f64,
    /// CPU time of the command and the processes that it waited for; 0 where there is no `/proc`.
    pub cpu_seconds: f64,
    /// The largest resident set of one of its processes, in bytes.
    pub peak_memory_bytes: u64,
    /// The reason why the command did not succeed.
    pub failure: Option<String>,
}

/// Time between two looks at the memory of the processes.
const SAMPLING: Duration = Duration::from_millis(5);
/// Maximum length of the end of the standard error in a failure's text, in characters.
const MAX_STDERR: usize = 300;

/// Runs a command in a process group of its own, which is killed when the command ends or takes longer than allowed.
/// Output goes through files, so that no pipe blocks it.
///
/// # Errors
/// When the command can't be started or its output can't be read.
pub fn run(line: &CommandLine) -> std::io::Result<Finished> {
    let (program, arguments) = line.words.split_first().ok_or(std::io::ErrorKind::InvalidInput)?;
    let (mut stdout, mut stderr) = (tempfile::tempfile()?, tempfile::tempfile()?);
    let mut command = Command::new(program);
    command.args(arguments).current_dir(&line.directory).process_group(0).stdin(Stdio::null());
    command.envs(line.environment.iter().map(|(name, value)| (name, value)));
    command.stdout(stdout.try_clone()?).stderr(stderr.try_clone()?);
    let started = Instant::now();
    let mut child = command.spawn()?;
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let (done, is_done) = mpsc::channel::<()>();
    let (timeout, id) = (line.timeout, child.id());
    let watchdog = std::thread::spawn(move || {
        let (mut peak, mut is_late) = (0, false);
        while !is_late && is_done.recv_timeout(SAMPLING) == Err(mpsc::RecvTimeoutError::Timeout) {
            peak = peak.max(peak_memory(id));
            is_late = started.elapsed() > timeout;
        }
        kill(group);
        (peak, is_late)
    });
    // The process table has the times until the process is reaped.
    let _ = group.map(|process| waitid(WaitId::Pid(process), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT));
    let (seconds, cpu_seconds) = (started.elapsed().as_secs_f64(), cpu_seconds(child.id()));
    let status = child.wait()?;
    drop(done);
    let (peak_memory_bytes, is_late) = watchdog.join().unwrap_or_default();
    let (stdout, stderr) = (text(&mut stdout)?, text(&mut stderr)?);
    let failure = match (is_late, status.success()) {
        (true, _) => Some(format!("timed out after {} s", timeout.as_secs())),
        (false, true) => None,
        (false, false) => Some(format!("{status}: {}", last_characters(&stderr, &stdout))),
    };
    Ok(Finished { stdout, stderr, seconds, cpu_seconds, peak_memory_bytes, failure })
}

/// Returns the largest resident set that a process or one of its descendants has had, by the kernel's high-water marks; 0
/// where there is no `/proc`. The usage that the system call `wait4` returns would include this program's own, because a
/// process begins as its copy.
fn peak_memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let mark =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    let children = fs::read_to_string(format!("/proc/{process}/task/{process}/children")).unwrap_or_default();
    let children = children.split_whitespace().filter_map(|child| child.parse().ok()).map(peak_memory);
    children.max().unwrap_or_default().max(mark.unwrap_or_default() * 1024)
}

/// Returns the CPU time of a process that has ended, and of the descendants that it waited for; 0 where there is no
/// `/proc`.
fn cpu_seconds(process: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name, in parentheses, can have spaces. After it the times are the 12th to 15th field.
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    let ticks: u64 = fields.split_whitespace().skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum();
    ticks as f64 / rustix::param::clock_ticks_per_second() as f64
}

/// Kills what is left of the group. An empty group is an error of the system call and no problem.
fn kill(group: Option<Pid>) {
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

fn text(file: &mut File) -> std::io::Result<String> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the end of the standard error, or that of the output if it is empty.
fn last_characters(stderr: &str, stdout: &str) -> String {
    let text = if stderr.trim().is_empty() { stdout.trim() } else { stderr.trim() };
    let length = text.chars().count();
    text.chars().skip(length.saturating_sub(MAX_STDERR)).collect::<String>().replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, milliseconds: u64) -> Finished {
        let line = CommandLine {
            words: ["sh", "-c", script].map(str::to_owned).to_vec(),
            directory: std::env::temp_dir(),
            environment: vec![("COLOR".to_owned(), "red".to_owned())],
            timeout: Duration::from_millis(milliseconds),
        };
        run(&line).unwrap()
    }

    #[test]
    fn output_memory_and_environment_are_those_of_the_command() {
        let finished = shell("echo $COLOR; echo warning >&2; yes | head -c 50000000 > /dev/null; sleep 0.2", 10_000);
        assert_eq!((finished.stdout.as_str(), finished.stderr.as_str()), ("red\n", "warning\n"));
        assert_eq!(finished.failure, None);
        assert!(finished.peak_memory_bytes > 100_000, "{finished:?}");
        assert!(finished.cpu_seconds > 0.0 && finished.cpu_seconds < 5.0, "{finished:?}");
    }

    #[test]
    fn failures_have_the_end_of_the_standard_error() {
        let finished = shell("echo no such index >&2; exit 3", 10_000);
        assert_eq!(finished.failure.as_deref(), Some("exit status: 3: no such index"));
    }

    #[test]
    fn late_commands_are_killed_with_their_children() {
        let finished = shell("sleep 60 & sleep 60", 200);
        assert!(finished.failure.unwrap().starts_with("timed out"));
        assert!(finished.seconds < 10.0);
    }
}
