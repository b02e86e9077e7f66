//! Berth's own programs, as the tests run them.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// The command line, `berth`: the one that `scripts/test` has built (`BERTH_TEST_CLI`); without it, built
/// here, so that a test never runs yesterday's.
///
/// # Panics
/// When it does not compile.
#[must_use]
pub fn berth() -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT
        .get_or_init(|| given("BERTH_TEST_CLI").unwrap_or_else(build_berth))
        .clone()
}

/// The window, `berth-desktop`, with the feature that lets a WebDriver steer it (`BERTH_TEST_WINDOW`).
///
/// # Panics
/// When `scripts/test window` has not built it: it needs the front end first.
#[must_use]
pub fn berth_desktop() -> PathBuf {
    given("BERTH_TEST_WINDOW")
        .expect("BERTH_TEST_WINDOW is not set: run these tests with `make window`")
}

fn given(variable: &str) -> Option<PathBuf> {
    let path = PathBuf::from(std::env::var_os(variable)?);
    assert!(
        path.is_file(),
        "{variable} is {}, where no program is",
        path.display()
    );
    Some(path)
}

fn build_berth() -> PathBuf {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args([
            "build",
            "--package=berth-cli",
            "--bin=berth",
            "--message-format=json-render-diagnostics",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo can be run");
    let messages = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "berth does not compile:\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .find_map(|message| message["executable"].as_str().map(PathBuf::from))
        .expect("cargo names the program that it built")
}
