//! A service as the engine is asked for it.

use std::collections::{BTreeMap, HashMap};

use berth_compose::{
    Healthcheck, Mount, MountKind, Probe, Project, Restart, Service, ServiceNetwork,
};
use bollard::models::{
    ContainerCreateBody, EndpointIpamConfig, EndpointSettings, HealthConfig, HostConfig,
    Mount as EngineMount, MountBindOptions, MountTmpfsOptions, MountType, NetworkingConfig,
    PortBinding, ResourcesUlimits, RestartPolicy, RestartPolicyNameEnum,
};

use super::{Identity, PortKey, isolate};

/// What a container is asked for with, before labels.
pub(super) struct Wanted {
    pub(super) body: ContainerCreateBody,
    /// Networks besides the first, by real name, in the order they are joined.
    /// An engine before API 1.44 takes them only after creation.
    pub(super) further_networks: Vec<(String, EndpointSettings)>,
}

/// Where a project runs and under which names.
pub(super) struct Surroundings<'a> {
    pub(super) project: &'a Project,
    pub(super) identity: &'a Identity,
    pub(super) ports: &'a BTreeMap<PortKey, u16>,
    pub(super) api_minor: usize,
}

impl Surroundings<'_> {
    /// One container of a service. Only the first of several publishes ports.
    pub(super) fn container(&self, name: &str, service: &Service, number: u32) -> Wanted {
        let (binds, mounts) = self.mounts(name, service, number);
        let (network_mode, first, further_networks) = self.networks(name, service);
        let port_bindings = if number == 1 {
            self.port_bindings(name, service)
        } else {
            HashMap::new()
        };
        let mut exposed: Vec<String> = service
            .ports
            .iter()
            .map(|port| format!("{}/{}", port.target, port.protocol))
            .chain(service.expose.iter().cloned())
            .collect();
        exposed.sort();
        exposed.dedup();

        let host_config = HostConfig {
            memory: service.mem_limit,
            nano_cpus: service.nano_cpus,
            shm_size: service.shm_size,
            ulimits: some(
                service
                    .ulimits
                    .iter()
                    .map(|(name, limit)| ResourcesUlimits {
                        name: Some(name.clone()),
                        soft: Some(limit.soft),
                        hard: Some(limit.hard),
                    })
                    .collect(),
            ),
            sysctls: some_map(
                service
                    .sysctls
                    .iter()
                    .map(|(key, value)| (key.clone(), value.clone()))
                    .collect(),
            ),
            init: service.init,
            binds: some(binds),
            mounts: some(mounts),
            network_mode,
            port_bindings: some_map(port_bindings),
            restart_policy: Some(restart_policy(service.restart)),
            cap_add: some(service.cap_add.clone()),
            cap_drop: some(service.cap_drop.clone()),
            dns: some(service.dns.clone()),
            dns_search: some(service.dns_search.clone()),
            extra_hosts: some(service.extra_hosts.clone()),
            group_add: some(service.group_add.clone()),
            privileged: service.privileged.then_some(true),
            readonly_rootfs: service.read_only.then_some(true),
            security_opt: some(service.security_opt.clone()),
            ..HostConfig::default()
        };
        let body = ContainerCreateBody {
            image: Some(isolate::image_of(
                self.project,
                self.identity,
                name,
                service,
            )),
            hostname: service.hostname.clone(),
            domainname: service.domainname.clone(),
            user: service.user.clone(),
            tty: service.tty.then_some(true),
            open_stdin: service.stdin_open.then_some(true),
            env: some(
                service
                    .environment
                    .iter()
                    .map(|(key, value)| match value {
                        Some(value) => format!("{key}={value}"),
                        // Without `=` the engine takes the image's value away.
                        None => key.clone(),
                    })
                    .collect(),
            ),
            cmd: service.command.clone(),
            entrypoint: service.entrypoint.clone(),
            working_dir: service.working_dir.clone(),
            exposed_ports: some(exposed),
            healthcheck: service
                .healthcheck
                .as_ref()
                .map(|check| health_config(check, self.api_minor)),
            stop_signal: service.stop_signal.clone(),
            stop_timeout: service.stop_grace_period.map(seconds_rounded_up),
            labels: some_map(
                service
                    .labels
                    .iter()
                    .map(|(key, value)| (key.clone(), value.clone()))
                    .collect(),
            ),
            host_config: Some(host_config),
            networking_config: first.map(|(network, endpoint)| NetworkingConfig {
                endpoints_config: Some(HashMap::from([(network, endpoint)])),
            }),
            ..ContainerCreateBody::default()
        };
        Wanted {
            body,
            further_networks,
        }
    }

    fn port_bindings(
        &self,
        name: &str,
        service: &Service,
    ) -> HashMap<String, Option<Vec<PortBinding>>> {
        service
            .ports
            .iter()
            .filter_map(|port| {
                let key = PortKey {
                    service: name.to_owned(),
                    target: port.target,
                    protocol: port.protocol.clone(),
                };
                let host_port = self.ports.get(&key)?;
                let binding = PortBinding {
                    host_ip: Some("127.0.0.1".to_owned()),
                    host_port: Some(host_port.to_string()),
                };
                Some((
                    format!("{}/{}", port.target, port.protocol),
                    Some(vec![binding]),
                ))
            })
            .collect()
    }

    /// The network mode, the first network, the others.
    #[expect(
        clippy::type_complexity,
        reason = "three parts of one answer, named above"
    )]
    fn networks(
        &self,
        name: &str,
        service: &Service,
    ) -> (
        Option<String>,
        Option<(String, EndpointSettings)>,
        Vec<(String, EndpointSettings)>,
    ) {
        if let Some(mode) = &service.network_mode {
            return (Some(mode.clone()), None, Vec::new());
        }
        let mut joined: Vec<(&String, &ServiceNetwork)> = service.networks.iter().collect();
        joined.sort_by_key(|(_, network)| std::cmp::Reverse(network.priority));
        let mut endpoints = joined.into_iter().map(|(key, network)| {
            (
                isolate::network_name(self.identity, key),
                endpoint(name, service, network),
            )
        });
        let first = endpoints.next();
        let further = endpoints.collect();
        match first {
            Some((network, settings)) => {
                (Some(network.clone()), Some((network, settings)), further)
            }
            None => (Some("none".to_owned()), None, further),
        }
    }

    /// Binds in the short form where it can say it all, mounts for the rest.
    fn mounts(
        &self,
        name: &str,
        service: &Service,
        number: u32,
    ) -> (Vec<String>, Vec<EngineMount>) {
        let mut binds = Vec::new();
        let mut mounts = Vec::new();
        for mount in &service.mounts {
            match mount.kind {
                MountKind::Bind => match bind_text(mount) {
                    Some(bind) => binds.push(bind),
                    None => mounts.push(bind_mount(mount)),
                },
                MountKind::Volume => {
                    let volume = match &mount.source {
                        Some(key) => isolate::volume_name(self.identity, key),
                        None => isolate::anonymous_volume_name(
                            self.identity,
                            name,
                            number,
                            &mount.target,
                        ),
                    };
                    let mut options = Vec::new();
                    if mount.read_only {
                        options.push("ro");
                    }
                    if mount.volume.as_ref().is_some_and(|it| it.nocopy) {
                        options.push("nocopy");
                    }
                    binds.push(with_options(format!("{volume}:{}", mount.target), &options));
                }
                MountKind::Tmpfs => mounts.push(EngineMount {
                    target: Some(mount.target.clone()),
                    typ: Some(MountType::TMPFS),
                    read_only: mount.read_only.then_some(true),
                    tmpfs_options: mount.tmpfs.as_ref().map(|tmpfs| MountTmpfsOptions {
                        size_bytes: tmpfs.size,
                        mode: tmpfs.mode.map(i64::from),
                        options: None,
                    }),
                    ..EngineMount::default()
                }),
            }
        }
        (binds, mounts)
    }
}

