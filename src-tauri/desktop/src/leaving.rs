//! Closing the window. Environments that are ready keep running; an operation
//! under way would die half done, so the window asks and takes it back first.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tauri::{AppHandle, Manager};
use tauri_plugin_dialog::{DialogExt, MessageDialogButtons, MessageDialogKind};

use crate::opened::Opened;
use crate::operations::Operations;
use crate::platform;

/// How long taking back may take after the user chose to close.
const CLOSE_PATIENCE: Duration = Duration::from_secs(120);

/// How long it may take when the session or a terminal ends the program.
const TOLD_PATIENCE: Duration = Duration::from_secs(10);

/// Where closing is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Open,
    /// The question is on the screen.
    Asking,
    /// Operations are being taken back; closing again leaves at once.
    Stopping,
}

/// How far the window is on its way out.
#[derive(Default)]
pub(crate) struct Leaving(Mutex<Stage>);

impl Leaving {
    /// Moves on; returns where it was.
    fn replace(&self, stage: Stage) -> Stage {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *current, stage)
    }
}

/// Whether the window may close now. If not, the question is asked, or is on
/// the screen already.
pub(crate) fn may_close(app: &AppHandle) -> bool {
    let operations = app.state::<Operations>().count();
    if operations == 0 {
        return true;
    }
    match app.state::<Leaving>().replace(Stage::Asking) {
        Stage::Stopping => true,
        Stage::Asking => false,
        Stage::Open => {
            ask(app, operations);
            false
        }
    }
}

fn ask(app: &AppHandle, operations: usize) {
    let app = app.clone();
    let mut question = app
        .dialog()
        .message(question(operations))
        .title("Close Berth?")
        .kind(MessageDialogKind::Warning)
        .buttons(MessageDialogButtons::OkCancelCustom(
            "Stop and close".to_owned(),
            "Keep Berth open".to_owned(),
        ));
    if let Some(window) = app.webview_windows().values().next() {
        question = question.parent(window);
    }
    question.show(move |close| {
        if close {
            app.state::<Leaving>().replace(Stage::Stopping);
            tauri::async_runtime::spawn(stop_and_exit(app, CLOSE_PATIENCE));
        } else {
            app.state::<Leaving>().replace(Stage::Open);
        }
    });
}

fn question(operations: usize) -> String {
    let what = match operations {
        1 => "One environment is being worked on. Closing stops that and takes back what was made \
              so far."
            .to_owned(),
        count => format!(
            "{count} environments are being worked on. Closing stops that and takes back what was \
             made so far."
        ),
    };
    format!("{what}\n\nEnvironments that are ready keep running.")
}

/// Ends Berth when the terminal or the session asks for it: takes back first,
/// at once on a second request.
pub(crate) async fn when_told(app: AppHandle) {
    let Ok(mut requests) = platform::EndRequests::listen() else {
        // Without it the process is ended as it stands, and the next start takes back.
        return;
    };
    requests.next().await;
    app.state::<Leaving>().replace(Stage::Stopping);
    tokio::select! {
        () = stop_and_exit(app.clone(), TOLD_PATIENCE) => {}
        () = requests.next() => app.exit(0),
    }
}

async fn stop_and_exit(app: AppHandle, patience: Duration) {
    let operations = app.state::<Operations>().inner().clone();
    let opened = app.state::<Opened>().inner().clone();
    if operations.count() > 0
        && let Ok(berth) = opened.berth().await
    {
        operations.stop(&berth, patience).await;
    }
    app.exit(0);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_counts() {
        assert!(question(1).starts_with("One environment is"));
        assert!(question(3).starts_with("3 environments are"));
        assert!(question(3).ends_with("Environments that are ready keep running."));
    }
}
