use berth_contracts::{ProvisionType, ServiceProvisioning};
use berth_core::view::{Service, Workspace};

use super::*;
use crate::sample;

fn service(id: &str, path: &str) -> Service {
    Service {
        id: id.to_owned(),
        name: id.to_owned(),
        source: Source::Folder {
            path: path.to_owned(),
            git: true,
        },
        provisioning: ServiceProvisioning::of(ProvisionType::DockerCompose),
        created_at: 0,
    }
}

fn environment(name: &str, service: &str, selector: Selector) -> Environment {
    Environment {
        name: name.to_owned(),
        service_id: service.to_owned(),
        selector,
        ..sample::environment()
    }
}

fn snapshot(environments: Vec<Environment>) -> Snapshot {
    Snapshot {
        sequence: 0,
        workspace: Workspace {
            id: "default".to_owned(),
            name: "Default".to_owned(),
        },
        services: vec![service("outer", "/src"), service("shop", "/src/shop")],
        environments,
    }
}

fn reference(name: &str) -> Selector {
    Selector::Ref {
        name: name.to_owned(),
    }
}

#[test]
fn the_nearest_service_counts() {
    let found = of_folder(
        snapshot(vec![
            environment("outer", "outer", Selector::WorkingTree),
            environment("shop", "shop", Selector::WorkingTree),
        ]),
        Path::new("/src/shop/web"),
    );
    assert_eq!(found.unwrap().name, "shop");
}

#[test]
fn the_working_tree_wins_over_refs() {
    let found = of_folder(
        snapshot(vec![
            environment("shop-main", "shop", reference("main")),
            environment("shop", "shop", Selector::WorkingTree),
        ]),
        Path::new("/src/shop"),
    );
    assert_eq!(found.unwrap().name, "shop");
}

#[test]
fn the_only_one_will_do() {
    let mut gone = environment("old", "shop", Selector::WorkingTree);
    gone.status = EnvironmentStatus::TornDown;
    let found = of_folder(
        snapshot(vec![
            gone,
            environment("shop-main", "shop", reference("main")),
        ]),
        Path::new("/src/shop"),
    );
    assert_eq!(found.unwrap().name, "shop-main");
}

#[test]
fn several_are_named() {
    let problem = of_folder(
        snapshot(vec![
            environment("shop-a", "shop", reference("a")),
            environment("shop-b", "shop", reference("b")),
        ]),
        Path::new("/src/shop"),
    )
    .unwrap_err();
    assert_eq!(problem.code, Code::Ambiguous);
    assert_eq!(
        problem.hint.as_deref(),
        Some("Name one of them: shop-a, shop-b.")
    );
}

#[test]
fn elsewhere_there_is_none() {
    for folder in ["/srcshop", "/", "/src"] {
        let problem = of_folder(
            snapshot(vec![environment("shop", "shop", Selector::WorkingTree)]),
            Path::new(folder),
        )
        .unwrap_err();
        assert_eq!(problem.code, Code::NotFound, "{folder}");
    }
}
