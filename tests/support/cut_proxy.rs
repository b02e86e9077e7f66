//! A proxy in front of an engine that kills its client at a chosen change.
//!
//! A program that works through the proxy is cut off exactly between two of its steps, before or after
//! the engine has carried the step out: what a crash, a flat battery or `kill -9` would do.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::net::{UnixListener, UnixStream};
use tokio::runtime::Runtime;

/// On which side of the engine's work the client is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CutMoment {
    /// The request never reaches the engine.
    Before,
    /// The engine has answered; the client never sees the answer.
    After,
}

impl CutMoment {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Before, Self::After];
}

/// Where to cut.
#[derive(Clone, Copy, Debug)]
struct Cut {
    /// The number of the change, from 1.
    change: usize,
    moment: CutMoment,
}

/// Runs on threads of its own until it is dropped; for tests with and without an async runtime.
#[derive(Debug)]
pub struct CutProxy {
    socket: PathBuf,
    state: Arc<State>,
    // Dropped in this order: connections end before their folder goes.
    runtime: Option<Runtime>,
    _folder: TempDir,
}

#[derive(Debug)]
struct State {
    engine: PathBuf,
    progress: Mutex<Progress>,
}

#[derive(Debug, Default)]
struct Progress {
    cut: Option<Cut>,
    changes: Vec<String>,
    killed: Option<u32>,
}

impl CutProxy {
    /// A proxy in front of the engine at `engine` (a Unix socket) that counts and passes everything on.
    ///
    /// # Panics
    /// When no socket can be made.
    #[must_use]
    pub fn start(engine: &Path) -> Self {
        let folder = tempfile::Builder::new()
            .prefix("berth-cut-")
            .tempdir()
            .expect("a folder can be made");
        let socket = folder.path().join("docker.sock");
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .expect("a runtime can be made");
        let state = Arc::new(State {
            engine: engine.to_owned(),
            progress: Mutex::default(),
        });
        let listener = {
            let _inside = runtime.enter();
            UnixListener::bind(&socket).expect("the proxy's socket can be made")
        };
        runtime.spawn(accept(listener, Arc::clone(&state)));
        Self {
            socket,
            state,
            runtime: Some(runtime),
            _folder: folder,
        }
    }

    /// From now on counts changes from 1 again, and kills the client that asks for number `change`.
    /// Afterwards everything passes.
    pub fn cut(&self, change: usize, moment: CutMoment) {
        *self.state.progress() = Progress {
            cut: Some(Cut { change, moment }),
            ..Progress::default()
        };
    }

    /// The proxy's address, as `DOCKER_HOST` has it.
    #[must_use]
    pub fn address(&self) -> String {
        format!("unix://{}", self.socket.display())
    }

    /// The path of the proxy's socket.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// The changes asked for so far, in order: "POST /v1.41/containers/create?name=…".
    #[must_use]
    pub fn changes(&self) -> Vec<String> {
        self.state.progress().changes.clone()
    }

    /// The process that was killed; none while the cut has not been reached.
    #[must_use]
    pub fn killed(&self) -> Option<u32> {
        self.state.progress().killed
    }
}

impl Drop for CutProxy {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Does not wait: a test may be inside a runtime of its own, where waiting is refused.
            runtime.shutdown_background();
        }
    }
}

impl State {
    fn progress(&self) -> std::sync::MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a request; says when its client is to be killed, if it is.
    fn count<B>(&self, request: &Request<B>) -> Option<CutMoment> {
        if !is_change(request.method(), request.uri().path()) {
            return None;
        }
        let mut progress = self.progress();
        progress
            .changes
            .push(format!("{} {}", request.method(), request.uri()));
        let count = progress.changes.len();
        progress
            .cut
            .filter(|cut| cut.change == count)
            .map(|cut| cut.moment)
    }

    fn kill(&self, client: Pid) {
        kill_process(client, Signal::KILL).expect("the client can be killed");
        self.progress().killed = u32::try_from(client.as_raw_nonzero().get()).ok();
    }
}

/// Requests that ask the engine to make, alter or remove something. The others that are sent with POST
/// wait, follow or log in.
fn is_change(method: &Method, path: &str) -> bool {
    let changes = [Method::POST, Method::PUT, Method::DELETE].contains(method);
    let last = path.rsplit('/').next().unwrap_or_default();
    changes && !["wait", "attach", "resize", "auth", "session", "grpc"].contains(&last)
}

async fn accept(listener: UnixListener, state: Arc<State>) {
    while let Ok((stream, _)) = listener.accept().await {
        let client = stream
            .peer_cred()
            .ok()
            .and_then(|peer| Pid::from_raw(peer.pid()?));
        let Some(client) = client else { continue };
        let state = Arc::clone(&state);
        tokio::spawn(async move {
            let service = service_fn(|request| forward(request, client, Arc::clone(&state)));
            // A connection that fails is the client's to notice; one of a killed client always does.
            let _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades()
                .await;
        });
    }
}

type Body = BoxBody<Bytes, hyper::Error>;

