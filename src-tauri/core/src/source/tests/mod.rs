//! Sources against real git repositories in temporary folders.

mod refs;
mod trouble;
mod upkeep;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use berth_contracts::{ProvisionType, ServiceProvisioning};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::{Prepared, Sources};
use crate::problem::Problem;
use crate::view::{Selector, Service, Source};

/// A data folder, a user's repository, and git settings of their own.
struct Place {
    root: TempDir,
    sources: Sources,
}

impl Place {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        let home = root.path().join("home");
        fs::create_dir_all(&home).unwrap();
        fs::write(
            home.join(".gitconfig"),
            "[user]\nname = Test\nemail = test@example.com\n[init]\ndefaultBranch = main\n",
        )
        .unwrap();
        let sources = Sources::new(&root.path().join("data"), &environment(&home));
        Self { root, sources }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    /// Runs the user's own git.
    fn git(&self, folder: &Path, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .env_clear()
            .envs(environment(&self.path("home")))
            .current_dir(folder)
            .args(["-c", "protocol.file.allow=always"])
            .args(arguments)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {arguments:?}: {said}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// A repository with one commit on `main`.
    fn repository(&self, name: &str) -> PathBuf {
        let folder = self.path(name);
        fs::create_dir_all(&folder).unwrap();
        self.git(&folder, &["init", "--quiet"]);
        self.commit(&folder, "page.txt", "main\n");
        folder
    }

    fn commit(&self, folder: &Path, file: &str, text: &str) -> String {
        let path = folder.join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self.git(folder, &["add", "--all"]);
        self.git(folder, &["commit", "--quiet", "--message", text.trim()]);
        self.git(folder, &["rev-parse", "HEAD"])
    }

    async fn prepare(
        &self,
        service: &Service,
        selector: &Selector,
        environment: &str,
    ) -> Result<Prepared, Problem> {
        self.sources
            .prepare(service, selector, environment, &CancellationToken::new())
            .await
    }
}

fn environment(home: &Path) -> BTreeMap<String, String> {
    BTreeMap::from([
        ("HOME".to_owned(), home.display().to_string()),
        ("PATH".to_owned(), std::env::var("PATH").unwrap()),
        ("GIT_CONFIG_NOSYSTEM".to_owned(), "1".to_owned()),
    ])
}

fn folder_service(folder: &Path) -> Service {
    service(Source::Folder {
        path: folder.display().to_string(),
        git: true,
    })
}

fn url_service(url: &str) -> Service {
    service(Source::GitUrl {
        url: url.to_owned(),
        subdirectory: String::new(),
    })
}

fn service(source: Source) -> Service {
    Service {
        id: "s".to_owned(),
        name: "shop".to_owned(),
        source,
        provisioning: ServiceProvisioning::of(ProvisionType::DockerCompose),
        created_at: 0,
    }
}

fn reference(name: &str) -> Selector {
    Selector::Ref {
        name: name.to_owned(),
    }
}

fn text(path: impl AsRef<Path>) -> String {
    fs::read_to_string(path).unwrap()
}

/// Every file under `folder` with its content, mode, owner and change of content
/// time; links with their targets.
fn everything(folder: &Path) -> BTreeMap<PathBuf, (Vec<u8>, u32, u32, i64)> {
    use std::os::unix::ffi::OsStringExt as _;
    use std::os::unix::fs::MetadataExt as _;

    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            let metadata = fs::symlink_metadata(&path).unwrap();
            let content = if metadata.is_dir() {
                folders.push(path.clone());
                Vec::new()
            } else if metadata.is_symlink() {
                fs::read_link(&path).unwrap().into_os_string().into_vec()
            } else {
                fs::read(&path).unwrap()
            };
            let seen = (content, metadata.mode(), metadata.uid(), metadata.mtime());
            found.insert(path, seen);
        }
    }
    found
}
