//! The thread that listens for signals.

use std::io;
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGCONT, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGUSR1, SIGWINCH};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::WithOrigin;
use signal_hook::iterator::exfiltrator::origin::Origin;
use signal_hook::low_level::emulate_default_handler;
use signal_hook::low_level::siginfo::Cause;
use tokio::sync::mpsc::UnboundedSender;

use crate::tui::action::Event;
use crate::tui::terminal;

/// Hands signals to the screen's thread; one that it does not obey in time is obeyed here.
pub fn watch_signals(events: UnboundedSender<Event>) -> io::Result<()> {
    let watched = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGUSR1, SIGWINCH];
    let mut signals = SignalsInfo::<WithOrigin>::new(watched)?;
    let watch = move || {
        for Origin { signal, cause, .. } in signals.forever() {
            match (signal, terminal::is_taken()) {
                // Keys make no signals while the terminal is ours: this one was pressed while an editor had it, and has
                // only come now.
                (SIGINT | SIGQUIT, true) if matches!(cause, Cause::Kernel) => {}
                // While an editor has the terminal, its keys also signal us. It may stop all of us together, but what
                // would interrupt it is not meant for us.
                (SIGTSTP, false) => stop_here(),
                (SIGINT | SIGQUIT | SIGCONT, false) => {}
                (SIGUSR1 | SIGWINCH, _) | (SIGTSTP | SIGCONT, true) => send(&events, signal),
                _ => {
                    send(&events, signal);
                    thread::sleep(STUCK);
                    // The screen's thread should have ended the program by now; it is stuck, and must not keep us.
                    let _unsaid = terminal::give_back();
                    let _unstoppable = emulate_default_handler(signal);
                }
            }
        }
    };
    thread::Builder::new().name("knowing-signals".into()).spawn(watch)?;
    Ok(())
}

/// How long a deadly signal waits for an orderly end.
const STUCK: Duration = Duration::from_secs(2);

fn send(events: &UnboundedSender<Event>, signal: i32) {
    // Nobody listens once the explorer has ended.
    let _ended = events.send(Event::Signal(signal));
}

fn stop_here() {
    // If it can't be stopped, it goes on.
    let _goes_on = emulate_default_handler(SIGTSTP);
}
