//! The same rules as JSON Schema 2020-12, for validators, editors and forms that know nothing of Berth.
//!
//! It describes documents as they are written, so white space that the contract trims is allowed for
//! in the patterns. What it cannot say is the length of a text in UTF-16 code units: it counts
//! characters, so that a text near its limit with characters beyond U+FFFF passes.
//!
//! What the forms need beyond JSON Schema stands in `x-berth-` keywords, see docs/forms.md.

use serde_json::{Map, Value, json};

use crate::doc_text;
use crate::pattern::white_space;
use crate::schema::{Branch, Entry, Field, FormPart, Number, Schema, Shape, Text, TextRule, Union};
use crate::template::Scope;

/// Of a regular expression: one white space character.
const SPACE: &str = concat!("[", white_space!(), "]");
/// Of a regular expression: one character that is none.
const NO_SPACE: &str = concat!("[^", white_space!(), "]");

impl Schema {
    /// The schema of a document in JSON Schema 2020-12, whole in itself.
    #[must_use]
    pub fn json_schema(&self) -> Value {
        let mut writer = Writer {
            definitions: Map::new(),
        };
        let mut root = Map::new();
        root.insert(
            "$schema".to_owned(),
            "https://json-schema.org/draft/2020-12/schema".into(),
        );
        root.extend(writer.written_out(self, self.scope));
        if !writer.definitions.is_empty() {
            root.insert("$defs".to_owned(), writer.definitions.into());
        }
        root.into()
    }
}

struct Writer {
    /// Named schemas that others refer to.
    definitions: Map<String, Value>,
}

type Keywords = Map<String, Value>;

impl Writer {
    /// A named schema by reference, any other in place.
    fn referred(&mut self, schema: &Schema, scope: Option<&'static Scope>) -> Keywords {
        let scope = schema.scope.or(scope);
        let Some(name) = schema.name else {
            return self.written_out(schema, scope);
        };
        let name = match scope {
            Some(scope) if has_templates(schema) => format!("{}{name}", scope.name),
            _ => name.to_owned(),
        };
        if !self.definitions.contains_key(&name) {
            // Taken before it is written, so that definitions stand in the order of their first use.
            self.definitions.insert(name.clone(), Value::Null);
            let written = self.written_out(schema, scope);
            self.definitions.insert(name.clone(), written.into());
        }
        keywords(json!({ "$ref": format!("#/$defs/{name}") }))
    }

    fn written_out(&mut self, schema: &Schema, scope: Option<&'static Scope>) -> Keywords {
        let scope = schema.scope.or(scope);
        let mut written = spoken_of(schema.doc);
        written.extend(match schema.shape {
            Shape::Any => Map::new(),
            Shape::Text(text) => text_keywords(text),
            Shape::Number(number) => number_keywords(number),
            Shape::Boolean => keywords(json!({ "type": "boolean" })),
            Shape::Choice(choices) => keywords(json!({
                "type": "string",
                "enum": choices.iter().map(|choice| choice.value).collect::<Vec<_>>(),
            })),
            Shape::Array(item) => keywords(json!({
                "type": "array",
                "items": self.referred(item, scope),
            })),
            Shape::Record(item) => keywords(json!({
                "type": "object",
                "additionalProperties": self.referred(item, scope),
            })),
            Shape::Nullable(inner) => keywords(json!({
                "anyOf": [self.referred(inner, scope), { "type": "null" }],
            })),
            Shape::Object(fields) => self.object(None, fields, scope),
            Shape::Union(union) => self.union(union, scope),
        });
        if let Shape::Choice(choices) = schema.shape {
            let described = choices.iter().map(|choice| {
                let doc = spoken_of(choice.doc);
                (choice.value.to_owned(), doc.into())
            });
            written.insert(
                "x-berth-words".to_owned(),
                Value::Object(described.collect()),
            );
        }
        written.extend(entry_keywords(schema.entry, scope));
        self.annotate(schema, scope, &mut written);
        written
    }

