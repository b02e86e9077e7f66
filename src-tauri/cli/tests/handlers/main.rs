//! Handlers, users, manifest types, secrets and workspace files as people run them
//! on the command line: on a data folder of their own, without an engine and
//! without a keychain.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "what cannot be in a test fails it; clippy sees only test functions as tests, not what they call"
)]

mod catalogue;
mod docker;
mod home;
#[cfg(target_os = "linux")]
mod prompts;
mod secrets;
mod services;
mod workspace;
