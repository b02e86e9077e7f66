use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::found::alternatives;
use crate::EngineError;
use crate::platform;

/// Where an engine is and why it was chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Endpoint {
    /// `unix:///var/run/docker.sock`, `npipe:////./pipe/docker_engine`.
    pub address: String,
    /// The rule of the Docker CLI's order that chose it, in words
    /// (`DOCKER_HOST`, `context colima`, `platform default`).
    pub rule: String,
}

/// What the Docker CLI's order looks at; passed in so that tests need no
/// environment.
#[derive(Clone, Debug, Default)]
pub struct EndpointSources {
    /// Environment variables (`DOCKER_HOST`, `DOCKER_CONTEXT`, `DOCKER_CONFIG`,
    /// `XDG_RUNTIME_DIR` are read).
    pub environment: BTreeMap<String, String>,
    /// The user's home folder.
    pub home: Option<PathBuf>,
}

impl EndpointSources {
    /// What this process was started with.
    pub fn of_this_process() -> Self {
        Self {
            environment: [
                "DOCKER_HOST",
                "DOCKER_CONTEXT",
                "DOCKER_CONFIG",
                "XDG_RUNTIME_DIR",
            ]
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), std::env::var(name).ok()?)))
            .collect(),
            home: std::env::home_dir(),
        }
    }

    pub(super) fn variable(&self, name: &str) -> Option<&str> {
        self.environment
            .get(name)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    /// The user's Docker folder.
    pub(super) fn docker_folder(&self) -> Option<PathBuf> {
        self.variable("DOCKER_CONFIG")
            .map(PathBuf::from)
            .or_else(|| Some(self.home.as_ref()?.join(".docker")))
    }
}

/// The rule by which a handler's own address counts.
pub(super) const HANDLER_RULE: &str = "the handler";

