//! What every operation on an environment shares: it is written down before
//! anything happens, holds the environment's lock while it runs, and ends in one
//! transaction.

use berth_contracts::EnvironmentStatus;
use berth_engines::docker::{Address, Docker, Endpoint, Part};
use tokio_util::sync::CancellationToken;

use super::recorder::{Recorder, Recording};
use crate::Berth;
use crate::lock::EnvironmentLock;
use crate::problem::{Code, Problem};
use crate::redaction::Redaction;
use crate::store::environments::{self, Record};
use crate::store::inventory::{self, Presence};
use crate::store::{activity, addresses, operations, snapshot};
use crate::view::{
    Activity, ActivityVerb, Actor, Environment, OperationKind, OperationState, Outcome,
};

/// An operation of this process. The environment's lock is held until it is
/// dropped.
pub(super) struct Operation {
    pub(super) berth: Berth,
    /// The environment as it was when the operation began.
    pub(super) environment: Record,
    pub(super) id: String,
    pub(super) kind: OperationKind,
    pub(super) actor: Actor,
    pub(super) cancel: CancellationToken,
    /// What it has learned and must not tell.
    pub(super) redaction: Redaction,
    started_at: i64,
    lock: EnvironmentLock,
}

/// How an operation ended.
pub(super) enum Ending {
    /// The environment is up.
    Ready {
        addresses: Vec<Address>,
        parts: Vec<Part>,
    },
    /// Nothing of the environment is left, which was seen. With a problem: since
    /// bringing it up was cancelled.
    Gone(Option<Problem>),
    /// It failed or was cancelled, and something worth keeping is left.
    Failed { problem: Problem, parts: Vec<Part> },
}

impl Operation {
    /// Takes up an operation that was just written down. `lock` is the
    /// environment's.
    pub(super) fn new(
        berth: &Berth,
        environment: Record,
        id: String,
        kind: OperationKind,
        actor: Actor,
        lock: EnvironmentLock,
    ) -> Self {
        let cancel = CancellationToken::new();
        berth.performs(&environment.id, cancel.clone());
        Self {
            berth: berth.clone(),
            environment,
            id,
            kind,
            actor,
            cancel,
            redaction: Redaction::default(),
            started_at: berth.now(),
            lock,
        }
    }

    /// Starts to write its steps down.
    pub(super) fn record(&self) -> (Recorder, Recording) {
        Recorder::start(
            self.berth.store().clone(),
            self.berth.clock().clone(),
            self.id.clone(),
            self.redaction.clone(),
        )
    }

    /// A connection to the engine that the environment was made on.
    pub(super) async fn engine(&self) -> Result<Docker, Problem> {
        engine_of(&self.environment).await
    }

    /// Writes down how it ended, and lets go of the environment. Gives back how
    /// the environment then is, or the problem it ended with.
    pub(super) async fn end(self, ending: Ending) -> Result<Environment, Problem> {
        let ending = ending.without(&self.redaction);
        let problem = ending.problem().cloned();
        let gone = matches!(ending, Ending::Gone(_));
        let berth = self.berth.clone();
        let (environment, lock) = self.end_and_keep_lock(ending).await?;
        if gone {
            // Its id is never given again: nobody will ask for this lock.
            lock.remove()?;
            // Its secrets, which nothing names any more.
            berth.remove_unreferenced_bundles().await;
        }
        match problem {
            Some(problem) => Err(problem),
            None => Ok(environment),
        }
    }

