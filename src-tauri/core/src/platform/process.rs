//! Programs that are started and ended.

use tokio::process::{Child, Command};

/// Lets a program start a process group of its own: Ctrl-C in the terminal then
/// reaches Berth only, which ends the program in order.
#[cfg(unix)]
pub(crate) fn in_own_group(command: &mut Command) {
    command.process_group(0);
}

/// Nothing: there are no process groups.
#[cfg(not(unix))]
pub(crate) fn in_own_group(_command: &mut Command) {}

/// Asks a program of [`in_own_group`], and all it started, to end.
#[cfg(unix)]
pub(crate) fn ask_to_end(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};

    let group = child
        .id()
        .and_then(|id| i32::try_from(id).ok())
        .and_then(Pid::from_raw);
    if let Some(group) = group {
        // Failing means that it is gone.
        let _ = kill_process_group(group, Signal::TERM);
    }
}

/// Nothing: there is no signal that asks.
#[cfg(not(unix))]
pub(crate) fn ask_to_end(_child: &Child) {}
