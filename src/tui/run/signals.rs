//! The thread that receives signals.

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

/// Starts the thread that forwards signals to the main thread. If a deadly signal does not end the program in time, the
/// thread ends it.
///
/// # Errors
/// When the handlers cannot be installed or the thread cannot be started.
pub fn watch_signals(events: UnboundedSender<Event>) -> io::Result<()> {
    let handled = [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGUSR1, SIGWINCH];
    let mut signals = SignalsInfo::<WithOrigin>::new(handled)?;
    let forward = move || {
        for Origin { signal, cause, .. } in signals.forever() {
            match (signal, terminal::is_active()) {
                // In raw mode keys send no signals: this one was pressed while an editor had the terminal.
                (SIGINT | SIGQUIT, true) if matches!(cause, Cause::Kernel) => {}
                // While an editor has the terminal, its keys also signal this process group: stopping applies to both,
                // interrupts are meant for the editor only.
                (SIGTSTP, false) => stop(),
                (SIGINT | SIGQUIT | SIGCONT, false) => {}
                (SIGUSR1 | SIGWINCH, _) | (SIGTSTP | SIGCONT, true) => send(&events, signal),
                _ => {
                    send(&events, signal);
                    thread::sleep(SHUTDOWN_TIMEOUT);
                    // The main thread is stuck.
                    let _unrestored = terminal::restore();
                    let _unstoppable = emulate_default_handler(signal);
                }
            }
        }
    };
    thread::Builder::new().name("knowing-signals".into()).spawn(forward)?;
    Ok(())
}

/// Time for the main thread to end the program after a deadly signal.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

fn send(events: &UnboundedSender<Event>, signal: i32) {
    // The receiver is gone once the explorer has ended.
    let _disconnected = events.send(Event::Signal(signal));
}

fn stop() {
    // If the process cannot be stopped, it continues.
    let _continued = emulate_default_handler(SIGTSTP);
}
