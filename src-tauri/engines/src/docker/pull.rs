use std::collections::HashMap;
use std::time::Duration;

use bollard::models::CreateImageInfo;
use bollard::query_parameters::CreateImageOptions;
use futures_util::StreamExt;
use tokio::time::Instant;

use super::apply::Run;
use super::plan::ImageWork;
use super::{failure, registry_auth};
use crate::{EngineError, Progress};

/// Between two reports of progress.
pub(super) const REPORT_EVERY: Duration = Duration::from_millis(200);

impl Run<'_> {
    /// Pulls an image, with the user's credentials for its registry.
    pub(super) async fn pull(&self, work: &ImageWork, key: &str) -> Result<(), EngineError> {
        let image = &work.reference;
        let folder = self.docker.registry_config.as_deref();
        let auth = registry_auth::for_image(folder.map(|it| it.as_path()), image).await;
        if let Some(warning) = &auth.warning {
            self.steps.progress(key, Some(warning.clone()), None);
        }
        let (name, tag) = split_tag(image);
        let mut answers = std::pin::pin!(self.docker.slow.create_image(
            Some(CreateImageOptions {
                from_image: Some(name.to_owned()),
                tag: Some(tag.to_owned()),
                platform: work.platform.clone().unwrap_or_default(),
                ..CreateImageOptions::default()
            }),
            None,
            auth.credentials,
        ));
        let mut layers = Layers::default();
        let mut said: Option<Instant> = None;
        while let Some(answer) = answers.next().await {
            let answer =
                answer.map_err(|error| pull_error(work, auth.warning.as_deref(), error))?;
            if let Some(detail) = &answer.error_detail {
                let message = detail.message.clone().unwrap_or_default();
                let error = bollard::errors::Error::DockerStreamError { error: message };
                return Err(pull_error(work, auth.warning.as_deref(), error));
            }
            layers.take(&answer);
            if said.is_none_or(|at| at.elapsed() >= REPORT_EVERY)
                && let Some(progress) = layers.progress()
            {
                said = Some(Instant::now());
                self.steps.progress(key, None, Some(progress));
            }
        }
        if let Some(progress) = layers.progress() {
            self.steps.progress(key, None, Some(progress));
        }
        Ok(())
    }
}

fn pull_error(
    work: &ImageWork,
    warning: Option<&str>,
    error: bollard::errors::Error,
) -> EngineError {
    let during = format!("pulling image {}", work.reference);
    match failure::from_engine(&during, error) {
        EngineError::Api { message, .. } => EngineError::Pull {
            image: work.reference.clone(),
            service: work.service.clone(),
            message: match warning {
                Some(warning) => format!("{message} ({warning})"),
                None => message,
            },
        },
        other => other,
    }
}

/// The name without tag or digest, and the tag or digest. Without a tag the
/// engine would pull every one there is.
fn split_tag(reference: &str) -> (&str, &str) {
    if let Some((name, digest)) = reference.split_once('@') {
        return (name, digest);
    }
    let from = reference.rfind('/').map_or(0, |slash| slash + 1);
    match reference[from..].find(':') {
        Some(colon) => (&reference[..from + colon], &reference[from + colon + 1..]),
        None => (reference, "latest"),
    }
}

/// The layers of an image on their way, in bytes. A layer counts when it is
/// downloaded; unpacking adds nothing.
#[derive(Default)]
struct Layers(HashMap<String, (u64, u64)>);

impl Layers {
    fn take(&mut self, answer: &CreateImageInfo) {
        let (Some(id), Some(status)) = (&answer.id, &answer.status) else {
            return;
        };
        match (status.as_str(), &answer.progress_detail) {
            ("Downloading", Some(detail)) => {
                let bytes =
                    |value: Option<i64>| value.and_then(|it| u64::try_from(it).ok()).unwrap_or(0);
                let layer = self.0.entry(id.clone()).or_default();
                layer.0 = bytes(detail.current);
                layer.1 = layer.1.max(bytes(detail.total));
            }
            ("Download complete" | "Pull complete", _) => {
                if let Some(layer) = self.0.get_mut(id) {
                    layer.0 = layer.1.max(layer.0);
                }
            }
            _ => {}
        }
    }

    fn progress(&self) -> Option<Progress> {
        if self.0.is_empty() {
            return None;
        }
        let current = self.0.values().map(|(current, _)| current).sum();
        let total: u64 = self.0.values().map(|(_, total)| total).sum();
        Some(Progress {
            current,
            total: (total >= current && total > 0).then_some(total),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_digests_are_found_behind_ports_and_paths() {
        for (reference, expected) in [
            ("busybox", ("busybox", "latest")),
            ("busybox:1.36", ("busybox", "1.36")),
            (
                "localhost:5000/team/app",
                ("localhost:5000/team/app", "latest"),
            ),
            (
                "localhost:5000/team/app:v1",
                ("localhost:5000/team/app", "v1"),
            ),
            ("app:v1@sha256:ab", ("app:v1", "sha256:ab")),
        ] {
            assert_eq!(split_tag(reference), expected);
        }
    }

    #[test]
    fn layers_add_up() {
        let mut layers = Layers::default();
        let mut take = |id: &str, status: &str, detail: Option<(i64, i64)>| {
            layers.take(&CreateImageInfo {
                id: Some(id.to_owned()),
                status: Some(status.to_owned()),
                progress_detail: detail.map(|(current, total)| bollard::models::ProgressDetail {
                    current: Some(current),
                    total: Some(total),
                }),
                ..CreateImageInfo::default()
            });
        };
        take("a", "Downloading", Some((10, 100)));
        take("b", "Downloading", Some((5, 50)));
        take("a", "Download complete", None);
        take("c", "Already exists", None);
        assert_eq!(
            layers.progress(),
            Some(Progress {
                current: 105,
                total: Some(150)
            })
        );
    }
}
