//! Handlers that change, are switched or go while their environments run.

use std::fs;

use berth_tests::{CommandLine, Engine, EngineKind};
use serde_json::{Value, json};

use crate::bench::{Bench, Shop, label, page, page_project, text};

/// Two engines; `docker` means the old one, the workspace's handler the modern one.
struct TwoEngines {
    /// With the engine that the handler does not name.
    bench: Bench,
    named: Engine,
    shop: Shop,
}

impl TwoEngines {
    fn new() -> Self {
        let bench = Bench::on(EngineKind::Old);
        let named = Engine::shared(EngineKind::Modern);
        bench.set(&json!({"endpoint": named.address()}));
        let shop = Shop::new(&[("compose.yaml", &page_project("first"))]);
        Self { bench, named, shop }
    }

    fn berth(&self) -> &CommandLine {
        &self.bench.berth
    }

    /// Everything that is asked of an environment goes to the engine that it was made on, and it goes
    /// without a trace.
    fn is_dealt_with_where_it_was_made(&self, environment: &Value) {
        let name = text(environment, "name");
        let status = self.bench.status(name);
        let parts = status["environment"]["parts"].as_array().unwrap();
        assert_eq!(parts.len(), 1, "{status:#}");
        assert_eq!(parts[0]["state"], "running", "{status:#}");
        assert_eq!(status["environment"]["madeWith"]["label"], "Local Docker");
        let log = self.berth().succeed(["logs", name]);
        assert!(log.contains("it was started"), "{log}");

        // What is there is brought up to date.
        let compose = self.shop.folder().join("compose.yaml");
        fs::write(&compose, page_project("second")).unwrap();
        self.berth().succeed(["retry", name]);
        let environment = &self.bench.status(name)["environment"];
        assert_eq!(page(environment), "second\n");
        assert_eq!(self.named.labelled(&label(environment)).containers.len(), 1);
        assert!(self.bench.engine.labelled(&label(environment)).is_empty());

        // So is one that was made again from nothing.
        let filter = format!("label={}", label(environment));
        let container = self.named.docker(["ps", "-q", "--filter", &filter]);
        self.named.docker(["rm", "--force", &container]);
        self.berth().succeed(["retry", name]);
        let environment = &self.bench.status(name)["environment"];
        assert_eq!(page(environment), "second\n");
        assert!(self.bench.engine.labelled(&label(environment)).is_empty());

        let down = self.berth().succeed(["down", name, "--json"]);
        assert!(!down.contains("\"problem\":{"), "{down}");
        assert!(self.named.labelled(&label(environment)).is_empty());
        let status = self.bench.status(name);
        assert_eq!(status["environment"]["status"], "torn_down");
    }
}

#[test]
fn a_handler_is_removed_while_its_environment_runs() {
    let two = TwoEngines::new();
    let made = two.bench.up(&[&two.shop.path()]);
    let said = two.berth().run(["handler", "rm", "docker-compose"]);
    assert!(said.status.success(), "{said:?}");
    let gone = two.berth().succeed(["handler", "ls"]);
    assert!(!gone.contains("Local Docker"), "{gone}");
    two.is_dealt_with_where_it_was_made(&made);
    // A new one finds no handler.
    let (problem, code) = two.bench.refused(&[&two.shop.path()]);
    assert_eq!((text(&problem, "code"), code), ("no_handler", 1));
}

#[test]
fn a_handler_is_replaced_by_one_of_another_engine_while_its_environment_runs() {
    let two = TwoEngines::new();
    let made = two.bench.up(&[&two.shop.path()]);
    let elsewhere = two.bench.engine.address();
    two.bench.set(&json!({"endpoint": elsewhere}));
    let set = ["handler", "set", "docker-compose", "--label", "The other"];
    two.berth().succeed(set);
    two.is_dealt_with_where_it_was_made(&made);
    let made = two.bench.up(&[&two.shop.path()]);
    assert_eq!(text(&made["madeWith"], "label"), "The other");
    assert_eq!(two.bench.engine.labelled(&label(&made)).containers.len(), 1);
    two.bench.end(&[&made]);
}

#[test]
fn a_handler_is_replaced_by_one_of_another_kind_while_its_environment_runs() {
    let two = TwoEngines::new();
    let made = two.bench.up(&[&two.shop.path()]);
    // The engine that `docker` means, whichever that is, in place of a named one.
    two.bench.unset("endpoint");
    two.is_dealt_with_where_it_was_made(&made);
}

