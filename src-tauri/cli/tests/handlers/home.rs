//! A home folder to run `berth` in.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) const PASSPHRASE: &str = "four words in line";

pub(crate) struct Home {
    folder: TempDir,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// A program with nothing of the surroundings but PATH: neither an engine nor a
    /// session with a keychain.
    pub(crate) fn program(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.path())
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("HOME", self.path())
            .env("USER", "ada")
            .env("BERTH_DATA_DIR", self.data())
            .env(
                "DOCKER_HOST",
                format!("unix://{}", self.path().join("no.sock").display()),
            )
            .env("TZ", "UTC")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = self.program(env!("CARGO_BIN_EXE_berth"));
        command.args(words);
        command
    }

    pub(crate) fn data(&self) -> PathBuf {
        self.path().join("data")
    }

    pub(crate) fn berth(&self, words: &[&str]) -> Ran {
        Ran(self.command(words).output().unwrap())
    }

    /// The same, which has to work; its only line as JSON.
    pub(crate) fn object(&self, words: &[&str]) -> Value {
        let words: Vec<&str> = words.iter().copied().chain(["--json"]).collect();
        let ran = self.berth(&words);
        assert_eq!(ran.code(), 0, "{words:?}: {ran:?}");
        ran.object()
    }

    /// The same with something on standard input.
    pub(crate) fn fed(&self, words: &[&str], input: &str) -> Ran {
        Ran(feed(self.command(words), input))
    }

    /// The same with the vault's passphrase at hand.
    pub(crate) fn with_vault(&self, words: &[&str], input: &str) -> Ran {
        let mut command = self.command(words);
        command.env("BERTH_VAULT_PASSPHRASE_FILE", self.passphrase_file());
        Ran(feed(command, input))
    }

    pub(crate) fn passphrase_file(&self) -> PathBuf {
        let file = self.path().join("passphrase");
        if !file.exists() {
            std::fs::write(&file, format!("{PASSPHRASE}\n")).unwrap();
            only_mine(&file);
        }
        file
    }

    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        std::fs::write(self.path().join(name), text).unwrap();
        name.to_owned()
    }

    /// A folder with a compose file.
    pub(crate) fn project(&self, name: &str) -> String {
        let folder = self.path().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(
            folder.join("compose.yaml"),
            "services:\n  web:\n    image: busybox:1.36\n",
        )
        .unwrap();
        name.to_owned()
    }

    /// Fails when a text stands in a file of the data folder.
    pub(crate) fn refuse_in_data(&self, text: &str) {
        let mut folders = vec![self.data()];
        let mut files = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                files += 1;
                let content = std::fs::read(&path).unwrap();
                assert!(
                    !holds(&content, text.as_bytes()),
                    "{text} stands in {}",
                    path.display()
                );
            }
        }
        assert!(files > 0, "the data folder is empty");
    }
}

#[cfg(unix)]
fn only_mine(file: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o600)).unwrap();
}

#[cfg(not(unix))]
fn only_mine(_file: &Path) {}

fn feed(mut command: Command, input: &str) -> Output {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // A program that needs no input closes it.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

pub(crate) fn holds(content: &[u8], text: &[u8]) -> bool {
    content.windows(text.len()).any(|window| window == text)
}

#[derive(Debug)]
pub(crate) struct Ran(Output);

impl Ran {
    pub(crate) fn code(&self) -> i32 {
        self.0.status.code().expect("it was not killed by a signal")
    }

    pub(crate) fn stdout(&self) -> &str {
        std::str::from_utf8(&self.0.stdout).unwrap()
    }

    pub(crate) fn stderr(&self) -> &str {
        std::str::from_utf8(&self.0.stderr).unwrap()
    }

    /// The only line of standard output.
    pub(crate) fn object(&self) -> Value {
        let text = self.stdout();
        assert_eq!(text.lines().count(), 1, "{self:?}");
        serde_json::from_str(text).unwrap()
    }

    /// Every line of standard output.
    pub(crate) fn objects(&self) -> Vec<Value> {
        self.stdout()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    pub(crate) fn problem(&self) -> Value {
        self.object()["problem"].clone()
    }
}

/// A handler that needs a secret.
pub(crate) fn api(label: &str) -> String {
    json!({
        "engine": "remote-custom",
        "manifest": {
            "providerId": "acme",
            "label": label,
            "baseUrl": "https://previews.example.com",
            "auth": { "type": "bearer", "secretRef": { "key": "API_TOKEN" } },
            "provision": { "method": "POST", "pathTemplate": "/environments" },
            "response": { "urlPath": "url" },
        },
        "acceptsManifestId": "acme-preview",
    })
    .to_string()
}