    fn annotate(&mut self, schema: &Schema, scope: Option<&'static Scope>, written: &mut Keywords) {
        if let Some(default) = schema.default {
            written.insert("default".to_owned(), parsed(default));
        }
        if let Some(example) = schema.example {
            written.insert("examples".to_owned(), json!([parsed(example)]));
        }
        if let Some(part) = schema.form {
            let part = self.form_part(part, scope);
            written.insert("x-berth-form".to_owned(), part);
        }
        if !schema.starters.is_empty() {
            let starters = schema.starters.iter().map(|starter| {
                json!({
                    "title": starter.title,
                    "description": starter.description,
                    "document": parsed(starter.document),
                })
            });
            written.insert("x-berth-starters".to_owned(), starters.collect());
        }
    }

    fn object(
        &mut self,
        tag: Option<(&str, &str)>,
        fields: &[Field],
        scope: Option<&'static Scope>,
    ) -> Keywords {
        let mut properties = Map::new();
        let mut required = Vec::new();
        if let Some((key, text)) = tag {
            properties.insert(key.to_owned(), json!({ "const": text }));
            required.push(key);
        }
        for field in fields {
            let mut value = self.referred(field.schema, scope);
            // A field's own words come before those of the type that it has.
            let mut property = spoken_of(field.doc);
            for (key, found) in std::mem::take(&mut value) {
                property.entry(key).or_insert(found);
            }
            if let Some((key, values)) = field.schema.when {
                property.insert("x-berth-when".to_owned(), json!({ key: values }));
            }
            properties.insert(field.key.to_owned(), property.into());
            if field.required {
                required.push(field.key);
            }
        }
        keywords(json!({
            "type": "object",
            "properties": properties,
            "required": required,
        }))
    }

    fn union(&mut self, union: Union, scope: Option<&'static Scope>) -> Keywords {
        let tags: Vec<_> = union.branches.iter().filter_map(|it| it.tag).collect();
        let branches: Vec<Value> = union
            .branches
            .iter()
            .map(|branch| self.branch(union.discriminator, branch, &tags, scope))
            .collect();
        keywords(json!({
            "type": "object",
            "required": [union.discriminator],
            "discriminator": { "propertyName": union.discriminator },
            "oneOf": branches,
        }))
    }

    fn branch(
        &mut self,
        discriminator: &str,
        branch: &Branch,
        tags: &[&str],
        scope: Option<&'static Scope>,
    ) -> Value {
        let scope = branch.object.scope.or(scope);
        let mut written = spoken_of(branch.doc);
        let tag = branch.tag.map(|tag| (discriminator, tag));
        let mut object = self.object(tag, branch.object.fields(), scope);
        if branch.tag.is_none()
            && let Some(property) = object
                .get_mut("properties")
                .and_then(|properties| properties.get_mut(discriminator))
                .and_then(Value::as_object_mut)
        {
            // The other branches come first.
            property
                .entry("not")
                .or_insert_with(|| json!({ "enum": tags }));
        }
        written.extend(object);
        self.annotate(branch.object, scope, &mut written);
        written.into()
    }

    fn form_part(&mut self, part: &FormPart, scope: Option<&'static Scope>) -> Value {
        let show: Vec<Value> = part
            .shown
            .iter()
            .map(|shown| match shown.settings {
                None => json!({ "at": shown.at }),
                Some(settings) => {
                    json!({ "at": shown.at, "schema": self.referred(settings, scope) })
                }
            })
            .collect();
        json!({ "show": show, "fill": parsed(part.filled) })
    }
}

/// Whether a placeholder can stand in any text of it.
fn has_templates(schema: &Schema) -> bool {
    matches!(schema.entry, Entry::Template | Entry::LongTemplate)
        || match schema.shape {
            Shape::Array(inner) | Shape::Record(inner) | Shape::Nullable(inner) => {
                has_templates(inner)
            }
            Shape::Object(fields) => fields.iter().any(|field| has_templates(field.schema)),
            Shape::Union(union) => union
                .branches
                .iter()
                .any(|branch| has_templates(branch.object)),
            _ => false,
        }
}

fn spoken_of(doc: &[&str]) -> Keywords {
    let mut written = Map::new();
    for (key, text) in [
        ("title", doc_text::title(doc)),
        ("description", doc_text::description(doc)),
    ] {
        if !text.is_empty() {
            written.insert(key.to_owned(), text.into());
        }
    }
    written
}

