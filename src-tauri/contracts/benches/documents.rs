//! What it costs to check a document: `cargo bench -p berth-contracts`.
#![allow(clippy::unwrap_used)]

use berth_contracts::{Schema, read, schema, validate};
use divan::{Bencher, black_box};
use serde_json::{Value, json};

fn main() {
    divan::main();
}

/// Every field, all three requests.
fn manifest() -> Value {
    let request = |method: &str, path: &str| {
        json!({
            "method": method,
            "pathTemplate": path,
            "query": [{ "key": "region", "value": "eu" }],
            "headers": [
                { "name": "Accept", "value": "application/json" },
                { "name": "X-Branch", "value": "{{input.branch}}" },
            ],
            "bodyTemplate": "{\"branch\":\"{{input.branch}}\",\"pull\":\"{{input.pullNumber}}\"}",
            "timeoutMs": 30_000,
        })
    };
    json!({
        "providerId": "acme-previews",
        "label": " Acme previews ",
        "baseUrl": "https://previews.example.com/api/v1",
        "auth": {
            "type": "oauth2_client_credentials",
            "tokenUrl": "https://login.example.com/oauth2/token",
            "clientIdSecretRef": { "key": "CLIENT_ID" },
            "clientSecretSecretRef": { "key": "CLIENT_SECRET" },
            "scope": "previews:write",
            "audience": "previews",
        },
        "provision": request("POST", "/environments"),
        "status": request("GET", "/environments/{{provision.externalId}}"),
        "teardown": request("DELETE", "/environments/{{provision.externalId}}"),
        "response": {
            "urlPath": "data.url",
            "statusPath": "data.state",
            "statusMap": [
                { "from": "building", "to": "provisioning" },
                { "from": "running", "to": "ready" },
                { "from": "error", "to": "failed" },
            ],
            "externalIdPath": "data.id",
            "expiresAtPath": "data.expires",
            "access": { "scheme": "basic", "usernamePath": "data.user", "passwordPath": "data.password" },
        },
        "defaultTtlMs": 7_200_000,
        "providerConfig": { "region": "eu", "size": 2, "labels": ["a", "b"] },
    })
}

fn kubernetes() -> Value {
    json!({
        "label": "k3s on my laptop",
        "apiServerUrl": "https://127.0.0.1:6443",
        "caCertPem": "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
        "insecureSkipTlsVerify": false,
        "namespaceTemplate": "preview-{{repoName}}-{{pullNumber}}",
        "manifestSource": { "type": "separate", "repo": "acme/manifests", "ref": "main", "path": "overlays/preview" },
        "url": { "source": "ingressTemplate", "hostTemplate": "{{namespace}}.preview.example.com", "scheme": "https" },
        "imageTemplate": "ghcr.io/acme/web:{{branch}}",
        "defaultTtlMs": 7_200_000,
        "labels": { "team": "web", "cost-centre": "42" },
        "annotations": { "owner": "web@example.com" },
    })
}

fn register() -> Value {
    json!({
        "config": { "kind": "manifest", "manifest": manifest() },
        "secrets": { "CLIENT_ID": "id", "CLIENT_SECRET": "secret" },
    })
}

/// Ten rules are broken.
fn invalid() -> Value {
    let mut document = manifest();
    document["providerId"] = json!("Not An Id");
    document["label"] = json!("");
    document["baseUrl"] = json!(5);
    document["auth"]["clientIdSecretRef"]["key"] = json!("no key");
    document["auth"]["clientSecretSecretRef"] = json!({});
    document["provision"]["method"] = json!("FETCH");
    document["status"]["headers"][0]["name"] = json!("");
    document["response"]["statusMap"][2]["to"] = json!("broken");
    document["defaultTtlMs"] = json!(59_999);
    document["providerConfig"] = json!("none");
    document
}

fn of(name: &str) -> &'static Schema {
    schema(name).unwrap().schema
}

fn check(bencher: Bencher<'_, '_>, name: &str, document: &Value, issues: usize) {
    let schema = of(name);
    let found = validate(schema, document).map_or_else(|issues| issues.issues.len(), |_| 0);
    assert_eq!(found, issues);
    bencher.bench_local(|| validate(schema, black_box(document)));
}

#[divan::bench]
fn validate_manifest(bencher: Bencher<'_, '_>) {
    check(bencher, "environmentManifestSchema", &manifest(), 0);
}

#[divan::bench]
fn validate_manifest_with_ten_issues(bencher: Bencher<'_, '_>) {
    check(bencher, "environmentManifestSchema", &invalid(), 10);
}

#[divan::bench]
fn validate_kubernetes_environment(bencher: Bencher<'_, '_>) {
    check(
        bencher,
        "kubernetesEnvironmentConfigSchema",
        &kubernetes(),
        0,
    );
}

#[divan::bench]
fn validate_register_body(bencher: Bencher<'_, '_>) {
    check(bencher, "registerEnvironmentProviderSchema", &register(), 0);
}

#[divan::bench]
fn read_and_validate_manifest(bencher: Bencher<'_, '_>) {
    let schema = of("environmentManifestSchema");
    let text = manifest().to_string().into_bytes();
    bencher.bench_local(|| validate(schema, &read(black_box(&text)).unwrap()));
}

#[divan::bench]
fn json_schema_of_manifest() -> Value {
    of("environmentManifestSchema").json_schema()
}
