//! `extends`: a service that starts from another one, of the same file or of
//! another.

use std::path::{Path, PathBuf};

use crate::environment::Surroundings;
use crate::mounts::Folders;
use crate::place::KeyPath;
use crate::reading::Reading;
use crate::sources;
use crate::yaml::{Node, Value};
use crate::{Rule, anchor, interpolate, merge};

/// Services that extend each other in a row, at most.
const LONGEST: usize = 100;

/// Where the services of a file are looked up.
#[derive(Clone, Copy)]
struct Scope<'a> {
    /// The file's services as they are written.
    services: &'a Node,
    file: &'a Path,
    /// Where the file's relative paths start.
    folder: &'a Path,
}

/// Replaces every service of a document that extends another one by the whole.
/// `folder` is where the document's relative paths start.
pub(crate) fn apply(
    document: &mut Node,
    file: &Path,
    folder: &Path,
    surroundings: &Surroundings,
    reading: &mut Reading<'_>,
) {
    let Some(services) = document
        .as_map_mut()
        .and_then(|map| map.get_mut("services"))
        .map(|entry| &mut entry.node)
    else {
        return;
    };
    let Some(map) = services.as_map() else {
        return;
    };
    if !map
        .values()
        .any(|entry| entry.node.get("extends").is_some())
    {
        return;
    }
    let written = services.clone();
    let scope = Scope {
        services: &written,
        file,
        folder,
    };
    let section = KeyPath::Root.key("services");
    let entries = services.as_map_mut().into_iter().flatten();
    for (name, entry) in entries {
        if entry.node.get("extends").is_none() {
            continue;
        }
        let path = section.key(name);
        let mut way = vec![(file.to_owned(), name.clone())];
        match whole(&entry.node, scope, surroundings, &path, &mut way, reading) {
            Some(service) => entry.node = service,
            // Reported; what is missing from it must not be reported on top.
            None => entry.node.value = Value::Broken,
        }
    }
}

/// A service with what it extends filled in. `None`: reported.
fn whole(
    service: &Node,
    scope: Scope<'_>,
    surroundings: &Surroundings,
    path: &KeyPath<'_>,
    way: &mut Vec<(PathBuf, String)>,
    reading: &mut Reading<'_>,
) -> Option<Node> {
    let Some(extends) = service.get("extends").filter(|node| !node.is_null()) else {
        return Some(service.clone());
    };
    let here = path.key("extends");
    let (name, file) = match extends.as_text() {
        Some(name) => (Some(name), None),
        None => (
            extends.get("service").and_then(Node::as_text),
            extends.get("file").and_then(Node::as_text),
        ),
    };
    let Some(name) = name else {
        let message = "it does not say which service is extended";
        let hint = "Write extends: {service: NAME}, with file: PATH for one of another file.";
        reading.problem(Rule::Invalid, extends.place, &here, message, Some(hint));
        return None;
    };
    let mut own = service.clone();
    own.as_map_mut()?.shift_remove("extends");
    let home = surroundings.get("HOME");
    let base = match file {
        None => base(extends, name, scope, surroundings, path, way, reading)?,
        Some(file) => {
            let folders = Folders {
                project: scope.folder,
                home: home.as_deref(),
            };
            let file = folders.absolute(file);
            let document = sources::document(&file, extends.place, &here, reading)?;
            let mut services = document.get("services")?.clone();
            let section = KeyPath::Root.key("services");
            let lookup = |name: &str| surroundings.get(name);
            interpolate::tree(&mut services, &section, &lookup, reading);
            let folder = file.parent().unwrap_or(&file);
            let other = Scope {
                services: &services,
                file: &file,
                folder,
            };
            let mut base = base(extends, name, other, surroundings, path, way, reading)?;
            let folders = Folders {
                project: folder,
                home: home.as_deref(),
            };
            anchor::service(&mut base, folders);
            base
        }
    };
    Some(merge::merge(base, own, path, reading))
}

fn base(
    extends: &Node,
    name: &str,
    scope: Scope<'_>,
    surroundings: &Surroundings,
    path: &KeyPath<'_>,
    way: &mut Vec<(PathBuf, String)>,
    reading: &mut Reading<'_>,
) -> Option<Node> {
    let here = path.key("extends");
    let Some(base) = scope.services.get(name) else {
        let message = format!("there is no service \"{name}\" in {}", scope.file.display());
        let hint = "Correct the name, or the file.";
        reading.problem(Rule::Undefined, extends.place, &here, message, Some(hint));
        return None;
    };
    let step = (scope.file.to_owned(), name.to_owned());
    if way.contains(&step) || way.len() > LONGEST {
        let names: Vec<_> = way.iter().map(|(_, name)| name.as_str()).collect();
        let message = if way.contains(&step) {
            format!(
                "services extend each other in a circle: {} → {name}",
                names.join(" → ")
            )
        } else {
            format!("more than {LONGEST} services extend each other in a row")
        };
        let hint = "Remove one of these extends.";
        reading.problem(Rule::Cycle, extends.place, &here, message, Some(hint));
        return None;
    }
    way.push(step);
    let whole = whole(base, scope, surroundings, path, way, reading);
    way.pop();
    whole
}
