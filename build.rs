//! Passes the commit to `knowing --version`: that of the packaged crate, or of the checkout in a release build.
//!
//! Other builds have none, since each commit would compile the clients again.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=KNOWING_COMMIT");
    println!("cargo::rerun-if-changed=.cargo_vcs_info.json");
    if std::env::var_os("KNOWING_COMMIT").is_some() {
        return;
    }
    if let Some(commit) = packaged().or_else(checked_out) {
        println!("cargo::rustc-env=KNOWING_COMMIT={commit}");
    }
}

/// Returns the commit that `cargo package` recorded.
fn packaged() -> Option<String> {
    let text = std::fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let rest = text.split_once("\"sha1\":")?.1;
    Some(rest.split('"').nth(1)?.chars().take(12).collect())
}

/// Returns the commit of the checkout, in a release build.
fn checked_out() -> Option<String> {
    if std::env::var("PROFILE").as_deref() != Ok("release") || !Path::new(".git").exists() {
        return None;
    }
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
        String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
    };
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    git(&["rev-parse", "--short=12", "HEAD"])
}
