use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use arbtest::arbitrary::Unstructured;
use berth_compose::{Build, Project, Service};
use serde_json::Value;

use super::*;
use crate::behaviour::{Difference, Function};
use crate::problem::{Code, Place};

pub(crate) const FUNCTIONS: &[Function] = &[("redactSecrets", redact_secrets)];

pub(crate) const DIFFERENCES: &[Difference] = &[
    (
        "redactSecrets-022",
        "secretKey is the name of a secret in camel case, too",
    ),
    (
        "redactSecrets-023",
        "key alone names anything: services.web.ports is no secret",
    ),
    (
        "redactSecrets-037",
        "the scheme is no secret and says what was tried",
    ),
    (
        "redactSecrets-040",
        "a quoted value goes whole: what follows a slash is part of it",
    ),
    (
        "redactSecrets-042",
        "my_password is the name of a password, too",
    ),
    (
        "redactSecrets-045",
        "a line break stays: the secret behind it goes all the same",
    ),
    (
        "redactSecrets-046",
        "a password may have a comma: only another name behind it ends it",
    ),
];

fn redact_secrets(args: &[Value]) -> Result<Value, String> {
    let text = args[0].as_str().ok_or("a text")?;
    Ok(redact(text).into())
}

/// Secret parts are between ‹ and ›.
fn check(marked: &str) {
    let plain: String = marked.chars().filter(|c| !matches!(c, '‹' | '›')).collect();
    let mut expected = String::new();
    let mut rest = marked;
    while let Some((before, after)) = rest.split_once('‹') {
        expected.push_str(before);
        expected.push_str(MARK);
        rest = after.split_once('›').unwrap().1;
    }
    expected.push_str(rest);
    assert_eq!(redact(&plain), expected);
    assert_eq!(redact(&expected), expected, "cleaned twice");
}

#[test]
fn secrets_are_told_by_their_names() {
    for text in [
        "my_password=‹supersecret›",
        "secretKey=‹abcd1234›",
        "SECRET_KEY=‹abcd›",
        "dbPassword: ‹x›",
        "password=‹1›",
        "pin and otp aside, PGPASSWORD=‹a b›"
            .replace("a b", "ab")
            .as_str(),
        r#"{"password": "‹x›", "user": "me"}"#,
        r#"{"apiKey":"‹a\"b›","n":1}"#,
        r#"{\"password\":\"‹hunter2›\",\"a\":1}"#,
        "{ password: ‹hunter2› }",
        "{password: '‹it is long›'}",
        "password: \"‹with, comma and } brace›\"",
        "password: Some(\"‹hunter2›\")",
        "token = ['‹abc›']",
        "POSTGRES_PASSWORD: ‹hunter2›",
        "- MYSQL_PWD=‹hunter2›",
        "postgres://app:‹p@ss›@db:5432/shop?sslmode=off",
        "redis://:‹hunter2›@cache:6379/0",
        "amqps://me:‹x›@mq",
        "app:‹hunter2›@tcp(db:3306)/shop",
        "Server=db;User Id=sa;Password=‹hun;ter2›;Encrypt=yes",
        "AccountName=shop;AccountKey=‹aGVsbG8=›;EndpointSuffix=core",
        "jdbc:postgresql://db/shop?user=me&password=‹x›&ssl=true",
        "GET /v1?key=‹AIza-short›&x=1",
        "GET /v1?x=1&sig=‹ab%2Fc›",
        "https://‹Zm9vYmFyYmF6cXV4MTIzNDU2›@host/x",
        "Cookie: ‹sid=abc; theme=dark›\nHost: x",
        "set-cookie: ‹sid=abc; Path=/; HttpOnly›",
        r#"{"Set-Cookie": ["‹sid=abc; Path=/›"]}"#,
        "Authorization: Bearer ‹abcdefghijkl› was refused",
        "authorization: Digest ‹username=\"me\", response=\"6629\"›",
        r#"-H "Authorization: Basic ‹dXNlcjpwYXNz›""#,
        "Proxy-Authorization: ‹opaque›",
        "curl -u me:‹hunter2› https://host",
        "docker login --username me --password ‹hunter2› host",
        "tool --api-key ‹abc› run",
        "npm _authToken=‹abc›",
        "//registry/:_auth=‹bWU6aHVudGVy›",
        "aws_secret_access_key = ‹wJalrXUtnFEMI/K7MDENG›",
        "spring.datasource.password=‹hunter2›",
        "settings['db_password'] = '‹hunter2›'",
        "PWD=‹hunter2›",
        "TOKEN=>‹abc›",
        "password := ‹hunter2›",
    ] {
        check(text);
    }
}