/// Why a connection to the client is closed without an answer.
#[derive(Debug)]
struct Cutoff;

impl std::fmt::Display for Cutoff {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the client was killed")
    }
}

impl std::error::Error for Cutoff {}

async fn forward(
    request: Request<Incoming>,
    client: Pid,
    state: Arc<State>,
) -> Result<Response<Body>, Cutoff> {
    let cut = state.count(&request);
    if cut == Some(CutMoment::Before) {
        state.kill(client);
        return Err(Cutoff);
    }
    let answer = ask_engine(request, &state.engine).await;
    if cut == Some(CutMoment::After) {
        state.kill(client);
        return Err(Cutoff);
    }
    Ok(answer.unwrap_or_else(|error| {
        let body = Full::new(Bytes::from(format!("{{\"message\":\"proxy: {error}\"}}")));
        let mut answer = Response::new(body.map_err(|never: Infallible| match never {}).boxed());
        *answer.status_mut() = StatusCode::BAD_GATEWAY;
        answer
    }))
}

async fn ask_engine(
    mut request: Request<Incoming>,
    engine: &Path,
) -> Result<Response<Body>, Box<dyn std::error::Error + Send + Sync>> {
    let stream = UnixStream::connect(engine).await?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection.with_upgrades());
    let from_client = hyper::upgrade::on(&mut request);
    let mut answer = sender.send_request(request).await?;
    if answer.status() == StatusCode::SWITCHING_PROTOCOLS {
        let from_engine = hyper::upgrade::on(&mut answer);
        tokio::spawn(async move {
            if let (Ok(client), Ok(engine)) = tokio::join!(from_client, from_engine) {
                let (mut client, mut engine) = (TokioIo::new(client), TokioIo::new(engine));
                // Ends with either side.
                let _ = tokio::io::copy_bidirectional(&mut client, &mut engine).await;
            }
        });
    }
    Ok(answer.map(BodyExt::boxed))
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Stdio};

    use super::*;
    use crate::{Engine, EngineKind};

    fn docker(engine: &Engine, proxy: &CutProxy) -> Command {
        let mut command = engine.docker_command();
        command.env("DOCKER_HOST", proxy.address());
        command
    }

    fn passes_everything(kind: EngineKind) {
        let engine = Engine::shared(kind);
        let proxy = CutProxy::start(engine.socket());

        // Attached: a hijacked connection, a chunked answer and a `wait` that stays open.
        let mut run = docker(&engine, &proxy)
            .args([
                "run",
                "--rm",
                "--interactive",
                "busybox",
                "sh",
                "-c",
                "read word; echo got $word; echo bad >&2; exit 3",
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        run.stdin.take().unwrap().write_all(b"hello\n").unwrap();
        let output = run.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stdout), "got hello\n");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "bad\n");
        assert_eq!(output.status.code(), Some(3));
        let changes = proxy.changes();
        assert_eq!(
            changes.len(),
            2,
            "create and start, and nothing else: {changes:?}"
        );
        assert!(changes[0].contains("/containers/create"), "{changes:?}");
        assert!(changes[1].ends_with("/start"), "{changes:?}");

        // A long body in each direction.
        let save = docker(&engine, &proxy)
            .args(["save", "busybox"])
            .output()
            .unwrap();
        assert!(save.stdout.len() > 1_000_000, "{} bytes", save.stdout.len());
        let mut load = docker(&engine, &proxy)
            .arg("load")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        load.stdin.take().unwrap().write_all(&save.stdout).unwrap();
        assert!(load.wait_with_output().unwrap().status.success());
    }

    fn kills_the_client(kind: EngineKind) {
        let engine = Engine::shared(kind);
        let proxy = CutProxy::start(engine.socket());
        for (moment, made) in [(CutMoment::Before, 1), (CutMoment::After, 2)] {
            let label = format!("cut={moment:?}-{}", std::process::id());
            let create = || {
                let arguments = ["volume", "create", "--label", label.as_str()];
                docker(&engine, &proxy).args(arguments).output().unwrap()
            };
            proxy.cut(2, moment);
            assert!(create().status.success());
            assert_eq!(proxy.killed(), None);
            let cut = create();
            assert_eq!(cut.status.signal(), Some(9), "{moment:?}: {cut:?}");
            assert!(proxy.killed().is_some());
            let left = engine.labelled(&label).volumes;
            assert_eq!(left.len(), made, "{moment:?}: {left:?}");
            assert!(create().status.success(), "everything passes after the cut");
            for volume in engine.labelled(&label).volumes {
                engine.docker(["volume", "rm", &volume]);
            }
        }
    }

    #[test]
    fn passes_everything_to_the_old_engine() {
        passes_everything(EngineKind::Old);
    }

    #[test]
    fn passes_everything_to_the_modern_engine() {
        passes_everything(EngineKind::Modern);
    }

    #[test]
    fn kills_the_client_of_the_old_engine() {
        kills_the_client(EngineKind::Old);
    }

    #[test]
    fn kills_the_client_of_the_modern_engine() {
        kills_the_client(EngineKind::Modern);
    }
}
