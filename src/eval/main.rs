//! Runs `knowing-eval`, and exits with its code.

use std::process::ExitCode;

use clap::Parser;
use knowing::cli::{self, GlobalArguments, Session};
use knowing_eval::commands::{self, EvalArguments};

/// The command line of `knowing-eval`.
#[derive(Debug, Parser)]
#[command(name = "knowing-eval", version, max_term_width = 100, after_help = cli::EXIT_CODES)]
struct Arguments {
    #[command(flatten)]
    eval: EvalArguments,
    #[command(flatten)]
    global: GlobalArguments,
}

fn main() -> ExitCode {
    cli::report_panics();
    let arguments = Arguments::parse();
    let session = Session::new(&arguments.global);
    cli::finish(session.colors, commands::run(&session, &arguments.eval))
}
