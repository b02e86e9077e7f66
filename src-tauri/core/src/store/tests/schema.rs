use rusqlite::Connection;

use super::*;
use crate::store::schema::{MIGRATIONS, backup_path, open};
use crate::{Code, Problem};

const FIRST: &str = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT;
                     INSERT INTO notes (text) VALUES ('kept');";
const SECOND: &str = "ALTER TABLE notes ADD COLUMN at INTEGER NOT NULL DEFAULT 7;";

fn version(connection: &Connection) -> u32 {
    connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap()
}

fn latest_version() -> u32 {
    u32::try_from(MIGRATIONS.len()).unwrap()
}

#[test]
fn every_earlier_schema_leads_to_the_latest() {
    let latest = {
        let folder = tempfile::tempdir().unwrap();
        schema_of(&open(&folder.path().join("berth.db"), MIGRATIONS).unwrap().0)
    };
    for earlier in 0..=MIGRATIONS.len() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("berth.db");
        drop(open(&path, &MIGRATIONS[..earlier]).unwrap());
        let (writer, reader) = open(&path, MIGRATIONS).unwrap();
        assert_eq!(version(&writer), latest_version(), "from {earlier}");
        assert_eq!(schema_of(&reader), latest, "from {earlier}");
        let sound: String = reader
            .pragma_query_value(None, "integrity_check", |row| row.get(0))
            .unwrap();
        assert_eq!(sound, "ok");
    }
}

/// Services and an environment as the first schema had them.
const OF_SCHEMA_1: &str = "
    INSERT INTO services (id, workspace_id, name, source, location, git, provision_type,
                          compose_path, created_at)
    VALUES ('s1', 'default', 'shop-api', 'folder', '/home/me/shop', 1, 'docker-compose',
            'deploy/compose.yaml', 1),
           ('s2', 'default', 'web', 'gitUrl', 'https://git.acme.dev/web.git', 1,
            'docker-compose', NULL, 2);
    INSERT INTO environments (id, workspace_id, service_id, service_name, name, selector, key,
                              provision_type, status, engine, engine_label, engine_address,
                              engine_rule, project, host, created_at)
    VALUES ('e1', 'default', 's1', 'shop-api', 'shop-api-main', '{\"type\":\"ref\",\"name\":\"main\"}',
            'ref:main', 'docker-compose', 'ready', 'local-docker', 'Local Docker',
            'unix:///var/run/docker.sock', 'platform default', 'shop-api-main-abcdef',
            'shop-api-main', 3);
    INSERT INTO activity (at, verb, outcome, actor) VALUES (4, 'up', 'success', 'window');";

#[tokio::test]
async fn a_store_of_every_earlier_schema_keeps_what_it_holds_and_is_handled_as_before() {
    for earlier in 1..MIGRATIONS.len() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("berth.db");
        {
            let (writer, _) = open(&path, &MIGRATIONS[..1]).unwrap();
            writer.execute_batch(OF_SCHEMA_1).unwrap();
        }
        drop(open(&path, &MIGRATIONS[..earlier]).unwrap());
        let store = Store::open(&path).await.unwrap();
        let (services, handlers, environment, lines) = store
            .read(|connection| {
                Ok((
                    services::list(connection, "default")?,
                    crate::store::handlers::list(connection, "default")?,
                    environments::get(connection, "e1")?,
                    activity::list(connection, None, 10)?,
                ))
            })
            .await
            .unwrap();
        let files: Vec<Option<&str>> = services
            .iter()
            .map(|service| service.provisioning.compose_path.as_deref())
            .collect();
        assert_eq!(files, [Some("deploy/compose.yaml"), None], "from {earlier}");
        assert!(
            services
                .iter()
                .all(|it| it.provisioning.provision_type == ProvisionType::DockerCompose)
        );
        // What was started is started as before: on Docker, found as `docker` finds it.
        let [handler] = handlers.as_slice() else {
            panic!("{handlers:?}");
        };
        assert_eq!(handler.content.label, "Local Docker");
        let document = serde_json::to_value(&handler.content.config).unwrap();
        let named = crate::documents::find_schema("infraHandlerConfigSchema").unwrap();
        assert_eq!(
            berth_contracts::validate(named.schema, &document).unwrap(),
            document
        );
        assert_eq!(environment.identity.made_with, None);
        assert_eq!(lines.len(), 1);
        let copy = Connection::open(backup_path(&path, u32::try_from(earlier).unwrap())).unwrap();
        assert_eq!(version(&copy), u32::try_from(earlier).unwrap());
    }
}

