//! The JSON Schemas: standard validators take them, they say what the validator says, and the front
//! end's copy is up to date.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;
use std::path::Path;

use berth_contracts::{schemas, validate};

#[test]
fn the_front_ends_copy_is_up_to_date() {
    // A line for each, so that a change shows where it is.
    let lines: Vec<String> = schemas()
        .iter()
        .map(|it| format!("\"{}\": {}", it.name, it.schema.json_schema()))
        .collect();
    let text = format!("{{\n{}\n}}\n", lines.join(",\n"));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ui/src/generated/contract.json");
    if std::env::var_os("BERTH_UPDATE").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    assert!(
        std::fs::read_to_string(&path).unwrap_or_default() == text,
        "ui/src/generated/contract.json is stale: run BERTH_UPDATE=1 cargo test -p berth-contracts --test json_schema",
    );
}

#[test]
fn a_standard_validator_takes_every_schema() {
    for it in schemas() {
        let schema = it.schema.json_schema();
        jsonschema::meta::validate(&schema).unwrap_or_else(|error| panic!("{}: {error}", it.name));
        jsonschema::draft202012::new(&schema)
            .unwrap_or_else(|error| panic!("{}: {error}", it.name));
    }
}

/// Cases on which a JSON Schema cannot agree, all for one reason: it counts characters, the contract
/// counts UTF-16 code units, of which a character beyond U+FFFF has two.
const UTF_16: &[&str] = &[
    "custom-manifest-type-0033",
    "custom-manifest-type-0046",
    "environment-auth-scheme-0113",
    "environment-backend-config-0066",
    "environment-manifest-0116",
    "environment-manifest-0175",
    "environment-manifest-0204",
    "environment-manifest-0269",
    "environment-request-template-0061",
    "infra-handler-config-0081",
    "kubernetes-engine-config-0051",
    "kubernetes-engine-config-0063",
    "kubernetes-engine-config-0067",
    "kubernetes-environment-config-0069",
    "kubernetes-environment-config-0123",
    "kubernetes-environment-config-0124",
    "kubernetes-environment-config-0169",
    "kubernetes-environment-config-0181",
    "kubernetes-environment-config-0182",
    "kubernetes-manifest-source-0057",
    "kubernetes-manifest-source-0059",
    "kubernetes-runner-config-0104",
    "register-environment-provider-0006",
    "register-environment-provider-0014",
    "runner-pool-manifest-0083",
    "runner-pool-manifest-0108",
    "service-provisioning-0043",
    "service-provisioning-0055",
    "service-provisioning-0072",
    "test-environment-connection-0010",
    "upsert-custom-manifest-type-0018",
    "upsert-custom-manifest-type-0023",
    "upsert-custom-manifest-type-0024",
    "upsert-custom-manifest-type-0035",
];

#[test]
fn the_schemas_say_what_the_validator_says() {
    let validators: BTreeMap<_, _> = schemas()
        .iter()
        .map(|it| {
            let validator = jsonschema::draft202012::new(&it.schema.json_schema()).unwrap();
            (it.name, (it.schema, validator))
        })
        .collect();
    let mut differ = Vec::new();
    for case in support::cases() {
        let (schema, validator) = &validators[case.schema.as_str()];
        let ours = validate(schema, &case.input).is_ok();
        if validator.is_valid(&case.input) != ours {
            let input = case.input.to_string();
            assert!(
                !ours && input.chars().any(|c| c > '\u{ffff}'),
                "{}: not for the reason that is known",
                case.id
            );
            assert!(
                case.issues.iter().all(|issue| issue.kind == "max_length"),
                "{}",
                case.id
            );
            differ.push(case.id);
        }
    }
    println!("{} cases on which they differ", differ.len());
    assert_eq!(differ, UTF_16);
}

#[test]
fn what_a_form_begins_with_is_valid() {
    for it in schemas() {
        let schema = it.schema.json_schema();
        let starters = schema["x-berth-starters"]
            .as_array()
            .cloned()
            .unwrap_or_default();
        assert!(
            !starters.is_empty() || schema["type"] == "string",
            "{} begins with an empty page",
            it.name
        );
        for starter in starters {
            let document = &starter["document"];
            assert!(document.is_object(), "{}", it.name);
            let meant = validate(it.schema, document)
                .unwrap_or_else(|issues| panic!("{} “{}”:\n{issues}", it.name, starter["title"]));
            assert_eq!(&meant, document, "{}", it.name);
            assert_eq!(
                berth_contracts::check_settings(it.schema, document),
                [],
                "{}",
                it.name
            );
        }
    }
}
