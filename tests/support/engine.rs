//! Docker engines for tests: daemons of their own, with their own socket, data and address range.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::slot::Slot;

const START_DEADLINE: Duration = Duration::from_secs(90);
const STOP_DEADLINE: Duration = Duration::from_secs(30);

/// A folder that is never there: no contexts, no credentials, no plugins of the user's.
const NO_CONFIGURATION: &str = "/nonexistent/berth-tests";

/// The image that `examples/hello` is made of, and the name that most test projects use.
const BASE_IMAGES: [&str; 2] = ["busybox:1.36", "busybox:latest"];

/// Which release of the Docker engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineKind {
    /// 20.10 (API 1.41), the oldest that Berth supports: Debian 12's `docker.io`.
    Old,
    /// 28 (API 1.51): Debian unstable's `docker.io`, unpacked by `scripts/test-engines`.
    Modern,
}

impl EngineKind {
    /// Both, oldest first.
    pub const ALL: [Self; 2] = [Self::Old, Self::Modern];

    /// The environment variable with the address of the engine that all tests of a run share.
    #[must_use]
    pub fn variable(self) -> &'static str {
        match self {
            Self::Old => "BERTH_TEST_ENGINE_OLD",
            Self::Modern => "BERTH_TEST_ENGINE_MODERN",
        }
    }

    /// The folders that hold the engine's programs, to be put first on `PATH`.
    fn programs(self) -> Vec<PathBuf> {
        match self {
            Self::Old => vec!["/usr/sbin".into(), "/usr/bin".into()],
            Self::Modern => {
                let root = tools().join("docker-modern/usr");
                vec![root.join("sbin"), root.join("bin")]
            }
        }
    }

    fn program(self, name: &str) -> PathBuf {
        let candidates = self.programs().into_iter().map(|folder| folder.join(name));
        let found = candidates.clone().find(|path| path.is_file());
        found.unwrap_or_else(|| {
            let places: Vec<String> = candidates.map(|path| path.display().to_string()).collect();
            panic!(
                "no {name} for the {self:?} test engine at {}. Run scripts/test-engines",
                places.join(" or ")
            )
        })
    }

    fn path_variable(self) -> std::ffi::OsString {
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let folders = self
            .programs()
            .into_iter()
            .chain(std::env::split_paths(&inherited));
        std::env::join_paths(folders).expect("PATH holds no folder with a colon")
    }
}

/// A Docker engine. One that was started here is stopped and removed on drop, with everything in it.
#[derive(Debug)]
pub struct Engine {
    kind: EngineKind,
    socket: PathBuf,
    own: Option<Own>,
}

/// A daemon of this process.
#[derive(Debug)]
struct Own {
    slot: Slot,
    daemon: Option<Child>,
}

impl Engine {
    /// Starts an engine of one's own, for tests that kill it, fill it or count everything in it.
    /// Takes some seconds, and root.
    ///
    /// # Panics
    /// When the engine is not installed or does not answer in time.
    #[must_use]
    pub fn start(kind: EngineKind) -> Self {
        let slot = Slot::take();
        let socket = slot.folder().join("docker.sock");
        let mut engine = Self {
            kind,
            socket,
            own: Some(Own { slot, daemon: None }),
        };
        engine.start_daemon();
        engine.load_base_images();
        engine
    }

    /// The engine that all tests of this run share (`scripts/with-engines` starts it); without one, an
    /// engine of one's own. Tests use names of their own in it, and take away what they made.
    ///
    /// # Panics
    /// Like [`Engine::start`].
    #[must_use]
    pub fn shared(kind: EngineKind) -> Self {
        match std::env::var(kind.variable()) {
            Ok(address) => {
                let socket = address.strip_prefix("unix://").unwrap_or(&address).into();
                Self {
                    kind,
                    socket,
                    own: None,
                }
            }
            Err(_) => Self::start(kind),
        }
    }

    /// Which release it is.
    #[must_use]
    pub fn kind(&self) -> EngineKind {
        self.kind
    }

    /// The path of the engine's Unix socket.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// The engine's address, as `DOCKER_HOST` has it.
    #[must_use]
    pub fn address(&self) -> String {
        format!("unix://{}", self.socket.display())
    }

