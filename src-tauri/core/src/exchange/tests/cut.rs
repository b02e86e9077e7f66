//! Imports that are cut off, and then repeated.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll};

use super::*;
use crate::testing::Cut;

/// Two handlers with secrets, a type and a service.
fn file() -> String {
    let mut file: Value = serde_json::from_str(&file_with_api()).unwrap();
    let cluster = json!({
        "provisionType": "kubernetes",
        "config": {
            "engine": "local-k3s",
            "kubernetes": {
                "label": "k3s",
                "apiServerUrl": "https://127.0.0.1:6443",
                "url": {"source": "ingressTemplate", "hostTemplate": "{{branch}}.localhost"},
            },
        },
    });
    file["handlers"].as_array_mut().unwrap().push(cluster);
    file.to_string()
}

fn all_secrets() -> Vec<(HandlerKey, NewSecrets)> {
    vec![
        (helm(), secrets(&[("API_TOKEN", "a"), ("EXTRA", "b")])),
        (
            key(ProvisionType::Kubernetes, None),
            secrets(&[("apiToken", "c")]),
        ),
    ]
}

/// What a workspace is after the file was imported in one go, and how many items
/// its keychain has.
async fn whole() -> (String, usize) {
    let machine = Machine::new().await;
    machine.import(&file(), None, all_secrets()).await.unwrap();
    (machine.export(None).await, machine.keychain.names().len())
}

/// Imports again what was cut off, on another connection to the keychain.
async fn finish(machine: &Machine) {
    let (berth, _) = machine.again().await;
    berth
        .import_workspace(file(), None, all_secrets())
        .await
        .unwrap();
    berth.remove_unreferenced_bundles().await;
}

#[tokio::test]
async fn cut_off_at_any_call_to_the_keychain_it_is_finished_by_another() {
    let (expected, items) = whole().await;
    let machine = Machine::new().await;
    let (berth, keychain) = machine.again().await;
    berth
        .import_workspace(file(), None, all_secrets())
        .await
        .unwrap();
    let calls = keychain.calls();
    assert!(calls >= 6, "{calls}");
    for call in 1..=calls {
        for cut in [Cut::Before, Cut::After] {
            let machine = Machine::new().await;
            let (berth, keychain) = machine.again().await;
            keychain.cut_at(call, cut);
            // Cut in what comes after the last handler is written it may succeed.
            let _ = berth.import_workspace(file(), None, all_secrets()).await;
            drop(berth);
            finish(&machine).await;
            assert_eq!(machine.export(None).await, expected, "call {call}, {cut:?}");
            assert_eq!(
                machine.keychain.names().len(),
                items,
                "call {call}, {cut:?}"
            );
        }
    }
}

/// Whether it ended within so many polls; afterwards it is dropped.
async fn ends_within<F: Future>(polls: usize, future: F) -> bool {
    let mut future = pin!(future);
    let mut left = polls;
    std::future::poll_fn(|context: &mut Context<'_>| {
        if left == 0 {
            return Poll::Ready(false);
        }
        left -= 1;
        future.as_mut().poll(context).map(|_| true)
    })
    .await
}

#[tokio::test]
async fn dropped_at_any_moment_it_is_finished_by_another() {
    let (expected, items) = whole().await;
    let mut polls = 0;
    loop {
        polls += 1;
        let machine = Machine::new().await;
        let (berth, _) = machine.again().await;
        let ended = ends_within(polls, berth.import_workspace(file(), None, all_secrets())).await;
        drop(berth);
        finish(&machine).await;
        assert_eq!(machine.export(None).await, expected, "{polls} polls");
        assert_eq!(machine.keychain.names().len(), items, "{polls} polls");
        if ended {
            break;
        }
    }
    assert!(polls > 8, "{polls}");
}

#[tokio::test]
async fn a_locked_keychain_stops_it_where_it_is_and_unlocked_it_goes_on() {
    let (expected, items) = whole().await;
    let machine = Machine::new().await;
    machine.keychain.lock(true);
    let problem = machine
        .import(&file(), None, all_secrets())
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::SecretStoreLocked);
    machine.keychain.lock(false);
    machine.import(&file(), None, all_secrets()).await.unwrap();
    assert_eq!(machine.export(None).await, expected);
    assert_eq!(machine.keychain.names().len(), items);
}
