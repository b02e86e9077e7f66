use std::collections::HashMap;

use super::{Names, Record, Shape};
use crate::place::{KeyPath, Place};
use crate::reading::Reading;
use crate::yaml::{Map, Node, Value};
use crate::{Rule, bytes, durations, scalars};

/// Holds a value against a shape and reports everything that does not fit.
pub(crate) fn check(node: &Node, shape: &Shape, path: &KeyPath<'_>, reading: &mut Reading<'_>) {
    let value = &node.value;
    if matches!(value, Value::Broken) || reading.is_full() {
        return;
    }
    match (shape, value) {
        (Shape::Either(shapes), _) => match shapes.iter().find(|shape| shape.takes(value)) {
            Some(shape) => check(node, shape, path, reading),
            None => wrong(node, shape, path, reading),
        },
        (_, _) if !shape.takes(value) => wrong(node, shape, path, reading),
        (Shape::List(item), Value::List(items)) => {
            for (index, node) in items.iter().enumerate() {
                check(node, item, &path.index(index), reading);
            }
        }
        (Shape::Set(item), Value::List(items)) => {
            for (index, node) in items.iter().enumerate() {
                check(node, item, &path.index(index), reading);
            }
            twice(items, path, reading);
        }
        (Shape::Record(record), Value::Map(map)) => {
            check_record(node.place, map, record, path, reading);
        }
        (Shape::Table(names, item), Value::Map(map)) => {
            check_table(map, names, item, path, reading);
        }
        _ => check_scalar(node, shape, path, reading),
    }
}

impl Shape {
    /// Whether the value is of the right type; what is inside is another matter.
    fn takes(&self, value: &Value) -> bool {
        use Value::{Bool, Float, Int, List, Map, Null, Text};
        match self {
            Shape::Any => true,
            Shape::Null => matches!(value, Null),
            Shape::Text | Shape::Word(_) | Shape::Duration => matches!(value, Text(_)),
            Shape::TextOrNumber | Shape::Number | Shape::Bytes => {
                matches!(value, Text(_) | Int(_) | Float(_))
            }
            Shape::TextOrInteger => {
                matches!(value, Text(_) | Int(_))
                    || matches!(value, Float(number) if number.fract() == 0.0)
            }
            Shape::Integer(..) => matches!(value, Text(_) | Int(_) | Float(_)),
            Shape::Scalar => matches!(value, Text(_) | Int(_) | Float(_) | Bool(_)),
            Shape::Boolean => matches!(value, Text(_) | Bool(_)),
            Shape::List(_) | Shape::Set(_) => matches!(value, List(_)),
            Shape::Record(_) | Shape::Table(..) => matches!(value, Map(_)),
            Shape::Either(shapes) => shapes.iter().any(|shape| shape.takes(value)),
        }
    }

    /// What is wanted, for messages.
    fn wanted(&self) -> String {
        match self {
            Shape::Any => "anything".to_owned(),
            Shape::Null => "empty".to_owned(),
            Shape::Text => "a text".to_owned(),
            Shape::Word(words) => format!("one of {}", words.join(", ")),
            Shape::TextOrNumber => "a text or a number".to_owned(),
            Shape::TextOrInteger => "a text or a whole number".to_owned(),
            Shape::Scalar => "a text, a number or a boolean".to_owned(),
            Shape::Boolean => "true or false".to_owned(),
            Shape::Integer(i64::MIN, i64::MAX) => "a whole number".to_owned(),
            Shape::Integer(least, i64::MAX) => format!("a whole number of at least {least}"),
            Shape::Integer(least, most) => format!("a whole number from {least} to {most}"),
            Shape::Number => "a number".to_owned(),
            Shape::Duration => "a duration such as 30s or 1m30s".to_owned(),
            Shape::Bytes => "a size such as 512m".to_owned(),
            Shape::List(_) | Shape::Set(_) => "a list".to_owned(),
            Shape::Record(_) | Shape::Table(..) => "a mapping".to_owned(),
            Shape::Either(shapes) => {
                let wanted: Vec<_> = shapes
                    .iter()
                    .filter(|shape| !matches!(shape, Shape::Null))
                    .map(Shape::wanted)
                    .collect();
                wanted.join(" or ")
            }
        }
    }
}

