//! Taking an environment away.

use berth_contracts::EnvironmentStatus;
use berth_engines::docker::{Docker, Scope};
use berth_engines::{Reporter, StepKind, StepState};

use super::operation::{Ending, Operation};
use super::take_back::interrupted;
use super::{Running, waiting};
use crate::Berth;
use crate::problem::{Code, Problem};
use crate::source::NotRemoved;
use crate::store::{environments, inventory, operations};
use crate::view::{Actor, Environment, OperationKind, OperationState};

/// The step that removes the checkout.
const CHECKOUT: &str = "checkout";

impl Berth {
    /// Takes an environment away completely.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`], [`crate::Code::Busy`].
    pub async fn tear_down(&self, environment_id: &str) -> Result<Running, Problem> {
        self.tear_down_as(environment_id, self.actor()).await
    }

    /// Takes an environment away, as `actor` wants it.
    pub(crate) async fn tear_down_as(
        &self,
        environment_id: &str,
        actor: Actor,
    ) -> Result<Running, Problem> {
        let lock = self.lock(environment_id, OperationKind::Down)?;
        let environment = self.record(environment_id).await?;
        if environment.torn_down_at.is_some() {
            return Err(super::already_gone(&environment));
        }
        let now = self.now();
        // Extended at the last moment: it stays.
        if actor == Actor::Berth && environment.identity.expires_at.is_none_or(|end| end > now) {
            return Err(Problem::new(Code::Busy, "Its end was moved"));
        }
        let id = environment.id.clone();
        let status = match actor {
            Actor::Berth => EnvironmentStatus::Expired,
            Actor::Window | Actor::CommandLine => EnvironmentStatus::TearingDown,
        };
        let operation_id = self
            .store()
            .write_durably(move |tx| {
                // What a dead process left half-made goes with the rest.
                if let Some(dead) = operations::unfinished_of(tx, &id)? {
                    let problem = interrupted();
                    operations::finish(
                        tx,
                        now,
                        &dead.id,
                        OperationState::Interrupted,
                        Some(&problem),
                    )?;
                }
                environments::set_status(tx, now, &id, status, None)?;
                operations::start(tx, now, &id, OperationKind::Down, actor)
            })
            .await?;
        let operation = Operation::new(
            self,
            environment,
            operation_id,
            OperationKind::Down,
            actor,
            lock,
        );
        Ok(Running {
            environment_id: operation.environment.id.clone(),
            operation_id: operation.id.clone(),
            finished: tokio::spawn(tear_down(operation)),
        })
    }
}

async fn tear_down(operation: Operation) -> Result<Environment, Problem> {
    let (recorder, recording) = operation.record();
    let outcome = take_away(&operation, &recorder).await;
    drop(recorder);
    recording.finished().await;
    let ending = match outcome {
        Ok(()) => Ending::Gone(None),
        Err(problem) => Ending::Failed {
            problem,
            parts: Vec::new(),
        },
    };
    operation.end(ending).await
}

/// Removes everything that carries the environment's label, then its checkout.
pub(super) async fn take_away(
    operation: &Operation,
    reporter: &dyn Reporter,
) -> Result<(), Problem> {
    // As it is now: the operation may have made a checkout since it began.
    let environment = operation.berth.record(&operation.environment.id).await?;
    let id = environment.id.clone();
    let may_hold = operation
        .berth
        .store()
        .read(move |connection| inventory::list(connection, &id))
        .await?;
    // An environment that never got as far as the engine can go without it.
    let docker = if may_hold.is_empty() {
        None
    } else {
        let docker = operation.engine().await?;
        docker
            .remove(&Scope::Environment(environment.id.clone()), reporter)
            .await?;
        Some(docker)
    };
    if environment.checkout.is_some() {
        reporter.expect(vec![waiting(CHECKOUT, StepKind::RemoveCheckout)]);
        reporter.step(CHECKOUT, StepState::Running, None, None);
        let removed = remove_checkout(operation, docker.as_ref()).await;
        let state = if removed.is_ok() {
            StepState::Done
        } else {
            StepState::Failed
        };
        reporter.step(CHECKOUT, state, None, None);
        removed?;
    }
    Ok(())
}

async fn remove_checkout(operation: &Operation, docker: Option<&Docker>) -> Result<(), Problem> {
    let sources = operation.berth.sources();
    let id = &operation.environment.id;
    match sources.remove_checkout(id).await {
        // Containers wrote as root what this user may not remove: the engine may.
        Err(NotRemoved::ForeignFiles { checkout, .. }) => {
            let docker = match docker {
                Some(docker) => docker.clone(),
                None => operation.engine().await?,
            };
            docker.erase_folder(id, &checkout).await?;
            Ok(sources.remove_checkout(id).await?)
        }
        other => Ok(other?),
    }
}
