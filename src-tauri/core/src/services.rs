//! Services: found in a folder or at an address, added, forgotten.

use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use berth_contracts::{ProvisionType, ServiceProvisioning};
use tokio_util::sync::CancellationToken;

use crate::Berth;
use crate::detect::{self, Place};
use crate::git::{self, Location};
use crate::names::{service_name, unique_name};
use crate::problem::{Code, Problem};
use crate::store::{StoreError, activity, services};
use crate::view::{Activity, ActivityVerb, Candidate, Detection, GitRef, Outcome, Service, Source};

/// How long an address may take to answer when it is added.
const PATIENCE: Duration = Duration::from_secs(60);

/// A service about to be written down.
struct Proposed {
    name: String,
    source: Source,
    provisioning: ServiceProvisioning,
}

impl Berth {
    /// Looks at what a folder contains. Changes nothing.
    ///
    /// # Errors
    /// [`crate::Code::PathMissing`], [`crate::Code::InvalidInput`] for a file that
    /// is no compose file and a folder that may not be read.
    pub async fn detect(&self, path: &Path) -> Result<Detection, Problem> {
        let (place, candidates) = self.look(path).await?;
        let known = self.services().await?;
        let cancel = CancellationToken::new();
        // A repository that git refuses is still a folder.
        let tree = self.sources().work_tree(&place.folder, &cancel).await;
        let git = matches!(tree, Ok(Some(_)));
        let branch = if git {
            let head = git::head(self.sources().git(), &place.folder, &cancel).await;
            head.ok().and_then(|head| head.branch)
        } else {
            None
        };
        let existing = candidates.first().and_then(|first| {
            let source = folder_source(&place.folder, git);
            known
                .iter()
                .find(|service| is_same(service, &source, &first.provisioning))
        });
        Ok(Detection {
            name: free_name(&proposed_name(&place.folder), &known),
            git,
            branch,
            candidates,
            existing_service_id: existing.map(|service| service.id.clone()),
            path: place.folder.display().to_string(),
        })
    }

    /// Adds a service for a folder or a git URL; returns the one that is there
    /// already when it stands for the same place and file.
    ///
    /// # Errors
    /// [`crate::Code::PathMissing`], [`crate::Code::NothingToStart`],
    /// [`crate::Code::InvalidInput`]; [`crate::Code::Git`] for an address that
    /// does not answer or let git in.
    pub async fn add_service(
        &self,
        location: &str,
        compose_path: Option<&str>,
        name: Option<&str>,
    ) -> Result<Service, Problem> {
        if let Some(path) = compose_path {
            check_compose_path(path)?;
        }
        let proposed = match Location::parse(location) {
            Location::Url { url, had_secret } => {
                self.at_address(url, had_secret, compose_path).await?
            }
            Location::Path(path) => self.in_folder(Path::new(&path), compose_path).await?,
        };
        if let Some(name) = name {
            check_name(name)?;
        }
        let (now, actor) = (self.now(), self.actor());
        let (workspace_id, name) = (self.workspace_id().to_owned(), name.map(str::to_owned));
        let file_is_named = compose_path.is_some();
        let added = self
            .store()
            .write_durably(move |tx| {
                let known = services::list(tx, &workspace_id)?;
                let same = known
                    .iter()
                    .find(|service| is_same(service, &proposed.source, &proposed.provisioning))
                    .or_else(|| {
                        let mut others = known.iter().filter(|_| !file_is_named);
                        others.find(|service| is_provisioned_otherwise(service, &proposed.source))
                    });
                if let Some(same) = same {
                    return Ok(same.clone());
                }
                let name = name.unwrap_or_else(|| free_name(&proposed.name, &known));
                let service = services::insert(
                    tx,
                    now,
                    &workspace_id,
                    &name,
                    &proposed.source,
                    &proposed.provisioning,
                )?;
                let line = line(now, ActivityVerb::ServiceAdded, &service.name, actor);
                activity::append(tx, &line)?;
                Ok(service)
            })
            .await;
        match added {
            Err(StoreError::Exists { what }) => Err(Problem::new(
                Code::InvalidInput,
                format!("There is already {what}"),
            )
            .hint("Choose another name.")),
            other => Ok(other?),
        }
    }

    /// Records how a service is provisioned from now on: in effect at the next start
    /// of each of its environments.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`]; [`crate::Code::InvalidInput`] for a compose file or
    /// manifest outside of the service's folder.
    pub async fn set_provisioning(
        &self,
        id: &str,
        provisioning: ServiceProvisioning,
    ) -> Result<Service, Problem> {
        check_paths(&provisioning).map_err(|(_, problem)| *problem)?;
        let (now, actor, id) = (self.now(), self.actor(), id.to_owned());
        Ok(self
            .store()
            .write_durably(move |tx| {
                services::set_provisioning(tx, now, &id, &provisioning)?;
                let service = services::get(tx, &id)?;
                activity::append(
                    tx,
                    &line(now, ActivityVerb::ServiceChanged, &service.name, actor),
                )?;
                Ok(service)
            })
            .await?)
    }