fn wrong(node: &Node, shape: &Shape, path: &KeyPath<'_>, reading: &mut Reading<'_>) {
    let hint = match (&node.value, shape) {
        (Value::Date(_), _) => Some("Put the date in quotes."),
        (Value::Int(_) | Value::Float(_) | Value::Bool(_), Shape::Text) => {
            Some("Put the value in quotes.")
        }
        (Value::Int(_), Shape::Duration) => Some("Add a unit, as in \"10s\"."),
        _ => None,
    };
    reading.problem(
        Rule::Invalid,
        node.place,
        path,
        format!("must be {}, not {}", shape.wanted(), node.describe()),
        hint,
    );
}

fn check_scalar(node: &Node, shape: &Shape, path: &KeyPath<'_>, reading: &mut Reading<'_>) {
    let good = match shape {
        Shape::Word(words) => node.as_text().is_some_and(|text| words.contains(&text)),
        Shape::Boolean => scalars::boolean(node).is_some(),
        Shape::Integer(least, most) => {
            scalars::integer(node).is_some_and(|value| (*least..=*most).contains(&value))
        }
        Shape::Number => scalars::number(node).is_some(),
        Shape::Duration => node
            .as_text()
            .is_some_and(|text| durations::parse(text).is_some()),
        Shape::Bytes => match node.as_text() {
            Some(text) => bytes::parse(text).is_some(),
            None => true,
        },
        _ => true,
    };
    if !good {
        wrong(node, shape, path, reading);
    }
}

/// Mappings in a list are compared with each other up to this many.
const COMPARED_MAPPINGS: usize = 500;

fn twice(items: &[Node], path: &KeyPath<'_>, reading: &mut Reading<'_>) {
    let mut seen: HashMap<&str, usize> = HashMap::new();
    let mut others: Vec<(usize, &Node)> = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let first = match item.as_text() {
            Some(text) => seen.insert(text, index),
            None => {
                let first = others.iter().find(|(_, other)| other.same(item));
                let first = first.map(|(first, _)| *first);
                if others.len() < COMPARED_MAPPINGS {
                    others.push((index, item));
                }
                first
            }
        };
        if let Some(first) = first {
            reading.problem(
                Rule::Invalid,
                item.place,
                &path.index(index),
                format!("is the same as item {} of this list", first + 1),
                Some("Remove one of the two."),
            );
        }
    }
}

fn check_record(
    place: Place,
    map: &Map,
    record: &Record,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) {
    for (key, entry) in map {
        let here = path.key(key);
        match record.keys.iter().find(|(known, _)| known == key) {
            Some((_, shape)) => check(&entry.node, shape, &here, reading),
            None if key.starts_with("x-") => {}
            None => unknown(key, entry.place, &entry.node, record, &here, reading),
        }
    }
    for required in record.required {
        if !map.contains_key(*required) {
            reading.problem(
                Rule::Invalid,
                place,
                path,
                format!("the key \"{required}\" is missing"),
                None,
            );
        }
    }
}

fn unknown(
    key: &str,
    place: Place,
    node: &Node,
    record: &Record,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) {
    if reading.is_full() {
        return;
    }
    let closest = record
        .keys
        .iter()
        .map(|(known, _)| (strsim::damerau_levenshtein(known, key), *known))
        .min()
        .filter(|(distance, known)| *distance <= 1 + known.len() / 5);
    let is_service_at_top = matches!(path, KeyPath::Key(KeyPath::Root, _))
        && (node.get("image").is_some() || node.get("build").is_some());
    let hint = match closest {
        Some((_, known)) => format!("Did you mean {known}?"),
        None if is_service_at_top => {
            format!("Services stand under \"services:\"; move {key} there.")
        }
        None => "Remove it, or start its name with x- if it is your own.".to_owned(),
    };
    reading.problem(
        Rule::UnknownKey,
        place,
        path,
        format!("the Compose Specification has no key \"{key}\" here"),
        Some(&hint),
    );
}

fn check_table(
    map: &Map,
    names: &Names,
    item: &Shape,
    path: &KeyPath<'_>,
    reading: &mut Reading<'_>,
) {
    for (key, entry) in map {
        let here = path.key(key);
        let good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        if matches!(names, Names::Resource) && (key.is_empty() || !key.chars().all(good)) {
            reading.problem(
                Rule::Invalid,
                entry.place,
                &here,
                format!("\"{key}\" is not a legal name"),
                Some("Names have letters, digits, \".\", \"_\" and \"-\" only."),
            );
        }
        check(&entry.node, item, &here, reading);
    }
}
