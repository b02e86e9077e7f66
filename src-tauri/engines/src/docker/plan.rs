use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use berth_compose::{Build, Condition, Dependency, Diagnostic, Probe, Project, Rule, Service};
use bollard::models::{
    ContainerCreateBody, EndpointSettings, NetworkCreateRequest, VolumeCreateRequest,
};

use super::address::{self, Addresses};
use super::container::{Surroundings, Wanted};
use super::observe::{Observation, SeenContainer, SeenImage};
use super::{Identity, PortKey, config_hash, isolate, labels, start_order};
use crate::{Action, Change, EngineError, PlanView, ResourceKind, Step, StepKind, StepState};

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
    /// Which service and port is *the* URL, when someone said so.
    pub address: Option<(String, u16)>,
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
    pub(super) identity: Identity,
    pub(super) images: Vec<ImageWork>,
    pub(super) networks: Vec<NetworkWork>,
    pub(super) volumes: Vec<VolumeWork>,
    /// Containers of this environment that nothing asks for any more.
    pub(super) orphans: Vec<SeenContainer>,
    /// In start order.
    pub(super) services: Vec<ServiceWork>,
    pub(super) addresses: Addresses,
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
pub(super) struct ImageWork {
    pub(super) reference: String,
    pub(super) source: ImageSource,
    /// The image as it was.
    pub(super) seen: Option<SeenImage>,
    /// The first service that runs it.
    pub(super) service: String,
    pub(super) platform: Option<String>,
}

#[derive(Clone)]
pub(super) enum ImageSource {
    Present,
    Pull,
    Build(Box<Build>),
    /// `pull_policy: never` and it is not there.
    Forbidden,
}

#[derive(Clone)]
pub(super) struct NetworkWork {
    pub(super) request: NetworkCreateRequest,
    pub(super) action: Action,
}

#[derive(Clone)]
pub(super) struct VolumeWork {
    pub(super) request: VolumeCreateRequest,
    pub(super) action: Action,
}

/// One service on its way up.
#[derive(Clone)]
pub(super) struct ServiceWork {
    pub(super) name: String,
    pub(super) depends_on: Vec<(String, Dependency)>,
    /// Others wait for it to end well.
    pub(super) one_shot: bool,
    /// Nobody needs it to succeed.
    pub(super) optional: bool,
    pub(super) restarts: bool,
    /// Its network is that of this service.
    pub(super) shares_network_of: Option<String>,
    pub(super) containers: Vec<ContainerWork>,
}

#[derive(Clone)]
pub(super) struct ContainerWork {
    pub(super) name: String,
    pub(super) body: ContainerCreateBody,
    pub(super) further_networks: Vec<(String, EndpointSettings)>,
    pub(super) platform: Option<String>,
    pub(super) existing: Option<SeenContainer>,
    pub(super) action: Action,
    pub(super) reason: Option<String>,
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

