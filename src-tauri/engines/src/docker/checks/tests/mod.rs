//! The ladder against engines that play their part.
#![allow(clippy::unwrap_used)]

mod played;

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio_util::sync::CancellationToken;

use self::played::{Played, SILENT, engine, info, networks, silent, version, with};
use super::{LIMITS, Limits, check_connection, connection_checks, within};
use crate::docker::EndpointSources;
use crate::{Check, EngineError, Verdict};

impl Played {
    async fn test(&self) -> Climbed {
        climb(&at(&self.path()), None).await
    }
}

/// `DOCKER_HOST` names a socket.
fn at(socket: &Path) -> EndpointSources {
    host(&format!("unix://{}", socket.display()))
}

fn host(address: &str) -> EndpointSources {
    EndpointSources {
        environment: BTreeMap::from([("DOCKER_HOST".to_owned(), address.to_owned())]),
        home: None,
    }
}

/// A test that was run.
#[derive(Debug)]
struct Climbed {
    passed: bool,
    /// Each check as it stood last.
    checks: Vec<Check>,
    /// Every change, in order.
    told: Vec<(String, Verdict)>,
}

async fn climb(sources: &EndpointSources, named: Option<&str>) -> Climbed {
    climb_within(LIMITS, sources, named).await
}

async fn climb_within(limits: Limits, sources: &EndpointSources, named: Option<&str>) -> Climbed {
    let mut checks = connection_checks();
    let mut told = Vec::new();
    let mut tell = |check: &Check| {
        told.push((check.key.clone(), check.verdict.clone()));
        *checks.iter_mut().find(|it| it.key == check.key).unwrap() = check.clone();
    };
    let cancel = CancellationToken::new();
    let passed = within(limits, sources, named, &cancel, &mut tell)
        .await
        .unwrap();
    Climbed {
        passed,
        checks,
        told,
    }
}

impl Climbed {
    fn check(&self, key: &str) -> &Check {
        self.checks.iter().find(|it| it.key == key).unwrap()
    }

    fn detail(&self, key: &str) -> &str {
        self.check(key).detail.as_deref().unwrap_or_default()
    }

    fn command(&self, key: &str) -> &str {
        self.check(key).command.as_deref().unwrap_or_default()
    }

    fn fact(&self, key: &str, name: &str) -> Option<&str> {
        let facts = &self.check(key).facts;
        let fact = facts.iter().find(|fact| fact.name == name)?;
        Some(&fact.value)
    }

    /// One check failed with these words and a next step, all before it passed, and
    /// all after it were skipped for its sake.
    fn assert_fails(&self, key: &str, words: &str) {
        assert!(!self.passed);
        let failed = self.check(key);
        assert_eq!(failed.verdict, Verdict::Failed, "{self:#?}");
        assert!(self.detail(key).contains(words), "{failed:#?}");
        assert!(failed.hint.is_some(), "{failed:#?}");
        let at = self.checks.iter().position(|it| it.key == key).unwrap();
        for before in &self.checks[..at] {
            assert_eq!(before.verdict, Verdict::Passed, "{before:#?}");
        }
        for after in &self.checks[at + 1..] {
            let because = key.to_owned();
            assert_eq!(after.verdict, Verdict::Skipped { because }, "{after:#?}");
            assert_eq!(after.duration_ms, None);
        }
    }
}

#[tokio::test]
async fn a_good_engine_passes_every_check_and_is_only_asked() {
    let engine = engine(vec![]);
    let climbed = engine.test().await;
    assert!(climbed.passed, "{climbed:#?}");
    let mut expected = Vec::new();
    for check in &climbed.checks {
        assert_eq!(check.verdict, Verdict::Passed, "{check:#?}");
        assert!(check.duration_ms.is_some() && check.detail.is_some());
        assert_eq!((&check.hint, &check.command), (&None, &None));
        expected.push((check.key.clone(), Verdict::Running));
        expected.push((check.key.clone(), Verdict::Passed));
    }
    assert_eq!(climbed.told, expected);
    assert_eq!(climbed.fact("socket", "Rule"), Some("DOCKER_HOST"));
    assert_eq!(
        climbed.fact("reachable", "Server"),
        Some("Docker/28.5.2 (linux)")
    );
    assert_eq!(climbed.fact("api", "Offered"), Some("1.24 to 1.51"));
    assert_eq!(climbed.fact("api", "Agreed"), Some("1.51"));
    assert_eq!(climbed.fact("platform", "Rootless"), Some("yes"));
    assert_eq!(climbed.fact("platform", "cgroup"), Some("v2, systemd"));
    assert_eq!(climbed.fact("platform", "Memory"), Some("8 GB"));
    assert_eq!(climbed.fact("storage", "Driver"), Some("overlay2"));
    assert_eq!(climbed.fact("address_pools", "Room for"), Some("30"));
    for asked in engine.asked.lock().unwrap().iter() {
        assert!(asked.starts_with("GET "), "{asked}");
    }
}

