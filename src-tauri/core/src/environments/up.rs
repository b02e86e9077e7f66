//! Who an environment is: found or written down, its lock held, its operation
//! begun.

use berth_contracts::{Engine, EnvironmentStatus, ProvisionType};

use super::operation::Operation;
use super::{Running, bring_up};
use crate::Berth;
use crate::lifetime::{Lifespan, end_when_brought_up};
use crate::lock::EnvironmentLock;
use crate::names::{Identity, project_name};
use crate::problem::{Code, Problem};
use crate::store::environments::{self, EngineRef, NewEnvironment, Record};
use crate::store::{StoreError, inventory, new_id, operations, services};
use crate::view::{Lifetime, OperationKind, Service, UpRequest};

impl Berth {
    /// Brings an environment up, or up to date. Returns once it is recorded;
    /// follow the events for its steps. [`Berth::cancel`] stops it.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`], [`crate::Code::Busy`] when another operation
    /// works on it.
    pub async fn up(&self, request: UpRequest) -> Result<Running, Problem> {
        let service_id = request.service_id.clone();
        let service = self
            .store()
            .read(move |connection| services::get(connection, &service_id))
            .await?;
        if service.provisioning.provision_type != ProvisionType::DockerCompose {
            return Err(Problem::new(
                Code::ProjectUnsupported,
                format!(
                    "{} is provisioned in a way that Berth cannot start yet",
                    service.name
                ),
            ));
        }
        // Found by its identity, then locked, then looked at again: between the
        // two it may have been torn down, or made, by another process.
        for _ in 0..8 {
            let begun = match self.live(&service, &request).await? {
                Some(environment) => self.begin_again(environment, &request).await?,
                None => self.begin_new(&service, &request).await?,
            };
            if let Some(operation) = begun {
                return Ok(Running {
                    environment_id: operation.environment.id.clone(),
                    operation_id: operation.id.clone(),
                    finished: tokio::spawn(bring_up::perform(operation, service)),
                });
            }
        }
        Err(Problem::new(Code::Busy, "Other processes keep changing this environment").retryable())
    }

    /// Brings an environment up again, as it was asked for.
    ///
    /// # Errors
    /// As [`Berth::up`].
    pub async fn retry(&self, environment_id: &str) -> Result<Running, Problem> {
        let environment = self.record(environment_id).await?;
        if environment.torn_down_at.is_some() {
            return Err(super::already_gone(&environment));
        }
        let identity = environment.identity;
        Box::pin(self.up(UpRequest {
            service_id: identity.service_id,
            name: identity.key.strip_prefix("name:").map(str::to_owned),
            selector: identity.selector,
            lifetime: Lifetime::Default,
        }))
        .await
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
            Lifespan::default(),
            now,
            Some(before.identity.expires_at),
        )?;
        // Where nothing of it is left, it may move to the engine of today.
        let today = self.today();
        let (id, selector, actor) = (before.id.clone(), request.selector.clone(), self.actor());
        let (operation_id, environment) = self
            .store()
            .write_durably(move |tx| {
                if inventory::list(tx, &id)?.is_empty() {
                    environments::set_engine(tx, now, &id, &today?)?;
                }
                environments::set_selector(tx, now, &id, &selector)?;
                environments::set_expiry(tx, now, &id, end)?;
                environments::set_status(tx, now, &id, EnvironmentStatus::Provisioning, None)?;
                let operation_id = operations::start(tx, now, &id, OperationKind::Up, actor)?;
                Ok((operation_id, environments::get(tx, &id)?))
            })
            .await?;
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
    ) -> Result<Option<Operation>, Problem> {
        let now = self.now();
        let expires_at = end_when_brought_up(request.lifetime, Lifespan::default(), now, None)?;
        let engine = self.today()?;
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
                        project: project_name(&name, &id),
                        host: name.clone(),
                        name,
                        selector,
                        key,
                        provision_type: service.provisioning.provision_type,
                        engine,
                        made_with: None,
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
            Err(error) => Err(error.into()),
        }
    }

    /// The engine that a new environment would be made on.
    fn today(&self) -> Result<EngineRef, Problem> {
        let endpoint = self.endpoint()?;
        Ok(EngineRef {
            engine: Engine::LocalDocker,
            label: "Local Docker".to_owned(),
            address: endpoint.address,
            rule: endpoint.rule,
            id: None,
        })
    }
}
