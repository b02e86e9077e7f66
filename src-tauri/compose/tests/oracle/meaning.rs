//! What a loaded project says, next to what the peer prints: both brought to one
//! form, key by key. Only what the model holds is compared.

use std::path::Path;

use berth_compose::{
    Condition, Mount, MountKind, Network, Probe, Project, Restart, Service, Volume,
};
use serde_json::{Map, Value, json};

/// The first difference. `None`: they agree.
pub(crate) fn difference(project: &Project, printed: &Value, folder: &Path) -> Option<String> {
    let printed = unescaped(printed, &folder.display().to_string());
    let ours = ours(project);
    let theirs = theirs(&printed);
    first_difference("", &theirs, &ours)
}

/// The printed form doubles dollars and names folders by tokens.
fn unescaped(value: &Value, folder: &str) -> Value {
    match value {
        Value::String(text) => Value::String(
            text.replace("$$", "$")
                .replace("<DIR>", folder)
                .replace("<HOME>", super::HOME),
        ),
        Value::Array(items) => items.iter().map(|item| unescaped(item, folder)).collect(),
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| (key.clone(), unescaped(value, folder)))
            .collect::<Map<_, _>>()
            .into(),
        other => other.clone(),
    }
}

fn first_difference(path: &str, theirs: &Value, ours: &Value) -> Option<String> {
    match (theirs, ours) {
        (Value::Object(theirs), Value::Object(ours)) => {
            let missing = ours.keys().find(|key| !theirs.contains_key(*key));
            if let Some(key) = missing {
                return Some(format!("{path}.{key}: theirs nothing, ours {}", ours[key]));
            }
            theirs.iter().find_map(|(key, theirs)| {
                let ours = ours.get(key).unwrap_or(&Value::Null);
                first_difference(&format!("{path}.{key}"), theirs, ours)
            })
        }
        _ if theirs == ours => None,
        _ => Some(format!("{path}: theirs {theirs}, ours {ours}")),
    }
}

/// A mapping without what says nothing.
fn dense(value: Value) -> Value {
    let Value::Object(map) = value else {
        return value;
    };
    let says_nothing = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    };
    map.into_iter()
        .filter(|(_, value)| !says_nothing(value))
        .collect::<Map<_, _>>()
        .into()
}

fn ours(project: &Project) -> Value {
    let services = project.services.iter();
    json!({
        "name": project.name,
        "services": services
            .map(|(name, service)| (name.clone(), our_service(service)))
            .collect::<Map<_, _>>(),
        "networks": project.networks.iter()
            .map(|(key, network)| (key.clone(), our_network(network)))
            .collect::<Map<_, _>>(),
        "volumes": project.volumes.iter()
            .map(|(key, volume)| (key.clone(), our_volume(volume)))
            .collect::<Map<_, _>>(),
    })
}

fn our_network(network: &Network) -> Value {
    dense(json!({
        "name": network.name,
        "external": network.external,
        "driver": network.driver,
        "driver_opts": network.driver_opts,
        "internal": network.internal,
        "attachable": network.attachable,
        "enable_ipv6": network.enable_ipv6,
        "labels": network.labels,
    }))
}

fn our_volume(volume: &Volume) -> Value {
    dense(json!({
        "name": volume.name,
        "external": volume.external,
        "driver": volume.driver,
        "driver_opts": volume.driver_opts,
        "labels": volume.labels,
    }))
}

