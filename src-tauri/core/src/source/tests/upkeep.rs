use super::super::NotRemoved;
use super::*;
use std::os::unix::fs::PermissionsExt as _;

use berth_compose::{Build, Files as _, Mount, MountKind, Project};

fn bind(source: PathBuf) -> Mount {
    Mount {
        kind: MountKind::Bind,
        source: Some(source.display().to_string()),
        target: "/x".to_owned(),
        read_only: false,
        bind: None,
        volume: None,
        tmpfs: None,
    }
}

#[tokio::test]
async fn an_ignored_env_file_is_carried_named_and_kept_up_to_date() {
    let place = Place::new();
    let folder = place.repository("shop");
    place.commit(&folder, ".gitignore", ".env\n");
    place.commit(&folder, "tracked.txt", "tracked\n");
    place.git(&folder, &["switch", "--quiet", "--create", "without"]);
    place.git(&folder, &["rm", "--quiet", "tracked.txt"]);
    place.git(&folder, &["commit", "--quiet", "--message", "without"]);
    place.git(&folder, &["switch", "--quiet", "main"]);
    fs::write(folder.join(".env"), "KEY=one\n").unwrap();
    fs::set_permissions(folder.join(".env"), fs::Permissions::from_mode(0o600)).unwrap();
    let service = folder_service(&folder);

    let prepared = place
        .prepare(&service, &reference("without"), "e1")
        .await
        .unwrap();
    let carried = prepared.directory.join(".env");
    assert!(prepared.files.is_file(&carried) && !carried.exists());
    assert_eq!(prepared.files.read(&carried).unwrap(), b"KEY=one\n");
    assert_eq!(prepared.files.carried(), [".env"]);
    assert_eq!(
        fs::metadata(&carried).unwrap().permissions().mode() & 0o777,
        0o600
    );
    // What the ref does not have because it was removed there stays away.
    let removed = prepared.directory.join("tracked.txt");
    assert!(!prepared.files.is_file(&removed));
    assert!(prepared.files.read(&removed).is_err());

    fs::write(folder.join(".env"), "KEY=two\n").unwrap();
    let prepared = place
        .prepare(&service, &reference("without"), "e1")
        .await
        .unwrap();
    assert_eq!(prepared.files.read(&carried).unwrap(), b"KEY=two\n");
    assert_eq!(prepared.files.carried(), [".env"]);

    fs::write(&carried, "KEY=changed inside\n").unwrap();
    fs::write(folder.join(".env"), "KEY=three\n").unwrap();
    let prepared = place
        .prepare(&service, &reference("without"), "e1")
        .await
        .unwrap();
    assert_eq!(text(&carried), "KEY=changed inside\n");
    assert!(
        prepared.warnings[0].contains(".env"),
        "{:?}",
        prepared.warnings
    );

    fs::write(&carried, "KEY=two\n").unwrap();
    fs::remove_file(folder.join(".env")).unwrap();
    place
        .prepare(&service, &reference("without"), "e1")
        .await
        .unwrap();
    assert!(!carried.exists());
}

#[tokio::test]
async fn ignored_files_of_mounts_and_builds_are_carried_but_no_folders() {
    let place = Place::new();
    let folder = place.repository("shop");
    place.commit(&folder, "app/Dockerfile", "FROM scratch\n");
    place.commit(&folder, "app/.dockerignore", "left-*\ntarget\n");
    fs::create_dir(folder.join("app/target")).unwrap();
    fs::write(folder.join("app/target/out"), "").unwrap();
    place.commit(
        &folder,
        ".gitignore",
        "*.secret\nnode_modules\ndata\ntarget\n",
    );
    fs::write(folder.join("web.secret"), "mounted").unwrap();
    fs::write(folder.join("app/build.secret"), "built").unwrap();
    fs::write(folder.join("other.secret"), "not needed").unwrap();
    fs::create_dir_all(folder.join("app/node_modules/x")).unwrap();
    fs::write(folder.join("app/node_modules/x/y"), "").unwrap();
    fs::write(folder.join("app/left-out.secret"), "not for the build").unwrap();
    fs::create_dir(folder.join("data")).unwrap();
    let large = fs::File::create(folder.join("large.secret")).unwrap();
    large.set_len(11 * 1024 * 1024).unwrap();

    let prepared = place
        .prepare(&folder_service(&folder), &reference("main"), "e1")
        .await
        .unwrap();
    let at = |name: &str| prepared.directory.join(name);
    let mut project = Project::default();
    project.services.insert(
        "web".to_owned(),
        berth_compose::Service {
            mounts: vec![
                bind(at("web.secret")),
                bind(at("data")),
                bind(at("large.secret")),
            ],
            build: Some(Build {
                context: at("app"),
                ..Build::default()
            }),
            ..berth_compose::Service::default()
        },
    );
    let said = prepared
        .files
        .carry_mounts(&project, &CancellationToken::new())
        .await
        .unwrap();
    assert_eq!(prepared.files.carried(), ["app/build.secret", "web.secret"]);
    assert_eq!(text(at("app/build.secret")), "built");
    assert!(!at("other.secret").exists() && !at("data").exists() && !at("large.secret").exists());
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(said[0].contains("data") && said[1].contains("large.secret"));
    assert!(said[2].contains("app/node_modules") && !said[2].contains("target"));
}

