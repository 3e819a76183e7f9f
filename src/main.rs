//! Arguments in, exit code out.

use std::process::ExitCode;
use std::sync::Arc;

use knowing::cli::{self, Outcome};
use knowing::tui::config::UserDirs;
use knowing::tui::{self, EngineWorkspace, Options};

fn main() -> ExitCode {
    match cli::run(std::env::args_os()) {
        Outcome::Done(code) => code,
        Outcome::Explorer(request) => {
            if request.plain {
                let ended = tui::run_plain(&EngineWorkspace::new(request.engine), request.task, request.budget_tokens);
                return cli::exit_code(request.colors, ended);
            }
            let options = Options {
                root: request.engine.root().to_owned(),
                task: request.task,
                budget_tokens: request.budget_tokens,
                color: request.colors.screen,
                theme: request.theme,
                user_dirs: UserDirs::find(),
                mouse: request.mouse,
            };
            cli::exit_code(request.colors, tui::run(Arc::new(EngineWorkspace::new(request.engine)), options))
        }
    }
}
