//! Runs the command line or the explorer, and exits with its code.

use std::process::ExitCode;
use std::sync::Arc;

use knowing::cli::{self, Action, KeyHelp};
use knowing::tui::user_dirs::UserDirs;
use knowing::tui::{self, EngineBackend, Options};
use mimalloc::MiMalloc;

/// Indexing makes millions of small lists on all cores, for which the system's allocator takes more time.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    cli::report_panics();
    match cli::run(std::env::args_os(), keys) {
        Action::Exit(code) => code,
        Action::OpenExplorer(explorer) => {
            let explorer = *explorer;
            let colors = explorer.colors;
            let backend = EngineBackend::new(explorer.workspace);
            if explorer.plain {
                return cli::exit_code(colors, tui::run_plain(&backend, explorer.task, explorer.budget_tokens));
            }
            let options = Options {
                task: explorer.task,
                budget_tokens: explorer.budget_tokens,
                color: colors.screen,
                theme: explorer.theme,
                user_dirs: UserDirs::find().filter(|_| explorer.sample.is_none()),
                mouse: explorer.mouse,
                fresh: explorer.fresh,
                demo: explorer.sample.is_some(),
            };
            cli::exit_code(colors, tui::run(Arc::new(backend), options))
        }
    }
}

/// Returns the keys of the explorer for the manual page. The command line does not know the explorer.
fn keys() -> Vec<KeyHelp> {
    tui::key_table().into_iter().map(|row| (row.keys, row.context, row.title)).collect()
}
