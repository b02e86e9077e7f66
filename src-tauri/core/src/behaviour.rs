//! The cases of the contract's pure functions, for those that this crate has. Each
//! module that has some lists them, and the cases in which it does something else
//! on purpose.
#![allow(clippy::print_stdout, clippy::unwrap_used)]
#![allow(dead_code, reason = "each crate uses its part of the harness")]

#[path = "../../contracts/tests/support/behaviour.rs"]
mod cases;
#[path = "../../contracts/tests/support/corpus.rs"]
mod corpus;

use std::collections::BTreeSet;

pub(crate) use cases::{Difference, Function};
use corpus::{lines, same};

use crate::{compose_settings, handlers, redaction};

#[test]
fn the_functions_of_this_crate_agree() {
    let functions = [
        compose_settings::cases::FUNCTIONS,
        handlers::cases::FUNCTIONS,
        redaction::tests::FUNCTIONS,
    ]
    .concat();
    let differences = [
        compose_settings::cases::DIFFERENCES,
        redaction::tests::DIFFERENCES,
    ]
    .concat();
    cases::agree(&functions, &differences);
    let run: BTreeSet<&str> = functions.iter().map(|(name, _)| *name).collect();
    assert_eq!(run, cases::OF_CORE.into_iter().collect());
}
