//! The contract's verdict on a document: what it means, or everything that is wrong with it.

use serde_json::{Map, Value};

use crate::ecmascript;
use crate::issue::{Issue, IssueKind, Issues, MAX_ISSUES, Requirement, Segment};
use crate::message;
use crate::schema::{Branch, Choice, Entry, Field, Number, Schema, Shape, Text, TextRule, Union};

/// What the document means: texts trimmed where the contract says so, keys that it does not know
/// dropped, keys in the contract's order, numbers as IEEE doubles.
///
/// An array where an object is meant is refused; record keys such as `__proto__` are keys like any
/// other.
///
/// # Errors
/// Every rule that is broken, up to [`MAX_ISSUES`].
pub fn validate(schema: &Schema, document: &Value) -> Result<Value, Issues> {
    let mut walk = Walk::default();
    let meant = walk.value(schema, document);
    if walk.issues.is_empty() {
        return Ok(meant);
    }
    Err(Issues {
        issues: walk.issues,
        omitted: walk.omitted,
    })
}

/// What is wrong with the settings that ride in the open parts of a valid document: the contract
/// takes any value there, the engine that reads them does not. Empty for most documents.
#[must_use]
pub fn check_settings(schema: &Schema, document: &Value) -> Vec<Issue> {
    let mut walk = Walk::default();
    walk.settings(schema, document);
    walk.issues
}

#[derive(Default)]
struct Walk<'d> {
    path: Vec<Step<'d>>,
    issues: Vec<Issue>,
    omitted: usize,
}

/// A step of the path; owned only once something is wrong there.
#[derive(Clone, Copy)]
enum Step<'d> {
    Key(&'d str),
    Index(usize),
}

impl<'d> Walk<'d> {
    /// The value as it is meant. When an issue was found in it, what is returned is not used.
    fn value(&mut self, schema: &Schema, value: &'d Value) -> Value {
        match schema.shape {
            Shape::Any => ecmascript::value(value),
            Shape::Text(text) => match value {
                Value::Number(number) if schema.entry == Entry::Port => {
                    let digits = ecmascript::number(number).to_string();
                    self.text(text, &Value::from(digits))
                }
                _ => self.text(text, value),
            },
            Shape::Number(number) => self.number(number, schema.entry, value),
            Shape::Boolean => {
                if !value.is_boolean() {
                    self.mistyped(IssueKind::Boolean, value);
                }
                value.clone()
            }
            Shape::Choice(choices) => self.choice(choices, value),
            Shape::Array(item) => self.array(item, value),
            Shape::Record(item) => self.record(item, value),
            Shape::Nullable(_) if value.is_null() => Value::Null,
            Shape::Nullable(inner) => self.value(inner, value),
            Shape::Object(fields) => self.object(None, fields, value),
            Shape::Union(union) => self.union(union, value),
        }
    }

    fn text(&mut self, text: Text, value: &Value) -> Value {
        let Value::String(given) = value else {
            self.mistyped(IssueKind::String, value);
            return Value::Null;
        };
        let meant = if text.trim {
            ecmascript::trim(given)
        } else {
            given
        };
        for rule in text.rules {
            self.text_rule(rule, meant);
        }
        Value::from(meant)
    }

    fn text_rule(&mut self, rule: &TextRule, text: &str) {
        match *rule {
            TextRule::AtLeast(least) => {
                // A text has at least one unit for every four bytes.
                if text.len() < least * 4 {
                    let length = ecmascript::length(text);
                    if length < least {
                        self.broken(
                            IssueKind::MinLength,
                            message::number(least),
                            message::too_short(least, length),
                        );
                    }
                }
            }
            TextRule::AtMost(most) => {
                // A text has at most one unit for every byte.
                if text.len() > most {
                    let length = ecmascript::length(text);
                    if length > most {
                        self.broken(
                            IssueKind::MaxLength,
                            message::number(most),
                            message::too_long(most, length),
                        );
                    }
                }
            }
            TextRule::Matches(pattern) => {
                if !(pattern.regex)().is_match(text) {
                    self.broken(
                        IssueKind::Regex,
                        Some(Requirement::Text(pattern.source)),
                        message::wrong_form(pattern.meaning, text),
                    );
                }
            }
            TextRule::Not(taken) => {
                if taken.contains(&text) {
                    self.broken(
                        IssueKind::Check,
                        Some(Requirement::Words(taken.to_vec())),
                        message::taken(text),
                    );
                }
            }
        }
    }

