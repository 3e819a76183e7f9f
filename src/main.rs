//! Arguments in, exit code out.

use std::process::ExitCode;
use std::sync::Arc;

use knowing::cli::{self, Action};
use knowing::tui::config::Places;
use knowing::tui::{self, Live, Options};

fn main() -> ExitCode {
    match cli::run(std::env::args_os()) {
        Action::Exit(code) => code,
        Action::OpenExplorer(request) => {
            if request.plain {
                let ended = tui::run_plain(&Live::new(request.engine), request.task, request.budget_tokens);
                return cli::exit_code(request.colors, ended);
            }
            let options = Options {
                root: request.engine.root().to_owned(),
                task: request.task,
                budget_tokens: request.budget_tokens,
                color: request.colors.screen,
                theme: request.theme,
                places: Places::of_user(),
                mouse: request.mouse,
            };
            cli::exit_code(request.colors, tui::run(Arc::new(Live::new(request.engine)), options))
        }
    }
}
