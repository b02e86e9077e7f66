//! Documents of a schema that a plugin brings. The plugin is not trusted: its
//! schema can neither reach for anything outside itself nor make a check endless.

mod bounds;
mod words;

use jsonschema::{PatternOptions, ValidationError, Validator};
use serde_json::Value;

use crate::problem::{Code, Problem};
use crate::view::Issue;

/// Characters that such a document may have: it is a plugin's settings.
pub(super) const MOST_BYTES: usize = 256 * 1024;
/// Faults that are told.
const MOST_ISSUES: usize = 200;
/// Bytes that one compiled pattern may take.
const PATTERN_SIZE: usize = 256 * 1024;
/// Steps back that a pattern with look-around or back-references may take.
const PATTERN_STEPS: usize = 10_000;
/// Checking recurses along schema and document. What [`bounds`] lets through fits in
/// here, also without optimisation.
const STACK: usize = 256 * 1024 * 1024;

/// Every fault of a document, and how many more were left out.
///
/// # Errors
/// [`Code::InvalidInput`] for a schema that cannot be used.
pub(super) fn check(schema: &Value, document: &Value) -> Result<(Vec<Issue>, usize), Problem> {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .name("plugin-schema".to_owned())
            .stack_size(STACK)
            .spawn_scoped(scope, || apply(schema, document))
            .map_err(|error| {
                Problem::new(Code::Internal, "The document could not be checked")
                    .caused_by(&error)
                    .retryable()
            })?
            .join()
            .unwrap_or_else(|_| Err(Problem::internal("checking a document broke off")))
    })
}

fn apply(schema: &Value, document: &Value) -> Result<(Vec<Issue>, usize), Problem> {
    bounds::check(schema, document).map_err(|reason| unusable(&reason))?;
    let validator = compile(schema)?;
    let mut issues = Vec::new();
    let mut omitted = 0;
    for error in validator.iter_errors(document) {
        if issues.len() < MOST_ISSUES {
            words::add(&error, document, &mut issues);
        } else {
            omitted += 1;
        }
    }
    omitted += issues.len().saturating_sub(MOST_ISSUES);
    issues.truncate(MOST_ISSUES);
    Ok((issues, omitted))
}

/// Patterns run in linear time where they can, else with an end.
fn compile(schema: &Value) -> Result<Validator, Problem> {
    let options = || {
        jsonschema::options()
            .offline()
            .should_ignore_unknown_formats(true)
    };
    let linear = PatternOptions::regex()
        .size_limit(PATTERN_SIZE)
        .dfa_size_limit(PATTERN_SIZE);
    let ending = PatternOptions::fancy_regex()
        .size_limit(PATTERN_SIZE)
        .dfa_size_limit(PATTERN_SIZE)
        .backtrack_limit(PATTERN_STEPS);
    options()
        .with_pattern_options(linear)
        .build(schema)
        .or_else(|_| options().with_pattern_options(ending).build(schema))
        .map_err(|error| unusable(&reason(&error)))
}

fn reason(error: &ValidationError<'_>) -> String {
    let place = error.instance_path().as_str();
    let text = error.to_string();
    let text = match text.char_indices().nth(300) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    };
    if place.is_empty() {
        format!("{text}.")
    } else {
        format!("At {place}: {text}.")
    }
}

fn unusable(reason: &str) -> Problem {
    Problem::new(Code::InvalidInput, "The plugin's schema cannot be used")
        .detail(reason)
        .hint("The plugin's maker has to correct it. Until then its settings can be written as JSON, but not checked.")
}

#[cfg(test)]
mod tests;
