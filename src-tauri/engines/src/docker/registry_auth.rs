//! The user's registry credentials, as the Docker CLI keeps them: in
//! `config.json`, or with a credential helper that it names.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bollard::auth::DockerCredentials;
use serde::Deserialize;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use super::endpoint::EndpointSources;

const HELPER_LIMIT: Duration = Duration::from_secs(15);
/// The name under which Docker Hub's credentials are kept.
const HUB: &str = "https://index.docker.io/v1/";

/// Credentials for one registry, and what stood in the way of finding any.
#[derive(Default)]
pub(super) struct Found {
    pub(super) credentials: Option<DockerCredentials>,
    pub(super) warning: Option<String>,
}

#[derive(Deserialize, Default)]
struct CliConfig {
    #[serde(default)]
    auths: BTreeMap<String, Auth>,
    #[serde(rename = "credsStore", default)]
    store: Option<String>,
    #[serde(rename = "credHelpers", default)]
    helpers: BTreeMap<String, String>,
}

#[derive(Deserialize, Default)]
struct Auth {
    #[serde(default)]
    auth: Option<String>,
    #[serde(default)]
    username: Option<String>,
    #[serde(default)]
    password: Option<String>,
    #[serde(default)]
    identitytoken: Option<String>,
}

/// The user's Docker folder.
pub(super) fn default_folder() -> Option<PathBuf> {
    EndpointSources::of_this_process().docker_folder()
}

/// The registry of an image reference, as credentials are filed.
fn registry_of(reference: &str) -> &str {
    match reference.split_once('/') {
        Some((host, _)) if host.contains(['.', ':']) || host == "localhost" => {
            if matches!(host, "docker.io" | "index.docker.io") {
                HUB
            } else {
                host
            }
        }
        _ => HUB,
    }
}

/// Credentials for the registry of an image. Without any the pull goes on
/// anonymously.
pub(super) async fn for_image(folder: Option<&Path>, reference: &str) -> Found {
    let registry = registry_of(reference);
    let config = match folder {
        Some(folder) => read(folder).await,
        None => Ok(CliConfig::default()),
    };
    match config {
        Ok(config) => of(&config, registry).await,
        Err(warning) => Found {
            credentials: None,
            warning: Some(warning),
        },
    }
}

/// Credentials for every registry that the user has any for: a build pulls from
/// where its Dockerfile says.
pub(super) async fn for_build(folder: Option<&Path>) -> HashMap<String, DockerCredentials> {
    let Some(folder) = folder else {
        return HashMap::new();
    };
    let Ok(config) = read(folder).await else {
        return HashMap::new();
    };
    let mut all = HashMap::new();
    for registry in config.auths.keys().chain(config.helpers.keys()) {
        if let Some(credentials) = of(&config, registry).await.credentials {
            all.insert(registry.clone(), credentials);
        }
    }
    all
}

async fn read(folder: &Path) -> Result<CliConfig, String> {
    let file = folder.join("config.json");
    match tokio::fs::read(&file).await {
        // The error would quote the text, which holds secrets.
        Ok(text) => serde_json::from_slice(&text).map_err(|error| {
            format!(
                "{} is not valid (line {}, column {}), so images are pulled anonymously",
                file.display(),
                error.line(),
                error.column()
            )
        }),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(CliConfig::default()),
        Err(error) => Err(format!(
            "{} cannot be read ({error}), so images are pulled anonymously",
            file.display()
        )),
    }
}

async fn of(config: &CliConfig, registry: &str) -> Found {
    let helper = config
        .helpers
        .get(registry)
        .or(config.store.as_ref())
        .filter(|name| !name.is_empty());
    if let Some(helper) = helper {
        return match from_helper(helper, registry).await {
            Ok(credentials) => Found {
                credentials,
                warning: None,
            },
            Err(why) => Found {
                credentials: in_file(config, registry),
                warning: Some(format!(
                    "credential helper docker-credential-{helper} {why}; the image is pulled anonymously"
                )),
            },
        };
    }
    Found {
        credentials: in_file(config, registry),
        warning: None,
    }
}

