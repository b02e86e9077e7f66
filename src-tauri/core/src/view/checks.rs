//! Connection tests as they are shown.

use berth_engines::Check;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::problem::Problem;

/// What a test tells as it runs. The first message lists every check as waiting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(
    tag = "type",
    rename_all = "camelCase",
    rename_all_fields = "camelCase"
)]
pub enum CheckUpdate {
    /// The checks that will run, in order.
    Expected {
        /// All of them, waiting.
        checks: Vec<Check>,
    },
    /// One of them changed.
    Changed {
        /// As it is now.
        check: Check,
    },
    /// The test cannot begin: what is to be tested is wrong.
    Refused {
        /// Why.
        problem: Problem,
    },
    /// The test is over.
    Finished {
        /// No check failed, and at least one found that something is as it should be.
        passed: bool,
    },
}
