//! Progress of indexing: a bar on a terminal, a line per phase otherwise.

use std::collections::HashMap;
use std::io::IsTerminal;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parking_lot::Mutex;

use super::output::{DIM, note, styled};
use crate::engine::{Phase, Progress as Step};

/// Time after which progress is shown.
const DELAY: Duration = Duration::from_millis(300);

/// Shows the phases of one index run on standard error. Threads may report steps at the same time.
pub struct Progress {
    bar: Option<ProgressBar>,
    /// The phase of each repository that was shown last, by its label.
    phases: Mutex<HashMap<String, Phase>>,
    started: Instant,
    colored: bool,
}

impl Progress {
    /// Creates a hidden bar, or none if standard error is not a terminal.
    pub fn new(colored: bool) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
            bar.set_style(style(colored));
            bar
        });
        Progress { bar, phases: Mutex::default(), started: Instant::now(), colored }
    }

    /// Shows the current phase and its progress.
    pub fn show(&self, step: Step) {
        self.show_member("", step);
    }

    /// Shows the current phase of one of several repositories, by its label.
    pub fn show_member(&self, label: &str, step: Step) {
        if self.started.elapsed() < DELAY {
            return;
        }
        let mut phases = self.phases.lock();
        let is_new = phases.insert(label.to_owned(), step.phase) != Some(step.phase);
        let text = match label {
            "" => step.phase.name().to_owned(),
            label => format!("{label}: {}", step.phase.name()),
        };
        match &self.bar {
            Some(bar) => {
                if bar.is_hidden() {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                }
                if is_new || !label.is_empty() {
                    bar.set_message(text);
                }
                bar.set_length(step.total.max(1) as u64);
                bar.set_position(step.done as u64);
            }
            None if is_new => note(&styled(self.colored, DIM, "index:"), &text),
            None => (),
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style(colored: bool) -> ProgressStyle {
    let template = if colored { "{msg:8} {bar:40.cyan} {pos}/{len}" } else { "{msg:8} {bar:40} {pos}/{len}" };
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar())
}
