//! Limits and counts, which a service may state itself or under `deploy:`.

use crate::fields::{Fields, SWARM_ONLY, bytes_of};
use crate::model::{Restart, Service};
use crate::place::KeyPath;
use crate::reading::Reading;
use crate::yaml::Node;
use crate::{Rule, scalars};

/// Reads `scale`, `cpus`, `mem_limit` and `deploy:`.
pub(crate) fn read(
    keys: &mut Fields<'_>,
    service: &mut Service,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) {
    let scale = keys.take("scale");
    let cpus = keys.take("cpus");
    let memory = keys.take("mem_limit");
    let has_restart = keys.take("restart").is_some();
    let deploy = keys.take("deploy");
    let here = path.key("deploy");
    let mut replicas = None;
    let mut limited_cpus = None;
    let mut limited_memory = None;
    if let Some(mut deploy) = deploy.and_then(Fields::of) {
        replicas = deploy.take("replicas");
        let resources_path = here.key("resources");
        if let Some(mut resources) = deploy.take("resources").and_then(Fields::of) {
            let limits_path = resources_path.key("limits");
            if let Some(mut limits) = resources.take("limits").and_then(Fields::of) {
                limited_cpus = limits.take("cpus");
                limited_memory = limits.take("memory");
                limits.finish(&limits_path, reading);
            }
            let reservations_path = resources_path.key("reservations");
            if let Some(mut reservations) = resources.take("reservations").and_then(Fields::of) {
                reservations.without_effect(
                    &["cpus", "generic_resources"],
                    SWARM_ONLY,
                    &reservations_path,
                    reading,
                );
                reservations.finish(&reservations_path, reading);
            }
            resources.finish(&resources_path, reading);
        }
        if let Some(policy) = deploy.take("restart_policy")
            && !has_restart
        {
            service.restart = restart_policy(policy, &here.key("restart_policy"), reading);
        }
        deploy.without_effect(
            &[
                "mode",
                "endpoint_mode",
                "labels",
                "placement",
                "update_config",
                "rollback_config",
            ],
            SWARM_ONLY,
            &here,
            reading,
        );
        deploy.finish(&here, reading);
    }
    let agree = |a: Option<&Node>, b: Option<&Node>, value: fn(&Node) -> Option<i64>| match (
        a.and_then(value),
        b.and_then(value),
    ) {
        (Some(a), Some(b)) if a != b => None,
        (a, b) => Some(a.or(b)),
    };
    let mut conflict = |node: Option<&Node>, key: &str, other: &str| {
        if let Some(node) = node {
            reading.problem(
                Rule::Invalid,
                node.place,
                &path.key(key),
                format!("differs from {other}, which says the same thing"),
                Some("Keep one of the two."),
            );
        }
    };
    match agree(scale, replicas, scalars::integer) {
        Some(count) => {
            let count = count.and_then(|count| u32::try_from(count).ok());
            service.scale = count.unwrap_or(1);
        }
        None => conflict(scale, "scale", "deploy.replicas"),
    }
    match agree(cpus, limited_cpus, nano_cpus) {
        Some(limit) => service.nano_cpus = limit,
        None => conflict(cpus, "cpus", "deploy.resources.limits.cpus"),
    }
    match agree(memory, limited_memory, bytes_of) {
        Some(limit) => service.mem_limit = limit,
        None => conflict(memory, "mem_limit", "deploy.resources.limits.memory"),
    }
}

fn nano_cpus(node: &Node) -> Option<i64> {
    let cpus = scalars::number(node)?;
    // Within range by the check.
    (0.0..1e6).contains(&cpus).then_some((cpus * 1e9) as i64)
}

fn restart_policy(node: &Node, path: &KeyPath<'_>, reading: &mut Reading<'_>) -> Restart {
    let Some(mut keys) = Fields::of(node) else {
        return Restart::No;
    };
    let attempts = keys
        .integer("max_attempts")
        .and_then(|attempts| u32::try_from(attempts).ok())
        .filter(|attempts| *attempts > 0);
    let condition = keys.text("condition");
    keys.without_effect(&["delay", "window"], SWARM_ONLY, path, reading);
    keys.finish(path, reading);
    match condition.as_deref() {
        None | Some("any") => Restart::Always,
        Some("on-failure") => Restart::OnFailure(attempts),
        Some("none") => Restart::No,
        Some(_) => {
            reading.problem(
                Rule::Invalid,
                node.place,
                &path.key("condition"),
                "is none of none, on-failure and any",
                None,
            );
            Restart::No
        }
    }
}