#[tokio::test]
async fn a_handlers_own_address_counts_before_the_surroundings() {
    let engine = engine(vec![]);
    let address = format!("unix://{}", engine.path().display());
    let climbed = climb(&host("tcp://10.0.0.1:2375"), Some(&address)).await;
    assert!(climbed.passed, "{climbed:#?}");
    assert_eq!(climbed.fact("socket", "Rule"), Some("the handler"));
    let climbed = climb(&host(&address), Some("ssh://build.acme.dev")).await;
    climbed.assert_fails(
        "socket",
        "is on another machine, and is named by the handler",
    );
    assert!(
        climbed
            .check("socket")
            .hint
            .as_ref()
            .is_some_and(|hint| hint.contains("“Docker engine”"))
    );
}

#[tokio::test]
async fn choices_that_lead_nowhere_fail_at_the_socket() {
    let folder = tempfile::tempdir().unwrap();
    let climbed = climb(&at(&folder.path().join("no.sock")), None).await;
    climbed.assert_fails("socket", "There is no socket at unix://");
    assert_eq!(climbed.command("socket"), "unset DOCKER_HOST");

    let climbed = climb(&host("tcp://me:hunter2@10.0.0.1:2376"), None).await;
    climbed.assert_fails(
        "socket",
        "tcp://me:[REDACTED]@10.0.0.1:2376 is on another machine",
    );
    assert!(!format!("{climbed:?}").contains("hunter2"));

    let climbed = climb(&host("/run/docker.sock"), None).await;
    climbed.assert_fails("socket", "it has no scheme");

    let mut sources = EndpointSources {
        home: Some(folder.path().to_owned()),
        ..EndpointSources::default()
    };
    let variable = ("DOCKER_CONTEXT".to_owned(), "colima".to_owned());
    sources.environment.extend([variable]);
    let climbed = climb(&sources, None).await;
    climbed.assert_fails(
        "socket",
        "Docker context colima cannot be used: it does not exist",
    );
    assert_eq!(climbed.command("socket"), "docker context use default");

    sources.environment.clear();
    std::fs::create_dir(folder.path().join(".docker")).unwrap();
    std::fs::write(folder.path().join(".docker/config.json"), "{").unwrap();
    let climbed = climb(&sources, None).await;
    climbed.assert_fails("socket", "config.json cannot be read");
}

#[tokio::test]
async fn a_socket_that_nothing_listens_on_is_not_reachable() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("docker.sock");
    drop(std::os::unix::net::UnixListener::bind(&socket).unwrap());
    let climbed = climb(&at(&socket), None).await;
    climbed.assert_fails("reachable", "nothing listens on it");
}

#[tokio::test]
async fn one_whose_queue_is_full_is_not_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("docker.sock");
    let _full = crate::platform::full(&socket);
    let climbed = climb(&at(&socket), None).await;
    climbed.assert_fails("reachable", "It takes no more connections");
}

/// Nobody needs to hang up for an answer to be whole.
#[tokio::test]
async fn an_answer_is_whole_when_it_says_so() {
    for (words, said) in [
        (
            &b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"[..],
            "it is no Docker engine",
        ),
        (
            b"HTTP/1.1 503 No\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n0\r\n\r\n",
            "It answers with HTTP 503.",
        ),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
            "it is no Docker engine",
        ),
    ] {
        let open = Played::socket(move |mut stream| async move {
            stream.write_all(words).await.unwrap();
            std::future::pending::<()>().await;
        });
        open.test().await.assert_fails("reachable", said);
    }
}

#[tokio::test]
async fn one_that_never_answers_is_given_up() {
    let limits = Limits {
        answer: Duration::from_millis(100),
        ..LIMITS
    };
    let climbed = climb_within(limits, &at(&silent().path()), None).await;
    climbed.assert_fails("reachable", "says nothing for 0.1 s");
    let took = climbed.check("reachable").duration_ms.unwrap();
    assert!((100..5000).contains(&took), "{took} ms");
}

/// An engine that answers at first: every later question has its deadline too.
#[tokio::test]
async fn one_that_stops_answering_is_given_up() {
    let limits = Limits {
        call: Duration::from_millis(100),
        ..LIMITS
    };
    for (path, key) in [
        ("/version", "api"),
        ("/info", "platform"),
        ("/networks", "address_pools"),
    ] {
        let engine = engine(vec![(path, SILENT, String::new())]);
        let climbed = climb_within(limits, &at(&engine.path()), None).await;
        climbed.assert_fails(key, "says nothing for 0.1 s");
    }
}

