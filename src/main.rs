//! Arguments in, exit code out.

use std::process::ExitCode;
use std::sync::Arc;

use knowing::cli::{self, Outcome};
use knowing::tui::{self, Live, Options};

fn main() -> ExitCode {
    match cli::run(std::env::args_os()) {
        Outcome::Done(code) => code,
        Outcome::Explorer(request) => {
            let options = Options {
                root: request.engine.root().to_owned(),
                task: request.task,
                budget_tokens: request.budget_tokens,
                colour: request.colors.stdout,
                theme: None,
                mouse: true,
            };
            cli::exit_code(request.colors, tui::run(Arc::new(Live::new(request.engine)), options))
        }
    }
}
