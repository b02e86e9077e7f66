//! The shell: the window, and what the page in it may ask for. The only code
//! that knows Tauri.
//!
//! A command parses what the page sent, calls [`berth_core::Berth`] and returns;
//! everything that is remembered or decided is in core.

mod arguments;
mod commands;
mod example;
mod leaving;
mod log_backlog;
mod opened;
mod operations;
mod platform;
mod streams;
mod window;

use std::io::Write;
use std::process::ExitCode;

use arguments::Asked;

/// Berth's window, from the process's arguments to its end.
///
/// Exit codes: 0 closed (or handed to the window that is open already), 1 no
/// window can be opened, 2 wrong usage.
pub fn main() -> ExitCode {
    berth_core::redaction::clean_panics();
    match arguments::parse(std::env::args_os().skip(1)) {
        Asked::Window => {}
        Asked::Print(text) => {
            // Nothing can be done when standard output is gone.
            let _ = std::io::stdout().write_all(text.as_bytes());
            return ExitCode::SUCCESS;
        }
        Asked::Wrong(text) => {
            complain(&text);
            return ExitCode::from(2);
        }
    }
    match window::can_open().and_then(|()| window::run()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            complain(&message);
            ExitCode::FAILURE
        }
    }
}

/// Says on standard error why the window does not come.
fn complain(message: &str) {
    let message = berth_core::redaction::redact(message.trim_end());
    let _ = writeln!(std::io::stderr(), "{message}");
}
