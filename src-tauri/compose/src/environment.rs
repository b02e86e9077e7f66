//! Variables: those of the surroundings, and those a container gets.

use std::collections::BTreeMap;
use std::io;

use indexmap::IndexMap;

use crate::dotenv::{self, DotenvError, Variables};
use crate::fields::{Fields, pairs_of};
use crate::mounts::Folders;
use crate::place::{KeyPath, Place};
use crate::reading::Reading;
use crate::yaml::Node;
use crate::{Rule, scalars};

/// The variables that substitution sees: the shell's, over `.env`'s.
#[derive(Clone, Default)]
pub(crate) struct Surroundings {
    shell: BTreeMap<String, String>,
    dotenv: Variables,
}

impl Surroundings {
    pub(crate) fn new(shell: &BTreeMap<String, String>) -> Self {
        Self {
            shell: shell.clone(),
            dotenv: Variables::new(),
        }
    }

    /// Adds the variables of a `.env`. Those known already stay.
    pub(crate) fn add(&mut self, variables: Variables) {
        for (name, value) in variables {
            self.dotenv.entry(name).or_insert(value);
        }
    }

    /// Sets one variable over everything else.
    pub(crate) fn set(&mut self, name: &str, value: &str) {
        self.shell.insert(name.to_owned(), value.to_owned());
    }

    pub(crate) fn get(&self, name: &str) -> Option<String> {
        let value = self.shell.get(name).or_else(|| self.dotenv.get(name));
        value.cloned()
    }
}

/// Reads an env file and reports what is wrong with it. `None`: it is not there
/// (which is not reported), or wrong.
pub(crate) fn read_file(
    file: &std::path::Path,
    surroundings: &Surroundings,
    reading: &mut Reading<'_>,
) -> Result<Option<Variables>, io::ErrorKind> {
    let bytes = match reading.read(file) {
        Ok(bytes) => bytes,
        Err(error) => return Err(error.kind()),
    };
    let mut unset = Vec::new();
    let parsed = dotenv::parse(&bytes, &|name| surroundings.get(name), &mut unset);
    let source = reading.source(file);
    for name in unset {
        reading.warn(
            Rule::Interpolation,
            Place {
                file: source,
                ..Place::default()
            },
            &KeyPath::Root,
            format!("the variable {name} is not set; it is taken as blank"),
            None,
        );
    }
    Ok(keep(parsed, source, reading))
}

fn keep(
    parsed: Result<Variables, DotenvError>,
    source: u32,
    reading: &mut Reading<'_>,
) -> Option<Variables> {
    match parsed {
        Ok(variables) => Some(variables),
        Err(error) => {
            reading.problem(
                Rule::Dotenv,
                Place {
                    file: source,
                    line: u32::try_from(error.line).unwrap_or(u32::MAX),
                    column: 1,
                },
                &KeyPath::Root,
                error.kind.to_string(),
                Some("Write NAME=value, one a line; put values with spaces or \"#\" in quotes."),
            );
            None
        }
    }
}

/// The variables of a container: `env_file` under `environment`.
pub(crate) fn read(
    env_file: Option<&Node>,
    environment: Option<&Node>,
    folders: Folders<'_>,
    surroundings: &Surroundings,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> IndexMap<String, Option<String>> {
    let mut variables: IndexMap<String, Option<String>> = IndexMap::new();
    if let Some(node) = env_file {
        let here = path.key("env_file");
        let from_files = read_env_files(node, folders, surroundings, &here, reading);
        variables.extend(
            from_files
                .into_iter()
                .map(|(name, value)| (name, Some(value))),
        );
    }
    if let Some(node) = environment {
        check_names(node, &path.key("environment"), reading);
        for (name, value) in pairs_of(node) {
            let value = value.or_else(|| surroundings.get(&name));
            variables.insert(name, value);
        }
    }
    variables
}

fn check_names(node: &Node, path: &KeyPath<'_>, reading: &mut Reading<'_>) {
    for (index, item) in node.as_list().unwrap_or_default().iter().enumerate() {
        let text = item.as_text().unwrap_or_default();
        let name = text.split_once('=').map_or(text, |(name, _)| name);
        if name.is_empty() || name.contains(char::is_whitespace) {
            reading.problem(
                Rule::Invalid,
                item.place,
                &path.index(index),
                "the name before the \"=\" is empty or contains a space",
                Some("Write NAME=value without spaces around the \"=\"."),
            );
        }
    }
}

fn read_env_files(
    node: &Node,
    folders: Folders<'_>,
    surroundings: &Surroundings,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> Variables {
    let items: Vec<&Node> = match node.as_list() {
        Some(items) => items.iter().collect(),
        None => vec![node],
    };
    let mut variables = Variables::new();
    for (index, item) in items.into_iter().enumerate() {
        let here = path.index(index);
        let (name, required, format) = match Fields::of(item) {
            None => (item.scalar_text().unwrap_or_default(), true, None),
            Some(mut keys) => (
                keys.text("path").unwrap_or_default(),
                keys.take("required")
                    .and_then(scalars::boolean)
                    .unwrap_or(true),
                keys.text("format").filter(|format| !format.is_empty()),
            ),
        };
        let file = folders.absolute(&name);
        let bytes = match reading.read(&file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound && !required => continue,
            Err(error) => {
                let missing = error.kind() == io::ErrorKind::NotFound;
                let (rule, message) = if missing {
                    (
                        Rule::Undefined,
                        format!("the env file {} does not exist", file.display()),
                    )
                } else {
                    (
                        Rule::Unreadable,
                        format!("the env file {} cannot be read: {error}", file.display()),
                    )
                };
                let hint = "Create it, correct the path, or mark it with required: false.";
                reading.problem(rule, item.place, &here, message, Some(hint));
                continue;
            }
        };
        let source = reading.source(&file);
        // An earlier file's variables can be used in a later one.
        let seen = &variables;
        let lookup = |name: &str| surroundings.get(name).or_else(|| seen.get(name).cloned());
        let parsed = match format.as_deref() {
            None => dotenv::parse(&bytes, &lookup, &mut Vec::new()),
            Some("raw") => dotenv::parse_raw(&bytes, &lookup),
            Some(_) => {
                reading.problem(
                    Rule::Invalid,
                    item.place,
                    &here,
                    "the format of an env file can be \"raw\" only, or left out",
                    None,
                );
                continue;
            }
        };
        variables.extend(keep(parsed, source, reading).unwrap_or_default());
    }
    variables
}

/// Reads `label_file:`.
pub(crate) fn read_label_files(
    node: &Node,
    folders: Folders<'_>,
    surroundings: &Surroundings,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) -> IndexMap<String, String> {
    read_env_files(node, folders, surroundings, path, reading)
}