fn in_file(config: &CliConfig, registry: &str) -> Option<DockerCredentials> {
    let auth = config.auths.get(registry).or_else(|| {
        // Older entries carry a scheme and a path.
        config
            .auths
            .iter()
            .find(|(name, _)| host(name) == host(registry))
            .map(|(_, auth)| auth)
    })?;
    let decoded = auth
        .auth
        .as_deref()
        .and_then(|text| STANDARD.decode(text.trim()).ok())
        .and_then(|bytes| String::from_utf8(bytes).ok());
    let pair = decoded
        .as_deref()
        .and_then(|text| text.split_once(':'))
        .map(|(user, password)| (user.to_owned(), password.trim_end_matches('\0').to_owned()))
        .or_else(|| Some((auth.username.clone()?, auth.password.clone()?)));
    let token = auth.identitytoken.clone().filter(|it| !it.is_empty());
    if pair.is_none() && token.is_none() {
        return None;
    }
    let (username, password) = pair.unzip();
    Some(DockerCredentials {
        username,
        password: password.filter(|_| token.is_none()),
        identitytoken: token,
        serveraddress: Some(registry.to_owned()),
        ..DockerCredentials::default()
    })
}

fn host(registry: &str) -> &str {
    let bare = registry
        .trim_start_matches("https://")
        .trim_start_matches("http://");
    bare.split('/').next().unwrap_or(bare)
}

#[derive(Deserialize)]
struct HelperAnswer {
    #[serde(rename = "Username")]
    username: String,
    #[serde(rename = "Secret")]
    secret: String,
}

/// `None`: the helper knows no credentials for this registry.
async fn from_helper(name: &str, registry: &str) -> Result<Option<DockerCredentials>, String> {
    if !name
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    {
        return Err("has a name that is no program".to_owned());
    }
    let asking = async {
        let mut child = Command::new(format!("docker-credential-{name}"))
            .arg("get")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()?;
        if let Some(mut input) = child.stdin.take() {
            // A helper that does not read has its answer ready all the same.
            let _ = input.write_all(registry.as_bytes()).await;
        }
        child.wait_with_output().await
    };
    let output = match tokio::time::timeout(HELPER_LIMIT, asking).await {
        Err(_) => {
            return Err(format!(
                "did not answer within {} s",
                HELPER_LIMIT.as_secs()
            ));
        }
        Ok(Err(error)) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err("was not found".to_owned());
        }
        Ok(Err(error)) => return Err(format!("could not be run: {error}")),
        Ok(Ok(output)) => output,
    };
    if !output.status.success() {
        // Its standard output then holds a message, by the helpers' protocol.
        let message = String::from_utf8_lossy(&output.stdout);
        if message.contains("credentials not found") {
            return Ok(None);
        }
        return Err("failed".to_owned());
    }
    let answer: HelperAnswer = serde_json::from_slice(&output.stdout)
        .map_err(|_| "gave an answer that is not understood".to_owned())?;
    let server = Some(registry.to_owned());
    Ok(Some(if answer.username == "<token>" {
        DockerCredentials {
            identitytoken: Some(answer.secret),
            serveraddress: server,
            ..DockerCredentials::default()
        }
    } else {
        DockerCredentials {
            username: Some(answer.username),
            password: Some(answer.secret),
            serveraddress: server,
            ..DockerCredentials::default()
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> CliConfig {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn the_registry_of_an_image_is_its_first_part_when_that_is_a_host() {
        for (reference, registry) in [
            ("busybox", HUB),
            ("team/app:1", HUB),
            ("docker.io/library/busybox", HUB),
            ("localhost/app", "localhost"),
            ("ghcr.io/team/app", "ghcr.io"),
            ("127.0.0.1:5000/app", "127.0.0.1:5000"),
        ] {
            assert_eq!(registry_of(reference), registry);
        }
    }

    #[test]
    fn logins_are_found_under_every_form_of_the_registrys_name() {
        // user:pass:word
        let text = r#"{"auths":{"https://ghcr.io/v2/":{"auth":"dXNlcjpwYXNzOndvcmQ="}}}"#;
        let found = in_file(&config(text), "ghcr.io").unwrap();
        assert_eq!(found.username.as_deref(), Some("user"));
        assert_eq!(found.password.as_deref(), Some("pass:word"));
        assert!(in_file(&config(text), "other.io").is_none());
        // What a helper leaves in the file is no login.
        assert!(in_file(&config(r#"{"auths":{"ghcr.io":{}}}"#), "ghcr.io").is_none());
    }

    #[tokio::test]
    async fn a_broken_file_is_named_without_its_text() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("config.json"), r#"{"auths": "hunter2"}"#).unwrap();
        let found = for_image(Some(folder.path()), "busybox").await;
        let warning = found.warning.unwrap();
        assert!(warning.contains("config.json is not valid"), "{warning}");
        assert!(!warning.contains("hunter2"), "{warning}");
    }
}
