//! Environments: brought up, extended, looked at, taken away.

mod behind;
mod bring_up;
mod cancel;
mod extend;
mod find;
mod handling;
mod logs;
mod operation;
mod read;
mod recorder;
mod take_back;
mod tear_down;
mod up;

use berth_engines::{Step, StepKind, StepState};
use tokio::task::JoinHandle;

use crate::Berth;
use crate::lock::EnvironmentLock;
use crate::problem::{Code, Problem};
use crate::store::environments::{self, Record};
use crate::view::{Environment, OperationKind};

/// An operation under way in this process.
pub struct Running {
    /// The environment, already recorded.
    pub environment_id: String,
    /// The operation, already recorded.
    pub operation_id: String,
    /// Its end. The environment as it then is, or why it failed.
    pub finished: JoinHandle<Result<Environment, Problem>>,
}

impl Running {
    /// Waits for its end.
    ///
    /// # Errors
    /// Why it failed.
    pub async fn finish(self) -> Result<Environment, Problem> {
        match self.finished.await {
            Ok(result) => result,
            Err(error) => Err(Problem::internal(error.to_string())),
        }
    }
}

impl Berth {
    /// An environment as it is recorded.
    pub(crate) async fn record(&self, id: &str) -> Result<Record, Problem> {
        let id = id.to_owned();
        Ok(self
            .store()
            .read(move |connection| environments::get(connection, &id))
            .await?)
    }

    /// Takes an environment's lock for an operation.
    pub(crate) fn lock(
        &self,
        environment_id: &str,
        kind: OperationKind,
    ) -> Result<EnvironmentLock, Problem> {
        EnvironmentLock::take(self.data(), environment_id, kind)
    }
}

/// A step that has not begun.
fn waiting(key: &str, kind: StepKind) -> Step {
    Step {
        key: key.to_owned(),
        kind,
        state: StepState::Waiting,
        detail: None,
        progress: None,
        started_at: None,
        finished_at: None,
    }
}

fn already_gone(environment: &Record) -> Problem {
    let name = &environment.identity.name;
    Problem::new(Code::NotFound, format!("{name} is torn down already"))
        .hint("berth ls shows what is there.")
}
