//! What holds for every document holds for documents made up from the schemas, for changed cases, and
//! for any JSON. A failure prints a seed; `arbtest(…).seed(…)` does it again. `ARBTEST_BUDGET_MS` says
//! how long each test looks.
#![allow(clippy::unwrap_used)]

#[path = "support/generate.rs"]
mod generate;
mod support;

use std::cell::Cell;
use std::sync::LazyLock;

use arbtest::ArbTest;
use arbtest::arbitrary::{Result, Unstructured};
use serde_json::{Value, json};

use support::properties::{SUBJECTS, hold};

/// Looks for some seconds, on documents of a size that people write.
fn arbtest<P: FnMut(&mut Unstructured<'_>) -> Result<()>>(property: P) -> ArbTest<P> {
    LazyLock::force(&SUBJECTS);
    let search = arbtest::arbtest(property).size_min(256).size_max(4096);
    match std::env::var_os("ARBTEST_BUDGET_MS") {
        Some(_) => search,
        None => search.budget_ms(2000),
    }
}

#[test]
fn of_documents_made_from_the_schemas() {
    let valid = Cell::new(0);
    let made = Cell::new(0);
    arbtest(|u| {
        let subject = u.choose(&SUBJECTS)?;
        let slips = *u.choose(&[0, 0, 1, 5])?;
        let document = generate::document(u, &subject.json_schema, &subject.json_schema, slips)?;
        made.set(made.get() + 1);
        valid.set(valid.get() + u32::from(hold(subject, &document)));
        Ok(())
    })
    .run();
    println!("{} of {} documents were valid", valid.get(), made.get());
    assert!(valid.get() > 0 && valid.get() < made.get());
}

#[test]
fn of_changed_cases() {
    let cases = support::cases();
    let pool: Vec<&Value> = cases.iter().map(|case| &case.input).collect();
    arbtest(|u| {
        let case = u.choose(&cases)?;
        let subject = SUBJECTS
            .iter()
            .find(|it| it.named.name == case.schema)
            .unwrap();
        let mut document = case.input.clone();
        for _ in 0..u.int_in_range(1..=3)? {
            generate::change(u, &mut document, &pool)?;
        }
        hold(subject, &document);
        Ok(())
    });
}

#[test]
fn of_any_json() {
    arbtest(|u| {
        let document = generate::anything(u, 4)?;
        hold(u.choose(&SUBJECTS)?, &document);
        Ok(())
    });
}

#[test]
fn of_documents_that_once_broke_them() {
    for (name, document) in [
        ("composeSettingsSchema", json!({ "port": 1e308 })),
        ("composeSettingsSchema", json!({ "port": 65536 })),
        ("composeSettingsSchema", json!({ "port": 8080.0 })),
        ("composeSettingsSchema", json!({ "port": -0.0 })),
    ] {
        let subject = SUBJECTS.iter().find(|it| it.named.name == name).unwrap();
        hold(subject, &document);
    }
}
