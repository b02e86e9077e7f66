//! The settings of a local Docker handler ride where the contract takes anything; they are checked
//! as what they are.
#![allow(clippy::unwrap_used)]

use berth_contracts::{Issue, check_settings, schema, validate};
use serde_json::{Value, json};

fn issues_of(settings: Value) -> Vec<String> {
    let handler = json!({
        "engine": "local-docker",
        "manifest": {
            "providerId": "compose",
            "label": "Docker Compose",
            "baseUrl": "http://localhost",
            "auth": { "type": "none" },
            "provision": { "method": "POST", "pathTemplate": "" },
            "response": {},
            "providerConfig": settings,
        },
    });
    let named = schema("infraHandlerConfigSchema").unwrap();
    // Whatever they are, the contract itself takes them, and so keeps them.
    assert_eq!(validate(named.schema, &handler).unwrap(), handler);
    check_settings(named.schema, &handler)
        .iter()
        .map(Issue::to_string)
        .collect()
}

#[test]
fn good_settings_and_keys_of_others_are_no_issue() {
    assert_eq!(
        issues_of(json!({
            "service": " web ",
            "port": "8080",
            "scheme": "http",
            "ttlMinutes": "120",
            "envTemplate": { "HOST": "{{namespace}}.localhost" },
            "team": { "any": ["thing"] },
        })),
        [""; 0]
    );
    assert_eq!(issues_of(json!({ "port": 8080 })), [""; 0]);
    assert_eq!(issues_of(json!({})), [""; 0]);
}

#[test]
fn wrong_settings_are_named_by_their_whole_path() {
    assert_eq!(
        issues_of(json!({ "service": 5, "port": 70000, "scheme": "HTTPS", "ttlMinutes": "soon" })),
        [
            "manifest.providerConfig.service: Must be a text, not a number.",
            "manifest.providerConfig.port: Must be a port, 1 to 65535.",
            "manifest.providerConfig.scheme: Must be one of http, https; it is “HTTPS”.",
            "manifest.providerConfig.ttlMinutes: Must be digits only.",
        ]
    );
}
