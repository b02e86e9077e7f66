//! What makes copies of one project stand side by side: names and ports of their
//! own, and a refusal of what cannot have any.

use std::collections::BTreeMap;

use berth_compose::{Diagnostic, MountKind, Project, Rule, Service};
use sha2::{Digest, Sha256};

use super::{Identity, PortKey};
use crate::{Kept, Rewrite, RewriteKind};

/// `<project>_<key>`, whatever name the file fixes.
pub(super) fn network_name(identity: &Identity, key: &str) -> String {
    format!("{}_{key}", identity.project)
}

/// `<project>_<key>`, whatever name the file fixes.
pub(super) fn volume_name(identity: &Identity, key: &str) -> String {
    format!("{}_{key}", identity.project)
}

/// A volume of a container's own that the file does not name. Named by Berth, so
/// that it carries labels, outlives its container and can be found again.
pub(super) fn anonymous_volume_name(
    identity: &Identity,
    service: &str,
    number: u32,
    target: &str,
) -> String {
    let digest = hex(&Sha256::digest(target.as_bytes()));
    format!("{}_{service}-{number}_{}", identity.project, &digest[..12])
}

/// `<project>-<service>-<n>`, as Compose names containers.
pub(super) fn container_name(identity: &Identity, service: &str, number: u32) -> String {
    format!("{}-{service}-{number}", identity.project)
}

/// The tag of an image built for one environment.
pub(super) fn built_image(identity: &Identity, service: &str) -> String {
    let plain = format!("{}-{service}", identity.project);
    // Image names are lower case, parted by single separators; where a service's
    // name is not, a digest keeps two of them apart.
    let mut name = String::with_capacity(plain.len());
    for character in plain.chars() {
        match character {
            'a'..='z' | '0'..='9' => name.push(character),
            _ if name.is_empty() => {}
            '.' | '_' | '-' if name.ends_with(|last: char| last.is_ascii_alphanumeric()) => {
                name.push(character);
            }
            'A'..='Z' => name.push(character.to_ascii_lowercase()),
            _ => {}
        }
    }
    let name = name.trim_end_matches(['.', '_', '-']);
    if name == plain {
        return name.to_owned();
    }
    let digest = hex(&Sha256::digest(plain.as_bytes()));
    format!("{name}-{}", &digest[..8])
}

/// The image that a service runs: its own build, the build of the service that
/// gives its result this name, or what it names.
pub(super) fn image_of(
    project: &Project,
    identity: &Identity,
    name: &str,
    service: &Service,
) -> String {
    if service.build.is_some() {
        return built_image(identity, name);
    }
    let wanted = service.image.as_deref().unwrap_or_default();
    let builder = project.services.iter().find(|(_, other)| {
        other.build.is_some()
            && other
                .image
                .as_deref()
                .is_some_and(|tag| same_image(tag, wanted))
    });
    match builder {
        Some((builder, _)) => built_image(identity, builder),
        None => wanted.to_owned(),
    }
}

/// Every image that the project runs, each once.
pub(super) fn image_references(project: &Project, identity: &Identity) -> Vec<String> {
    let mut references = Vec::new();
    for (name, service) in &project.services {
        let reference = image_of(project, identity, name, service);
        if !references.contains(&reference) {
            references.push(reference);
        }
    }
    references
}

fn same_image(left: &str, right: &str) -> bool {
    let tagged = |name: &str| {
        let last = name.rsplit('/').next().unwrap_or(name);
        if last.contains([':', '@']) {
            name.to_owned()
        } else {
            format!("{name}:latest")
        }
    };
    tagged(left) == tagged(right)
}

/// What cannot be isolated, or does not fit together.
pub(super) fn refusals(project: &Project) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let mut refuse = |rule, key: String, message: String, hint: &str| {
        found.push(Diagnostic {
            rule,
            file: None,
            line: None,
            column: None,
            key,
            message,
            hint: Some(hint.to_owned()),
        });
    };
    for (key, network) in project.networks.iter().filter(|(_, it)| it.external) {
        refuse(
            Rule::Unsupported,
            format!("networks.{key}"),
            format!(
                "the external network {} would be shared: on it, two previews answer to the same names",
                network.name
            ),
            "Remove `external: true`, so that every preview gets a network of its own, and add what it must reach to this project.",
        );
    }
    for (key, volume) in project.volumes.iter().filter(|(_, it)| it.external) {
        refuse(
            Rule::Unsupported,
            format!("volumes.{key}"),
            format!(
                "the external volume {} would be shared: two previews would write to the same data",
                volume.name
            ),
            "Remove `external: true`, so that every preview gets a volume of its own.",
        );
    }
    for (name, service) in &project.services {
        match service.network_mode.as_deref() {
            Some("host") => refuse(
                Rule::Unsupported,
                format!("services.{name}.network_mode"),
                "with `host` it takes this machine's own ports, so only one preview could run"
                    .to_owned(),
                "Remove `network_mode: host` and list the ports under `ports`.",
            ),
            Some(mode) if mode.starts_with("container:") => refuse(
                Rule::Unsupported,
                format!("services.{name}.network_mode"),
                format!("`{mode}` is a container outside this project"),
                "Use `service:NAME` to share the network of a service of this project.",
            ),
            Some(mode) => {
                if let Some(other) = mode.strip_prefix("service:")
                    && !project.services.contains_key(other)
                {
                    refuse(
                        Rule::Undefined,
                        format!("services.{name}.network_mode"),
                        format!("there is no service {other}"),
                        "Name a service of this project.",
                    );
                }
            }
            None => {}
        }
        if service.image.is_none() && service.build.is_none() {
            refuse(
                Rule::Invalid,
                format!("services.{name}"),
                "it has neither an image nor a build".to_owned(),
                "Add `image` or `build`.",
            );
        }
        for (other, _) in service
            .depends_on
            .iter()
            .filter(|(other, it)| it.required && !project.services.contains_key(*other))
        {
            refuse(
                Rule::Undefined,
                format!("services.{name}.depends_on.{other}"),
                format!("there is no active service {other}"),
                "Name a service of this project, or mark the dependency `required: false`.",
            );
        }
    }
    found
}

