//! What a folder contains that can be started. Reads the disk, changes nothing.

mod kubernetes;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use berth_compose::{DiskFiles, Port, Project, Request, Service};
use berth_contracts::{ProvisionType, ServiceProvisioning};

use crate::problem::{Code, Problem};
use crate::view::Candidate;

/// How many subfolders are looked at for compose files.
const MOST_SUBFOLDERS: usize = 200;

/// A folder as a service is made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// Absolute, without links.
    pub(crate) folder: PathBuf,
    /// The compose file that was named instead of the folder, relative to it.
    pub(crate) compose_path: Option<String>,
}

/// The folder that `path` means: itself, or that of the compose file or
/// Dockerfile it is. `home` stands for `~`.
///
/// # Errors
/// [`Code::PathMissing`], [`Code::InvalidInput`] for another kind of file or a
/// folder that cannot be read.
pub(crate) fn place(path: &Path, home: Option<&Path>) -> Result<Place, Problem> {
    let wanted = match (path.strip_prefix("~"), home) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    };
    let real = fs::canonicalize(&wanted).map_err(|error| not_found(&wanted, &error))?;
    let found = fs::metadata(&real).map_err(|error| not_found(&wanted, &error))?;
    let place = if found.is_dir() {
        Place {
            folder: real,
            compose_path: None,
        }
    } else {
        of_file(&real)?
    };
    fs::read_dir(&place.folder).map_err(|error| not_found(&place.folder, &error))?;
    Ok(place)
}

fn of_file(file: &Path) -> Result<Place, Problem> {
    let name = file
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    let is_yaml = is_yaml(&name);
    let folder = match file.parent() {
        Some(folder) if is_yaml || is_dockerfile(&name) => folder.to_owned(),
        _ => {
            return Err(Problem::new(
                Code::InvalidInput,
                format!("{} is neither a folder nor a compose file", file.display()),
            )
            .hint("Choose the folder of the service, or its compose file (.yaml or .yml)."));
        }
    };
    let usual = berth_compose::discover(&folder, &DiskFiles);
    let is_the_usual_one = usual == [file.to_owned()];
    Ok(Place {
        folder,
        compose_path: (is_yaml && !is_the_usual_one).then_some(name),
    })
}

fn not_found(path: &Path, error: &io::Error) -> Problem {
    let shown = path.display();
    match error.kind() {
        io::ErrorKind::NotFound => Problem::new(
            Code::PathMissing,
            format!("There is no folder {shown}"),
        )
        .hint("Check the spelling. A git repository elsewhere is given by its address (https://…, git@host:…)."),
        io::ErrorKind::PermissionDenied => Problem::new(
            Code::InvalidInput,
            format!("{shown} may not be read"),
        )
        .caused_by(error)
        .hint("Give yourself the right to read the folder, then try again."),
        _ => Problem::new(Code::InvalidInput, format!("{shown} cannot be read")).caused_by(error),
    }
}

/// What can be started in a place, best first: the compose file that was named,
/// the one with the usual name, a lone Dockerfile, other compose files, compose
/// files of subfolders, Kubernetes manifests.
pub(crate) fn candidates(place: &Place, environment: &BTreeMap<String, String>) -> Vec<Candidate> {
    let folder = &place.folder;
    let mut found = Vec::new();
    if let Some(named) = &place.compose_path {
        found.push(compose(
            folder,
            Some(named.clone()),
            named.clone(),
            environment,
        ));
    }
    let usual: Vec<String> = berth_compose::discover(folder, &DiskFiles)
        .iter()
        .filter_map(|file| Some(file.file_name()?.to_string_lossy().into_owned()))
        .collect();
    if !usual.is_empty() {
        found.push(compose(folder, None, usual.join(" + "), environment));
    } else if folder.join("Dockerfile").is_file() {
        found.push(compose(folder, None, "Dockerfile".to_owned(), environment));
    }
    for name in names_in(folder) {
        let known = usual.contains(&name) || place.compose_path.as_ref() == Some(&name);
        if is_yaml(&name) && name.contains("compose") && !known {
            found.push(compose(folder, Some(name.clone()), name, environment));
        }
    }
    if found.is_empty() {
        found.extend(
            of_subfolders(folder)
                .into_iter()
                .map(|path| compose(folder, Some(path.clone()), path, environment)),
        );
    }
    found.extend(kubernetes::candidates(folder));
    found
}

/// Compose files of the usual names one folder down.
fn of_subfolders(folder: &Path) -> Vec<String> {
    names_in(folder)
        .into_iter()
        .filter(|name| !name.starts_with('.') && name != "node_modules")
        .filter(|name| folder.join(name).is_dir())
        .take(MOST_SUBFOLDERS)
        .filter_map(|name| {
            let files = berth_compose::discover(&folder.join(&name), &DiskFiles);
            let file = files.first()?.file_name()?.to_string_lossy().into_owned();
            Some(format!("{name}/{file}"))
        })
        .collect()
}

fn compose(
    folder: &Path,
    compose_path: Option<String>,
    file: String,
    environment: &BTreeMap<String, String>,
) -> Candidate {
    let files: Vec<PathBuf> = compose_path.iter().map(|path| folder.join(path)).collect();
    let directory = files
        .first()
        .and_then(|file| file.parent())
        .unwrap_or(folder);
    let loaded = berth_compose::load(&Request {
        directory,
        files: &files,
        project_name: Some("detected"),
        profiles: &[],
        environment,
        files_from: &DiskFiles,
    });
    let mut candidate = Candidate {
        provisioning: ServiceProvisioning {
            compose_path,
            ..ServiceProvisioning::of(ProvisionType::DockerCompose)
        },
        file,
        services: Vec::new(),
        volumes: Vec::new(),
        ports: Vec::new(),
        problem: None,
        startable: true,
    };
    match loaded {
        Ok(loaded) => describe(&loaded.project, &mut candidate),
        Err(faults) => candidate.problem = Some(Problem::from_diagnostics(&faults, Some(folder))),
    }
    candidate
}