fn our_service(service: &Service) -> Value {
    let ports = service.ports.iter().map(|port| {
        dense(json!({
            "target": port.target, "published": port.published, "host_ip": port.host_ip,
            "protocol": port.protocol, "name": port.name, "app_protocol": port.app_protocol,
        }))
    });
    let networks = service.networks.iter().map(|(key, place)| {
        let place = dense(json!({
            "aliases": place.aliases, "ipv4_address": place.ipv4_address,
            "ipv6_address": place.ipv6_address,
            "priority": Some(place.priority).filter(|priority| *priority != 0),
        }));
        (key.clone(), place)
    });
    let depends_on = service.depends_on.iter().map(|(name, dependency)| {
        let condition = match dependency.condition {
            Condition::ServiceStarted => "service_started",
            Condition::ServiceHealthy => "service_healthy",
            Condition::ServiceCompletedSuccessfully => "service_completed_successfully",
        };
        let dependency = dense(json!({
            "condition": condition, "required": dependency.required,
            "restart": dependency.restart,
        }));
        (name.clone(), dependency)
    });
    let healthcheck = service.healthcheck.as_ref().map(|check| {
        let test = match &check.probe {
            Probe::Disabled => json!("disabled"),
            Probe::Inherit => Value::Null,
            Probe::Test(words) => json!(words),
        };
        dense(json!({
            "test": test, "interval": check.interval, "timeout": check.timeout,
            "retries": check.retries, "start_period": check.start_period,
            "start_interval": check.start_interval,
        }))
    });
    let restart = match service.restart {
        Restart::No => None,
        Restart::Always => Some("always".to_owned()),
        Restart::UnlessStopped => Some("unless-stopped".to_owned()),
        Restart::OnFailure(None) => Some("on-failure".to_owned()),
        Restart::OnFailure(Some(count)) => Some(format!("on-failure:{count}")),
    };
    let build = service.build.as_ref().map(|build| {
        let mut extra_hosts = build.extra_hosts.clone();
        extra_hosts.sort();
        dense(json!({
            "context": build.context, "dockerfile": build.dockerfile,
            "dockerfile_inline": build.dockerfile_inline,
            "args": build.args, "target": build.target, "labels": build.labels,
            "tags": build.tags, "no_cache": build.no_cache, "pull": build.pull,
            "network": build.network, "cache_from": build.cache_from,
            "extra_hosts": extra_hosts, "shm_size": build.shm_size,
        }))
    });
    let mut extra_hosts = service.extra_hosts.clone();
    extra_hosts.sort();
    let ulimits = service
        .ulimits
        .iter()
        .map(|(name, limit)| (name.clone(), json!([limit.soft, limit.hard])));
    dense(json!({
        "image": service.image,
        "build": build,
        "platform": service.platform,
        "pull_policy": service.pull_policy,
        "command": service.command,
        "entrypoint": service.entrypoint,
        "environment": service.environment,
        "ports": ports.collect::<Vec<_>>(),
        "expose": service.expose,
        "mounts": service.mounts.iter().map(our_mount).collect::<Vec<_>>(),
        "networks": networks.collect::<Map<_, _>>(),
        "network_mode": service.network_mode,
        "depends_on": depends_on.collect::<Map<_, _>>(),
        "healthcheck": healthcheck,
        "restart": restart,
        "labels": service.labels,
        "container_name": service.container_name,
        "hostname": service.hostname,
        "domainname": service.domainname,
        "user": service.user,
        "group_add": service.group_add,
        "working_dir": service.working_dir,
        "stop_signal": service.stop_signal,
        "stop_grace_period": service.stop_grace_period,
        "init": service.init,
        "tty": service.tty,
        "stdin_open": service.stdin_open,
        "read_only": service.read_only,
        "privileged": service.privileged,
        "cap_add": service.cap_add,
        "cap_drop": service.cap_drop,
        "security_opt": service.security_opt,
        "dns": service.dns,
        "dns_search": service.dns_search,
        "extra_hosts": extra_hosts,
        "sysctls": service.sysctls,
        "ulimits": ulimits.collect::<Map<_, _>>(),
        "mem_limit": service.mem_limit,
        "nano_cpus": service.nano_cpus,
        "shm_size": service.shm_size,
        "scale": service.scale,
    }))
}

fn our_mount(mount: &Mount) -> Value {
    let kind = match mount.kind {
        MountKind::Bind => "bind",
        MountKind::Volume => "volume",
        MountKind::Tmpfs => "tmpfs",
    };
    dense(json!({
        "type": kind,
        "source": mount.source,
        "target": mount.target,
        "read_only": mount.read_only,
        "propagation": mount.bind.as_ref().and_then(|bind| bind.propagation.clone()),
        "selinux": mount.bind.as_ref().and_then(|bind| bind.selinux.clone()),
        "nocopy": mount.volume.as_ref().is_some_and(|volume| volume.nocopy),
        "size": mount.tmpfs.as_ref().and_then(|tmpfs| tmpfs.size),
        "mode": mount.tmpfs.as_ref().and_then(|tmpfs| tmpfs.mode),
    }))
}

fn theirs(printed: &Value) -> Value {
    let section = |key: &str, each: &dyn Fn(&Value) -> Value| -> Map<String, Value> {
        let entries = printed[key].as_object().into_iter().flatten();
        entries
            .map(|(key, value)| (key.clone(), each(value)))
            .collect()
    };
    let resource = |value: &Value| {
        let keys = [
            "name",
            "external",
            "driver",
            "driver_opts",
            "internal",
            "attachable",
            "enable_ipv6",
            "labels",
        ];
        picked(value, &keys)
    };
    json!({
        "name": printed["name"],
        "services": section("services", &|service| their_service(service, printed)),
        "networks": section("networks", &resource),
        "volumes": section("volumes", &resource),
    })
}

