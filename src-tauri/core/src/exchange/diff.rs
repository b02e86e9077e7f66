//! Two values, leaf by leaf. Pure.

use serde_json::Value;

use crate::view::ChangedValue;

/// Bytes that the changed values of one preview have together, about: it travels
/// to the window as one message.
const MOST_BYTES: usize = 256 * 1024;

/// What a preview still has room for.
pub(super) struct Room(usize);

impl Default for Room {
    fn default() -> Self {
        Self(MOST_BYTES)
    }
}

/// Values that differ.
#[derive(Default)]
pub(super) struct Differences {
    pub(super) values: Vec<ChangedValue>,
    /// How many more there are, for which there was no room.
    pub(super) omitted: usize,
}

/// Every value in which two documents differ, in the order of the one after, then
/// what is only in the one before. An empty list or object that stands alone is a
/// value.
pub(super) fn differences(before: Option<&Value>, after: &Value, room: &mut Room) -> Differences {
    let mut found = Differences::default();
    walk(before, Some(after), &mut String::new(), room, &mut found);
    found
}

type Pair<'v> = (Option<&'v Value>, Option<&'v Value>);

/// Documents are at most 128 levels deep.
fn walk(
    before: Option<&Value>,
    after: Option<&Value>,
    pointer: &mut String,
    room: &mut Room,
    found: &mut Differences,
) {
    if before == after {
        return;
    }
    let Some(members) = members((before, after)) else {
        found.add(pointer, before, after, room);
        return;
    };
    for (key, (before, after)) in members {
        let length = pointer.len();
        pointer.push('/');
        pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
        walk(before, after, pointer, room, found);
        pointer.truncate(length);
    }
}

/// What two objects or two lists hold, side by side; one of the two may be absent.
fn members(pair: Pair<'_>) -> Option<Vec<(String, Pair<'_>)>> {
    match pair {
        (Some(Value::Object(one)), Some(Value::Object(other))) => Some(
            other
                .iter()
                .map(|(key, after)| (key.clone(), (one.get(key), Some(after))))
                .chain(
                    one.iter()
                        .filter(|(key, _)| !other.contains_key(*key))
                        .map(|(key, before)| (key.clone(), (Some(before), None))),
                )
                .collect(),
        ),
        (Some(Value::Array(one)), Some(Value::Array(other))) => Some(
            (0..one.len().max(other.len()))
                .map(|index| (index.to_string(), (one.get(index), other.get(index))))
                .collect(),
        ),
        (None, Some(alone)) => Some(
            own_members(alone)?
                .into_iter()
                .map(|(key, value)| (key, (None, Some(value))))
                .collect(),
        ),
        (Some(alone), None) => Some(
            own_members(alone)?
                .into_iter()
                .map(|(key, value)| (key, (Some(value), None)))
                .collect(),
        ),
        _ => None,
    }
}

/// None for a plain value, and for one that holds nothing.
fn own_members(value: &Value) -> Option<Vec<(String, &Value)>> {
    let members: Vec<_> = match value {
        Value::Object(members) => members.iter().map(|(key, it)| (key.clone(), it)).collect(),
        Value::Array(items) => (0..)
            .zip(items)
            .map(|(at, it): (usize, _)| (at.to_string(), it))
            .collect(),
        _ => Vec::new(),
    };
    Some(members).filter(|members| !members.is_empty())
}

impl Differences {
    fn add(
        &mut self,
        pointer: &str,
        before: Option<&Value>,
        after: Option<&Value>,
        room: &mut Room,
    ) {
        let size = pointer.len()
            + [before, after]
                .into_iter()
                .flatten()
                .map(size)
                .sum::<usize>();
        match room.0.checked_sub(size) {
            Some(left) => {
                room.0 = left;
                self.values.push(ChangedValue {
                    pointer: pointer.to_owned(),
                    before: before.cloned(),
                    after: after.cloned(),
                });
            }
            None => self.omitted += 1,
        }
    }
}

/// How long a value is as a text, about.
fn size(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 16,
        Value::String(text) => text.len() + 16,
        Value::Array(items) => 16 + items.iter().map(size).sum::<usize>(),
        Value::Object(members) => {
            16 + members
                .iter()
                .map(|(key, value)| key.len() + size(value))
                .sum::<usize>()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn shown(before: Option<Value>, after: Value) -> Vec<(String, Option<Value>, Option<Value>)> {
        differences(before.as_ref(), &after, &mut Room::default())
            .values
            .into_iter()
            .map(|changed| (changed.pointer, changed.before, changed.after))
            .collect()
    }

    #[test]
    fn values_are_told_one_by_one() {
        let found = shown(
            Some(json!({"a": 1, "b": {"c": [1, 2], "gone": true}, "same": {}})),
            json!({"b": {"c": [1, 3, 4], "x/y": ""}, "a": "1", "same": {}}),
        );
        assert_eq!(
            found,
            [
                ("/b/c/1".to_owned(), Some(json!(2)), Some(json!(3))),
                ("/b/c/2".to_owned(), None, Some(json!(4))),
                ("/b/x~1y".to_owned(), None, Some(json!(""))),
                ("/b/gone".to_owned(), Some(json!(true)), None),
                ("/a".to_owned(), Some(json!(1)), Some(json!("1"))),
            ]
        );
    }

    #[test]
    fn what_is_new_is_told_whole_and_what_holds_nothing_too() {
        let found = shown(None, json!({"a": {"b": [], "c": {}}, "d": null}));
        assert_eq!(
            found,
            [
                ("/a/b".to_owned(), None, Some(json!([]))),
                ("/a/c".to_owned(), None, Some(json!({}))),
                ("/d".to_owned(), None, Some(json!(null))),
            ]
        );
        assert_eq!(shown(Some(json!([1])), json!({"0": 1})).len(), 1);
        assert_eq!(shown(Some(json!({"a": []})), json!({"a": []})), []);
    }

    #[test]
    fn a_hostile_document_has_no_room_for_itself_many_times_over() {
        let key = "k".repeat(100_000);
        let many: Vec<u8> = vec![1; 10_000];
        let found = differences(None, &json!({ key: many }), &mut Room::default());
        assert_eq!(found.values.len(), 2);
        assert_eq!(found.omitted, 9_998);
    }
}
