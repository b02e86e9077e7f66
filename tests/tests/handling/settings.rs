//! Compose settings: which address is *the* URL, which files and variables environments are made of, what they
//! are called, how long they live, and on which engine.

use std::fs;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use berth_tests::{Engine, EngineKind, http};
use serde_json::{Value, json};

use crate::bench::{Bench, Shop, git, label, page, page_project, text, url, warnings};

const MINUTE: i64 = 60_000;

/// Two servers. By the compose file's own label, the first one's address is the environment's; the port of
/// the other one is not even published.
const TWO_SERVERS: &str = r#"
services:
  front:
    image: busybox:1.36
    command: ["sh", "-c", "mkdir /srv && echo front > /srv/index.html && httpd -f -p 80 -h /srv"]
    init: true
    labels: {dev.berth.url: "80"}
    ports: ["80"]
  admin:
    image: busybox:1.36
    command: ["sh", "-c", "mkdir /srv && echo admin > /srv/index.html && httpd -f -p 9000 -h /srv"]
    init: true
"#;

/// A server that shows the variables it was made with.
const VARIABLES: &str = r#"
services:
  web:
    image: ${IMAGE:-busybox:1.36}
    command: ["sh", "-c", "mkdir /srv && env > /srv/index.html && httpd -f -p 80 -h /srv"]
    init: true
    environment:
      BARE: ${BARE:-not given}
      INPUT: ${INPUT:-not given}
      PROJECT: ${PROJECT:-not given}
      MADE_OF: ${MADE_OF:-not given}
      NOBODYS: ${NOBODYS:-not given}
      GREETING: ${GREETING:-not given}
    ports: ["80"]
"#;

fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(now.as_millis()).unwrap()
}

fn service_and_port_are_the_address(kind: EngineKind) {
    let bench = Bench::on(kind);
    let shop = Shop::new(&[("compose.yaml", TWO_SERVERS)]);
    let before = bench.up(&[&shop.path()]);
    assert_eq!(page(&before), "front\n");

    bench.set(&json!({"service": "admin", "port": "9000"}));
    let after = bench.up(&[&shop.path()]);
    assert_eq!(after["id"], before["id"]);
    assert_eq!(page(&after), "admin\n");
    let addresses = after["addresses"].as_array().unwrap();
    let listed: Vec<(&str, bool)> = addresses
        .iter()
        .map(|address| {
            let primary = address["primary"].as_bool().unwrap();
            (text(address, "service"), primary)
        })
        .collect();
    assert_eq!(listed, [("admin", true), ("front", false)]);
    let name = text(&after, "name");
    let status = bench.status(name);
    assert!(
        warnings(&status).contains("Port 9000 of admin is published because the handler"),
        "{status:#}"
    );
    let shown = bench.berth.succeed(["status", name]);
    assert!(shown.contains("Port 9000 of admin is published"), "{shown}");
    assert!(
        shown.contains("Handler   Local Docker, the workspace's"),
        "{shown}"
    );
    // A part that was named no longer says where the other one is.
    bench.set(&json!({"service": "front", "port": "80", "scheme": "https"}));
    let secured = bench.up(&[&shop.path()]);
    assert!(url(&secured).starts_with("https://"), "{}", url(&secured));
    let plain = url(&secured).replace("https://", "http://");
    assert_eq!(plain, url(&before), "the port survives");
    assert_eq!(http::get(&plain).unwrap().1, "front\n");
    bench.end(&[&after]);
}

#[test]
fn the_handlers_service_and_port_are_the_address_on_docker_20_10() {
    service_and_port_are_the_address(EngineKind::Old);
}

#[test]
fn the_handlers_service_and_port_are_the_address_on_docker_28_5() {
    service_and_port_are_the_address(EngineKind::Modern);
}

#[test]
fn a_service_that_the_compose_file_has_not_is_refused() {
    let bench = Bench::on(EngineKind::Modern);
    let shop = Shop::new(&[("compose.yaml", TWO_SERVERS)]);
    bench.set(&json!({"service": "amdin", "port": "9000"}));
    let (problem, code) = bench.refused(&[&shop.path()]);
    assert_eq!((text(&problem, "code"), code), ("invalid_document", 2));
    let place = &problem["places"][0];
    assert_eq!(text(place, "key"), "manifest.providerConfig.service");
    assert!(text(place, "message").contains("amdin"), "{problem:#}");
    assert!(text(place, "hint").contains("front, admin"), "{problem:#}");
    assert!(problem["hint"].is_string(), "{problem:#}");
    let listed = bench.berth.succeed(["ls", "--json"]);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    for environment in listed["environments"].as_array().unwrap() {
        assert!(bench.engine.labelled(&label(environment)).is_empty());
    }
    bench.end(&[]);
}

