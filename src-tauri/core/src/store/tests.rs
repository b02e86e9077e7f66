use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use berth_contracts::{Engine, ProvisionType, ServiceProvisioning};
use berth_engines::docker::PortKey;
use rusqlite::Transaction;
use tempfile::TempDir;

use super::environments::{EngineRef, NewEnvironment};
use super::*;
use crate::view::{Selector, Service, Source};

mod clean;
mod events;
mod handlers;
mod killed;
mod ports;
mod records;
mod schema;
mod snapshot;

async fn opened() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("berth.db")).await.unwrap();
    (folder, store)
}

fn add_service(tx: &Transaction<'_>, name: &str) -> Result<Service, StoreError> {
    services::insert(
        tx,
        1,
        "default",
        name,
        &Source::Folder {
            path: format!("/home/me/{name}"),
            git: true,
        },
        &ServiceProvisioning {
            compose_path: Some("compose.yaml".to_owned()),
            ..ServiceProvisioning::of(ProvisionType::DockerCompose)
        },
    )
}

fn of(service: &Service, name: &str) -> NewEnvironment {
    NewEnvironment {
        workspace_id: "default".to_owned(),
        service_id: service.id.clone(),
        service_name: service.name.clone(),
        name: name.to_owned(),
        selector: Selector::Ref {
            name: "feature/checkout".to_owned(),
        },
        key: format!("ref:{name}"),
        provision_type: ProvisionType::DockerCompose,
        engine: EngineRef {
            engine: Engine::LocalDocker,
            label: "Local Docker".to_owned(),
            address: "unix:///var/run/docker.sock".to_owned(),
            rule: "platform default".to_owned(),
            id: None,
        },
        made_with: None,
        project: format!("berth-{name}"),
        host: name.to_owned(),
        expires_at: Some(7_200_000),
    }
}

fn add_environment(
    tx: &Transaction<'_>,
    service: &Service,
    name: &str,
) -> Result<String, StoreError> {
    let id = new_id(tx)?;
    environments::insert(tx, 10, &id, &of(service, name))?;
    Ok(id)
}

/// Adds a service and a live environment of it.
pub(crate) async fn with_live_environment(store: &Store) -> String {
    store
        .write(|tx| {
            let service = add_service(tx, "shop-api")?;
            add_environment(tx, &service, "shop-api-main")
        })
        .await
        .unwrap()
}

/// A store with one service and one environment.
async fn with_environment() -> (TempDir, Store, String) {
    let (folder, store) = opened().await;
    let id = with_live_environment(&store).await;
    (folder, store, id)
}

fn port(service: &str, target: u16) -> PortKey {
    PortKey {
        service: service.to_owned(),
        target,
        protocol: "tcp".to_owned(),
    }
}

