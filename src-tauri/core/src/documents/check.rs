//! A text, checked against a schema of the contract or of a plugin.

use std::collections::HashMap;

use berth_contracts::{
    IssueKind, NamedSchema, Requirement, Segment, Unreadable, check_settings, path_text, template,
    validate,
};
use serde_json::{Number, Value};

use super::{MOST_WINDOW_BYTES, find_schema, inline, positions};
use crate::problem::{Place, Problem};
use crate::view::{DocumentCheck, Issue, IssueRequirement, SchemaChoice, Verdict};

/// What counts as a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rules {
    /// What the contract says.
    Contract,
    /// That, and what Berth's engines ask of the settings that ride in a
    /// document's open parts.
    Settings,
}

/// Checks a text off the async runtime, with all rules; one of more than [`MOST_WINDOW_BYTES`] is
/// not read.
///
/// # Errors
/// [`crate::Code::NotFound`] for an unknown schema, [`crate::Code::InvalidInput`]
/// for a plugin's schema that cannot be used.
pub async fn check_document(schema: SchemaChoice, text: String) -> Result<DocumentCheck, Problem> {
    if text.len() > MOST_WINDOW_BYTES {
        let reason = format!(
            "The document has {} bytes; at most {MOST_WINDOW_BYTES} are edited here. \
             “berth validate” checks larger ones.",
            text.len()
        );
        let why = Unreadable {
            line: 0,
            column: 0,
            reason,
        };
        return Ok(unreadable(text.as_bytes(), &why));
    }
    tokio::task::spawn_blocking(move || match &schema {
        SchemaChoice::Contract(name) => {
            Ok(check(find_schema(name)?, text.as_bytes(), Rules::Settings))
        }
        SchemaChoice::Inline(schema) => check_inline(schema, &text),
    })
    .await
    .unwrap_or_else(|_| Err(Problem::internal("checking a document broke off")))
}

/// A template with its placeholders filled in; one without a value becomes
/// nothing.
#[must_use]
pub fn preview_template(template: &str, values: &HashMap<String, String>) -> String {
    template::render(template, |name| values.get(name).cloned())
}

/// Checks a text against a schema of the contract.
#[must_use]
pub fn check(named: &NamedSchema, text: &[u8], rules: Rules) -> DocumentCheck {
    let input = match berth_contracts::read(text) {
        Ok(input) => input,
        Err(why) => return unreadable(text, &why),
    };
    let (meant, issues, omitted) = match validate(named.schema, &input) {
        Ok(meant) => {
            let issues = match rules {
                Rules::Contract => Vec::new(),
                Rules::Settings => check_settings(named.schema, &meant),
            };
            (Some(meant), issues, 0)
        }
        Err(issues) => (None, issues.issues, issues.omitted),
    };
    // Read as JSON, so it is text.
    let text = std::str::from_utf8(text).unwrap_or_default();
    let issues = issues.into_iter().map(shown).collect();
    concluded(text, meant.as_ref(), issues, omitted)
}

fn check_inline(schema: &Value, text: &str) -> Result<DocumentCheck, Problem> {
    if text.len() > inline::MOST_BYTES {
        let why = Unreadable {
            line: 0,
            column: 0,
            reason: format!(
                "The document has {} bytes; at most {} are read for a plugin's schema.",
                text.len(),
                inline::MOST_BYTES
            ),
        };
        return Ok(unreadable(text.as_bytes(), &why));
    }
    let input = match berth_contracts::read(text.as_bytes()) {
        Ok(input) => input,
        Err(why) => return Ok(unreadable(text.as_bytes(), &why)),
    };
    let (issues, omitted) = inline::check(schema, &input)?;
    let mut check = concluded(text, Some(&input), issues, omitted);
    // Found keyword by keyword; read from top to bottom.
    check.issues.sort_by_key(|issue| (issue.line, issue.column));
    Ok(check)
}