#[test]
fn an_engine_that_is_not_there_any_more_is_said_and_nothing_is_forgotten() {
    let mut named = Engine::start(EngineKind::Modern);
    let bench = Bench::on(EngineKind::Old);
    bench.set(&json!({"endpoint": named.address()}));
    let shop = Shop::new(&[("compose.yaml", &page_project("first"))]);
    let made = bench.up(&[&shop.path()]);
    let name = text(&made, "name");
    bench.berth.succeed(["handler", "rm", "docker-compose"]);
    named.kill();
    let down = bench.berth.run(["down", name]);
    assert_eq!(down.status.code(), Some(3), "{down:?}");
    let said = String::from_utf8_lossy(&down.stderr).into_owned();
    assert!(said.contains(&named.address()), "{said}");
    named.start_again();
    assert!(!named.labelled(&label(&made)).is_empty());
    bench.berth.succeed(["down", name]);
    assert!(named.labelled(&label(&made)).is_empty());
}

#[test]
fn an_override_is_used_until_it_is_switched_off() {
    let two = TwoEngines::new();
    let (berth, bench) = (two.berth(), &two.bench);
    let own = format!(
        "/manifest/providerConfig/endpoint={}",
        bench.engine.address()
    );
    berth.succeed([
        "handler",
        "override",
        "docker-compose",
        "--set=/manifest/label=Mine",
        "--set",
        &own,
        "--set=/manifest/providerConfig/ttlMinutes=30",
    ]);
    let mine = bench.up(&[&two.shop.path()]);
    assert_eq!(mine["madeWith"]["label"], "Mine");
    assert_eq!(mine["madeWith"]["scope"]["type"], "user");
    assert_eq!(bench.engine.labelled(&label(&mine)).containers.len(), 1);
    assert!(two.named.labelled(&label(&mine)).is_empty());
    let explained = berth.succeed(["handler", "explain", "shop"]);
    assert!(
        explained.contains("is handled by Mine, your override (local-docker)"),
        "{explained}"
    );

    // The next start uses the workspace's; which environment still has the other is shown.
    let off = berth.run(["handler", "override", "off", "docker-compose"]);
    let said = String::from_utf8_lossy(&off.stderr).into_owned();
    assert!(said.contains("Local Docker, the workspace's"), "{said}");
    let shown = berth.succeed(["handler", "show", "docker-compose"]);
    assert!(shown.contains(text(&mine, "name")), "{shown}");
    let explained = berth.succeed(["handler", "explain", "shop"]);
    assert!(explained.contains("is switched off"), "{explained}");
    let other = bench.up(&[&two.shop.path(), "--name", "other"]);
    assert_eq!(other["madeWith"]["label"], "Local Docker");
    assert_eq!(two.named.labelled(&label(&other)).containers.len(), 1);
    assert!(bench.engine.labelled(&label(&other)).is_empty());

    // What is there stays where it is.
    let (problem, code) = bench.refused(&[&two.shop.path()]);
    assert_eq!((text(&problem, "code"), code), ("made_elsewhere", 1));
    let detail = text(&problem, "detail");
    for word in [
        "Mine",
        "Local Docker",
        &bench.engine.address(),
        &two.named.address(),
    ] {
        assert!(detail.contains(word), "{word}: {detail}");
    }
    assert!(text(&problem, "hint").contains("Tear it down first"));
    let written = berth.run(["up", &two.shop.path()]);
    let written = String::from_utf8_lossy(&written.stderr).into_owned();
    assert!(written.contains(text(&problem, "hint")), "{written}");
    assert_eq!(
        page(&bench.status(text(&mine, "name"))["environment"]),
        "first\n"
    );
    assert!(two.named.labelled(&label(&mine)).is_empty());

    berth.succeed(["down", text(&mine, "name")]);
    assert!(bench.engine.labelled(&label(&mine)).is_empty());
    let moved = bench.up(&[&two.shop.path()]);
    assert_eq!(moved["madeWith"]["label"], "Local Docker");
    assert_eq!(two.named.labelled(&label(&moved)).containers.len(), 1);

    // Switched on again it was never lost.
    berth.succeed(["handler", "override", "on", "docker-compose"]);
    let again = bench.up(&[&two.shop.path(), "--name", "again"]);
    assert_eq!(again["madeWith"]["label"], "Mine");
    berth.succeed(["handler", "override", "reset", "docker-compose"]);
    // Its environment is dealt with all the same.
    assert_eq!(
        page(&bench.status(text(&again, "name"))["environment"]),
        "first\n"
    );
    berth.succeed(["down", "--all"]);
    for environment in [&mine, &other, &moved, &again] {
        assert!(two.named.labelled(&label(environment)).is_empty());
        assert!(bench.engine.labelled(&label(environment)).is_empty());
    }
}
