//! What differs between operating systems: being asked to stop (Ctrl-C, and
//! where there are signals SIGTERM), and processes that outlive this one. Only
//! Linux is tested.

use std::io;

use tokio::process::Command;
#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Requests to stop, from when it is made on; before, they end the process.
pub(crate) struct Stop {
    #[cfg(unix)]
    interrupt: Signal,
    #[cfg(unix)]
    terminate: Signal,
}

impl Stop {
    /// Takes over the process's handling of these requests.
    pub(crate) fn listen() -> io::Result<Self> {
        Ok(Self {
            #[cfg(unix)]
            interrupt: signal(SignalKind::interrupt())?,
            #[cfg(unix)]
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// The next request. Cancel-safe.
    #[cfg(unix)]
    pub(crate) async fn requested(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    /// The next request. Cancel-safe.
    #[cfg(not(unix))]
    pub(crate) async fn requested(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Makes a process live on when this one, or its terminal's Ctrl-C, ends.
pub(crate) fn outlive(command: &mut Command) {
    #[cfg(unix)]
    command.process_group(0);
    #[cfg(windows)]
    {
        const DETACHED_PROCESS: u32 = 0x0000_0008;
        const CREATE_NEW_PROCESS_GROUP: u32 = 0x0000_0200;
        command.creation_flags(DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP);
    }
}
