//! Replays what Docker Compose 2.40.3 makes of small projects, one behaviour each
//! (`tests/data/compose/config`): whether the project is accepted and what it then
//! means, or on which kind of rule it fails.
//!
//! `differences.txt` names the cases that do not agree, with the reason. The
//! test fails when another case disagrees, and when a named one starts to agree.

#![allow(clippy::unwrap_used)] // A broken test set must fail the test.

mod meaning;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use berth_compose::{Diagnostic, DiskFiles, Project, Request, Rule, load};
use serde_json::Value;

const HOME: &str = "/home/oracle";

fn cases() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/compose/config");
    folder.canonicalize().unwrap()
}

/// The arguments that stand before the verb.
#[derive(Default)]
struct Arguments {
    files: Vec<String>,
    name: Option<String>,
    profiles: Vec<String>,
    directory: Option<String>,
    /// Arguments that a load does not take.
    others: Vec<String>,
}

fn arguments(case: &Value) -> Arguments {
    let mut arguments = Arguments::default();
    let mut words = case["argv"]
        .as_array()
        .unwrap()
        .iter()
        .map(|word| word.as_str().unwrap());
    while let Some(word) = words.next() {
        let mut value = || words.next().unwrap().to_owned();
        match word {
            "-f" | "--file" => arguments.files.push(value()),
            "-p" | "--project-name" => arguments.name = Some(value()),
            "--profile" => arguments.profiles.push(value()),
            "--project-directory" => arguments.directory = Some(value()),
            other => arguments.others.push(other.to_owned()),
        }
    }
    arguments
}

fn replay(folder: &Path, case: &Value) -> Result<Project, Vec<Diagnostic>> {
    let arguments = arguments(case);
    let cwd = joined(folder, case["cwd"].as_str().unwrap());
    let files: Vec<PathBuf> = arguments
        .files
        .iter()
        .map(|file| joined(&cwd, file))
        .collect();
    let directory = match (&arguments.directory, files.first()) {
        (Some(directory), _) => joined(&cwd, directory),
        (None, Some(file)) => file.parent().unwrap().to_owned(),
        (None, None) => cwd,
    };
    let mut environment: BTreeMap<String, String> = case["env"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned()))
        .collect();
    environment.insert("HOME".to_owned(), HOME.to_owned());
    load(&Request {
        directory: &directory,
        files: &files,
        project_name: arguments.name.as_deref(),
        profiles: &arguments.profiles,
        environment: &environment,
        files_from: &DiskFiles,
    })
    .map(|loaded| loaded.project)
}

fn joined(folder: &Path, path: &str) -> PathBuf {
    let mut path_so_far = folder.to_owned();
    for part in Path::new(path).components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                path_so_far.pop();
            }
            part => path_so_far.push(part),
        }
    }
    path_so_far
}

/// Whether Berth's rule is one that stands for the peer's kind of error.
fn same_kind(class: &str, rule: Rule) -> bool {
    match class {
        "schema" | "decode" | "interpolation-cast" => {
            matches!(rule, Rule::Invalid | Rule::UnknownKey)
        }
        "consistency" => matches!(rule, Rule::Invalid | Rule::Undefined),
        "yaml-parse" => rule == Rule::Yaml,
        "interpolation-required" | "interpolation-format" => rule == Rule::Interpolation,
        "missing-file" => {
            matches!(
                rule,
                Rule::Undefined | Rule::Unreadable | Rule::NothingFound
            )
        }
        "cycle" => rule == Rule::Cycle,
        "dotenv" => rule == Rule::Dotenv,
        _ => true,
    }
}

/// `None`: agrees.
fn difference(folder: &Path, case: &Value) -> Option<String> {
    let expected = &case["expected"];
    let accepted = expected["ok"].as_bool().unwrap();
    match (replay(folder, case), accepted) {
        (Ok(project), true) => {
            let printed = Some(&expected["json"]).filter(|printed| printed.is_object())?;
            meaning::difference(&project, printed, folder)
        }
        (Ok(_), false) => Some(format!(
            "accepted, the peer refuses: {}",
            expected["stderr"]
        )),
        (Err(problems), true) => Some(format!("refused: {}", told(&problems))),
        (Err(problems), false) => {
            let class = expected["error_class"].as_str().unwrap_or("other");
            let same = problems
                .iter()
                .any(|problem| same_kind(class, problem.rule));
            (!same).then(|| format!("refused as {}, the peer as {class}", told(&problems)))
        }
    }
}

fn told(problems: &[Diagnostic]) -> String {
    let told: Vec<_> = problems
        .iter()
        .map(|problem| format!("{:?} {problem}", problem.rule))
        .collect();
    told.join("; ")
}

#[test]
fn projects_mean_what_they_mean_to_docker_compose() {
    let listed: BTreeSet<&str> = include_str!("differences.txt")
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let mut total = 0;
    let mut agreeing = 0;
    let mut faults = Vec::new();
    let mut folders: Vec<PathBuf> = std::fs::read_dir(cases())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|folder| folder.is_dir())
        .collect();
    folders.sort();
    for folder in folders {
        let id = folder.file_name().unwrap().to_str().unwrap().to_owned();
        let case = std::fs::read(folder.join("case.json")).unwrap();
        let case: Value = serde_json::from_slice(&case).unwrap();
        total += 1;
        match (difference(&folder, &case), listed.contains(id.as_str())) {
            (None, false) => agreeing += 1,
            (None, true) => {
                agreeing += 1;
                faults.push(format!("{id}: agrees now; take it off the list"));
            }
            (Some(_), true) => {}
            (Some(difference), false) => faults.push(format!("{id}: {difference}")),
        }
    }
    println!("{agreeing} of {total} cases agree in verdict, and in meaning or kind of error");
    assert!(
        faults.is_empty(),
        "{} faults:\n{}",
        faults.len(),
        faults.join("\n")
    );
}
