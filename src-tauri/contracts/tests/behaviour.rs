//! What the contract's pure functions give, for those that this crate has; and a list of all others,
//! with what they are for.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::{BTreeMap, BTreeSet};

use berth_contracts::documents::{AuthScheme, ConfigField};
use berth_contracts::template;
use serde_json::Value;

use support::behaviour::{self, Difference, Function};

const FUNCTIONS: &[Function] = &[
    ("interpolateTemplate", interpolate_template),
    ("missingRequiredConfigKeys", missing_required_config_keys),
    ("renderTemplate", render_template),
    ("referencedSecretKeys", referenced_secret_keys),
    ("stringifyProviderConfig", stringify_provider_config),
];

const DIFFERENCES: &[Difference] = &[];

/// Functions that belong to what is not there yet.
const WAITING: &[(&str, &[&str])] = &[
    (
        "the HTTP engine: requests, and what the answers mean",
        &[
            "coerceExpiresAt",
            "extractByPath",
            "extractString",
            "httpBuildUrl",
            "httpMapResponse",
            "mapStatus",
        ],
    ),
    (
        "the policy on addresses",
        &[
            "assertApiServerUrlSafe",
            "assertSafeEnvironmentUrl",
            "isBlockedPrivateHost",
            "isCloudMetadataHost",
            "resolveUrlSafetyPolicy",
        ],
    ),
    (
        "the Kubernetes engine",
        &[
            "classifyDeploymentReadiness",
            "deriveUrl",
            "extractLoadBalancerAddress",
            "isManifestFile",
            "k8sName",
            "labelValue",
            "parseManifests",
            "resolveNamespace",
            "resourceUrl",
        ],
    ),
    (
        "runners",
        &[
            "analyzePodStatus",
            "buildPodManifest",
            "classifyPodReadiness",
            "mapJobState",
            "podName",
            "proxyUrl",
            "resolveResources",
            "runnerMapJobView",
            "runnerScope",
        ],
    ),
];

/// Functions that Berth has no use for, and why.
const NOT_BUILT: &[(&str, &[&str])] = &[(
    "the compose engine is native: it neither runs `docker compose` nor reads what that prints, \
     runs builds and bind mounts, and moves ports in the project it has understood",
    &[
        "classifyComposePs",
        "collectUnsupportedComposeRefs",
        "parseHostPort",
        "prepareComposeProject",
        "tailOutput",
        "toEphemeralPortEntry",
    ],
)];

fn interpolate_template(args: &[Value]) -> Result<Value, String> {
    let [Value::String(text), scope] = args else {
        return Err("a template and a scope".to_owned());
    };
    let value_of = |name: &str| {
        let (part, key) = name.split_once('.')?;
        Some(scope.get(part)?.get(key)?.as_str()?.to_owned())
    };
    Ok(template::render(text, value_of).into())
}

fn render_template(args: &[Value]) -> Result<Value, String> {
    let [Value::String(text), variables] = args else {
        return Err("a template and its variables".to_owned());
    };
    let value_of = |name: &str| Some(variables.get(name)?.as_str()?.to_owned());
    Ok(template::render(text, value_of).into())
}

fn referenced_secret_keys(args: &[Value]) -> Result<Value, String> {
    let auth: AuthScheme =
        serde_json::from_value(args[0]["auth"].clone()).map_err(|error| error.to_string())?;
    Ok(auth.secret_keys().into())
}

fn missing_required_config_keys(args: &[Value]) -> Result<Value, String> {
    let read = |error: serde_json::Error| error.to_string();
    let fields: Vec<ConfigField> = serde_json::from_value(args[0].clone()).map_err(read)?;
    let present: Vec<String> = serde_json::from_value(args[1].clone()).map_err(read)?;
    let present: Vec<&str> = present.iter().map(String::as_str).collect();
    Ok(ConfigField::missing(&fields, &present).into())
}

fn stringify_provider_config(args: &[Value]) -> Result<Value, String> {
    let settings: BTreeMap<String, Value> =
        serde_json::from_value(args[0].clone()).map_err(|error| error.to_string())?;
    Ok(ConfigField::texts(&settings).into_iter().collect())
}

#[test]
fn the_functions_of_this_crate_agree() {
    behaviour::agree(FUNCTIONS, DIFFERENCES);
}

#[test]
fn every_function_is_run_or_has_its_reason() {
    let here = FUNCTIONS.iter().map(|(name, _)| *name);
    let elsewhere = WAITING.iter().chain(NOT_BUILT);
    let elsewhere = elsewhere.flat_map(|(_, names)| names.iter().copied());
    let listed: Vec<&str> = here.chain(behaviour::OF_CORE).chain(elsewhere).collect();
    let known: BTreeSet<String> = listed.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(known.len(), listed.len(), "a function is listed twice");
    assert_eq!(known, behaviour::names());
}
