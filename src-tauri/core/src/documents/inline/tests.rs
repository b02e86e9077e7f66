use serde_json::{Map, json};

use super::*;

fn found(schema: &Value, document: &Value) -> Vec<(String, String, String)> {
    let (issues, omitted) = check(schema, document).unwrap();
    assert_eq!(omitted, 0);
    let mut found: Vec<_> = issues
        .into_iter()
        .map(|issue| (issue.pointer, issue.kind, issue.message))
        .collect();
    found.sort();
    found
}

fn one(schema: &Value, document: &Value) -> (String, String, String) {
    let mut found = found(schema, document);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

fn fault(pointer: &str, kind: &str, message: &str) -> (String, String, String) {
    (pointer.to_owned(), kind.to_owned(), message.to_owned())
}

#[test]
fn faults_are_told_in_plain_words_at_their_place() {
    let schema = json!({
        "type": "object",
        "required": ["name", "port"],
        "additionalProperties": false,
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 3, "pattern": "^[a-z]+$"},
            "port": {"type": "integer", "minimum": 1, "maximum": 65535},
            "mode": {"enum": ["fast", "slow"]},
            "tags": {"type": "array", "maxItems": 1, "items": {"type": ["string", "null"]}},
        },
    });
    assert_eq!(
        found(
            &schema,
            &json!({"name": "ABCD", "mode": 3, "tags": [1, "x"], "a/b": 1})
        ),
        [
            fault(
                "/a~1b",
                "strict_object",
                "This key is not known here. Remove it."
            ),
            fault("/mode", "picklist", "Must be one of fast, slow."),
            fault(
                "/name",
                "max_length",
                "Must have at most 3 characters; it has 4."
            ),
            fault("/name", "regex", "Must have the form ^[a-z]+$"),
            fault("/port", "object", "Required, but missing."),
            fault("/tags", "max_length", "Must have at most 1 item."),
            fault("/tags/0", "type", "Must be null or a text, not a number."),
        ]
    );
    assert_eq!(
        one(&schema, &json!({"name": "abc", "port": "8080"})),
        fault("/port", "integer", "Must be a whole number, not a text.")
    );
}

#[test]
fn of_alternatives_the_one_that_was_meant_is_told_about() {
    let schema = json!({"items": {"oneOf": [
        {"type": "object", "required": ["type", "url"], "properties": {
            "type": {"const": "http"}, "url": {"type": "string", "minLength": 1}}},
        {"type": "object", "required": ["type", "port"], "properties": {
            "type": {"const": "tcp"}, "port": {"type": "integer"}}},
    ]}});
    assert_eq!(
        one(&schema, &json!([{"type": "http", "url": ""}])),
        fault("/0/url", "min_length", "Must not be empty.")
    );
    assert_eq!(
        one(&schema, &json!([{"type": "ftp"}])),
        fault("/0", "variant", "Its type must be one of http, tcp.")
    );
    let nullable = json!({"anyOf": [{"type": "string", "maxLength": 2}, {"type": "null"}]});
    assert_eq!(
        one(&nullable, &json!("abc")),
        fault(
            "",
            "max_length",
            "Must have at most 2 characters; it has 3."
        )
    );
}

#[test]
fn keys_that_look_like_places_are_keys() {
    let schema = json!({"additionalProperties": {"additionalProperties": {"type": "string"}}});
    let (issues, _) = check(&schema, &json!({"0": {"": 1}})).unwrap();
    assert_eq!(
        issues[0].path,
        ["0", ""].map(|key| berth_contracts::Segment::Key(key.to_owned()))
    );
    let schema = json!({"propertyNames": {"pattern": "^[A-Z]+$"}});
    assert_eq!(
        one(&schema, &json!({"ok no": 1})),
        fault(
            "/ok no",
            "regex",
            "The key itself: Must have the form ^[A-Z]+$"
        )
    );
}

