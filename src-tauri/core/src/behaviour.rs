//! The cases of the contract's pure functions, for those that this crate has.
#![allow(clippy::print_stdout, clippy::unwrap_used)]
#![allow(dead_code, reason = "each crate uses its part of the harness")]

#[path = "../../contracts/tests/support/behaviour.rs"]
mod cases;
#[path = "../../contracts/tests/support/corpus.rs"]
mod corpus;

pub(crate) use cases::{Difference, Function, agree};
use corpus::{lines, same};
