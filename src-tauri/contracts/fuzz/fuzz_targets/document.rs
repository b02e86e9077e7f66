//! A byte that selects a schema, then a document's text: it is refused with a reason, or the
//! properties that hold for every document hold for it.
#![no_main]

#[path = "../../tests/support/mod.rs"]
mod support;

use libfuzzer_sys::fuzz_target;

use support::properties::{SUBJECTS, hold};

fuzz_target!(|input: &[u8]| {
    let Some((number, text)) = input.split_first() else {
        return;
    };
    if let Ok(document) = berth_contracts::read(text) {
        hold(&SUBJECTS[usize::from(*number) % SUBJECTS.len()], &document);
    }
});
