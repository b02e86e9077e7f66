//! What differs between operating systems: being asked to stop (Ctrl-C, and
//! where there are signals SIGTERM), a reader that leaves, the terminal's mode,
//! files that only their owner may read, and processes that outlive this one. Only
//! Linux is tested.

use std::fs::File;
use std::io::{self, Read as _};
#[cfg(unix)]
use std::os::fd::AsFd;
use std::path::Path;

#[cfg(unix)]
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

#[cfg(unix)]
use tokio::io::Interest;
#[cfg(unix)]
use tokio::net::unix::pipe::Sender;
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

/// Returns when nobody reads from `output` any more; where that cannot be
/// watched (a file), never. A write would notice too, but following may have
/// nothing to write for hours.
#[cfg(unix)]
pub(crate) async fn reader_left(output: impl AsFd) {
    // Unchecked: the check would also make `output` non-blocking, for every
    // process that shares it.
    let watched = output
        .as_fd()
        .try_clone_to_owned()
        .and_then(Sender::from_owned_fd_unchecked);
    if let Ok(watched) = watched
        && watched.ready(Interest::ERROR).await.is_ok()
    {
        return;
    }
    std::future::pending().await
}

/// Nobody reads from `output` any more: not watched on this platform.
#[cfg(not(unix))]
pub(crate) async fn reader_left<T>(_output: T) {
    std::future::pending().await
}

/// Whether this process has a terminal that somebody can be asked on.
#[cfg(unix)]
pub(crate) fn has_terminal() -> bool {
    File::open("/dev/tty").is_ok()
}

/// Whether this process has a terminal that somebody can be asked on.
#[cfg(not(unix))]
pub(crate) fn has_terminal() -> bool {
    use std::io::IsTerminal as _;
    io::stdin().is_terminal()
}

/// A terminal that shows nothing of what is typed, until this is dropped.
pub(crate) struct Hidden {
    #[cfg(unix)]
    terminal: File,
    #[cfg(unix)]
    shown: Termios,
}

impl Hidden {
    /// From now on, before a question is asked: what is typed ahead is not shown
    /// either.
    #[cfg(unix)]
    pub(crate) fn begin() -> io::Result<Self> {
        let terminal = File::open("/dev/tty")?;
        let mode = tcgetattr(&terminal)?;
        let mut hidden = mode.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        tcsetattr(&terminal, OptionalActions::Now, &hidden)?;
        Ok(Self {
            terminal,
            shown: mode,
        })
    }

    /// There the prompt itself hides what is typed.
    #[cfg(not(unix))]
    pub(crate) fn begin() -> io::Result<Self> {
        Ok(Self {})
    }
}

#[cfg(unix)]
impl Drop for Hidden {
    fn drop(&mut self) {
        // A terminal that is gone shows nothing.
        let _ = tcsetattr(&self.terminal, OptionalActions::Now, &self.shown);
    }
}

/// The text of a small file; `None`: others than its owner may read it. Pipes and
/// the like are nobody else's.
pub(crate) fn read_private(path: &Path) -> io::Result<Option<String>> {
    const MOST: u64 = 64 * 1024;
    let file = File::open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let about = file.metadata()?;
        if about.is_file() && about.mode() & 0o077 != 0 {
            return Ok(None);
        }
    }
    let mut text = String::new();
    file.take(MOST).read_to_string(&mut text)?;
    Ok(Some(text))
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

#[cfg(all(test, unix))]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_reader_that_leaves_is_noticed() {
        let (reader, writer) = io::pipe().unwrap();
        let mut left = std::pin::pin!(reader_left(writer));
        let early = tokio::time::timeout(Duration::from_millis(20), left.as_mut()).await;
        assert!(early.is_err(), "it is still there");
        drop(reader);
        tokio::time::timeout(Duration::from_secs(10), left)
            .await
            .unwrap();
    }

    #[tokio::test]
    async fn a_file_has_no_reader_to_leave() {
        let file = tempfile::tempfile().unwrap();
        let left = tokio::time::timeout(Duration::from_millis(20), reader_left(file)).await;
        assert!(left.is_err());
    }
}