    /// Writes down how it ended, and keeps the environment's lock.
    pub(super) async fn end_and_keep_lock(
        self,
        ending: Ending,
    ) -> Result<(Environment, EnvironmentLock), Problem> {
        let ending = ending.without(&self.redaction);
        let now = self.berth.now();
        let line = self.activity(&ending, now);
        let state = ending.state();
        let (environment_id, operation_id) = (self.environment.id.clone(), self.id.clone());
        let environment = self
            .berth
            .store()
            .write(move |tx| {
                let id = &environment_id;
                match &ending {
                    Ending::Ready { addresses, parts } => {
                        environments::set_ready(tx, now, id)?;
                        addresses::replace(tx, now, id, addresses)?;
                        environments::set_parts(tx, now, id, parts)?;
                        inventory::set_all(tx, id, Some(&operation_id), Presence::Made)?;
                    }
                    Ending::Gone(_) => environments::set_torn_down(tx, now, id)?,
                    Ending::Failed { problem, parts } => {
                        environments::set_status(
                            tx,
                            now,
                            id,
                            EnvironmentStatus::Failed,
                            Some(problem),
                        )?;
                        environments::set_parts(tx, now, id, parts)?;
                        if problem.code == Code::Cancelled || problem.code == Code::Interrupted {
                            inventory::set_all(tx, id, Some(&operation_id), Presence::Gone)?;
                        }
                    }
                }
                operations::finish(tx, now, &operation_id, state, ending.problem())?;
                activity::append(tx, &line)?;
                snapshot::environment(tx, id)
            })
            .await;
        self.berth.performed(&self.environment.id);
        Ok((environment?, self.lock))
    }

    /// Lets go of the environment with the operation still unfinished: the next
    /// holder of the lock takes it back.
    pub(super) fn leave_unfinished(self) {
        self.berth.performed(&self.environment.id);
    }

    fn activity(&self, ending: &Ending, at: i64) -> Activity {
        let outcome = match ending.state() {
            OperationState::Cancelled => Outcome::Cancelled,
            OperationState::Failed => Outcome::Failure,
            OperationState::Done | OperationState::Interrupted | OperationState::Running => {
                Outcome::Success
            }
        };
        let taken_back = ending.state() == OperationState::Interrupted;
        Activity {
            id: 0,
            at,
            verb: match (self.kind, self.actor) {
                _ if taken_back => ActivityVerb::TakenBack,
                (OperationKind::Up, _) => ActivityVerb::Up,
                (OperationKind::Down, Actor::Berth) => ActivityVerb::Expired,
                (OperationKind::Down, _) => ActivityVerb::Down,
            },
            outcome,
            environment_id: Some(self.environment.id.clone()),
            environment_name: Some(self.environment.identity.name.clone()),
            service_name: Some(self.environment.identity.service_name.clone()),
            engine_label: Some(self.environment.identity.engine.label.clone()),
            actor: self.actor,
            duration_ms: Some(at - self.started_at),
            detail: ending.problem().map(|problem| problem.title.clone()),
        }
    }
}

impl Ending {
    /// The same, saying nothing that `redaction` knows.
    fn without(self, redaction: &Redaction) -> Self {
        match self {
            Self::Ready { .. } | Self::Gone(None) => self,
            Self::Gone(Some(problem)) => Self::Gone(Some(redaction.problem(problem))),
            Self::Failed { problem, parts } => Self::Failed {
                problem: redaction.problem(problem),
                parts,
            },
        }
    }

    fn problem(&self) -> Option<&Problem> {
        match self {
            Self::Ready { .. } | Self::Gone(None) => None,
            Self::Gone(Some(problem)) | Self::Failed { problem, .. } => Some(problem),
        }
    }

    fn state(&self) -> OperationState {
        match self.problem().map(|problem| problem.code) {
            None => OperationState::Done,
            Some(Code::Cancelled) => OperationState::Cancelled,
            Some(Code::Interrupted) => OperationState::Interrupted,
            Some(_) => OperationState::Failed,
        }
    }
}

/// A connection to the engine that an environment was made on.
///
/// # Errors
/// The `Engine…` codes.
pub(super) async fn engine_of(environment: &Record) -> Result<Docker, Problem> {
    let engine = &environment.identity.engine;
    let endpoint = Endpoint {
        address: engine.address.clone(),
        rule: engine.rule.clone(),
    };
    Ok(Docker::connect(&endpoint).await?)
}
