use futures_util::StreamExt;
use tempfile::TempDir;

use super::*;
use crate::store::tests::{
    folder_of_this_child, in_a_process_of_its_own, until_it_says, until_let_go,
};
use crate::view::Change;

const LIMIT: Duration = Duration::from_secs(20);

async fn opened() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&folder.path().join("berth.db")).await.unwrap();
    (folder, store)
}

async fn write(store: &Store, ids: std::ops::Range<i64>) {
    store
        .write(move |tx| {
            for id in ids {
                events::append(tx, id, &Change::Activity { id })?;
            }
            Ok(())
        })
        .await
        .unwrap();
}

async fn next(
    stream: &mut (impl Stream<Item = Result<Vec<Event>, Problem>> + Unpin),
) -> Vec<Event> {
    tokio::time::timeout(LIMIT, stream.next())
        .await
        .unwrap()
        .unwrap()
        .unwrap()
}

fn ids(events: &[Event]) -> Vec<i64> {
    events
        .iter()
        .map(|event| match event.change {
            Change::Activity { id } => id,
            _ => panic!("{event:?}"),
        })
        .collect()
}

#[tokio::test]
async fn what_is_there_comes_first_in_batches() {
    let (_folder, store) = opened().await;
    write(&store, 0..1_200).await;
    let mut stream = Box::pin(follow(store, 100));
    let mut sizes = Vec::new();
    let mut seen = Vec::new();
    while seen.len() < 1_100 {
        let batch = next(&mut stream).await;
        sizes.push(batch.len());
        seen.extend(ids(&batch));
    }
    assert_eq!(sizes, [500, 500, 100]);
    assert_eq!(seen, (100..1_200).collect::<Vec<_>>());
}

#[tokio::test]
async fn the_first_batch_comes_also_when_it_is_empty() {
    let (_folder, store) = opened().await;
    let mut stream = Box::pin(follow(store.clone(), 0));
    assert!(next(&mut stream).await.is_empty());
    write(&store, 0..2).await;
    assert_eq!(ids(&next(&mut stream).await), [0, 1]);
}

#[tokio::test]
async fn changes_through_another_connection_are_never_missed() {
    let (folder, store) = opened().await;
    let other = Store::open(&folder.path().join("berth.db")).await.unwrap();
    let mut stream = Box::pin(follow(store, 0));
    assert!(next(&mut stream).await.is_empty());
    // One at a time: with a wake-up lost, the next look would never come.
    for id in 0..60 {
        write(&other, id..id + 1).await;
        assert_eq!(ids(&next(&mut stream).await), [id]);
    }
}

#[tokio::test]
#[ignore = "a process of another test"]
async fn child_that_writes() {
    let store = Store::open(&folder_of_this_child().join("berth.db"))
        .await
        .unwrap();
    for id in 0..5 {
        write(&store, id..id + 1).await;
    }
    println!("written");
    until_let_go();
}

#[tokio::test]
async fn changes_of_another_process_arrive() {
    let (folder, store) = opened().await;
    let mut stream = Box::pin(follow(store, 0));
    assert!(next(&mut stream).await.is_empty());
    let mut child = in_a_process_of_its_own("follow::tests::child_that_writes", folder.path());
    let mut seen = Vec::new();
    while seen.len() < 5 {
        seen.extend(ids(&next(&mut stream).await));
    }
    assert_eq!(seen, [0, 1, 2, 3, 4]);
    until_it_says(&mut child, "written");
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}

#[tokio::test]
async fn many_changes_wake_it_at_most_twenty_times_a_second() {
    let (_folder, store) = opened().await;
    let mut stream = Box::pin(follow(store.clone(), 0));
    assert!(next(&mut stream).await.is_empty());
    let begun = Instant::now();
    let writer = tokio::spawn(async move {
        for id in 0..400 {
            write(&store, id..id + 1).await;
        }
    });
    let (mut seen, mut batches) = (0, 0);
    while seen < 400 {
        seen += next(&mut stream).await.len();
        batches += 1;
    }
    writer.await.unwrap();
    let most = begun.elapsed().as_millis() / PAUSE.as_millis() + 2;
    assert!(batches <= most, "{batches} batches, at most {most}");
}

#[tokio::test]
async fn nothing_is_looked_at_while_nothing_happens() {
    let (folder, store) = opened().await;
    write(&store, 0..1).await;
    let mut follower = Follower {
        committed: store.committed(),
        rung: None,
        store: store.clone(),
        from: 0,
        looked: None,
        more: true,
    };
    assert_eq!(follower.next().await.unwrap().len(), 1);
    // What the write itself rang for.
    let settled = tokio::time::timeout(PAUSE * 6, follower.next()).await;
    assert!(settled.is_err());
    let before = follower.looked;

    // Others open the store and read: no wake-up.
    let other = Store::open(&folder.path().join("berth.db")).await.unwrap();
    for store in [&store, &other] {
        store.read(events::last).await.unwrap();
    }
    // A write without an event either.
    other.write(|_| Ok(())).await.unwrap();
    drop(other);
    let quiet = tokio::time::timeout(PAUSE * 6, follower.next()).await;
    assert!(quiet.is_err());
    assert_eq!(follower.looked, before);
}

#[tokio::test]
async fn without_a_watch_others_are_still_heard() {
    let (folder, store) = opened().await;
    let other = Store::open(&folder.path().join("berth.db")).await.unwrap();
    let mut follower = Follower {
        committed: store.committed(),
        rung: Some(Rung {
            watcher: None,
            heard: watch::channel(()).1,
        }),
        store,
        from: 0,
        looked: None,
        more: true,
    };
    assert!(follower.next().await.unwrap().is_empty());
    write(&other, 7..8).await;
    let batch = tokio::time::timeout(LIMIT, follower.next()).await.unwrap();
    assert_eq!(ids(&batch.unwrap()), [7]);
}