fn picked(value: &Value, keys: &[&str]) -> Value {
    let entries = keys
        .iter()
        .map(|key| ((*key).to_owned(), value[*key].clone()));
    dense(entries.collect::<Map<_, _>>().into())
}

/// A Go duration in nanoseconds.
fn duration(value: &Value) -> Value {
    let Some(text) = value.as_str() else {
        return Value::Null;
    };
    let mut total = 0.0;
    let mut number = String::new();
    let mut unit = String::new();
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    for c in text.trim_start_matches('-').chars().chain(['0']) {
        if c.is_ascii_digit() || c == '.' {
            if !unit.is_empty() {
                let scale = match unit.as_str() {
                    "h" => 3600e9,
                    "m" => 60e9,
                    "s" => 1e9,
                    "ms" => 1e6,
                    "ns" => 1.0,
                    _ => 1e3,
                };
                total += number.parse::<f64>().unwrap() * scale;
                number.clear();
                unit.clear();
            }
            number.push(c);
        } else {
            unit.push(c);
        }
    }
    json!((sign * total).round() as i64)
}

fn bytes(value: &Value) -> Value {
    match value {
        Value::String(text) => text
            .parse::<i64>()
            .map_or(Value::Null, |bytes| json!(bytes)),
        other => other.clone(),
    }
}

fn hosts(value: &Value) -> Value {
    let items = value.as_array().into_iter().flatten();
    let mut hosts: Vec<_> = items
        .map(|host| host.as_str().unwrap().replacen('=', ":", 1))
        .collect();
    hosts.sort();
    json!(hosts)
}

fn their_service(service: &Value, printed: &Value) -> Value {
    let list = |key: &str| service[key].as_array().cloned().unwrap_or_default();
    let object = |key: &str| service[key].as_object().cloned().unwrap_or_default();
    let limits = &service["deploy"]["resources"]["limits"];
    let mut mounts: Vec<Value> = list("volumes").iter().map(their_mount).collect();
    mounts.extend(
        list("tmpfs")
            .iter()
            .map(|text| their_tmpfs(text.as_str().unwrap())),
    );
    for (section, folder) in [("configs", ""), ("secrets", "/run/secrets")] {
        for grant in list(section) {
            let source = grant["source"].as_str().unwrap();
            let target = grant["target"].as_str().unwrap_or(source);
            let target = if target.starts_with('/') {
                target.to_owned()
            } else {
                format!("{folder}/{target}")
            };
            mounts.push(json!({
                "type": "bind", "source": printed[section][source]["file"],
                "target": target, "read_only": true,
            }));
        }
    }
    let ports = list("ports").into_iter().map(|port| {
        let keys = [
            "target",
            "published",
            "host_ip",
            "protocol",
            "name",
            "app_protocol",
        ];
        let mut port = picked(&port, &keys);
        let protocol = port["protocol"].as_str().unwrap_or("tcp").to_owned();
        port["protocol"] = json!(protocol);
        port
    });
    let expose = list("expose").into_iter().flat_map(|port| {
        let port = port.as_str().unwrap();
        let (range, protocol) = port.split_once('/').unwrap_or((port, "tcp"));
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (u16, u16) = (first.parse().unwrap(), last.parse().unwrap());
        let spelled = (first..=last).map(|port| format!("{port}/{protocol}"));
        spelled.collect::<Vec<_>>()
    });
    let networks = object("networks").into_iter().map(|(key, place)| {
        let place = picked(
            &place,
            &["aliases", "ipv4_address", "ipv6_address", "priority"],
        );
        (key, if place.is_null() { json!({}) } else { place })
    });
    let depends_on = object("depends_on").into_iter().map(|(key, dependency)| {
        (
            key,
            picked(&dependency, &["condition", "required", "restart"]),
        )
    });
    let ulimits = object("ulimits").into_iter().map(|(name, limit)| {
        let limit = match limit["soft"].as_i64() {
            Some(soft) => json!([soft, limit["hard"]]),
            None => json!([limit, limit]),
        };
        (name, limit)
    });
    let restart = service["restart"].as_str().map(str::to_owned);
    let policy = &service["deploy"]["restart_policy"];
    let restart = restart.or_else(|| {
        let condition = policy.as_object()?;
        Some(match condition.get("condition").and_then(Value::as_str) {
            Some("on-failure") => match policy["max_attempts"].as_i64() {
                Some(count) => format!("on-failure:{count}"),
                None => "on-failure".to_owned(),
            },
            Some("none") => "no".to_owned(),
            _ => "always".to_owned(),
        })
    });
    let scale = [&service["scale"], &service["deploy"]["replicas"]]
        .into_iter()
        .find_map(Value::as_i64)
        .unwrap_or(1);
    let nano_cpus = [&service["cpus"], &limits["cpus"]]
        .into_iter()
        .find_map(|cpus| cpus.as_f64().or_else(|| cpus.as_str()?.parse().ok()))
        .map(|cpus| (cpus * 1e9) as i64);
    let memory = [&service["mem_limit"], &limits["memory"]]
        .into_iter()
        .map(bytes)
        .find(|memory| !memory.is_null());
    let mut kept = picked(
        service,
        &[
            "image",
            "platform",
            "command",
            "entrypoint",
            "environment",
            "network_mode",
            "labels",
            "container_name",
            "hostname",
            "domainname",
            "user",
            "group_add",
            "working_dir",
            "stop_signal",
            "tty",
            "stdin_open",
            "read_only",
            "privileged",
            "cap_add",
            "cap_drop",
            "security_opt",
            "dns",
            "dns_search",
            "sysctls",
            "init",
        ],
    );
    let pull_policy = service["pull_policy"].as_str();
    let more = dense(json!({
        "build": their_build(&service["build"]),
        "pull_policy": pull_policy.map(|policy| policy.replace("if_not_present", "missing")),
        "ports": ports.collect::<Vec<_>>(),
        "expose": expose.collect::<Vec<_>>(),
        "mounts": mounts,
        "networks": networks.collect::<Map<_, _>>(),
        "depends_on": depends_on.collect::<Map<_, _>>(),
        "healthcheck": their_healthcheck(&service["healthcheck"]),
        "restart": restart.filter(|restart| restart != "no"),
        "stop_grace_period": duration(&service["stop_grace_period"]),
        "extra_hosts": hosts(&service["extra_hosts"]),
        "ulimits": ulimits.collect::<Map<_, _>>(),
        "mem_limit": memory,
        "nano_cpus": nano_cpus,
        "shm_size": bytes(&service["shm_size"]),
        "scale": scale,
    }));
    let kept_map = kept.as_object_mut().unwrap();
    kept_map.extend(more.as_object().unwrap().clone());
    kept
}

