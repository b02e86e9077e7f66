use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Duration;

use futures_util::future::{join_all, try_join_all};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::observe::{SeenContainer, SeenImage};
use super::plan::{NetworkWork, ServiceWork, VolumeWork, container_steps};
use super::step_log::StepLog;
use super::wait::Wakes;
use super::{Address, Docker, Plan, bring_up, failure};
use crate::{Action, EngineError, Reporter};

/// How long calls that were under way when an operation ended are waited for.
const LAST_CALLS: Duration = Duration::from_secs(30);

/// What applying a plan led to.
#[derive(Clone, Debug, Default)]
pub struct Applied {
    /// All ways in, the primary one first.
    pub addresses: Vec<Address>,
}

/// One plan being applied.
pub(super) struct Run<'a> {
    pub(super) docker: &'a Docker,
    pub(super) plan: &'a Plan,
    pub(super) steps: StepLog<'a>,
    pub(super) wakes: Wakes,
    /// When services were started that nothing else will tell whether they
    /// stay up.
    pub(super) unproven: Mutex<HashMap<String, Instant>>,
    calls: TaskTracker,
}

impl Docker {
    /// Does what the plan says, reporting each step. On an error what was made
    /// is left as it is: the caller decides between [`Docker::remove`] and
    /// keeping it for a look. When it returns, no call that makes something is
    /// under way any more.
    ///
    /// # Errors
    /// The first step that failed.
    pub async fn apply(
        &self,
        plan: &Plan,
        reporter: &dyn Reporter,
        cancel: &CancellationToken,
    ) -> Result<Applied, EngineError> {
        let run = Run {
            docker: self,
            plan,
            steps: StepLog::new(reporter, &plan.steps),
            wakes: Wakes::of(self, &plan.identity.environment),
            unproven: Mutex::default(),
            calls: TaskTracker::new(),
        };
        let outcome = tokio::select! {
            biased;
            () = cancel.cancelled() => Err(EngineError::Cancelled),
            outcome = Box::pin(run.all()) => outcome,
        };
        if outcome.is_err() {
            run.calls.close();
            // One that hangs longer is found by its labels later.
            let _ = tokio::time::timeout(LAST_CALLS, run.calls.wait()).await;
            run.steps.leave_off();
        }
        outcome
    }
}

