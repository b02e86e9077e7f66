//! Images come from a registry, with the user's credentials. The registry is the
//! test's own: the few answers that a pull asks for.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use berth_engines::docker::Docker;
use berth_engines::{EngineError, StepState};
use berth_tests::Engine;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::support::*;

on_both_engines!(
    a_pull_uses_the_credentials_of_the_docker_folder,
    a_missing_credential_helper_means_anonymous,
);

const LOGIN: &str = "berth:secret";

struct Image {
    layer: Vec<u8>,
    config: Vec<u8>,
    manifest: Vec<u8>,
}

fn digest(bytes: &[u8]) -> String {
    let mut text = "sha256:".to_owned();
    for byte in Sha256::digest(bytes) {
        write!(text, "{byte:02x}").unwrap();
    }
    text
}

/// One layer with a file that takes a while to be sent, and the machine's busybox.
fn image(marker: &str) -> Image {
    let mut tar = tar::Builder::new(Vec::new());
    tar.append_path_with_name("/bin/busybox", "bin/busybox")
        .unwrap();
    let mut header = tar::Header::new_gnu();
    header.set_size(marker.len() as u64);
    header.set_mode(0o644);
    tar.append_data(&mut header, "marker", marker.as_bytes())
        .unwrap();
    let layer = tar.into_inner().unwrap();
    let config = serde_json::to_vec(&serde_json::json!({
        "architecture": "amd64", "os": "linux",
        "config": {"Cmd": ["/bin/busybox", "sleep", "600"]},
        "rootfs": {"type": "layers", "diff_ids": [digest(&layer)]},
    }))
    .unwrap();
    let manifest = serde_json::to_vec(&serde_json::json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.docker.distribution.manifest.v2+json",
        "config": {
            "mediaType": "application/vnd.docker.container.image.v1+json",
            "size": config.len(), "digest": digest(&config),
        },
        "layers": [{
            "mediaType": "application/vnd.docker.image.rootfs.diff.tar",
            "size": layer.len(), "digest": digest(&layer),
        }],
    }))
    .unwrap();
    Image {
        layer,
        config,
        manifest,
    }
}

/// Serves one image under every name, to those who log in.
async fn registry(image: Image) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let image = Arc::new(image);
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let image = Arc::clone(&image);
            tokio::spawn(async move {
                let _ = answer(stream, &image).await;
            });
        }
    });
    address
}

async fn answer(mut stream: TcpStream, image: &Image) -> std::io::Result<()> {
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        let byte = stream.read_u8().await?;
        request.push(byte);
    }
    let request = String::from_utf8_lossy(&request);
    let path = request.split_whitespace().nth(1).unwrap_or_default();
    let login = base64::engine::general_purpose::STANDARD.encode(LOGIN);
    let known = request
        .lines()
        .any(|line| line.eq_ignore_ascii_case(&format!("authorization: Basic {login}")));
    let (status, kind, body): (&str, &str, &[u8]) = if !known {
        (
            "401 Unauthorized",
            "application/json",
            br#"{"errors":[{"code":"UNAUTHORIZED","message":"authentication required"}]}"#,
        )
    } else if path.contains("/manifests/") {
        (
            "200 OK",
            "application/vnd.docker.distribution.manifest.v2+json",
            &image.manifest,
        )
    } else if path.ends_with(&digest(&image.config)) {
        ("200 OK", "application/octet-stream", &image.config)
    } else if path.ends_with(&digest(&image.layer)) {
        ("200 OK", "application/octet-stream", &image.layer)
    } else {
        ("200 OK", "application/json", b"{}")
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nDocker-Content-Digest: {}\r\nDocker-Distribution-Api-Version: registry/2.0\r\nWWW-Authenticate: Basic realm=\"test\"\r\nConnection: close\r\n\r\n",
        body.len(),
        digest(body)
    );
    stream.write_all(head.as_bytes()).await?;
    if !request.starts_with("HEAD") {
        stream.write_all(body).await?;
    }
    stream.shutdown().await
}

async fn connected(engine: &Engine, folder: &Path) -> Docker {
    connect(engine)
        .await
        .with_registry_config(folder.to_owned())
}

async fn a_pull_uses_the_credentials_of_the_docker_folder(engine: Engine) {
    let address = registry(image(&format!("{:?}", engine.kind()))).await;
    let folder = tempfile::tempdir().unwrap();
    let docker = connected(&engine, folder.path()).await;
    let mut app = shell("");
    app.command = None;
    app.image = Some(format!("{address}/team/app:1"));
    let project = project([("app", app)]);
    let ports = free_ports(&project);

    let (outcome, _) = up(&docker, &project, &identity("pull", "op1"), &ports).await;
    match outcome.unwrap_err() {
        EngineError::Pull { message, .. } => assert!(
            message.contains("no basic auth credentials")
                || message.contains("authentication required"),
            "{message}"
        ),
        other => panic!("{other:?}"),
    }

    let login = base64::engine::general_purpose::STANDARD.encode(LOGIN);
    let config = serde_json::json!({"auths": {address.as_str(): {"auth": login}}});
    std::fs::write(folder.path().join("config.json"), config.to_string()).unwrap();
    let (outcome, heard) = up(&docker, &project, &identity("pull", "op2"), &ports).await;
    outcome.unwrap();
    heard.all_done();
    let pull = format!("pull:{address}/team/app:1");
    assert_eq!(heard.keys()[0], pull);
    let progress = heard.progress(&pull).expect("no bytes were told");
    assert_eq!(Some(progress.current), progress.total);
    assert!(progress.current > 100_000, "{progress:?}");
    // The next time it is there.
    let (outcome, heard) = up(&docker, &project, &identity("pull", "op3"), &ports).await;
    outcome.unwrap();
    assert!(!heard.keys().contains(&pull));
    down(&engine, &docker, "pull").await;
    engine.docker(["rmi", project.services["app"].image.as_deref().unwrap()]);
}

async fn a_missing_credential_helper_means_anonymous(engine: Engine) {
    let address = registry(image("helper")).await;
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("config.json"),
        r#"{"credsStore":"not-on-this-machine"}"#,
    )
    .unwrap();
    let docker = connected(&engine, folder.path()).await;
    let mut app = shell("");
    app.image = Some(format!("{address}/team/app:2"));
    let project = project([("app", app)]);
    let (outcome, heard) = up(
        &docker,
        &project,
        &identity("helper", "op1"),
        &free_ports(&project),
    )
    .await;
    match outcome.unwrap_err() {
        EngineError::Pull { message, .. } => assert!(
            message.contains("docker-credential-not-on-this-machine was not found"),
            "{message}"
        ),
        other => panic!("{other:?}"),
    }
    assert!(
        heard
            .states()
            .iter()
            .any(|(_, state)| *state == StepState::Failed)
    );
    down(&engine, &docker, "helper").await;
}
