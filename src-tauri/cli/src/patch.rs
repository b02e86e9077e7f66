//! Single fields of a JSON document, as they are typed: `/manifest/label=Mine`
//! sets a text, `/manifest/defaultTtlMs:=3600000` a JSON value.

use berth_core::{Code, Problem};
use serde_json::{Map, Value};

/// One field, and what it is to be.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Assignment {
    /// RFC 6901 pointer, not the root.
    pointer: String,
    /// `None`: it is left out.
    value: Option<Value>,
}

/// `/FIELD=TEXT` or `/FIELD:=JSON`.
pub(crate) fn parse(text: &str) -> Result<Assignment, String> {
    let (pointer, value) = text
        .split_once('=')
        .ok_or("the value is missing: /FIELD=TEXT, or /FIELD:=JSON")?;
    let (pointer, value) = match pointer.strip_suffix(':') {
        None => (pointer, Value::String(value.to_owned())),
        Some(pointer) => (
            pointer,
            serde_json::from_str(value)
                .map_err(|error| format!("what follows := is not JSON: {error}"))?,
        ),
    };
    Ok(Assignment {
        pointer: checked(pointer)?,
        value: Some(value),
    })
}

/// `/FIELD`, to be left out.
pub(crate) fn parse_removal(text: &str) -> Result<Assignment, String> {
    Ok(Assignment {
        pointer: checked(text)?,
        value: None,
    })
}

fn checked(pointer: &str) -> Result<String, String> {
    if !pointer.starts_with('/') {
        return Err("a field begins with /, such as /manifest/label".to_owned());
    }
    if pointer == "/" {
        return Err("the field's name is missing after the /".to_owned());
    }
    Ok(pointer.to_owned())
}

impl Assignment {
    /// Whether this sets the field of that pointer, something in it or around it.
    pub(crate) fn sets(&self, field: &str) -> bool {
        let within = |inner: &str, outer: &str| {
            inner
                .strip_prefix(outer)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.value
            .as_ref()
            // An empty one may be meant to say nothing.
            .is_some_and(|value| !value.is_null() && value != "")
            && (within(&self.pointer, field) || within(field, &self.pointer))
    }
}

/// Changes fields of a document. Objects on the way to one are made.
///
/// # Errors
/// [`Code::InvalidInput`] for a field inside of something that has none.
pub(crate) fn apply<'a>(
    document: &mut Value,
    assignments: impl IntoIterator<Item = &'a Assignment>,
) -> Result<(), Problem> {
    for assignment in assignments {
        let steps: Vec<String> = assignment
            .pointer
            .split('/')
            .skip(1)
            .map(|step| step.replace("~1", "/").replace("~0", "~"))
            .collect();
        let done = match (&assignment.value, steps.split_last()) {
            (_, None) => None,
            (Some(value), Some((last, way))) => way
                .iter()
                .try_fold(&mut *document, |at, step| entered(at, step))
                .and_then(|at| place(at, last))
                .map(|field| *field = value.clone()),
            (None, Some((last, way))) => {
                let at = way
                    .iter()
                    .try_fold(&mut *document, |at, step| found(at, step));
                if let Some(at) = at {
                    remove(at, last);
                }
                Some(())
            }
        };
        if done.is_none() {
            return Err(Problem::new(
                Code::InvalidInput,
                format!("There can be no field {}", assignment.pointer),
            )
            .detail("Something on the way to it is neither an object nor a list with that place.")
            .hint("berth handler show --json shows the document."));
        }
    }
    Ok(())
}

/// The object or list of that name, made when nothing is there.
fn entered<'a>(at: &'a mut Value, step: &str) -> Option<&'a mut Value> {
    let field = place(at, step)?;
    if field.is_null() {
        *field = Value::Object(Map::new());
    }
    Some(field)
}

/// The place of that name: a key, an index, or `-` for a new last one.
fn place<'a>(at: &'a mut Value, step: &str) -> Option<&'a mut Value> {
    match at {
        Value::Object(fields) => Some(fields.entry(step).or_insert(Value::Null)),
        Value::Array(items) => {
            if step == "-" {
                items.push(Value::Null);
                return items.last_mut();
            }
            items.get_mut(step.parse::<usize>().ok()?)
        }
        _ => None,
    }
}

fn found<'a>(at: &'a mut Value, step: &str) -> Option<&'a mut Value> {
    match at {
        Value::Object(fields) => fields.get_mut(step),
        Value::Array(items) => items.get_mut(step.parse::<usize>().ok()?),
        _ => None,
    }
}

fn remove(at: &mut Value, step: &str) {
    match at {
        Value::Object(fields) => {
            fields.remove(step);
        }
        Value::Array(items) => {
            if let Some(index) = step.parse::<usize>().ok().filter(|at| *at < items.len()) {
                items.remove(index);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn patched(mut document: Value, fields: &[Result<Assignment, String>]) -> Option<Value> {
        let fields: Vec<Assignment> = fields.iter().cloned().map(Result::unwrap).collect();
        apply(&mut document, &fields).ok().map(|()| document)
    }

    #[test]
    fn texts_and_json_are_told_apart() {
        let document = patched(
            json!({"label": "A"}),
            &[
                parse("/label=8080"),
                parse("/ttl:=3600000"),
                parse("/made/on/the~1way=a=b"),
                parse("/off:=false"),
            ],
        );
        assert_eq!(
            document.unwrap(),
            json!({"label": "8080", "ttl": 3_600_000, "made": {"on": {"the/way": "a=b"}}, "off": false})
        );
    }

    #[test]
    fn lists_are_entered_by_number() {
        let list = || json!({"list": [{"a": 1}, {"a": 2}]});
        assert_eq!(
            patched(list(), &[parse("/list/1/a:=3"), parse("/list/-=x")]).unwrap(),
            json!({"list": [{"a": 1}, {"a": 3}, "x"]})
        );
        assert_eq!(
            patched(list(), &[parse_removal("/list/0")]).unwrap(),
            json!({"list": [{"a": 2}]})
        );
        assert_eq!(patched(list(), &[parse("/list/7/a=x")]), None);
        assert_eq!(patched(list(), &[parse("/list/0/a/b=x")]), None);
    }

    #[test]
    fn what_is_not_there_is_left_out_already() {
        let document = json!({"a": {"b": 1}});
        assert_eq!(
            patched(
                document.clone(),
                &[parse_removal("/x/y"), parse_removal("/a/c")]
            ),
            Some(document)
        );
    }

    #[test]
    fn what_is_mistyped_is_told() {
        for text in ["/a", "a=b", "=b", "/a:=b", "/a:={"] {
            assert!(parse(text).is_err(), "{text}");
        }
        for text in ["a", "/"] {
            assert!(parse_removal(text).is_err(), "{text}");
        }
        assert!(parse("/=a").is_err());
    }
}
