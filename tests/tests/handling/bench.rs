//! Berth beside an engine, and a folder to start.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use berth_tests::{CommandLine, Engine, EngineKind, http};
use serde_json::Value;
use tempfile::TempDir;

/// A page that says which file it comes from.
pub(crate) fn page_project(says: &str) -> String {
    format!(
        r#"
services:
  web:
    image: busybox:1.36
    command: ["sh", "-c", "echo it was started; mkdir /srv && echo {says} > /srv/index.html && httpd -f -p 80 -h /srv"]
    init: true
    ports: ["80"]
"#
    )
}

/// A folder `shop` with these files, in git on the branch `blue`.
pub(crate) struct Shop {
    pub(crate) parent: TempDir,
}

impl Shop {
    pub(crate) fn new(files: &[(&str, &str)]) -> Self {
        let shop = Self {
            parent: tempfile::tempdir().unwrap(),
        };
        fs::create_dir(shop.folder()).unwrap();
        for (name, text) in files {
            let file = shop.folder().join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        git(
            &shop.folder(),
            &["init", "--quiet", "--initial-branch=blue"],
        );
        git(&shop.folder(), &["add", "--all", "--force"]);
        git(
            &shop.folder(),
            &[
                "-c",
                "user.name=T",
                "-c",
                "user.email=t@example.com",
                "commit",
                "--quiet",
                "--allow-empty",
                "--message=All",
            ],
        );
        shop
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.parent.path().join("shop")
    }

    pub(crate) fn path(&self) -> String {
        self.folder().display().to_string()
    }
}

pub(crate) fn git(folder: &Path, arguments: &[&str]) {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(arguments)
        .env("HOME", "/nonexistent")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "git {arguments:?}: {said}");
}

/// Berth beside an engine.
pub(crate) struct Bench {
    pub(crate) engine: Engine,
    pub(crate) berth: CommandLine,
}

impl Bench {
    pub(crate) fn on(kind: EngineKind) -> Self {
        let engine = Engine::shared(kind);
        let berth = CommandLine::new(&engine.address());
        Self { engine, berth }
    }

    /// Changes settings of the workspace's handler for Docker.
    pub(crate) fn set(&self, settings: &Value) {
        let settings: Vec<String> = settings
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, value)| format!("--set=/manifest/providerConfig/{name}:={value}"))
            .collect();
        let words = ["handler", "set", "docker-compose"];
        let words = words.into_iter().chain(settings.iter().map(String::as_str));
        self.berth.succeed(words);
    }

    pub(crate) fn unset(&self, setting: &str) {
        let field = format!("--unset=/manifest/providerConfig/{setting}");
        self.berth
            .succeed(["handler", "set", "docker-compose", &field]);
    }

    /// The environment that a start comes to.
    pub(crate) fn up(&self, words: &[&str]) -> Value {
        let words = ["up", "--json"].into_iter().chain(words.iter().copied());
        let said = self.berth.succeed(words);
        let result: Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
        assert_eq!(result["problem"], Value::Null, "{result:#}");
        result["environment"].clone()
    }

    /// What a start that is refused says, and the exit code.
    pub(crate) fn refused(&self, words: &[&str]) -> (Value, i32) {
        let words = ["up", "--json"].into_iter().chain(words.iter().copied());
        let output = self.berth.run(words);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let result: Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
        (result["problem"].clone(), output.status.code().unwrap())
    }

    pub(crate) fn status(&self, name: &str) -> Value {
        let said = self.berth.succeed(["status", name, "--json"]);
        serde_json::from_str(&said).unwrap()
    }

    /// Takes everything away, and fails when anything of it stays on the engine.
    pub(crate) fn end(self, environments: &[&Value]) {
        self.berth.succeed(["down", "--all"]);
        for environment in environments {
            assert!(self.engine.labelled(&label(environment)).is_empty());
        }
    }
}

pub(crate) fn text<'a>(value: &'a Value, field: &str) -> &'a str {
    value[field]
        .as_str()
        .unwrap_or_else(|| panic!("{field} of {value:#}"))
}

pub(crate) fn label(environment: &Value) -> String {
    format!("dev.berth.environment={}", text(environment, "id"))
}

pub(crate) fn url(environment: &Value) -> &str {
    text(&environment["addresses"][0], "url")
}

pub(crate) fn page(environment: &Value) -> String {
    http::get(url(environment)).unwrap().1
}

pub(crate) fn warnings(status: &Value) -> String {
    status["plan"]["warnings"].to_string()
}
