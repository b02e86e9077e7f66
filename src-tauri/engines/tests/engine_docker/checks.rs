//! The connection test against engines that are really there.

use berth_engines::docker::{EndpointSources, check_connection, connection_checks};
use berth_engines::{Check, Verdict};
use berth_tests::{Engine, EngineKind};
use tokio_util::sync::CancellationToken;

/// Engines of their own, since everything in them is counted.
#[tokio::test]
async fn every_check_passes_on_the_oldest_engine_and_nothing_is_made() {
    passes(&Engine::start(EngineKind::Old)).await;
}

#[tokio::test]
async fn every_check_passes_on_the_newest_engine_and_nothing_is_made() {
    passes(&Engine::start(EngineKind::Modern)).await;
}

async fn passes(engine: &Engine) {
    let before = engine.contents();
    let (passed, checks) = climb(engine).await;
    assert!(passed, "{checks:#?}");
    for check in &checks {
        // A small disk is worth a warning, whoever's it is.
        let fine = check.verdict == Verdict::Passed
            || check.key == "storage" && check.verdict == Verdict::Warned;
        assert!(fine, "{check:#?}");
    }
    let fact = |key: &str, name: &str| {
        let check = checks.iter().find(|check| check.key == key).unwrap();
        let fact = check.facts.iter().find(|fact| fact.name == name);
        fact.unwrap_or_else(|| panic!("no {name} in {check:#?}"))
            .value
            .clone()
    };
    let newest = match engine.kind() {
        EngineKind::Old => "1.41",
        EngineKind::Modern => "1.51",
    };
    assert_eq!(fact("api", "Agreed"), newest);
    assert_eq!(fact("storage", "Driver"), "overlay2");
    // It runs on this kernel, so its folder can be looked at.
    assert!(fact("storage", "Free").contains('B'));
    // The three that every engine has.
    assert_eq!(fact("address_pools", "Networks"), "3");
    assert!(fact("address_pools", "Room for").parse::<u64>().unwrap() > 0);
    assert_eq!(engine.contents(), before);
}

async fn climb(engine: &Engine) -> (bool, Vec<Check>) {
    let sources = EndpointSources::default();
    let mut checks = connection_checks();
    let mut tell = |check: &Check| {
        *checks.iter_mut().find(|it| it.key == check.key).unwrap() = check.clone();
    };
    let cancel = CancellationToken::new();
    let passed = check_connection(&sources, Some(&engine.address()), &cancel, &mut tell)
        .await
        .unwrap();
    (passed, checks)
}
