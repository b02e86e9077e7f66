//! A service's files, brought to where containers can use them, and understood.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use berth_compose::{Files as _, Loaded, MountKind, Project};
use berth_engines::{Reporter as _, StepState};

use super::handling::Handling;
use super::operation::Operation;
use super::recorder::Recorder;
use crate::problem::{Code, Problem};
use crate::redaction::Values;
use crate::source::Prepared;
use crate::store::environments;
use crate::view::{Selector, Service, Source};

/// The step that reads the service's files.
pub(super) const STEP: &str = "read";

/// Brings the files to where containers can use them, and understands them.
pub(super) async fn read(
    operation: &Operation,
    service: &Service,
    handling: &Handling,
    recorder: &Recorder,
) -> Result<(Prepared, Loaded), Problem> {
    recorder.step(STEP, StepState::Running, None, None);
    let result = async {
        let files = FilesOf::choose(operation, service, handling)?;
        let prepared = prepare(operation, &files).await?;
        load(operation, service, handling, &files, prepared).await
    }
    .await;
    match &result {
        Ok((prepared, loaded)) => {
            recorder.step(
                STEP,
                StepState::Done,
                Some(what_was_read(prepared, loaded)),
                None,
            );
        }
        Err(problem) => recorder.step(STEP, StepState::Failed, Some(problem.title.clone()), None),
    }
    result
}

/// Where an environment's compose file is: in the service itself, or in another
/// repository that the handler names.
struct FilesOf {
    /// The service, or the other repository as one.
    place: Service,
    selector: Selector,
    /// From the place's folder; the usual names when absent.
    compose_path: Option<String>,
}

impl FilesOf {
    fn choose(
        operation: &Operation,
        service: &Service,
        handling: &Handling,
    ) -> Result<Self, Problem> {
        let selector = operation.environment.identity.selector.clone();
        let of_handler = handling.compose.compose_path.clone();
        let Some(other) = &handling.compose.compose_repository else {
            return Ok(Self {
                place: service.clone(),
                selector,
                compose_path: service.provisioning.compose_path.clone().or(of_handler),
            });
        };
        let url = other.address_beside(&service.source)?;
        Ok(Self {
            place: Service {
                source: Source::GitUrl {
                    url,
                    subdirectory: String::new(),
                },
                ..service.clone()
            },
            selector: match &other.reference {
                Some(name) => Selector::Ref { name: name.clone() },
                None => Selector::WorkingTree,
            },
            compose_path: of_handler,
        })
    }

    /// Whether it is the user's own folder rather than a checkout.
    fn is_own_folder(&self) -> bool {
        self.selector == Selector::WorkingTree && matches!(self.place.source, Source::Folder { .. })
    }
}

async fn prepare(operation: &Operation, files: &FilesOf) -> Result<Prepared, Problem> {
    let berth = &operation.berth;
    let id = operation.environment.id.clone();
    if !files.is_own_folder() {
        // Written down before it is made, so that it is removed whatever happens.
        let checkout = berth.data().checkouts().join(&id).display().to_string();
        let (now, id) = (berth.now(), id.clone());
        berth
            .store()
            .write_durably(move |tx| environments::set_checkout(tx, now, &id, Some(&checkout)))
            .await?;
    }
    let prepared = berth
        .sources()
        .prepare(&files.place, &files.selector, &id, &operation.cancel)
        .await?;
    let (now, revision) = (berth.now(), prepared.revision.clone());
    berth
        .store()
        .write(move |tx| environments::set_revision(tx, now, &id, &revision))
        .await?;
    Ok(prepared)
}

async fn load(
    operation: &Operation,
    service: &Service,
    handling: &Handling,
    files: &FilesOf,
    prepared: Prepared,
) -> Result<(Prepared, Loaded), Problem> {
    let variables = variables(operation, service, handling).await;
    let (mut prepared, mut loaded, values) =
        understand(operation, files, variables, prepared).await?;
    operation.redaction.learn(values);
    if loaded.project.services.is_empty() {
        return Err(Problem::new(Code::NothingToStart, "No service is active")
            .detail("The project has no services, or all of them belong to profiles.")
            .hint("Switch profiles on with COMPOSE_PROFILES, in .env or the shell."));
    }
    if !files.is_own_folder() {
        let data = operation.berth.data();
        let checkout = data.checkouts().join(&operation.environment.id);
        stays_inside(&loaded.project, data.folder(), &checkout)?;
    }
    prepared
        .warnings
        .extend(handling.publish(&mut loaded.project)?);
    let carried = prepared
        .files
        .carry_mounts(&loaded.project, &operation.cancel)
        .await?;
    prepared.warnings.extend(carried);
    Ok((prepared, loaded))
}