fn their_build(build: &Value) -> Value {
    if build.is_null() {
        return Value::Null;
    }
    let mut kept = picked(
        build,
        &[
            "context",
            "dockerfile",
            "dockerfile_inline",
            "args",
            "target",
            "labels",
            "tags",
            "no_cache",
            "pull",
            "network",
            "cache_from",
        ],
    );
    if kept["dockerfile"].is_null() {
        kept["dockerfile"] = json!("Dockerfile");
    }
    kept["extra_hosts"] = hosts(&build["extra_hosts"]);
    kept["shm_size"] = bytes(&build["shm_size"]);
    dense(kept)
}

fn their_healthcheck(check: &Value) -> Value {
    if check.is_null() {
        return Value::Null;
    }
    let is_none = check["test"][0].as_str() == Some("NONE");
    let test = if check["disable"] == json!(true) || is_none {
        json!("disabled")
    } else {
        check["test"].clone()
    };
    dense(json!({
        "test": test,
        "interval": duration(&check["interval"]),
        "timeout": duration(&check["timeout"]),
        "retries": check["retries"],
        "start_period": duration(&check["start_period"]),
        "start_interval": duration(&check["start_interval"]),
    }))
}

fn their_mount(mount: &Value) -> Value {
    dense(json!({
        "type": mount["type"],
        "source": mount["source"],
        "target": mount["target"],
        "read_only": mount["read_only"],
        "propagation": mount["bind"]["propagation"],
        "selinux": mount["bind"]["selinux"],
        "nocopy": mount["volume"]["nocopy"],
        "size": bytes(&mount["tmpfs"]["size"]),
        "mode": mount["tmpfs"]["mode"],
    }))
}

fn their_tmpfs(text: &str) -> Value {
    let (target, options) = text.split_once(':').unwrap_or((text, ""));
    let mut mount = json!({"type": "tmpfs", "target": target});
    for option in options.split(',') {
        match option.split_once('=') {
            Some(("size", size)) => {
                let size = size.trim_end_matches('k');
                mount["size"] = json!(size.parse::<i64>().unwrap() * 1024);
            }
            Some(("mode", mode)) => {
                mount["mode"] = json!(u32::from_str_radix(mode, 8).unwrap());
            }
            _ => {}
        }
    }
    mount
}
