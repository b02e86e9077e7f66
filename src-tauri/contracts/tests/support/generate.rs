//! Documents that a JSON Schema describes, and documents that it nearly describes.

use arbtest::arbitrary::{Result, Unstructured};
use serde_json::{Map, Number, Value};

use crate::support::properties::target;

/// Texts at the edges of what the contract allows.
const TEXTS: &[&str] = &[
    "",
    " ",
    "a",
    " a ",
    "\u{feff}a\u{a0}",
    "\u{85}a",
    "-a-",
    "A_b.c-1",
    "acme/web",
    " acme/web\n",
    "a/b/c",
    "manifest",
    " kubernetes ",
    "kargo",
    "8080",
    "0",
    "65536",
    "{{input.branch}} {{ namespace }}",
    "{{{{a}}",
    "👍",
    "\u{0}",
    "\u{202e}a",
    "e\u{301}",
    "…",
];

const NUMBERS: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    59_999.0,
    60_000.0,
    65_535.0,
    65_536.0,
    8080.5,
    9_007_199_254_740_993.0,
    1e308,
    5e-324,
    f64::MAX,
];

const KEYS: &[&str] = &[
    "",
    "a",
    "__proto__",
    "constructor",
    "prototype",
    "\u{0}",
    "👍",
    "a/b~c.d",
    "0",
];

/// A document of a schema. `slips` of 100 places hold something else.
pub(crate) fn document(
    u: &mut Unstructured<'_>,
    root: &Value,
    schema: &Value,
    slips: u8,
) -> Result<Value> {
    if slip(u, slips)? {
        return anything(u, 3);
    }
    let nullable = schema.get("anyOf").is_some();
    if nullable && u.ratio(1, 4)? {
        return Ok(Value::Null);
    }
    let schema = target(root, schema);
    if let Some(constant) = schema.get("const") {
        return Ok(constant.clone());
    }
    if let Some(words) = schema["enum"].as_array() {
        return Ok(u.choose(words)?.clone());
    }
    if let Some(branches) = schema["oneOf"].as_array() {
        let branch = u.choose(branches)?;
        return document(u, root, branch, slips);
    }
    match schema["type"].as_str() {
        Some("string") => text(u, schema),
        Some("number" | "integer") => number(u, schema),
        Some("boolean") => u.arbitrary().map(Value::Bool),
        Some("array") => (0..u.int_in_range(0..=3)?)
            .map(|_| document(u, root, &schema["items"], slips))
            .collect(),
        Some("object") => object(u, root, schema, slips),
        _ => anything(u, 3),
    }
}

/// Never, once the randomness is used up.
fn slip(u: &mut Unstructured<'_>, slips: u8) -> Result<bool> {
    Ok(u.int_in_range(0..=99)? >= 100 - slips)
}

fn object(u: &mut Unstructured<'_>, root: &Value, schema: &Value, slips: u8) -> Result<Value> {
    let mut made = Map::new();
    if let Some(properties) = schema["properties"].as_object() {
        let required = schema["required"].as_array();
        for (key, property) in properties {
            let needed = required.is_some_and(|keys| keys.iter().any(|it| it == key));
            let there = if needed {
                !slip(u, slips)?
            } else {
                u.ratio(1, 2)?
            };
            if there {
                made.insert(key.clone(), document(u, root, property, slips)?);
            }
        }
    } else {
        for _ in 0..u.int_in_range(0..=3)? {
            let value = document(u, root, &schema["additionalProperties"], slips)?;
            made.insert((*u.choose(KEYS)?).to_owned(), value);
        }
    }
    Ok(made.into())
}

/// Its example, mostly; else a text of no care, or one about as long as it may be.
fn text(u: &mut Unstructured<'_>, schema: &Value) -> Result<Value> {
    let example = schema["examples"][0].as_str().unwrap_or("a");
    Ok(match u.int_in_range(0..=9)? {
        0 => (*u.choose(TEXTS)?).into(),
        1 => u.arbitrary::<String>()?.into(),
        2 => format!("{} {example}\n", u.choose(TEXTS)?).into(),
        3 => {
            let unit = *u.choose(&["a", "é", "👍", " ", "a "])?;
            let most = *u.choose(&[64, 120, 200, 500, 2000])?;
            let count = most / unit.chars().map(char::len_utf16).sum::<usize>();
            unit.repeat(count + u.int_in_range(0..=1)?).into()
        }
        _ => example.into(),
    })
}

fn number(u: &mut Unstructured<'_>, schema: &Value) -> Result<Value> {
    let number = match u.int_in_range(0..=3)? {
        0 => *u.choose(NUMBERS)?,
        1 => u.arbitrary()?,
        2 => return Ok(u.arbitrary::<i64>()?.into()),
        _ => schema["examples"][0].as_f64().unwrap_or(1.0),
    };
    Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
}

/// Any JSON at all, of at most this depth.
pub(crate) fn anything(u: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    Ok(match u.int_in_range(0..=if depth == 0 { 4 } else { 6 })? {
        0 => Value::Null,
        1 => u.arbitrary::<bool>()?.into(),
        2 => number(u, &Value::Null)?,
        3 => text(u, &Value::Null)?,
        4 => (*u.choose(TEXTS)?).into(),
        5 => (0..u.int_in_range(0..=3)?)
            .map(|_| anything(u, depth - 1))
            .collect::<Result<_>>()?,
        _ => (0..u.int_in_range(0..=3)?)
            .map(|_| Ok(((*u.choose(KEYS)?).to_owned(), anything(u, depth - 1)?)))
            .collect::<Result<_>>()?,
    })
}

/// Changes one place: another value, a key less, an element more.
pub(crate) fn change(
    u: &mut Unstructured<'_>,
    document: &mut Value,
    pool: &[&Value],
) -> Result<()> {
    match document {
        Value::Object(fields) if !fields.is_empty() && u.ratio(5, 6)? => {
            let at = u.choose_index(fields.len())?;
            let key = fields.keys().nth(at).unwrap().clone();
            if u.ratio(1, 8)? {
                fields.shift_remove(&key);
                return Ok(());
            }
            change(u, &mut fields[&key], pool)
        }
        Value::Array(items) if !items.is_empty() && u.ratio(5, 6)? => {
            let at = u.choose_index(items.len())?;
            if u.ratio(1, 8)? {
                let again = items[at].clone();
                items.push(again);
                return Ok(());
            }
            change(u, &mut items[at], pool)
        }
        _ => {
            *document = if u.ratio(1, 2)? {
                (*u.choose(pool)?).clone()
            } else {
                anything(u, 2)?
            };
            Ok(())
        }
    }
}
