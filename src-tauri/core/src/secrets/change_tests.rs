use std::collections::BTreeMap;
use std::path::Path;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use berth_contracts::ProvisionType;
use berth_contracts::documents::{AccessScheme, EnvironmentAccess};
use secrecy::{ExposeSecret as _, SecretString};
use tempfile::TempDir;

use super::*;
use crate::secrets::vault::Vault;
use crate::secrets::{Cut, FakeKeychain};
use crate::store::handlers;
use crate::store::tests::{
    folder_of_this_child, in_a_process_of_its_own, until_it_says, with_live_environment,
};
use crate::testing::FakeClock;
use crate::view::{Actor, HandlerKey, HandlerScope};
use crate::{Options, SecretStore};

fn key() -> HandlerKey {
    HandlerKey {
        provision_type: ProvisionType::DockerCompose,
        manifest_id: None,
    }
}

async fn open(folder: &Path, keychain: Option<&FakeKeychain>) -> Berth {
    Berth::open(Options {
        data_dir: Some(folder.join("data")),
        actor: Actor::Window,
        environment: BTreeMap::from([("USER".to_owned(), "me".to_owned())]),
        clock: Arc::new(FakeClock::new(7_000)),
        keychain: keychain.map(|keychain| Arc::new(keychain.clone()) as Arc<dyn SecretStore>),
    })
    .await
    .unwrap()
}

async fn opened(keychain: &FakeKeychain) -> (TempDir, Berth) {
    let folder = tempfile::tempdir().unwrap();
    let berth = open(folder.path(), Some(keychain)).await;
    (folder, berth)
}

fn new(set: &[(&str, &str)], remove: &[&str]) -> NewSecrets {
    NewSecrets {
        set: set
            .iter()
            .map(|(key, value)| ((*key).to_owned(), SecretString::from(*value)))
            .collect(),
        remove: remove.iter().map(|key| (*key).to_owned()).collect(),
    }
}

fn access(password: &str) -> EnvironmentAccess {
    EnvironmentAccess {
        scheme: AccessScheme::Basic,
        token: None,
        username: Some("me".to_owned()),
        password: Some(password.to_owned()),
        header_name: None,
        header_value: None,
    }
}

async fn set(berth: &Berth, secrets: NewSecrets) -> Result<(), Problem> {
    let scope = HandlerScope::Workspace;
    berth
        .set_handler_secrets(&scope, &key(), secrets)
        .await
        .map(drop)
}

/// Ids of all bundles that something names.
async fn named(berth: &Berth) -> Vec<String> {
    berth
        .store()
        .read(|connection| {
            let mut ids = secret_bundles::kept_in(connection, SecretStoreKind::Keychain)?;
            ids.extend(secret_bundles::kept_in(connection, SecretStoreKind::Vault)?);
            Ok(ids)
        })
        .await
        .unwrap()
}

async fn bundle_of_handler(berth: &Berth) -> Option<String> {
    let record = berth
        .store()
        .read(|connection| handlers::get(connection, "default", &key()))
        .await
        .unwrap();
    record.unwrap().content.bundle
}

async fn value(berth: &Berth, secret: &str) -> Option<String> {
    let bundle = bundle_of_handler(berth).await?;
    let bundle = berth.bundle(&bundle).await.unwrap();
    Some(bundle.get(secret)?.expose_secret().to_owned())
}

/// Nothing is left over, and everything that is named is there: what has to hold
/// whenever Berth has started. `names` are those of all items.
async fn assert_whole(berth: &Berth, names: &[String], what: &str) {
    let unreferenced = berth
        .store()
        .read(secret_bundles::unreferenced)
        .await
        .unwrap();
    assert_eq!(unreferenced, [], "{what}");
    let ids = named(berth).await;
    for id in &ids {
        let bundle = berth.bundle(id).await;
        assert!(bundle.is_ok_and(|bundle| !bundle.is_empty()), "{what}");
    }
    for name in names {
        let mut parts = name.split('/').skip(1);
        let id = parts.next().unwrap();
        assert!(
            id == "mark" || ids.iter().any(|known| known == id),
            "{what}: {name} is an orphan"
        );
    }
}

