//! The cases of `tests/data/contract/cases.jsonl`, and what the tests ask of any document.
#![allow(dead_code, reason = "each test binary uses its part")]
#![allow(clippy::panic, clippy::print_stdout, clippy::unwrap_used)]

pub(crate) mod behaviour;
mod corpus;
pub(crate) mod properties;
pub(crate) mod typed;

use serde::Deserialize;
use serde_json::Value;

pub(crate) use corpus::{lines, same};

#[derive(Deserialize)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) schema: String,
    pub(crate) input: Value,
    pub(crate) valid: bool,
    #[serde(default)]
    pub(crate) output: Value,
    #[serde(default)]
    pub(crate) issues: Vec<Expected>,
}

#[derive(Deserialize)]
pub(crate) struct Expected {
    pub(crate) path: String,
    pub(crate) kind: String,
}

pub(crate) fn cases() -> Vec<Case> {
    lines("cases.jsonl")
}
