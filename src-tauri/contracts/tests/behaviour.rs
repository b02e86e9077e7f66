//! What the contract's pure functions give, for those that this crate has; and a list of all others,
//! with what they are for.
#![allow(clippy::unwrap_used)]

mod support;

use std::collections::BTreeSet;

use berth_contracts::documents::AuthScheme;
use berth_contracts::template;
use serde_json::Value;

use support::behaviour::{self, Difference, Function};

const FUNCTIONS: &[Function] = &[
    ("interpolateTemplate", interpolate_template),
    ("renderTemplate", render_template),
    ("referencedSecretKeys", referenced_secret_keys),
];

const DIFFERENCES: &[Difference] = &[];

/// Functions that belong to what is not there yet, or not in this crate.
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
            "shortHash",
        ],
    ),
    (
        "compose environments that handlers ask for",
        &[
            "classifyComposePs",
            "collectUnsupportedComposeRefs",
            "parseComposeEnvConfig",
            "parseHostPort",
            "prepareComposeProject",
            "resolveProjectName",
            "sanitizeProjectName",
            "stringifyProviderConfig",
            "tailOutput",
            "toEphemeralPortEntry",
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
    (
        "handlers, and the choice among them",
        &[
            "aggregateCustomManifestTypes",
            "missingRequiredConfigKeys",
            "resolveInfraHandler",
        ],
    ),
    (
        // The core's redaction knows the values of a project and looks for them; this one looks for
        // what has the form of a secret, in answers of others.
        "the log of provisioning",
        &["redactSecrets"],
    ),
];

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

#[test]
fn the_functions_of_this_crate_agree() {
    behaviour::agree(FUNCTIONS, DIFFERENCES);
}

#[test]
fn every_function_is_run_or_waits_for_something() {
    let here = FUNCTIONS.iter().map(|(name, _)| *name);
    let waiting = WAITING.iter().flat_map(|(_, names)| names.iter().copied());
    let listed: Vec<&str> = here.chain(waiting).collect();
    let known: BTreeSet<String> = listed.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(known.len(), listed.len(), "a function is listed twice");
    assert_eq!(known, behaviour::names());
}
