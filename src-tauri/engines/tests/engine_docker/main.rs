//! Environments on real Docker engines, the oldest and the newest that Berth
//! supports. `scripts/with-engines` lets all tests share two daemons; without it
//! each test starts its own.

mod builds;
mod failures;
mod leftovers;
mod lifecycle;
mod logs;
mod pulls;
mod support;