#[test]
fn no_message_quotes_the_document() {
    let schema = json!({
        "properties": {
            "a": {"const": "x"}, "b": {"type": "integer"}, "c": {"maxLength": 2},
            "d": {"pattern": "^x$"}, "e": {"oneOf": [{"type": "null"}, {"minLength": 90}]},
            "f": {"enum": [1]}, "g": {"not": {}}, "h": {"format": "email"},
            "i": {"minLength": 90}, "j": false, "k": {"contains": {"type": "null"}},
        },
        "dependentRequired": {"a": ["z"]},
    });
    let secret = "planted-s3cret";
    let document: Map<String, Value> = ('a'..='j')
        .map(|key| (key.to_string(), json!(secret)))
        .chain([("k".to_owned(), json!([secret]))])
        .collect();
    let (issues, _) = check(&schema, &document.into()).unwrap();
    assert!(issues.len() >= 10, "{issues:?}");
    let told = serde_json::to_string(&issues).unwrap();
    assert!(!told.contains("s3cret"), "{told}");
}

#[test]
fn schemas_that_cannot_be_used_say_why() {
    for (schema, said) in [
        (json!({"type": "nonsense"}), "nonsense"),
        (json!({"properties": {"a": {"pattern": "(("}}}), "(("),
        (json!({"pattern": "((a{1000}){1000}){1000}"}), "regex"),
        (json!({"$ref": "https://example.com/s.json"}), "example.com"),
        (
            json!({"$schema": "https://example.com/meta"}),
            "example.com",
        ),
        (json!([]), ""),
    ] {
        let problem = check(&schema, &json!("x")).unwrap_err();
        assert_eq!(problem.code, Code::InvalidInput, "{schema}");
        assert!(problem.detail.unwrap().contains(said), "{schema}");
    }
}

#[test]
fn patterns_come_to_an_end() {
    let ahead = json!({"pattern": "^(?!x)[a-z]+$"});
    assert_eq!(found(&ahead, &json!("abc")), []);
    assert_eq!(one(&ahead, &json!("xbc")).1, "regex");
    let hostile = json!({"pattern": "^(?=a)((a+)+)+\\1$"});
    let text = "a".repeat(40) + "b";
    let told = one(&hostile, &json!(text));
    assert!(
        told.2.contains("takes too long") || told.2.contains("form"),
        "{told:?}"
    );
    let linear = json!({"pattern": "^((a+)+)+$"});
    assert_eq!(one(&linear, &json!("a".repeat(100_000) + "b")).1, "regex");
}

#[test]
fn the_longest_schema_that_is_let_through_fits_on_the_stack() {
    let chain: Map<String, Value> = (0..990)
        .map(|step| {
            let next = format!("#/$defs/d{}", step + 1);
            (
                format!("d{step}"),
                json!({"properties": {"a": {"$ref": next}}}),
            )
        })
        .chain([("d990".to_owned(), json!({"type": "string"}))])
        .collect();
    let schema = json!({"$defs": chain, "$ref": "#/$defs/d0"});
    assert_eq!(found(&schema, &json!({"a": {"a": {}}})), []);

    // Ninety steps in place, then one down, as deep as a document may be.
    let mut level = json!({"properties": {"a": {"$ref": "#"}}});
    for _ in 0..45 {
        level = json!({"allOf": [level]});
    }
    let document = (0..126).fold(json!({}), |inner, _| json!({"a": inner}));
    assert_eq!(found(&level, &document), []);
}

#[test]
fn many_faults_are_counted_and_not_kept() {
    let schema = json!({"items": {"type": "string"}});
    let (issues, omitted) = check(&schema, &json!(vec![1; 5_000])).unwrap();
    assert_eq!((issues.len(), omitted), (200, 4_800));
}

#[test]
fn older_dialects_are_understood() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "definitions": {"port": {"type": "integer"}},
        "properties": {"port": {"$ref": "#/definitions/port"}},
    });
    assert_eq!(
        one(&schema, &json!({"port": "x"})),
        fault("/port", "integer", "Must be a whole number, not a text.")
    );
}