#[tokio::test]
async fn a_store_from_before_documents_keeps_what_it_holds_and_can_keep_them() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("berth.db");
    {
        let (first, _) = open(&path, &MIGRATIONS[..1]).unwrap();
        first.execute_batch(OF_SCHEMA_1).unwrap();
    }
    let store = Store::open(&path).await.unwrap();
    let document = crate::view::StoredDocument {
        summary: crate::view::DocumentSummary {
            id: "a".to_owned(),
            schema: "environmentAuthSchemeSchema".to_owned(),
            name: "Login".to_owned(),
            created_at: 1,
            updated_at: 2,
        },
        text: "{}".to_owned(),
    };
    let written = document.clone();
    store
        .write(move |tx| documents::save(tx, "default", &written))
        .await
        .unwrap();
    let (services, kept) = store
        .read(|connection| {
            let services = services::list(connection, "default")?;
            Ok((services, documents::get(connection, "default", "a")?))
        })
        .await
        .unwrap();
    assert_eq!(services.len(), 2);
    assert_eq!(kept, document);
    let copy = Connection::open(backup_path(&path, 1)).unwrap();
    assert_eq!(version(&copy), 1);
}

fn schema_of(connection: &Connection) -> Vec<String> {
    connection
        .prepare("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")
        .unwrap()
        .query_map([], |row| row.get(0))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap()
}

#[test]
fn the_file_is_in_wal_mode_with_references_checked() {
    let folder = tempfile::tempdir().unwrap();
    let (writer, _reader) = open(&folder.path().join("berth.db"), MIGRATIONS).unwrap();
    let mode: String = writer
        .pragma_query_value(None, "journal_mode", |row| row.get(0))
        .unwrap();
    assert_eq!(mode, "wal");
    let checked: bool = writer
        .pragma_query_value(None, "foreign_keys", |row| row.get(0))
        .unwrap();
    assert!(checked);
}

#[test]
fn a_newer_file_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("berth.db");
    drop(open(&path, &[FIRST, SECOND]).unwrap());
    let error = open(&path, &[FIRST]).unwrap_err();
    assert!(
        matches!(
            error,
            StoreError::Newer {
                found: 2,
                known: 1,
                ..
            }
        ),
        "{error:?}"
    );
    let problem = Problem::from(error);
    assert_eq!(problem.code, Code::StoreNewer);
    assert!(problem.hint.unwrap().contains("BERTH_DATA_DIR"));
    assert_eq!(version(&Connection::open(&path).unwrap()), 2);
}

#[test]
fn a_migration_keeps_the_data_and_a_copy_from_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("berth.db");
    drop(open(&path, &[FIRST]).unwrap());
    assert!(!backup_path(&path, 0).exists(), "an empty file needs none");
    // The copy holds what is still in the write-ahead log of a process that
    // has the file open.
    let (other, _) = open(&path, &[FIRST]).unwrap();
    other
        .execute("INSERT INTO notes (text) VALUES ('recent')", [])
        .unwrap();

    let (writer, _) = open(&path, &[FIRST, SECOND]).unwrap();
    assert_eq!(version(&writer), 2);
    let now: Vec<(String, i64)> = writer
        .prepare("SELECT text, at FROM notes ORDER BY id")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
        .unwrap()
        .collect::<Result<_, _>>()
        .unwrap();
    assert_eq!(now, [("kept".to_owned(), 7), ("recent".to_owned(), 7)]);

    let copy = Connection::open(backup_path(&path, 1)).unwrap();
    assert_eq!(version(&copy), 1);
    let notes: i64 = copy
        .query_row("SELECT count(*) FROM notes", [], |row| row.get(0))
        .unwrap();
    assert_eq!(notes, 2);
}

