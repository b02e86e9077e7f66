//! Everything that can be done with secrets, with all that is printed kept for the search.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use berth_tests::CommandLine;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tempfile::TempDir;

use crate::watch::Watch;

/// A secret of this tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Planted {
    /// Protects the encrypted file.
    Passphrase,
    /// Of a custom handler, while it lasts.
    Handler,
    /// Takes its place.
    Rotated,
    /// Of the handler for Docker, so that environments have secrets of their own.
    Docker,
    /// In `.env`.
    Dotenv,
    /// In an env file.
    EnvFile,
    /// A build argument.
    Argument,
    /// In what is given to a test and never stored.
    Tested,
    /// Made in the container: nothing outside of it knows it, but for its form.
    Container,
}

impl Planted {
    const ALL: [Self; 9] = [
        Self::Passphrase,
        Self::Handler,
        Self::Rotated,
        Self::Docker,
        Self::Dotenv,
        Self::EnvFile,
        Self::Argument,
        Self::Tested,
        Self::Container,
    ];
}

/// Fails while it is built (a first time), then fails while it runs (a second time), each time quoting what it
/// was given; then it stands.
const PROJECT: &str = r#"
services:
  web:
    build:
      context: .
      args: {TOKEN: "${TOKEN}", MOOD: "${BUILD}"}
    env_file: extra.env
    environment:
      PASSWORD: ${PASSWORD}
      MOOD: ${RUN}
    ports: ["80"]
    healthcheck: {test: "echo $$PASSWORD, $$EXTRA, $$(cat /token) were refused; test $$MOOD = good", interval: 1s, retries: 1}
"#;

const DOCKERFILE: &str = r#"FROM busybox:1.36
ARG TOKEN
ARG MOOD
RUN printf 'ghp_%s' HALF > /token && echo "$(cat /token) token $TOKEN"; test "$MOOD" = good
CMD ["sh", "-c", "echo password $PASSWORD extra $EXTRA and $(cat /token); test $MOOD != ends || exit 7; mkdir -p /srv; exec httpd -f -p 80 -h /srv"]
"#;

/// Without a build: an engine that refuses containers is reached.
const WITHOUT_BUILD: &str = r#"
services:
  web:
    image: busybox:1.36
    command: [sleep, "1000"]
    env_file: extra.env
    environment: {PASSWORD: "${PASSWORD}", BOTH: "${PASSWORD}-and-${TOKEN}"}
    labels: {of.the.project: "${TOKEN}"}
"#;

/// Wrong with a secret in their place. Where a name is wrong (of a network, of a file), it has to be read.
const WRONG: [&str; 7] = [
    "ports: [\"${TOKEN}:80\"]",
    "restart: ${PASSWORD}",
    "stop_grace_period: ${TOKEN}",
    "mem_limit: ${PASSWORD}",
    "healthcheck: {test: x, interval: \"${TOKEN}\"}",
    "extra_hosts: [\"${PASSWORD}\"]",
    "privileged: \"${TOKEN}\"",
];

/// One data folder, one project, and all that was said.
pub(crate) struct Tour {
    berth: CommandLine,
    folder: TempDir,
    /// Unlike any other tour's.
    mark: String,
    surroundings: Vec<(String, PathBuf)>,
    printed: Vec<(String, String)>,
    watch: Option<Watch>,
}

impl Tour {
    pub(crate) fn new(address: &str) -> Self {
        let folder = tempfile::Builder::new().prefix("tour-").tempdir().unwrap();
        let mark = format!("{:x}", rand_of(folder.path()));
        let mut tour = Self {
            berth: CommandLine::new(address),
            folder,
            mark,
            surroundings: Vec::new(),
            printed: Vec::new(),
            watch: None,
        };
        tour.watch = Some(Watch::for_secrets(tour.all_planted()));
        fs::create_dir(tour.project()).unwrap();
        let whole = tour.planted(Planted::Container);
        let half = whole.trim_start_matches("ghp_");
        tour.write("Dockerfile", &DOCKERFILE.replace("HALF", half));
        tour.write("compose.yaml", PROJECT);
        let extra = format!("EXTRA={}\n", tour.planted(Planted::EnvFile));
        tour.write("extra.env", &extra);
        tour.moods("good", "good");
        tour
    }

    /// Adds to the environment that Berth runs in.
    pub(crate) fn with(&mut self, name: &str, value: &Path) {
        self.surroundings.push((name.to_owned(), value.to_owned()));
    }

