//! Environments on real Docker engines, the oldest and the newest that Berth
//! supports. `scripts/with-engines` lets all tests share two daemons; without it
//! each test starts its own.

// Helper functions of a test panic as the test does.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod builds;
mod checks;
mod failures;
mod leftovers;
mod lifecycle;
mod logs;
mod ownership;
mod pulls;
mod support;