#[test]
fn a_migration_that_fails_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("berth.db");
    drop(open(&path, &[FIRST]).unwrap());
    let broken = "ALTER TABLE notes ADD COLUMN extra TEXT; SELECT nonsense FROM nowhere;";
    let error = open(&path, &[FIRST, SECOND, broken]).unwrap_err();
    assert!(
        matches!(error, StoreError::Migrate { version: 3, .. }),
        "{error:?}"
    );
    let file = Connection::open(&path).unwrap();
    assert_eq!(version(&file), 1);
    assert_eq!(schema_of(&file).len(), 1);
    assert!(!schema_of(&file)[0].contains("extra"));
}

#[test]
fn a_migration_that_breaks_references_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("berth.db");
    let broken = "CREATE TABLE lines (note INTEGER REFERENCES notes (id));
                  INSERT INTO lines VALUES (99);";
    assert!(matches!(
        open(&path, &[FIRST, broken]).unwrap_err(),
        StoreError::Migrate { .. }
    ));
    assert_eq!(version(&Connection::open(&path).unwrap()), 0);
}

#[test]
fn something_that_is_no_store_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("berth.db");
    std::fs::write(
        &path,
        "these are not the records you are looking for".repeat(99),
    )
    .unwrap();
    let problem = Problem::from(open(&path, MIGRATIONS).unwrap_err());
    assert_eq!(problem.code, Code::Store);
    assert!(problem.title.contains("damaged"), "{problem:?}");
    assert!(problem.detail.unwrap().contains("berth.db"));
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let problem = Problem::from(open(Path::new("/nowhere/berth.db"), MIGRATIONS).unwrap_err());
    assert_eq!(problem.code, Code::Store);
    assert!(problem.title.contains("/nowhere/berth.db"), "{problem:?}");
    assert!(!problem.causes.is_empty());
}

/// Run by the test below.
#[test]
#[ignore = "a process of another test"]
fn child_that_opens() {
    let path = folder_of_this_child().join("berth.db");
    println!("waiting");
    until_let_go();
    let (writer, _) = open(&path, MIGRATIONS).unwrap();
    assert_eq!(version(&writer), latest_version());
}

#[test]
fn processes_that_start_at_once_make_the_file_together() {
    for _ in 0..3 {
        let folder = tempfile::tempdir().unwrap();
        let mut children: Vec<_> = (0..4)
            .map(|_| {
                in_a_process_of_its_own("store::tests::schema::child_that_opens", folder.path())
            })
            .collect();
        for child in &mut children {
            until_it_says(child, "waiting");
        }
        for child in &mut children {
            drop(child.stdin.take());
        }
        for mut child in children {
            assert!(child.wait().unwrap().success());
        }
        let (writer, _) = open(&folder.path().join("berth.db"), MIGRATIONS).unwrap();
        let workspaces: i64 = writer
            .query_row("SELECT count(*) FROM workspaces", [], |row| row.get(0))
            .unwrap();
        assert_eq!(workspaces, 1);
    }
}

#[test]
fn threads_that_migrate_at_once_do_it_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("berth.db");
    drop(open(&path, &[FIRST]).unwrap());
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let (writer, _) = open(&path, &[FIRST, SECOND]).unwrap();
                assert_eq!(version(&writer), 2);
            });
        }
    });
    assert!(backup_path(&path, 1).exists());
}

/// Closing one after the other writes everything into the file itself.
fn made_and_closed(path: &Path) {
    let (writer, reader) = open(path, MIGRATIONS).unwrap();
    drop(reader);
    drop(writer);
    assert!(!path.with_file_name("berth.db-wal").exists());
}

async fn refused(path: &Path) -> Problem {
    match Store::open(path).await {
        Ok(_) => panic!("it was opened"),
        Err(error) => error.into(),
    }
}