/// A checkout is foreign ground: its project may mount what lies in it, and what
/// it names by an absolute path, but not reach Berth's own folders around it, nor
/// out of it through links.
fn stays_inside(project: &Project, data: &Path, checkout: &Path) -> Result<(), Problem> {
    for (name, service) in &project.services {
        let binds = service
            .mounts
            .iter()
            .filter(|mount| mount.kind == MountKind::Bind);
        for source in binds.filter_map(|mount| mount.source.as_deref()) {
            let path = Path::new(source);
            let leaves = if path.starts_with(checkout) {
                !really_inside(path, checkout)
            } else {
                path.starts_with(data) || data.starts_with(path)
            };
            if leaves {
                return Err(Problem::new(
                    Code::ProjectUnsupported,
                    format!("{name} mounts a path outside of the repository"),
                )
                .detail(format!("Its bind mount would be {source}."))
                .hint("Keep what is mounted inside the repository, or start the folder as it is, without a ref."));
            }
        }
    }
    Ok(())
}

/// Whether what is there of `path` lies in `folder` once links are followed.
fn really_inside(path: &Path, folder: &Path) -> bool {
    let Ok(folder) = folder.canonicalize() else {
        return false;
    };
    path.ancestors()
        .find_map(|there| there.canonicalize().ok())
        .is_some_and(|real| real.starts_with(folder))
}

/// What the compose files are read with: the process's own variables, and those of
/// the handler, which win.
async fn variables(
    operation: &Operation,
    service: &Service,
    handling: &Handling,
) -> BTreeMap<String, String> {
    let berth = &operation.berth;
    let mut variables = berth.environment_variables().clone();
    if handling.compose.has_variables() {
        let identity = &operation.environment.identity;
        let known = berth
            .template_variables(service, &identity.selector, &operation.cancel)
            .await;
        variables.extend(handling.compose.environment(&known, &identity.project));
    }
    variables
}

async fn understand(
    operation: &Operation,
    files: &FilesOf,
    variables: BTreeMap<String, String>,
    prepared: Prepared,
) -> Result<(Prepared, Loaded, Values), Problem> {
    let project = operation.environment.identity.project.clone();
    let compose_path = files.compose_path.clone();
    tokio::task::spawn_blocking(move || {
        let files: Vec<PathBuf> = compose_path
            .iter()
            .map(|path| prepared.directory.join(path))
            .collect();
        let folder = project_folder(&prepared.directory, files.first());
        let loaded = berth_compose::load(&berth_compose::Request {
            directory: &folder,
            files: &files,
            project_name: Some(&project),
            profiles: &[],
            environment: &variables,
            files_from: &prepared.files,
        })
        .map_err(|faults| Problem::from_diagnostics(&faults, Some(&prepared.directory)))?;
        let texts: Vec<String> = loaded
            .compose_files
            .iter()
            .filter_map(|file| prepared.files.read(file).ok())
            .map(|text| String::from_utf8_lossy(&text).into_owned())
            .collect();
        let values = Values::of_project(&loaded.project, &loaded.dotenv_values, &texts);
        Ok((prepared, loaded, values))
    })
    .await
    .unwrap_or_else(|error| Err(Problem::internal(error.to_string())))
}

/// Where relative paths start: as Docker Compose has it, the folder of the first
/// file that was named, else the service's.
pub(super) fn project_folder(directory: &Path, file: Option<&PathBuf>) -> PathBuf {
    file.and_then(|file| file.parent())
        .unwrap_or(directory)
        .to_owned()
}

fn what_was_read(prepared: &Prepared, loaded: &Loaded) -> String {
    let names: Vec<String> = loaded
        .read
        .iter()
        .map(|file| relative(file, &prepared.directory))
        .collect();
    let services = loaded.project.services.len();
    let services = if services == 1 {
        "1 service".to_owned()
    } else {
        format!("{services} services")
    };
    format!("{}: {services}", names.join(", "))
}

fn relative(file: &Path, folder: &Path) -> String {
    file.strip_prefix(folder)
        .unwrap_or(file)
        .display()
        .to_string()
}
