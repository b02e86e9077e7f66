//! Who an environment is: found or written down, its lock held, its operation
//! begun.

use berth_contracts::EnvironmentStatus;
use tokio_util::sync::CancellationToken;

use super::handling::Handling;
use super::operation::Operation;
use super::{Running, bring_up};
use crate::Berth;
use crate::compose_settings::{templated_project_name, unique_project_name};
use crate::handlers::MadeWith;
use crate::lifetime::end_when_brought_up;
use crate::lock::EnvironmentLock;
use crate::names::{Identity, project_name};
use crate::problem::{Code, Problem};
use crate::store::environments::{self, EngineRef, NewEnvironment, Record};
use crate::store::{StoreError, inventory, new_id, operations, services};
use crate::view::{HandlerScope, Lifetime, OperationKind, Service, UpRequest};

impl Berth {
    /// Brings an environment up, or up to date, through the handler that serves its
    /// service now. Returns once it is recorded; follow the events for its steps.
    /// [`Berth::cancel`] stops it.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`]; [`crate::Code::Busy`] when another operation works
    /// on it; [`crate::Code::NothingToRun`], [`crate::Code::NoHandler`],
    /// [`crate::Code::AmbiguousHandler`], [`crate::Code::LocalDevOnly`];
    /// [`crate::Code::MadeElsewhere`] when it is there on another engine.
    pub async fn up(&self, request: UpRequest) -> Result<Running, Problem> {
        self.up_with(request, None).await
    }

    /// Brings an environment up again, as it was asked for, through the handler that
    /// it was made with.
    ///
    /// # Errors
    /// As [`Berth::up`].
    pub async fn retry(&self, environment_id: &str) -> Result<Running, Problem> {
        let environment = self.record(environment_id).await?;
        if environment.torn_down_at.is_some() {
            return Err(super::already_gone(&environment));
        }
        let identity = environment.identity;
        let request = UpRequest {
            service_id: identity.service_id,
            name: identity.key.strip_prefix("name:").map(str::to_owned),
            selector: identity.selector,
            lifetime: Lifetime::Default,
        };
        Box::pin(self.up_with(request, identity.made_with)).await
    }

    async fn up_with(
        &self,
        request: UpRequest,
        made_with: Option<MadeWith>,
    ) -> Result<Running, Problem> {
        let service_id = request.service_id.clone();
        let service = self
            .store()
            .read(move |connection| services::get(connection, &service_id))
            .await?;
        // Found by its identity, then locked, then looked at again: between the
        // two it may have been torn down, or made, by another process; so may the
        // handler's secrets have been replaced.
        for _ in 0..8 {
            let handling = Handling::of(match &made_with {
                Some(made_with) => made_with.clone(),
                None => self.choose(&service).await?,
            })?;
            let begun = match self.live(&service, &request).await? {
                Some(environment) => self.begin_again(environment, &request, &handling).await?,
                None => self.begin_new(&service, &request, &handling).await?,
            };
            if let Some(operation) = begun {
                return Ok(Running {
                    environment_id: operation.environment.id.clone(),
                    operation_id: operation.id.clone(),
                    finished: tokio::spawn(bring_up::perform(operation, service, handling)),
                });
            }
        }
        Err(Problem::new(Code::Busy, "Other processes keep changing this environment").retryable())
    }

    async fn live(
        &self,
        service: &Service,
        request: &UpRequest,
    ) -> Result<Option<Record>, Problem> {
        let key = Identity::of(&request.selector, request.name.as_deref()).key();
        let (workspace_id, service_id) = (self.workspace_id().to_owned(), service.id.clone());
        let found = self
            .store()
            .read(move |connection| {
                environments::live_by_key(connection, &workspace_id, &service_id, &key)
            })
            .await?;
        Ok(found)
    }

