use std::collections::HashMap;

use super::*;
use crate::{Condition, MountKind, Probe, Restart};

/// Files in memory.
struct Memory(HashMap<PathBuf, Vec<u8>>);

impl Files for Memory {
    fn read(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        let file = self.0.get(path).cloned();
        file.ok_or_else(|| std::io::ErrorKind::NotFound.into())
    }

    fn is_file(&self, path: &Path) -> bool {
        self.0.contains_key(path)
    }

    fn is_dir(&self, path: &Path) -> bool {
        self.0
            .keys()
            .any(|file| file.starts_with(path) && file != path)
    }
}

fn load_with(
    files: &[(&str, &str)],
    environment: &[(&str, &str)],
    profiles: &[&str],
) -> Result<Loaded, Vec<Diagnostic>> {
    let files = files
        .iter()
        .map(|(name, text)| (Path::new("/p/shop").join(name), text.as_bytes().to_vec()))
        .collect();
    let environment = environment
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect();
    let profiles: Vec<String> = profiles
        .iter()
        .map(|profile| (*profile).to_owned())
        .collect();
    load(&Request {
        directory: Path::new("/p/shop"),
        files: &[],
        project_name: None,
        profiles: &profiles,
        environment: &environment,
        files_from: &Memory(files),
    })
}

fn good(files: &[(&str, &str)]) -> Loaded {
    load_with(files, &[], &[]).unwrap_or_else(|problems| panic!("{}", told(&problems)))
}

fn bad(text: &str) -> Vec<Diagnostic> {
    load_with(&[("compose.yaml", text)], &[], &[]).unwrap_err()
}