    /// Forgets a service, and its private clone when nothing else uses it.
    /// Refused while it has environments that are not torn down.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`], [`crate::Code::Busy`].
    pub async fn remove_service(&self, id: &str) -> Result<(), Problem> {
        let (now, actor, service_id) = (self.now(), self.actor(), id.to_owned());
        let removed = self
            .store()
            .write_durably(move |tx| {
                let service = services::get(tx, &service_id)?;
                services::remove(tx, now, &service_id)?;
                let line = line(now, ActivityVerb::ServiceRemoved, &service.name, actor);
                activity::append(tx, &line)?;
                Ok(())
            })
            .await;
        match removed {
            Err(StoreError::Exists { what }) => {
                return Err(
                    Problem::new(Code::Busy, format!("The service still has {what}"))
                        .hint("Tear its environments down first."),
                );
            }
            other => other?,
        }
        let left = self.services().await?;
        self.sources()
            .remove_unused_clones(&left, &CancellationToken::new())
            .await
    }

    /// Branches and tags that can be started, most recently committed first,
    /// at most 500.
    ///
    /// # Errors
    /// [`crate::Code::NotFound`], [`crate::Code::Git`],
    /// [`crate::Code::InvalidInput`] for a folder without git.
    pub async fn git_refs(&self, service_id: &str) -> Result<Vec<GitRef>, Problem> {
        let id = service_id.to_owned();
        let service = self
            .store()
            .read(move |connection| services::get(connection, &id))
            .await?;
        self.sources()
            .refs(&service, &CancellationToken::new())
            .await
    }

    async fn services(&self) -> Result<Vec<Service>, Problem> {
        let workspace_id = self.workspace_id().to_owned();
        let known = self
            .store()
            .read(move |connection| services::list(connection, &workspace_id))
            .await?;
        Ok(known)
    }

    async fn look(&self, path: &Path) -> Result<(Place, Vec<Candidate>), Problem> {
        let environment = self.environment_variables().clone();
        let path = path.to_owned();
        tokio::task::spawn_blocking(move || {
            let home = environment.get("HOME").map(PathBuf::from);
            let place = detect::place(&path, home.as_deref())?;
            let candidates = detect::candidates(&place, &environment);
            Ok((place, candidates))
        })
        .await
        .unwrap_or_else(|error| Err(Problem::internal(error.to_string())))
    }

    async fn in_folder(
        &self,
        path: &Path,
        compose_path: Option<&str>,
    ) -> Result<Proposed, Problem> {
        if path.as_os_str().is_empty() {
            return Err(Problem::new(
                Code::InvalidInput,
                "No folder or address was given",
            ));
        }
        let (place, candidates) = self.look(path).await?;
        let shown = place.folder.display();
        let git = self
            .sources()
            .work_tree(&place.folder, &CancellationToken::new())
            .await
            .is_ok_and(|tree| tree.is_some());
        let provisioning = if let Some(compose_path) = compose_path {
            if !place.folder.join(compose_path).is_file() {
                return Err(Problem::new(
                    Code::PathMissing,
                    format!("There is no file {compose_path} in {shown}"),
                )
                .hint("Give the compose file's path from the service's folder."));
            }
            // Named or found: the same file makes the same service.
            candidates
                .iter()
                .find(|candidate| candidate.startable && candidate.file == compose_path)
                .map_or_else(
                    || compose_provisioning(Some(compose_path)),
                    |found| found.provisioning.clone(),
                )
        } else if let Some(first) = candidates.iter().find(|candidate| candidate.startable) {
            first.provisioning.clone()
        } else {
            return Err(nothing_to_start(&place.folder, &candidates));
        };
        Ok(Proposed {
            name: proposed_name(&place.folder),
            source: folder_source(&place.folder, git),
            provisioning,
        })
    }

    async fn at_address(
        &self,
        url: String,
        had_secret: bool,
        compose_path: Option<&str>,
    ) -> Result<Proposed, Problem> {
        let asked = self
            .sources()
            .git()
            .anywhere("ls-remote")
            .args(["--quiet", "--end-of-options", &url, "HEAD"])
            .within(PATIENCE)
            .run(&CancellationToken::new())
            .await;
        if let Err(failure) = asked {
            let mut problem = failure.about(&url);
            if had_secret {
                problem.hint = Some(
                    "Berth does not keep the user name and password of an address. Put them into git's credential helper, then add the address without them."
                        .to_owned(),
                );
            }
            return Err(problem);
        }
        Ok(Proposed {
            name: service_name(git::last_part(&url)),
            source: Source::GitUrl {
                url,
                subdirectory: String::new(),
            },
            provisioning: compose_provisioning(compose_path),
        })
    }
}