/// The engine that the `docker` command would use: `DOCKER_HOST`, then
/// `DOCKER_CONTEXT`, then the current context, then the platform's default. A
/// choice that leads nowhere is an error, never a reason to try the next rule.
///
/// # Errors
/// [`EngineError::ConfigBroken`], [`EngineError::ContextBroken`],
/// [`EngineError::EngineRemote`], [`EngineError::EngineAddress`],
/// [`EngineError::EngineMissing`], [`EngineError::EngineUnreachable`] when a
/// chosen socket does not exist.
pub fn resolve(sources: &EndpointSources) -> Result<Endpoint, EngineError> {
    if let Some(host) = sources.variable("DOCKER_HOST") {
        return chosen(sources, host, "DOCKER_HOST".to_owned());
    }
    let (context, named_by) = match sources.variable("DOCKER_CONTEXT") {
        Some(name) => (Some(name.to_owned()), "DOCKER_CONTEXT"),
        None => (current_context(sources)?, "currentContext"),
    };
    if let Some(name) = context.filter(|name| name != "default") {
        let host = context_host(sources, &name, named_by)?;
        return chosen(sources, &host, format!("context {name}"));
    }
    let rule = "platform default";
    let defaults = platform::default_sockets(sources.variable("XDG_RUNTIME_DIR").map(Path::new));
    defaults
        .iter()
        .find(|(_, socket)| platform::exists_as_socket(socket))
        .map(|(product, socket)| Endpoint {
            address: platform::address_of(socket),
            rule: match product.as_str() {
                "Docker Engine" => rule.to_owned(),
                other => format!("{rule}, {other}"),
            },
        })
        .ok_or_else(|| EngineError::EngineMissing {
            rule: format!(
                "{rule}: {}",
                defaults
                    .iter()
                    .map(|(_, socket)| socket.display().to_string())
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
            alternatives: alternatives(sources, ""),
        })
}

/// The engine at an address that a handler names: it counts before everything that
/// the Docker CLI looks at.
///
/// # Errors
/// [`EngineError::EngineRemote`], [`EngineError::EngineAddress`],
/// [`EngineError::EngineUnreachable`] when there is no such socket.
pub fn named_by_handler(sources: &EndpointSources, address: &str) -> Result<Endpoint, EngineError> {
    chosen(sources, address, HANDLER_RULE.to_owned())
}

fn chosen(sources: &EndpointSources, host: &str, rule: String) -> Result<Endpoint, EngineError> {
    if let Some(path) = host.strip_prefix("unix://") {
        let socket = Path::new(path);
        if !platform::exists_as_socket(socket) {
            return Err(EngineError::EngineUnreachable {
                endpoint: host.to_owned(),
                rule,
                alternatives: alternatives(sources, host),
                source: Some(Box::new(std::io::Error::new(
                    std::io::ErrorKind::NotFound,
                    format!("there is no socket at {path}"),
                ))),
            });
        }
        return Ok(Endpoint {
            address: host.to_owned(),
            rule,
        });
    }
    if cfg!(windows) && host.starts_with("npipe://") {
        return Ok(Endpoint {
            address: host.to_owned(),
            rule,
        });
    }
    Err(unusable(host, rule))
}

/// Why an address cannot be used.
fn unusable(host: &str, rule: String) -> EngineError {
    let address = |fault: String, hint: String| EngineError::EngineAddress {
        endpoint: host.to_owned(),
        rule: rule.clone(),
        fault,
        hint,
    };
    let defaults = platform::default_sockets(None);
    let example = defaults
        .first()
        .map(|(_, socket)| platform::address_of(socket))
        .unwrap_or_default();
    let Some((scheme, rest)) = host.split_once("://") else {
        let meant = if Path::new(host).is_absolute() {
            platform::address_of(Path::new(host))
        } else {
            example
        };
        return address(
            "it has no scheme".to_owned(),
            format!("Did you mean {meant}?"),
        );
    };
    match scheme {
        // Nothing says whose files an engine behind it would mount.
        "tcp" | "http" | "https" if is_this_machine(rest) => address(
            "Berth speaks to an engine on this machine through its socket, not over TCP".to_owned(),
            format!("Name its socket, such as {example}."),
        ),
        "tcp" | "http" | "https" | "ssh" => EngineError::EngineRemote {
            endpoint: host.to_owned(),
            rule,
        },
        "npipe" => address(
            "named pipes exist on Windows only".to_owned(),
            format!("Name the engine's socket, such as {example}."),
        ),
        _ => address(
            format!("{scheme} is no scheme that Berth knows"),
            format!("Name the engine's socket, such as {example}."),
        ),
    }
}

fn is_this_machine(rest: &str) -> bool {
    let authority = rest.split('/').next().unwrap_or(rest);
    let host = match authority.strip_prefix('[') {
        Some(six) => six.split(']').next().unwrap_or(six),
        None => authority.split(':').next().unwrap_or(authority),
    };
    host.is_empty()
        || host == "localhost"
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|it| it.is_loopback() || it.is_unspecified())
}

#[derive(Deserialize)]
struct CliConfig {
    #[serde(rename = "currentContext")]
    current_context: Option<String>,
}

fn current_context(sources: &EndpointSources) -> Result<Option<String>, EngineError> {
    let Some(file) = sources.docker_folder().map(|it| it.join("config.json")) else {
        return Ok(None);
    };
    let Ok(text) = std::fs::read(&file) else {
        return Ok(None);
    };
    let config: CliConfig =
        serde_json::from_slice(&text).map_err(|error| EngineError::ConfigBroken {
            file,
            detail: error.to_string(),
        })?;
    Ok(config.current_context.filter(|name| !name.is_empty()))
}

#[derive(Deserialize)]
struct ContextMeta {
    #[serde(rename = "Endpoints", default)]
    endpoints: BTreeMap<String, ContextEndpoint>,
}

#[derive(Deserialize)]
struct ContextEndpoint {
    #[serde(rename = "Host", default)]
    host: String,
}