#[test]
fn secrets_are_told_by_their_form() {
    for text in [
        "Bearer ‹abcdefghij›",
        "basic ‹dXNlcjpwYXNz›",
        "is ‹eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-DEF_123›, said he",
        "‹ghp_0123456789abcdef0123›",
        "‹glpat-0123456789abcdef0123›",
        "‹xoxb-1234567890-abcdef›",
        "‹AKIAIOSFODNN7EXAMPLE›",
        "‹sk-proj-0123456789abcdef›",
        "‹npm_0123456789abcdef0123456789abcdef0123›",
        "‹dckr_pat_0123456789abcdef0123›",
        "https://hooks.slack.com/services/‹T000/B000/XXXX›",
        "-----BEGIN RSA PRIVATE KEY-----\n‹MIIEpAIBAAKCAQEA\nabcd+/==›\n-----END RSA PRIVATE KEY-----\nafter",
        "-----BEGIN OPENSSH PRIVATE KEY-----\n‹b3BlbnNzaC1rZXktdjEA\nAAAA›",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN CERTIFICATE-----\nMIIEpAIBAAKCAQEA\n-----END CERTIFICATE-----",
    ] {
        check(text);
    }
    let one_line = r"-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIA\n-----END EC PRIVATE KEY-----\n";
    assert!(!redact(one_line).contains("MHcCAQEEIA"));
    let block = "password: |\n  hunter2\n  hunter3\nuser: me\n";
    assert_eq!(redact(block), "password: |\n  [REDACTED]\nuser: me\n");
}

#[test]
fn ordinary_text_stays() {
    for text in [
        "",
        "plain error (HTTP 503): no capacity",
        "nginx@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "commit 4320e905a1c9f1bb8e2d4d4c3a7b6f0c9d8e7f6a",
        "key: services.web.ports",
        "key: value",
        "primary_key: id, cache-key=linux-cargo-1",
        "Unexpected token: } at 3",
        "unexpected token '}'",
        "the token expired already",
        "token validation failed",
        "The token: it is missing.",
        "password authentication failed for user \"app\"",
        "password is required",
        "password: must be a text, not a number",
        "manifest.auth.secretRef.key: Must be a text.",
        "manifest.auth: Must be an object.",
        "secrets: db_password",
        "POSTGRES_PASSWORD_FILE=/run/secrets/db",
        "POSTGRES_PASSWORD: ${DB_PASSWORD}",
        "Authorization: Bearer {{input.token}}",
        "password=<password>",
        "Bearer authentication is required",
        "www-authenticate: Bearer realm=\"https://auth.docker.io/token\",service=\"registry.docker.io\"",
        "Basic understanding of networks",
        "author: Jane, compass: north, design: good",
        "PWD=/home/me/shop",
        "http://shop-main.localhost:41873/",
        "https://user@host/x",
        "git@github.com:acme/web.git",
        "ssh://git@github.com/acme/web.git",
        "https://packages.acme.dev:443/@acme/web",
        "0195a3b2-7c1d-7e2f-8a4b-0123456789ab",
        "dev.berth.environment=0195a3b2-7c1d-7e2f-8a4b-0123456789ab",
        "SECRET_MISSING and secret_store_locked",
        "risk-assessment-of-a-long-name",
        "task-sk-lazy-loading-component-name",
        "cookie: expired",
        "pass: 12, fail: 3",
        "total: 12 (pass=12)",
        "auth: none",
        "AKIAIOSFODNN7EXAMPLEX",
    ] {
        assert_eq!(redact(text), text);
    }
}

#[test]
fn every_pattern_compiles() {
    assert_eq!(redact("x"), "x");
}

fn text_of_parts(u: &mut Unstructured<'_>) -> arbtest::arbitrary::Result<String> {
    const PARTS: [&str; 48] = [
        "password",
        "token",
        "secret",
        "Authorization",
        "cookie",
        "key",
        "Bearer",
        "Basic",
        "--token",
        "-u me:",
        "=",
        ":",
        ": ",
        " = ",
        "=>",
        "\"",
        "\\\"",
        "'",
        "`",
        "[",
        "]",
        "{",
        "}",
        "(",
        "Some(",
        ",",
        ";",
        "&",
        "?",
        " ",
        "\n",
        "\t",
        "\\",
        "|\n  ",
        "http://",
        "@",
        "/",
        "hunter2",
        "aB3",
        "abcdefgh",
        "é",
        "-----BEGIN PRIVATE KEY-----",
        "-----END PRIVATE KEY-----",
        "[REDACTED]",
        "sk-0123456789abcdef",
        "eyJhbGciOi.eyJzdWIi.x",
        "_",
        "tcp(",
    ];
    let mut text = String::new();
    for _ in 0..u.int_in_range(0..=24)? {
        text.push_str(u.choose(&PARTS)?);
    }
    Ok(text)
}

