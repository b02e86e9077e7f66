use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::environment::Surroundings;
use crate::mounts::Folders;
use crate::place::KeyPath;
use crate::profiles::Profiles;
use crate::reading::Reading;
use crate::service::Around;
use crate::sources::{self, Chain};
use crate::yaml::Node;
use crate::{Diagnostic, Files, Project, Rule, dockerfile, interpolate, names, paths, project};

/// What to load, and with which surroundings.
pub struct Request<'a> {
    /// The project's folder, absolute: where files are discovered and relative
    /// paths start.
    pub directory: &'a Path,
    /// Compose files in order, absolute. Empty: discovered in `directory`, and a
    /// lone Dockerfile becomes a project of one service.
    pub files: &'a [PathBuf],
    /// Names the project when set (must already be legal); otherwise the
    /// specification's order decides.
    pub project_name: Option<&'a str>,
    /// Profiles switched on. Empty: those of `COMPOSE_PROFILES`.
    pub profiles: &'a [String],
    /// The variables of the shell. They win over `.env`.
    pub environment: &'a BTreeMap<String, String>,
    /// Where files are read from.
    pub files_from: &'a dyn Files,
}

/// A project that was understood in full.
#[derive(Debug)]
pub struct Loaded {
    /// What it means.
    pub project: Project,
    /// Things worth saying that do not stop it (unset variables, for one).
    pub warnings: Vec<Diagnostic>,
    /// The compose files in order, absolute; empty for a lone Dockerfile.
    pub compose_files: Vec<PathBuf>,
    /// Every file that was read, absolute, in reading order.
    pub read: Vec<PathBuf>,
    /// The values of every `.env` file that was read, whatever they were used for:
    /// often secrets, and not to be repeated.
    pub dotenv_values: BTreeSet<String>,
}

/// Docker Compose's names for the file of a project, in its order of preference.
const FILE_NAMES: [&str; 4] = [
    "compose.yaml",
    "compose.yml",
    "docker-compose.yml",
    "docker-compose.yaml",
];

/// The same for the file that is put over it.
const OVERRIDE_NAMES: [&str; 4] = [
    "compose.override.yml",
    "compose.override.yaml",
    "docker-compose.override.yml",
    "docker-compose.override.yaml",
];

/// The compose files that `directory` offers by Docker Compose's own names, the
/// override file included; empty when there are none.
pub fn discover(directory: &Path, files: &dyn Files) -> Vec<PathBuf> {
    let first = |names: [&str; 4]| {
        names
            .iter()
            .map(|name| directory.join(name))
            .find(|path| files.is_file(path))
    };
    match first(FILE_NAMES) {
        Some(file) => std::iter::once(file).chain(first(OVERRIDE_NAMES)).collect(),
        None => Vec::new(),
    }
}

/// Reads a project.
///
/// # Errors
/// Every problem found, in file order; never an empty list.
pub fn load(request: &Request<'_>) -> Result<Loaded, Vec<Diagnostic>> {
    let mut reading = Reading::new(request.files_from);
    let project = read(request, &mut reading);
    let learned = reading.finish()?;
    match project {
        Some((project, compose_files)) => Ok(Loaded {
            project,
            warnings: learned.warnings,
            compose_files,
            read: learned.read,
            dotenv_values: learned.dotenv_values,
        }),
        // Unreachable by construction: every `None` comes with a problem.
        None => Err(vec![Diagnostic {
            rule: Rule::NothingFound,
            file: Some(request.directory.to_owned()),
            line: None,
            column: None,
            key: String::new(),
            message: "the project cannot be read".to_owned(),
            hint: None,
        }]),
    }
}

/// `None`: a problem was reported.
fn read(request: &Request<'_>, reading: &mut Reading<'_>) -> Option<(Project, Vec<PathBuf>)> {
    let directory = paths::clean(request.directory);
    let mut surroundings = Surroundings::new(request.environment);
    read_dotenv(&directory, &mut surroundings, reading);
    let files = files(request, &directory, &surroundings);
    if files.is_empty() {
        let project = lone_dockerfile(request, &directory, &surroundings, reading)?;
        return Some((project, files));
    }
    let mut documents: Vec<(PathBuf, Node)> = Vec::new();
    for file in &files {
        let read = sources::read_documents(file, None, reading).unwrap_or_default();
        documents.extend(read.into_iter().map(|node| (file.clone(), node)));
    }
    let name = project_name(request, &directory, &documents, &surroundings, reading);
    if let Some(name) = &name {
        surroundings.set("COMPOSE_PROJECT_NAME", name);
    }
    let chain = Chain::start(files.first()?);
    let merged = sources::merge(documents, &directory, &chain, &surroundings, reading)?;
    if !reading.is_clean() {
        return None;
    }
    if let Some(version) = merged.get("version") {
        reading.warn(
            Rule::Unsupported,
            version.place,
            &KeyPath::Root.key("version"),
            "is obsolete and means nothing any more",
            Some("Remove it."),
        );
    }
    let profiles = Profiles::new(
        request.profiles,
        surroundings.get("COMPOSE_PROFILES").as_deref(),
    );
    let home = surroundings.get("HOME");
    let around = Around {
        folders: Folders {
            project: &directory,
            home: home.as_deref(),
        },
        surroundings: &surroundings,
        secrets: merged.get("secrets").and_then(Node::as_map),
        configs: merged.get("configs").and_then(Node::as_map),
    };
    let project = project::read(&merged, name?, &profiles, around, reading);
    Some((project, files))
}