#[tokio::test]
async fn secrets_are_set_rotated_and_removed() {
    let keychain = FakeKeychain::new();
    let (_folder, berth) = opened(&keychain).await;
    set(&berth, new(&[("token", "one"), ("password", "two")], &[]))
        .await
        .unwrap();
    let first = bundle_of_handler(&berth).await.unwrap();
    assert_eq!(keychain.names().len(), 2);

    set(&berth, new(&[("token", "three")], &[])).await.unwrap();
    assert_ne!(bundle_of_handler(&berth).await.unwrap(), first);
    assert_eq!(value(&berth, "token").await.as_deref(), Some("three"));
    assert_eq!(value(&berth, "password").await.as_deref(), Some("two"));
    assert_eq!(keychain.names().len(), 2, "the old item is gone");

    set(&berth, new(&[], &["token", "password"])).await.unwrap();
    assert_eq!(bundle_of_handler(&berth).await, None);
    assert_eq!(keychain.names().len(), 1, "only the mark is left");
    assert_whole(&berth, &keychain.names(), "at the end").await;
}

#[tokio::test]
async fn what_was_removed_behind_our_back_can_be_set_again() {
    let keychain = FakeKeychain::new();
    let (_folder, berth) = opened(&keychain).await;
    set(&berth, new(&[("token", "one"), ("password", "two")], &[]))
        .await
        .unwrap();
    let id = bundle_of_handler(&berth).await.unwrap();
    let item = keychain
        .names()
        .into_iter()
        .find(|name| name.ends_with(&id))
        .unwrap();
    keychain.forget(&item);
    let problem = berth.bundle(&id).await.unwrap_err();
    assert_eq!(problem.code, Code::SecretMissing);

    let problem = set(&berth, new(&[("token", "three")], &[]))
        .await
        .unwrap_err();
    assert_eq!(problem.code, Code::SecretMissing);
    assert!(problem.hint.as_ref().unwrap().contains("password"));
    set(&berth, new(&[("token", "three")], &["password"]))
        .await
        .unwrap();
    assert_eq!(value(&berth, "token").await.as_deref(), Some("three"));
    assert_whole(&berth, &keychain.names(), "at the end").await;
}

#[tokio::test]
async fn a_store_that_refuses_leaves_nothing_and_says_why() {
    for (trouble, code) in [
        ("locked", Code::SecretStoreLocked),
        ("missing", Code::SecretStoreMissing),
    ] {
        let keychain = FakeKeychain::new();
        let (_folder, berth) = opened(&keychain).await;
        keychain.lock(trouble == "locked");
        keychain.take_away(trouble == "missing");
        let problem = set(&berth, new(&[("token", "planted-4711")], &[]))
            .await
            .unwrap_err();
        assert_eq!(problem.code, code);
        assert!(problem.hint.is_some() && problem.retryable, "{problem:?}");
        assert!(!format!("{problem:?}").contains("planted"), "{problem:?}");
        let left = berth.store().read(secret_bundles::unreferenced).await;
        assert_eq!(left.unwrap(), []);
        assert_eq!(bundle_of_handler(&berth).await, None);
    }
}

#[tokio::test]
async fn leftovers_stay_on_record_until_they_are_seen_to_be_gone() {
    let keychain = FakeKeychain::new();
    let (_folder, berth) = opened(&keychain).await;
    set(&berth, new(&[("token", "one")], &[])).await.unwrap();
    let kept = berth
        .keep_bundle(
            SecretBundle::default()
                .with(new(&[("a", "b")], &[]), 1)
                .unwrap(),
        )
        .await
        .unwrap();
    let id = kept.id().to_owned();
    let left = async || {
        let left = berth.store().read(secret_bundles::unreferenced).await;
        left.unwrap()
            .into_iter()
            .map(|it| it.id)
            .collect::<Vec<_>>()
    };
    // Somebody is about to name it.
    berth.remove_unreferenced_bundles().await;
    assert_eq!(left().await, [&*id]);
    drop(kept);
    keychain.lock(true);
    berth.remove_unreferenced_bundles().await;
    assert_eq!(left().await, [&*id]);
    keychain.lock(false);
    keychain.take_away(true);
    berth.remove_unreferenced_bundles().await;
    assert_eq!(left().await, [&*id]);
    keychain.take_away(false);
    berth.remove_unreferenced_bundles().await;
    assert!(left().await.is_empty());
    assert_whole(&berth, &keychain.names(), "at the end").await;
}

