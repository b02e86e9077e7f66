//! What holds for every document, valid or not; asked by the property tests and the fuzz target.

use std::sync::LazyLock;

use berth_contracts::{
    Issue, IssueKind, Issues, MAX_ISSUES, NamedSchema, Segment, check_settings, read, schemas,
    template, validate,
};
use serde_json::{Map, Value};

use super::same;
use super::typed::there_and_back;

/// A schema with what is made of it once.
pub(crate) struct Subject {
    pub(crate) named: &'static NamedSchema,
    pub(crate) json_schema: Value,
    validator: jsonschema::Validator,
}

/// Every schema of the contract.
pub(crate) static SUBJECTS: LazyLock<Vec<Subject>> = LazyLock::new(|| {
    schemas()
        .iter()
        .map(|named| {
            let json_schema = named.schema.json_schema();
            Subject {
                named,
                validator: jsonschema::draft202012::new(&json_schema).unwrap(),
                json_schema,
            }
        })
        .collect()
});

/// Panics where one of the properties does not hold; tells whether the document is valid.
pub(crate) fn hold(subject: &Subject, document: &Value) -> bool {
    let verdict = validate(subject.named.schema, document);
    match &verdict {
        Ok(output) => of_what_is_meant(subject, output),
        Err(issues) => of_what_is_wrong(document, issues),
    }
    json_schema_agrees(subject, document, &verdict);
    let more = with_unknown_keys(&subject.json_schema, &subject.json_schema, document);
    assert_eq!(
        validate(subject.named.schema, &more),
        verdict,
        "keys that the contract does not know change nothing"
    );
    let settings = check_settings(subject.named.schema, document);
    assert!(settings.len() <= MAX_ISSUES);
    for issue in &settings {
        assert_place(document, issue);
    }
    every_text(document, &template_is_taken_apart);
    verdict.is_ok()
}

fn of_what_is_meant(subject: &Subject, output: &Value) {
    let name = subject.named.name;
    assert_eq!(
        validate(subject.named.schema, output).as_ref(),
        Ok(output),
        "{name}: what is meant means itself"
    );
    assert!(
        subject.validator.is_valid(output),
        "{name}: the JSON Schema refuses what is meant: {output}"
    );
    let text = output.to_string();
    assert_eq!(
        read(text.as_bytes()).as_ref(),
        Ok(output),
        "{name}: written and read"
    );
    let back = there_and_back(name, output)
        .unwrap_or_else(|error| panic!("{name}: no value of its type: {error}: {output}"));
    assert!(
        same(&back, output),
        "{name}: its type loses something: {back} of {output}"
    );
}

fn of_what_is_wrong(document: &Value, issues: &Issues) {
    assert!(!issues.issues.is_empty() && issues.issues.len() <= MAX_ISSUES);
    assert!(issues.omitted == 0 || issues.issues.len() == MAX_ISSUES);
    for issue in &issues.issues {
        assert_place(document, issue);
        assert!(
            !issue.message.is_empty() && issue.message.len() < 1000,
            "{issue}"
        );
    }
}

/// The path leads to a value, or to a key that is missing in one.
fn assert_place(document: &Value, issue: &Issue) {
    let mut place = document;
    let mut steps = issue.path.iter();
    while let Some(step) = steps.next() {
        let next = match (step, place) {
            (Segment::Index(at), Value::Array(items)) => items.get(*at),
            (Segment::Key(key), Value::Object(fields)) => {
                let cut = key
                    .strip_suffix('…')
                    .filter(|cut| cut.len() + 4 > Segment::MAX_BYTES);
                fields.get(key).or_else(|| {
                    fields
                        .iter()
                        .find(|(whole, _)| cut.is_some_and(|cut| whole.starts_with(cut)))
                        .map(|(_, value)| value)
                })
            }
            // An array where an object is meant has none of its keys.
            (Segment::Key(_), Value::Array(_)) => None,
            _ => panic!("no place for “{step}” of {issue} in {place}"),
        };
        let Some(next) = next else {
            assert!(
                steps.next().is_none() && matches!(step, Segment::Key(_)),
                "{issue}"
            );
            assert!(
                matches!(issue.kind, IssueKind::Object | IssueKind::Variant),
                "{issue}"
            );
            return;
        };
        place = next;
    }
    assert!(
        issue.path.iter().any(is_cut) || document.pointer(&issue.pointer()) == Some(place),
        "the pointer of {issue} leads elsewhere"
    );
}

