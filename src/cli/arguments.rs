//! The command line's grammar. The doc comments here and on the subcommands' arguments are the text of `--help` and of
//! the manual page.

use std::path::PathBuf;

use clap::{Args, ColorChoice, Parser, Subcommand};

use super::{
    cache, completions, context, debug, export, feedback, fsck, hook, index, install, man, mcp, query, questions,
    seeds, share, stale, stats, symbol, tui, vocab, watch, why,
};

/// Rank the symbols of a repository for a task, and explain the ranking
///
/// knowing keeps a graph of a repository's symbols in an embedded database, ranks them for a task, and packs the best
/// ones into a token budget. Without a command it opens the explorer.
#[derive(Debug, Parser)]
#[command(name = "knowing", version, max_term_width = 100, after_help = EXIT_CODES, subcommand_value_name = "COMMAND")]
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
Exit codes: 0 success, 1 nothing found or a check failed, 2 usage error, 3 the index or the repository can't be used.
Results go to standard output, messages to standard error.";

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    Tui(tui::TuiArguments),
    Index(index::IndexArguments),
    Context(context::ContextArguments),
    Why(why::WhyArguments),
    Feedback(feedback::FeedbackArguments),
    Vocab(vocab::VocabArguments),
    Query(query::QueryArguments),
    Symbol(symbol::SymbolArguments),
    Callers(questions::CallersArguments),
    Callees(questions::CalleesArguments),
    Impact(questions::ImpactArguments),
    Tests(questions::TestsArguments),
    Path(questions::PathArguments),
    Debug(debug::DebugArguments),
    Export(export::ExportArguments),
    Stale(stale::StaleArguments),
    Stats(stats::StatsArguments),
    Fsck(fsck::FsckArguments),
    Cache(cache::CacheArguments),
    Share(share::ShareArguments),
    Seeds(seeds::SeedsArguments),
    Install(install::InstallArguments),
    Uninstall(install::UninstallArguments),
    #[command(hide = true)]
    Hook(hook::HookArguments),
    Mcp(mcp::McpArguments),
    Watch(watch::WatchArguments),
    Completions(completions::CompletionsArguments),
    Man(man::ManArguments),
}
