//! Where in a text the parts of its JSON value begin.
//!
//! The text is read again with the parser that judged it, one level at a time
//! and only along the wanted paths: however large a document is, no second copy
//! of it is built.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserializer as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use berth_contracts::Segment;

/// A place in a text, both from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) line: usize,
    pub(super) column: usize,
}

/// Where the values at these paths begin, in the paths' order. Where a path
/// leads to nothing it is the innermost value that is there; of a key that is
/// given twice the last one counts.
pub(super) fn find<'a>(
    text: &str,
    paths: impl IntoIterator<Item = &'a [Segment]>,
) -> Vec<Option<Position>> {
    let mut wanted = Wanted::default();
    let mut count = 0;
    for path in paths {
        wanted.add(path, count);
        count += 1;
    }
    let mut offsets = vec![None; count];
    if let Ok(root) = serde_json::from_str::<&RawValue>(text) {
        locate(text, root, &wanted, &mut offsets);
    }
    let lines = Lines::of(text);
    offsets
        .into_iter()
        .map(|offset| offset.map(|offset| lines.position(offset)))
        .collect()
}

/// The wanted paths as a tree.
#[derive(Default)]
struct Wanted<'a> {
    /// Paths that end here, by their number.
    here: Vec<usize>,
    keys: HashMap<&'a str, Self>,
    items: HashMap<usize, Self>,
}

impl<'a> Wanted<'a> {
    fn add(&mut self, path: &'a [Segment], number: usize) {
        let mut place = self;
        for segment in path {
            place = match segment {
                Segment::Key(key) => place.keys.entry(key).or_default(),
                Segment::Index(index) => place.items.entry(*index).or_default(),
            };
        }
        place.here.push(number);
    }

    /// Gives every path of this tree the same offset.
    fn set(&self, offset: usize, offsets: &mut [Option<usize>]) {
        for number in &self.here {
            offsets[*number] = Some(offset);
        }
        for below in self.keys.values().chain(self.items.values()) {
            below.set(offset, offsets);
        }
    }
}

fn locate(text: &str, value: &RawValue, wanted: &Wanted<'_>, offsets: &mut [Option<usize>]) {
    // A raw value is a slice of the text it was read from.
    let offset = value.get().as_ptr().addr() - text.as_ptr().addr();
    wanted.set(offset, offsets);
    let mut reader = serde_json::Deserializer::from_str(value.get());
    let found = match value.get().as_bytes().first() {
        Some(b'{') if !wanted.keys.is_empty() => reader.deserialize_map(Keys(&wanted.keys)),
        Some(b'[') if !wanted.items.is_empty() => reader.deserialize_seq(Items(&wanted.items)),
        _ => return,
    };
    // What cannot be read again keeps the place of what holds it.
    for (below, value) in found.unwrap_or_default() {
        locate(text, value, below, offsets);
    }
}

type Found<'w, 'a, 't> = Vec<(&'w Wanted<'a>, &'t RawValue)>;

struct Keys<'w, 'a>(&'w HashMap<&'a str, Wanted<'a>>);

impl<'t, 'w, 'a> Visitor<'t> for Keys<'w, 'a> {
    type Value = Found<'w, 'a, 't>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut last = HashMap::new();
        while let Some(Key(key)) = map.next_key()? {
            let value: &RawValue = map.next_value()?;
            if let Some((key, wanted)) = self.0.get_key_value(&*key) {
                last.insert(*key, (wanted, value));
            }
        }
        Ok(last.into_values().collect())
    }
}

/// A key, borrowed where it holds no escapes.
#[derive(serde::Deserialize)]
struct Key<'t>(#[serde(borrow)] Cow<'t, str>);

struct Items<'w, 'a>(&'w HashMap<usize, Wanted<'a>>);

impl<'t, 'w, 'a> Visitor<'t> for Items<'w, 'a> {
    type Value = Found<'w, 'a, 't>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'t>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let mut found = Vec::new();
        let mut index = 0;
        while let Some(value) = items.next_element::<&RawValue>()? {
            if let Some(wanted) = self.0.get(&index) {
                found.push((wanted, value));
            }
            index += 1;
        }
        Ok(found)
    }
}

/// Where the lines of a text begin.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            text,
            starts: std::iter::once(0).chain(after_breaks).collect(),
        }
    }

    fn position(&self, offset: usize) -> Position {
        let line = self.starts.partition_point(|start| *start <= offset);
        let start = self.starts[line - 1];
        Position {
            line,
            column: self.text[start..offset].chars().count() + 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(pointer: &str) -> Vec<Segment> {
        pointer
            .split('/')
            .skip(1)
            .map(|part| match part.parse() {
                Ok(index) => Segment::Index(index),
                Err(_) => Segment::Key(part.to_owned()),
            })
            .collect()
    }

    fn at(text: &str, pointer: &str) -> (usize, usize) {
        let path = path(pointer);
        let found = find(text, [path.as_slice()])[0].unwrap();
        (found.line, found.column)
    }

    #[test]
    fn values_are_found_by_line_and_character() {
        let text = "{\n  \"ä\": \"ö😀\", \"b\": [1,\n    {\"c\": null}]\n}";
        assert_eq!(at(text, ""), (1, 1));
        assert_eq!(at(text, "/ä"), (2, 8));
        assert_eq!(at(text, "/b"), (2, 19));
        assert_eq!(at(text, "/b/0"), (2, 20));
        assert_eq!(at(text, "/b/1"), (3, 5));
        assert_eq!(at(text, "/b/1/c"), (3, 11));
    }

    #[test]
    fn what_is_not_there_has_the_place_of_what_should_hold_it() {
        let text = " {\"a\": {\"b\": [1]}}";
        assert_eq!(at(text, "/nothing"), (1, 2));
        assert_eq!(at(text, "/a/nothing/below"), (1, 8));
        assert_eq!(at(text, "/a/b/7"), (1, 14));
        assert_eq!(at(text, "/a/0"), (1, 8), "an object has no items");
        assert_eq!(at(text, "/a/b/key"), (1, 14), "an array has no keys");
    }

    #[test]
    fn the_last_of_two_equal_keys_counts() {
        let text = "{\"a\": {\"x\": 1},\r\n \"\\u0061\": {\"x\": 2}}";
        assert_eq!(at(text, "/a/x"), (2, 18));
        assert_eq!(at(text, "/a"), (2, 12));
    }

    #[test]
    fn all_paths_are_found_in_their_order() {
        let text = "[\n{\"a\":1},\n{\"a\":2}\n]";
        let paths: Vec<_> = ["/1/a", "/0", "/1", "/1/a"].map(path).into();
        let found = find(text, paths.iter().map(Vec::as_slice));
        let lines: Vec<_> = found.iter().map(|found| found.unwrap().line).collect();
        assert_eq!(lines, [3, 2, 3, 3]);
    }

    #[test]
    fn a_text_that_is_no_json_has_no_places() {
        assert_eq!(find("{\"a\":", [path("/a").as_slice()]), [None]);
        assert_eq!(find("", [path("").as_slice()]), [None]);
    }

    #[test]
    fn hostile_texts_take_no_time_and_no_stack() {
        let many = format!("[{}1]", "[[1],2],".repeat(200_000));
        assert_eq!(at(&many, "/199999/0"), (1, 1_599_995));
        let wide = format!("{{{}\"b\":1}}", "\"a\":1,".repeat(200_000));
        assert_eq!(at(&wide, "/a"), (1, 1_200_000));
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(at(&deep, "/0/0"), (1, 3));
    }
}
