//! Which environment or service a verb is about.

use std::path::{Path, PathBuf};

use berth_contracts::EnvironmentStatus;
use berth_core::view::{Environment, Selector, Service, Snapshot, Source};
use berth_core::{Berth, Code, Problem};

use crate::args;

/// The environment named on the command line, else the one of the current
/// folder.
///
/// # Errors
/// [`Code::NotFound`], [`Code::Ambiguous`], [`Code::Store`].
pub(crate) async fn environment(
    berth: &Berth,
    target: &args::Target,
) -> Result<Environment, Problem> {
    match &target.environment {
        Some(name) => berth.find_environment(name).await,
        None => of_current_folder(berth.snapshot().await?),
    }
}

/// The service of that name or id.
///
/// # Errors
/// [`Code::NotFound`], [`Code::Store`].
pub(crate) async fn service(berth: &Berth, name: &str) -> Result<Service, Problem> {
    let mut services = berth.snapshot().await?.services;
    match services
        .iter()
        .position(|service| service.name == name || service.id == name)
    {
        Some(at) => Ok(services.swap_remove(at)),
        None => {
            let known: Vec<&str> = services.iter().map(|one| one.name.as_str()).collect();
            Err(
                Problem::new(Code::NotFound, format!("No service is called \"{name}\"")).hint(
                    if known.is_empty() {
                        "There are no services.".to_owned()
                    } else {
                        format!("There are: {}.", known.join(", "))
                    },
                ),
            )
        }
    }
}

/// The service that stands for a folder, when there is exactly one: it is meant,
/// whatever it is provisioned as by now.
///
/// # Errors
/// [`Code::Store`].
pub(crate) async fn only_service_of(
    berth: &Berth,
    location: &str,
) -> Result<Option<Service>, Problem> {
    // What is no folder of this machine is an address, or a path that is told to
    // be wrong where it is added.
    let Ok(folder) = Path::new(location).canonicalize() else {
        return Ok(None);
    };
    let services = berth.snapshot().await?.services;
    let mut of_folder = services.into_iter().filter(
        |service| matches!(&service.source, Source::Folder { path, .. } if Path::new(path) == folder),
    );
    let first = of_folder.next();
    Ok(first.filter(|_| of_folder.next().is_none()))
}

/// The environment of the current folder, when there is exactly one.
pub(crate) fn of_current_folder(snapshot: Snapshot) -> Result<Environment, Problem> {
    let folder = std::env::current_dir()
        .and_then(|folder| folder.canonicalize())
        .map_err(|error| {
            Problem::new(Code::PathMissing, "The current folder cannot be read").caused_by(&error)
        })?;
    of_folder(snapshot, &folder)
}

/// The environment of the nearest service folder around `folder`: its only one,
/// else the one of its working tree.
fn of_folder(snapshot: Snapshot, folder: &Path) -> Result<Environment, Problem> {
    let nearest = snapshot
        .services
        .iter()
        .filter_map(|service| match &service.source {
            Source::Folder { path, .. } => Some(PathBuf::from(path)),
            Source::GitUrl { .. } => None,
        })
        .filter(|path| folder.starts_with(path))
        .max_by_key(|path| path.components().count());
    let services: Vec<&str> = snapshot
        .services
        .iter()
        .filter(|service| {
            matches!(&service.source, Source::Folder { path, .. } if Some(Path::new(path)) == nearest.as_deref())
        })
        .map(|service| service.id.as_str())
        .collect();
    let mut live: Vec<Environment> = snapshot
        .environments
        .into_iter()
        .filter(|environment| {
            environment.status != EnvironmentStatus::TornDown
                && services.contains(&environment.service_id.as_str())
        })
        .collect();
    if live.len() > 1 {
        let trees = live
            .iter()
            .filter(|environment| environment.selector == Selector::WorkingTree)
            .count();
        if trees == 1 {
            live.retain(|environment| environment.selector == Selector::WorkingTree);
        }
    }
    match (live.pop(), live.is_empty()) {
        (Some(only), true) => Ok(only),
        (None, _) => Err(
            Problem::new(Code::NotFound, "No environment belongs to this folder")
                .detail(format!("The current folder is {}.", folder.display()))
                .hint("Name one (berth ls lists them), or bring this folder up with berth up."),
        ),
        (Some(last), false) => {
            let mut names: Vec<&str> = live.iter().map(|one| one.name.as_str()).collect();
            names.push(&last.name);
            Err(Problem::new(
                Code::Ambiguous,
                "More than one environment belongs to this folder",
            )
            .hint(format!("Name one of them: {}.", names.join(", "))))
        }
    }
}

#[cfg(test)]
#[path = "target_tests.rs"]
mod tests;
