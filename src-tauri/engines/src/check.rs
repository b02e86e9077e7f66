//! Connection tests: the stages of one, and how they are run.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;
use ts_rs::TS;

use crate::EngineError;

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
    /// A command that does it, to be copied.
    pub command: Option<String>,
}

impl Check {
    /// One whose turn has not come.
    pub fn waiting(key: &str, title: &str) -> Self {
        Self {
            key: key.to_owned(),
            title: title.to_owned(),
            verdict: Verdict::Waiting,
            duration_ms: None,
            detail: None,
            facts: Vec::new(),
            hint: None,
            command: None,
        }
    }
}

/// What a check came to.
#[derive(Clone, Debug)]
pub struct Finding {
    verdict: Verdict,
    detail: String,
    facts: Vec<Fact>,
    hint: Option<String>,
    command: Option<String>,
}

impl Finding {
    /// As it should be.
    pub fn passed(detail: impl Into<String>) -> Self {
        Self::of(Verdict::Passed, detail)
    }

    /// It works, but not well.
    pub fn warned(detail: impl Into<String>) -> Self {
        Self::of(Verdict::Warned, detail)
    }

    /// It does not work.
    pub fn failed(detail: impl Into<String>) -> Self {
        Self::of(Verdict::Failed, detail)
    }

    /// It could not be told, since another check fails.
    pub fn skipped(because: &str) -> Self {
        let because = because.to_owned();
        Self::of(Verdict::Skipped { because }, "")
    }

    fn of(verdict: Verdict, detail: impl Into<String>) -> Self {
        Self {
            verdict,
            detail: detail.into(),
            facts: Vec::new(),
            hint: None,
            command: None,
        }
    }

    /// Adds something that was found out; nothing where it says nothing.
    #[must_use]
    pub fn fact(mut self, name: &str, value: impl Into<String>) -> Self {
        let value = value.into();
        if !value.is_empty() {
            self.facts.push(Fact {
                name: name.to_owned(),
                value,
            });
        }
        self
    }

    /// Adds the next thing to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds a command that does it.
    #[must_use]
    pub fn command(mut self, command: impl Into<String>) -> Self {
        self.command = Some(command.into());
        self
    }
}

/// A test as it runs: its checks one after the other, each told as it changes.
pub struct Ladder<'a> {
    checks: Vec<Check>,
    cancel: &'a CancellationToken,
    tell: &'a mut (dyn FnMut(&Check) + Send),
}

impl<'a> Ladder<'a> {
    /// Of checks that all wait; `tell` hears of each change to one of them.
    pub fn new(
        checks: Vec<Check>,
        cancel: &'a CancellationToken,
        tell: &'a mut (dyn FnMut(&Check) + Send),
    ) -> Self {
        Self {
            checks,
            cancel,
            tell,
        }
    }

    /// Runs one check: what it came to, and what later ones build on (nothing:
    /// they cannot be tried). After `limit` it came to `late`.
    ///
    /// # Errors
    /// [`EngineError::Cancelled`]. The check then stays *running*: nothing was
    /// found out.
    pub async fn run<T>(
        &mut self,
        key: &str,
        limit: Duration,
        late: Finding,
        work: impl Future<Output = (Finding, Option<T>)>,
    ) -> Result<Option<T>, EngineError> {
        self.change(key, |check| check.verdict = Verdict::Running);
        let began = Instant::now();
        let (finding, found) = tokio::select! {
            biased;
            () = self.cancel.cancelled() => return Err(EngineError::Cancelled),
            outcome = timeout(limit, work) => outcome.unwrap_or((late, None)),
        };
        let took = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.change(key, |check| {
            let skipped = matches!(finding.verdict, Verdict::Skipped { .. });
            check.duration_ms = (!skipped).then_some(took);
            check.verdict = finding.verdict;
            check.detail = Some(finding.detail).filter(|detail| !detail.is_empty());
            check.facts = finding.facts;
            check.hint = finding.hint;
            check.command = finding.command;
        });
        Ok(found)
    }

    /// Leaves out every check whose turn has not come.
    pub fn skip_rest(&mut self, because: &str) {
        let waiting: Vec<String> = self
            .checks
            .iter()
            .filter(|check| check.verdict == Verdict::Waiting)
            .map(|check| check.key.clone())
            .collect();
        for key in waiting {
            self.change(&key, |check| {
                check.verdict = Verdict::Skipped {
                    because: because.to_owned(),
                };
            });
        }
    }

    /// Whether no check failed, and at least one could tell that something is as it
    /// should be.
    pub fn passed(&self) -> bool {
        let any = |verdict| self.checks.iter().any(|check| check.verdict == verdict);
        any(Verdict::Passed) && !any(Verdict::Failed)
    }

    fn change(&mut self, key: &str, change: impl FnOnce(&mut Check)) {
        if let Some(check) = self.checks.iter_mut().find(|check| check.key == key) {
            change(check);
            (self.tell)(check);
        }
    }
}