#[test]
fn cleaning_twice_is_cleaning_once() {
    arbtest::arbtest(|u| {
        let text = text_of_parts(u)?;
        let once = redact(&text);
        assert_eq!(redact(&once), once, "{text:?}");
        let any: String = u.arbitrary()?;
        let once = redact(&any);
        assert_eq!(redact(&once), once, "{any:?}");
        Ok(())
    });
}

/// Whatever stands around it.
#[test]
fn a_quoted_password_never_stays() {
    arbtest::arbtest(|u| {
        let (before, after) = (text_of_parts(u)?, text_of_parts(u)?);
        let text = format!("{before}\n\"password\": \"Xq7secret\"\n{after}");
        assert!(!redact(&text).contains("Xq7secret"), "{text:?}");
        Ok(())
    });
}

fn time_for(text: &str) -> Duration {
    let began = Instant::now();
    let _ = redact(text);
    began.elapsed()
}

/// Four times the text takes about four times as long, whatever it is made of.
#[test]
fn hostile_text_takes_no_longer() {
    for part in [
        "password=a&",
        "password=a,",
        "password: ",
        "authorization=",
        "cookie: a ",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nA",
        "http://a:",
        "token|",
        "a_",
        "key ",
        "\"password\": \"",
        "--token --token",
        "eyJaaaaa.",
        ")",
        "é",
        "Some(",
        "\\",
        "Bearer ",
        "token: |\n",
    ] {
        let text = |bytes: usize| format!("password={}", part.repeat(bytes / part.len()));
        let short = time_for(&text(10_000));
        let long = time_for(&text(40_000));
        assert!(
            long < 12 * short + Duration::from_secs(1),
            "{part:?}: {short:?}, then {long:?}"
        );
    }
    let long = "é".repeat(MOST_BYTES);
    assert!(redact(&long).len() <= MOST_BYTES + '…'.len_utf8());
}

fn values_of(values: &[(&str, &str)], argument: &str, text: &str) -> Redaction {
    let service = Service {
        environment: values
            .iter()
            .map(|(key, value)| ((*key).to_owned(), Some((*value).to_owned())))
            .collect(),
        build: Some(Build {
            args: [("TOKEN".to_owned(), Some(argument.to_owned()))]
                .into_iter()
                .collect(),
            ..Build::default()
        }),
        ..Service::default()
    };
    let project = Project {
        services: [("web".to_owned(), service)].into_iter().collect(),
        ..Project::default()
    };
    let redaction = Redaction::default();
    redaction.learn(Values::of_project(
        &project,
        &BTreeSet::new(),
        &[text.to_owned()],
    ));
    redaction
}

#[test]
fn values_from_elsewhere_go_and_those_in_the_file_stay() {
    let redaction = values_of(
        &[
            ("PASSWORD", "hunter2hunter2"),
            ("LONGER", "hunter2hunter2-and-more"),
            ("NAME", "postgres"),
        ],
        "argument-token",
        "environment:\n  NAME: postgres\n",
    );
    let mut problem = Problem {
        lines: vec!["postgres: hunter2hunter2-and-more".to_owned()],
        causes: vec!["argument-token".to_owned()],
        ..Problem::new(Code::ContainerExited, "web ended").detail("hunter2hunter2 was refused")
    };
    problem.places.push(Place {
        file: None,
        line: None,
        column: None,
        key: "services.web".to_owned(),
        message: "hunter2hunter2 is no port".to_owned(),
        hint: Some("Not argument-token.".to_owned()),
    });
    let clean = redaction.problem(problem);
    assert_eq!(clean.lines, ["postgres: [REDACTED]"]);
    assert_eq!(clean.detail.unwrap(), "[REDACTED] was refused");
    assert_eq!(clean.causes, ["[REDACTED]"]);
    assert_eq!(clean.places[0].message, "[REDACTED] is no port");
    assert_eq!(clean.places[0].hint.as_deref(), Some("Not [REDACTED]."));
}