    let networks = networks(input)?;
    let volumes = volumes(input)?;
    let images = images(input);
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
        let work = service_work(
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
    plan.view = view(input, &plan);
    plan.steps = steps(input, &plan);
    Ok(plan)
}

fn networks(input: &PlanInput<'_>) -> Result<Vec<NetworkWork>, EngineError> {
    let mut work = Vec::new();
    for (key, network) in &input.project.networks {
        let name = isolate::network_name(input.identity, key);
        let mut request = NetworkCreateRequest {
            name: name.clone(),
            driver: network.driver.clone(),
            internal: network.internal.then_some(true),
            attachable: network.attachable.then_some(true),
            enable_ipv6: network.enable_ipv6,
            options: some_map(&network.driver_opts),
            labels: some_map(&network.labels),
            ..NetworkCreateRequest::default()
        };
        let hash = config_hash::of(&request);
        let mut all = request.labels.take().unwrap_or_default();
        all.extend(labels::common(input.identity));
        all.insert(labels::NETWORK.to_owned(), key.clone());
        all.insert(labels::CONFIG_HASH.to_owned(), hash.clone());
        request.labels = Some(all);
        let action = match input.observation.networks.get(&name) {
            None => Action::Create,
            Some(seen) if seen.environment.as_ref() != Some(&input.identity.environment) => {
                return Err(EngineError::NameTaken {
                    kind: "network",
                    name,
                    owner: seen
                        .project
                        .as_ref()
                        .map(|project| format!("compose project {project}")),
                });
            }
            Some(seen) if seen.config_hash.as_ref() == Some(&hash) => Action::Keep,
            Some(_) => Action::Change,
        };
        work.push(NetworkWork { request, action });
    }
    Ok(work)
}

fn volumes(input: &PlanInput<'_>) -> Result<Vec<VolumeWork>, EngineError> {
    let identity = input.identity;
    let mut requests = Vec::new();
    for (key, volume) in &input.project.volumes {
        requests.push((
            key.clone(),
            VolumeCreateRequest {
                name: Some(isolate::volume_name(identity, key)),
                driver: volume.driver.clone(),
                driver_opts: some_map(&volume.driver_opts),
                labels: some_map(&volume.labels),
                ..VolumeCreateRequest::default()
            },
        ));
    }
    for (name, service) in &input.project.services {
        for number in 1..=service.scale {
            for mount in &service.mounts {
                if mount.kind == berth_compose::MountKind::Volume && mount.source.is_none() {
                    let volume =
                        isolate::anonymous_volume_name(identity, name, number, &mount.target);
                    requests.push((
                        volume.clone(),
                        VolumeCreateRequest {
                            name: Some(volume),
                            ..VolumeCreateRequest::default()
                        },
                    ));
                }
            }
        }
    }
    let mut work = Vec::new();
    for (key, mut request) in requests {
        let hash = config_hash::of(&request);
        let mut all = request.labels.take().unwrap_or_default();
        all.extend(labels::common(identity));
        all.insert(labels::VOLUME.to_owned(), key);
        all.insert(labels::CONFIG_HASH.to_owned(), hash.clone());
        request.labels = Some(all);
        let name = request.name.clone().unwrap_or_default();
        let action = match input.observation.volumes.get(&name) {
            None => Action::Create,
            Some(seen) if seen.environment.as_ref() != Some(&identity.environment) => {
                return Err(EngineError::NameTaken {
                    kind: "volume",
                    name,
                    owner: seen
                        .project
                        .as_ref()
                        .map(|project| format!("compose project {project}")),
                });
            }
            // Data is worth more than its settings: kept, and said in the view.
            Some(seen) if seen.config_hash.as_ref() != Some(&hash) => Action::Change,
            Some(_) => Action::Keep,
        };
        work.push(VolumeWork { request, action });
    }
    Ok(work)
}

fn images(input: &PlanInput<'_>) -> Vec<ImageWork> {
    let mut work: Vec<ImageWork> = Vec::new();
    // A build first, so that a service that only runs its result finds it.
    let builders_first = input
        .project
        .services
        .iter()
        .filter(|(_, it)| it.build.is_some())
        .chain(
            input
                .project
                .services
                .iter()
                .filter(|(_, it)| it.build.is_none()),
        );
    for (name, service) in builders_first {
        let reference = isolate::image_of(input.project, input.identity, name, service);
        if service.scale == 0 || work.iter().any(|it| it.reference == reference) {
            continue;
        }
        let seen = input.observation.images.get(&reference);
        let source = match (&service.build, service.pull_policy.as_deref(), seen) {
            (Some(build), _, _) => ImageSource::Build(Box::new(build.clone())),
            (None, Some("always"), _) => ImageSource::Pull,
            (None, _, Some(_)) => ImageSource::Present,
            (None, Some("never"), None) => ImageSource::Forbidden,
            (None, _, None) => ImageSource::Pull,
        };
        work.push(ImageWork {
            reference,
            source,
            seen: seen.cloned(),
            service: name.clone(),
            platform: service.platform.clone(),
        });
    }
    work
}

fn service_work(
    input: &PlanInput<'_>,
    addresses: &Addresses,
    changed_networks: &HashSet<String>,
    (name, service): (&str, &Service),
    forced: Option<String>,
    shares_network_of: Option<String>,
) -> Result<ServiceWork, EngineError> {
    let surroundings = Surroundings {
        project: input.project,
        identity: input.identity,
        ports: input.ports,
        api_minor: input.observation.api_minor,
    };
    let dependents: Vec<&Dependency> = input
        .project
        .services
        .values()
        .filter_map(|other| other.depends_on.get(name))
        .collect();
    let one_shot = dependents
        .iter()
        .any(|it| it.condition == Condition::ServiceCompletedSuccessfully);
    let image = isolate::image_of(input.project, input.identity, name, service);
    let mut containers = Vec::new();
    for number in 1..=service.scale {
        let Wanted {
            mut body,
            further_networks,
        } = surroundings.container(name, service, number);
        let hash = config_hash::of_container(&body, &further_networks);
        let container = isolate::container_name(input.identity, name, number);
        finish_body(
            input,
            addresses,
            &mut body,
            (name, service, number),
            &hash,
            one_shot,
        );
        let existing = existing(input.observation, name, number, &container);
        if existing.as_ref().is_none_or(|seen| seen.name != container)
            && let Some(owner) = input.observation.foreign.get(&container)
        {
            return Err(EngineError::NameTaken {
                kind: "container",
                name: container,
                owner: Some(owner.clone()),
            });
        }
        let (action, reason) = match &existing {
            None => (Action::Create, None),
            Some(seen) => {
                let reason = if seen.config_hash != hash {
                    Some("configuration changed".to_owned())
                } else if seen.name != container {
                    Some("an earlier update was cut off".to_owned())
                } else if !address::still_hold(&seen.urls, &addresses.variables) {
                    Some("an address changed".to_owned())
                } else if input
                    .observation
                    .images
                    .get(&image)
                    .is_some_and(|current| current.id != seen.image_id)
                {
                    Some("image changed".to_owned())
                } else if service.networks.keys().any(|key| {
                    changed_networks.contains(&isolate::network_name(input.identity, key))
                }) {
                    Some("a network changed".to_owned())
                } else {
                    forced.clone()
                };
                match reason {
                    Some(reason) => (Action::Change, Some(reason)),
                    None => (Action::Keep, None),
                }
            }
        };
        containers.push(ContainerWork {
            name: container,
            body,
            further_networks,
            platform: service.platform.clone(),
            existing,
            action,
            reason,
        });
    }
    Ok(ServiceWork {
        name: name.to_owned(),
        depends_on: service
            .depends_on
            .iter()
            .filter(|(other, _)| input.project.services.contains_key(*other))
            .map(|(other, dependency)| (other.clone(), dependency.clone()))
            .collect(),
        one_shot,
        optional: !dependents.is_empty() && dependents.iter().all(|it| !it.required),
        restarts: service.restart != berth_compose::Restart::No,
        shares_network_of,
        containers,
    })
}

/// The container of a service and number; of two (an update was cut off between
/// making the new one and removing the old) the one that has its name.
fn existing(
    observation: &Observation,
    service: &str,
    number: u32,
    name: &str,
) -> Option<SeenContainer> {
    let of_this = || {
        observation
            .containers
            .iter()
            .filter(|seen| seen.service == service && seen.number == number)
    };
    of_this()
        .find(|seen| seen.name == name)
        .or_else(|| of_this().next())
        .cloned()
}

/// Adds what the configuration hash must not see.
fn finish_body(
    input: &PlanInput<'_>,
    addresses: &Addresses,
    body: &mut ContainerCreateBody,
    (name, service, number): (&str, &Service, u32),
    hash: &str,
    one_shot: bool,
) {
    let mut env = body.env.take().unwrap_or_default();
    let mut urls = Vec::new();
    for (variable, url) in &addresses.variables {
        if !service.environment.contains_key(variable) {
            env.push(format!("{variable}={url}"));
        }
        urls.push(format!("{variable}={url}"));
    }
    body.env = (!env.is_empty()).then_some(env);

    let mut all = body.labels.take().unwrap_or_default();
    all.extend(labels::common(input.identity));
    all.extend(labels::project_files(input.identity));
    let depends_on: Vec<String> = service
        .depends_on
        .iter()
        .map(|(other, it)| format!("{other}:{}:{}", condition_name(it.condition), it.restart))
        .collect();
    for (label, value) in [
        (labels::SERVICE, name.to_owned()),
        (labels::NUMBER, number.to_string()),
        (labels::ONE_OFF, "False".to_owned()),
        (labels::CONFIG_HASH, hash.to_owned()),
        (labels::DEPENDS_ON, depends_on.join(",")),
        (labels::URLS, urls.join("\n")),
    ] {
        all.insert(label.to_owned(), value);
    }
    if one_shot {
        all.insert(labels::ONE_SHOT.to_owned(), "true".to_owned());
    }
    body.labels = Some(all);
}

fn condition_name(condition: Condition) -> &'static str {
    match condition {
        Condition::ServiceStarted => "service_started",
        Condition::ServiceHealthy => "service_healthy",
        Condition::ServiceCompletedSuccessfully => "service_completed_successfully",
    }
}

