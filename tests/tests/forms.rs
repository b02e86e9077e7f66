//! Every document of the contract in the real window's form: written, loaded, saved, audited and timed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use berth_core::view::DocumentDraft;
use berth_tests::forms::{contract_data, documents};
use berth_tests::{CommandLine, FormDesk};
use serde_json::{Value, json};

/// What carries values of secrets is not kept.
const NOT_KEPT: [&str; 7] = [
    "registerEnvironmentProviderSchema",
    "updateEnvironmentSecretsSchema",
    "testEnvironmentConnectionSchema",
    "environmentHandleSchema",
    "registerRunnerPoolSchema",
    "updateRunnerPoolSecretsSchema",
    "testRunnerPoolConnectionSchema",
];

/// Writes the documents of some schemas into empty forms; what is on record is what the files say.
async fn written(is_here: impl Fn(&str) -> bool) {
    let desk = FormDesk::open().await;
    let mut count = 0;
    for (schema, file, document) in documents() {
        if !is_here(&schema) {
            continue;
        }
        desk.start_empty(&schema).await;
        desk.write(&schema, &document).await;
        if NOT_KEPT.contains(&schema.as_str()) {
            let shown = desk.call("formTest.shownText()").await;
            let shown: Value = serde_json::from_str(shown.as_str().unwrap()).unwrap();
            assert_eq!(shown, document, "{file}");
            // It is kept nowhere, so leaving it asks.
            desk.window.click("back-to-documents").await;
            desk.window.click("leave-discard").await;
            desk.window.sees("new-document").await;
        } else {
            let kept = desk.save().await;
            let expected = serde_json::to_string_pretty(&document).unwrap();
            assert_eq!(kept.trim_end(), expected, "{file}");
        }
        count += 1;
    }
    assert!(count > 0, "no documents");
    desk.close().await;
}

fn is_environment(schema: &str) -> bool {
    schema.starts_with("environment") || schema.starts_with("provi")
}

fn is_infrastructure(schema: &str) -> bool {
    schema.starts_with("kubernetes") || schema.starts_with("infra") || schema.starts_with("compose")
}

