//! Engines that play their part on a socket of their own.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{UnixListener, UnixStream};

/// A status: the engine takes the question and says nothing.
pub(super) const SILENT: u16 = 0;

/// Answers to paths; what is not listed is a 404.
pub(super) type Script = Vec<(&'static str, u16, String)>;

/// What a played engine was asked.
type Asked = Arc<Mutex<Vec<String>>>;

pub(super) struct Played {
    pub(super) folder: tempfile::TempDir,
    /// What it was asked.
    pub(super) asked: Asked,
}

impl Played {
    /// An engine that answers by a script.
    pub(super) fn engine(script: Script) -> Self {
        let asked = Asked::default();
        let heard = asked.clone();
        let script = Arc::new(script);
        let played = Self::socket(move |stream| serve(stream, script.clone(), heard.clone()));
        Self { asked, ..played }
    }

    /// A socket behind which anything happens.
    pub(super) fn socket<F>(mut behave: impl FnMut(UnixStream) -> F + Send + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let folder = tempfile::tempdir().unwrap();
        let listener = UnixListener::bind(folder.path().join("docker.sock")).unwrap();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(behave(stream));
            }
        });
        Self {
            folder,
            asked: Asked::default(),
        }
    }

    /// Says this to whoever asks, and hangs up.
    pub(super) fn saying(words: &'static [u8]) -> Self {
        Self::socket(move |mut stream| async move {
            let mut request = [0; 1024];
            let _ = stream.read(&mut request).await;
            let _ = stream.write_all(words).await;
        })
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.path().join("docker.sock")
    }
}

/// Takes connections and never says a word.
pub(super) fn silent() -> Played {
    Played::socket(|stream| async move {
        std::future::pending::<()>().await;
        drop(stream);
    })
}

async fn serve(mut stream: UnixStream, script: Arc<Script>, asked: Asked) {
    let mut request = Vec::new();
    loop {
        while !request.ends_with(b"\r\n\r\n") {
            match stream.read_buf(&mut request).await {
                Ok(count) if count > 0 => {}
                _ => return,
            }
        }
        let text = String::from_utf8_lossy(&request).into_owned();
        request.clear();
        let mut words = text.split_whitespace();
        let (method, target) = (words.next().unwrap(), words.next().unwrap());
        let path = target.split('?').next().unwrap();
        let path = match path.strip_prefix("/v1.") {
            Some(versioned) => &versioned[versioned.find('/').unwrap()..],
            None => path,
        };
        asked.lock().unwrap().push(format!("{method} {path}"));
        let (status, body) = script.iter().find(|(it, ..)| *it == path).map_or(
            (404, r#"{"message":"page not found"}"#.to_owned()),
            |(_, status, body)| (*status, body.clone()),
        );
        if status == SILENT {
            std::future::pending::<()>().await;
        }
        let answer = format!(
            "HTTP/1.1 {status} Said\r\nApi-Version: 1.51\r\nServer: Docker/28.5.2 (linux)\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        if stream.write_all(answer.as_bytes()).await.is_err() || text.contains("close") {
            return;
        }
    }
}

pub(super) fn version() -> Value {
    json!({
        "Version": "28.5.2", "ApiVersion": "1.51", "MinAPIVersion": "1.24",
        "Os": "linux", "Arch": super::super::machine::this_architecture(),
        "Platform": {"Name": "Docker Engine - Community"},
    })
}

pub(super) fn info() -> Value {
    json!({
        "ID": "x", "Driver": "overlay2", "DockerRootDir": "/var/lib/docker",
        "KernelVersion": "5.0.0-of-a-vm", "Name": "vm", "OSType": "linux",
        "CgroupVersion": "2", "CgroupDriver": "systemd", "NCPU": 4, "MemTotal": 8_000_000_000_i64,
        "Images": 3, "Containers": 2, "SecurityOptions": ["name=seccomp,profile=builtin", "name=rootless"],
    })
}

pub(super) fn networks(subnets: &[&str]) -> Value {
    subnets
        .iter()
        .enumerate()
        .map(|(at, subnet)| {
            json!({"Name": format!("n{at}"), "IPAM": {"Driver": "default", "Config": [{"Subnet": subnet}]}})
        })
        .collect()
}

/// An engine that is as it should be, but for these answers.
pub(super) fn engine(but: Script) -> Played {
    let mut script = but;
    script.extend([
        ("/_ping", 200, "OK".to_owned()),
        ("/version", 200, version().to_string()),
        ("/info", 200, info().to_string()),
        ("/networks", 200, networks(&["172.17.0.0/16"]).to_string()),
    ]);
    Played::engine(script)
}

pub(super) fn with(mut value: Value, changes: &[(&str, Value)]) -> String {
    for (key, change) in changes {
        value[*key] = change.clone();
    }
    value.to_string()
}