#[test]
fn the_handlers_compose_path_counts_and_the_services_own_wins() {
    let bench = Bench::on(EngineKind::Modern);
    let files = [
        ("compose.yaml", page_project("usual")),
        ("deploy/stack.yaml", page_project("handler")),
        ("own/stack.yaml", page_project("own")),
    ];
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, of)| (*name, of.as_str()))
        .collect();
    let shop = Shop::new(&files);
    bench.set(&json!({"composePath": "deploy/stack.yaml"}));
    let made = bench.up(&[&shop.path()]);
    assert_eq!(page(&made), "handler\n");
    bench
        .berth
        .succeed(["service", "set", "shop", "--compose-path", "own/stack.yaml"]);
    let made = bench.up(&[&shop.path()]);
    assert_eq!(page(&made), "own\n");
    bench
        .berth
        .succeed(["service", "set", "shop", "--compose-path="]);
    bench.unset("composePath");
    let made = bench.up(&[&shop.path()]);
    assert_eq!(page(&made), "usual\n");
    bench.end(&[&made]);
}

fn templates_reach_the_container(kind: EngineKind) {
    let bench = Bench::on(kind);
    let shop = Shop::new(&[
        ("compose.yaml", VARIABLES),
        (".env", "GREETING=from dotenv\nBARE=from dotenv\n"),
    ]);
    let image = format!("berth-handling-{}:blue", std::process::id());
    bench.engine.docker(["tag", "busybox:1.36", &image]);
    let before = bench.up(&[&shop.path()]);
    let shown = page(&before);
    for line in ["BARE=from dotenv", "INPUT=not given"] {
        assert!(shown.lines().any(|it| it == line), "{line}:\n{shown}");
    }

    bench.set(&json!({
        "imageTemplate": image.replace("blue", "{{ branch }}"),
        "envTemplate": {
            "BARE": "{{branch}}",
            "INPUT": "{{input.branch}} of {{ input.repoName }}",
            "PROJECT": "{{namespace}}",
            "MADE_OF": "{{image}}",
            "NOBODYS": "<{{input.nobody}}{{pullNumber}}>",
        },
    }));
    for words in [&["--ref", "blue"][..], &[]] {
        let made = bench.up(&[&[shop.path().as_str()], words].concat());
        let shown = page(&made);
        let container = format!("label={}", label(&made));
        let format = "{{.Image}} {{.Label \"com.docker.compose.project\"}}";
        let listed = bench
            .engine
            .docker(["ps", "--filter", &container, "--format", format]);
        let (of_image, project) = listed.split_once(' ').unwrap();
        assert_eq!(of_image, image);
        for line in [
            "BARE=blue",
            "INPUT=blue of shop",
            &format!("PROJECT={project}"),
            &format!("MADE_OF={image}"),
            "NOBODYS=<>",
            // What the handler says nothing of.
            "GREETING=from dotenv",
        ] {
            assert!(shown.lines().any(|it| it == line), "{line}:\n{shown}");
        }
    }
    bench.berth.succeed(["down", "--all"]);
    bench.engine.docker(["rmi", &image]);
    bench.end(&[&before]);
}

#[test]
fn templates_reach_the_container_on_docker_20_10() {
    templates_reach_the_container(EngineKind::Old);
}

#[test]
fn templates_reach_the_container_on_docker_28_5() {
    templates_reach_the_container(EngineKind::Modern);
}

