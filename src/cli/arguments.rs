//! What the command line may say. The text of `--help` and of the manual page is in these comments and in those of the
//! subcommands' arguments.

use std::path::PathBuf;

use clap::{ColorChoice, Parser, Subcommand};

use super::{
    completions, context, debug, eval, export, feedback, fsck, index, man, query, seeds, stats, tui, vocab, why,
};

/// Given a task in plain words: which symbols of this repository matter, and why
///
/// knowing keeps a graph of a repository's symbols in an embedded database, ranks them for a task, and packs the best
/// ones into a token budget. On a terminal, plain `knowing` opens the explorer.
#[derive(Debug, Parser)]
#[command(name = "knowing", version, max_term_width = 100, after_help = EXIT_CODES, subcommand_value_name = "COMMAND")]
pub struct Arguments {
    /// Database file [default: .knowing/graph.db in the repository]
    #[arg(long, global = true, value_name = "FILE", help_heading = GLOBAL)]
    pub db: Option<PathBuf>,
    /// Repository [default: the one around the current folder]
    #[arg(long, global = true, value_name = "DIR", help_heading = GLOBAL)]
    pub repo: Option<PathBuf>,
    /// When to use color; `auto` obeys NO_COLOR
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto, help_heading = GLOBAL)]
    pub color: ColorChoice,
    #[command(subcommand)]
    pub command: Option<Command>,
}

const GLOBAL: &str = "Global options";

const EXIT_CODES: &str = "\
Exit codes: 0 fine, 1 nothing found or a check failed, 2 wrong usage, 3 the store or repository can't be used.
Machine output goes to standard output, everything else to standard error.";

#[derive(Debug, Subcommand)]
pub enum Command {
    Tui(tui::TuiArguments),
    Index(index::IndexArguments),
    Context(context::ContextArguments),
    Why(why::WhyArguments),
    Feedback(feedback::FeedbackArguments),
    Vocab(vocab::VocabArguments),
    Query(query::QueryArguments),
    Debug(debug::DebugArguments),
    Export(export::ExportArguments),
    Stats(stats::StatsArguments),
    Fsck(fsck::FsckArguments),
    Seeds(seeds::SeedsArguments),
    Eval(eval::EvalArguments),
    Completions(completions::CompletionsArguments),
    Man(man::ManArguments),
}