fn is_cut(step: &Segment) -> bool {
    matches!(step, Segment::Key(key) if key.len() >= Segment::MAX_BYTES)
}

/// It may pass what is too long: it counts characters, the contract UTF-16 code units.
fn json_schema_agrees(subject: &Subject, document: &Value, verdict: &Result<Value, Issues>) {
    let theirs = subject.validator.is_valid(document);
    let agree = match verdict {
        Ok(_) => theirs,
        Err(issues) => {
            let lengths_only = issues
                .issues
                .iter()
                .all(|issue| issue.kind == IssueKind::MaxLength);
            !theirs || lengths_only && has_surrogates(document)
        }
    };
    assert!(
        agree,
        "{}: valid by its JSON Schema: {theirs}; here: {verdict:?}; {document}",
        subject.named.name
    );
}

fn has_surrogates(document: &Value) -> bool {
    match document {
        Value::String(text) => text.chars().any(|c| c > '\u{ffff}'),
        Value::Array(items) => items.iter().any(has_surrogates),
        Value::Object(fields) => fields.values().any(has_surrogates),
        _ => false,
    }
}

/// No schema of the contract has it.
const UNKNOWN: &str = "\u{0}unknown";

/// The document with one more key, first, in every object whose keys the contract names.
fn with_unknown_keys(root: &Value, schema: &Value, document: &Value) -> Value {
    let schema = target(root, schema);
    match document {
        Value::Object(fields) => {
            let branch = branch(schema, fields);
            let properties = branch.and_then(|branch| branch.get("properties"));
            let mut more = Map::new();
            if properties.is_some() || schema.get("oneOf").is_some() {
                more.insert(UNKNOWN.to_owned(), Value::from(UNKNOWN));
            }
            for (key, value) in fields {
                let inner = properties
                    .and_then(|properties| properties.get(key))
                    .or_else(|| schema.get("additionalProperties"));
                let value = match inner {
                    Some(inner) => with_unknown_keys(root, inner, value),
                    None => value.clone(),
                };
                more.insert(key.clone(), value);
            }
            Value::Object(more)
        }
        Value::Array(items) => match schema.get("items") {
            Some(item) => items
                .iter()
                .map(|value| with_unknown_keys(root, item, value))
                .collect(),
            None => document.clone(),
        },
        _ => document.clone(),
    }
}

/// What a reference refers to, and of a value that may be null the schema of the value.
pub(crate) fn target<'s>(root: &'s Value, schema: &'s Value) -> &'s Value {
    if let Some(name) = schema["$ref"]
        .as_str()
        .and_then(|to| to.strip_prefix("#/$defs/"))
    {
        return target(root, &root["$defs"][name]);
    }
    match schema.get("anyOf") {
        Some(either) => target(root, &either[0]),
        None => schema,
    }
}

/// The object itself, or the branch of a union that this document takes.
fn branch<'s>(schema: &'s Value, document: &Map<String, Value>) -> Option<&'s Value> {
    let Some(branches) = schema["oneOf"].as_array() else {
        return Some(schema);
    };
    let key = schema["discriminator"]["propertyName"].as_str()?;
    let found = document.get(key)?;
    let tag = |branch: &Value| branch["properties"][key].get("const").cloned();
    branches
        .iter()
        .find(|branch| tag(branch).as_ref() == Some(found))
        .or_else(|| branches.iter().find(|branch| tag(branch).is_none()))
}

fn every_text(document: &Value, look: &impl Fn(&str)) {
    match document {
        Value::String(text) => look(text),
        Value::Array(items) => items.iter().for_each(|item| every_text(item, look)),
        Value::Object(fields) => {
            for (key, value) in fields {
                look(key);
                every_text(value, look);
            }
        }
        _ => {}
    }
}

/// Placeholders follow one another, and what is between them stays.
fn template_is_taken_apart(text: &str) {
    let mut end = 0;
    let mut between = String::new();
    for found in template::placeholders(text) {
        assert!(end <= found.range.start && found.range.end <= text.len());
        let source = &text[found.range.clone()];
        assert!(source.starts_with("{{") && source.ends_with("}}") && source.contains(found.name));
        between.push_str(&text[end..found.range.start]);
        end = found.range.end;
    }
    between.push_str(&text[end..]);
    assert_eq!(template::render(text, |_| None), between);
}
