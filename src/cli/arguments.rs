//! The command line's grammar. The doc comments here and on the subcommands' arguments are the text of `--help` and of
//! the manual page.

use std::path::PathBuf;

use clap::builder::StyledStr;
use clap::{Args, ColorChoice, CommandFactory, Parser, Subcommand};

use super::{
    completions, concepts, context, feedback, help, hook, index, install, man, mcp, query, questions, status, symbol,
    tui, version, why,
};

/// Rank the symbols of a repository for a task, and explain the ranking
///
/// knowing keeps a graph of a repository's symbols in an embedded database, ranks them for a task, and packs the best
/// ones into a token budget. Without a command it opens the explorer.
#[derive(Debug, Parser)]
#[command(name = "knowing", version, long_version = version::long(), max_term_width = 100, after_help = EXIT_CODES,
          subcommand_value_name = "COMMAND", disable_help_subcommand = true)]
pub struct Arguments {
    #[command(flatten)]
    pub global: GlobalArguments,
    #[command(subcommand)]
    pub command: Option<Command>,
}

/// The options of every command.
#[derive(Debug, Args)]
pub struct GlobalArguments {
    /// Database file [default: in a folder of the checkout in the data folder, see KNOWING_HOME]
    #[arg(long, global = true, value_name = "FILE", help_heading = GLOBAL)]
    pub db: Option<PathBuf>,
    /// Repository [default: the one that contains the current folder]. May be given several times: the repositories are
    /// then ranked and asked as one
    #[arg(long, global = true, value_name = "DIR", help_heading = GLOBAL)]
    pub repo: Vec<PathBuf>,
    /// Repositories that are ranked and asked as one: a workspace.toml, or a folder with one in it or above it
    #[arg(long, global = true, value_name = "PATH", help_heading = GLOBAL)]
    pub workspace: Option<PathBuf>,
    /// Index without asking: `/`, your home folder, a system folder, or over 50,000 files without version control
    #[arg(long, global = true, help_heading = GLOBAL)]
    pub yes: bool,
    /// When to use color; `auto` respects NO_COLOR
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto, help_heading = GLOBAL)]
    pub color: ColorChoice,
}

const GLOBAL: &str = "Global options";

/// The end of `--help`.
pub const EXIT_CODES: &str = "\
Guides: `knowing help` lists them. For shells and packages: `knowing completions SHELL`, `knowing man`.
Exit codes: 0 success, 1 nothing found or a check failed, 2 usage error, 3 the index or the repository can't be used.
Results go to standard output, messages to standard error.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Tui(tui::TuiArguments),
    Context(context::ContextArguments),
    Why(why::WhyArguments),
    // `export` is what the scripts of the benchmarks call.
    #[command(alias = "export")]
    Query(query::QueryArguments),
    Symbol(symbol::SymbolArguments),
    Callers(questions::CallersArguments),
    Callees(questions::CalleesArguments),
    Path(questions::PathArguments),
    Impact(questions::ImpactArguments),
    Tests(questions::TestsArguments),
    Feedback(feedback::FeedbackArguments),
    Concepts(concepts::ConceptsArguments),
    Index(index::IndexArguments),
    // `stats` is what the reported cases call.
    #[command(alias = "stats")]
    Status(status::StatusArguments),
    Mcp(mcp::McpArguments),
    Install(install::InstallArguments),
    Uninstall(install::UninstallArguments),
    Help(help::HelpArguments),
    #[command(hide = true)]
    Hook(hook::HookArguments),
    #[command(hide = true)]
    Completions(completions::CompletionsArguments),
    #[command(hide = true)]
    Man(man::ManArguments),
}

/// The commands that `--help` lists, by what they are for.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Explore", &["tui", "help"]),
    ("Ask", &["context", "why", "query", "symbol", "callers", "callees", "path"]),
    ("Review", &["impact", "tests"]),
    ("Learn", &["feedback", "concepts"]),
    ("Index", &["index", "status"]),
    ("Agents", &["mcp", "install", "uninstall"]),
];

/// Width of the names of commands in `--help`.
const NAME_WIDTH: usize = 10;

/// Returns the command line's grammar, whose help lists the commands by [`GROUPS`]; clap itself has no groups of commands.
pub fn grammar() -> clap::Command {
    let mut command = Arguments::command();
    let (header, literal) = (*command.get_styles().get_header(), *command.get_styles().get_literal());
    let mut groups = String::new();
    for (title, names) in GROUPS {
        groups.push_str(&format!("{header}{title}:{header:#}\n"));
        for name in names {
            let about = command.find_subcommand(name).and_then(clap::Command::get_about);
            let about = about.map(StyledStr::to_string).unwrap_or_default();
            groups.push_str(&format!("  {literal}{name:NAME_WIDTH$}{literal:#} {about}\n"));
        }
        groups.push('\n');
    }
    let usage = "{about-with-newline}\n{usage-heading} {usage}\n       knowing \"TASK\"\n\n";
    let template = format!("{usage}{groups}{header}Options of every command:{header:#}\n{{options}}\n{{after-help}}");
    command = command.help_template(template);
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_command_is_in_one_group() {
        let command = Arguments::command();
        let shown = command.get_subcommands().filter(|command| !command.is_hide_set()).map(clap::Command::get_name);
        let mut shown: Vec<&str> = shown.collect();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        shown.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(shown, grouped);
        assert!(grouped.iter().all(|name| name.len() < NAME_WIDTH));
    }

    #[test]
    fn descriptions_of_commands_fit_on_a_line() {
        for command in Arguments::command().get_subcommands().filter(|command| !command.is_hide_set()) {
            let about = command.get_about().map(StyledStr::to_string).unwrap_or_default();
            assert!(!about.is_empty() && about.len() + NAME_WIDTH + 3 <= 80, "{}: {about}", command.get_name());
        }
    }
}
