//! What a panic of the program prints.
#![allow(clippy::unwrap_used)]

use std::process::Command;

const ASKED: &str = "BERTH_TEST_PANICS";

/// Runs itself in a process of its own, where it panics.
#[test]
fn a_panic_says_where_and_quotes_nothing() {
    if std::env::var_os(ASKED).is_some() {
        berth_core::redaction::clean_panics();
        let refused: Result<(), String> =
            std::hint::black_box(Err("hunter2 was refused".to_owned()));
        refused.unwrap();
    }
    let ended = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "a_panic_says_where_and_quotes_nothing",
            "--nocapture",
        ])
        .env(ASKED, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&ended.stderr).into_owned()
        + &String::from_utf8_lossy(&ended.stdout);
    assert!(!ended.status.success());
    assert!(!said.contains("hunter2"), "{said}");
    assert!(said.contains("core/tests/panics.rs:"), "{said}");
    assert!(
        said.contains("called `Result::unwrap()` on an `Err` value: \"[REDACTED]\""),
        "{said}"
    );
}
