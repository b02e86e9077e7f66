//! Connection tests: what a handler connects to, looked at before it is relied on.
//! Nothing is stored.

use std::path::PathBuf;
use std::time::Duration;

use berth_contracts::documents::HandlerConfig;
use berth_contracts::{ProvisionType, ServiceProvisioning};
use berth_engines::docker::{self, EndpointSources};
use berth_engines::{Check, Finding, Ladder};
use secrecy::ExposeSecret;
use tokio_util::sync::CancellationToken;

use crate::Berth;
use crate::handlers::{self, NewSecrets};
use crate::problem::{Code, Problem};
use crate::redaction::{Redaction, redact};
use crate::store::StoreError;
use crate::store::handlers as rows;
use crate::view::{CheckUpdate, Choice, FoundEngine, HandlerDraft, HandlerKey, HandlerScope};

/// How long sockets are looked for: one whose owner hangs takes its time.
const LOOK_LIMIT: Duration = Duration::from_secs(5);

/// The services that a Docker engine serves.
const COMPOSE: HandlerKey = HandlerKey {
    provision_type: ProvisionType::DockerCompose,
    manifest_id: None,
};

/// The one check of an engine that this Berth cannot test.
const UNTESTED: &str = "untested";

impl Berth {
    /// Tests what a handler connects to before it is saved. `on` hears first which
    /// checks there are, then of each change, then how the test ended; on an error
    /// the end is left out. Says whether the handler's engine can be used.
    ///
    /// No engine that can be tested so far is shown any secret; whatever quotes one
    /// all the same, it is taken out.
    ///
    /// # Errors
    /// [`Code::InvalidDocument`] with every fault, before any check;
    /// [`Code::Cancelled`].
    pub async fn test_handler(
        &self,
        draft: HandlerDraft,
        secrets: NewSecrets,
        cancel: CancellationToken,
        on: impl Fn(CheckUpdate) + Send,
    ) -> Result<bool, Problem> {
        let config = handlers::config_of(draft.text).await?;
        let given = secrets.set.values().map(ExposeSecret::expose_secret);
        let redaction = Redaction::with_values(given);
        let mut clean = move |update| on(redaction.update(update));
        self.test(&config, &cancel, &mut clean).await
    }

    /// Tests the Docker engine that services of compose files would be started on
    /// now: that of the handler in effect, else the one that the `docker` command
    /// would use. Like [`Berth::test_handler`].
    ///
    /// # Errors
    /// [`Code::Store`], [`Code::NotFound`] for a `BERTH_USER` that is nobody,
    /// [`Code::Cancelled`].
    pub async fn test_docker(
        &self,
        cancel: CancellationToken,
        mut on: impl Fn(CheckUpdate) + Send,
    ) -> Result<bool, Problem> {
        match self.compose_handler_in_effect().await? {
            Some(config) => self.test(&config, &cancel, &mut on).await,
            None => self.test_docker_at(None, &cancel, &mut on).await,
        }
    }

    async fn test(
        &self,
        config: &HandlerConfig,
        cancel: &CancellationToken,
        on: &mut (dyn FnMut(CheckUpdate) + Send),
    ) -> Result<bool, Problem> {
        let engine = match config {
            HandlerConfig::LocalDocker(_) => {
                let address = handlers::address(config);
                return self.test_docker_at(address, cancel, on).await;
            }
            HandlerConfig::LocalK3s(_) => "a k3s cluster",
            HandlerConfig::RemoteKubernetes(_) => "a Kubernetes cluster",
            HandlerConfig::RemoteCustom(_) => "a management API",
        };
        let checks = vec![Check::waiting(UNTESTED, "Connection")];
        on(CheckUpdate::Expected {
            checks: checks.clone(),
        });
        let mut tell = |check: &Check| on(changed(check));
        let mut ladder = Ladder::new(checks, cancel, &mut tell);
        let told = std::future::ready((untested(engine), Some(())));
        ladder
            .run(UNTESTED, LOOK_LIMIT, untested(engine), told)
            .await?;
        let passed = ladder.passed();
        on(CheckUpdate::Finished { passed });
        Ok(passed)
    }