/// Everything that is made different from the file.
pub(super) fn rewrites(
    project: &Project,
    identity: &Identity,
    ports: &BTreeMap<PortKey, u16>,
) -> Vec<Rewrite> {
    let mut rewrites = Vec::new();
    let mut add = |kind, subject: &str, from: String, to: String| {
        if from != to {
            rewrites.push(Rewrite {
                kind,
                subject: subject.to_owned(),
                from,
                to,
            });
        }
    };
    add(
        RewriteKind::ProjectName,
        "",
        project.name.clone(),
        identity.project.clone(),
    );
    for (name, service) in &project.services {
        for port in &service.ports {
            let key = PortKey {
                service: name.clone(),
                target: port.target,
                protocol: port.protocol.clone(),
            };
            let Some(host_port) = ports.get(&key) else {
                continue;
            };
            let suffix = match port.protocol.as_str() {
                "tcp" => String::new(),
                other => format!("/{other}"),
            };
            let written: Vec<String> = [port.host_ip.clone(), port.published.clone()]
                .into_iter()
                .flatten()
                .chain([port.target.to_string()])
                .collect();
            add(
                RewriteKind::Port,
                name,
                format!("{}{suffix}", written.join(":")),
                format!("127.0.0.1:{host_port}:{}{suffix}", port.target),
            );
        }
        if let Some(fixed) = &service.container_name {
            let own = container_name(identity, name, 1);
            add(RewriteKind::ContainerName, name, fixed.clone(), own);
        }
        if let (Some(_), Some(tag)) = (&service.build, &service.image) {
            let own = built_image(identity, name);
            add(RewriteKind::ImageTag, name, tag.clone(), own);
        }
    }
    for (key, network) in project.networks.iter().filter(|(_, it)| it.name_is_fixed) {
        let own = network_name(identity, key);
        add(RewriteKind::NetworkName, key, network.name.clone(), own);
    }
    for (key, volume) in project.volumes.iter().filter(|(_, it)| it.name_is_fixed) {
        let own = volume_name(identity, key);
        add(RewriteKind::VolumeName, key, volume.name.clone(), own);
    }
    rewrites
}

/// What stays shared with the host, and what follows from it.
pub(super) fn kept(project: &Project) -> Vec<Kept> {
    let mut kept = Vec::new();
    for (name, service) in &project.services {
        for mount in service
            .mounts
            .iter()
            .filter(|it| it.kind == MountKind::Bind)
        {
            let source = mount.source.clone().unwrap_or_default();
            let note = if source.ends_with("/docker.sock") {
                "It can control the Docker engine of this machine, other containers included."
            } else if mount.read_only {
                "It reads this folder or file as it is; changes to it are seen at once."
            } else {
                "It reads and writes this folder or file itself; what it writes stays after the preview is gone."
            };
            kept.push(Kept {
                service: name.clone(),
                what: source,
                note: note.to_owned(),
            });
        }
        if service.privileged {
            kept.push(Kept {
                service: name.clone(),
                what: "privileged".to_owned(),
                note: "It has full rights on this machine.".to_owned(),
            });
        }
    }
    for (key, volume) in &project.volumes {
        if let Some(device) = volume.driver_opts.get("device") {
            kept.push(Kept {
                service: String::new(),
                what: device.clone(),
                note: format!(
                    "Volume {key} is this place itself, not a copy; every preview uses the same."
                ),
            });
        }
    }
    kept
}

pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_images_have_legal_names_that_differ() {
        let identity = Identity {
            project: "shop_-main".to_owned(),
            ..Identity::default()
        };
        let name = built_image(&identity, "Web");
        assert!(
            name.starts_with("shop_main-eb-") || name.starts_with("shop_main-web-"),
            "{name}"
        );
        assert_ne!(name, built_image(&identity, "web"));
        let plain = Identity {
            project: "shop-main".to_owned(),
            ..Identity::default()
        };
        assert_eq!(built_image(&plain, "web"), "shop-main-web");
    }

    #[test]
    fn a_tag_and_no_tag_are_the_same_image() {
        assert!(same_image("shop", "shop:latest"));
        assert!(same_image("host:5000/shop", "host:5000/shop:latest"));
        assert!(!same_image("shop:1", "shop"));
    }
}
