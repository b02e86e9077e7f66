//! How the images of a project get onto the engine.

use super::{ImageSource, ImageWork, PlanInput};
use crate::docker::isolate;

pub(super) fn images(input: &PlanInput<'_>) -> Vec<ImageWork> {
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
