//! What the engine runs on.

use bollard::models::{SystemInfo, SystemInfoCgroupVersionEnum};

use super::advice::failed_call;
use super::api::Spoken;
use crate::docker::{Endpoint, EndpointSources, client};
use crate::{Finding, platform};

/// What an engine says of its surroundings.
pub(super) struct About {
    pub(super) info: SystemInfo,
    /// `Docker Engine - Community`, `Podman Engine` …
    pub(super) product: String,
    pub(super) rootless: bool,
    /// It runs on this machine's own kernel: its paths and networks are this
    /// machine's.
    pub(super) is_native: bool,
}

/// Asks the engine about itself.
pub(super) async fn ask(
    spoken: &Spoken,
    endpoint: &Endpoint,
    sources: &EndpointSources,
) -> (Finding, Option<About>) {
    let info = match spoken.api.info().await {
        Ok(info) => info,
        Err(error) => {
            let finding = failed_call(&error, "its surroundings", endpoint, sources);
            return (finding, None);
        }
    };
    let about = About::of(spoken, info, platform::kernel().as_ref());
    let finding = judge(spoken, &about, this_architecture());
    (finding, Some(about))
}

impl About {
    fn of(spoken: &Spoken, info: SystemInfo, here: Option<&platform::Kernel>) -> Self {
        let version = spoken.version.clone();
        let security = info.security_options.as_deref().unwrap_or_default();
        Self {
            product: client::product(
                version.platform.map(|it| it.name),
                version.components.unwrap_or_default(),
                info.operating_system.clone(),
            ),
            rootless: security
                .iter()
                .any(|option| option.split(',').any(|part| part == "name=rootless")),
            is_native: here.is_some_and(|here| {
                info.kernel_version.as_ref() == Some(&here.release)
                    && info.name.as_ref() == Some(&here.host)
            }),
            info,
        }
    }
}

fn judge(spoken: &Spoken, about: &About, here: &str) -> Finding {
    let version = &spoken.version;
    let info = &about.info;
    let text = |it: &Option<String>| it.clone().unwrap_or_default();
    let system = version.os.clone().or_else(|| info.os_type.clone());
    let system = system.unwrap_or_default();
    let there = text(&version.arch);
    let place = format!("{system}/{there}");
    let name = format!("{} {}", about.product, text(&version.version));
    let finding = if !system.is_empty() && system != "linux" {
        Finding::failed(format!("{name} runs containers of {system}, not of Linux."))
            .hint("Switch the engine to Linux containers.")
    } else if !there.is_empty() && there != here {
        Finding::warned(format!(
            "{name} on {place}, while this machine is {here}: images for {here} run emulated, or not at all."
        ))
        .hint(format!("Use an engine for {here}, or set `platform` in the compose file."))
    } else {
        Finding::passed(format!(
            "{name} on {place}{}.",
            if about.rootless { ", rootless" } else { "" }
        ))
    };
    finding
        .fact("Product", &about.product)
        .fact("Version", text(&version.version))
        .fact("Platform", place)
        .fact("This machine", here)
        .fact("Rootless", if about.rootless { "yes" } else { "no" })
        .fact("cgroup", cgroup(info))
        .fact("System", text(&info.operating_system))
        .fact("Kernel", text(&info.kernel_version))
        .fact(
            "Processors",
            info.ncpu.map(|it| it.to_string()).unwrap_or_default(),
        )
        .fact(
            "Memory",
            info.mem_total
                .and_then(|it| u64::try_from(it).ok())
                .map(super::storage::size)
                .unwrap_or_default(),
        )
}

/// `v2, systemd`.
fn cgroup(info: &SystemInfo) -> String {
    let version = match info.cgroup_version {
        Some(SystemInfoCgroupVersionEnum::_1) => Some("v1".to_owned()),
        Some(SystemInfoCgroupVersionEnum::_2) => Some("v2".to_owned()),
        Some(SystemInfoCgroupVersionEnum::EMPTY) | None => None,
    };
    let driver = info
        .cgroup_driver
        .map(|it| it.to_string())
        .filter(|it| !it.is_empty());
    version
        .into_iter()
        .chain(driver)
        .collect::<Vec<_>>()
        .join(", ")
}

/// This machine's architecture, as Docker calls it.
pub(super) fn this_architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "x86" => "386",
        "aarch64" => "arm64",
        "powerpc64" => "ppc64le",
        "loongarch64" => "loong64",
        other => other,
    }
}
