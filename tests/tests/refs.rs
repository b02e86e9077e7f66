//! Two refs of one repository up at once: each with its own content, the user's checkout and `.git` byte for
//! byte as before.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::path::{Path, PathBuf};
use std::process::Command;

use berth_tests::{CommandLine, Engine, EngineKind, http};
use tempfile::TempDir;

/// A server that shows a file of the repository and what `.env` says, and that writes into the checkout as
/// root.
const PROJECT: &str = r#"
services:
  web:
    image: busybox:1.36
    command: ["sh", "-c", "mkdir -p /srv/cache/deep && echo root > /srv/cache/deep/file && echo $$GREETING > /srv/greeting.txt && httpd -f -p 80 -h /srv"]
    init: true
    environment:
      GREETING: ${GREETING:-none}
    volumes: ["./site:/srv"]
    ports: ["80"]
"#;

/// A user that is not root; no such account has to exist.
const ORDINARY: u32 = 54_321;

struct Repository {
    folder: TempDir,
    owner: Option<u32>,
}

impl Repository {
    fn new(owner: Option<u32>) -> Self {
        let folder = tempfile::Builder::new().prefix("shop-").tempdir().unwrap();
        let repository = Self { folder, owner };
        let site = repository.path().join("site");
        fs::create_dir(&site).unwrap();
        fs::write(repository.path().join("compose.yaml"), PROJECT).unwrap();
        fs::write(repository.path().join(".gitignore"), ".env\n").unwrap();
        fs::write(site.join("index.html"), "this is main\n").unwrap();
        repository.hand_over();
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository.commit("main");
        repository.git(&["checkout", "--quiet", "-b", "feature/x"]);
        fs::write(site.join("index.html"), "this is feature x\n").unwrap();
        repository.commit("feature");
        repository.git(&["checkout", "--quiet", "main"]);
        fs::write(
            repository.path().join(".env"),
            "GREETING=hello from dotenv\n",
        )
        .unwrap();
        repository.hand_over();
        repository
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&[
            "-c",
            "user.name=T",
            "-c",
            "user.email=t@example.com",
            "commit",
            "--quiet",
            "-m",
            message,
        ]);
    }

    fn git(&self, arguments: &[&str]) {
        let mut command = as_user(self.owner, "git");
        command
            .arg("-C")
            .arg(self.path())
            .args(arguments)
            .env("HOME", "/nonexistent");
        let output = command.output().unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
    }

    fn hand_over(&self) {
        if let Some(owner) = self.owner {
            let mut waiting = vec![self.path().to_owned()];
            while let Some(path) = waiting.pop() {
                chown(&path, Some(owner), Some(owner)).unwrap();
                if path.is_dir() {
                    waiting.extend(
                        fs::read_dir(&path)
                            .unwrap()
                            .map(|entry| entry.unwrap().path()),
                    );
                }
            }
        }
    }
}

fn as_user(user: Option<u32>, program: &str) -> Command {
    let Some(user) = user else {
        return Command::new(program);
    };
    let mut command = Command::new("setpriv");
    command
        .arg(format!("--reuid={user}"))
        .arg(format!("--regid={user}"))
        .args(["--clear-groups", program]);
    command
}

/// Every path under a folder, with what it holds and who owns it.
fn everything(folder: &Path) -> BTreeMap<PathBuf, (u32, u32, Vec<u8>)> {
    use std::os::unix::fs::MetadataExt as _;
    let mut found = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(path) = waiting.pop() {
        let about = fs::symlink_metadata(&path).unwrap();
        let content = if about.is_file() {
            fs::read(&path).unwrap()
        } else {
            Vec::new()
        };
        if about.is_dir() {
            waiting.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        }
        found.insert(path, (about.uid(), about.mode(), content));
    }
    found
}

