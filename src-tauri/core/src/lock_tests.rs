use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tempfile::TempDir;

use super::*;
use crate::store::tests::{
    folder_of_this_child, in_a_process_of_its_own, until_it_says, until_let_go,
};

const LIMIT: Duration = Duration::from_secs(20);

fn data() -> (TempDir, DataDir) {
    let folder = tempfile::tempdir().unwrap();
    let data = DataDir::open(Some(folder.path()), &BTreeMap::new()).unwrap();
    (folder, data)
}

fn data_of_this_child() -> DataDir {
    DataDir::open(Some(&folder_of_this_child()), &BTreeMap::new()).unwrap()
}

fn busy(data: &DataDir) -> Problem {
    let problem = EnvironmentLock::take(data, "env", OperationKind::Up).unwrap_err();
    assert_eq!(problem.code, Code::Busy);
    problem
}

#[test]
fn one_holds_it_at_a_time() {
    let (_folder, data) = data();
    let held = EnvironmentLock::take(&data, "env", OperationKind::Down).unwrap();
    let title = busy(&data).title;
    assert!(title.contains("is tearing it down"), "{title}");
    assert!(title.contains(&std::process::id().to_string()), "{title}");
    EnvironmentLock::take(&data, "other", OperationKind::Up).unwrap();
    drop(held);
    EnvironmentLock::take(&data, "env", OperationKind::Up).unwrap();
}

#[test]
#[ignore = "a process of another test"]
fn child_that_locks_an_environment() {
    let _held = EnvironmentLock::take(&data_of_this_child(), "env", OperationKind::Up).unwrap();
    println!("locked");
    until_let_go();
}

#[test]
fn a_killed_process_lets_go() {
    let (folder, data) = data();
    let mut child = in_a_process_of_its_own(
        "lock::tests::child_that_locks_an_environment",
        folder.path(),
    );
    until_it_says(&mut child, "locked");
    let title = busy(&data).title;
    assert!(title.contains(&child.id().to_string()), "{title}");
    assert!(title.contains("is bringing it up"), "{title}");
    child.kill().unwrap();
    child.wait().unwrap();
    EnvironmentLock::take(&data, "env", OperationKind::Up).unwrap();
}

#[test]
fn lock_files_of_gone_environments_go() {
    let (_folder, data) = data();
    let file = |id: &str| data.locks().join(format!("{id}.lock"));
    for id in ["gone", "live"] {
        drop(EnvironmentLock::take(&data, id, OperationKind::Up).unwrap());
    }
    let held = EnvironmentLock::take(&data, "held", OperationKind::Up).unwrap();
    std::fs::write(data.locks().join("note"), "not ours").unwrap();
    remove_unneeded(&data, |id| id == "live").unwrap();
    assert!(!file("gone").exists());
    assert!(file("live").exists() && file("held").exists());
    assert!(data.locks().join("note").exists());
    held.remove().unwrap();
    assert!(!file("held").exists());
}

#[test]
fn removing_never_leaves_two_holders() {
    let (_folder, data) = data();
    let (inside, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while taken.load(Ordering::SeqCst) < 500 {
                    let Ok(lock) = EnvironmentLock::take(&data, "env", OperationKind::Up) else {
                        continue;
                    };
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                    std::thread::yield_now();
                    inside.fetch_sub(1, Ordering::SeqCst);
                    taken.fetch_add(1, Ordering::SeqCst);
                    lock.remove().unwrap();
                }
            });
        }
    });
}

#[test]
#[ignore = "a process of another test"]
fn child_that_owns() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    let _owner = runtime
        .block_on(OwnerLock::wait(&data_of_this_child()))
        .unwrap();
    println!("owner");
    until_let_go();
}

#[tokio::test]
async fn the_next_owner_takes_over_from_a_killed_one() {
    let (folder, data) = data();
    assert!(!is_owned(&data), "before there ever was one");
    let mut child = in_a_process_of_its_own("lock::tests::child_that_owns", folder.path());
    until_it_says(&mut child, "owner");
    assert!(is_owned(&data));

    let waiting = tokio::spawn({
        let data = data.clone();
        async move { OwnerLock::wait(&data).await }
    });
    assert!(is_owned(&data));
    child.kill().unwrap();
    child.wait().unwrap();
    let owner = tokio::time::timeout(LIMIT, waiting)
        .await
        .unwrap()
        .unwrap()
        .unwrap();
    assert!(is_owned(&data));
    drop(owner);
    assert!(!is_owned(&data));
}

#[tokio::test]
async fn who_no_longer_waits_does_not_become_owner() {
    let (_folder, data) = data();
    let owner = OwnerLock::wait(&data).await.unwrap();
    {
        let waiting = OwnerLock::wait(&data);
        tokio::pin!(waiting);
        assert!(futures_util::poll!(&mut waiting).is_pending());
    }
    drop(owner);
    // The thread left behind gets the lock, finds nobody, and lets go.
    tokio::time::timeout(LIMIT, OwnerLock::wait(&data))
        .await
        .unwrap()
        .unwrap();
}

#[test]
fn looking_whether_someone_owns_does_not_keep_anyone_from_it() {
    let (_folder, data) = data();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                for _ in 0..2_000 {
                    is_owned(&data);
                }
            });
        }
        for _ in 0..200 {
            let owner = runtime.block_on(OwnerLock::wait(&data)).unwrap();
            assert!(is_owned(&data));
            drop(owner);
        }
    });
}
