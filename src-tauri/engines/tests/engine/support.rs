//! A Docker engine of the tests' own: own socket, own data folder, stopped by its
//! process id. `BERTH_TEST_DOCKERD` names the `dockerd` to start, else PATH does.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use berth_compose::{Network, Port, Project, Service, ServiceNetwork, Volume};
use berth_engines::docker::{
    Docker, Endpoint, Identity, Plan, PlanInput, PortKey, plan, ports_needed,
};
use berth_engines::{EngineError, Progress, Reporter, Step, StepState};
use indexmap::IndexMap;

pub(crate) struct TestEngine {
    daemon: Child,
    folder: tempfile::TempDir,
}

impl TestEngine {
    pub(crate) fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let dockerd = std::env::var_os("BERTH_TEST_DOCKERD").unwrap_or_else(|| "dockerd".into());
        let root = folder.path();
        // An own range for each daemon, so that several run beside each other.
        let subnet = u8::try_from(std::process::id() % 120).unwrap() + 100;
        let log = std::fs::File::create(root.join("log")).unwrap();
        let daemon = Command::new(&dockerd)
            .arg("--data-root")
            .arg(root.join("data"))
            .arg("--exec-root")
            .arg(root.join("exec"))
            .arg("--pidfile")
            .arg(root.join("pid"))
            .arg("-H")
            .arg(format!("unix://{}", root.join("docker.sock").display()))
            .arg("--bip")
            .arg(format!("10.{subnet}.255.1/24"))
            .arg("--default-address-pool")
            .arg(format!("base=10.{subnet}.0.0/17,size=24"))
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap_or_else(|error| panic!("{} cannot be started: {error}", dockerd.display()));
        let engine = Self { daemon, folder };
        engine.wait_until_it_answers();
        engine.import_busybox();
        engine
    }

    fn wait_until_it_answers(&self) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while std::os::unix::net::UnixStream::connect(self.socket()).is_err() {
            if Instant::now() > deadline {
                let log = std::fs::read_to_string(self.folder.path().join("log"));
                panic!("dockerd does not answer: {}", log.unwrap_or_default());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// A base image from the statically linked busybox of this machine.
    fn import_busybox(&self) {
        let root = self.folder.path().join("busybox");
        std::fs::create_dir_all(root.join("bin")).unwrap();
        std::fs::create_dir_all(root.join("tmp")).unwrap();
        std::fs::copy("/bin/busybox", root.join("bin/busybox"))
            .expect("busybox-static must be installed");
        for name in [
            "sh", "sleep", "httpd", "nslookup", "wget", "cat", "touch", "echo", "id", "test", "ls",
            "nc", "mkdir", "chmod", "printf", "head", "yes", "tr", "true", "false", "date",
        ] {
            std::os::unix::fs::symlink("busybox", root.join("bin").join(name)).unwrap();
        }
        let mut tar = Command::new("tar")
            .arg("-C")
            .arg(&root)
            .args(["-c", "."])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = self
            .docker_command()
            .args(["import", "-", "busybox:latest"])
            .stdin(tar.stdout.take().unwrap())
            .output()
            .unwrap();
        tar.wait().unwrap();
        assert!(output.status.success(), "{output:?}");
    }

    fn socket(&self) -> PathBuf {
        self.folder.path().join("docker.sock")
    }

    pub(crate) fn endpoint(&self) -> Endpoint {
        Endpoint {
            address: format!("unix://{}", self.socket().display()),
            rule: "test".to_owned(),
        }
    }

    pub(crate) async fn connect(&self) -> Docker {
        Docker::connect(&self.endpoint()).await.unwrap()
    }

    fn docker_command(&self) -> Command {
        let mut command = Command::new("docker");
        command
            .arg("-H")
            .arg(format!("unix://{}", self.socket().display()))
            .env_remove("DOCKER_CONTEXT");
        command
    }

    /// What the `docker` command prints, trimmed; it must succeed.
    pub(crate) fn docker(&self, arguments: &[&str]) -> String {
        let output = self.docker_command().args(arguments).output().unwrap();
        assert!(
            output.status.success(),
            "docker {arguments:?}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Everything on the engine, for before-and-after comparisons.
    pub(crate) fn contents(&self) -> [String; 4] {
        [
            self.docker(&["ps", "-aq"]),
            self.docker(&["network", "ls", "--format", "{{.Name}}"]),
            self.docker(&["volume", "ls", "-q"]),
            self.docker(&["images", "--format", "{{.Repository}}:{{.Tag}}"]),
        ]
    }

    pub(crate) fn pid(&self) -> u32 {
        self.daemon.id()
    }
}

impl Drop for TestEngine {
    fn drop(&mut self) {
        let _ = Command::new("kill")
            .arg(self.daemon.id().to_string())
            .status();
        let _ = self.daemon.wait();
    }
}

/// Remembers what was reported.
#[derive(Default)]
pub(crate) struct Heard {
    steps: Mutex<IndexMap<String, (StepState, Option<String>)>>,
}

impl Reporter for Heard {
    fn expect(&self, steps: Vec<Step>) {
        let mut heard = self.steps.lock().unwrap();
        for step in steps {
            heard.entry(step.key).or_insert((StepState::Waiting, None));
        }
    }

    fn step(
        &self,
        key: &str,
        state: StepState,
        detail: Option<String>,
        _progress: Option<Progress>,
    ) {
        let mut heard = self.steps.lock().unwrap();
        let known = heard
            .get_mut(key)
            .unwrap_or_else(|| panic!("{key} was not announced"));
        known.0 = state;
        if detail.is_some() {
            known.1 = detail;
        }
    }
}

impl Heard {
    pub(crate) fn states(&self) -> Vec<(String, StepState)> {
        let heard = self.steps.lock().unwrap();
        heard
            .iter()
            .map(|(key, (state, _))| (key.clone(), *state))
            .collect()
    }

    pub(crate) fn keys(&self) -> Vec<String> {
        self.states().into_iter().map(|(key, _)| key).collect()
    }

    pub(crate) fn all_done(&self) {
        for (key, state) in self.states() {
            assert_eq!(state, StepState::Done, "{key}");
        }
    }
}

/// A project on its default network.
pub(crate) fn project(services: impl IntoIterator<Item = (&'static str, Service)>) -> Project {
    let services: IndexMap<String, Service> = services
        .into_iter()
        .map(|(name, service)| (name.to_owned(), service))
        .collect();
    let mut volumes = IndexMap::new();
    for mount in services.values().flat_map(|service| &service.mounts) {
        if let (berth_compose::MountKind::Volume, Some(key)) = (mount.kind, &mount.source) {
            volumes.insert(
                key.clone(),
                Volume {
                    name: format!("folder_{key}"),
                    ..Volume::default()
                },
            );
        }
    }
    Project {
        name: "folder".to_owned(),
        services,
        networks: IndexMap::from([(
            "default".to_owned(),
            Network {
                name: "folder_default".to_owned(),
                ..Network::default()
            },
        )]),
        volumes,
    }
}

/// A busybox that runs a shell script.
pub(crate) fn shell(script: &str) -> Service {
    Service {
        image: Some("busybox:latest".to_owned()),
        command: Some(vec!["sh".to_owned(), "-c".to_owned(), script.to_owned()]),
        networks: IndexMap::from([("default".to_owned(), ServiceNetwork::default())]),
        // A shell ignores the polite signal.
        stop_grace_period: Some(1_000_000_000),
        scale: 1,
        ..Service::default()
    }
}

/// A web server that answers with `text` on port 80.
pub(crate) fn web(text: &str) -> Service {
    Service {
        ports: vec![port(80)],
        ..shell(&format!(
            "mkdir -p /www && echo {text} > /www/index.html && exec httpd -f -p 80 -h /www"
        ))
    }
}

pub(crate) fn port(target: u16) -> Port {
    Port {
        target,
        published: Some(target.to_string()),
        host_ip: None,
        protocol: "tcp".to_owned(),
        app_protocol: None,
        name: None,
    }
}

pub(crate) fn identity(environment: &str, operation: &str) -> Identity {
    Identity {
        environment: environment.to_owned(),
        operation: operation.to_owned(),
        project: format!("shop-{environment}"),
        host: format!("shop-{environment}"),
        ..Identity::default()
    }
}

/// Free ports for a project, remembered for the whole test run.
pub(crate) fn free_ports(project: &Project) -> std::collections::BTreeMap<PortKey, u16> {
    static TAKEN: OnceLock<Mutex<Vec<u16>>> = OnceLock::new();
    let taken = TAKEN.get_or_init(Mutex::default);
    ports_needed(project)
        .into_iter()
        .map(|key| {
            let port = loop {
                let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
                let port = listener.local_addr().unwrap().port();
                let mut taken = taken.lock().unwrap();
                if !taken.contains(&port) {
                    taken.push(port);
                    break port;
                }
            };
            (key, port)
        })
        .collect()
}

/// Observes and plans.
pub(crate) async fn planned(
    docker: &Docker,
    project: &Project,
    identity: &Identity,
    ports: &std::collections::BTreeMap<PortKey, u16>,
) -> Result<Plan, EngineError> {
    let observation = docker.observe(project, identity).await?;
    plan(&PlanInput {
        project,
        identity,
        observation: &observation,
        ports,
        address: None,
        localhost_names_resolve: false,
    })
}