/// Neither is what was there lost, nor is its place taken before somebody was told.
#[tokio::test]
async fn a_damaged_file_is_set_aside_and_named() {
    for (what, damage) in [
        ("no database", |bytes: &mut Vec<u8>| bytes.fill(b'x')),
        ("cut short", |bytes: &mut Vec<u8>| {
            bytes.truncate(bytes.len() / 2);
        }),
        ("its schema is garbage", |bytes: &mut Vec<u8>| {
            bytes[100..4000].fill(0xff);
        }),
    ] as [(&str, fn(&mut Vec<u8>)); 3]
    {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("berth.db");
        drop(open(&path, &MIGRATIONS[..2]).unwrap());
        made_and_closed(&path);
        let mut bytes = std::fs::read(&path).unwrap();
        damage(&mut bytes);
        std::fs::write(&path, &bytes).unwrap();

        let problem = refused(&path).await;
        assert_eq!(problem.code, Code::Store, "{what}");
        assert!(problem.title.contains("set aside"), "{what}: {problem:?}");
        let aside = folder.path().join("berth.db.damaged-1");
        assert!(problem.detail.unwrap().contains(&*aside.to_string_lossy()));
        assert!(problem.hint.unwrap().contains("berth.db.before-schema-3"));
        assert_eq!(std::fs::read(&aside).unwrap(), bytes, "{what}: unchanged");
        assert!(!path.exists(), "{what}: nothing took its place");
        // Told once: the next opening begins anew.
        Store::open(&path).await.unwrap();
        assert!(aside.exists());
    }
}

#[tokio::test]
async fn a_file_that_is_sound_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("berth.db");
    std::fs::write(&path, b"").unwrap();
    drop(Store::open(&path).await.unwrap());
    let store = Store::open(&path).await.unwrap();
    // Another process writes meanwhile.
    store.write(|tx| add_service(tx, "shop-api")).await.unwrap();
    drop(Store::open(&path).await.unwrap());
    assert!(!folder.path().join("berth.db.damaged-1").exists());
}

/// A glance does not find a damaged page in the middle: the query that meets it tells
/// the next opening to look closely.
#[tokio::test]
async fn damage_that_a_query_meets_is_found_at_the_next_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("berth.db");
    {
        let (writer, _) = open(&path, MIGRATIONS).unwrap();
        let root: u32 = writer
            .query_row(
                "SELECT rootpage FROM sqlite_schema WHERE name = 'handlers'",
                [],
                |row| row.get(0),
            )
            .unwrap();
        let size: u32 = writer
            .pragma_query_value(None, "page_size", |row| row.get(0))
            .unwrap();
        writer
            .pragma_query_value(None, "wal_checkpoint", |row| row.get::<_, i64>(0))
            .unwrap();
        drop(writer);
        let mut bytes = std::fs::read(&path).unwrap();
        let at = |page: u32| usize::try_from(page * size).unwrap();
        bytes[at(root - 1)..at(root)].fill(0xff);
        std::fs::write(&path, bytes).unwrap();
    }
    let key = crate::view::HandlerKey {
        provision_type: ProvisionType::DockerCompose,
        manifest_id: None,
    };
    let store = Store::open(&path).await.unwrap();
    let met = store
        .read(move |connection| crate::store::handlers::get(connection, "default", &key))
        .await;
    let problem = Problem::from(met.unwrap_err());
    assert!(problem.title.contains("damaged"), "{problem:?}");
    drop(store);
    let problem = refused(&path).await;
    assert!(problem.title.contains("set aside"), "{problem:?}");
    Store::open(&path).await.unwrap();
}

#[tokio::test]
async fn a_store_that_was_emptied_is_not_taken_for_a_new_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("berth.db");
    made_and_closed(&path);
    std::fs::write(path.with_file_name("berth.db-changed"), "!").unwrap();
    std::fs::write(&path, b"").unwrap();
    let problem = refused(&path).await;
    assert!(problem.title.contains("set aside"), "{problem:?}");
    Store::open(&path).await.unwrap();
}

#[test]
fn another_programs_file_is_refused_without_its_statements() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("berth.db");
    Connection::open(&path)
        .unwrap()
        .execute_batch("CREATE TABLE workspaces (id INTEGER)")
        .unwrap();
    let problem = Problem::from(open(&path, MIGRATIONS).unwrap_err());
    assert_eq!(problem.causes.len(), 1);
    assert!(problem.causes[0].len() < 200, "{problem:?}");
    assert!(problem.hint.unwrap().contains("another name"));
}