fn compose_provisioning(compose_path: Option<&str>) -> ServiceProvisioning {
    ServiceProvisioning {
        compose_path: compose_path.map(str::to_owned),
        ..ServiceProvisioning::of(ProvisionType::DockerCompose)
    }
}

fn folder_source(folder: &Path, git: bool) -> Source {
    Source::Folder {
        path: folder.display().to_string(),
        git,
    }
}

/// Whether a service stands for this place and file. Whether the folder lies in
/// git may change without it becoming another one.
pub(crate) fn is_same(
    service: &Service,
    source: &Source,
    provisioning: &ServiceProvisioning,
) -> bool {
    let same_place = match (&service.source, source) {
        (Source::Folder { path: one, .. }, Source::Folder { path: other, .. }) => one == other,
        (one, other) => one == other,
    };
    same_place
        && service.provisioning.provision_type == provisioning.provision_type
        && service.provisioning.compose_path == provisioning.compose_path
}

/// Whether a service of this place was said to be provisioned in another way than
/// its files tell: where no file is named, it is the one that is meant.
fn is_provisioned_otherwise(service: &Service, source: &Source) -> bool {
    is_same(service, source, &service.provisioning)
        && service.provisioning.provision_type != ProvisionType::DockerCompose
}

fn proposed_name(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    service_name(&name)
}

fn free_name(proposed: &str, known: &[Service]) -> String {
    unique_name(proposed, |name| {
        known.iter().any(|service| service.name == name)
    })
}

fn check_name(name: &str) -> Result<(), Problem> {
    let legal = service_name(name);
    if legal == name {
        return Ok(());
    }
    Err(Problem::new(
        Code::InvalidInput,
        format!("A service cannot be named `{name}`"),
    )
    .detail(
        "A name has at most 40 characters: lower-case letters, digits, and dashes between them.",
    )
    .hint(format!("`{legal}` would do.")))
}

/// Refuses files outside of the service's folder, with the member that names one.
pub(crate) fn check_paths(
    provisioning: &ServiceProvisioning,
) -> Result<(), (&'static str, Box<Problem>)> {
    if let Some(path) = &provisioning.compose_path {
        check_compose_path(path).map_err(|problem| ("composePath", Box::new(problem)))?;
    }
    if let Some(path) = &provisioning.manifest_path {
        check_inside("manifest", path, "deploy/manifest.yaml")
            .map_err(|problem| ("manifestPath", Box::new(problem)))?;
    }
    Ok(())
}

fn check_compose_path(path: &str) -> Result<(), Problem> {
    check_inside("compose file", path, "deploy/compose.yaml")
}

fn check_inside(what: &str, path: &str, example: &str) -> Result<(), Problem> {
    let inside = Path::new(path)
        .components()
        .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    if inside && !path.is_empty() {
        return Ok(());
    }
    Err(Problem::new(
        Code::InvalidInput,
        format!("The {what} `{path}` is not inside the service's folder"),
    )
    .hint(format!(
        "Give its path from the folder, such as `{example}`."
    )))
}

fn nothing_to_start(folder: &Path, candidates: &[Candidate]) -> Problem {
    let shown = folder.display();
    let is_bare = ["HEAD", "objects", "refs"]
        .iter()
        .all(|part| folder.join(part).exists());
    if is_bare {
        Problem::new(
            Code::NothingToStart,
            format!("{shown} is a bare git repository"),
        )
        .hint(format!("Add it by its address: file://{shown}"))
    } else if let Some(first) = candidates.first() {
        Problem::new(
            Code::NothingToStart,
            format!("{shown} holds Kubernetes manifests only, which Berth cannot start yet"),
        )
        .detail(format!("Found {}.", first.file))
        .hint("Add a compose file or a Dockerfile.")
    } else {
        Problem::new(
            Code::NothingToStart,
            format!("{shown} holds nothing that can be started"),
        )
        .hint("Choose a folder with a compose file (compose.yaml) or a Dockerfile.")
    }
}

/// A line of the activity about a service.
pub(crate) fn line(
    at: i64,
    verb: ActivityVerb,
    service: &str,
    actor: crate::view::Actor,
) -> Activity {
    Activity {
        id: 0,
        at,
        verb,
        outcome: Outcome::Success,
        environment_id: None,
        environment_name: None,
        service_name: Some(service.to_owned()),
        engine_label: None,
        actor,
        duration_ms: None,
        detail: None,
    }
}

#[cfg(test)]
mod tests;
