//! Processes that are killed in the middle of writing, and one that migrates while
//! others are at work.

use std::io::{BufRead, BufReader, Write as _};

use berth_contracts::documents::UpsertCustomManifestType;

use super::*;
use crate::store::manifest_types;
use crate::store::schema::{MIGRATIONS, open};

/// How many children are killed.
const KILLED: usize = 25;

/// A type whose two texts are written together.
fn numbered(number: usize) -> UpsertCustomManifestType {
    UpsertCustomManifestType {
        label: format!("Number {number}"),
        accepts_input_hint: None,
        description: Some(format!("Number {number}")),
    }
}

/// Run by the tests below: says what it has committed, until it is killed or let go.
#[test]
#[ignore = "a process of another test"]
fn child_that_writes() {
    let path = folder_of_this_child().join("berth.db");
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let let_go = std::thread::spawn(until_let_go);
    runtime.block_on(async {
        let store = Store::open(&path).await.unwrap();
        let process = std::process::id();
        for number in 0_usize.. {
            let id = format!("of-{process}-{}", number % 7);
            store
                .write_durably(move |tx| {
                    manifest_types::upsert(tx, 1, "default", &id, &numbered(number))?;
                    manifest_types::upsert(
                        tx,
                        1,
                        "default",
                        &format!("{id}-twin"),
                        &numbered(number),
                    )
                })
                .await
                .unwrap();
            let mut out = std::io::stdout();
            writeln!(out, "committed {number}").unwrap();
            out.flush().unwrap();
            if let_go.is_finished() {
                break;
            }
        }
    });
}

fn committed(line: &str) -> Option<usize> {
    line.split_once("committed ")?.1.trim().parse().ok()
}

/// Both of a pair are there and equal, the last that was said to be committed is
/// there or overwritten, and the file is whole.
async fn whole(folder: &Path, process: u32, last: usize) {
    let store = Store::open(&folder.join("berth.db")).await.unwrap();
    let (sound, types) = store
        .read(|connection| {
            let sound: String =
                connection.pragma_query_value(None, "integrity_check", |row| row.get(0))?;
            Ok((sound, manifest_types::list(connection, "default")?))
        })
        .await
        .unwrap();
    assert_eq!(sound, "ok");
    let label = |id: &str| {
        let found = types.iter().find(|it| it.manifest_id == id);
        found.map(|it| it.content.clone())
    };
    let id = format!("of-{process}-{}", last % 7);
    let (one, twin) = (label(&id).unwrap(), label(&format!("{id}-twin")).unwrap());
    assert_eq!(one, twin, "written in one transaction");
    let number: usize = one.label["Number ".len()..].parse().unwrap();
    assert!(number >= last, "{number} was committed after {last}");
    assert_eq!(one.description.unwrap(), one.label);
}

#[tokio::test]
async fn what_was_committed_survives_a_kill_at_any_moment() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..KILLED {
        let mut child =
            in_a_process_of_its_own("store::tests::killed::child_that_writes", folder.path());
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        // Another place in the middle of a write each time.
        let mut last = 0;
        for _ in 0..=round % 9 {
            last = lines
                .by_ref()
                .find_map(|line| committed(&line.unwrap()))
                .unwrap();
        }
        let mut at_work = 0_u32;
        while at_work < u32::try_from(round).unwrap() * 900 {
            at_work = std::hint::black_box(at_work + 1);
        }
        child.kill().unwrap();
        child.wait().unwrap();
        last = lines
            .map_while(Result::ok)
            .filter_map(|line| committed(&line))
            .last()
            .unwrap_or(last);
        whole(folder.path(), child.id(), last).await;
    }
}

/// A window and a command line start on an older file: one of them migrates.
#[tokio::test]
async fn processes_that_start_at_once_on_an_older_file_migrate_it_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("berth.db");
    drop(open(&path, &MIGRATIONS[..2]).unwrap());
    let mut children: Vec<Child> = (0..4)
        .map(|_| in_a_process_of_its_own("store::tests::killed::child_that_writes", folder.path()))
        .collect();
    for child in &mut children {
        until_it_says(child, "committed 0");
        drop(child.stdin.take());
    }
    for mut child in children {
        // What it has still to say must not block it.
        let mut rest = child.stdout.take().unwrap();
        std::io::copy(&mut rest, &mut std::io::sink()).unwrap();
        assert!(child.wait().unwrap().success());
        whole(folder.path(), child.id(), 0).await;
    }
    assert!(path.with_file_name("berth.db.before-schema-3").exists());
    let handlers = Store::open(&path)
        .await
        .unwrap()
        .read(|connection| {
            Ok(
                connection.query_row("SELECT count(*) FROM handlers", [], |row| {
                    row.get::<_, i64>(0)
                })?,
            )
        })
        .await
        .unwrap();
    assert_eq!(handlers, 1, "migrated once");
}