#[test]
fn no_check_may_take_longer_than_ten_seconds() {
    let most = Duration::from_secs(10);
    assert!(
        [LIMITS.look, LIMITS.answer, LIMITS.call]
            .iter()
            .all(|it| *it <= most)
    );
}

#[tokio::test]
async fn what_is_no_engine_is_told_apart() {
    for (words, said) in [
        (&b""[..], "hangs up without an answer"),
        (b"SSH-2.0-OpenSSH_9.2p1\r\n", "does not speak HTTP"),
        (b"\x00\xff\x16\x03\x01garbage", "does not speak HTTP"),
        (b"HTTP/1.1 200 OK\r\nContent-Le", "breaks off in the middle"),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
            "it is no Docker engine",
        ),
        (
            b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
            "it knows no /_ping (HTTP 404)",
        ),
        (
            b"HTTP/1.1 500 Oh\r\nContent-Length: 27\r\n\r\n{\"message\":\"still starting\"}",
            "It answers with HTTP 500: still starting",
        ),
    ] {
        let climbed = Played::saying(words).test().await;
        climbed.assert_fails("reachable", said);
    }
}

/// Endless garbage is neither kept nor waited for.
#[tokio::test]
async fn endless_garbage_is_cut_off() {
    let endless = Played::socket(|mut stream| async move {
        while stream.write_all(&[b'x'; 4096]).await.is_ok() {}
    });
    let climbed = endless.test().await;
    climbed.assert_fails("reachable", "does not speak HTTP");
}

#[tokio::test]
async fn a_guard_in_front_of_the_engine_is_a_matter_of_permission() {
    let climbed = engine(vec![("/_ping", 403, "<html>no</html>".to_owned())])
        .test()
        .await;
    climbed.assert_fails(
        "permission",
        "It refuses to be asked (HTTP 403): <html>no</html>",
    );
    let climbed = engine(vec![("/info", 403, "no".to_owned())]).test().await;
    climbed.assert_fails("platform", "it answers with HTTP 403: no");
}

/// Also where the tests run as the superuser: this thread lays down the right to
/// open everything.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_socket_that_lets_nobody_in_is_a_matter_of_permission() {
    use std::os::unix::fs::PermissionsExt;

    use rustix::thread::{CapabilitySet, capabilities, set_capabilities};

    let engine = engine(vec![]);
    std::fs::set_permissions(engine.path(), std::fs::Permissions::from_mode(0o000)).unwrap();
    let mut mine = capabilities(None).unwrap();
    mine.effective -= CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH;
    set_capabilities(None, mine).unwrap();
    let climbed = engine.test().await;
    assert!(!climbed.passed);
    let because = "permission".to_owned();
    assert_eq!(
        climbed.check("reachable").verdict,
        Verdict::Skipped { because }
    );
    let permission = climbed.check("permission");
    assert_eq!(permission.verdict, Verdict::Failed, "{permission:#?}");
    assert!(
        climbed
            .detail("permission")
            .starts_with("This user may not use it")
    );
    assert!(permission.hint.is_some());
    for key in ["api", "platform", "storage", "address_pools"] {
        let because = "permission".to_owned();
        assert_eq!(climbed.check(key).verdict, Verdict::Skipped { because });
    }
}

#[tokio::test]
async fn engines_of_other_times_are_told_both_ranges() {
    for (oldest, newest, hint) in [
        ("1.12", "1.40", "Update the engine"),
        ("1.60", "1.62", "Update Berth"),
    ] {
        let said = with(
            version(),
            &[
                ("MinAPIVersion", oldest.into()),
                ("ApiVersion", newest.into()),
            ],
        );
        let climbed = engine(vec![("/version", 200, said)]).test().await;
        let range = format!("The engine offers {oldest} to {newest}, Berth speaks 1.41 to 1.51");
        climbed.assert_fails("api", &range);
        let told = climbed.check("api").hint.as_deref().unwrap();
        assert!(told.starts_with(hint), "{told}");
    }
    for said in ["{}", "[1]", "not json"] {
        let climbed = engine(vec![("/version", 200, said.to_owned())])
            .test()
            .await;
        climbed.assert_fails("api", "");
    }
    let climbed = engine(vec![("/version", 500, "boom".to_owned())])
        .test()
        .await;
    climbed.assert_fails("api", "it answers with HTTP 500: boom");
}

