//! What differs between operating systems. Only Linux is tested.

/// Says why no window can be opened in these surroundings.
///
/// On Linux the toolkit would panic later; on macOS and Windows (untested)
/// there is always a display to try.
#[cfg(target_os = "linux")]
pub(crate) fn display_trouble() -> Option<String> {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !set("DISPLAY") && !set("WAYLAND_DISPLAY") {
        return Some("there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set)".to_owned());
    }
    gtk::init()
        .err()
        .map(|_| "the display does not answer (see DISPLAY and WAYLAND_DISPLAY)".to_owned())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn display_trouble() -> Option<String> {
    None
}

/// Requests from outside to end the program: Ctrl-C in its terminal, and on
/// Unix the end of the session.
pub(crate) struct EndRequests {
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
}

impl EndRequests {
    /// Starts to listen; from now on such a request no longer kills the process.
    ///
    /// # Errors
    /// When the system lets nobody listen.
    #[cfg(unix)]
    pub(crate) fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Waits for the next request.
    #[cfg(unix)]
    pub(crate) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }

    /// Starts to listen.
    #[cfg(not(unix))]
    pub(crate) fn listen() -> std::io::Result<Self> {
        Ok(Self {})
    }

    /// Waits for the next request.
    #[cfg(not(unix))]
    pub(crate) async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