#[tokio::test(flavor = "multi_thread")]
async fn environments_are_written_into_an_empty_form() {
    written(is_environment).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn handlers_and_clusters_are_written_into_an_empty_form() {
    written(is_infrastructure).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn services_runners_and_messages_are_written_into_an_empty_form() {
    written(|schema| !is_environment(schema) && !is_infrastructure(schema)).await;
}

#[test]
fn there_is_a_document_of_every_kind_scheme_and_source() {
    let documents = documents();
    let schemas: BTreeSet<&str> = documents
        .iter()
        .map(|(schema, _, _)| schema.as_str())
        .collect();
    let contract: BTreeSet<&str> = berth_contracts::schemas()
        .iter()
        .map(|named| named.name)
        .collect();
    assert_eq!(schemas, contract);
    let tags = |schema: &str, pointer: &str| -> BTreeSet<String> {
        documents
            .iter()
            .filter(|(of, _, _)| of == schema)
            .map(|(_, _, document)| {
                document
                    .pointer(pointer)
                    .unwrap()
                    .as_str()
                    .unwrap()
                    .to_owned()
            })
            .collect()
    };
    let of = |words: &[&str]| {
        words
            .iter()
            .map(ToString::to_string)
            .collect::<BTreeSet<_>>()
    };
    assert_eq!(
        tags("environmentManifestSchema", "/auth/type"),
        of(&[
            "none",
            "api_key",
            "bearer",
            "basic",
            "oauth2_client_credentials",
            "custom_headers"
        ])
    );
    let cluster = "kubernetesEnvironmentConfigSchema";
    assert_eq!(
        tags(cluster, "/url/source"),
        of(&["ingressTemplate", "ingressStatus", "serviceStatus"])
    );
    assert_eq!(
        tags(cluster, "/manifestSource/type"),
        of(&["colocated", "separate"])
    );
    assert_eq!(
        tags("infraHandlerConfigSchema", "/engine"),
        of(&[
            "local-docker",
            "local-k3s",
            "remote-kubernetes",
            "remote-custom"
        ])
    );
}

/// The valid cases of a schema: id, input, output.
fn valid_cases(schema: &str) -> Vec<(String, String, Value)> {
    fs::read_to_string(contract_data().join("cases.jsonl"))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|case| case["schema"] == schema && case["valid"] == true)
        .map(|case| {
            let id = case["id"].as_str().unwrap().to_owned();
            (id, case["input"].to_string(), case["output"].clone())
        })
        .collect()
}

/// Loads every valid case, saves it untouched, and once more as the form writes it: both are the case's output.
async fn loaded_and_saved(schema: &str) {
    let desk = FormDesk::open().await;
    desk.start_empty(schema).await;
    let cases = valid_cases(schema);
    assert!(cases.len() > 30, "{} cases", cases.len());
    let mut different = Vec::new();
    for (id, input, output) in &cases {
        let text = Value::String(input.clone());
        let kept = desk.call(&format!("formTest.roundTrip({text})")).await;
        for (how, text) in ["untouched", "written anew"]
            .iter()
            .zip(kept.as_array().unwrap())
        {
            let text = text.as_str().unwrap();
            if serde_json::from_str::<Value>(text).unwrap() != *output {
                different.push(format!("{id}, {how}:\n{input}\nis kept as\n{text}"));
            }
        }
    }
    assert!(
        different.is_empty(),
        "{} of {} cases differ, first {}",
        different.len(),
        cases.len(),
        different[0]
    );
    desk.close().await;
}

macro_rules! loaded_and_saved {
    ($($name:ident: $schema:literal,)*) => {$(
        #[tokio::test(flavor = "multi_thread")]
        async fn $name() {
            loaded_and_saved($schema).await;
        }
    )*};
}

loaded_and_saved! {
    environment_manifests_stay_as_they_are: "environmentManifestSchema",
    kubernetes_environments_stay_as_they_are: "kubernetesEnvironmentConfigSchema",
    kubernetes_engines_stay_as_they_are: "kubernetesEngineConfigSchema",
    handlers_stay_as_they_are: "infraHandlerConfigSchema",
    provisionings_stay_as_they_are: "serviceProvisioningSchema",
    runner_pools_stay_as_they_are: "runnerPoolManifestSchema",
    kubernetes_runners_stay_as_they_are: "kubernetesRunnerConfigSchema",
}

/// Records with a document, so that their list is not empty.
async fn with_a_document() -> CommandLine {
    let records = CommandLine::new("unix:///nonexistent/engine.sock");
    let core = records.core().await;
    let (schema, _, document) = documents()
        .into_iter()
        .find(|(_, file, _)| file == "environmentManifestSchema.bearer.json")
        .unwrap();
    core.save_document(DocumentDraft {
        id: Some("d-acme".to_owned()),
        schema,
        name: "Acme previews".to_owned(),
        text: document.to_string(),
    })
    .await
    .unwrap();
    drop(core);
    records
}

/// Audits every `of`-th state of a form, from the `nth` on.
async fn audited(nth: usize, of: usize) {
    let ui = contract_data().join("../../../ui");
    let states = Command::new("node")
        .arg("scripts/form-states.mjs")
        .current_dir(&ui)
        .output()
        .unwrap();
    assert!(states.status.success(), "{states:?}");
    let states = String::from_utf8(states.stdout).unwrap();
    let states: Vec<&str> = states.lines().skip(nth).step_by(of).collect();
    assert!(states.len() > 20, "{} states", states.len());

    let desk = FormDesk::open_on(with_a_document().await).await;
    let mut faults = Vec::new();
    for state in states {
        desk.call(&format!("formTest.reach({state})")).await;
        if desk.window.script("return 'axe' in window").await == json!(false) {
            let axe = fs::read_to_string(ui.join("node_modules/axe-core/axe.min.js")).unwrap();
            desk.window.script(&axe).await;
        }
        let found = desk.call("formTest.audit()").await;
        if found != json!([]) {
            let name = serde_json::from_str::<Value>(state).unwrap()["name"].clone();
            faults.push(format!("{name}: {found:#}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    desk.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_state_can_be_used_by_everyone_1() {
    audited(0, 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_state_can_be_used_by_everyone_2() {
    audited(1, 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_state_can_be_used_by_everyone_3() {
    audited(2, 4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_state_can_be_used_by_everyone_4() {
    audited(3, 4).await;
}

/// Far above what is measured on a quiet machine, so that a busy one does not fail.
const OPENS_IN_MS: f64 = 10_000.0;
const SHOWS_A_KEY_IN_MS: f64 = 3_000.0;

#[tokio::test(flavor = "multi_thread")]
async fn the_largest_form_opens_and_types_quickly() {
    let records = CommandLine::new("unix:///nonexistent/engine.sock");
    let core = records.core().await;
    // The valid case with most to show.
    let (schema, text) = [
        "environmentManifestSchema",
        "kubernetesRunnerConfigSchema",
        "infraHandlerConfigSchema",
    ]
    .into_iter()
    .flat_map(|schema| {
        valid_cases(schema)
            .into_iter()
            .map(move |(_, input, _)| (schema, input))
    })
    .max_by_key(|(_, text)| text.matches("\":").count())
    .unwrap();
    core.save_document(DocumentDraft {
        id: Some("largest".to_owned()),
        schema: schema.to_owned(),
        name: "Largest".to_owned(),
        text,
    })
    .await
    .unwrap();
    drop(core);
    let desk = FormDesk::open_on(records).await;
    let mut opened = Vec::new();
    let mut fields = Value::Null;
    for _ in 0..5 {
        let opening = desk.call("formTest.opening('largest')").await;
        opened.push(opening["ms"].as_f64().unwrap());
        fields = opening["fields"].clone();
        desk.window.picture("forms-largest").await;
    }
    let typed = desk.call("formTest.typing(12)").await;
    let mut typed: Vec<f64> = typed
        .as_array()
        .unwrap()
        .iter()
        .map(|ms| ms.as_f64().unwrap())
        .collect();
    typed.sort_by(f64::total_cmp);
    let first = opened[0];
    let figures = json!({
        "schema": schema,
        "fields": fields,
        "first opening, ms": first,
        "openings, ms": opened,
        "key to frame, median ms": typed[typed.len() / 2],
        "key to frame, 95th percentile ms": typed[typed.len() * 95 / 100],
    });
    desk.window
        .keep("forms-speed.json", &format!("{figures:#}\n"));
    assert!(first < OPENS_IN_MS, "{figures:#}");
    assert!(typed[typed.len() / 2] < SHOWS_A_KEY_IN_MS, "{figures:#}");
    desk.close().await;
}