    /// Where the test may put its own files.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn planted(&self, which: Planted) -> String {
        match which {
            // As long as such a token is.
            Planted::Container => format!("ghp_{:0<36}", self.mark),
            _ => format!("planted-{which:?}-{}", self.mark),
        }
    }

    fn all_planted(&self) -> Vec<String> {
        Planted::ALL.map(|which| self.planted(which)).to_vec()
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("shop")
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.project().join(name), text).unwrap();
    }

    /// How building and running go.
    fn moods(&self, build: &str, run: &str) {
        let text = format!(
            "PASSWORD={}\nTOKEN={}\nBUILD={build}\nRUN={run}\n",
            self.planted(Planted::Dotenv),
            self.planted(Planted::Argument)
        );
        self.write(".env", &text);
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = self.berth.command(words.iter().copied());
        command
            .envs(self.surroundings.iter().map(|(name, value)| (name, value)))
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            // A crash says all it can.
            .env("RUST_BACKTRACE", "full")
            .current_dir(self.folder());
        command
    }

    fn keep(&mut self, words: &[&str], output: &Output) -> String {
        let text = [output.stdout.as_slice(), &output.stderr].concat();
        let text = String::from_utf8_lossy(&text).into_owned();
        self.printed.push((words.join(" "), text.clone()));
        text
    }

    /// Runs a verb with something on standard input; all that it says.
    fn run(&mut self, words: &[&str], input: &str) -> (bool, String) {
        let mut child = self.command(words).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // A program that needs no input closes it.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        (output.status.success(), self.keep(words, &output))
    }

    pub(crate) fn succeed(&mut self, words: &[&str], input: &str) -> String {
        let (succeeded, text) = self.run(words, input);
        assert!(succeeded, "berth {}:\n{text}", words.join(" "));
        text
    }

    fn refuse(&mut self, words: &[&str], input: &str) -> String {
        let (succeeded, text) = self.run(words, input);
        assert!(!succeeded, "berth {} succeeded:\n{text}", words.join(" "));
        text
    }

    fn document(&self) -> String {
        let file = self.folder().join("acme.json");
        let document = json!({
            "engine": "remote-custom",
            "manifest": {
                "providerId": "acme",
                "label": "Acme",
                "baseUrl": "https://previews.example.com",
                "auth": {"type": "bearer", "secretRef": {"key": "API_TOKEN"}},
                "provision": {"method": "POST", "pathTemplate": "/environments"},
                "response": {"urlPath": "url"},
            },
            "acceptsManifestId": "acme",
        });
        fs::write(&file, document.to_string()).unwrap();
        file.display().to_string()
    }

    /// A custom handler with a secret, and one of the handler for Docker.
    pub(crate) fn register(&mut self) {
        let (file, value) = (self.document(), self.planted(Planted::Handler));
        self.refuse(&["handler", "set", &file], "");
        // A mistake in what is read quotes nothing of it.
        self.refuse(
            &["handler", "set", &file, "--secrets-from-stdin"],
            &format!("API_TOKEN {value}\n"),
        );
        self.refuse(
            &["handler", "set", &file, "--secrets-from-stdin", "--json"],
            &format!("API_TOKEN={value}\nAPI_TOKEN={value}\n"),
        );
        self.succeed(
            &["handler", "set", &file, "--secrets-from-stdin", "--json"],
            &format!("API_TOKEN={value}\n"),
        );
        let docker = self.planted(Planted::Docker);
        self.succeed(
            &[
                "handler",
                "secret",
                "docker-compose",
                "--set",
                "REGISTRY",
                "--secrets-from-stdin",
            ],
            &format!("REGISTRY={docker}\n"),
        );
        // Copies of both, with the secrets.
        self.succeed(
            &[
                "handler",
                "override",
                "custom:acme",
                "--set=/manifest/label=Mine",
            ],
            "",
        );
        let shown = self.succeed(&["handler", "show", "custom:acme"], "");
        assert!(shown.contains("API_TOKEN"), "{shown}");
    }

    /// Tests of handlers that are stored and of one that is not.
    pub(crate) fn test(&mut self) {
        let (file, value) = (self.document(), self.planted(Planted::Tested));
        let input = format!("API_TOKEN={value}\n");
        self.run(&["handler", "test", &file, "--secrets-from-stdin"], &input);
        let as_json = ["handler", "test", &file, "--secrets-from-stdin", "--json"];
        self.run(&as_json, &input);
        self.run(&["handler", "test", "custom:acme"], "");
        self.succeed(&["handler", "test"], "");
        self.run(&["doctor"], "");
    }

    /// Fails while it is read, while it is built, in a container's health and at a container's end.
    pub(crate) fn fail(&mut self) {
        let path = self.project().display().to_string();
        for line in WRONG {
            let text = format!("services:\n  web:\n    image: busybox:1.36\n    {line}\n");
            self.write("compose.yaml", &text);
            let said = self.refuse(&["up", &path], "");
            assert!(said.contains("compose.yaml:4"), "{line}: {said}");
            self.refuse(&["up", &path, "--json"], "");
        }
        self.write("compose.yaml", PROJECT);
        self.moods("bad", "good");
        let said = self.refuse(&["up", &path], "");
        assert!(
            said.contains("token [REDACTED]"),
            "the build is quoted: {said}"
        );
        for (mood, word) in [("bad", "were refused"), ("ends", "7")] {
            self.moods("good", mood);
            let said = self.refuse(&["up", &path], "");
            assert!(said.contains(word), "{mood} is quoted: {said}");
            self.refuse(&["up", &path, "--json"], "");
            self.succeed(&["status", "shop"], "");
            self.succeed(&["status", "shop", "--json"], "");
            self.refuse(&["retry", "shop"], "");
        }
    }

    pub(crate) fn fail_on_a_quoting_engine(&mut self) {
        self.write("compose.yaml", WITHOUT_BUILD);
        let path = self.project().display().to_string();
        let said = self.refuse(&["up", &path], "");
        assert!(said.contains("invalid request"), "it is quoted: {said}");
        assert!(said.contains("[REDACTED]"), "{said}");
        self.refuse(&["up", &path, "--json"], "");
        self.refuse(&["retry", "shop", "--json"], "");
        self.succeed(&["status", "shop", "--json"], "");
    }

    /// It stands; its own log has what it was given, when that is asked for.
    pub(crate) fn succeed_and_log(&mut self) {
        let path = self.project().display().to_string();
        self.moods("good", "good");
        self.succeed(&["up", &path], "");
        self.succeed(&["up", &path, "--name", "other", "--json"], "");
        let output = self.command(&["logs", "shop"]).output().unwrap();
        let log = String::from_utf8_lossy(&output.stdout).into_owned();
        for planted in [Planted::Dotenv, Planted::EnvFile, Planted::Container] {
            assert!(log.contains(&self.planted(planted)), "{planted:?}:\n{log}");
        }
    }

    /// Ends in the midst of its work, as a fault of its own would end it.
    pub(crate) fn crash(&mut self) {
        let path = self.project().display().to_string();
        // Never well, but tried for long enough.
        let slow = PROJECT.replace("retries: 1", "retries: 60");
        self.write("compose.yaml", &slow);
        self.moods("good", "bad");
        let words = ["up", &path, "--name", "crashed"];
        let child = self.command(&words).spawn().unwrap();
        let begun = Instant::now();
        while !self.status_of("shop-crashed").contains("\"healthcheck\"")
            && !self.status_of("shop-crashed").contains("\"starting\"")
        {
            assert!(begun.elapsed() < Duration::from_secs(60), "it never runs");
            std::thread::sleep(Duration::from_millis(50));
        }
        kill_process(Pid::from_child(&child), Signal::ABORT).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(!output.status.success());
        self.keep(&words, &output);
        // The next one takes it back, and says so.
        self.write("compose.yaml", PROJECT);
        self.run(&["retry", "shop-crashed"], "");
        self.succeed(&["status", "shop-crashed", "--json"], "");
        self.moods("good", "good");
    }

    fn status_of(&self, name: &str) -> String {
        let output = self.command(&["status", name, "--json"]).output().unwrap();
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    pub(crate) fn rotate_and_remove(&mut self) {
        let rotated = format!("API_TOKEN={}\n", self.planted(Planted::Rotated));
        let secret = ["handler", "secret", "custom:acme"];
        let words = [&secret[..], &["--secrets-from-stdin"]].concat();
        self.succeed(&words, &rotated);
        let other = self.planted(Planted::Handler);
        let mine = [
            &secret[..],
            &["--mine", "--set", "OTHER", "--secrets-from-stdin"],
        ]
        .concat();
        self.succeed(&mine, &format!("OTHER={other}\n"));
        let removed = [&secret[..], &["--mine", "--remove", "OTHER", "--json"]].concat();
        self.succeed(&removed, "");
        // The one that the config refers to stays.
        self.refuse(&[&secret[..], &["--remove", "API_TOKEN"]].concat(), "");
    }

    pub(crate) fn export_and_import(&mut self) {
        let file = self.folder().join("workspace.json");
        let file = file.display().to_string();
        self.succeed(&["workspace", "export", &file], "");
        let text = self.succeed(&["workspace", "export"], "");
        assert!(text.contains("API_TOKEN"), "{text}");
        self.succeed(&["workspace", "export", "--json"], "");
        let exported = fs::read_to_string(&file).unwrap();
        self.printed
            .push(("the exported file".to_owned(), exported));
        self.succeed(&["handler", "rm", "custom:acme"], "");
        self.succeed(&["workspace", "import", &file, "--dry-run"], "");
        let wrong = format!("custom:acme/API_TOKEN {}\n", self.planted(Planted::Handler));
        let import = [
            "workspace",
            "import",
            &file,
            "--yes",
            "--secrets-from-stdin",
        ];
        self.refuse(&import, &wrong);
        let right = format!("custom:acme/API_TOKEN={}\n", self.planted(Planted::Handler));
        let (imported, said) = self.run(&[&import[..], &["--json"]].concat(), &right);
        assert!(imported, "{said}");
    }

    /// All that can be shown, for people and for programs.
    pub(crate) fn ask_for_everything(&mut self) {
        let verbs: [&[&str]; 17] = [
            &["ls", "--all"],
            &["status", "shop"],
            &["service", "ls"],
            &["handler", "ls"],
            &["handler", "show", "docker-compose"],
            &["handler", "show", "custom:acme"],
            &["handler", "explain", "shop"],
            &["handler", "override", "compare", "custom:acme"],
            &["type", "ls"],
            &["user", "ls"],
            &["secrets"],
            &["activity", "--limit", "10000"],
            &["doctor"],
            &["workspace", "export"],
            &["extend", "shop", "3h"],
            &["handler", "override", "off", "custom:acme"],
            &["handler", "test", "custom:acme"],
        ];
        for words in verbs {
            self.run(words, "");
            self.run(&[words, &["--json"]].concat(), "");
        }
        let (events, environments) = self.read_in_this_process();
        assert!(events.len() > 10, "{events}");
        self.printed.push(("the events".to_owned(), events));
        self.printed
            .push(("the environments".to_owned(), environments));
    }

    /// Every event since the first, and everything on record of each environment.
    fn read_in_this_process(&self) -> (String, String) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let berth = self.berth.core().await;
            let snapshot = berth.snapshot().await.unwrap();
            let mut all = format!("{snapshot:?}");
            for environment in &snapshot.environments {
                let detail = berth.environment(&environment.id).await.unwrap();
                all.push_str(&format!("{detail:?}"));
                all.push_str(&serde_json::to_string(&detail).unwrap());
            }
            let mut events = String::new();
            let mut following = std::pin::pin!(berth.follow(0));
            let mut last = 0;
            while last < snapshot.sequence {
                let batch = futures_util::StreamExt::next(&mut following).await;
                let batch = batch.unwrap().unwrap();
                for event in batch {
                    last = last.max(event.sequence);
                    events.push_str(&serde_json::to_string(&event).unwrap());
                }
            }
            (events, all)
        })
    }

    /// Takes everything down.
    pub(crate) fn leave(&mut self) {
        self.succeed(&["down", "--all", "--json"], "");
        self.succeed(&["ls", "--all", "--json"], "");
        self.succeed(&["activity", "--json"], "");
    }

    /// Searches all that was said and written for what was planted.
    pub(crate) fn assert_nothing_leaked(mut self) {
        let seen = self.watch.take().unwrap().seen();
        assert_eq!(seen.leaked, Vec::<String>::new(), "arguments");
        assert!(seen.of_berth > 20, "{} looks at Berth", seen.of_berth);
        let mut files = Vec::new();
        files_under(self.berth.data(), &mut files);
        assert!(
            files.iter().any(|file| file.ends_with("berth.db")),
            "{files:?}"
        );
        for planted in Planted::ALL {
            let secret = self.planted(planted);
            for (command, text) in &self.printed {
                assert!(
                    !text.contains(&secret),
                    "{command} shows {planted:?}:\n{text}"
                );
            }
            for file in &files {
                let content = fs::read(file).unwrap();
                for form in forms(&secret) {
                    assert!(
                        !content.windows(form.len()).any(|text| text == form),
                        "{planted:?} stands in {}",
                        file.display()
                    );
                }
            }
        }
        // Of a crash nothing is left but what was there.
        let mut own = Vec::new();
        for entry in fs::read_dir(self.folder()).unwrap() {
            own.push(entry.unwrap().file_name().into_string().unwrap());
        }
        own.sort();
        let known = ["acme.json", "passphrase", "shop", "workspace.json"];
        assert!(
            own.iter().all(|name| known.contains(&name.as_str())),
            "{own:?}"
        );
    }
}

/// A secret as it is, as UTF-16, and in hexadecimal.
fn forms(secret: &str) -> [Vec<u8>; 3] {
    let wide = secret.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let digits: String = secret.bytes().map(|byte| format!("{byte:02x}")).collect();
    [secret.as_bytes().to_vec(), wide, digits.into_bytes()]
}

fn files_under(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_under(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// A number that no other tour has: of the folder's name, which is drawn by lot.
fn rand_of(folder: &Path) -> u64 {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut hasher = DefaultHasher::new();
    folder.hash(&mut hasher);
    hasher.finish()
}