    /// Begins on an environment that is there. `None`: it went away meanwhile.
    async fn begin_again(
        &self,
        found: Record,
        request: &UpRequest,
        handling: &Handling,
    ) -> Result<Option<Operation>, Problem> {
        let lock = self.lock(&found.id, OperationKind::Up)?;
        let lock = self.take_back_unfinished(&found.id, lock).await?;
        let before = self.record(&found.id).await?;
        if before.torn_down_at.is_some() {
            return Ok(None);
        }
        let now = self.now();
        let end = end_when_brought_up(
            request.lifetime,
            handling.compose.lifespan,
            now,
            Some(before.identity.expires_at),
        )?;
        let today = self.engine_of_handler(handling);
        let made_with = handling.made_with.clone();
        let (id, selector, actor) = (before.id.clone(), request.selector.clone(), self.actor());
        let begun = self
            .store()
            .write_durably(move |tx| {
                // Where nothing of it is left, it may move to another engine. One that
                // was found in the Docker CLI's order stays where it was found.
                if inventory::list(tx, &id)?.is_empty() {
                    environments::set_engine(tx, now, &id, &today?)?;
                } else if let Ok(today) = today
                    && today.address != before.identity.engine.address
                    && made_with.names_another_engine_than(before.identity.made_with.as_ref())
                {
                    return Err(made_elsewhere(&before, &made_with, &today).into());
                } else {
                    let engine = EngineRef {
                        label: made_with.handler.label.clone(),
                        ..before.identity.engine.clone()
                    };
                    environments::set_engine(tx, now, &id, &engine)?;
                }
                environments::set_made_with(tx, now, &id, &made_with)?;
                environments::set_selector(tx, now, &id, &selector)?;
                environments::set_expiry(tx, now, &id, end)?;
                environments::set_status(tx, now, &id, EnvironmentStatus::Provisioning, None)?;
                let operation_id = operations::start(tx, now, &id, OperationKind::Up, actor)?;
                Ok((operation_id, environments::get(tx, &id)?))
            })
            .await;
        let (operation_id, environment) = match begun {
            Err(error) if error.is_dangling() => return Ok(None),
            other => other?,
        };
        Ok(Some(Operation::new(
            self,
            environment,
            operation_id,
            OperationKind::Up,
            actor,
            lock,
        )))
    }

    /// Writes a new environment down and begins on it. `None`: another process
    /// was quicker.
    async fn begin_new(
        &self,
        service: &Service,
        request: &UpRequest,
        handling: &Handling,
    ) -> Result<Option<Operation>, Problem> {
        let now = self.now();
        let lifespan = handling.compose.lifespan;
        let expires_at = end_when_brought_up(request.lifetime, lifespan, now, None)?;
        let engine = self.engine_of_handler(handling)?;
        let made_with = handling.made_with.clone();
        let templated = match &handling.compose.project_template {
            Some(template) => {
                let cancel = CancellationToken::new();
                let variables = self
                    .template_variables(service, &request.selector, &cancel)
                    .await;
                Some(templated_project_name(template, &variables))
            }
            None => None,
        };
        let identity = Identity::of(&request.selector, request.name.as_deref());
        let (key, name) = (identity.key(), identity.environment_name(&service.name));
        let (service, selector) = (service.clone(), request.selector.clone());
        let (workspace_id, actor) = (self.workspace_id().to_owned(), self.actor());
        let data = self.data().clone();
        let written = self
            .store()
            .write_durably(move |tx| {
                let id = new_id(tx)?;
                let taken = environments::names(tx, &workspace_id)?;
                let name = crate::names::unique_name(&name, |name| {
                    taken.iter().any(|named| named.name == name)
                });
                let project = match templated {
                    Some(proposed) => {
                        let taken = environments::project_is_taken(tx, &proposed)?;
                        unique_project_name(&proposed, &id, |_| taken)
                    }
                    None => project_name(&name, &id),
                };
                // Locked before anyone can see it.
                let lock = EnvironmentLock::take(&data, &id, OperationKind::Up)?;
                environments::insert(
                    tx,
                    now,
                    &id,
                    &NewEnvironment {
                        workspace_id,
                        service_id: service.id,
                        service_name: service.name,
                        project,
                        host: name.clone(),
                        name,
                        selector,
                        key,
                        provision_type: service.provisioning.provision_type,
                        engine,
                        made_with: Some(made_with),
                        expires_at,
                    },
                )?;
                let operation_id = operations::start(tx, now, &id, OperationKind::Up, actor)?;
                Ok((environments::get(tx, &id)?, operation_id, lock))
            })
            .await;
        match written {
            Ok((environment, operation_id, lock)) => Ok(Some(Operation::new(
                self,
                environment,
                operation_id,
                OperationKind::Up,
                actor,
                lock,
            ))),
            Err(StoreError::Exists { .. }) => Ok(None),
            Err(error) if error.is_dangling() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }
}

/// What is there stays where it is: moving it would lose its volumes unasked.
fn made_elsewhere(before: &Record, made_with: &MadeWith, today: &EngineRef) -> Problem {
    let name = &before.identity.name;
    let there = &before.identity.engine;
    let whose = match made_with.handler.scope {
        HandlerScope::Workspace => "the workspace's handler",
        HandlerScope::User { .. } => "your override",
    };
    Problem::new(
        Code::MadeElsewhere,
        format!("{name} is there on another engine"),
    )
    .detail(format!(
        "It was made through “{}” on {}; {whose} “{}”, which is in effect now, is for {}.",
        there.label, there.address, made_with.handler.label, today.address
    ))
    .hint("Tear it down first (its volumes go with it), then start it again.")
}
