//! What must neither be stored nor shown, and how it is taken out: secrets that
//! are known themselves, by their form, or by the name in front of them.
//!
//! Everything passes here once more on its way out: problems as they are
//! serialised ([`crate::Problem`]), free text as it is written to the store
//! (`store/columns.rs`), what is logged ([`CleanWriter`]) and what a panic says
//! ([`clean_panics`]). What an operation knows beside that ([`Redaction`]) is
//! taken out of its steps, its plan and its end. A container's own log, asked for
//! by the user, is shown as it is.

mod forms;
mod leaving;
mod named;
mod names;
#[cfg(test)]
pub(crate) mod tests;
mod values;

use std::sync::{Arc, PoisonError, RwLock};

use berth_engines::{Check, Fact, PlanView};
use regex::Regex;
use serde_json::Value;

use crate::problem::Problem;
use crate::view::CheckUpdate;

pub use leaving::{CleanWriter, clean_panics};
pub(crate) use leaving::{serialize, serialize_each, serialize_lines, serialize_option};
pub(crate) use values::Values;

/// Put in place of a secret.
pub(crate) const MARK: &str = berth_contracts::REDACTED;

/// No text is looked at beyond this; the rest is left out.
const MOST_BYTES: usize = 1 << 20;

/// Each pass may uncover something for the one after it; no text is known that
/// needs more than two.
const MOST_PASSES: usize = 4;

/// A text without what has the form or the name of a secret. Cleaning a clean
/// text changes nothing.
#[must_use]
pub fn redact(text: &str) -> String {
    let mut clean = bounded(text);
    for _ in 0..MOST_PASSES {
        let next = named::without(&forms::without(&clean)).into_owned();
        if next == clean {
            break;
        }
        clean = next;
    }
    clean
}

/// Several lines of one text: a private key may go through all of them.
pub(crate) fn redact_lines(lines: &[String]) -> Vec<String> {
    if lines.is_empty() {
        return Vec::new();
    }
    let clean = redact(&lines.join("\n"));
    clean.split('\n').map(str::to_owned).collect()
}

/// A value without them in any text of it.
pub(crate) fn redact_json(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(redact(&text)),
        Value::Array(items) => items.into_iter().map(redact_json).collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(key, value)| (key, redact_json(value)))
            .collect(),
        other => other,
    }
}

fn bounded(text: &str) -> String {
    if text.len() <= MOST_BYTES {
        return text.to_owned();
    }
    let end = (0..=MOST_BYTES)
        .rev()
        .find(|end| text.is_char_boundary(*end))
        .unwrap_or_default();
    format!("{}…", &text[..end])
}

/// Compiles a constant.
fn pattern(source: &str) -> Regex {
    // The sources are constants of this module; a test compiles every one of them.
    #[allow(clippy::expect_used)]
    Regex::new(source).expect("a constant that a test compiles")
}

/// What one operation knows and must not tell. Its clones know the same.
#[derive(Clone, Default)]
pub(crate) struct Redaction(Arc<RwLock<Values>>);

impl Redaction {
    /// Knows the secrets of a handler, as long as it is used.
    pub(crate) fn with_values<'s>(secrets: impl IntoIterator<Item = &'s str>) -> Self {
        let redaction = Self::default();
        redaction.learn(Values::of_secrets(secrets));
        redaction
    }

    /// From now on these are taken out, too.
    pub(crate) fn learn(&self, values: Values) {
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        *known = known.and(values);
    }

    /// A text without what is known and what can be told by its form or name.
    pub(crate) fn text(&self, text: &str) -> String {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner);
        redact(&known.without(bounded(text)))
    }

    fn texts(&self, texts: Vec<String>) -> Vec<String> {
        texts.iter().map(|text| self.text(text)).collect()
    }

    /// A problem without it.
    pub(crate) fn problem(&self, problem: Problem) -> Problem {
        let option = |text: Option<String>| text.map(|text| self.text(&text));
        let lines = self.texts(problem.lines);
        Problem {
            title: self.text(&problem.title),
            detail: option(problem.detail),
            hint: option(problem.hint),
            causes: self.texts(problem.causes),
            lines: redact_lines(&lines),
            places: problem
                .places
                .into_iter()
                .map(|mut place| {
                    place.message = self.text(&place.message);
                    place.hint = option(place.hint);
                    place
                })
                .collect(),
            ..problem
        }
    }

    /// What a connection test tells, without it.
    pub(crate) fn update(&self, update: CheckUpdate) -> CheckUpdate {
        match update {
            CheckUpdate::Expected { checks } => CheckUpdate::Expected { checks },
            CheckUpdate::Changed { check } => CheckUpdate::Changed {
                check: self.check(check),
            },
            CheckUpdate::Refused { problem } => CheckUpdate::Refused {
                problem: self.problem(problem),
            },
            CheckUpdate::Finished { passed } => CheckUpdate::Finished { passed },
        }
    }

    fn check(&self, check: Check) -> Check {
        let option = |text: Option<String>| text.map(|text| self.text(&text));
        Check {
            detail: option(check.detail),
            facts: check
                .facts
                .into_iter()
                .map(|fact| Fact {
                    value: self.text(&fact.value),
                    ..fact
                })
                .collect(),
            hint: option(check.hint),
            command: option(check.command),
            ..check
        }
    }

    /// A plan without it. Names of containers, images and files are no free text.
    pub(crate) fn plan(&self, plan: PlanView) -> PlanView {
        PlanView {
            warnings: self.texts(plan.warnings),
            ..plan
        }
    }
}
