//! Runs the command line or the explorer, and exits with its code.

use std::process::ExitCode;
use std::sync::Arc;

use knowing::cli::{self, Action};
use knowing::tui::config::Places;
use knowing::tui::{self, Live, Options};

fn main() -> ExitCode {
    match cli::run(std::env::args_os()) {
        Action::Exit(code) => code,
        Action::OpenExplorer(explorer) => {
            if explorer.plain {
                let result = tui::run_plain(&Live::new(explorer.engine), explorer.task, explorer.budget_tokens);
                return cli::exit_code(explorer.colors, result);
            }
            let options = Options {
                root: explorer.engine.root().to_owned(),
                task: explorer.task,
                budget_tokens: explorer.budget_tokens,
                color: explorer.colors.screen,
                theme: explorer.theme,
                places: Places::of_user(),
                mouse: explorer.mouse,
            };
            cli::exit_code(explorer.colors, tui::run(Arc::new(Live::new(explorer.engine)), options))
        }
    }
}
