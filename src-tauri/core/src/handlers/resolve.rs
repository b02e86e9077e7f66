//! Which handler serves a service: the contract's rule, with its reasons. Pure.

use berth_contracts::{Engine, ProvisionType, ServiceProvisioning};

use crate::problem::{Code, Problem};
use crate::view::{Choice, Explanation, HandlerRef, HandlerScope, LookedAt, LookedAtVerdict};

/// A row that may serve.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) handler: HandlerRef,
    /// Of an override: whether it is switched on.
    pub(crate) enabled: bool,
}

/// Looks at a user's overrides, then at the workspace's handlers, each oldest
/// first. The first list with a candidate decides, also when it has too many.
pub(crate) fn resolve(
    provisioning: &ServiceProvisioning,
    overrides: &[Row],
    workspace: &[Row],
) -> Explanation {
    let explained = |choice, looked_at| Explanation {
        provisioning: provisioning.clone(),
        choice,
        looked_at,
    };
    if provisioning.provision_type == ProvisionType::Infraless {
        return explained(Choice::NothingToRun, Vec::new());
    }
    let (mut looked_at, own) = look_at(provisioning, overrides);
    let (mut of_workspace, others) = look_at(provisioning, workspace);
    let candidates = if own.is_empty() {
        others
    } else {
        for looked_at in &mut of_workspace {
            if looked_at.verdict == LookedAtVerdict::Candidate {
                looked_at.verdict = LookedAtVerdict::Overridden;
            }
        }
        own
    };
    looked_at.append(&mut of_workspace);
    let choice = match candidates.as_slice() {
        [] => Choice::NoHandler,
        [only] => {
            let away = provisioning.local_dev_only == Some(true) && !is_local(only.engine);
            let (choice, verdict) = if away {
                let handler = only.clone();
                (Choice::LocalDevOnly { handler }, LookedAtVerdict::NotLocal)
            } else {
                let handler = only.clone();
                (Choice::Handled { handler }, LookedAtVerdict::Chosen)
            };
            for looked_at in &mut looked_at {
                if looked_at.verdict == LookedAtVerdict::Candidate {
                    looked_at.verdict = verdict;
                }
            }
            choice
        }
        _ => Choice::Ambiguous { candidates },
    };
    explained(choice, looked_at)
}

/// A verdict for every row of one list, and the rows that would serve.
fn look_at(provisioning: &ServiceProvisioning, rows: &[Row]) -> (Vec<LookedAt>, Vec<HandlerRef>) {
    let looked_at: Vec<LookedAt> = rows
        .iter()
        .map(|row| LookedAt {
            handler: row.handler.clone(),
            verdict: verdict(provisioning, row),
        })
        .collect();
    let candidates = looked_at
        .iter()
        .filter(|looked_at| looked_at.verdict == LookedAtVerdict::Candidate)
        .map(|looked_at| looked_at.handler.clone())
        .collect();
    (looked_at, candidates)
}

fn verdict(provisioning: &ServiceProvisioning, row: &Row) -> LookedAtVerdict {
    let handler = &row.handler;
    if handler.key.provision_type != provisioning.provision_type {
        return LookedAtVerdict::OtherType;
    }
    // Only custom services and handlers meet through a manifest id; a service that
    // names none is served by every custom handler.
    if provisioning.provision_type == ProvisionType::Custom
        && let Some(id) = &provisioning.manifest_id
        && handler.key.manifest_id.as_ref() != Some(id)
        && handler.accepts_manifest_id.as_ref() != Some(id)
    {
        return LookedAtVerdict::OtherManifestType;
    }
    if row.enabled {
        LookedAtVerdict::Candidate
    } else {
        LookedAtVerdict::SwitchedOff
    }
}

/// Whether an engine runs on this machine.
fn is_local(engine: Engine) -> bool {
    match engine {
        Engine::LocalDocker | Engine::LocalK3s | Engine::None => true,
        Engine::RemoteKubernetes | Engine::RemoteCustom => false,
    }
}

/// The handler that was chosen, or why there is none.
///
/// # Errors
/// [`Code::NothingToRun`], [`Code::NoHandler`], [`Code::AmbiguousHandler`],
/// [`Code::LocalDevOnly`].
pub(crate) fn chosen<'a>(
    explanation: &'a Explanation,
    service_name: &str,
) -> Result<&'a HandlerRef, Problem> {
    let kind = kind(&explanation.provisioning);
    match &explanation.choice {
        Choice::Handled { handler } => Ok(handler),
        Choice::NothingToRun => Err(Problem::new(
            Code::NothingToRun,
            format!("{service_name} needs nothing to run: nothing was started"),
        )
        .detail("Its provision type is infraless.")
        .hint("Choose another provision type for the service to give it environments.")),
        Choice::NoHandler => {
            let off = explanation
                .looked_at
                .iter()
                .find(|looked_at| looked_at.verdict == LookedAtVerdict::SwitchedOff);
            let hint = match off {
                Some(off) => format!(
                    "Your override “{}” would: switch it on, or add a workspace handler.",
                    off.handler.label
                ),
                None => format!(
                    "Add a handler for {kind}: in the window under Handlers, or with berth handler set."
                ),
            };
            Err(
                Problem::new(Code::NoHandler, format!("Nothing handles {service_name}"))
                    .detail(format!("There is no handler for {kind}."))
                    .hint(hint),
            )
        }
        Choice::Ambiguous { candidates } => Err(Problem::new(
            Code::AmbiguousHandler,
            format!("Several handlers would serve {service_name}"),
        )
        .detail(format!(
            "Each of these takes {kind}: {}.",
            names(candidates)
        ))
        .hint(
            "Give the service a manifest type that only one of them accepts, or remove the others.",
        )),
        Choice::LocalDevOnly { handler } => Err(Problem::new(
            Code::LocalDevOnly,
            format!("{service_name} is for local development only"),
        )
        .detail(format!(
            "The handler that serves it, {}, runs on another machine.",
            name(handler)
        ))
        .hint("Override the handler with one on this machine, or take the mark off the service.")),
    }
}

fn kind(provisioning: &ServiceProvisioning) -> String {
    let word = match provisioning.provision_type {
        ProvisionType::Kubernetes => "kubernetes",
        ProvisionType::DockerCompose => "docker-compose",
        ProvisionType::Custom => "custom",
        ProvisionType::Infraless => "infraless",
    };
    match &provisioning.manifest_id {
        Some(id) if provisioning.provision_type == ProvisionType::Custom => {
            format!("{word} services of the manifest type {id}")
        }
        _ => format!("{word} services"),
    }
}

fn names(handlers: &[HandlerRef]) -> String {
    handlers.iter().map(name).collect::<Vec<_>>().join(", ")
}

fn name(handler: &HandlerRef) -> String {
    match &handler.scope {
        HandlerScope::Workspace => format!("“{}” of the workspace", handler.label),
        HandlerScope::User { user_id } => format!("“{}” of {user_id}", handler.label),
    }
}

#[cfg(test)]
mod tests;
