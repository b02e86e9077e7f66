//! What holds for any document and any schema.

use arbtest::ArbTest;
use arbtest::arbitrary::{Result, Unstructured};
use serde_json::{Map, Value, json};

use super::{inline, positions};
use crate::problem::Code;
use berth_contracts::Segment;

/// Looks for two seconds; `ARBTEST_BUDGET_MS` says for how long else.
fn arbtest<P: FnMut(&mut Unstructured<'_>) -> Result<()>>(property: P) -> ArbTest<P> {
    let search = arbtest::arbtest(property).size_min(64).size_max(2048);
    match std::env::var_os("ARBTEST_BUDGET_MS") {
        Some(_) => search,
        None => search.budget_ms(2000),
    }
}

const KEYS: [&str; 6] = ["a", "b", "a/b", "~", "ä\"\\", "type"];

/// A text that no schema holds.
const PLANTED: &str = "planted-s3cret";

fn document(u: &mut Unstructured<'_>, levels: usize) -> Result<Value> {
    Ok(match u.int_in_range(0..=if levels == 0 { 4 } else { 6 })? {
        0 => Value::Null,
        1 => u.arbitrary::<bool>()?.into(),
        2 => u.arbitrary::<i16>()?.into(),
        3 => PLANTED.into(),
        4 => (*u.choose(&["", "ö😀", "a\n\"b", "x"])?).into(),
        5 => (0..u.int_in_range(0..=3)?)
            .map(|_| document(u, levels - 1))
            .collect::<Result<Vec<_>>>()?
            .into(),
        _ => members(u, levels, document)?.into(),
    })
}

fn members(
    u: &mut Unstructured<'_>,
    levels: usize,
    value: fn(&mut Unstructured<'_>, usize) -> Result<Value>,
) -> Result<Map<String, Value>> {
    (0..u.int_in_range(0..=3)?)
        .map(|_| Ok(((*u.choose(&KEYS)?).to_owned(), value(u, levels - 1)?)))
        .collect()
}

fn schema(u: &mut Unstructured<'_>, levels: usize) -> Result<Value> {
    let mut keywords = Map::new();
    for _ in 0..u.int_in_range(0..=3)? {
        let (keyword, value) = keyword(u, levels)?;
        keywords.insert(keyword.to_owned(), value);
    }
    Ok(keywords.into())
}

fn keyword(u: &mut Unstructured<'_>, levels: usize) -> Result<(&'static str, Value)> {
    let below = levels.saturating_sub(1);
    Ok(
        match u.int_in_range(0..=if levels == 0 { 11 } else { 21 })? {
            0 => (
                "type",
                (*u.choose(&["string", "object", "array", "integer", "nonsense"])?).into(),
            ),
            1 => ("minLength", u.int_in_range(0..=3)?.into()),
            2 => ("maximum", u.int_in_range(-3..=3)?.into()),
            3 => (
                "pattern",
                (*u.choose(&["^a", "(?=a)", "((a+)+)+$", "((", "\\p{L}"])?).into(),
            ),
            4 => ("required", json!([u.choose(&KEYS)?])),
            5 => ("enum", json!(["x", 1, null])),
            6 => ("const", json!({"a": 1})),
            7 => (
                "$ref",
                (*u.choose(&["#", "#/$defs/d", "#/properties/a", "x.json"])?).into(),
            ),
            8 => ("uniqueItems", true.into()),
            9 => ("maxProperties", u.int_in_range(0..=2)?.into()),
            10 => ("format", (*u.choose(&["email", "unknown"])?).into()),
            11 => ("multipleOf", json!(0.1)),
            12 => ("properties", members(u, levels, schema)?.into()),
            13 => ("patternProperties", json!({"^a": schema(u, below)?})),
            14 => ("additionalProperties", additional(u, below)?),
            15 => ("items", schema(u, below)?),
            16 => ("allOf", json!([schema(u, below)?, schema(u, below)?])),
            17 => ("anyOf", json!([schema(u, below)?, schema(u, below)?])),
            18 => ("oneOf", json!([schema(u, below)?, schema(u, below)?])),
            19 => ("not", schema(u, below)?),
            20 => ("unevaluatedProperties", additional(u, below)?),
            _ => ("$defs", json!({"d": schema(u, below)?})),
        },
    )
}

fn additional(u: &mut Unstructured<'_>, levels: usize) -> Result<Value> {
    if u.arbitrary()? {
        return Ok(false.into());
    }
    schema(u, levels)
}

#[test]
fn any_schema_and_document_come_to_a_verdict_that_quotes_nothing() {
    arbtest(|u| {
        let (schema, document) = (schema(u, 4)?, document(u, 4)?);
        match inline::check(&schema, &document) {
            Ok((issues, _)) => {
                for issue in &issues {
                    assert!(
                        !issue.message.contains("s3cret"),
                        "{schema} {document} {issue:?}"
                    );
                    assert!(!issue.message.is_empty());
                }
            }
            Err(problem) => {
                assert_eq!(
                    problem.code,
                    Code::InvalidInput,
                    "{schema} {document} {problem:?}"
                );
            }
        }
        Ok(())
    })
    .run();
}

#[test]
fn every_value_is_found_where_it_begins() {
    arbtest(|u| {
        let document = document(u, 5)?;
        let text = if u.arbitrary()? {
            document.to_string()
        } else {
            format!("{document:#}").replace('\n', "\r\n")
        };
        let mut places = Vec::new();
        walk(&document, &mut Vec::new(), &mut places);
        let found = positions::find(&text, places.iter().map(|(path, _)| path.as_slice()));
        let lines: Vec<&str> = text.split('\n').collect();
        for ((path, value), position) in places.iter().zip(found) {
            let position = position.unwrap();
            let line = lines[position.line - 1];
            let rest: String = line.chars().skip(position.column - 1).collect();
            let begins = match value {
                Value::Array(_) => "[".to_owned(),
                Value::Object(_) => "{".to_owned(),
                scalar => scalar.to_string(),
            };
            assert!(rest.starts_with(&begins), "{path:?} {position:?} in {text}");
        }
        Ok(())
    })
    .run();
}

fn walk<'v>(
    value: &'v Value,
    path: &mut Vec<Segment>,
    places: &mut Vec<(Vec<Segment>, &'v Value)>,
) {
    places.push((path.clone(), value));
    let below: Vec<(Segment, &Value)> = match value {
        Value::Array(items) => items
            .iter()
            .enumerate()
            .map(|(index, item)| (Segment::Index(index), item))
            .collect(),
        Value::Object(map) => map
            .iter()
            .map(|(key, value)| (Segment::Key(key.clone()), value))
            .collect(),
        _ => Vec::new(),
    };
    for (segment, value) in below {
        path.push(segment);
        walk(value, path, places);
        path.pop();
    }
}
