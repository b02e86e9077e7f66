//! One stage of a connection test.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How a check stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(
    tag = "state",
    rename_all = "snake_case",
    rename_all_fields = "camelCase"
)]
#[ts(rename = "CheckVerdict")]
pub enum Verdict {
    /// Its turn has not come.
    Waiting,
    /// Under way.
    Running,
    /// As it should be.
    Passed,
    /// It works, but not well.
    Warned,
    /// It does not work.
    Failed,
    /// It could not be tried.
    Skipped {
        /// Key of the check that has to pass first.
        because: String,
    },
}

/// Something that was found out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename = "CheckFact")]
pub struct Fact {
    /// What it is, in one or two words (`API version`).
    pub name: String,
    /// What was found.
    pub value: String,
}

/// One stage of a connection test.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(rename = "ConnectionCheck")]
pub struct Check {
    /// Names it within its test (`socket`, `reachable`, `permission` …).
    pub key: String,
    /// What it looks at, as a short sentence.
    pub title: String,
    /// How it stands.
    pub verdict: Verdict,
    /// How long it took, milliseconds; absent until it ran.
    #[ts(type = "number | null")]
    pub duration_ms: Option<u64>,
    /// What was found, or the cause of the failure, in one sentence.
    pub detail: Option<String>,
    /// What was found out beside it.
    pub facts: Vec<Fact>,
    /// The next thing to do, when it warned or failed.
    pub hint: Option<String>,
}