impl Run<'_> {
    async fn all(&self) -> Result<Applied, EngineError> {
        // First, since it is what fails most: then nothing else was made.
        let images = self.images().await?;
        tokio::try_join!(self.networks(Action::Create), self.volumes())?;
        let services = self.with_images(&images);
        self.stop_replaced(&services).await?;
        self.networks(Action::Change).await?;
        let containers = bring_up::all(self, &services, &images).await?;
        let addresses = self.reach(&containers).await?;
        self.remove_superseded(&images).await;
        Ok(Applied { addresses })
    }

    /// Runs a call that makes or changes something to its end, also when the
    /// operation is cut off meanwhile: what it made must be there to be found
    /// when the operation is taken back.
    pub(super) async fn to_its_end<T: Send + 'static>(
        &self,
        during: &str,
        call: impl Future<Output = Result<T, bollard::errors::Error>> + Send + 'static,
    ) -> Result<T, EngineError> {
        match self.calls.spawn(call).await {
            Ok(answer) => answer.map_err(|error| failure::from_engine(during, error)),
            Err(panicked) => Err(EngineError::EngineLost {
                during: during.to_owned(),
                source: Box::new(panicked),
            }),
        }
    }

    async fn networks(&self, action: Action) -> Result<(), EngineError> {
        let wanted = self.plan.networks.iter().filter(|it| it.action == action);
        try_join_all(wanted.map(|work| self.network(work))).await?;
        Ok(())
    }

    async fn network(&self, work: &NetworkWork) -> Result<(), EngineError> {
        let name = &work.request.name;
        let during = format!("creating network {name}");
        let making = async {
            if work.action == Action::Change {
                let api = self.docker.api.clone();
                let old = name.clone();
                let removal = async move { api.remove_network(&old).await };
                self.to_its_end(&format!("removing network {name}"), removal)
                    .await?;
            }
            let api = self.docker.api.clone();
            let request = work.request.clone();
            self.to_its_end(&during, async move { api.create_network(request).await })
                .await?;
            Ok(())
        };
        self.steps.run(&format!("network:{name}"), making).await
    }

    async fn volumes(&self) -> Result<(), EngineError> {
        let wanted = self
            .plan
            .volumes
            .iter()
            .filter(|it| it.action == Action::Create);
        try_join_all(wanted.map(|work| self.volume(work))).await?;
        Ok(())
    }

    async fn volume(&self, work: &VolumeWork) -> Result<(), EngineError> {
        let name = work.request.name.as_deref().unwrap_or_default();
        let during = format!("creating volume {name}");
        let making = async {
            let api = self.docker.api.clone();
            let request = work.request.clone();
            self.to_its_end(&during, async move { api.create_volume(request).await })
                .await?;
            Ok(())
        };
        self.steps.run(&format!("volume:{name}"), making).await
    }

    /// The services with what only shows once the images are there: a container
    /// whose image is another than before is made again, and with it those that
    /// share its network.
    fn with_images(&self, images: &HashMap<String, SeenImage>) -> Vec<ServiceWork> {
        let mut services = self.plan.services.clone();
        let mut remade: Vec<String> = Vec::new();
        let mut further = Vec::new();
        for service in &mut services {
            let shares = service
                .shares_network_of
                .as_ref()
                .is_some_and(|other| remade.contains(other));
            for container in &mut service.containers {
                let image = container.body.image.as_ref().and_then(|it| images.get(it));
                let (Some(image), Some(seen), Action::Keep) =
                    (image, &container.existing, container.action)
                else {
                    continue;
                };
                if image.id != seen.image_id || shares {
                    container.action = Action::Change;
                    container.reason = Some("image changed".to_owned());
                    further.extend(container_steps(&service.name, container));
                    remade.push(service.name.clone());
                }
            }
        }
        self.steps.expect(further);
        services
    }

    /// Stops what will be made again and removes what nothing asks for, all at
    /// once: it frees their ports and takes no longer than the slowest.
    async fn stop_replaced(&self, services: &[ServiceWork]) -> Result<(), EngineError> {
        let replaced = services
            .iter()
            .flat_map(|service| &service.containers)
            .filter(|container| container.action == Action::Change)
            .filter_map(|container| container.existing.as_ref())
            .filter(|seen| seen.running);
        let stops = replaced.map(|seen| self.docker.stop(&seen.id, &seen.name));
        let removals = self
            .plan
            .orphans
            .iter()
            .map(|orphan| self.remove_orphan(orphan));
        tokio::try_join!(try_join_all(stops), try_join_all(removals))?;
        Ok(())
    }

    async fn remove_orphan(&self, orphan: &SeenContainer) -> Result<(), EngineError> {
        let removing = async {
            self.docker.stop(&orphan.id, &orphan.name).await?;
            self.docker.remove_container(&orphan.id, &orphan.name).await
        };
        self.steps
            .run(&format!("remove:{}", orphan.name), removing)
            .await
    }

    /// Images of earlier builds that nothing runs any more. A leftover costs only
    /// disk and goes with the environment.
    async fn remove_superseded(&self, images: &HashMap<String, SeenImage>) {
        let old = self.plan.images.iter().filter_map(|work| {
            let before = work.seen.as_ref().filter(|it| it.operation.is_some())?;
            let now = images.get(&work.reference)?;
            (now.id != before.id).then_some(&before.id)
        });
        join_all(old.map(|id| async move {
            let outcome = self.docker.remove_untagged_image(id).await;
            tracing::debug!(image = id, ?outcome, "an earlier build was let go");
        }))
        .await;
    }
}
