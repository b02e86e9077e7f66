//! `berth validate`: one document, or one a line.

use std::io;

use berth_core::documents::{self, Rules};
use berth_core::problem::Place;
use berth_core::view::{DocumentCheck, Issue, IssueRequirement, Verdict};
use berth_core::{Code, Problem};
use serde::Serialize;
use serde_json::value::RawValue;

use super::validate_lines;
use crate::args::Validate;
use crate::document_input::{self, Document, STDIN, open};
use crate::failure::Failure;
use crate::output::Output;

/// Faults that a person is told of.
const MOST_SHOWN: usize = 50;

#[derive(Serialize)]
struct Checked<'a> {
    schema: &'a str,
    valid: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issues: Option<Vec<Fault<'a>>>,
    #[serde(skip_serializing_if = "is_zero")]
    omitted: usize,
}

/// A fault as programs read it.
#[derive(Serialize)]
struct Fault<'a> {
    path: String,
    pointer: &'a str,
    kind: &'a str,
    requirement: Option<&'a IssueRequirement>,
    message: &'a str,
    line: Option<usize>,
    column: Option<usize>,
}

pub(super) fn run(args: &Validate, output: &Output) -> Result<(), Failure> {
    // Without a schema clap lets nothing but lines through.
    let Some(name) = args.schema.as_deref().filter(|_| !args.jsonl) else {
        return match args.source() {
            Some(file) => validate_lines::run(open(file)?, file, output),
            None => validate_lines::run(io::stdin().lock(), STDIN, output),
        };
    };
    let named = documents::find_schema(name)?;
    let Document { text, shown } = document_input::read(args.source(), output)?;
    let rules = if args.settings {
        Rules::Settings
    } else {
        Rules::Contract
    };
    let check = documents::check(named, &text, rules);
    let title = documents::schema_title(named);
    if output.is_json() {
        output.object(&for_programs(named.name, &check))?;
    } else if check.verdict == Verdict::Valid {
        match check.output.as_deref().filter(|_| args.canonical) {
            Some(document) => output.line(document)?,
            None => output.line(&format!("{shown}: valid ({title})"))?,
        }
    } else {
        output.problem(&invalid(&shown, &title, &check));
    }
    match check.verdict {
        Verdict::Valid => Ok(()),
        Verdict::Invalid | Verdict::Unreadable => Err(Failure::Said(2)),
    }
}

fn for_programs<'a>(schema: &'a str, check: &'a DocumentCheck) -> Checked<'a> {
    let output = check
        .output
        .as_deref()
        // What the check wrote is JSON.
        .and_then(|text| serde_json::from_str::<serde_json::Value>(text).ok())
        .and_then(|value| serde_json::value::to_raw_value(&value).ok());
    let valid = check.verdict == Verdict::Valid;
    Checked {
        schema,
        valid,
        output,
        issues: (!valid).then(|| check.issues.iter().map(fault).collect()),
        omitted: check.omitted,
    }
}

fn fault(issue: &Issue) -> Fault<'_> {
    Fault {
        path: issue.path_text(),
        pointer: &issue.pointer,
        kind: &issue.kind,
        requirement: issue.requirement.as_ref(),
        message: &issue.message,
        line: issue.line,
        column: issue.column,
    }
}

/// Every fault of a document, with its place.
pub(super) fn invalid(file: &str, title: &str, check: &DocumentCheck) -> Problem {
    let mut problem = if check.verdict == Verdict::Unreadable {
        Problem::new(
            Code::InvalidDocument,
            format!("{file} is not a JSON document"),
        )
    } else {
        Problem::new(
            Code::InvalidDocument,
            format!("{file} is not valid ({title})"),
        )
    };
    problem.places = check
        .issues
        .iter()
        .take(MOST_SHOWN)
        .map(|issue| Place {
            file: Some(file.to_owned()),
            line: issue.line,
            column: issue.column,
            key: issue.path_text(),
            message: issue.message.clone(),
            hint: missing(issue),
        })
        .collect();
    let more = check.issues.len().saturating_sub(MOST_SHOWN) + check.omitted;
    if more > 0 {
        problem.detail = Some(format!("And {more} more."));
    }
    problem
}

/// Pointers to the fields of a valid document that are not kept of it.
pub(super) fn left_out(document: &Document, kept: &str) -> Result<Vec<String>, Problem> {
    let read = |text: &[u8]| {
        serde_json::from_slice(text).map_err(|error| {
            Problem::internal("a document that is valid cannot be read").caused_by(&error)
        })
    };
    let text = document.text.strip_prefix(b"\xef\xbb\xbf");
    let given = read(text.unwrap_or(&document.text))?;
    Ok(documents::left_out(&given, &read(kept.as_bytes())?))
}

/// What to add where a key is missing: the place is that of the object.
fn missing(issue: &Issue) -> Option<String> {
    let (Some(IssueRequirement::Text(key)), Some(last)) = (&issue.requirement, issue.path.last())
    else {
        return None;
    };
    (issue.kind == "object" && *key == last.to_string())
        .then(|| format!("Add \"{key}\" to the object that begins here."))
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}
