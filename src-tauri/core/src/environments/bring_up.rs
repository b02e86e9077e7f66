//! One environment coming up: read, observe, plan, write down, apply.

use std::path::{Path, PathBuf};

use berth_compose::{Files as _, Loaded};
use berth_engines::docker::{self, Address, Docker, Identity, Part, Plan, PlanInput, Scope};
use berth_engines::{Action, EngineError, Reporter, StepKind, StepState};

use super::operation::{Ending, Operation};
use super::recorder::Recorder;
use super::{tear_down, waiting};
use crate::free_port::is_free;
use crate::problem::{Code, Problem};
use crate::redaction::Redaction;
use crate::source::Prepared;
use crate::store::environments::EngineRef;
use crate::store::{environments, inventory, operations, ports};
use crate::view::{Environment, Selector, Service, Source};

/// The step that reads the service's files.
const READ: &str = "read";

/// The step that looks at the engine and decides.
const PLAN: &str = "plan";

/// How often another port is tried when the engine finds one taken after all.
const PORT_TRIES: usize = 5;

/// Performs an `up` to its end.
pub(super) async fn perform(
    operation: Operation,
    service: Service,
) -> Result<Environment, Problem> {
    let (recorder, recording) = operation.record();
    recorder.expect(vec![
        waiting(READ, StepKind::Read),
        waiting(PLAN, StepKind::Plan),
    ]);
    let ending = match bring_up(&operation, &service, &recorder).await {
        Ok((addresses, parts)) => Ending::Ready { addresses, parts },
        Err(problem) if problem.code == Code::Cancelled => {
            cancelled(&operation, problem, &recorder).await
        }
        // A copy of something that does not exist is no environment.
        Err(problem)
            if problem.code == Code::RefMissing && operation.environment.ready_at.is_none() =>
        {
            match tear_down::take_away(&operation, &recorder).await {
                Ok(()) => Ending::Gone(Some(problem)),
                Err(left) => Ending::Failed {
                    problem: left,
                    parts: Vec::new(),
                },
            }
        }
        Err(problem) => Ending::Failed {
            problem: recorder.redacted(problem),
            parts: parts_left(&operation).await,
        },
    };
    drop(recorder);
    recording.finished().await;
    operation.end(ending).await
}

