use indexmap::IndexMap;

use crate::environment::{self, Surroundings};
use crate::fields::{Fields, texts_of};
use crate::grants::{self, Kind};
use crate::model::{Restart, Service, Ulimit};
use crate::mounts::{self, Folders};
use crate::place::KeyPath;
use crate::reading::Reading;
use crate::yaml::{Map, Node, Value};
use crate::{
    Rule, build, depends_on, deploy, healthcheck, hosts, networks, ports, scalars, shell_words,
};

/// What the services of a file are read with.
#[derive(Clone, Copy)]
pub(crate) struct Around<'a> {
    pub(crate) folders: Folders<'a>,
    pub(crate) surroundings: &'a Surroundings,
    /// The top level's secrets and configs.
    pub(crate) secrets: Option<&'a Map>,
    pub(crate) configs: Option<&'a Map>,
}

/// Reads one service. `path` is its own.
pub(crate) fn read(
    node: &Node,
    around: Around<'_>,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> Service {
    let Some(mut keys) = Fields::of(node) else {
        return Service::default();
    };
    let mut service = Service {
        image: keys.text("image"),
        platform: keys.text("platform"),
        command: command(&mut keys, "command", path, reading),
        entrypoint: command(&mut keys, "entrypoint", path, reading),
        container_name: keys.text("container_name"),
        hostname: keys.text("hostname"),
        domainname: keys.text("domainname"),
        user: keys.text("user"),
        group_add: keys.texts("group_add"),
        working_dir: keys.text("working_dir"),
        stop_signal: keys.text("stop_signal"),
        stop_grace_period: keys.duration("stop_grace_period"),
        init: keys.boolean("init"),
        tty: keys.flag("tty"),
        stdin_open: keys.flag("stdin_open"),
        read_only: keys.flag("read_only"),
        privileged: keys.flag("privileged"),
        cap_add: keys.texts("cap_add"),
        cap_drop: keys.texts("cap_drop"),
        security_opt: keys.texts("security_opt"),
        dns: keys.texts("dns"),
        dns_search: keys.texts("dns_search"),
        sysctls: keys.labels("sysctls"),
        network_mode: keys.text("network_mode"),
        shm_size: keys.bytes("shm_size"),
        scale: 1,
        ..Service::default()
    };
    let label_file = keys.take("label_file");
    if let Some(node) = label_file {
        let here = path.key("label_file");
        service.labels = environment::read_label_files(
            node,
            around.folders,
            around.surroundings,
            &here,
            reading,
        );
    }
    service.labels.extend(keys.labels("labels"));
    if let Some(node) = keys.take("build") {
        let here = path.key("build");
        service.build = build::read(node, around.folders, around.surroundings, &here, reading);
    }
    if let Some(node) = keys.take("pull_policy") {
        service.pull_policy = pull_policy(node, &path.key("pull_policy"), reading);
    }
    let env_file = keys.take("env_file");
    let variables = keys.take("environment");
    service.environment = environment::read(
        env_file,
        variables,
        around.folders,
        around.surroundings,
        path,
        reading,
    );
    if let Some(node) = keys.take("ports") {
        service.ports = ports::read(node, &path.key("ports"), reading);
    }
    if let Some(node) = keys.take("expose") {
        service.expose = ports::read_exposed(node, &path.key("expose"), reading);
    }
    if let Some(node) = keys.take("extra_hosts") {
        service.extra_hosts = hosts::read(node, &path.key("extra_hosts"), reading);
    }
    if let Some(node) = keys.take("ulimits") {
        service.ulimits = ulimits(node);
    }
    if let Some(node) = keys.take("healthcheck") {
        service.healthcheck = healthcheck::read(node, &path.key("healthcheck"), reading);
    }
    read_mounts(&mut keys, &mut service, around, path, reading);
    read_networks(&mut keys, &mut service, path, reading);
    read_dependencies(&mut keys, &mut service, path, reading);
    if let Some(node) = keys.take("restart") {
        service.restart = restart(node, &path.key("restart"), reading);
    }
    deploy::read(&mut keys, &mut service, path, reading);
    // Which services are active is decided before.
    keys.take("profiles");
    let why = "has no effect: Berth starts projects in the background and shows all logs";
    keys.without_effect(&["attach"], why, path, reading);
    let why = "has no effect: Berth does not watch files yet";
    keys.without_effect(&["develop"], why, path, reading);
    keys.finish(path, reading);
    if service.image.is_none() && service.build.is_none() {
        reading.problem(
            Rule::Invalid,
            node.place,
            path,
            "the service has neither an image nor a build",
            Some("Add image: NAME or build: FOLDER."),
        );
    }
    service
}

fn command(
    keys: &mut Fields<'_>,
    key: &'static str,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> Option<Vec<String>> {
    let node = keys.take(key)?;
    let Some(text) = node.as_text() else {
        return Some(texts_of(node));
    };
    match shell_words::split(text) {
        Ok(words) => Some(words),
        Err(shell_words::Unfinished) => {
            reading.problem(
                Rule::Invalid,
                node.place,
                &path.key(key),
                "a quote in the command is not closed",
                Some("Close it, or write the command as a list."),
            );
            None
        }
    }
}

