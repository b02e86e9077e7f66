#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::sync::Mutex;

use berth_engines::Verdict;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::*;
use crate::Options;
use crate::view::Actor;

struct Opened {
    home: TempDir,
    berth: Berth,
}

/// On a data folder of its own; `DOCKER_HOST` names no socket.
async fn opened() -> Opened {
    let home = tempfile::tempdir().unwrap();
    let mut options = Options::from_process(Actor::CommandLine);
    options.data_dir = Some(home.path().join("data"));
    options.environment = BTreeMap::from([
        ("HOME".to_owned(), home.path().display().to_string()),
        (
            "DOCKER_HOST".to_owned(),
            address(&home.path().join("no.sock")),
        ),
    ]);
    let berth = Berth::open(options).await.unwrap();
    Opened { home, berth }
}

fn address(socket: &Path) -> String {
    format!("unix://{}", socket.display())
}

fn listen(socket: &Path) -> UnixListener {
    std::fs::create_dir_all(socket.parent().unwrap()).unwrap();
    UnixListener::bind(socket).unwrap()
}

fn local_docker(endpoint: Option<&str>) -> Value {
    let mut document = berth_contracts::documents::bare_docker_handler();
    if let Some(endpoint) = endpoint {
        document["manifest"]["providerConfig"]["endpoint"] = json!(endpoint);
    }
    document
}

fn draft(document: &Value) -> HandlerDraft {
    HandlerDraft {
        scope: HandlerScope::Workspace,
        key: None,
        backend_kind: None,
        text: document.to_string(),
    }
}

/// A test, and everything that it told.
async fn tested(berth: &Berth, document: &Value) -> (Result<bool, Problem>, Vec<CheckUpdate>) {
    let heard = Mutex::new(Vec::new());
    let ended = berth
        .test_handler(
            draft(document),
            NewSecrets::default(),
            CancellationToken::new(),
            |update| heard.lock().unwrap().push(update),
        )
        .await;
    (ended, heard.into_inner().unwrap())
}

#[tokio::test]
async fn a_document_with_faults_is_refused_before_any_check() {
    let Opened { berth, .. } = opened().await;
    let mut document = local_docker(Some("tcp://build:2375"));
    document["manifest"]["providerId"] = json!("Not A Name");
    let (ended, heard) = tested(&berth, &document).await;
    let problem = ended.unwrap_err();
    assert_eq!(problem.code, Code::InvalidDocument);
    assert!(!problem.places.is_empty(), "{problem:?}");
    assert_eq!(heard, []);
}

#[tokio::test]
async fn the_ladder_is_told_from_its_plan_to_its_end_and_nothing_is_stored() {
    let Opened { home, berth } = opened().await;
    let before = berth.snapshot().await.unwrap().sequence;
    let own = home.path().join("own.sock");
    let engine = listen(&own);
    std::thread::spawn(move || engine.incoming().for_each(drop));
    let (ended, heard) = tested(&berth, &local_docker(Some(&address(&own)))).await;
    assert_eq!(ended, Ok(false));
    let [
        CheckUpdate::Expected { checks },
        changes @ ..,
        CheckUpdate::Finished { passed: false },
    ] = heard.as_slice()
    else {
        panic!("{heard:#?}");
    };
    assert!(checks.iter().all(|check| check.verdict == Verdict::Waiting));
    let verdict = |key: &str| {
        changes.iter().rev().find_map(|change| match change {
            CheckUpdate::Changed { check } if check.key == key => Some(&check.verdict),
            _ => None,
        })
    };
    assert_eq!(verdict("socket"), Some(&Verdict::Passed));
    assert_eq!(verdict("reachable"), Some(&Verdict::Failed));
    let because = "reachable".to_owned();
    assert_eq!(
        verdict("address_pools"),
        Some(&Verdict::Skipped { because })
    );
    assert_eq!(berth.snapshot().await.unwrap().sequence, before);
}

