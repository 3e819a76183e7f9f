//! The thread that receives signals.

use std::io;
use std::thread;
use std::time::Duration;

use signal_hook::consts::{
    SIGABRT, SIGALRM, SIGCONT, SIGHUP, SIGINT, SIGIO, SIGPROF, SIGQUIT, SIGSYS, SIGTERM, SIGTRAP, SIGTSTP, SIGUSR1,
    SIGUSR2, SIGVTALRM, SIGWINCH, SIGXCPU, SIGXFSZ,
};
use signal_hook::iterator::SignalsInfo;
use signal_hook::iterator::exfiltrator::WithOrigin;
use signal_hook::iterator::exfiltrator::origin::Origin;
use signal_hook::low_level::emulate_default_handler;
use signal_hook::low_level::siginfo::Cause;
use tokio::sync::mpsc::UnboundedSender;

use crate::tui::action::Event;
use crate::tui::terminal;

/// The signals with a meaning, and those whose default ends the program. Not among them are faults of the program itself
/// (`SIGSEGV`, `SIGBUS`, `SIGILL`, `SIGFPE`), after which no code may run, and `SIGPIPE`, which Rust ignores.
const HANDLED: [i32; 18] = [
    SIGTSTP, SIGCONT, SIGUSR1, SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGALRM, SIGIO, SIGPROF, SIGSYS,
    SIGTRAP, SIGUSR2, SIGVTALRM, SIGXCPU, SIGXFSZ,
];
/// The exit code of a shell for a program that a signal ended, less the signal's number.
const SIGNAL_EXIT: i32 = 128;

/// Returns the deadly signals that only Linux has: two of old hardware, and the real-time ones that programs may use.
#[cfg(target_os = "linux")]
fn of_linux() -> impl Iterator<Item = i32> {
    use rustix::process::Signal;
    // The C library keeps the first two or three of them.
    let first = if cfg!(target_env = "musl") { 35 } else { 34 };
    [Signal::STKFLT, Signal::POWER].map(Signal::as_raw).into_iter().chain(first..=64)
}

#[cfg(not(target_os = "linux"))]
fn of_linux() -> impl Iterator<Item = i32> {
    std::iter::empty()
}

/// Ends the program as a signal would.
pub fn end_by(signal: i32) -> ! {
    // It returns for signals whose default it does not know.
    let _unknown = emulate_default_handler(signal);
    std::process::exit(SIGNAL_EXIT + signal)
}

/// Starts the thread that forwards signals to the main thread. If a deadly signal does not end the program in time, the
/// thread ends it.
///
/// # Errors
/// When the handlers cannot be installed or the thread cannot be started.
pub fn watch_signals(events: UnboundedSender<Event>) -> io::Result<()> {
    let mut signals = SignalsInfo::<WithOrigin>::new(HANDLED.into_iter().chain(of_linux()))?;
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
                    end_by(signal);
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