    fn number(&mut self, rule: Number, entry: Entry, value: &Value) -> Value {
        let Value::Number(given) = value else {
            self.mistyped(IssueKind::Number, value);
            return Value::Null;
        };
        // Read from JSON, every number is a finite double.
        let double = given.as_f64().unwrap_or(f64::MAX);
        if rule.whole && double.fract() != 0.0 {
            self.broken(IssueKind::Integer, None, message::not_whole(double));
        }
        if let Some(least) = rule.at_least.filter(|least| double < *least) {
            self.broken(
                IssueKind::MinValue,
                Some(Requirement::Number(least)),
                message::too_small(least, double, entry),
            );
        }
        if let Some(most) = rule.at_most.filter(|most| double > *most) {
            self.broken(
                IssueKind::MaxValue,
                Some(Requirement::Number(most)),
                message::too_large(most, double, entry),
            );
        }
        ecmascript::number(given)
    }

    fn choice(&mut self, choices: &'static [Choice], value: &Value) -> Value {
        if !choices.iter().any(|choice| *value == *choice.value) {
            let words: Vec<_> = choices.iter().map(|choice| choice.value).collect();
            let message = message::not_one_of(&words, Some(value));
            self.broken(
                IssueKind::Picklist,
                Some(Requirement::Words(words)),
                message,
            );
        }
        value.clone()
    }

    fn array(&mut self, item: &Schema, value: &'d Value) -> Value {
        let Value::Array(given) = value else {
            self.mistyped(IssueKind::Array, value);
            return Value::Null;
        };
        Value::Array(
            given
                .iter()
                .enumerate()
                .map(|(at, value)| self.inside(Step::Index(at), |walk| walk.value(item, value)))
                .collect(),
        )
    }

    fn record(&mut self, item: &Schema, value: &'d Value) -> Value {
        let before = self.issues.len();
        match value {
            Value::Object(given) => Value::Object(
                given
                    .iter()
                    .map(|(key, value)| {
                        let meant = self.inside(Step::Key(key), |walk| walk.value(item, value));
                        (key.clone(), meant)
                    })
                    .collect(),
            ),
            Value::Array(given) => {
                // Its elements are told of as well, for whoever meant their places as keys.
                for (at, value) in given.iter().enumerate() {
                    self.inside(Step::Index(at), |walk| walk.value(item, value));
                }
                if self.issues.len() == before {
                    self.mistyped(IssueKind::Record, value);
                }
                Value::Null
            }
            _ => {
                self.mistyped(IssueKind::Record, value);
                Value::Null
            }
        }
    }