#[tokio::test]
async fn a_secret_that_an_engine_quotes_is_not_told() {
    use std::io::{Read as _, Write as _};

    let Opened { home, berth } = opened().await;
    let own = home.path().join("own.sock");
    let engine = listen(&own);
    std::thread::spawn(move || {
        for mut stream in engine.incoming().flatten() {
            let _ = stream.read(&mut [0; 1024]);
            let _ = stream.write_all(
                b"HTTP/1.1 500 Oh\r\n\r\n{\"message\":\"proxy refused password=hunter2hunter2\"}",
            );
        }
    });
    let (ended, heard) = tested(&berth, &local_docker(Some(&address(&own)))).await;
    assert_eq!(ended, Ok(false));
    let told = serde_json::to_string(&heard).unwrap();
    assert!(told.contains("HTTP 500: proxy refused"), "{told}");
    assert!(told.contains("own.sock"), "{told}");
    assert!(!told.contains("hunter2"), "{told}");
}

#[tokio::test]
async fn without_an_address_the_surroundings_choose() {
    let Opened { berth, .. } = opened().await;
    let (ended, heard) = tested(&berth, &local_docker(None)).await;
    assert_eq!(ended, Ok(false));
    let told = serde_json::to_string(&heard).unwrap();
    assert!(
        told.contains("no.sock, which is named by DOCKER_HOST"),
        "{told}"
    );
}

#[tokio::test]
async fn an_engine_that_cannot_be_tested_yet_is_no_pass() {
    let Opened { berth, .. } = opened().await;
    for document in [
        include_str!("../../contracts/src/documents/starters/k3s_handler.json"),
        include_str!("../../contracts/src/documents/starters/remote_custom_handler.json"),
    ] {
        let document = serde_json::from_str(document).unwrap();
        let (ended, heard) = tested(&berth, &document).await;
        assert_eq!(ended, Ok(false));
        let [
            ..,
            CheckUpdate::Changed { check },
            CheckUpdate::Finished { passed: false },
        ] = heard.as_slice()
        else {
            panic!("{heard:#?}");
        };
        assert_eq!(check.verdict, Verdict::Warned);
        assert!(check.detail.as_deref().unwrap().contains("cannot test"));
    }
}

#[tokio::test]
async fn a_test_that_is_stopped_says_so_and_ends_at_once() {
    let Opened { home, berth } = opened().await;
    // It takes connections and says nothing.
    let own = home.path().join("own.sock");
    let _engine = listen(&own);
    let cancel = CancellationToken::new();
    let ended = berth
        .test_handler(
            draft(&local_docker(Some(&address(&own)))),
            NewSecrets::default(),
            cancel.clone(),
            |update| {
                if matches!(&update, CheckUpdate::Changed { check } if check.key == "reachable") {
                    cancel.cancel();
                }
            },
        )
        .await;
    assert_eq!(ended.unwrap_err().code, Code::Cancelled);
}

#[tokio::test]
async fn engines_are_found_with_the_handler_that_names_them() {
    let Opened { home, berth } = opened().await;
    let colima = home.path().join(".colima/default/docker.sock");
    let desktop = home.path().join(".docker/desktop/docker.sock");
    let _engines = (listen(&colima), listen(&desktop));
    let told = async || {
        let mut found = berth.found_engines().await.unwrap();
        // The machine may have others.
        found.retain(|it| it.address.contains(home.path().to_str().unwrap()));
        found
            .into_iter()
            .map(|it| (it.product, it.has_handler))
            .collect::<Vec<_>>()
    };
    let desktop_and_colima = |handled| {
        [
            ("Docker Desktop".to_owned(), false),
            ("Colima".to_owned(), handled),
        ]
    };
    assert_eq!(told().await, desktop_and_colima(false));
    berth
        .save_handler(
            draft(&local_docker(Some(&address(&colima)))),
            NewSecrets::default(),
        )
        .await
        .unwrap();
    assert_eq!(told().await, desktop_and_colima(true));
    // The ladder of the engine in effect is that handler's.
    let heard = Mutex::new(Vec::new());
    let cancel = CancellationToken::new();
    let tested = berth.test_docker(cancel.clone(), |update| {
        if matches!(&update, CheckUpdate::Changed { check } if check.key == "reachable") {
            cancel.cancel();
        }
        heard.lock().unwrap().push(update);
    });
    assert_eq!(tested.await.unwrap_err().code, Code::Cancelled);
    let told = serde_json::to_string(&heard.into_inner().unwrap()).unwrap();
    assert!(
        told.contains(".colima/default/docker.sock, named by the handler"),
        "{told}"
    );
}
