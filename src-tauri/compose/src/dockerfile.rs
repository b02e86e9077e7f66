//! A folder with a Dockerfile and no compose file: a project of one service.

use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use crate::model::{Build, Port, Project, Service, ServiceNetwork};
use crate::{names, networks};

/// The project of one service that `directory` builds. The service is named for
/// the folder; what the Dockerfile exposes is published on ports of the engine's
/// choice.
pub(crate) fn project(directory: &Path, name: String, text: &str) -> Project {
    let folder = directory.file_name().unwrap_or_default().to_string_lossy();
    let service_name = match names::normalize(&folder) {
        name if name.is_empty() => "app".to_owned(),
        name => name,
    };
    let service = Service {
        build: Some(Build {
            context: directory.to_owned(),
            dockerfile: PathBuf::from("Dockerfile"),
            ..Build::default()
        }),
        ports: exposed(text),
        networks: IndexMap::from([("default".to_owned(), ServiceNetwork::default())]),
        scale: 1,
        ..Service::default()
    };
    Project {
        networks: IndexMap::from([("default".to_owned(), networks::implied("default", &name))]),
        name,
        services: IndexMap::from([(service_name, service)]),
        volumes: IndexMap::new(),
    }
}

/// The ports that the last stage exposes. Variables (`EXPOSE $PORT`) are known only
/// while building; such ports are left out.
fn exposed(text: &str) -> Vec<Port> {
    let mut ports: Vec<Port> = Vec::new();
    let mut continued = String::new();
    for line in text.lines() {
        let line = line.trim();
        if line.starts_with('#') {
            continue;
        }
        continued.push_str(line.strip_suffix('\\').unwrap_or(line));
        continued.push(' ');
        if line.ends_with('\\') {
            continue;
        }
        let instruction = std::mem::take(&mut continued);
        let mut words = instruction.split_whitespace();
        let Some(verb) = words.next() else {
            continue;
        };
        if verb.eq_ignore_ascii_case("FROM") {
            ports.clear();
        } else if verb.eq_ignore_ascii_case("EXPOSE") {
            for word in words {
                for port in crate::ports::short(word).unwrap_or_default() {
                    if !ports.contains(&port) {
                        ports.push(port);
                    }
                }
            }
        }
    }
    ports
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_stage_exposes() {
        let text = "FROM a AS build\nEXPOSE 1\nFROM b\n# EXPOSE 2\nexpose 80 443/tcp \\\n  53/udp\nEXPOSE $PORT\nEXPOSE 80\n";
        let ports: Vec<_> = exposed(text)
            .into_iter()
            .map(|port| format!("{}/{}", port.target, port.protocol))
            .collect();
        assert_eq!(ports, ["80/tcp", "443/tcp", "53/udp"]);
    }
}
