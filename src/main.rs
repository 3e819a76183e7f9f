//! Runs the command line or the explorer, and exits with its code.

use std::process::ExitCode;
use std::sync::Arc;

use knowing::cli::{self, Action, KeyHelp};
use knowing::tui::config::UserDirs;
use knowing::tui::{self, EngineBackend, Options};

fn main() -> ExitCode {
    cli::report_panics();
    match cli::run(std::env::args_os(), keys) {
        Action::Exit(code) => code,
        Action::OpenExplorer(explorer) => {
            let explorer = *explorer;
            if explorer.plain {
                let result =
                    tui::run_plain(&EngineBackend::new(explorer.engine), explorer.task, explorer.budget_tokens);
                return cli::exit_code(explorer.colors, result);
            }
            let options = Options {
                root: explorer.engine.root().to_owned(),
                task: explorer.task,
                budget_tokens: explorer.budget_tokens,
                color: explorer.colors.screen,
                theme: explorer.theme,
                user_dirs: UserDirs::find(),
                mouse: explorer.mouse,
                fresh: explorer.fresh,
            };
            cli::exit_code(explorer.colors, tui::run(Arc::new(EngineBackend::new(explorer.engine)), options))
        }
    }
}

/// Returns the keys of the explorer for the manual page. The command line does not know the explorer.
fn keys() -> Vec<KeyHelp> {
    tui::key_table().into_iter().map(|row| (row.keys, row.context, row.title)).collect()
}
