//! What a dead process left half-made is taken back.
//!
//! An operation that is recorded as running while its environment's lock is free
//! belongs to a process that died. Whoever then holds the lock ends it: what a
//! cut-off `up` made is removed and the environment reads `failed: interrupted`;
//! a cut-off removal is completed. Until that is done the operation stays
//! unfinished, so a process that dies while taking back changes nothing.

use berth_contracts::EnvironmentStatus;
use berth_engines::docker::Scope;
use berth_engines::{Reporter, StepKind, StepState};

use super::operation::{Ending, Operation};
use super::{tear_down, waiting};
use crate::Berth;
use crate::lock::EnvironmentLock;
use crate::problem::{Code, Problem};
use crate::store::operations::{self, Unfinished};
use crate::store::{environments, inventory};
use crate::view::{Actor, OperationKind};

/// The step of a take-back.
const STEP: &str = "take-back";

impl Berth {
    /// Ends what a dead process left unfinished on an environment whose lock is
    /// held.
    ///
    /// # Errors
    /// What stood in the way; the operation then stays unfinished, for the next
    /// one who holds the lock.
    pub(super) async fn take_back_unfinished(
        &self,
        environment_id: &str,
        lock: EnvironmentLock,
    ) -> Result<EnvironmentLock, Problem> {
        let id = environment_id.to_owned();
        let unfinished = self
            .store()
            .read(move |connection| operations::unfinished_of(connection, &id))
            .await?;
        match unfinished {
            Some(unfinished) => Box::pin(self.take_back(unfinished, lock)).await,
            None => Ok(lock),
        }
    }

    /// Ends what a dead process left unfinished on an environment, if that is so.
    ///
    /// # Errors
    /// [`Code::Busy`] when its process lives; what stood in the way.
    pub(crate) async fn take_back_if_dead(&self, environment_id: &str) -> Result<(), Problem> {
        let lock = self.lock(environment_id, OperationKind::Up)?;
        self.take_back_unfinished(environment_id, lock)
            .await
            .map(drop)
    }

    async fn take_back(
        &self,
        unfinished: Unfinished,
        lock: EnvironmentLock,
    ) -> Result<EnvironmentLock, Problem> {
        let environment = self.record(&unfinished.environment_id).await?;
        let operation = Operation::new(
            self,
            environment,
            unfinished.id,
            unfinished.kind,
            Actor::Berth,
            lock,
        );
        let (recorder, recording) = operation.record();
        recorder.expect(vec![waiting(STEP, StepKind::TakeBack)]);
        recorder.step(STEP, StepState::Running, None, None);
        let removed = match operation.kind {
            OperationKind::Up => remove_made(&operation, &recorder).await,
            OperationKind::Down => tear_down::take_away(&operation, &recorder).await,
        };
        let state = if removed.is_ok() {
            StepState::Done
        } else {
            StepState::Failed
        };
        recorder.step(STEP, state, None, None);
        drop(recorder);
        recording.finished().await;
        match removed {
            Ok(()) => {
                let ending = match operation.kind {
                    OperationKind::Up => Ending::Failed {
                        problem: interrupted(),
                        parts: Vec::new(),
                    },
                    OperationKind::Down => Ending::Gone(None),
                };
                let (_, lock) = operation.end_and_keep_lock(ending).await?;
                Ok(lock)
            }
            Err(problem) => {
                let now = self.now();
                let id = operation.environment.id.clone();
                let told = interrupted()
                    .detail("What it had made is still there: it could not be taken back yet.")
                    .hint(problem.hint.clone().unwrap_or_else(|| "Retry.".to_owned()))
                    .caused_by(&problem);
                self.store()
                    .write(move |tx| {
                        environments::set_status(
                            tx,
                            now,
                            &id,
                            EnvironmentStatus::Failed,
                            Some(&told),
                        )
                    })
                    .await?;
                operation.leave_unfinished();
                Err(problem)
            }
        }
    }
}

/// Removes what a cut-off `up` made. What stood before it stays.
async fn remove_made(operation: &Operation, reporter: &dyn Reporter) -> Result<(), Problem> {
    let id = operation.environment.id.clone();
    let may_hold = operation
        .berth
        .store()
        .read(move |connection| inventory::list(connection, &id))
        .await?;
    if may_hold.is_empty() {
        return Ok(());
    }
    let docker = operation.engine().await?;
    let scope = Scope::Operation(operation.environment.id.clone(), operation.id.clone());
    docker.remove(&scope, reporter).await?;
    Ok(())
}

pub(super) fn interrupted() -> Problem {
    Problem::new(
        Code::Interrupted,
        "Interrupted: Berth was stopped in the middle",
    )
    .detail("What had been made was taken back.")
    .hint("Retry to bring it up again, or tear it down.")
    .retryable()
}
