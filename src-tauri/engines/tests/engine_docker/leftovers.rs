//! What containers leave on the disk can be removed.

use std::os::unix::fs::{MetadataExt, PermissionsExt};

use berth_compose::{Bind, Mount, MountKind};
use berth_tests::Engine;

use crate::support::*;

on_both_engines!(a_folder_of_roots_is_erased);

async fn a_folder_of_roots_is_erased(engine: Engine) {
    let docker = connect(&engine).await;
    let parent = tempfile::tempdir().unwrap();
    let folder = parent.path().join("check out: it's odd");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(parent.path().join("neighbour"), "").unwrap();
    let mut app = shell(
        "mkdir -p /work/deep/er && touch /work/deep/er/file && chmod 500 /work/deep/er && chmod 700 /work/deep",
    );
    app.mounts = vec![Mount {
        kind: MountKind::Bind,
        source: Some(folder.display().to_string()),
        bind: Some(Bind::default()),
        ..volume(None, "/work")
    }];
    let project = project([("app", app)]);
    up(
        &docker,
        &project,
        &identity("erase", "op1"),
        &free_ports(&project),
    )
    .await
    .0
    .unwrap();
    engine.docker(["wait", "shop-erase-app-1"]);
    down(&engine, &docker, "erase").await;
    let deep = std::fs::metadata(folder.join("deep")).unwrap();
    assert_eq!((deep.uid(), deep.permissions().mode() & 0o777), (0, 0o700));

    docker.erase_folder("erase", &folder).await.unwrap();
    assert!(!folder.exists());
    assert!(parent.path().join("neighbour").exists());
    nothing_left(&engine, "erase");
    // Absent is success.
    docker.erase_folder("erase", &folder).await.unwrap();
}