fn text_keywords(text: Text) -> Keywords {
    let mut written = keywords(json!({ "type": "string" }));
    let (mut least, mut most, mut form) = (0, None, None);
    for rule in text.rules {
        match rule {
            TextRule::AtLeast(length) => least = *length,
            TextRule::AtMost(length) => most = Some(*length),
            TextRule::Matches(pattern) => form = Some(pattern.source),
            TextRule::Not(taken) => {
                let words = taken.join("|");
                let pattern = format!("^{SPACE}*(?:{words}){SPACE}*$");
                written.insert("not".to_owned(), json!({ "pattern": pattern }));
            }
        }
    }
    if text.trim {
        if let Some(pattern) = trimmed_pattern(least, most, form) {
            written.insert("pattern".to_owned(), pattern.into());
        }
        return written;
    }
    if least > 0 {
        written.insert("minLength".to_owned(), least.into());
    }
    if let Some(most) = most {
        written.insert("maxLength".to_owned(), most.into());
    }
    if let Some(form) = form {
        written.insert("pattern".to_owned(), form.into());
    }
    written
}

/// A pattern for a text that is trimmed before its rules apply.
fn trimmed_pattern(least: usize, most: Option<usize>, form: Option<&str>) -> Option<String> {
    if let Some(form) = form {
        let inner = form.trim_start_matches('^').trim_end_matches('$');
        // None of the forms allows white space, so the length is that of what is no white space.
        let length = most.map_or(String::new(), |most| {
            format!("(?={NO_SPACE}{{{least},{most}}}{SPACE}*$)")
        });
        return Some(format!("^{SPACE}*{length}(?:{inner}){SPACE}*$"));
    }
    let content = match most {
        None if least == 0 => return None,
        None => return Some(NO_SPACE.to_owned()),
        Some(0 | 1) => NO_SPACE.to_owned(),
        Some(most) => format!("{NO_SPACE}(?:[\\s\\S]{{0,{}}}{NO_SPACE})?", most - 2),
    };
    let optional = if least == 0 { "?" } else { "" };
    Some(format!("^{SPACE}*(?:{content}){optional}{SPACE}*$"))
}

fn number_keywords(number: Number) -> Keywords {
    let mut written = keywords(json!({
        "type": if number.whole { "integer" } else { "number" },
    }));
    for (key, bound) in [("minimum", number.at_least), ("maximum", number.at_most)] {
        if let Some(bound) = bound.and_then(serde_json::Number::from_f64) {
            written.insert(key.to_owned(), crate::ecmascript::number(&bound));
        }
    }
    written
}

fn entry_keywords(entry: Entry, scope: Option<&'static Scope>) -> Keywords {
    let template = |scope: &Scope| {
        json!({
            "syntax": "{{…}}",
            "variables": scope.variables.iter().map(|variable| json!({
                "name": variable.name,
                "description": variable.description,
                "sample": variable.sample,
            })).collect::<Vec<_>>(),
            "open": scope.open,
        })
    };
    match (entry, scope) {
        (Entry::Plain, _) | (Entry::Template, None) => Map::new(),
        (Entry::Long, _) | (Entry::LongTemplate, None) => {
            keywords(json!({ "x-berth-multiline": true }))
        }
        (Entry::Pem, _) => keywords(json!({ "contentMediaType": "application/x-pem-file" })),
        (Entry::Template, Some(scope)) => keywords(json!({ "x-berth-template": template(scope) })),
        (Entry::LongTemplate, Some(scope)) => keywords(json!({
            "x-berth-multiline": true,
            "x-berth-template": template(scope),
        })),
        (Entry::SecretValue, _) => keywords(json!({ "writeOnly": true })),
        (Entry::SecretReference, _) => keywords(json!({ "x-berth-secret-ref": true })),
        (Entry::Milliseconds, _) => keywords(json!({ "x-berth-unit": "ms" })),
        (Entry::Minutes, _) => keywords(json!({ "x-berth-unit": "min" })),
        // The bounds are for the number, the pattern is for the text.
        (Entry::Port, _) => keywords(json!({
            "type": ["string", "integer"],
            "minimum": 1,
            "maximum": 65535,
        })),
    }
}

fn keywords(value: Value) -> Keywords {
    match value {
        Value::Object(keywords) => keywords,
        _ => Map::new(),
    }
}

/// A constant of the contract's own; a test reads every one of them.
pub(crate) fn parsed(json: &'static str) -> Value {
    serde_json::from_str(json).unwrap_or_default()
}
