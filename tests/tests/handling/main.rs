//! What a handler says about its environments, what becomes of them when handlers change, and what is started
//! when nothing handles a service: on real engines, through the command line.
#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod bench;
mod changes;
mod choices;
mod settings;
