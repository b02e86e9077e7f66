//! Berth's window.

// A console window beside the real one would only get in the way.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

use std::process::ExitCode;

fn main() -> ExitCode {
    berth_desktop::main()
}
