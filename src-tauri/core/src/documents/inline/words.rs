//! A JSON Schema validator's findings as faults in plain words, which name the
//! rule and never quote the document.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::{Number, Value};

use berth_contracts::{Segment, pointer};

use crate::view::{Issue, IssueRequirement};

/// Longer parts of a schema are cut off in a message.
const LONGEST: usize = 200;
/// Words to choose from that are told.
const MOST_WORDS: usize = 50;

/// Adds the faults that one finding stands for.
pub(super) fn add(error: &ValidationError<'_>, document: &Value, issues: &mut Vec<Issue>) {
    let path = path_in(document, error.instance_path().as_str());
    let mut say = |path: Vec<Segment>, kind: &str, requirement, message: String| {
        issues.push(Issue {
            pointer: pointer(&path),
            path,
            kind: kind.to_owned(),
            message,
            requirement,
            line: None,
            column: None,
        });
    };
    let number = |limit: u64| Some(IssueRequirement::Number(limit.into()));
    let text = |text: &str| Some(IssueRequirement::Text(text.to_owned()));
    match error.kind() {
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            match meant(context, path.len()) {
                Some(branch) => branch.iter().for_each(|error| add(error, document, issues)),
                None => say(path, "variant", None, no_branch(context)),
            }
        }
        ValidationErrorKind::OneOfMultipleValid { .. } => say(
            path,
            "variant",
            None,
            "Fits more than one of the alternatives; it must fit exactly one.".to_owned(),
        ),
        ValidationErrorKind::Required { property } => {
            let key = property.as_str().unwrap_or_default();
            let path = with_key(path, key);
            say(
                path,
                "object",
                text(key),
                "Required, but missing.".to_owned(),
            );
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => {
            for key in unexpected {
                let message = "This key is not known here. Remove it.".to_owned();
                say(with_key(path.clone(), key), "strict_object", None, message);
            }
        }
        ValidationErrorKind::PropertyNames { error } => {
            let key = error.instance().as_str().unwrap_or_default();
            let mut inner = Vec::new();
            add(error, error.instance(), &mut inner);
            for issue in inner {
                let message = format!("The key itself: {}", issue.message);
                say(
                    with_key(path.clone(), key),
                    &issue.kind,
                    issue.requirement,
                    message,
                );
            }
        }
        ValidationErrorKind::Type { kind } => {
            let (kind, meant) = types(kind);
            let message = format!("Must be {meant}, not {}.", what_is(error.instance()));
            say(path, kind, None, message);
        }
        ValidationErrorKind::MinLength { limit: 1 } => {
            say(
                path,
                "min_length",
                number(1),
                "Must not be empty.".to_owned(),
            );
        }
        ValidationErrorKind::MinLength { limit } => {
            let message = format!("Must have at least {limit} characters{}.", length(error));
            say(path, "min_length", number(*limit), message);
        }
        ValidationErrorKind::MaxLength { limit } => {
            let message = format!("Must have at most {limit} characters{}.", length(error));
            say(path, "max_length", number(*limit), message);
        }
        ValidationErrorKind::Pattern { pattern } => {
            let pattern = shortened(pattern);
            let message = format!("Must have the form {pattern}");
            say(path, "regex", text(&pattern), message);
        }
        ValidationErrorKind::Enum { options } => {
            let options = words(options);
            let message = format!("Must be one of {}.", shortened(&options.join(", ")));
            let options = Some(IssueRequirement::Words(options));
            say(path, "picklist", options, message);
        }
        ValidationErrorKind::Constant { expected_value } => {
            let meant = shown(expected_value);
            say(path, "literal", text(&meant), format!("Must be {meant}."));
        }
        ValidationErrorKind::Minimum { limit } => {
            say(
                path,
                "min_value",
                bound(limit),
                format!("Must be at least {limit}."),
            );
        }
        ValidationErrorKind::Maximum { limit } => {
            say(
                path,
                "max_value",
                bound(limit),
                format!("Must be at most {limit}."),
            );
        }
        ValidationErrorKind::ExclusiveMinimum { limit } => {
            say(
                path,
                "min_value",
                bound(limit),
                format!("Must be more than {limit}."),
            );
        }
        ValidationErrorKind::ExclusiveMaximum { limit } => {
            say(
                path,
                "max_value",
                bound(limit),
                format!("Must be less than {limit}."),
            );
        }
        ValidationErrorKind::MultipleOf { multiple_of } => {
            let requirement = Number::from_f64(*multiple_of).map(IssueRequirement::Number);
            say(
                path,
                "multiple_of",
                requirement,
                format!("Must be a multiple of {multiple_of}."),
            );
        }
        ValidationErrorKind::MinItems { limit } => {
            let message = format!("Must have at least {}.", counted(*limit, "item"));
            say(path, "min_length", number(*limit), message);
        }
        ValidationErrorKind::MaxItems { limit } => {
            let message = format!("Must have at most {}.", counted(*limit, "item"));
            say(path, "max_length", number(*limit), message);
        }
        ValidationErrorKind::MinProperties { limit } => {
            let message = format!("Must have at least {}.", counted(*limit, "key"));
            say(path, "min_entries", number(*limit), message);
        }
        ValidationErrorKind::MaxProperties { limit } => {
            let message = format!("Must have at most {}.", counted(*limit, "key"));
            say(path, "max_entries", number(*limit), message);
        }
        ValidationErrorKind::UniqueItems => {
            say(
                path,
                "unique_items",
                None,
                "Must not hold the same item twice.".to_owned(),
            );
        }
        ValidationErrorKind::Format { format } => {
            let format = shortened(format);
            say(
                path,
                "format",
                text(&format),
                format!("Must be of the format {format}."),
            );
        }
        ValidationErrorKind::FalseSchema => {
            say(
                path,
                "never",
                None,
                "Must not be given. Remove it.".to_owned(),
            );
        }
        ValidationErrorKind::BacktrackLimitExceeded { .. }
        | ValidationErrorKind::RegexEngineFailure { .. } => say(
            path,
            "regex",
            None,
            "The schema's pattern takes too long to compare with this.".to_owned(),
        ),
        ValidationErrorKind::AdditionalItems { limit } => say(
            path,
            "max_length",
            u64::try_from(*limit).ok().and_then(number),
            format!("Must have at most {}.", counted(*limit as u64, "item")),
        ),
        kind => {
            let keyword = shortened(kind.keyword());
            let message = format!("Breaks the rule {keyword} of its schema.");
            say(path, "schema", text(&keyword), message);
        }
    }
}

