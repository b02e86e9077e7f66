//! What every test here needs: projects written by hand, and an ear for steps.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock};

use berth_compose::{Mount, MountKind, Network, Port, Project, Service, ServiceNetwork, Volume};
use berth_engines::docker::{
    Applied, Docker, Endpoint, Identity, Plan, PlanInput, PortKey, Scope, WantedAddress, plan,
    ports_needed,
};
use berth_engines::{EngineError, Progress, Reporter, Step, StepState};
use berth_tests::Engine;
use indexmap::IndexMap;
use tokio_util::sync::CancellationToken;

/// Runs each test on the oldest and on the newest engine.
macro_rules! on_both_engines {
    ($($test:ident),+ $(,)?) => {
        mod old {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() { super::$test(berth_tests::Engine::shared(berth_tests::EngineKind::Old)).await; })+
        }
        mod modern {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $test() { super::$test(berth_tests::Engine::shared(berth_tests::EngineKind::Modern)).await; })+
        }
    };
}
pub(crate) use on_both_engines;

pub(crate) async fn connect(engine: &Engine) -> Docker {
    Docker::connect(&Endpoint {
        address: engine.address(),
        rule: "test".to_owned(),
    })
    .await
    .unwrap()
}

/// Remembers what was reported.
#[derive(Default)]
pub(crate) struct Heard {
    steps: Mutex<IndexMap<String, (StepState, Option<String>)>>,
    progress: Mutex<std::collections::HashMap<String, Progress>>,
    changed: tokio::sync::Notify,
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
        progress: Option<Progress>,
    ) {
        let mut heard = self.steps.lock().unwrap();
        let known = heard
            .get_mut(key)
            .unwrap_or_else(|| panic!("{key} was not announced"));
        known.0 = state;
        if detail.is_some() {
            known.1 = detail;
        }
        if let Some(progress) = progress {
            self.progress
                .lock()
                .unwrap()
                .insert(key.to_owned(), progress);
        }
        self.changed.notify_one();
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

    /// Waits until a step is in a state.
    pub(crate) async fn until(&self, key: &str, state: StepState) {
        while !self.states().contains(&(key.to_owned(), state)) {
            self.changed.notified().await;
        }
    }

    /// The last progress that a step told.
    pub(crate) fn progress(&self, key: &str) -> Option<Progress> {
        self.progress.lock().unwrap().get(key).copied()
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
        if let (MountKind::Volume, Some(key)) = (mount.kind, &mount.source) {
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
pub(crate) fn free_ports(project: &Project) -> BTreeMap<PortKey, u16> {
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
    ports: &BTreeMap<PortKey, u16>,
) -> Result<Plan, EngineError> {
    let observation = docker.observe(project, identity).await?;
    plan(&PlanInput {
        project,
        identity,
        observation: &observation,
        ports,
        address: WantedAddress::default(),
        localhost_names_resolve: false,
    })
}

/// Plans and applies, each step heard.
pub(crate) async fn up(
    docker: &Docker,
    project: &Project,
    identity: &Identity,
    ports: &BTreeMap<PortKey, u16>,
) -> (Result<Applied, EngineError>, Heard) {
    let plan = planned(docker, project, identity, ports).await.unwrap();
    let heard = Heard::default();
    let applied = docker.apply(&plan, &heard, &CancellationToken::new()).await;
    (applied, heard)
}

/// Removes an environment and sees that nothing of it is left.
pub(crate) async fn down(engine: &Engine, docker: &Docker, environment: &str) {
    let scope = Scope::Environment(environment.to_owned());
    docker.remove(&scope, &Heard::default()).await.unwrap();
    nothing_left(engine, environment);
}

pub(crate) fn nothing_left(engine: &Engine, environment: &str) {
    let label = format!("dev.berth.environment={environment}");
    let left = engine.labelled(&label);
    assert!(left.is_empty(), "{left:?}");
    let label = format!("label=dev.berth.image-of={environment}");
    let images = engine.docker(["images", "-q", "--filter", &label]);
    assert_eq!(images, "");
}

pub(crate) fn volume(key: Option<&str>, target: &str) -> Mount {
    Mount {
        kind: MountKind::Volume,
        source: key.map(str::to_owned),
        target: target.to_owned(),
        read_only: false,
        bind: None,
        volume: None,
        tmpfs: None,
    }
}
