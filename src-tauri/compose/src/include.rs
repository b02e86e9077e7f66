//! `include`: other projects as parts of this one.

use std::path::{Path, PathBuf};

use crate::environment::{self, Surroundings};
use crate::fields::{Fields, texts_of};
use crate::mounts::Folders;
use crate::place::KeyPath;
use crate::reading::Reading;
use crate::sources::{self, Chain};
use crate::yaml::{Entry, Map, Node, Value};
use crate::{Rule, anchor};

/// Takes `include` out of a document and puts what it names in. `folder` is where
/// the document's relative paths start.
pub(crate) fn apply(
    document: &mut Node,
    folder: &Path,
    chain: &Chain<'_>,
    surroundings: &Surroundings,
    reading: &mut Reading<'_>,
) {
    let Some(map) = document.as_map_mut() else {
        return;
    };
    let Some(items) = map
        .get("include")
        .and_then(|entry| entry.node.as_list())
        .map(<[Node]>::to_vec)
    else {
        // Of the wrong type: the check says so.
        return;
    };
    map.shift_remove("include");
    let section = KeyPath::Root.key("include");
    for (index, item) in items.iter().enumerate() {
        let path = section.index(index);
        if let Some(included) = read_item(item, folder, chain, surroundings, &path, reading) {
            import(map, included, item, &path, reading);
        }
    }
}

/// The included project, its paths absolute. `None`: reported.
fn read_item(
    item: &Node,
    folder: &Path,
    chain: &Chain<'_>,
    surroundings: &Surroundings,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> Option<Node> {
    let home = surroundings.get("HOME");
    let folders = Folders {
        project: folder,
        home: home.as_deref(),
    };
    let (names, env_files, directory) = match Fields::of(item) {
        None => (texts_of(item), Vec::new(), None),
        Some(mut keys) => {
            let names = keys.texts("path");
            let env_files = keys.texts("env_file");
            let directory = keys.text("project_directory");
            // Docker Compose ignores what else stands here.
            keys.finish(path, reading);
            (names, env_files, directory)
        }
    };
    let files: Vec<PathBuf> = names.iter().map(|name| folders.absolute(name)).collect();
    let Some(first) = files.first() else {
        let message = "it does not say which file is included";
        reading.problem(
            Rule::Invalid,
            item.place,
            path,
            message,
            Some("Give it a path."),
        );
        return None;
    };
    let chain = match chain.with(first) {
        Ok(chain) => chain,
        Err(message) => {
            let hint = "Remove one of these includes.";
            reading.problem(Rule::Cycle, item.place, path, message, Some(hint));
            return None;
        }
    };
    let directory = match directory {
        Some(directory) => folders.absolute(&directory),
        None => first.parent().unwrap_or(first).to_owned(),
    };
    let mut inner = surroundings.clone();
    if env_files.is_empty() {
        let file = directory.join(".env");
        if reading.files().is_file(&file) {
            sources::add_dotenv(&file, &mut inner, reading);
        }
    }
    // Of several files the later wins; what is added first stays.
    for name in env_files.iter().rev() {
        let file = folders.absolute(name);
        match environment::read_file(&file, &inner, reading) {
            Ok(variables) => inner.add(variables.unwrap_or_default()),
            Err(error) => reading.problem(
                Rule::Unreadable,
                item.place,
                path,
                format!("the env file {} cannot be read: {error}", file.display()),
                None,
            ),
        }
    }
    let mut documents = Vec::new();
    for file in &files {
        let read = sources::read_documents(file, Some((item.place, path)), reading)?;
        documents.extend(read.into_iter().map(|node| (file.clone(), node)));
    }
    let mut included = sources::merge(documents, &directory, &chain, &inner, reading)?;
    let folders = Folders {
        project: &directory,
        home: home.as_deref(),
    };
    anchor::file(&mut included, folders);
    Some(included)
}

/// Adds the resources of an included project. One that is there already must say
/// the same.
fn import(
    map: &mut Map,
    included: Node,
    item: &Node,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) {
    let Value::Map(sections) = included.value else {
        return;
    };
    for (section, entry) in sections {
        if !matches!(
            section.as_str(),
            "services" | "networks" | "volumes" | "configs" | "secrets" | "models"
        ) {
            continue;
        }
        let Value::Map(resources) = entry.node.value else {
            continue;
        };
        let known = map.entry(section.clone()).or_insert_with(|| Entry {
            place: entry.place,
            node: Node::new(entry.node.place, Value::Map(Map::new())),
        });
        if known.node.is_null() {
            known.node.value = Value::Map(Map::new());
        }
        let Some(known) = known.node.as_map_mut() else {
            continue;
        };
        for (name, resource) in resources {
            match known.get(&name) {
                None => {
                    known.insert(name, resource);
                }
                Some(own) if own.node.same(&resource.node) => {}
                Some(_) => reading.problem(
                    Rule::Invalid,
                    item.place,
                    path,
                    format!(
                        "{section}.{name} is defined here and, differently, in what is included"
                    ),
                    Some("Rename one of them, or put the change in an override file."),
                ),
            }
        }
    }
}