#[tokio::test]
async fn another_architecture_is_a_warning_and_another_system_a_failure() {
    let said = with(version(), &[("Arch", "s390x".into())]);
    let climbed = engine(vec![("/version", 200, said)]).test().await;
    assert!(climbed.passed);
    assert_eq!(climbed.check("platform").verdict, Verdict::Warned);
    assert!(climbed.detail("platform").contains("on linux/s390x"));

    let said = with(version(), &[("Os", "windows".into())]);
    let climbed = engine(vec![("/version", 200, said)]).test().await;
    assert!(!climbed.passed);
    assert_eq!(climbed.check("platform").verdict, Verdict::Failed);
    // What can be told all the same is.
    assert_eq!(climbed.check("storage").verdict, Verdict::Passed);
    assert_eq!(climbed.check("address_pools").verdict, Verdict::Passed);
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn free_space_is_seen_where_the_engine_runs_on_this_kernel() {
    let here = crate::platform::kernel().unwrap();
    let native = |root: &str| {
        with(
            info(),
            &[
                ("KernelVersion", here.release.clone().into()),
                ("Name", here.host.clone().into()),
                ("DockerRootDir", root.into()),
            ],
        )
    };
    let climbed = engine(vec![("/info", 200, native("/"))]).test().await;
    assert!(climbed.fact("storage", "Free").is_some(), "{climbed:#?}");
    // `/proc` has no room at all.
    let climbed = engine(vec![("/info", 200, native("/proc"))]).test().await;
    assert_eq!(climbed.check("storage").verdict, Verdict::Failed);
    assert!(
        climbed
            .detail("storage")
            .contains("Only 0 MB are free in /proc")
    );
    assert_eq!(climbed.command("storage"), "docker system df");
    assert_eq!(climbed.check("address_pools").verdict, Verdict::Passed);
    let climbed = engine(vec![("/info", 200, native("/is/not/there"))])
        .test()
        .await;
    assert_eq!(climbed.check("storage").verdict, Verdict::Passed);
    assert!(climbed.detail("storage").contains("does not show"));

    let said = with(info(), &[("Driver", "vfs".into())]);
    let climbed = engine(vec![("/info", 200, said)]).test().await;
    assert_eq!(climbed.check("storage").verdict, Verdict::Warned);
}

#[tokio::test]
async fn ranges_that_are_used_up_are_seen_without_making_a_network() {
    let pools = json!([{"Base": "10.77.0.0/22", "Size": 24}, {"Base": "fd00::/48", "Size": 64}]);
    let said = with(info(), &[("DefaultAddressPools", pools)]);
    for (taken, verdict, words) in [
        (
            &["10.77.0.0/24"][..],
            Verdict::Passed,
            "1 network exists, and 3 more fit in",
        ),
        (
            &["10.77.0.0/24", "10.77.1.0/24", "fd00::/64"],
            Verdict::Warned,
            "3 networks exist, and only 2 more fit in",
        ),
        (
            &["10.77.0.0/22"],
            Verdict::Failed,
            "no address range is left",
        ),
    ] {
        let played = engine(vec![
            ("/info", 200, said.clone()),
            ("/networks", 200, networks(taken).to_string()),
        ]);
        let climbed = played.test().await;
        let check = climbed.check("address_pools");
        assert_eq!(check.verdict, verdict, "{check:#?}");
        assert!(
            climbed.detail("address_pools").contains(words),
            "{check:#?}"
        );
        let prune = climbed.command("address_pools") == "docker network prune";
        assert_eq!(prune, verdict != Verdict::Passed);
    }
    let climbed = engine(vec![("/networks", 500, String::new())]).test().await;
    climbed.assert_fails("address_pools", "Asked for its networks");
}

#[tokio::test]
async fn podman_says_nothing_of_its_ranges() {
    let components = json!([{"Name": "Podman Engine", "Version": "4.3.1"}]);
    let said = with(
        version(),
        &[
            ("Platform", json!({"Name": ""})),
            ("Components", components),
        ],
    );
    let climbed = engine(vec![("/version", 200, said)]).test().await;
    assert!(climbed.passed, "{climbed:#?}");
    assert_eq!(climbed.fact("platform", "Product"), Some("Podman Engine"));
    assert!(climbed.detail("address_pools").contains("does not say"));
}

#[tokio::test]
async fn a_test_is_cancelled_in_the_middle() {
    let silent = silent();
    let cancel = CancellationToken::new();
    let mut last = None;
    let mut tell = |check: &Check| {
        if check.key == "reachable" {
            cancel.cancel();
        }
        last = Some(check.clone());
    };
    let sources = at(&silent.path());
    let ended = check_connection(&sources, None, &cancel, &mut tell).await;
    assert!(matches!(ended, Err(EngineError::Cancelled)));
    let last = last.unwrap();
    assert_eq!(
        (last.key.as_str(), last.verdict),
        ("reachable", Verdict::Running)
    );
}
