//! Values of secrets that somebody wrote into a handler's document. Pure.

use serde_json::Value;

use crate::redaction::redact;

/// How many are named of one document.
const MOST_NAMED: usize = 5;

/// Pointers to texts of a handler's document that look like the value of a secret:
/// by their form, or by the name that they are given in a header, a query or the
/// provider settings. A text with a placeholder is filled in elsewhere.
pub(super) fn in_document(config: &Value) -> Vec<String> {
    let mut found = Vec::new();
    walk(config, None, false, &mut String::new(), &mut found);
    found
}

/// Documents are at most 128 levels deep.
fn walk(
    value: &Value,
    name: Option<&str>,
    named_by_key: bool,
    pointer: &mut String,
    found: &mut Vec<String>,
) {
    if found.len() == MOST_NAMED {
        return;
    }
    match value {
        Value::String(text) if !text.contains("{{") => {
            let revealed = redact(text) != *text
                || name.is_some_and(|name| {
                    let pair = format!("{name}: {text}");
                    !text.is_empty() && redact(&pair) != pair
                });
            if revealed {
                found.push(pointer.clone());
            }
        }
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                step(&index.to_string(), pointer, |pointer| {
                    walk(item, name, named_by_key, pointer, found);
                });
            }
        }
        Value::Object(members) => {
            // A header, or a parameter of a query.
            let pair = members
                .get("value")
                .and_then(|_| members.get("name").or_else(|| members.get("key")))
                .and_then(Value::as_str);
            for (key, value) in members {
                let own = key == "providerConfig" || named_by_key;
                let name = match pair {
                    Some(pair) if key == "value" => Some(pair),
                    _ => Some(key.as_str()).filter(|_| named_by_key),
                };
                step(key, pointer, |pointer| {
                    walk(value, name, own, pointer, found)
                });
            }
        }
        _ => {}
    }
}

fn step(key: &str, pointer: &mut String, then: impl FnOnce(&mut String)) {
    let length = pointer.len();
    pointer.push('/');
    pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
    then(pointer);
    pointer.truncate(length);
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_of_secrets_are_found_and_names_are_not() {
        let document = json!({
            "manifest": {
                "baseUrl": "https://me:hunter2abc@example.com",
                "auth": {
                    "type": "oauth2_client_credentials",
                    "tokenUrl": "https://login.example.com/oauth2/token",
                    "clientIdSecretRef": {"key": "CLIENT_ID"},
                    "clientSecretSecretRef": {"key": "CLIENT_SECRET"},
                },
                "provision": {
                    "headers": [
                        {"name": "X-Api-Key", "value": "hunter2abc"},
                        {"name": "X-Team", "value": "previews"},
                    ],
                    "query": [{"key": "token", "value": "{{input.token}}"}],
                },
                "response": {"access": {"scheme": "bearer", "tokenPath": "data.token"}},
                "providerConfig": {
                    "port": "8080",
                    "envTemplate": {"DB_PASSWORD": "hunter2abc", "BRANCH": "{{input.branch}}"},
                },
            },
        });
        assert_eq!(
            in_document(&document),
            [
                "/manifest/baseUrl",
                "/manifest/provision/headers/0/value",
                "/manifest/providerConfig/envTemplate/DB_PASSWORD",
            ]
        );
        let many =
            json!({"providerConfig": {"passwords": vec![json!({"password": "hunter2abc"}); 50]}});
        assert_eq!(in_document(&many).len(), MOST_NAMED);
    }
}