fn view(input: &PlanInput<'_>, plan: &Plan) -> PlanView {
    let mut changes = Vec::new();
    let mut add = |action, kind, name: &str, service: Option<&str>, reason: Option<String>| {
        changes.push(Change {
            action,
            kind,
            name: name.to_owned(),
            service: service.map(str::to_owned),
            reason,
        });
    };
    let mut warnings = Vec::new();
    for image in &plan.images {
        let (action, reason) = match image.source {
            ImageSource::Present => (Action::Keep, None),
            ImageSource::Pull => (Action::Create, Some("pulled".to_owned())),
            ImageSource::Build(_) if image.seen.is_some() => (
                Action::Change,
                Some("built again from its folder".to_owned()),
            ),
            ImageSource::Build(_) => (Action::Create, Some("built".to_owned())),
            ImageSource::Forbidden => (
                Action::Keep,
                Some("not on the engine, and `pull_policy: never` forbids a pull".to_owned()),
            ),
        };
        add(
            action,
            ResourceKind::Image,
            &image.reference,
            Some(&image.service),
            reason,
        );
    }
    for network in &plan.networks {
        let reason = (network.action == Action::Change).then(|| "configuration changed".to_owned());
        add(
            network.action,
            ResourceKind::Network,
            &network.request.name,
            None,
            reason,
        );
    }
    for volume in &plan.volumes {
        let name = volume.request.name.as_deref().unwrap_or_default();
        if volume.action == Action::Change {
            warnings.push(format!(
                "Volume {name} was made with other settings; it is kept with its data. Tear the environment down to have it made anew."
            ));
            add(Action::Keep, ResourceKind::Volume, name, None, None);
        } else {
            add(volume.action, ResourceKind::Volume, name, None, None);
        }
    }
    for service in &plan.services {
        for container in &service.containers {
            add(
                container.action,
                ResourceKind::Container,
                &container.name,
                Some(&service.name),
                container.reason.clone(),
            );
        }
    }
    for orphan in &plan.orphans {
        add(
            Action::Delete,
            ResourceKind::Container,
            &orphan.name,
            Some(&orphan.service),
            Some("no longer in the project".to_owned()),
        );
    }
    for (name, service) in &input.project.services {
        if service.scale > 1 && !service.ports.is_empty() {
            warnings.push(format!(
                "{name} runs {} times; its ports lead to the first one.",
                service.scale
            ));
        }
        if service
            .healthcheck
            .as_ref()
            .is_some_and(|check| check.start_interval.is_some() && check.probe != Probe::Disabled)
            && input.observation.api_minor < 44
        {
            warnings.push(format!(
                "{name}: this engine does not know `start_interval` (Docker 25 does); the healthcheck uses `interval` from the start."
            ));
        }
        if let Some(build) = service.build.as_ref().filter(|it| !it.tags.is_empty()) {
            warnings.push(format!(
                "{name}: its image does not get the further tags {}, which all previews would share.",
                build.tags.join(", ")
            ));
        }
    }
    PlanView {
        changes,
        rewrites: isolate::rewrites(input.project, input.identity, input.ports),
        kept: isolate::kept(input.project),
        carried: Vec::new(),
        warnings,
    }
}