/// Reads `.env`, or the files that `COMPOSE_ENV_FILES` names instead.
fn read_dotenv(directory: &Path, surroundings: &mut Surroundings, reading: &mut Reading<'_>) {
    let home = surroundings.get("HOME");
    let named: Vec<PathBuf> = surroundings
        .get("COMPOSE_ENV_FILES")
        .unwrap_or_default()
        .split(',')
        .filter(|name| !name.is_empty())
        .map(|name| paths::absolute(directory, name, home.as_deref()))
        .collect();
    if named.is_empty() {
        let file = directory.join(".env");
        if reading.files().is_file(&file) {
            sources::add_dotenv(&file, surroundings, reading);
        }
        return;
    }
    // Of several files the later wins; what is added first stays.
    for file in named.iter().rev() {
        sources::add_dotenv(file, surroundings, reading);
    }
}

fn files(request: &Request<'_>, directory: &Path, surroundings: &Surroundings) -> Vec<PathBuf> {
    if !request.files.is_empty() {
        return request.files.to_vec();
    }
    let separator = surroundings
        .get("COMPOSE_PATH_SEPARATOR")
        .filter(|separator| !separator.is_empty())
        .unwrap_or_else(|| if cfg!(windows) { ";" } else { ":" }.to_owned());
    let home = surroundings.get("HOME");
    let named: Vec<PathBuf> = surroundings
        .get("COMPOSE_FILE")
        .unwrap_or_default()
        .split(separator.as_str())
        .filter(|name| !name.is_empty())
        .map(|name| paths::absolute(directory, name, home.as_deref()))
        .collect();
    if named.is_empty() {
        discover(directory, request.files_from)
    } else {
        named
    }
}

fn lone_dockerfile(
    request: &Request<'_>,
    directory: &Path,
    surroundings: &Surroundings,
    reading: &mut Reading<'_>,
) -> Option<Project> {
    let file = directory.join("Dockerfile");
    if !reading.files().is_file(&file) {
        reading.file_problem(
            Rule::NothingFound,
            Some(directory),
            "there is no compose file and no Dockerfile in this folder",
            Some("Name the file, or choose the folder that has compose.yaml."),
        );
        return None;
    }
    let text = sources::read_text(&file, None, reading)?;
    let name = project_name(request, directory, &[], surroundings, reading)?;
    Some(dockerfile::project(
        directory,
        name,
        &String::from_utf8_lossy(&text),
    ))
}

/// The name by the specification's order: asked for, `COMPOSE_PROJECT_NAME`,
/// `name:` of the last file that has one, the folder's name.
fn project_name(
    request: &Request<'_>,
    directory: &Path,
    documents: &[(PathBuf, Node)],
    surroundings: &Surroundings,
    reading: &mut Reading<'_>,
) -> Option<String> {
    let variable = surroundings
        .get("COMPOSE_PROJECT_NAME")
        .filter(|name| !name.is_empty());
    if let Some(name) = request.project_name.map(str::to_owned).or(variable) {
        if names::is_legal(&name) {
            return Some(name);
        }
        reading.file_problem(
            Rule::Invalid,
            None,
            format!("\"{name}\" is not a legal name for a project"),
            Some("Use lower-case letters, digits, \"-\" and \"_\", beginning with a letter or digit."),
        );
        return None;
    }
    let lookup = |name: &str| surroundings.get(name);
    let written = documents
        .iter()
        .rev()
        .find_map(|(_, document)| document.get("name")?.as_text())
        // A fault in it is reported when the document is interpolated.
        .and_then(|text| interpolate::substitute(text, &lookup, &mut Vec::new()).ok())
        .map(|text| names::normalize(&text))
        .filter(|name| !name.is_empty());
    let folder = directory.file_name().unwrap_or_default().to_string_lossy();
    let name = written.unwrap_or_else(|| names::normalize(&folder));
    if name.is_empty() {
        reading.file_problem(
            Rule::Invalid,
            Some(directory),
            "the folder's name gives no legal name for the project",
            Some("Write \"name: …\" at the top of the compose file."),
        );
        return None;
    }
    Some(name)
}

#[cfg(test)]
mod tests;