    /// Lets every user of the machine reach the engine, as membership of the group `docker` would.
    ///
    /// # Panics
    /// When the socket is gone.
    pub fn open_to_everyone(&self) {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&self.socket, fs::Permissions::from_mode(0o666))
            .expect("the socket can be opened up");
    }

    /// The `docker` command line on this engine, without any configuration of the user's.
    #[must_use]
    pub fn docker_command(&self) -> Command {
        self.client(self.kind.program("docker"))
    }

    /// Docker Compose v2 on this engine. The caller gives arguments and the folder to run in.
    ///
    /// # Panics
    /// When `scripts/test-engines` has not fetched it.
    #[must_use]
    pub fn compose_command(&self) -> Command {
        let program = tools().join("docker-compose/usr/libexec/docker/cli-plugins/docker-compose");
        assert!(
            program.is_file(),
            "no {}. Run scripts/test-engines",
            program.display()
        );
        self.client(program)
    }

    fn client(&self, program: PathBuf) -> Command {
        let mut command = Command::new(program);
        command
            .env("DOCKER_HOST", self.address())
            .env("DOCKER_CONFIG", NO_CONFIGURATION)
            .env_remove("DOCKER_CONTEXT")
            .env_remove("DOCKER_TLS_VERIFY")
            .env_remove("DOCKER_CERT_PATH")
            .stdin(Stdio::null());
        command
    }

    /// Runs `docker` and returns its trimmed standard output.
    ///
    /// # Panics
    /// When the command fails; with its error output.
    pub fn docker<S: AsRef<OsStr>>(&self, arguments: impl IntoIterator<Item = S>) -> String {
        let mut command = self.docker_command();
        command.args(arguments);
        succeed(&mut command)
    }

    /// Runs Docker Compose v2 in a folder and returns its trimmed standard output.
    ///
    /// # Panics
    /// When the command fails; with its error output.
    pub fn compose<S: AsRef<OsStr>>(
        &self,
        folder: &Path,
        arguments: impl IntoIterator<Item = S>,
    ) -> String {
        let mut command = self.compose_command();
        command.args(arguments).current_dir(folder);
        succeed(&mut command)
    }

    /// Every container (stopped ones too), volume and network of the engine; not its built-in networks.
    #[must_use]
    pub fn contents(&self) -> Contents {
        self.contents_of(None)
    }

    /// Every container, network and volume with a label: `key` or `key=value`.
    #[must_use]
    pub fn labelled(&self, label: &str) -> Contents {
        self.contents_of(Some(label))
    }

    fn contents_of(&self, label: Option<&str>) -> Contents {
        let list = |arguments: &[&str]| -> BTreeSet<String> {
            let mut command = self.docker_command();
            command.args(arguments);
            if let Some(label) = label {
                command.args(["--filter", &format!("label={label}")]);
            }
            succeed(&mut command).lines().map(str::to_owned).collect()
        };
        Contents {
            containers: list(&[
                "ps",
                "--all",
                "--no-trunc",
                "--format",
                "{{.Names}} {{.ID}}",
            ]),
            networks: list(&[
                "network",
                "ls",
                "--filter",
                "type=custom",
                "--no-trunc",
                "--format",
                "{{.Name}} {{.ID}}",
            ]),
            volumes: list(&["volume", "ls", "--format", "{{.Name}}"]),
        }
    }

    /// The daemon's process, for an engine that was started here and runs.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.own.as_ref()?.daemon.as_ref().map(Child::id)
    }

    /// Ends the daemon at once, as a crash would; containers go on. Only for an engine of one's own.
    ///
    /// # Panics
    /// When the engine is shared or does not run.
    pub fn kill(&mut self) {
        let own = self.own.as_mut().expect("a shared engine is not killed");
        let mut daemon = own.daemon.take().expect("the engine runs");
        daemon.kill().expect("the daemon can be killed");
        daemon.wait().expect("the daemon can be waited for");
        // Its containerd dies with it, but a moment later: a daemon that starts in between waits for it in vain.
        let file = own.slot.folder().join("exec/containerd/containerd.pid");
        let pid = fs::read_to_string(&file).expect("containerd's process is known");
        let process = Path::new("/proc").join(pid.trim());
        let deadline = Instant::now() + STOP_DEADLINE;
        while process.exists() {
            assert!(
                Instant::now() < deadline,
                "containerd goes on without dockerd"
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Starts the daemon again after [`Engine::kill`] or [`Engine::stop`], on the same data and address.
    ///
    /// # Panics
    /// Like [`Engine::start`].
    pub fn start_again(&mut self) {
        assert!(self.pid().is_none(), "the engine runs already");
        self.start_daemon();
    }

    /// Stops the daemon as a shutdown would: containers are stopped, everything is kept.
    ///
    /// # Panics
    /// When the engine is shared, does not run, or does not stop in time.
    pub fn stop(&mut self) {
        let own = self.own.as_mut().expect("a shared engine is not stopped");
        let mut daemon = own.daemon.take().expect("the engine runs");
        assert!(
            end(&mut daemon),
            "dockerd did not stop in {STOP_DEADLINE:?}"
        );
    }

    fn start_daemon(&mut self) {
        let program = self.kind.program("dockerd");
        let path = self.kind.path_variable();
        let own = self
            .own
            .as_mut()
            .expect("only an engine of one's own is started");
        let folder = own.slot.folder().to_owned();
        let log = folder.join("dockerd.log");
        let log_file = File::options()
            .create(true)
            .append(true)
            .open(&log)
            .expect("the engine's log can be opened");
        // The machine's own settings of dockerd are not the tests'.
        fs::write(folder.join("daemon.json"), "{}").expect("the engine's settings can be written");
        let within = |flag: &str, name: &str| format!("{flag}={}", folder.join(name).display());
        // The daemon ends with the thread that started it: nothing is left of a test that is killed.
        let mut daemon = Command::new("setpriv")
            .args(["--pdeathsig", "TERM", "--"])
            .arg(program)
            .args([
                within("--config-file", "daemon.json"),
                within("--data-root", "data"),
                within("--exec-root", "exec"),
                within("--pidfile", "dockerd.pid"),
                format!("--host=unix://{}", self.socket.display()),
                format!("--bridge={}", own.slot.bridge()),
                format!("--default-address-pool={}", own.slot.address_pool()),
                "--iptables=false".to_owned(),
                "--ip6tables=false".to_owned(),
            ])
            .env("PATH", path)
            // Out of reach of the terminal's Ctrl-C, which is for the tests.
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(log_file.try_clone().expect("the log can be shared"))
            .stderr(log_file)
            .spawn()
            .expect("setpriv can be run (package util-linux)");
        let deadline = Instant::now() + START_DEADLINE;
        while !answers(&self.socket) {
            let ended = daemon.try_wait().expect("the daemon can be asked");
            if ended.is_some() || Instant::now() > deadline {
                let _ = daemon.kill();
                let _ = daemon.wait();
                let text = fs::read_to_string(&log).unwrap_or_default();
                let lines: Vec<&str> = text.lines().collect();
                let last = lines[lines.len().saturating_sub(30)..].join("\n");
                let why = ended.map_or_else(
                    || format!("did not answer in {START_DEADLINE:?}"),
                    |status| format!("ended with {status} (test engines need root)"),
                );
                panic!(
                    "the {:?} test engine {why}; its last words:\n{last}",
                    self.kind
                );
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        own.daemon = Some(daemon);
    }

    fn load_base_images(&self) {
        let archive = tools().join("busybox.tar");
        assert!(
            archive.is_file(),
            "no {}. Run scripts/test-engines",
            archive.display()
        );
        let [first, others @ ..] = BASE_IMAGES;
        self.docker([
            OsStr::new("import"),
            "--change".as_ref(),
            "CMD [\"sh\"]".as_ref(),
            archive.as_ref(),
            first.as_ref(),
        ]);
        for name in others {
            self.docker(["tag", first, name]);
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let Some(own) = &mut self.own else { return };
        if let Some(daemon) = &mut own.daemon {
            // At once: otherwise the shutdown waits ten seconds for each that ignores SIGTERM.
            remove_everything(&self.socket, self.kind);
            // What does not stop in time is killed with the rest of the slot.
            end(daemon);
        }
        own.slot.clear();
    }
}

/// Removes the engine's containers and networks as far as it still answers; the networks' bridges would
/// stay on the machine otherwise.
fn remove_everything(socket: &Path, kind: EngineKind) {
    let docker = |arguments: &[&str]| {
        let output = Command::new(kind.program("docker"))
            .args(arguments)
            .env("DOCKER_HOST", format!("unix://{}", socket.display()))
            .env("DOCKER_CONFIG", NO_CONFIGURATION)
            .stdin(Stdio::null())
            .output();
        output
            .map(|output| String::from_utf8_lossy(&output.stdout).into_owned())
            .unwrap_or_default()
    };
    let listed = docker(&["ps", "--all", "--quiet"]);
    let containers: Vec<&str> = listed.split_whitespace().collect();
    if !containers.is_empty() {
        docker(&[&["rm", "--force"], containers.as_slice()].concat());
    }
    docker(&["network", "prune", "--force"]);
}

/// Asks a daemon to end and waits for it; false when it had to be killed.
fn end(daemon: &mut Child) -> bool {
    let pid = Pid::from_child(daemon);
    // Already gone is as good.
    let _ = kill_process(pid, Signal::TERM);
    let deadline = Instant::now() + STOP_DEADLINE;
    loop {
        match daemon.try_wait() {
            Ok(Some(_)) => return true,
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(20)),
            Ok(None) | Err(_) => {
                let _ = daemon.kill();
                let _ = daemon.wait();
                return false;
            }
        }
    }
}

/// Whether an engine answers `GET /_ping` on the socket.
fn answers(socket: &Path) -> bool {
    let ask = || -> std::io::Result<bool> {
        let mut stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        stream.write_all(b"GET /_ping HTTP/1.1\r\nHost: docker\r\nConnection: close\r\n\r\n")?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer.starts_with("HTTP/1.1 200"))
    };
    ask().unwrap_or(false)
}

/// Runs a command and returns its trimmed standard output; panics with its error output when it fails.
fn succeed(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?} cannot be run: {error}"));
    assert!(
        output.status.success(),
        "{command:?} ended with {}:\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8_lossy(&output.stdout)
        .trim_end()
        .to_owned()
}

/// Where `scripts/test-engines` keeps what it unpacked.
fn tools() -> PathBuf {
    if let Some(folder) = std::env::var_os("BERTH_TEST_TOOLS") {
        return folder.into();
    }
    let cache = std::env::var_os("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .unwrap_or_else(|| {
            let home = std::env::var_os("HOME").expect("HOME is set");
            Path::new(&home).join(".cache")
        });
    cache.join("berth-test-tools")
}

/// What an engine holds: to see that nothing is left, or that nothing changed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    /// "name id" of each container.
    pub containers: BTreeSet<String>,
    /// "name id" of each network.
    pub networks: BTreeSet<String>,
    /// The name of each volume.
    pub volumes: BTreeSet<String>,
}

impl Contents {
    /// Whether there is nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.containers.is_empty() && self.networks.is_empty() && self.volumes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every file system mounted, bridge and process of the machine that belongs to a folder.
    fn traces(folder: &Path) -> Vec<String> {
        let mark = format!("{}/", folder.display());
        let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
        let mounts = mounts
            .lines()
            .filter(|line| line.contains(&mark))
            .map(str::to_owned);
        let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| {
            let arguments = fs::read_to_string(entry.ok()?.path().join("cmdline")).ok()?;
            arguments.contains(&mark).then_some(arguments)
        });
        mounts.chain(processes).collect()
    }

    fn starts_and_leaves_nothing(kind: EngineKind, version: &str) {
        let mut engine = Engine::start(kind);
        let folder = engine.socket().parent().unwrap().to_owned();
        assert!(
            engine
                .docker(["version", "--format", "{{.Server.Version}}"])
                .starts_with(version)
        );
        assert!(engine.contents().containers.is_empty());

        // Two containers that reach each other by name.
        engine.docker(["network", "create", "net"]);
        engine.docker([
            "run",
            "--detach",
            "--network=net",
            "--name=one",
            // Stops when told to, which the second start of the engine does first.
            "--init",
            "busybox",
            "sleep",
            "600",
        ]);
        let ping = [
            "run",
            "--rm",
            "--network=net",
            "busybox",
            "ping",
            "-c1",
            "-W5",
            "one",
        ];
        assert!(engine.docker(ping).contains("1 packets received"));

        // A crash and a new start find them again.
        let before = engine.contents();
        engine.kill();
        assert_eq!(engine.pid(), None);
        engine.start_again();
        assert_eq!(engine.contents(), before);

        // A crash that nobody repairs leaves a container behind, which drop removes.
        engine.kill();
        assert!(!traces(&folder).is_empty());
        drop(engine);
        assert_eq!(traces(&folder), Vec::<String>::new());
        assert!(!folder.exists());
    }

    #[test]
    fn the_old_engine_starts_and_leaves_nothing() {
        starts_and_leaves_nothing(EngineKind::Old, "20.10.");
    }

    #[test]
    fn the_modern_engine_starts_and_leaves_nothing() {
        starts_and_leaves_nothing(EngineKind::Modern, "28.");
    }

    #[test]
    fn compose_runs_on_both() {
        for kind in EngineKind::ALL {
            let engine = Engine::shared(kind);
            assert!(
                engine
                    .compose(Path::new("/"), ["version", "--short"])
                    .starts_with("2.")
            );
            assert_eq!(
                engine.compose(Path::new("/"), ["ls", "--quiet", "--filter", "name=none"]),
                ""
            );
        }
    }
}