pub(super) fn waiting(key: String, kind: StepKind) -> Step {
    Step {
        key,
        kind,
        state: StepState::Waiting,
        detail: None,
        progress: None,
        started_at: None,
        finished_at: None,
    }
}

fn steps(input: &PlanInput<'_>, plan: &Plan) -> Vec<Step> {
    let mut steps = Vec::new();
    for image in &plan.images {
        match image.source {
            ImageSource::Present => {}
            ImageSource::Pull | ImageSource::Forbidden => steps.push(waiting(
                format!("pull:{}", image.reference),
                StepKind::Pull {
                    image: image.reference.clone(),
                },
            )),
            ImageSource::Build(_) => steps.push(waiting(
                format!("build:{}", image.service),
                StepKind::Build {
                    service: image.service.clone(),
                },
            )),
        }
    }
    for orphan in &plan.orphans {
        steps.push(waiting(
            format!("remove:{}", orphan.name),
            StepKind::Remove {
                container: orphan.name.clone(),
            },
        ));
    }
    for network in plan.networks.iter().filter(|it| it.action != Action::Keep) {
        steps.push(waiting(
            format!("network:{}", network.request.name),
            StepKind::CreateNetwork {
                name: network.request.name.clone(),
            },
        ));
    }
    for volume in plan.volumes.iter().filter(|it| it.action == Action::Create) {
        let name = volume.request.name.clone().unwrap_or_default();
        steps.push(waiting(
            format!("volume:{name}"),
            StepKind::CreateVolume { name },
        ));
    }
    for service in &plan.services {
        for container in &service.containers {
            steps.extend(container_steps(&service.name, container));
        }
        if service.one_shot {
            steps.push(completed_step(&service.name));
        } else if expects_health(input, service) {
            steps.push(healthy_step(&service.name));
        }
    }
    if let Some(url) = plan.addresses.first_url() {
        steps.push(waiting("reach".to_owned(), StepKind::Reach { url }));
    }
    steps
}

