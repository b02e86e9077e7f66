use std::sync::Arc;
use std::time::Duration;

use bollard::ClientVersion;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use super::EndpointSources;
use super::found;
use super::{Endpoint, failure};
use crate::EngineError;

/// How long the engine may take to answer an ordinary call.
pub(super) const CALL_SECONDS: u64 = 120;
/// How long a pull, build or stop may take until the engine's first word; what
/// follows is bounded by the caller's cancel.
const LONG_CALL_SECONDS: u64 = 3600;
const CONNECT_SECONDS: u64 = 10;
/// The newest API that Berth speaks; older ones are negotiated down to.
const NEWEST: ClientVersion = ClientVersion {
    major_version: 1,
    minor_version: 51,
};
/// Docker 20.10.
const OLDEST: ClientVersion = ClientVersion {
    major_version: 1,
    minor_version: 41,
};

/// A connection to one engine, its API version negotiated.
#[derive(Clone)]
pub struct Docker {
    pub(super) api: bollard::Docker,
    pub(super) slow: bollard::Docker,
    pub(super) info: Arc<EngineInfo>,
    /// Where the user's registry credentials are (`~/.docker`).
    pub(super) registry_config: Option<Arc<std::path::PathBuf>>,
}

/// What an engine says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
pub struct EngineInfo {
    /// `28.5.2`.
    pub version: String,
    /// The API version agreed on, `1.51`.
    pub api_version: String,
    /// The engine's own id: the same engine through any socket.
    pub id: String,
    /// `linux/amd64`.
    pub platform: String,
    /// `Docker Engine - Community`, `Podman Engine` …
    pub product: String,
}

impl Docker {
    /// Connects, negotiates the version, and asks the engine who it is. Registry
    /// credentials are taken from the user's Docker folder (`DOCKER_CONFIG`, else
    /// `~/.docker`).
    ///
    /// # Errors
    /// The `Engine…` family of [`EngineError`]; within 10 s.
    pub async fn connect(endpoint: &Endpoint) -> Result<Self, EngineError> {
        let limit = Duration::from_secs(CONNECT_SECONDS);
        match tokio::time::timeout(limit, Self::negotiate(endpoint)).await {
            Ok(outcome) => outcome,
            Err(elapsed) => Err(unreachable(endpoint, Some(Box::new(elapsed)))),
        }
    }

    async fn negotiate(endpoint: &Endpoint) -> Result<Self, EngineError> {
        let api = open(endpoint).map_err(|error| unreachable(endpoint, Some(Box::new(error))))?;
        let version = match api.version().await {
            Ok(version) => version,
            Err(error) => return Err(refused(endpoint, error)),
        };
        let range = ApiRange::of(&version);
        if range.fit() != Fit::Common {
            return Err(EngineError::EngineVersion {
                offered: range.to_string(),
                spoken: ApiRange::spoken(),
            });
        }
        let api = api
            .negotiate_version()
            .await
            .map_err(|error| refused(endpoint, error))?;
        let about = api.info().await.map_err(|error| refused(endpoint, error))?;
        let info = EngineInfo {
            version: version.version.unwrap_or_default(),
            api_version: api.client_version().to_string(),
            id: about.id.unwrap_or_default(),
            platform: format!(
                "{}/{}",
                version.os.unwrap_or_default(),
                version.arch.unwrap_or_default()
            ),
            product: product(
                version.platform.map(|it| it.name),
                version.components.unwrap_or_default(),
                about.operating_system,
            ),
        };
        let slow = api
            .clone()
            .with_timeout(Duration::from_secs(LONG_CALL_SECONDS));
        Ok(Self {
            api,
            slow,
            info: Arc::new(info),
            registry_config: super::registry_auth::default_folder().map(Arc::new),
        })
    }

    /// Reads registry credentials from another folder than the user's own.
    #[must_use]
    pub fn with_registry_config(mut self, folder: std::path::PathBuf) -> Self {
        self.registry_config = Some(Arc::new(folder));
        self
    }

    /// What the engine says of itself.
    pub fn info(&self) -> &EngineInfo {
        &self.info
    }

    /// The minor number of the agreed API version.
    pub(super) fn api_minor(&self) -> usize {
        self.api.client_version().minor_version
    }
}

pub(super) fn open(endpoint: &Endpoint) -> Result<bollard::Docker, bollard::errors::Error> {
    bollard::Docker::connect_with_local(&endpoint.address, CALL_SECONDS, &NEWEST)
}