/// Each problem as `line:column rule key: message`.
fn told(problems: &[Diagnostic]) -> String {
    let lines = problems.iter().map(|problem| {
        format!(
            "{}:{} {:?} {}: {}",
            problem.line.unwrap_or(0),
            problem.column.unwrap_or(0),
            problem.rule,
            problem.key,
            problem.message
        )
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_common_project_is_understood() {
    let text = r#"
x-base: &base
  restart: unless-stopped
  labels: {team: shop}
services:
  web:
    <<: *base
    build: {context: ., target: dev, args: {A: 1, FROM_SHELL: }}
    command: npm run "dev server"
    ports: ["127.0.0.1:8080:80", 9229]
    environment:
      DATABASE_URL: postgres://db/${DB_NAME:-shop}
      PASSED:
    env_file: web.env
    volumes: [".:/src", "node_modules:/src/node_modules", "/tmp/cache"]
    depends_on:
      db: {condition: service_healthy}
  db:
    image: postgres:16
    healthcheck: {test: pg_isready, interval: 2s, retries: 5}
    volumes: [data:/var/lib/postgresql/data]
    stop_grace_period: 1m
volumes: {node_modules: , data: {name: shop-data}}
"#;
    let files = [
        ("compose.yaml", text),
        (".env", "DB_NAME=main\n"),
        ("web.env", "LEVEL=debug\nDATABASE_URL=hidden\n"),
    ];
    let loaded = load_with(&files, &[("FROM_SHELL", "yes")], &[]).unwrap();
    let project = &loaded.project;
    assert_eq!(project.name, "shop");
    let web = &project.services["web"];
    let build = web.build.as_ref().unwrap();
    assert_eq!(build.context, Path::new("/p/shop"));
    assert_eq!(build.args["A"].as_deref(), Some("1"));
    assert_eq!(build.args["FROM_SHELL"].as_deref(), Some("yes"));
    assert_eq!(web.command.as_ref().unwrap(), &["npm", "run", "dev server"]);
    assert_eq!(web.ports[0].published.as_deref(), Some("8080"));
    assert_eq!(web.ports[1].target, 9229);
    assert_eq!(
        web.environment["DATABASE_URL"].as_deref(),
        Some("postgres://db/main")
    );
    assert_eq!(web.environment["LEVEL"].as_deref(), Some("debug"));
    assert_eq!(web.environment["PASSED"], None);
    assert_eq!(web.restart, Restart::UnlessStopped);
    assert_eq!(web.labels["team"], "shop");
    assert_eq!(web.depends_on["db"].condition, Condition::ServiceHealthy);
    let mounts: Vec<_> = web
        .mounts
        .iter()
        .map(|mount| (mount.kind, mount.source.as_deref(), mount.target.as_str()))
        .collect();
    assert_eq!(
        mounts,
        [
            (MountKind::Bind, Some("/p/shop"), "/src"),
            (MountKind::Volume, Some("node_modules"), "/src/node_modules"),
            (MountKind::Volume, None, "/tmp/cache"),
        ]
    );
    let db = &project.services["db"];
    let check = db.healthcheck.as_ref().unwrap();
    let words = vec!["CMD-SHELL".to_owned(), "pg_isready".to_owned()];
    assert_eq!(check.probe, Probe::Test(words));
    assert_eq!(check.interval, Some(2_000_000_000));
    assert_eq!(db.stop_grace_period, Some(60_000_000_000));
    assert_eq!(project.volumes["data"].name, "shop-data");
    assert_eq!(project.volumes["node_modules"].name, "shop_node_modules");
    assert_eq!(project.networks["default"].name, "shop_default");
    let read: Vec<_> = loaded
        .read
        .iter()
        .map(|path| path.to_str().unwrap())
        .collect();
    assert_eq!(
        read,
        ["/p/shop/.env", "/p/shop/compose.yaml", "/p/shop/web.env"]
    );
}

#[test]
fn every_problem_is_reported_with_its_place() {
    let problems = bad(
        "services:\n  web:\n    image: a\n    port: ['80']\n    tty: perhaps\n  db:\n    image: ${DB:?set it}\n    stop_grace_period: 10\n",
    );
    assert_eq!(
        told(&problems),
        "4:5 UnknownKey services.web.port: the Compose Specification has no key \"port\" here\n\
         5:10 Invalid services.web.tty: must be true or false, not \"perhaps\"\n\
         7:12 Interpolation services.db.image: the required variable DB is not set: set it\n\
         8:24 Invalid services.db.stop_grace_period: must be a duration such as 30s or 1m30s, not the number 10"
    );
    assert_eq!(problems[0].hint.as_deref(), Some("Did you mean ports?"));
    assert_eq!(
        problems[3].hint.as_deref(),
        Some("Add a unit, as in \"10s\".")
    );
}

#[test]
fn problems_of_meaning_are_reported_together() {
    let problems = bad(
        "services:\n  a:\n    image: x\n    depends_on: [b]\n    networks: [gone]\n    env_file: nope.env\n  b:\n    image: x\n    depends_on: [a]\n    volumes: ['lost:/d', 'sub/dir:/e']\n    logging: {driver: none}\n",
    );
    assert_eq!(
        told(&problems),
        "4:18 Cycle services.a: services wait for each other in a circle: a → b → a\n\
         5:16 Undefined services.a.networks: the network \"gone\" is not defined\n\
         6:15 Undefined services.a.env_file[0]: the env file /p/shop/nope.env does not exist\n\
         10:15 Undefined services.b.volumes: the volume \"lost\" is not defined\n\
         10:26 Undefined services.b.volumes: the volume \"sub/dir\" is not defined\n\
         11:5 Unsupported services.b.logging: Berth cannot honour this key yet, and does not ignore it silently"
    );
    assert!(problems[4].hint.as_deref().unwrap().contains("./sub/dir"));
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let nothing = load_with(&[("readme", "")], &[], &[]).unwrap_err();
    assert_eq!(nothing[0].rule, Rule::NothingFound);
    let yaml = bad("services:\n  a:\n   image: x\n     hostname: y\n");
    assert_eq!((yaml[0].rule, yaml[0].line), (Rule::Yaml, Some(4)));
    assert_eq!(bad("")[0].rule, Rule::Yaml);
    assert_eq!(bad("- a\n")[0].rule, Rule::Yaml);
    let dotenv = load_with(
        &[
            ("compose.yaml", "services: {}"),
            (".env", "A=1\nNOT GOOD=secret\n"),
        ],
        &[],
        &[],
    )
    .unwrap_err();
    assert_eq!((dotenv[0].rule, dotenv[0].line), (Rule::Dotenv, Some(2)));
    assert!(!format!("{dotenv:?}").contains("secret"));
}

#[test]
fn values_of_variables_are_not_told() {
    let files = [
        (
            "compose.yaml",
            "services:\n  a:\n    image: x\n    tty: ${S}\n    ports: ['${S}:80']\n    restart: ${S}\n    scale: ${S}\n    healthcheck: {test: x, interval: '${S}'}\n    mem_limit: ${S}\n    volumes: ['${S}:d:e:f']\n",
        ),
        (".env", "S=hunter2\n"),
    ];
    let problems = load_with(&files, &[], &[]).unwrap_err();
    assert!(problems.len() >= 4, "{}", told(&problems));
    assert!(
        !format!("{problems:?}").contains("hunter2"),
        "{}",
        told(&problems)
    );
    let files = [
        (
            "compose.yaml",
            "services:\n  a:\n    image: x\n    ports: ['${S}:80']\n    restart: ${S}\n    pull_policy: ${S}\n    volumes: ['a:/b:${S}']\n    extra_hosts: ['${S}']\n",
        ),
        (".env", "S=hunter2\n"),
    ];
    let problems = load_with(&files, &[], &[]).unwrap_err();
    assert!(problems.len() >= 4, "{}", told(&problems));
    assert!(
        !format!("{problems:?}").contains("hunter2"),
        "{}",
        told(&problems)
    );
}

#[test]
fn the_override_file_is_put_over_the_first() {
    let loaded = good(&[
        (
            "docker-compose.yml",
            "services: {a: {image: x, command: [one], ports: ['80'], environment: [K=1, L=1]}}",
        ),
        (
            "docker-compose.override.yml",
            "services: {a: {command: two, ports: ['81'], environment: {K: 2}, expose: !reset []}, b: {image: y}}",
        ),
    ]);
    let a = &loaded.project.services["a"];
    assert_eq!(a.command.as_deref(), Some(&["two".to_owned()][..]));
    assert_eq!(a.ports.len(), 2);
    assert_eq!(a.environment["K"].as_deref(), Some("2"));
    assert_eq!(a.environment["L"].as_deref(), Some("1"));
    assert!(loaded.project.services.contains_key("b"));
}

#[test]
fn variables_choose_files_name_and_profiles() {
    let files = [
        (
            ".env",
            "COMPOSE_FILE=one.yaml:two.yaml\nCOMPOSE_PROJECT_NAME=named\nCOMPOSE_PROFILES=p\n",
        ),
        (
            "one.yaml",
            "services: {a: {image: '${COMPOSE_PROJECT_NAME}'}, b: {image: x, profiles: [q]}}",
        ),
        ("two.yaml", "services: {c: {image: x, profiles: [p]}}"),
        ("compose.yaml", "services: {z: {image: x}}"),
    ];
    let loaded = good(&files);
    assert_eq!(loaded.project.name, "named");
    assert_eq!(loaded.project.services["a"].image.as_deref(), Some("named"));
    let names: Vec<_> = loaded.project.services.keys().collect();
    assert_eq!(names, ["a", "c"]);
    let asked = load_with(&files, &[("COMPOSE_PROJECT_NAME", "shell")], &["q"]).unwrap();
    assert_eq!(asked.project.name, "shell");
    let names: Vec<_> = asked.project.services.keys().collect();
    assert_eq!(names, ["a", "b"]);
    let illegal = load_with(&files, &[("COMPOSE_PROJECT_NAME", "Not Legal")], &[]).unwrap_err();
    assert_eq!(illegal[0].rule, Rule::Invalid);
}

#[test]
fn a_lone_dockerfile_is_a_project_of_one_service() {
    let loaded = good(&[("Dockerfile", "FROM x\nEXPOSE 3000\n")]);
    let service = &loaded.project.services["shop"];
    assert_eq!(
        service.build.as_ref().unwrap().context,
        Path::new("/p/shop")
    );
    assert_eq!(
        (
            service.ports[0].target,
            service.ports[0].published.as_deref()
        ),
        (3000, None)
    );
    assert!(loaded.project.networks.contains_key("default"));
    assert_eq!(loaded.read, [PathBuf::from("/p/shop/Dockerfile")]);
}

#[test]
fn what_means_nothing_here_is_said() {
    let loaded = good(&[(
        "compose.yaml",
        "version: '3'\nservices: {a: {image: 'x:${TAG}', deploy: {mode: global, replicas: 2}}}",
    )]);
    let keys: Vec<_> = loaded
        .warnings
        .iter()
        .map(|warning| warning.key.as_str())
        .collect();
    assert_eq!(
        keys,
        ["services.a.image", "version", "services.a.deploy.mode"]
    );
    assert_eq!(loaded.project.services["a"].scale, 2);
}

#[test]
fn exposed_ports_are_spelled_out() {
    let loaded = good(&[(
        "compose.yaml",
        "services: {a: {image: x, expose: [80, '82-83', '53/udp']}}",
    )]);
    let expose = &loaded.project.services["a"].expose;
    assert_eq!(expose, &["80/tcp", "82/tcp", "83/tcp", "53/udp"]);
    let problems = bad("services: {a: {image: x, expose: ['8080:80', web]}}");
    assert_eq!(problems.len(), 2);
}

#[test]
fn hostile_files_end_soon() {
    let started = std::time::Instant::now();
    let mut large = String::from("services:\n");
    for n in 0..3_000 {
        large += &format!(
            "  s{n}:\n    image: x\n    environment: [A=1, B=2, C=3]\n    depends_on: [s{}]\n",
            n / 2
        );
    }
    let problems = bad(&large);
    assert_eq!(problems[0].rule, Rule::Cycle, "s0 waits for itself");

    let wide = format!(
        "services: {{a: {{image: x, x-y: [{}]}}}}",
        "1, ".repeat(50_000)
    );
    good(&[("compose.yaml", &wide)]);

    let unknown: String = (0..5_000).map(|n| format!("k{n}: 1\n")).collect();
    assert_eq!(bad(&unknown).len(), 200);

    let mut tree: Vec<(String, String)> = Vec::new();
    for level in 0..40 {
        let next = level + 1;
        tree.push((
            format!("f{level}.yaml"),
            format!("include: [f{next}.yaml, f{next}.yaml]"),
        ));
    }
    tree.push(("f40.yaml".to_owned(), "services: {}".to_owned()));
    let mut files: Vec<(&str, &str)> = tree.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    files.push(("compose.yaml", "include: [f0.yaml]"));
    assert!(load_with(&files, &[], &[]).is_err());
    assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
}
