//! Plans as checked-in files: what each project becomes is read there, and a
//! change of it is seen in review. `BERTH_BLESS=1` writes them anew.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use berth_compose::{
    Bind, Build, Condition, Dependency, Healthcheck, Mount, MountKind, Network, Port, Probe,
    Project, Restart, Rule, Service, ServiceNetwork, Volume,
};
use indexmap::IndexMap;
use serde_json::{Value, json};

use super::{PlanInput, plan};
use crate::EngineError;
use crate::docker::observe::{Observation, Seen, SeenContainer, SeenImage};
use crate::docker::{Identity, Plan, PortKey, WantedAddress, ports_needed};

fn service(image: &str) -> Service {
    Service {
        image: Some(image.to_owned()),
        networks: IndexMap::from([("default".to_owned(), ServiceNetwork::default())]),
        scale: 1,
        ..Service::default()
    }
}

fn project(services: impl IntoIterator<Item = (&'static str, Service)>) -> Project {
    Project {
        name: "shop".to_owned(),
        services: services
            .into_iter()
            .map(|(name, service)| (name.to_owned(), service))
            .collect(),
        networks: IndexMap::from([(
            "default".to_owned(),
            Network {
                name: "shop_default".to_owned(),
                ..Network::default()
            },
        )]),
        ..Project::default()
    }
}

fn port(published: &str, target: u16) -> Port {
    Port {
        target,
        published: Some(published.to_owned()),
        host_ip: None,
        protocol: "tcp".to_owned(),
        app_protocol: None,
        name: None,
    }
}

fn mount(kind: MountKind, source: Option<&str>, target: &str) -> Mount {
    Mount {
        kind,
        source: source.map(str::to_owned),
        target: target.to_owned(),
        read_only: false,
        bind: (kind == MountKind::Bind).then(|| Bind {
            create_host_path: true,
            ..Bind::default()
        }),
        volume: None,
        tmpfs: None,
    }
}

fn identity() -> Identity {
    Identity {
        environment: "e1".to_owned(),
        operation: "o1".to_owned(),
        project: "shop-main".to_owned(),
        host: "shop-main".to_owned(),
        working_dir: Some("/src/shop".into()),
        config_files: vec!["/src/shop/compose.yaml".into()],
    }
}

fn ports(project: &Project) -> BTreeMap<PortKey, u16> {
    ports_needed(project).into_iter().zip(41000..).collect()
}

fn planned(project: &Project, observation: &Observation) -> Result<Plan, EngineError> {
    plan(&PlanInput {
        project,
        identity: &identity(),
        observation,
        ports: &ports(project),
        address: WantedAddress::default(),
        localhost_names_resolve: true,
    })
}

/// The engine after `plan` was applied with these images.
fn applied(plan: &Plan, images: &[(&str, &str)]) -> Observation {
    let image_id = |reference: &str| {
        images
            .iter()
            .find(|(it, _)| *it == reference)
            .map(|(_, id)| (*id).to_owned())
            .unwrap_or_default()
    };
    let seen = |labels: &Option<HashMap<String, String>>| {
        let label = |name: &str| labels.as_ref().and_then(|it| it.get(name)).cloned();
        Seen {
            environment: label("dev.berth.environment"),
            project: label("com.docker.compose.project"),
            config_hash: label("com.docker.compose.config-hash"),
        }
    };
    Observation {
        api_minor: 41,
        containers: plan
            .services
            .iter()
            .flat_map(|service| {
                service
                    .containers
                    .iter()
                    .zip(1..)
                    .map(|(container, number)| {
                        let labels = container.body.labels.clone().unwrap_or_default();
                        SeenContainer {
                            id: format!("id-of-{}", container.name),
                            name: container.name.clone(),
                            service: service.name.clone(),
                            number,
                            config_hash: labels["com.docker.compose.config-hash"].clone(),
                            image_id: image_id(container.body.image.as_deref().unwrap_or_default()),
                            running: true,
                            urls: labels["dev.berth.urls"].clone(),
                            anonymous: Vec::new(),
                        }
                    })
            })
            .collect(),
        networks: plan
            .networks
            .iter()
            .map(|work| (work.request.name.clone(), seen(&work.request.labels)))
            .collect(),
        volumes: plan
            .volumes
            .iter()
            .map(|work| {
                let name = work.request.name.clone().unwrap_or_default();
                (name, seen(&work.request.labels))
            })
            .collect(),
        images: present(images),
        ..Observation::default()
    }
}

fn present(images: &[(&str, &str)]) -> BTreeMap<String, SeenImage> {
    images
        .iter()
        .map(|(reference, id)| {
            let image = SeenImage {
                id: (*id).to_owned(),
                ..SeenImage::default()
            };
            ((*reference).to_owned(), image)
        })
        .collect()
}

fn fresh() -> Observation {
    Observation {
        api_minor: 41,
        images: present(&[("web:1", "sha256:web"), ("db:1", "sha256:db")]),
        ..Observation::default()
    }
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(entries) => {
            let mut entries: Vec<(String, Value)> = entries
                .into_iter()
                .map(|(key, value)| (key, sorted(value)))
                .collect();
            entries.sort_by(|left, right| left.0.cmp(&right.0));
            Value::Object(entries.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}

/// Compares a plan with its file.
fn golden(name: &str, plan: &Plan) {
    let containers: Vec<Value> = plan
        .services
        .iter()
        .flat_map(|service| &service.containers)
        .map(|container| {
            json!({
                "name": container.name,
                "body": container.body,
                "furtherNetworks": container.further_networks,
            })
        })
        .collect();
    let networks: Vec<_> = plan.networks.iter().map(|work| &work.request).collect();
    let volumes: Vec<_> = plan.volumes.iter().map(|work| &work.request).collect();
    let steps: Vec<_> = plan.steps.iter().map(|step| &step.key).collect();
    let is = sorted(json!({
        "view": plan.view,
        "steps": steps,
        "networks": networks,
        "volumes": volumes,
        "containers": containers,
    }));
    let is = format!("{is:#}\n");
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/plans")
        .join(format!("{name}.json"));
    if std::env::var_os("BERTH_BLESS").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, &is).unwrap();
    }
    let was = std::fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(
        is,
        was,
        "{} differs; BERTH_BLESS=1 writes it anew",
        file.display()
    );
}

fn shop() -> Project {
    let mut web = service("web:1");
    web.ports = vec![port("8080", 80), port("8443", 443)];
    web.environment = IndexMap::from([
        ("MODE".to_owned(), Some("preview".to_owned())),
        ("UNSET".to_owned(), None),
    ]);
    web.depends_on.insert(
        "db".to_owned(),
        Dependency {
            condition: Condition::ServiceHealthy,
            required: true,
            restart: false,
        },
    );
    let mut db = service("db:1");
    db.mounts = vec![mount(MountKind::Volume, Some("data"), "/var/lib/db")];
    db.healthcheck = Some(Healthcheck {
        probe: Probe::Test(vec!["CMD".into(), "ready".into()]),
        interval: Some(1_000_000_000),
        timeout: None,
        retries: Some(5),
        start_period: None,
        start_interval: Some(100_000_000),
    });
    let mut project = project([("web", web), ("db", db)]);
    project.volumes.insert(
        "data".to_owned(),
        Volume {
            name: "shop_data".to_owned(),
            ..Volume::default()
        },
    );
    project
}

#[test]
fn a_project_that_is_not_there_yet() {
    golden("fresh", &planned(&shop(), &fresh()).unwrap());
}

#[test]
fn fixed_names_and_everything_shared() {
    let mut project = shop();
    let web = &mut project.services["web"];
    web.container_name = Some("shop-web".to_owned());
    web.image = Some("registry.example/shop/web:2".to_owned());
    web.build = Some(Build {
        context: "/src/shop".into(),
        dockerfile: "Dockerfile".into(),
        tags: vec!["shop:latest".to_owned()],
        ..Build::default()
    });
    web.mounts = vec![
        mount(MountKind::Bind, Some("/src/shop/public"), "/public"),
        mount(
            MountKind::Bind,
            Some("/var/run/docker.sock"),
            "/var/run/docker.sock",
        ),
        mount(MountKind::Volume, None, "/cache"),
    ];
    web.networks.insert(
        "front".to_owned(),
        ServiceNetwork {
            aliases: vec!["www".to_owned()],
            priority: 10,
            ..ServiceNetwork::default()
        },
    );
    web.restart = Restart::UnlessStopped;
    project.volumes["data"].name = "shopdata".to_owned();
    project.volumes["data"].name_is_fixed = true;
    project.networks.insert(
        "front".to_owned(),
        Network {
            name: "frontnet".to_owned(),
            name_is_fixed: true,
            internal: true,
            ..Network::default()
        },
    );
    let mut worker = service("registry.example/shop/web:2");
    worker.network_mode = Some("service:web".to_owned());
    worker.networks.clear();
    worker.scale = 2;
    project.services.insert("worker".to_owned(), worker);
    golden("fixed-names", &planned(&project, &fresh()).unwrap());
}

#[test]
fn an_update_keeps_what_did_not_change() {
    let project = shop();
    let images = [("web:1", "sha256:web"), ("db:1", "sha256:db")];
    let there = applied(&planned(&project, &fresh()).unwrap(), &images);
    golden("unchanged", &planned(&project, &there).unwrap());

    let mut changed = project.clone();
    changed.services["web"].command = Some(vec!["serve".to_owned()]);
    changed.services.insert("mail".to_owned(), service("web:1"));
    changed.volumes["data"]
        .driver_opts
        .insert("type".to_owned(), "tmpfs".to_owned());
    golden("changed", &planned(&changed, &there).unwrap());

    let mut fewer = project;
    fewer.services.shift_remove("web");
    golden("fewer", &planned(&fewer, &there).unwrap());
}

#[test]
fn another_image_or_network_makes_containers_anew() {
    let project = shop();
    let images = [("web:1", "sha256:web"), ("db:1", "sha256:db")];
    let mut there = applied(&planned(&project, &fresh()).unwrap(), &images);
    there.images = present(&[("web:1", "sha256:new"), ("db:1", "sha256:db")]);
    let plan = planned(&project, &there).unwrap();
    let reasons: Vec<_> = plan
        .view
        .changes
        .iter()
        .filter_map(|change| change.reason.as_deref())
        .collect();
    assert_eq!(reasons, ["image changed"]);

    let mut internal = project;
    internal.networks["default"].internal = true;
    let plan = planned(&internal, &there).unwrap();
    assert_eq!(
        plan.view
            .changes
            .iter()
            .filter(|it| it.reason.as_deref() == Some("a network changed"))
            .count(),
        1
    );
}

#[test]
fn a_published_port_elsewhere_makes_nothing_anew() {
    let project = shop();
    let images = [("web:1", "sha256:web"), ("db:1", "sha256:db")];
    let there = applied(&planned(&project, &fresh()).unwrap(), &images);
    let mut more = project;
    let mut mail = service("web:1");
    mail.ports = vec![port("8025", 8025)];
    more.services.insert("mail".to_owned(), mail);
    let plan = planned(&more, &there).unwrap();
    let made: Vec<_> = plan.steps.iter().map(|step| step.key.as_str()).collect();
    assert_eq!(
        made,
        [
            "healthy:db",
            "create:shop-main-mail-1",
            "start:shop-main-mail-1",
            "reach"
        ]
    );
}

#[test]
fn names_of_others_are_never_taken() {
    let project = shop();
    let taken = |observation: &Observation| match planned(&project, observation) {
        Err(EngineError::NameTaken { kind, name, owner }) => (kind, name, owner),
        other => panic!("{other:?}"),
    };
    let mut there = fresh();
    there.foreign.insert(
        "shop-main-web-1".to_owned(),
        "compose project other".to_owned(),
    );
    let (kind, name, owner) = taken(&there);
    assert_eq!((kind, name.as_str()), ("container", "shop-main-web-1"));
    assert_eq!(owner.as_deref(), Some("compose project other"));

    let mut there = fresh();
    there
        .networks
        .insert("shop-main_default".to_owned(), Seen::default());
    assert_eq!(taken(&there).0, "network");
    let mut there = fresh();
    let other = Seen {
        environment: Some("e2".to_owned()),
        ..Seen::default()
    };
    there.volumes.insert("shop-main_data".to_owned(), other);
    assert_eq!(taken(&there).0, "volume");
}

#[test]
fn what_cannot_be_isolated_is_refused_with_its_key_and_a_way_out() {
    let mut project = shop();
    project.networks["default"].external = true;
    project.volumes["data"].external = true;
    project.services["db"].network_mode = Some("host".to_owned());
    project.services["web"].network_mode = Some("container:other".to_owned());
    let Err(EngineError::Refused(found)) = planned(&project, &fresh()) else {
        panic!("it was not refused");
    };
    let keys: Vec<_> = found.iter().map(|it| it.key.as_str()).collect();
    assert_eq!(
        keys,
        [
            "networks.default",
            "volumes.data",
            "services.web.network_mode",
            "services.db.network_mode",
        ]
    );
    assert!(found.iter().all(|it| it.hint.is_some()));
}

#[test]
fn a_circle_is_named() {
    let mut project = shop();
    let back = project.services["web"].depends_on["db"].clone();
    project.services["db"]
        .depends_on
        .insert("web".to_owned(), back);
    let Err(EngineError::Refused(found)) = planned(&project, &fresh()) else {
        panic!("it was not refused");
    };
    assert_eq!(found[0].rule, Rule::Cycle);
    assert!(found[0].message.contains("web, db"), "{}", found[0].message);
}

#[test]
fn the_url_is_the_one_asked_for_else_labelled() {
    let mut project = shop();
    let url = |project: &Project, address: Option<(&str, u16)>| {
        let plan = plan(&PlanInput {
            project,
            identity: &identity(),
            observation: &fresh(),
            ports: &ports(project),
            address: address.map_or_else(WantedAddress::default, |(service, port)| WantedAddress {
                service: Some(service.to_owned()),
                port: Some(port),
                https: None,
            }),
            localhost_names_resolve: true,
        });
        plan.map(|plan| plan.addresses.first_url())
    };
    assert_eq!(
        url(&project, None).unwrap().as_deref(),
        Some("http://shop-main.localhost:41000")
    );
    assert_eq!(
        url(&project, Some(("web", 443))).unwrap().as_deref(),
        Some("http://shop-main.localhost:41001")
    );
    let refused = url(&project, Some(("db", 1))).unwrap_err();
    let EngineError::Refused(found) = refused else {
        panic!("{refused}");
    };
    assert!(found[0].hint.as_deref().unwrap().contains("web:80"));
    let labels = &mut project.services["web"].labels;
    labels.insert("dev.berth.url".to_owned(), "443".to_owned());
    assert_eq!(
        url(&project, None).unwrap().as_deref(),
        Some("http://shop-main.localhost:41001")
    );
}

#[test]
fn a_plan_says_no_value_of_any_variable() {
    let mut project = shop();
    project.services["web"]
        .environment
        .insert("PASSWORD".to_owned(), Some("hunter2".to_owned()));
    let plan = planned(&project, &fresh()).unwrap();
    assert!(!format!("{plan:?}").contains("hunter2"));
    assert!(
        !serde_json::to_string(&plan.view)
            .unwrap()
            .contains("hunter2")
    );
}
