use std::path::{Path, PathBuf};

use crate::fields::{self, Fields};
use crate::model::{Bind, Mount, MountKind, Tmpfs, VolumeOptions};
use crate::place::KeyPath;
use crate::reading::Reading;
use crate::yaml::Node;
use crate::{Rule, bytes, paths, scalars};

/// Where relative paths start, and what `~` is.
#[derive(Clone, Copy)]
pub(crate) struct Folders<'a> {
    pub(crate) project: &'a Path,
    pub(crate) home: Option<&'a str>,
}

impl Folders<'_> {
    pub(crate) fn absolute(&self, path: &str) -> PathBuf {
        if is_windows_path(path) {
            return PathBuf::from(path);
        }
        paths::absolute(self.project, path, self.home)
    }
}

/// `[SOURCE:]TARGET[:OPTION,…]`, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Short {
    pub(crate) source: Option<String>,
    /// Cleaned.
    pub(crate) target: String,
    pub(crate) options: Vec<String>,
    /// More parts than the form has.
    pub(crate) overlong: bool,
}

/// Takes a short form apart. A drive letter (`C:\x`, `c:/x:/y`) belongs to its
/// path; a one-letter volume (`v:/data`) does not become one.
pub(crate) fn split_short(text: &str) -> Short {
    let (first, rest) = split_path(text);
    let Some(rest) = rest else {
        return Short {
            source: None,
            target: clean_target(first),
            options: Vec::new(),
            overlong: false,
        };
    };
    let (target, rest) = split_path(rest);
    let (options, overlong) = match rest {
        None => (Vec::new(), false),
        Some(options) => (
            options.split(',').map(str::to_owned).collect(),
            options.contains(':'),
        ),
    };
    Short {
        source: Some(first.to_owned()),
        target: clean_target(target),
        options,
        overlong,
    }
}

/// The part up to the next colon, and what is behind it.
fn split_path(text: &str) -> (&str, Option<&str>) {
    let bytes = text.as_bytes();
    let is_drive = match bytes {
        [letter, b':', b'\\', ..] => letter.is_ascii_alphabetic(),
        // With slashes a drive shows itself by the absolute target that follows.
        [letter, b':', b'/', rest @ ..] => {
            letter.is_ascii_alphabetic() && rest.windows(2).any(|pair| pair == b":/")
        }
        _ => false,
    };
    let from = if is_drive { 2 } else { 0 };
    match text[from..].find(':') {
        Some(at) => (&text[..from + at], Some(&text[from + at + 1..])),
        None => (text, None),
    }
}

pub(crate) fn clean_target(target: &str) -> String {
    if target.starts_with('/') {
        paths::clean_inside(target)
    } else {
        target.to_owned()
    }
}

/// Whether the source of a short form is a path of the host, not a volume.
pub(crate) fn is_host_path(source: &str) -> bool {
    source.starts_with(['.', '/', '~']) || is_windows_path(source)
}

/// A drive (`C:\x`, `c:/x`) or a share: absolute on the engine's side already.
fn is_windows_path(path: &str) -> bool {
    path.starts_with('\\')
        || matches!(path.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic())
}

/// Reads `volumes:` of a service.
pub(crate) fn read(
    node: &Node,
    folders: Folders<'_>,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> Vec<Mount> {
    let items = node.as_list().unwrap_or_default().iter().enumerate();
    items
        .filter_map(|(index, item)| {
            let here = path.index(index);
            let mount = match item.as_text() {
                Some(text) => short(text, item, folders, &here, reading),
                None => long(item, folders, &here, reading),
            }?;
            if !is_absolute_inside(&mount.target) {
                reading.problem(
                    Rule::Invalid,
                    item.place,
                    &here,
                    format!("the target of {} is not an absolute path", item.describe()),
                    Some("Write SOURCE:TARGET, where TARGET begins with \"/\"."),
                );
            }
            Some(mount)
        })
        .collect()
}

/// Windows containers' targets count too.
fn is_absolute_inside(target: &str) -> bool {
    target.starts_with(['/', '\\'])
        || matches!(target.as_bytes(), [letter, b':', b'\\', ..] if letter.is_ascii_alphabetic())
}

