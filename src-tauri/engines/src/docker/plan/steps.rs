//! The steps that applying a plan reports, in order.

use berth_compose::Probe;

use super::{ContainerWork, ImageSource, Plan, PlanInput, ServiceWork};
use crate::docker::isolate;
use crate::{Action, Step, StepKind, StepState};

pub(in crate::docker) fn waiting(key: String, kind: StepKind) -> Step {
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

pub(super) fn steps(input: &PlanInput<'_>, plan: &Plan) -> Vec<Step> {
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

pub(in crate::docker) fn container_steps(service: &str, container: &ContainerWork) -> Vec<Step> {
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

pub(in crate::docker) fn healthy_step(service: &str) -> Step {
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
