//! The plain words of an issue. They quote a text of the document only where a fixed word is meant,
//! so that nothing secret gets into them.

use serde_json::Value;

use crate::issue::{IssueKind, Requirement};
use crate::schema::Entry;

pub(crate) const MISSING: &str = "Required, but missing.";

/// More of a text than this is not quoted.
const MAX_QUOTED: usize = 40;

/// A length as a requirement.
pub(crate) fn number(length: usize) -> Option<Requirement> {
    // No length of the contract is near 2^53.
    #[allow(clippy::cast_precision_loss)]
    Some(Requirement::Number(length as f64))
}

pub(crate) fn mistyped(kind: IssueKind, value: &Value) -> String {
    let meant = match kind {
        IssueKind::String => "a text",
        IssueKind::Number => "a number",
        IssueKind::Boolean => "true or false",
        IssueKind::Array => "a list",
        IssueKind::Record => "an object of keys and values",
        _ => "an object",
    };
    let hint = match (kind, value) {
        (IssueKind::Number, Value::String(text)) if text.trim().parse::<f64>().is_ok() => {
            " Remove the quotes."
        }
        _ => "",
    };
    format!("Must be {meant}, not {}.{hint}", what_is(value))
}

fn what_is(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

pub(crate) fn too_short(least: usize, length: usize) -> String {
    if least == 1 {
        return "Must not be empty.".to_owned();
    }
    format!("Must have at least {least} characters; it has {length}.")
}

pub(crate) fn too_long(most: usize, length: usize) -> String {
    format!("Must have at most {most} characters; it has {length}.")
}

pub(crate) fn wrong_form(meaning: &str, text: &str) -> String {
    let hint = if text.is_empty() {
        " It is empty."
    } else if text.trim() != text {
        " There is white space at one of its ends."
    } else {
        ""
    };
    format!("Must be {meaning}.{hint}")
}

pub(crate) fn taken(name: &str) -> String {
    format!("“{name}” is the name of a built-in kind. Choose another name.")
}

pub(crate) fn not_whole(given: f64) -> String {
    format!("Must be a whole number; it is {}.", figure(given))
}

pub(crate) fn too_small(least: f64, given: f64, entry: Entry) -> String {
    format!(
        "Must be at least {}; it is {}.",
        amount(least, entry),
        figure(given)
    )
}

pub(crate) fn too_large(most: f64, given: f64, entry: Entry) -> String {
    format!(
        "Must be at most {}; it is {}.",
        amount(most, entry),
        figure(given)
    )
}

/// A bound, with what it is in the unit that people think in.
fn amount(bound: f64, entry: Entry) -> String {
    if entry != Entry::Milliseconds {
        return figure(bound);
    }
    let (count, unit) = match bound {
        b if b >= 60_000.0 => (b / 60_000.0, "minute"),
        b if b >= 1000.0 => (b / 1000.0, "second"),
        _ => return format!("{} ms", figure(bound)),
    };
    let plural = if count == 1.0 { "" } else { "s" };
    format!("{} ms ({} {unit}{plural})", figure(bound), figure(count))
}

/// A number as JSON writes it, whole where it is whole.
fn figure(number: f64) -> String {
    serde_json::Number::from_f64(number).map_or_else(String::new, |number| {
        crate::ecmascript::number(&number).to_string()
    })
}

pub(crate) fn not_one_of(words: &[&str], value: Option<&Value>) -> String {
    format!("Must be {}{}", one_of(words), but_is(value))
}

pub(crate) fn missing_choice(words: &[&str]) -> String {
    format!(
        "Required, but missing: an object of one of the kinds {}.",
        words.join(", ")
    )
}

/// `other`: any other name of the right form is meant as well.
pub(crate) fn no_branch(words: &[&str], other: bool, value: Option<&Value>) -> String {
    let other = if other {
        ", or the name of a custom kind (lower-case letters, digits and “-”, at most 64)"
    } else {
        ""
    };
    match value {
        None => format!("Required, but missing: {}{other}.", one_of(words)),
        Some(_) => format!("Must be {}{other}{}", one_of(words), but_is(value)),
    }
}

fn one_of(words: &[&str]) -> String {
    match words {
        [word] => (*word).to_owned(),
        _ => format!("one of {}", words.join(", ")),
    }
}

/// Ends the sentence with what was found instead.
fn but_is(value: Option<&Value>) -> String {
    match value {
        None => ".".to_owned(),
        Some(Value::String(text)) if text.is_empty() => "; it is empty.".to_owned(),
        Some(Value::String(text)) if text.chars().count() <= MAX_QUOTED => {
            format!("; it is “{text}”.")
        }
        Some(value) => format!("; it is {}.", what_is(value)),
    }
}
