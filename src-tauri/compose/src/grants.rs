//! Secrets and configs that come from files: read-only binds, as Docker Compose
//! makes them.

use crate::fields::{Fields, refuse};
use crate::model::{Bind, Mount, MountKind};
use crate::mounts::Folders;
use crate::place::KeyPath;
use crate::reading::Reading;
use crate::yaml::{Map, Node};
use crate::{Rule, paths};

/// The two kinds of grants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Config,
    Secret,
}

impl Kind {
    pub(crate) fn section(self) -> &'static str {
        match self {
            Kind::Config => "configs",
            Kind::Secret => "secrets",
        }
    }

    fn noun(self) -> &'static str {
        match self {
            Kind::Config => "config",
            Kind::Secret => "secret",
        }
    }

    fn target(self, source: &str, target: Option<String>) -> String {
        match (self, target) {
            (_, Some(target)) if target.starts_with('/') => paths::clean_inside(&target),
            (Kind::Secret, target) => {
                format!("/run/secrets/{}", target.as_deref().unwrap_or(source))
            }
            (Kind::Config, target) => format!("/{}", target.as_deref().unwrap_or(source)),
        }
    }
}

/// Reads `secrets:` or `configs:` of a service. `defined` is the section of the
/// top level.
pub(crate) fn read(
    kind: Kind,
    node: &Node,
    defined: Option<&Map>,
    folders: Folders<'_>,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> Vec<Mount> {
    let mut mounts = Vec::new();
    for (index, item) in node.as_list().unwrap_or_default().iter().enumerate() {
        let here = path.index(index);
        let (source, target) = match Fields::of(item) {
            None => (item.scalar_text().unwrap_or_default(), None),
            Some(mut keys) => {
                let names = (keys.text("source").unwrap_or_default(), keys.text("target"));
                let why = "has no effect: the file is mounted with the owner and mode it has";
                keys.without_effect(&["uid", "gid", "mode"], why, &here, reading);
                names
            }
        };
        let Some(entry) = defined.and_then(|defined| defined.get(&source)) else {
            reading.problem(
                Rule::Undefined,
                item.place,
                &here,
                format!("the {} \"{source}\" is not defined", kind.noun()),
                Some(&format!("Define it under \"{}:\".", kind.section())),
            );
            continue;
        };
        let section = KeyPath::Root.key(kind.section());
        let definition_path = section.key(&source);
        let Some(mut keys) = Fields::of(&entry.node) else {
            continue;
        };
        let Some(file) = keys.text("file") else {
            let sources = ["environment", "content", "external"];
            match sources
                .iter()
                .find_map(|key| entry.node.as_map()?.get(*key).map(|entry| (*key, entry)))
            {
                Some((key, entry)) => refuse(entry.place, &definition_path.key(key), reading),
                None => reading.problem(
                    Rule::Invalid,
                    entry.place,
                    &definition_path,
                    "it does not say where its content comes from",
                    Some("Give it a \"file\"."),
                ),
            }
            continue;
        };
        // The name counts for Swarm's store only.
        keys.take("name");
        keys.take("labels");
        keys.finish(&definition_path, reading);
        mounts.push(Mount {
            kind: MountKind::Bind,
            source: Some(folders.absolute(&file).display().to_string()),
            target: kind.target(&source, target),
            read_only: true,
            bind: Some(Bind::default()),
            volume: None,
            tmpfs: None,
        });
    }
    mounts
}
