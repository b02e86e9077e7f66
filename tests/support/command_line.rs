//! `berth` on a data folder of its own.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use berth_core::view::{Actor, Environment};
use berth_core::{Berth, Options, SystemClock};
use tempfile::TempDir;

use crate::programs;

/// The command line with a data folder of its own, on one engine.
#[derive(Debug)]
pub struct CommandLine {
    data: TempDir,
    engine: String,
}

impl CommandLine {
    /// On the engine at `address` (as `DOCKER_HOST` has it), with nothing known yet.
    ///
    /// # Panics
    /// When no folder can be made.
    #[must_use]
    pub fn new(address: &str) -> Self {
        let data = tempfile::Builder::new()
            .prefix("berth-data-")
            .tempdir()
            .expect("a folder can be made");
        Self {
            data,
            engine: address.to_owned(),
        }
    }

    /// The data folder.
    #[must_use]
    pub fn data(&self) -> &Path {
        self.data.path()
    }

    /// `berth` with arguments, ready to be started; its output is caught.
    pub fn command<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = Command::new(programs::berth());
        command
            .args(arguments)
            .envs(self.surroundings())
            .env_remove("DOCKER_CONTEXT")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs `berth` to its end.
    ///
    /// # Panics
    /// When it cannot be started.
    pub fn run<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Output {
        self.command(arguments)
            .output()
            .expect("berth can be started")
    }

    /// Runs `berth` and gives its standard output.
    ///
    /// # Panics
    /// When it fails, with what it said.
    pub fn succeed<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> String {
        let arguments: Vec<&str> = arguments.into_iter().collect();
        let output = self.run(arguments.iter().copied());
        assert!(
            output.status.success(),
            "berth {} ended with {}:\n{}{}",
            arguments.join(" "),
            output.status,
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// The core on the same data folder and engine, in this process.
    ///
    /// # Panics
    /// When the data folder cannot be opened.
    pub async fn core(&self) -> Berth {
        let inherited = std::env::vars().filter(|(key, _)| !key.starts_with("DOCKER_"));
        Berth::open(Options {
            data_dir: Some(self.data.path().to_owned()),
            actor: Actor::CommandLine,
            environment: inherited.chain(self.surroundings()).collect(),
            clock: Arc::new(SystemClock),
            keychain: None,
        })
        .await
        .expect("the data folder can be opened")
    }

    /// Every environment on record, torn-down ones included.
    ///
    /// # Panics
    /// When the records cannot be read.
    pub async fn environments(&self) -> Vec<Environment> {
        let snapshot = self.core().await.snapshot().await;
        snapshot.expect("the records can be read").environments
    }

    fn surroundings(&self) -> BTreeMap<String, String> {
        BTreeMap::from([
            (
                "BERTH_DATA_DIR".to_owned(),
                self.data.path().display().to_string(),
            ),
            ("DOCKER_HOST".to_owned(), self.engine.clone()),
            ("DOCKER_CONFIG".to_owned(), "/nonexistent".to_owned()),
        ])
    }
}