fn describe(project: &Project, candidate: &mut Candidate) {
    candidate.services = project.services.keys().cloned().collect();
    candidate.volumes = project.volumes.keys().cloned().collect();
    candidate.ports = project
        .services
        .values()
        .flat_map(|service: &Service| service.ports.iter().map(as_written))
        .collect();
}

fn as_written(port: &Port) -> String {
    let mut text = String::new();
    if let Some(host) = &port.host_ip {
        text.push_str(host);
        text.push(':');
    }
    if let Some(published) = &port.published {
        text.push_str(published);
        text.push(':');
    }
    text.push_str(&port.target.to_string());
    if port.protocol != "tcp" {
        text.push('/');
        text.push_str(&port.protocol);
    }
    text
}

/// The names in a folder, sorted. What cannot be read is not there.
fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn is_yaml(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    name.ends_with(".yaml") || name.ends_with(".yml")
}

fn is_dockerfile(name: &str) -> bool {
    name == "Dockerfile"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    fn found(root: &Path) -> Vec<Candidate> {
        candidates(&place(root, None).unwrap(), &BTreeMap::new())
    }

    const WEB: &str = "services:\n  web:\n    image: web\n    ports: ['8080:80', '127.0.0.1:53:53/udp']\n    volumes: ['data:/data']\nvolumes:\n  data:\n";

    #[test]
    fn a_compose_file_is_understood() {
        let root = folder(&[
            ("compose.yaml", WEB),
            ("compose.override.yaml", "services:\n  db:\n    image: db\n"),
            ("Dockerfile", "FROM scratch\n"),
            (
                "docker-compose.prod.yml",
                "services:\n  prod:\n    image: prod\n",
            ),
        ]);
        let found = found(root.path());
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].file, "compose.yaml + compose.override.yaml");
        assert_eq!(found[0].provisioning.compose_path, None);
        assert_eq!(found[0].services, ["web", "db"]);
        assert_eq!(found[0].volumes, ["data"]);
        assert_eq!(found[0].ports, ["8080:80", "127.0.0.1:53:53/udp"]);
        assert!(found[0].startable && found[0].problem.is_none());
        let other = found[1].provisioning.compose_path.as_deref();
        assert_eq!(other, Some("docker-compose.prod.yml"));
    }

    #[test]
    fn a_lone_dockerfile_is_one_service() {
        let root = folder(&[("Dockerfile", "FROM scratch\nEXPOSE 80\n")]);
        let found = found(root.path());
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].file, "Dockerfile");
        assert_eq!(found[0].services.len(), 1, "{:?}", found[0].problem);
    }

    #[test]
    fn a_faulty_file_is_shown_with_its_place() {
        let root = folder(&[("compose.yaml", "services:\n  web:\n    image: [\n")]);
        let found = found(root.path());
        let problem = found[0].problem.as_ref().unwrap();
        assert_eq!(problem.code, Code::ProjectInvalid);
        assert_eq!(problem.places[0].file.as_deref(), Some("compose.yaml"));
    }

    #[test]
    fn subfolders_are_looked_at_when_the_folder_has_nothing() {
        let root = folder(&[("deploy/compose.yaml", WEB), ("README.md", "")]);
        let found = found(root.path());
        let path = found[0].provisioning.compose_path.as_deref();
        assert_eq!(path, Some("deploy/compose.yaml"));
        assert_eq!(found[0].services, ["web"]);
    }

    #[test]
    fn manifests_are_shown_but_not_startable() {
        let root = folder(&[
            (
                "k8s/web.yaml",
                "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n---\napiVersion: v1\nkind: Service\nmetadata: {name: web}\n",
            ),
            ("k8s/notes.yaml", "kind: of\n"),
            ("overlay/kustomization.yaml", "resources: []\n"),
        ]);
        let found = found(root.path());
        let files: Vec<_> = found.iter().map(|one| one.file.as_str()).collect();
        assert_eq!(files, ["overlay/kustomization.yaml", "k8s/web.yaml"]);
        assert!(found.iter().all(|one| !one.startable));
        assert_eq!(found[1].services, ["Deployment web", "Service web"]);
    }

    #[test]
    fn wrong_places_are_named() {
        let root = folder(&[
            ("notes.txt", ""),
            ("other.yaml", WEB),
            ("compose.yaml", WEB),
        ]);
        let at = |name: &str| place(&root.path().join(name), None);
        assert_eq!(at("gone").unwrap_err().code, Code::PathMissing);
        assert_eq!(at("notes.txt").unwrap_err().code, Code::InvalidInput);
        let other = at("other.yaml").unwrap();
        assert_eq!(other.compose_path.as_deref(), Some("other.yaml"));
        assert_eq!(
            at("compose.yaml").unwrap(),
            place(root.path(), None).unwrap()
        );
        let home = place(Path::new("~"), Some(root.path())).unwrap();
        assert_eq!(home.folder, fs::canonicalize(root.path()).unwrap());
        let empty = tempfile::tempdir().unwrap();
        assert!(found(empty.path()).is_empty());
    }
}