/// The one branch that was meant: of those whose fixed values and types fit, if
/// exactly one does.
fn meant<'c>(
    context: &'c [Vec<ValidationError<'static>>],
    depth: usize,
) -> Option<&'c [ValidationError<'static>]> {
    let fits = |branch: &&Vec<ValidationError<'static>>| {
        !branch.iter().any(|error| {
            let below = error.instance_path().as_str().matches('/').count();
            match error.kind() {
                ValidationErrorKind::Type { .. } => below == depth,
                ValidationErrorKind::Constant { .. } | ValidationErrorKind::Enum { .. } => {
                    below <= depth + 1
                }
                _ => false,
            }
        })
    };
    let mut fitting = context.iter().filter(fits);
    match (fitting.next(), fitting.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    }
}

/// Says what would do, where the alternatives differ in their type or in one
/// fixed value.
fn no_branch(context: &[Vec<ValidationError<'static>>]) -> String {
    let mut fixed = Vec::new();
    for error in context.iter().flatten() {
        if let ValidationErrorKind::Constant { expected_value } = error.kind() {
            let key = error
                .instance_path()
                .as_str()
                .rsplit('/')
                .next()
                .unwrap_or_default();
            fixed.push((key.to_owned(), shown(expected_value)));
        }
    }
    match fixed.first() {
        Some((key, _)) if !key.is_empty() && fixed.iter().all(|(other, _)| other == key) => {
            let values: Vec<_> = fixed.iter().map(|(_, value)| value.as_str()).collect();
            format!(
                "Its {key} must be one of {}.",
                shortened(&values.join(", "))
            )
        }
        _ => format!("Fits none of the {} alternatives.", context.len()),
    }
}

fn types(kind: &TypeKind) -> (&'static str, String) {
    match kind {
        TypeKind::Single(one) => {
            let (kind, words) = type_words(*one);
            (kind, words.to_owned())
        }
        TypeKind::Multiple(several) => {
            let words: Vec<_> = several.iter().map(|one| type_words(one).1).collect();
            ("type", words.join(" or "))
        }
    }
}

fn type_words(meant: JsonType) -> (&'static str, &'static str) {
    match meant {
        JsonType::Null => ("null", "null"),
        JsonType::Boolean => ("boolean", "true or false"),
        JsonType::Integer => ("integer", "a whole number"),
        JsonType::Number => ("number", "a number"),
        JsonType::String => ("string", "a text"),
        JsonType::Array => ("array", "a list"),
        JsonType::Object => ("object", "an object"),
    }
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

fn length(error: &ValidationError<'_>) -> String {
    match &**error.instance() {
        Value::String(text) => format!("; it has {}", text.chars().count()),
        _ => String::new(),
    }
}

fn bound(limit: &Value) -> Option<IssueRequirement> {
    match limit {
        Value::Number(number) => Some(IssueRequirement::Number(number.clone())),
        _ => None,
    }
}

fn counted(count: u64, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

fn words(options: &Value) -> Vec<String> {
    let options = options.as_array().map_or(&[][..], Vec::as_slice);
    options.iter().take(MOST_WORDS).map(shown).collect()
}

/// A value of the schema.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => shortened(text),
        other => shortened(&other.to_string()),
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn with_key(mut path: Vec<Segment>, key: &str) -> Vec<Segment> {
    path.push(Segment::Key(key.to_owned()));
    path
}

/// A JSON pointer's steps. Whether `0` is a key or an index, only the document
/// knows.
fn path_in(document: &Value, pointer: &str) -> Vec<Segment> {
    let mut value = Some(document);
    pointer
        .split('/')
        .skip(1)
        .map(|step| {
            let step = step.replace("~1", "/").replace("~0", "~");
            match (value, step.parse()) {
                (Some(Value::Array(items)), Ok(index)) => {
                    value = items.get::<usize>(index);
                    Segment::Index(index)
                }
                _ => {
                    value = value.and_then(|value| value.get(&step));
                    Segment::Key(step)
                }
            }
        })
        .collect()
}