/// Runs an ignored test of this program in a process of its own. It reads from
/// a pipe that stays open as long as the child is held.
pub(crate) fn in_a_process_of_its_own(test: &str, folder: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--ignored", "--nocapture"])
        .env("BERTH_TEST_FOLDER", folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Holds until the child has printed a line with `mark`.
pub(crate) fn until_it_says(child: &mut Child, mark: &str) {
    let mut lines = BufReader::new(child.stdout.as_mut().unwrap()).lines();
    assert!(
        lines.any(|line| line.unwrap().contains(mark)),
        "the child ended without saying {mark}"
    );
}

/// What a child was given to work on.
pub(crate) fn folder_of_this_child() -> PathBuf {
    std::env::var_os("BERTH_TEST_FOLDER").unwrap().into()
}

/// Holds a child until its parent closes the pipe.
pub(crate) fn until_let_go() {
    std::io::stdin().lines().for_each(drop);
}

#[tokio::test]
async fn a_write_that_fails_leaves_nothing() {
    let (_folder, store) = opened().await;
    let before = store.read(super::events::last).await.unwrap();
    let failed: Result<(), _> = store
        .write(|tx| {
            add_service(tx, "shop-api")?;
            Err(StoreError::Closed)
        })
        .await;
    assert!(failed.is_err());
    let (services, last) = store
        .read(|connection| {
            Ok((
                services::list(connection, "default")?,
                super::events::last(connection)?,
            ))
        })
        .await
        .unwrap();
    assert!(services.is_empty());
    assert_eq!(last, before);
}

#[tokio::test]
async fn a_write_nobody_waits_for_is_done_all_the_same() {
    let (_folder, store) = opened().await;
    let (go, gone) = mpsc::channel::<()>();
    {
        let abandoned = store.write(move |tx| {
            // Held until nobody waits any more.
            assert!(gone.recv().is_err());
            add_service(tx, "shop-api")
        });
        tokio::pin!(abandoned);
        // Polled once: handed to the thread, then given up.
        assert!(futures_util::poll!(&mut abandoned).is_pending());
    }
    drop(go);
    store.write(|_| Ok(())).await.unwrap();
    let services = store
        .read(|connection| services::list(connection, "default"))
        .await
        .unwrap();
    assert_eq!(services.len(), 1);
}

#[tokio::test]
async fn a_refusal_inside_a_write_keeps_its_words() {
    let (_folder, store) = opened().await;
    let error = store
        .write(|_| -> Result<(), _> {
            Err(crate::Problem::new(crate::Code::InvalidInput, "No such day").into())
        })
        .await
        .unwrap_err();
    let problem = crate::Problem::from(error);
    assert_eq!(problem.code, crate::Code::InvalidInput);
    assert_eq!(problem.title, "No such day");
}

#[tokio::test]
async fn the_reading_side_cannot_write() {
    let (_folder, store) = opened().await;
    let written = store
        .read(|connection| Ok(connection.execute("DELETE FROM events", [])?))
        .await;
    assert!(written.is_err());
}

#[tokio::test]
async fn a_reader_comes_in_beside_one_that_writes() {
    let (folder, store, id) = with_environment().await;
    let (begun, holds) = oneshot::channel();
    let (go, gone) = mpsc::channel::<()>();
    let writing = tokio::spawn(async move {
        store
            .write(move |tx| {
                environments::set_checkout(tx, 20, &id, Some("/x"))?;
                begun.send(()).unwrap();
                assert!(gone.recv().is_err());
                Ok(())
            })
            .await
    });
    holds.await.unwrap();
    // Another process would do the same: open, and read what was before.
    let other = Store::open(&folder.path().join("berth.db")).await.unwrap();
    let seen = other.read(environments::live).await.unwrap();
    assert_eq!(seen.len(), 1);
    assert_eq!(seen[0].checkout, None);
    drop(go);
    writing.await.unwrap().unwrap();
    let seen = other.read(environments::live).await.unwrap();
    assert_eq!(seen[0].checkout.as_deref(), Some("/x"));
}

#[tokio::test]
async fn what_is_written_durably_is_there_too() {
    let (_folder, store) = opened().await;
    store
        .write_durably(|tx| {
            let level: i64 = tx.pragma_query_value(None, "synchronous", |row| row.get(0))?;
            assert_eq!(level, 2, "FULL");
            Ok(())
        })
        .await
        .unwrap();
    let level: i64 = store
        .write(|tx| Ok(tx.pragma_query_value(None, "synchronous", |row| row.get(0))?))
        .await
        .unwrap();
    assert_eq!(level, 1, "NORMAL");
}

#[tokio::test]
async fn ids_are_short_distinct_and_fit_for_labels() {
    let (_folder, store) = opened().await;
    let ids: std::collections::HashSet<String> = store
        .read(|connection| (0..2_000).map(|_| new_id(connection)).collect())
        .await
        .unwrap();
    assert_eq!(ids.len(), 2_000);
    for id in ids {
        assert_eq!(id.len(), 12);
        assert!(
            id.bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        );
    }
}