fn short(
    text: &str,
    item: &Node,
    folders: Folders<'_>,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> Option<Mount> {
    let parts = split_short(text);
    if parts.overlong || parts.target.is_empty() || parts.source.as_deref() == Some("") {
        reading.problem(
            Rule::Invalid,
            item.place,
            path,
            format!(
                "{} is not of the form SOURCE:TARGET[:OPTIONS]",
                item.describe()
            ),
            Some("Use the long form (type, source, target) for paths that contain colons."),
        );
        return None;
    }
    let mut mount = Mount {
        kind: MountKind::Volume,
        source: None,
        target: parts.target,
        read_only: false,
        bind: None,
        volume: None,
        tmpfs: None,
    };
    match parts.source {
        Some(source) if is_host_path(&source) => {
            mount.kind = MountKind::Bind;
            mount.source = Some(folders.absolute(&source).display().to_string());
            mount.bind = Some(Bind {
                create_host_path: true,
                ..Bind::default()
            });
        }
        source => {
            mount.source = source;
            mount.volume = Some(VolumeOptions::default());
        }
    }
    for option in &parts.options {
        match (option.as_str(), &mut mount.bind, &mut mount.volume) {
            ("ro", ..) => mount.read_only = true,
            ("rw" | "", ..) => mount.read_only = false,
            ("nocopy", _, Some(volume)) => volume.nocopy = true,
            ("z" | "Z", Some(bind), _) => bind.selinux = Some(option.clone()),
            ("shared" | "rshared" | "slave" | "rslave" | "private" | "rprivate", Some(bind), _) => {
                bind.propagation = Some(option.clone())
            }
            // Hints for Docker Desktop's file sharing; no engine of today reads them.
            ("cached" | "delegated" | "consistent", ..) => {}
            ("z" | "Z" | "nocopy", ..) => {}
            _ => reading.problem(
                Rule::Invalid,
                item.place,
                path,
                format!("an option in {} is not known", item.describe()),
                Some("Known are ro, rw, nocopy, z, Z and the kinds of propagation."),
            ),
        }
    }
    Some(mount)
}

fn long(
    item: &Node,
    folders: Folders<'_>,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> Option<Mount> {
    let mut keys = Fields::of(item)?;
    let kind = match keys.text("type")?.as_str() {
        "bind" => MountKind::Bind,
        "volume" => MountKind::Volume,
        "tmpfs" => MountKind::Tmpfs,
        other => {
            reading.problem(
                Rule::Unsupported,
                item.place,
                path,
                format!("Berth cannot make mounts of the type {other} yet"),
                Some("Use bind, volume or tmpfs."),
            );
            return None;
        }
    };
    let mut invalid = |message: &str, hint: &str| {
        reading.problem(Rule::Invalid, item.place, path, message, Some(hint));
    };
    let Some(target) = keys.text("target").filter(|target| !target.is_empty()) else {
        invalid(
            "the key \"target\" is missing",
            "Say where in the container it is mounted.",
        );
        return None;
    };
    let source = keys.text("source").filter(|source| !source.is_empty());
    if kind == MountKind::Bind && source.is_none() {
        invalid(
            "a bind needs a \"source\"",
            "Say which folder or file of the host is meant.",
        );
        return None;
    }
    let read_only = keys.flag("read_only");
    // See the short form's `cached`.
    keys.take("consistency");
    let bind = keys.take("bind");
    let volume = keys.take("volume");
    let tmpfs = keys.take("tmpfs");
    keys.finish(path, reading);
    Some(Mount {
        kind,
        source: match kind {
            MountKind::Bind => source.map(|source| folders.absolute(&source).display().to_string()),
            MountKind::Volume => source,
            MountKind::Tmpfs => None,
        },
        target: clean_target(&target),
        read_only,
        bind: (kind == MountKind::Bind).then(|| read_bind(bind, path, reading)),
        volume: (kind == MountKind::Volume).then(|| read_volume(volume, path, reading)),
        tmpfs: (kind == MountKind::Tmpfs).then(|| read_tmpfs(tmpfs)),
    })
}

