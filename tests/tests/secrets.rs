//! Values from `.env` and env files go into containers and nowhere else: not into records, events, errors or
//! what is printed (but for a container's own log, when that is asked for).
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

use std::fs;
use std::path::Path;

use berth_tests::{CommandLine, Engine, EngineKind};

const IN_DOTENV: &str = "planted-in-dotenv-4711";
const IN_ENV_FILE: &str = "planted-in-env-file-4712";
const IN_ARGUMENT: &str = "planted-in-argument-4713";

/// Fails while it is built (a first time), then fails while it runs, each time quoting what it was given.
const PROJECT: &str = r#"
services:
  web:
    build:
      context: .
      args: {TOKEN: "${TOKEN}", BROKEN: "${BROKEN}"}
    env_file: extra.env
    environment:
      PASSWORD: ${PASSWORD}
    ports: ["80"]
    healthcheck: {test: "echo $$PASSWORD was refused; exit 1", interval: 1s, retries: 1}
"#;

const DOCKERFILE: &str = r#"FROM busybox:1.36
ARG TOKEN
ARG BROKEN
RUN echo "token $TOKEN"; test "$BROKEN" = no
CMD ["sh", "-c", "echo password $PASSWORD extra $EXTRA; sleep 1000"]
"#;

fn found_under(folder: &Path, secret: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(
                fs::read_dir(&path)
                    .unwrap()
                    .map(|entry| entry.unwrap().path()),
            );
        } else if fs::read(&path)
            .unwrap()
            .windows(secret.len())
            .any(|text| text == secret.as_bytes())
        {
            found.push(path.display().to_string());
        }
    }
    found
}

#[test]
fn planted_secrets_are_found_nowhere() {
    let engine = Engine::shared(EngineKind::Modern);
    let berth = CommandLine::new(&engine.address());
    let folder = tempfile::Builder::new()
        .prefix("planted-")
        .tempdir()
        .unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("compose.yaml", PROJECT);
    write("Dockerfile", DOCKERFILE);
    write("extra.env", &format!("EXTRA={IN_ENV_FILE}\n"));
    let dotenv = |broken: &str| {
        write(
            ".env",
            &format!("PASSWORD={IN_DOTENV}\nTOKEN={IN_ARGUMENT}\nBROKEN={broken}\n"),
        );
    };
    let path = folder.path().to_str().unwrap();
    let mut printed = Vec::new();
    let mut run = |arguments: &[&str]| {
        let output = berth.run(arguments.iter().copied());
        let text = [output.stdout, output.stderr].concat();
        printed.push((
            arguments.join(" "),
            String::from_utf8_lossy(&text).into_owned(),
        ));
        output.status.success()
    };

    dotenv("yes");
    assert!(!run(&["up", path]), "the build fails");
    dotenv("no");
    assert!(!run(&["up", path, "--json"]), "it never becomes healthy");
    run(&["ls", "--json"]);
    run(&["activity", "--json"]);
    let name = folder
        .path()
        .file_name()
        .unwrap()
        .to_str()
        .unwrap()
        .to_lowercase();
    assert!(run(&["status", &name]));
    let log = berth.succeed(["logs", &name]);
    assert!(
        log.contains(IN_DOTENV) && log.contains(IN_ENV_FILE),
        "the container has them:\n{log}"
    );
    let texts: Vec<&str> = printed.iter().map(|(_, text)| text.as_str()).collect();
    assert!(
        texts.concat().contains("was refused"),
        "the last probe is quoted: {texts:#?}"
    );

    for secret in [IN_DOTENV, IN_ENV_FILE, IN_ARGUMENT] {
        assert_eq!(
            found_under(berth.data(), secret),
            Vec::<String>::new(),
            "{secret}"
        );
        for (command, text) in &printed {
            assert!(
                !text.contains(secret),
                "berth {command} printed {secret}:\n{text}"
            );
        }
    }
    berth.succeed(["down", "--all"]);
}