#[test]
fn values_of_dotenv_go_wherever_they_were_filled_in() {
    let service = Service {
        image: Some("registry.example.com/shop:stable-7".to_owned()),
        labels: [("owner".to_owned(), "dotenv-token".to_owned())].into(),
        ..Service::default()
    };
    let project = Project {
        services: [("web".to_owned(), service)].into_iter().collect(),
        ..Project::default()
    };
    let dotenv = ["dotenv-token", "stable-7", "short", "spoken"];
    let dotenv = dotenv.map(str::to_owned).into();
    let redaction = Redaction::default();
    redaction.learn(Values::of_project(
        &project,
        &dotenv,
        &["${TOKEN} is spoken of".to_owned()],
    ));
    // What an image is called has to be read when it is not there.
    assert_eq!(
        redaction.text("dotenv-token, stable-7, short, spoken"),
        "[REDACTED], stable-7, short, spoken"
    );
}

#[test]
fn short_values_of_a_project_are_not_looked_for() {
    let redaction = values_of(&[("DEBUG", "true"), ("PORT", "8080")], "", "");
    assert_eq!(redaction.text("true 8080"), "true 8080");
}

#[test]
fn each_line_of_a_long_value_goes() {
    let redaction = values_of(&[("KEY", "-----BEGIN KEY-----\nabcdefghijkl\n")], "", "");
    assert_eq!(
        redaction.text("bad line abcdefghijkl"),
        "bad line [REDACTED]"
    );
}

#[test]
fn secrets_of_a_handler_go_in_every_shape() {
    let redaction = Redaction::with_values(["p@ss \"word\"", "abc", "x"]);
    for (text, expected) in [
        ("got p@ss \"word\".", "got [REDACTED]."),
        (r#"{"a":"p@ss \"word\""}"#, r#"{"a":"[REDACTED]"}"#),
        ("?a=p%40ss+%22word%22", "?a=[REDACTED]"),
        ("it is cEBzcyAid29yZCI=", "it is [REDACTED]="),
        ("abc, abcd, x", "[REDACTED], abcd, x"),
    ] {
        assert_eq!(redaction.text(text), expected);
        assert_eq!(redaction.text(expected), expected);
    }
    let part_of_the_mark = Redaction::with_values(["REDACTED", "[REDACT"]);
    assert_eq!(part_of_the_mark.text("a [REDACTED] b"), "a [REDACTED] b");
}

#[test]
fn a_connection_test_tells_no_secret() {
    let redaction = Redaction::with_values(["opensesame"]);
    let mut check = Check::waiting("login", "Login");
    check.detail = Some("opensesame was refused".to_owned());
    check.hint = Some("Not opensesame.".to_owned());
    check.command = Some("login --password x".to_owned());
    check.facts = vec![Fact {
        name: "Answer".to_owned(),
        value: "no opensesame".to_owned(),
    }];
    let told = serde_json::to_string(&redaction.update(CheckUpdate::Changed { check })).unwrap();
    assert!(!told.contains("opensesame"), "{told}");
    assert_eq!(told.matches(MARK).count(), 4, "{told}");
}

#[test]
fn clones_learn_together() {
    let redaction = Redaction::default();
    let recorder = redaction.clone();
    redaction.learn(Values::of_secrets(["first-secret"]));
    redaction.learn(Values::of_secrets(["second-secret"]));
    assert_eq!(
        recorder.text("first-secret second-secret"),
        "[REDACTED] [REDACTED]"
    );
}

/// What leaves over the window's channel, in `--json` and to the store.
#[test]
fn a_problem_leaves_clean() {
    let said = "password=hunter2";
    let mut problem = Problem::new(Code::Internal, said).detail(said).hint(said);
    problem.causes = vec![said.to_owned()];
    problem.lines = vec![
        "-----BEGIN PRIVATE KEY-----".to_owned(),
        "MIIEhunter2".to_owned(),
        "AAAA".to_owned(),
    ];
    problem.places = vec![Place {
        file: Some("compose.yaml".to_owned()),
        line: Some(1),
        column: None,
        key: "services.web".to_owned(),
        message: said.to_owned(),
        hint: Some(said.to_owned()),
    }];
    let json = serde_json::to_string(&problem).unwrap();
    assert!(!json.contains("hunter2"), "{json}");
    assert_eq!(json.matches(MARK).count(), 7, "{json}");
    assert_eq!(problem.to_string(), "password=[REDACTED]");
    let read: Problem = serde_json::from_str(&json).unwrap();
    assert_eq!(read, problem.clean());
}
