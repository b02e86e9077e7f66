use crate::fields::Fields;
use crate::model::Volume;
use crate::mounts::Folders;
use crate::place::KeyPath;
use crate::reading::Reading;
use crate::yaml::Node;
use crate::{Rule, anchor, scalars};

/// `external:` in its two forms.
pub(crate) enum External {
    No,
    Yes,
    /// The old `external: {name: …}`.
    Named(String),
}

impl External {
    pub(crate) fn is_set(&self) -> bool {
        !matches!(self, External::No)
    }
}

pub(crate) fn external(keys: &mut Fields<'_>) -> External {
    match keys.take("external") {
        None => External::No,
        Some(node) => match (node.get("name").and_then(Node::scalar_text), node.as_map()) {
            (Some(name), _) => External::Named(name),
            (None, Some(_)) => External::Yes,
            (None, None) if scalars::boolean(node) == Some(true) => External::Yes,
            (None, None) => External::No,
        },
    }
}

/// The name on the engine, and whether the file fixes it.
pub(crate) fn real_name(
    key: &str,
    name: Option<String>,
    external: &External,
    project: &str,
) -> (String, bool) {
    match (name, external) {
        (_, External::Named(name)) => (name.clone(), true),
        (Some(name), _) => (name, true),
        (None, External::Yes) => (key.to_owned(), false),
        (None, External::No) => (format!("{project}_{key}"), false),
    }
}

/// Reads a volume of the top level.
pub(crate) fn read(
    key: &str,
    node: &Node,
    project: &str,
    folders: Folders<'_>,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> Volume {
    let Some(mut keys) = Fields::of(node) else {
        return Volume {
            name: format!("{project}_{key}"),
            ..Volume::default()
        };
    };
    let name = keys.text("name").filter(|name| !name.is_empty());
    let external = external(&mut keys);
    let (name, name_is_fixed) = real_name(key, name, &external, project);
    let mut volume = Volume {
        name,
        name_is_fixed,
        external: external.is_set(),
        driver: keys.text("driver"),
        driver_opts: keys.labels("driver_opts"),
        labels: keys.labels("labels"),
    };
    if anchor::is_bind(|key| volume.driver_opts.get(key).cloned())
        && let Some(device) = volume.driver_opts.get_mut("device")
    {
        *device = folders.absolute(device).display().to_string();
    }
    if volume.external && (volume.driver.is_some() || !volume.driver_opts.is_empty()) {
        reading.problem(
            Rule::Invalid,
            node.place,
            path,
            "an external volume exists already; driver and driver_opts cannot be set for it",
            Some("Remove them, or remove external."),
        );
    }
    keys.finish(path, reading);
    volume
}