/// `meant` counts when there is no issue.
fn concluded(
    text: &str,
    meant: Option<&Value>,
    mut issues: Vec<Issue>,
    omitted: usize,
) -> DocumentCheck {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let found = positions::find(text, issues.iter().map(|issue| issue.path.as_slice()));
    for (issue, position) in issues.iter_mut().zip(found) {
        issue.line = position.map(|position| position.line);
        issue.column = position.map(|position| position.column);
    }
    let output = meant.filter(|_| issues.is_empty()).map(canonical);
    DocumentCheck {
        verdict: if issues.is_empty() {
            Verdict::Valid
        } else {
            Verdict::Invalid
        },
        output,
        issues,
        omitted,
    }
}

/// A value as documents are kept: two spaces a level, no line break at the end.
pub(super) fn canonical(value: &Value) -> String {
    format!("{value:#}")
}

fn unreadable(text: &[u8], why: &Unreadable) -> DocumentCheck {
    let known = |number: usize| Some(number).filter(|number| *number > 0);
    DocumentCheck {
        verdict: Verdict::Unreadable,
        output: None,
        issues: vec![Issue {
            path: Vec::new(),
            pointer: String::new(),
            kind: "json".to_owned(),
            message: why.reason.clone(),
            requirement: None,
            line: known(why.line),
            column: known(why.column).map(|column| characters(text, why.line, column)),
        }],
        omitted: 0,
    }
}

/// The column in characters of one in bytes.
fn characters(text: &[u8], line: usize, column: usize) -> usize {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let line = text
        .split(|byte| *byte == b'\n')
        .nth(line.saturating_sub(1))
        .unwrap_or_default();
    let before = &line[..line.len().min(column - 1)];
    String::from_utf8_lossy(before).chars().count() + 1
}

fn shown(issue: berth_contracts::Issue) -> Issue {
    Issue {
        pointer: issue.pointer(),
        path: issue.path,
        kind: word(issue.kind),
        message: issue.message,
        requirement: issue.requirement.and_then(|requirement| match requirement {
            Requirement::Number(number) => plain(number).map(IssueRequirement::Number),
            Requirement::Text(text) => Some(IssueRequirement::Text(text.to_owned())),
            Requirement::Words(words) => {
                let words = words.into_iter().map(str::to_owned);
                Some(IssueRequirement::Words(words.collect()))
            }
        }),
        line: None,
        column: None,
    }
}

/// The name that the contract gives a kind of rule.
fn word(kind: IssueKind) -> String {
    match serde_json::to_value(kind) {
        Ok(Value::String(word)) => word,
        // A variant without fields is a word.
        _ => String::new(),
    }
}

/// Whole where it is whole: bounds are written without a point.
fn plain(number: f64) -> Option<Number> {
    let whole = format!("{number:.0}");
    match whole.parse::<i64>() {
        Ok(integer) if number.fract() == 0.0 => Some(integer.into()),
        _ => Number::from_f64(number),
    }
}

/// Faults that no schema knows of, as a problem names them: by the path of a value
/// of `text`, in words.
pub(crate) fn placed(text: &str, faults: Vec<(Vec<Segment>, String)>) -> Vec<Place> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let found = positions::find(text, faults.iter().map(|(path, _)| path.as_slice()));
    faults
        .into_iter()
        .zip(found)
        .map(|((path, message), position)| Place {
            file: None,
            line: position.map(|position| position.line),
            column: position.map(|position| position.column),
            key: path_text(&path),
            message,
            hint: None,
        })
        .collect()
}

/// Faults as a problem names them.
pub(crate) fn places(check: &DocumentCheck) -> Vec<Place> {
    check
        .issues
        .iter()
        .map(|issue| Place {
            file: None,
            line: issue.line,
            column: issue.column,
            key: issue.path_text(),
            message: issue.message.clone(),
            hint: None,
        })
        .collect()
}

#[cfg(test)]
#[path = "check_tests.rs"]
mod tests;