#[tokio::test]
async fn nothing_outside_the_repository_is_read_for_a_ref() {
    let place = Place::new();
    fs::write(place.path("outside.txt"), "secret").unwrap();
    let folder = place.repository("shop");
    std::os::unix::fs::symlink(place.path("outside.txt"), folder.join("link.env")).unwrap();
    std::os::unix::fs::symlink("page.txt", folder.join("inside.env")).unwrap();
    place.commit(&folder, "x", "links\n");
    let prepared = place
        .prepare(&folder_service(&folder), &reference("main"), "e1")
        .await
        .unwrap();
    let at = |name: &str| prepared.directory.join(name);
    assert_eq!(prepared.files.read(&at("inside.env")).unwrap(), b"main\n");
    for path in [
        at("link.env"),
        at("../../../outside.txt"),
        place.path("outside.txt"),
    ] {
        let error = prepared.files.read(&path).unwrap_err();
        assert!(
            error.to_string().contains("leads out of the repository"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn a_checkout_goes_with_its_registration_and_an_unused_clone_after_it() {
    let place = Place::new();
    let folder = place.repository("shop");
    let service = folder_service(&folder);
    let prepared = place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap();
    let checkout = prepared.directory;
    // Containers leave folders that cannot be entered, and links.
    fs::create_dir(checkout.join("closed")).unwrap();
    fs::write(checkout.join("closed/file"), "").unwrap();
    fs::set_permissions(checkout.join("closed"), fs::Permissions::from_mode(0o000)).unwrap();
    std::os::unix::fs::symlink(&folder, checkout.join("link")).unwrap();

    let cancel = CancellationToken::new();
    let clones = || {
        fs::read_dir(place.path("data/sources"))
            .unwrap()
            .flatten()
            .filter(|entry| entry.path().extension().is_some_and(|end| end == "git"))
            .count()
    };
    place
        .sources
        .remove_unused_clones(&[], &cancel)
        .await
        .unwrap();
    assert_eq!(clones(), 1, "a checkout still needs it");
    place.sources.remove_checkout("e1").await.unwrap();
    place.sources.remove_checkout("e1").await.unwrap();
    assert!(!checkout.exists());
    assert!(folder.join("page.txt").exists());
    place
        .sources
        .remove_unused_clones(std::slice::from_ref(&service), &cancel)
        .await
        .unwrap();
    assert_eq!(clones(), 1, "a service still needs it");
    place
        .sources
        .remove_unused_clones(&[], &cancel)
        .await
        .unwrap();
    assert_eq!(clones(), 0);
}

/// The part of [`files_of_another_user_are_named`] that an ordinary user does.
#[tokio::test]
#[ignore = "started by files_of_another_user_are_named"]
async fn remove_as_an_ordinary_user() {
    let data = PathBuf::from(std::env::var_os("BERTH_TEST_DATA").unwrap());
    let sources = Sources::new(&data, &BTreeMap::new());
    match sources.remove_checkout("e1").await.unwrap_err() {
        NotRemoved::ForeignFiles { checkout, paths } => {
            assert_eq!(paths, [checkout.join("db/rows")]);
        }
        other => panic!("{other:?}"),
    }
}

/// What containers leave as root: all else goes, what stays is named, and after
/// it was erased the next call ends the removal. Only root can set this up.
#[tokio::test]
async fn files_of_another_user_are_named() {
    use std::os::unix::process::CommandExt as _;

    const NOBODY: u32 = 65534;
    if !rustix::process::geteuid().is_root() {
        eprintln!("not run: only root can leave files of another user");
        return;
    }
    let place = Place::new();
    let checkout = place.path("data/checkouts/e1");
    fs::create_dir_all(checkout.join("db")).unwrap();
    fs::create_dir_all(checkout.join("own")).unwrap();
    fs::write(checkout.join("own/file"), "").unwrap();
    for own in [
        "",
        "data",
        "data/checkouts",
        "data/checkouts/e1",
        "data/checkouts/e1/own",
    ] {
        std::os::unix::fs::chown(place.path(own), Some(NOBODY), Some(NOBODY)).unwrap();
    }
    fs::write(checkout.join("db/rows"), "").unwrap();
    // A test program that any user may run, wherever the build's folder lies.
    let program = place.path("program");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    let done = Command::new(&program)
        .args(["--exact", "--ignored", "--nocapture"])
        .arg(format!(
            "{}::remove_as_an_ordinary_user",
            module_path!().split_once("::").unwrap().1
        ))
        .env("BERTH_TEST_DATA", place.path("data"))
        .current_dir(place.root.path())
        .uid(NOBODY)
        .gid(NOBODY)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && said.contains("1 passed"), "{said}");
    assert!(!checkout.join("own").exists() && checkout.join("db/rows").exists());
    place.sources.remove_checkout("e1").await.unwrap();
    assert!(!checkout.exists());
}

/// git refuses what another user owns; the way out is named.
#[tokio::test]
async fn a_repository_of_another_user_is_refused_with_the_way_out() {
    if !rustix::process::geteuid().is_root() {
        eprintln!("not run: only root can make a repository of another user");
        return;
    }
    let place = Place::new();
    let folder = place.repository("the irs");
    let own = |path: &Path| std::os::unix::fs::chown(path, Some(65534), Some(65534)).unwrap();
    own(&folder);
    own(&folder.join(".git"));
    let service = folder_service(&folder);
    let problem = place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap_err();
    assert_eq!(problem.code, crate::problem::Code::Git);
    let hint = problem.hint.unwrap();
    let command = format!(
        "git config --global --add safe.directory '{}'",
        folder.display()
    );
    assert!(hint.contains(&command), "{hint}");

    place.git(
        &place.path("home"),
        &[
            "config",
            "--global",
            "--add",
            "safe.directory",
            folder.to_str().unwrap(),
        ],
    );
    let prepared = place
        .prepare(&service, &reference("main"), "e1")
        .await
        .unwrap();
    assert_eq!(text(prepared.directory.join("page.txt")), "main\n");
}