fn context_host(
    sources: &EndpointSources,
    name: &str,
    named_by: &str,
) -> Result<String, EngineError> {
    let broken = |detail: String| EngineError::ContextBroken {
        name: name.to_owned(),
        detail: format!("{detail} (named by {named_by})"),
    };
    let folder = sources
        .docker_folder()
        .ok_or_else(|| broken("there is no home folder to look in".to_owned()))?;
    // The CLI's store: contexts/meta/<sha256 of the name>/meta.json.
    let id: String = Sha256::digest(name.as_bytes())
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let file = folder.join("contexts/meta").join(id).join("meta.json");
    let text = std::fs::read(&file).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => broken("it does not exist".to_owned()),
        _ => broken(format!("{} cannot be read: {error}", file.display())),
    })?;
    let meta: ContextMeta = serde_json::from_slice(&text)
        .map_err(|error| broken(format!("{} is not valid: {error}", file.display())))?;
    match meta.endpoints.get("docker") {
        Some(endpoint) if !endpoint.host.is_empty() => Ok(endpoint.host.clone()),
        _ => Err(broken(format!(
            "{} names no Docker endpoint",
            file.display()
        ))),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::net::UnixListener;

    use super::*;

    struct Home {
        folder: tempfile::TempDir,
        sources: EndpointSources,
    }

    fn home() -> Home {
        let folder = tempfile::tempdir().unwrap();
        let sources = EndpointSources {
            environment: BTreeMap::new(),
            home: Some(folder.path().to_owned()),
        };
        Home { folder, sources }
    }

    impl Home {
        fn with(mut self, name: &str, value: &str) -> Self {
            self.sources
                .environment
                .insert(name.to_owned(), value.to_owned());
            self
        }

        fn file(&self, path: &str, text: &str) {
            let path = self.folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }

        fn context(&self, name: &str, host: &str) {
            let id: String = Sha256::digest(name.as_bytes())
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            self.file(
                &format!(".docker/contexts/meta/{id}/meta.json"),
                &format!(r#"{{"Name":"{name}","Metadata":{{}},"Endpoints":{{"docker":{{"Host":"{host}","SkipTLSVerify":false}}}}}}"#),
            );
        }

        fn socket(&self, path: &str) -> (UnixListener, String) {
            let path = self.folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let listener = UnixListener::bind(&path).unwrap();
            (listener, format!("unix://{}", path.display()))
        }
    }

    #[test]
    fn docker_host_wins_over_every_context() {
        let home = home();
        let (_listener, address) = home.socket("a.sock");
        home.context("other", "tcp://elsewhere:2375");
        let home = home
            .with("DOCKER_HOST", &address)
            .with("DOCKER_CONTEXT", "other");
        let endpoint = resolve(&home.sources).unwrap();
        assert_eq!(endpoint.address, address);
        assert_eq!(endpoint.rule, "DOCKER_HOST");
    }

    #[test]
    fn docker_context_wins_over_the_current_one() {
        let home = home();
        let (_one, address) = home.socket("one.sock");
        let (_two, other) = home.socket("two.sock");
        home.context("one", &address);
        home.context("two", &other);
        home.file(".docker/config.json", r#"{"currentContext":"two"}"#);
        assert_eq!(resolve(&home.sources).unwrap().rule, "context two");
        let home = home.with("DOCKER_CONTEXT", "one");
        let endpoint = resolve(&home.sources).unwrap();
        assert_eq!(
            (endpoint.address, endpoint.rule.as_str()),
            (address, "context one")
        );
    }

    #[test]
    fn a_dead_docker_host_never_falls_back() {
        let home = home();
        let (_colima, live) = home.socket(".colima/default/docker.sock");
        let home = home.with("DOCKER_HOST", "unix:///nowhere/docker.sock");
        let Err(EngineError::EngineUnreachable {
            rule, alternatives, ..
        }) = resolve(&home.sources)
        else {
            panic!("it fell back");
        };
        assert_eq!(rule, "DOCKER_HOST");
        assert!(
            alternatives.contains(&("Colima".to_owned(), live)),
            "{alternatives:?}"
        );
    }

    #[test]
    fn other_machines_are_refused_with_the_rule() {
        for host in [
            "tcp://10.0.0.5:2375",
            "ssh://me@host",
            "tcp://[2001:db8::1]:2375",
            "https://engine.example.org",
        ] {
            let home = home();
            home.context("far", host);
            let home = home.with("DOCKER_CONTEXT", "far");
            let Err(EngineError::EngineRemote { endpoint, rule }) = resolve(&home.sources) else {
                panic!("{host} was not refused");
            };
            assert_eq!((endpoint.as_str(), rule.as_str()), (host, "context far"));
        }
    }

    #[test]
    fn an_address_that_cannot_be_used_says_why() {
        for (host, fault, hint) in [
            (
                "/tmp/x.sock",
                "it has no scheme",
                "Did you mean unix:///tmp/x.sock?",
            ),
            ("docker", "it has no scheme", "unix:///var/run/docker.sock"),
            ("foo://x", "foo is no scheme", "unix:///var/run/docker.sock"),
            ("tcp://127.0.0.1:1", "not over TCP", "socket"),
            ("tcp://localhost:2375", "not over TCP", "socket"),
            ("tcp://[::1]:2375", "not over TCP", "socket"),
            ("tcp://:2375", "not over TCP", "socket"),
            ("npipe:////./pipe/docker_engine", "Windows only", "socket"),
        ] {
            let home = home().with("DOCKER_HOST", host);
            let Err(EngineError::EngineAddress {
                endpoint,
                rule,
                fault: said,
                hint: advice,
            }) = resolve(&home.sources)
            else {
                panic!("{host} was taken");
            };
            assert_eq!((endpoint.as_str(), rule.as_str()), (host, "DOCKER_HOST"));
            assert!(said.contains(fault), "{said}");
            assert!(advice.contains(hint), "{advice}");
        }
    }

    #[test]
    fn settings_that_cannot_be_read_are_named_by_their_file() {
        let home = home();
        home.file(".docker/config.json", "{\"currentContext\":");
        let file = home.folder.path().join(".docker/config.json");
        let error = resolve(&home.sources).unwrap_err().to_string();
        let said = format!("the Docker settings in {} cannot be read", file.display());
        assert!(error.starts_with(&said), "{error}");
    }

    #[test]
    fn a_context_that_is_missing_or_broken_is_named() {
        let home = home().with("DOCKER_CONTEXT", "gone");
        let error = resolve(&home.sources).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("gone cannot be used: it does not exist"),
            "{error}"
        );
        home.context("gone", "");
        let error = resolve(&home.sources).unwrap_err();
        assert!(
            error.to_string().contains("names no Docker endpoint"),
            "{error}"
        );
    }

    #[test]
    fn docker_config_moves_the_folder_and_default_means_the_platform() {
        let home = home();
        home.file("elsewhere/config.json", r#"{"currentContext":"gone"}"#);
        let moved = home.folder.path().join("elsewhere");
        let home = home.with("DOCKER_CONFIG", &moved.display().to_string());
        assert!(matches!(
            resolve(&home.sources),
            Err(EngineError::ContextBroken { .. })
        ));
        let home = home.with("DOCKER_CONTEXT", "default");
        assert!(!matches!(
            resolve(&home.sources),
            Err(EngineError::ContextBroken { .. })
        ));
    }

    #[test]
    fn the_rootless_socket_is_a_platform_default() {
        let home = home();
        let (_listener, address) = home.socket("run/docker.sock");
        let runtime = home.folder.path().join("run");
        let home = home.with("XDG_RUNTIME_DIR", &runtime.display().to_string());
        if Path::new("/var/run/docker.sock").exists() {
            return assert_eq!(resolve(&home.sources).unwrap().rule, "platform default");
        }
        let endpoint = resolve(&home.sources).unwrap();
        assert_eq!(endpoint.address, address);
        assert_eq!(endpoint.rule, "platform default, rootless Docker");
    }
}
