use super::*;
use crate::secrets::FakeKeychain;
use crate::secrets::lock::SecretsLocks;

fn calls(keychain: &FakeKeychain, patience: Duration) -> Calls {
    Calls {
        patience: Patience {
            ordinary: patience,
            asking: patience,
        },
        ..Calls::of(
            SecretStoreKind::Keychain,
            Arc::new(keychain.clone()),
            "here".into(),
        )
    }
}

const SHORT: Duration = Duration::from_millis(50);
const LONG: Duration = Duration::from_secs(60);

/// Holds until that many calls hang.
fn until_hanging(keychain: &FakeKeychain, calls: usize) {
    while keychain.hanging() != calls {
        std::thread::yield_now();
    }
}

/// Holds until the call that nobody waits for has come to its end.
async fn until_it_ends(calls: &Calls) {
    let mut under_way = calls.under_way.subscribe();
    under_way.wait_for(|it| !it.overdue).await.unwrap();
}

#[tokio::test]
async fn a_call_that_hangs_ends_in_time_and_the_next_ones_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let lock = SecretsLocks::at(folder.path().join("lock"));
    let keychain = FakeKeychain::new();
    let mut calls = calls(&keychain, SHORT);
    calls.prepare().await.unwrap();
    keychain.hang(true);
    let text = SecretString::from("value");
    let put = calls
        .put(lock.wait().await.unwrap(), "one", text.clone())
        .await;
    assert!(matches!(put, Err(StoreFailure::Silent)));

    // However long they would wait.
    calls.patience.ordinary = LONG;
    calls.patience.asking = LONG;
    for _ in 0..100 {
        assert!(matches!(calls.take("one").await, Err(StoreFailure::Silent)));
    }
    assert_eq!(keychain.hanging(), 1, "no threads pile up");
    // It may still be written: nobody else may look for leftovers.
    assert!(lock.wait_briefly().await.unwrap().is_none());

    keychain.hang(false);
    until_it_ends(&calls).await;
    let taken = calls.take("one").await.unwrap().unwrap();
    assert_eq!(secrecy::ExposeSecret::expose_secret(&taken), "value");
    assert!(lock.wait_briefly().await.unwrap().is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_dropped_is_not_waited_for() {
    let keychain = FakeKeychain::new();
    let calls = calls(&keychain, LONG);
    keychain.hang(true);
    let waiting = tokio::spawn({
        let calls = calls.clone();
        async move { calls.prepare().await }
    });
    until_hanging(&keychain, 1);
    waiting.abort();
    assert!(waiting.await.unwrap_err().is_cancelled());
    assert!(matches!(calls.ready().await, Err(StoreFailure::Silent)));
    keychain.hang(false);
    until_it_ends(&calls).await;
    calls.ready().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn who_waits_for_a_turn_hears_when_the_call_before_is_given_up() {
    let keychain = FakeKeychain::new();
    let calls = calls(&keychain, LONG);
    keychain.hang(true);
    let first = tokio::spawn({
        let calls = calls.clone();
        async move { calls.ready().await }
    });
    until_hanging(&keychain, 1);
    let second = tokio::spawn({
        let calls = calls.clone();
        async move { calls.ready().await }
    });
    first.abort();
    let second = second.await.unwrap();
    assert!(matches!(second, Err(StoreFailure::Silent)));
    keychain.hang(false);
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_take_turns() {
    let keychain = FakeKeychain::new();
    let calls = calls(&keychain, LONG);
    keychain.hang(true);
    let all: Vec<_> = (0..20)
        .map(|_| {
            let calls = calls.clone();
            tokio::spawn(async move { calls.ready().await })
        })
        .collect();
    until_hanging(&keychain, 1);
    keychain.hang(false);
    for one in all {
        one.await.unwrap().unwrap();
    }
    assert_eq!(keychain.calls(), 20);
}

#[tokio::test]
async fn a_store_that_panics_is_broken_and_can_be_used_again() {
    struct Panics;
    impl SecretStore for Panics {
        fn product(&self) -> &str {
            "panics"
        }
        fn largest_value(&self) -> Option<usize> {
            None
        }
        fn ready(&self, ask: Ask) -> Result<(), StoreFailure> {
            assert_eq!(ask, Ask::Never);
            Ok(())
        }
        fn get(&self, _: &str) -> Result<Option<SecretString>, StoreFailure> {
            Ok(None)
        }
        fn set(&self, _: &str, _: &SecretString) -> Result<(), StoreFailure> {
            Ok(())
        }
        fn delete(&self, _: &str) -> Result<(), StoreFailure> {
            Ok(())
        }
    }
    let calls = Calls::of(SecretStoreKind::Keychain, Arc::new(Panics), "here".into());
    let broken = calls.prepare().await;
    assert!(matches!(broken, Err(StoreFailure::Broken(_))));
    calls.ready().await.unwrap();
}