/// `None`: the short form makes a missing folder and cannot hold a colon.
fn bind_text(mount: &Mount) -> Option<String> {
    let source = mount.source.as_deref().unwrap_or_default();
    let bind = mount.bind.clone();
    let creates = bind.as_ref().is_none_or(|it| it.create_host_path);
    if !creates || source.contains(':') || mount.target.contains(':') {
        return None;
    }
    let bind = bind.unwrap_or_default();
    let mut options = Vec::new();
    if mount.read_only {
        options.push("ro");
    }
    options.extend(bind.selinux.as_deref());
    options.extend(bind.propagation.as_deref());
    Some(with_options(format!("{source}:{}", mount.target), &options))
}

fn bind_mount(mount: &Mount) -> EngineMount {
    let propagation = mount
        .bind
        .as_ref()
        .and_then(|bind| bind.propagation.as_deref())
        .and_then(|propagation| propagation.parse().ok());
    EngineMount {
        target: Some(mount.target.clone()),
        source: mount.source.clone(),
        typ: Some(MountType::BIND),
        read_only: mount.read_only.then_some(true),
        bind_options: propagation.map(|propagation| MountBindOptions {
            propagation: Some(propagation),
            ..MountBindOptions::default()
        }),
        ..EngineMount::default()
    }
}

