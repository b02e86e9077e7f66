use std::path::Path;
use std::time::Duration;

use bollard::models::{ContainerCreateBody, HostConfig, Mount, MountType};
use bollard::query_parameters::{
    CreateContainerOptions, CreateImageOptions, StartContainerOptions, WaitContainerOptions,
};
use bytes::Bytes;
use futures_util::StreamExt;
use tokio::time::timeout;

use super::{Docker, failure, labels};
use crate::EngineError;

/// Where the folder is inside the container.
const PLACE: &str = "/berth";
/// The host's own programs and what they are linked with.
const PROGRAMS: [&str; 4] = ["/usr", "/bin", "/lib", "/lib64"];
const LIMIT_SECONDS: u64 = 300;

impl Docker {
    /// Removes a folder whose files belong to other users (containers write as
    /// root), through a container that mounts nothing else of the user's. It runs
    /// this machine's own `rm` on an empty image, so no registry is needed.
    ///
    /// # Errors
    /// As the engine's; [`EngineError::NotRemoved`] when the folder is still
    /// there, [`EngineError::TimedOut`] after 5 minutes.
    pub async fn erase_folder(&self, environment: &str, folder: &Path) -> Result<(), EngineError> {
        if std::fs::symlink_metadata(folder).is_err() {
            return Ok(());
        }
        let image = self.empty_image(environment).await?;
        let erasing = self.erase_in_container(environment, &image, folder);
        let erased = match timeout(Duration::from_secs(LIMIT_SECONDS), erasing).await {
            Ok(outcome) => outcome,
            Err(_) => Err(EngineError::TimedOut {
                what: format!("erasing {}", folder.display()),
                seconds: LIMIT_SECONDS,
            }),
        };
        let container = container_name(environment);
        let container_gone = self.remove_container(&container, &container).await;
        let image_gone = self.remove_image(&image).await;
        let said = erased?;
        container_gone?;
        image_gone?;
        // The folder itself is a mount inside, so it is emptied there and removed
        // here: that takes rights on its parent only.
        match std::fs::remove_dir(folder) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            Err(error) if said.is_empty() => Err(still_there(folder, &error.to_string())),
            Err(_) => Err(still_there(folder, &said)),
        }
    }

    /// An image with nothing in it.
    async fn empty_image(&self, environment: &str) -> Result<String, EngineError> {
        // A tar ends with two empty blocks; this one has nothing before them.
        let tar = Bytes::from_static(&[0; 1024]);
        let mut answers = std::pin::pin!(self.api.create_image(
            Some(CreateImageOptions {
                from_src: Some("-".to_owned()),
                changes: vec![format!("LABEL {}={environment}", labels::IMAGE_OF)],
                ..CreateImageOptions::default()
            }),
            Some(bollard::body_full(tar)),
            None,
        ));
        let during = "making an empty image to erase a folder with";
        let mut id = None;
        while let Some(answer) = answers.next().await {
            let answer = answer.map_err(|error| failure::from_engine(during, error))?;
            id = answer
                .status
                .filter(|status| status.starts_with("sha256:"))
                .or(id);
        }
        id.ok_or_else(|| failure::from_answer(during, 500, "the engine named no image".to_owned()))
    }

    /// Returns what `rm` had to say.
    async fn erase_in_container(
        &self,
        environment: &str,
        image: &str,
        folder: &Path,
    ) -> Result<String, EngineError> {
        let during = format!("erasing {}", folder.display());
        let failed = |error| failure::from_engine(&during, error);
        let mount = |source: &Path, target: &str, read_only| Mount {
            typ: Some(MountType::BIND),
            source: Some(source.display().to_string()),
            target: Some(target.to_owned()),
            read_only: Some(read_only),
            ..Mount::default()
        };
        let programs = PROGRAMS.iter().filter(|path| Path::new(path).exists());
        let mounts = programs
            .map(|path| mount(Path::new(path), path, true))
            .chain([mount(folder, PLACE, false)])
            .collect();
        let container = container_name(environment);
        // One that a cut-off earlier try left.
        self.remove_container(&container, &container).await?;
        let body = ContainerCreateBody {
            image: Some(image.to_owned()),
            cmd: Some(["/bin/rm", "-rf", "--", PLACE].map(str::to_owned).to_vec()),
            user: Some("0:0".to_owned()),
            labels: Some(std::collections::HashMap::from([(
                labels::ENVIRONMENT.to_owned(),
                environment.to_owned(),
            )])),
            host_config: Some(HostConfig {
                mounts: Some(mounts),
                network_mode: Some("none".to_owned()),
                ..HostConfig::default()
            }),
            ..ContainerCreateBody::default()
        };
        let options = CreateContainerOptions {
            name: Some(container),
            ..CreateContainerOptions::default()
        };
        let made = self
            .api
            .create_container(Some(options), body)
            .await
            .map_err(failed)?;
        self.api
            .start_container(&made.id, None::<StartContainerOptions>)
            .await
            .map_err(failed)?;
        let mut ended = std::pin::pin!(self.slow.wait_container(
            &made.id,
            Some(WaitContainerOptions {
                condition: "not-running".to_owned(),
            }),
        ));
        match ended.next().await {
            // An exit code other than 0 comes as an error; the folder tells.
            Some(Ok(_) | Err(bollard::errors::Error::DockerContainerWaitError { .. })) | None => {}
            Some(Err(error)) => return Err(failed(error)),
        }
        let lines = self.last_lines(&made.id, &during).await?;
        Ok(lines.to_string())
    }
}

/// Of the container that erases a folder of an environment.
pub(super) fn container_name(environment: &str) -> String {
    let name: String = environment
        .chars()
        .map(|it| if it.is_ascii_alphanumeric() { it } else { '-' })
        .collect();
    format!("berth-erase-{name}")
}

fn still_there(folder: &Path, why: &str) -> EngineError {
    EngineError::NotRemoved {
        left: vec![format!("{} ({})", folder.display(), why.trim())],
    }
}
