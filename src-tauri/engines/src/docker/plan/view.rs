//! A plan as it is shown and recorded.

use berth_compose::Probe;

use super::{ImageSource, Plan, PlanInput};
use crate::docker::isolate;
use crate::{Action, Change, PlanView, ResourceKind};

pub(super) fn view(input: &PlanInput<'_>, plan: &Plan) -> PlanView {
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
