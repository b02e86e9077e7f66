//! The project after loading: every default that the Compose Specification
//! gives is filled in, short forms are spelled out, paths are absolute.

use std::path::PathBuf;

use indexmap::IndexMap;
use serde::Serialize;

/// A compose project, active services only, in file order.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Project {
    /// Legal project name.
    pub name: String,
    /// Active services.
    pub services: IndexMap<String, Service>,
    /// Networks that active services use, by their key in the file.
    pub networks: IndexMap<String, Network>,
    /// Named volumes that active services use, by their key in the file.
    pub volumes: IndexMap<String, Volume>,
}

/// One service.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Service {
    /// Image reference as written. With `build`, the name the result gets.
    pub image: Option<String>,
    /// How its image is built.
    pub build: Option<Build>,
    /// `missing` (default), `always`, `never`, `build`.
    pub pull_policy: Option<String>,
    /// `os[/arch[/variant]]`.
    pub platform: Option<String>,
    /// `None`: the image's own. `Some([])`: cleared.
    pub command: Option<Vec<String>>,
    /// `None`: the image's own. `Some([])`: cleared.
    pub entrypoint: Option<Vec<String>>,
    /// env files merged under `environment`. `None` as a value: passed through
    /// from the shell but unset there, so absent in the container.
    pub environment: IndexMap<String, Option<String>>,
    /// Published and exposed ports, ranges spelled out.
    pub ports: Vec<Port>,
    /// Exposed to other services only, `port/protocol`.
    pub expose: Vec<String>,
    /// Mounts in file order.
    pub mounts: Vec<Mount>,
    /// Networks by key, `default` when none was named. Empty with `network_mode`.
    pub networks: IndexMap<String, ServiceNetwork>,
    /// `none`, `host`, `bridge`, `service:NAME`, `container:NAME`.
    pub network_mode: Option<String>,
    /// What must have happened before it starts, by service.
    pub depends_on: IndexMap<String, Dependency>,
    /// `None`: the image's own.
    pub healthcheck: Option<Healthcheck>,
    /// Restart policy; the default is [`Restart::No`].
    pub restart: Restart,
    /// Labels as written.
    pub labels: IndexMap<String, String>,
    /// Fixed container name.
    pub container_name: Option<String>,
    /// Host name inside.
    pub hostname: Option<String>,
    /// Domain name inside.
    pub domainname: Option<String>,
    /// `user[:group]`.
    pub user: Option<String>,
    /// Supplementary groups.
    pub group_add: Vec<String>,
    /// Working directory inside.
    pub working_dir: Option<String>,
    /// Signal that stops it.
    pub stop_signal: Option<String>,
    /// How long a stop may take, nanoseconds. `None`: the engine's 10 s.
    pub stop_grace_period: Option<i64>,
    /// Run an init inside.
    pub init: Option<bool>,
    /// Allocate a terminal.
    pub tty: bool,
    /// Keep standard input open.
    pub stdin_open: bool,
    /// Read-only root file system.
    pub read_only: bool,
    /// Full privileges.
    pub privileged: bool,
    /// Capabilities added.
    pub cap_add: Vec<String>,
    /// Capabilities dropped.
    pub cap_drop: Vec<String>,
    /// Security options.
    pub security_opt: Vec<String>,
    /// Name servers.
    pub dns: Vec<String>,
    /// Search domains.
    pub dns_search: Vec<String>,
    /// `host:ip` pairs.
    pub extra_hosts: Vec<String>,
    /// Kernel parameters.
    pub sysctls: IndexMap<String, String>,
    /// Resource limits by name.
    pub ulimits: IndexMap<String, Ulimit>,
    /// Memory limit, bytes.
    pub mem_limit: Option<i64>,
    /// CPU limit, billionths of a core.
    pub nano_cpus: Option<i64>,
    /// Shared memory, bytes.
    pub shm_size: Option<i64>,
    /// Number of containers; 1 unless said otherwise.
    pub scale: u32,
}

/// How an image is built.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Build {
    /// Absolute folder.
    pub context: PathBuf,
    /// Dockerfile, relative to `context` unless absolute.
    pub dockerfile: PathBuf,
    /// Text of the Dockerfile, instead of a file.
    pub dockerfile_inline: Option<String>,
    /// Build arguments; `None`: unset in the shell and left out.
    pub args: IndexMap<String, Option<String>>,
    /// Stage to build.
    pub target: Option<String>,
    /// Labels on the image.
    pub labels: IndexMap<String, String>,
    /// Further tags.
    pub tags: Vec<String>,
    /// Ignore the cache.
    pub no_cache: bool,
    /// Pull base images.
    pub pull: bool,
    /// Network of `RUN` steps.
    pub network: Option<String>,
    /// Images whose layers may be reused.
    pub cache_from: Vec<String>,
    /// `host:ip` pairs.
    pub extra_hosts: Vec<String>,
    /// Shared memory, bytes.
    pub shm_size: Option<i64>,
}