fn with_options(bind: String, options: &[&str]) -> String {
    if options.is_empty() {
        bind
    } else {
        format!("{bind}:{}", options.join(","))
    }
}

/// A service answers to its name, to its aliases, and to the container name that
/// the file fixed and Berth replaced.
fn endpoint(name: &str, service: &Service, network: &ServiceNetwork) -> EndpointSettings {
    let mut aliases = vec![name.to_owned()];
    for alias in network.aliases.iter().chain(&service.container_name) {
        if !aliases.contains(alias) {
            aliases.push(alias.clone());
        }
    }
    let fixed = network.ipv4_address.is_some() || network.ipv6_address.is_some();
    EndpointSettings {
        aliases: Some(aliases),
        ipam_config: fixed.then(|| EndpointIpamConfig {
            ipv4_address: network.ipv4_address.clone(),
            ipv6_address: network.ipv6_address.clone(),
            link_local_ips: None,
        }),
        ..EndpointSettings::default()
    }
}

fn health_config(check: &Healthcheck, api_minor: usize) -> HealthConfig {
    HealthConfig {
        test: match &check.probe {
            Probe::Disabled => Some(vec!["NONE".to_owned()]),
            Probe::Inherit => None,
            Probe::Test(test) => Some(test.clone()),
        },
        interval: check.interval,
        timeout: check.timeout,
        retries: check
            .retries
            .map(|it| i64::try_from(it).unwrap_or(i64::MAX)),
        start_period: check.start_period,
        // Engines before API 1.44 do not know it.
        start_interval: check.start_interval.filter(|_| api_minor >= 44),
    }
}

fn restart_policy(restart: Restart) -> RestartPolicy {
    let (name, tries) = match restart {
        Restart::No => (RestartPolicyNameEnum::NO, None),
        Restart::Always => (RestartPolicyNameEnum::ALWAYS, None),
        Restart::UnlessStopped => (RestartPolicyNameEnum::UNLESS_STOPPED, None),
        Restart::OnFailure(tries) => (RestartPolicyNameEnum::ON_FAILURE, tries),
    };
    RestartPolicy {
        name: Some(name),
        maximum_retry_count: tries.map(i64::from),
    }
}

fn seconds_rounded_up(nanoseconds: i64) -> i64 {
    const SECOND: i64 = 1_000_000_000;
    nanoseconds.max(0) / SECOND + i64::from(nanoseconds > 0 && nanoseconds % SECOND != 0)
}

fn some<T>(items: Vec<T>) -> Option<Vec<T>> {
    (!items.is_empty()).then_some(items)
}

fn some_map<K, V>(items: HashMap<K, V>) -> Option<HashMap<K, V>> {
    (!items.is_empty()).then_some(items)
}