fn two_refs_side_by_side(owner: Option<u32>) {
    let engine = Engine::start(EngineKind::Modern);
    engine.open_to_everyone();
    let before = engine.contents();
    let repository = Repository::new(owner);
    let mine = everything(repository.path());
    let berth = CommandLine::new(&engine.address());
    let data = berth.data().to_owned();
    // Where an ordinary user can reach it.
    let programs = tempfile::tempdir().unwrap();
    fs::set_permissions(programs.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let program = programs.path().join("berth");
    fs::copy(berth_tests::programs::berth(), &program).unwrap();
    if let Some(owner) = owner {
        chown(&data, Some(owner), Some(owner)).unwrap();
    }
    let run = |arguments: &[&str]| -> (String, String) {
        let mut command = as_user(owner, program.to_str().unwrap());
        command
            .args(arguments)
            .env("BERTH_DATA_DIR", &data)
            .env("DOCKER_HOST", engine.address());
        command
            .env("HOME", "/nonexistent")
            .current_dir(repository.path());
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(
            output.status.success(),
            "berth {}:\n{said}",
            arguments.join(" ")
        );
        (String::from_utf8_lossy(&output.stdout).into_owned(), said)
    };
    let page = |url: &str, path: &str| http::get(&format!("{}/{path}", url.trim())).unwrap().1;

    let (main, said) = run(&["up", ".", "--ref", "main"]);
    assert!(said.contains(".env"), "the carried file is shown:\n{said}");
    let (feature, _) = run(&["up", ".", "--ref", "feature/x"]);
    let url = |output: &str| output.lines().last().unwrap().to_owned();
    let (main, feature) = (url(&main), url(&feature));
    assert_ne!(main, feature);
    assert_eq!(page(&main, ""), "this is main\n");
    assert_eq!(page(&feature, ""), "this is feature x\n");
    for url in [&main, &feature] {
        assert_eq!(page(url, "greeting.txt"), "hello from dotenv\n");
    }
    assert_eq!(
        everything(repository.path()),
        mine,
        "the user's files are as they were"
    );
    let labelled = engine.labelled("dev.berth.environment");
    assert_eq!(
        labelled.networks.len(),
        2,
        "nothing is shared: {labelled:#?}"
    );

    // A new commit updates in place.
    repository.git(&["checkout", "--quiet", "feature/x"]);
    fs::write(
        repository.path().join("site/index.html"),
        "this is feature x, second commit\n",
    )
    .unwrap();
    repository.commit("second");
    repository.git(&["checkout", "--quiet", "main"]);
    let mine = everything(repository.path());
    let (again, _) = run(&["up", ".", "--ref", "feature/x"]);
    assert_eq!(url(&again), feature, "the URL survives");
    assert_eq!(page(&feature, ""), "this is feature x, second commit\n");
    assert_eq!(page(&main, ""), "this is main\n");
    assert_eq!(everything(repository.path()), mine);

    // Containers wrote into the checkouts as root; they go all the same.
    run(&["down", "--all"]);
    assert_eq!(engine.contents(), before);
    let checkouts: Vec<_> = fs::read_dir(data.join("checkouts"))
        .into_iter()
        .flatten()
        .collect();
    assert!(checkouts.is_empty(), "{checkouts:?}");
    assert_eq!(everything(repository.path()), mine);
}

#[test]
fn as_root() {
    two_refs_side_by_side(None);
}

#[test]
fn as_an_ordinary_user() {
    two_refs_side_by_side(Some(ORDINARY));
}

#[test]
fn a_pull_request_of_the_remote() {
    let engine = Engine::shared(EngineKind::Modern);
    let berth = CommandLine::new(&engine.address());
    let remote = Repository::new(None);
    // As GitHub keeps them: the head of pull request 42, on no branch.
    remote.git(&["update-ref", "refs/pull/42/head", "refs/heads/feature/x"]);
    remote.git(&["branch", "--quiet", "-D", "feature/x"]);
    let parent = tempfile::tempdir().unwrap();
    let clone = parent.path().join("clone");
    let cloned = Command::new("git")
        .args(["clone", "--quiet"])
        .args([remote.path(), &clone])
        .status()
        .unwrap();
    assert!(cloned.success());
    let output = berth.succeed(["up", clone.to_str().unwrap(), "--pr", "42"]);
    let url = output.lines().last().unwrap();
    assert_eq!(http::get(url).unwrap().1, "this is feature x\n");
    berth.succeed(["down", "--all"]);
}

#[test]
fn a_git_url_works_like_a_folder() {
    let engine = Engine::shared(EngineKind::Modern);
    let berth = CommandLine::new(&engine.address());
    let remote = Repository::new(None);
    let address = format!("file://{}", remote.path().display());
    let output = berth.succeed(["up", &address, "--ref", "feature/x"]);
    let url = output.lines().last().unwrap();
    assert_eq!(http::get(url).unwrap().1, "this is feature x\n");
    berth.succeed(["down", "--all"]);
}

#[test]
fn a_checkout_does_not_reach_out_of_the_repository() {
    let engine = Engine::shared(EngineKind::Modern);
    let berth = CommandLine::new(&engine.address());
    let repository = Repository::new(None);
    std::os::unix::fs::symlink("/etc", repository.path().join("out")).unwrap();
    for source in ["..", "../secret", "../../berth.db", "./out"] {
        let project = format!(
            "services:\n  web:\n    image: busybox:1.36\n    command: [sleep, '100']\n    volumes: ['{source}:/there']\n"
        );
        fs::write(repository.path().join("compose.yaml"), project).unwrap();
        repository.commit(source);
        let output = berth.run(["up", repository.path().to_str().unwrap(), "--ref", "main"]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{source}:\n{said}");
        assert!(
            said.contains("outside of the repository"),
            "{source}:\n{said}"
        );
        let checkouts = fs::read_dir(berth.data().join("checkouts")).unwrap();
        assert_eq!(checkouts.count(), 0, "{source}");
    }
}