    async fn test_docker_at(
        &self,
        address: Option<&str>,
        cancel: &CancellationToken,
        on: &mut (dyn FnMut(CheckUpdate) + Send),
    ) -> Result<bool, Problem> {
        on(CheckUpdate::Expected {
            checks: docker::connection_checks(),
        });
        let mut tell = |check: &Check| on(changed(check));
        let sources = self.endpoint_sources();
        let test = docker::check_connection(&sources, address, cancel, &mut tell);
        let passed = Box::pin(test).await?;
        on(CheckUpdate::Finished { passed });
        Ok(passed)
    }

    /// The Docker engines that answer on this machine.
    ///
    /// # Errors
    /// [`Code::TimedOut`] when a socket takes connections and keeps them waiting;
    /// [`Code::Store`].
    pub async fn found_engines(&self) -> Result<Vec<FoundEngine>, Problem> {
        let workspace_id = self.workspace_id().to_owned();
        let handler = self
            .store()
            .read(move |connection| rows::get(connection, &workspace_id, &COMPOSE))
            .await?;
        let sources = self.endpoint_sources();
        let looking = tokio::task::spawn_blocking(move || {
            docker::known(&sources)
                .into_iter()
                .map(|found| FoundEngine {
                    has_handler: handler.as_ref().is_some_and(|handler| {
                        match handlers::address(&handler.content.config) {
                            Some(address) => found.is_at(address),
                            // It uses what the docker command would use.
                            None => found.rule.is_some(),
                        }
                    }),
                    product: found.product,
                    address: found.address,
                    rule: found.rule,
                })
                .collect()
        });
        match tokio::time::timeout(LOOK_LIMIT, looking).await {
            Ok(Ok(found)) => Ok(found),
            Ok(Err(error)) => Err(Problem::internal(error.to_string())),
            Err(_) => Err(
                Problem::new(Code::TimedOut, "Looking for Docker engines took too long")
                    .detail("A socket takes connections and keeps them waiting.")
                    .hint("Restart the engine that hangs, then look again.")
                    .retryable(),
            ),
        }
    }

    async fn compose_handler_in_effect(&self) -> Result<Option<HandlerConfig>, Problem> {
        let (system, workspace_id) = (self.system_user(), self.workspace_id().to_owned());
        Ok(self
            .store()
            .read(move |connection| {
                let user_id = system.current(connection)?;
                let provisioning = ServiceProvisioning::of(ProvisionType::DockerCompose);
                let explanation =
                    handlers::explain(connection, &workspace_id, &user_id, &provisioning)?;
                let Choice::Handled { handler } = explanation.choice else {
                    return Ok(None);
                };
                let record = match &handler.scope {
                    HandlerScope::Workspace => rows::get(connection, &workspace_id, &handler.key)?,
                    HandlerScope::User { user_id } => {
                        rows::override_of(connection, user_id, &workspace_id, &handler.key)?
                    }
                };
                Ok::<_, StoreError>(record.map(|record| record.content.config))
            })
            .await?)
    }

    /// What the Docker CLI's order looks at.
    pub(crate) fn endpoint_sources(&self) -> EndpointSources {
        let environment = self.environment_variables().clone();
        EndpointSources {
            home: environment.get("HOME").map(PathBuf::from),
            environment,
        }
    }
}

/// A check as it leaves: it may quote what an engine said.
fn changed(check: &Check) -> CheckUpdate {
    let mut check = check.clone();
    check.detail = check.detail.map(|text| redact(&text));
    for fact in &mut check.facts {
        fact.value = redact(&fact.value);
    }
    CheckUpdate::Changed { check }
}

fn untested(engine: &str) -> Finding {
    Finding::warned(format!(
        "This Berth cannot test the connection to {engine} yet."
    ))
    .hint("Its document is valid. Whether it connects, only a later version can tell.")
}

#[cfg(all(test, unix))]
#[path = "checks_tests.rs"]
mod tests;
