//! What was done, as it is kept and shown.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::Actor;

/// One line of the activity.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct Activity {
    /// Its id.
    #[ts(type = "number")]
    pub id: i64,
    /// When.
    #[ts(type = "number")]
    pub at: i64,
    /// What was done.
    pub verb: ActivityVerb,
    /// Whether it worked.
    pub outcome: Outcome,
    /// The environment.
    pub environment_id: Option<String>,
    /// Its name then.
    pub environment_name: Option<String>,
    /// The service's name then.
    pub service_name: Option<String>,
    /// Where (`Local Docker`).
    pub engine_label: Option<String>,
    /// Who asked.
    pub actor: Actor,
    /// How long it took, milliseconds.
    #[ts(type = "number | null")]
    pub duration_ms: Option<i64>,
    /// Beyond the verb; for failures the problem's title.
    pub detail: Option<String>,
}

/// A place in the activity: the line that a page ended with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct ActivityPlace {
    /// When it was.
    #[ts(type = "number")]
    pub at: i64,
    /// Its id: tells lines of one millisecond apart.
    #[ts(type = "number")]
    pub id: i64,
}

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ActivityVerb {
    /// A service was added.
    ServiceAdded,
    /// How a service is provisioned was changed.
    ServiceChanged,
    /// A service was removed.
    ServiceRemoved,
    /// An environment was brought up.
    Up,
    /// An environment was torn down.
    Down,
    /// Its time was changed.
    Extended,
    /// Its time was over.
    Expired,
    /// A cut-off operation was taken back.
    TakenBack,
    /// A handler was registered or changed.
    HandlerSet,
    /// A handler was removed.
    HandlerRemoved,
    /// Secrets of a handler were changed.
    SecretsChanged,
    /// An override was made or changed.
    OverrideSet,
    /// An override was switched on.
    OverrideOn,
    /// An override was switched off.
    OverrideOff,
    /// An override was removed.
    OverrideRemoved,
    /// A workspace file was imported.
    Imported,
}

/// How it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It worked.
    Success,
    /// It did not.
    Failure,
    /// It was stopped on request.
    Cancelled,
}