fn read_bind(node: Option<&Node>, path: &KeyPath<'_>, reading: &mut Reading<'_>) -> Bind {
    // Docker Compose makes a missing source folder unless told not to.
    let Some(mut keys) = node.and_then(Fields::of) else {
        return Bind {
            create_host_path: true,
            ..Bind::default()
        };
    };
    let bind = Bind {
        create_host_path: keys.boolean("create_host_path").unwrap_or(true),
        propagation: keys.text("propagation"),
        selinux: keys.text("selinux"),
    };
    keys.finish(&path.key("bind"), reading);
    bind
}

fn read_volume(
    node: Option<&Node>,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> VolumeOptions {
    let Some(mut keys) = node.and_then(Fields::of) else {
        return VolumeOptions::default();
    };
    let options = VolumeOptions {
        nocopy: keys.flag("nocopy"),
    };
    keys.finish(&path.key("volume"), reading);
    options
}

fn read_tmpfs(node: Option<&Node>) -> Tmpfs {
    let size = node.and_then(|node| node.get("size"));
    let mode = node.and_then(|node| node.get("mode"));
    Tmpfs {
        size: size.and_then(fields::bytes_of),
        mode: mode
            .and_then(scalars::integer)
            .and_then(|mode| u32::try_from(mode).ok()),
    }
}

/// Reads `tmpfs:` of a service: `TARGET[:OPTION,…]`.
pub(crate) fn read_tmpfs_list(
    node: &Node,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> Vec<Mount> {
    let items: Vec<&Node> = match node.as_list() {
        Some(items) => items.iter().collect(),
        None => vec![node],
    };
    let mut mounts = Vec::new();
    for item in items {
        let text = item.as_text().unwrap_or_default();
        let (target, options) = text.split_once(':').unwrap_or((text, ""));
        let mut tmpfs = Tmpfs::default();
        let mut read_only = false;
        for option in options.split(',').filter(|option| !option.is_empty()) {
            match option.split_once('=').unwrap_or((option, "")) {
                ("size", size) if bytes::parse(size).is_some() => tmpfs.size = bytes::parse(size),
                ("mode", mode) if u32::from_str_radix(mode, 8).is_ok() => {
                    tmpfs.mode = u32::from_str_radix(mode, 8).ok();
                }
                ("ro", "") => read_only = true,
                // What the engine does by itself.
                ("rw" | "noexec" | "nosuid" | "nodev", "") => {}
                _ => reading.problem(
                    Rule::Unsupported,
                    item.place,
                    path,
                    format!("Berth cannot honour an option in {} yet", item.describe()),
                    Some("Known are size, mode, ro, rw, noexec, nosuid and nodev."),
                ),
            }
        }
        mounts.push(Mount {
            kind: MountKind::Tmpfs,
            source: None,
            target: clean_target(target),
            read_only,
            bind: None,
            volume: None,
            tmpfs: Some(tmpfs),
        });
    }
    mounts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_are_taken_apart() {
        let cases = [
            ("/data", None, "/data", ""),
            ("data:/d/", Some("data"), "/d", ""),
            ("./src:/d:ro", Some("./src"), "/d", "ro"),
            ("data:/d:ro,nocopy", Some("data"), "/d", "ro,nocopy"),
            ("v:/data", Some("v"), "/data", ""),
            ("v:/data:ro", Some("v"), "/data", "ro"),
            ("C:\\Users\\x:/d", Some("C:\\Users\\x"), "/d", ""),
            ("c:/x:/e:ro", Some("c:/x"), "/e", "ro"),
        ];
        for (text, source, target, options) in cases {
            let short = split_short(text);
            assert_eq!(short.source.as_deref(), source, "{text}");
            assert_eq!(short.target, target, "{text}");
            assert_eq!(short.options.join(","), options, "{text}");
            assert!(!short.overlong, "{text}");
        }
        assert!(split_short("a:b:c:d").overlong);
    }
}
