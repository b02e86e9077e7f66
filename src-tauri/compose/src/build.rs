use std::path::{Path, PathBuf};

use crate::Rule;
use crate::environment::Surroundings;
use crate::fields::Fields;
use crate::hosts;
use crate::model::Build;
use crate::mounts::Folders;
use crate::place::KeyPath;
use crate::reading::Reading;
use crate::yaml::Node;

/// Reads `build:`.
pub(crate) fn read(
    node: &Node,
    folders: Folders<'_>,
    surroundings: &Surroundings,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> Option<Build> {
    if let Some(context) = node.as_text() {
        return Some(Build {
            context: context_of(context, folders, node, path, reading),
            dockerfile: PathBuf::from("Dockerfile"),
            ..Build::default()
        });
    }
    let mut keys = Fields::of(node)?;
    let context_node = keys.take("context");
    let context = match context_node.and_then(Node::as_text) {
        Some(context) => {
            let node = context_node.unwrap_or(node);
            context_of(context, folders, node, &path.key("context"), reading)
        }
        None => folders.project.to_owned(),
    };
    let dockerfile = keys.text("dockerfile").filter(|name| !name.is_empty());
    let dockerfile_inline = keys.text("dockerfile_inline");
    if dockerfile.is_some() && dockerfile_inline.is_some() {
        reading.problem(
            Rule::Invalid,
            node.place,
            path,
            "dockerfile and dockerfile_inline exclude each other",
            Some("Keep one of the two."),
        );
    }
    let args = keys.pairs("args").into_iter();
    let build = Build {
        context,
        dockerfile: PathBuf::from(dockerfile.as_deref().unwrap_or("Dockerfile")),
        dockerfile_inline,
        args: args
            .map(|(name, value)| {
                let value = value.or_else(|| surroundings.get(&name));
                (name, value)
            })
            .filter(|(_, value)| value.is_some())
            .collect(),
        target: keys.text("target"),
        labels: keys.labels("labels"),
        tags: keys.texts("tags"),
        no_cache: keys.flag("no_cache"),
        pull: keys.flag("pull"),
        network: keys.text("network"),
        cache_from: keys.texts("cache_from"),
        extra_hosts: keys
            .take("extra_hosts")
            .map(|node| hosts::read(node, &path.key("extra_hosts"), reading))
            .unwrap_or_default(),
        shm_size: keys.bytes("shm_size"),
    };
    keys.finish(path, reading);
    Some(build)
}

fn context_of(
    context: &str,
    folders: Folders<'_>,
    node: &Node,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> PathBuf {
    if is_remote(context) {
        reading.problem(
            Rule::Unsupported,
            node.place,
            path,
            "Berth cannot build from an address yet",
            Some("Clone it and name the folder."),
        );
        return Path::new(context).to_owned();
    }
    folders.absolute(context)
}

/// Whether a context is an address and not a folder.
pub(crate) fn is_remote(context: &str) -> bool {
    [
        "https://",
        "http://",
        "git://",
        "ssh://",
        "git@",
        "github.com/",
    ]
    .iter()
    .any(|prefix| context.starts_with(prefix))
}