async fn bring_up(
    operation: &Operation,
    service: &Service,
    recorder: &Recorder,
) -> Result<(Vec<Address>, Vec<Part>), Problem> {
    let (docker, read) = tokio::join!(operation.engine(), read(operation, service, recorder));
    let (prepared, loaded) = read?;
    recorder.step(PLAN, StepState::Running, None, None);
    let docker = docker.inspect_err(|problem| {
        recorder.step(PLAN, StepState::Failed, Some(problem.title.clone()), None);
    })?;
    remember_engine(operation, &docker).await?;

    let environment = &operation.environment.id;
    for tries_left in (0..PORT_TRIES).rev() {
        let plan = plan(operation, &docker, &prepared, &loaded, recorder).await?;
        match docker.apply(&plan, recorder, &operation.cancel).await {
            Ok(applied) => {
                let parts = docker.parts(environment).await?;
                return Ok((applied.addresses, parts));
            }
            Err(EngineError::PortTaken { port, .. }) if tries_left > 0 => {
                operation
                    .berth
                    .store()
                    .write(move |tx| ports::release_one(tx, port))
                    .await?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(Problem::internal("every try for a free port was used up"))
}

/// Brings the files to where containers can use them, and understands them.
async fn read(
    operation: &Operation,
    service: &Service,
    recorder: &Recorder,
) -> Result<(Prepared, Loaded), Problem> {
    recorder.step(READ, StepState::Running, None, None);
    let result = async {
        let prepared = prepare(operation, service).await?;
        load(operation, service, prepared, recorder).await
    }
    .await;
    match &result {
        Ok((prepared, loaded)) => {
            recorder.step(
                READ,
                StepState::Done,
                Some(what_was_read(prepared, loaded)),
                None,
            );
        }
        Err(problem) => recorder.step(READ, StepState::Failed, Some(problem.title.clone()), None),
    }
    result
}

async fn prepare(operation: &Operation, service: &Service) -> Result<Prepared, Problem> {
    let berth = &operation.berth;
    let selector = &operation.environment.identity.selector;
    let id = operation.environment.id.clone();
    let own_folder =
        *selector == Selector::WorkingTree && matches!(service.source, Source::Folder { .. });
    if !own_folder {
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
        .prepare(service, selector, &id, &operation.cancel)
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
    prepared: Prepared,
    recorder: &Recorder,
) -> Result<(Prepared, Loaded), Problem> {
    let (mut prepared, loaded, redaction) = understand(operation, service, prepared).await?;
    recorder.redact(redaction);
    let carried = prepared
        .files
        .carry_mounts(&loaded.project, &operation.cancel)
        .await?;
    prepared.warnings.extend(carried);
    Ok((prepared, loaded))
}

async fn understand(
    operation: &Operation,
    service: &Service,
    prepared: Prepared,
) -> Result<(Prepared, Loaded, Redaction), Problem> {
    let variables = operation.berth.environment_variables().clone();
    let project = operation.environment.identity.project.clone();
    let compose_path = service.provisioning.compose_path.clone();
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
        let redaction = Redaction::of(&loaded.project, &texts);
        Ok((prepared, loaded, redaction))
    })
    .await
    .unwrap_or_else(|error| Err(Problem::internal(error.to_string())))
}

/// Where relative paths start: as Docker Compose has it, the folder of the first
/// file that was named, else the service's.
fn project_folder(directory: &Path, file: Option<&PathBuf>) -> PathBuf {
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

/// Looks at the engine, decides, and writes the decision down.
async fn plan(
    operation: &Operation,
    docker: &Docker,
    prepared: &Prepared,
    loaded: &Loaded,
    recorder: &Recorder,
) -> Result<Plan, Problem> {
    let planned = decide(operation, docker, prepared, loaded).await;
    match &planned {
        Ok(plan) => {
            recorder.expect(plan.steps.clone());
            recorder.step(PLAN, StepState::Done, Some(what_is_planned(plan)), None);
        }
        Err(problem) => recorder.step(PLAN, StepState::Failed, Some(problem.title.clone()), None),
    }
    planned
}

async fn decide(
    operation: &Operation,
    docker: &Docker,
    prepared: &Prepared,
    loaded: &Loaded,
) -> Result<Plan, Problem> {
    let berth = &operation.berth;
    let project = &loaded.project;
    let record = &operation.environment;
    let identity = Identity {
        environment: record.id.clone(),
        operation: operation.id.clone(),
        project: record.identity.project.clone(),
        host: record.identity.host.clone(),
        working_dir: Some(project_folder(
            &prepared.directory,
            loaded.compose_files.first(),
        )),
        config_files: loaded.compose_files.clone(),
    };
    let wanted = docker::ports_needed(project);
    let id = record.id.clone();
    let (observation, ports, localhost_names_resolve) = tokio::join!(
        docker.observe(project, &identity),
        berth.store().write(move |tx| {
            ports::allocate(tx, &id, &wanted, ports::candidates(&id), is_free)
        }),
        resolves(format!("{}.localhost", identity.host)),
    );
    let mut plan = docker::plan(&PlanInput {
        project,
        identity: &identity,
        observation: &observation?,
        ports: &ports?,
        address: None,
        localhost_names_resolve,
    })
    .map_err(|error| match error {
        EngineError::Refused(faults) => {
            Problem::from_diagnostics(&faults, Some(&prepared.directory))
        }
        error => error.into(),
    })?;
    // A checkout belongs to this environment alone: nothing else shares it.
    let checkouts = berth.data().checkouts();
    plan.view
        .kept
        .retain(|kept| !Path::new(&kept.what).starts_with(&checkouts));
    plan.view.carried = prepared.files.carried();
    plan.view.warnings.extend(prepared.warnings.iter().cloned());
    plan.view
        .warnings
        .extend(loaded.warnings.iter().map(ToString::to_string));

    let (now, id, operation_id, view) = (
        berth.now(),
        record.id.clone(),
        operation.id.clone(),
        plan.view.clone(),
    );
    berth
        .store()
        .write_durably(move |tx| {
            let made: Vec<_> = view
                .changes
                .iter()
                .filter(|change| matches!(change.action, Action::Create | Action::Change))
                .map(|change| (change.kind, change.name.clone()))
                .collect();
            inventory::intend(tx, &id, &operation_id, &made)?;
            operations::set_plan(tx, now, &operation_id, &view)
        })
        .await?;
    Ok(plan)
}

fn what_is_planned(plan: &Plan) -> String {
    let changes = plan
        .view
        .changes
        .iter()
        .filter(|change| change.action != Action::Keep)
        .count();
    match changes {
        0 => "nothing to change".to_owned(),
        1 => "1 change".to_owned(),
        many => format!("{many} changes"),
    }
}

/// Whether a name under `localhost` resolves here. Systems that ask the network
/// for it are not waited for.
async fn resolves(name: String) -> bool {
    let lookup = tokio::net::lookup_host((name, 80));
    match tokio::time::timeout(std::time::Duration::from_millis(250), lookup).await {
        Ok(Ok(mut addresses)) => addresses.any(|address| address.ip().is_loopback()),
        Ok(Err(_)) | Err(_) => false,
    }
}

async fn remember_engine(operation: &Operation, docker: &Docker) -> Result<(), Problem> {
    let recorded = &operation.environment.identity.engine;
    let engine = EngineRef {
        id: Some(docker.info().id.clone()),
        ..recorded.clone()
    };
    if engine == *recorded {
        return Ok(());
    }
    let berth = &operation.berth;
    let (now, id) = (berth.now(), operation.environment.id.clone());
    Ok(berth
        .store()
        .write(move |tx| environments::set_engine(tx, now, &id, &engine))
        .await?)
}

/// Takes back what a cancelled `up` made: everything of an environment that was
/// never up, else what this operation made.
async fn cancelled(operation: &Operation, problem: Problem, reporter: &dyn Reporter) -> Ending {
    if operation.environment.ready_at.is_none() {
        return match tear_down::take_away(operation, reporter).await {
            Ok(()) => Ending::Gone(Some(problem)),
            Err(left) => Ending::Failed {
                problem: left,
                parts: Vec::new(),
            },
        };
    }
    let taken_back = async {
        let docker = operation.engine().await?;
        let scope = Scope::Operation(operation.environment.id.clone(), operation.id.clone());
        docker.remove(&scope, reporter).await?;
        Ok::<_, Problem>(docker.parts(&operation.environment.id).await?)
    };
    match taken_back.await {
        Ok(parts) => Ending::Failed {
            problem: problem.hint("Retry to bring it up again; its volumes were kept."),
            parts,
        },
        Err(left) => Ending::Failed {
            problem: left,
            parts: Vec::new(),
        },
    }
}

/// What stands after a failure, for a look at it.
async fn parts_left(operation: &Operation) -> Vec<Part> {
    let parts = async {
        operation
            .engine()
            .await?
            .parts(&operation.environment.id)
            .await
            .map_err(Problem::from)
    };
    parts.await.unwrap_or_default()
}