pub(super) fn container_steps(service: &str, container: &ContainerWork) -> Vec<Step> {
    let mut steps = Vec::new();
    if container.action != Action::Keep {
        steps.push(waiting(
            format!("create:{}", container.name),
            StepKind::Create {
                container: container.name.clone(),
                service: service.to_owned(),
            },
        ));
    }
    let runs = container.existing.as_ref().is_some_and(|it| it.running);
    if container.action != Action::Keep || !runs {
        steps.push(waiting(
            format!("start:{}", container.name),
            StepKind::Start {
                container: container.name.clone(),
                service: service.to_owned(),
            },
        ));
    }
    steps
}

pub(super) fn healthy_step(service: &str) -> Step {
    waiting(
        format!("healthy:{service}"),
        StepKind::WaitHealthy {
            service: service.to_owned(),
        },
    )
}

fn completed_step(service: &str) -> Step {
    waiting(
        format!("completed:{service}"),
        StepKind::WaitCompleted {
            service: service.to_owned(),
        },
    )
}

/// Whether a service will have a health, as far as can be told before its image
/// is there.
fn expects_health(input: &PlanInput<'_>, work: &ServiceWork) -> bool {
    let Some(service) = input.project.services.get(&work.name) else {
        return false;
    };
    if work.containers.is_empty() {
        return false;
    }
    let of_the_image = || {
        let image = isolate::image_of(input.project, input.identity, &work.name, service);
        input
            .observation
            .images
            .get(&image)
            .is_some_and(|seen| seen.has_healthcheck)
    };
    match service.healthcheck.as_ref().map(|check| &check.probe) {
        Some(Probe::Disabled) => false,
        Some(Probe::Test(test)) => test.first().is_some_and(|kind| kind != "NONE"),
        Some(Probe::Inherit) | None => of_the_image(),
    }
}

fn some_map<'a>(
    items: impl IntoIterator<Item = (&'a String, &'a String)>,
) -> Option<HashMap<String, String>> {
    let items: HashMap<String, String> = items
        .into_iter()
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect();
    (!items.is_empty()).then_some(items)
}

pub(super) fn invalid(key: String, message: String, hint: &str) -> EngineError {
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
