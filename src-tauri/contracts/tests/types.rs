//! The Rust types hold what the contract says: a valid document is read into its type and written
//! back without a loss.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;

use berth_contracts::schemas;

use support::typed::there_and_back;

#[test]
fn every_valid_document_has_its_type() {
    let mut seen = BTreeSet::new();
    for case in support::cases().into_iter().filter(|case| case.valid) {
        let back = there_and_back(&case.schema, &case.output)
            .unwrap_or_else(|error| panic!("{}: {error}", case.id));
        assert!(
            support::same(&back, &case.output),
            "{}: {back} instead of {}",
            case.id,
            case.output
        );
        seen.insert(case.schema);
    }
    let without_cases: Vec<_> = schemas()
        .iter()
        .map(|it| it.name)
        .filter(|name| !seen.contains(*name))
        .collect();
    assert_eq!(without_cases, ["composeSettingsSchema"]);
}