/// A port of the container, published when `published` or `host_ip` was written
/// in a form that publishes (`ports:` always publishes; the engine picks the
/// host port when none is named).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Port {
    /// Port inside, 1 to 65535.
    pub target: u16,
    /// Port or range on the host as written; `None`: any.
    pub published: Option<String>,
    /// Address on the host.
    pub host_ip: Option<String>,
    /// `tcp`, `udp`, `sctp`.
    pub protocol: String,
    /// `http`, `https` … as the file says.
    pub app_protocol: Option<String>,
    /// Name of the port as the file says.
    pub name: Option<String>,
}

/// What a mount is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MountKind {
    /// A folder or file of the host.
    Bind,
    /// A volume; anonymous when the source is empty.
    Volume,
    /// Memory.
    Tmpfs,
}

/// One mount.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mount {
    /// What it is made of.
    pub kind: MountKind,
    /// Absolute host path, or the key of a volume; `None` for anonymous volumes
    /// and tmpfs.
    pub source: Option<String>,
    /// Absolute path inside.
    pub target: String,
    /// Read-only.
    pub read_only: bool,
    /// For binds.
    pub bind: Option<Bind>,
    /// For volumes.
    pub volume: Option<VolumeOptions>,
    /// For tmpfs.
    pub tmpfs: Option<Tmpfs>,
}

/// What only binds have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Bind {
    /// Make the source folder when it is missing.
    pub create_host_path: bool,
    /// Mount propagation.
    pub propagation: Option<String>,
    /// `z` or `Z`.
    pub selinux: Option<String>,
}

/// What only volumes have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct VolumeOptions {
    /// Do not copy the image's content into an empty volume.
    pub nocopy: bool,
}

/// What only tmpfs has.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tmpfs {
    /// Bytes.
    pub size: Option<i64>,
    /// Permission bits.
    pub mode: Option<u32>,
}

/// A service's place on one network.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ServiceNetwork {
    /// Further names on that network.
    pub aliases: Vec<String>,
    /// Fixed IPv4 address.
    pub ipv4_address: Option<String>,
    /// Fixed IPv6 address.
    pub ipv6_address: Option<String>,
    /// Which network is joined first: highest first.
    pub priority: i64,
}

/// What a dependency must have done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// Its container runs.
    ServiceStarted,
    /// Its healthcheck passed.
    ServiceHealthy,
    /// It ended with exit code 0.
    ServiceCompletedSuccessfully,
}

/// One edge of the start order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dependency {
    /// What must have happened.
    pub condition: Condition,
    /// `false`: its absence or failure is a warning only.
    pub required: bool,
    /// Restart this service when the dependency is restarted or recreated.
    pub restart: bool,
}

/// The probe of a healthcheck.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Probe {
    /// Switched off.
    Disabled,
    /// The image's own probe, other settings changed.
    Inherit,
    /// Run as written, first element `CMD` or `CMD-SHELL`.
    Test(Vec<String>),
}

/// A healthcheck; durations in nanoseconds, `None`: the image's or the engine's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Healthcheck {
    /// What is run.
    pub probe: Probe,
    /// Between probes.
    pub interval: Option<i64>,
    /// For one probe.
    pub timeout: Option<i64>,
    /// Failures before `unhealthy`.
    pub retries: Option<u64>,
    /// Grace at start.
    pub start_period: Option<i64>,
    /// Between probes during the grace.
    pub start_interval: Option<i64>,
}

/// Restart policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Restart {
    /// Never.
    #[default]
    No,
    /// Always.
    Always,
    /// Unless a person stopped it.
    UnlessStopped,
    /// On a failing exit code, at most so often (`None`: without end).
    OnFailure(Option<u32>),
}

/// A resource limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ulimit {
    /// Soft limit; -1: unlimited.
    pub soft: i64,
    /// Hard limit; -1: unlimited.
    pub hard: i64,
}

/// A network of the project.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Network {
    /// Its real name: `name:` as written, else `<project>_<key>`.
    pub name: String,
    /// Whether `name:` was written.
    pub name_is_fixed: bool,
    /// Exists already and is not ours.
    pub external: bool,
    /// Driver; `None`: the engine's default.
    pub driver: Option<String>,
    /// Driver options.
    pub driver_opts: IndexMap<String, String>,
    /// No way out.
    pub internal: bool,
    /// Standalone containers may attach.
    pub attachable: bool,
    /// IPv6 switched on.
    pub enable_ipv6: Option<bool>,
    /// Labels as written.
    pub labels: IndexMap<String, String>,
}

/// A named volume of the project.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Volume {
    /// Its real name: `name:` as written, else `<project>_<key>`.
    pub name: String,
    /// Whether `name:` was written.
    pub name_is_fixed: bool,
    /// Exists already and is not ours.
    pub external: bool,
    /// Driver; `None`: the engine's default.
    pub driver: Option<String>,
    /// Driver options.
    pub driver_opts: IndexMap<String, String>,
    /// Labels as written.
    pub labels: IndexMap<String, String>,
}
