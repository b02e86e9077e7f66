//! Kubernetes manifests and kustomizations, recognised by their looks. Berth
//! cannot start them yet.

use std::fs;
use std::path::Path;

use berth_contracts::{ProvisionType, ServiceProvisioning};

use super::{is_yaml, names_in};
use crate::view::Candidate;

/// Names of the file that makes a folder a kustomization.
const KUSTOMIZATIONS: [&str; 3] = ["kustomization.yaml", "kustomization.yml", "Kustomization"];

/// Folders that usually hold manifests.
const FOLDERS: [&str; 8] = [
    "",
    "k8s",
    "kubernetes",
    "manifests",
    "deploy",
    "deployment",
    "base",
    "overlay",
];

/// How many files are looked at, and how much of each, bytes.
const MOST_FILES: usize = 200;
const LARGEST: u64 = 1024 * 1024;

/// Kustomizations first, then single manifests.
pub(super) fn candidates(folder: &Path) -> Vec<Candidate> {
    let mut found = Vec::new();
    for part in FOLDERS {
        for name in KUSTOMIZATIONS {
            if folder.join(part).join(name).is_file() {
                found.push(candidate(joined(part, name), Vec::new()));
            }
        }
    }
    let manifests = FOLDERS
        .iter()
        .flat_map(|part| {
            names_in(&folder.join(part))
                .into_iter()
                .filter(|name| is_yaml(name) && !KUSTOMIZATIONS.contains(&name.as_str()))
                .map(|name| joined(part, &name))
                .collect::<Vec<_>>()
        })
        .take(MOST_FILES);
    for file in manifests {
        let path = folder.join(&file);
        let small =
            fs::metadata(&path).is_ok_and(|found| found.is_file() && found.len() <= LARGEST);
        let text = if small {
            fs::read_to_string(&path).unwrap_or_default()
        } else {
            String::new()
        };
        let objects = objects(&text);
        if !objects.is_empty() {
            found.push(candidate(file, objects));
        }
    }
    found
}

fn joined(part: &str, name: &str) -> String {
    if part.is_empty() {
        name.to_owned()
    } else {
        format!("{part}/{name}")
    }
}

fn candidate(file: String, services: Vec<String>) -> Candidate {
    Candidate {
        provisioning: ServiceProvisioning::of(ProvisionType::Kubernetes),
        file,
        services,
        volumes: Vec::new(),
        ports: Vec::new(),
        problem: None,
        startable: false,
    }
}

/// The objects of a manifest (`Deployment web`): documents that have both
/// `apiVersion` and `kind` at their root.
fn objects(text: &str) -> Vec<String> {
    text.split("\n---")
        .filter_map(|document| {
            let at_root = |key: &str| {
                document
                    .lines()
                    .find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))
                    .map(|value| value.trim().trim_matches(['"', '\'']))
            };
            at_root("apiVersion").filter(|version| !version.is_empty())?;
            let kind = at_root("kind").filter(|kind| !kind.is_empty())?;
            Some(match name_of(document) {
                Some(name) => format!("{kind} {name}"),
                None => kind.to_owned(),
            })
        })
        .collect()
}

/// `metadata.name`, by its looks.
fn name_of(document: &str) -> Option<&str> {
    let (_, metadata) = document.split_once("metadata:")?;
    let (_, after) = metadata.split_once("name:")?;
    let name = after
        .trim_start_matches(' ')
        .split(['\n', ',', '}', '#'])
        .next()?
        .trim()
        .trim_matches(['"', '\'']);
    (!name.is_empty()).then_some(name)
}