fn pull_policy(node: &Node, path: &KeyPath<'_>, reading: &mut Reading<'_>) -> Option<String> {
    let text = node.scalar_text()?;
    match text.as_str() {
        "missing" | "always" | "never" | "build" => Some(text),
        "if_not_present" => Some("missing".to_owned()),
        _ if matches!(text.as_str(), "daily" | "weekly" | "refresh")
            || text.starts_with("every_") =>
        {
            crate::fields::refuse(node.place, path, reading);
            None
        }
        _ => {
            reading.problem(
                Rule::Invalid,
                node.place,
                path,
                format!("{} is not a pull policy", node.describe()),
                Some("Use missing, always, never or build."),
            );
            None
        }
    }
}

fn restart(node: &Node, path: &KeyPath<'_>, reading: &mut Reading<'_>) -> Restart {
    let text = node.scalar_text().unwrap_or_default();
    let (policy, count) = match text.split_once(':') {
        Some((policy, count)) => (policy, count.parse().ok().map(Some)),
        None => (text.as_str(), Some(None)),
    };
    match (policy, count) {
        ("no" | "", Some(None)) => Restart::No,
        ("always", Some(None)) => Restart::Always,
        ("unless-stopped", Some(None)) => Restart::UnlessStopped,
        ("on-failure", Some(count)) => Restart::OnFailure(count),
        _ => {
            reading.problem(
                Rule::Invalid,
                node.place,
                path,
                format!("{} is not a restart policy", node.describe()),
                Some("Use no, always, unless-stopped, on-failure or on-failure:COUNT."),
            );
            Restart::No
        }
    }
}

fn ulimits(node: &Node) -> IndexMap<String, Ulimit> {
    let entries = node.as_map().into_iter().flatten();
    entries
        .filter_map(|(name, entry)| {
            let limit = |key: &str| entry.node.get(key).and_then(scalars::integer);
            let ulimit = match scalars::integer(&entry.node) {
                Some(both) => Ulimit {
                    soft: both,
                    hard: both,
                },
                None => Ulimit {
                    soft: limit("soft")?,
                    hard: limit("hard")?,
                },
            };
            Some((name.clone(), ulimit))
        })
        .collect()
}

fn read_mounts(
    keys: &mut Fields<'_>,
    service: &mut Service,
    around: Around<'_>,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) {
    if let Some(node) = keys.take("volumes") {
        service.mounts = mounts::read(node, around.folders, &path.key("volumes"), reading);
    }
    if let Some(node) = keys.take("tmpfs") {
        let more = mounts::read_tmpfs_list(node, &path.key("tmpfs"), reading);
        service.mounts.extend(more);
    }
    for (kind, defined) in [
        (Kind::Config, around.configs),
        (Kind::Secret, around.secrets),
    ] {
        if let Some(node) = keys.take(kind.section()) {
            let here = path.key(kind.section());
            let more = grants::read(kind, node, defined, around.folders, &here, reading);
            service.mounts.extend(more);
        }
    }
}

fn read_networks(
    keys: &mut Fields<'_>,
    service: &mut Service,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) {
    let node = keys.take("networks");
    let named = node.map(|node| networks::read_of_service(node, &path.key("networks"), reading));
    let named = named.unwrap_or_default();
    match &service.network_mode {
        Some(_) if !named.is_empty() => {
            if let Some(node) = node {
                reading.problem(
                    Rule::Invalid,
                    node.place,
                    path,
                    "network_mode and networks exclude each other",
                    Some("Keep one of the two."),
                );
            }
        }
        Some(_) => {}
        None if named.is_empty() => {
            let default = crate::model::ServiceNetwork::default();
            service.networks.insert("default".to_owned(), default);
        }
        None => service.networks = named,
    }
}

fn read_dependencies(
    keys: &mut Fields<'_>,
    service: &mut Service,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) {
    if let Some(node) = keys.take("depends_on") {
        service.depends_on = depends_on::read(node);
    }
    let mut implied = Vec::new();
    if let Some(node) = keys.take("links") {
        for (index, item) in node.as_list().unwrap_or_default().iter().enumerate() {
            let text = item.as_text().unwrap_or_default();
            match text.split_once(':') {
                // Every service is reached by its name anyway.
                None => implied.push(text.to_owned()),
                Some((name, alias)) if name == alias => implied.push(name.to_owned()),
                Some(_) => reading.problem(
                    Rule::Unsupported,
                    item.place,
                    &path.key("links").index(index),
                    "Berth cannot give a linked service another name yet",
                    Some("Use an alias: networks: {default: {aliases: [NAME]}} of that service."),
                ),
            }
        }
    }
    if let Some(other) = service
        .network_mode
        .as_deref()
        .and_then(|mode| mode.strip_prefix("service:"))
    {
        implied.push(other.to_owned());
    }
    for name in implied {
        let dependency = service.depends_on.entry(name);
        dependency.or_insert(depends_on::started(true));
    }
}

/// The profiles that a service belongs to.
pub(crate) fn profiles(node: &Node) -> Vec<String> {
    match node.get("profiles").map(|node| &node.value) {
        Some(Value::List(items)) => items.iter().filter_map(Node::scalar_text).collect(),
        _ => Vec::new(),
    }
}