#[test]
fn wrong_settings_are_refused_with_their_places() {
    let bench = Bench::on(EngineKind::Modern);
    for (setting, place) in [
        ("port=http", "manifest.providerConfig.port"),
        ("envTemplate/WHO={{bransh}}", "envTemplate.WHO"),
        ("ttlMinutes=soon", "manifest.providerConfig.ttlMinutes"),
        ("composeRef=main", "manifest.providerConfig.composeRef"),
    ] {
        let field = format!("--set=/manifest/providerConfig/{setting}");
        let output = bench
            .berth
            .run(["handler", "set", "docker-compose", &field]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{setting}:\n{said}");
        assert!(said.contains(place), "{setting}:\n{said}");
    }
}

#[test]
fn the_project_template_names_projects_that_do_not_collide() {
    let bench = Bench::on(EngineKind::Modern);
    let web = page_project("web");
    let shop = Shop::new(&[("compose.yaml", &web)]);
    let own = format!("Berth {}", std::process::id());
    bench.set(&json!({"projectTemplate": format!("{own}/{{{{repoName}}}}_{{{{input.branch}}}}")}));
    let first = bench.up(&[&shop.path()]);
    let second = bench.up(&[&shop.path(), "--ref", "blue"]);
    assert_ne!(first["id"], second["id"]);
    let project = |environment: &Value| {
        let filter = format!("label={}", label(environment));
        let format = "{{.Label \"com.docker.compose.project\"}}";
        bench
            .engine
            .docker(["ps", "--filter", &filter, "--format", format])
    };
    let named = format!("berth-{}-shop_blue", std::process::id());
    assert_eq!(project(&first), named);
    let other = project(&second);
    assert!(
        other.starts_with(&format!("{named}-")) && other != named,
        "{other}"
    );
    let listed = bench.engine.compose(Path::new("/"), ["ls", "--quiet"]);
    for project in [&named, &other] {
        assert!(listed.lines().any(|it| it == project), "{listed}");
    }
    // Another template does not move what is there.
    bench.set(&json!({"projectTemplate": "another"}));
    bench.up(&[&shop.path()]);
    assert_eq!(project(&first), named);
    bench.end(&[&first, &second]);
}

#[test]
fn the_handlers_lifetime_counts_and_the_starts_own_wins() {
    let bench = Bench::on(EngineKind::Modern);
    let web = page_project("web");
    let shop = Shop::new(&[("compose.yaml", &web)]);
    let end_of = |words: &[&str]| {
        let begun = now();
        let made = bench.up(&[&[shop.path().as_str()], words].concat());
        let end = made["expiresAt"].as_i64().map(|end| {
            let minutes = (end - begun) / MINUTE;
            assert!(end <= now() + minutes * MINUTE, "{made:#}");
            minutes
        });
        // What was recorded is what is shown.
        let status = bench.status(text(&made, "name"));
        assert_eq!(status["environment"]["expiresAt"], made["expiresAt"]);
        end
    };
    bench.set(&json!({"ttlMinutes": "45"}));
    assert_eq!(end_of(&["--name", "a"]), Some(45));
    assert_eq!(end_of(&["--name", "b", "--ttl", "20m"]), Some(20));
    assert_eq!(end_of(&["--name", "c", "--ttl", "never"]), None);
    bench.set(&json!({"ttlMinutes": "0"}));
    assert_eq!(end_of(&["--name", "d"]), None);
    assert_eq!(end_of(&["--name", "e", "--ttl", "3h"]), Some(180));
    // Without it, the manifest's; without that, two hours.
    bench.unset("ttlMinutes");
    let own = "--set=/manifest/defaultTtlMs:=600000";
    bench
        .berth
        .succeed(["handler", "set", "docker-compose", own]);
    assert_eq!(end_of(&["--name", "f"]), Some(10));
    let none = "--unset=/manifest/defaultTtlMs";
    bench
        .berth
        .succeed(["handler", "set", "docker-compose", none]);
    assert_eq!(end_of(&["--name", "g"]), Some(120));
    bench.end(&[]);
}

#[test]
fn the_compose_file_may_be_in_another_repository() {
    let bench = Bench::on(EngineKind::Modern);
    let (main, preview) = (page_project("main"), page_project("preview"));
    let stack = Shop::new(&[("stack/compose.yaml", &main)]);
    git(&stack.folder(), &["checkout", "--quiet", "-b", "preview"]);
    fs::write(stack.folder().join("stack/compose.yaml"), preview).unwrap();
    let commit = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
    let words = [&commit[..], &["commit", "--quiet", "--all", "--message=P"]].concat();
    git(&stack.folder(), &words);
    git(&stack.folder(), &["checkout", "--quiet", "blue"]);
    let bare = stack.parent.path().join("stack.git");
    let clone = ["clone", "--quiet", "--bare", "."];
    git(
        &stack.folder(),
        &[&clone[..], &[bare.to_str().unwrap()]].concat(),
    );
    let address = format!("file://{}", bare.display());

    let shop = Shop::new(&[("compose.yaml", &page_project("own"))]);
    bench.set(&json!({"composeRepo": address, "composePath": "stack/compose.yaml"}));
    let made = bench.up(&[&shop.path()]);
    assert_eq!(page(&made), "main\n");
    bench.set(&json!({"composeRef": "preview"}));
    let made = bench.up(&[&shop.path()]);
    assert_eq!(page(&made), "preview\n");
    let of_branch = bench.up(&[&shop.path(), "--ref", "blue"]);
    assert_eq!(page(&of_branch), "preview\n");

    bench.set(&json!({"composeRef": "nowhere"}));
    let (problem, code) = bench.refused(&[&shop.path(), "--name", "other"]);
    assert_eq!((text(&problem, "code"), code), ("ref_missing", 2));
    assert!(problem.to_string().contains("nowhere"), "{problem:#}");

    let (data, contents) = (bench.berth.data().join("checkouts"), &bare);
    bench.berth.succeed(["down", "--all"]);
    assert_eq!(fs::read_dir(data).unwrap().count(), 0);
    assert!(contents.join("HEAD").is_file());
    bench.end(&[&made, &of_branch]);
}

#[test]
fn the_endpoint_picks_the_engine() {
    for (surroundings, named) in [
        (EngineKind::Old, EngineKind::Modern),
        (EngineKind::Modern, EngineKind::Old),
    ] {
        let bench = Bench::on(surroundings);
        let other = Engine::shared(named);
        let web = page_project("web");
        let shop = Shop::new(&[("compose.yaml", &web)]);
        bench.set(&json!({"endpoint": other.address()}));
        let made = bench.up(&[&shop.path()]);
        assert_eq!(page(&made), "web\n");
        assert_eq!(other.labelled(&label(&made)).containers.len(), 1);
        assert!(bench.engine.labelled(&label(&made)).is_empty());
        let doctor = bench.berth.succeed(["doctor"]);
        assert!(doctor.contains(&other.address()), "{doctor}");
        bench.end(&[&made]);
        assert!(other.labelled(&label(&made)).is_empty());
    }
}
