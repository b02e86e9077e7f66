//! What the window's lists cost in a store with 10,000 handlers, 1,000 overrides,
//! 1,000 manifest types and 100,000 lines of activity:
//! `cargo bench -p berth-core`. Each is to stay under 10 ms.
#![allow(clippy::unwrap_used)]

use std::sync::LazyLock;

use berth_core::view::{Activity, ActivityPlace, Actor};
use berth_core::{Berth, Options};
use divan::{Bencher, black_box};
use rusqlite::{Connection, params};
use tempfile::TempDir;
use tokio::runtime::Runtime;

fn main() {
    divan::main();
}

struct Filled {
    _folder: TempDir,
    runtime: Runtime,
    berth: Berth,
    middle: ActivityPlace,
}

static FILLED: LazyLock<Filled> = LazyLock::new(|| {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let mut options = Options::from_process(Actor::Window);
    options.data_dir = Some(folder.path().to_owned());
    options.environment = [("USER".to_owned(), "ann".to_owned())].into();
    let berth = runtime.block_on(Berth::open(options)).unwrap();
    fill(&folder.path().join("berth.db"));
    let middle = lines(&runtime, &berth, None, 500).pop().unwrap();
    Filled {
        middle: ActivityPlace {
            at: middle.at / 2,
            id: i64::MAX,
        },
        _folder: folder,
        runtime,
        berth,
    }
});

fn fill(store: &std::path::Path) {
    let mut connection = Connection::open(store).unwrap();
    let tx = connection.transaction().unwrap();
    let config = |id: &str| {
        format!(
            r#"{{"engine":"remote-custom","manifest":{{"providerId":"acme","label":"Acme {id}","baseUrl":"https://{id}.acme.dev","auth":{{"type":"bearer","secretRef":{{"key":"TOKEN"}}}},"provision":{{"method":"POST","pathTemplate":"/environments","bodyTemplate":"{{{{input.branch}}}}"}},"response":{{"urlPath":"url","statusPath":"state"}},"defaultTtlMs":7200000}},"acceptsManifestId":"{id}"}}"#
        )
    };
    {
        let mut handler = tx
            .prepare(
                "INSERT INTO handlers (workspace_id, provision_type, manifest_id, engine,
                     backend_kind, provider_id, label, base_url, config, accepts_manifest_id,
                     created_at, updated_at)
                 VALUES ('default', 'custom', ?1, 'remote-custom', 'manifest', 'acme', ?2, ?3, ?4,
                         ?1, ?5, ?5)",
            )
            .unwrap();
        let mut own = tx
            .prepare(
                "INSERT INTO user_handlers (user_id, workspace_id, provision_type, manifest_id,
                     engine, backend_kind, provider_id, label, base_url, config,
                     accepts_manifest_id, enabled, created_at, updated_at)
                 VALUES ('ann', 'default', 'custom', ?1, 'remote-custom', 'manifest', 'acme', ?2,
                         ?3, ?4, ?1, 1, ?5, ?5)",
            )
            .unwrap();
        let mut manifest_type = tx
            .prepare(
                "INSERT INTO custom_manifest_types (workspace_id, manifest_id, label, created_at,
                     updated_at)
                 VALUES ('default', ?1, ?2, ?3, ?3)",
            )
            .unwrap();
        for number in 0..10_000 {
            let id = format!("m{number}");
            let label = format!("Acme {id}");
            let url = format!("https://{id}.acme.dev");
            handler
                .execute(params![id, label, url, config(&id), number])
                .unwrap();
            if number % 10 == 0 {
                own.execute(params![id, label, url, config(&id), number])
                    .unwrap();
                manifest_type.execute(params![id, label, number]).unwrap();
            }
        }
        let mut line = tx
            .prepare(
                "INSERT INTO activity (at, verb, outcome, environment_name, service_name,
                     engine_label, actor, duration_ms)
                 VALUES (?1, 'up', 'success', 'shop-main', 'shop', 'Local Docker', 'window', 9)",
            )
            .unwrap();
        for number in 0..100_000 {
            line.execute([number / 3]).unwrap();
        }
    }
    tx.execute_batch(
        "INSERT INTO services (id, workspace_id, name, source, location, git, provision_type,
                               provisioning, created_at)
         VALUES ('custom', 'default', 'shop', 'folder', '/home/ann/shop', 1, 'custom',
                 '{\"type\":\"custom\",\"manifestId\":\"m7777\"}', 1),
                ('any', 'default', 'web', 'folder', '/home/ann/web', 1, 'custom',
                 '{\"type\":\"custom\"}', 1)",
    )
    .unwrap();
    tx.commit().unwrap();
}

fn lines(
    runtime: &Runtime,
    berth: &Berth,
    before: Option<ActivityPlace>,
    limit: u32,
) -> Vec<Activity> {
    runtime.block_on(berth.activity(before, limit)).unwrap()
}

#[divan::bench]
fn handlers_page(bencher: Bencher) {
    let filled = &*FILLED;
    let page = filled.runtime.block_on(filled.berth.handlers("")).unwrap();
    assert_eq!((page.rows.len(), page.more), (100, true));
    bencher.bench(|| filled.runtime.block_on(filled.berth.handlers("")).unwrap());
}

#[divan::bench]
fn handlers_searched(bencher: Bencher) {
    let filled = &*FILLED;
    let search = || {
        filled
            .runtime
            .block_on(filled.berth.handlers("m777"))
            .unwrap()
    };
    assert_eq!(search().rows.len(), 11);
    bencher.bench(search);
}

#[divan::bench(args = ["custom", "any"])]
fn why_this_handler(bencher: Bencher, service: &str) {
    let filled = &*FILLED;
    bencher.bench(|| {
        let explained = filled.berth.explain(black_box(service));
        filled.runtime.block_on(explained).unwrap()
    });
}

#[divan::bench]
fn manifest_types(bencher: Bencher) {
    let filled = &*FILLED;
    bencher.bench(|| {
        filled
            .runtime
            .block_on(filled.berth.manifest_types())
            .unwrap()
    });
}

#[divan::bench]
fn users(bencher: Bencher) {
    let filled = &*FILLED;
    bencher.bench(|| filled.runtime.block_on(filled.berth.users()).unwrap());
}

#[divan::bench]
fn activity_newest(bencher: Bencher) {
    let filled = &*FILLED;
    bencher.bench(|| lines(&filled.runtime, &filled.berth, None, 100));
}

#[divan::bench]
fn activity_from_the_middle(bencher: Bencher) {
    let filled = &*FILLED;
    let page = || lines(&filled.runtime, &filled.berth, Some(filled.middle), 100);
    assert_eq!(page().len(), 100);
    bencher.bench(page);
}

#[divan::bench]
fn snapshot(bencher: Bencher) {
    let filled = &*FILLED;
    bencher.bench(|| filled.runtime.block_on(filled.berth.snapshot()).unwrap());
}
