use std::collections::BTreeMap;

use bollard::query_parameters::{
    RemoveContainerOptions, RemoveImageOptions, RemoveVolumeOptions, StopContainerOptions,
};
use futures_util::future::join_all;

use super::inventory::Inventory;
use super::plan::waiting;
use super::step_log::StepLog;
use super::{Docker, failure};
use crate::{EngineError, Reporter, StepKind};

/// What is taken away.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Everything of an environment.
    Environment(String),
    /// Only what one operation made: environment and operation.
    Operation(String, String),
}

/// What was taken away, kind and name of each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Removed {
    /// `container shop-main-db-1` …
    pub resources: Vec<String>,
}

/// What came of an image.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum ImageFate {
    Removed,
    /// Something of the user's needs it; the engine's words.
    Kept(String),
}

impl Docker {
    /// Removes what carries the labels of `scope`, then asks again whether it is
    /// gone. Absent is success. Containers get their grace period, all at the
    /// same time.
    ///
    /// # Errors
    /// [`EngineError::NotRemoved`] naming what is still there, and why.
    pub async fn remove(
        &self,
        scope: &Scope,
        reporter: &dyn Reporter,
    ) -> Result<Removed, EngineError> {
        let found = self.inventory(scope).await?;
        let steps = StepLog::new(reporter, &steps(&found));
        let outcome = self.remove_all(scope, &found, &steps).await;
        if outcome.is_err() {
            steps.leave_off();
        }
        outcome
    }

    async fn remove_all(
        &self,
        scope: &Scope,
        found: &Inventory,
        steps: &StepLog<'_>,
    ) -> Result<Removed, EngineError> {
        // Every part is tried, also when another fails: what is left is named
        // at the end.
        let mut reasons = BTreeMap::new();
        let containers = join_all(found.containers.iter().map(async |(id, name)| {
            let removing = async {
                self.stop(id, name).await?;
                self.remove_container(id, name).await
            };
            (
                format!("container {name}"),
                steps.run(&format!("remove:{name}"), removing).await,
            )
        }))
        .await;
        let networks = join_all(found.networks.iter().map(async |(id, name)| {
            let key = format!("remove-network:{name}");
            (
                format!("network {name}"),
                steps.run(&key, self.remove_network(id, name)).await,
            )
        }));
        let volumes = join_all(found.volumes.iter().map(async |name| {
            let key = format!("remove-volume:{name}");
            (
                format!("volume {name}"),
                steps.run(&key, self.remove_volume(name)).await,
            )
        }));
        // One after the other, newest first, as the engine lists them: one that
        // another was built on can only go after it.
        let images = async {
            let mut fates = Vec::new();
            for handle in &found.images {
                fates.push((format!("image {handle}"), self.let_go(handle, steps).await));
            }
            fates
        };
        let anonymous = join_all(found.anonymous.iter().map(|name| self.remove_volume(name)));
        let (networks, volumes, images, _) = tokio::join!(networks, volumes, images, anonymous);

        let mut removed = Removed::default();
        let mut kept = Vec::new();
        let mut of_images = Vec::new();
        for (resource, fate) in images {
            match fate {
                Ok(ImageFate::Kept(_)) => kept.push(resource),
                Ok(ImageFate::Removed) => of_images.push((resource, Ok(()))),
                Err(error) => of_images.push((resource, Err(error))),
            }
        }
        for (resource, outcome) in containers
            .into_iter()
            .chain(networks)
            .chain(volumes)
            .chain(of_images)
        {
            match outcome {
                Ok(()) => removed.resources.push(resource),
                Err(lost @ EngineError::EngineLost { .. }) => return Err(lost),
                Err(error) => {
                    reasons.insert(resource, error.to_string());
                }
            }
        }
        steps
            .run("verify", self.verify(scope, &reasons, &kept))
            .await?;
        Ok(removed)
    }

    async fn let_go(&self, handle: &str, steps: &StepLog<'_>) -> Result<ImageFate, EngineError> {
        let key = format!("remove-image:{handle}");
        steps.progress(&key, None, None);
        match self.remove_image(handle).await {
            Ok(ImageFate::Kept(why)) => {
                steps.skip(&key, Some(format!("kept: {why}")));
                Ok(ImageFate::Kept(why))
            }
            fate => steps.run(&key, async { fate }).await,
        }
    }