/// The API versions that an engine offers, in its own words.
pub(super) struct ApiRange {
    oldest: String,
    newest: String,
}

/// How the versions offered stand to those spoken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fit {
    /// At least one is common.
    Common,
    /// The engine is older than all that Berth speaks.
    TooOld,
    /// The engine is newer than all that Berth speaks.
    TooNew,
}

impl ApiRange {
    pub(super) fn of(version: &bollard::models::SystemVersion) -> Self {
        Self {
            oldest: version.min_api_version.clone().unwrap_or_default(),
            newest: version.api_version.clone().unwrap_or_default(),
        }
    }

    /// The range that Berth speaks.
    pub(super) fn spoken() -> String {
        format!("{OLDEST} to {NEWEST}")
    }

    /// Whether the engine says a version at all.
    pub(super) fn is_told(&self) -> bool {
        minor(&self.newest).is_some()
    }

    pub(super) fn fit(&self) -> Fit {
        if minor(&self.newest).is_some_and(|it| it < OLDEST.minor_version) {
            Fit::TooOld
        } else if minor(&self.oldest).is_some_and(|it| it > NEWEST.minor_version) {
            Fit::TooNew
        } else {
            Fit::Common
        }
    }
}

impl std::fmt::Display for ApiRange {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} to {}", self.oldest, self.newest)
    }
}

/// `41` of `1.41`.
fn minor(version: &str) -> Option<usize> {
    version.split_once('.')?.1.parse().ok()
}

pub(super) fn product(
    platform: Option<String>,
    components: Vec<bollard::models::SystemVersionComponents>,
    operating_system: Option<String>,
) -> String {
    let desktop = operating_system.filter(|it| it.contains("Docker Desktop"));
    desktop
        .or(platform.filter(|name| !name.is_empty()))
        .or_else(|| {
            components
                .into_iter()
                .map(|part| part.name)
                .find(|name| name != "Engine")
                .filter(|name| name.contains("Podman"))
        })
        .unwrap_or_else(|| "Docker Engine".to_owned())
}

fn refused(endpoint: &Endpoint, error: bollard::errors::Error) -> EngineError {
    if is_forbidden(&error) {
        return EngineError::EngineForbidden {
            endpoint: endpoint.address.clone(),
        };
    }
    match error {
        answer @ bollard::errors::Error::DockerResponseServerError { .. } => {
            failure::from_engine("asking the engine who it is", answer)
        }
        other => unreachable(endpoint, Some(Box::new(other))),
    }
}

fn is_forbidden(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(current) = cause {
        if current
            .downcast_ref::<std::io::Error>()
            .is_some_and(|io| io.kind() == std::io::ErrorKind::PermissionDenied)
        {
            return true;
        }
        cause = current.source();
    }
    false
}

fn unreachable(
    endpoint: &Endpoint,
    source: Option<Box<dyn std::error::Error + Send + Sync>>,
) -> EngineError {
    let alternatives = found::alternatives(&EndpointSources::of_this_process(), &endpoint.address);
    EngineError::EngineUnreachable {
        endpoint: endpoint.address.clone(),
        rule: endpoint.rule.clone(),
        alternatives,
        source,
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::os::unix::net::UnixListener;

    use super::*;

    /// An engine that says these versions of itself, once.
    async fn connect(oldest: &str, newest: &str) -> EngineError {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("docker.sock");
        let listener = UnixListener::bind(&socket).unwrap();
        let body = format!(r#"{{"ApiVersion":"{newest}","MinAPIVersion":"{oldest}"}}"#);
        let served = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = [0; 1024];
            let _ = stream.read(&mut request).unwrap();
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
            stream.write_all((head + &body).as_bytes()).unwrap();
        });
        let endpoint = Endpoint {
            address: format!("unix://{}", socket.display()),
            rule: "test".to_owned(),
        };
        let Err(error) = Docker::connect(&endpoint).await else {
            panic!("it connected");
        };
        served.join().unwrap();
        error
    }

    #[tokio::test]
    async fn engines_too_old_or_too_new_are_told_both_ranges() {
        for (oldest, newest) in [("1.12", "1.40"), ("1.60", "1.62")] {
            let error = connect(oldest, newest).await.to_string();
            let expected =
                format!("the engine offers API {oldest} to {newest}, Berth speaks 1.41 to 1.51");
            assert_eq!(error, expected);
        }
    }
}
