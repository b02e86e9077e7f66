//! One environment coming up: read, observe, plan, write down, apply.

use std::path::Path;

use berth_compose::Loaded;
use berth_engines::docker::{self, Address, Docker, Identity, Part, Plan, PlanInput, Scope};
use berth_engines::{Action, EngineError, Reporter, StepKind, StepState};

use super::handling::Handling;
use super::operation::{Ending, Operation};
use super::recorder::Recorder;
use super::{read, tear_down, waiting};
use crate::free_port::is_free;
use crate::problem::{Code, Problem};
use crate::source::Prepared;
use crate::store::environments::EngineRef;
use crate::store::{environments, inventory, operations, ports};
use crate::view::{Actor, Environment, Service};

/// The step that looks at the engine and decides.
const PLAN: &str = "plan";

/// How often another port is tried when the engine finds one taken after all.
const PORT_TRIES: usize = 5;

/// Performs an `up` to its end.
pub(super) async fn perform(
    operation: Operation,
    service: Service,
    handling: Handling,
) -> Result<Environment, Problem> {
    let (recorder, recording) = operation.record();
    recorder.expect(vec![
        waiting(read::STEP, StepKind::Read),
        waiting(PLAN, StepKind::Plan),
    ]);
    let ending = match bring_up(&operation, &service, &handling, &recorder).await {
        Ok((addresses, parts)) => Ending::Ready { addresses, parts },
        Err(problem) if problem.code == Code::Cancelled => {
            cancelled(&operation, problem, &recorder).await
        }
        Err(problem) if comes_to_nothing(&operation, problem.code).await => {
            match tear_down::take_away(&operation, &recorder).await {
                Ok(()) => Ending::Gone(Some(problem)),
                Err(left) => Ending::Failed {
                    problem: left,
                    parts: Vec::new(),
                },
            }
        }
        Err(problem) => Ending::Failed {
            problem,
            parts: parts_left(&operation).await,
        },
    };
    drop(recorder);
    recording.finished().await;
    operation.end(ending).await
}

/// Whether a start that failed leaves no environment. A copy of something that
/// does not exist is none. Nor is one whose files are wrong, asked for on the
/// command line: the faults are on the screen, and the files are corrected
/// there; in the window it stays, to be read and retried.
async fn comes_to_nothing(operation: &Operation, code: Code) -> bool {
    let wrong = match code {
        Code::RefMissing => true,
        Code::ProjectInvalid
        | Code::ProjectUnsupported
        | Code::NothingToStart
        | Code::PathMissing
        | Code::InvalidInput
        | Code::InvalidDocument => operation.actor == Actor::CommandLine,
        _ => false,
    };
    if !wrong || operation.environment.ready_at.is_some() {
        return false;
    }
    let id = operation.environment.id.clone();
    let made = operation
        .berth
        .store()
        .read(move |connection| inventory::list(connection, &id))
        .await;
    made.is_ok_and(|made| made.is_empty())
}

async fn bring_up(
    operation: &Operation,
    service: &Service,
    handling: &Handling,
    recorder: &Recorder,
) -> Result<(Vec<Address>, Vec<Part>), Problem> {
    let (docker, understood) = tokio::join!(
        operation.engine(),
        read::read(operation, service, handling, recorder)
    );
    let (prepared, loaded) = understood?;
    recorder.step(PLAN, StepState::Running, None, None);
    let docker = docker.inspect_err(|problem| {
        recorder.step(PLAN, StepState::Failed, Some(problem.title.clone()), None);
    })?;
    remember_engine(operation, &docker).await?;

    let environment = &operation.environment.id;
    let mut moved = Vec::new();
    for tries_left in (0..PORT_TRIES).rev() {
        let plan = plan(
            operation, handling, &docker, &prepared, &loaded, &moved, recorder,
        )
        .await?;
        match docker.apply(&plan, recorder, &operation.cancel).await {
            Ok(applied) => {
                let parts = docker.parts(environment).await?;
                return Ok((applied.addresses, parts));
            }
            Err(EngineError::PortTaken {
                port,
                holder,
                service,
            }) if tries_left > 0 => {
                let holder = holder.unwrap_or_else(|| "another program".to_owned());
                moved.push(format!(
                    "Port {port} is taken by {holder}: {service} has another one now."
                ));
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

/// Looks at the engine, decides, and writes the decision down.
async fn plan(
    operation: &Operation,
    handling: &Handling,
    docker: &Docker,
    prepared: &Prepared,
    loaded: &Loaded,
    moved: &[String],
    recorder: &Recorder,
) -> Result<Plan, Problem> {
    let planned = decide(operation, handling, docker, prepared, loaded, moved).await;
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
    handling: &Handling,
    docker: &Docker,
    prepared: &Prepared,
    loaded: &Loaded,
    moved: &[String],
) -> Result<Plan, Problem> {
    let berth = &operation.berth;
    let project = &loaded.project;
    let record = &operation.environment;
    let identity = Identity {
        environment: record.id.clone(),
        operation: operation.id.clone(),
        project: record.identity.project.clone(),
        host: record.identity.host.clone(),
        working_dir: Some(read::project_folder(
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
        address: handling.address(),
        localhost_names_resolve,
    })
    .map_err(|error| match error {
        EngineError::Refused(faults) => {
            Problem::from_diagnostics(&faults, Some(&prepared.directory))
        }
        error => error.into(),
    })?;
    // A checkout belongs to this environment alone: nothing else shares it.
    let checkout = berth.data().checkouts().join(&record.id);
    plan.view
        .kept
        .retain(|kept| !Path::new(&kept.what).starts_with(&checkout));
    plan.view.warnings.extend(moved.iter().cloned());
    plan.view.carried = prepared.files.carried();
    plan.view.warnings.extend(prepared.warnings.iter().cloned());
    plan.view
        .warnings
        .extend(loaded.warnings.iter().map(ToString::to_string));
    plan.view = operation.redaction.plan(plan.view);

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