#[tokio::test]
async fn another_keychain_is_not_believed_to_have_lost_anything() {
    let (ours, theirs) = (FakeKeychain::new(), FakeKeychain::new());
    let (folder, berth) = opened(&ours).await;
    set(&berth, new(&[("token", "one")], &[])).await.unwrap();
    drop(berth);
    let elsewhere = open(folder.path(), Some(&theirs)).await;
    let id = bundle_of_handler(&elsewhere).await.unwrap();
    let problem = elsewhere.bundle(&id).await.unwrap_err();
    assert_eq!(problem.code, Code::SecretMissing);
    assert!(
        problem.detail.unwrap().contains("another"),
        "{}",
        problem.title
    );
    let scope = HandlerScope::Workspace;
    elsewhere.remove_handler(&scope, &key()).await.unwrap();
    drop(elsewhere);
    // Its item is still there; it goes where it is.
    assert_eq!(ours.names().len(), 2);
    let berth = open(folder.path(), Some(&ours)).await;
    berth.recover().await.unwrap();
    assert_eq!(ours.names().len(), 1);
    assert_whole(&berth, &ours.names(), "at the end").await;
}

#[tokio::test]
async fn access_is_kept_revealed_and_goes_with_its_environment() {
    let keychain = FakeKeychain::new();
    let (_folder, berth) = opened(&keychain).await;
    let id = with_live_environment(berth.store()).await;
    assert_eq!(berth.environment_access(&id).await.unwrap(), None);
    for password in ["planted-4711", "planted-4712"] {
        let access = access(password);
        berth
            .set_environment_access(&id, Some(&access))
            .await
            .unwrap();
        assert_eq!(berth.environment_access(&id).await.unwrap(), Some(access));
        assert_eq!(keychain.names().len(), 2);
    }
    let shown = format!("{:?}", berth.snapshot().await.unwrap());
    assert!(!shown.contains("planted"), "{shown}");
    let (now, torn_down) = (berth.now(), id.clone());
    berth
        .store()
        .write(move |tx| crate::store::environments::set_torn_down(tx, now, &id))
        .await
        .unwrap();
    berth.remove_unreferenced_bundles().await;
    assert_eq!(keychain.names().len(), 1);
    let access = access("x");
    let again = berth.set_environment_access(&torn_down, Some(&access));
    assert_eq!(again.await.unwrap_err().code, Code::NotFound);
    let nobody = berth.set_environment_access("nobody", Some(&access));
    assert_eq!(nobody.await.unwrap_err().code, Code::NotFound);
    berth.remove_unreferenced_bundles().await;
    assert_whole(&berth, &keychain.names(), "at the end").await;
}

/// Numbers that are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        // xorshift64*
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % limit
    }
}

/// One change of secrets, chosen at random.
async fn change(berth: &Berth, environment: &str, choice: u64, length: u64) -> Result<(), Problem> {
    let long = "ä".repeat(length.try_into().unwrap());
    let own = berth.own_scope().await?;
    match choice {
        0 | 1 => set(berth, new(&[("token", &long), ("password", "two")], &[])).await,
        2 => set(berth, new(&[("password", "three")], &["token"])).await,
        3 => set(berth, new(&[], &["token", "password"])).await,
        4 => berth.copy_to_override(&key()).await.map(drop),
        5 => {
            let secrets = new(&[("own", &long)], &[]);
            let key = key();
            let changed = berth.set_handler_secrets(&own, &key, secrets);
            changed.await.map(drop)
        }
        6 => berth.remove_handler(&own, &key()).await,
        7 => {
            let access = access(&long);
            berth
                .set_environment_access(environment, Some(&access))
                .await
        }
        _ => berth.set_environment_access(environment, None).await,
    }
}