    /// An object with these fields; `tag` is a union's discriminator and its text, which comes first.
    fn object(
        &mut self,
        tag: Option<(&'static str, &'static str)>,
        fields: &'static [Field],
        value: &'d Value,
    ) -> Value {
        /// No keys, which is what an array has of those that a document names.
        static NO_KEYS: std::sync::LazyLock<Map<String, Value>> =
            std::sync::LazyLock::new(Map::new);
        let before = self.issues.len();
        let given: &'d Map<String, Value> = match value {
            Value::Object(given) => given,
            Value::Array(_) => &NO_KEYS,
            _ => {
                self.mistyped(IssueKind::Object, value);
                return Value::Null;
            }
        };
        let mut meant = Map::with_capacity(given.len().min(fields.len() + 1));
        if let Some((key, text)) = tag {
            meant.insert(key.to_owned(), Value::from(text));
        }
        for field in fields {
            match given.get(field.key) {
                Some(value) => {
                    let value =
                        self.inside(Step::Key(field.key), |walk| walk.value(field.schema, value));
                    meant.insert(field.key.to_owned(), value);
                }
                None if field.required => self.missing(field),
                None => {}
            }
        }
        if value.is_array() && self.issues.len() == before {
            self.mistyped(IssueKind::Object, value);
        }
        Value::Object(meant)
    }

    fn missing(&mut self, field: &'static Field) {
        let message = match field.schema.shape {
            Shape::Union(union) => message::missing_choice(&words(union)),
            _ => message::MISSING.to_owned(),
        };
        self.inside(Step::Key(field.key), |walk| {
            walk.broken(
                IssueKind::Object,
                Some(Requirement::Text(field.key)),
                message,
            );
        });
    }

    fn union(&mut self, union: Union, value: &'d Value) -> Value {
        let found = match value {
            Value::Object(given) => given.get(union.discriminator),
            Value::Array(_) => None,
            _ => {
                self.mistyped(IssueKind::Variant, value);
                return Value::Null;
            }
        };
        let Some(branch) = found.and_then(|found| branch(union, found)) else {
            let words = words(union);
            let message = message::no_branch(&words, has_other(union), found);
            self.inside(Step::Key(union.discriminator), |walk| {
                walk.broken(IssueKind::Variant, Some(Requirement::Words(words)), message);
            });
            return Value::Null;
        };
        self.object(
            branch.tag.map(|tag| (union.discriminator, tag)),
            branch.object.fields(),
            value,
        )
    }

    fn settings(&mut self, schema: &Schema, value: &'d Value) {
        if let Some(part) = schema.form {
            for shown in part.shown {
                let (Some(settings), Some(value)) = (shown.settings, value.pointer(shown.at))
                else {
                    continue;
                };
                let depth = self.path.len();
                self.path.extend(shown.at.split('/').skip(1).map(Step::Key));
                self.value(settings, value);
                self.path.truncate(depth);
            }
        }
        match (schema.shape, value) {
            (Shape::Object(fields), Value::Object(given)) => {
                for field in fields {
                    if let Some(value) = given.get(field.key) {
                        self.inside(Step::Key(field.key), |walk| {
                            walk.settings(field.schema, value);
                        });
                    }
                }
            }
            (Shape::Union(union), Value::Object(given)) => {
                let found = given.get(union.discriminator);
                if let Some(branch) = found.and_then(|found| branch(union, found)) {
                    self.settings(branch.object, value);
                }
            }
            (Shape::Array(item), Value::Array(given)) => {
                for (at, value) in given.iter().enumerate() {
                    self.inside(Step::Index(at), |walk| walk.settings(item, value));
                }
            }
            (Shape::Nullable(inner), value) => self.settings(inner, value),
            _ => {}
        }
    }

    fn inside<T>(&mut self, step: Step<'d>, look: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step);
        let result = look(self);
        self.path.pop();
        result
    }

    fn mistyped(&mut self, kind: IssueKind, value: &Value) {
        self.broken(kind, None, message::mistyped(kind, value));
    }

    fn broken(&mut self, kind: IssueKind, requirement: Option<Requirement>, message: String) {
        if self.issues.len() == MAX_ISSUES {
            self.omitted += 1;
            return;
        }
        self.issues.push(Issue {
            path: self
                .path
                .iter()
                .map(|step| match *step {
                    Step::Key(key) => Segment::key(key),
                    Step::Index(at) => Segment::Index(at),
                })
                .collect(),
            kind,
            requirement,
            message,
        });
    }
}

/// The branch that this discriminator selects.
fn branch(union: Union, found: &Value) -> Option<&'static Branch> {
    let text = found.as_str()?;
    union.branches.iter().find(|branch| match branch.tag {
        Some(tag) => tag == text,
        None => branch
            .object
            .fields()
            .iter()
            .find(|field| field.key == union.discriminator)
            .is_some_and(|field| validate(field.schema, found).is_ok()),
    })
}

fn words(union: Union) -> Vec<&'static str> {
    union
        .branches
        .iter()
        .filter_map(|branch| branch.tag)
        .collect()
}

fn has_other(union: Union) -> bool {
    union.branches.iter().any(|branch| branch.tag.is_none())
}
