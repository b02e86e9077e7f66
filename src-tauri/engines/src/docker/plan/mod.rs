mod images;
mod resources;
mod services;
mod steps;
mod view;

#[cfg(test)]
mod golden;

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use berth_compose::{Build, Dependency, Diagnostic, Project, Rule};
use bollard::models::{
    ContainerCreateBody, EndpointSettings, NetworkCreateRequest, VolumeCreateRequest,
};

use super::address::{self, Addresses, WantedAddress};
use super::observe::{Observation, SeenContainer, SeenImage};
use super::{Identity, PortKey, isolate, start_order};
use crate::{Action, EngineError, PlanView, Step};

pub(super) use steps::{container_steps, healthy_step, waiting};

/// What planning looks at. No clock, no disk, no engine.
pub struct PlanInput<'a> {
    /// The project as loaded.
    pub project: &'a Project,
    /// Who it is for.
    pub identity: &'a Identity,
    /// What is there.
    pub observation: &'a Observation,
    /// A host port for each of [`super::ports_needed`].
    pub ports: &'a BTreeMap<PortKey, u16>,
    /// Which service and port is *the* URL, as far as somebody said.
    pub address: WantedAddress,
    /// Whether `<host>.localhost` resolves here; else `127.0.0.1` is shown.
    pub localhost_names_resolve: bool,
}

/// What is about to be done.
#[derive(Clone, Default)]
pub struct Plan {
    /// For the window, the command line and the record.
    pub view: PlanView,
    /// The steps that applying it will report, in order.
    pub steps: Vec<Step>,
    pub(in crate::docker) identity: Identity,
    pub(in crate::docker) images: Vec<ImageWork>,
    pub(in crate::docker) networks: Vec<NetworkWork>,
    pub(in crate::docker) volumes: Vec<VolumeWork>,
    /// Containers of this environment that nothing asks for any more.
    pub(in crate::docker) orphans: Vec<SeenContainer>,
    /// In start order.
    pub(in crate::docker) services: Vec<ServiceWork>,
    pub(in crate::docker) addresses: Addresses,
}

// The bodies hold the values of variables, which belong in no log.
impl fmt::Debug for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plan")
            .field("view", &self.view)
            .field("steps", &self.steps)
            .finish_non_exhaustive()
    }
}

/// How an image gets onto the engine.
#[derive(Clone)]
pub(in crate::docker) struct ImageWork {
    pub(in crate::docker) reference: String,
    pub(in crate::docker) source: ImageSource,
    /// The image as it was.
    pub(in crate::docker) seen: Option<SeenImage>,
    /// The first service that runs it.
    pub(in crate::docker) service: String,
    pub(in crate::docker) platform: Option<String>,
}

#[derive(Clone)]
pub(in crate::docker) enum ImageSource {
    Present,
    Pull,
    Build(Box<Build>),
    /// `pull_policy: never` and it is not there.
    Forbidden,
}

#[derive(Clone)]
pub(in crate::docker) struct NetworkWork {
    pub(in crate::docker) request: NetworkCreateRequest,
    pub(in crate::docker) action: Action,
}

#[derive(Clone)]
pub(in crate::docker) struct VolumeWork {
    pub(in crate::docker) request: VolumeCreateRequest,
    pub(in crate::docker) action: Action,
}

/// One service on its way up.
#[derive(Clone)]
pub(in crate::docker) struct ServiceWork {
    pub(in crate::docker) name: String,
    pub(in crate::docker) depends_on: Vec<(String, Dependency)>,
    /// Others wait for it to end well.
    pub(in crate::docker) one_shot: bool,
    /// Nobody needs it to succeed.
    pub(in crate::docker) optional: bool,
    pub(in crate::docker) restarts: bool,
    /// Its network is that of this service.
    pub(in crate::docker) shares_network_of: Option<String>,
    pub(in crate::docker) containers: Vec<ContainerWork>,
}

#[derive(Clone)]
pub(in crate::docker) struct ContainerWork {
    pub(in crate::docker) name: String,
    pub(in crate::docker) body: ContainerCreateBody,
    pub(in crate::docker) further_networks: Vec<(String, EndpointSettings)>,
    pub(in crate::docker) platform: Option<String>,
    pub(in crate::docker) existing: Option<SeenContainer>,
    pub(in crate::docker) action: Action,
    pub(in crate::docker) reason: Option<String>,
}

/// Decides what to do.
///
/// # Errors
/// [`EngineError::Refused`] for what cannot be isolated or started in any order,
/// [`EngineError::NameTaken`].
pub fn plan(input: &PlanInput<'_>) -> Result<Plan, EngineError> {
    let project = input.project;
    let mut refused = isolate::refusals(project);
    let order = match start_order::of(project) {
        Ok(order) => order,
        Err(cycle) => {
            refused.push(cycle);
            Vec::new()
        }
    };
    if !refused.is_empty() {
        return Err(EngineError::Refused(refused));
    }

    let networks = resources::networks(input)?;
    let volumes = resources::volumes(input)?;
    let images = images::images(input);
    let addresses = address::of(input)?;
    let changed_networks: HashSet<String> = networks
        .iter()
        .filter(|work| work.action == Action::Change)
        .map(|work| work.request.name.clone())
        .collect();

    let mut claimed = HashSet::new();
    let mut services: Vec<ServiceWork> = Vec::new();
    for name in order {
        let Some(service) = project.services.get(&name) else {
            continue;
        };
        let remade = |other: &str| {
            services.iter().any(|done| {
                done.name == other
                    && done
                        .containers
                        .iter()
                        .any(|it| it.existing.is_some() && it.action != Action::Keep)
            })
        };
        let mut forced = None;
        for (other, dependency) in &service.depends_on {
            if dependency.restart && remade(other) {
                forced = Some(format!("{other}, which it depends on, is made again"));
            }
        }
        let shares_network_of = service
            .network_mode
            .as_deref()
            .and_then(|mode| mode.strip_prefix("service:"))
            .map(str::to_owned);
        if let Some(other) = shares_network_of.as_deref().filter(|other| remade(other)) {
            forced = Some(format!("{other}, whose network it shares, is made again"));
        }
        let work = services::service_work(
            input,
            &addresses,
            &changed_networks,
            (&name, service),
            forced,
            shares_network_of,
        )?;
        for container in &work.containers {
            claimed.extend(container.existing.iter().map(|it| it.id.clone()));
        }
        services.push(work);
    }
    let orphans: Vec<SeenContainer> = input
        .observation
        .containers
        .iter()
        .filter(|seen| !claimed.contains(&seen.id))
        .cloned()
        .collect();

    let mut plan = Plan {
        identity: input.identity.clone(),
        images,
        networks,
        volumes,
        orphans,
        services,
        addresses,
        ..Plan::default()
    };
    plan.view = view::view(input, &plan);
    plan.steps = steps::steps(input, &plan);
    Ok(plan)
}

pub(in crate::docker) fn invalid(key: String, message: String, hint: &str) -> EngineError {
    EngineError::Refused(vec![Diagnostic {
        rule: Rule::Invalid,
        file: None,
        line: None,
        column: None,
        key,
        message,
        hint: Some(hint.to_owned()),
    }])
}