/// Lets a future go on as often as said, then drops it. Holds until it has been
/// woken in between, as a runtime would.
async fn cut_after<R>(polls: u64, mut future: Pin<Box<impl Future<Output = R>>>) -> Option<R> {
    let mut left = polls;
    std::future::poll_fn(|context: &mut Context<'_>| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        future.as_mut().poll(context).map(Some)
    })
    .await
}

/// 200 times: some changes, cut off at a random call of the keychain or a random
/// step of the program; what the next start finds is whole.
#[tokio::test(flavor = "multi_thread")]
async fn cut_off_anywhere_nothing_is_left_or_lost() {
    for seed in 1..=200 {
        let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(seed));
        let keychain = FakeKeychain::that_takes_at_most(2560);
        let (folder, berth) = opened(&keychain.connect()).await;
        let environment = with_live_environment(berth.store()).await;
        drop(berth);

        let connection = keychain.connect();
        let berth = open(folder.path(), Some(&connection)).await;
        let what = format!("seed {seed}");
        let by_keychain = numbers.below(2) == 0;
        if by_keychain {
            let call = usize::try_from(1 + numbers.below(30)).unwrap();
            let moment = if numbers.below(2) == 0 {
                Cut::Before
            } else {
                Cut::After
            };
            connection.cut_at(call, moment);
        }
        for round in 1.. {
            assert!(round < 50, "{what}: never cut off");
            let (choice, length) = (numbers.below(9), numbers.below(3) * 1_500 + 1);
            let change = Box::pin(change(&berth, &environment, choice, length));
            let cut = if by_keychain {
                // A refusal is an outcome too.
                let _ = change.await;
                connection.is_cut_off()
            } else {
                cut_after(1 + numbers.below(20), change).await.is_none()
            };
            if cut {
                break;
            }
        }
        drop(berth);

        let berth = open(folder.path(), Some(&keychain.connect())).await;
        // A call of the dead one may still be under way: here, only its thread lives.
        drop(berth.secrets().locks.wait().await.unwrap());
        berth.recover().await.unwrap();
        assert_whole(&berth, &keychain.names(), &what).await;
    }
}

const PASSPHRASE: &str = "correct horse battery";

/// 40 times: a process changes secrets in the encrypted file without end, and is
/// killed.
#[tokio::test(flavor = "multi_thread")]
async fn killed_at_any_moment_nothing_is_left_or_lost() {
    let folder = tempfile::tempdir().unwrap();
    let berth = open(folder.path(), None).await;
    let passphrase = || SecretString::from(PASSPHRASE);
    Vault::cheap_at(folder.path().join("data/vault"))
        .make(&passphrase())
        .unwrap();
    berth
        .use_secret_store(SecretStoreKind::Vault, Some(passphrase()))
        .await
        .unwrap();
    with_live_environment(berth.store()).await;
    drop(berth);
    let mut numbers = Numbers(4711);
    for round in 0..40 {
        let mut child = in_a_process_of_its_own(
            "secrets::change::tests::child_that_changes_secrets",
            folder.path(),
        );
        until_it_says(&mut child, "changing");
        std::thread::sleep(Duration::from_micros(numbers.below(60_000)));
        child.kill().unwrap();
        child.wait().unwrap();
        let berth = open(folder.path(), None).await;
        berth.unlock_vault(passphrase()).await.unwrap();
        berth.recover().await.unwrap();
        let file = std::fs::read_to_string(folder.path().join("data/vault")).unwrap();
        let file: serde_json::Value = serde_json::from_str(&file).unwrap();
        let items = file["content"]["items"].as_object().unwrap();
        let names: Vec<String> = items.keys().cloned().collect();
        assert_whole(&berth, &names, &format!("round {round}")).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "killed by another test"]
async fn child_that_changes_secrets() {
    let folder = folder_of_this_child();
    let berth = open(&folder, None).await;
    berth
        .unlock_vault(SecretString::from(PASSPHRASE))
        .await
        .unwrap();
    let snapshot = berth.snapshot().await.unwrap();
    let environment = snapshot.environments[0].id.clone();
    let mut numbers = Numbers(u64::from(std::process::id()) << 20);
    println!("changing");
    loop {
        // A refusal is an outcome too.
        let _ = change(&berth, &environment, numbers.below(9), 100).await;
    }
}
