//! `with-engines COMMAND…`: both test engines for as long as a command runs.
//!
//! The command finds their addresses in `BERTH_TEST_ENGINE_OLD` and `BERTH_TEST_ENGINE_MODERN`. Its exit
//! code is passed on. Ctrl-C reaches the command too, whose end then ends the engines.
#![allow(clippy::print_stderr, clippy::expect_used)]

use std::process::ExitCode;
use std::time::Instant;

use berth_tests::{Engine, EngineKind};
use tokio::signal::unix::{SignalKind, signal};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let mut arguments = std::env::args_os().skip(1);
    let Some(program) = arguments.next() else {
        eprintln!("usage: with-engines COMMAND…");
        return ExitCode::from(2);
    };
    // From here on a signal is waited for instead of ending this process before its engines.
    let mut interrupt = signal(SignalKind::interrupt()).expect("signals can be listened to");
    let mut terminate = signal(SignalKind::terminate()).expect("signals can be listened to");

    let started = Instant::now();
    let engines = EngineKind::ALL.map(Engine::start);
    for engine in &engines {
        eprintln!(
            "{:?} engine: Docker {} at {}",
            engine.kind(),
            engine.docker(["version", "--format", "{{.Server.Version}}"]),
            engine.address()
        );
    }
    eprintln!("engines ready in {:.1} s", started.elapsed().as_secs_f64());

    let mut command = tokio::process::Command::new(&program);
    command.args(arguments);
    for engine in &engines {
        command.env(engine.kind().variable(), engine.address());
    }
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => {
            eprintln!("cannot run {}: {error}", program.display());
            return ExitCode::FAILURE;
        }
    };
    loop {
        tokio::select! {
            status = child.wait() => {
                let code = status.ok().and_then(|status| status.code()).unwrap_or(1);
                return ExitCode::from(u8::try_from(code).unwrap_or(1));
            }
            // The terminal has told the command as well.
            _ = interrupt.recv() => {}
            _ = terminate.recv() => { let _ = child.start_kill(); }
        }
    }
}