    async fn verify(
        &self,
        scope: &Scope,
        reasons: &BTreeMap<String, String>,
        kept: &[String],
    ) -> Result<(), EngineError> {
        let left = self.inventory(scope).await?;
        let left: Vec<String> = left
            .names()
            .filter(|resource| !kept.contains(resource))
            .map(|resource| match reasons.get(&resource) {
                Some(reason) => format!("{resource} ({reason})"),
                None => resource,
            })
            .collect();
        if left.is_empty() {
            Ok(())
        } else {
            Err(EngineError::NotRemoved { left })
        }
    }

    /// Stops a container within its own grace period. One that is not there or
    /// does not run is stopped already.
    pub(super) async fn stop(&self, id: &str, name: &str) -> Result<(), EngineError> {
        match self
            .slow
            .stop_container(id, None::<StopContainerOptions>)
            .await
        {
            Ok(()) => Ok(()),
            Err(error) if failure::is_absent(&error) => Ok(()),
            Err(error) => Err(failure::from_engine(
                &format!("stopping container {name}"),
                error,
            )),
        }
    }

    /// Removes a container and the volumes that the engine made for it alone.
    pub(super) async fn remove_container(&self, id: &str, name: &str) -> Result<(), EngineError> {
        let options = RemoveContainerOptions {
            v: true,
            force: true,
            ..RemoveContainerOptions::default()
        };
        gone(
            &format!("removing container {name}"),
            self.api.remove_container(id, Some(options)).await,
        )
    }

    async fn remove_network(&self, id: &str, name: &str) -> Result<(), EngineError> {
        gone(
            &format!("removing network {name}"),
            self.api.remove_network(id).await,
        )
    }

    async fn remove_volume(&self, name: &str) -> Result<(), EngineError> {
        gone(
            &format!("removing volume {name}"),
            self.api
                .remove_volume(name, None::<RemoveVolumeOptions>)
                .await,
        )
    }

    /// Removes an earlier build, unless the user gave it a name.
    pub(super) async fn remove_untagged_image(&self, id: &str) -> Result<ImageFate, EngineError> {
        let during = format!("looking at image {id}");
        match self.api.inspect_image(id).await {
            Ok(image) if image.repo_tags.as_ref().is_none_or(Vec::is_empty) => {
                self.remove_image(id).await
            }
            Ok(_) => Ok(ImageFate::Kept("it has another name".to_owned())),
            Err(error) if failure::is_absent(&error) => Ok(ImageFate::Removed),
            Err(error) => Err(failure::from_engine(&during, error)),
        }
    }

    /// Takes an image's name away, and the image when nothing else needs it: by
    /// name only that name goes, by id only one that has no other names. Never by
    /// force, so that what the user made of it stays whole.
    pub(super) async fn remove_image(&self, handle: &str) -> Result<ImageFate, EngineError> {
        let answer = self
            .api
            .remove_image(handle, None::<RemoveImageOptions>, None)
            .await;
        match answer {
            Err(bollard::errors::Error::DockerResponseServerError {
                status_code: 409,
                message,
            }) => Ok(ImageFate::Kept(message)),
            answer => gone(&format!("removing image {handle}"), answer.map(drop))
                .map(|()| ImageFate::Removed),
        }
    }
}

/// Absent, and about to be, is as good as removed; whether it went is asked at
/// the end.
fn gone(during: &str, answer: Result<(), bollard::errors::Error>) -> Result<(), EngineError> {
    match answer {
        Ok(()) => Ok(()),
        Err(error) if failure::is_absent(&error) || failure::is_going(&error) => Ok(()),
        Err(error) => Err(failure::from_engine(during, error)),
    }
}

fn steps(found: &Inventory) -> Vec<crate::Step> {
    let mut steps = Vec::new();
    for (_, name) in &found.containers {
        let kind = StepKind::Remove {
            container: name.clone(),
        };
        steps.push(waiting(format!("remove:{name}"), kind));
    }
    for (_, name) in &found.networks {
        let kind = StepKind::RemoveNetwork { name: name.clone() };
        steps.push(waiting(format!("remove-network:{name}"), kind));
    }
    for name in &found.volumes {
        let kind = StepKind::RemoveVolume { name: name.clone() };
        steps.push(waiting(format!("remove-volume:{name}"), kind));
    }
    for name in &found.images {
        let kind = StepKind::RemoveImage {
            image: name.clone(),
        };
        steps.push(waiting(format!("remove-image:{name}"), kind));
    }
    steps.push(waiting("verify".to_owned(), StepKind::Verify));
    steps
}
