//! Berth, opened behind the window.

use std::sync::Arc;

use berth_core::{Berth, Problem};
use tokio::sync::SetOnce;

/// The window comes first, Berth opens behind it; whoever asks waits.
#[derive(Clone, Default)]
pub(crate) struct Opened(Arc<SetOnce<Result<Berth, Problem>>>);

impl Opened {
    /// Sets the outcome. Only the first one counts.
    pub(crate) fn set(&self, outcome: Result<Berth, Problem>) {
        // A second outcome cannot be: one task opens Berth, once.
        let _ = self.0.set(outcome);
    }

    /// Berth, as soon as it is open.
    ///
    /// # Errors
    /// Why it could not be opened.
    pub(crate) async fn berth(&self) -> Result<Berth, Problem> {
        self.0.wait().await.clone()
    }
}
