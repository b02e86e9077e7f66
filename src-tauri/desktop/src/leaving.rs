//! Closing the window. Environments that are ready keep running; an operation
//! under way would die half done, so the window asks and takes it back first. It
//! asks as well when a document has changes that are not saved.

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

/// Characters of a document's name in the question.
const LONGEST_NAME: usize = 120;

/// Where closing is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
pub(crate) struct Leaving {
    stage: Mutex<Stage>,
    /// The document in the window with changes that are not saved.
    unsaved: Mutex<Option<String>>,
}

impl Leaving {
    fn stage(&self) -> Stage {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn move_to(&self, stage: Stage) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = stage;
    }

    fn unsaved(&self) -> Option<String> {
        self.unsaved
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Closing now would lose the changes to the document of this name; `None`:
    /// nothing.
    pub(crate) fn note_unsaved(&self, name: Option<String>) {
        *self.unsaved.lock().unwrap_or_else(PoisonError::into_inner) = name;
    }
}

/// What closing the window would end.
#[derive(Clone, Debug, PartialEq, Eq)]
struct AtStake {
    operations: usize,
    unsaved: Option<String>,
}

#[derive(Debug, PartialEq, Eq)]
enum Answer {
    Close,
    Ask,
    /// The question is on the screen already.
    Wait,
}

fn answer(stage: Stage, at_stake: &AtStake) -> Answer {
    match stage {
        _ if at_stake.operations == 0 && at_stake.unsaved.is_none() => Answer::Close,
        Stage::Stopping => Answer::Close,
        Stage::Asking => Answer::Wait,
        Stage::Open => Answer::Ask,
    }
}

/// Whether the window may close now. If not, the question is asked, or is on
/// the screen already.
pub(crate) fn may_close(app: &AppHandle) -> bool {
    let leaving = app.state::<Leaving>();
    let at_stake = AtStake {
        operations: app.state::<Operations>().count(),
        unsaved: leaving.unsaved(),
    };
    match answer(leaving.stage(), &at_stake) {
        Answer::Close => true,
        Answer::Wait => false,
        Answer::Ask => {
            leaving.move_to(Stage::Asking);
            ask(app, &at_stake);
            false
        }
    }
}

fn ask(app: &AppHandle, at_stake: &AtStake) {
    let app = app.clone();
    let mut question = app
        .dialog()
        .message(question(at_stake))
        .title("Close Berth?")
        .kind(MessageDialogKind::Warning)
        .buttons(MessageDialogButtons::OkCancelCustom(
            if at_stake.operations > 0 {
                "Stop and close".to_owned()
            } else {
                "Close anyway".to_owned()
            },
            "Keep Berth open".to_owned(),
        ));
    if let Some(window) = app.webview_windows().values().next() {
        question = question.parent(window);
    }
    question.show(move |close| {
        if close {
            app.state::<Leaving>().move_to(Stage::Stopping);
            tauri::async_runtime::spawn(stop_and_exit(app, CLOSE_PATIENCE));
        } else {
            app.state::<Leaving>().move_to(Stage::Open);
        }
    });
}

fn question(at_stake: &AtStake) -> String {
    let unsaved = at_stake.unsaved.as_deref().map(|name| {
        format!(
            "“{}” has changes that are not saved. Closing loses them.",
            shown(name)
        )
    });
    let stopped = (at_stake.operations > 0).then(|| stops(at_stake.operations));
    [unsaved, stopped]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join("\n\n")
}

/// A name in one line of bearable length.
fn shown(name: &str) -> String {
    let mut characters = name.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut text: String = characters.by_ref().take(LONGEST_NAME).collect();
    if characters.next().is_some() {
        text.push('…');
    }
    text
}

fn stops(operations: usize) -> String {
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
    app.state::<Leaving>().move_to(Stage::Stopping);
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

    fn at_stake(operations: usize, unsaved: Option<&str>) -> AtStake {
        AtStake {
            operations,
            unsaved: unsaved.map(str::to_owned),
        }
    }

    #[test]
    fn only_what_would_be_lost_is_asked_about() {
        for stage in [Stage::Open, Stage::Asking, Stage::Stopping] {
            assert_eq!(answer(stage, &at_stake(0, None)), Answer::Close);
        }
        for lost in [at_stake(1, None), at_stake(0, Some("Acme previews"))] {
            assert_eq!(answer(Stage::Open, &lost), Answer::Ask);
            assert_eq!(answer(Stage::Asking, &lost), Answer::Wait);
            assert_eq!(answer(Stage::Stopping, &lost), Answer::Close);
        }
    }

    #[test]
    fn what_the_page_says_last_counts() {
        let leaving = Leaving::default();
        leaving.note_unsaved(Some("Acme".to_owned()));
        leaving.note_unsaved(Some("Acme previews".to_owned()));
        assert_eq!(leaving.unsaved().as_deref(), Some("Acme previews"));
        leaving.note_unsaved(None);
        assert_eq!(leaving.unsaved(), None);
    }

    #[test]
    fn the_question_counts() {
        assert!(question(&at_stake(1, None)).starts_with("One environment is"));
        assert!(question(&at_stake(3, None)).starts_with("3 environments are"));
        assert!(
            question(&at_stake(3, None)).ends_with("Environments that are ready keep running.")
        );
    }

    #[test]
    fn the_question_names_the_document() {
        assert_eq!(
            question(&at_stake(0, Some("Acme\npreviews"))),
            "“Acme previews” has changes that are not saved. Closing loses them."
        );
        let both = question(&at_stake(1, Some("Acme")));
        assert!(both.starts_with("“Acme” has changes"));
        assert!(both.contains("One environment is"));
        let long = question(&at_stake(0, Some(&"é".repeat(5_000))));
        assert!(long.contains("é…”") && long.chars().count() < 200);
    }
}
